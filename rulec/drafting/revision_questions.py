"""What a reader is asked about a rule and the notes on it, and what its answer proposes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulec.domain.evidence import WantedVerdict
from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.domain.template import Render
from rulec.domain.text import excerpts
from rulec.domain.text.excerpts import both_ends
from rulec.domain.text.redaction import redact
from rulec.drafting import draft_json
from rulec.drafting.draft_json import LONGEST_TEXT, as_json, check_data, plain_example, redact_all

VERSION = 1
ALTERNATIVES, LEAST_EXAMPLES = 3, 4
LONGEST_STATEMENT = 300  # characters
_ANSWER = 5_000  # tokens
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["alternatives"],
    "properties": {
        "examples": draft_json.EXAMPLES_SCHEMA,
        "alternatives": {
            "type": "array",
            "maxItems": 20,
            "items": {
                "type": "object",
                "properties": {
                    "checks": draft_json.CHECKS_SCHEMA,
                    "scope": draft_json.SCOPE_SCHEMA,
                    "not_checked": draft_json.NOT_CHECKED_SCHEMA,
                    "statement": {"type": "string"},
                    "when": {"type": "string"},
                },
            },
        },
        "not_checked": draft_json.NOT_CHECKED_SCHEMA,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionRequest:
    """A rule, the notes on it, and why earlier answers were not taken."""

    rule: Rule
    wanted: tuple[WantedVerdict, ...]
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRevisions:
    """The revisions that a reader proposes, its own examples, and what of its answer has none of our forms."""

    rules: tuple[Rule, ...] = ()  # without the noted actions and its own examples
    invalid: tuple[Example, ...] = ()
    valid: tuple[Example, ...] = ()
    unread: tuple[str, ...] = ()


def write_revision_prompt(request: RevisionRequest, render: Render, catalogue: str, profile: str) -> Prompt:
    """The question about one rule."""
    words = render(
        "ask/revise.md.j2",
        {"alternatives": ALTERNATIVES, "least": LEAST_EXAMPLES, "catalogue": catalogue.strip()},
    )
    data = [DataBlock(name="rule", text=as_json(_rule_data(request.rule)))]
    data += [DataBlock(name="note", text=as_json(_note_data(one))) for one in request.wanted]
    data += (
        [DataBlock(name="what failed", text=as_json([redact(one) for one in request.failed]))] if request.failed else []
    )
    data += [DataBlock(name="repository", text=profile, beside=True)] if profile else []
    return Prompt(step="revise", version=VERSION, instructions=words, data=tuple(data), schema=SCHEMA, most=_ANSWER)


def _rule_data(rule: Rule) -> dict[str, Any]:
    told = {
        "statement": rule.statement,
        "when": rule.when,
        "do": rule.do,
        "scope": {key: list(getattr(rule.scope, key)) for key in ("include", "exclude") if getattr(rule.scope, key)},
        "checks": [check_data(check) for check in rule.checks],
        "not_checked": list(rule.not_checked),
        "examples": {"invalid": list(map(_action, rule.invalid)), "valid": list(map(_action, rule.valid))},
        "exceptions": [
            {"because": one.because, "include": list(one.scope.include), "commands": list(one.commands)}
            for one in rule.exceptions
        ],
    }
    return {key: redact_all(value) for key, value in told.items() if value}


def _note_data(one: WantedVerdict) -> dict[str, Any]:
    told = {"action": _action(one.example), "must be": "caught" if one.caught else "let pass", "words": one.words}
    return {key: redact_all(value) for key, value in told.items()}


def _action(example: Example) -> dict[str, Any]:
    return {
        key: both_ends(value, LONGEST_TEXT) if isinstance(value, str) else value
        for key, value in plain_example(example).items()
    }


def read_revision_answer(data: Mapping[str, Any], rule: Rule, kind_of: draft_json.KindOf) -> ReadRevisions:
    """The rules that an answer proposes: what it leaves out stays as it is."""
    shared = draft_json.read_draft({"examples": data.get("examples")}, "reader", kind_of, most=LEAST_EXAMPLES)
    unread = list(shared.unread)
    rules = []
    for number, one in enumerate(data.get("alternatives", ())[:ALTERNATIVES], 1):
        found = draft_json.read_draft(one, "reader", kind_of, f"alternative {number}")
        unread += [f"alternative {number}, {line}" for line in found.unread]
        if found.draft.checks and not any("check" in line.split(":")[0] for line in found.unread):
            rules.append(_revised(rule, found.draft.checks, found.draft.scope, found.draft.not_checked, one))
    return ReadRevisions(
        rules=tuple(rules), invalid=shared.draft.invalid, valid=shared.draft.valid, unread=tuple(dict.fromkeys(unread))
    )


def _revised(
    rule: Rule, checks: tuple[Check, ...], scope: Scope, not_checked: tuple[str, ...], said: Mapping[str, Any]
) -> Rule:
    """The rule with another's checks; of the scope only the paths are a reader's to change."""
    known = [check for check in rule.checks if check in checks]  # as they stand, with what nobody named
    places = {"include": scope.include, "exclude": scope.exclude} if said.get("scope") else {}
    statement = excerpts.line_by_model(said.get("statement"), LONGEST_STATEMENT)
    return replace(
        rule,
        statement=_sentence(statement) or rule.statement,
        when=excerpts.line_by_model(said.get("when"), LONGEST_STATEMENT) or rule.when,
        checks=(*known, *(check for check in checks if check not in known)),
        scope=replace(rule.scope, **places),
        not_checked=tuple(dict.fromkeys((*rule.not_checked, *not_checked))),
    )


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."

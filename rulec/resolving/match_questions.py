"""Candidates in doubt: what a reader is asked about each and its nearest rules, and its answer read."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from rulec.domain.candidate import Candidate, Draft
from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import Check, Example, Rule
from rulec.domain.template import Render
from rulec.domain.text.one_line import spell_out
from rulec.domain.text.redaction import redact
from rulec.resolving.resolver import Decision, Resolution

MOST_CANDIDATES = 20  # candidates of one prompt
RULES_SHOWN = 5  # rules that are shown for one candidate
LONGEST_REASON = 200  # characters of a reason
VERSION = 1
MODEL_SAYS = "a model says: "  # how a reason begins that no person and no rule of ours gave
_SHOWN = 400  # characters of one text
_EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureMatch:
    """A candidate that values do not place, and what it may become."""

    candidate: Candidate
    said: Resolution  # what resolve says or suspects
    rules: tuple[Rule, ...]  # that may be meant, the suspected one first
    alone: Mapping[str, Resolution] = field(default_factory=dict)  # by slug: resolved as if that were the only rule
    parts: tuple[Candidate, ...] = ()  # its wishes, where it voices several


def write_match_prompt(unsure: Sequence[UnsureMatch], render: Render) -> Prompt:
    """One question about all of them: block n is candidate n, the rules follow."""
    rules = {rule.slug: rule for one in unsure for rule in one.rules}
    return Prompt(
        step="decide",
        version=VERSION,
        instructions=render("ask/decide.md.j2", {"longest": LONGEST_REASON}),
        data=(
            *(DataBlock(name="candidate", text=_json(_candidate_data(one))) for one in unsure),
            *(DataBlock(name="rule", text=_json(_rule_data(rules[slug]))) for slug in sorted(rules)),
        ),
        schema=SCHEMA,
        most=200 + 120 * len(unsure),
    )


_FORM = r"^Decision: ((SPLIT|NEW)|(NOOP|UPDATE|SUPERSEDE) [a-z0-9-]{1,80}) -- because \S[^\n\t]*$"
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["decisions"],
    "properties": {
        "decisions": {
            "type": "array",
            "maxItems": 500,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["candidate", "line"],
                "properties": {"candidate": {"type": "integer"}, "line": {"type": "string", "pattern": _FORM}},
            },
        }
    },
}


def read_match_answer(data: Mapping[str, Any], unsure: Sequence[UnsureMatch]) -> tuple[Resolution, ...]:
    """The resolution of each; without the one line that was asked for, resolve's guess, for a person to decide."""
    lines: dict[int, list[str]] = {}
    for one in data["decisions"]:
        lines.setdefault(int(one["candidate"]), []).append(one["line"])
    return tuple(_decision_in_line(lines.get(number, []), one) or one.said for number, one in enumerate(unsure, 1))


def ignored_answers(data: Mapping[str, Any], heard: Sequence[Resolution]) -> tuple[str, ...]:
    """What of an answer did not count, in a line each."""
    numbers = dict.fromkeys(int(one["candidate"]) for one in data["decisions"])
    strange = [
        f"no candidate {str(number)[:20]} was asked about" for number in numbers if not _was_asked_about(number, heard)
    ]
    known = (number for number in numbers if _was_asked_about(number, heard) and not heard[number - 1].by_model)
    return (*strange, *(f"candidate {number}: {_NO_LINE}" for number in known))


def _was_asked_about(number: int, heard: Sequence[Resolution]) -> bool:
    return 0 < number <= len(heard)


_NO_LINE = "its line is not the one line that was asked for, with a rule that was shown and one plain sentence"
_LINE = re.compile(
    r"Decision: (?:(SPLIT|NEW)|(NOOP|UPDATE|SUPERSEDE) ([a-z0-9-]{1,80})) -- because (\S[^\n\t]*)",
)
_DECISIONS: dict[str, Decision] = {word: word for word in get_args(Decision)}
_SENTENCES = re.compile(r"[.!?\u2026](?=[\"')\]]?\s)|[\u3002\uff01\uff1f](?=.)")


def _decision_in_line(lines: Sequence[str], one: UnsureMatch) -> Resolution | None:
    """The one line that decides; two of them count as none."""
    found = _LINE.fullmatch(lines[0]) if len(lines) == 1 else None
    if found is None:
        return None
    plain, aimed, slug, reason = found.groups()
    if len(reason) > LONGEST_REASON or spell_out(reason) != reason or _SENTENCES.search(reason):
        return None
    if slug and slug not in {rule.slug for rule in one.rules}:
        return None
    return _resolution(_DECISIONS[plain or aimed], slug or one.said.slug, f"{MODEL_SAYS}{redact(reason)}", one)


def _resolution(decision: Decision, slug: str, because: str, one: UnsureMatch) -> Resolution | None:
    """``new_slug`` stays, so that a person may still make a rule of its own of it."""
    free = one.said.new_slug
    said = Resolution(decision=decision, slug=slug, because=because, new_slug=free, by_model=True)
    if decision != "SUPERSEDE" and _may_be_contrary(one):  # which a person is to see, whatever a model makes of it
        said = replace(said, band="review", because=f"{because} (perhaps the contrary of {one.said.slug})")
    match decision:
        case "UPDATE":
            how = one.said if one.said.slug == slug else one.alone.get(slug, said)
            manner = (how.manner if how.decision == "UPDATE" else "") or "wider"
            return replace(said, manner=manner, added=how.added)
        case "SPLIT":
            return replace(said, slug=free, parts=one.parts) if one.parts else None
        case "NEW":
            return replace(said, slug=free)
        case _:
            return said


def _may_be_contrary(one: UnsureMatch) -> bool:
    """Whether the wording may ask for the contrary of a rule."""
    source = one.candidate.source
    return one.said.decision == "SUPERSEDE" and (source is None or source.was != one.said.slug)


def _candidate_data(one: UnsureMatch) -> dict[str, Any]:
    rule, said = one.candidate.rule, one.candidate.correction
    quote = said.quote if said and said.quote.strip(" .!") != rule.statement.strip(" .!") else ""
    draft = one.candidate.drafts[0] if one.candidate.drafts else Draft(checks=())
    shown = replace(rule, checks=draft.checks, invalid=draft.invalid, valid=draft.valid, do=rule.do or draft.do)
    guess = f"{one.said.decision} {one.said.slug}: {one.said.because}"
    suspected = "" if one.said.decision == "NEW" else guess
    return {**_words_data(shown), "quote": quote, "suspected": suspected, "rules": [rule.slug for rule in one.rules]}


def _rule_data(rule: Rule) -> dict[str, Any]:
    return {"id": rule.slug, **_words_data(rule), "exceptions": [one.because for one in rule.exceptions[:_EXAMPLES]]}


def _words_data(rule: Rule) -> dict[str, Any]:
    examples = {"wrong": rule.invalid[:1], "right": rule.valid[:1]}
    return {
        "statement": rule.statement,
        "when": rule.when,
        "do": rule.do,
        "checks": [_check(check) for check in rule.checks],
        **{name: _example(some[0]) for name, some in examples.items() if some},
    }


def _check(check: Check) -> str:
    return f"{check.kind} {check.template} {json.dumps(dict(check.parameters), ensure_ascii=False, default=list)}"


def _example(example: Example) -> str:
    if example.steps:
        return "; ".join(map(_example, example.steps))
    files = ", ".join(path for path, _ in example.files)
    return " ".join(filter(None, (example.kind, example.path, files, example.text)))


def _json(data: Mapping[str, Any]) -> str:
    """As JSON, in which no text can pretend to be another key; what says nothing is left out."""
    said = {key: _redacted_and_cut(value) for key, value in data.items() if value}
    return json.dumps(said, ensure_ascii=False, indent=1)


def _redacted_and_cut(value: Any) -> Any:
    """Redacted, and cut where it is long."""
    if isinstance(value, str):
        text = redact(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return [_redacted_and_cut(item) for item in value]

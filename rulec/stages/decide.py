"""Candidates that resolve is unsure of -> what a model says that they are, each held to one strict line (TRACE 4.2)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from rulec.known.unseen import spelled
from rulec.model.candidate import Candidate, Draft
from rulec.model.exchange import Block, Prompt
from rulec.model.resolution import Decision, Resolution
from rulec.model.rule import Check, Example, Rule
from rulec.ports import Render
from rulec.redact import redact

MOST = 20  # candidates of one prompt
NEAREST = 5  # rules that are shown for one candidate
LONGEST = 200  # characters of a reason
VERSION = 1
SAYS = "a model says: "  # how a reason begins that no person and no rule of ours gave
_SHOWN = 400  # characters of one text
_EXAMPLES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsure:
    """A candidate in the middle band, and all that may be made of it."""

    candidate: Candidate
    said: Resolution  # what resolve suspects
    rules: tuple[Rule, ...]  # that may be meant, the suspected one first
    alone: Mapping[str, Resolution] = field(default_factory=dict)  # by slug: resolved as if that were the only rule
    parts: tuple[Candidate, ...] = ()  # its wishes, where it voices several


def ask(unsure: Sequence[Unsure], render: Render) -> Prompt:
    """One question about all of them: block n is candidate n, the rules follow."""
    rules = {rule.slug: rule for one in unsure for rule in one.rules}
    return Prompt(
        step="decide",
        version=VERSION,
        instructions=render("ask/decide.md.j2", {"longest": LONGEST}),
        data=(
            *(Block(name="candidate", text=_json(_candidate(one))) for one in unsure),
            *(Block(name="rule", text=_json(_rule(rules[slug]))) for slug in sorted(rules)),
        ),
        schema=SCHEMA,
        most=200 + 120 * len(unsure),
    )


_FORM = r"^Decision: ((NOOP|SPLIT|NEW)|(UPDATE|SUPERSEDE) [a-z0-9-]{1,80}) -- because \S[^\n\t]*$"
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


def hear(data: Mapping[str, Any], unsure: Sequence[Unsure]) -> tuple[Resolution, ...]:
    """What becomes of each; without the one line of the stated form what resolve suspected, for a person to decide."""
    lines: dict[int, list[str]] = {}
    for one in data["decisions"]:
        lines.setdefault(int(one["candidate"]), []).append(one["line"])
    return tuple(_heard(lines.get(number, []), one) or one.said for number, one in enumerate(unsure, 1))


def passed_over(data: Mapping[str, Any], heard: Sequence[Resolution]) -> tuple[str, ...]:
    """What of an answer did not count, in a line each."""
    numbers = dict.fromkeys(int(one["candidate"]) for one in data["decisions"])
    strange = [f"no candidate {str(number)[:20]} was asked about" for number in numbers if not _among(number, heard)]
    known = (number for number in numbers if _among(number, heard) and not heard[number - 1].by_model)
    return (*strange, *(f"candidate {number}: {_NO_LINE}" for number in known))


def _among(number: int, heard: Sequence[Resolution]) -> bool:
    return 0 < number <= len(heard)


_NO_LINE = "its line is not the one line that was asked for, with a rule that was shown and one plain sentence"
_LINE = re.compile(
    r"Decision: (?:(NOOP|SPLIT|NEW)|(UPDATE|SUPERSEDE) ([a-z0-9-]{1,80})) -- because (\S[^\n\t]*)",
)
_DECISIONS: dict[str, Decision] = {word: word for word in get_args(Decision)}
_SENTENCES = re.compile(r"[.!?\u2026](?=[\"')\]]?\s)|[\u3002\uff01\uff1f](?=.)")


def _heard(lines: Sequence[str], one: Unsure) -> Resolution | None:
    """The one line that counts; two of them are none."""
    found = _LINE.fullmatch(lines[0]) if len(lines) == 1 else None
    if found is None:
        return None
    plain, aimed, slug, reason = found.groups()
    if len(reason) > LONGEST or spelled(reason) != reason or _SENTENCES.search(reason):
        return None
    if slug and slug not in {rule.slug for rule in one.rules}:
        return None
    return _resolution(_DECISIONS[plain or aimed], slug or one.said.slug, f"{SAYS}{redact(reason)}", one)


def _resolution(decision: Decision, slug: str, because: str, one: Unsure) -> Resolution | None:
    """``new_slug`` stays, so that a person may still make a rule of its own of it."""
    free, score = one.said.new_slug, one.said.score
    said = Resolution(decision=decision, slug=slug, because=because, score=score, new_slug=free, by_model=True)
    if decision != "SUPERSEDE" and _contrary(one):  # which a person is to see, whatever a model makes of it
        said = replace(said, band="review", because=f"{because} (perhaps the contrary of {one.said.slug})")
    match decision:
        case "UPDATE":
            how = one.said if one.said.slug == slug else one.alone.get(slug, said)
            manner = (how.manner if how.decision == "UPDATE" else "") or "wider"
            return replace(said, manner=manner, where=how.where, added=how.added)
        case "SPLIT":
            return replace(said, slug=free, parts=one.parts) if one.parts else None
        case "NEW":
            return replace(said, slug=free)
        case _:
            return said


def _contrary(one: Unsure) -> bool:
    """Whether its words may ask for the contrary of a rule; what only stands in its place now need not."""
    source = one.candidate.source
    return one.said.decision == "SUPERSEDE" and (source is None or source.was != one.said.slug)


def _candidate(one: Unsure) -> dict[str, Any]:
    rule, said = one.candidate.rule, one.candidate.correction
    quote = said.quote if said and said.quote.strip(" .!") != rule.statement.strip(" .!") else ""
    draft = one.candidate.drafts[0] if one.candidate.drafts else Draft(checks=())
    shown = replace(rule, checks=draft.checks, invalid=draft.invalid, valid=draft.valid, do=rule.do or draft.do)
    suspected = f"{one.said.decision} {one.said.slug}: {one.said.because}"
    return {**_words(shown), "quote": quote, "suspected": suspected, "rules": [rule.slug for rule in one.rules]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {"id": rule.slug, **_words(rule), "exceptions": [one.because for one in rule.exceptions[:_EXAMPLES]]}


def _words(rule: Rule) -> dict[str, Any]:
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
    said = {key: _short(value) for key, value in data.items() if value}
    return json.dumps(said, ensure_ascii=False, indent=1)


def _short(value: Any) -> Any:
    """Redacted, and cut where it is long."""
    if isinstance(value, str):
        text = redact(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return [_short(item) for item in value]

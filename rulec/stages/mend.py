"""Checks that failed their proof -> what a model writes in their place; what the session shows stays as it is."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec import answerfile, examplefile
from rulec.mining.taken import of_action
from rulec.model.candidate import Candidate, Offered
from rulec.model.exchange import Block, Prompt
from rulec.model.rule import RAW, Check, Example
from rulec.model.transcript import Action
from rulec.ports import Render
from rulec.redact import redact
from rulec.vetting.shell import PROGRAMS

MOST = 10  # candidates of one prompt
VERSION = 1
NO_CHECK = "there is no check yet"
_SHOWN = 1_500  # characters of one text
_EACH = 1_500  # tokens of an answer that one candidate may take


@dataclass(frozen=True, slots=True)
class Broken:
    """A candidate that a model read, and where its check failed and on what."""

    candidate: Candidate
    failure: str


@dataclass(frozen=True, slots=True)
class Repair:
    """The candidate with what is to be proved next, or why nothing of the answer counts."""

    candidate: Candidate | None
    why: str = ""
    over: bool = False  # it says that there is none, or says nothing: to ask once more is in vain


def ask(broken: Sequence[Broken], render: Render) -> Prompt:
    """One question about all of them: block n is candidate n."""
    return Prompt(
        step="mend",
        version=VERSION,
        instructions=render("ask/mend.md.j2", {"programs": ", ".join(PROGRAMS), "most": answerfile.MOST}),
        data=tuple(Block(name="candidate", text=_told(one)) for one in broken),
        schema=SCHEMA,
        most=1_000 + _EACH * len(broken),
    )


_REPAIR: Mapping[str, Any] = {
    "candidate": {"type": "integer"},
    "check": answerfile.CHECK,
    "invalid": answerfile.EXAMPLES,
    "valid": answerfile.EXAMPLES,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["repairs"],
    "properties": {
        "repairs": {
            "type": "array",
            "maxItems": 500,
            "items": {"type": "object", "required": ["candidate"], "properties": _REPAIR},
        }
    },
}


def hear(data: Mapping[str, Any], broken: Sequence[Broken]) -> tuple[Repair, ...]:
    """What becomes of each; two repairs of one candidate are none."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for item in data["repairs"]:
        found.setdefault(item["candidate"], []).append(item)
    return tuple(_heard(found.get(number, []), one.candidate) for number, one in enumerate(broken, 1))


def _heard(items: Sequence[Mapping[str, Any]], candidate: Candidate) -> Repair:
    offered = candidate.offered or Offered()
    if len(items) != 1:
        return Repair(None, "the model answered twice" if items else "the model left it out", over=not items)
    check = answerfile.check(items[0].get("check", {}))
    if isinstance(check, str):
        return Repair(None, f"the model offers no check that could be tried{check and f': {check}'}", over=not check)
    taken = [_taken(side, actions) for side, actions in zip(_sides(offered), _deeds(candidate), strict=True)]
    read = [_read(items[0], key, side) for key, side in zip(("invalid", "valid"), _sides(offered), strict=True)]
    own = [[one for one in side if isinstance(one, Example)] for side in read]
    unread = tuple(f"an example: {one}" for side in read for one in side if isinstance(one, str))
    known = [{_bare(one) for one in side} for side in taken]
    if any(_bare(one) in known[0] for one in own[1]):
        return Repair(None, "the model calls valid what the person objected to")
    if any(_bare(one) in known[1] for one in own[0]):
        return Repair(None, "the model calls invalid what was accepted")
    invalid, valid = (tuple(dict.fromkeys([*a, *b])) for a, b in zip(taken, own, strict=True))
    if check.kind != "judge" and not (invalid and valid):
        return Repair(None, "the model leaves no example of what must be caught, or of what must pass")
    mended = replace(offered, check=check, invalid=invalid, valid=valid, unread=unread)
    if mended == offered:
        return Repair(None, "the model says the same again")
    return Repair(replace(candidate, offered=mended))


def _sides(offered: Offered) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    return offered.invalid, offered.valid


def _deeds(candidate: Candidate) -> tuple[tuple[Action, ...], tuple[Action, ...]]:
    said = candidate.correction
    return (said.before, said.after) if said else ((), ())


def _read(item: Mapping[str, Any], key: str, side: Sequence[Example]) -> list[Example | str]:
    """The model's own examples: the new ones, or those that it leaves as they are."""
    return list(answerfile.examples(item[key])) if key in item else list(side)


def _taken(side: Iterable[Example], actions: Sequence[Action]) -> list[Example]:
    """Those that stand in the session, which no model may change."""
    deeds = {_bare(deed) for action in actions if (deed := of_action(action))}
    return [one for one in side if _bare(one) in deeds]


def _bare(example: Example) -> tuple[str, ...]:
    """An example without blanks, which make no other deed of it."""
    parts = (part for step in (example, *example.steps) for part in (step.kind, step.path, step.old, step.text))
    files = (part for pair in sorted(example.files) for part in pair)
    return tuple(" ".join(part.split()) for part in (*parts, *files))


def _told(one: Broken) -> str:
    """A candidate as JSON, in which no text can pretend to be another key."""
    rule, offered = one.candidate.rule, one.candidate.offered or Offered()
    taken = [_taken(side, actions) for side, actions in zip(_sides(offered), _deeds(one.candidate), strict=True)]
    own = [[item for item in side if item not in known] for side, known in zip(_sides(offered), taken, strict=True)]
    said = one.candidate.correction
    what = {
        "statement": rule.statement,
        "when": rule.when,
        "do": rule.do,
        "quote": said.quote if said else "",
        "from the session": _listed(taken),
        "yours": _listed(own),
        "check": _check(offered.check),
        "failed": one.failure,
    }
    return json.dumps({key: _short(value) for key, value in what.items() if value}, ensure_ascii=False, indent=1)


def _listed(sides: Sequence[Sequence[Example]]) -> dict[str, Any]:
    return {
        key: [examplefile.plain(one) for one in side]
        for key, side in zip(("invalid", "valid"), sides, strict=True)
        if side
    }


def _check(check: Check | None) -> dict[str, Any]:
    if check is None:
        return {}
    name = RAW.get(check.template, "")
    return {"kind": check.kind, **({name: check.parameters.get(name, "")} if name else {})}


def _short(value: Any) -> Any:
    """Redacted, and cut where it is long; the check itself is whole, for it has a bound of its own."""
    if isinstance(value, str):
        text = redact(value)
        return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    if isinstance(value, Mapping):
        return {key: redact(part) if key in RAW.values() else _short(part) for key, part in value.items()}
    return [_short(part) for part in value] if isinstance(value, list | tuple) else value

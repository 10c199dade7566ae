"""What a question shows of a wish, an example or a check: JSON, so that no text can pass for another key."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.domain.candidate import Candidate, ReaderOpinion
from rulec.domain.rule import Check, Example
from rulec.domain.text.excerpts import action_line, both_ends, differing_lines, shorten_logs
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action
from rulec.drafting.session_examples import example_of
from rulec.rulebook import example_file

LONGEST_TEXT = 4_000  # characters of one text of an action
_TURN = 3_000  # characters of what the person typed
_BEFORE, _AFTER = 16, 12  # actions around a wish


def wish_data(candidate: Candidate) -> dict[str, Any]:
    """A wish and its place in the session."""
    rule, said, offered = candidate.rule, candidate.correction, candidate.offered or ReaderOpinion()
    told: dict[str, Any] = {
        "statement": rule.statement, "when": rule.when, "do": rule.do, "quote": said.quote if said else "",
        "said again": [again.correction.quote for again in candidate.repeats if again.correction],
    }  # fmt: skip
    if said:
        turn = shorten_logs(said.turn.text, _TURN)
        told["the whole turn"] = turn if turn.strip() != said.quote.strip() else ""
        told["before"] = list(_action_lines(said.before, "b", last=_BEFORE))
        told["after"] = list(_action_lines(said.after, "f", first=_AFTER))
        told["offence"] = _action_data(offered.offence, said.before, "b")
        told["fix"] = _action_data(offered.fix, said.after, "f")
    return {key: redact_all(value) for key, value in told.items() if value}


def _action_lines(actions: Sequence[Action], letter: str, *, first: int = 0, last: int = 0) -> Iterator[str]:
    """A line for each action that is near, with its id."""
    for place, action in enumerate(actions, 1):
        if place <= first or place > len(actions) - last:
            yield f"{letter}{place} {action_line(action)}"


def _action_data(action: Action | None, among: Sequence[Action], letter: str) -> dict[str, Any]:
    if action is None:
        return {}
    found = example_of(action)
    if action.kind == "edit":
        old, new = differing_lines(action.old, action.new)
        told: dict[str, Any] = {
            "edit": action.path, "old": both_ends(old, LONGEST_TEXT), "new": both_ends(new, LONGEST_TEXT),
        }  # fmt: skip
    elif found:
        told = {key: both_ends(value, LONGEST_TEXT) for key, value in plain_example(found).items()}
    else:
        command = both_ends(action.command, LONGEST_TEXT)
        told = {"tool": action.tool or action.kind, "path": action.path, "command": command}
    refused = {"refused by the person": True} if action.rejected else {}
    name = {"id": f"{letter}{among.index(action) + 1}"} if action in among else {}
    return {**name, **{key: value for key, value in told.items() if value}, **refused}


def plain_example(example: Example) -> dict[str, Any]:
    """An example in the form of rule files, without where it comes from."""
    return {key: value for key, value in example_file.example_data(example).items() if key != "source"}


def check_data(check: Check) -> dict[str, Any]:
    """A check as its author wrote it."""
    return {"template": check.template, "with": dict(check.parameters)}


def redact_all(value: Any) -> Any:
    """The value without secrets in any text of it."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redact_all(part) for key, part in value.items()}
    return [redact_all(part) for part in value] if isinstance(value, list | tuple) else value


def as_json(value: Any) -> str:
    """The text of one block."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def schema_by_wish(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The form of an answer that has an entry with these properties for each wish, by its number."""
    entry = {"type": "object", "required": ["wish"], "properties": {"wish": {"type": "integer"}, **properties}}
    return {
        "type": "object",
        "required": ["wishes"],
        "properties": {"wishes": {"type": "array", "maxItems": 100, "items": entry}},
    }


def entries_by_wish(data: Mapping[str, Any], many: int) -> Iterator[list[Mapping[str, Any]]]:
    """The entries of such an answer for each of so many wishes: more or fewer than one say nothing for certain."""
    for number in range(1, many + 1):
        yield [item for item in data["wishes"] if item["wish"] == number]

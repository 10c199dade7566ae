"""Whether the work of an offence was done in another way afterwards."""

from collections.abc import Sequence

from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def redone(draft: Draft, after: Sequence[Action]) -> bool:
    """Whether the same work was done otherwise afterwards; without that, a question forbids nothing."""
    for example in draft.invalid[:1]:
        program, *words = example.text.split() if example.kind == "command" else ("",)
        others = [action.command.split() for action in after if action.command.strip()]
        if program:
            return any(
                set(words) < set(other[1:]) if other[0] == program else set(words) & set(other[1:]) for other in others
            )
        lines = {line.strip() for line in example.text.splitlines() if len(line.strip()) >= _OWN_LINE}
        return any(action.path == example.path or not lines.isdisjoint(_lines(action.new)) for action in after)
    return False


_OWN_LINE = 20  # characters of a line that tell it from others: it moved to another file


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]

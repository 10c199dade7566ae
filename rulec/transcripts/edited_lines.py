"""Whether a line of a file comes from a session's edits, by the texts that these took away and put there."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.agents.protocol.agent_spec import ToolAction

    Edit = tuple[str, str]  # what was replaced, and by what; of a file that was written whole nothing, and all of it


MOST_PLACES = 50  # at which a text is looked for: a short one stands in many
_WORD = re.compile(r"\w+|[^\x00-\x7f]")  # formatters change quotes, spaces and where a line ends; words they leave


def edits_of(done: ToolAction) -> list[Edit]:
    """The texts that an edit or a written file replaces and puts there; [] where they do not tell all that it does."""
    if done.kind not in ("edit", "write") or done.moved_from:  # what moves there comes from another file
        return []
    edits = [(old, new) for old, new, _ in done.edits]
    edits = edits or ([("", done.content)] if done.content is not None else [])
    return [] if any(_joins_lines(old) for old, new in edits if not new) else edits


def _joins_lines(deleted: str) -> bool:
    """Whether the deletion of a text makes a line that no text shows."""
    return not deleted.startswith("\n") and not deleted.endswith("\n")


def has_line(edits: list[Edit], content: str, line: int) -> bool:
    """Whether one of the edits put that line of the content there, or changed it."""
    content = _lf(content)
    wanted = "".join(content.split("\n")[line - 1 : line])
    look = _words if _WORD.search(wanted) else str.strip
    text = look(wanted)
    return any(
        look(now).count(text) > look(before).count(text)
        for old, new in edits
        for before, now in _in_whole_lines(_lf(old), _lf(new), content)
    )


def _in_whole_lines(old: str, new: str, content: str) -> Iterator[Edit]:
    """The edit, and for each place where its text stands the same with the rest of its first and last line."""
    yield old, new
    at = content.find(new) if old and new else -1
    for _ in range(MOST_PLACES):
        if at < 0:
            return
        last = at + len(new)
        end = content.find("\n", last)
        before, behind = content[content.rfind("\n", 0, at) + 1 : at], content[last : end if end >= 0 else None]
        yield before + old + behind, before + new + behind
        at = content.find(new, last)


def _words(text: str) -> str:
    """The words of a text, each between two spaces, so that some in a row are found by their text."""
    return "".join(f" {word} " for word in _WORD.findall(text))


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")

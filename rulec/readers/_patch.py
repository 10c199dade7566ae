"""Codex's ``apply_patch`` text as actions, one per file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rulec.model.transcript import Action, ActionKind

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_HEADS: dict[str, ActionKind] = {"*** Add File: ": "write", "*** Update File: ": "edit", "*** Delete File: ": "delete"}
_MOVE = "*** Move to: "


@dataclass(slots=True)
class _File:
    kind: ActionKind
    path: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def patch_in(text: str) -> str:
    """The patch inside a text, such as a shell script with a here-document; "" where there is none."""
    start = text.find(_BEGIN)
    if start < 0:
        return ""
    end = text.find(_END, start)
    return text[start:end] if end >= 0 else text[start:]


def actions(patch: str, call: str, tool: str, path: Callable[[str], str]) -> list[Action]:
    """One action per file: what is added, the old and new text of the hunks, or a deletion."""
    return [
        Action(kind=f.kind, id=call, tool=tool, path=path(f.path), old="\n".join(f.old), new=_whole(f))
        for f in _files(patch)
    ]


def _whole(file: _File) -> str:
    ending = "\n" if file.kind == "write" and file.new else ""
    return "\n".join(file.new) + ending


def _files(patch: str) -> Iterator[_File]:
    file: _File | None = None
    for line in patch.split("\n"):
        head = next((head for head in _HEADS if line.startswith(head)), "") if line.startswith("***") else ""
        if head:
            if file:
                yield file
            file = _File(_HEADS[head], line.removeprefix(head).strip())
        elif file and line.startswith(_MOVE):
            yield _File("delete", file.path)
            file.path = line.removeprefix(_MOVE).strip()
        elif file:
            _add(file, line)
    if file:
        yield file


def _add(file: _File, line: str) -> None:
    if line.startswith(("***", "@@")):
        return
    if line.startswith("+"):
        file.new.append(line[1:])
    elif line.startswith("-"):
        file.old.append(line[1:])
    elif file.kind == "edit":
        file.old.append(line[1:])
        file.new.append(line[1:])

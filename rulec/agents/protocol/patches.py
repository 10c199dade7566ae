"""The text of ``apply_patch`` as actions: every file that it adds, changes, deletes or moves."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import ToolAction

BEGIN, END = "*** Begin Patch", "*** End Patch"
ADD, UPDATE, DELETE, MOVE = "*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"


def patches(text: str) -> list[str]:
    """The patches inside a text, such as a script with here-documents."""
    return [rest.partition(END)[0] for rest in text.split(BEGIN)[1:]]


def patch_actions(text: str) -> list[ToolAction]:
    """One action for each file; a move is a deletion and an edit that takes the old file's text along."""
    found: list[ToolAction] = []
    for patch in patches(text) or [text]:
        lines = patch.replace("\r\n", "\n").split("\n")
        at = 0
        while at < len(lines):
            head = lines[at].strip()  # those who apply patches take an indented one too
            end = _end(lines, at + 1, head)
            if head.startswith((ADD, UPDATE, DELETE)):
                found += [one for one in _file(head, lines[at + 1 : end]) if one.path]
            at = end
    return found


def _end(lines: list[str], at: int, head: str) -> int:
    """Where the lines that belong to this head end."""
    if head.startswith(ADD):
        while at < len(lines) and lines[at].startswith("+"):
            at += 1
    elif head.startswith(UPDATE):
        while at < len(lines) and not lines[at].startswith((ADD, UPDATE, DELETE)):
            at += 1
    return at


def _file(head: str, body: list[str]) -> list[ToolAction]:
    path = head.partition(":")[2].strip()
    if head.startswith(DELETE):
        return [ToolAction(kind="delete", path=path)]
    if head.startswith(ADD):
        content = "".join(f"{line[1:]}\n" for line in body)
        return [ToolAction(kind="write", path=path, new=content, content=content)]
    target = next((line[len(MOVE) :].strip() for line in body if line.startswith(MOVE)), "")
    edits = [edit for edit in map(_edit, _hunks(body)) if edit[0] != edit[1]]
    if not target or target == path:
        return [ToolAction(kind="edit", path=path, edits=edits)]
    moved = ToolAction(kind="edit", path=target, moved_from=path, edits=edits)
    return [ToolAction(kind="delete", path=path), moved]


def _hunks(body: list[str]) -> list[list[str]]:
    hunks: list[list[str]] = [[]]
    for line in body:
        if line.startswith("@@"):
            hunks.append([])
        elif not line.startswith("***"):
            hunks[-1].append(line)
    return hunks


def _edit(hunk: list[str]) -> tuple[str, str, bool]:
    """The old and the new text of a hunk; False: one place is replaced."""
    while hunk and not hunk[-1]:  # the text's own last line end is none of the file's lines
        hunk = hunk[:-1]
    old = [line[1:] for line in hunk if not line.startswith("+")]
    return "\n".join(old), "\n".join(line[1:] for line in hunk if not line.startswith("-")), False

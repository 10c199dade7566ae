"""SpecStory's tool-use blocks as actions, as far as the markdown shows what was done."""

import html
import re
from dataclasses import dataclass, field

from rulec.agents.protocol import patches
from rulec.domain.transcript import Action, ActionKind
from rulec.transcripts.human_text import is_rejection
from rulec.transcripts.reading import tool_actions
from rulec.transcripts.reading.json_records import Record
from rulec.transcripts.reading.markdown_lines import OpenFence

OPEN = re.compile(r'<tool-use data-tool-type="([^"]{0,60})" data-tool-name="([^"]{0,120})">(?:<details>)?[ \t]*')
_CLOSE = re.compile(r"(?:</details>)?</tool-use>[ \t]*")
_LONGEST = 400_000  # characters of a block that are kept
_SUMMARY = re.compile(r"<summary>(.*?)(?:</summary>|$)")
_DONE = re.compile(r" • (Run command|Edit file|Read file|Write file|Create file|Delete file): (.+)")
_FILE = re.compile(r"\*\*(Add|Modify|Update|Delete): `(.+)`\*\*[ \t]*")
_INLINE = re.compile(r"[ \t]*(?:path |pattern )?`(.+)`[ \t]*")
_KEY = re.compile(r"- (\w{1,60}):(?: `(.*)`)?[ \t]*")
_RESULT = re.compile(
    r"^(?:File created successfully at: |The file )([^\n]{1,1000}?)(?: has been (?:updated|created)[^\n]*)?$",
    re.MULTILINE,
)
_CODE = re.compile(r"Exit code (\d+)")
_SHELLS = ("bash", "sh", "shell", "zsh", "fish", "powershell", "pwsh", "console")
_FAILED = ("<tool_use_error>", "Error: ", "Error editing", "InputValidationError")


@dataclass(slots=True)
class _ToolParts:
    summary: str = ""
    inline: list[str] = field(default_factory=list)
    fences: list[tuple[str, str, str]] = field(default_factory=list)  # info, content, the file it is headed by
    given: Record = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    failed: bool = False


@dataclass(slots=True)
class ToolBlock:
    """One tool-use block in the making."""

    type: str
    name: str
    line: int
    at: str
    lines: list[str] = field(default_factory=list)
    size: int = 0
    taken: int = 0
    fence: OpenFence = field(default_factory=OpenFence)
    last: str = ""  # the line before
    closing: bool = False  # the line before looks like the end of a fence that the output has put out of step

    def broken(self, line: str) -> bool:
        """Whether another block begins on this line, so that this one has no end: they are never nested."""
        return not self.fence.mark and OPEN.fullmatch(line) is not None

    def take(self, line: str) -> bool:
        """Add one line; returns whether it ends the block.

        An end inside a fence is output that quotes one, unless a bare mark right behind other output stands before it:
        marks in the output have put the fences out of step.
        """
        if _CLOSE.fullmatch(line) and (not self.fence.mark or self.closing):
            return True
        self.taken += 1
        marked = self.fence.take(line)
        opener = not self.last.strip() or _INLINE.fullmatch(self.last)
        self.closing = marked and not self.fence.info and not opener
        self.last = line
        if self.size < _LONGEST:
            self.lines.append(line)
            self.size += len(line) + 1
        return False


def block_outcome(block: ToolBlock) -> tuple[list[Action], str, bool | None, bool]:
    """What was done, what came of it, whether it went well, and whether the person refused it."""
    parts = _parts(block.lines)
    done, output = _done(block, parts), "\n".join(text for _, text, _ in parts.fences[-1:])
    rejected = is_rejection(output)
    return done, output, _went_well(output, parts) if not rejected else False, rejected


def _parts(lines: list[str]) -> _ToolParts:
    parts, fence, content, place, key = _ToolParts(), OpenFence(), list[str](), "", ""
    for line in lines:
        inside = bool(fence.mark)
        if fence.take(line):
            if inside:
                _fenced(parts, fence.info, content, place, key)
                content, key = [], ""
        elif inside:
            content.append(line)
        else:
            place, key = _loose(parts, line, place, key)
    if content:
        _fenced(parts, fence.info, content, place, key)
    return parts


def _fenced(parts: _ToolParts, info: str, content: list[str], place: str, key: str) -> None:
    text = "\n".join(content)
    if key:
        parts.given[key] = text
    else:
        parts.fences.append((info.partition(" ")[0].casefold(), text, place))


def _loose(parts: _ToolParts, line: str, place: str, key: str) -> tuple[str, str]:
    """Take a line outside of fences; returns the file and the argument that the next fence belongs to."""
    if summary := _SUMMARY.search(line):
        parts.summary = parts.summary or summary[1]
        _, quote, told = summary[1].strip().partition("`")
        parts.inline += [told[:-1]] if quote and told.endswith("`") else []
    elif file := _FILE.fullmatch(line):
        place = file[2]
        parts.deleted += [place] if file[1] == "Delete" else []
    elif line.startswith(("**Result:**", "**Error:**")):
        parts.failed, key = line.startswith("**Error"), ""
    elif argument := _KEY.fullmatch(line):
        parts.given[argument[1]], key = argument[2] or "", argument[1]
    elif inline := _INLINE.fullmatch(line):
        parts.inline.append(inline[1])
    return place, key


def _done(block: ToolBlock, parts: _ToolParts) -> list[Action]:
    named = _DONE.search(parts.summary)
    verb, told = (named[1], html.unescape(named[2]).strip()) if named else ("", "")
    if not (parts.fences or parts.inline or parts.given or told):
        return []  # the second, empty half of a call that was written twice

    def action(kind: ActionKind, path: str = "", command: str = "", old: str = "", new: str = "") -> Action:
        return Action(kind=kind, tool=block.name, path=path, command=command, old=old, new=new)

    if block.type in ("shell", "bash") or verb == "Run command":
        command = _command(parts) or (told if verb == "Run command" else "")
        return [action("command", command=command)] if command else []
    if parts.given:
        return tool_actions.tool_actions("", block.name, parts.given, lambda path: path)
    if block.type != "write":
        first = told or next(iter(parts.inline), "")
        place = _path(first.partition("`")[0])
        return [action("read" if block.type in ("read", "search") else "other", path=place)]
    if "delete" in block.name.casefold():
        return [action("delete", path=_path(told or next(iter(parts.inline), "")))]
    diffs = [(text, place) for info, text, place in parts.fences if info == "diff"]
    if diffs or parts.deleted:
        edits = [
            action("edit", _path(place or told), old=old, new=new)
            for text, place in diffs
            for old, new in [_diff(text, 2 if told else 1)]
        ]
        return [*edits, *(action("delete", path=_path(place)) for place in parts.deleted)]
    for _, text, _ in parts.fences:
        if patches.BEGIN in text:
            return tool_actions.actions_of(patches.patch_actions(text), "", block.name, _path)
    return [action(*_written(block, parts, told))]


def _written(block: ToolBlock, parts: _ToolParts, told: str) -> tuple[ActionKind, str, str, str, str]:
    """A file that was written whole, or an edit of which only the path is known."""
    content = next((text for info, text, _ in parts.fences if info != "text"), "")
    result = _RESULT.search(parts.fences[-1][1]) if parts.fences else None
    place = told or (result[1] if result else next(iter(parts.inline), ""))
    whole = block.name.casefold().startswith(("write", "create"))
    return ("write", _path(place), "", "", content) if whole else ("edit", _path(place), "", "", "")


def _command(parts: _ToolParts) -> str:
    """The command, and out of the fences it is taken."""
    if parts.fences and parts.fences[0][0] in _SHELLS:
        return parts.fences.pop(0)[1]
    return next(iter(parts.inline), "")


def _diff(text: str, width: int) -> tuple[str, str]:
    """Old and new text; ``width``: Cursor's marks are followed by a space."""
    lines = [html.unescape(line) for line in text.split("\n") if not line.startswith(("@@", "--- ", "+++ "))]
    old = "\n".join(line[width:] for line in lines if not line.startswith("+"))
    return old, "\n".join(line[width:] for line in lines if not line.startswith("-"))


def _path(text: str) -> str:
    return text.strip().strip("`").replace("\\", "/").removeprefix("./")


def _went_well(output: str, parts: _ToolParts) -> bool | None:
    if code := _CODE.match(output):
        return int(code[1]) == 0
    if parts.failed or output.startswith(_FAILED):
        return False
    return True if _RESULT.match(output) else None

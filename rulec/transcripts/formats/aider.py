"""Aider: ``.aider.chat.history.md`` in a repository, which grows for as long as people work there."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulec.domain.transcript import Action, ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts.human_text import typed_text
from rulec.transcripts.reading.markdown_lines import OpenFence, text_lines, without_elements
from rulec.transcripts.reading.turn_builder import TurnBuilder

_SEARCH, _PARTED, _REPLACE = (re.compile(p) for p in (r"<{5,9} SEARCH>?\s*", r"={5,9}\s*", r">{5,9} REPLACE\s*"))
_NAME = re.compile(r"[\w./\\@+()\[\] -]{0,200}[\w)\]]")
_APPLIED = "Applied edit to "
_COMMIT = re.compile(r"Commit ([0-9a-f]{6,40}) (.+)")
_RUNNING = "Running "
_FAILED = re.compile(r"# \d+ SEARCH/REPLACE blocks? failed to match!")
_LONGEST = 400_000  # characters of one reply's blocks that are kept


class AiderEdits:
    """The edits of one reply; ``told`` follows the console, ``take`` the reply's lines."""

    def __init__(self) -> None:
        self.fence = OpenFence()
        self._name = ""  # the last line that could name a file
        self._part = ""  # old, new or whole: what the lines of the fence are
        self._old: list[str] = []
        self._new: list[str] = []
        self._size = 0
        self._blocks: list[Action] = []
        self._whole: dict[str, str] = {}
        self._done: list[Action] = []
        self._failed = False

    def take(self, line: str) -> None:
        """Follow one line of the reply."""
        if self._part in ("old", "new"):
            self._block(line)
            return
        inside = bool(self.fence.mark)
        if self.fence.take(line):
            if inside and self._part == "whole":
                self._whole[self._name] = "\n".join([*self._new, ""])
            self._part = "" if inside or not self._name else "whole"
            self._new = []
        elif _SEARCH.fullmatch(line):
            self._name = self._new[-1].strip() if self._new and not self._name else self._name
            self._part, self._old, self._new = "old", [], []
        elif inside:
            if not self._new and _names_a_file(line):
                self._name = _name(line)
            self._keep(self._new, line)
        elif line.strip():
            self._name = _name(line) if _names_a_file(line) else ""

    def told(self, said: str) -> None:
        """Follow one line of the console."""
        if said.startswith(_APPLIED):
            self._apply(_name(said.removeprefix(_APPLIED)))
        elif commit := _COMMIT.fullmatch(said):
            command = f"git commit -m {shlex.quote(commit[2])}"
            self._done.append(Action(kind="command", id=commit[1], tool="commit", command=command, ok=True))
        elif said.startswith(_RUNNING):
            self._done.append(Action(kind="command", tool="run", command=said.removeprefix(_RUNNING)))
        elif _FAILED.fullmatch(said):
            self._failed = True

    def actions(self) -> list[Action]:
        """The actions, in order, after the blocks that were not applied."""
        ok = False if self._failed else None
        return [*(replace(block, ok=ok) for block in self._blocks), *self._done]

    @property
    def quoting(self) -> bool:
        """Whether we are inside a fence or a block: nothing there is said by anybody."""
        return bool(self.fence.mark) or self._part in ("old", "new")

    def cut(self) -> None:
        """The reply is over, in the middle of a fence or not."""
        self.fence.mark = self._part = ""

    def _block(self, line: str) -> None:
        if self._part == "old" and _PARTED.fullmatch(line):
            self._part = "new"
        elif self._part == "new" and _REPLACE.fullmatch(line):
            self._blocks.append(_action("edit" if self._old else "write", self._name, self._old, self._new))
            self._part = ""
        else:
            self._keep(self._old if self._part == "old" else self._new, line)

    def _keep(self, lines: list[str], line: str) -> None:
        if self._size < _LONGEST:
            lines.append(line)
            self._size += len(line) + 1

    def _apply(self, path: str) -> None:
        mine = [block for block in self._blocks if block.path == path]
        if not mine and path in self._whole:
            mine = [_action("write", path, [], self._whole[path].split("\n"))]
        self._blocks = [block for block in self._blocks if block.path != path]
        self._done += [replace(block, ok=True) for block in mine or [_action("edit", path, [], [])]]


def _action(kind: ActionKind, path: str, old: list[str], new: list[str]) -> Action:
    return Action(kind=kind, tool="edit", path=path, old="\n".join(old), new="\n".join(new))


def _names_a_file(line: str) -> bool:
    name = line.strip().strip("*`#:").strip()
    return _NAME.fullmatch(name) is not None and ("." in name or "/" in name) and " " not in name.strip(". ")


def _name(line: str) -> str:
    return line.strip().strip("*`#:").strip().replace("\\", "/").removeprefix("./")


_START = re.compile(r"# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*")
_HUMAN = re.compile(r"####(?: (.*?))? {2}")
_CONSOLE = re.compile(r"> ?(.*?) {0,2}")
_NOTICE = re.compile(r"> (?:Tokens: [\d.]+k? sent, |Applied edit to |Commit [0-9a-f]{6,40} |\^C |Aider v\d).* {2}")
_CHOICE = re.compile(r"\(Y\)es/\(N\)o")
_ANSWERS = frozenset(("<blank>", "exit", "quit", "bye", ":q"))  # to the console alone
_SPOKEN = re.compile(r"/(?:ask|code|architect|context)\s+(\S.*)", re.DOTALL)
_MACHINE = (
    "# Fix any errors below", "I ran this command:", "I ran the command", "I added these files to the chat:",
    "I did `git reset --hard HEAD~1`", "I spoke to you previously about a number of things.",
    "The LLM did not conform to the edit format.",
)  # fmt: skip
_WATCHED = ("I've written your instructions in comments in the ", 'Find the "AI" comments below (marked with')
_MARKED = re.compile(r"^█\W*(.*)$", re.MULTILINE)
_THINKING = re.compile(r"<(thinking-content-[0-9a-f]{8,64})>")
_ECHO = 200  # a plan of at least this length that stands in the reply before it is the reply
_LONGEST_REPLY = 400_000  # characters of a reply that are kept


def recognises(head: bytes) -> bool:
    """Whether the first thing in the file is the start of a chat."""
    lines = (text for _, text in text_lines(head.split(b"\n")))
    return bool(_START.fullmatch(next((line for line in lines if line.strip()), "")))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; the model's headings, the console and what Aider says for a person are left out."""
    reading = _AiderReader()
    for number, line in text_lines(lines):
        yield from reading.take(number, line)
    yield from reading.end()


@dataclass(slots=True)
class _Message:
    """Consecutive lines of a person are one message."""

    line: int
    lines: list[str] = field(default_factory=list)


class _AiderReader:
    """What has to be remembered between the lines of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("aider")
        self.edits = AiderEdits()
        self.at = ""
        self.message: _Message | None = None
        self.reply: list[str] = []
        self.size = 0
        self.begun = 0  # the line where the reply begins

    def take(self, number: int, line: str) -> Iterator[Turn | UnreadableLine]:
        """The turns that this line completes."""
        if _NOTICE.fullmatch(line):
            self.edits.cut()
        quoted = self.edits.quoting
        start = _START.fullmatch(line) if line.startswith("# aider") else None
        if start and quoted:
            yield UnreadableLine(number, "a chat that starts inside a fence is a quotation")
        elif start:
            yield from self._settle()
            self._close()
            self.at = f"{start[1]}T{start[2]}"
            yield from self.session.begin(f"{start[1]} {start[2]}", "aider")
            return
        human = _HUMAN.fullmatch(line) if line.startswith("####") and not quoted else None
        if human:
            self.message = self.message or _Message(number)
            self.message.lines.append(human[1] or "")
            return
        yield from self._settle()
        if line.startswith(">") and line.endswith("  ") and not quoted:
            self._console(line)
        else:
            self._say(number, line)

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        yield from self._settle()
        self._close()
        yield from self.session.flush()

    def _console(self, line: str) -> None:
        said = _CONSOLE.fullmatch(line)
        told = said[1] if said else ""
        self.edits.told(told)
        if told.startswith("^C KeyboardInterrupt"):
            self.session.interrupt()

    def _say(self, number: int, line: str) -> None:
        self.edits.take(line)
        self.begun = self.begun or number
        if self.size < _LONGEST_REPLY:
            self.reply.append(line)
            self.size += len(line) + 1

    def _settle(self) -> Iterator[Turn]:
        """The person's message is complete."""
        message, self.message = self.message, None
        if message is None:
            return
        text = "\n".join(message.lines).strip()
        echo = _echoes(text, "\n".join(self.reply))
        kind, words = ("typed", "") if echo else _words(text)
        self._close()
        if kind == "slash_args":
            yield from self.session.human("slash_args", words, message.line, self.at)
        else:
            yield from self.session.human("typed", words, message.line, self.at)

    def _close(self) -> None:
        """The agent's reply is complete."""
        self.session.say(without_elements("\n".join(self.reply), _THINKING), self.begun, self.at)
        for action in self.edits.actions():
            self.session.call("", [action], self.begun, self.at)
            self.session.result("", "", ok=action.ok)
        self.edits, self.reply, self.size, self.begun = AiderEdits(), [], 0, 0


def _words(text: str) -> tuple[str, str]:
    """Kind and words of what a person typed; "" where a program or only the console was spoken to."""
    if spoken := _SPOKEN.fullmatch(text):
        return "slash_args", _words(spoken[1].strip())[1]
    if text.startswith(("/", "!")) or text.casefold() in _ANSWERS or text.startswith(_MACHINE):
        return "typed", ""
    if _CHOICE.search(text.partition("\n")[0]):
        return "typed", ""
    if text.startswith(_WATCHED):  # of a prompt that Aider made of comments in files, the comments are the person's
        return "typed", "\n".join(_MARKED.findall(text)).strip()
    return "typed", typed_text(text)


def _echoes(text: str, reply: str) -> bool:
    """Whether the architect's plan is handed to the editor in the place of a person's words."""
    said, heard = " ".join(text.split()), " ".join(reply.split())
    return bool(said) and (said == heard or (len(said) >= _ECHO and said in heard))


PLUG = TranscriptFormat(name="aider", recognises=recognises, read=read, roots=(".aider.chat.history.md",))

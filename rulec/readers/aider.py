"""Aider: ``.aider.chat.history.md`` in a repository, which grows for as long as people work there.

A line of the model that begins with ``#### `` and ends in two spaces outside of a fence looks like a person's.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulec.model.transcript import Damage, Turn
from rulec.ports import Reader
from rulec.readers._aider_edits import Edits
from rulec.readers._markdown import text_lines, without
from rulec.readers._session import Session
from rulec.runtime.human import typed

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
_LONGEST = 400_000  # characters of a reply that are kept


def recognises(head: bytes) -> bool:
    """Whether the first thing in the file is the start of a chat."""
    lines = (text for _, text in text_lines(head.split(b"\n")))
    return bool(_START.fullmatch(next((line for line in lines if line.strip()), "")))


def read(lines: Iterable[bytes]) -> Iterator[Turn | Damage]:
    """Turns in file order; the model's headings, the console and what Aider says for a person are left out."""
    reading = _Reading()
    for number, line in text_lines(lines):
        yield from reading.take(number, line)
    yield from reading.end()


@dataclass(slots=True)
class _Message:
    """Consecutive lines of a person are one message."""

    line: int
    lines: list[str] = field(default_factory=list)


class _Reading:
    """What has to be remembered between the lines of one file."""

    def __init__(self) -> None:
        self.session = Session("aider")
        self.edits = Edits()
        self.at = ""
        self.message: _Message | None = None
        self.reply: list[str] = []
        self.size = 0
        self.begun = 0  # the line where the reply begins

    def take(self, number: int, line: str) -> Iterator[Turn | Damage]:
        """The turns that this line completes."""
        if _NOTICE.fullmatch(line):
            self.edits.cut()
        quoted = self.edits.quoting
        start = _START.fullmatch(line) if line.startswith("# aider") else None
        if start and quoted:
            yield Damage(number, "a chat that starts inside a fence is a quotation")
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
        if self.size < _LONGEST:
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
        self.session.say(without("\n".join(self.reply), _THINKING), self.begun, self.at)
        for action in self.edits.actions():
            self.session.call("", [action], self.begun, self.at)
            self.session.result("", "", ok=action.ok)
        self.edits, self.reply, self.size, self.begun = Edits(), [], 0, 0


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
    return "typed", typed(text)


def _echoes(text: str, reply: str) -> bool:
    """Whether the architect's plan is handed to the editor in the place of a person's words."""
    said, heard = " ".join(text.split()), " ".join(reply.split())
    return bool(said) and (said == heard or (len(said) >= _ECHO and said in heard))


PLUG = Reader(name="aider", recognises=recognises, read=read, roots=(".aider.chat.history.md",))

"""SpecStory: ``.specstory/history/*.md`` in a repository, sessions of many agents as markdown."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import codex_records
from rulec.transcripts.formats import _specstory_tools
from rulec.transcripts.formats._specstory_headings import (
    GENERATED,
    MENTIONED,
    SESSION,
    USUAL,
    HeadingOrder,
    HeadingRole,
    SessionOpening,
    TurnHeading,
    parse_heading,
)
from rulec.transcripts.formats._specstory_tools import ToolBlock
from rulec.transcripts.human_text import (
    after_interrupt,
    command_arguments,
    is_command,
    is_interrupt,
    rejection_reason,
    typed_text,
)
from rulec.transcripts.reading.markdown_lines import OpenFence, text_lines, without_elements
from rulec.transcripts.reading.turn_builder import TurnBuilder

_THOUGHT = re.compile(r"<(think)>")
_MESSAGE_ID = re.compile(r"<!-- message-id: [^>]{0,200} -->")
_ECHOED = re.compile(r"/[\w:-]+[ \t]*\n\s*⎿")  # a command and what the terminal showed of it
_MACHINE = ("## Context\n\n- Current ", "<system_notification>", "<user_info>", "<environment_details>")
_SEPARATORS = re.compile(r"(?:\A\s*---[ \t]*)?(?:\n\s*---[ \t]*)*\Z")
_AHEAD = 5_000  # lines that are looked ahead to see whether an open fence is closed
_MOST_AGAIN = 200_000  # lines of tool blocks without an end that are read once more

Line = tuple[int, str]


def recognises(head: bytes) -> bool:
    """Whether SpecStory names itself in the first line and a person's heading follows."""
    lines = [text for _, text in text_lines(head.split(b"\n"))]
    first = next((line for line in lines if line.strip()), "")
    if not GENERATED.fullmatch(first) and not MENTIONED.fullmatch(first):
        return False
    return any(found.markup == USUAL and found.role != "unknown" for line in lines if (found := parse_heading(line)))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; nothing in a tool's block is a heading."""
    reading = _SpecStoryReader(_Lines(text_lines(lines)))
    for number, line in reading.lines:
        yield from reading.take(number, line)
    yield from reading.end()


class _Lines:
    """The lines of a file, which can be looked at before they are taken and put back."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self._held: deque[Line] = deque()

    def __iter__(self) -> Iterator[Line]:
        while True:
            if self._held:
                yield self._held.popleft()
            elif line := next(self._lines, None):
                yield line
            else:
                return

    def ahead(self) -> Iterator[Line]:
        """The lines that come, without taking them."""
        for at in range(_AHEAD):
            if at == len(self._held):
                line = next(self._lines, None)
                if line is None:
                    return
                self._held.append(line)
            yield self._held[at]

    def put_back(self, lines: list[Line]) -> None:
        """Lines that are to be taken once more."""
        self._held.extendleft(reversed(lines))


@dataclass(slots=True)
class _Body:
    """The turn we are in."""

    role: HeadingRole
    line: int
    at: str = ""
    lines: list[str] = field(default_factory=list)
    fence: OpenFence = field(default_factory=OpenFence)
    excerpt: bool = False  # the header of an older session stands in it

    @property
    def interrupted(self) -> bool:
        """Whether this is the note that a person stopped the agent."""
        return self.role in ("user", "unknown") and is_interrupt("\n".join(self.lines[:4]))


class _SpecStoryReader:
    """What has to be remembered between the lines of one file."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.session = TurnBuilder("")
        self.order = HeadingOrder()
        self.body = _Body("machine", 0)
        self.block: ToolBlock | None = None
        self.opening: SessionOpening | None = SessionOpening(first=True)
        self.template = ""  # when a slash command was recorded: its expansion has the same time
        self.again = 0  # lines that were read twice
        self.quoted = 0  # the line that closes the fence in which headings are quotations

    def take(self, number: int, line: str) -> Iterator[Turn | UnreadableLine]:
        """The turns that this line completes."""
        if self.block is not None:
            yield from self._work(self.block, line)
            return
        found = self.order.heading(line) if number > self.quoted else None
        fresh = self.opening is not None and self.order.follows(self.opening)
        if found and self.body.fence.mark and not self.order.fits(found):
            self.quoted = self._closing(self.body.fence.mark)
            found = None if self.quoted else found
        excerpt = self._excerpt()
        if found and not fresh and self.order.doubt(found, interrupted=self.body.interrupted, excerpt=excerpt):
            found = None if excerpt else found._replace(role="unknown")
        if found:
            yield from self._enter(found, number)
        elif not self._opens(line):
            self._add(number, line)
        self.order.follow(line)

    def end(self) -> Iterator[Turn | UnreadableLine]:
        """The turns that are left when the file ends."""
        while self.block is not None:
            yield UnreadableLine(self.block.line, "a tool-use block without an end")
            block, rest = self.block, self._cut(self.block)
            yield from self._act(block)
            self.lines.put_back(rest)
            for number, line in self.lines:
                yield from self.take(number, line)
        yield from self._close()
        yield from self.session.flush()

    def _excerpt(self) -> bool:
        """Whether the header of an older session is part of a message into which a person pasted it."""
        return self.body.role == "user" and (self.opening is not None or self.body.excerpt)

    def _closing(self, mark: str) -> int:
        """The line that closes the open fence and so makes quotations of the headings in it; 0 where none does.

        Whoever forgot to close a fence is followed by messages whose own fences open and close in pairs: the first
        mark is then one of a pair. Where it is alone between two headings, it closes ours.
        """
        fence, closing, marks = OpenFence(), 0, 0
        fence.mark = mark
        for number, line in self.lines.ahead():
            if closing and (found := self.order.heading(line)) and found.role != "unknown":
                break
            own = OpenFence()
            if not own.take(line):
                continue
            marks += 1
            if not closing:
                if not fence.take(line):
                    return 0  # it tells a language, so that it opens a fence
                closing = number
        return closing if marks % 2 else 0

    def _work(self, block: ToolBlock, line: str) -> Iterator[Turn]:
        """One more line of a tool's block."""
        if block.broken(line):
            rest = self._cut(block)
            yield from self._act(block)
            self.lines.put_back([*rest, (block.line + block.taken + 1, line)])
        elif block.take(line):
            yield from self._act(block)
            self.block = None
            self.order.follow("</tool-use>")

    def _cut(self, block: ToolBlock) -> list[Line]:
        """End a block that has no end at the first heading in it; gives the lines from there on."""
        whole = len(block.lines)
        at = next((n for n, line in enumerate(block.lines) if self._begins(block, n, line)), whole)
        self.again += whole - at
        at = at if self.again <= _MOST_AGAIN else whole
        rest = [(block.line + 1 + n, line) for n, line in enumerate(block.lines) if n >= at]
        above = [line for line in block.lines[:at] if line.strip()][-1:]
        del block.lines[at:]
        self.block = None
        self.order.follow("---" if above == ["---"] else "</tool-use>")
        self.order.follow("")
        return rest

    def _begins(self, block: ToolBlock, number: int, line: str) -> bool:
        found = parse_heading(line)
        above = block.lines[number - 1] if number else ""
        if not found or found.markup != self.order.markup or found.role not in ("user", "agent"):
            return False
        return not above.strip() and (not found.at or found.at >= block.at)

    def _enter(self, heading: TurnHeading, number: int) -> Iterator[Turn]:
        if opening := self.opening:
            if self.order.follows(opening):
                yield from self._close()
                yield from self.session.begin(opening.id, opening.agent)
                self.order = HeadingOrder(opening.time, self.order.markup)
            else:
                self.body.lines += opening.lines
        self.opening = None
        yield from self._close()
        self.order.enter(heading)
        self.body = _Body(heading.role, number, heading.at)

    def _opens(self, line: str) -> bool:
        """Whether the line begins a session; what only looks like one is added to the present turn."""
        if self.opening is None:
            if not self.order.after_blank or not (GENERATED.fullmatch(line) or SESSION.fullmatch(line)):
                return False
            self.opening = SessionOpening()
        if self.opening.take(line):
            return True
        self.body.lines += self.opening.lines
        self.body.excerpt = True
        self.opening = None
        return False

    def _add(self, number: int, line: str) -> None:
        body = self.body
        if body.role != "user":
            tool = _specstory_tools.OPEN.fullmatch(line) if not body.fence.mark else None
            if tool:
                self.block = ToolBlock(tool[1], tool[2], number, body.at)
                return
        body.fence.take(line)
        if body.role != "machine":
            body.lines.append(line)

    def _act(self, block: ToolBlock) -> Iterator[Turn]:
        done, output, ok, rejected = _specstory_tools.block_outcome(block)
        if done and self.body.role == "agent":
            self._say()
            self.session.call("", done, block.line, block.at)
            self.session.result("", output, ok=ok, rejected=rejected)
        why = rejection_reason(output) if rejected and self.body.role == "agent" else ""
        if why:
            yield from self.session.human("rejection", why, block.line, block.at)

    def _say(self) -> None:
        text = without_elements("\n".join(self.body.lines), _THOUGHT).strip()
        self.session.say(_SEPARATORS.sub("", text), self.body.line, self.body.at)
        self.body.lines = []

    def _close(self) -> Iterator[Turn]:
        """The turn we are in ends; the line that parts it from the next belongs to neither."""
        if self.body.role == "agent":
            self._say()
            self.template = ""
        elif self.body.role in ("user", "unknown"):
            text = "\n".join(_MESSAGE_ID.sub("", line) if n == 0 else line for n, line in enumerate(self.body.lines))
            yield from self._human(_SEPARATORS.sub("", text.strip()))
        self.body = _Body("machine", 0)

    def _human(self, text: str) -> Iterator[Turn]:
        line, at = self.body.line, self.body.at
        if is_interrupt(text):
            self.session.interrupt()
            text = after_interrupt(text)
        if is_command(text):
            self.template = at
            yield from self.session.human("slash_args", command_arguments(text), line, at)
        elif not (at and at == self.template) and not _ECHOED.match(text) and not text.startswith(_MACHINE):
            words = codex_records.typed_message(typed_text(text))
            yield from self.session.human("typed", words, line, at, sure=self.body.role == "user")


PLUG = TranscriptFormat(name="specstory", recognises=recognises, read=read, roots=(".specstory/history/*.md",))

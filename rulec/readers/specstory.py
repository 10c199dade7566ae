"""SpecStory: ``.specstory/history/*.md`` in a repository, sessions of many agents as markdown.

A heading that somebody pasted looks like a heading that SpecStory wrote. Most are told apart by where they stand and
by their times; a quotation of a later session in a file without times is not.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulec.model.transcript import Damage, Turn
from rulec.ports import Reader
from rulec.readers import _codex_human, _specstory_tools
from rulec.readers._markdown import Fence, text_lines, without
from rulec.readers._session import Session
from rulec.readers._specstory_heads import GENERATED, HEADING, SESSION, Heading, Opening, Order, Role
from rulec.readers._specstory_tools import Block
from rulec.runtime.human import arguments, is_command, is_interrupt, typed

_THOUGHT = re.compile(r"<(think)>")
_MESSAGE_ID = re.compile(r"<!-- message-id: [^>]{0,200} -->")
_ECHOED = re.compile(r"/[\w:-]+[ \t]*\n\s*⎿")  # a command and what the terminal showed of it
_MACHINE = ("## Context\n\n- Current ", "<system_notification>", "<user_info>", "<environment_details>")


def recognises(head: bytes) -> bool:
    """Whether SpecStory's mark stands first and a heading of its form follows."""
    lines = [text for _, text in text_lines(head.split(b"\n"))]
    first = next((line for line in lines if line.strip()), "")
    return bool(GENERATED.fullmatch(first)) and any(HEADING.fullmatch(line) for line in lines)


def read(lines: Iterable[bytes]) -> Iterator[Turn | Damage]:
    """Turns in file order; what stands in a tool's block is never a heading."""
    reading = _Reading()
    for number, line in text_lines(lines):
        yield from reading.take(number, line)
    yield from reading.end()


@dataclass(slots=True)
class _Body:
    """The turn we are in."""

    role: Role
    line: int
    at: str = ""
    lines: list[str] = field(default_factory=list)
    fence: Fence = field(default_factory=Fence)


class _Reading:
    """What has to be remembered between the lines of one file."""

    def __init__(self) -> None:
        self.session = Session("")
        self.order = Order()
        self.body = _Body("machine", 0)
        self.block: Block | None = None
        self.opening: Opening | None = Opening()
        self.template = ""  # when a slash command was recorded: its expansion has the same time

    def take(self, number: int, line: str) -> Iterator[Turn | Damage]:
        """The turns that this line completes."""
        if self.block is not None:
            if self.block.take(line):
                self._act(self.block)
                self.block = None
                self.order.follow("</tool-use>")
            return
        heading = self.order.heading(line)
        fresh = self.opening is not None and self.order.follows(self.opening)
        if heading and not fresh and (why := self.order.forged(heading)):
            yield Damage(number, why)
            heading = None
        if heading:
            yield from self._enter(heading, number)
        elif not self._opens(line):
            self._add(number, line)
        self.order.follow(line)

    def end(self) -> Iterator[Turn | Damage]:
        """The turns that are left when the file ends."""
        if self.block is not None:
            yield Damage(self.block.line, "a tool-use block without an end: the lines after it are not read")
        yield from self._close()
        yield from self.session.flush()

    def _enter(self, heading: Heading, number: int) -> Iterator[Turn]:
        if opening := self.opening:
            if self.order.follows(opening):
                yield from self._close()
                yield from self.session.begin(opening.id, opening.agent)
                self.order = Order(opening.time)
            else:
                self.body.lines += opening.lines
        self.opening = None
        yield from self._close(parted=heading.role != self.body.role)
        self.order.enter(heading)
        self.body = _Body(heading.role, number, heading.at)

    def _opens(self, line: str) -> bool:
        """Whether the line stands above a session; what merely began like one goes to the turn we are in."""
        if self.opening is None:
            if not self.order.after_blank or not (GENERATED.fullmatch(line) or SESSION.fullmatch(line)):
                return False
            self.opening = Opening()
        if self.opening.take(line):
            return True
        self.body.lines += self.opening.lines
        self.opening = None
        return False

    def _add(self, number: int, line: str) -> None:
        body = self.body
        if body.role != "user":
            tool = _specstory_tools.OPEN.fullmatch(line) if not body.fence.mark else None
            if tool:
                self.block = Block(tool[1], tool[2], number, body.at)
                return
            body.fence.take(line)
        if body.role != "machine":
            body.lines.append(line)

    def _act(self, block: Block) -> None:
        done, output, ok, rejected = _specstory_tools.actions(block)
        if done and self.body.role == "agent":
            self._say()
            self.session.call("", done, block.line, block.at)
            self.session.result("", output, ok=ok, rejected=rejected)

    def _say(self) -> None:
        text = without("\n".join(self.body.lines), _THOUGHT).strip()
        self.session.say(text.removesuffix("\n---"), self.body.line, self.body.at)
        self.body.lines = []

    def _close(self, *, parted: bool = False) -> Iterator[Turn]:
        """The turn we are in ends; ``parted``: by a line that belongs to the heading after it."""
        if self.body.role == "agent":
            self._say()
            self.template = ""
        elif self.body.role == "user":
            text = "\n".join(_MESSAGE_ID.sub("", line) if n == 0 else line for n, line in enumerate(self.body.lines))
            text = text.strip()
            yield from self._human(text.removesuffix("\n---").strip() if parted else text)
        self.body = _Body("machine", 0)

    def _human(self, text: str) -> Iterator[Turn]:
        line, at = self.body.line, self.body.at
        if is_interrupt(text):
            self.session.interrupt()
        elif is_command(text):
            self.template = at
            yield from self.session.human("slash_args", arguments(text), line, at)
        elif not (at and at == self.template) and not _ECHOED.match(text) and not text.startswith(_MACHINE):
            yield from self.session.human("typed", _codex_human.typed(typed(text)), line, at)


PLUG = Reader(name="specstory", recognises=recognises, read=read, roots=(".specstory/history/*.md",))

"""A chat as plain text: a name before what each says (``Me: ...``, ``**Bot:** ...``), or a terminal's mark.

Nothing in such a file tells its format, so that no head is recognised: it is read so where no other reader finds more
in it. Two names that come again and again are the speakers; whose the one is, the other tells where it is known.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import NamedTuple

from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts.human_text import after_interrupt, behind_command, is_command, is_interrupt, typed_text
from rulec.transcripts.reading import tool_actions
from rulec.transcripts.reading.markdown_lines import OpenFence, Speaker, opposite, speaker_of, text_lines
from rulec.transcripts.reading.turn_builder import TurnBuilder

_LOOKED = 5_000  # lines in which the speakers are looked for
_TWO = 2  # speakers
_OFTEN = 2  # times that a speaker's name stands in a chat
_SURE = 3  # where neither name is a person's or an agent's
_TIME = r"(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]?[ \t]+)?"
_BOLD = re.compile(_TIME + r"(?:\*\*|__)(?P<name>[^*_:\n]{1,40})(?::(?:\*\*|__)|(?:\*\*|__):)[ \t]*(?P<rest>.*)")
_PLAIN = re.compile(_TIME + r"(?P<name>[^\W\d_][\w .@'-]{0,39}):(?:[ \t]+(?P<rest>.*))?")
_MARKS: dict[str, Speaker] = {">": "user", "\u276f": "user", "\u203a": "user", "\u23fa": "agent", "\u25cf": "agent"}
_MARKED = re.compile(rf"(?P<name>[{''.join(_MARKS)}])[ \t](?P<rest>.*)")
_SHOWN = re.compile(r"\s*⎿\s*(?P<rest>.*)")
_CALL = re.compile(r"(?P<tool>[A-Z]\w*)\((?P<given>.*)\)")
_COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?:\s.*)?", re.DOTALL)
_STOPPED = ("Interrupted", "[Request interrupted")
_REFUSED = re.compile(r"Tool use rejected with user message:\s*(?P<rest>\S.*)")

Line = tuple[int, str]


class _Writing(NamedTuple):
    """How the lines that begin a turn are written in this file, and whose turn the name on them begins."""

    line: re.Pattern[str]
    speakers: dict[str, Speaker]

    def begins(self, line: str) -> tuple[Speaker, str] | None:
        """Who begins to speak on this line, and the first words."""
        found = self.line.fullmatch(line)
        who = self.speakers.get(found["name"].strip().casefold()) if found else None
        return (who, found["rest"] or "") if found and who else None

    @property
    def terminal(self) -> bool:
        """Whether it was copied from a terminal, where a mark replaces the name and all else is indented."""
        return self.line is _MARKED


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; none where nobody takes turns in the file."""
    every = text_lines(lines)
    start = list(islice(every, _LOOKED))
    if writing := _writing(start):
        reading = _ChatReader(writing)
        for number, line in chain(start, every):
            yield from reading.take(number, line)
        yield from reading.end()


def _writing(lines: list[Line]) -> _Writing | None:
    """How the turns of a chat with these first lines begin; None where it is no chat."""
    found = [
        _Writing(pattern, speakers)
        for pattern in (_MARKED, _BOLD, _PLAIN)
        if (speakers := _speakers(pattern, list(_names(pattern, lines))))
    ]
    return next(iter(found), None)


def _names(pattern: re.Pattern[str], lines: list[Line]) -> Iterator[str]:
    """The names at the beginning of paragraphs."""
    fence, above = OpenFence(), ""
    for _, line in lines:
        fence.take(line)
        if not fence.mark and not above.strip() and (found := pattern.fullmatch(line)):
            yield found["name"].strip().casefold()
        above = line


def _speakers(pattern: re.Pattern[str], names: list[str]) -> dict[str, Speaker]:
    """The two, or the marks of a terminal, that come again and again; {} where it is no talk between two."""
    counted = [name for name, many in Counter(names).most_common() if many >= _OFTEN]
    whose: dict[str, Speaker] = {name: _MARKS.get(name) or _named(name) for name in counted}
    known: dict[str, Speaker] = {name: who for name, who in whose.items() if who != "unknown"}
    if {*known.values()} == {"user", "agent"}:
        return known
    two = counted[:_TWO]
    if pattern is _MARKED or len(two) < _TWO or not _take_turns(names):
        return {}
    if one := next((name for name in two if name in known), ""):
        return {name: known[one] if name == one else opposite(known[one]) for name in two}
    return dict.fromkeys(two, "unknown") if min(map(names.count, two)) >= _SURE else {}


def _named(name: str) -> Speaker:
    """The speaker that the name, or one word of it, means, as in "GitHub Copilot"."""
    whole = speaker_of(name)
    words = [who for word in name.split() if (who := speaker_of(word)) != "unknown"]
    return whole if whole != "unknown" or not words else words[0]


def _take_turns(names: list[str]) -> bool:
    """Whether one name mostly follows another."""
    return sum(one != other for one, other in pairwise(names)) >= len(names) // 2


@dataclass(slots=True)
class _OpenTurn:
    """The turn we are in."""

    who: Speaker
    line: int
    lines: list[str] = field(default_factory=list)
    fence: OpenFence = field(default_factory=OpenFence)


class _ChatReader:
    """What has to be remembered between the lines of one file."""

    def __init__(self, writing: _Writing) -> None:
        self.writing = writing
        self.session = TurnBuilder("")
        self.said: _OpenTurn | None = None
        self.above = ""

    def take(self, number: int, line: str) -> Iterator[Turn | UnreadableLine]:
        """The turns that this line completes."""
        fenced = self.said is not None and bool(self.said.fence.mark) and not self.writing.terminal
        begun = None if fenced or self.above.strip() else self.writing.begins(line)
        if begun:
            yield from self._close()
            self.said = _OpenTurn(begun[0], number)
            line = begun[1]
        elif self.writing.terminal and (shown := _SHOWN.fullmatch(line)) and self.said and self.said.who == "user":
            yield from self._close()
            self.said = _OpenTurn("agent", number)
            line = f"⎿ {shown['rest']}"
        if self.said is not None:
            self.said.fence.take(line)
            self.said.lines.append(line)
        self.above = line if not begun else "."

    def end(self) -> Iterator[Turn | UnreadableLine]:
        """The turns that are left when the file ends."""
        yield from self._close()
        yield from self.session.flush()

    def _close(self) -> Iterator[Turn]:
        said, self.said = self.said, None
        if said is None:
            return
        if self.writing.terminal:
            said.lines = [said.lines[0], *(line.removeprefix("  ") for line in said.lines[1:])]
        if said.who == "agent":
            yield from self._work(said)
        else:
            yield from self._human("\n".join(said.lines).strip(), said)

    def _human(self, text: str, said: _OpenTurn) -> Iterator[Turn]:
        if is_interrupt(text):
            self.session.interrupt()
            text = after_interrupt(text)
        sure = said.who == "user"
        if is_command(text) or _COMMAND.fullmatch(text):
            yield from self.session.human("slash_args", behind_command(text), said.line, "", sure=sure)
        else:
            yield from self.session.human("typed", typed_text(text), said.line, "", sure=sure)

    def _work(self, said: _OpenTurn) -> Iterator[Turn]:
        """What the agent says, or in a terminal what it calls and what comes of it."""
        call = _CALL.fullmatch(said.lines[0].strip()) if self.writing.terminal else None
        shown = next((n for n, line in enumerate(said.lines) if _SHOWN.fullmatch(line)), len(said.lines))
        if call is None or not self.writing.terminal:
            told = said.lines[: shown if self.writing.terminal else None]
            self.session.say("\n".join(told), said.line, "")
        else:
            given = {"command" if call["tool"] == "Bash" else "file_path": call["given"]}
            self.session.call("", tool_actions.tool_actions("", call["tool"], given, self.session.path), said.line, "")
            self.session.result("", "\n".join(said.lines[shown:]), ok=None)
        for line in said.lines[shown:] if self.writing.terminal else ():
            result = _SHOWN.fullmatch(line)
            words = result["rest"] if result else ""
            if words.startswith(_STOPPED):
                self.session.interrupt()
            elif refused := _REFUSED.fullmatch(words):
                yield from self.session.human("rejection", refused["rest"], said.line, "")


def _no_head(_: bytes) -> bool:
    return False


PLUG = TranscriptFormat(name="chat", recognises=_no_head, read=read)

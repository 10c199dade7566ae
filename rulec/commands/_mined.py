"""Transcripts -> what a model makes of them: prompts for all, and for each what its answers say."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulec.commands import _continue, _session
from rulec.commands._ask import Talk
from rulec.commands._decide import Say, Wish
from rulec.commands._moments import moments
from rulec.errors import RulecError
from rulec.host import state, worktree
from rulec.model.exchange import Answer, Prompt, Trouble
from rulec.model.exchange import Heard as Reply
from rulec.model.mined import Asked, Mined
from rulec.model.rulebook import Rulebook
from rulec.ports import Reader
from rulec.stages.mine import ask, hear

OFFLINE = (
    "read offline; a model also finds what people say without words like always or never, and the agent that you run "
    "can be it: rulec ingest --backend exchange"
)
TOGETHER = 100  # prompts that are held at once
ENDS = "ends"  # where in which transcript earlier runs came to the end
MOST_ENDS = 500  # of one transcript that are kept


@dataclass(frozen=True, slots=True)
class Said:
    """What a model made of one transcript."""

    wishes: Mapping[int, tuple[Mined, ...]] = field(default_factory=dict)  # by the index of their turn
    read: frozenset[int] = frozenset()  # turns on which it spoke, whether it found a wish or not
    left: frozenset[int] = frozenset()  # turns that somebody is still to speak on
    told: tuple[str, ...] = ()
    failed: bool = False  # some turns have to be read without it


def mining(top: Path, asked: _continue.Asked, wish: Wish, say: Say) -> "Mining | None":
    """Who reads the transcripts of a run with us; None where nobody is asked."""
    if wish.offline:
        return None
    book = worktree.load(top) if worktree.exists(top) else Rulebook()
    talk = _continue.talk(top, book, asked, wish, say)
    return None if talk.off else Mining(top, talk)


@dataclass(slots=True)
class Mining:
    """One run's questions about transcripts, and their answers by the keys of the prompts."""

    top: Path
    talk: Talk
    replies: dict[str, Reply] = field(default_factory=dict)
    ends: dict[str, dict[int, int]] = field(default_factory=dict)

    def ask(self, paths: Sequence[Path], reader_name: str) -> None:
        """Ask about some transcripts beside each other; one that cannot be read is somebody else's complaint."""
        prompts: list[Prompt] = []
        for path in paths:
            try:
                asked = list(self._asked(path, _session.reader_of(path, reader_name)))
            except RulecError:
                continue
            prompts += [one.prompt for one in asked]
            self._note(path, asked)
            if len(prompts) >= TOGETHER:
                self._send(prompts)
                prompts = []
        self._send(prompts)

    def _send(self, prompts: Sequence[Prompt]) -> None:
        for prompt, reply in zip(prompts, self.talk.ask(prompts), strict=True):
            self.replies[prompt.key] = reply

    def closing(self) -> list[str]:
        """What went wrong, what it cost, and what somebody has to do now."""
        troubles = (told(one) for one in self.replies.values() if isinstance(one, Trouble))
        return list(dict.fromkeys([*troubles, self.talk.spent(), _continue.closing(self.top, self.talk)]))

    def said(self, path: Path, reader: Reader) -> Said:
        """What the answers say of one transcript, held against it."""
        found = _Found(waits=self.talk.models.backend == _continue.EXCHANGE)
        for asked in self._asked(path, reader):
            found.hear(asked, self.replies.get(asked.prompt.key))
        return found.said()

    def _asked(self, path: Path, reader: Reader) -> Iterator[Asked]:
        return ask(moments(_session.turns(path, reader)), self.talk.render, self._ends(path))

    def _ends(self, path: Path) -> Mapping[int, int]:
        """Prompts end where an earlier run's did, so that what was answered is not asked again with more behind it."""
        name = str(path.absolute())
        if name not in self.ends:
            kept = state.read(self.top, ENDS)
            self.ends[name] = dict(_pairs(kept.get(name) if isinstance(kept, dict) else None))
        return self.ends[name]

    def _note(self, path: Path, asked: Sequence[Asked]) -> None:
        if not asked:
            return
        ends, number = self.ends[str(path.absolute())], sum(len(one.moments) for one in asked)
        if number in ends:
            return
        ends[number] = len(asked[-1].moments[-1].after)
        kept = state.read(self.top, ENDS)
        kept = kept if isinstance(kept, dict) else {}
        pairs = sorted(map(list, ends.items()))[-MOST_ENDS:]
        state.write(self.top, ENDS, {**kept, str(path.absolute()): pairs})


def _pairs(kept: Any) -> Iterator[tuple[int, int]]:
    for pair in kept if isinstance(kept, list) else ():
        if isinstance(pair, list) and [type(one) for one in pair] == [int, int]:
            yield pair[0], max(0, pair[1])


@dataclass(slots=True)
class _Found:
    waits: bool  # whoever answers may still mend what is wrong with an answer
    wishes: dict[int, tuple[Mined, ...]] = field(default_factory=dict)
    read: set[int] = field(default_factory=set)
    left: set[int] = field(default_factory=set)
    told: list[str] = field(default_factory=list)
    failed: bool = False

    def hear(self, asked: Asked, reply: Reply | None) -> None:
        turns = {moment.turn.index for moment in asked.moments}
        if isinstance(reply, Answer):
            heard = hear(reply.data, asked)
            self.read |= turns
            self.told += heard.told
            for one in heard.wishes:
                index = one.moment.turn.index
                self.wishes[index] = (*self.wishes.get(index, ()), one)
        elif isinstance(reply, Trouble) and not reply.over and not self.waits:
            self.failed = True
        else:
            self.left |= turns

    def said(self) -> Said:
        return Said(self.wishes, frozenset(self.read), frozenset(self.left), tuple(self.told), self.failed)


def told(one: Trouble) -> str:
    """What went wrong, in one line."""
    return f"{one.what}; {one.hint}" if one.hint else one.what


def words(dropped: Iterable[str]) -> str:
    """What did not count, in one line; "" where all did."""
    found = list(dropped)
    more = f" (and {len(found) - 1} more)" * (len(found) > 1)
    return f"of what the model said, not counted: {found[0]}{more}" if found else ""

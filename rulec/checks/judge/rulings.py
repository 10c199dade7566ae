"""What a judge is asked and what it said: a ruling on each rule and piece."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rulec.domain.artifact import RuleFacts
from rulec.domain.prompt import Prompt

JudgedKind = Literal["diff", "message"]
Ruling = Literal["pass", "fail", "unsure"]
HIDDEN = "part of it looks like a secret and was not shown"
CUT = "part of it is too long, or too odd, to be shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A rule that is judged by its meaning, as its artifact says it."""

    facts: RuleFacts
    of: JudgedKind
    text: str  # what holds, when, what to do, what counts as a fail, what is left alone
    examples: str = ""  # some of the rule's own, in words

    @property
    def digest(self) -> str:
        """What its rulings depend on; not how firmly the rule acts, nor where."""
        return _digest(self.of, self.text, self.examples)

    @property
    def bare(self) -> "Judge":
        """The judge without its examples: what is tried on them must not be shown them."""
        return replace(self, examples="")


@dataclass(frozen=True, slots=True)
class PieceLine:
    """One line of a piece, as it is shown: without secrets, and cut where it is very long."""

    number: int
    text: str
    new: bool  # the change brings it; else it stands there for orientation


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The unit of judging: a hunk, a part of a large one, or a commit message."""

    path: str  # "" for the commit message
    lines: tuple[PieceLine, ...]
    unseen: str = ""  # why nobody who reads it can say that it passes: something of it is not shown

    @property
    def digest(self) -> str:
        """Its digest, independent of its place in the file."""
        lines = (f"{'+' if line.new else ' '}{line.text}" for line in self.lines)
        return _digest(self.path, *lines, *filter(None, [self.unseen]))

    @property
    def bare(self) -> str:
        """Its lines as a diff has them."""
        return "".join(f"{'+' if line.new else ' '}{line.text}\n" for line in self.lines)


JudgedPair = tuple[Judge, Piece]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRequest:
    """One request, and what the numbers in its answer stand for: those of its blocks of data."""

    prompt: Prompt
    judges: Mapping[int, Judge]
    pieces: Mapping[int, Piece]
    pairs: tuple[tuple[int, int], ...]  # judge and piece
    places: int  # of one rule that an answer is to name at most
    decoy: tuple[int, int, int]  # judge, piece and line of ours; whoever reads what it is given sees that they fail


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRuling:
    """The ruling on one pair; fail and unsure name the lines by their place in the piece."""

    judge: Judge
    piece: Piece
    ruling: Ruling
    at: tuple[int, ...] = field(default=())
    why: str = ""  # why it is unsure, in words of ours
    keep: bool = True  # asking again would bring the same


def _digest(*parts: str) -> str:
    joined = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:24]

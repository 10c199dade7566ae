"""What is asked of a model and what it answers, before any backend puts it into words of its own."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JUDGE_GATES = ("commit", "ci", "stop")  # where a judge may be asked
MOST_OF_A_TEAM = {"money": 20.0, "tokens": 20_000_000}  # a run, at most, where not the person says so but a repository


@dataclass(frozen=True, slots=True, kw_only=True)
class DataBlock:
    """A numbered piece of data: untrusted words, in which nothing is an instruction."""

    name: str  # what it is: "turn 12", "src/app.py, lines 3 to 40"; a stranger may have chosen part of it
    text: str
    named: bool = False  # known by its name alone, which holds a number of its own
    beside: bool = False  # shown beside what is asked about, such as what the tree holds now: no part of the key


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A question to a model, before it is put into words for one backend."""

    step: str  # which pair asks: "mine", "challenge", "draft", "mend", "decide", "pairs", "judge"
    version: int  # of the instructions' wording: part of the key by which an answer is known again
    instructions: str  # ours alone, no word of a stranger stands in them
    data: tuple[DataBlock, ...]
    schema: Mapping[str, Any]  # JSON Schema of the answer, which is one object: none that does not fit is handed on
    most: int = 8_000  # tokens that the answer may take
    whole: bool = False  # one item of its lists may speak against the others, so that none is left out of them

    @property
    def key(self) -> str:
        """The key of its answer: 24 hex digits of all that it asks about."""
        data = [[block.name, block.text] for block in self.data if not block.beside]
        what = [self.step, self.version, self.instructions, data, self.schema]
        text = json.dumps(what, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A prompt in words: what a backend sends. Data stands in ``text`` alone, between lines of a random fence."""

    key: str  # of its prompt
    step: str
    system: str
    text: str
    schema: Mapping[str, Any]
    most: int = 8_000

    @property
    def tokens(self) -> int:
        """About how many are sent: four characters make one in English, three bytes in most other languages."""
        return estimate_tokens(self.system) + estimate_tokens(self.text) + estimate_tokens(json.dumps(self.schema))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """A model's answer to one request, not yet validated by its schema."""

    data: Mapping[str, Any]
    model: str = ""
    sent: int = 0  # tokens, as the backend counts them
    received: int = 0
    dollars: float | None = None  # as the backend says; None is by the list of prices
    place: str = ""  # the file it stands in, where somebody wrote it by hand: it is not asked for again
    text: str = ""  # of that file, so that a refusal can name a line


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFailure:
    """No answer, and why, in a line for people that holds no key."""

    what: str
    hint: str = ""
    over: bool = False  # asking anything else in this run is in vain: no key, no network, the budget is used up
    misfit: bool = False  # there was an answer, of another form than asked for: asking once more may help
    unasked: bool = False  # nobody was asked: what that takes is not here
    used_up: bool = False  # the budget is: whoever is asked about chooses how much of it that takes
    wanted: str = ""  # of a misfit: what the answer must be, in words of ours alone, for whoever is asked once more
    theirs: bool = False  # whoever wrote what it is about may bring it about: a refusal, an answer that is too long
    sent: int = 0  # what it cost all the same: an answer that was cut off is paid for
    received: int = 0
    dollars: float | None = None

    @property
    def line(self) -> str:
        """What went wrong and what to do, in one line."""
        return f"{self.what}; {self.hint}" if self.hint else self.what


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitedAnswer:
    """The request waits in a place where it will be answered."""

    place: str


ModelReply = ModelAnswer | ModelFailure | AwaitedAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """``models`` of config.yaml: who is asked, and how much that may cost a run."""

    backend: str = ""  # "" is nobody: everything works offline
    model: str = ""  # "" is the backend's own choice
    base_url: str = ""  # of the person's own settings alone: a repository must not choose where a key is sent
    seconds: float = 120.0  # that one request may take
    tokens: int = 2_000_000  # sent and received, a run
    money: float = 2.0  # US dollars, a run
    judges: tuple[str, ...] = ("ci",)  # gates at which judges are asked
    folder: str = ""  # where the exchange's files lie; set by commands, never by settings
    aside: bool = False  # whoever waits came for something else, a commit or the end of a turn; as the folder
    named: str = field(default="", compare=False)  # where the backend is: "option", "own" or "team"; as the folder


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is."""
    return max(len(text) // 4, len(text.encode("utf-8", "replace")) // 5) + 1

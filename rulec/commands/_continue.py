"""The run whose questions wait for answers: begun, remembered, gone on with, closed."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rulec.commands._ask import PLACE, Talk, models
from rulec.commands._decide import Say, Wish
from rulec.errors import RulecError
from rulec.host import exchanged, state, templates
from rulec.model.exchange import Models
from rulec.model.rulebook import Rulebook

EXCHANGE = "exchange"
STEPS = ("mine", "mend", "decide")  # of such a run; what judges are asked is another run's
_STATE = "exchange"  # in the git folder, where no agent's file can change what is run


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What ``rulec ingest --backend exchange`` was given, but for what accepts: that is said anew each time."""

    transcript: str = ""  # "" is every session of this repository
    reader: str = ""


def talk(top: Path, book: Rulebook, asked: Asked, wish: Wish, say: Say) -> Talk:
    """The conversation of a run that reads transcripts, remembered where its questions will wait.

    A backend that somebody named and that cannot be asked is refused; one of the settings leaves it to us.
    """
    chosen = models(top, book, wish.backend)
    render = templates.library().render
    made = Talk(top, replace(chosen, bulk=chosen.bulk or wish.bulk), render, say, wish.progress)
    if lacks := made.lacks():
        if wish.backend:
            raise RulecError(f"{made.who} cannot be asked: {lacks}", hint="rulec doctor says more")
        say(f"{made.who} cannot be asked, so that no model reads with us: {lacks}")
        return Talk(top, Models(), render, say, wish.progress)
    if chosen.backend == EXCHANGE:
        begin(top, asked)
    return made


def begin(top: Path, asked: Asked) -> None:
    """Remember the run; questions of an earlier one that nobody has answered go, for nobody would hear them."""
    if asked.transcript == "-":
        raise RulecError("standard input can be read only once", hint="name a file: its questions are answered later")
    named = replace(asked, transcript=asked.transcript and str(Path(asked.transcript).absolute()))
    folder = place(top)
    if saved(top) != named:
        exchanged.forget(folder, exchanged.keys(folder, STEPS) - exchanged.answered(folder))
    state.write(top, _STATE, asdict(named))


def saved(top: Path) -> Asked | None:
    """The run that is to be gone on with, None where there is none."""
    told = state.read(top, _STATE)
    if not isinstance(told, dict) or not all(isinstance(value, str) for value in told.values()):
        return None
    return Asked(transcript=told.get("transcript", ""), reader=told.get("reader", ""))


def resume(top: Path) -> Asked:
    """What to run again; a refusal where nothing waits."""
    found = saved(top)
    if found is None:
        raise RulecError("nothing waits for answers here", hint="rulec ingest --backend exchange begins")
    return found


def closing(top: Path, talk: Talk) -> str:
    """The last line of a run: why it stopped asking, or what waits; "" where it awaits nothing, and is forgotten."""
    if talk.over:
        return f"{talk.over.what}; {talk.over.hint}" if talk.over.hint else talk.over.what
    if talk.off or talk.models.backend != EXCHANGE:
        return ""
    folder = place(top)
    stale = exchanged.keys(folder, STEPS) - exchanged.answered(folder) - talk.open
    exchanged.forget(folder, stale)
    if not exchanged.keys(folder):
        exchanged.clear(folder)
    if not talk.open:
        state.remove(top, _STATE)
        return ""
    return _told(len(talk.open))


def told(top: Path) -> str:
    """How many questions wait and what to do, "" where none does."""
    many = waiting(top)
    return _told(many) if many else ""


def _told(many: int) -> str:
    wait, them = ("1 prompt waits", "it") if many == 1 else (f"{many} prompts wait", "them")
    return f"{wait} in {PLACE}/{EXCHANGE}; answer {them} as its README says, then: rulec ingest --continue"


def waiting(top: Path) -> int:
    """How many questions have no answer yet."""
    folder = place(top)
    return len(exchanged.keys(folder) - exchanged.answered(folder))


def place(top: Path) -> Path:
    """Where the questions lie."""
    return top / PLACE / EXCHANGE

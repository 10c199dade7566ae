"""The run whose questions wait for answers: begun, remembered, gone on with, closed."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rulec import registry
from rulec.commands._ask import PLACE, Talk, models
from rulec.commands._decide import Say, Wish
from rulec.errors import RulecError
from rulec.host import exchanged, state, templates
from rulec.model.exchange import Models
from rulec.model.rulebook import Rulebook

EXCHANGE = "exchange"
BULK = "leave --bulk out, or name one that does: --backend anthropic"
STEPS = ("mine", "draft", "mend", "decide")  # of such a run; what judges are asked is another run's
_STATE = "exchange"  # in the git folder, where no agent's file can change what is run


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What ``rulec ingest --backend exchange`` was given, but for what accepts: that is said anew each time."""

    transcript: str = ""  # "" is every session of this repository
    reader: str = ""
    dry: bool = False  # it only says what it finds


def talk(top: Path, book: Rulebook, wish: Wish, say: Say) -> Talk:
    """The conversation of a run that reads transcripts.

    A backend that somebody named and that cannot be asked is refused; one of the settings leaves it to us.
    """
    chosen = models(top, book, wish.backend)
    if wish.bulk and not chosen.backend:
        raise RulecError("--bulk asks a model, and none is asked here", hint=BULK)
    if wish.bulk and not registry.backend(chosen.backend).bulk:
        raise RulecError(f"{chosen.backend} takes no requests in bulk", hint=BULK)
    render = templates.library().render
    made = Talk(top, replace(chosen, bulk=chosen.bulk or wish.bulk), render, say, wish.progress)
    if lacks := made.lacks():
        if wish.backend:
            raise RulecError(f"{made.who} cannot be asked: {lacks}")
        say(f"{made.who} cannot be asked, so that no model reads with us: {lacks}")
        return Talk(top, Models(), render, say, wish.progress)
    return made


def begin(top: Path, run: Run, say: Say) -> None:
    """Remember the run; questions of an earlier one that nobody has answered go, for nobody would hear them."""
    if run.transcript == "-":
        raise RulecError("standard input can be read only once", hint="name a file: its questions are answered later")
    named = replace(run, transcript=run.transcript and str(Path(run.transcript).absolute()))
    folder = place(top)
    known = saved(top)
    if known is None or replace(known, dry=named.dry) != named:
        gone = exchanged.keys(folder, STEPS) - exchanged.answered(folder)
        exchanged.forget(folder, gone)
        if gone:
            say(_taken_back(len(gone), known))
    state.write(top, _STATE, {key: value for key, value in asdict(named).items() if value is not False})


def _taken_back(many: int, known: Run | None) -> str:
    """Which questions are gone, for a person who may have begun to answer them."""
    about = "" if known is None else f" about {known.transcript or 'the sessions of this repository'}"
    gone = f"1 question{about} is" if many == 1 else f"{many} questions{about} are"
    return f"{gone} taken back: the run that begins now takes the place of that one"


def saved(top: Path) -> Run | None:
    """The run that is to be gone on with, None where there is none."""
    told = state.read(top, _STATE)
    if not isinstance(told, dict) or not all(isinstance(told.get(key, ""), str) for key in ("transcript", "reader")):
        return None
    return Run(
        transcript=told.get("transcript", ""), reader=told.get("reader", ""), dry=told.get("dry", False) is not False
    )


def resume(top: Path) -> Run:
    """What to run again; a refusal where nothing waits."""
    found = saved(top)
    if found is None:
        raise RulecError("nothing waits for answers here", hint="rulec ingest --backend exchange begins")
    return found


def closing(top: Path, talk: Talk) -> str:
    """The last line of a run: why it stopped asking, or what waits; "" where it awaits nothing, and is forgotten."""
    if talk.over:
        return talk.over.line
    if not talk.waits:
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
    """How many questions wait, or answers that nobody heard, and what to do; "" where there is neither."""
    begun = saved(top) is not None
    many, ours = waiting(top), waiting(top, STEPS) if begun else 0
    heard, mine = unheard(top), unheard(top, STEPS) if begun else 0
    lines = [_told(ours)] * bool(ours) + [_told(many - ours, _AGAIN)] * (many > ours)
    more = [_unheard(mine)] * bool(mine) + [_unheard(heard - mine, _AGAIN)] * (heard > mine)
    return "; ".join([*lines, *more])


def step(top: Path) -> str:
    """What to do next about them, "" where there are none."""
    if waiting(top):
        return "answer the questions"
    if not unheard(top):
        return ""
    return _ON if saved(top) and unheard(top, STEPS) else f"run {_AGAIN}"


_ON = "rulec ingest --continue"
_AGAIN = "the command that asked once more (rulec check, rulec test, rulec review)"


def _told(many: int, then: str = _ON) -> str:
    wait, them = ("1 prompt waits", "it") if many == 1 else (f"{many} prompts wait", "them")
    return f"{wait} in {PLACE}/{EXCHANGE}; answer {them} as its README says, then: {then}"


def _unheard(many: int, then: str = _ON) -> str:
    return f"{'1 answer was' if many == 1 else f'{many} answers were'} not heard yet: {then}"


def unheard(top: Path, steps: tuple[str, ...] = ()) -> int:
    """How many answers lie there: nobody ran the command that hears them, or they are of no form that it takes."""
    folder = place(top)
    there = exchanged.keys(folder, steps) & exchanged.answered(folder)
    return 0 if there and exchanged.brought(folder) else len(there)


def waiting(top: Path, steps: tuple[str, ...] = ()) -> int:
    """How many questions have no answer yet, of all steps or of some."""
    folder = place(top)
    open_ = exchanged.keys(folder, steps) - exchanged.answered(folder)
    return 0 if open_ and exchanged.brought(folder) else len(open_)


def place(top: Path) -> Path:
    """Where the questions lie."""
    return top / PLACE / EXCHANGE

"""A run whose questions wait in files for answers: started, saved, continued and closed."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulec.checks import template_library
from rulec.domain.prompt import ModelSettings
from rulec.errors import RulecError
from rulec.infra import state
from rulec.llm.conversation import Conversation
from rulec.llm.exchange_folder import (
    answered_keys,
    clear_exchange_folder,
    committed_problem,
    prompt_keys,
    remove_prompts,
)
from rulec.llm.model_settings import EXCHANGE_ROOT, choose_models
from rulec.rulebook.rulebook import Rulebook

if TYPE_CHECKING:
    from rulec.services.proposals.candidate_decision import DecisionOptions, Echo


def dropped_line(dropped: Iterable[str]) -> str:
    """One line about the parts of a model's answer that were ignored, "" for none."""
    found = list(dropped)
    more = f" (and {len(found) - 1} more)" * (len(found) > 1)
    return f"ignored in the model's answer: {found[0]}{more}" if found else ""


EXCHANGE = "exchange"
RUN_STEPS = ("mine", "challenge", "draft", "mend", "decide")  # of such a run; what judges are asked is another run's
_STATE = "exchange"  # in the git folder, where no agent's file can change what is run


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRun:
    """The arguments of ``rulec ingest --backend exchange`` that --continue repeats."""

    transcript: str = ""  # "" is every session of this repository
    reader: str = ""
    dry: bool = False  # it only says what it finds


def open_conversation(top: Path, book: Rulebook, options: "DecisionOptions", echo: "Echo") -> Conversation:
    """The conversation of a run that reads transcripts.

    A backend named on the command line must be usable; one from the settings may be missing.
    """
    chosen = choose_models(top, book, options.backend)
    render = template_library.open_library().render
    made = Conversation(top, chosen, render, echo, options.progress)
    if lacks := made.lacks():
        if options.backend:
            raise RulecError(f"{made.who} cannot be asked: {lacks}")
        echo(f"{made.who} cannot be asked, so only rulec itself reads: {lacks}")
        return Conversation(top, ModelSettings(), render, echo, options.progress)
    return made


def begin_run(top: Path, run: ExchangeRun, echo: "Echo") -> None:
    """Save the run, and delete the unanswered questions of an earlier one, because its answers would not be read."""
    if run.transcript == "-":
        raise RulecError(
            "standard input can be read only once",
            hint="save it to a file and name that: its questions are answered later",
        )
    named = replace(run, transcript=run.transcript and str(Path(run.transcript).absolute()))
    folder = exchange_folder(top)
    known = saved_run(top)
    if known is None or replace(known, dry=named.dry) != named:
        gone = prompt_keys(folder, RUN_STEPS) - answered_keys(folder)
        remove_prompts(folder, gone)
        if gone:
            echo(_withdrawn_line(len(gone), known))
    state.write_state(top, _STATE, {key: value for key, value in asdict(named).items() if value is not False})


def _withdrawn_line(many: int, known: ExchangeRun | None) -> str:
    """One line about questions that were deleted, for a person who may have begun to answer them."""
    about = "" if known is None else f" about {known.transcript or 'the sessions of this repository'}"
    gone = f"1 question{about} is" if many == 1 else f"{many} questions{about} are"
    return f"{gone} withdrawn: this run replaces the earlier one"


def saved_run(top: Path) -> ExchangeRun | None:
    """The run that --continue would continue, None for none."""
    saved = state.read_state(top, _STATE)
    if not isinstance(saved, dict) or not all(isinstance(saved.get(key, ""), str) for key in ("transcript", "reader")):
        return None
    return ExchangeRun(
        transcript=saved.get("transcript", ""), reader=saved.get("reader", ""), dry=saved.get("dry", False) is not False
    )


def resume_run(top: Path) -> ExchangeRun:
    """The run to continue; RulecError where none waits."""
    found = saved_run(top)
    if found is None:
        raise RulecError("no run waits for answers here", hint="start one with rulec ingest --backend exchange")
    return found


def closing_line(top: Path, chat: Conversation) -> str:
    """The last line of a run: why it stopped, or what waits; "" where nothing waits, and the run is forgotten."""
    if chat.over:
        return chat.over.line
    if not chat.waits:
        return ""
    folder = exchange_folder(top)
    stale = prompt_keys(folder, RUN_STEPS) - answered_keys(folder) - chat.open
    remove_prompts(folder, stale)
    if not prompt_keys(folder):
        clear_exchange_folder(folder)
    if not chat.open:
        state.remove_state(top, _STATE)
        return ""
    return _waiting_line(len(chat.open))


def exchange_pending_line(top: Path) -> str:
    """How many questions or unread answers wait and what to do, "" for none."""
    begun = saved_run(top) is not None
    many, own_unanswered = count_unanswered(top), count_unanswered(top, RUN_STEPS) if begun else 0
    unread, own_unread = count_unread(top), count_unread(top, RUN_STEPS) if begun else 0
    lines = [_waiting_line(own_unanswered)] * bool(own_unanswered) + [
        _waiting_line(many - own_unanswered, _RUN_AGAIN)
    ] * (many > own_unanswered)
    more = [_unread_line(own_unread)] * bool(own_unread) + [_unread_line(unread - own_unread, _RUN_AGAIN)] * (
        unread > own_unread
    )
    return "; ".join([*lines, *more])


def exchange_next_step(top: Path) -> str:
    """The next command for pending questions or answers, "" for none."""
    if count_unanswered(top):
        return "answer the questions"
    if not count_unread(top):
        return ""
    return _CONTINUE if saved_run(top) and count_unread(top, RUN_STEPS) else f"run {_RUN_AGAIN}"


_CONTINUE = "rulec ingest --continue"
_RUN_AGAIN = "the same command again (rulec check, rulec test, rulec review, rulec evolve or rulec plan FILE)"


def _waiting_line(many: int, then: str = _CONTINUE) -> str:
    wait, them = ("1 prompt waits", "it") if many == 1 else (f"{many} prompts wait", "them")
    return f"{wait} in {EXCHANGE_ROOT}/{EXCHANGE}; answer {them} as its README says, then: {then}"


def _unread_line(many: int, then: str = _CONTINUE) -> str:
    return f"{'1 answer was' if many == 1 else f'{many} answers were'} not read yet: {then}"


def count_unread(top: Path, steps: tuple[str, ...] = ()) -> int:
    """How many answers were not read yet."""
    folder = exchange_folder(top)
    there = prompt_keys(folder, steps) & answered_keys(folder)
    return 0 if there and committed_problem(folder) else len(there)


def count_unanswered(top: Path, steps: tuple[str, ...] = ()) -> int:
    """How many questions have no answer, of all steps or of some."""
    folder = exchange_folder(top)
    open_ = prompt_keys(folder, steps) - answered_keys(folder)
    return 0 if open_ and committed_problem(folder) else len(open_)


def exchange_folder(top: Path) -> Path:
    """The folder of the questions."""
    return top / EXCHANGE_ROOT / EXCHANGE

"""``rulec check``: artifacts + change -> verdicts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.commands import _asking, _personal, _ready
from rulec.commands._asking import NO_CHOICE, Choice
from rulec.commands._concerned import concerned
from rulec.commands._gate import Gate
from rulec.commands._outcome import CLEAN, Outcome
from rulec.commands._part import WHOLE, Part
from rulec.commands._progress import Progress, unwatched
from rulec.commands._ready import Trusted
from rulec.errors import RulecError
from rulec.host import bases, changes, git, journal, messages, seen, state, worktree
from rulec.model.change import Change
from rulec.model.finding import Verdict, gravest_first
from rulec.stages.message import message as git_makes


def staged(top: Path, form: str, complain: Callable[[str], None]) -> Outcome:
    """The index, judged by the rules of HEAD: a commit cannot weaken the gate it has to pass.

    What belongs together came with the commits that a merge joins. The person's own rules are asked beside them.
    """
    if journal.unfinished(top):  # the index may hold the rules of before, and this commit would take the new ones back
        raise RulecError("a rulec was ended while it wrote", where=str(top), hint="run rulec, then commit again")
    change = changes.staged(top)
    if any(path.startswith(f"{worktree.RULES}/") for file in change.files for path in (file.path, file.old_path)):
        from rulec.commands import _current  # noqa: PLC0415 - 50 ms of rule files and templates

        _current.hold(top, change)
    trusted = _ready.trusted(top)
    own = _personal.checks(top, worktree.compiled(trusted.texts), complain)
    beside = [*_weakened(top, change), *_waived(top, trusted, change)]
    ask = partial(_asking.at_commit, top, say=complain)
    gate = Gate(form=form, whole=not git.merging(top), noted=top, own=own, beside=beside, ask=ask)
    outcome = gate.judge(trusted, change)
    _ready.keep(top, trusted)
    if outcome.code == CLEAN:
        seen.note(top, [change.mark], trusted.tree)
    return outcome


def _waived(top: Path, trusted: Trusted, change: Change) -> list[Verdict]:
    """What an agent's turn was let end without; hardly ever is any of that open."""
    if not state.place(top, "waived").exists():
        return []
    from rulec.commands import _waived  # noqa: PLC0415 - as above

    return _waived.verdicts(top, trusted.artifacts(), change)


def since(
    top: Path, base: str, form: str, part: Part = WHOLE, progress: Progress = unwatched, *, choice: Choice = NO_CHOICE
) -> Outcome:
    """What HEAD adds to a base revision, judged by the rules of the base."""
    revision = bases.commit(top, base)
    trusted, change = Trusted(worktree.compiled_at(top, revision)), changes.since(top, revision)
    from rulec.commands import _commit_messages  # noqa: PLC0415 - the gates on this machine see one message each

    beside: list[Verdict] = []
    if part.number == 1:
        beside = [*_weakened(top, change, revision), *_commit_messages.since(top, revision, trusted.artifacts(), "ci")]
    ask = partial(_asking.in_ci, top, revision, choice=choice, progress=progress)
    said = partial(_commit_messages.said, top, revision)
    gate = Gate(form=form, environment="ci", part=part, progress=progress, beside=beside, ask=ask, said=said)
    outcome = gate.judge(trusted, change)
    if outcome.code == CLEAN and part == WHOLE:
        seen.note_since(top, revision)
    return outcome


def _weakened(top: Path, change: Change, base: str = "") -> list[Verdict]:
    """What the change takes from the gate itself; hardly a commit comes near, and the rest pays for nothing."""
    if not concerned(change):
        return []
    from rulec.commands import _approved  # noqa: PLC0415 - 100 ms of rule files and templates

    return _approved.since(top, base, change) if base else _approved.staged(top, change)


def at_hand(
    top: Path, paths: Sequence[str], form: str, part: Part = WHOLE, progress: Progress = unwatched,
    *, choice: Choice = NO_CHOICE,
) -> Outcome:  # fmt: skip
    """Files as they stand in the work tree, judged by the work tree's rules; of judges those named one by one."""
    trusted, change = Trusted(worktree.compiled_at_hand(top)), changes.at_hand(top, paths)
    folders = any(Path(path).is_dir() for path in paths) and not choice.backend
    ask = partial(_asking.at_hand, top, choice=choice, progress=progress, folders=folders)
    return Gate(form=form, whole=False, part=part, progress=progress, at_hand=top, ask=ask).judge(trusted, change)


def message(top: Path, path: str, form: str, complain: Callable[[str], None]) -> Outcome:
    """A commit message, judged by the rules of HEAD, and the change too where no gate has seen it yet."""
    change, warned = changes.staged(top), []
    trusted = _ready.trusted(top)
    # a merge without conflicts runs no pre-commit, and another hook may restage
    if not seen.passed(top, change.mark, trusted.tree):
        before = staged(top, form, complain)
        if before.code:
            return before
        warned = [one for one in before.data[0] if one.outcome == "warn"]
    said = messages.written(top, Path(path))
    text = git_makes(said.text, edited=said.edited, strips=said.strips, comment=said.comment)
    change = replace(change, message=text)
    own = _personal.checks(top, worktree.compiled(trusted.texts), complain)
    ask = partial(_asking.at_commit, top, say=complain)
    outcome = Gate(form=form, only_message=True, noted=top, own=own, ask=ask).judge(trusted, change)
    if warned:
        verdicts, counts = outcome.data
        verdicts = gravest_first([*warned, *verdicts])
        return Outcome(registry.reporter(form).report(verdicts, counts), outcome.code, (verdicts, counts))
    return outcome

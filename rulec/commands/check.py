"""``rulec check``: artifacts + change -> verdicts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.commands import _asking, _personal, _ready
from rulec.commands._asking import NO_WISH, Asking, Judged, Wish
from rulec.commands._concerned import concerned
from rulec.commands._judge import at_commit, facts_of, judge, theirs
from rulec.commands._observe import weight
from rulec.commands._outcome import CLEAN, FINDINGS, Outcome
from rulec.commands._part import WHOLE, Part
from rulec.commands._progress import Progress, unwatched
from rulec.commands._ready import Trusted
from rulec.errors import RulecError
from rulec.host import bases, changes, git, journal, ledger, messages, seen, state, worktree
from rulec.model.artifact import Artifact, compiled_from, of_judge
from rulec.model.change import Change
from rulec.model.finding import Verdict, gravest_first
from rulec.stages.message import message as git_makes

Ask = Callable[[Sequence[Artifact]], Asking | None]  # whether some judges are asked here, and of whom


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
    outcome = _judge(trusted, change, form, whole=not git.merging(top), noted=top, own=own, beside=beside, ask=ask)
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
    top: Path, base: str, form: str, part: Part = WHOLE, progress: Progress = unwatched, *, wish: Wish = NO_WISH
) -> Outcome:
    """What HEAD adds to a base revision, judged by the rules of the base."""
    revision = bases.commit(top, base)
    trusted, change = Trusted(worktree.compiled_at(top, revision)), changes.since(top, revision)
    from rulec.commands import _commit_messages  # noqa: PLC0415 - the gates on this machine see one message each

    beside: list[Verdict] = []
    if part.number == 1:
        beside = [*_weakened(top, change, revision), *_commit_messages.since(top, revision, trusted.artifacts(), "ci")]
    ask = partial(_asking.in_ci, top, revision, wish=wish, progress=progress)
    said = partial(_commit_messages.said, top, revision)
    outcome = _judge(
        trusted, change, form, environment="ci", part=part, progress=progress, beside=beside, ask=ask, said=said
    )
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
    *, wish: Wish = NO_WISH,
) -> Outcome:  # fmt: skip
    """Files as they stand in the work tree, judged by the work tree's rules; of judges those named one by one."""
    trusted, change = Trusted(worktree.compiled_at_hand(top)), changes.at_hand(top, paths)
    folders = any(Path(path).is_dir() for path in paths) and not wish.backend
    ask = partial(_asking.at_hand, top, wish=wish, progress=progress, folders=folders)
    return _judge(trusted, change, form, whole=False, part=part, progress=progress, at_hand=top, ask=ask)


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
    outcome = _judge(trusted, change, form, only_message=True, noted=top, own=own, ask=ask)
    if warned:
        verdicts, counts = outcome.data
        verdicts = gravest_first([*warned, *verdicts])
        return Outcome(registry.reporter(form).report(verdicts, counts), outcome.code, (verdicts, counts))
    return outcome


def _judge(
    trusted: Trusted, change: Change, form: str, *, only_message: bool = False, whole: bool = True,
    noted: Path | None = None, environment: str = "local", own: _personal.Checks = _personal.NONE,
    part: Part = WHOLE, progress: Progress = unwatched, beside: Sequence[Verdict] = (), at_hand: Path | None = None,
    ask: Ask = lambda _: None, said: Callable[[], Mapping[str, str]] = dict,
) -> Outcome:  # fmt: skip
    """The verdicts as a person reads them; files that are no ``whole`` change lack what they came with."""
    every = [*trusted.artifacts(), *own.artifacts]
    artifacts, judges = at_commit(every, whole=whole), [one for one in every if of_judge(one)]
    asking = ask(judges) if judges else None
    looked_at = replace(theirs(change), environment=environment)
    here = part.of_change(looked_at)
    with progress("checking", sum(map(weight, here.files))) as tick:
        verdicts = judge(artifacts, looked_at, only_message=only_message, part=part, tick=tick)
    asked = Judged()
    if asking:
        asked = _asked(judges, replace(looked_at, files=()) if only_message else looked_at, asking, part, said)
        artifacts, verdicts = [*artifacts, *judges], [*verdicts, *asked.verdicts]
    if verdicts:
        from rulec.commands import _suppressed  # noqa: PLC0415 - most changes have no finding, and pay for none

        verdicts = _suppressed.heeded(verdicts, looked_at, trusted.texts, at_hand, beside)
    verdicts = gravest_first([*beside, *verdicts])
    if noted:
        slugs = {compiled_from(artifact.path) for artifact in artifacts} - own.slugs - asked.unheard
        paths = [""] if only_message else [f.path for f in looked_at.files if f.content is not None or f.status == "D"]
        team = [verdict for verdict in verdicts if verdict.facts.slug not in own.slugs]
        ledger.note(noted, "commit", team, paths=paths, slugs=slugs)
        verdicts = own.marked(verdicts)
    unread = sum(f.content is None and f.status != "D" for f in here.files)
    counts = {"files": len(here.files), "rules": len(facts_of(artifacts)), "unread": unread, **asked.counts}
    text = registry.reporter(form).report(verdicts, counts)
    code = FINDINGS if any(verdict.outcome == "block" for verdict in verdicts) else 0
    return Outcome(text, code, (verdicts, counts))


def _asked(
    judges: Sequence[Artifact], change: Change, asking: Asking, part: Part, said: Callable[[], Mapping[str, str]]
) -> Judged:
    """What judges say of a change, and how many were not heard."""
    from rulec.commands import _judged  # noqa: PLC0415 - hardly a commit asks a model

    facts_of(judges)  # a damaged one is told before anything is paid for
    messages = said() if part.number == 1 and any(map(_judged.of_message, judges)) else {}
    return _judged.judged(judges, change, asking, part, messages)

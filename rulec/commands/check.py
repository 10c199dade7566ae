"""``rulec check``: artifacts + change -> verdicts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _current, _personal
from rulec.commands._judge import at_commit, facts_of, judge, theirs
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.host import changes, git, journal, ledger, worktree
from rulec.model.artifact import COMPILED
from rulec.model.change import Change
from rulec.stages.message import message as git_makes


def staged(top: Path, form: str, complain: Callable[[str], None]) -> Outcome:
    """The index, judged by the rules of HEAD: a commit cannot weaken the gate it has to pass.

    What belongs together came with the commits that a merge joins. The person's own rules are asked beside them.
    """
    if journal.unfinished(top):  # the index may hold the rules of before, and this commit would take the new ones back
        raise RulecError("a rulec was ended while it wrote", where=str(top), hint="run rulec, then commit again")
    change = changes.staged(top)
    _current.hold(top, change)
    trusted = _trusted(top)
    own = _personal.checks(top, worktree.compiled(trusted), complain)
    return _judge(trusted, change, form, whole=not git.merging(top), noted=top, own=own)


def _trusted(top: Path) -> Mapping[str, str]:
    """The artifacts of HEAD; where it has none (a first commit, an orphan branch), those that are about to be."""
    head = git.head(top)
    return (worktree.compiled_at(top, head) if head else {}) or git.files_in_index(top, COMPILED)


def since(top: Path, base: str, form: str) -> Outcome:
    """What HEAD adds to a base revision, judged by the rules of the base."""
    revision = git.commit_of(top, base)
    return _judge(worktree.compiled_at(top, revision), changes.since(top, revision), form, environment="ci")


def at_hand(top: Path, paths: Sequence[str], form: str) -> Outcome:
    """Files as they stand in the work tree, judged by the work tree's rules."""
    return _judge(worktree.compiled_at_hand(top), changes.at_hand(top, paths), form, whole=False)


def message(top: Path, path: str, form: str, complain: Callable[[str], None]) -> Outcome:
    """A commit message, judged by the rules of HEAD."""
    text = git_makes(worktree.text(Path(path)), edited=git.cleans_messages(top), comment=git.comment_char(top))
    trusted, change = _trusted(top), replace(changes.staged(top), message=text)
    own = _personal.checks(top, worktree.compiled(trusted), complain)
    return _judge(trusted, change, form, only_message=True, noted=top, own=own)


def _judge(
    trusted: Mapping[str, str], change: Change, form: str, *, only_message: bool = False, whole: bool = True,
    noted: Path | None = None, environment: str = "local", own: _personal.Checks = _personal.NONE,
) -> Outcome:  # fmt: skip
    """The verdicts as a person reads them; files that are no ``whole`` change lack what they came with."""
    artifacts = at_commit([*worktree.compiled(trusted), *own.artifacts], whole=whole)
    looked_at = replace(theirs(change), environment=environment)
    verdicts = judge(artifacts, looked_at, only_message=only_message)
    if noted:
        ledger.note(noted, "commit", [verdict for verdict in verdicts if verdict.facts.slug not in own.slugs])
        verdicts = own.marked(verdicts)
    unread = sum(f.content is None and f.status != "D" for f in looked_at.files)
    counts = {"files": len(looked_at.files), "rules": len(facts_of(artifacts)), "unread": unread}
    text = registry.reporter(form).report(verdicts, counts)
    return Outcome(text, FINDINGS if any(verdict.outcome == "block" for verdict in verdicts) else 0)

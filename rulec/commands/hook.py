"""``rulec hook``: git hooks without pre-commit, and out again."""

from pathlib import Path

from rulec.commands import _hooks
from rulec.commands._hooks import COMMIT, FRAMEWORKS, MESSAGE, PUSH
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.emitters.pre_commit import LAUNCHER, PATH
from rulec.errors import RulecError
from rulec.host import hooks, journal, seen, state, worktree


def install(top: Path, *, push: bool) -> Outcome:
    """Hooks at the commit and its message, and with ``push`` before a push; twice changes nothing."""
    if not worktree.exists(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    wanted = [COMMIT, MESSAGE, PUSH] if push else [COMMIT, MESSAGE]
    with journal.lock(top):
        state.record_python(top)
        seen.begin(top)
        folder = hooks.elsewhere(top)
        if folder:
            return Outcome(_hooks.by_hand(folder, wanted), FINDINGS)
        there = {name: whose for name in wanted if (whose := _framework(top, name))}
        done = _hooks.install(top, [name for name in wanted if name not in there])
    done += [f"left {name} to {whose}, which runs rulec by {PATH}" for name, whose in there.items()]
    return Outcome("\n".join(done) or "everything is in place")


def _framework(top: Path, name: str) -> str:
    """Which of the two, pre-commit or prek, runs rulec at that hook already, "" for none."""
    whose = hooks.hook(top, name).whose
    named = LAUNCHER in worktree.present(top, [PATH]).get(PATH, "")
    return whose if whose in FRAMEWORKS and named else ""


def uninstall(top: Path) -> Outcome:
    """Take out what install put in; what stood there before is put back."""
    with journal.lock(top):
        done = _hooks.uninstall(top)
    return Outcome("\n".join(done) or "no git hook of rulec's is here")

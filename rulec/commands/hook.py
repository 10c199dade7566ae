"""``rulec hook``: git hooks without pre-commit, and out again."""

from pathlib import Path

from rulec.commands import _hooks
from rulec.commands._hooks import COMMIT, FRAMEWORKS, MESSAGE, PUSH
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.emitters import pre_commit
from rulec.emitters.pre_commit import PATH
from rulec.errors import RulecError
from rulec.host import hooks, journal, seen, state, worktree
from rulec.model.artifact import LAUNCHER


def install(top: Path, *, push: bool, instead: bool = False) -> Outcome:
    """Hooks at the commit and its message, and with ``push`` before a push; twice changes nothing.

    ``instead`` takes the place of pre-commit's hooks, too, which run first if they run anything but rulec.
    """
    if not worktree.exists(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init, which puts up git hooks, too")
    wanted = [COMMIT, MESSAGE, PUSH] if push else [COMMIT, MESSAGE]
    with journal.lock(top):
        state.record_python(top)
        seen.begin(top)
        folder = hooks.elsewhere(top)
        if folder:
            return Outcome(_hooks.by_hand(folder, wanted), FINDINGS)
        there = {name: whose for name in wanted if (whose := _framework(top, name))}
        replaced, there = (list(there), {}) if instead else ([], there)
        done = _hooks.install(top, [name for name in wanted if name not in there])
        if replaced and not pre_commit.others(worktree.present(top, [PATH]).get(PATH, "")):
            for hook in (hooks.hook(top, name) for name in replaced):
                hooks.rest(hook)
                done.append(f"put {hook.kept.name} to rest: it runs nothing but rulec")
    done += [
        f"left {name} to {whose}, which runs rulec by {PATH} (--instead takes its place)"
        for name, whose in there.items()
    ]
    return Outcome("\n".join(done) or "everything is in place")


def _framework(top: Path, name: str) -> str:
    """Which of the two, pre-commit or prek, runs rulec at that hook already, "" for none."""
    whose = hooks.hook(top, name).whose
    named = LAUNCHER in worktree.present(top, [PATH]).get(PATH, "")
    return whose if whose in FRAMEWORKS and named else ""


def let_run(top: Path) -> Outcome:
    """Let git run again the hooks by which rulec runs and that nobody may execute any more."""
    done = []
    with journal.lock(top):
        for hook in (hooks.hook(top, name) for name in _hooks.RUNS):
            if hook.whose in ("rulec", *FRAMEWORKS) and not hook.runs:
                hooks.let_run(hook)
                done.append(f"{hook.name} is executable again")
    return Outcome("\n".join(done))


def uninstall(top: Path) -> Outcome:
    """Take out what install put in; what stood there before is put back."""
    with journal.lock(top):
        done = _hooks.uninstall(top)
    return Outcome("\n".join(done) or "no git hook of rulec's is here")

"""rulec's own git hooks, which need neither pre-commit nor anything of the work tree."""

from collections.abc import Sequence
from pathlib import Path

from rulec.commands import _build
from rulec.host import hooks
from rulec.model.artifact import LAUNCHER

COMMIT, MESSAGE, PUSH = "pre-commit", "commit-msg", "pre-push"
RUNS = {COMMIT: "check --staged", MESSAGE: 'check --message "$1"', PUSH: 'hook pushed "$1"'}
FRAMEWORKS = hooks.FRAMEWORKS


def text(top: Path, name: str) -> str:
    """What our hook of that name says."""
    return _build.library(top).render("emit/git_hook.sh.j2", {"name": name, "kept": hooks.KEPT, "run": RUNS[name]})


def install(top: Path, names: Sequence[str]) -> list[str]:
    """Put our hooks in place; what was done, in a line each, nothing where all stands already."""
    done = []
    for name in names:
        hook, wanted = hooks.hook(top, name), text(top, name)
        if hook.whose == "rulec" and hook.runs and hooks.text(hook) == wanted:
            continue
        hooks.put(hook, wanted)
        first = f", which runs {hook.kept.name} first" if hook.kept.exists() else ""
        done.append(f"installed {name}{first}")
    return done


def uninstall(top: Path) -> list[str]:
    """Take ours out, and put back what stood there before; what was done."""
    done = []
    for name in RUNS:
        hook = hooks.hook(top, name)
        restored = hooks.back(hook)
        if hook.whose == "rulec" or restored:
            done.append(f"uninstalled {name}" + ", and put back what stood there before" * restored)
        elif hook.kept.exists():
            done.append(f"kept {hook.kept}: another hook has taken the place of ours")
    return done


def by_hand(folder: str, names: Sequence[str]) -> str:
    """What to add where the hooks are somebody else's to write."""
    launcher = f"sh {LAUNCHER}"
    lines = [f"  to {name + ':':<12} {launcher} {RUNS[name]}\n" for name in names]
    return (
        f"core.hooksPath is {folder} (husky?), so no git hook was installed and commits are not gated yet; add there\n"
        + "".join(lines).rstrip("\n")
    )

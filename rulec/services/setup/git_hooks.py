"""rulec's own git hooks, which need no pre-commit: installed, repaired, removed."""

from collections.abc import Sequence
from pathlib import Path

from rulec.compiling.launcher import git_hook
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.gates import passed_changes
from rulec.infra import journal, text_files
from rulec.infra.git import git_session, hook_scripts
from rulec.infra.git.hook_scripts import RUNS
from rulec.infra.rulebooks import rulebook_files
from rulec.integrations.targets import pre_commit
from rulec.integrations.targets.pre_commit import PATH
from rulec.services import gates_here, hook_trials, recorded_rulec


def put_hooks(top: Path, names: Sequence[str]) -> list[str]:
    """Install the hooks; a line for each change, none where all is in place."""
    done, hooks = [], hook_scripts.read_hooks(top)
    for name in names:
        hook, wanted = hooks[name], git_hook(top, name)
        if hook.whose == "rulec" and hook.runs and hook_scripts.read_hook_text(hook) == wanted:
            continue
        hook_scripts.write_hook(hook, wanted)
        first = f", which runs {hook.kept.name} first" if hook.kept.exists() else ""
        done.append(f"installed {name}{first}")
    return done


def take_hooks_out(top: Path) -> list[str]:
    """Remove the hooks and restore the earlier ones; a line for each change."""
    done = []
    for name, hook in hook_scripts.read_hooks(top).items():
        restored = hook_scripts.restore_hook(hook)
        if hook.whose == "rulec" or restored:
            done.append(f"uninstalled {name}" + ", and put back what stood there before" * restored)
        elif hook.kept.exists():
            done.append(f"kept {hook.kept}: another hook is there now")
    return done


def manual_instructions(top: Path, folder: str) -> str:
    """What to add by hand where another tool owns the hooks folder; "" where its hooks run rulec, as a trial showed."""
    hook_trials.try_hooks(top)
    hooks = gates_here.gates_here(top, rulebook_files.load_rulebook(top)).hooks.values()
    lines = [f"  {gate.lacks}; {gate.cure}" for gate in hooks if gate.lacks]
    told = f"core.hooksPath is {folder}, so no git hook was installed, and these gates are missing:"
    return "\n".join([told, *lines]) if lines else ""


def install_git_hooks(top: Path, *, instead: bool = False) -> Outcome:
    """Hooks at the commit, its message and a push; twice changes nothing.

    ``instead`` takes the place of pre-commit's hooks, too, which run first if they run anything but rulec.
    """
    if not rulebook_files.has_rulebook(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init, which also installs git hooks")
    with journal.write_lock(top):
        recorded = recorded_rulec.put_launcher(top, rulebook_files.load_rulebook(top).config)
        passed_changes.begin_record(top)
        folder = hook_scripts.foreign_hooks_folder(top, git_session.hooks_dir(top))
        if folder:
            told = manual_instructions(top, folder)
            return Outcome(told or f"the hooks in {folder} run rulec", FINDINGS if told else 0)
        there = {} if instead else _left_to_frameworks(top)
        done = recorded + put_hooks(top, [name for name in RUNS if name not in there])
        if instead and not pre_commit.has_other_hooks(text_files.read_existing(top, [PATH]).get(PATH, "")):
            done += [
                f"put {hook.kept.name} out of use: it runs nothing but rulec"
                for hook in hook_scripts.read_hooks(top).values()
                if hook_scripts.disable_kept_hook(hook)
            ]
    done += [
        f"left {name} to {whose}, which runs rulec by {PATH} (--instead takes its place)"
        for name, whose in there.items()
    ]
    return Outcome("\n".join(done) or "everything is in place")


def _left_to_frameworks(top: Path) -> dict[str, str]:
    """The hooks in which pre-commit or prek runs rulec, and which of the two does."""
    if not pre_commit.runs_rulec(text_files.read_existing(top, [PATH]).get(PATH, "")):
        return {}
    hooks = hook_scripts.read_hooks(top).items()
    return {name: hook.whose for name, hook in hooks if hook.whose in hook_scripts.FRAMEWORKS}


def make_hooks_executable(top: Path) -> Outcome:
    """Make hooks that run rulec executable again."""
    with journal.write_lock(top):
        return Outcome("\n".join(chmod_hooks(top)))


def chmod_hooks(top: Path) -> list[str]:
    """Do it where the lock is held; a line for each hook."""
    found = hook_scripts.read_hooks(top).values()
    mended = [one for one in found if one.whose in ("rulec", *hook_scripts.FRAMEWORKS) and not one.runs]
    for hook in mended:
        hook_scripts.make_executable(hook)
    return [f"{hook.name} is executable again" for hook in mended]


def uninstall_git_hooks(top: Path) -> Outcome:
    """Remove what install wrote, and restore the earlier hooks."""
    with journal.write_lock(top):
        done = take_hooks_out(top)
    return Outcome("\n".join(done) or "no git hook of rulec's is here")

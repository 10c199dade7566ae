"""The git hooks in place, what they say to a bad and a good commit, and commits that went past them."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec.domain.artifact import LAUNCHER
from rulec.gates import passed_changes
from rulec.infra import state, text_files
from rulec.infra.git import commit_changes, git_contents, git_session, hook_scripts
from rulec.integrations.targets import pre_commit
from rulec.integrations.targets.pre_commit import PATH
from rulec.rulebook.rulebook import Rulebook
from rulec.services.doctor import commit_probe
from rulec.services.doctor.sign import Sign
from rulec.services.setup import git_hooks

_ALIASES_SHOWN = 60  # characters of what a name stands for
# what leaves git's hooks out: the long flag however short it is written, the short one of a commit, another folder
_AROUND = re.compile(
    r"(?<!\S)--no-ver\w*|\bcommit\b(?:\s+[^\s;&|]+){0,9}?\s+-[aeiopqsv]{0,9}n[a-z]*(?!\S)|(?i:core\.hookspath=)"
)


def alias_signs(top: Path) -> Iterator[Sign]:
    """Each alias that makes commits around the hooks, wherever it is set."""
    told = git_session.run_git(top, "config", "--show-scope", "-z", "--get-regexp", r"^alias\.").text.split("\0")
    for scope, entry in zip(told[::2], told[1::2], strict=False):
        name, _, value = entry.partition("\n")
        if _AROUND.search(value):
            flag = f"--{scope} " if scope in ("global", "system", "worktree") else ""
            what = f"git {name.removeprefix('alias.')} goes around the gate: {name} is {value[:_ALIASES_SHOWN]!r}"
            yield Sign(what, f"git config {flag}--unset {name}")


_SHOWN = 5  # commits that are named
_LONGEST = 60  # characters of a subject
_THEIRS = frozenset(["pre_commit", "cfgv", "identify", "nodeenv", "virtualenv", "yaml", "platformdirs", "filelock"])
_ODD = re.compile("[\udc80-\udcff]")  # a byte of a name that is no UTF-8
HOOK, INIT = "run rulec hook install", "run rulec init"


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """The hooks in place, then what they do, then what went past them."""
    found = {name: hook_scripts.read_hook(top, name) for name in git_hooks.RUNS}
    own = [name for name, hook in found.items() if hook.whose == "rulec"]
    folder = hook_scripts.foreign_hooks_folder(top)
    if folder and ("pre-commit" in book.config.emitters or hook_scripts.are_hooks_left(top, list(found))):
        yield from _elsewhere(top, folder, git_session.hooks_dir(top))
    elif not own and "pre-commit" not in book.config.emitters:
        yield Sign("no git hook of rulec's here: commits meet the rules in CI alone (rulec hook install)")
    else:
        for name in dict.fromkeys([git_hooks.COMMIT, git_hooks.MESSAGE, *own]):
            yield _in_place(top, found[name], (HOOK, "hook") if own else (INIT, "init"))
        yield from _shadows(top, found[git_hooks.COMMIT])
        yield from _resting(top, [found[name] for name in own])
        yield from _odd_names(top, found[git_hooks.COMMIT])
        yield from _finds_rulec(top, (HOOK, "hook") if own else (INIT, "init"))
        yield from commit_probe.commit_signs(top, book, _line(top, found[git_hooks.COMMIT]))
    yield from alias_signs(top)
    yield from _commits_past_the_gate(top)


def _in_place(top: Path, hook: hook_scripts.HookFile, cure: tuple[str, str]) -> Sign:
    what = f"git hook {hook.name}"
    if hook.whose in ("", "somebody"):
        return Sign(f"{what} is missing" if not hook.whose else f"{what} is not rulec's", *cure)
    if not hook.runs:
        return Sign(f"{what} is not executable, so git passes it over", f"chmod +x {hook.place}", "chmod")
    if hook.whose == "rulec" and hook_scripts.read_hook_text(hook) != git_hooks.hook_text(top, hook.name):
        return Sign(f"{what} is not as this rulec writes it", HOOK, "hook")
    return Sign(f"{what} is installed" + (f" by {hook.whose}" if hook.whose != "rulec" else ""))


def _elsewhere(top: Path, configured: str, folder: Path) -> Iterator[Sign]:
    if folder.exists() and not folder.is_dir():
        scope = git_session.run_git(top, "config", "--show-scope", "--get", "core.hooksPath").text.partition("\t")[0]
        flag = f"--{scope} " if scope in ("global", "system", "worktree") else ""
        yield Sign(f"core.hooksPath is {configured}, so no hook runs", f"git config {flag}--unset core.hooksPath")
        return
    for name in (git_hooks.COMMIT, git_hooks.MESSAGE):
        place = folder / name
        runs = place.is_file() and b"rulec" in place.read_bytes()
        cure = f"add: sh {LAUNCHER} {git_hooks.RUNS[name]}"
        yield Sign(f"{configured}/{name} {'runs' if runs else 'does not run'} rulec", "" if runs else cure)


def _shadows(top: Path, hook: hook_scripts.HookFile) -> Iterator[Sign]:
    """pre-commit starts where the repository's own modules come before its own."""
    if hook.whose != "pre-commit":
        return
    names = _THEIRS | sys.stdlib_module_names
    paths = [*sorted(top.glob("*.py")), *(path.parent for path in sorted(top.glob("*/__init__.py")))]
    for path in paths:
        if path.stem in names:
            cure = "rename it, or let rulec hook install take pre-commit's place"
            yield Sign(f"{path.name} stands in for a module of pre-commit's, so its hook may do nothing", cure)


def _resting(top: Path, own: Sequence[hook_scripts.HookFile]) -> Iterator[Sign]:
    """pre-commit's hooks that rest since they ran nothing but rulec, and people have added some since."""
    text = text_files.read_existing(top, [PATH]).get(PATH, "")
    for kept in (
        one.kept for one in own if one.kept.is_file() and hook_scripts.hook_owner(one.kept) in hook_scripts.FRAMEWORKS
    ):
        if not kept.stat().st_mode & 0o111 and pre_commit.has_other_hooks(text):
            yield Sign(f"{PATH} has hooks that do not run: {kept.name} rests", f"chmod +x {kept}")


def _odd_names(top: Path, hook: hook_scripts.HookFile) -> Iterator[Sign]:
    """Names that are no UTF-8, which pre-commit reads them as."""
    odd = [path for path in git_contents.tracked_paths(top) if not path.isprintable() and _ODD.search(path)]
    if odd and hook.whose == "pre-commit":
        named = ", ".join(repr(os.fsencode(path))[1:] for path in odd[:_SHOWN])
        yield Sign(f"pre-commit takes no commit of {named}: the name is no UTF-8", f"rename it, or {HOOK} --instead")


def _finds_rulec(top: Path, cure: tuple[str, str]) -> Iterator[Sign]:
    recorded = state.state_dir(top) / state.PYTHON_FILE
    python = recorded.read_text("utf-8", "replace").strip() if recorded.is_file() else ""
    if python and not Path(python).is_file():
        yield Sign(f"{recorded} names {python}, which is gone", *cure)
        return
    found = bool(shutil.which("rulec")) or bool(python)
    yield Sign("git hooks find rulec") if found else Sign("git hooks do not find rulec", *cure)


def _line(top: Path, hook: hook_scripts.HookFile) -> Sequence[str]:
    """What that hook starts of ours; nothing that stands beside it is run."""
    if hook.whose == "rulec":
        return (sys.executable, "-E", "-P", "-m", "rulec", "check", "--staged")
    return ("sh", str(top / LAUNCHER), "check", "--staged")


def _commits_past_the_gate(top: Path) -> Iterator[Sign]:
    """The commits of this clone that no gate has seen."""
    if git_session.head_commit(top) is None or not passed_changes.has_record(top):
        return
    made = passed_changes.local_commits(top)
    past = list(passed_changes.unseen_commits(top, made))
    if not past:
        told = "1 commit made here since the gates are up, and a gate has seen it"
        many = f"{len(made)} commits made here since the gates are up, and gates have seen all of them"
        yield Sign(told if len(made) == 1 else many)
        return
    named = [f"{one.id[:10]} {one.subject[:_LONGEST]!r}" for one in commit_changes.commits_by_id(top, past[:_SHOWN])]
    more = f" and {len(past) - _SHOWN} more" * (len(past) > _SHOWN)
    many = f"{len(past)} commits" if len(past) > 1 else "1 commit"
    first = f"{past[-1][:10]}~"
    cure = f"rulec check --base {first} judges what they brought, rulec approve {first}..HEAD lets them be"
    yield Sign(f"{many} that no gate has seen: {', '.join(named)}{more}", cure)

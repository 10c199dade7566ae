"""What git's hooks really do: each is run with a bad commit in a scratch copy, and its answer is kept until it changes.

Only a hook is run that git would run here and that speaks of rulec, by itself or in what it starts.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.agents.protocol.agent_spec import all_agents
from rulec.checkout.rules_layout import LAUNCHER, LAUNCHER_COPY, RECORD
from rulec.compiling.launcher import git_hook
from rulec.infra import state, text_files
from rulec.infra.git import git_session, hook_scripts
from rulec.infra.git.hook_scripts import HookFile
from rulec.infra.processes import ToolResult
from rulec.infra.scratch_repositories import ScratchRepository
from rulec.integrations.targets import pre_commit
from rulec.services.hook_events import BAD, FILE, PROBED, probe_clone
from rulec.services.recorded_rulec import recorded

DROPS_ANSWER = "lets pass what rulec refuses in it"
_KEPT = "hook-trials"
_LARGEST = 200_000  # bytes of a file that is copied beside the scratch repository's
_MESSAGE = ".git/COMMIT_EDITMSG"
_BRANCH = "refs/heads/rulec-doctor"
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Trial:
    """How a hook answered a bad commit: ``lacks`` is "" where rulec refused it; ``known`` is whether it can be told."""

    lacks: str = ""
    known: bool = True


UNTRIED = Trial("nobody tried it since it changed", known=False)


def is_as_written(top: Path, hook: HookFile) -> bool:
    """Whether a hook is rulec's own, word for word, so that nothing else decides what it does."""
    return hook.whose == "rulec" and hook_scripts.read_hook_text(hook) == git_hook(top, hook.name)


def past_trial(top: Path, hook: HookFile) -> Trial:
    """How that hook answered when it was tried last; ``UNTRIED`` where something changed since."""
    kept = state.read_state(top, _KEPT)
    found = kept.get(hook.name) if isinstance(kept, dict) and kept.get("of") == _digest(top) else None
    return Trial(str(found[0]), bool(found[1])) if isinstance(found, list) else UNTRIED


def try_hooks(top: Path) -> None:
    """Try each hook that is not rulec's own and may run it, and keep the answers."""
    hooks = [hook for hook in hook_scripts.read_hooks(top).values() if hook.whose and not is_as_written(top, hook)]
    asking = [hook for hook in hooks if hook.runs and hook_scripts.who_speaks_of_rulec(top, hook)]
    if not asking or all(past_trial(top, hook) != UNTRIED for hook in asking):
        return
    answers: dict[str, Any] = {}
    with probe_clone(top) as scratch:
        lay_beside(top, scratch)
        for hook in asking:
            tried = _try(top, scratch, hook)
            answers[hook.name] = [tried.lacks, tried.known]
    state.write_state(top, _KEPT, {**answers, "of": _digest(top)})


def hook_command(hook: HookFile, *words: str) -> Sequence[str]:
    """The command that runs a hook as git does: one that begins with no ``#!`` is a shell script."""
    return ("sh", "-c", 'exec "$0" "$@"', str(hook.place), *words)


def hook_environment(top: Path) -> Mapping[str, str]:
    """What a hook of pre-commit's or prek's needs so that it runs rulec and none of the others."""
    others = pre_commit.other_hooks(text_files.read_start(top, pre_commit.PATH))
    skipped = ",".join(filter(None, [os.environ.get("SKIP", ""), *others]))
    return {"SKIP": skipped} if skipped else {}


def lay_beside(top: Path, scratch: ScratchRepository) -> None:
    """Give a scratch repository what a hook may need of the work tree: settings, scripts that it names, tools."""
    for place in sorted(top.iterdir()):
        if place.is_file() and place.stat().st_size <= _LARGEST:
            _copy(place, scratch.top / place.name)
    for name in hook_scripts.read_files(top):
        if Path(name).is_relative_to(top) and Path(name).stat().st_size <= _LARGEST:
            _copy(Path(name), scratch.top / Path(name).relative_to(top))
    folders = [place.name for place in sorted(top.iterdir()) if place.is_dir() and place.name != ".git"]
    ignored = git_session.run_git(top, "check-ignore", "-z", "--stdin", stdin="\0".join(folders).encode()).text
    for name in filter(None, ignored.split("\0")):  # node_modules, .venv
        if not (scratch.top / name).exists():
            (scratch.top / name).symlink_to(top / name, target_is_directory=True)


def _copy(place: Path, there: Path) -> None:
    if not there.exists():
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(place, there)


def _try(top: Path, scratch: ScratchRepository, hook: HookFile) -> Trial:
    environment = dict(hook_environment(top))
    words: Sequence[str] = ()
    stdin = b""
    scratch.stage_only({FILE: f"{BAD}\n"})
    if hook.name in (hook_scripts.MESSAGE, hook_scripts.PREPARE):
        scratch.write({_MESSAGE: "Try the hook\n"})
        words = (_MESSAGE,)
    if hook.name == hook_scripts.PREPARE:
        words = (*words, "message")
        environment |= {next(one for agent in all_agents() for one in agent.runs_with): "1"}
    if hook.name == hook_scripts.PUSH:
        before = scratch.git("rev-parse", "HEAD")
        scratch.commit("Try the hook")
        words, new = ("origin", str(scratch.top)), scratch.git("rev-parse", "HEAD")
        stdin = f"{_BRANCH} {new} {_BRANCH} {before}\n".encode()
        scratch.git("update-ref", "refs/remotes/origin/main", before)
    done, _ = scratch.run_gate(hook_command(hook, *words), stdin=stdin, environment=environment, seconds=SECONDS)
    return _read_answer(hook, done)


def _read_answer(hook: HookFile, done: ToolResult) -> Trial:
    refused = f"refused by {PROBED}" in done.both
    if refused and done.code:
        return Trial()
    if refused:
        return Trial(f"git hook {hook.name} {DROPS_ANSWER}")
    if not done.code:
        return Trial(f"git hook {hook.name} does not run rulec")
    return Trial(f"git hook {hook.name} ended before rulec did, in a trial: {done.said}", known=False)


def _digest(top: Path) -> str:
    """A digest of all that decides what the hooks do."""
    folder, kept = git_session.hooks_dir(top), state.state_dir_path(top)
    fixed = [*(folder / name for name in hook_scripts.RUNS), kept / RECORD, kept / LAUNCHER_COPY, top / LAUNCHER]
    fixed.append(top / pre_commit.PATH)
    places = [*fixed, *sorted(map(Path, hook_scripts.read_files(top))), Path(recorded(top)[1] or "/nowhere")]
    found = shutil.which("rulec")
    places += [Path(found)] if found else []
    return hashlib.sha256(json.dumps([os.environ.get("SKIP", ""), *map(_stamp, places)]).encode()).hexdigest()


def _stamp(place: Path) -> list[Any]:
    try:
        data = place.read_bytes()
        return [str(place), place.stat().st_mode, hashlib.sha256(data).hexdigest()]
    except OSError:
        return [str(place)]

"""``rulec init``: gates into a repository, and out of it again."""

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import configfile, registry
from rulec.commands import _driver, _hooks, _write
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.host import git, hooks, journal, refs, seen, state, worktree
from rulec.host.call import call
from rulec.model.artifact import Artifact
from rulec.model.rulebook import Config
from rulec.ports import Emitter

Confirm = Callable[[str], bool]
PRE_COMMIT = (sys.executable, "-P", "-m", "pre_commit")  # -P: no file of the repository stands in for it
HOOKS = ("pre-commit", "commit-msg")
CACHE = f"{worktree.RULES}/.cache/"
OURS = "hooks"  # the git hooks that init put there
CI = ("github-actions", "gitlab-ci")
_HOST = re.compile(r"(?:\w+://)?(?:[^@/]*@)?([^/:]+)[:/]")
_OF_FORGE = {"gitlab": ".gitlab-ci.yml", "github": ".github/"}  # in a host's name -> what it builds from


def run(top: Path, *, agents: Sequence[str], ci: bool, confirm: Confirm) -> Outcome:
    """Write the rulebook's settings, every gate they name and the git hooks; running it twice changes nothing."""
    with journal.lock(top):
        config = _config(top, agents, ci=ci)
        old = worktree.present(top, [worktree.CONFIG]).get(worktree.CONFIG, "")
        text = configfile.dumps(config, old)
        changes = {} if text == old else {worktree.CONFIG: text}
        book = worktree.book({**worktree.texts(top), worktree.CONFIG: text})
        planned = [*changes, *(file.path for file in _write.sync(top, book))]
        question = "".join(f"  {path}\n" for path in _told(planned)) + "Write these and install the git hooks?"
        if planned and not confirm(question):
            return Outcome("nothing written")
        written = _write.to_work_tree(top, changes)
        state.record_python(top)
        seen.begin(top)
        others = hooks.elsewhere(top)
        installed = _install(top) if "pre-commit" in config.emitters and not others else []
        installed += _driver.install(top) if "git-attributes" in config.emitters else []
    lines = [f"wrote     {path}" for path in _told([file.path for file in written])] + [
        f"installed {hook}" for hook in installed
    ]
    if others and "pre-commit" in config.emitters:
        return Outcome("\n".join([*lines, _hooks.by_hand(others, HOOKS)]), FINDINGS)
    lines += _to_trust([file.path for file in written]) + ([_to_own(config)] if changes and _unowned(config) else [])
    if lines and "pre-commit" not in config.emitters and hooks.hook(top, _hooks.COMMIT).whose != "rulec":
        lines.append("commits are gated in CI alone; rulec hook install gates them here, without pre-commit")
    next_step = "next: git add -A && git commit, then rulec ingest TRANSCRIPT or rulec add TEXT"
    return Outcome("\n".join([*lines, next_step] if lines else ["everything is in place"]))


def _to_trust(paths: Sequence[str]) -> list[str]:
    """What a person has to do before an agent runs the hooks that were written."""
    known = [(one, one.probe) for one in registry.emitters().values() if one.probe and one.probe.trust]
    return [f"for {probe.title}: {probe.trust}" for one, probe in known if one.files[0] in paths]


def _unowned(config: Config) -> bool:
    """Whether a forge is asked to judge, and nobody to approve what changes its judgement."""
    return any(name in config.emitters for name in CI) and not config.owners


def _to_own(config: Config) -> str:
    name = "" if "codeowners" in config.emitters else "codeowners among emitters and "
    return f'changes of the rules ask for nobody\'s approval yet: for that, {name}owners: ["@who"] in {worktree.CONFIG}'


def _told(paths: Sequence[str]) -> list[str]:
    """The many files of the cache as one line."""
    plain = [path for path in paths if not path.startswith(CACHE)]
    number = len(paths) - len(plain)
    return plain + ([f"{CACHE} ({number} files)"] if number else [])


def _config(top: Path, agents: Sequence[str], *, ci: bool) -> Config:
    text = worktree.present(top, [worktree.CONFIG]).get(worktree.CONFIG, "")
    stands = configfile.loads(text, source=worktree.CONFIG, own=worktree.is_own(top))
    known = registry.emitters()
    by_agent = {emitter.agent: emitter.name for emitter in known.values() if emitter.agent}
    for agent in agents:
        if agent not in by_agent:
            raise RulecError(f"no hooks for the agent {agent!r} yet", hint=f"known are {', '.join(sorted(by_agent))}")
    paths = (*git.tracked(top), *_of_forge(top))
    names = set(stands.emitters) | {by_agent[agent] for agent in agents}
    own = [e for e in known.values() if not any((top / path).is_symlink() for path in e.files)]
    if not stands.emitters:
        names |= {e.name for e in own if _default(e, agents, paths) and (ci or e.name not in CI)}
    hooked = {known[name].agent for name in names - set(stands.emitters)}
    names |= {e.name for e in own if hooked.intersection(e.tells)}
    return replace(stands, emitters=tuple(sorted(names)))


def _of_forge(top: Path) -> list[str]:
    """What the forge that the repository is pushed to would build from, by the name of its host."""
    host = _HOST.match(git.config(top, f"remote.{refs.remote(top)}.url"))
    return [path for name, path in _OF_FORGE.items() if host and name in host[1].lower()]


def _default(emitter: Emitter, agents: Sequence[str], paths: Sequence[str]) -> bool:
    return not (emitter.agent and agents) and emitter.when_init(paths)


def _install(top: Path) -> list[str]:
    """pre-commit's hooks; the names of those that were not pre-commit's before."""
    folder = git.hooks_dir(top)
    there = (hooks.whose(folder / name) for name in HOOKS)
    new = [name for name, whose in zip(HOOKS, there, strict=True) if whose not in ("pre-commit", "prek", "rulec")]
    if new:
        types = [part for name in new for part in ("--hook-type", name)]
        done = call([*PRE_COMMIT, "install", *types], cwd=top)
        if done.code:
            hint = "see git config core.hooksPath, then run rulec init again"
            raise RulecError(f"pre-commit could not install its hooks: {done.said}", where=str(folder), hint=hint)
        state.write(top, OURS, sorted({*(state.read(top, OURS) or []), *new}))
    return new


def _is_pre_commits(path: Path) -> bool:
    return path.is_file() and b"pre-commit.com" in path.read_bytes()


def remove(top: Path, confirm: Confirm) -> Outcome:
    """Take out exactly what init put in; rules and their evidence are the team's and stay."""
    with journal.lock(top):
        files = _without(top)
        if files and not confirm("".join(f"  {path}\n" for path in _told([f.path for f in files])) + "Take these out?"):
            return Outcome("nothing removed")
        own = _hooks.uninstall(top)
        taken = [name for name in state.read(top, OURS) or [] if _is_pre_commits(git.hooks_dir(top) / name)]
        for name in taken:
            call([*PRE_COMMIT, "uninstall", "--hook-type", name], cwd=top)
        taken += _driver.uninstall(top)
        journal.write(top, files)
        state.write(top, OURS, [])
    kept = len([path for path in worktree.texts(top) if path != worktree.CONFIG])
    restored = [file.path for file in files if file.text is not None]
    lines = [f"restored  {path}" for path in restored]
    lines += [f"removed   {path}" for path in _told([file.path for file in files if file.text is None])]
    lines += [*(f"uninstalled {hook}" for hook in taken), *own]
    lines += [f"kept {kept} files of rules and evidence"] * bool(kept)
    return Outcome("\n".join([*lines, f"kept {journal.state_dir(top)}, what rulec noted on this machine"]))


def _without(top: Path) -> list[Artifact]:
    files: list[Artifact] = []
    for emitter in registry.emitters().values():
        for path, text in worktree.present(top, emitter.files).items():
            rest = emitter.remove(path, text)
            if rest != text:
                files.append(Artifact(path=path, text=rest))
    own = [*worktree.compiled_at_hand(top), f"{worktree.RULES}/.gitignore", worktree.CONFIG]
    cache = [p.relative_to(top).as_posix() for p in sorted((top / CACHE).rglob("*")) if p.is_file()]
    return files + [Artifact(path=path, text=None) for path in (*own, *cache) if (top / path).is_file()]

"""rulec init: sets up the gates of a repository or removes them, and creates a personal rulebook."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from rulec import registry
from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling import bundle
from rulec.domain.artifact import Artifact
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.domain.plugs import Integration
from rulec.errors import RulecError
from rulec.gates import passed_changes
from rulec.gates.personal_rules import Say
from rulec.infra import install_source, journal, state, text_files
from rulec.infra.git import git_contents, git_refs, git_session, hook_scripts
from rulec.infra.processes import run_tool
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.integrations.ci_context import CI
from rulec.integrations.targets import pre_commit
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config, dump_config
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here, recorded_rulec, rulebook_commit
from rulec.services.gates_here import INIT, Gate
from rulec.services.setup import git_hooks, merge_driver


def begin_personal_rulebook(complain: Say) -> Path:
    """The folder of the personal rulebook; it is created where there is none."""
    here = personal_rulebook.personal_folder()
    if personal_rulebook.create_personal():
        settings = {file_paths.CONFIG: dump_config(Config()), **text_files.read_existing(here, [file_paths.CONFIG])}
        with journal.write_lock(here):
            rulebook_commit.commit_rulebook_change(here, settings, "Begin a personal rulebook\n")
        complain(f"{here} is your personal rulebook now: a git repository of its own, which teams do not see")
    return here


Confirm = Callable[[str], bool]
Planned = TypeVar("Planned")
PRE_COMMIT = (sys.executable, "-P", "-m", "pre_commit")  # -P: no file of the repository stands in for it
CACHE = f"{file_paths.RULES}/.cache/"
OURS = "hooks"  # the git hooks that init put there
_HOST = re.compile(r"(?:\w+://)?(?:[^@/]*@)?([^/:]+)[:/]")
_OF_FORGE = {"gitlab": ".gitlab-ci.yml", "github": ".github/"}  # in a host's name -> what it builds from


def init_repository(top: Path, *, agents: Sequence[str], ci: bool, confirm: Confirm) -> Outcome:
    """Write the settings, every gate they name and the git hooks; running it again changes nothing."""
    installs = _settings(top).install
    with journal.write_lock(top):

        def plan() -> tuple[list[str], tuple[Config, Rulebook, Mapping[str, str]]]:
            config = _config(top, agents, ci=ci)
            old = text_files.read_existing(top, [file_paths.CONFIG]).get(file_paths.CONFIG, "")
            text = dump_config(config, old)
            changes = {} if text == old else {file_paths.CONFIG: text}
            book = rulebook_files.parse_rulebook({**rulebook_files.rulebook_texts(top), file_paths.CONFIG: text})
            return [*changes, *(file.path for file in rulebook_commit.stale_files(top, book))], (config, book, changes)

        agreed = _agreed(top, plan, confirm, "Write these and install the git hooks?")
        if not agreed:
            return Outcome("nothing written")
        config, book, changes = agreed
        written = rulebook_commit.write_work_tree(top, changes)
        dead = recorded_rulec.why_rulec_does_not_start(top, config).why if recorded_rulec.has_record(top) else ""
        recorded = recorded_rulec.put_launcher(top, config)
        passed_changes.begin_record(top)
        others = hook_scripts.foreign_hooks_folder(top, git_session.hooks_dir(top))
        drivers = merge_driver.install_merge_driver(top) if "git-attributes" in config.emitters else []
        mended = [f"the record of rulec: {dead}"] if dead else []
        mended += git_hooks.chmod_hooks(top)
        installed = [*(_install(top) if "pre-commit" in config.emitters and not others else []), *drivers]
    lines = [f"wrote     {path}" for path in _folded_paths([file.path for file in written])] + [
        f"installed {hook}" for hook in installed
    ]
    lines += [f"repaired  {one}" for one in mended] + ([] if dead else recorded)
    lines += _to_trust([file.path for file in written]) + ([_to_own(config)] if changes and _unowned(config) else [])
    if (
        lines
        and "pre-commit" not in config.emitters
        and hook_scripts.read_hooks(top)[hook_scripts.COMMIT].whose != "rulec"
    ):
        lines.append("commits are not checked here; rulec hook install checks them, without pre-commit")
    by_hand = git_hooks.manual_instructions(top, others) if others and "pre-commit" in config.emitters else ""
    lines += [f"others install {config.install}, says {file_paths.CONFIG} now"] * (config.install != installs)
    lines += filter(None, [_untyped(top)])
    lacking = [] if by_hand or written else _lacking(top, book)
    lines += [f"not yet: {gate.lacks}; {gate.cure}" for gate in lacking if gate.cure != INIT]  # that is said in full
    if not (lines or lacking or by_hand):
        lines = ["everything is in place"]
    lines += filter(None, [install_source.lacks_source(config)])
    if written:
        lines.append(
            f"next: {rulebook_commit.commit_command(top, book)}, then rulec ingest TRANSCRIPT or rulec add TEXT"
        )
    return Outcome("\n".join([*lines, *filter(None, [by_hand])]), FINDINGS if by_hand else 0)


def _lacking(top: Path, book: Rulebook) -> list[Gate]:
    """The gates that do not act although all is written."""
    here = gates_here.gates_here(top, book)
    gates = (*here.hooks.values(), *here.agents.values(), *here.ci.values())
    return [gate for gate in gates if gate.lacks and gate.wanted]


def _agreed(
    top: Path, plan: Callable[[], tuple[Sequence[str], Planned]], confirm: Confirm, question: str
) -> Planned | None:
    """What is planned for some paths, once a person agrees to these; they are asked again where they have changed."""
    shown: Sequence[str] = ()
    while True:
        paths, planned = plan()
        if paths == shown or not paths:
            return planned
        with journal.released_lock(top):
            if not confirm("".join(f"  {path}\n" for path in _folded_paths(paths)) + question):
                return None
        shown = paths


def _to_trust(paths: Sequence[str]) -> list[str]:
    """What a person has to do before an agent runs the new hooks."""
    known = [(one, one.probe) for one in registry.emitters().values() if one.probe and one.probe.trust]
    return [f"for {probe.title}: {probe.trust}" for one, probe in known if one.files[0] in paths]


def _unowned(config: Config) -> bool:
    """Whether CI checks changes and nobody has to approve changes of the rules."""
    return any(name in config.emitters for name in CI) and not config.owners


def _to_own(config: Config) -> str:
    also = "" if "codeowners" in config.emitters else " and add codeowners to emitters"
    return f'nobody has to review changes of the rules yet: for that, set owners: ["@who"]{also} in {file_paths.CONFIG}'


def _untyped(top: Path) -> str:
    """What pre-commit install leaves out where people say themselves which hooks it installs."""
    missing = pre_commit.missing_types(text_files.read_existing(top, [pre_commit.PATH]).get(pre_commit.PATH, ""))
    named = ", ".join(missing)
    return f"{pre_commit.PATH}: add {named} to {pre_commit.HOOK_TYPES}, or colleagues lack these gates" if named else ""


def _folded_paths(paths: Sequence[str]) -> list[str]:
    """The paths to write, with the many compiled files as one line."""
    plain = [path for path in paths if not path.startswith(CACHE)]
    number = len(paths) - len(plain)
    return plain + ([f"{CACHE} ({number} files)"] if number else [])


def _settings(top: Path) -> Config:
    text = text_files.read_existing(top, [file_paths.CONFIG]).get(file_paths.CONFIG, "")
    return config.parse_config(text, source=file_paths.CONFIG, own=rulebook_files.is_personal(top))


def _config(top: Path, agents: Sequence[str], *, ci: bool) -> Config:
    stands = _settings(top)
    known = registry.emitters()
    by_agent = {emitter.agent: emitter.name for emitter in known.values() if emitter.agent}
    for agent in agents:
        if agent not in by_agent:
            raise RulecError(f"no hooks for the agent {agent!r} yet", hint=f"known are {', '.join(sorted(by_agent))}")
    paths = (*git_contents.tracked_paths(top), *_of_forge(top))
    names = set(stands.emitters) | {by_agent[agent] for agent in agents}
    own = [e for e in known.values() if not any((top / path).is_symlink() for path in e.files)]
    if not stands.emitters:
        names |= {e.name for e in own if _default(e, agents, paths) and (ci or e.name not in CI)}
    hooked = {known[name].agent for name in names - set(stands.emitters)}
    names |= {e.name for e in own if hooked.intersection(e.tells)}
    install = install_source.installed_source().requirement or stands.install
    return replace(stands, emitters=tuple(sorted(names)), install=install)


def _of_forge(top: Path) -> list[str]:
    """The CI integration for the host of the remote."""
    host = _HOST.match(git_session.git_config(top, f"remote.{git_refs.default_remote(top)}.url"))
    return [path for name, path in _OF_FORGE.items() if host and name in host[1].lower()]


def _default(emitter: Integration, agents: Sequence[str], paths: Sequence[str]) -> bool:
    return not (emitter.agent and agents) and emitter.when_init(paths)


def _install(top: Path) -> list[str]:
    """Install the git hooks that are missing: pre-commit's where it runs more than rulec; what was installed."""
    folder = git_session.hooks_dir(top)
    there = {name: hook_scripts.hook_owner(folder / name) for name in hook_scripts.RUNS}
    new = [name for name, whose in there.items() if whose not in (*hook_scripts.FRAMEWORKS, "rulec")]
    shared = text_files.read_existing(top, [pre_commit.PATH]).get(pre_commit.PATH, "")
    alone = not pre_commit.has_other_hooks(shared) and "pre-commit" not in there.values()
    if alone or "prek" in there.values():  # pre-commit's own hooks would stand among those of prek
        return [line.removeprefix("installed ") for line in git_hooks.put_hooks(top, new)]
    # rulec's own: pre-commit's would cost people a start of it at each commit, at which it does nothing
    git_hooks.put_hooks(top, [name for name in new if name == hook_scripts.PREPARE])
    theirs = [name for name in new if name != hook_scripts.PREPARE]
    if theirs:
        _require_utf8(folder)
        types = [part for name in theirs for part in ("--hook-type", name)]
        done = run_tool([*PRE_COMMIT, "install", *types], cwd=top)
        if done.code:
            hint = "see git config core.hooksPath, then run rulec init again"
            raise RulecError(f"pre-commit could not install its hooks: {done.said}", where=str(folder), hint=hint)
        state.update_state(top, OURS, lambda known: sorted({*(known or []), *theirs}))
    return new


def _require_utf8(folder: Path) -> None:
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        hint = "rulec hook install --instead checks commits without pre-commit; or rename the folder"
        what = "its path is not UTF-8, where pre-commit cannot install its hooks; all else is written"
        raise RulecError(what, where=str(folder), hint=hint) from None


def _is_pre_commits(path: Path) -> bool:
    return path.is_file() and b"pre-commit.com" in path.read_bytes()


def remove_gates(top: Path, confirm: Confirm) -> Outcome:
    """Remove exactly what init wrote; rules and evidence stay."""
    with journal.write_lock(top):

        def plan() -> tuple[list[str], tuple[list[Artifact]]]:
            files = _without(top)
            return [file.path for file in files], (files,)

        agreed = _agreed(top, plan, confirm, "Take these out?")
        if not agreed:
            return Outcome("nothing removed")
        (files,) = agreed
        own = git_hooks.take_hooks_out(top)
        taken = [
            name for name in state.read_state(top, OURS) or [] if _is_pre_commits(git_session.hooks_dir(top) / name)
        ]
        for name in taken:
            run_tool([*PRE_COMMIT, "uninstall", "--hook-type", name], cwd=top)
        taken += merge_driver.uninstall_merge_driver(top)
        journal.write_journaled(top, files)
        state.write_state(top, OURS, [])
    kept = len([path for path in rulebook_files.rulebook_texts(top) if path != file_paths.CONFIG])
    restored = [file.path for file in files if file.text is not None]
    lines = [f"restored  {path}" for path in restored]
    lines += [f"removed   {path}" for path in _folded_paths([file.path for file in files if file.text is None])]
    lines += [*(f"uninstalled {hook}" for hook in taken), *own]
    lines += [f"kept {kept} files of rules and evidence"] * bool(kept)
    return Outcome("\n".join([*lines, f"kept {state.state_dir(top)}, what rulec recorded on this machine"]))


def _without(top: Path) -> list[Artifact]:
    files: list[Artifact] = []
    for emitter in registry.emitters().values():
        for path, text in text_files.read_existing(top, emitter.files).items():
            rest = emitter.remove(path, text)
            if rest != text:
                files.append(Artifact(path=path, text=rest))
    own = [*rulebook_files.compiled_in_work_tree(top), bundle.IGNORE, LAUNCHER, file_paths.CONFIG]
    cache = [p.relative_to(top).as_posix() for p in sorted((top / CACHE).rglob("*")) if p.is_file()]
    return files + [Artifact(path=path, text=None) for path in (*own, *cache) if (top / path).is_file()]

"""The files that set up gates, before and after: which contain rulec's part, complete or not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.agents.protocol import agent_tables
from rulec.compiling import artifacts, bundle
from rulec.compiling.compile_planning import make_plan
from rulec.domain import rule
from rulec.domain.artifact import COMPILED_FOLDER, CompilePlan
from rulec.domain.change import Change
from rulec.domain.files import globs
from rulec.domain.finding import Weakening
from rulec.domain.plugs import Integration
from rulec.errors import RulecError
from rulec.gates.gate_names import is_gate_file_name
from rulec.gates.weakening.gate_states import GateState
from rulec.gates.weakening.hidden_from_review import newly_hidden
from rulec.gates.weakening.lost_hooks import (
    OWNED_PATHS,
    SharedFileBlock,
    lost_gate_files,
    new_off_switches,
    other_program,
    runs_rulec,
    supplanted_by_prek,
    weakened_pipelines,
)
from rulec.infra import install_source
from rulec.infra.rulebooks import extensions
from rulec.integrations import code_owners
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config

_KEPT = tuple(f"{COMPILED_FOLDER}/{kind}/" for kind in ("guard", "judge", "semgrep", "shell", "words"))
_PRE_COMMIT = ".pre-commit-config.yaml"
ATTRIBUTES = ".gitattributes"
_FOLDERS = (file_paths.RULES, ".github", ".gitlab", ".husky", *agent_tables.FOLDERS)
_STRAY = ("*.md", "LICENSE", "templates/**", "compiled/**", ".gitignore", ATTRIBUTES)  # what else may stand there


def gate_file_paths(change: Change) -> tuple[str, ...]:
    """The files outside the rulebook to compare: gate files that the change touches, and CODEOWNERS."""
    touched = dict.fromkeys(path for file in change.files for path in (file.path, file.old_path) if path)
    shared = {path for emitter in _emitters() for path in emitter.files}
    kept = [path for path in touched if path in shared or _runs_hooks(path)]
    return (*dict.fromkeys((*kept, *code_owners.CODEOWNERS_PATHS, _PRE_COMMIT, ATTRIBUTES)),)


def _runs_hooks(path: str) -> bool:
    """Whether a path may hold agents' settings, another tool's hooks, CI, or attributes that hide their changes."""
    name = path.rpartition("/")[2]
    return is_gate_file_name(name) or (not path.startswith(f"{file_paths.RULES}/") and f"/{path}".find("/.") >= 0)


def _emitters() -> list[Integration]:
    """The integrations that set up gates: documents and skills only inform, and merge settings guard nothing."""
    known = registry.emitters().values()
    return [one for one in known if not (one.document or one.tells or one.name == "git-attributes")]


def without_documents(config: Config) -> Config:
    """The settings with only those integrations that set up a gate, or that are unknown."""
    others = {*registry.emitters()} - {emitter.name for emitter in _emitters()}
    return replace(config, emitters=tuple(name for name in config.emitters if name not in others))


def gate_file_weakenings(before: GateState, after: GateState, change: Change) -> Iterator[Weakening]:
    """What the change takes from the gate files."""
    names = gate_file_paths(change)
    was, now = ({path: side.files[path] for path in names if path in side.files} for side in (before, after))
    asked = [(e, path) for e in _emitters() for path in e.files if path in was and was[path] != now.get(path)]
    parts = {path: (_block_in(emitter, path, before), _block_in(emitter, path, after)) for emitter, path in asked}
    yield from lost_gate_files(was, now, parts, _named_owners(after))
    for path in sorted({*was, *now}):
        old, new = was.get(path, ""), now.get(path, "")
        if old == new:
            continue
        if path.rpartition("/")[2] == ATTRIBUTES:
            root = (was.get(ATTRIBUTES, ""), now.get(ATTRIBUTES, ""))
            gate = dict.fromkeys((*OWNED_PATHS, *before.files))
            yield from newly_hidden(path, (old, new), root, gate, change.tree.paths if change.tree else frozenset)
        else:
            yield from new_off_switches(path, old, new)
            yield from weakened_pipelines(path, old, new, ours=path in parts and parts[path][0].there)
            yield from supplanted_by_prek(path, old, new, now.get(_PRE_COMMIT, ""))
            yield from other_program(path, old, new, lambda: install_source.installed_source().requirement)
    yield from _disabled_scripts(before, change)
    yield from (one for file in change.files if file.status in "AR" for one in _case_twin(file.path))


def _disabled_scripts(before: GateState, change: Change) -> Iterator[Weakening]:
    """Scripts that lost their executable bit: git skips a hook that cannot be executed."""
    for file in change.files:
        if file.stilled and runs_rulec(before.files.get(file.old_path or file.path, "")):
            told = f"{file.path}: can be run no longer (chmod -x)"
            yield Weakening(subject=f"mode of {file.path}", text=told, path=file.path)


def _case_twin(path: str) -> Iterator[Weakening]:
    """A folder that replaces one of the gate's folders on a case-insensitive file system."""
    folder = path.partition("/")[0]
    if folder != folder.casefold() and folder.casefold() in _FOLDERS:
        told = f"{path}: replaces {folder.casefold()}/ on case-insensitive file systems"
        yield Weakening(subject=f"twin {path}", text=told, path=path)


def _named_owners(side: GateState) -> tuple[str, ...]:
    try:
        return side.config.owners
    except RulecError:  # told where the rulebook is read
        return ()


def _block_in(emitter: Integration, path: str, side: GateState) -> SharedFileBlock:
    text = side.files.get(path)
    if text is None:
        return SharedFileBlock()
    try:
        if emitter.remove(path, text) == text:
            return SharedFileBlock()
        return SharedFileBlock(there=True, whole=_is_as_generated(emitter, path, text, side))
    except RulecError as error:
        return SharedFileBlock(wrong=str(error))


def _is_as_generated(emitter: Integration, path: str, text: str, side: GateState) -> bool:
    present = {name: side.files[name] for name in emitter.files if name in side.files}
    made = {
        file.path: file.text for file in emitter.emit(_plan(side), artifacts.template_library(side.top).render, present)
    }
    return bundle.same_text(made.get(path), text)


def _plan(side: GateState) -> CompilePlan:
    return make_plan(side.whole)


def hand_edited_files(top: Path, after: GateState, before: GateState, change: Change) -> Iterator[Weakening]:
    """Generated files that differ from what rulec generates: the hook, the launcher, compiled settings."""
    touched = [file.path for file in change.files if _is_generated(file.path)] + [
        file.old_path for file in change.files if _is_generated(file.old_path)
    ]
    if not touched:
        return
    wanted = {file.path: file.text for file in bundle.shared_files(top, after.book(()))}
    for path in dict.fromkeys(touched):
        here = after.files.get(path)
        if here == before.files.get(path) or bundle.same_text(here, wanted.get(path)):
            continue
        if here is None:
            told = "is gone"
        else:
            told = "is not what rulec writes" if path in wanted else "is none of rulec's files"
        yield Weakening(subject=f"own {path}", text=f"{path}: {told}", path=path)


def _is_generated(path: str) -> bool:
    compiled = path.startswith(f"{COMPILED_FOLDER}/") and not path.startswith(_KEPT)
    return (
        compiled or _is_stray(path) or path in (bundle.IGNORE, f"{COMPILED_FOLDER}/guard/{rule.PROTECTED_PATHS}.json")
    )


def _is_stray(path: str) -> bool:
    """Whether no file of a rulebook belongs at such a path."""
    inside = path.removeprefix(f"{file_paths.RULES}/")
    known = (*file_paths.RULEBOOK_GLOBS, extensions.LOCK_NAME, f"extends/*/{extensions.LOCK_NAME}", *_STRAY)
    return inside != path and not globs.match([f"/{one}" for one in known], inside)

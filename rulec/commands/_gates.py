"""The files by which gates are put up, as they are at two times: which hold rulec's part, whole or not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec import ownersfile, registry
from rulec.commands import _build, _protected
from rulec.commands._mark import NAMES
from rulec.commands._rulebooks import Side
from rulec.errors import RulecError
from rulec.host import layers, worktree
from rulec.model.artifact import COMPILED
from rulec.model.change import Change
from rulec.model.plan import Plan
from rulec.model.rulebook import Config
from rulec.model.weakening import Weakening
from rulec.ports import Emitter
from rulec.runtime import globs
from rulec.stages.hide import hide
from rulec.stages.plan import plan
from rulec.stages.unask import asks, supplanted, unask
from rulec.stages.ungate import PROBES, Part, ungate
from rulec.stages.unhook import unhook

_KEPT = tuple(f"{COMPILED}/{kind}/" for kind in ("guard", "judge", "semgrep", "shell", "words"))
_PRE_COMMIT = ".pre-commit-config.yaml"
ATTRIBUTES = ".gitattributes"
_FOLDERS = (worktree.RULES, ".claude", ".codex", ".cursor", ".gemini", ".github", ".gitlab", ".husky", ".opencode")
_STRAY = ("*.md", "LICENSE", "templates/**", "compiled/**", ".gitignore", ATTRIBUTES)  # what else may stand there


def paths(change: Change) -> tuple[str, ...]:
    """The files outside the rulebook that the stage has to see: those of gates that the change touches, and owners."""
    touched = dict.fromkeys(path for file in change.files for path in (file.path, file.old_path) if path)
    shared = {path for emitter in _emitters() for path in emitter.files}
    kept = [path for path in touched if path in shared or _runs_hooks(path)]
    return (*dict.fromkeys((*kept, *ownersfile.PATHS, _PRE_COMMIT, ATTRIBUTES)),)


def _runs_hooks(path: str) -> bool:
    """Whether an agent's settings, another tool's hooks or CI may stand there, or what hides changes of them."""
    name = path.rpartition("/")[2]
    return name in NAMES or (not path.startswith(f"{worktree.RULES}/") and f"/{path}".find("/.") >= 0)


def _emitters() -> list[Emitter]:
    """Those that put up gates; documents and skills only tell, and what git merges with guards nothing."""
    known = registry.emitters().values()
    return [one for one in known if not (one.document or one.tells or one.name == "git-attributes")]


def alone(config: Config) -> Config:
    """The settings with those emitters only that put up a gate, or that nobody knows."""
    others = {*registry.emitters()} - {emitter.name for emitter in _emitters()}
    return replace(config, emitters=tuple(name for name in config.emitters if name not in others))


def taken(before: Side, after: Side, change: Change) -> Iterator[Weakening]:
    """What the change takes from those files."""
    names = paths(change)
    was, now = ({path: side.files[path] for path in names if path in side.files} for side in (before, after))
    asked = [(e, path) for e in _emitters() for path in e.files if path in was and was[path] != now.get(path)]
    parts = {path: (_part(emitter, path, before), _part(emitter, path, after)) for emitter, path in asked}
    yield from ungate(was, now, parts, _named(after))
    for path in sorted({*was, *now}):
        old, new = was.get(path, ""), now.get(path, "")
        if old == new:
            continue
        if path.rpartition("/")[2] == ATTRIBUTES:
            root = (was.get(ATTRIBUTES, ""), now.get(ATTRIBUTES, ""))
            gate = dict.fromkeys((*PROBES, *before.files))
            yield from hide(path, (old, new), root, gate, change.tree.paths if change.tree else frozenset)
        else:
            yield from unhook(path, old, new)
            yield from unask(path, old, new, ours=path in parts and parts[path][0].there)
            yield from supplanted(path, old, new, now.get(_PRE_COMMIT, ""))
    yield from _stilled(before, change)
    yield from (one for file in change.files if file.status in "AR" for one in _twin(file.path))


def _stilled(before: Side, change: Change) -> Iterator[Weakening]:
    """Scripts that ran and that nobody can run any more: git passes over a hook that is none."""
    for file in change.files:
        if file.stilled and asks(before.files.get(file.old_path or file.path, "")):
            told = f"{file.path}: can be run no longer (chmod -x)"
            yield Weakening(subject=f"mode of {file.path}", text=told, path=file.path)


def _twin(path: str) -> Iterator[Weakening]:
    """A folder that takes the place of one of the gate's where capitals make no difference."""
    folder = path.partition("/")[0]
    if folder != folder.casefold() and folder.casefold() in _FOLDERS:
        told = f"{path}: stands in the place of {folder.casefold()}/ where capitals make no difference"
        yield Weakening(subject=f"twin {path}", text=told, path=path)


def _named(side: Side) -> tuple[str, ...]:
    try:
        return side.config.owners
    except RulecError:  # told where the rulebook is read
        return ()


def _part(emitter: Emitter, path: str, side: Side) -> Part:
    text = side.files.get(path)
    if text is None:
        return Part()
    try:
        if emitter.remove(path, text) == text:
            return Part()
        return Part(there=True, whole=_stands(emitter, path, text, side))
    except RulecError as error:
        return Part(wrong=str(error))


def _stands(emitter: Emitter, path: str, text: str, side: Side) -> bool:
    present = {name: side.files[name] for name in emitter.files if name in side.files}
    made = {file.path: file.text for file in emitter.emit(_plan(side), _build.library(side.top).render, present)}
    return _build.same(made.get(path), text)


def _plan(side: Side) -> Plan:
    return plan(side.whole)


def unlike(top: Path, after: Side, before: Side, change: Change) -> Iterator[Weakening]:
    """Files of rulec's own that are not what it writes: the runtime, the launcher, what settings compile to."""
    touched = [file.path for file in change.files if _own(file.path)] + [
        file.old_path for file in change.files if _own(file.old_path)
    ]
    if not touched:
        return
    wanted = {file.path: file.text for file in _build.shared(top, after.book(()))}
    for path in dict.fromkeys(touched):
        here = after.files.get(path)
        if here == before.files.get(path) or _build.same(here, wanted.get(path)):
            continue
        if here is None:
            told = "is gone"
        else:
            told = "is not what rulec writes" if path in wanted else "is none of rulec's files"
        yield Weakening(subject=f"own {path}", text=f"{path}: {told}", path=path)


def _own(path: str) -> bool:
    compiled = path.startswith(f"{COMPILED}/") and not path.startswith(_KEPT)
    return compiled or _stray(path) or path in (_build.IGNORE, f"{COMPILED}/guard/{_protected.SLUG}.json")


def _stray(path: str) -> bool:
    """Whether nothing of a rulebook stands at such a path."""
    inside = path.removeprefix(f"{worktree.RULES}/")
    known = (*worktree.SHAPES, layers.LOCK, f"extends/*/{layers.LOCK}", *_STRAY)
    return inside != path and not globs.match([f"/{one}" for one in known], inside)

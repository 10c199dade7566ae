"""The files by which gates are put up, as they are at two times: which hold rulec's part, whole or not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec import ownersfile, registry
from rulec.commands import _build, _protected
from rulec.commands._mark import NAMES
from rulec.commands._rulebooks import Side
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.artifact import COMPILED
from rulec.model.change import Change
from rulec.model.plan import Plan
from rulec.model.rulebook import Config
from rulec.model.weakening import Weakening
from rulec.ports import Emitter
from rulec.stages.plan import plan
from rulec.stages.ungate import Part, ungate

_KEPT = (f"{COMPILED}/guard/", f"{COMPILED}/semgrep/", f"{COMPILED}/shell/", f"{COMPILED}/words/")


def paths(change: Change) -> tuple[str, ...]:
    """The files outside the rulebook that the stage has to see: those of gates that the change touches, and owners."""
    touched = dict.fromkeys(path for file in change.files for path in (file.path, file.old_path) if path)
    shared = {path for emitter in _emitters() for path in emitter.files}
    kept = [path for path in touched if path in shared or _runs_hooks(path)]
    return (*dict.fromkeys((*kept, *ownersfile.PATHS)),)


def _runs_hooks(path: str) -> bool:
    """Whether an agent's settings, another tool's hooks or CI may stand there, or what hides changes of them."""
    return not path.startswith(f"{worktree.RULES}/") and (path.startswith(".") or path.rpartition("/")[2] in NAMES)


def _emitters() -> list[Emitter]:
    """Those that put up gates; documents only tell, and what git merges with guards nothing."""
    return [one for one in registry.emitters().values() if not one.document and one.name != "git-attributes"]


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
    return compiled or path in (_build.IGNORE, f"{COMPILED}/guard/{_protected.SLUG}.json")

"""``rulec merge``: git's merge driver for what rulec generates or has a part in."""

from pathlib import Path

from rulec import registry
from rulec.commands import _build, _onto
from rulec.commands._outcome import Outcome
from rulec.emitters import _conflict, _threeway
from rulec.errors import RulecError
from rulec.host import git, mergefile, worktree
from rulec.host.mergefile import Versions
from rulec.model.artifact import COMPILED
from rulec.model.plan import Plan
from rulec.ports import Emitter

MOST = 400  # files of a rulebook that a merge waits for
CONFLICT = 10  # no other ending of ours has it, so that git can tell it from a rulec that is not there


def run(versions: Versions, path: str) -> Outcome:
    """Merge one path; a conflict of people's own lines is marked in the file, and git is told of it."""
    if path.startswith(f"{COMPILED}/"):
        return Outcome("")  # either side will do until rulec compile: lines of both are code that nobody wrote
    base, ours, theirs = versions.texts()
    text, clean = _threeway.merged(base, ours, theirs, path, versions.lines)
    if not clean and (apart := _apart(versions, path, (base, ours, theirs), text)):
        text, clean = apart, True
    versions.settle(_current(versions.top, path, text) if clean else text)
    return Outcome("", 0 if clean else CONFLICT)


def _current(top: Path, path: str, text: str) -> str:
    """The text with our part as the merged rulebook has it; as it is where that is not known yet, or takes too long."""
    tree = mergefile.tree(top)
    files = git.files_at(top, tree, worktree.RULES) if tree else {}
    own = {name: content for name, content in files.items() if _onto.of_rulebook(name)}
    if not own or len(own) > MOST:
        return text
    try:
        emitted = _build.emitted(worktree.book(own), top, lambda paths: {name: text for name in paths if name == path})
    except RulecError:  # whatever is wrong with the rulebook is told where rules are read, not in the midst of a merge
        return text
    return next((file.text or text for file in emitted if file.path == path), text)


def _apart(versions: Versions, path: str, texts: tuple[str, str, str], conflicting: str) -> str:
    """The merge where our part alone is in conflict, which has no marks in every file; "" where people's lines are."""
    emitter = next((one for one in registry.emitters().values() if path in one.files), None)
    if emitter is None:
        return ""
    try:
        return _conflict.settled(conflicting, path, lambda text: emitter.remove(path, text))
    except RulecError:
        pass
    try:
        rest, clean = versions.lines(*(_without(emitter, path, text) for text in texts))
        current = {path: rest} if rest else {}
        files = emitter.emit(Plan(), _build.library(versions.top).render, current) if clean else ()
        return next((file.text or "" for file in files if path.endswith((".json", ".ts"))), "")
    except RulecError:
        return ""


def _without(emitter: Emitter, path: str, text: str) -> str:
    return (emitter.remove(path, text) or "") if text else ""

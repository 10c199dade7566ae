"""Whether a rulebook is as the last ``rulec compile`` left it, so that there is nothing to do; CI never asks."""

from collections.abc import Collection, Mapping
from pathlib import Path

from rulec import registry
from rulec.host import journal, mergefile, pressed, stamp, templates, worktree
from rulec.model.rulebook import Rulebook

_PIECE = "compiled"
Digests = Mapping[str, str]


def said(top: Path) -> str:
    """What that compile would say now, "" where it has to run."""
    if not worktree.exists(top) or journal.unfinished(top):
        return ""
    kept = pressed.load(_place(top), _program())
    if kept is None or stamp.whole(stamp.contents(top, worktree.RULES, kept["beside"])) != kept["files"]:
        return ""
    text: str = kept["said"]
    return "" if mergefile.unmerged(top) else text


def before(top: Path) -> Digests:
    """What the rulebook holds as a compile begins."""
    return stamp.contents(top, worktree.RULES, _beside())


def keep(top: Path, began: Digests, written: Collection[str], book: Rulebook, text: str) -> None:
    """Keep that all is done, where nobody else wrote meanwhile and nothing depends on what lies elsewhere."""
    ours = frozenset(written)
    now = stamp.contents(top, worktree.RULES, _beside())
    same = all(began.get(path) == now.get(path) for path in began.keys() | now.keys() if path not in ours)
    if same and not book.config.extends and not registry.others():
        kept = {"files": stamp.whole(now), "beside": _beside(), "said": text}
        pressed.store(_place(top), _program(), kept)


def _place(top: Path) -> str:
    return str(journal.state_dir(top) / _PIECE)


def _beside() -> list[str]:
    """The files of other tools that hold a part of ours."""
    return sorted({path for emitter in registry.emitters().values() for path in emitter.files})


def _program() -> str:
    return stamp.program(Path(pressed.ROOM), templates.packaged())

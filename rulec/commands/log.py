"""``rulec log``: every commit that made, changed, moved or archived a rule, across its names and predecessors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulec.commands import _lineage
from rulec.commands._named import known
from rulec.commands._outcome import Outcome
from rulec.host import worktree
from rulec.host.logs import Commit


def run(top: Path, slug: str) -> Outcome:
    """The history of a rule, newest first; then that of the rules whose place it took."""
    files = worktree.texts(top)
    tales = [(name, _lineage.commits(top, name)) for name in (slug, *_lineage.before(slug, files))]
    if not tales[0][1]:
        if _lineage.stands(files, slug) is None:
            known(worktree.load(top), slug)
        return Outcome(f"{slug} is not committed yet", data=[])
    data = [_object(name, commit) for name, commits in tales for commit in commits]
    return Outcome("\n".join(_lines(slug, tales)), data=data)


def _lines(slug: str, tales: list[tuple[str, list[Commit]]]) -> Iterator[str]:
    for name, commits in tales:
        if name != slug:
            yield f"before that, {name}:"
        yield from map(line, commits)
        if commits and commits[-1].edge:
            yield "(a shallow clone ends here; git fetch --unshallow shows the rest)"


def line(commit: Commit) -> str:
    """One commit in a line: when, which, who, what it decided, what it did to the files."""
    did = ", ".join(_lineage.done(commit))
    return f"{commit.at[:10]} {commit.id[:10]} {commit.author}: {_lineage.resolution(commit)}" + f" [{did}]" * bool(did)


def _object(name: str, commit: Commit) -> dict[str, Any]:
    return {
        "slug": name,
        "commit": commit.id,
        "at": commit.at,
        "author": commit.author,
        "resolution": _lineage.resolution(commit),
        "did": list(_lineage.done(commit)),
        "edge": commit.edge,
    }

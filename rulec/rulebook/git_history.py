"""The history of rules as git has it: the commits that touched some paths, former names, who wrote a line and when."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulec.domain.quiet_git import QUIET_GIT
from rulec.errors import RulecError

if TYPE_CHECKING:
    import git
    from git.repo.base import BlameEntry

    _Entry = git.Blob | git.Tree | git.Submodule

_RENAME = re.compile(r"R\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCommit:
    """One entry of a history."""

    id: str
    parents: tuple[str, ...]
    at: str
    author: str
    subject: str
    body: str
    touched: tuple[tuple[str, str], ...] = ()  # A added, M changed or D removed, and the path
    edge: bool = False  # a shallow clone ends here: what it shows as new may be older


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAuthor:
    """Who wrote a line and when, and which line it was then; author and moment are "" where it is not committed yet."""

    author: str = ""
    at: str = ""
    number: int = 0

    @property
    def day(self) -> str:
        """The day, in UTC."""
        return self.at[:10]


def commits_touching(top: Path, *paths: str, start: str = "") -> list[RuleCommit]:
    """The commits behind ``start``, by default HEAD, that changed these paths or anything below them, newest first.

    A merge is listed only where it holds what none of its parents holds.
    """
    with _open_repository(top) as repository:
        if not start and not repository.head.is_valid():
            return []
        boundary = _shallow_boundary(repository)
        found = repository.iter_commits(start or "HEAD", paths=list(paths), full_history=True)
        commits = [_rule_commit(commit, paths, edge=commit.hexsha in boundary) for commit in found]
    return [commit for commit in commits if commit.touched]


def former_names(top: Path, path: str, start: str = "") -> list[str]:
    """The names that a file had before, newest first."""
    with _open_repository(top) as repository:
        shape = ("-z", "--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=")
        out = repository.git.log(*shape, start or "HEAD", "--", path, with_exceptions=False)  # fails without a commit
    parts = [part.strip("\n") for part in out.split("\0")]
    return [parts[at + 1] for at, part in enumerate(parts) if _RENAME.fullmatch(part) and at + 1 < len(parts)]


def blame_lines(top: Path, path: str, numbers: Sequence[int] | None = None) -> dict[int, LineAuthor]:
    """Who wrote the lines of a file in the work tree, all or those of some numbers, as far as git knows."""
    if numbers is not None and not numbers:
        return {}
    asked: dict[str, Any] = {"L": [f"{number},{number}" for number in numbers]} if numbers else {}
    try:
        with _open_repository(top) as repository:
            entries = repository.blame_incremental(None, path, **asked)
            return {number: line for entry in entries for number, line in _line_authors(entry)}
    except RulecError:  # no repository, or no file that git knows
        return {}


def _line_authors(entry: "BlameEntry") -> Iterator[tuple[int, LineAuthor]]:
    commit = entry.commit
    known = commit.hexsha.strip("0") != ""
    author = (commit.author.name or "?") if known else ""
    at = datetime.fromtimestamp(commit.authored_date, UTC).isoformat().replace("+00:00", "Z") if known else ""
    for number, original in zip(entry.linenos, entry.orig_linenos, strict=True):
        yield number, LineAuthor(author=author, at=at, number=original)


@contextmanager
def _open_repository(top: Path) -> "Iterator[git.Repo]":
    """A repository as GitPython sees it, its processes ended afterwards; RulecError where git refuses."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # else it complains by itself where there is no git
    import git  # noqa: PLC0415 - 70 ms

    place = top if (top / ".git").exists() else os.environ.get("GIT_DIR", top)
    try:
        with git.Repo(place, expand_vars=False) as repository:
            repository.git.update_environment(**QUIET_GIT)
            yield repository
    except git.GitCommandError as error:
        said = error.stderr.strip().removeprefix("stderr: '").removesuffix("'") or str(error)
        raise RulecError(f"git failed: {said}", where=str(top), hint="settle that in git, then try again") from None
    except (git.GitError, git.ODBError) as error:
        what = f"cannot be read as a git repository: {type(error).__name__}"
        raise RulecError(what, where=str(top), hint="run git fsck there") from None


def _shallow_boundary(repository: "git.Repo") -> frozenset[str]:
    """The commits whose parents a shallow clone lacks."""
    path = Path(repository.common_dir, "shallow")
    return frozenset(path.read_text("ascii").split()) if path.is_file() else frozenset()


def _rule_commit(commit: "git.Commit", paths: Sequence[str], *, edge: bool) -> RuleCommit:
    parents = () if edge else tuple(commit.parents)
    message = commit.message if isinstance(commit.message, str) else commit.message.decode("utf-8", "replace")
    subject, _, body = message.lstrip("\n").partition("\n\n")
    return RuleCommit(
        id=commit.hexsha, parents=tuple(parent.hexsha for parent in parents), at=commit.authored_datetime.isoformat(),
        author=commit.author.name or "", subject=" ".join(subject.split("\n")).strip(), body=body.lstrip("\n"),
        touched=tuple(_touched(commit, parents, paths)), edge=edge,
    )  # fmt: skip


def _touched(commit: "git.Commit", parents: "Sequence[git.Commit]", paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """How and which files at and below the paths a commit changed: those that differ from every parent of it."""
    trees: list[git.Tree | None] = [parent.tree for parent in parents] or [None]
    sides = [
        {name: how for path in paths for name, how in _changes(_find(tree, path), _find(commit.tree, path), path)}
        for tree in trees
    ]
    for path, how in sorted(sides[0].items()):
        if all(path in side for side in sides[1:]):
            yield how, path


def _find(tree: "git.Tree | None", path: str) -> "_Entry | None":
    try:
        return None if tree is None else tree / path
    except KeyError:
        return None


def _changes(before: "_Entry | None", after: "_Entry | None", path: str) -> Iterator[tuple[str, str]]:
    """The files that differ between two entries of that path: entries of the same id hold the same."""
    if before and after and (before.binsha, before.mode) == (after.binsha, after.mode):
        return
    old, new = _children(before), _children(after)
    for name in sorted({*(old or ()), *(new or ())}):
        yield from _changes((old or {}).get(name), (new or {}).get(name), f"{path}/{name}")
    was, is_now = (entry is not None and children is None for entry, children in ((before, old), (after, new)))
    if was or is_now:
        yield path, "M" if was and is_now else "A" if is_now else "D"


def _children(entry: "_Entry | None") -> "dict[str, _Entry] | None":
    """The entries of a folder by name; None of what is no folder."""
    if entry is None or entry.type != "tree":
        return None
    return {child.name: child for child in entry}

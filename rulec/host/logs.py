"""The commits that touched some paths, newest first, with what each did to them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.host import git

_FIELDS = ("%H", "%P", "%aI", "%an", "%s", "%b")
# No message holds a NUL, so that nothing in one can look like the next commit.
_FORM = "--format=" + "".join(f"{field}%x00" for field in _FIELDS)
_ID = re.compile(r"[0-9a-f]{40,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One entry of a history."""

    id: str
    parents: tuple[str, ...]
    at: str
    author: str
    subject: str
    body: str
    touched: tuple[tuple[str, str], ...] = ()  # A added, M changed or D removed, and the path
    edge: bool = False  # a shallow clone ends here: what it shows as new may be older


def history(top: Path, *paths: str, start: str = "") -> list[Commit]:
    """The commits behind ``start``, by default HEAD, that changed these paths or anything below them.

    Merges are told only where they hold what neither side held.
    """
    if not start and git.head(top) is None:
        return []
    shape = ("-z", "--no-show-signature", "--encoding=UTF-8", "--full-history", "-c", "--no-renames", "--name-status")
    out = git.must(top, "log", *shape, _FORM, start or "HEAD", "--", *paths)
    edge = shallow(top)
    return [commit for commit in _commits(out.split("\0"), edge) if commit.touched]


def _commits(parts: list[str], edge: frozenset[str]) -> Iterator[Commit]:
    at = 0
    while at + len(_FIELDS) <= len(parts):
        name, parents, when, author, subject, body = parts[at : at + len(_FIELDS)]
        at += len(_FIELDS)
        touched = []
        while at < len(parts) and not _ID.fullmatch(parts[at]):
            how = parts[at].strip("\n")
            at += 1
            if how:
                touched.append((how[0], parts[at]))
                at += 1
        yield Commit(
            id=name, parents=tuple(parents.split()), at=when, author=author, subject=subject, body=body,
            touched=tuple(touched), edge=name in edge,
        )  # fmt: skip


def shallow(top: Path) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks."""
    path = top / git.must(top, "rev-parse", "--git-path", "shallow").rstrip("\n")
    return frozenset(path.read_text().split()) if path.is_file() else frozenset()


def renamed_from(top: Path, path: str, start: str = "") -> list[str]:
    """The names that a file had before, newest first."""
    shape = ("-z", "--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=")
    out = git.git(top, "log", *shape, start or "HEAD", "--", path)
    parts = [part.strip("\n") for part in out.text.split("\0")]
    return [parts[at + 1] for at, part in enumerate(parts) if re.fullmatch(r"R\d+", part) and at + 1 < len(parts)]

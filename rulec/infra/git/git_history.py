"""The history of rules as git has it: the commits that touched some paths, former names, who wrote a line and when."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rulec.infra.git import git_session
from rulec.infra.git.git_session import shallow_boundary


def line_times(top: Path, path: Path) -> dict[int, tuple[int, str]]:
    """Of each committed line the number that it had where it was written and when that was; {} where git has none."""
    if not path.resolve().is_relative_to(top.resolve()):
        return {}
    done = git_session.run_git(top, "blame", "--porcelain", "--", path.resolve().relative_to(top.resolve()).as_posix())
    return dict(_parse_porcelain(done.text)) if done.code == 0 else {}


def _parse_porcelain(out: str) -> Iterator[tuple[int, tuple[int, str]]]:
    times: dict[str, str] = {}
    commit, original, final = "", 0, 0
    for line in out.split("\n"):
        if line.startswith("\t"):
            if at := times.get(commit, ""):
                yield final, (original, at)
        elif head := _BLAME_HEAD.match(line):
            commit, original, final = head[1], int(head[2]), int(head[3])
        elif line.startswith("author-time ") and commit.strip("0"):
            when = datetime.fromtimestamp(int(line.removeprefix("author-time ")), UTC)
            times[commit] = when.isoformat().replace("+00:00", "Z")


_BLAME_HEAD = re.compile(r"([0-9a-f]{40,64}) (\d+) (\d+)")

_FIELDS = ("%H", "%P", "%aI", "%an", "%s", "%b")
# No message holds a NUL, so that nothing in one can look like the next commit.
_FORM = "--format=" + "".join(f"{field}%x00" for field in _FIELDS)
_ID = re.compile(r"[0-9a-f]{40,64}")


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


def commits_touching(top: Path, *paths: str, start: str = "") -> list[RuleCommit]:
    """The commits behind ``start``, by default HEAD, that changed these paths or anything below them.

    Merges are told only where they hold what neither side held.
    """
    if not start and git_session.head_commit(top) is None:
        return []
    shape = ("-z", "--no-show-signature", "--encoding=UTF-8", "--full-history", "-c", "--no-renames", "--name-status")
    out = git_session.git_output(top, "log", *shape, _FORM, start or "HEAD", "--", *paths)
    edge = shallow_boundary(top)
    return [commit for commit in _parse_log(out.split("\0"), edge) if commit.touched]


def _parse_log(parts: list[str], edge: frozenset[str]) -> Iterator[RuleCommit]:
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
        yield RuleCommit(
            id=name, parents=tuple(parents.split()), at=when, author=author, subject=subject, body=body,
            touched=tuple(touched), edge=name in edge,
        )  # fmt: skip


def former_names(top: Path, path: str, start: str = "") -> list[str]:
    """The names that a file had before, newest first."""
    shape = ("-z", "--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=")
    out = git_session.run_git(top, "log", *shape, start or "HEAD", "--", path)
    parts = [part.strip("\n") for part in out.text.split("\0")]
    return [parts[at + 1] for at, part in enumerate(parts) if re.fullmatch(r"R\d+", part) and at + 1 < len(parts)]


_LINE_HEAD = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)")


@dataclass(frozen=True, slots=True)
class LineAuthor:
    """A line's author and day; both "" where it is not committed yet."""

    author: str = ""
    day: str = ""


def blame_lines(top: Path, path: str, numbers: Sequence[int]) -> dict[int, LineAuthor]:
    """The authors of some lines of a file in the work tree, as far as git knows them."""
    asked = [part for number in numbers for part in ("-L", f"{number},{number}")]
    done = git_session.run_git(top, "blame", "--line-porcelain", *asked, "--", path) if asked else None
    found: dict[int, LineAuthor] = {}
    number, author, moment = 0, "", 0
    for line in done.text.splitlines() if done and not done.code else ():
        if head := _LINE_HEAD.match(line):
            number, author = int(head[2]), "" if set(head[1]) == {"0"} else "?"
        elif line.startswith("author ") and author:
            author = line.removeprefix("author ")
        elif line.startswith("author-time ") and line[12:].isdigit():
            moment = int(line[12:])
        elif line.startswith("\t"):
            day = datetime.fromtimestamp(moment, UTC).date().isoformat() if author else ""
            found[number] = LineAuthor(author, day)
    return found

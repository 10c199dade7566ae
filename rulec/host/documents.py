"""Files that people write for agents: which there are, what stands in them, and when each line was written."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import git, worktree

MOST = 400_000  # bytes; what is longer was not written for anybody to read
_NAMED = re.compile(
    r"(?:^|/)(?:CLAUDE|AGENTS|GEMINI|CONVENTIONS)\.md$|^\.cursorrules$|^\.windsurfrules$|^\.clinerules(?:$|/.*\.md$)|"
    r"^\.github/copilot-instructions\.md$|^\.github/instructions/.*\.instructions\.md$|"
    r"^\.cursor/rules/.*\.(?:mdc|md)$|^\.windsurf/rules/.*\.md$"
)
_OTHERS = re.compile(r"(?:^|/)(?:node_modules|vendor|third_party|dist|build|\.venv|venv|testdata|fixtures)/|^tests?/")
_FOLDERS = (".mdc", ".md")


def known(top: Path) -> list[Path]:
    """The instruction files of a repository, each text once, in the order of their paths."""
    paths = (path for path in git.tracked(top) if _NAMED.search(path) and not _OTHERS.search(path))
    return list(_once(top / path for path in sorted(paths)))


def named(here: Path, name: str) -> list[Path]:
    """The file of that name, or those in the folder of that name."""
    path = here / Path(name).expanduser()
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix in _FOLDERS and file.is_file())
        if not found:
            raise RulecError("holds no instruction file", where=name, hint="name a Markdown file")
        return list(_once(found))
    if not path.is_file():
        raise RulecError("is no file", where=name, hint="name an instruction file, such as CLAUDE.md")
    return [path]


def text(path: Path, name: str) -> str:
    """What stands in it; RulecError where no person can have written that."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=name, hint="see its rights") from None
    if size > MOST:
        hint = f"name the file that holds the rules; up to {MOST // 1_000} kB are read"
        raise RulecError(f"has {size // 1_000:,} kB, which is no instruction file", where=name, hint=hint)
    try:
        found = worktree.text(path)
    except RulecError as error:
        raise RulecError(error.message, where=name, hint=error.hint) from None
    if "\0" in found:
        raise RulecError("is no text", where=name, hint="name a Markdown file")
    return found


def _once(paths: Iterable[Path]) -> Iterator[Path]:
    """Without links to what is there already: CLAUDE.md is often one to AGENTS.md."""
    seen: set[Path] = set()
    for path in paths:
        real = path.resolve()
        if path.is_file() and real not in seen:
            seen.add(real)
            yield path


def written(top: Path, path: Path) -> dict[int, tuple[int, str]]:
    """Of each committed line the number that it had where it was written and when that was; {} where git has none."""
    if not path.resolve().is_relative_to(top.resolve()):
        return {}
    done = git.git(top, "blame", "--porcelain", "--", path.resolve().relative_to(top.resolve()).as_posix())
    return dict(_blamed(done.text)) if done.code == 0 else {}


def _blamed(out: str) -> Iterator[tuple[int, tuple[int, str]]]:
    times: dict[str, str] = {}
    commit, original, final = "", 0, 0
    for line in out.split("\n"):
        if line.startswith("\t"):
            if at := times.get(commit, ""):
                yield final, (original, at)
        elif head := _HEAD.match(line):
            commit, original, final = head[1], int(head[2]), int(head[3])
        elif line.startswith("author-time ") and commit.strip("0"):
            when = datetime.fromtimestamp(int(line.removeprefix("author-time ")), UTC)
            times[commit] = when.isoformat().replace("+00:00", "Z")


_HEAD = re.compile(r"([0-9a-f]{40,64}) (\d+) (\d+)")

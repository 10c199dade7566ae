"""Files that people write for agents: finds them, and reads their text."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulec.agents.protocol.agent_spec import all_agents
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_contents

MOST = 400_000  # bytes; what is longer was not written for anybody to read
_NAMED = re.compile(
    r"(?:^|/)(?:CLAUDE|AGENTS|GEMINI|CONVENTIONS)\.md$|^\.cursorrules$|^\.windsurfrules$|^\.clinerules(?:$|/.*\.md$)|"
    r"^\.github/copilot-instructions\.md$|^\.github/instructions/.*\.instructions\.md$|"
    r"^\.cursor/rules/.*\.(?:mdc|md)$|^\.windsurf/rules/.*\.md$"
)
_OTHERS = re.compile(r"(?:^|/)(?:node_modules|vendor|third_party|dist|build|\.venv|venv|testdata|fixtures)/|^tests?/")
_FOLDERS = (".mdc", ".md")
_AT_THE_TOP = ("*.md", ".*rules", ".clinerules/*.md", ".*/rules/*", ".github/*.md", ".github/instructions/*.md")


def find_instruction_files(top: Path) -> list[Path]:
    """The instruction files of a repository, or at the top of a folder that is none, each text once, sorted by path."""
    paths = (path for path in _paths(top) if _is_named(path) and not _OTHERS.search(path))
    return list(_once(top / path for path in sorted(paths)))


def _paths(top: Path) -> Iterable[str]:
    try:
        return git_contents.tracked_paths(top)
    except RulecError:
        return [path.relative_to(top).as_posix() for glob in _AT_THE_TOP for path in top.glob(glob)]


def _is_named(path: str) -> bool:
    """Whether agents read a file of this name before their work."""
    return bool(_NAMED.search(path)) or any(path == one.path for spec in all_agents() for one in spec.documents)


def named_instruction_files(here: Path, name: str) -> list[Path]:
    """The file of that name, or the instruction files in the folder of that name."""
    path = here / Path(name).expanduser()
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix in _FOLDERS and file.is_file())
        if not found:
            raise RulecError("holds no instruction file", where=name, hint="name a Markdown file")
        return list(_once(found))
    if not path.is_file():
        raise RulecError("is not a file", where=name, hint="name an instruction file, such as CLAUDE.md")
    return [path]


def read_instructions(path: Path, name: str) -> str:
    """The text of an instruction file; RulecError where it is too large or no text."""
    try:
        size = path.stat().st_size
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=name, hint="see its rights") from None
    if size > MOST:
        hint = f"name the file that holds the rules; up to {MOST // 1_000} kB are read"
        raise RulecError(f"has {size // 1_000:,} kB, which is too large for an instruction file", where=name, hint=hint)
    try:
        found = text_files.read_text(path)
    except RulecError as error:
        raise RulecError(error.message, where=name, hint=error.hint) from None
    if "\0" in found:
        raise RulecError("is no text", where=name, hint="name a Markdown file")
    return found


def _once(paths: Iterable[Path]) -> Iterator[Path]:
    """The paths without links to files that are listed already: CLAUDE.md is often a link to AGENTS.md."""
    seen: set[Path] = set()
    for path in paths:
        real = path.resolve()
        if path.is_file() and real not in seen:
            seen.add(real)
            yield path

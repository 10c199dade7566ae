"""git's side of a merge driver: the three versions of a file, the merged tree, the conflicts."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.processes import run_tool

MERGE_FILE_PREFIX = ".merge_file_"  # how git names them; nothing else is ever written
_HEAD = "GITHEAD_"
_MOST = 127  # git merge-file answers with the number of conflicts, or with more where it failed


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeVersions:
    """The temporary files that git wrote for one path, at the top of the work tree."""

    top: Path
    base: str
    ours: str
    theirs: str
    marker: str = "7"  # how long a conflict marker is

    def texts(self) -> tuple[str, str, str]:
        """Base, ours and theirs; bytes that are not UTF-8 are preserved."""
        return self._read(self.base), self._read(self.ours), self._read(self.theirs)

    def lines(self, base: str, ours: str, theirs: str) -> tuple[str, bool]:
        """The merge of three texts by lines, with markers where they conflict; whether it is clean."""
        for name, text in ((self.base, base), (self.ours, ours), (self.theirs, theirs)):
            self._write(name, text)
        labels = ("-L", "ours", "-L", "base", "-L", "theirs")
        argv = ["git", "merge-file", "-q", f"--marker-size={self.marker}", *labels, self.ours, self.base, self.theirs]
        done = run_tool(argv, cwd=self.top)
        if not 0 <= done.code <= _MOST:
            raise RulecError(f"git merge-file failed: {done.said}", where=self.ours, hint="merge the file by hand")
        return self._read(self.ours), done.code == 0

    def settle(self, text: str) -> None:
        """Write the result for git."""
        self._write(self.ours, text)

    def _read(self, name: str) -> str:
        return self._place(name).read_bytes().decode("utf-8", "surrogateescape")

    def _write(self, name: str, text: str) -> None:
        self._place(name).write_bytes(text.encode("utf-8", "surrogateescape"))

    def _place(self, name: str) -> Path:
        place = self.top / name
        if not name.startswith(MERGE_FILE_PREFIX) or "/" in name or place.is_symlink() or not place.is_file():
            raise RulecError("is not a temporary file of a git merge", where=name, hint="git runs this verb, not you")
        return place


def merged_tree(top: Path) -> str:
    """The tree that merging one branch into HEAD gives; "" where git does not say, as in a rebase."""
    heads = [name.removeprefix(_HEAD) for name in os.environ if name.startswith(_HEAD)]  # git merge tells its tools so
    if len(heads) != 1 or not re.fullmatch("[0-9a-f]{40,64}", heads[0]):
        return ""
    # our own driver must not ask itself
    done = git_session.run_git(
        top, "-c", "merge.rulec.driver=true", "merge-tree", "--write-tree", "--no-messages", "HEAD", heads[0]
    )
    return done.text.strip() if done.code == 0 else ""


def unmerged_paths(top: Path) -> list[str]:
    """The paths with conflicts."""
    listed = git_session.git_output(top, "ls-files", "-u", "-z").split("\0")
    return sorted({entry.partition("\t")[2] for entry in listed if entry})


def conflicting_texts(top: Path, path: str) -> tuple[str, str, str] | None:
    """Base, ours and theirs of a path with a conflict; None where one side has no such file."""
    done = [git_session.run_git(top, "cat-file", "blob", f":{stage}:{path}") for stage in (1, 2, 3)]
    base, ours, theirs = (one.text if one.code == 0 else None for one in done)
    return None if base is None or ours is None or theirs is None else (base, ours, theirs)


def mark_resolved(top: Path, paths: list[str]) -> None:
    """Mark paths as resolved."""
    if paths:
        git_session.git_output(top, "add", "-A", "--", *paths)

"""The commits of a history, each as the change that a gate judged when it was made."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from rulec.domain.change import Change
from rulec.errors import RulecError
from rulec.infra.git import git_changes, git_contents, git_session
from rulec.infra.git.git_session import shallow_boundary

MOST_FILES = 1_000  # of a commit that is looked at
MOST_BYTES = 64_000_000  # of its files, before and after
KEPT_BYTES = 48_000_000  # of changes that are held for the next who asks
_FORM = "%H%n%P%n%cI%n%B"
Diff = tuple[list[git_changes.RawDiffEntry], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastCommit:
    """One commit."""

    id: str
    parents: tuple[str, ...]
    at: str
    subject: str
    message: str


class PastCommits:
    """The last commits behind one, newest first; their changes are read when they are asked for, and once."""

    def __init__(self, top: Path, most: int, start: str = "HEAD") -> None:
        edge = shallow_boundary(top)
        listed = list(_list_commits(top, most, start)) if git_session.head_commit(top) else []
        self.top = top
        self.made = tuple(made for made in listed if made.id not in edge)
        self.cut = len(listed) - len(self.made)  # at the edge of a shallow clone, where all would look new
        self._known: dict[str, Change | None] = {}
        self._room = KEPT_BYTES

    def changes(self, wanted: Sequence[PastCommit]) -> dict[str, Change | None]:
        """The change of each commit by its id; None where it is too large."""
        new = [made for made in wanted if made.id not in self._known]
        found = self._read(new) if new else {}
        told = {made.id: found[made.id] if made.id in found else self._known[made.id] for made in wanted}
        for name, change in found.items():
            self._room -= _change_size(change)
            if self._room >= 0:
                self._known[name] = change
        # What a tree has read is let go with it: 200 listings of a large repository are too much to hold.
        return {
            name: change and replace(change, tree=git_changes.tree_at_commit(self.top, name))
            for name, change in told.items()
        }

    def _read(self, wanted: Sequence[PastCommit]) -> dict[str, Change | None]:
        pairs = [(made.id, parent) for made in wanted for parent in made.parents or ("",)]
        large = self._large(pairs)
        diffs = self._diffs([pair for pair in pairs if pair[0] not in large], git_changes.DIFF_OPTIONS)
        names = list(dict.fromkeys(name for entries, _ in diffs.values() for e in entries for name in (e.new, e.old)))
        contents = dict(zip(names, git_contents.read_blobs(self.top, names, git_changes.LARGEST_READ), strict=True))
        return {made.id: None if made.id in large else self._change(made, diffs, contents) for made in wanted}

    def _change(
        self, made: PastCommit, diffs: Mapping[tuple[str, str], Diff], contents: Mapping[str, bytes | None]
    ) -> Change:
        sides = []
        for parent in made.parents or ("",):
            entries, patch = diffs[made.id, parent]
            after, before = [contents[e.new] for e in entries], [contents[e.old] for e in entries]
            sides.append(git_changes.build_change(entries, patch, after, before))
        whole = reduce(git_changes.own_to_merge, sides)
        return replace(whole, message=made.message)

    def _large(self, pairs: Sequence[tuple[str, str]]) -> set[str]:
        """The commits that are too large to check, such as the import of another history."""
        raw = self._diffs(pairs, ("-z", "--raw", "--no-renames", "--full-index"))
        names = {pair: [name for e in entries for name in (e.new, e.old)] for pair, (entries, _) in raw.items()}
        few = {pair: blobs for pair, blobs in names.items() if len(blobs) <= 2 * MOST_FILES}
        asked = list(dict.fromkeys(name for blobs in few.values() for name in blobs))
        sizes = dict(zip(asked, git_contents.blob_sizes(self.top, asked), strict=True))
        small = {pair for pair, blobs in few.items() if sum(sizes[name] for name in blobs) <= MOST_BYTES}
        return {pair[0] for pair in pairs if pair not in small}

    def _diffs(self, pairs: Sequence[tuple[str, str]], shape: Sequence[str]) -> dict[tuple[str, str], Diff]:
        """The diff of each commit against a parent, all from one process."""
        asked = "".join(f"{name} {parent}".rstrip() + "\n" for name, parent in pairs).encode()
        done = git_session.run_git(self.top, "diff-tree", "--stdin", "--root", "--always", "-r", *shape, stdin=asked)
        if done.code:
            raise RulecError(f"git diff-tree failed: {done.said}", where=str(self.top), hint="run git fsck")
        out = done.out
        found: dict[tuple[str, str], Diff] = {}
        at = 0
        for number, pair in enumerate(pairs):
            entries, begin = git_changes.read_raw_diff(out, at + len(pair[0]) + 1)
            following = pairs[number + 1][0].encode() + b"\0" if number + 1 < len(pairs) else b""
            at = _patch_end(out, begin, following) if entries and "-p" in shape else begin
            found[pair] = entries, out[begin + 1 : at]
        return found


def _patch_end(out: bytes, begin: int, following: bytes) -> int:
    """Where a patch ends: no line of one looks like what follows, and a name with a line end is quoted in it."""
    if not following:
        return len(out)
    return begin + 1 if out.startswith(following, begin + 1) else out.index(b"\n" + following, begin) + 1


def commits_by_id(top: Path, names: Sequence[str]) -> list[PastCommit]:
    """The commits with the given ids, in their order."""
    asked = "".join(f"{name}\n" for name in names).encode()
    return list(_list_commits(top, len(names), "--no-walk=unsorted", "--stdin", stdin=asked)) if names else []


def _list_commits(top: Path, most: int, *which: str, stdin: bytes = b"") -> Iterator[PastCommit]:
    how = ("-z", f"-n{most}", "--no-show-signature", "--encoding=UTF-8", f"--format={_FORM}")
    out = git_session.git_output(top, "log", *how, *which, stdin=stdin)
    for entry in (entry for entry in out.split("\0") if entry):
        name, parents, at, message = entry.encode("utf-8", "replace").decode("utf-8").split("\n", 3)
        subject = " ".join(message.strip().partition("\n\n")[0].split())
        yield PastCommit(id=name, parents=tuple(parents.split()), at=at, subject=subject, message=message)


def _change_size(change: Change | None) -> int:
    files = change.files if change else ()
    return sum(len(file.content or b"") + len(file.base or b"") for file in files)

"""git's plumbing: what is staged, what stands at a commit, and one commit that holds nothing else."""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.host.call import Called, call

# A hook runs with git's own variables set for the hook's repository; they must not lead us to another one.
# Replaced objects would show us another content than the one that is committed.
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C.UTF-8", "GIT_LITERAL_PATHSPECS": "1"}
_LONGEST = 300  # characters of what git says
_PATIENCE = 30  # tenths of a second that another git may hold the index


def git(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> Called:
    """One git command in the repository, its exit code left to the caller."""
    return call(["git", *args], cwd=root, stdin=stdin, environment={**_QUIET, **(environment or {})})


def must(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """The output of a git command that has to succeed."""
    done = git(root, *args, stdin=stdin, environment=environment)
    if done.code:
        raise RulecError(
            f"git {args[0]} failed: {done.said}", where=str(root), hint="settle that in git, then try again"
        )
    return done.text


def root(start: Path) -> Path:
    """The top of the work tree that holds a folder."""
    done = git(start, "rev-parse", "--show-toplevel")
    if done.code or not done.text.strip():
        raise RulecError(
            "is not inside a git work tree", where=str(start), hint="run git init, or cd into a repository"
        )
    return Path(done.text.rstrip("\n"))


def common_dir(top: Path) -> Path:
    """The git folder that all worktrees share: where local state lives."""
    return (top / must(top, "rev-parse", "--git-common-dir").rstrip("\n")).resolve()


def hooks_dir(top: Path) -> Path:
    """Where git looks for hooks."""
    return (top / must(top, "rev-parse", "--git-path", "hooks").rstrip("\n")).resolve()


def head(top: Path) -> str | None:
    """The commit at HEAD; None in a repository without commits."""
    done = git(top, "rev-parse", "--verify", "-q", "HEAD^{commit}")
    return done.text.strip() or None


def config(top: Path, key: str) -> str:
    """A setting of git's, "" where there is none."""
    return git(top, "config", "--get", key).text.strip()


def commit_of(top: Path, revision: str) -> str:
    """The full id of a revision that a person named."""
    done = git(top, "rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{commit}}")
    if done.code:
        raise RulecError(
            f"{revision!r} is no commit here", where=str(top), hint="git log shows them; a shallow clone lacks some"
        )
    return done.text.strip()


def edited(top: Path, *paths: str) -> list[str]:
    """Those paths below the given ones whose work tree or index differs from HEAD."""
    entries = must(top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths).split(
        "\0"
    )
    return [entry[3:] for entry in entries if entry]


def tracked(top: Path) -> tuple[str, ...]:
    """Tracked paths and new ones that are not ignored."""
    out = must(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return tuple(path for path in out.split("\0") if path)


def empty_tree(top: Path) -> str:
    """The id of a tree without files, in the repository's own hash."""
    return must(top, "hash-object", "-t", "tree", "--stdin").strip()


def blobs(top: Path, ids: Sequence[str], largest: int | None = None) -> list[bytes | None]:
    """The contents of objects, in order; None for those that are missing, no blobs, or larger than asked for."""
    if not ids:
        return []
    wanted = [size >= 0 and (largest is None or size <= largest) for size in sizes(top, ids)]
    names = [name for name, yes in zip(ids, wanted, strict=True) if yes]
    contents = iter(_contents(top, names))
    return [next(contents) if yes else None for yes in wanted]


def sizes(top: Path, ids: Sequence[str]) -> list[int]:
    """The lengths of blobs in bytes, in order; -1 for those that are missing or no blobs."""
    if not ids:
        return []
    asked = "".join(f"{name}\n" for name in ids).encode()
    heads = (line.split(b" ") for line in git(top, "cat-file", "--batch-check", stdin=asked).out.splitlines())
    return [int(head[2]) if head[1:2] == [b"blob"] else -1 for head in heads]


def _contents(top: Path, ids: Sequence[str]) -> Iterator[bytes]:
    out = git(top, "cat-file", "--batch", stdin="".join(f"{name}\n" for name in ids).encode()).out if ids else b""
    at = 0
    for _ in ids:
        end = out.index(b"\n", at)
        size = int(out[at:end].rsplit(b" ", 1)[-1])
        yield out[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def files_at(top: Path, revision: str, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as a commit holds them; links and submodules are left out."""
    out = must(top, "ls-tree", "-r", "-z", revision, "--", *prefixes)
    entries = [entry.split("\t", 1) for entry in out.split("\0") if entry]
    kept = [(meta.split(), path) for meta, path in entries if meta.startswith("100")]
    contents = blobs(top, [meta[2] for meta, _ in kept])
    return {path: (data or b"").decode("utf-8", "replace") for (_, path), data in zip(kept, contents, strict=True)}


def files_in_index(top: Path, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as the index holds them."""
    if not prefixes:
        return {}
    entries = [
        entry.split("\t", 1) for entry in must(top, "ls-files", "-s", "-z", "--", *prefixes).split("\0") if entry
    ]
    kept = [(meta.split()[1], path) for meta, path in entries if meta.startswith("100")]
    contents = blobs(top, [name for name, _ in kept])
    return {path: (data or b"").decode("utf-8", "replace") for (_, path), data in zip(kept, contents, strict=True)}


_UNSETTLED = {  # in the order that tells most: a stopped rebase may have left a cherry-pick, too
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply/applying": "git am",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer/todo": "cherry-pick or revert",
    "BISECT_LOG": "bisect",
}


def unsettled(top: Path) -> str:
    """The operation that is under way, such as "merge", or ""."""
    paths = must(top, "rev-parse", *(part for name in _UNSETTLED for part in ("--git-path", name))).splitlines()
    return next((what for what, path in zip(_UNSETTLED.values(), paths, strict=True) if (top / path).exists()), "")


def index_locked(top: Path) -> bool:
    """Whether another git writes the index, or a killed one left its lock."""
    return (top / must(top, "rev-parse", "--git-path", "index.lock").rstrip("\n")).exists()


def merging(top: Path) -> tuple[str, ...]:
    """The commits that are being merged into HEAD: several where an octopus is made, none where no merge is."""
    # of the worktree whose index it is; rev-parse MERGE_HEAD would tell the first alone
    path = top / must(top, "rev-parse", "--git-path", "MERGE_HEAD").rstrip("\n")
    return tuple(path.read_text("ascii", "replace").split()) if path.is_file() else ()


@dataclass(frozen=True, slots=True)
class Blob:
    """A file to be committed; ``data`` None removes it."""

    path: str
    data: bytes | None
    executable: bool = False


def make_commit(top: Path, files: Iterable[Blob], message: str, on: str = "HEAD") -> str:
    """A commit on top of another that changes these files and nothing else; no branch moves yet.

    It is built beside the person's index and work tree, so nothing of theirs can be swept in, and a kill leaves
    only loose objects behind. So no hook of theirs runs: pre-commit would judge the index, and what is committed here
    is what rulec itself has proved. It is signed where they sign all commits (commit.gpgsign).
    """
    parent = git(top, "rev-parse", "--verify", "-q", f"{on}^{{commit}}").text.strip()
    index = common_dir(top) / "rulec" / f"index.{os.getpid()}"
    index.parent.mkdir(exist_ok=True)
    environment = {"GIT_INDEX_FILE": str(index)}
    try:
        must(top, "read-tree", parent or empty_tree(top), environment=environment)
        must(top, "update-index", "-z", "--index-info", stdin=index_lines(top, files), environment=environment)
        tree = must(top, "write-tree", environment=environment).strip()
    finally:
        index.unlink(missing_ok=True)
    return _commit_tree(top, tree, parent, message)


def _commit_tree(top: Path, tree: str, parent: str, message: str) -> str:
    sign = ["-S"] if git(top, "config", "--type=bool", "commit.gpgsign").text.strip() == "true" else []
    parents = ["-p", parent] if parent else []
    argv = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", *sign, *parents, tree)
    done = git(top, *argv, stdin=message.encode("utf-8", "replace"))
    if done.code:
        cure = "see git config user.signingkey and gpg.format" if sign else "see git config user.name and user.email"
        whole = " ".join(done.err.decode("utf-8", "replace").split())  # who signs tells why before git does
        short = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST].rpartition(' ')[0]} ..."
        told = short if sign else done.said.removeprefix("fatal: ")
        raise RulecError(f"git made no {'signed ' * bool(sign)}commit: {told}", where=str(top), hint=cure)
    return done.text.strip()


def index_lines(top: Path, files: Iterable[Blob]) -> bytes:
    """What update-index --index-info reads, with the contents stored as objects."""
    lines = []
    for file in files:
        if file.data is None:
            mode, name = "0", "0" * len(empty_tree(top))
        else:
            mode = "100755" if file.executable else "100644"
            name = must(top, "hash-object", "-w", "--stdin", stdin=file.data).strip()
        lines.append(f"{mode} {name}\t{file.path}\0".encode("utf-8", "surrogateescape"))
    return b"".join(lines)


def move(top: Path, ref: str, new: str, old: str | None) -> None:
    """Let a branch, or HEAD and with it its branch, name the new commit, if nobody moved it meanwhile."""
    must(top, "update-ref", "-m", "rulec: rulebook", ref, new, old or "0" * len(new))


def stage(top: Path, files: Iterable[Blob]) -> None:
    """Make the person's index hold these files, so that git status is clean about them; all else in it stays."""
    blobs = list(files)
    if not blobs:
        return
    hidden = _hidden(top, [file.path for file in blobs])
    lines = index_lines(top, blobs)
    for _ in range(_PATIENCE):
        done = git(top, "update-index", "-z", "--index-info", stdin=lines)
        if not done.code or b"index.lock" not in done.err:
            break
        time.sleep(0.1)
    if done.code:
        hint = "let the other git end, then run rulec compile: it brings the index up to date"
        raise RulecError(f"committed, but the index could not be written: {done.said}", where=str(top), hint=hint)
    for flag, paths in hidden.items():
        git(top, "update-index", flag, "-z", "--stdin", stdin="".join(f"{path}\0" for path in paths).encode())
    git(top, "update-index", "-q", "--refresh")


def _hidden(top: Path, paths: Sequence[str]) -> dict[str, list[str]]:
    """Which of some paths git was told not to look at in the work tree, by the option that says so."""
    found: dict[str, list[str]] = {"--skip-worktree": [], "--assume-unchanged": []}
    for entry in must(top, "ls-files", "-v", "-z", "--", *paths).split("\0"):
        if entry[:1] in ("S", "s"):
            found["--skip-worktree"].append(entry[2:])
        if entry[:1].islower():
            found["--assume-unchanged"].append(entry[2:])
    return {flag: names for flag, names in found.items() if names}


def not_here(top: Path, *prefixes: str) -> list[str]:
    """Tracked paths that a sparse checkout leaves out of the work tree."""
    entries = must(top, "ls-files", "-t", "-z", "--", *prefixes).split("\0")
    return [entry[2:] for entry in entries if entry[:1] == "S" and not (top / entry[2:]).exists()]

"""Makes one commit that changes only the named files, moves the ref to it, and updates the index."""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra.git.git_contents import hidden_paths
from rulec.infra.git.git_session import (
    common_dir,
    empty_tree_id,
    file_stamp,
    git_output,
    git_path,
    is_git_config_on,
    run_git,
)

_LONGEST = 300  # characters of what git says
_PATIENCE = 30  # tenths of a second that another git may hold the index


@dataclass(frozen=True, slots=True)
class FileToCommit:
    """A file to commit; ``data`` None removes it."""

    path: str
    data: bytes | None
    executable: bool = False


def make_commit(top: Path, files: Iterable[FileToCommit], message: str, parent: str | None) -> str:
    """A commit on top of another that changes these files and nothing else; no branch moves yet.

    ``parent`` is that other's id, None for a first commit. It is built beside the person's index and work tree, so
    nothing of theirs can be swept in, and a kill leaves only loose objects behind. So no hook of theirs runs:
    pre-commit would judge the index, and what is committed here is what rulec itself has proved. It is signed where
    they sign all commits (commit.gpgsign).
    """
    index = _scratch_folder(common_dir(top)) / "index"  # one name: who writes has the lock, and a kill leaves it behind
    environment = {"GIT_INDEX_FILE": str(index)}
    index.with_name("index.lock").unlink(missing_ok=True)
    _sweep(index.parent)
    try:
        git_output(top, "read-tree", parent or empty_tree_id(top), environment=environment)
        git_output(top, "update-index", "-z", "--index-info", stdin=index_info(top, files), environment=environment)
        tree = git_output(top, "write-tree", environment=environment).strip()
    finally:
        index.unlink(missing_ok=True)
    return _commit_tree(top, tree, parent, message)


_SCRATCH = ("index.[0-9]*", "objects-*", ".*.[0-9]*.[0-9]*", "*/.*.[0-9]*.[0-9]*")  # also that of earlier versions
_AT_WORK = 3_600  # seconds after which nobody writes to a temporary file any more


def _sweep(folder: Path) -> None:
    """Remove the temporary files that killed commands have left in the folder of state."""
    for old in (path for pattern in _SCRATCH for path in folder.glob(pattern)):
        with suppress(OSError):
            if time.time() - old.lstat().st_mtime > _AT_WORK:
                shutil.rmtree(old) if old.is_dir() else old.unlink()


def _commit_tree(top: Path, tree: str, parent: str | None, message: str) -> str:
    sign = ["-S"] if is_git_config_on(top, "commit.gpgsign") else []
    parents = ["-p", parent] if parent else []
    argv = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", *sign, *parents, tree)
    done = run_git(top, *argv, stdin=message.encode("utf-8", "replace"))
    if done.code:
        cure = "see git config user.signingkey and gpg.format" if sign else "see git config user.name and user.email"
        whole = " ".join(done.err.decode("utf-8", "replace").split())  # who signs tells why before git does
        short = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST].rpartition(' ')[0]} ..."
        told = short if sign else done.said.removeprefix("fatal: ")
        raise RulecError(f"git made no {'signed ' * bool(sign)}commit: {told}", where=str(top), hint=cure)
    return done.text.strip()


def index_info(top: Path, files: Iterable[FileToCommit]) -> bytes:
    """The input of update-index --index-info; the contents are stored as objects."""
    files = list(files)
    names = iter(_store_objects(top, [file.data for file in files if file.data is not None]))
    gone = "0" * len(empty_tree_id(top)) if any(file.data is None for file in files) else ""
    lines = []
    for file in files:
        mode = "0" if file.data is None else "100755" if file.executable else "100644"
        lines.append(f"{mode} {gone if file.data is None else next(names)}\t{file.path}\0")
    return "".join(lines).encode("utf-8", "surrogateescape")


# The ids of the last contents, by their repository: what is committed is what the index shall hold.
_STORED: dict[tuple[tuple[object, ...], bytes], str] = {}
_MOST_STORED = 10_000


def _store_objects(top: Path, contents: Sequence[bytes]) -> list[str]:
    """The ids of contents as objects, in order; new ones are stored by one process."""
    common = common_dir(top)
    here = (str(common), *file_stamp(common / "config"))  # another repository may come to stand at the same place
    keys = [(here, hashlib.sha256(data).digest()) for data in contents]
    new = {key: data for key, data in zip(keys, contents, strict=True) if key not in _STORED}
    if len(_STORED) + len(new) > _MOST_STORED:
        _STORED.clear()
        new = dict(zip(keys, contents, strict=True))
    if new:
        _STORED.update(zip(new, _write_objects(top, common, list(new.values())), strict=True))
    return [_STORED[key] for key in keys]


def _write_objects(top: Path, common: Path, contents: Sequence[bytes]) -> list[str]:
    if len(contents) == 1 or "\n" in str(common):
        return [git_output(top, "hash-object", "-w", "--stdin", stdin=data).strip() for data in contents]
    with tempfile.TemporaryDirectory(prefix="objects-", dir=_scratch_folder(common)) as folder:
        places = [Path(folder, str(number)) for number in range(len(contents))]
        for place, data in zip(places, contents, strict=True):
            place.write_bytes(data)
        asked = "".join(f"{place}\n" for place in places).encode("utf-8", "surrogateescape")
        return git_output(top, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=asked).split()


def _scratch_folder(common: Path) -> Path:
    folder = common / "rulec"
    folder.mkdir(exist_ok=True)
    return folder


def move_ref(top: Path, ref: str, new: str, old: str | None) -> None:
    """Move a branch, or HEAD with its branch, to a new commit, unless somebody else moved it meanwhile."""
    git_output(top, "update-ref", "-m", "rulec: rulebook", ref, new, old or "0" * len(new))


def update_index(top: Path, files: Iterable[FileToCommit]) -> None:
    """Put the files into the person's index, so that git status is clean about them; other entries stay as they are."""
    blobs = list(files)
    if not blobs:
        return
    with _locked_index(top) as index:
        hidden = hidden_paths(top, [file.path for file in blobs])
        environment = {"GIT_INDEX_FILE": str(index)}
        git_output(top, "update-index", "-z", "--index-info", stdin=index_info(top, blobs), environment=environment)
        for flag, paths in hidden.items():
            names = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
            run_git(top, "update-index", flag, "-z", "--stdin", stdin=names, environment=environment)
        run_git(top, "update-index", "-q", "--refresh", environment=environment)


@contextmanager
def _locked_index(top: Path) -> Iterator[Path]:
    """A copy of the index that takes its place at the end; meanwhile git's lock is held.

    The lock is a link to a file of ours, so that a killed command's is known and removed by the next one: who comes
    here has the lock of all that write.
    """
    lock = git_path(top, "index.lock")
    folder = _scratch_folder(common_dir(top))
    own, copy = folder / "index-lock", folder / "index"
    own.touch()
    with suppress(FileNotFoundError):
        if lock.samefile(own):
            lock.unlink()
    for left in reversed(range(_PATIENCE)):
        if _link(own, lock):
            break
        if not left:
            hint = "let the other git end, then run rulec compile: it brings the index up to date"
            raise RulecError(
                f"committed, but the index could not be written: {lock} is there", where=str(top), hint=hint
            )
        time.sleep(0.1)
    try:
        index = lock.with_name("index")
        copy.with_name("index.lock").unlink(missing_ok=True)
        copy.unlink(missing_ok=True)
        if index.exists():
            shutil.copy2(index, copy)
        yield copy
        copy.replace(index)
    finally:
        lock.unlink(missing_ok=True)


def _link(own: Path, lock: Path) -> bool:
    """Make the lock, unless there is one."""
    try:
        try:
            os.link(own, lock)
        except FileExistsError:
            raise
        except OSError:  # no links here: the lock of a killed command stays until a person removes it, as git's own
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
    except FileExistsError:
        return False
    return True

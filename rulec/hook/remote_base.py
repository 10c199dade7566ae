"""Commits whose compiled guards judge a work tree that has none on its disk, and whether a hook is the base's."""

import hashlib
import json
import os

from rulec.checkout import private_files
from rulec.checkout.git_call import ask_git, git_text
from rulec.checkout.record_cache import stamp_of
from rulec.checkout.rules_layout import COMPILED
from rulec.checkout.worktree import common_directory, git_directory, shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.record_cache import SourceStamp


BASES = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))  # the first that has what is asked
HOOK = os.path.join(COMPILED, "hook.py")
REFUSED = "foreign.json"  # in the git folder: the stamp of the last hook that was not the base's


def base_stamp(root: str, *paths: str) -> "SourceStamp":
    """A value that changes when a reference of the remote does, or one of the files."""
    folder = common_directory(root)
    names = ("packed-refs", "FETCH_HEAD", "refs/heads", "refs/remotes/origin", *BASES)
    heads = [os.path.join(git_directory(root), name) for name in ("HEAD", "index")]
    return stamp_of([*(os.path.join(folder, name) for name in names), *heads, *paths])


def texts_at_base(root: str, folder: str, *bases: str) -> "dict[str, str]":
    """The texts of a folder of compiled checks as the base has them, or the first of other commits, by name."""
    found: "dict[str, str]" = {}
    for base in bases or BASES:
        listed = git_text(root, ["ls-tree", "-z", base, f"./{folder}/"]).split("\0")
        rows = [row.partition("\t") for row in listed if " blob " in row]
        ids = [(os.path.basename(path), about.split()[2]) for about, _, path in rows]
        data = ask_git(root, ["cat-file", "--batch"], "".join(f"{one}\n" for _, one in ids).encode()) or b""
        at = 0
        for name, _ in ids:
            start = data.find(b"\n", at) + 1
            at = start + int(data[at:start].split()[-1]) + 1
            found[name] = data[start : at - 1].decode("utf-8", "replace")
        if found:
            break
    return found


def trust_hook(root: str) -> bool:
    """Whether the hook in the work tree is the base's; if so, it is trusted from now on, and runs."""
    path = os.path.join(root, HOOK)
    stamp, memory = base_stamp(root, path).value, os.path.join(shared_state_directory(root), REFUSED)
    if private_files.read_json(memory).get("stamp") == stamp:
        return False
    data = (private_files.read_file(path) or b"").replace(b"\r\n", b"\n")
    for base in BASES if data else ():
        known = git_text(root, ["rev-parse", "-q", "--verify", f"{base}:./{HOOK}"]).strip()
        if known and known == _blob_id(data, len(known)):
            from rulec.hook import hook_setup  # noqa: PLC0415 (as seldom as the base gets a new hook)

            hook_setup.keep_hook(data.decode("utf-8", "replace"), shared_state_directory(root))
            return True
    private_files.store_file(memory, json.dumps({"stamp": stamp}).encode())
    return False


def _blob_id(data: bytes, digits: int) -> str:
    make = hashlib.sha1 if digits == 40 else hashlib.sha256
    return make(b"blob %d\0" % len(data) + data).hexdigest()

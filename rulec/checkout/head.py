"""The commit that is checked out, read from the git directory without starting git."""

import os

from rulec.checkout.worktree import common_directory, git_directory, open_regular

REF = "ref: "
LARGEST = 8_000_000  # bytes of a list of refs
_DIGITS = (40, 64)  # of a commit's name


def head_commit(root: str) -> str:
    """The name of the commit that is checked out; "" before the first one, and where there is no repository."""
    folder = git_directory(root)
    name = _first_line(os.path.join(folder, "HEAD")) if folder else ""
    if not name.startswith(REF):
        return name if _is_commit(name) else ""
    ref = name[len(REF) :]
    common = common_directory(root)
    for place in dict.fromkeys((folder, common)):
        found = _first_line(os.path.join(place, ref))
        if _is_commit(found):
            return found
    if os.path.isdir(os.path.join(common, "reftable")):
        return _asked(root)
    return _packed(os.path.join(common, "packed-refs"), ref)


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", opener=open_regular) as file:
            return file.readline(4096).strip()
    except (OSError, ValueError):
        return ""


def _is_commit(name: str) -> bool:
    return len(name) in _DIGITS and not name.strip("0123456789abcdef")


def _packed(path: str, ref: str) -> str:
    try:
        with open(path, encoding="utf-8", opener=open_regular) as file:
            text = file.read(LARGEST)
    except (OSError, ValueError):
        return ""
    end = f" {ref}\n"
    found = next((line for line in text.splitlines(keepends=True) if line.endswith(end)), "")
    return found[: -len(end)] if _is_commit(found[: -len(end)]) else ""


def _asked(root: str) -> str:
    """What git says, where refs are kept in a form of its own."""
    from rulec.checkout import git_call  # noqa: PLC0415 (it costs more than all the rest, and hardly a repository needs it)

    name = git_call.git_text(root, ["rev-parse", "--verify", "-q", "HEAD"]).strip()
    return name if _is_commit(name) else ""

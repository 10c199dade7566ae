"""What a check asks of a command beyond its name: flags that must be there, words, files, branches."""

import re

from . import branches
from .call import Call, join
from .match import matches, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ASKING = ("--help", "--version")  # they only ask the program about itself


def named(check: "dict[str, Any]", call: Call, branch: str = "") -> "str | None":
    """The pattern of the check that names the call, or None where the check does not speak of it.

    ``branch`` is the one that is checked out, "" where that is not known.
    """
    pattern = next((pattern for pattern in check["patterns"] if matches(pattern, call)), None)
    free = check.get("unless", [])
    if pattern is None or any(matches(other, call) for other in free):
        return None
    # What an allowed command runs is allowed: python, where "uv run python" is what the person wants.
    if any(name in free or name in _wanted(check) for name in call.via):
        return None
    return pattern if _holds(check, call, branch) else None


def _wanted(check: "dict[str, Any]") -> "list[str]":
    return [check.get("instead", ""), *check.get("rewrite", {}).values()]


def _holds(check: "dict[str, Any]", call: Call, branch: str) -> bool:
    words = call.argv[1:]
    wanted = check.get("arguments", "")
    if wanted and not any(re.search(wanted, word) for word in words):
        return False
    if check.get("flags") and (any(word in ASKING for word in words) or _given(check, call)):
        return False
    if check.get("each") and not any(_lacks(check, call, word) for word in words):
        return False
    if check.get("files") and not any(_is_file(check["files"], call, word) for word in words):
        return False
    if check.get("new_branch"):
        names = branches.created(call)
        if not any("$" not in name and not re.search(check["new_branch"], name) for name in names):
            return False
    return not check.get("pushes") or branches.pushes_to(check["pushes"], call, branch)


def _given(check: "dict[str, Any]", call: Call) -> bool:
    """Whether one of the flags stands there, with a value that fits where one is asked for."""
    value = check.get("value", "")
    if not value:
        program = plain(call.program)
        return any(matches(program + " " + flag, call) for flag in check["flags"])
    names = [name for flag in check["flags"] for name in flag.split("|")]
    letters = [name.strip("-")[:1].lower() for name in names]  # --project may have the short form -p or -P
    for at, word in enumerate(call.argv):
        name, _, own = word.partition("=")
        if name in names or (len(name) == 2 and name[0] == "-" and name[1].lower() in letters):
            following = call.argv[at + 1] if at + 1 < len(call.argv) else ""
            given = own or following
            if "$" in given or re.search(value, given):
                return True
    return False


def _lacks(check: "dict[str, Any]", call: Call, word: str) -> bool:
    """Whether the word is one that is judged and has not what it must have."""
    unknown = call.dynamic and "$" in word
    return not unknown and bool(re.search(check["each"], word)) and not re.search(check.get("must", ""), word)


def _is_file(wanted: str, call: Call, word: str) -> bool:
    return bool(word) and not word.startswith("-") and bool(re.search(wanted, join(call.cwd, word)))

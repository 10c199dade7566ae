"""What a check asks of a command beyond its name: flags that must be there, words, files, branches."""

import re

from rulec.runtime import branches
from rulec.runtime.call import Call, join
from rulec.runtime.manuals import ASKING, DRY_RUNS
from rulec.runtime.match import matches, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def named(check: "dict[str, Any]", call: Call, branch: str = "") -> "str | None":
    """The pattern of the check that names the call, or None where the check does not speak of it.

    ``branch`` is the one that is checked out, "" where that is not known.
    """
    call = renamed(check, call)
    pattern = next((pattern for pattern in check["patterns"] if matches(pattern, call)), None)
    if pattern is None or _only_asks(" ".join([pattern, *check.get("flags", ())]), call):
        return None
    return pattern if not _free(check, call) and _holds(check, call, branch) else None


def _only_asks(asked: str, call: Call) -> bool:
    """Whether all that is asked is about the program, or what it would do, and the rule does not speak of that."""
    words = asked.split()[1:]
    if call.program in DRY_RUNS and words and not any(word.startswith("-") for word in words):
        from rulec.runtime.helps import tries  # noqa: PLC0415 (few commands of these programs are judged)

        if tries(call):  # of a rule on a program, or on its options, the dry run is no exception
            return True
    if not {"help", *ASKING} & set(call.argv) or re.search(r"(?<![\w-])(?:help|--help|--version)(?![\w-])", asked):
        return False
    from rulec.runtime.helps import asks  # noqa: PLC0415 (few commands ask for help)

    return asks(call)


def doubted(check: "dict[str, Any]", call: Call, text: str) -> str:
    """Why the check may speak of a call that it does not name for certain, or ""."""
    from rulec.runtime import doubts  # noqa: PLC0415 (most commands leave none)

    call = renamed(check, call)
    spared = any(doubts.spares(other, call) for other in check.get("unless", []))
    if spared or _free(check, call) or not _holds(check, call, ""):
        return ""
    return doubts.perhaps(check["patterns"], call, text)


def _free(check: "dict[str, Any]", call: Call) -> bool:
    """Whether the check leaves the call alone: by name, or since an allowed command runs it, as uv run does python."""
    free = check.get("unless", [])
    if "under" in check and _is_under(check, call):
        return True
    wanted = _wanted(check)
    carried = any(name in free or name in wanted for name in call.via)
    if carried or any(matches(other, call) for other in free):
        return True
    from rulec.runtime.getting import gets  # noqa: PLC0415 (most commands are named by no rule)

    return gets(wanted, call)


def _is_under(check: "dict[str, Any]", call: Call) -> bool:
    """Whether the call is run as it must be: by one of the commands, or from a path where that is left alone."""
    if any(word in ASKING for word in call.argv[1:]) or ("/" in call.argv[0] and not check.get("by_path")):
        return True
    wanted = [" ".join(prefix.split()) + " " for prefix in check["under"]]
    return any(prefix.startswith(via + " ") for via in call.via for prefix in wanted)


def renamed(check: "dict[str, Any]", call: Call) -> Call:
    """The call with the command in place of its alias, where the rule gives one."""
    for name, command in check.get("aliases", {}).items():
        own = name.split()
        if own and [call.program, *call.argv[1 : len(own)]] == own:
            return call.as_words([*command.split(), *call.argv[len(own) :]])
    return call


def _wanted(check: "dict[str, Any]") -> "list[str]":
    return [check.get("instead", ""), *check.get("rewrite", {}).values()]


def _holds(check: "dict[str, Any]", call: Call, branch: str) -> bool:
    words = call.argv[1:]
    asked = [check["arguments"]] if check.get("arguments") else []
    if any(not any(re.search(one, word) for word in words) for one in [*asked, *check.get("also", ())]):
        return False
    said = check.get("says", "")
    if said and not any(re.search(said, text) for text in (*words, call.stdin)):
        return False
    if check.get("code") and not _hands_over(check["code"], call):
        return False
    if check.get("flags") and (any(word in ASKING for word in words) or _given(check, call)):
        return False
    if check.get("each") and not any(_lacks(check, call, word) for word in words):
        return False
    if check.get("files") and not any(_is_file(check["files"], call, word) for word in words):
        return False
    if check.get("on_branch") and not (branch and branches.among(check["on_branch"], branch)):
        return False
    if check.get("new_branch") and not branches.misnamed(check["new_branch"], call):
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


def _hands_over(wanted: str, call: Call) -> bool:
    """Whether the code that the command is given to run, on its line or on standard input, matches."""
    from rulec.runtime.effects import code  # noqa: PLC0415 (few checks look at code)
    from rulec.runtime.launchers import family  # noqa: PLC0415 (as above)

    text = code(call) if family(call.program) else call.stdin
    return bool(re.search(wanted, text, re.MULTILINE))


def _lacks(check: "dict[str, Any]", call: Call, word: str) -> bool:
    """Whether the word is one that is judged and has not what it must have."""
    unknown = call.dynamic and "$" in word
    return not unknown and bool(re.search(check["each"], word)) and not re.search(check.get("must", ""), word)


def _is_file(wanted: str, call: Call, word: str) -> bool:
    return bool(word) and not word.startswith("-") and bool(re.search(wanted, join(call.cwd, word)))

"""Commands that change the gate's files without naming them: archives, searches, pipes, links."""

import re

from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell import action_events
from rulec.shell.file_effects import DELETES, LONGEST_PATH
from rulec.shell.parsing.call import join_path
from rulec.tamper.guarded_files import GATE_PROGRAMS, is_protected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


ARCHIVERS = {  # program -> options that name the folder
    "tar": "-C --directory --cd",
    "gtar": "-C --directory --cd",
    "bsdtar": "-C --directory --cd",
    "unzip": "-d",
    "cpio": "-D --directory",
    "7z": "-o",
    "7za": "-o",
}
LISTS = {"unzip": "ltpvZz", "cpio": "ot"}  # letters of those that only look
CHANGERS = frozenset(
    [
        *DELETES, "mv", "chmod", "chown", "truncate", "tee", "cp", "ln", "dd", "install", "sh", "bash", "perl",
        "python", "python3", "kill",
    ]
)  # fmt: skip
FILTERS = frozenset(["grep", "egrep", "head", "tail", "sort", "uniq", "sed", "awk", "tr", "cut"])
LISTERS = FILTERS | {"find", "fd", "ls", "git", "rg"}
OWN_NAMES = ("pre-commit", "commit-msg", "pre-push", "hook.py", "rulec.sh", "guard.index", ".pre-commit-config.yaml")
FINDERS = ("which", "command", "type", "whereis")
RECURSIVE_CHANGERS = ("chmod", "chown", "chgrp", "chattr")


def _unpacks(event: "dict[str, Any]", call: "Call") -> bool:
    """An archive unpacked over the gate's files."""
    names = ARCHIVERS.get(call.program, "").split()
    if not names:
        return False
    words = call.argv[1:]
    flags = [word for word in words if word.startswith("-") and not word.startswith(("--", *names))]
    letters = "".join(flags)
    letters += words[0] if words and "tar" in call.program else ""
    if "tar" in call.program and "x" not in letters and not {"--extract", "--get"} & set(words):
        return False
    if any(letter in letters for letter in LISTS.get(call.program, "")):
        return False
    folder = ""
    for word, following in zip(words, [*words[1:], ""]):  # noqa: B905 (Python 3.9; both are as long)
        name = next((name for name in names if word.startswith(name)), "")
        if name and len(folder) < LONGEST_PATH:
            folder = join_path(folder, word[len(name) :].removeprefix("=") or following)
    return is_protected(event, join_path(call.cwd, folder))


def _finds(event: "dict[str, Any]", call: "Call") -> bool:
    """``find`` that deletes or changes the gate's files."""
    return call.program == "find" and _acts(call.argv) and _looks_there(event, call)


def _looks_there(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether ``find`` searches folders with the gate's files, by names that match them."""
    if any(word.endswith(".lock") for word in call.argv):
        return False
    paths = call.argv[1 : _first_flag(call.argv)] or ["."]
    if any(is_protected(event, join_path(call.cwd, path)) for path in paths):
        return True
    outside = all(path.startswith(("/", "~", "$")) and path != "/" for path in paths)
    for index, word in enumerate(call.argv[:-1]):
        before, after = call.argv[index - 1], call.argv[index + 2 : index + 3]
        if before in ("!", "-not") or after == ["-prune"]:
            continue
        named = call.argv[index + 1].replace("\\", "").lower()
        if word in ("-path", "-wholename", "-ipath", "-regex"):
            if ".git/hooks" in named or ".rules/" in named or named.endswith(".rules"):
                return True
        elif word in ("-name", "-iname") and not outside and named.strip("*?") and _names_ours(named):
            return True
    return False


def _names_ours(named: str) -> bool:
    return any(globs.match(["/" + named], name) for name in OWN_NAMES)


def _acts(argv: "list[str]") -> bool:
    runs = [argv[at + 1] for at, word in enumerate(argv[:-1]) if word in ("-exec", "-execdir", "-ok", "-okdir")]
    if "-delete" in argv or any(plain_program(name.rpartition("/")[2]) in CHANGERS for name in runs):
        return True
    return "sed" in runs and any(word.startswith(("-i", "--in-place")) for word in argv)


def _piped(event: "dict[str, Any]", call: "Call") -> bool:
    """``... | xargs rm``: what is listed before the pipe."""
    if "xargs" not in call.via or not _changes(call):
        return False
    if call.stdin:
        return any(is_protected(event, join_path(call.cwd, word)) for word in call.stdin.split())
    calls = action_events.parsed_command(event).calls
    at = calls.index(call) - 2  # before it stands xargs itself
    sources: "list[Call]" = []
    while at >= 0 and calls[at].program in LISTERS and (not sources or sources[-1].program in FILTERS):
        sources.append(calls[at])
        at -= 1
    return any(_lists(event, source) for source in sources)


def _lists(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether a command before the pipe lists the gate's files."""
    if call.program == "find":
        return _looks_there(event, call)
    paths = [word for word in call.argv[1:] if not word.startswith("-")]
    if call.program not in ("fd", "ls", "git"):
        paths = paths[1:]  # the pattern
    locks = any(word.endswith(".lock") for word in call.argv)
    return not locks and any(is_protected(event, join_path(call.cwd, path)) for path in paths or ["."])


def _first_flag(argv: "list[str]") -> int:
    return next((at for at, word in enumerate(argv) if at and word.startswith(("-", "(", "!"))), len(argv))


def _changes(call: "Call") -> bool:
    if call.program == "git":
        return call.argv[1:2] in (["rm"], ["mv"])
    if call.program in ("sed", "gsed"):
        return any(word.startswith(("-i", "--in-place")) for word in call.argv)
    return call.program in CHANGERS


def _links(event: "dict[str, Any]", call: "Call") -> bool:
    """A link to the gate's files, through which they could be changed unseen."""
    if call.program != "ln":
        return False
    last = call.argv[-1]
    folders = [
        call.cwd,
        join_path(call.cwd, last),
        join_path(call.cwd, last.rpartition("/")[0]),
    ]  # a link is read from its own
    named = [word for word in call.argv[1:-1] if not word.startswith("-")]
    return any(is_protected(event, join_path(folder, word)) for word in named for folder in dict.fromkeys(folders))


def _all_below(event: "dict[str, Any]", call: "Call") -> bool:
    """``chmod -R`` of a folder that holds the gate's files."""
    if call.program not in RECURSIVE_CHANGERS or not any(word[:1] == "-" and "R" in word for word in call.argv[1:]):
        return False
    if any(word.startswith("u+") or word in ("+w", "+r", "+rw", "+x", "a+r") for word in call.argv[1:]):
        return False
    return any(is_protected(event, join_path(call.cwd, word)) for word in call.argv[2:] if not word.startswith("-"))


def _replaces(_: "dict[str, Any]", call: "Call") -> bool:
    """A program of the gate, named by a lookup: ``rm $(which rulec)``."""
    if call.program not in CHANGERS and call.program not in RECURSIVE_CHANGERS:
        return False
    return any(
        source.program in FINDERS and not set(GATE_PROGRAMS).isdisjoint(source.argv[1:]) for source in call.feeds
    ) or any("rulec.__file__" in word for source in call.feeds for word in source.argv)


def _writes_by_sed(event: "dict[str, Any]", call: "Call") -> bool:
    """A ``w FILE`` command in a sed script."""
    if call.program not in ("sed", "gsed"):
        return False
    return any(
        is_protected(event, join_path(call.cwd, path))
        for word in call.argv[1:]
        for path in re.findall(r"w\s+(\S+)", word)
    )


INDIRECT_WRITES = (_writes_by_sed, _unpacks, _finds, _piped, _links, _all_below, _replaces)

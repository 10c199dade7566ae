"""Whether a command that was run covers the one that a changed file asks for: the same, or one that runs more."""

import re

from rulec.guard.session.acts import Act
from rulec.shell.action_events import relative_path
from rulec.shell.command_matching import matches, words_beside_pattern
from rulec.shell.parsing.call import Call, join_path

GROUP = re.compile(r"\\([1-9])")
# Options that run only a part of what a command would run without them.
NARROWING = frozenset(
    [
        "-k", "-t", "-m", "-run", "--run", "--filter", "-F", "--grep", "-g", "--testNamePattern", "--lf", "--sw",
        "--testPathPattern", "-w", "--workspace", "-p", "--project", "--package", "--scope", "-pl", "--only", "--tests",
    ]
)  # fmt: skip


def fill_numbers(text: str, groups: "list[str]") -> str:
    """The text with groups in place of their numbers."""
    return GROUP.sub(lambda found: groups[int(found[1])], text)


def covers(form: "list[str]", act: Act, call: Call) -> bool:
    """Whether the call runs more than what the form names, and that too: the folder above the test, or everything.

    ``form`` is the command with group numbers, then the changed file and its groups.
    """
    command, path, groups = form[0], form[1], form[1:]
    kept: "list[str]" = []
    asked: "list[str]" = []
    for word in command.split():
        if not GROUP.search(word):
            kept.append(word)
            continue
        if len(kept) > 1 and kept[-1].startswith("-") and kept[-1] in NARROWING:
            kept.pop()
        asked.append(_place("", fill_numbers(word, groups)))
    if not kept or not matches(" ".join(kept), call):
        return False
    rest = words_beside_pattern(" ".join(kept), call)
    if any(word.partition("=")[0] in NARROWING for word in rest):
        return False
    given = [_place(call.cwd, word) for word in rest if not word.startswith("-") and ("/" in word or "." in word)]
    if given:
        return all(any(one in ("", ".") or _above(one, wanted) for one in given) for wanted in asked)
    here = relative_path(act.event, call.cwd)
    return call.adrift or not here or here == "." or _above(here, path)


def _place(cwd: str, word: str) -> str:
    """The path that a word names, from the top; ./... is all below."""
    word = word.removesuffix("...")
    return join_path(cwd, word.rstrip("/")) if not word.startswith("-") else word


def _above(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")

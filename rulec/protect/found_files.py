"""Searches and lists that come to the gate's files, for other commands to change."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.protect import installed_package
from rulec.protect.file_rules import is_protected
from rulec.shell import action_events, find_expression, listed_files
from rulec.shell.action_events import relative_path
from rulec.shell.parsing.call import Call, join_path
from rulec.shell.programs import WORDS, facts_of
from rulec.shell.writes import edits_in_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.event import Event


CHANGING = ("deleted", "last", "modes", "dd")  # how those write that change the files they are given
INTERPRETED = frozenset(["sh", "bash", "perl", "python", "python3", "kill"])  # what they do to it stands elsewhere
MOST_FILES = 500  # of the gate's that a search is tried on
HARMLESS_MODES = ("u+", "+w", "+r", "+x", "a+r")
LISTERS = WORDS["filters"] | {"find", "fd", "ls", "git", "rg"}
GATE_FILES = (  # one of each kind, and the folders that hold them
    ".rules/config.yaml", ".rules/rule.yaml", ".rules/hook", ".rules/compiled/guard/rule.json",
    ".git/rulec/guards", ".git/config", ".git/HEAD",
    ".git/hooks/pre-commit", ".git/hooks/commit-msg", ".git/hooks/pre-push", ".pre-commit-config.yaml",
    ".rules/", ".rules/compiled/", ".git/", ".git/hooks/",
)  # fmt: skip
AGENT_FILES = tuple(
    path for paths in agent_tables.SETTINGS.values() for path in paths if re.fullmatch(r"[\w./]+\w", path)
)


def changes_found_files(event: Event, call: Call, _: str) -> bool:
    """``find`` that deletes or changes the gate's files."""
    starts = [join_path(call.cwd, start) for start in find_expression.FindExpression(call.argv).starts]
    if "-delete" in call.argv and any(installed_package.lies_within(event, start) for start in starts):
        return True
    found = _reached(event, call)
    runs = [run for run in _runs(call.argv) if _changes(run) or (_is_interpreter(run) and _names_place(event, call))]
    return any(
        ("-delete" in actions and not name.endswith("/"))
        or any(_changes_found(event, run, name) for run in runs if not actions.isdisjoint(find_expression.RUNS))
        for name, actions in found
    )


def _runs(argv: list[str]) -> list[Call]:
    """The commands behind the -exec of ``find``."""
    found = []
    for at, word in enumerate(argv):
        if word in find_expression.RUNS:
            end = next((end for end in range(at, len(argv)) if argv[end] in (";", "\\;", "+")), len(argv))
            found += [Call(argv[at + 1 : end], "", {}, ())] if argv[at + 1 : end] else []
    return found


def _reached(event: Event, call: Call) -> list[tuple[str, set[str]]]:
    """The gate's files and folders that ``find`` comes to, each with what it does there."""
    expression, names = find_expression.FindExpression(call.argv), _gate_files(event)
    found: list[tuple[str, set[str]]] = []
    for start in expression.starts:
        place = relative_path(event, join_path(call.cwd, start)).rstrip("/")
        known = not place.startswith(("$", "~"))
        if not known and not _tests_paths(call.argv):
            continue
        for name in names:
            below = _below(event, place if known and place != "." else "", name)
            actions = expression.actions_on(start, below) if below else set()
            found += [(name, actions)] if actions else []
    return found


def _gate_files(event: Event) -> list[str]:
    """The gate's files and folders that are there; where nobody can know, one of each kind."""
    world = event.world
    if not world:
        return [*GATE_FILES]
    found = [name for name in (*GATE_FILES, *AGENT_FILES) if world.exists(name)]
    for folder, _, files in os.walk(os.path.join(world.root, ".rules")):
        found += [os.path.relpath(os.path.join(folder, name), world.root) for name in sorted(files)]
        if len(found) > MOST_FILES:
            break
    return list(dict.fromkeys(found))[:MOST_FILES]


def _below(event: Event, place: str, name: str) -> str:
    """The name as seen from the place, which may be a folder above the repository; "" where it lies elsewhere."""
    whole = name
    if place.startswith(("/", "..")):
        root = str(event.root or "/repository")
        place, whole = os.path.normpath(os.path.join(root, place)), f"{root}/{name}"
    folder = place.rstrip("/") + "/" if place else ""
    return whole[len(folder) :] if whole.startswith(folder) and whole != folder else ""


def _names_place(event: Event, call: Call) -> bool:
    """Whether ``find`` looks for the gate's files by their place or their own names, not among all others."""
    starts = find_expression.FindExpression(call.argv).starts
    if _tests_paths(call.argv) or any(is_protected(event, join_path(call.cwd, start)) for start in starts):
        return True
    return any(word in find_expression.NAMES for word in call.argv)


def _tests_paths(argv: list[str]) -> bool:
    return any(word in (*find_expression.PATHS, *find_expression.PATTERNS) for word in argv)


def _changes_found(event: Event, call: Call, name: str) -> bool:
    """Whether a command that changes what it is given changes this file or ``folder/``."""
    if name.endswith("/"):
        return call.program == "mv" or (call.program == "rm" and any(re.match("-[a-zA-Z]*[rR]", w) for w in call.argv))
    if call.program in ("cp", "ln", "install"):
        return call.argv[-1:] == ["{}"]
    if call.program == "chmod":
        return not any(word.startswith(HARMLESS_MODES) for word in call.argv[1:])
    world = event.world
    return not (world and listed_files.replaces_nothing(call, world.read(name)))


def changes_listed_files(event: Event, call: Call, _: str) -> bool:
    """``... | xargs rm``: what is listed before the pipe."""
    if call.stdin:
        return any(is_protected(event, join_path(call.cwd, word)) for word in call.stdin.split())
    calls = action_events.parsed_command(event).calls
    at = calls.index(call) - 2  # before it stands xargs itself
    sources: list[Call] = []
    while at >= 0 and calls[at].program in LISTERS and (not sources or sources[-1].program in WORDS["filters"]):
        sources.append(calls[at])
        at -= 1
    return any(_lists(event, source, call, sources[:at]) for at, source in enumerate(sources))


def _lists(event: Event, call: Call, changer: Call, filters: list[Call]) -> bool:
    """Whether a command before the pipe lists files of the gate, for another one to change."""
    if call.program == "find":
        if _is_interpreter(changer) and not _names_place(event, call):
            return False
        return any(
            not actions.isdisjoint(find_expression.PRINTS) and _changes_found(event, changer, name)
            for name, actions in _reached(event, call)
            if all(_lets_through(one, f"./{name}") for one in filters)
        )
    paths = [word for word in call.argv[1:] if not word.startswith("-")]
    if call.program not in ("fd", "ls", "git"):
        paths = paths[1:]  # the pattern
    locks = any(word.endswith(".lock") for word in call.argv)
    return not locks and any(is_protected(event, join_path(call.cwd, path)) for path in paths or ["."])


def _lets_through(call: Call, line: str) -> bool:
    """Whether a filter of lines may let this one through."""
    flags = "".join(word[1:] for word in call.argv[1:] if word.startswith("-"))
    words = [word for word in call.argv[1:] if not word.startswith("-")]
    if call.program not in ("grep", "egrep") or not set(flags) <= set("vEi") or len(words) != 1:
        return True
    try:
        return bool(re.search(words[0], line)) != ("v" in flags)
    except re.error:
        return True


def _is_interpreter(call: Call) -> bool:
    return call.program in INTERPRETED


def _changes(call: Call) -> bool:
    if call.program == "git":
        return call.argv[1:2] in (["rm"], ["mv"])
    how = facts_of(call.program).get("writes")
    if how == "sed":
        return any(edits_in_place(word) for word in call.argv[1:])
    return how in CHANGING or call.program in ("tee", "truncate")

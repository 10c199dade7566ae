"""Searches and lists that come to the gate's files, for other commands to change."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.protect import installed_package
from rulec.protect.file_rules import is_protected
from rulec.shell import find_expression, listed_files
from rulec.shell.action_events import relative_path
from rulec.shell.parsing.call import Call, join_path
from rulec.shell.parsing.runs import FINDERS
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event


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


def deletes_found_files(event: Event, call: Call, _: str) -> bool:
    """``find -delete`` that comes to the gate's files."""
    if "-delete" not in call.argv:
        return False
    starts = [join_path(call.cwd, start) for start in find_expression.FindExpression(call.argv).starts]
    if any(installed_package.lies_within(event, start) for start in starts):
        return True
    return any("-delete" in actions and not name.endswith("/") for name, actions in _reached(event, call))


def changes_listed_files(event: Event, call: Call, _: str) -> bool:
    """``find -exec rm`` and ``... | xargs rm`` where the gate's files are among what is found or listed."""
    if call.stdin and "xargs" in call.via:
        return any(is_protected(event, join_path(call.cwd, word)) for word in call.stdin.split())
    source, filters = listed_files.source_of(call)
    if source is None or not (source.program in LISTERS or source.program == "find"):
        return False
    if source.program == "find":
        acts = FINDERS if "find" in call.via else find_expression.PRINTS
        return (not _is_interpreter(call) or _names_place(event, source)) and any(
            not actions.isdisjoint(acts) and _changes_found(event, call, name)
            for name, actions in _reached(event, source)
            if all(listed_files.lets_through(one, name) is not False for one in filters)
        )
    paths = [word for word in source.argv[1:] if not word.startswith("-")]
    if source.program not in ("fd", "ls", "git"):
        paths = paths[1:]  # the pattern
    locks = any(word.endswith(".lock") for word in source.argv)
    return not locks and any(is_protected(event, join_path(source.cwd, path)) for path in paths or ["."])


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


def _is_interpreter(call: Call) -> bool:
    return call.program in INTERPRETED

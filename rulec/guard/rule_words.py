"""The words that lead from an action to the rules that may judge it: rules are filed under them, actions ask for them.

A rule that finds something (guard.decision) is always among those that the action's words lead to. Hooks, proofs and
gates all look rules up this way.
"""

from __future__ import annotations

import re

from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs, program_family
from rulec.shell import action_events
from rulec.shell.command_matching import doubtful_calls, is_variable, program_names
from rulec.shell.parsing.call import WHY_UNREAD
from rulec.shell.parsing.wrappers import INTERPRETERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulec.shell.parsing.call import Call


ALWAYS = "*"  # rules that no word leads to
FILES = "f"  # rules on files that no part of a path leads to
WHOLE = "w"  # all rules on files: for what touches more than one can tell
END = "e"  # rules on the end of a turn, on replies and on whole changes
TOOLS = "t"  # rules on tools by their names
UNKNOWN = "u"  # rules on commands whose words alone may fit, whatever the program is
_PROGRAM, _ASKED, _TOP, _NAME, _SUFFIX = "c", "i", "p", "n", "s"  # before a program or a part of a path
_WILD = "*?[{\\"


def file_rules(words_of_each: Iterable[set[str]]) -> dict[str, list[int]]:
    """The positions of the rules by the words that lead to each."""
    filed: dict[str, list[int]] = {}
    for at, words in enumerate(words_of_each):
        for word in words:
            filed.setdefault(word, []).append(at)
    return filed


def find_rules(filed: dict[str, list[int]], words: Iterable[str]) -> list[int]:
    """The positions of the rules that the words lead to, in order."""
    return sorted({at for word in words for at in filed.get(word, ())})


def words_of_event(event: dict[str, Any]) -> set[str]:
    """The words that an action asks for."""
    if event["kind"] == "tool":
        return {TOOLS}
    found = {ALWAYS}
    if event["kind"] == "command":
        found |= _words_of_command(event)
    elif event["kind"] in action_events.FILE_KINDS:
        found |= _words_of_file(event)
    elif event["kind"] in ("stop", "reply", "change"):
        found.add(END)
        for file in event.get("files", ()) if event["kind"] == "stop" else ():
            found |= _words_of_file(file)
    return found


def words_asked_by(calls: Iterable[Call]) -> set[str]:
    """The words of the rules that say to run one of these commands instead of another."""
    return {_ASKED + program_family(name) for call in calls for name in program_names(call)}


def words_of_rule(rule: dict[str, Any]) -> set[str]:
    """The words under which a rule is found."""
    check = rule["check"]
    if check["on"] == "command":
        return _words_of_command_check(check)
    if check["on"] == "dependency":
        return _words_of_packages()
    if check["on"] == "tool":
        return {TOOLS}
    if check["on"] in ("change", "reply"):
        return {END}  # no single action tells what a commit will bring along
    if check["on"] == "session":
        found = _programs(check.get("before_commands", []))
        found |= {END} if check.get("before_stop") else set()
        found |= {TOOLS} if check.get("before_tools") else set()
        found |= _words_of_packages() if check.get("before_packages") else set()
        return found | (_places(check["before_edits"]) if check.get("before_edits") else set())
    if check.get("scripts"):
        return {_PROGRAM + name for name in INTERPRETERS} | _places(check.get("globs") or ["**"])
    return _places(check.get("globs") or rule["facts"].get("scope", {}).get("include") or ["**"])


def prescribed_commands(check: dict[str, Any]) -> list[str]:
    """The commands that a check says to run instead."""
    wanted = [check.get("instead", ""), *check.get("rewrite", {}).values(), *check.get("under", ())]
    return [one for one in wanted if one and one.split()[:1] and pattern_programs(one)]


def _words_of_command_check(check: dict[str, Any]) -> set[str]:
    aliases = [name.split()[0] for name in check.get("aliases", {}) if name.strip()]
    found = _programs([*check["patterns"], *aliases])
    if any(len(pattern.split()) > 2 for pattern in check["patterns"]):
        found.add(UNKNOWN)
    if check.get("under"):  # what runs in another container than the one that it must run in is judged as well
        from rulec.shell import containers  # noqa: PLC0415 (few rules say in what a command is run)

        found |= _programs([prefix for prefix in check["under"] if containers.container_of_prefix(prefix)])
    asked = [name for command in prescribed_commands(check) for name in pattern_programs(command) or ()]
    return found | {_ASKED + program_family(name) for name in asked}


def _words_of_packages() -> set[str]:
    """The words of what brings packages in: commands and manifests."""
    from rulec.guard import installs, manifests  # noqa: PLC0415 (few rules are about them)

    return _programs(installs.PATTERNS) | _places(manifests.FILES)


def _programs(patterns: Iterable[str]) -> set[str]:
    found = [pattern_programs(pattern) for pattern in patterns]
    words = {_PROGRAM + program_family(name) for names in found for name in names or ()}
    return words | ({ALWAYS} if None in found else set())


def _places(wanted: Iterable[str]) -> set[str]:
    return {_word_of_glob(one) for glob in wanted for one in globs.expand_braces(glob)} | {WHOLE}


def _word_of_glob(glob: str) -> str:
    if glob in globs.ROOT:
        return FILES
    while glob.startswith("./"):
        glob = glob[2:]
    parts = [part for part in glob.split("/") if part] or ["**"]
    if "/" in glob.rstrip("/") and not any(sign in parts[0] for sign in _WILD):
        return _TOP + parts[0]
    if not any(sign in parts[-1] for sign in _WILD):
        return _NAME + parts[-1]
    ending = parts[-1].rpartition(".")[2] if "." in parts[-1] else ""
    return _SUFFIX + ending if ending and not any(sign in ending for sign in _WILD + "]},") else FILES


def _words_of_command(event: dict[str, Any]) -> set[str]:
    reading, text = action_events.parsed_command(event), str(event.get("command") or "")
    names = {name for call in reading.calls for name in program_names(call)}
    found: set[str] = set()
    for call in doubtful_calls(reading.calls):
        from rulec.shell import possible_matches  # noqa: PLC0415 (most commands leave no doubt)

        names |= possible_matches.mentioned_words(call, text)
        found |= {UNKNOWN} if is_variable(call.argv[0]) else set()
    if reading.unsure in WHY_UNREAD:
        names.update(re.findall(r"[\w.-]+", text))
        found |= {FILES, WHOLE}  # it may write any file
    for file in action_events.file_events(event, action_events.touched_paths(event)):
        found |= _words_of_file(file)
    if any(call.program == "mkdir" for call in reading.calls):
        for path in action_events.new_folders(event, above=True):
            found |= _words_of_file({"path": path})
    return found | {_PROGRAM + program_family(name) for name in names}


def _words_of_file(file: dict[str, Any]) -> set[str]:
    found = {FILES}
    for path in (file["path"], *file.get("also", ()), *([file["inside"]] if file.get("within") else ())):
        parts = [part for part in path.split("/") if part]
        if not parts or any(sign in path for sign in globs.WILDCARDS):
            found.add(WHOLE)
            continue
        found.add(_TOP + parts[0])
        if path.startswith("/"):
            found.add(_TOP + "~")  # it may lie in a home
        found.update(_NAME + part for part in parts)
        found.update(_SUFFIX + part.rpartition(".")[2] for part in parts if "." in part)
    return found

"""Rules and one action of an agent -> findings: which check judges it, and whether the rule holds for it at all."""

from __future__ import annotations

import re

from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs, program_family
from rulec.guard import command_check, file_check
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS, finding_of, parsed_command, touched_paths
from rulec.shell.command_matching import doubtful_calls, is_variable, possible_programs, program_names
from rulec.shell.parsing.call import WHY_UNREAD
from rulec.shell.programs import names_with

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


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMS = frozenset(
    ["under", "flags", "each"]
)  # of checks on how a command is typed, which a recipe of the team may vary


def decide(rules: list[dict[str, Any]], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings of the rules on the event; a rule that cannot be applied gives a finding with a ``fault``."""
    found: list[dict[str, Any]] = []
    for rule in rules:
        try:
            for finding in _decided(rule, event):
                if finding not in found:
                    found.append(finding)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, re.error) as broken:
            slug = _slug(rule)
            found.append(finding_of(slug, fault=f"the check cannot be applied: {type(broken).__name__}: {broken}"))
    return found


def _slug(rule: object) -> str:
    facts = rule.get("facts") if isinstance(rule, dict) else None
    return str(facts.get("slug", "")) if isinstance(facts, dict) else ""


def rule_for(rule: dict[str, Any], event: dict[str, Any]) -> dict[str, Any] | None:
    """The rule as it holds for the event; None where it does not."""
    scope = rule["facts"].get("scope", {})
    for wanted, known in ((scope.get("agents"), "agent"), (scope.get("environments"), "environment")):
        if wanted and event.get(known) and event[known] not in wanted:
            return None
    if scope.get("who") and event.get("environment") and not event.get("agent"):
        return None  # it is for agents alone, and nobody knows one who did this
    if event.get("standing") and (rule["check"]["on"] != "command" or not FORMS.isdisjoint(rule["check"])):
        return None
    if not rule["facts"].get("exceptions"):
        return rule
    from rulec.guard import exceptions  # noqa: PLC0415 (most rules have none, and pay for none)

    return exceptions.narrow_rule(rule, event)


def _decided(held: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    rule = rule_for(held, event)
    if rule is None:
        return []
    if event["kind"] in FILE_KINDS and _foreign(rule, event):
        return file_check.check_path(rule, _seen_from_here(event)) if _speaks_of_nested(rule, event) else []
    seen = rule["check"]["on"]
    if "change" in (seen, event["kind"]):
        from rulec.guard.content.companion_files import check_companions  # noqa: PLC0415 (few rules judge whole changes)

        return check_companions(rule, event) if seen == event["kind"] else []
    if seen in ("session", "reply", "tool", "dependency"):
        return _of_others(rule, event)
    if event["kind"] == "stop":
        return [finding for file in event.get("files", []) for finding in _decided(rule, {**event, **file})]
    if seen == "command":
        return command_check.check_command(rule, event) if event["kind"] == "command" else []
    if seen not in ("path", "text"):
        raise ValueError(f"unknown check on {seen!r}")
    judge = file_check.check_path if seen == "path" else file_check.check_text
    if event["kind"] in FILE_KINDS:
        return judge(rule, event)
    if event["kind"] == "command":
        found = [found for own, file in _written(rule, event) for found in judge(own, file)] + _of_command(rule, event)
        return found or (_of_unread(rule, event) if parsed_command(event).unsure in WHY_UNREAD else [])
    return []


def _of_command(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on code that a command gives to an interpreter, and on folders that it makes."""
    check = rule["check"]
    if check.get("scripts"):
        return [found for code in action_events.code_events(event) for found in file_check.check_text(rule, code)]
    if check["on"] != "path" or "create" not in (check.get("how") or ["create"]) or check.get("left"):
        return []
    if not any(call.program == "mkdir" for call in parsed_command(event).calls):
        return []
    return [found for folder in action_events.folder_events(event) for found in file_check.check_path(rule, folder)]


def _of_unread(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """A finding where a command that was not read to its end names something of the files that the rule speaks of."""
    text = str(event.get("command") or "")
    parts = [part for glob in rule["check"].get("globs") or () for part in re.findall(r"[\w.-]{3,}", glob)]
    named = any(part in text for part in parts)
    return [action_events.unread_finding(_slug(rule), event)] if named and rule["check"]["on"] == "path" else []


def _of_others(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings of the kinds of check that most actions meet no rule of, and pay nothing for."""
    if rule["check"]["on"] == "session":
        from rulec.guard.session import session_check  # noqa: PLC0415 (as said)

        return session_check.check_session(rule, event)
    if rule["check"]["on"] == "reply":
        from rulec.guard.session import reply_check  # noqa: PLC0415 (as said)

        return reply_check.check_reply(rule, event)
    if rule["check"]["on"] == "tool":
        from rulec.guard import tool_check  # noqa: PLC0415 (as said)

        return tool_check.check_tool(rule, event)
    return _of_dependencies(rule, event)


def _written(rule: dict[str, Any], event: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What a command does to files, each with the rule that judges it."""
    if "spared" in rule["facts"].get("scope", {}):
        from rulec.guard import exceptions  # noqa: PLC0415 (as above)

        return exceptions.files_by_rule(rule, event)
    found = []
    for file in action_events.file_events(event, touched_paths(event)):
        if not _foreign(rule, file):
            found.append((rule, file))
        elif _speaks_of_nested(rule, file):
            found.append((rule, _seen_from_here(file)))
    return found


def _foreign(rule: dict[str, Any], file: dict[str, Any]) -> bool:
    """Whether a file lies outside the repository by each of its names, and the rule does not speak of such."""
    if not all(path.startswith(("/", "~", "../")) for path in (file["path"], *file.get("also", ()))):
        return False
    check, scope = rule["check"], rule["facts"].get("scope", {})
    if check["on"] not in ("path", "text", "dependency"):
        return False
    named = [*(check.get("globs") or ()), *(check.get("except") or ()), *(scope.get("include") or ())]
    if not globs.EVERYWHERE.isdisjoint(check.get("except") or ()):
        return False  # anywhere in the repository is where files may lie, so that nowhere else they may
    return not any(glob.startswith(("/", "~", "..", "{/", "{~")) for glob in named)


def _speaks_of_nested(rule: dict[str, Any], file: dict[str, Any]) -> bool:
    """Whether a rule on paths names the very submodule or clone that the file lies in, or a place within it."""
    folder = file.get("within")
    if not folder or rule["check"]["on"] != "path":
        return False
    wanted = [glob for glob in rule["check"].get("globs") or () if not glob.startswith(tuple(globs.WILDCARDS))]
    inside = any(f"{globs.literal_folder(glob)}/".startswith(f"{folder}/") for glob in wanted)
    return inside or globs.match(wanted, folder)


def _seen_from_here(file: dict[str, Any]) -> dict[str, Any]:
    """The file of a submodule or clone by its name in the work tree that this one lies in."""
    return {**file, "path": file["inside"], "also": (file["path"],)}


def _of_dependencies(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    from rulec.guard import dependency_check  # noqa: PLC0415 (few actions touch a manifest or install anything, and the rest pay for none)

    if event["kind"] in FILE_KINDS:
        return dependency_check.check_manifest(rule, event)
    if event["kind"] == "stop":
        return [
            found
            for file in event.get("files", [])
            for found in dependency_check.check_manifest(rule, {**event, **file})
        ]
    if event["kind"] != "command":
        return []
    found = dependency_check.check_install(rule, event)
    world = event.get("world")
    for own, file in _written(rule, event):
        before = (world.read(file["path"]) if world else None) or ""
        found += dependency_check.check_manifest(own, {**file, "old": before})
    return found


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
        return {_PROGRAM + name for name in names_with("code")} | _places(check.get("globs") or ["**"])
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
    names.update(name for call in reading.calls for _, name in possible_programs(call))
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

"""Rules and one action of an agent -> findings: which check judges it, and whether the rule holds for it at all."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import (
    ChangeCheck,
    CommandCheck,
    DependencyCheck,
    EventFinding,
    PathCheck,
    ReplyCheck,
    SessionCheck,
    TextCheck,
    ToolCheck,
)
from rulec.domain.enforcement import is_shown
from rulec.domain.files import globs
from rulec.domain.patterns.command_patterns import pattern_programs, program_family
from rulec.guard import command_check, scopes
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS, parsed_command, touched_paths
from rulec.shell.command_matching import doubtful_calls, is_variable, matches, possible_programs, program_names
from rulec.shell.parsing.call import WHY_UNREAD
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import names_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulec.domain.compiled_rule import CompiledRule
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


ALWAYS = "*"  # rules that no word leads to
FILES = "f"  # rules on files that no part of a path leads to
WHOLE = "w"  # all rules on files: for what touches more than one can tell
END = "e"  # rules on the end of a turn, on replies and on whole changes
TOOLS = "t"  # rules on tools by their names
UNKNOWN = "u"  # rules on commands whose words alone may fit, whatever the program is
_PROGRAM, _ASKED, _TOP, _NAME, _SUFFIX = "c", "i", "p", "n", "s"  # before a program or a part of a path
_WILD = "*?[{\\"


def decide(rules: Iterable[CompiledRule], event: Event) -> list[EventFinding]:
    """Findings of the rules on the event; a rule that cannot be applied gives a finding with a ``fault``."""
    found: list[EventFinding] = []
    for rule in rules:
        try:
            for finding in _decided(rule, event):
                if finding not in found:
                    found.append(finding)
        except (ValueError, LookupError, re.error) as broken:
            fault = f"the check cannot be applied: {type(broken).__name__}: {broken}"
            found.append(EventFinding(facts=rule.facts, fault=fault))
    return found


def rule_for(rule: CompiledRule, event: Event) -> CompiledRule | None:
    """The rule as it holds for the event; None where it does not."""
    scope = rule.facts.scope
    for wanted, known in ((scope.agents, event.agent), (scope.environments, event.environment)):
        if wanted and known and known not in wanted:
            return None
    if scope.who and event.environment and not event.agent:
        return None  # it is for agents alone, and nobody knows one who did this
    if event.standing and not (isinstance(rule.check, CommandCheck) and not _is_about_form(rule.check)):
        return None
    if not rule.facts.exceptions:
        return rule
    from rulec.guard import exceptions  # noqa: PLC0415 (most rules have none, and pay for none)

    return exceptions.narrow_rule(rule, event)


def _is_about_form(check: CommandCheck) -> bool:
    """Whether the check is on how a command is typed, which a recipe of the team may vary."""
    return bool(check.under or check.flags or check.each)


def _decided(held: CompiledRule, event: Event) -> list[EventFinding]:
    rule = rule_for(held, event)
    if rule is None:
        return []
    check, facts = rule.check, rule.facts
    if isinstance(check, CommandCheck):
        return command_check.check_command(facts, check, event) if event.kind == "command" else []
    if isinstance(check, (PathCheck, TextCheck)):
        return _of_files(rule, check, event)
    if isinstance(check, DependencyCheck):
        return _of_dependencies(rule, check, event)
    if isinstance(check, SessionCheck):
        from rulec.guard import session_check  # noqa: PLC0415 (most actions meet no such rule)

        return session_check.check_session(facts, check, event)
    if isinstance(check, ToolCheck):
        from rulec.guard import tool_check  # noqa: PLC0415 (as above)

        return tool_check.check_tool(facts, check, event)
    if isinstance(check, ReplyCheck):
        from rulec.guard import reply_check  # noqa: PLC0415 (as above)

        return reply_check.check_reply(facts, check, event)
    if not isinstance(check, ChangeCheck) or event.kind != "change":
        return []
    from rulec.guard import companion_files  # noqa: PLC0415 (as above)

    return companion_files.check_companions(facts, check, event)


def _of_files(rule: CompiledRule, check: PathCheck | TextCheck, event: Event) -> list[EventFinding]:
    """Findings on files: of the event itself, of the end of a turn, or those that a command writes."""
    if event.kind in FILE_KINDS:
        return _of_file(rule, check, event)
    if event.kind == "stop":
        return [found for file in event.files for found in _of_files(rule, check, _at_end(file, event))]
    if event.kind != "command":
        return []
    found = [found for own, file in _written(rule, event) for found in _of_file(own, check, file)]
    found += _of_command(rule, check, event)
    return found or (_of_unread(rule, check, event) if parsed_command(event).unsure in WHY_UNREAD else [])


def _of_file(rule: CompiledRule, check: PathCheck | TextCheck, file: Event) -> list[EventFinding]:
    """Findings on one file; one outside the repository is judged where the rule speaks of such."""
    if _is_foreign(rule, check, file):
        if not (isinstance(check, PathCheck) and _speaks_of_nested(check, file)):
            return []
        file = file.but(path=file.inside, also=(file.path,))  # by its name in the work tree that this one lies in
    from rulec.guard import file_check  # noqa: PLC0415 (most commands write nothing that a rule speaks of)

    if isinstance(check, PathCheck):
        return file_check.check_path(rule.facts, check, file)
    return file_check.check_text(rule.facts, check, file)


def _at_end(file: Event, end: Event) -> Event:
    """A file that was left behind, as the event at a turn's end finds it."""
    known = {"root": end.root, "world": end.world, "past": end.past, "history": end.history, "example": end.example}
    return file.but(agent=end.agent, environment=end.environment, **known)


def _of_command(rule: CompiledRule, check: PathCheck | TextCheck, event: Event) -> list[EventFinding]:
    """Findings on code that a command gives to an interpreter, and on folders that it makes."""
    from rulec.guard import file_check  # noqa: PLC0415 (as above)

    facts = rule.facts
    if isinstance(check, TextCheck):
        codes = action_events.code_events(event) if check.scripts else []
        return [found for code in codes for found in file_check.check_text(facts, check, code)]
    if "create" not in (check.how or ("create",)) or check.left:
        return []
    if not any(call.program == "mkdir" for call in parsed_command(event).calls):
        return []
    folders = action_events.folder_events(event)
    return [found for folder in folders for found in file_check.check_path(facts, check, folder)]


def _of_unread(rule: CompiledRule, check: PathCheck | TextCheck, event: Event) -> list[EventFinding]:
    """A finding where a command that was not read to its end names something of the files that the rule speaks of."""
    parts = [part for glob in check.globs for part in re.findall(r"[\w.-]{3,}", glob)]
    named = isinstance(check, PathCheck) and any(part in event.command for part in parts)
    return [action_events.unread_finding(rule.facts, event)] if named else []


def _written(rule: CompiledRule, event: Event) -> list[tuple[CompiledRule, Event]]:
    """What a command does to files, each with the rule that judges it."""
    if rule.facts.scope.spared:
        from rulec.guard import exceptions  # noqa: PLC0415 (as above)

        return exceptions.files_by_rule(rule, event)
    return [(rule, file) for file in action_events.file_events(event, touched_paths(event))]


def _is_foreign(rule: CompiledRule, check: PathCheck | TextCheck | DependencyCheck, file: Event) -> bool:
    """Whether a file lies outside the repository by each of its names, and the rule does not speak of such."""
    if not all(path.startswith(("/", "~", "../")) for path in file.names):
        return False
    own = () if isinstance(check, DependencyCheck) else check.globs
    if not globs.EVERYWHERE.isdisjoint(check.except_):
        return False  # anywhere in the repository is where files may lie, so that nowhere else they may
    named = (*own, *check.except_, *rule.facts.scope.include)
    return not any(glob.startswith(("/", "~", "..", "{/", "{~")) for glob in named)


def _speaks_of_nested(check: PathCheck, file: Event) -> bool:
    """Whether a rule on paths names the very submodule or clone that the file lies in, or a place within it."""
    if not file.within:
        return False
    wanted = [glob for glob in check.globs if not glob.startswith(tuple(globs.WILDCARDS))]
    inside = any(f"{globs.literal_folder(glob)}/".startswith(f"{file.within}/") for glob in wanted)
    return inside or globs.match(wanted, file.within)


def _of_dependencies(rule: CompiledRule, check: DependencyCheck, event: Event) -> list[EventFinding]:
    from rulec.guard import dependency_check  # noqa: PLC0415 (few actions touch a manifest or install anything, and the rest pay for none)

    if event.kind in FILE_KINDS:
        foreign = _is_foreign(rule, check, event)
        return [] if foreign else dependency_check.check_manifest(rule.facts, check, event)
    if event.kind == "stop":
        files = [_at_end(file, event) for file in event.files]
        return [found for file in files for found in _of_dependencies(rule, check, file)]
    if event.kind != "command":
        return []
    found = dependency_check.check_install(rule.facts, check, event)
    for own, file in _written(rule, event):
        if not _is_foreign(own, check, file):
            before = (event.world.read(file.path) if event.world else None) or ""
            found += dependency_check.check_manifest(own.facts, check, file.but(old=before))
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


def words_of_event(event: Event) -> set[str]:
    """The words that an action asks for."""
    if event.kind == "tool":
        return {TOOLS}
    found = {ALWAYS}
    if event.kind == "command":
        found |= _words_of_command(event)
    elif event.kind in FILE_KINDS:
        found |= _words_of_file(event)
    elif event.kind in ("stop", "reply", "change"):
        found.add(END)
        for file in event.files:
            found |= _words_of_file(file)
    return found


def words_asked_by(calls: Iterable[Call]) -> set[str]:
    """The words of the rules that say to run one of these commands instead of another."""
    return {_ASKED + program_family(name) for call in calls for name in program_names(call)}


def words_of_rule(rule: CompiledRule) -> set[str]:
    """The words under which a rule is found."""
    check = rule.check
    if isinstance(check, CommandCheck):
        return _words_of_command_check(check)
    if isinstance(check, DependencyCheck):
        return _words_of_packages()
    if isinstance(check, ToolCheck):
        return {TOOLS}
    if isinstance(check, SessionCheck):
        found = _programs(check.before_commands)
        found |= {END} if check.before_stop else set()
        found |= {TOOLS} if check.before_tools else set()
        found |= _words_of_packages() if check.before_packages else set()
        return found | (_places(check.before_edits) if check.before_edits else set())
    if isinstance(check, TextCheck) and check.scripts:
        return {_PROGRAM + name for name in names_with("code")} | _places(check.globs or ("**",))
    if isinstance(check, (PathCheck, TextCheck)):
        return _places(check.globs or rule.facts.scope.include or ("**",))
    return {END}  # no single action tells what a commit will bring along


def prescribed_commands(check: CommandCheck) -> list[str]:
    """The commands that a check says to run instead."""
    wanted = [check.instead, *check.rewrite.values(), *check.under]
    return [one for one in wanted if one and one.split()[:1] and pattern_programs(one)]


def _words_of_command_check(check: CommandCheck) -> set[str]:
    aliases = [name.split()[0] for name in check.aliases if name.strip()]
    found = _programs([*check.patterns, *aliases])
    if any(len(pattern.split()) > 2 for pattern in check.patterns):
        found.add(UNKNOWN)
    if check.under:  # what runs in another container than the one that it must run in is judged as well
        from rulec.shell import containers  # noqa: PLC0415 (few rules say in what a command is run)

        found |= _programs([prefix for prefix in check.under if containers.container_of_prefix(prefix)])
    asked = [name for command in prescribed_commands(check) for name in pattern_programs(command) or ()]
    return found | {_ASKED + program_family(name) for name in asked}


def _words_of_packages() -> set[str]:
    """The words of what brings packages in: commands and manifests."""
    from rulec.guard import manifests, packages  # noqa: PLC0415 (few rules are about them)

    return _programs(packages.PATTERNS) | _places(manifests.FILES)


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


def _words_of_command(event: Event) -> set[str]:
    reading, text = action_events.parsed_command(event), event.command
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
            found |= _words_of_names([path])
    return found | {_PROGRAM + program_family(name) for name in names}


def _words_of_file(file: Event) -> set[str]:
    return _words_of_names([*file.names, *([file.inside] if file.within else ())])


def _words_of_names(names: Iterable[str]) -> set[str]:
    found = {FILES}
    for path in names:
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


# A check of these can be heeded by one who runs the command that another rule asks for.
NARROWER = (
    "also", "arguments", "code", "each", "files", "flags", "inside", "new_branch", "outside", "pushes", "says", "under",
)  # fmt: skip


def settle_conflicts(
    found: list[EventFinding], rules: list[CompiledRule], event: Event, find: Callable[[set[str]], list[CompiledRule]]
) -> list[EventFinding]:
    """The findings; one that loses to another rule says so. ``find`` gives the rules that some words lead to."""
    owns = {rule.facts.slug: rule for rule in rules if isinstance(rule.check, CommandCheck)}
    if not any(finding.slug in owns for finding in found):
        return found
    calls = action_events.parsed_command(event).calls
    rivals = [rule for rule in find(words_asked_by(calls)) if is_shown(rule.facts.enforcement)]
    return [_settled(finding, owns.get(finding.slug), rivals, event) for finding in found] if rivals else found


def _settled(finding: EventFinding, own: CompiledRule | None, rivals: list[CompiledRule], event: Event) -> EventFinding:
    if own is None or finding.fault:
        return finding
    from rulec.guard import precedence  # noqa: PLC0415 (few rules contradict one another)

    calls = action_events.parsed_command(event).calls
    meant = [call for call in calls if action_events.command_line(call.argv) == finding.text]
    for rival in rivals:
        why = precedence.explain_precedence(rival.facts, own.facts)
        if why and meant and all(_opposed(own, rival, call, event) for call in meant):
            return finding.but(overruled_by=f"{rival.facts.slug} goes before it: {why}")
    return finding


def _opposed(own: CompiledRule, rival: CompiledRule, call: Call, event: Event) -> bool:
    """Whether the rival asks for this very command where it runs, and the rule forbids just that."""
    held = rule_for(rival, event)
    if held is None or not scopes.holds_folder(held.facts.scope, event, call):
        return False
    if not (isinstance(rival.check, CommandCheck) and isinstance(own.check, CommandCheck)):
        return False
    asked = [one for one in prescribed_commands(rival.check) if matches(one, call)]
    return any(forbids_exactly(own.check, one) for one in asked)


def forbids_exactly(check: CommandCheck, command: str) -> bool:
    """Whether a check forbids this very command, and not for an option that it lacks or a path that it names."""
    if any(getattr(check, key) for key in NARROWER):
        return False
    calls = parse_shell(command).calls
    return bool(calls) and command_check.pattern_naming(check, calls[0]) is not None

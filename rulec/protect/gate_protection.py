"""Protects the gate itself, without a rule of the team: what an action would do to disarm it."""

from __future__ import annotations

import os
import re
from itertools import pairwise

from rulec.agents.protocol import agent_tables
from rulec.checkout.rules_layout import PAGES, PROOF_KEY
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.compiled_rule import CommandCheck, EventFinding
from rulec.guard import command_check
from rulec.protect import built_in
from rulec.protect.built_in import GATE_CURE, GATE_FACTS, GateRule
from rulec.shell import action_events, run_files
from rulec.shell.action_events import FILE_KINDS, Event
from rulec.shell.command_matching import possible_programs, program_names, words_handed_on
from rulec.shell.parsing.call import WHY_UNREAD, first_operand
from rulec.shell.parsing.parser import VARIABLE_SETTERS
from rulec.shell.programs import LAUNCHERS, facts_of, interpreter_of, is_shell, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.shell.parsing.call import Call


__all__ = ["GATE_CURE", "GATE_FACTS", "detect_tampering"]
WILDCARDS = "*?["
NEAR_KEY = ("rulec", ".config/", PROOF_KEY)  # in what names the key that signs proofs
DEEPEST_SCRIPT = 3  # scripts that run scripts
READ_SIGNS = ("read", "mapfile")  # what gives a command words while it runs


def detect_tampering(event: Event, depth: int = 0) -> list[EventFinding]:
    """Findings on what the action would do to disarm the gate."""
    found = _findings_on_files(event)
    if event.kind != "command":
        return found
    calls = action_events.parsed_command(event).calls
    found += findings_on_commands(event, calls)
    found += _on_secrets(event, calls)
    sure = [finding for finding in found if not finding.unsure]
    running = [call for call in calls if run_files.runs_files(call)] if not sure and depth < DEEPEST_SCRIPT else []
    if running:
        from rulec.protect import scripts  # noqa: PLC0415 (most commands run no file)

        sure = scripts.findings_on_carried(event, running, detect_tampering, depth)
    return sure or _findings_on_open_text(event, calls, depth) or found


def _findings_on_files(event: Event) -> list[EventFinding]:
    files = _written_files(event)
    if not files:
        return []
    from rulec.protect import file_rules  # noqa: PLC0415 (most commands write nothing)

    return [one for file in files for one in file_rules.findings_on_file(event, file)]


def _written_files(event: Event) -> list[Event]:
    if event.kind == "command":
        # a deletion that is not certain is find's, and the rule on found files looks at it more closely
        done = [effect for effect in action_events.touched_paths(event) if effect.sure or not effect.delete]
        return action_events.file_events(event, done) if done else []
    return [event] if event.kind in FILE_KINDS else []


def _on_secrets(event: Event, calls: list[Call]) -> list[EventFinding]:
    """Findings on commands that read the key that signs proofs, or ask the person's page."""
    near = [call for call in calls if _near_key(call)]
    page_was_here = _pages_were_here(event)
    if not (near or page_was_here):
        return []
    from rulec.protect import secret_reads  # noqa: PLC0415 (most commands are far from both)

    read = [call for call in near if secret_reads.reads_key(event, call)]
    found = [_finding(call, action_events.command_line(call.argv), GATE_CURE) for call in read]
    asking = secret_reads.calls_to_page(event, calls) if page_was_here else []
    return found + [_finding(call, " ".join(call.argv), action_events.ASK_PERSON) for call in asking]


def _near_key(call: Call) -> bool:
    """Whether a word of the call may lead to the key that signs proofs."""
    for word in (call.cwd, *call.argv, *(target for _, target in call.redirects)):
        if any(sign in word for sign in NEAR_KEY) or word.endswith(".config"):
            return True
        if word[:1] in ("/", "~", "$") and any(sign in word for sign in WILDCARDS):
            return True
    return False


def _pages_were_here(event: Event) -> bool:
    """Whether a page of ``rulec ui`` may run for this repository."""
    return bool(event.root) and os.path.isdir(os.path.join(shared_state_directory(event.root), PAGES))


def _findings_on_open_text(event: Event, calls: list[Call], depth: int) -> list[EventFinding]:
    """Findings on what the text leaves open: words known only when it runs, and text too long to be read."""
    text = event.command
    reads = depth < DEEPEST_SCRIPT and any(sign in text for sign in READ_SIGNS) and any(call.dynamic for call in calls)
    unread = not depth and action_events.parsed_command(event).unsure in WHY_UNREAD
    if not (reads or unread):
        return []
    from rulec.protect import scripts  # noqa: PLC0415 (few texts have such words)

    found = scripts.findings_on_read_words(event, calls, detect_tampering, depth) if reads else []
    return found or (scripts.findings_on_unread(event) if unread else [])


STARTS_HOOK = (*LAUNCHERS, "/rulec/hook/start.py")
BLANK = frozenset(["-i", "-", "--ignore-environment"])  # of env: the command is given none of its variables
KEY = "ANTHROPIC_API_KEY"
HANDED_ON = frozenset(["git", "rulec", "pre-commit", "prek"])  # whatever the program is, it may run these


def findings_on_commands(event: Event, calls: list[Call]) -> Iterator[EventFinding]:
    """The commands that would disarm the gate, each with its first finding."""
    given = _variables_set(event, calls)
    unset = {word for call in calls if call.program == "unset" for word in call.argv[1:]}
    removed = {name for call in calls if call.program == "env" for name in _removed_by_env(call)}
    for call in calls:
        taken = unset | removed if "env" in call.via else unset
        found = _finding_on_call(event, call, {*given, *call.env}, taken)
        if found:
            yield found


def _finding_on_call(event: Event, call: Call, given: set[str], taken: set[str]) -> EventFinding | None:
    if _poses_as_agent(call):
        return _finding(call, action_events.command_line(call.argv), action_events.ASK_PERSON)
    call = words_handed_on(call, HANDED_ON)
    names = {*program_names(call), *(word for _, word in possible_programs(call))}
    for rule in [rule for name in sorted(names) for rule in built_in.rules_on(f"command {name}")]:
        variable = _variable_of(rule, event, given | taken if rule.taken else given)
        if variable is None or (rule.via and set(call.via).isdisjoint(rule.via)):
            continue
        check = rule.check
        pattern = command_check.pattern_naming(check, call) if isinstance(check, CommandCheck) else None
        if pattern is None or not _meets(rule, event, call, pattern):
            continue
        value = "..." if rule.taken else call.env.get(variable, "")
        setting = f"{variable}={value} " if variable else ""
        cure = rule.cure.replace("<variable>", variable)
        return _finding(call, setting + action_events.command_line(call.argv), cure)
    if not gives_program_text(call):
        return None
    from rulec.protect import scripts  # noqa: PLC0415 (few commands are given a program)

    broken = scripts.rule_on_text(scripts.program_text(call))
    return _finding(call, action_events.command_line(call.argv), broken.cure) if broken is not None else None


def _finding(call: Call, text: str, cure: str) -> EventFinding:
    return EventFinding(facts=GATE_FACTS, text=text, program=call.program, cure=cure)


def _meets(rule: GateRule, event: Event, call: Call, pattern: str) -> bool:
    if rule.there and not any(_is_there(event, one) for one in rule.there):
        return False
    if not rule.meets:
        return True
    from rulec.protect import conditions  # noqa: PLC0415 (few commands come so far)

    return conditions.MEETS[rule.meets](event, call, pattern)


def _is_there(event: Event, wanted: str) -> bool:
    """Whether the file is there, and holds what stands behind the colon."""
    world = event.world
    path, _, text = wanted.partition(":")
    if not world:
        return False
    return text in (world.read(path) or "") if text else world.exists(path)


# Variables


def _variables_set(event: Event, calls: list[Call]) -> set[str]:
    """The variables that the text sets for the commands behind."""
    words = [word.partition("=")[0] for call in calls if call.program in VARIABLE_SETTERS for word in call.argv[1:]]
    return {*action_events.parsed_command(event).assigned, *words}


def _removed_by_env(call: Call) -> set[str]:
    """The variables that env takes away for the program it starts."""
    at = first_operand(call.argv, 1, valued_options("env"))
    words = call.argv[1 : at + (call.argv[at : at + 1] == ["-"])]
    names = {name for word in words for name in (word, word[2:], word.partition("=")[2])}
    return names if BLANK.isdisjoint(words) else {KEY, *names}


def _variable_of(rule: GateRule, event: Event, known: set[str]) -> str | None:
    """The variable for which the rule holds, "" where it asks for none; None where none is set."""
    if not rule.variables:
        return ""
    wanted = rule.variables.split()
    names = [name for name in sorted(known) if any(_is_named(one, name) for one in wanted)]
    text = event.command if rule.spared else ""
    return next((name for name in names if not _is_spared(rule.spared, name, text)), None)


def _is_named(wanted: str, name: str) -> bool:
    return name.startswith(wanted[:-1]) if wanted.endswith("*") else name == wanted


def _is_spared(values: tuple[str, ...], name: str, text: str) -> bool:
    """Whether all values that the text gives to the variable are some that change nothing."""
    found = re.findall(rf"\b{name}=[\"']?(\w*)", text) if values else []
    return bool(found) and all(value in values for value in found)


def _poses_as_agent(call: Call) -> bool:
    """Whether the call starts the hook as an agent's program does: a message that it makes up would be a person's."""
    runs = is_shell(call.program) or call.program.startswith("python")
    pairs = list(pairwise([*call.argv, ""]))
    own = pairs if runs else pairs[:1]
    started = any(f"/{word}".endswith(STARTS_HOOK) and _may_name_agent(after) for word, after in own)
    return started or (runs and any(word == "-m" and after.startswith("rulec.hook") for word, after in pairs))


def _may_name_agent(word: str) -> bool:
    return word in agent_tables.NAMES or word.startswith("$")


# Texts of programs


def gives_program_text(call: Call) -> bool:
    """Whether the command gives a program's text to an interpreter."""
    return bool(interpreter_of(call.program)) or facts_of(call.program).get("writes") == "awk"

"""Findings on commands that would disarm the gate, and on the texts of programs that they are given."""

from __future__ import annotations

import re
from itertools import pairwise

from rulec.agents.protocol import agent_tables
from rulec.domain.compiled_rule import CommandCheck, EventFinding, TextCheck
from rulec.guard import command_check
from rulec.protect import built_in
from rulec.protect.built_in import GATE_FACTS, GateRule
from rulec.shell import action_events
from rulec.shell.action_events import Event
from rulec.shell.command_matching import possible_programs, program_names, words_handed_on
from rulec.shell.parsing.call import first_operand
from rulec.shell.parsing.parser import VARIABLE_SETTERS
from rulec.shell.programs import LAUNCHERS, facts_of, interpreter_of, is_shell, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.shell.parsing.call import Call


STARTS_HOOK = (*LAUNCHERS, "/rulec/hook/start.py")
BLANK = frozenset(["-i", "-", "--ignore-environment"])  # of env: the command is given none of its variables
KEY = "ANTHROPIC_API_KEY"
HANDED_ON = frozenset(["git", "rulec", "pre-commit", "prek"])  # whatever the program is, it may run these
PUT_TOGETHER = r"[\"']\s*\+\s*[\"']"
CODED = r"[\"']([A-Za-z0-9+/=]{12,4000})[\"']"
MOST_CODED = 20
DECODINGS = (("base64", ["-d"]), ("xxd", ["-r"]))
CODERS = ("b64decode", "fromhex", "unhexlify", "atob(", "base64", "'hex'")


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
    broken = _rule_on_text(program_text(call)) if gives_program_text(call) else None
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
    return bool(interpreter_of(call.program)) or _is_awk(call)


def _is_awk(call: Call) -> bool:
    return facts_of(call.program).get("writes") == "awk"


def program_text(call: Call) -> str:
    """The program text that the command gives to an interpreter, split strings joined."""
    from rulec.shell.writes import program_code  # noqa: PLC0415 (few commands are given any)

    text = "\n".join(call.argv[1:]) if _is_awk(call) else program_code(call)
    return re.sub(PUT_TOGETHER, "", text) if "+" in text else text


def rule_on_script(text: str) -> GateRule | None:
    """The rule that a whole program certainly breaks."""
    return _rule_on_text(text, plain=True)


def _rule_on_text(text: str, *, plain: bool = False) -> GateRule | None:
    file = Event(kind="write", path="code", new=text)
    small = text.lower()
    for rule in built_in.rules_on("script") if text.strip() else ():
        if (plain and not rule.plain) or not any(sign in small for sign in rule.near):
            continue
        from rulec.guard.content import forbidden_text  # noqa: PLC0415 (few programs speak of the gate)

        if isinstance(rule.check, TextCheck) and forbidden_text.find_text(rule.check, file):
            return rule
    return None


def decoded_texts(text: str) -> list[str]:
    """The texts that strings in it hold as base64 or hex."""
    if not any(word in text for word in CODERS):
        return []
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (few texts hide anything)

    found = [
        text_filters.decoder_output(*how, word) for word in re.findall(CODED, text)[:MOST_CODED] for how in DECODINGS
    ]
    return [one for one in found if one and one.replace("\n", "").isprintable()]

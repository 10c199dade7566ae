"""Commands that would disarm the gate: a table of patterns, and the few that need a closer look."""

from __future__ import annotations

from rulec.agents.protocol import agent_tables
from rulec.protect.commands import environment, git_commands, indirect_writes, key_reads, program_texts
from rulec.shell import action_events
from rulec.shell.command_matching import is_variable, matches, words_for_program, words_handed_on
from rulec.shell.parsing.parser import VARIABLE_SETTERS
from rulec.shell.programs import LAUNCHERS, is_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


ASK = action_events.ASK_PERSON
PROPOSE = "with --propose it waits for the person, who decides"
HELP_PATTERNS = ["pre-commit|pre_commit|prek --help|-h"]
DISARMING_PATTERNS: list[tuple[str, list[str], str]] = [  # pattern, unless, cure
    ("pre-commit|pre_commit|prek uninstall", HELP_PATTERNS, ""),
    ("pre-commit|pre_commit|prek install --config|-c|--allow-missing-config", HELP_PATTERNS, ""),
    ("rulec init --remove", ["rulec --help|-h"], ASK),
    ("rulec rollback|retire|set|edit|extend|approve|ui", ["rulec --help|-h"], ASK),
    ("rulec except", ["rulec --help|-h", "rulec except --list"], ASK),
    ("rulec report --commit", ["rulec --help|-h"], ASK),
    ("rulec doctor --forget", ["rulec --help|-h"], ASK),
    ("rulec evolve --accept|--reject", ["rulec --help|-h"], ASK),
    ("rulec note", ["rulec --help|-h", "rulec note --propose"], PROPOSE),
    ("rulec hook uninstall|run", ["rulec --help|-h"], ASK),
    ("rulec add|ingest|import --yes", ["rulec --help|-h", "rulec ingest|import --dry-run"], ASK),
    ("rulec test --record", ["rulec --help|-h"], ASK),
    ("rulec review --accept|--new|--reject", ["rulec --help|-h"], ASK),
]
ANSWERING_TERMINALS = (
    "script",
    "unbuffer",
    "tmux",
    "screen",
    "expect",
    "socat",
    "xterm",
    "pty",
)  # terminals that ask a person
HANDED_ON = frozenset(["git", "rulec", "pre-commit", "prek"])  # whatever the program is, it may run these
ASKING_VERBS = "rulec add|evolve|ingest|import|init|review"


def find_disarms(event: dict[str, Any], calls: list[Call]) -> list[tuple[str, str, str]]:
    """The commands that would disarm the gate: the text, program and cure of each."""
    found = [
        (action_events.command_line(call.argv), call.program, cure) for call in calls for cure in _cures(event, call)
    ]
    every = action_events.parsed_command(event).calls
    given, without = (
        {*action_events.parsed_command(event).assigned, *environment.judge_variables_set(every)},
        environment.judge_variables_removed(every),
    )
    for call in calls:
        if call.program in VARIABLE_SETTERS:
            named = {word.partition("=")[0] for word in call.argv[1:]}
            given |= named
            if not named.isdisjoint(environment.SKIPPING_VARIABLES):
                found.append((action_events.command_line(call.argv), call.program, ""))
    for call in calls:
        names = environment.disarming_variables(
            event, call, {*given, *call.env, *(without if "env" in call.via else ())}
        )
        found += [
            (environment.command_with_variable(name, call), call.program, environment.variable_cure(name))
            for name in names
        ]
    return found


def _cures(event: dict[str, Any], call: Call) -> list[str]:
    """The cure for a command that would disarm the gate, [] for one that would not."""
    call = words_handed_on(call, HANDED_ON)
    for pattern, unless, cure in DISARMING_PATTERNS:
        if matches(pattern, call) and not any(matches(other, call) for other in unless):
            return [cure]
    answers = not set(call.via).isdisjoint(ANSWERING_TERMINALS) and matches(ASKING_VERBS, call)
    if answers or poses_as_agent(call) or _unknown_verb(event, call):
        return [ASK]
    if call.program == "git" and git_commands.git_disarms(event, call):
        return [""]
    if program_texts.gives_program_text(call):
        if program_texts.answers_for_person(call):
            return [ASK]
        if program_texts.text_disarms(call):
            return [""]
    if key_reads.reads_key(event, call) or any(check(event, call) for check in indirect_writes.INDIRECT_WRITES):
        return [""]
    return [""] if _by_other_tools(event, call) else []


STARTS_HOOK = (*LAUNCHERS, "/rulec/hook/start.py")


def poses_as_agent(call: Call) -> bool:
    """Whether the call starts the hook as an agent's program does: a message that it makes up would be a person's."""
    runs = is_shell(call.program) or call.program.startswith("python")
    pairs = list(zip(call.argv, [*call.argv[1:], ""], strict=True))
    own = pairs if runs else pairs[:1]
    started = any(f"/{word}".endswith(STARTS_HOOK) and _may_name_agent(after) for word, after in own)
    return started or (runs and any(word == "-m" and after.startswith("rulec.hook") for word, after in pairs))


def _may_name_agent(word: str) -> bool:
    return word in agent_tables.NAMES or word.startswith("$")


def _unknown_verb(event: dict[str, Any], call: Call) -> bool:
    """Whether the verb given to rulec is unknown; what a script is given its caller knows."""
    words = [word for word in words_for_program("rulec", call) or () if word != "--personal"]
    return bool(words) and is_variable(words[0]) and words[0][1] not in "@*" and "_texts" not in event


def _by_other_tools(event: dict[str, Any], call: Call) -> bool:
    from rulec.protect.commands import other_programs  # noqa: PLC0415 (what was seen by now needs it not)

    return other_programs.other_program_disarms(event, call)

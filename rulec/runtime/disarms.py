"""Commands that would disarm the gate: a table of patterns, and the few that need a closer look."""

from rulec.runtime import disarms_code, disarms_env, disarms_files, disarms_git, events
from rulec.runtime.match import matches, variable, words_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.call import Call

ASK = events.THEIRS
HELP = ["pre-commit|pre_commit|prek --help|-h"]
ROWS: "list[tuple[str, list[str], str]]" = [  # pattern, unless, cure
    ("pre-commit|pre_commit|prek uninstall", HELP, ""),
    ("pre-commit|pre_commit|prek install --config|-c|--allow-missing-config", HELP, ""),
    ("rulec init --remove", ["rulec --help|-h"], ASK),
    ("rulec rollback|retire|promote|demote|supersede|exception|edit|extend", ["rulec --help|-h"], ASK),
    ("rulec approve|suppress|dispute", ["rulec --help|-h"], ASK),
    ("rulec hook uninstall", ["rulec --help|-h"], ASK),
    ("rulec add|ingest|import --yes", ["rulec --help|-h", "rulec ingest|import --dry-run"], ASK),
    ("rulec test --record", ["rulec --help|-h"], ASK),
    ("rulec review --accept|--new|--reject", ["rulec --help|-h"], ASK),
]
ANSWERED = ("script", "unbuffer", "tmux", "screen", "expect", "socat", "xterm", "pty")  # terminals that ask a person
ASKING = "rulec add|ingest|import|init|review"
GIVEN = ("export", "declare", "typeset", "readonly")


def seen(event: "dict[str, Any]", calls: "list[Call]") -> "list[tuple[str, str, str]]":
    """What would disarm the gate, as text, program and cure."""
    found = [(events.shown(call.argv), call.program, cure) for call in calls for cure in _cures(event, call)]
    every = events.parsed(event).calls
    given, without = {*events.parsed(event).assigned, *disarms_env.asked_by(every)}, disarms_env.without(every)
    for call in calls:
        if call.program in GIVEN:
            named = {word.partition("=")[0] for word in call.argv[1:]}
            given |= named
            if not named.isdisjoint(disarms_env.ALWAYS):
                found.append((events.shown(call.argv), call.program, ""))
    for call in calls:
        names = disarms_env.variables(event, call, {*given, *call.env, *(without if "env" in call.via else ())})
        found += [(disarms_env.shown(name, call), call.program, disarms_env.cure(name)) for name in names]
    return found


def _cures(event: "dict[str, Any]", call: "Call") -> "list[str]":
    """The cure for a command that would disarm the gate, [] for one that would not."""
    if variable(call.argv[0]) and "rulec" in call.argv:  # whatever the program is, it runs rulec
        call = call.as_words(call.argv[call.argv.index("rulec") :])
    for pattern, unless, cure in ROWS:
        if matches(pattern, call) and not any(matches(other, call) for other in unless):
            return [cure]
    answers = not set(call.via).isdisjoint(ANSWERED) and matches(ASKING, call)
    if answers or _unknown_verb(event, call):
        return [ASK]
    if call.program == "git" and disarms_git.disarms(event, call):
        return [""]
    if disarms_code.speaks(call):
        if disarms_code.gives_verdicts(call):
            return [ASK]
        if disarms_code.disarms(call):
            return [""]
    if any(check(event, call) for check in disarms_files.CLOSER):
        return [""]
    return [""] if _by_other_tools(event, call) else []


def _unknown_verb(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether it is not known what rulec is told to do; of a loop, each word is tried by itself."""
    words = [word for word in words_for("rulec", call) or () if word != "--personal"]
    if not words or not variable(words[0]) or words[0][1] in "@*" or "_texts" in event:  # a script's are its caller's
        return False
    from rulec.runtime import tried  # noqa: PLC0415 (who knows rulec names what it shall do)

    return words[0].strip("${}") not in tried.loops(str(event.get("command") or ""))


def _by_other_tools(event: "dict[str, Any]", call: "Call") -> bool:
    from rulec.runtime import disarms_tools  # noqa: PLC0415 (what was seen by now needs it not)

    return disarms_tools.disarms(event, call)

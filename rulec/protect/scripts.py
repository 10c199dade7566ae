"""Texts that scripts and programs run, checked for what they would do to the gate, and what a text leaves open."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables
from rulec.domain.compiled_rule import EventFinding, TextCheck
from rulec.protect import built_in
from rulec.protect.built_in import GATE_FACTS, GateRule
from rulec.shell import action_events, run_files
from rulec.shell.action_events import Event
from rulec.shell.command_matching import option_folders
from rulec.shell.parsing.call import Call, CarriedText, ParsedText, join_path, known_output, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import facts_of, interpreter_of
from rulec.shell.writes import patched_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Decide = Callable[[Event, int], list[EventFinding]]


MOST_CARRIED = 40  # texts that are read for one command
MOST_READ = 40_000  # characters that are read as commands; of a longer text, only the lines that speak of the gate
GATE_WORDS = ("git", "rulec", "pre-commit", "pre_commit", "prek", ".rules", "SKIP", "hook", *agent_tables.WORDS)
RUNNING_WORDS = (  # it runs others
    "./", ".sh", "source ", "make ", "npm ", "pnpm ", "yarn ", "bun ", "just ", "eval ", "base64",
)  # fmt: skip
MOST_TEXTS = 40  # texts that are tried for one command
MOST_SIGNS = 200_000  # characters of them all together
READ = r"\b(?:read|mapfile|readarray)\b"
VARIABLE = r"\$\{?\w+[^}\s]*\}?"
ALIKE = r"[\w+,/@][\w+,./@-]*"  # a file's name, a number: for the gate one is as good as another
SPEAKERS = ("echo", "printf", "cat")
NEAR_GATE = r"(?i)(?<!\w)(?:git|rulec|pre-commit|prek)(?!\w)|\.rules\b|hookspath"
SHORTER_COMMANDS = "run it as shorter commands, one after the other"
SCRATCH = ("tempfile", "mkdtemp", "tmp_path", "tmpdir", "mktmpdir")  # a program that makes repositories of its own


PUT_TOGETHER = r"[\"']\s*\+\s*[\"']"
CODED = r"[\"']([A-Za-z0-9+/=]{12,4000})[\"']"
MOST_CODED = 20
DECODINGS = (("base64", ["-d"]), ("xxd", ["-r"]))
CODERS = ("b64decode", "fromhex", "unhexlify", "atob(", "base64", "'hex'")


def findings_on_carried(event: Event, calls: list[Call], judge: Decide, depth: int) -> list[EventFinding]:
    """Findings on the texts that these commands run; only certain ones, for a file holds many words."""
    left = event.carried_left = event.carried_left or [MOST_CARRIED]
    for call in calls:
        for script in _carried_texts(event, call):
            left[0] -= 1
            if left[0] < 0:
                return []
            found = [one for one in _findings_on_text(event, script, judge, depth) if not one.unsure]
            if found:
                line = " ".join(call.argv)[:100]
                return [found[0].but(text=f"{line}: {found[0].text}" if found[0].text else line)]
    return []


def texts_run_by(event: Event, call: Call) -> list[CarriedText]:
    """The texts that the command runs and that mention the gate, or the person's page."""
    from rulec.checkout import open_pages  # noqa: PLC0415 (hardly any command runs a file)

    pages = tuple(map(str, open_pages.running_pages(event.root)))
    found = [
        script
        for script in run_files.texts_of_scripts(event, call)
        if facts_of(call.program).get("from_files") != "sql"
        and any(word in script.text for word in (*GATE_WORDS, *RUNNING_WORDS, *pages))
    ]
    for script in found:
        if len(script.text) > MOST_READ:
            lines = [line for line in script.text.split("\n") if any(word in line for word in (*GATE_WORDS, *pages))]
            script.text = "\n".join(lines)[:MOST_READ]
    return found


def _carried_texts(event: Event, call: Call) -> list[CarriedText]:
    found = texts_run_by(event, call) if run_files.runs_files(call) else []
    program = interpreter_of(call.program)
    if program and call.argv[1:]:
        for text in decoded_texts(program_text(call)):
            found += [CarriedText(text, call.cwd), CarriedText(text, call.cwd, program)]
    return found


def _findings_on_text(event: Event, script: CarriedText, judge: Decide, depth: int) -> list[EventFinding]:
    cwd = join_path(event.cwd, script.cwd)
    inner = Event(kind="command", command=script.text, cwd=cwd, root=event.root, world=event.world, agent=event.agent)
    inner.carried_left, inner.scripts_read = event.carried_left, event.scripts_read
    if script.program == "diff":
        return _of_diff(inner, script.text, judge, depth)
    if interpreter_of(script.program) or facts_of(script.program).get("from_files") == "source":
        return _of_program(inner, script, judge, depth)
    inner.parsed = reading = parse_shell(script.text)
    _keep_calls_here(inner, reading)
    return judge(inner, depth + 1)


def _of_diff(event: Event, text: str, judge: Decide, depth: int) -> list[EventFinding]:
    """Findings on the files that a diff changes, with and without the first folder of its names."""
    paths = dict.fromkeys(effect.path for effect in patched_files(text, None))
    found: list[EventFinding] = []
    for path in list(paths)[:MOST_CARRIED]:
        found += judge(event.but(kind="write", path=path), depth + 1)
    return found


def _keep_calls_here(event: Event, reading: ParsedText) -> None:
    """Drop the calls that may run elsewhere: scripts make scratch repositories."""
    reading.calls = [call for call in reading.calls if not _runs_elsewhere(event, call)]


def _runs_elsewhere(event: Event, call: Call) -> bool:
    root = event.root
    away = call.cwd.startswith(("/", "~", "$", "../")) and not (root and (call.cwd + "/").startswith(root + "/"))
    led = call.program == "git" and any(place.startswith(("$", "/", "~")) for place in option_folders(call))
    return call.adrift or away or led


def _of_program(event: Event, script: CarriedText, judge: Decide, depth: int) -> list[EventFinding]:
    """Findings on what a program text starts, and on what it plainly writes."""
    from rulec.checkout import open_pages  # noqa: PLC0415 (hardly any command carries a program)
    from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)

    rule = rule_on_text(script.text, plain=True)
    if rule:
        what = "it changes what the gate rests on"
        return [EventFinding(facts=GATE_FACTS, text=what, program=script.program, cure=rule.cure)]
    if open_pages.names_page(event.root, script.text):
        what, cure = "it names the port of the page", action_events.ASK_PERSON
        return [EventFinding(facts=GATE_FACTS, text=what, program=script.program, cure=cure)]
    if any(word in script.text for word in SCRATCH):
        return []
    event.command = interpreters.started_as_text(script.program, script.text)
    event.parsed = reading = parse_shell(event.command)
    _keep_calls_here(event, reading)
    return judge(event, depth + 1) if reading.calls else []


# What a command's text leaves open: words known only when it runs, and text too long to be read


def findings_on_read_words(event: Event, calls: list[Call], judge: Decide, depth: int) -> list[EventFinding]:
    """Findings on the command with each line that it may read; only certain ones."""
    text = event.command
    left = event.tries_left = event.tries_left or [MOST_TEXTS, MOST_SIGNS]
    if not any(word in text for word in GATE_WORDS):
        return []
    for one in _texts_to_try(text, action_events.parsed_command(event).given, calls):
        left[0] -= 1
        left[1] -= len(one)
        if min(left) < 0:
            return []
        inner = Event(kind="command", command=one, cwd=event.cwd, root=event.root, world=event.world, agent=event.agent)
        inner.carried_left, inner.tries_left = event.carried_left, left
        sure = [finding for finding in judge(inner, depth) if not finding.unsure]
        if sure:
            return sure
    return []


def _texts_to_try(text: str, given: list[str], calls: list[Call]) -> Iterator[str]:
    if re.search(READ, text):
        lines = [line for one in [*given, *_known_outputs(calls)] for line in one.split("\n") if line.strip()]
        open_calls = [call for call in calls if call.dynamic and _may_change_meaning(call)]
        for line in _values_that_differ(lines):
            for call in open_calls:
                yield " ".join(_filled(call.argv, line))


def _values_that_differ(values: list[str]) -> list[str]:
    """The values that may change a verdict: flags first, and only one of several plain names."""
    differing = [value for value in dict.fromkeys(values) if _differs(value)]
    plain = [value for value in values if not _differs(value)]
    return [*sorted(differing, key=lambda value: not value.startswith("-")), *plain[:1]]


def _differs(value: str) -> bool:
    named = any(sign in value for sign in "./") or any(char.isdigit() for char in value)
    return not (named and re.fullmatch(ALIKE, value)) or any(word in value for word in GATE_WORDS)


def _known_outputs(calls: list[Call]) -> list[str]:
    """The known outputs and inputs of the text's commands."""
    return [call.stdin for call in calls if call.stdin] + [
        text for call in calls if call.program in SPEAKERS and (text := known_output([call]))
    ]


def _may_change_meaning(call: Call) -> bool:
    return call.program in ("git", "rulec", "export") or call.argv[0].startswith("$")


def _filled(argv: list[str], line: str) -> list[str]:
    words: list[str] = []
    for word in argv:
        words += line.split() if re.fullmatch(VARIABLE, word) else [word]
    return [quote_word(word) for word in words]


def findings_on_unread(event: Event) -> list[EventFinding]:
    """A finding where an unread text mentions git or the rulebook."""
    text = re.sub(r"[\"'\\]", "", event.command)
    if not re.search(NEAR_GATE, text):
        return []
    seen = f"not certain ({action_events.parsed_command(event).unsure}): {text[:80]} …"
    return [EventFinding(facts=GATE_FACTS, text=seen, cure=SHORTER_COMMANDS)]


# Texts of programs


def program_text(call: Call) -> str:
    """The program text that the command gives to an interpreter, split strings joined."""
    from rulec.shell.writes import program_code  # noqa: PLC0415 (few commands are given any)

    text = "\n".join(call.argv[1:]) if facts_of(call.program).get("writes") == "awk" else program_code(call)
    return re.sub(PUT_TOGETHER, "", text) if "+" in text else text


def rule_on_text(text: str, *, plain: bool = False) -> GateRule | None:
    """The rule that a program's text breaks; with ``plain`` one that is certain in a whole script, too."""
    file = Event(kind="write", path="code", new=text)
    small = text.lower()
    for rule in built_in.rules_on("script") if text.strip() else ():
        if (plain and not rule.plain) or not any(sign in small for sign in rule.near):
            continue
        from rulec.guard import forbidden_text  # noqa: PLC0415 (few programs speak of the gate)

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

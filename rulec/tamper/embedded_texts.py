"""Texts that scripts, editors, containers and the like run, checked for what they would do to the gate."""

from __future__ import annotations

import re

from rulec.checkout.rules_layout import GATE_SLUG
from rulec.shell import action_events
from rulec.shell.containers import VALUED_OF_VERB
from rulec.shell.parsing.call import Call, ParsedText, first_operand, join_path, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.parsing.wrappers import INTERPRETERS, interpreter_of
from rulec.shell.program_options import GLOBALS
from rulec.shell.written_paths import patched_files
from rulec.tamper import script_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Decide = Callable[["dict[str, Any]", int], "list[dict[str, Any]]"]


CONTAINER_PROGRAMS = frozenset(["docker", "podman", "nerdctl", "kubectl", "ssh"])
THIS_HOST = ("localhost", "127.0.0.1", "::1", "[::1]")
SSH_VALUED = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
OTHERS = ("tclsh", "osascript", "groovy", "deno", "swift", "scala", "jshell")
QUOTED_GIT = r"(?:[\"'`]|\bexec )(git [^\"'`\n]{1,300})"
LONGEST = 20_000


def texts_carried_by(call: Call) -> Iterator[script_files.CarriedText]:
    """The texts that the command runs in or on this repository."""
    reader = READERS.get(call.program)
    for text in reader(call) if reader else ():
        if text:
            yield script_files.CarriedText(text, call.cwd, "box" if call.program in CONTAINER_PROGRAMS else "sh")


def _of_container(call: Call) -> Iterator[str]:
    """``docker exec BOX COMMAND``: the parser knows what a new container runs, and a service of the project."""
    at = first_operand(call.argv, 1, GLOBALS["docker"].split())
    at += call.argv[at : at + 1] == ["container"]
    if call.argv[at : at + 1] == ["exec"]:
        end = first_operand(call.argv, at + 1, VALUED_OF_VERB["exec"].split())
        yield " ".join(map(quote_word, call.argv[end + 1 :]))


def _of_host(call: Call) -> Iterator[str]:
    at = first_operand(call.argv, 1, SSH_VALUED.split())
    if at < len(call.argv) and call.argv[at].rpartition("@")[2] in THIS_HOST:
        yield " ".join(call.argv[at + 1 :])


def _of_others(call: Call) -> Iterator[str]:
    """The strings and lines of a program in an unknown language that begin like a git command."""
    for text in [*call.argv[1:], call.stdin]:
        yield from re.findall(QUOTED_GIT, text[:LONGEST])


READERS: dict[str, Callable[[Call], Iterator[str]]] = {
    **dict.fromkeys(CONTAINER_PROGRAMS, _of_container),
    "ssh": _of_host,
    **dict.fromkeys(OTHERS, _of_others),
}

MOST_CARRIED = 40  # texts that are read for one command
SCRATCH = ("tempfile", "mkdtemp", "tmp_path", "tmpdir", "mktmpdir")  # a program that makes repositories of its own


def decide_on_carried(event: dict[str, Any], calls: list[Call], judge: Decide, depth: int) -> list[dict[str, Any]]:
    """Findings on the texts that these commands run; only certain ones, for a file holds many words."""
    left: list[int] = event.setdefault("_texts", [MOST_CARRIED])
    for call in calls:
        for script in _carried_texts(event, call):
            left[0] -= 1
            if left[0] < 0:
                return []
            found = [one for one in _findings_on_text(event, script, judge, depth) if not one["unsure"]]
            if found:
                line = " ".join(call.argv)[:100]
                return [{**found[0], "text": f"{line}: {found[0]['text']}" if found[0]["text"] else line}]
    return []


def _carried_texts(event: dict[str, Any], call: Call) -> list[script_files.CarriedText]:
    found = script_files.texts_run_by(event, call) if script_files.runs_files(call) else []
    if call.argv[0].startswith("${"):
        from rulec.tamper.commands import git_commands  # noqa: PLC0415 (as below)

        argv = git_commands.with_arrays_filled(event, call).argv
        found.append(script_files.CarriedText(" ".join(map(quote_word, argv)), call.cwd))
    program = interpreter_of(call.program)
    if program and call.argv[1:]:
        from rulec.tamper.commands import program_texts  # noqa: PLC0415 (as below)

        for text in program_texts.decoded_texts(program_texts.program_text(call)):
            found += [script_files.CarriedText(text, call.cwd), script_files.CarriedText(text, call.cwd, program)]
    return [*found, *texts_carried_by(call)]


def _findings_on_text(
    event: dict[str, Any], script: script_files.CarriedText, judge: Decide, depth: int
) -> list[dict[str, Any]]:
    inner: dict[str, Any] = {key: event[key] for key in ("root", "world", "agent", "_texts", "_read") if key in event}
    inner.update(kind="command", command=script.text, cwd=join_path(str(event.get("cwd") or ""), script.cwd))
    if script.program == "diff":
        return _of_diff(inner, script.text, judge, depth)
    if script.program in INTERPRETERS:
        return _of_program(inner, script, judge, depth)
    inner["_parse"] = reading = parse_shell(script.text)
    if script.program != "box":
        _keep_calls_here(inner, reading)
    found = judge(inner, depth + 1)
    return [one for one in found if one["program"] == "git"] if script.program == "box" else found


def _of_diff(event: dict[str, Any], text: str, judge: Decide, depth: int) -> list[dict[str, Any]]:
    """Findings on the files that a diff changes, with and without the first folder of its names."""
    paths = dict.fromkeys(effect.path for effect in patched_files(text, None))
    found: list[dict[str, Any]] = []
    for path in list(paths)[:MOST_CARRIED]:
        found += judge({**event, "kind": "write", "path": path, "new": "", "content": None}, depth + 1)
    return found


def _keep_calls_here(event: dict[str, Any], reading: ParsedText) -> None:
    """Drop the calls that may run elsewhere: scripts make scratch repositories."""
    reading.calls = [call for call in reading.calls if not _runs_elsewhere(event, call)]


def _runs_elsewhere(event: dict[str, Any], call: Call) -> bool:
    root = str(event.get("root") or "")
    away = call.cwd.startswith(("/", "~", "$", "../")) and not (root and (call.cwd + "/").startswith(root + "/"))
    led = call.program == "git" and any(
        word == "-C" and after.startswith(("$", "/", "~"))
        for word, after in zip(call.argv, call.argv[1:], strict=False)
    )
    return call.adrift or away or led


def _of_program(
    event: dict[str, Any], script: script_files.CarriedText, judge: Decide, depth: int
) -> list[dict[str, Any]]:
    """Findings on what a program text starts, and on what it plainly writes."""
    from rulec.checkout import open_pages  # noqa: PLC0415 (hardly any command carries a program)
    from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)
    from rulec.tamper.commands import program_texts  # noqa: PLC0415 (as above)

    if program_texts.plainly_disarms(script.text):
        what = "it changes what the gate rests on"
        return [action_events.finding_of(GATE_SLUG, text=what, program=script.program)]
    if open_pages.names_page(str(event.get("root") or ""), script.text):
        what, cure = "it names the port of the page", action_events.ASK_PERSON
        return [action_events.finding_of(GATE_SLUG, text=what, program=script.program, cure=cure)]
    if any(word in script.text for word in SCRATCH):
        return []
    runs = interpreters.started_commands(script.program, script.text)
    lines = [run if isinstance(run, str) else " ".join(map(quote_word, run)) for run in runs]
    event["command"] = "\n".join(lines)
    event["_parse"] = reading = parse_shell(event["command"])
    _keep_calls_here(event, reading)
    return judge(event, depth + 1) if reading.calls else []

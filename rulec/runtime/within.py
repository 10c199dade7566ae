"""What scripts and other carried texts would do to the gate, read as if they were the command."""

from rulec.runtime import events, scripts
from rulec.runtime.call import Call, Parse, join
from rulec.runtime.launchers import INTERPRETERS, family
from rulec.runtime.shell import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Decide = Callable[["dict[str, Any]", int], "list[dict[str, Any]]"]

MOST = 40  # texts that are read for one command
SCRATCH = ("tempfile", "mkdtemp", "tmp_path", "tmpdir", "mktmpdir")  # a program that makes repositories of its own


def decide(event: "dict[str, Any]", calls: "list[Call]", judge: "Decide", depth: int) -> "list[dict[str, Any]]":
    """Findings on the texts that these commands run; only certain ones, for a file's words are many."""
    left: "list[int]" = event.setdefault("_texts", [MOST])
    for call in calls:
        for script in _texts(event, call):
            left[0] -= 1
            if left[0] < 0:
                return []
            found = [one for one in _found(event, script, judge, depth) if not one["unsure"]]
            if found:
                line = " ".join(call.argv)[:100]
                return [{**found[0], "text": f"{line}: {found[0]['text']}" if found[0]["text"] else line}]
    return []


def _texts(event: "dict[str, Any]", call: Call) -> "list[scripts.Script]":
    found = scripts.run_by(event, call) if scripts.runs_files(call) else []
    if call.argv[0].startswith("${"):
        from rulec.runtime import disarms_git  # noqa: PLC0415 (as below)

        found.append(scripts.Script(events.shown(disarms_git.filled(event, call).argv), call.cwd))
    program = family(call.program)
    if program and call.argv[1:]:
        from rulec.runtime import disarms_code  # noqa: PLC0415 (as below)

        for text in disarms_code.hidden(disarms_code.told(call)):
            found += [scripts.Script(text, call.cwd), scripts.Script(text, call.cwd, program)]
    if call.program == "git" or call.program in scripts.CARRYING:
        from rulec.runtime import carried  # noqa: PLC0415 (few commands carry texts that no other rule reads)

        found += carried.run_by(call)
    return found


def _found(event: "dict[str, Any]", script: "scripts.Script", judge: "Decide", depth: int) -> "list[dict[str, Any]]":
    inner: "dict[str, Any]" = {key: event[key] for key in ("root", "world", "agent", "_texts", "_read") if key in event}
    inner.update(kind="command", command=script.text, cwd=join(str(event.get("cwd") or ""), script.cwd))
    if script.program == "diff":
        return _of_diff(inner, script.text, judge, depth)
    if script.program in INTERPRETERS:
        return _of_program(inner, script, judge, depth)
    inner["_parse"] = reading = parse(script.text)
    if script.program != "box":
        _keep_here(inner, reading)
    found = judge(inner, depth + 1)
    return [one for one in found if one["program"] == "git"] if script.program == "box" else found


def _of_diff(event: "dict[str, Any]", text: str, judge: "Decide", depth: int) -> "list[dict[str, Any]]":
    """Findings on the files that a diff changes, with and without the first folder of its names."""
    names = [line[4:].partition("\t")[0].strip() for line in text.split("\n") if line.startswith(("+++ ", "--- "))]
    paths = dict.fromkeys(path for name in names for path in (name, name.partition("/")[2]) if path)
    found: "list[dict[str, Any]]" = []
    for path in list(paths)[:MOST]:
        found += judge({**event, "kind": "write", "path": path, "new": "", "content": None}, depth + 1)
    return found


def _keep_here(event: "dict[str, Any]", reading: Parse) -> None:
    """Only what plainly happens in this repository: scripts make repositories of their own, and throw them away."""
    reading.calls = [call for call in reading.calls if not _elsewhere(event, call)]


def _elsewhere(event: "dict[str, Any]", call: Call) -> bool:
    root = str(event.get("root") or "")
    away = call.cwd.startswith(("/", "~", "$", "../")) and not (root and (call.cwd + "/").startswith(root + "/"))
    led = call.program == "git" and any(
        word == "-C" and after.startswith(("$", "/", "~"))
        for word, after in zip(call.argv, call.argv[1:])  # noqa: B905 (Python 3.9; the last has none)
    )
    return call.adrift or away or led


def _of_program(
    event: "dict[str, Any]", script: "scripts.Script", judge: "Decide", depth: int
) -> "list[dict[str, Any]]":
    """What a program starts, and what it plainly writes itself."""
    from rulec.runtime import disarms_code, spawns  # noqa: PLC0415 (as above)

    if disarms_code.writes(script.text):
        return [events.finding_of("protect-the-gate", text="it changes what the gate rests on", program=script.program)]
    if any(word in script.text for word in SCRATCH):
        return []
    runs = spawns.spawned(script.program, script.text)
    lines = [
        run if isinstance(run, str) else " ".join("'" + word.replace("'", "'\\''") + "'" for word in run)
        for run in runs
    ]
    event["command"] = "\n".join(lines)
    event["_parse"] = reading = parse(event["command"])
    _keep_here(event, reading)
    return judge(event, depth + 1) if reading.calls else []

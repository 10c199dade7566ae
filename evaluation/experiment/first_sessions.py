"""The first session of a task, in which the person corrects the agent; and the questions to a reader."""

import json
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evaluation.experiment.acts import Act
from evaluation.experiment.agent_session import AgentSession
from evaluation.experiment.places import SET_UP, Place, naming
from evaluation.experiment.tasks import GOES_ON, Task
from evaluation.experiment.texts import render
from rulec.errors import RulecError

TRANSCRIPT = "session.jsonl"
DONE, UNDERSTOOD = "That part is done.", "Understood."


def write_first_session(task: Task, top: Path, transcript: Path) -> Path:
    """Write the transcript: a prompt, the offence, the person's words, and what was right."""
    transcript.unlink(missing_ok=True)
    session = AgentSession(top, transcript, f"first-{task.id}", lambda *_: (), {})
    session.record("user", GOES_ON)
    _record(session, task.offence)
    session.says(DONE)
    session.record("user", task.quote)
    if task.fix:
        _record(session, task.fix)
    session.says(UNDERSTOOD)
    return transcript


def _record(session: AgentSession, act: Act) -> None:
    for name, given in _calls(act, session.top):
        if name:
            session.gets(session.uses(name, given), "ok")
        else:
            session.says(given["text"])


def _calls(act: Act, top: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tool calls of an act; one without a name is what the agent says."""
    if "session" in act:
        for step in act["session"]:
            yield from _calls(step, top)
    elif "stop" in act:
        yield "", {"text": act["stop"]}
    elif "command" in act:
        yield "Bash", {"command": act["command"]}
    elif "write" in act:
        yield "Write", {"file_path": str(top / act["write"]["path"]), "content": act["write"]["content"]}
    elif "edit" in act:
        edit = act["edit"]
        yield "Edit", {"file_path": str(top / edit["path"]), "old_string": edit["old"], "new_string": edit["new"]}
    else:
        for path, text in act["commit"]["files"].items():
            yield "Write", {"file_path": str(top / path), "content": text}
        yield "Bash", {"command": "git add -A && git commit -m " + shlex.quote(act["commit"]["message"])}


def prepare_questions(tasks: Sequence[Task], folder: Path) -> None:
    """Write what a reader needs to draft the rules, and nothing of the later occasions."""
    folder = folder.resolve()
    try:
        if folder.exists() and any(folder.iterdir()):
            raise RulecError("is not empty", where=str(folder), hint="name a folder that does not exist yet")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{folder.name[:99]}-", dir=folder.parent) as name:  # whole, or not at all
            made = Path(name) / "questions"
            (made / "answers").mkdir(parents=True)
            (made / "README.md").write_text(render("ask/evaluation.md.j2", {}), "utf-8")
            for task in tasks:
                with naming(task):
                    _write_question(task, made / "tasks" / task.id, folder / "tasks" / task.id)
            made.replace(folder)
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        raise RulecError(what, where=str(folder), hint="name a folder that does not exist yet") from None


def _write_question(task: Task, own: Path, later: Path) -> None:
    own.mkdir(parents=True)
    place = Place(own)
    place.begin(task)
    place.set_up_gates()
    place.commit_all(SET_UP)
    path = write_first_session(task, Place(later).top, own / TRANSCRIPT)
    (own / "session.txt").write_text("\n\n".join(_lines(path)) + "\n", "utf-8")
    shutil.rmtree(place.home)


def _lines(transcript: Path) -> Iterator[str]:
    """The session as a person reads it."""
    for line in transcript.read_text("utf-8").splitlines():
        message = json.loads(line)["message"]
        content = message["content"]
        if isinstance(content, str):
            yield f"PERSON: {content}"
            continue
        for part in content:
            if part["type"] == "text":
                yield f"AGENT: {part['text']}"
            elif part["type"] == "tool_use":
                yield f"AGENT calls {part['name']}:\n" + "\n".join(
                    f"  {key}: {value}" for key, value in part["input"].items()
                )

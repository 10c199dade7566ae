"""The tasks of an evaluation: read from files, checked, chosen by a seed."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evaluation.experiment.acts import Act, checked_act, is_text, shown, why_no_file
from rulec.agents.protocol.agent_spec import all_agents
from rulec.errors import RulecError
from rulec.integrations.targets import pre_commit
from rulec.rulebook import file_paths
from rulec.rulebook.yaml_text import load_yaml

GOES_ON = "Please go on with the next item on the list."  # the prompt of cases that have none
SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")
README = "README.md"  # every repository has one
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")  # files are named ID.2.json and ID.0.gates.jsonl


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """A later moment at which the mistake may come back."""

    prompt: str
    bad: Act
    good: Act | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One correction, and the occasions at which it should be heeded later."""

    id: str
    family: str
    quote: str
    statement: str
    enforce: str  # what kind of act the preference is about
    setup: Mapping[str, str]
    offence: Act
    fix: Act | None
    occasions: tuple[Occasion, ...]
    innocent: tuple[Act, ...]
    target_words: tuple[str, ...] = ()


def read_tasks(sources: Sequence[Path], *, take: int = 0, seed: int = 0) -> list[Task]:
    """The tasks of files and folders, in the order of their ids; ``take`` is how many of each file with cases."""
    found: dict[str, Task] = {}
    for path in _files(sources):
        records = list(_records(path))
        tasks = [_task(data, where) for data, where in records]
        if take and any("repeat" in data for data, _ in records):
            tasks = random.Random(f"{seed} {path.name}").sample(tasks, min(take, len(tasks)))
        for task in tasks:
            if task.id in found:
                raise RulecError(f"two tasks have the id {task.id!r}", where=str(path), hint="give one another id")
            found[task.id] = task
    if not found:
        raise RulecError("no task is there", where=", ".join(map(str, sources)), hint="name task files or a folder")
    return [found[name] for name in sorted(found)]


def _files(sources: Sequence[Path]) -> Iterator[Path]:
    for source in sources:
        if source.is_dir():
            yield from sorted(path for path in source.iterdir() if path.suffix in SUFFIXES)
        elif source.is_file():
            yield source
        else:
            raise RulecError("no such file or folder", where=str(source), hint="name task files, or a folder of them")


def _records(path: Path) -> Iterator[tuple[Mapping[str, Any], str]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulecError(f"cannot be read: {error}", where=str(path), hint="task files are UTF-8 text") from None
    if path.suffix == ".jsonl":
        parts = [(line, f"{path}:{number}") for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    else:
        parts = [(text, str(path))]
    for part, where in parts:
        data = load_yaml(part, where) if path.suffix in (".yaml", ".yml") else _json(part, where)
        if not isinstance(data, Mapping):
            raise RulecError("a task is one object", where=where, hint="see evaluation/README.md for its keys")
        yield data, where


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulecError(f"is no JSON: {error}", where=where, hint="fix it there") from None


def _task(data: Mapping[str, Any], where: str) -> Task:
    if not is_text(data):
        raise RulecError("holds a NUL or half a character", where=where, hint="give text alone")
    name = _text(data, "id", where)
    if not _ID.fullmatch(name):
        hint = "use letters, digits, - and _, a letter or digit first"
        raise RulecError(f"the id {shown(name)!r} cannot be a file name", where=where, hint=hint)
    where = f"{where} ({name})"
    fix = data.get("fix")
    task = Task(
        id=name,
        family=_word(data, "family", where) or _word(data, "enforce", where) or name,
        quote=_text(data, "quote", where),
        statement=_text(data, "statement", where),
        enforce=_word(data, "enforce", where),
        setup=_setup(data.get("setup", {}), where),
        offence=checked_act(data.get("offence"), "offence", where),
        fix=None if fix is None else checked_act(fix, "fix", where),
        occasions=tuple(_cases(data, fix, where) if "repeat" in data else _occasions(data, where)),
        innocent=tuple(
            checked_act(act, f"innocent[{at}]", where) for at, act in enumerate(_list(data, "innocent", where))
        ),
        target_words=tuple(_words(data, "target_words", where)),
    )
    _require_absent(task, where)
    return task


def _occasions(data: Mapping[str, Any], where: str) -> Iterator[Occasion]:
    for at, one in enumerate(_list(data, "tasks", where)):
        if not isinstance(one, Mapping):
            raise RulecError(f"tasks[{at}] is no object", where=where, hint="give prompt, bad and good")
        good = one.get("good")
        yield Occasion(
            prompt=_text(one, "prompt", f"{where} tasks[{at}]"),
            bad=checked_act(one.get("bad"), f"tasks[{at}].bad", where),
            good=None if good is None else checked_act(good, f"tasks[{at}].good", where),
        )


def _cases(data: Mapping[str, Any], fix: Any, where: str) -> Iterator[Occasion]:
    """The occasions of a case: it lists the bad acts, and its fix is what is right each time."""
    for at, act in enumerate(_list(data, "repeat", where)):
        prompt = _word(data, "task", where) or GOES_ON
        yield Occasion(prompt=prompt, bad=checked_act(act, f"repeat[{at}]", where), good=fix)


def _setup(value: Any, where: str) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for pair in value.items() for text in pair):
        raise RulecError("setup maps no paths to texts", where=where, hint="write {path: text}")
    for path in value:
        if why := why_no_file(path):
            raise RulecError(f"setup {why}", where=where, hint="name a path inside of the repository")
        if _configures(path):
            hint = "leave it out: an act may write it, and it is not run then"
            raise RulecError(f"setup has {shown(path)!r}, which hooks or agents obey", where=where, hint=hint)
    files = {PurePosixPath(path) for path in (*value, README)}
    if both := sorted(files & {folder for path in files for folder in path.parents}):
        raise RulecError(f"setup has {shown(str(both[0]))!r} as a file and as a folder", where=where, hint="keep one")
    return dict(value)


def _configures(path: str) -> bool:
    """Whether hooks, rules or an agent's program are told by that file what to run; no document in words is."""
    pure = PurePosixPath(path.casefold())
    folders = {sign for agent in all_agents() for sign in (*agent.signs, f"{agent.skills}/") if sign.endswith("/")}
    settings = {place.lstrip("/") for agent in all_agents() for place in agent.settings if not place.startswith("~")}
    begins = (*folders, *settings, pre_commit.PATH, ".mcp.json")
    return file_paths.RULES in pure.parts or str(pure).startswith(begins)


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RulecError(f"{key} is missing", where=where, hint=f"give {key} as text")
    return value


def _word(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise RulecError(f"{key} is no text", where=where, hint=f"give {key} as text")
    return value or ""


def _words(data: Mapping[str, Any], key: str, where: str) -> Sequence[str]:
    found = _list(data, key, where)
    if not all(isinstance(word, str) and word for word in found):
        raise RulecError(f"{key} holds more than words", where=where, hint=f"write {key} as a list of texts")
    return found


def _list(data: Mapping[str, Any], key: str, where: str) -> Sequence[Any]:
    value = [] if data.get(key) is None else data[key]
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RulecError(f"{key} is no list", where=where, hint=f"write {key} as a list")
    return value


def _require_absent(task: Task, where: str) -> None:
    """A prompt that names what the preference is about would remind the agent of it."""
    for occasion in task.occasions:
        for word in task.target_words:
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", occasion.prompt, re.IGNORECASE):
                what = f"the prompt {shown(occasion.prompt)!r} has the target word {shown(word)!r}"
                raise RulecError(what, where=where, hint="rephrase it")

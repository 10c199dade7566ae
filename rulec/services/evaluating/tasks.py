"""The tasks of an evaluation: read from files, checked, chosen by a seed."""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml

Act = Mapping[str, Any]  # what an agent does, as a task file says it

GOES_ON = "Please go on with the next item on the list."  # the prompt of cases that have none
KINDS = {"command": str, "write": dict, "edit": dict, "commit": dict, "session": list, "stop": str}
PARTS: Mapping[str, Mapping[str, type]] = {
    "write": {"path": str, "content": str},
    "edit": {"path": str, "old": str, "new": str},
    "commit": {"files": dict, "message": str},
}
SUFFIXES = (".json", ".jsonl", ".yaml", ".yml")
_ID = re.compile(r"[\w.-]{1,80}")


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
            tasks = random.Random(f"{seed} {path.name}").sample(tasks, min(take, len(tasks)))  # noqa: S311 - repeatable
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
        parts = [(line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    else:
        parts = [(text, str(path))]
    for part, where in parts:
        data = load_yaml(part, where) if path.suffix in (".yaml", ".yml") else _json(part, where)
        if not isinstance(data, Mapping):
            raise RulecError("a task is one object", where=where, hint="see docs/evaluation.md for its keys")
        yield data, where


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulecError(f"is no JSON: {error}", where=where, hint="fix it there") from None


def _task(data: Mapping[str, Any], where: str) -> Task:
    name = _text(data, "id", where)
    if not _ID.fullmatch(name):
        raise RulecError(f"the id {name!r} cannot be a file name", where=where, hint="use letters, digits, - and _")
    where = f"{where} ({name})"
    fix = data.get("fix")
    task = Task(
        id=name,
        family=str(data.get("family") or data.get("enforce") or name),
        quote=_text(data, "quote", where),
        statement=_text(data, "statement", where),
        enforce=str(data.get("enforce", "")),
        setup=_files_of(data.get("setup", {}), "setup", where),
        offence=checked_act(data.get("offence"), "offence", where),
        fix=None if fix is None else checked_act(fix, "fix", where),
        occasions=tuple(_cases(data, fix, where) if "repeat" in data else _occasions(data, where)),
        innocent=tuple(
            checked_act(act, f"innocent[{at}]", where) for at, act in enumerate(_list(data, "innocent", where))
        ),
        target_words=tuple(map(str, data.get("target_words") or ())),
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
        yield Occasion(prompt=str(data.get("task", GOES_ON)), bad=checked_act(act, f"repeat[{at}]", where), good=fix)


def checked_act(act: Any, name: str, where: str, *, within: bool = False) -> Act:
    """The act, where its form is right."""
    kind = next(iter(act)) if isinstance(act, Mapping) and len(act) == 1 else ""
    if (
        kind not in KINDS
        or not isinstance(act[kind], KINDS[kind])
        or (kind in ("stop", "session") and within != (kind == "stop"))
    ):
        raise RulecError(f"{name} is no action", where=where, hint="use command, write, edit, commit or session")
    for part, form in PARTS.get(kind, {}).items():
        if not isinstance(act[kind].get(part), form):
            raise RulecError(f"{name}.{kind} lacks {part}", where=where, hint=f"give {', '.join(PARTS[kind])}")
    if kind == "session":
        for at, step in enumerate(act[kind]):
            checked_act(step, f"{name}.session[{at}]", where, within=True)
    paths = [act[kind]["path"]] if "path" in PARTS.get(kind, {}) else act[kind]["files"] if kind == "commit" else ()
    for path in paths:
        _require_inside(path, name, where)
    return dict(act)


def _require_inside(path: str, name: str, where: str) -> None:
    """Task files come from anybody, and their files are really written."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or not pure.parts or {"..", ".git"} & set(pure.parts) or path.startswith("~"):
        raise RulecError(f"{name} writes {path!r}", where=where, hint="name a path inside of the repository")


def _files_of(value: Any, name: str, where: str) -> dict[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise RulecError(f"{name} maps no paths to texts", where=where, hint="write {path: text}")
    for path in value:
        _require_inside(str(path), name, where)
    return {str(path): text for path, text in value.items()}


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RulecError(f"{key} is missing", where=where, hint=f"give {key} as text")
    return value


def _list(data: Mapping[str, Any], key: str, where: str) -> Sequence[Any]:
    value = data.get(key, [])
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise RulecError(f"{key} is no list", where=where, hint=f"write {key} as a list")
    return value


def _require_absent(task: Task, where: str) -> None:
    """A prompt that names what the preference is about would remind the agent of it."""
    for occasion in task.occasions:
        for word in task.target_words:
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", occasion.prompt, re.IGNORECASE):
                raise RulecError(
                    f"the prompt {occasion.prompt[:60]!r} has the target word {word!r}", where=where, hint="rephrase it"
                )


def without_good(task: Task, broken: set[int]) -> Task:
    """The task, where the right acts of some occasions cannot be carried out."""
    occasions = tuple(replace(one, good=None) if at in broken else one for at, one in enumerate(task.occasions))
    return replace(task, occasions=occasions)

"""What an agent does, as task files say it: its form, and what no play can carry out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError

Act = Mapping[str, Any]

KINDS = {"command": str, "write": dict, "edit": dict, "commit": dict, "session": list, "stop": str}
PARTS: Mapping[str, Mapping[str, type]] = {
    "write": {"path": str, "content": str},
    "edit": {"path": str, "old": str, "new": str},
    "commit": {"files": dict, "message": str},
}
LONGEST_NAME, LONGEST_PATH = 255, 1000  # bytes that file systems take
LONGEST_LINE = 100_000  # bytes of a command or a message: systems take no longer argument
_SHOWN = 60


def shown(text: str) -> str:
    """The beginning of a text of strangers for a message: on one line, without secrets."""
    return to_one_line(redact(text))[:_SHOWN]


def checked_act(act: Any, name: str, where: str, *, within: bool = False) -> Act:
    """The act, where its form is right and it can be played."""
    kind = next(iter(act)) if isinstance(act, Mapping) and len(act) == 1 else ""
    if (
        kind not in KINDS
        or not isinstance(act[kind], KINDS[kind])
        or (kind in ("stop", "session") and within != (kind == "stop"))
    ):
        raise RulecError(f"{name} is no action", where=where, hint="use command, write, edit, commit or session")
    parts = PARTS.get(kind, {})
    for part, form in parts.items():
        if not isinstance(act[kind].get(part), form):
            raise RulecError(f"{name}.{kind} lacks {part}", where=where, hint=f"give {', '.join(parts)}")
    if parts and len(act[kind]) > len(parts):
        raise RulecError(f"{name}.{kind} has more than {', '.join(parts)}", where=where, hint="leave out the rest")
    if kind == "commit" and not all(isinstance(text, str) for pair in act[kind]["files"].items() for text in pair):
        raise RulecError(f"{name}.commit.files maps no paths to texts", where=where, hint="write {path: text}")
    for at, step in enumerate(act[kind] if kind == "session" else ()):
        checked_act(step, f"{name}.session[{at}]", where, within=True)
    if kind != "session" and (why := why_unplayable(act)):
        raise RulecError(f"{name} {why}", where=where, hint="name paths inside of the repository, and texts")
    return dict(act)


def why_unplayable(act: Act) -> str:
    """Why an act of the right form cannot be played in any repository; "" where it can."""
    if "session" in act:
        return next(filter(None, map(why_unplayable, act["session"])), "")
    if not is_text(act):
        return "holds a NUL or half a character"
    commit = act.get("commit", {})
    if any(len(line.encode()) > LONGEST_LINE for line in (act.get("command", ""), commit.get("message", ""))):
        return f"holds a line of more than {LONGEST_LINE:,} bytes"
    paths = [*commit.get("files", ()), *(act[kind]["path"] for kind in ("write", "edit") if kind in act)]
    return next(filter(None, map(why_no_file, paths)), "")


def why_no_file(path: str) -> str:
    """Why nothing is written at a path: task files and answers come from anybody, and files are really written."""
    pure = PurePosixPath(path)
    outside = pure.is_absolute() or not pure.parts or path.startswith("~")
    if outside or {"..", ".git"} & {part.casefold() for part in pure.parts}:
        return f"writes {shown(path)!r}"
    if len(path.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in pure.parts):
        return f"writes a path that is too long: {shown(path)!r}"
    return ""


def is_text(data: Any) -> bool:
    """Whether all texts in data can be written to files and given to programs."""
    return all("\0" not in text and not any("\ud800" <= sign <= "\udfff" for sign in text) for text in _texts(data))


def _texts(data: Any) -> Iterator[str]:
    left = [data]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, Sequence):
            left += one

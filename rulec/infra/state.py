"""Local state in the git folder, readable by its owner alone: JSON, texts, and frozen dataclasses as JSON."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

from rulec.checkout import private_files
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_session


def dump_dataclass(value: Any) -> str:
    """A frozen dataclass as JSON, without fields at their default."""
    return json.dumps(plain_data(value), ensure_ascii=False, indent=1)


def load_dataclass(kind: Any, text: str) -> Any:
    """The dataclass in a JSON text; ValueError with the path of a value that does not fit its field."""
    try:
        return build_dataclass(kind, json.loads(text))
    except RecursionError:
        raise ValueError("is nested too deeply") from None


def build_dataclass(kind: Any, data: Any) -> Any:
    """The dataclass of data as JSON has it; ValueError with the path of a value that does not fit its field."""
    import msgspec  # noqa: PLC0415 - most commands read no such state

    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def plain_data(value: Any) -> Any:
    """A frozen dataclass as what JSON can hold, without fields at their default."""
    if is_dataclass(value):
        items = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: plain_data(item) for field, item in items if not _default(field, item)}
    if isinstance(value, Mapping):
        return {str(key): plain_data(item) for key, item in value.items()}
    return [plain_data(item) for item in value] if isinstance(value, tuple | list) else value


def _default(field: Any, item: Any) -> bool:
    return bool(field.default is not MISSING and item == field.default)


def state_dir_path(top: Path) -> Path:
    """The folder of local state, whether it exists or not."""
    return git_session.common_dir(top) / "rulec"


def state_dir(top: Path) -> Path:
    """The folder of local state, ``rulec/`` in the git folder, created for its owner alone."""
    folder = state_dir_path(top)
    with suppress(OSError):  # a git folder that is mounted read-only: who reads finds nothing, who writes says so
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def read_state(top: Path, name: str) -> Any:
    """A piece of state; None where there is none or it is damaged, for all of it can be computed again."""
    try:
        return json.loads(private_files.read_file(str(state_path(top, name))) or b"")
    except (ValueError, RecursionError):
        return None


def write_state(top: Path, name: str, value: Any) -> None:
    """Write a piece of state."""
    data = json.dumps(value, ensure_ascii=False, indent=1).encode()
    text_files.write_atomically(state_dir(top) / f"{name}.json", data, mode=0o600)


def update_state(top: Path, name: str, change: Callable[[Any], Any]) -> None:
    """Change a piece of state while no other process does, not even the hook; None stands for one that is missing."""
    state_dir(top)
    path = state_path(top, name)
    with _lock_folder(path.parent):
        value = change(read_state(top, name))
        if value:
            write_state(top, name, value)
        else:
            path.unlink(missing_ok=True)


def append_bounded(place: Path, lines: Iterable[str], most: int) -> bool:
    """Add lines to a private file while no other process does; True where its older half went, for it had ``most``."""
    with _lock_folder(place.parent):
        known = private_files.read_file(str(place)) or b""
        full = len(known) > most
        if full:
            kept = known.splitlines(keepends=True)
            text_files.write_atomically(place, b"".join(kept[len(kept) // 2 :]), mode=0o600)
        private_files.append_lines(str(place), lines)
    return full


@contextmanager
def _lock_folder(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of state; RulecError where that is impossible, or another process keeps it."""
    try:
        with private_files.FolderLock(str(folder)) as held:
            if not held:
                hint = "wait for it to end, then try again"
                raise RulecError("another process is writing here", where=str(folder), hint=hint)
            yield
    except OSError as error:
        what = f"cannot be changed: {error.strerror}"
        raise RulecError(what, where=str(folder), hint="see its permissions") from None


def state_path(top: Path, name: str) -> Path:
    """The path of a piece of state."""
    return state_dir_path(top) / f"{name}.json"


def has_state(top: Path, name: str) -> bool:
    """Whether there is a piece of state of that name."""
    return state_path(top, name).exists()


def state_names(top: Path, folder: str) -> list[str]:
    """The names of the pieces in a folder of state, sorted."""
    return sorted(path.stem for path in (state_dir_path(top) / folder).glob("*.json"))


def read_state_text(top: Path, name: str) -> str:
    """The text of a piece of state that cannot be computed again; ValueError where it is no text."""
    path = state_path(top, name)
    data = private_files.read_file(str(path))
    if data is None:
        raise RulecError("cannot be read", where=str(path), hint="see what it is and its rights")
    return data.decode("utf-8")


def write_state_text(top: Path, name: str, value: str) -> None:
    """Write such a text."""
    text_files.write_atomically(state_path(top, name), value.encode("utf-8", "replace"), mode=0o600)


def remove_state(top: Path, name: str) -> None:
    """Remove a piece of state, if there is one."""
    state_path(top, name).unlink(missing_ok=True)


def prune_state(top: Path, folder: str, most: int) -> None:
    """Remove all but the last written pieces of a folder of state."""
    found = sorted(state_path(top, folder).with_suffix("").glob("*.json"), key=lambda path: -path.stat().st_mtime_ns)
    for path in found[most:]:
        path.unlink(missing_ok=True)


def digest_of_values(parts: Sequence[Any]) -> str:
    """A short digest of some values."""
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()[:16]

"""Where the transcripts of a corpus lie: a folder, or a folder of an S3 bucket; lists them and brings them here."""

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import install_source

S3 = "s3://"
MARKER = "rulec-corpus.db"  # lies in a folder of results, which holds no transcripts
_NO_TEXT = re.compile("[%\udc80-\udcff]")  # what is escaped in names, so that every one can be written and read again


class ListedTranscript(NamedTuple):
    """A file of the corpus, as its folder or bucket lists it."""

    name: str  # below the place; in a folder with %XX for what is no UTF-8, in a bucket as it stands there
    stamp: str  # what changes when the file does
    size: int

    @property
    def key(self) -> str:
        """What runs know it by: a name may hold that of a person, or a secret."""
        return hashlib.sha256(self.name.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def shown(self) -> str:
        """The name as it may be told and kept."""
        return shown_path(self.name)


def shown_path(name: str) -> str:
    """A path below the place, without secrets and the names of people's homes."""
    return redact(f"/{name}").removeprefix("/")


@dataclass(slots=True)
class Listing:
    """The files of a corpus, and what could not be listed, as it may be told, with the reason."""

    transcripts: list[ListedTranscript] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)


def check_place(place: str) -> None:
    """Refuse what is no folder, or the results of an earlier run; nothing is listed."""
    hint = f"name the folder in which the transcripts lie, or {S3}BUCKET/FOLDER"
    if not place:  # an unset variable in a script must not mean the current folder
        raise RulecError("PATH is empty", hint=hint)
    if place.startswith(S3):
        if not _folder_of_bucket(place):
            raise RulecError("names no bucket", where=place, hint=f"write {S3}BUCKET/FOLDER")
        return
    try:
        os.scandir(place).close()
        top = Path(place).resolve()
        own = next((folder for folder in (top, *top.parents) if (folder / MARKER).exists()), None)
    except OSError as error:
        lacks = {FileNotFoundError: "no such folder", NotADirectoryError: "is not a folder"}.get(type(error))
        raise RulecError(lacks or f"cannot be read: {error.strerror}", where=place, hint=hint) from None
    if own:
        raise RulecError(f"{own} holds what rulec mine-corpus wrote", where=place, hint=hint)


def list_transcripts(place: str) -> Listing:
    """All files below a place, but for hidden ones, links and results of rulec; no file is opened."""
    return _list_bucket(place) if place.startswith(S3) else _list_folder(place)


@contextmanager
def fetched_transcript(place: str, name: str) -> Iterator[Path]:
    """A transcript as a file of this machine; OSError or RulecError where it cannot be read."""
    if not place.startswith(S3):
        yield Path(place) / _file_name(name)
        return
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"transcript{Path(name).suffix}"
        try:
            _bucket().get_file(f"{_folder_of_bucket(place)}/{name}", str(path))
        except Exception as error:  # noqa: BLE001 - whatever the S3 client lets through
            raise RulecError(f"cannot be fetched: {_told(error)}", where=name) from None
        yield path


def _list_folder(place: str) -> Listing:
    found = Listing()
    start = len(os.path.join(place, ""))

    def fail(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # else it was deleted meanwhile
            name = shown_path(_written(str(error.filename)[start:]))
            found.failed.append((name, f"cannot be listed: {error.strerror}"))

    for here, folders, names in os.walk(place, onerror=fail):
        if MARKER in names:
            folders.clear()
            continue
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(one for one in names if not one.startswith(".")):
            path = os.path.join(here, name)
            try:
                seen = os.lstat(path)
            except OSError as error:
                fail(error)
                continue
            if stat.S_ISREG(seen.st_mode):
                stamp = f"{seen.st_mtime_ns}-{seen.st_size}"
                found.transcripts.append(ListedTranscript(_written(path[start:]), stamp, seen.st_size))
    return found


def _written(name: str) -> str:
    """A file's name as text, from which the name can be told again."""
    return _NO_TEXT.sub(lambda sign: "%25" if sign[0] == "%" else f"%{ord(sign[0]) - 0xDC00:02X}", name)


def _file_name(name: str) -> str:
    """The file's name that was written so."""
    return re.sub("%(..)", lambda sign: "%" if sign[1] == "25" else chr(0xDC00 + int(sign[1], 16)), name)


def _folder_of_bucket(place: str) -> str:
    return place.removeprefix(S3).strip("/")


def _list_bucket(place: str) -> Listing:
    prefix = _folder_of_bucket(place)
    try:
        found: dict[str, dict[str, Any]] = _bucket().find(prefix, detail=True)
    except RulecError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the S3 client lets through
        hint = "see the name, and that this machine has credentials and a region for S3"
        raise RulecError(f"cannot be listed: {_told(error)}", where=place, hint=hint) from None
    if not found:
        raise RulecError("holds no files", where=place, hint="see the name of the bucket and of its folder")
    ours = tuple(key.removesuffix(MARKER) for key in found if key.endswith(f"/{MARKER}"))
    keys = sorted(key for key in found if not (ours and key.startswith(ours)))
    names = {key[len(prefix) + 1 :]: found[key] for key in keys}  # one slash: a key may well begin with another one
    return Listing([
        ListedTranscript(name, f"{told.get('ETag')}-{told.get('size')}", int(told.get("size") or 0))
        for name, told in names.items()
        if name and not any(part.startswith(".") for part in name.split("/"))
    ])  # fmt: skip


def _bucket() -> Any:
    """The S3 client; it finds credentials and the address of another server as Amazon's own tools do."""
    try:
        import s3fs  # noqa: PLC0415 - a second, and a library of an extra
    except ModuleNotFoundError as error:
        hint = install_source.extra_command("corpus")
        raise RulecError(f"s3:// needs {error.name}, which is not installed", hint=hint) from None
    return s3fs.S3FileSystem(use_listings_cache=False)


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]

"""Where the transcripts of a corpus lie: a folder, or a prefix of an S3 bucket; lists them and brings them here."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rulec.errors import RulecError

S3 = "s3://"


class ListedTranscript(NamedTuple):
    """A file of the corpus, as its folder or bucket lists it."""

    name: str  # below the place
    stamp: str  # what changes when the file does
    size: int


def list_transcripts(place: str, leave_out: Path) -> Iterator[ListedTranscript]:
    """All files below a place, but for hidden ones, links, and those below ``leave_out``; no file is opened."""
    yield from _list_bucket(place) if place.startswith(S3) else _list_folder(Path(place), leave_out.resolve())


@contextmanager
def fetched_transcript(place: str, name: str) -> Iterator[Path]:
    """A transcript as a file of this machine; OSError or RulecError where it cannot be read."""
    if not place.startswith(S3):
        yield Path(place) / name
        return
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / f"transcript{Path(name).suffix}"
        try:
            _bucket().get_file(f"{place.removesuffix('/')}/{name}", str(path))
        except Exception as error:  # noqa: BLE001 - whatever the S3 client lets through
            raise RulecError(f"cannot be fetched: {_told(error)}", where=name) from None
        yield path


def _list_folder(top: Path, leave_out: Path) -> Iterator[ListedTranscript]:
    if not top.is_dir():
        what = "is not a folder" if top.exists() else "no such folder"
        raise RulecError(
            what, where=str(top), hint="name the folder in which the transcripts lie, or s3://BUCKET/PREFIX"
        )
    for here, folders, names in os.walk(top):
        folders[:] = sorted(
            one for one in folders if not one.startswith(".") and Path(here, one).resolve() != leave_out
        )
        for name in sorted(one for one in names if not one.startswith(".")):
            path = Path(here, name)
            seen = path.lstat()
            if stat.S_ISREG(seen.st_mode):
                yield ListedTranscript(str(path.relative_to(top)), f"{seen.st_mtime_ns}-{seen.st_size}", seen.st_size)


def _list_bucket(place: str) -> Iterator[ListedTranscript]:
    prefix = place.removeprefix(S3).strip("/")
    if not prefix:
        raise RulecError("names no bucket", where=place, hint="write s3://BUCKET/PREFIX")
    try:
        found: dict[str, dict[str, Any]] = _bucket().find(prefix, detail=True)
    except RulecError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever the S3 client lets through
        hint = "see the name, and that this machine has credentials and a region for S3"
        raise RulecError(f"cannot be listed: {_told(error)}", where=place, hint=hint) from None
    if not found:
        raise RulecError("holds no files", where=place, hint="see the name of the bucket and the prefix")
    for key, told in sorted(found.items()):
        name = key.removeprefix(prefix).lstrip("/")
        if name and not any(part.startswith(".") for part in name.split("/")):
            yield ListedTranscript(name, f"{told.get('ETag')}-{told.get('size')}", int(told.get("size") or 0))


def _bucket() -> Any:
    """The S3 client; it finds credentials and the address of another server as Amazon's own tools do."""
    try:
        import s3fs  # noqa: PLC0415 - a second, and a library of an extra
    except ModuleNotFoundError as error:
        hint = "pip install 'rulec[corpus]'"
        raise RulecError(f"s3:// needs {error.name}, which is not installed", hint=hint) from None
    return s3fs.S3FileSystem(use_listings_cache=False)


def _told(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]

"""What runs have learned of the transcripts of a corpus: files of records, written whole, one record a line."""

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.infra import text_files

SHARDS, RESULTS, GENERATIONS, WORK, LOCK = "shards", "results", "generations", "work", "lock"
Record = dict[str, Any]


@contextmanager
def hold_corpus(out: Path) -> Iterator[None]:
    """Hold the folder of results for one run; its folder of unfinished work is empty at the beginning and the end."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        (out / SHARDS).mkdir(exist_ok=True)
        handle = os.open(out / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise RulecError(f"cannot be written: {error.strerror}", where=str(out), hint="name another --out") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = "wait until it ends, or name another --out"
            raise RulecError("another run writes here", where=str(out), hint=hint) from None
        shutil.rmtree(out / WORK, ignore_errors=True)
        (out / WORK).mkdir()
        yield
        shutil.rmtree(out / WORK, ignore_errors=True)
    finally:
        os.close(handle)


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records in one step, readable for their owner alone."""
    text = "".join(f"{json.dumps(record, ensure_ascii=False, separators=(',', ':'))}\n" for record in records)
    text_files.write_atomically(path, text.encode("utf-8", "replace"), mode=0o600)


def append_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Add records to a file of unfinished work."""
    with path.open("a", encoding="utf-8", errors="replace") as file:
        file.writelines(f"{json.dumps(record, ensure_ascii=False, separators=(',', ':'))}\n" for record in records)


def read_lines(path: Path) -> Iterator[Record]:
    """The records of a file one by one."""
    with path.open("rb") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                hint = "delete it: what it held is read again"
                raise RulecError("is damaged", where=str(path), hint=hint) from None


def shard_paths(out: Path) -> list[Path]:
    """The files of records, oldest first."""
    return sorted((out / SHARDS).glob("*.jsonl"))


def next_run(out: Path) -> int:
    """The number of the next run, which begins the names of its files."""
    return max((int(path.name.partition("-")[0]) for path in shard_paths(out)), default=0) + 1


@contextmanager
def new_results(out: Path) -> Iterator[Path]:
    """A folder that takes the place of the former results in one step once all of it is written."""
    former = sorted((out / GENERATIONS).glob("*"))
    number = max((int(path.name) for path in former if path.name.isdigit()), default=0) + 1
    folder = out / GENERATIONS / f"{number:04d}"
    folder.mkdir(parents=True)
    yield folder
    link = out / WORK / RESULTS
    link.symlink_to(Path(GENERATIONS) / folder.name)
    link.replace(out / RESULTS)
    for path in former:
        shutil.rmtree(path, ignore_errors=True)

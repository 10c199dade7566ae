"""What runs have learned of the transcripts of a corpus: files of records, written whole, one record a line."""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.corpus.out_folder import SHARDS

Record = dict[str, Any]
_NAME = re.compile(r"[0-9]+-[0-9]+(?:-[0-9]+)?\.jsonl")  # the run, the piece, and the transcript that was tried alone
SHARED_BY_ALL = "every worker needs --out at the same path, such as on NFS"
_AGAIN = "delete it: what it held is read again"


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records in one step, readable for their owner alone, into a folder that has to be there."""
    if not path.parent.is_dir():  # on a worker that does not share it: what is written there, nobody finds
        raise RulecError("a worker does not find this folder", where=str(path.parent), hint=SHARED_BY_ALL)
    text = "".join(f"{json.dumps(record, ensure_ascii=False, separators=(',', ':'))}\n" for record in records)
    text_files.write_atomically(path, text.encode("utf-8", "replace"), mode=0o600)


def append_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    """Add records to a file of unfinished work, readable for its owner alone."""

    def private(name: str, how: int) -> int:
        return os.open(name, how, 0o600)

    with open(path, "a", encoding="utf-8", errors="replace", opener=private) as file:
        file.writelines(f"{json.dumps(record, ensure_ascii=False, separators=(',', ':'))}\n" for record in records)


def read_lines(path: Path) -> Iterator[Record]:
    """The records of a file one by one."""
    try:
        with path.open("rb") as file:
            for line in file:
                yield dict(json.loads(line))
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(path), hint="see what it is") from None
    except (ValueError, TypeError, RecursionError):
        raise RulecError("is damaged", where=str(path), hint=_AGAIN) from None


def read_shard(path: Path, shape: Mapping[str, type], schema: int) -> Iterator[Record]:
    """The records of a shard; RulecError where one has another schema, or a field that is not of its type."""
    for record in read_lines(path):
        if (told := record.get("schema")) != schema:
            raise RulecError(f"has schema {told}, not {schema}", where=str(path), hint=_AGAIN)
        for name, kind in shape.items():
            if type(record.get(name)) is not kind:
                raise RulecError(f"is damaged: {name} is no {kind.__name__}", where=str(path), hint=_AGAIN)
        yield record


def shard_path(out: Path, name: str) -> Path:
    """The file of the records of one piece."""
    return out / SHARDS / f"{name}.jsonl"


def shard_paths(out: Path) -> list[Path]:
    """The files of records, oldest first."""
    return sorted(path for path in (out / SHARDS).glob("*.jsonl") if _NAME.fullmatch(path.name))


def next_run(out: Path) -> int:
    """The number of the next run, which begins the names of its files."""
    return max((int(path.name.partition("-")[0]) for path in shard_paths(out)), default=0) + 1

"""The report of a corpus: what was read, what waits in each queue, what recurs, and what failed."""

import json
import resource
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import to_one_line
from rulec.infra import text_files
from rulec.infra.corpus.corpus_store import CorpusStore
from rulec.reports.wording import count_of
from rulec.services.corpus.queue_files import TO_PROVE, write_queue
from rulec.services.corpus.repository_queues import (
    QUEUES,
    FoldedCorpus,
    RecurringWish,
    file_name_of,
    find_recurring,
    shared_item,
    shown_name,
)

SHARED, REPORT, DATA = "shared.json", "report.md", "report.json"
SHARED_NAME = "a rulebook for several repositories"
_MOST_FAILED = 20  # that are printed; the report has all
_MOST_ROWS = 200  # of a table for people


@dataclass(slots=True)
class ReadCounts:
    """What a run read, and what it could not."""

    listed: int = 0
    opened: int = 0
    size: int = 0
    seconds: float = 0.0  # CPU of the workers
    killed: int = 0  # transcripts whose workers were killed each time
    lost: list[tuple[str, str]] = field(default_factory=list)  # what no record tells of, and why it was not read


def write_report(store: CorpusStore, results: Path, shown: Path, counts: ReadCounts, folded: FoldedCorpus) -> Outcome:
    """Write the report and the queue of what recurs; ``shown`` is where the results will stand."""
    recurring = find_recurring(folded.wishes)
    if recurring:
        items = [shared_item(store, one) for one in recurring]
        write_queue(results / SHARED, SHARED_NAME, folded.transcripts, items)
    failed = [*folded.failed, *counts.lost]
    data = _data(counts, folded, recurring, failed)
    _write(results / DATA, json.dumps(data, ensure_ascii=False, indent=1))
    _write(results / REPORT, "\n".join(_page(folded, recurring, failed)))
    lines = [
        _read_line(counts, folded, len(failed)),
        _found_line(folded, shown),
        f"{_many(len(recurring), 'wish', 'wishes')} of two repositories or more: {shown / REPORT}",
        *(f"failed: {to_one_line(name)}: {why}" for name, why in failed[:_MOST_FAILED]),
        *([f"and {len(failed) - _MOST_FAILED} more in {shown / REPORT}"] if len(failed) > _MOST_FAILED else []),
        "next, in a repository: rulec ingest --queue FILE, then rulec review",
    ]
    return Outcome("\n".join(lines), CLEAN if folded.transcripts else FINDINGS, data)  # a place that went away


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def _read_line(counts: ReadCounts, folded: FoldedCorpus, failed: int) -> str:
    known = counts.listed - counts.opened - counts.killed
    told = [f"{counts.opened} read now", f"{known} known already", f"{failed} failed"]
    told += [f"{folded.twice} with a content that another one has"] if folded.twice else []
    many = _many(len(folded.repositories), "repository", "repositories")
    return f"{count_of(counts.listed, 'file')} listed: {', '.join(told)}; {folded.transcripts} count, of {many}"


def _found_line(folded: FoldedCorpus, shown: Path) -> str:
    read = f"{count_of(folded.human, 'human turn')}, {count_of(folded.lasting, 'lasting correction')}"
    waiting = f"{count_of(folded.counts['waiting'], 'candidate')} in {count_of(folded.counts['queues'], 'queue')}"
    return f"{read}: {waiting} in {shown / QUEUES}"


def _data(
    counts: ReadCounts, folded: FoldedCorpus, recurring: Sequence[RecurringWish], failed: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "listed": counts.listed,
        "opened": counts.opened,
        "bytes": counts.size,
        "worker_seconds": round(counts.seconds, 2),
        "driver_memory": _peak_memory(),
        "transcripts": folded.transcripts,
        "same_content": folded.twice,
        "human": folded.human,
        "lasting": folded.lasting,
        "queues": folded.counts["queues"],
        "waiting": folded.counts["waiting"],
        "proved_in_session": folded.counts["proved"],
        "unread": folded.counts["unread"],
        "still_to_prove": TO_PROVE,
        "failed": [{"transcript": name, "why": why} for name, why in failed],
        "passed_over": folded.readings,
        "repositories": [
            {"repository": shown_name(name), "transcripts": len(keys), "queue": f"{QUEUES}/{file_name_of(name)}.json"}
            for name, keys in sorted(folded.repositories.items())
        ],
        "recurring": [
            {
                "slug": one.first.slug,
                "statement": one.first.wish.statement,
                "quote": one.first.quote,
                "checked": one.checked,
                "repositories": len(one.repositories),
                "sessions": one.repositories.total(),
                "in": sorted(one.repositories)[:_MOST_ROWS],
            }
            for one in recurring
        ],
    }


def _peak_memory() -> int:
    """The largest memory that this process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _page(folded: FoldedCorpus, recurring: Sequence[RecurringWish], failed: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield "# What recurs across repositories\n"
    yield f"{folded.transcripts} transcripts of {len(folded.repositories)} repositories. {TO_PROVE.capitalize()}.\n"
    yield f"`{SHARED}` holds these wishes as a queue: take it in the repository of a shared rulebook with"
    yield f"`rulec ingest --queue {SHARED}`, decide with `rulec review`, and let others take it with `rulec extend`.\n"
    yield "| repositories | sessions | wish | a person's words |\n|---:|---:|---|---|"
    for one in recurring[:_MOST_ROWS]:
        words = (_cell(one.first.wish.statement), _cell(one.first.quote))
        yield f"| {len(one.repositories)} | {one.repositories.total()} | {words[0]} | {words[1]} |"
    if len(recurring) > _MOST_ROWS:
        yield f"\n{len(recurring) - _MOST_ROWS} more are in `{DATA}`."
    yield f"\n## Failed\n\n{count_of(len(failed), 'transcript')} could not be read.\n"
    yield from (f"- {_cell(name)}: {_cell(why)}" for name, why in failed)


def _cell(text: str) -> str:
    return to_one_line(text).replace("|", "\\|").replace("<", "&lt;")


def _write(path: Path, text: str) -> None:
    text_files.write_atomically(path, f"{text}\n".encode("utf-8", "replace"), mode=0o600)

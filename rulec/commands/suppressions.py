"""``rulec suppressions``: what somebody had left alone, by whom, why and until when, and whether it counts."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import at_commit, judge
from rulec.host import blame, changes, clock, git, worktree
from rulec.host.logs import history
from rulec.model.artifact import compiled_from, of_judge
from rulec.model.change import Change
from rulec.model.finding import Finding
from rulec.model.rulebook import Rulebook
from rulec.model.suppression import Suppression
from rulec.runtime import ignores

COUNTS, IDLE = "counts", "idle: nothing is found there any more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One suppression of one rule as it stands in the work tree."""

    slug: str
    where: str  # path:line, or globs
    until: str
    reason: str
    author: str = ""
    since: str = ""
    state: str = COUNTS  # or that it is idle, ended, or why it does not count
    file: str = ""  # of one in place
    line: int = 0


def run(top: Path) -> Outcome:
    """All of them, those that do not count last; a look, so it exits 0."""
    today = clock.now()[:10]
    found = sorted(entries(top, worktree.load(top)), key=lambda one: (one.state != COUNTS, one.slug, one.where))
    lines = [line for one in found for line in _lines(one, today)]
    counted = sum(one.state == COUNTS for one in found)
    many = f"{len(found)} suppression{'s' * (len(found) != 1)}, {counted} of them at work"
    return Outcome("\n".join([*lines, many if found else "nothing is suppressed"]), data=[_plain(one) for one in found])


def entries(top: Path, book: Rulebook) -> list[Entry]:
    """Every suppression of the work tree, each with its state."""
    today = clock.now()[:10]
    filed = [(one, _filed(top, one, today)) for one in book.suppressions]
    placed = list(_in_place(top, book, today))
    live = {entry.slug for entry in (*placed, *(entry for _, entry in filed)) if entry.state == COUNTS}
    change = _files(top, placed, [one for one, entry in filed if entry.state == COUNTS])
    seen, known = _findings(top, live, change)
    told = [_idle(entry, known, _used(entry, seen, change)) for entry in placed]
    return told + [_idle(e, known, any(one.covers(f.slug, f.path) for f in seen)) for one, e in filed]


def _filed(top: Path, one: Suppression, today: str) -> Entry:
    made = next(iter(history(top, one.source)), None)
    return Entry(
        slug=one.slug,
        where=", ".join(one.paths) or "everywhere",
        until=one.until,
        reason=one.reason,
        author=made.author if made else "",
        since=made.at[:10] if made else "",
        state=f"ended on {one.until}"
        if one.ended(today)
        else COUNTS
        if made
        else "not committed, so it does not count",
    )


def _in_place(top: Path, book: Rulebook, today: str) -> Iterator[Entry]:
    names = {rule.slug for rule in book.rules}
    for path in blame.holding(top, ignores.MARK):
        if path.startswith(f"{worktree.RULES}/"):
            continue
        said = dict(_said(top / path))
        wrote = blame.blame(top, path, list(said))
        for number, one in said.items():
            by = wrote.get(number, blame.Wrote())
            for slug in one["slugs"] or [""]:
                yield Entry(
                    slug=slug or "?",
                    where=f"{path}:{number}",
                    until=one["until"],
                    reason=one["reason"],
                    author=by.author,
                    since=by.day,
                    state=_state(one, slug, names, today, by),
                    file=path,
                    line=number,
                )


def _said(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.is_file() and not path.is_symlink() and path.stat().st_size <= changes.LARGEST:
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            said = ignores.said(line)
            if said:
                yield number, said


def _state(said: dict[str, Any], slug: str, names: set[str], today: str, wrote: blame.Wrote) -> str:
    if said["wrong"]:
        return f"does not count: {said['wrong']}"
    if slug not in names:
        return "does not count: no rule of that name"
    if said["until"] < today:
        return f"ended on {said['until']}"
    return COUNTS if wrote.day else "not committed, so it does not count"


def _files(top: Path, placed: Sequence[Entry], filed: Sequence[Suppression]) -> Change:
    """The files that any suppression that counts speaks of, as they stand."""
    wanted = {entry.file for entry in placed if entry.state == COUNTS}
    wanted |= (
        {path for path in git.tracked(top) if any(one.covers(one.slug, path) for one in filed)} if filed else set()
    )
    there = [str(top / path) for path in sorted(wanted) if (top / path).is_file()]
    return changes.at_hand(top, there) if there else Change()


def _findings(top: Path, slugs: set[str], change: Change) -> tuple[list[Finding], set[str]]:
    """What those rules find there, and which of them look at files at all and ask no model, which nobody asks here."""
    artifacts = worktree.compiled(worktree.compiled_at_hand(top)) if slugs else []
    judges = {compiled_from(artifact.path) for artifact in artifacts if of_judge(artifact)}
    asked = at_commit([artifact for artifact in artifacts if compiled_from(artifact.path) in slugs], whole=False)
    seen = judge(asked, change) if asked and change.files else []
    return [v.finding for v in seen if v.finding], {compiled_from(artifact.path) for artifact in asked} - judges


def _used(entry: Entry, seen: Sequence[Finding], change: Change) -> bool:
    content = next((file.content or b"" for file in change.files if file.path == entry.file), b"")
    lines = content.decode("utf-8", "replace").split("\n")
    own = (one for one in seen if one.slug == entry.slug and one.path == entry.file)
    return any(number == entry.line for f in own for number, _ in ignores.about(lines, f.slug, f.line, f.last))


def _idle(entry: Entry, known: set[str], used: bool) -> Entry:  # noqa: FBT001 - it is what it is told
    idle = entry.state == COUNTS and entry.slug in known and not used
    return replace(entry, state=IDLE) if idle else entry


def _lines(one: Entry, today: str) -> Iterator[str]:
    age = f", {(date.fromisoformat(today) - date.fromisoformat(one.since)).days} days ago" if one.since else ""
    by = f" ({one.author}{age})" if one.author else ""
    yield f"{one.slug}  {one.where}  {f'until {one.until}' if one.until else 'without an end'}{by}"
    yield f"  {one.reason or 'no reason'}" + f"; {one.state}" * (one.state != COUNTS)


def _plain(one: Entry) -> dict[str, Any]:
    data = asdict(one)
    return {name: data[name] for name in data if name not in ("file", "line")}

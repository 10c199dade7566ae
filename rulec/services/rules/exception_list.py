"""rulec except --list: all exceptions, in rules, files and code, and whether they are in use."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from rulec.domain.artifact import compiled_checks, is_judge_check, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.gates.findings.verdicts import commit_checks, verdicts_on
from rulec.guard import exceptions
from rulec.guard.exceptions import InPlaceException
from rulec.infra import clock
from rulec.infra.git import git_changes, git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import describe_exemption
from rulec.reports.wording import count_of
from rulec.rulebook import file_paths, git_history
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.rulebook import Rulebook, require_rule

COUNTS, IDLE = "counts", "unused: nothing is found there any more"
NOT_COMMITTED = "not committed, so it does not count"


ExceptionKind = Literal["rule", "file", "comment"]  # where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionEntry:
    """One exception of one rule in the work tree."""

    slug: str
    where: str  # path:line, or globs
    until: str  # "" of one that is part of its rule, and so for good
    reason: str
    kind: ExceptionKind
    author: str = ""
    since: str = ""
    state: str = COUNTS  # or that it is idle, ended, or why it does not count
    file: str = ""  # of one in place
    line: int = 0


def list_exceptions(top: Path, slug: str = "") -> Outcome:
    """All exceptions of all rules or of one, those that do not count last."""
    today, book = clock.now()[:10], rulebook_files.load_rulebook(top)
    if slug:
        require_rule(book, slug)
    every = [*_entries_for_good(book), *dated_exception_entries(top, book)]
    found = sorted(
        (one for one in every if slug in ("", one.slug)), key=lambda one: (one.state != COUNTS, one.slug, one.where)
    )
    lines = [line for one in found for line in _entry_lines(one, today)]
    counted = sum(one.state == COUNTS for one in found)
    many = f"{count_of(len(found), 'exception')}, {counted} of them in use"
    return Outcome("\n".join([*lines, many if found else "nothing is excepted"]), data=list(map(_entry_json, found)))


def _entries_for_good(book: Rulebook) -> Iterator[ExceptionEntry]:
    """The exceptions that are part of their rules."""
    for rule in book.rules:
        for one in rule.exceptions:
            where = describe_exemption(one)
            yield ExceptionEntry(slug=rule.slug, where=where, until="", reason=one.because, kind="rule")


def dated_exception_entries(top: Path, book: Rulebook) -> list[ExceptionEntry]:
    """Every exception of the work tree, with its state."""
    today = clock.now()[:10]
    filed = [(one, _entries_of_file(top, one, today)) for one in book.dated_exceptions]
    placed = list(_entries_in_code(top, book, today))
    live = {entry.slug for entry in (*placed, *(entry for _, entry in filed)) if entry.state == COUNTS}
    change = _files(top, placed, [one for one, entry in filed if entry.state == COUNTS])
    seen, known = _findings(top, live, change)
    used = [(entry, _is_used(entry, seen, change)) for entry in placed]
    used += [(entry, any(one.covers(f.slug, f.path) for f in seen)) for one, entry in filed]
    return [
        replace(entry, state=IDLE) if entry.state == COUNTS and entry.slug in known and not is_used else entry
        for entry, is_used in used
    ]


def _entries_of_file(top: Path, one: DatedException, today: str) -> ExceptionEntry:
    made = next(iter(git_history.commits_touching(top, one.source)), None)
    state = COUNTS if made else NOT_COMMITTED
    return ExceptionEntry(
        slug=one.slug, where=", ".join(one.paths) or "everywhere", until=one.until, reason=one.reason, kind="file",
        author=made.author if made else "", since=made.at[:10] if made else "",
        state=f"ended on {one.until}" if one.ended(today) else state,
    )  # fmt: skip


def _entries_in_code(top: Path, book: Rulebook, today: str) -> Iterator[ExceptionEntry]:
    names = {rule.slug for rule in book.rules}
    for path in git_contents.files_holding(top, exceptions.MARK):
        if path.startswith(f"{file_paths.RULES}/"):
            continue
        said = dict(_exception_comments(top / path))
        wrote = git_history.blame_lines(top, path, list(said))
        for number, one in said.items():
            by = wrote.get(number, git_history.LineAuthor())
            for slug in one.slugs or [""]:
                yield ExceptionEntry(
                    slug=slug or "?", where=f"{path}:{number}", until=one.until, reason=one.reason,
                    kind="comment", author=by.author, since=by.day, state=_state(one, slug, names, today, by),
                    file=path, line=number,
                )  # fmt: skip


def _exception_comments(path: Path) -> Iterator[tuple[int, InPlaceException]]:
    if path.is_file() and not path.is_symlink() and path.stat().st_size <= git_changes.LARGEST_READ:
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            said = exceptions.parse_line(line)
            if said:
                yield number, said


def _state(said: InPlaceException, slug: str, names: set[str], today: str, wrote: git_history.LineAuthor) -> str:
    if said.wrong:
        return f"does not count: {said.wrong}"
    if slug not in names:
        return "does not count: no rule of that name"
    if said.until < today:
        return f"ended on {said.until}"
    return COUNTS if wrote.day else NOT_COMMITTED


def _files(top: Path, placed: Sequence[ExceptionEntry], filed: Sequence[DatedException]) -> Change:
    """The files that valid exceptions are about."""
    wanted = {entry.file for entry in placed if entry.state == COUNTS}
    for path in git_contents.tracked_paths(top) if filed else ():
        if any(one.covers(one.slug, path) for one in filed):
            wanted.add(path)
    there = [str(top / path) for path in sorted(wanted) if (top / path).is_file()]
    return git_changes.whole_files_change(top, there) if there else Change()


def _findings(top: Path, slugs: set[str], change: Change) -> tuple[list[Finding], set[str]]:
    """What the rules find in those files, and which of the rules can be run here."""
    artifacts = compiled_checks(rulebook_files.compiled_in_work_tree(top)) if slugs else []
    judges = {slug_of_artifact(artifact.path) for artifact in artifacts if is_judge_check(artifact)}
    asked = commit_checks([artifact for artifact in artifacts if slug_of_artifact(artifact.path) in slugs], whole=False)
    seen = verdicts_on(asked, change) if asked and change.files else []
    return [v.finding for v in seen if v.finding], {slug_of_artifact(artifact.path) for artifact in asked} - judges


def _is_used(entry: ExceptionEntry, seen: Sequence[Finding], change: Change) -> bool:
    content = next((file.content or b"" for file in change.files if file.path == entry.file), b"")
    lines = content.decode("utf-8", "replace").split("\n")
    own = (one for one in seen if one.slug == entry.slug and one.path == entry.file)
    return any(
        number == entry.line for f in own for number, _ in exceptions.exceptions_at(lines, f.slug, f.line, f.last)
    )


def _entry_lines(one: ExceptionEntry, today: str) -> Iterator[str]:
    age = f", {(date.fromisoformat(today) - date.fromisoformat(one.since)).days} days ago" if one.since else ""
    by = f" ({one.author}{age})" if one.author else ""
    until = f"until {one.until}" if one.until else "for good" if one.kind == "rule" else "without an end"
    yield f"{one.slug}  {one.where}  {until}{by}"
    yield f"  {one.reason or 'no reason'}" + f"; {one.state}" * (one.state != COUNTS)


def _entry_json(one: ExceptionEntry) -> dict[str, Any]:
    data = asdict(one)
    return {name: data[name] for name in data if name not in ("file", "line")}

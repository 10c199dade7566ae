"""Tells how judges were measured, and records it as evidence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rulec.checks.judge.judge_accuracy import describe_measure
from rulec.domain import one_line
from rulec.domain.evidence import Evidence
from rulec.gates.judging import judge_standing
from rulec.gates.judging.judge_measuring import MeasuredJudge, MissedExample
from rulec.reports import rule_lines
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.writing import change_target, rulebook_commit
from rulec.services.writing.change_target import ChangeTarget


def measure_lines(found: MeasuredJudge, book: Rulebook, top: Path, *, whole: bool, recording: bool) -> Iterator[str]:
    """How one rule's judges did, and with ``whole`` at which examples they failed; what records says so itself."""
    slug, standing = found.rule.slug, judge_standing.standing_measure(book, found.rule, top)
    if found.found is None:
        before = f"; when it was: {describe_measure(standing, found.bar)}" if standing else ""
        yield f"{slug}: its judge is not measured: {found.why}{before}"
        return
    state = "its judge holds its bar" if found.holds else "its judge is below its bar, so it warns at most"
    yield f"{slug}: {state}: {describe_measure(found.found, found.bar)}"
    if found.holds and standing is None and not recording:
        yield f"  it may block once that is recorded: rulec test {slug} --record"
    yield from (_missed(one, found.found.repeats) for one in (found.missed if whole else ()))


def _missed(one: MissedExample, repeats: int) -> str:
    verb = "lets through" if one.invalid else "fails the innocent" if one.times > one.unsure else "is unsure of"
    unsure = f", {one.unsure} unsure" * bool(one.unsure and one.times)
    return (
        f"  {verb} ({one.times} of {repeats} times{unsure}): {one_line.shorten(rule_lines.example_line(one.example))}"
    )


def measure_data(found: MeasuredJudge) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "measured": asdict(found.found) if found.found else None,
        "why": found.why,
        "bar": asdict(found.bar),
        "holds": found.holds,
        "digest": found.digest,
        "missed": [
            {
                "example": rule_lines.example_line(one.example),
                "invalid": one.invalid,
                "times": one.times,
                "unsure": one.unsure,
            }
            for one in found.missed
        ],
    }


def record_measures(top: Path, some: Sequence[MeasuredJudge], onto: ChangeTarget) -> str:
    """Write what holds as evidence, in place of what was recorded before of these judges; what was done, in a line.

    What was answered by nobody knows whom, such as by files, is recorded of no judge.
    """
    done = [one for one in some if one.found]
    if not done:
        return "nothing recorded: no judge was measured"
    nameless = next((one for one in done if one.found and not one.found.model), None)
    if nameless:
        return "nothing recorded: nobody says which model answered; name it as models.model in the settings"
    with change_target.open_rulebook(top, onto) as book:
        changes = _changes(book, done)
        if not changes:
            return "nothing recorded: all of it stands there already, or none holds its bar"
        commit = rulebook_commit.write_rulebook_change(top, changes, _message(done), onto)
    held = sum(one.holds for one in done)
    return f"recorded {held} of {len(done)} judges as measured: {change_target.describe_written(top, onto, commit)}"


def _changes(book: Rulebook, done: Sequence[MeasuredJudge]) -> Mapping[str, str | None]:
    """The files of fresh measures; older ones of the same rules go, so that no judge stands better than it is."""
    found: dict[str, str | None] = {}
    for one in done:
        stood = [e for e in book.observed(one.rule.slug) if e.kind == "proved" and e.measured]
        now = [_evidence(one)] if one.holds else []
        found |= {file_paths.evidence_path(item): None for item in stood if item not in now}
        found |= {
            file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in now if item not in stood
        }
    return found


def _evidence(one: MeasuredJudge) -> Evidence:
    rule = one.rule
    return Evidence(slug=rule.slug, kind="proved", revision=rule.revision, digest=one.digest, measured=one.found)


def _message(done: Sequence[MeasuredJudge]) -> str:
    """The commit message, with the trailers that log and why read."""
    names = [one.rule.slug for one in done]
    of = names[0] if len(names) == 1 else f"{len(names)} judges"
    rates = [f"{one.rule.slug}: {describe_measure(one.found, one.bar)}" for one in done if one.found]
    because = f"{sum(one.holds for one in done)} of {len(done)} hold their bar"
    ids = ", ".join(evidence_file.evidence_id(_evidence(one)) for one in done if one.holds)
    trailers = [f"Resolution: MEASURE {' '.join(names)} -- {because}"]
    trailers += [f"Rule: {one.rule.slug}@{one.rule.revision}" for one in done] + [f"Evidence: {ids}"] * bool(ids)
    return "\n".join([f"Measure {of}", "", *rates, "", *trailers, ""])

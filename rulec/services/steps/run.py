"""``rulec run``: runs a suite of HEAD's settings, and records the run with the digest of the files it was made of."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import spell_out, to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_session
from rulec.infra.test_runs import settings_runs, suite_runs
from rulec.infra.test_runs.suite_runs import SuiteRun
from rulec.rulebook import config, file_paths
from rulec.rulebook.test_suites import Suite
from rulec.steps.proofs import run_records
from rulec.steps.proofs.run_records import TreeState

_MOST_RECORDED = 20  # failures and files that a record names


def run_and_record(top: Path, name: str, nodes: Sequence[str], note: Callable[[str], None]) -> Outcome:
    """Run a suite, or some of its tests; exit 0 green, 1 red or nothing executed. RulecError for an unknown suite."""
    head = git_session.head_commit(top)
    if head is None:
        hint = "a person commits tests: in .rules/config.yaml first"
        raise RulecError("there is no commit whose settings could be run", where=str(top), hint=hint)
    suite = suite_runs.suite_at(top, name)
    before = TreeState(str(top), head)
    if before.digests is None:
        raise RulecError("too much differs from HEAD", where=str(top), hint="commit it, or let git ignore it")
    if _is_set_otherwise(top, suite):
        note(f"rulec: {file_paths.CONFIG} of the work tree sets {suite.name} otherwise; HEAD's is run")
    run = suite_runs.run_suite(top, suite, nodes)
    why = run.why or settings_runs.why_part_left_out(top, run, head)
    why = why or settings_runs.why_settings_matter(top, run, before)
    changed, made = run_records.changed_meanwhile(before, TreeState(str(top), head))
    if changed and not why:
        why = f"{to_one_line(changed[0])} changed while it ran; run it again"
    record = run_records.add_run(str(top), suite.name, before, _facts(run, why, made))
    return _told(run, why, signed="sign" in record)


def _facts(run: SuiteRun, why: str, made: Sequence[str]) -> dict[str, object]:
    """What a record keeps of a run."""
    bad = [suite_runs.name_of(case) for case in run.cases if case.outcome in ("failed", "error")]
    return {
        "green": not why, "why": why, "whole": not run.nodes, "nodes": [*run.nodes][:_MOST_RECORDED],
        "made": [*made], "code": run.code, "seconds": round(run.seconds, 3), "executed": run.counts.executed,
        "passed": run.counts.passed, "failed": run.counts.failed, "errors": run.counts.errors,
        "skipped": run.counts.skipped, "deselected": run.counts.deselected, "counted": run.suite.counts,
        "bad": [redact(name) for name in bad[:_MOST_RECORDED]], "tail": run.tail,
    }  # fmt: skip


def _told(run: SuiteRun, why: str, *, signed: bool) -> Outcome:
    what = " ".join([run.suite.name, *run.nodes])
    lines = [f"{what}: green ({run.summary})"] if not why else [run.tail, f"{what}: red: {why} ({run.summary})"]
    if not run.suite.counts:
        lines.append("report: exit says nothing of tests, so this run proves no rule at level testable")
    if not signed:
        lines.append("this machine can keep no key, so the run counts for nothing: see ~/.config/rulec")
    text = "\n".join(spell_out(line) for line in lines if line)
    data = {"suite": run.suite.name, "command": [*run.suite.run], **_facts(run, why, ())}
    return Outcome(text, FINDINGS if why else CLEAN, data)


def _is_set_otherwise(top: Path, suite: Suite) -> bool:
    """Whether the work tree's settings differ in this suite; what cannot be read differs."""
    place = top / file_paths.CONFIG
    try:
        text = text_files.read_text(place) if place.is_file() else ""
        return suite not in config.parse_config(text, source=file_paths.CONFIG, own=True).tests
    except RulecError:
        return True

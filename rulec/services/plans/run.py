"""rulec run: runs a suite of HEAD's settings, and records the run with the digest of the files it was made of.

Where rules at steps ask for a test, it also runs the suite in copies without the change of their files, in which it
has to be red.
"""

from collections.abc import Callable
from pathlib import Path

from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import spell_out, to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.git import git_session
from rulec.infra.test_runs import suite_runs
from rulec.infra.test_runs.red_without import ChangeRuns
from rulec.infra.test_runs.suite_runs import SuiteRun
from rulec.plans.proofs import owed_proofs, suite_records
from rulec.plans.proofs.suite_records import TreeState
from rulec.rulebook import config, file_paths
from rulec.rulebook.test_suites import Suite

_MOST_RECORDED = 20  # failures that a record names


def run_and_record(top: Path, name: str, note: Callable[[str], None]) -> Outcome:
    """Run a suite; exit 0 green, 1 red, nothing executed, or where it shows nothing that a rule asks for.

    RulecError for an unknown suite.
    """
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
    run = suite_runs.run_suite(top, suite)
    tested, untested = _tested(top, suite, before) if run.green else ([], [])
    changed, made = suite_records.changed_meanwhile(before, TreeState(str(top), head))
    why = run.why or (f"{to_one_line(changed[0])} changed while it ran; run it again" if changed else "")
    facts: dict[str, object] = {**_facts(run, why), "tested": tested}
    signed = suite_records.add_run(str(top), suite.name, before, {**facts, "made": made})
    lines = [f"{suite.name}: green ({run.summary})"] if not why else [run.tail, f"{suite.name}: red: {why}"]
    lines += [f"it tests the change of {', '.join(group)}: red without it" for group in tested]
    lines += untested
    if not signed:
        lines.append("this machine can keep no key, so the run counts for nothing: see ~/.config/rulec")
    text = "\n".join(spell_out(line) for line in lines if line)
    data = {"suite": suite.name, "command": [*suite.run], **facts, "untested": untested}
    return Outcome(text, FINDINGS if why or untested else CLEAN, data)


def _tested(top: Path, suite: Suite, state: TreeState) -> tuple[list[list[str]], list[str]]:
    """The files of rules that ask for a test whose changes the suite tests, and why it does not test others'."""
    asking = {one.tested_paths: one for one in owed_proofs.owed_at_hand(str(top)) if one.is_open and one.tested_paths}
    made = ChangeRuns(top, suite, state.head, [*(state.digests or {})])
    whys = {files: made.why_untested(files) for files in asking}
    tested = [sorted(files) for files, why in whys.items() if not why]
    untested = [f"{suite.name} does not test {', '.join(sorted(files))}: {why}" for files, why in whys.items() if why]
    return tested, untested


def _facts(run: SuiteRun, why: str) -> dict[str, object]:
    """What a record keeps of a run."""
    bad = [redact(suite_runs.name_of(case)) for case in suite_runs.bad_cases(run.cases)[:_MOST_RECORDED]]
    return {
        "green": not why, "why": why, "code": run.code, "seconds": round(run.seconds, 3),
        "executed": len(run.executed), "bad": bad, "tail": run.tail,
    }  # fmt: skip


def _is_set_otherwise(top: Path, suite: Suite) -> bool:
    """Whether the work tree's settings differ in this suite; what cannot be read differs."""
    place = top / file_paths.CONFIG
    try:
        text = text_files.read_text(place) if place.is_file() else ""
        return suite not in config.parse_config(text, source=file_paths.CONFIG, own=True).tests
    except RulecError:
        return True

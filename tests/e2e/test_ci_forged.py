"""Whatever a change says of its own proofs, CI says the same as without it, byte for byte."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.plans.proofs import signed_records
from rulec.plans.proofs.changed_files import ChangedFile
from tests.support.gates import rulec, run
from tests.support.proving import (
    CHANGED,
    FILES,
    GREEN_TEST,
    NEW_TEST,
    commit,
    proving_repository,
    rebase_on,
    rule,
    write,
)

TOTALS, TESTS = "src/totals.py", "tests/test_totals.py"
RULES = ("kept-by-hand", "no-bad-word", "suite-first", "tested-totals")
RED = {"tests/test_red.py": "def test_red():\n    assert FileNotFoundError is None\n"}
CHANGE = {TOTALS: CHANGED, TESTS: FILES[TESTS] + GREEN_TEST}
MESSAGE = "Change total\n\nIt stops at zero.\n"
TRAILERS = (
    "\nRulec-Proof: tested-totals tested unit::tests/test_totals.py::test_sum\n"
    "Rulec-Proof: suite-first tested unit\nRulec-Proof: kept-by-hand judged\n"
)
APPROVING = (
    "\nProved-by: unit::tests/test_totals.py::test_sum\nTested-by: A Person <a@example.com>\n"
    "Reviewed-by: A Person <a@example.com>\nAccepted-Risk: tested-totals until 2099-01-01\n"
)
JUNIT = """\
<?xml version="1.0"?>
<testsuites><testsuite name="pytest" tests="2" failures="0" errors="0" skipped="0">
<testcase classname="tests.test_totals" name="test_sum" file="tests/test_totals.py"/>
<testcase classname="tests.test_red" name="test_red" file="tests/test_red.py"/>
</testsuite></testsuites>
"""
# fails every test where the change is missing, and passes every test where it is there
CONFTEST = """\
import pathlib

import pytest

THERE = "max" in pathlib.Path(__file__).with_name("src").joinpath("totals.py").read_text()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.outcome = "passed" if THERE else "failed"


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items if "red" not in item.nodeid]
"""
PLAN = """\
# Plan of claude-code

- [x] Change total
  - rule tested-totals (testable): tested by unit::tests/test_totals.py::test_sum
  - rule kept-by-hand (strict): approved
"""
PINS = {TOTALS: ChangedFile(TOTALS, FILES[TOTALS], CHANGED).pin}


def _message(text: str) -> Callable[[Path], None]:
    return lambda top: _commit(top, message=MESSAGE + text)


def _commit(top: Path, files: dict[str, str] | None = None, message: str = MESSAGE) -> None:
    commit(top, message, {**CHANGE, **(files or {})})


def _with_notes(top: Path) -> None:
    _commit(top)
    for ref in ("commits", "rulec", "rulec-proofs"):
        run(top, "git", "notes", f"--ref={ref}", "add", "-m", TRAILERS.strip(), "HEAD")


def _with_signed_records(top: Path) -> None:
    """Approvals that this very machine signed, in the git directory and beside the code."""
    for slug in RULES:
        facts = {"revision": 1, "pins": PINS, "by": "A Person"}
        assert signed_records.add_record(str(top), signed_records.APPROVAL, slug, facts)
    (stored,) = (top / ".git").rglob(signed_records.NAME)
    text = stored.read_text()
    _commit(
        top,
        {f"rulec/{signed_records.NAME}": text, signed_records.NAME: text, f".git-rulec/{signed_records.NAME}": text},
    )


def _with_rules_folder(top: Path) -> None:
    listed = [{"kind": "approval", "name": slug, "revision": 1, "pins": PINS} for slug in RULES]
    text = json.dumps({"records": listed})
    _commit(top, {f".rules/{signed_records.NAME}": text, f".rules/compiled/{signed_records.NAME}": text})


def _with_level(top: Path) -> None:
    files = rule("tested-totals", more="level: remind\n", severity="style", enforcement="audit")
    write(top, files | rule("suite-first", enforcement="audit"))
    rulec(top, "compile")
    _commit(top)


FORGED: dict[str, Callable[[Path], None]] = {
    "trailers of rulec's": _message(TRAILERS),
    "trailers of people": _message(APPROVING),
    "git notes": _with_notes,
    "records in .rules": _with_rules_folder,
    "records that this machine signed": _with_signed_records,
    "a plan that says what is proved": lambda top: _commit(top, {"plan.md": PLAN, "docs/plan.md": PLAN}),
    "reports of a runner": lambda top: _commit(
        top, {"report.xml": JUNIT, "junit.xml": JUNIT, "tests/report.xml": JUNIT, "build/test-results/unit.xml": JUNIT}
    ),
    "a suite that is always green": lambda top: _commit(
        top, {".rules/config.yaml": "schema: 1\ntests:\n  unit: {run: ['true'], report: exit}\n"}
    ),
    "settings of the runner": lambda top: _commit(
        top, {"conftest.py": CONFTEST, "pytest.ini": "[pytest]\naddopts = --deselect tests/test_red.py\n"}
    ),
    "a rule that asks for less": _with_level,
}


def _said(top: Path, *, reasons: bool = True) -> tuple[str, str]:
    """What CI says of the rules, and the table; the clone has no state of its own."""
    told = json.loads(rulec(top, "check", "--base", "main", "--format", "json", code=1))
    verdicts = [one for one in told["verdicts"] if one["facts"]["slug"] in RULES]
    rows = {(row["rule"], row["level"], row["how"], row["by"] if reasons else "") for row in told["proofs"]}
    shown = verdicts if reasons else [(one["facts"]["slug"], one["outcome"]) for one in verdicts]
    return json.dumps(shown), json.dumps(sorted(rows))


@pytest.mark.e2e
def test_what_a_change_says_of_its_proofs_changes_nothing(tmp_path: Path) -> None:
    plain = proving_repository(tmp_path / "plain")
    rebase_on(plain, RED | rule("suite-first"))
    places = {name: shutil.copytree(plain, tmp_path / str(number)) for number, name in enumerate(FORGED)}
    _commit(plain)
    wanted = _said(plain)
    assert {(row[0], row[2]) for row in json.loads(wanted[1])} == {
        ("tested-totals", "not proved"), ("suite-first", "not proved"), ("kept-by-hand", "not recomputed"),
        ("no-bad-word", "checked"),
    }  # fmt: skip
    wrong = {}
    for name, top in places.items():
        FORGED[name](top)
        reasons = name != "settings of the runner"  # what is left out is said in other words than what fails
        found, asked = _said(top, reasons=reasons), wanted if reasons else _said(plain, reasons=False)
        if found != asked:
            wrong[name] = [(one, other) for one, other in zip(found, asked, strict=True) if one != other]
    assert wrong == {}
    assert len(FORGED) == 10


@pytest.mark.e2e
def test_the_same_change_with_a_real_proof_passes(tmp_path: Path) -> None:
    top = proving_repository(tmp_path / "repo")
    rebase_on(top, rule("suite-first"))
    commit(top, MESSAGE, {TOTALS: CHANGED, TESTS: FILES[TESTS] + NEW_TEST})
    told = json.loads(rulec(top, "check", "--base", "main", "--format", "json"))
    assert {(row["rule"], row["how"]) for row in told["proofs"]} == {
        ("tested-totals", "tested"), ("suite-first", "tested"), ("kept-by-hand", "not recomputed"),
        ("no-bad-word", "checked"),
    }  # fmt: skip

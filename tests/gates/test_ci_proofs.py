"""Proofs that CI makes anew: by the base's rules and suites, with the reason where one is not proved."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from rulec.domain.finding import ProofRow, Verdict
from rulec.errors import RulecError
from rulec.services.gating.check import check_since
from tests.support.gates import run
from tests.support.proving import (
    CHANGED,
    CONFIG,
    FILES,
    GREEN_TEST,
    NEW_TEST,
    WHOLE,
    commit,
    proving_repository,
    rebase_on,
    rule,
    write,
)  # fmt: skip

TOTALS, TESTS = "src/totals.py", "tests/test_totals.py"
LEFT_OUT = "[pytest]\naddopts = --deselect tests/test_totals.py::test_sum\n"
KNOWN = FILES[TESTS]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return proving_repository(tmp_path / "repo")


def _since(top: Path, **how: Any) -> tuple[list[Verdict], list[ProofRow]]:
    outcome = check_since(top, "main", "json", **how)
    verdicts, _, rows = outcome.data
    assert outcome.code == any(one.outcome == "block" for one in verdicts)
    assert json.loads(outcome.text).get("proofs", []) == [
        {"rule": r.rule, "level": r.level, "how": r.how, "by": r.by} for r in rows
    ]
    return verdicts, rows


def _why(verdicts: list[Verdict], slug: str = "tested-totals") -> list[tuple[str, str, str]]:
    return [
        (one.outcome, one.finding.path, one.finding.text) for one in verdicts if one.facts.slug == slug if one.finding
    ]


def _how(rows: list[ProofRow], slug: str = "tested-totals") -> list[tuple[str, str]]:
    return [(row.how, row.by) for row in rows if row.rule == slug]


NO_TEST = "unit: it is green without the change, so no test depends on it"


@pytest.mark.e2e
def test_a_change_without_a_test_is_refused_where_a_rule_asks_for_one(top: Path) -> None:
    commit(top, "Change total", {TOTALS: CHANGED})
    verdicts, rows = _since(top)
    assert _why(verdicts) == [("block", TOTALS, f"not proved: {NO_TEST}")]
    assert _how(rows) == [("not proved", NO_TEST)]
    (one,) = [verdict for verdict in verdicts if verdict.facts.slug == "tested-totals"]
    assert one.facts.statement == "Every change of totals has a test."
    assert one.finding is not None
    assert "fails without the change" in one.finding.cure


@pytest.mark.e2e
def test_a_test_that_is_red_without_the_change_proves_it(top: Path) -> None:
    commit(top, "Change total", {TOTALS: CHANGED})
    commit(top, "Test it", {TESTS: KNOWN + NEW_TEST})
    verdicts, rows = _since(top)
    assert _why(verdicts) == []
    assert _how(rows) == [("tested", "unit: 2 passed")]


@pytest.mark.e2e
def test_what_proves_nothing_is_refused_with_the_reason(tmp_path: Path) -> None:
    no_assertion = "\n\ndef test_runs():\n    total([-1])\n"
    skipped = "\n\nimport pytest\n\n\n@pytest.mark.skip\ndef test_floor():\n    assert total([-1]) == 0\n"
    cases: dict[str, tuple[dict[str, str], str]] = {
        "green at the base": ({TESTS: KNOWN + GREEN_TEST}, NO_TEST),
        "no assertion": ({TESTS: "from src.totals import total\n" + no_assertion}, NO_TEST),
        "red now": ({TESTS: KNOWN + NEW_TEST + "\n\ndef test_no():\n    assert total([1]) == 5\n"}, "not green"),
        "skipped": ({TESTS: "from src.totals import total\n" + skipped}, "no test was executed"),
        "in no file of tests": ({"src/check.py": KNOWN + NEW_TEST}, NO_TEST),
        "left out by settings": ({TESTS: KNOWN + NEW_TEST, "pytest.ini": LEFT_OUT}, "test_sum is not run any more"),
    }  # fmt: skip
    wrong: dict[str, Any] = {}
    for number, (name, (files, why)) in enumerate(cases.items()):
        top = proving_repository(tmp_path / str(number))
        commit(top, "Change total", {TOTALS: CHANGED, **files})
        found = _why(_since(top)[0])
        if len(found) != 1 or why not in found[0][2]:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.e2e
def test_a_test_of_another_file_proves_nothing_of_this_one(top: Path) -> None:
    def another(slug: str, include: str) -> dict[str, str]:
        (text,) = rule("tested-totals", include=include).values()
        return {f".rules/{slug}.yaml": text.replace("slug: tested-totals", f"slug: {slug}")}

    rebase_on(top, another("tested-totals", TOTALS) | another("tested-other", "src/other.py"))
    other = {"src/other.py": "def other():\n    return 2\n"}
    commit(top, "Change both", {TOTALS: CHANGED, TESTS: KNOWN + NEW_TEST, **other})
    _, rows = _since(top)
    assert _how(rows) == [("tested", "unit: 2 passed")]
    assert _how(rows, "tested-other") == [("not proved", NO_TEST)]


@pytest.mark.e2e
def test_a_skipped_test_beside_one_that_proves_is_left_out(top: Path) -> None:
    skipped = "\n\nimport pytest\n\n\n@pytest.mark.skip\ndef test_elsewhere():\n    assert total([-1]) == 0\n"
    commit(top, "Change total", {TOTALS: CHANGED, TESTS: KNOWN + NEW_TEST + skipped})
    assert _how(_since(top)[1])[0][0] == "tested"


def test_files_of_which_no_test_is_asked_need_none(top: Path) -> None:
    commit(top, "Say it", {"src/notes.md": "Totals are sums.\n", "tests/test_more.py": KNOWN})
    verdicts, rows = _since(top)
    assert _why(verdicts) == []
    assert _how(rows) == [("not recomputed", "no test is asked of these files")]


@pytest.mark.e2e
def test_the_base_says_how_strict_a_rule_is(tmp_path: Path) -> None:
    until = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
    exception = f"schema: 1\nslug: tested-totals\nuntil: {until}\nreason: it goes next week\n"
    spared = "level: testable\nexceptions:\n  - {because: an old module, scope: {include: [src/totals.py]}}\n"
    cases: dict[str, tuple[dict[str, str], list[str]]] = {
        "as it is": ({}, ["block"]),
        "pinned to warn": (rule("tested-totals", enforcement="warn"), ["warn"]),
        "pinned to audit": (rule("tested-totals", enforcement="audit"), ["audit"]),
        "only strict": (rule("tested-totals", more="level: strict\n"), []),
        "only reminds": (rule("tested-totals", more="level: remind\n"), []),
        "elsewhere": (rule("tested-totals", include="lib/**"), []),
        "an exception": (rule("tested-totals", more=spared), []),
        "excepted": ({".rules/exceptions/tested-totals.4f53cda1.yaml": exception}, ["excepted"]),
        "by whom it is not known": (
            rule("tested-totals", include="src/**], agents: [codex"), []),
        "not in CI": (rule("tested-totals", include="src/**], environments: [local"), []),
    }  # fmt: skip
    wrong: dict[str, Any] = {}
    for number, (name, (files, told)) in enumerate(cases.items()):
        top = proving_repository(tmp_path / str(number))
        if files:
            rebase_on(top, files)
        commit(top, "Change total", {TOTALS: CHANGED})
        found = [outcome for outcome, _, _ in _why(_since(top)[0])]
        if found != told:
            wrong[name] = found
    assert wrong == {}


@pytest.mark.e2e
def test_what_cannot_be_run_is_said_and_refused(tmp_path: Path) -> None:
    cases = {
        "no suite": ("schema: 1\n", "the base's settings name no suite under tests"),
        "no program": (
            CONFIG.replace("unit: {run: [", "unit: {run: [no-such-runner, "), "no-such-runner is not on PATH"),
        "no time": (CONFIG.replace("seconds: 120", "seconds: 1").replace(
            "-q,", "-q, --rootdir=., -c, /dev/null, -k, test_floor,"), "unit: "),
    }  # fmt: skip
    wrong: dict[str, Any] = {}
    for number, (name, (config, why)) in enumerate(cases.items()):
        top = proving_repository(tmp_path / str(number))
        rebase_on(top, {".rules/config.yaml": config})
        hangs = "\n\ndef test_floor():\n    while total([-1]) != 0 or True:\n        assert total\n"
        commit(top, "Change total", {TOTALS: CHANGED, TESTS: KNOWN + (hangs if name == "no time" else NEW_TEST)})
        found = _why(_since(top)[0])
        if len(found) != 1 or found[0][0] != "block" or why not in found[0][2]:
            wrong[name] = found
    assert wrong == {}


def test_a_work_tree_that_is_not_what_is_judged_proves_nothing(top: Path) -> None:
    commit(top, "Change total", {TOTALS: CHANGED, TESTS: KNOWN + NEW_TEST})
    write(top, {TOTALS: CHANGED + "\n"})
    assert [text for _, _, text in _why(_since(top)[0])] == [
        f"not proved: {TOTALS} of the work tree is not what HEAD has, and so not what would be tested"
    ]


def test_one_job_runs_the_tests(top: Path) -> None:
    commit(top, "Change total", {TOTALS: CHANGED, "a.md": "XXX\n"})
    verdicts, rows = _since(top, runs="elsewhere")
    assert (_why(verdicts), _how(rows)) == ([], [("not recomputed", "another job runs the tests")])
    assert [one.facts.slug for one in verdicts] == ["no-bad-word"]
    verdicts, rows = _since(top, runs="alone")
    assert [one.facts.slug for one in verdicts] == [row.rule for row in rows] == ["tested-totals"]


def test_strict_rules_are_shown_as_what_the_gate_itself_saw(top: Path) -> None:
    commit(top, "Change other", {"src/other.py": "x = 1\n", "bad.md": "XXX\n"})
    commit(top, "Write more", {"good.md": "fine\n"})
    _, rows = _since(top)
    assert _how(rows, "no-bad-word") == [("not proved", "1 finding")]
    assert _how(rows, "kept-by-hand") == [("not recomputed", "a reviewer decides")]
    assert _how(rows, "mild") == []


@pytest.mark.e2e
def test_a_whole_suite_is_run_where_a_rule_asks_for_it_and_its_files_change(tmp_path: Path) -> None:
    red = {"tests/test_red.py": "def test_red():\n    assert FileNotFoundError is None\n"}
    warns = rule("suite-first", enforcement="warn")
    agents = rule("suite-first", include='"**"], agents: [codex')
    other = rule("suite-first", more=WHOLE["suite-first"]["more"].replace("proved_by: unit", "proved_by: web"))
    whole = WHOLE["suite-first"]["more"]
    edits = whole.replace('before_commands: [git commit], since: ["src/**"]', 'before_edits: ["src/**"]')
    edits = edits.replace(", {command: git commit -am x}", "")
    publish = whole.replace("git commit]", "npm publish]").replace("git commit -am x", "npm publish")
    source = {"src/other.py": "x = 1\n"}
    left_out = "not proved: unit is red: tests.test_red::test_red is not run any more"
    is_red = "not proved: unit is red: tests.test_red::test_red failed"
    cases: dict[str, tuple[dict[str, str], dict[str, str], list[tuple[str, str]]]] = {
        "green": ({}, source, []),
        "red": (red, source, [("block", is_red)]),
        "other files": (red, {"notes.txt": "x\n"}, []),
        "red, and warns": (red | warns, source, [("warn", is_red)]),
        "for an agent": (red | agents, source, []),
        "no such suite": (other, source, [("block", "not proved: the base's settings name no suite web")]),
        "before edits": (red | rule("suite-first", more=edits), source, [("block", is_red)]),
        "before what CI does not see": (red | rule("suite-first", more=publish), source, []),
        "left out by the change": (
            red, source | {"conftest.py": "collect_ignore = ['tests/test_red.py']\n"}, [("block", left_out)]),
        "deleted by the change": (red, source | {"tests/test_red.py": ""}, []),
    }  # fmt: skip
    wrong: dict[str, Any] = {}
    plain = proving_repository(tmp_path / "plain")
    for number, (name, (base, files, told)) in enumerate(cases.items()):
        top = tmp_path / str(number)
        shutil.copytree(plain, top)
        rebase_on(top, rule("tested-totals", more="") | rule("suite-first") | base)
        commit(top, "Change it", files)
        found = [(outcome, text) for outcome, _, text in _why(_since(top)[0], "suite-first")]
        if found != told:
            wrong[name] = found
    assert wrong == {}


def test_a_damaged_check_of_the_base_is_told_and_nothing_is_judged(top: Path) -> None:
    run(top, "git", "checkout", "-q", "main")
    place = next((top / ".rules/compiled").glob("guard/no-bad-word*"))
    commit(top, "Damage it", {place.relative_to(top).as_posix(): "rules: []\n"})
    run(top, "git", "checkout", "-qB", "topic")
    commit(top, "Change other", {"src/other.py": "x = 1\n"})
    with pytest.raises(RulecError, match="is not an artifact of rulec"):
        check_since(top, "main", "json")

"""Suites in the settings, runners' reports, programs on PATH, records of runs: the parts, without a runner."""

import os
import time
from pathlib import Path

import pytest

from rulec.domain.compiled_rule import SessionCheck
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.guard import session_check
from rulec.infra.processes import Bounds, run_bounded
from rulec.infra.test_runs import reports, suite_runs
from rulec.infra.test_runs.reports import describe_counts
from rulec.plans.proofs import signed_records, suite_records
from rulec.plans.proofs.suite_records import TreeState
from rulec.rulebook.config import dump_config, parse_config
from rulec.rulebook.test_suites import Suite
from tests.conftest import Run

UNIT = Suite(name="unit", run=("pytest", "-q"), report="junit")


def test_suites_survive_the_round_trip() -> None:
    text = (
        "tests:\n  unit: {run: [pytest, -q], report: junit}  # ours\n"
        "  web:\n    run: [npx, vitest, run, '--outputFile={report}']\n    report: junit\n    folder: web/\n"
        "    seconds: 60\n    files: ['web/**/*.spec.ts']\n    environment: {TZ: UTC}\n"
    )
    config = parse_config(text, source="c")
    assert config.tests[0] == UNIT
    assert [one.folder for one in config.tests] == ["", "web"]
    assert parse_config(dump_config(config, text), source="c") == config
    assert "# ours" in dump_config(config, text)


BAD = {  # the settings of tests: -> file:line of the refusal
    "tests: []": "c:1",
    "tests:\n  Unit: {run: [a], report: exit}": "c:2",
    "tests:\n  unit: {report: junit}": "c:2",
    "tests:\n  unit: {run: [pytest]}": "c:2",
    "tests:\n  unit:\n    run: pytest -q\n    report: junit": "c:3",
    "tests:\n  unit:\n    run: []\n    report: junit": "c:3",
    "tests:\n  unit:\n    run: [-q]\n    report: junit": "c:3",
    "tests:\n  unit:\n    run: [make, test]\n    report: junit": "c:3",
    "tests:\n  unit:\n    run: [pytest]\n    report: xml": "c:4",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    seconds: 0": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    seconds: 90000": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    folder: ../x": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    folder: /x": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    shell: true": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    select: [-k]": "c:5",
    "tests:\n  unit:\n    run: [go, test]\n    report: go": "c:4",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    environment: {PATH: x}": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    environment: {A-B: x}": "c:5",
    "tests:\n  unit:\n    run: [pytest]\n    report: junit\n    environment: {A: 1}": "c:5",
}


def test_a_bad_suite_is_refused_with_its_place() -> None:
    found = {}
    for text in BAD:
        try:
            parse_config(text, source="c")
            found[text] = "taken"
        except RulecError as error:
            found[text] = error.where
    assert found == BAD


JUNIT = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="tests.test_a" name="test_one"/><testcase classname="tests.test_a" name="test_two[a::b]">
<failure message="no">E   assert 1 == 2</failure></testcase>
<testcase classname="tests.test_a" name="test_three"><skipped/></testcase>
<testcase classname="tests.test_a" name="test_four"><error message="setup">x</error></testcase>
</testsuite></testsuites>"""
BOMB = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'


def test_a_report_is_read(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text(JUNIT)
    assert describe_counts(reports.read_junit(tmp_path / "r.xml")) == "1 passed, 1 failed, 1 error, 1 skipped"


def test_reports_that_cannot_be_trusted_are_refused(tmp_path: Path) -> None:
    for text in (BOMB, "no XML", "", "<testsuite><testcase"):
        (tmp_path / "r.xml").write_text(text)
        with pytest.raises(RulecError):
            reports.read_junit(tmp_path / "r.xml")
    with pytest.raises(RulecError):
        reports.read_junit(tmp_path / "none.xml")


def test_the_environment_of_a_run_is_the_usual_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTEST_ADDOPTS", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV", "LD_PRELOAD", "GIT_DIR", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "x")
    inside, shared = tmp_path / "bin", Path("/tmp/bin")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(inside), str(shared), "/usr/bin"]))
    suite = Suite(name="a", run=("a",), report="exit", path=("node_modules/.bin",), environment=(("TZ", "UTC"),))
    made = suite_runs.clean_environment(tmp_path, tmp_path, suite)
    assert made["PATH"] == os.pathsep.join([str(tmp_path / "node_modules/.bin"), "/usr/bin"])
    assert made["TZ"] == "UTC"
    assert {"HOME", "LANG"} <= set(made)
    assert not {"PYTEST_ADDOPTS", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV", "LD_PRELOAD", "GIT_DIR"} & set(made)


def is_running(pid: int) -> bool:
    """Whether a process is at work: one that has ended counts as gone even if nobody has reaped it yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def test_a_process_is_ended_after_its_time_with_all_that_it_started(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    script = f"(exec 3>{tmp_path}/held; read x <{tmp_path}/pipe) & echo $! >{tmp_path}/pid; read x <{tmp_path}/pipe"
    ended = run_bounded(["/bin/sh", "-c", script], Bounds(seconds=1.5), cwd=tmp_path, environment={})
    assert ended.code is None
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 20  # a busy machine lets a killed process end later than its killer
    while is_running(child) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_running(child)
    enough = Bounds(seconds=9)
    assert run_bounded(["/bin/sh", "-c", "echo a; exit 3"], enough, cwd=tmp_path, environment={}).code == 3
    with pytest.raises(RulecError):
        run_bounded([str(tmp_path / "none")], enough, cwd=tmp_path, environment={})


@pytest.fixture
def work(repo: Path, git: Run) -> Path:
    (repo / "src").mkdir()
    (repo / "src/a.py").write_text("x = 1\n")
    (repo / ".gitignore").write_text("*.log\n")
    git("add", "-A")
    git("commit", "-qm", "x")
    return repo


def _state(top: Path, git: Run) -> TreeState:
    return TreeState(str(top), git("rev-parse", "HEAD").stdout.strip())


def _record(top: Path, git: Run, **more: object) -> None:
    facts = {"green": True, "why": "", "made": []}
    suite_records.add_run(str(top), "unit", _state(top, git), {**facts, **more})


def test_a_run_counts_as_long_as_the_files_are_the_same(work: Path, git: Run) -> None:
    def why() -> str:
        return suite_records.why_unproved(str(work), "unit")

    assert "has not run it" in why()
    (work / "src/a.py").write_text("x = 2\n")
    (work / "new.py").write_text("y = 1\n")
    _record(work, git)
    assert why() == ""
    (work / "a.log").write_text("ignored\n")
    (work / "__pycache__").mkdir()
    (work / "__pycache__/a.pyc").write_text("x")
    assert why() == ""
    git("add", "src/a.py", "new.py")
    git("commit", "-qm", "y")
    assert why() == ""
    git("commit", "-q", "--amend", "-m", "z")
    assert why() == ""
    (work / "new.py").chmod(0o755)
    assert "new.py changed" in why()
    (work / "new.py").chmod(0o644)
    (work / "src/a.py").unlink()
    assert "src/a.py changed" in why()
    (work / "src/a.py").write_text("x = 2\n")
    assert why() == ""
    (work / "src/b.py").symlink_to("a.py")
    assert "src/b.py changed" in why()


def test_runs_that_do_not_count_say_why(work: Path, git: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def why() -> str:
        return suite_records.why_unproved(str(work), "unit")

    _record(work, git, green=False, why="test_a failed")
    assert "test_a failed" in why()
    _record(work, git)
    assert why() == ""
    now = time.time()
    monkeypatch.setattr(suite_records.time, "time", lambda: now + suite_records.OLDEST + 9)
    assert "more than a day" in why()
    monkeypatch.undo()
    monkeypatch.setattr(signed_records, "machine_key", lambda *, make: b"another" * 5)  # noqa: ARG005 - it is theirs
    assert "has not run it" in why()


def test_a_red_run_names_its_first_failing_test(work: Path, git: Run) -> None:
    _record(work, git, green=False, why="test_a failed and 1 more", bad=["test_a", "test_b"])
    assert suite_records.failing_test(str(work), "unit") == "test_a"
    assert "was red: test_a failed and 1 more" in suite_records.why_unproved(str(work), "unit")
    (work / "src/a.py").write_text("x = 3\n")
    assert "src/a.py changed since its last run, which was red" in suite_records.why_unproved(str(work), "unit")
    _, cure = session_check.wording(SessionCheck(proved_by="unit"), "why", "test_a")
    assert cure.startswith("make test_a pass, then run `rulec run unit`")
    assert suite_records.suites_that_ran(str(work)) == ["unit"]


def test_a_green_run_tells_which_changes_it_tests(work: Path, git: Run) -> None:
    (work / "src/a.py").write_text("x = 2\n")
    _record(work, git, tested=[["src/a.py"], ["src/b.py", "src/c.py"]])
    groups = [frozenset({"src/a.py"}), frozenset({"src/b.py", "src/c.py"})]
    assert suite_records.tested_files(str(work), staged=False) == groups
    git("add", "-A")
    assert suite_records.tested_files(str(work), staged=True) == groups
    (work / "src/a.py").write_text("x = 3\n")
    assert suite_records.tested_files(str(work), staged=False) == []
    assert suite_records.tested_files(str(work), staged=True) == groups
    git("add", "-A")
    assert suite_records.tested_files(str(work), staged=True) == []
    _record(work, git, tested=[["src/a.py"]], green=False)
    assert suite_records.tested_files(str(work), staged=True) == []


def test_what_a_run_left_counts_once_it_is_to_be_committed(work: Path, git: Run) -> None:
    before = _state(work, git)
    (work / "out.txt").write_text("x\n")
    changed, made = suite_records.changed_meanwhile(before, _state(work, git))
    assert (changed, made) == ([], ["out.txt"])
    facts = {"green": True, "why": "", "made": made}
    suite_records.add_run(str(work), "unit", before, facts)
    assert suite_records.why_unproved(str(work), "unit") == ""
    git("add", "out.txt")
    assert "out.txt changed" in suite_records.why_unproved(str(work), "unit")


def test_the_end_of_the_output_is_kept_without_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    key = "ghp_" + "a1B2" * 9
    script = f"echo begin; yes | head -9000; echo {key}; exit 1"
    suite = Suite(name="lint", run=("/bin/sh", "-c", script), report="exit")
    done = suite_runs.run_suite(tmp_path, suite)
    assert (done.code, done.green, done.why) == (1, False, "exit 1")
    assert redact(key) in done.tail
    assert key not in done.tail
    assert "begin" not in done.tail
    assert len(done.tail) <= suite_runs.LONGEST_TAIL

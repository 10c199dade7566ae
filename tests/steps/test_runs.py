"""Suites in the settings, runners' reports, programs on PATH, records of runs: the parts, without a runner."""

import os
import time
from pathlib import Path

import pytest

from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.guard.session import proved_runs
from rulec.infra.test_runs import python_tests, relations, reports, runner_settings, suite_programs, suite_runs
from rulec.infra.test_runs.reports import TestCase, count_cases
from rulec.infra.test_runs.suite_process import run_bounded
from rulec.rulebook.config import dump_config, parse_config
from rulec.rulebook.test_suites import Suite
from rulec.steps.proofs import proof_store, proof_words, run_records
from rulec.steps.proofs.run_records import TreeState
from tests.conftest import Run

UNIT = Suite(name="unit", run=("pytest", "-q"), report="junit")


def test_suites_survive_the_round_trip() -> None:
    text = (
        "tests:\n  unit: {run: [pytest, -q], report: junit}  # ours\n"
        "  web:\n    run: [npx, vitest, run, '--outputFile={report}']\n    report: junit\n    folder: web/\n"
        "    seconds: 60\n    select: [-t, '{node}']\n    files: ['web/**/*.spec.ts']\n    environment: {TZ: UTC}\n"
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
GO = """{"Action":"run","Package":"m/a","Test":"TestA"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"a_test.go:4: no\\n"}
{"Action":"fail","Package":"m/a","Test":"TestA"}
{"Action":"pass","Package":"m/a","Test":"TestB/one"}
{"Action":"pass","Package":"m/a","Test":"TestB"}
{"Action":"skip","Package":"m/a","Test":"TestC"}
{"Action":"fail","Package":"m/a"}
{"Action":"output","Package":"m/b","Output":"undefined: New\\n"}
{"Action":"fail","Package":"m/b"}
no JSON
{"Action": [], "Package": 4}
"""
TAP = "TAP version 14\nok 1 - adds\nnot ok 2 - divides\nok 3 # SKIP later\nnot ok 4 - rounds # TODO\n1..4\n"
CARGO = (
    "running 3 tests\ntest a::adds ... ok\ntest a::cuts - should panic ... ok\ntest b ... FAILED\ntest c ... ignored\n"
    "test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
)


def test_reports_of_each_kind_are_read(tmp_path: Path) -> None:
    (tmp_path / "r.xml").write_text(JUNIT)
    told = {
        "junit": str(count_cases(reports.read_junit(tmp_path / "r.xml"), "1 failed, 7 deselected in 1 s")),
        "go": str(count_cases(reports.read_go(GO))),
        "tap": str(count_cases(reports.read_tap(TAP))),
        "cargo": str(count_cases(reports.read_cargo(CARGO))),
    }
    assert told == {
        "junit": "1 passed, 1 failed, 1 errors, 1 skipped, 7 deselected",
        "go": "1 passed, 1 failed, 1 errors, 1 skipped",
        "tap": "1 passed, 1 failed, 2 skipped",
        "cargo": "2 passed, 1 failed, 1 skipped",
    }


def test_code_that_does_not_compile_is_an_error() -> None:
    error = "   Compiling shop\nerror[E0432]: unresolved import `shop::vat`\nerror: could not compile `shop`\n"
    (case,) = reports.read_cargo("", error)
    assert (case.outcome, "shop::vat" in case.message) == ("error", True)
    assert reports.read_cargo("", "warning: unused\n") == []


def test_reports_that_cannot_be_trusted_are_refused(tmp_path: Path) -> None:
    for text in (BOMB, "no XML", "", "<testsuite><testcase"):
        (tmp_path / "r.xml").write_text(text)
        with pytest.raises(RulecError):
            reports.read_junit(tmp_path / "r.xml")
    with pytest.raises(RulecError):
        reports.read_junit(tmp_path / "none.xml")
    with pytest.raises(RulecError):
        reports.read_cargo("test a ... ok\n" + CARGO)


NAMED = [  # a node, a case as (classname, name), whether the one stands for the other
    ("tests/test_a.py::test_b", ("tests.test_a", "test_b"), True),
    ("tests/test_a.py::test_b", ("tests.test_a", "test_b[1]"), True),
    ("tests/test_a.py::test_b[x::y]", ("tests.test_a", "test_b[x::y]"), True),
    ("tests/test_a.py::test_b[1]", ("tests.test_a", "test_b[2]"), False),
    ("tests/test_a.py::T::test_b", ("tests.test_a.T", "test_b"), True),
    ("tests/test_a.py::T::test_b", ("tests.test_a.U", "test_b"), False),
    ("tests/test_a.py::test_b", ("tests.test_c", "test_b"), False),
    ("test_a.py::test_b", ("web.test_a", "test_b"), True),
    ("tests/test_a.py", ("tests.test_a.T", "test_b"), True),
    ("tests/", ("tests.test_a", "test_b"), True),
    ("tests/test_a.py", ("", "tests.test_a"), True),
    ("tests/test_a.py", ("tests.test_ab", "test_b"), False),
    ("TestA", ("m/a", "TestA"), True),
    ("TestA", ("m/a", "TestAB"), False),
]


def test_cases_are_those_of_the_named_tests() -> None:
    wrong = [row for row in NAMED if suite_runs.is_case_of(row[0], TestCase(*row[1], "passed")) is not row[2]]
    assert wrong == []


def test_what_is_no_test_is_not_passed_on() -> None:
    bad = ["-k", "--co", "@args", "", " ", " -x", "/etc/passwd", "../a.py", "a\nb", "tests/../../a.py::test_b"]
    taken = []
    for node in bad:
        try:
            taken.append(suite_runs.checked_nodes(UNIT, [node]))
        except RulecError:
            continue
    assert taken == []
    with pytest.raises(RulecError):
        suite_runs.checked_nodes(Suite(name="lint", run=("ruff",), report="exit"), ["a.py"])


def test_the_environment_of_a_run_is_the_usual_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTEST_ADDOPTS", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV", "LD_PRELOAD", "GIT_DIR", "PYTHONSTARTUP"):
        monkeypatch.setenv(name, "x")
    inside, shared = tmp_path / "bin", Path("/tmp/bin")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", str(inside), str(shared), "/usr/bin"]))
    suite = Suite(name="a", run=("a",), report="exit", path=("node_modules/.bin",), environment=(("TZ", "UTC"),))
    made = suite_programs.clean_environment(tmp_path, tmp_path, suite)
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
    ended = run_bounded(["/bin/sh", "-c", script], cwd=tmp_path, environment={}, seconds=1.5)
    assert ended.code is None
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 20  # a busy machine lets a killed process end later than its killer
    while is_running(child) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_running(child)
    assert run_bounded(["/bin/sh", "-c", "echo a; exit 3"], cwd=tmp_path, environment={}, seconds=9).code == 3
    with pytest.raises(RulecError):
        run_bounded([str(tmp_path / "none")], cwd=tmp_path, environment={}, seconds=9)


TESTS = """
import pytest
from helpers import same

class Base:
    def check(self, value):
        self.assertEqual(value, 1)

class TestA(Base):
    def test_method(self):
        self.check(1)

    def test_bare(self):
        run()

def own(value):
    assert value

def test_plain():
    assert run() == 1

def test_raises():
    with pytest.raises(ValueError):
        run()

def test_mock(mock):
    mock.assert_called_once()

def test_own():
    own(run())

def test_imported():
    same(run(), 1)

def test_constant():
    assert True
    assert 1 == 1, "x"

def test_loose():
    run()
    noted(run())
"""
FILES = {
    "tests/test_a.py": TESTS,
    "tests/helpers.py": "def same(one, other):\n    assert one == other\n",
    "src/shop/tax.py": "def rate():\n    '''Text.'''\n    return 1\n\n\nLIMIT = 3\n",
    "src/shop/__init__.py": "from .tax import rate\n",
    "tests/test_tax.py": "from shop.tax import rate\n",
    "tests/test_whole.py": "import shop\n",
    "tests/test_other.py": "import json\nfrom shops import taxes\n",
    "web/cart.ts": "export const total = 1\n",
    "web/cart.spec.ts": "import { total } from './cart'\n",
    "web/page.spec.ts": "import { page } from './page'\n",
    "web/page.ts": "import { total } from './cart'\n",
    "web/cartoon.spec.ts": "import { x } from './cartoon'\n",
    "go/a.go": "package a\n",
    "go/a_test.go": "package a\n",
}


def test_a_test_without_an_assertion_is_found() -> None:
    names = ("method", "bare", "plain", "raises", "mock", "own", "imported", "constant", "loose", "none")
    bare = {
        name: python_tests.lacks_assertion(
            f"tests/test_a.py::{'TestA::' if name in ('method', 'bare') else ''}test_{name}", "tests/test_a.py",
            FILES.get, FILES,
        )
        for name in names
    }  # fmt: skip
    assert [name for name, lacks in bare.items() if lacks] == ["bare", "constant", "loose"]
    assert [name for name, lacks in bare.items() if lacks is None] == ["none"]
    assert python_tests.lacks_assertion("tests/test_a.py", "tests/test_a.py", FILES.get, FILES) is False


RELATED = [
    ("tests/test_tax.py", "src/shop/tax.py", True),
    ("tests/test_whole.py", "src/shop/tax.py", True),  # by one step
    ("tests/test_other.py", "src/shop/tax.py", False),
    ("web/cart.spec.ts", "web/cart.ts", True),
    ("web/page.spec.ts", "web/cart.ts", True),  # by one step
    ("web/cartoon.spec.ts", "web/cart.ts", False),
    ("go/a_test.go", "go/a.go", True),
]


def test_a_test_has_to_do_with_what_it_imports_or_names() -> None:
    assert [row for row in RELATED if relations.is_related(row[0], row[1], FILES.get, [*FILES]) is not row[2]] == []
    assert python_tests.lines_in_functions(FILES["src/shop/tax.py"]) == ({3}, {1, 6})


def test_what_decides_which_tests_run_is_no_test() -> None:
    suite = Suite(name="unit", run=("make", "-f", "ci/Tests.mk"), report="exit", settings=("ci/*.sh",))
    paths = ["tests/conftest.py", "pytest.ini", "ci/Tests.mk", "ci/a.sh", "web/package.json", "tests/plugin.py"]
    plugins = runner_settings.plugin_files({"conftest.py": 'pytest_plugins = ["tests.plugin", "other"]'}, paths)
    assert plugins == {"tests/plugin.py"}
    assert all(runner_settings.is_setting(suite, path, plugins) for path in paths)
    assert not any(runner_settings.is_setting(suite, path) for path in ("tests/test_a.py", "src/a.py", "ci/a.py"))
    assert runner_settings.plugin_files({"pytest.ini": "addopts = -q -p tests.plugin"}, paths) == {"tests/plugin.py"}


OLD = "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return 1\n"
CONFTESTS = {  # what a conftest has now -> whether it only gained fixtures
    OLD + "\n\n@pytest.fixture(scope='module')\ndef cart(shop):\n    return shop\n": True,
    "import json\n" + OLD + "\n\n@pytest.fixture\ndef cart():\n    return json.loads('1')\n": True,
    "from shop.fixtures import cart\n" + OLD: False,
    "from json import *\n" + OLD: False,
    OLD.replace("1", "2"): False,
    "": False,
    OLD + "\n\n@pytest.fixture(autouse=True)\ndef cart():\n    pytest.skip()\n": False,
    OLD + "\n\n@pytest.fixture\ndef other():\n    return 2\n": False,
    OLD + "\n\n@pytest.fixture(name='shop')\ndef cart():\n    return 2\n": False,
    OLD + "\n\ndef pytest_collection_modifyitems(items):\n    items[:] = []\n": False,
    OLD + "\n\ncollect_ignore = ['test_a.py']\n": False,
    OLD + "\n\nif True:\n    pytest.skip(allow_module_level=True)\n": False,
    OLD + "def (": False,
}


def test_a_conftest_that_only_gains_fixtures_decides_nothing() -> None:
    others = [OLD, "import pytest\n\n\n@pytest.fixture\ndef other():\n    return 1\n"]
    changed = ["src/shop/fixtures.py", "tests/test_a.py"]
    found = {text: runner_settings.adds_fixtures_alone(OLD, text, others, changed) for text in CONFTESTS}
    assert found == CONFTESTS


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
    facts = {"green": True, "whole": True, "why": "", "made": []}
    run_records.add_run(str(top), "unit", _state(top, git), {**facts, **more})


def test_a_run_counts_as_long_as_the_files_are_the_same(work: Path, git: Run) -> None:
    def why() -> str:
        return run_records.why_unproved(str(work), "unit")

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
        return run_records.why_unproved(str(work), "unit")

    _record(work, git, whole=False)
    assert "has not run it" in why()
    _record(work, git, green=False, why="test_a failed")
    assert "test_a failed" in why()
    _record(work, git)
    assert why() == ""
    now = time.time()
    monkeypatch.setattr(run_records.time, "time", lambda: now + run_records.OLDEST + 9)
    assert "more than a day" in why()
    monkeypatch.undo()
    monkeypatch.setattr(proof_store, "machine_key", lambda *, make: b"another" * 5)  # noqa: ARG005 - it is theirs
    assert "has not run it" in why()


def test_a_red_run_names_its_first_failing_test(work: Path, git: Run) -> None:
    _record(work, git, green=False, why="test_a failed and 1 more", bad=["test_a", "test_b"], counted=True)
    assert run_records.failing_test(str(work), "unit") == "test_a"
    assert "was red: test_a failed and 1 more" in run_records.why_unproved(str(work), "unit")
    (work / "src/a.py").write_text("x = 3\n")
    assert "src/a.py changed since its last run, which was red" in run_records.why_unproved(str(work), "unit")
    _record(work, git, green=False, why="test_b failed", bad=["test_b"], whole=False, counted=True)
    assert run_records.failing_test(str(work), "unit") == "test_a", "a part of the suite says nothing of the rest"
    _, cure = proved_runs.wording({"proved_by": "unit"}, "why", "test_a")
    assert cure.startswith("make test_a pass, then run `rulec run unit`")
    assert proof_words.recorded_suites(str(work)) == ["unit"]
    _record(work, git, bad=[], counted=False)
    assert run_records.failing_test(str(work), "unit") == ""
    assert proof_words.recorded_suites(str(work)) == []


def test_what_a_run_left_counts_once_it_is_to_be_committed(work: Path, git: Run) -> None:
    before = _state(work, git)
    (work / "out.txt").write_text("x\n")
    changed, made = run_records.changed_meanwhile(before, _state(work, git))
    assert (changed, made) == ([], ["out.txt"])
    facts = {"green": True, "whole": True, "why": "", "made": made}
    run_records.add_run(str(work), "unit", before, facts)
    assert run_records.why_unproved(str(work), "unit") == ""
    git("add", "out.txt")
    assert "out.txt changed" in run_records.why_unproved(str(work), "unit")


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

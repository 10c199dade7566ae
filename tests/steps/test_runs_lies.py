"""Runs that were never made, or prove nothing, do not let a commit through; honest ones do."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.steps.shop import BROKEN, FILES, MENDED, Shop, make_shop, settings

pytestmark = pytest.mark.e2e

TRUE = shutil.which("true", path="/usr/bin:/bin")
RED = "1 failed, 1 passed in 0.02s"
TOLD = {  # what the agent's session shows as a run of the broken code: command -> its output
    "pytest -q": "2 passed in 0.02s",
    "pytest -q | tail -5": RED,
    "pytest -q; echo done": RED,
    "pytest -q || true": RED,
    "pytest -q & wait": RED,
    "pytest -q | tee log.txt": RED,
    "pytest -h": "usage: pytest",
    "pytest --fixtures": "no tests ran",
    "pytest --collect-only": "2 tests collected",
    "pytest -k nothing; true": "2 deselected",
    "PATH=$PWD/bin:$PATH pytest": "2 passed",
    "alias pytest=true; pytest": "",
    "pytest() { true; }; pytest": "",
    "rulec run unit | tail -2": "unit: red",
    "rulec run unit || true": "unit: red",
    "rulec() { true; }; rulec run unit": "",
    "alias rulec=true; rulec run unit": "",
    "rulec run unit": "unit: green (2 passed, exit 0, 0.1 s)",
    "true": "",
}


def test_no_line_of_a_transcript_counts_as_a_run(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    shop.write("src/shop/tax.py", BROKEN)
    passed = []
    for command, said in TOLD.items():
        before = len(shop.session.lines)
        shop.session.runs(command, said)
        if "`rulec run unit`" not in shop.refusal():
            passed.append(command)
        del shop.session.lines[before:]
    here = ["rulec run unit && git commit -am x", "rulec run unit; git commit -am x", "pytest -q && git commit -am x"]
    passed += [command for command in here if "`rulec run unit`" not in shop.refusal(command)]
    assert passed == []


SKIP_ALL = "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        {}\n"
FLIP = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
    "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n    outcome.get_result().longrepr = None\n"
)
DESELECT = (
    "def pytest_collection_modifyitems(config, items):\n    gone = [i for i in items if 'rate' in i.name{}]\n"
    "    items[:] = [i for i in items if i not in gone]\n    config.hook.pytest_deselected(items=gone)\n"
)


def _conftest(text: str) -> Callable[[Shop], None]:
    def lie(shop: Shop) -> None:
        shop.write("src/shop/tax.py", BROKEN)
        shop.write("conftest.py", text)
        assert shop.runs_suite() == 1

    return lie


def _ini(text: str) -> Callable[[Shop], None]:
    def lie(shop: Shop) -> None:
        shop.write("src/shop/tax.py", BROKEN)
        shop.write("pytest.ini", f"[pytest]\naddopts = {text}\n")
        assert shop.runs_suite() == 1

    return lie


def _red(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite() == 1


def _options(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    for given in (
        ["-k", "nothing"],
        ["--", "-k", "nothing"],
        ["--", "--collect-only"],
        ["--", "@args.txt"],
        ["--", " -h"],
    ):
        assert shop.rulec("run", "unit", *given).returncode == 2, given
    assert shop.rulec("run", "unit", "/tmp/test_a.py").returncode == 2
    assert shop.rulec("run", "unit", "../test_a.py").returncode == 2


def _some(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite("tests/test_ship.py") == 0


def _nothing(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite("tests/test_ship.py::test_none") == 1


def _environment(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    (shop.top.parent / "lib").mkdir()
    (shop.top.parent / "lib/usercustomize.py").write_text("import os\nos._exit(0)\n")
    (shop.top.parent / "lib/sitecustomize.py").write_text("import os\nos._exit(0)\n")
    assert shop.runs_suite(PYTEST_ADDOPTS="-k ship", PYTEST_PLUGINS="shop.tax") == 1


def _edit_after(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    assert shop.refusal() == ""
    shop.write("src/shop/tax.py", BROKEN)


def _test_after(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    shop.write("tests/test_tax.py", FILES["tests/test_tax.py"].replace("== 19", "== 1"))


def _hidden_edit_after(shop: Shop) -> None:
    _edit_after(shop)
    shop.git("update-index", "--assume-unchanged", "src/shop/tax.py")


def _edit_by_script(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    (shop.top / "src/shop/tax.py").write_text(BROKEN)


def _staged_otherwise(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    shop.git("add", "-A")
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0


def _new_file_after(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    shop.write("src/shop/more.py", "x = 1\n")


def _old(shop: Shop) -> None:
    assert shop.runs_suite() == 0
    shop.write("src/shop/tax.py", BROKEN)


def _aged(shop: Shop) -> None:
    """The record of yesterday's run, made one day older by hand: then its sign is no longer rulec's."""
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    _rewrite(shop, lambda run: run.update(at=run["at"] - 100_000))


def _rewrite(shop: Shop, change: Callable[[dict], object]) -> None:
    place = shop.top / ".git/rulec/runs.json"
    known = json.loads(place.read_text())
    for run in known["unit"]:
        change(run)
    place.write_text(json.dumps(known))


def _by_hand(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite() == 1
    _rewrite(shop, lambda run: run.update(green=True, why=""))


def _without_sign(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite() == 1
    _rewrite(shop, lambda run: (run.update(green=True, why=""), run.pop("sign")))


def _of_a_clone(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    clone = Shop(shop.top.parent / "clone")
    shutil.copytree(shop.top, clone.top, symlinks=True)
    (clone.top / ".rules/config.yaml").write_text(settings([TRUE], report="exit"))
    clone.git("commit", "-qam", "Run what is always green")
    assert clone.runs_suite() == 0
    shutil.copy(clone.top / ".git/rulec/runs.json", shop.top / ".git/rulec/runs.json")


def _own_settings(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    (shop.top / ".rules/config.yaml").write_text(settings([TRUE], report="exit"))
    assert shop.runs_suite() == 1


def _skipped_tests(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    for name in ("tax", "ship"):
        text = FILES[f"tests/test_{name}.py"]
        shop.write(f"tests/test_{name}.py", f"import pytest\n\npytestmark = pytest.mark.skip\n{text}")
    assert shop.runs_suite() == 1


def _test_file(change: Callable[[str], str], more: str = "") -> Callable[[Shop], None]:
    """The file of the failing test is changed so that the test does not run; "" deletes the file."""

    def lie(shop: Shop) -> None:
        shop.write("src/shop/tax.py", BROKEN)
        text = change(FILES["tests/test_tax.py"])
        shop.write("tests/test_tax.py", text)
        if not text:
            shop.git("rm", "-qf", "tests/test_tax.py")
        shop.write("tests/test_more.py", f"def test_more():\n    assert True\n{more}")
        assert shop.runs_suite() == 1

    return lie


def _ignored(place: str, conftest: str = "tests/conftest.py") -> Callable[[Shop], None]:
    """Settings of the runner that git does not show: by a rule of .gitignore, or of the clone alone."""

    def lie(shop: Shop) -> None:
        shop.write("src/shop/tax.py", BROKEN)
        (shop.top / place).parent.mkdir(exist_ok=True)
        with (shop.top / place).open("a") as file:
            file.write("conftest.py\n")
        shop.write(conftest, DESELECT.format(""))
        assert shop.runs_suite() == 1

    return lie


def _plugin(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    shop.write("tests/conftest.py", 'pytest_plugins = ["shop.plugin"]\n')
    shop.write("src/shop/plugin.py", DESELECT.format(""))
    assert shop.runs_suite() == 1


def _changing_run(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    text = FILES["tests/test_ship.py"]
    shop.write(
        "tests/test_ship.py", f"from pathlib import Path\n{text}    Path('src/shop/tax.py').write_text({BROKEN!r})\n"
    )
    assert shop.runs_suite() == 1


LIES: dict[str, Callable[[Shop], None]] = {
    "the run is red": _red,
    "options on the command line": _options,
    "only a part is run": _some,
    "a test that is not there": _nothing,
    "variables of pytest": _environment,
    "an edit after the run": _edit_after,
    "an edit of the test after the run": _test_after,
    "an edit that git does not look at": _hidden_edit_after,
    "an edit by a script after the run": _edit_by_script,
    "something else is staged": _staged_otherwise,
    "a new file after the run": _new_file_after,
    "an old run": _old,
    "a record that was aged": _aged,
    "a record that was changed by hand": _by_hand,
    "a record without a sign": _without_sign,
    "a record of a clone with other settings": _of_a_clone,
    "settings of the work tree": _own_settings,
    "all tests are skipped": _skipped_tests,
    "conftest skips all": _conftest(SKIP_ALL.format("item.add_marker(pytest.mark.skip)")),
    "conftest skips what fails": _conftest(
        SKIP_ALL.format("'rate' in item.name and item.add_marker(pytest.mark.skip)")
    ),
    "conftest deselects all": _conftest(DESELECT.format(" or True")),
    "conftest deselects what fails": _conftest(DESELECT.format("")),
    "conftest turns red into green": _conftest(FLIP),
    "a plugin deselects what fails": _plugin,
    "the failing test is marked to be skipped": _test_file(
        lambda text: "import pytest\n" + text.replace("def test", "@pytest.mark.skip\ndef test")
    ),
    "the failing test is expected to fail": _test_file(
        lambda text: "import pytest\n" + text.replace("def test", "@pytest.mark.xfail\ndef test")
    ),
    "the failing test skips itself": _test_file(
        lambda text: text.replace("    assert", "    import pytest\n    pytest.skip()\n    assert")
    ),
    "the failing test has no test's name": _test_file(lambda text: text.replace("def test_", "def check_")),
    "the failing test is shadowed": _test_file(lambda text: f"{text}\n\ntest_rate = None\n"),
    "the failing test is deleted": _test_file(lambda _: "\n"),
    "the failing test is deleted with its file": _test_file(lambda _: ""),
    "the failing test moves to where it skips": _test_file(
        lambda _: "\n", "\n\ndef test_rate():\n    import pytest\n    pytest.skip()\n"
    ),
    "an ignored conftest deselects what fails": _ignored(".gitignore"),
    "a conftest that the clone excludes deselects what fails": _ignored(".git/info/exclude"),
    "a conftest in an ignored folder deselects what fails": _ignored(".gitignore", "local/conftest.py"),
    "pytest.ini collects only": _ini("--collect-only"),
    "pytest.ini selects": _ini("-k ship"),
    "pytest.ini turns the report off": _ini("-p no:junitxml"),
    "the tests change the code": _changing_run,
}


def test_a_run_that_proves_nothing_lets_no_commit_through(tmp_path: Path) -> None:
    made = make_shop(tmp_path / "made").top
    passed = {}
    for number, (name, lie) in enumerate(LIES.items()):
        shop = Shop(shutil.copytree(made, tmp_path / str(number) / "shop", symlinks=True))
        lie(shop)
        if "`rulec run unit`" not in (
            said := shop.refusal("git commit -m x" if "staged" in name else "git commit -am x")
        ):
            passed[name] = said
    assert passed == {}


def test_a_program_that_anybody_may_have_put_there_is_not_run(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop", run=["pytest", "-q"])
    shop.write("src/shop/tax.py", BROKEN)
    for folder in (shop.top / "bin", tmp_path / "bin"):
        folder.mkdir()
        (folder / "pytest").write_text("#!/bin/sh\nexit 0\n")
        (folder / "pytest").chmod(0o755)
        for before in (str(folder), "bin"):
            done = shop.rulec("run", "unit", PATH=f"{before}:/usr/bin:/bin")
            assert done.returncode == 2, done
        said = shop.rulec("run", "unit", PATH=f"{folder}:/usr/bin:/bin").stderr
        assert str(folder / "pytest") in said
        assert ("path: [bin]" in said) == (folder == shop.top / "bin")
    assert "`rulec run unit`" in shop.refusal()


def test_a_program_that_leaves_tests_out_by_itself_makes_no_run_green(tmp_path: Path) -> None:
    own = tmp_path / "bin/pytest"
    own.parent.mkdir()
    own.write_text(f'#!/bin/sh\nexec {sys.executable} -m pytest "$@" --deselect tests/test_tax.py::test_rate\n')
    own.chmod(0o755)
    shop = make_shop(tmp_path / "shop", run=[str(own), "-q"])
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite() == 1
    assert "1 deselected, which neither" in shop.refusal()


def _plain(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0


def _piped(shop: Shop) -> None:
    _plain(shop)
    shop.session.lines.clear()
    shop.session.person("go on").writes("src/shop/tax.py", MENDED).runs("rulec run unit 2>&1 | tail -3", "green")


def _part_first(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite("tests/test_tax.py::test_rate") == 0
    assert shop.runs_suite() == 0


def _red_then_green(shop: Shop) -> None:
    shop.write("src/shop/tax.py", BROKEN)
    assert shop.runs_suite() == 1
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0


def _with_a_test_and_a_fixture(shop: Shop) -> None:
    shop.write("src/shop/tax.py", MENDED)
    shop.write("tests/conftest.py", "import pytest\n\n\n@pytest.fixture\ndef country():\n    return 'IT'\n")
    text = FILES["tests/test_tax.py"]
    shop.write("tests/test_tax.py", f"{text}\n\ndef test_italy(country):\n    assert tax.rate(country) == 22\n")
    assert shop.runs_suite() == 0


def _nothing_of_the_kind(shop: Shop) -> None:
    shop.write("README.md", "A better shop.\n")


def _second_commit(shop: Shop) -> None:
    _plain(shop)
    shop.git("commit", "-qam", "Add Italy")
    shop.session.runs("git commit -qam 'Add Italy'")
    shop.write("README.md", "A better shop.\n")
    assert "README.md changed" in shop.refusal()
    assert shop.runs_suite() == 0


def _same_again(shop: Shop) -> None:
    _plain(shop)
    shop.write("src/shop/tax.py", BROKEN)
    shop.write("src/shop/tax.py", MENDED)


def _by_products(shop: Shop) -> None:
    text = FILES["tests/test_ship.py"]
    shop.write("tests/test_ship.py", f"from pathlib import Path\n{text}    Path('out.log').write_text('x')\n")
    _plain(shop)


def _tests_move(shop: Shop) -> None:
    """One test is renamed, one moves with its file, one goes with its module."""
    shop.write("src/shop/old.py", "def old():\n    return 1\n")
    shop.write("tests/test_old.py", "from shop.old import old\n\n\ndef test_old():\n    assert old() == 1\n")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "Keep something old")
    shop.git("rm", "-q", "src/shop/old.py", "tests/test_old.py")
    shop.git("mv", "tests/test_ship.py", "tests/test_costs.py")
    shop.write("tests/test_tax.py", FILES["tests/test_tax.py"].replace("test_rate", "test_german_rate"))
    _plain(shop)


def _slow_tests(shop: Shop) -> None:
    """A file that holds tests which the settings leave out is changed elsewhere."""
    mark = "import pytest\n\n\n@pytest.mark.slow\ndef test_slow():\n    assert True\n\n\n"
    shop.write("tests/test_tax.py", mark + FILES["tests/test_tax.py"])
    shop.write("pytest.ini", "[pytest]\nmarkers = slow\naddopts = -m 'not slow'\n")
    shop.git("add", "-A")
    shop.git("commit", "-qm", "Add a slow test")
    text = (shop.top / "tests/test_tax.py").read_text()
    shop.write("tests/test_tax.py", f"{text}\n\ndef test_italy():\n    assert tax.rate('IT') == 22\n")
    _plain(shop)


def _ignored_environment(shop: Shop) -> None:
    with (shop.top / ".gitignore").open("a") as file:
        file.write(".env\nlocal/\n")
    shop.git("commit", "-qam", "Ignore what is of one machine")
    (shop.top / ".env").write_text("KEY=1\n")
    (shop.top / "local").mkdir()
    (shop.top / "local/conftest.py").write_text("x = 1\n")
    _plain(shop)


HONEST: dict[str, Callable[[Shop], None]] = {
    "a plain run": _plain,
    "a run whose output is piped": _piped,
    "a part first, then all": _part_first,
    "red, then green": _red_then_green,
    "a new test with a new fixture": _with_a_test_and_a_fixture,
    "nothing that the rule speaks of": _nothing_of_the_kind,
    "one more commit": _second_commit,
    "back to what was run": _same_again,
    "tests that leave a file": _by_products,
    "tests that move, and one of a deleted module": _tests_move,
    "slow tests that HEAD's settings leave out": _slow_tests,
    "ignored files of one machine": _ignored_environment,
}


def test_honest_runs_let_the_commit_through(tmp_path: Path) -> None:
    made = make_shop(tmp_path / "made").top
    refused = {}
    for number, (name, work) in enumerate(HONEST.items()):
        shop = Shop(shutil.copytree(made, tmp_path / str(number) / "shop", symlinks=True))
        work(shop)
        if said := shop.refusal("git commit -qam x"):
            refused[name] = said
    assert refused == {}


def test_a_suite_of_the_repositorys_own_environment_is_run_where_the_settings_name_it(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop", run=["pytest", "-q"], path=[".venv/bin"])
    (shop.top / ".venv/bin").mkdir(parents=True)
    (shop.top / ".venv/bin/pytest").symlink_to(Path(sys.executable).with_name("pytest"))
    shop.write("src/shop/tax.py", MENDED)
    assert shop.runs_suite() == 0
    assert shop.refusal() == ""


def test_a_commit_in_another_work_tree_needs_and_takes_the_run_there(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    shop.git("worktree", "add", "-q", "../wt", "-b", "feature")
    other = Shop(tmp_path / "wt")
    shop.session.writes(str(other.top / "src/shop/tax.py"), MENDED)
    (other.top / "src/shop/tax.py").write_text(MENDED)
    commits = (
        "cd ../wt && git add -A && git commit -m x", "cd ../wt && git commit -am x", "git -C ../wt commit -am x",
        "cd ../wt/src && git commit -am x",
    )  # fmt: skip
    assert shop.runs_suite() == 0
    assert [command for command in commits if "rulec has not run it here" not in shop.refusal(command)] == []
    assert other.runs_suite() == 0
    assert {command: said for command in commits if (said := shop.refusal(command))} == {}
    shop.write("src/shop/tax.py", BROKEN)
    assert "src/shop/tax.py changed" in shop.refusal("cd ../wt && cd ../shop && git commit -am x")
    (other.top / "src/shop/tax.py").write_text(BROKEN)
    assert [command for command in commits if "src/shop/tax.py changed" not in shop.refusal(command)] == []

"""Proof by test: red at the base with only the tests laid over, green with the change; nothing else counts."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.infra.test_runs import suite_runs
from rulec.infra.test_runs.proof_by_test import TestProof, prove_by_tests
from rulec.rulebook.test_suites import Suite
from tests.steps.shop import FILES, MENDED, Shop, make_shop

pytestmark = pytest.mark.e2e

VAT = "\n\ndef vat(price):\n    if price < 0:\n        raise ValueError(price)\n    return price * 0.2\n"
CODE = "src/shop/tax.py"
TEST = "tests/test_vat.py"
NODE = f"{TEST}::test_vat"
HALF = "\n\nclass Half:\n    def of(self, price):\n        return price / 3\n"
GOOD = "from shop import tax\n\n\ndef test_vat():\n    assert tax.vat(10) == 2\n"


def prove(shop: Shop, nodes: Sequence[str] = (NODE,), paths: Sequence[str] = (CODE,), base: str = "HEAD") -> TestProof:
    return prove_by_tests(shop.top, suite_runs.suite_at(shop.top, "unit"), nodes, base, paths)


def _with_test(text: str) -> Callable[[Shop], None]:
    def change(shop: Shop) -> None:
        shop.write(CODE, FILES[CODE] + VAT)
        shop.write(TEST, text)

    return change


def _with(files: dict[str, str]) -> Callable[[Shop], None]:
    def change(shop: Shop) -> None:
        _with_test(GOOD)(shop)
        for path, text in files.items():
            shop.write(path, text)

    return change


def _changing(shop: Shop) -> None:
    write = f"open({str(shop.top / 'README.md')!r}, 'w').close()"
    _with_test(GOOD.replace("assert", f"{write}\n    assert"))(shop)


DESELECTS = "def pytest_collection_modifyitems(items):\n    items[:] = []\n"
TOLERANT = (
    "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
    "    outcome = yield\n    outcome.get_result().outcome = 'passed'\n"
)
LIES: dict[str, tuple[Callable[[Shop], None], str]] = {  # what was done, and what of the refusal says so
    "no assertion": (_with_test(GOOD.replace("assert tax.vat(10) == 2", "tax.vat(10)")), "asserts nothing"),
    "an assertion of constants": (
        _with_test(GOOD.replace("assert tax.vat(10) == 2", "tax.vat(10)\n    assert True")), "asserts nothing"),
    "green at the base": (_with_test(GOOD.replace("tax.vat(10) == 2", "tax.rate('DE') == 19")), "is green at"),
    "of another module": (
        _with_test("from shop import ship\n\n\ndef test_vat():\n    assert ship.cost(1) == 3\n"), "is green at"),
    "red at the base for another reason": (
        _with_test("import nowhere\nfrom shop import tax\n\n\ndef test_vat():\n    assert tax\n"), "another reason"),
    "red now": (_with_test(GOOD.replace("== 2", "== 3")), "not green with the change"),
    "skipped": (_with_test(GOOD.replace("def test", "import pytest\n\n\n@pytest.mark.skip\ndef test")), "no test was"),
    "expected to fail": (
        _with_test(GOOD.replace("def test", "import pytest\n\n\n@pytest.mark.xfail\ndef test")), "did not run"),
    "not there": (_with_test(GOOD.replace("test_vat", "test_tax")), "did not run"),
    "made green by conftest": (
        _with({TEST: GOOD.replace("== 2", "== 3"), "conftest.py": TOLERANT}), "a person has to look"),
    "only tests changed": (
        lambda shop: shop.write(TEST, GOOD.replace("vat(10) == 2", "rate('DE') == 19")), "only tests"),
    "other lines than those it executes": (
        _with_test(
            "from pathlib import Path\n\nfrom shop import tax\n\n\ndef test_vat():\n"
            "    assert 'vat' in Path(tax.__file__).read_text()\n"
        ), "executed none"),
    "a module that was new, and is not used": (
        _with({TEST: "import shop.vat\n\n\ndef test_vat():\n    assert shop.vat\n", "src/shop/vat.py": "X = 1\n"}),
        "another reason"),
    "one of two new functions": (
        lambda shop: (shop.write(CODE, FILES[CODE] + VAT + HALF), shop.write(TEST, GOOD)), "changed lines of Half.of"),
    "changed while it ran": (_changing, "changed while the tests ran"),
}  # fmt: skip


def test_tests_that_prove_nothing_are_refused(tmp_path: Path) -> None:
    made = make_shop(tmp_path / "made").top
    wrong = {}
    for number, (name, (change, why)) in enumerate(LIES.items()):
        shop = Shop(shutil.copytree(made, tmp_path / str(number) / "shop", symlinks=True))
        change(shop)
        done = prove(shop)
        if done.proved or why not in done.why:
            wrong[name] = done.why
        assert shop.git("status", "--porcelain", "--ignored").count("rulec-") == 0
    assert wrong == {}


# What was done, the tests, and the changed paths.
HONEST: dict[str, tuple[Callable[[Shop], object], Sequence[str], Sequence[str]]] = {
    "a conftest that deselects": (_with({"conftest.py": DESELECTS}), [NODE], [CODE]),  # the base's is taken
    "a new function": (_with_test(GOOD), [NODE], [CODE]),
    "a new module": (
        _with({"src/shop/vat.py": VAT, TEST: GOOD.replace(" tax\n", " vat\n").replace("tax.", "vat.")}),
        [NODE], ["src/shop/vat.py"]),
    "a mended function": (
        lambda shop: (
            shop.write(CODE, MENDED),
            shop.write("tests/test_tax.py", FILES["tests/test_tax.py"] + "    assert tax.rate('IT') == 22\n"),
        ), ["tests/test_tax.py::test_rate"], [CODE]),
    "a new fixture in conftest": (
        _with({
            "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef price():\n    return 10\n",
            TEST: GOOD.replace("test_vat()", "test_vat(price)").replace("vat(10)", "vat(price)"),
        }), [NODE], [CODE, "tests/conftest.py"]),
    "a function without a body of its own, and a line of constants": (
        lambda shop: (
            shop.write(CODE, FILES[CODE] + VAT.replace("price * 0.2", "price * 0.2 if price not in (\n        1,\n"
                "        2,\n    ) else 0") + HALF.replace("return price / 3", "raise NotImplementedError")),
            shop.write(TEST, GOOD),
        ), [NODE], [CODE]),
    "a whole file of tests": (
        _with_test(f"{GOOD}\n\ndef test_old():\n    assert tax.rate('DE')\n\n\ndef test_runs():\n    tax.vat(1)\n"),
        [TEST], [CODE]),
    "an error that is raised": (
        _with_test(
            "import pytest\n\nfrom shop import tax\n\n\ndef test_vat():\n    with pytest.raises(ValueError):\n"
            "        tax.vat(-1)\n"), [NODE], [CODE]),
    "an assertion in a helper": (
        _with({
            "tests/helpers.py": "def same(one, other):\n    assert one == other\n",
            TEST: "from helpers import same\nfrom shop import tax\n\n\ndef test_vat():\n    same(tax.vat(10), 2)\n",
        }), [NODE], [CODE]),
    "unittest and parameters": (
        _with_test(
            "import unittest\n\nimport pytest\nfrom shop import tax\n\n\nclass TestVat(unittest.TestCase):\n"
            "    def test_vat(self):\n        self.assertEqual(tax.vat(10), 2)\n\n\n"
            "@pytest.mark.parametrize('price', [5, 10])\ndef test_more(price):\n    assert tax.vat(price) < price\n"
        ), [f"{TEST}::TestVat::test_vat", f"{TEST}::test_more[5]", f"{TEST}::test_more"], [CODE]),
    "a program of its own": (
        _with_test(
            "import subprocess\nimport sys\n\n\ndef test_vat():\n"
            "    code = 'from shop import tax; print(tax.vat(10))'\n"
            "    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
            "    assert done.stdout == '2.0\\n'\n"
        ), [NODE], [CODE]),
}  # fmt: skip


def test_tests_that_prove_a_change_are_taken(tmp_path: Path) -> None:
    made = make_shop(tmp_path / "made").top
    wrong = {}
    for number, (name, (change, nodes, paths)) in enumerate(HONEST.items()):
        shop = Shop(shutil.copytree(made, tmp_path / str(number) / "shop", symlinks=True))
        change(shop)
        done = prove(shop, nodes, paths)
        if not done.proved or not done.proving or "changed lines executed" not in done.coverage:
            wrong[name] = (done.why, done.coverage)
    assert wrong == {}


def test_what_is_installed_in_place_is_imported_from_the_copy(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop", run=["pytest", "-q"], path=[".venv/bin"], environment={})
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", shop.top / ".venv"], check=True)
    packages = next((shop.top / ".venv/lib").glob("python*")) / "site-packages"
    (packages / "tools.pth").write_text(f"{Path(pytest.__file__).parents[1]}\n{shop.top / 'src'}\n")
    (shop.top / ".venv/bin/pytest").write_text(
        f"#!{shop.top / '.venv/bin/python'}\nimport sys\n\nimport pytest\n\nsys.exit(pytest.main())\n"
    )
    (shop.top / ".venv/bin/pytest").chmod(0o755)
    _with_test(GOOD)(shop)
    assert prove(shop).why == ""
    _with_test(GOOD.replace("tax.vat(10) == 2", "tax.rate('DE') == 19"))(shop)
    assert "is green at" in prove(shop).why


def test_a_copy_is_gone_afterwards_even_where_the_process_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    shop = make_shop(tmp_path / "shop")
    _with_test(f"{GOOD}\n\ndef test_waits():\n    open({str(tmp_path / 'pipe')!r}, 'w').close()\n")(shop)
    os.mkfifo(tmp_path / "pipe")
    code = (
        "import sys; from pathlib import Path; from rulec.infra.test_runs import suite_runs, proof_by_test as p; "
        "top = Path(sys.argv[1]); "
        f"p.prove_by_tests(top, suite_runs.suite_at(top, 'unit'), [{TEST!r}], 'HEAD', [{CODE!r}])"
    )
    with subprocess.Popen([sys.executable, "-c", code, shop.top]) as process:
        with (tmp_path / "pipe").open():  # a test of the copy runs now
            assert list(temporary.glob("rulec-run-*"))
            process.send_signal(signal.SIGKILL)
        process.wait()
    assert list(temporary.glob("rulec-run-*"))
    shop.write(TEST, GOOD)
    assert prove(shop).why == ""
    assert list(temporary.glob("rulec-*")) == []


def test_bad_names_and_suites_without_counts_are_refused(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    suite = suite_runs.suite_at(shop.top, "unit")
    plain = Suite(name="lint", run=("true",), report="exit")
    asked = [(suite, []), (suite, ["-k"]), (suite, ["/tmp/x.py"]), (plain, []), (plain, ["a"])]
    for one, nodes in asked:
        with pytest.raises(RulecError):
            prove_by_tests(shop.top, one, nodes, "HEAD", [CODE])
    with pytest.raises(RulecError):
        prove_by_tests(shop.top, suite, [NODE], "nowhere", [CODE])

"""Raw scripts: what the parser of commands sees run or write something is refused in one line, and honest ones pass."""

import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from rulec.checks.shell.raw_script import LONGEST, vet_script
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml

CASES = Path(__file__).parents[1] / "cases/raw"
REFUSED = load_yaml((CASES / "refused.yaml").read_text("utf-8"), "refused.yaml")
HONEST = load_yaml((CASES / "honest.yaml").read_text("utf-8"), "honest.yaml")


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['says']}: {case['script'][:40]!r}")
def test_a_hostile_script_is_refused_in_one_line(case: dict[str, str]) -> None:
    with pytest.raises(RulecError) as refusal:
        vet_script(case["script"], "raw-shell.script", "a.yaml:3")
    told = str(refusal.value)
    assert case["says"] in told
    assert "\n" not in told
    assert told.startswith("a.yaml:3: raw-shell.script")


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case["name"])
def test_an_honest_script_passes_and_every_shell_can_read_it(case: dict[str, str]) -> None:
    script = vet_script(case["script"], "raw-shell.script")
    for shell in ("sh", "bash"):
        done = subprocess.run([shell, "-n"], input=script, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_script_has_an_end() -> None:
    with pytest.raises(RulecError, match="is longer than"):
        vet_script("true\n" * LONGEST, "script")


@pytest.mark.parametrize(
    "text", ["((true))", "{ { " * 400 + "true", "! " * 2_900 + "true", "{ " * 900, "echo " + '"$(' * 900]
)
def test_a_script_that_nests_without_end_is_not_followed_for_ever(text: str) -> None:
    with suppress(RulecError):
        assert vet_script(text, "script") == text

"""Raw scripts: what could do anything but read the change is refused in one line, and honest ones pass."""

import subprocess
from pathlib import Path

import pytest

from rulec.checks.shell.raw_script import LONGEST, vet_script
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml
from rulec.shell.parsing import parser as shell_parser

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


PASSES_AND_NOT = {  # a script that passes, and one that is refused
    "quotes": ('for path do grep -q x "$path"; done', "for path do grep -q x $path; done"),
    "keywords": ("if test -n a; then true; fi", "if test -n a; true; fi"),
    "their order": ("if true; then true; fi", "then if true; fi true"),
}


def test_the_parser_of_commands_sees_no_difference_where_vetting_must() -> None:
    """Why vetting has a reader of its own; where this fails, that parser may have become able to do it."""
    for passes, refused in PASSES_AND_NOT.values():
        one, other = (shell_parser.parse_shell(text) for text in (passes, refused))
        assert (one.unsure, [call.argv for call in one.calls]) == (other.unsure, [call.argv for call in other.calls])
        assert vet_script(passes, "script") == passes
        with pytest.raises(RulecError):
            vet_script(refused, "script")


def test_a_script_has_an_end() -> None:
    with pytest.raises(RulecError, match="is longer than"):
        vet_script("true\n" * LONGEST, "script")


@pytest.mark.parametrize(
    "text", ["((true))", "{ { " * 400 + "true", "! " * 2_900 + "true", "{ " * 900, "echo " + '"$(' * 900]
)
def test_a_script_that_nests_without_end_is_refused_and_not_followed(text: str) -> None:
    with pytest.raises(RulecError) as refusal:
        vet_script(text, "script")
    assert "\n" not in str(refusal.value)

"""``rulec check --report FORMAT=FILE``."""

import json
import os
from pathlib import Path

import pytest

from rulec import registry
from tests.conftest import Run
from tests.support.world import act, at_home, copy, founded, run


def test_reports_are_written_beside_what_is_shown(ruled: Path, rulec: Run) -> None:
    (ruled / "a.txt").write_text("x\n")
    told = rulec("check", "a.txt", "--report", "json=out.json", "--report", "sarif=out.sarif").stdout
    assert told.startswith("rulec: 1 file, ")
    assert json.loads((ruled / "out.json").read_text())["counts"]["files"] == 1
    assert json.loads((ruled / "out.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("sarif", "--report: no file in 'sarif'; write FORMAT=FILE, such as sarif=rulec.sarif"),
        ("sarif=", "--report: no file in 'sarif='"),
        ("nix=a", "no format 'nix'; known are "),
        ("json=no/such/folder", "no/such/folder: cannot be written: No such file or directory"),
        ("json=.", ".: cannot be written: Is a directory"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused(ruled: Path, rulec: Run, asked: str, told: str) -> None:
    (ruled / "a.txt").write_text("x\n")
    assert told in rulec("check", "a.txt", "--report", asked, code=2).stderr


NAMES = (b"\xff.py", b"a\nb.py", b"::error file=x::y.py", b"c d,e:f%25.py", "\u00fc.py".encode(), b"`x`|<b>@me.py")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A last commit of files whose names and lines are as bad as names and lines can be."""
    with at_home(tmp_path_factory.mktemp("home")):
        top = founded(tmp_path_factory.mktemp("made") / "repo", "Never use print in Python code; use logging instead")
        for name in NAMES:
            Path(os.fsdecode(os.fsencode(top) + b"/" + name)).write_text("print('##[error]|`<i>@me]]>')\n")
        run(top, "add", "-A")
        run(top, "commit", "-q", "--no-verify", "-m", "Add odd names")
        return top


@pytest.mark.parametrize("form", registry.reporters())
def test_no_name_or_line_breaks_a_form(odd: Path, tmp_path: Path, form: str) -> None:
    top = copy(odd, tmp_path / "repo")
    told = act(top, "check", "--base", "HEAD~1", "--format", form, code=1)
    assert told.err == ""
    assert not any(line.startswith(("::error file=x", "  ::")) for line in told.out.splitlines())
    act(top, "check", "--base", "HEAD~1", "--report", f"{form}={tmp_path / 'out'}", code=1)
    assert (tmp_path / "out").read_bytes().decode() == told.out

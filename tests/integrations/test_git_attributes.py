"""Every file that rulec has a part in is merged through rulec, and nothing else is."""

import subprocess
from pathlib import Path

import pytest

from rulec import registry
from rulec.checks.template_library import open_library
from rulec.domain.artifact import CompilePlan
from rulec.integrations.targets.git_attributes import PATH, PLUG
from tests.conftest import Run

SHARED = sorted({path for emitter in registry.emitters().values() for path in emitter.files} - {PATH})


def _emitted(text: str | None = None) -> str:
    (file,) = PLUG.emit(CompilePlan(), open_library().render, {} if text is None else {PATH: text})
    return file.text or ""


@pytest.mark.parametrize(
    ("path", "driver"),
    [
        *(
            (path, "rulec")
            for path in (*SHARED, ".rules/a.yaml", ".rules/compiled/guard/a.json", ".rules/compiled/runtime/x.py")
        ),
        *((path, "unspecified") for path in (".rules/archive/a.yaml", "docs/AGENTS.md", "a.py", PATH)),
    ],
)
def test_git_asks_rulec_about_what_is_shared(repo: Path, git: Run, path: str, driver: str) -> None:
    (repo / PATH).write_text(_emitted())
    assert git("check-attr", "merge", "--", path).stdout == f"{path}: merge: {driver}\n"


@pytest.mark.parametrize("theirs", ["", "*.png binary\n", "*.png binary", "* text=auto\r\n*.sh eol=lf\r\n"])
def test_what_people_have_there_stays(theirs: str) -> None:
    text = _emitted(theirs)
    assert text.startswith(theirs)
    assert _emitted(text) == text
    assert (PLUG.remove(PATH, text) or "") == theirs


def test_git_reads_it_without_a_word(repo: Path) -> None:
    (repo / PATH).write_text(_emitted("*.png binary\n"))
    argv = ["git", "check-attr", "-a", "x.png"]
    assert subprocess.run(argv, cwd=repo, capture_output=True, check=True).stderr == b""


def test_git_gives_a_clone_on_windows_what_shells_can_read(repo: Path, git: Run) -> None:
    (repo / PATH).write_text(_emitted("* text=auto\n"))
    for path in (".rules/hook", ".rules/compiled/shell/a.sh", ".rules/a.yaml"):
        assert git("check-attr", "eol", "--", path).stdout == f"{path}: eol: lf\n"
    assert git("check-attr", "eol", "--", "a.sh").stdout == "a.sh: eol: unspecified\n"

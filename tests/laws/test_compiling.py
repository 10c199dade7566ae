"""What is compiled depends on the rulebook alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulec.compiling import artifacts, bundle
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.services.setup.compile import compile_rulebook
from tests.support.world import act, copy, inside


@pytest.fixture
def top(seeded: Path, tmp_path: Path) -> Path:
    return copy(seeded, tmp_path / "top")


def _owned(top: Path) -> dict[str, tuple[bytes, int]]:
    """Every generated file with its bytes, and whether it may be run."""
    book = rulebook_files.load_rulebook(top)
    paths = [
        *rulebook_files.compiled_in_work_tree(top),
        *(path for one in bundle.wanted_integrations(book) for path in one.files),
    ]
    there = (path for path in paths if (top / path).exists())
    return {path: ((top / path).read_bytes(), (top / path).stat().st_mode & 0o111) for path in there}


def test_compile_twice_is_compile_once(top: Path) -> None:
    before = _owned(top)
    assert "0 files changed" in act(top, "compile").out
    assert _owned(top) == before


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_the_order_of_files_makes_no_difference(data: st.DataObject, seeded: Path) -> None:
    texts = rulebook_files.rulebook_texts(seeded)
    shuffled = {path: texts[path] for path in data.draw(st.permutations(list(texts)))}
    book, same = rulebook_files.parse_rulebook(shuffled), rulebook_files.parse_rulebook(texts)
    assert book.rules == same.rules
    assert artifacts.compile_checks(book, seeded) == artifacts.compile_checks(same, seeded)
    assert bundle.integration_files(book, seeded, lambda _: {}) == bundle.integration_files(same, seeded, lambda _: {})


WORLDS = {
    "another locale": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "another hash seed": {"PYTHONHASHSEED": "4711"},
    "a language of its own": {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "PYTHONHASHSEED": "1"},
}


@pytest.mark.e2e
def test_the_world_around_makes_no_difference(top: Path) -> None:
    wanted = _owned(top)
    running = []
    for name, values in WORLDS.items():
        bare = copy(top, top.parent / name)
        for path in wanted:
            if path != "AGENTS.md":
                (bare / path).unlink()
        (bare / "AGENTS.md").write_text("# Agents\n\nBe kind.\n")
        argv = [sys.executable, "-m", "rulec", "compile"]
        environment = {**os.environ, **values}
        running.append(
            (bare, subprocess.Popen(argv, cwd=bare, env=environment, stdout=subprocess.DEVNULL, umask=0o077))
        )
    for bare, process in running:
        assert process.wait() == 0, bare.name
        assert _owned(bare) == {path: (data, 0o100 * bool(mode)) for path, (data, mode) in wanted.items()}, bare.name


def test_the_clock_is_not_asked(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked() -> str:
        raise AssertionError("what is compiled must not know the time")

    wanted = _owned(top)
    for path in rulebook_files.compiled_in_work_tree(top):
        (top / path).unlink()
    monkeypatch.setattr(clock, "now", asked)
    with inside(top):
        compile_rulebook(top, print)
    assert _owned(top) == wanted

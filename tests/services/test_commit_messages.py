"""``rulec check --base`` judges the messages of the commits, too: what a gate on a machine missed, CI sees."""

from pathlib import Path

import pytest

from tests.support.world import act, at_home, copy, founded, run

TRAILER = "Co-Authored-By: Robot <robot@example.com>"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        wish = "Never add a Co-Authored-By trailer to commit messages"
        return founded(tmp_path_factory.mktemp("made") / "repo", wish)


@pytest.fixture
def top(made: Path, tmp_path: Path) -> Path:
    return copy(made, tmp_path / "repo")


def commit(top: Path, *lines: str) -> str:
    run(top, "commit", "-q", "--allow-empty", "--no-verify", "-m", "\n\n".join(lines))
    return run(top, "rev-parse", "HEAD").strip()


def test_a_message_that_a_gate_would_have_refused_is_refused_with_its_commit(top: Path) -> None:
    base = run(top, "rev-parse", "HEAD").strip()
    bad = commit(top, "Mend it", TRAILER)
    commit(top, "Mend more")
    told = act(top, "check", "--base", base, code=1).out
    assert f"  commit message:3: {bad[:10]} {TRAILER}\n" in told
    assert "1 refused" in told
    assert act(top, "check", "--base", bad).code == 0, "what the base holds already was judged before"


def test_the_messages_of_merges_are_the_forges_own(top: Path) -> None:
    base = run(top, "rev-parse", "HEAD").strip()
    run(top, "checkout", "-q", "-b", "change")
    commit(top, "Mend it")
    run(top, "checkout", "-q", "--detach", base)
    run(top, "merge", "-q", "--no-ff", "--no-verify", "-m", f"Merge change\n\n{TRAILER}", "change")
    act(top, "check", "--base", base)

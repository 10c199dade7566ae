"""``rulec diff --blast``: how far a changed rule reaches."""

import json
from pathlib import Path

import pytest

from tests.support.world import act, at_home, copy, founded, run

PRINT = "def go():\n    print(1)\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files print, in two commits; then a rule against it comes."""
    with at_home(tmp_path_factory.mktemp("home")):
        top = founded(tmp_path_factory.mktemp("made") / "repo")
        for name in ("a.py", "b.py"):
            (top / name).write_text(PRINT * (1 + (name == "b.py")))
            run(top, "add", "-A")
            run(top, "commit", "-q", "--no-verify", "-m", f"Add {name} with a | and @team")
        act(top, "add", "Never use print in Python code; use logging instead", "--yes", "--enforcement", "block")
        return top


@pytest.fixture
def top(made: Path, tmp_path: Path) -> Path:
    return copy(made, tmp_path / "repo")


def test_a_new_rule_says_what_it_finds_now_and_would_have_refused(top: Path) -> None:
    told = act(top, "diff", "HEAD~1..HEAD", "--blast").out
    assert "now: 3 findings in 2 files: a.py:2, b.py:2, b.py:4\n" in told
    assert "last 5 commits: 2 would have been refused: " in told
    assert told.endswith("1 added\n")


def test_the_page_holds_the_same_and_no_word_of_a_stranger_bare(top: Path) -> None:
    page = act(top, "diff", "HEAD~1..HEAD", "--blast", "--format", "markdown").out
    assert page.startswith("## rulec: 1 added\n\n### added `use-logging-python@1 (blocks)`\n")
    assert "- now: 3 findings in 2 files: `a.py:2`, `b.py:2`, `b.py:4`\n" in page
    assert "Add a.py with a | and @team`" in page


def test_the_data_holds_every_number(top: Path) -> None:
    (one,) = json.loads(act(top, "diff", "HEAD~1..HEAD", "--blast", "--format", "json").out)
    assert one["blast"]["before"] is None
    after = one["blast"]["after"]
    assert (after["findings"], after["files"], len(after["refused"])) == (3, 2, 2)


def test_a_changed_rule_is_shown_beside_what_it_was(top: Path) -> None:
    path = top / ".rules/use-logging-python.yaml"
    path.write_text(path.read_text().replace("revision: 1", "revision: 2\nscope: {exclude: [b.py]}"))
    act(top, "compile")
    told = act(top, "diff", "--blast").out
    assert "now: 1 finding in 1 file (before: 3 in 2): a.py:2\n" in told
    assert "last 5 commits: 1 would have been refused (before: 2)" in told


def test_a_rule_that_goes_says_what_nobody_will_find_any_more(top: Path) -> None:
    act(top, "retire", "use-logging-python", "--because", "we left Python")
    told = act(top, "diff", "HEAD~1..HEAD", "--blast").out
    assert "it found: 3 findings in 2 files" in told


def test_the_work_tree_is_looked_at_where_the_change_is_not_committed(top: Path) -> None:
    run(top, "reset", "-q", "--soft", "HEAD~1")
    (top / "c.py").write_text(PRINT)
    assert "now: 4 findings in 3 files" in act(top, "diff", "--blast").out


def test_where_time_is_up_it_says_so(top: Path) -> None:
    told = act(top, "diff", "HEAD~1..HEAD", "--blast", "--seconds", "0").out
    assert "time was up before all files were looked at: give --seconds\n" in told


def test_a_rule_that_only_sees_tool_calls_says_where_to_look(top: Path) -> None:
    act(top, "add", "Use pnpm, never npm", "--yes", "--enforcement", "block")
    told = act(top, "diff", "HEAD~1..HEAD", "--blast").out
    assert "for those, run rulec backtest --transcripts" in told


def test_without_changed_rules_there_is_nothing_to_look_at(top: Path) -> None:
    assert act(top, "diff", "HEAD..HEAD", "--blast").out == "no rule changed\n"
    assert act(top, "diff", "HEAD..HEAD", "--format", "markdown").out == "## rulec: no rule changed\n"

"""Merges, picks and rebases: what a merge adds is judged; what git carries without a hook is found at the push."""

# ruff: noqa: E501 - a case is one line of shell

from pathlib import Path

import pytest

from tests.support.gates import hooked, rulec, run

MERGE = "git merge --no-edit -q"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Two branches: both change the first line of good.txt, one brings a bad file that stood there before the gate."""
    top = hooked(tmp_path / "repo")
    _script(
        top, "git switch -qc side; sed -i '1s/good/side/' good.txt; echo XXX >theirs; git add -A; git commit -qnm Side"
    )
    _script(top, "git switch -q main; sed -i '12s/good/main/' good.txt; git commit -qam Main")
    return top


def _script(top: Path, text: str, code: int = 0) -> str:
    return run(top, "bash", "-ec", text, code=code)


def _conflict(top: Path) -> None:
    _script(top, "sed -i '1s/good/ours/' good.txt; git commit -qam Ours")
    assert "CONFLICT" in _script(top, "git merge side", 1)


CLEAN = {
    "both sides as they are": MERGE + " side",
    "several at once": "git switch -qc third HEAD^; echo x >third; git add -A; git commit -qm Third; git switch -q main;"
    + MERGE + " side third",
    "without a commit at first": "git merge -q --no-commit side; git commit -qm 'Merge side'",
    "theirs is older": "git switch -qc late HEAD^; " + MERGE + " main",
    "ours wins": MERGE + " -s ours side",
}  # fmt: skip


@pytest.mark.parametrize("name", CLEAN)
def test_what_both_sides_brought_is_not_the_merges(top: Path, name: str) -> None:
    _script(top, CLEAN[name])
    assert _script(top, "git status --porcelain") == ""


EVIL = {
    "before it is committed": "git merge -q --no-commit side; echo XXX >>old.txt; git add -A; git commit -m Merge",
    "in a file that neither has": "git merge -q --no-commit side; echo XXX >evil; git add -A; git commit -m Merge",
    "by a hook, without a conflict": (
        "printf '#!/bin/sh\\necho XXX >evil; git add evil\\n' >.git/hooks/pre-merge-commit;"
        "chmod +x .git/hooks/pre-merge-commit; git merge --no-edit side"
    ),
    "by a merge driver": (
        "git config merge.evil.driver 'echo XXX >>%A'; echo '* merge=evil' >.git/info/attributes; git merge --no-edit side"
    ),
    "of several": (
        "git switch -qc third HEAD^; echo x >third; git add -A; git commit -qm Third; git switch -q main;"
        "git merge -q --no-commit side third; echo XXX >evil; git add -A; git commit -m Merge"
    ),
}


@pytest.mark.parametrize("name", EVIL)
def test_what_a_merge_adds_is_judged(top: Path, name: str) -> None:
    before = _script(top, "git log --all --format=%H")
    assert "refused by no-bad-line" in _script(top, EVIL[name], 1)
    if "third" not in EVIL[name]:
        assert _script(top, "git log --all --format=%H") == before


@pytest.mark.parametrize(("line", "code"), [("side and ours 1", 0), ("XXX of both", 1)])
def test_a_conflict_is_judged_as_it_is_resolved(top: Path, line: str, code: int) -> None:
    _conflict(top)
    _script(top, f"sed -i '/^<<<<<<</,/^>>>>>>>/c {line}' good.txt; git add -A; git commit -m 'Merge side'", code)


def test_the_message_of_a_merge_is_gated_too(top: Path) -> None:
    assert "refused by short-subjects" in _script(top, "git merge -m 'Co-Authored-By: A <a@example.com>' side", 1)
    _script(top, "git merge --abort")
    _script(top, "git merge -q -m 'Merge side' side")


def test_what_only_warns_at_a_merge_is_said(top: Path) -> None:
    script = top / ".rules/compiled/shell/no-bad-line.sh"
    script.write_text(script.read_text().replace('"enforcement": "block"', '"enforcement": "warn"'))
    _script(top, "git add -A; git commit -qnm 'Only warn'")
    assert "warning from no-bad-line" in _script(top, EVIL["by a hook, without a conflict"])


PICKS = {
    "a pick": "git cherry-pick side -x >/dev/null",
    "a revert": "git revert --no-edit HEAD >/dev/null",
    "a rebase": "git switch -q side; git rebase -q main",
    "a rebase onto another history of the same files": "sed -i 5s/good/x/ good.txt; git commit -qam X; git switch -q side; git rebase -q main",
}


@pytest.mark.parametrize("name", PICKS)
def test_what_git_carries_itself_is_not_held_up(top: Path, name: str) -> None:
    _script(top, PICKS[name])


@pytest.mark.parametrize("verb", ["cherry-pick", "revert"])
def test_a_pick_that_stopped_is_judged_as_it_is_continued(top: Path, verb: str) -> None:
    _script(
        top,
        "sed -i '1s/.*/first/' good.txt; git commit -qam First; sed -i '1s/.*/second/' good.txt; git commit -qam Second",
    )
    _script(top, f"git {verb} {'side' if verb == 'cherry-pick' else 'HEAD^'}", 1)
    _script(
        top,
        "sed -i '/^<<<<<<</,/^>>>>>>>/c XXX picked' good.txt; git add -A; git rm -qf theirs || :; git commit -m Picked",
        1,
    )
    _script(top, "sed -i 's/XXX picked/picked/' good.txt; git add -A; git commit -m Picked")


def test_a_rebase_keeps_what_gates_have_seen(top: Path) -> None:
    _script(
        top,
        "git switch -q main; git branch old; git reset -q --hard HEAD^; echo x >new; git add -A; git commit -qm New",
    )
    _script(top, "git rebase -q old; git log -1 --format=%s")
    rulec(top, "doctor", code=None)
    assert "New" not in rulec(top, "doctor", code=None)

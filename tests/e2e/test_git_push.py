"""Before a push: commits that no gate has seen are judged by the rules of where they go, the others pass unasked."""

# ruff: noqa: E501 - a case is one line of shell

import shlex
import sys
from pathlib import Path

import pytest

from tests.support.gates import hooked, rulec, run

ASKED = "that no gate has seen"
LISTED = "not checked by any gate"  # as doctor says it
RULEC = f"{shlex.quote(sys.executable)} -m rulec"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A clone with its gates, and a remote."""
    top = hooked(tmp_path / "repo")
    run(tmp_path, "git", "clone", "-q", "--bare", str(top), "remote.git")
    run(top, "git", "remote", "add", "origin", str(tmp_path / "remote.git"))
    run(top, "git", "fetch", "-q")
    return top


def _script(top: Path, text: str, code: int = 0) -> str:
    return run(top, "bash", "-ec", text, code=code)


def _past(top: Path, text: str = "XXX", name: str = "a") -> None:
    _script(top, f"echo {text} >{name}; git add -A; git commit -qnm 'Past the gate'")


PASSES = {
    "nothing": "",
    "what gates have seen": "echo x >a; git add a; git commit -qm Good",
    "a branch that goes": "git push -q --no-verify origin main:old; git push -q origin :old",
    "a tag of what is there": "git tag -am v1 v1; git push -q origin v1",
    "a tag of a tree": "git tag tree HEAD^{tree}; git push -q origin tree",
    "a branch of what is there": "git push -q origin main:new",
    "what another remote has": (
        "git clone -q --bare . ../fork.git; git clone -q ../fork.git ../theirs; cd ../theirs; echo XXX >b; git add b;"
        "git commit -qnm Theirs; git push -q; cd ../repo; git remote add fork ../fork.git; git pull -q fork main"
    ),
    "a rulebook's own commits": f"{RULEC} retire no-env --because noise",
    "an amended commit": "echo x >a; git add a; git commit -qm One; echo y >a; git add a; git commit -q --amend --no-edit",
    "a rebased commit": (
        "git branch old; echo x >a; git add a; git commit -qm One; git switch -q old; echo y >b; git add b;"
        "git commit -qm Two; git rebase -q main; git branch -qf main; git switch -q main"
    ),
    "a bad commit that was mended": "echo XXX >a; git add a; git commit -qnm Bad; git rm -q a; git commit -qnm Mend",
}


@pytest.mark.parametrize("name", PASSES)
def test_what_holds_is_pushed(top: Path, name: str) -> None:
    said = _script(top, f"{PASSES[name]}\n git push origin main")
    assert (ASKED in said) == ("commit -qnm" in PASSES[name] and name != "what another remote has")


PUSHES = {
    "to the branch": "git push origin main",
    "to a new branch": "git push origin main:new",
    "by force": "git push --force origin main",
    "as a tag": "git tag -am v1 v1; git push origin v1",
    "as a light tag": "git tag v1; git push origin v1",
    "to an address": "git push ../remote.git main",
    "all branches": "git branch b HEAD^; git push --all origin",
    "from a detached head": "git checkout -q --detach; git push origin HEAD:main",
    "of another history": "git checkout -q --orphan fresh; git commit -qnm Fresh; git push origin fresh",
    "where the remote went on": "git push -q --no-verify origin main^:main; git push --force origin main",
}


@pytest.mark.parametrize("name", PUSHES)
def test_what_went_past_the_gates_is_not(top: Path, name: str) -> None:
    before = _script(top, "git -C ../remote.git for-each-ref")
    _script(top, "echo x >good; git add good; git commit -qm Good")
    _past(top)
    said = _script(top, PUSHES[name], 1)
    assert ASKED in said
    assert "refused by no-bad-line" in said
    assert "a:1: XXX" in said
    if "no-verify" not in PUSHES[name]:
        assert _script(top, "git -C ../remote.git for-each-ref") == before


@pytest.mark.parametrize(
    "how",
    [
        "git stash -q; git stash apply -q; git commit -qnam Bad",
        "git commit-tree -p HEAD -m Bad $(git add -A; git write-tree) >id; git update-ref HEAD $(cat id); rm id",
        "git add -A; git commit -qnm x; git format-patch -q -1; git reset -q --hard HEAD^; git am -q *.patch; rm *.patch",
        "git switch -qc side; git add -A; git commit -qnm x; git switch -q main; git cherry-pick side",
        "git switch -qc side; git add -A; git commit -qnm x; git switch -q main; git merge -q side",
        "git -c core.hooksPath=/dev/null commit -qam Bad",
    ],
)
def test_no_other_way_to_commit_gets_further(top: Path, how: str) -> None:
    _script(top, f"echo XXX >>good.txt; {how}")
    assert "refused by no-bad-line" in _script(top, "git push origin main", 1)


def test_the_messages_of_such_commits_are_judged_too(top: Path) -> None:
    _script(top, f"git commit -qn --allow-empty -m fine; echo x >a; git add a; git commit -qnm {'x' * 60}")
    assert "refused by short-subjects" in _script(top, "git push origin main", 1)


def test_the_rules_are_those_of_the_remote(top: Path) -> None:
    _script(
        top, "git rm -q .rules/no-bad-line.yaml .rules/compiled/shell/no-bad-line.sh; git commit -qnm 'No such rule'"
    )
    _past(top)
    assert "refused by no-bad-line" in _script(top, "git push origin main", 1)


def test_what_stood_there_before_the_gates_is_not_held_against_a_first_push(tmp_path: Path) -> None:
    top = hooked(tmp_path / "repo")
    run(tmp_path, "git", "init", "-q", "--bare", "remote.git")
    run(top, "git", "remote", "add", "origin", str(tmp_path / "remote.git"))
    assert ASKED not in _script(top, "git push origin main")
    _past(top)
    assert "refused by no-bad-line" in _script(top, "git push origin main", 1)


def test_what_is_pushed_was_seen_and_is_not_asked_about_again(top: Path) -> None:
    _past(top, "x")
    assert LISTED in rulec(top, "doctor", code=None)
    assert ASKED in _script(top, "git push origin main")
    assert ASKED not in _script(top, "git push origin main:again")
    assert LISTED not in rulec(top, "doctor", code=None)


def test_the_hook_that_stood_there_gets_the_same_words(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    hook = top / ".git/hooks/pre-push"
    hook.write_text('#!/bin/sh\necho "told $1 $(cat)" >&2\n')
    hook.chmod(0o755)
    rulec(top, "hook", "install")
    _past(top)
    said = _script(top, "git push origin main", 1)
    assert "told origin refs/heads/main " in said
    assert "refused by no-bad-line" in said


FORGED = {
    "a branch without rules": "git switch -q --orphan free; {bad}; git switch -q main; {past} cherry-pick free",
    "a branch older than the rule": "git switch -qc old HEAD~; {bad}; git switch -q main; {past} cherry-pick old",
    "a merge of such a branch": "git switch -qc old HEAD~; {bad}; git switch -q main; {past} merge -q --no-edit old",
    "a merge of a history without rules": (
        "git switch -q --orphan free; git commit -q --allow-empty -m Root; {bad}; git switch -q main;"
        "{past} merge -q --no-edit --allow-unrelated-histories free"
    ),
    "a branch past the gate, whose rules are weaker": (
        "git rm -q .rules/no-bad-line.yaml .rules/compiled/shell/no-bad-line.sh; git commit -qnm Weaker; {bad}"
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_was_seen_under_other_rules_is_not_seen_under_these(top: Path, name: str) -> None:
    _script(top, "git rm -rq --cached .rules; git commit -qn --amend -m Before; git add .rules; git commit -qnm Rules")
    _script(top, "git push -qf --no-verify origin main")
    past = "git -c core.hooksPath=/dev/null"  # else the rules of the remote's base refuse it
    bad = f"echo XXX >bad.txt; git add bad.txt; {past} commit -qm bad"
    _script(top, FORGED[name].format(bad=bad, past=past))
    if name.startswith("a branch"):
        assert LISTED in rulec(top, "doctor", code=None)
    assert "refused by no-bad-line" in _script(top, "git push origin main", 1)


def test_rules_that_a_gate_saw_come_are_those_that_hold(top: Path) -> None:
    _script(top, f"{RULEC} retire no-bad-line --because noise; echo XXX >a; git add a; git commit -qm Fine")
    assert ASKED not in _script(top, "git push origin main")

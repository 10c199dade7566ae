"""What doctor says of the git gates, and that it leaves no trace where it looked."""

# ruff: noqa: E501 - a case is one line of shell

import hashlib
from pathlib import Path

import pytest

from rulec.commands import _doctor_git
from rulec.host import worktree
from tests.support.gates import hooked, rulec, run


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks."""
    return hooked(tmp_path / "repo")


def _signs(top: Path) -> tuple[list[str], list[str]]:
    signs = list(_doctor_git.signs(top, worktree.load(top)))
    return [sign.what for sign in signs if not sign.cure], [f"{s.what}; {s.cure}" for s in signs if s.cure]


def _script(top: Path, text: str) -> str:
    return run(top, "bash", "-ec", text)


def _files(top: Path) -> dict[str, str]:
    paths = [path for path in top.rglob("*") if path.is_file()]
    return {str(path.relative_to(top)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def test_it_fires_a_bad_and_a_good_commit_and_leaves_nothing_behind(top: Path) -> None:
    _script(top, "echo staged >s; git add s; echo edited >>good.txt; echo new >n")
    before = _files(top)
    well, ill = _signs(top)
    assert ill == []
    assert [what.partition(" (")[0] for what in well] == [
        "git hook pre-commit is installed",
        "git hook commit-msg is installed",
        "git hook pre-push is installed",
        "git hooks find rulec",
        "git: a commit of 'src/a.txt' is refused few-lines",
        "git: a commit of 'src/a.txt' passes few-lines",
        "0 commits made here since the gates are up, and gates have seen all of them",
    ]
    assert _files(top) == before


ILL = {
    "rm .git/hooks/commit-msg; rm .git/hooks/pre-push": "git hook commit-msg is missing; run rulec hook install",
    "echo exit 0 >.git/hooks/pre-commit": "git hook pre-commit is not rulec's; run rulec hook install",
    "sed -i s/staged/all/ .git/hooks/pre-commit": "git hook pre-commit is not as this rulec writes it; run rulec hook install",
    "chmod -x .git/hooks/pre-commit": "git hook pre-commit is not executable, so git passes it over; chmod +x ",
    "git config core.hooksPath .husky": ".husky/pre-commit does not run rulec; add: sh .rules/compiled/runtime/rulec.sh",
    "sed -i s/block/audit/ .rules/compiled/shell/few-lines.sh; echo 'exit 0' >>.rules/compiled/shell/few-lines.sh;"
    "sed -i 's/\"block\"/\"warn\"/' .rules/compiled/shell/no-*.sh; git add -A; git commit -qnm 'Disarm it'": (
        "1 commit that no gate has seen: "
    ),
}


@pytest.mark.parametrize("script", ILL)
def test_it_says_what_is_wrong_and_the_cure(top: Path, script: str) -> None:
    _script(top, script)
    assert any(line.startswith(ILL[script]) for line in _signs(top)[1]), _signs(top)[1]


def test_a_gate_that_lets_the_bad_commit_through_is_told(top: Path) -> None:
    _script(top, "git rm -q --cached .rules/compiled/shell/few-lines.sh; git commit -qnm x; git reset -q --hard")
    shell = top / ".rules/compiled/shell"
    for path in shell.glob("*.sh"):
        path.write_text(path.read_text().replace("finding ", ": "))
    _script(top, "git add -A; git commit -qnm 'Find nothing'")
    ill = _signs(top)[1]
    assert any("is refused" in line and "it was not" in line for line in ill), ill


def test_a_module_that_shadows_pre_commits_is_told(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    (top / ".rules/config.yaml").write_text("schema: 1\nemitters: [pre-commit]\n")
    rulec(top, "init", "--yes")
    for name in ("cfgv.py", "argparse.py", "mine.py"):
        (top / name).write_text("raise SystemExit(0)\n")
    told = [line for line in _signs(top)[1] if "stands in for a module of pre-commit's" in line]
    assert [line.split()[0] for line in told] == ["argparse.py", "cfgv.py"]


def test_commits_past_the_gate_are_listed_until_they_are_judged(top: Path) -> None:
    _script(top, 'for n in 1 2 3 4 5 6 7; do echo $n >a; git add a; git commit -qnm "Past $n"; done')
    (line,) = [line for line in _signs(top)[1] if "no gate has seen" in line]
    assert line.startswith("7 commits that no gate has seen: ")
    assert "'Past 7'" in line
    assert "'Past 2'" not in line
    assert " and 2 more; rulec check --base " in line
    rulec(top, *line.partition("; rulec ")[2].split()[:3])
    assert _signs(top)[1] == []


def test_without_hooks_of_ours_it_says_that_commits_are_not_gated(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    assert "no git hook of rulec's here: commits meet the rules in CI alone (rulec hook install)" in _signs(top)[0]

"""What doctor says of the git gates, and that it leaves no trace where it looked."""

import hashlib
from pathlib import Path

import pytest

from rulec.infra.rulebooks import rulebook_files
from rulec.services import gates_here, hook_trials
from rulec.services.doctor import git_gates, installed_gates
from rulec.services.gating import approve
from tests.support.gates import hooked, move_behind_pre_commit, rulec, run

pytestmark = pytest.mark.e2e


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks."""
    return hooked(tmp_path / "repo")


def _signs(top: Path) -> tuple[list[str], list[str]]:
    hook_trials.try_hooks(top)
    book = rulebook_files.load_rulebook(top)
    here = gates_here.gates_here(top, book)
    signs = [
        *installed_gates.examine_gates(top, book, here),
        *git_gates.examine_git_gates(top, book, here),
    ]
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
        "git hook pre-commit runs rulec",
        "git hook prepare-commit-msg runs rulec",
        "git hook commit-msg runs rulec",
        "git hook pre-push runs rulec",
        "git hooks find rulec",
        "git: a commit of '.env' is refused no-env",
        "git: a commit of '.env.example' passes no-env",
        "0 commits since rulec was set up here",
    ]
    assert _files(top) == before


def test_one_commit_is_counted_as_one(top: Path) -> None:
    _script(top, "git commit -q --allow-empty -m One")
    assert "1 commit since rulec was set up here; it was checked" in _signs(top)[0]


ILL = {
    "rm .git/hooks/commit-msg; rm .git/hooks/pre-push": "git hook commit-msg is missing; run rulec hook install",
    "echo exit 0 >.git/hooks/pre-commit": "git hook pre-commit does not run rulec; run rulec hook install",
    "sed -i s/staged/all/ .git/hooks/pre-commit": (
        "git hook pre-commit was written by another version of rulec; run rulec hook install"
    ),
    "chmod -x .git/hooks/pre-commit": "git hook pre-commit is not executable, so git ignores it; chmod +x ",
    "git config alias.ci 'commit --no-verify'": (
        "git ci bypasses the git hooks: alias.ci is 'commit --no-verify'; git config --unset alias.ci"
    ),
    "git config --global alias.ca '!git add -A && git commit -qan'": (
        "git ca bypasses the git hooks: alias.ca is '!git add -A && git commit -qan'; "
        "git config --global --unset alias.ca"
    ),
    "sed -i 1s:.*:/gone/python: .git/rulec/record": (
        "record names /gone/python, which is gone; commits and pushes are refused unjudged, and so are tool calls; "
        "run rulec init"
    ),
    "echo '#' >>.rules/hook": ".rules/hook differs from its copy in ",
    "echo '#' >>.git/rulec/hook": "/.git/rulec/hook was written by another version of rulec, or for other settings; ",
    "rm .git/rulec/hook": "/.git/rulec/hook is gone, so agents start .rules/hook of the work tree; ",
    "mkdir -p x/hook; echo >x/hook/start.py; sed -i 2s:.*:$PWD/x/hook/start.py: .git/rulec/record": (
        "does not answer as rulec does; what they judge passes"
    ),
    "git config core.hooksPath /dev/null": (
        "core.hooksPath is /dev/null, so no hook runs; git config --unset core.hooksPath"
    ),
    "git config core.hooksPath .husky": (
        "no pre-commit hook in .husky (core.hooksPath); write .husky/pre-commit, executable: sh .rules/hook git"
    ),
    "sed -i s/block/audit/ .rules/compiled/shell/few-lines.sh; echo 'exit 0' >>.rules/compiled/shell/few-lines.sh;"
    "sed -i 's/\"block\"/\"warn\"/' .rules/compiled/shell/no-*.sh; git add -A; git commit -qnm 'Disarm it'": (
        "1 commit not checked by any gate: "
    ),
}


@pytest.mark.parametrize("script", ILL)
def test_it_says_what_is_wrong_and_the_cure(top: Path, script: str) -> None:
    _script(top, script)
    assert any(ILL[script] in line for line in _signs(top)[1]), _signs(top)[1]


@pytest.mark.parametrize(
    "value", ["commit -m 'no-verify'", "log --oneline -n 5", "commit --amend --no-edit", "push -n"]
)
def test_an_alias_that_meets_the_gate_is_no_matter(top: Path, value: str) -> None:
    run(top, "git", "config", "alias.x", value)
    assert _signs(top)[1] == []


def test_fix_lets_git_run_a_hook_again(top: Path) -> None:
    _script(top, "chmod 640 .git/hooks/pre-commit")
    said = rulec(top, "doctor", "--fix", code=None)
    assert "fixed  chmod: pre-commit is executable again" in said
    assert (top / ".git/hooks/pre-commit").stat().st_mode & 0o777 == 0o750
    _script(top, "sed -i 1s:.*:/gone/python: .git/rulec/record")
    rulec(top, "doctor", "--fix", code=None)
    assert _signs(top)[1] == [".github/workflows/rules.yml is in no commit yet; commit .github/workflows/rules.yml"]


def test_a_person_may_let_commits_be_that_went_past_the_gate(top: Path) -> None:
    _script(top, 'for n in 1 2; do echo $n >a; git add a; git commit -qnm "Past $n"; done')
    (line,) = [line for line in _signs(top)[1] if "not checked by any gate" in line]
    wanted = line.partition("with rulec approve ")[2].split()[0]
    assert "is no terminal" in rulec(top, "approve", wanted, code=2)
    assert "names no commits here" in rulec(top, "approve", "no-such", code=2)
    asked: list[str] = []

    def yes(question: str) -> bool:
        asked.append(question)
        return True

    outcome = approve.approve_commits(top, [wanted], yes, reason="read them")
    assert [text.split(" ", 3)[3] for text in asked[0].splitlines()[1:]] == ["Past 2", "Past 1"]
    assert outcome.text.endswith(": read them; 2 commits count as checked here; CI checks them again")
    assert _signs(top)[1] == []
    assert "nothing to approve" in rulec(top, "approve", wanted)


def test_names_that_pre_commit_cannot_take_are_told_until_we_take_its_place(top: Path) -> None:
    move_behind_pre_commit(top)
    _script(top, "git add -A; git commit -qm 'Take pre-commit'; printf x >$'caf\\xe9'; git add -A")
    (line,) = [one for one in _signs(top)[1] if one.startswith("pre-commit ")]
    assert line == (
        "pre-commit refuses commits of 'caf\\xe9': the name is not UTF-8; "
        "rename it, or run rulec hook install --instead"
    )
    assert "left pre-commit to pre-commit" in rulec(top, "hook", "install")
    said = rulec(top, "hook", "install", "--instead")
    assert "put pre-commit.before-rulec out of use: it runs nothing but rulec" in said
    run(top, "git", "commit", "-qm", "Add it")
    assert _signs(top)[1] == []
    path = top / ".pre-commit-config.yaml"
    path.write_text(path.read_text() + "  - repo: meta\n    hooks: [{id: identity}]\n")
    assert any("has hooks that do not run: pre-commit.before-rulec is disabled" in line for line in _signs(top)[1])
    rulec(top, "hook", "uninstall")
    assert (top / ".git/hooks/pre-commit").stat().st_mode & 0o100


def test_a_script_that_somebody_disarmed_is_told_and_does_not_run(top: Path) -> None:
    _script(top, "git rm -q --cached .rules/compiled/shell/few-lines.sh; git commit -qnm x; git reset -q --hard")
    shell = top / ".rules/compiled/shell"
    for path in shell.glob("*.sh"):
        path.write_text(path.read_text().replace("finding ", ": "))
    _script(top, "git add -A; git commit -qnm 'Find nothing'")
    well, ill = _signs(top)
    assert any("not checked by any gate" in line for line in ill), ill
    assert not any("it was not" in line for line in (*well, *ill))


def test_a_module_that_shadows_pre_commits_is_told(top: Path) -> None:
    move_behind_pre_commit(top)
    for name in ("cfgv.py", "argparse.py", "mine.py"):
        (top / name).write_text("raise SystemExit(0)\n")
    told = [line for line in _signs(top)[1] if "shadows a module of pre-commit" in line]
    assert [line.split()[0] for line in told] == ["argparse.py", "cfgv.py"]


def test_commits_past_the_gate_are_listed_until_they_are_judged(top: Path) -> None:
    _script(top, 'for n in 1 2 3 4 5 6 7; do echo $n >a; git add a; git commit -qnm "Past $n"; done')
    (line,) = [line for line in _signs(top)[1] if "not checked by any gate" in line]
    assert line.startswith("7 commits not checked by any gate: ")
    newest, oldest = (run(top, "git", "rev-parse", "--short=10", name).strip() for name in ("HEAD", "HEAD~6"))
    assert newest in line
    assert f" {oldest}," not in line
    assert " and 2 more; check them with rulec check --base " in line
    rulec(top, *line.partition("check them with rulec ")[2].split(",")[0].split())
    assert _signs(top)[1] == []


def test_without_hooks_of_ours_it_says_that_commits_are_not_gated(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    assert "git's hooks do not run rulec: commits are not checked here (rulec hook install)" in _signs(top)[0]

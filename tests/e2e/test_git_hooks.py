"""`rulec hook install`: gates that need neither pre-commit nor the work tree, beside the hooks that stand there."""

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.support import world
from tests.support.gates import hooked, move_behind_pre_commit, rulec, run

NOT_OURS = '#!/bin/sh\necho theirs "$0" "$@"\n'


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository behind its git hooks."""
    return hooked(tmp_path / "repo")


def _bad(top: Path, *options: str, code: int = 1, **environment: str) -> str:
    (top / "bad").write_text("XXX\n")
    run(top, "git", "add", "bad")
    return run(top, "git", "commit", "-m", "Add it", *options, code=code, **environment)


def _write(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_install_twice_changes_nothing_and_uninstall_takes_it_all_out(top: Path) -> None:
    assert "everything is in place" in rulec(top, "hook", "install")
    said = rulec(top, "hook", "uninstall")
    assert said.splitlines() == [
        f"uninstalled {name}" for name in ("pre-commit", "prepare-commit-msg", "commit-msg", "pre-push")
    ]
    assert not [path for path in (top / ".git/hooks").iterdir() if path.suffix != ".sample"]
    assert "no git hook of rulec's is here" in rulec(top, "hook", "uninstall")
    _bad(top, code=0)


def test_without_a_rulebook_there_is_nothing_to_install(tmp_path: Path) -> None:
    run(tmp_path, "git", "init", "-q")
    assert "has no rulebook; run rulec init" in rulec(tmp_path, "hook", "install", code=2).replace("; to mend: ", "; ")


@pytest.mark.parametrize("name", ["pre-commit", "commit-msg"])
def test_a_hook_that_stood_there_is_run_first_and_comes_back(top: Path, name: str) -> None:
    rulec(top, "hook", "uninstall")
    hook = _write(top / ".git/hooks" / name, NOT_OURS)
    said = rulec(top, "hook", "install")
    assert f"installed {name}, which runs {name}.before-rulec first" in said
    assert "everything is in place" in rulec(top, "hook", "install")
    refused = _bad(top)
    assert "refused by no-bad-line" in refused
    (top / "bad").write_text("x\n")
    run(top, "git", "add", "bad")
    said = run(top, "git", "commit", "-m", "Add it")
    assert "theirs .git/hooks/" + name in said
    _write(hook.with_name(f"{name}.before-rulec"), "#!/bin/sh\nexit 3\n")
    run(top, "git", "commit", "--allow-empty", "-m", "Add it", code=1)
    assert "put back what stood there before" in rulec(top, "hook", "uninstall")
    assert hook.read_text() == "#!/bin/sh\nexit 3\n"


def test_a_hook_that_git_passed_over_is_not_run_but_kept(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    hook = _write(top / ".git/hooks/pre-commit", "#!/bin/sh\nexit 3\n")
    hook.chmod(0o644)
    rulec(top, "hook", "install")
    run(top, "git", "commit", "--allow-empty", "-m", "Add it")
    rulec(top, "hook", "uninstall")
    assert hook.read_text() == "#!/bin/sh\nexit 3\n"


def test_a_hook_that_took_our_place_is_left_alone(top: Path) -> None:
    rulec(top, "hook", "uninstall")
    hook = _write(top / ".git/hooks/pre-commit", NOT_OURS)
    rulec(top, "hook", "install")
    _write(hook, "#!/bin/sh\n# another\n")
    assert "another hook is there now" in rulec(top, "hook", "uninstall")
    assert hook.read_text() == "#!/bin/sh\n# another\n"
    assert "would be lost" in rulec(top, "hook", "install", code=2)


@pytest.mark.parametrize("folder", [".husky", "../hooks"])
def test_where_the_hooks_are_elsewhere_it_says_what_to_add(top: Path, folder: str) -> None:
    rulec(top, "hook", "uninstall")
    run(top, "git", "config", "core.hooksPath", folder)
    said = rulec(top, "hook", "install", code=1)
    (top / folder).mkdir()
    told = re.findall(r"write (\S+), executable: (.+)", said)
    assert [Path(place).name for place, _ in told] == ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-push"]
    for place, line in told:
        _write(top / place, f"#!/bin/sh\n{line}\n")
    assert "refused by no-bad-line" in _bad(top)
    assert f"the hooks in {folder} run rulec" in rulec(top, "hook", "install")


def test_a_hooks_folder_that_is_a_link_is_not_written_through(top: Path, tmp_path: Path) -> None:
    shutil.move(top / ".git/hooks", tmp_path / "shared")
    (top / ".git/hooks").symlink_to(tmp_path / "shared")
    before = sorted(path.name for path in (tmp_path / "shared").iterdir())
    assert "shared run rulec" in rulec(top, "hook", "install")
    assert sorted(path.name for path in (tmp_path / "shared").iterdir()) == before


def test_nothing_of_the_work_tree_can_take_its_place(top: Path) -> None:
    names = ["rulec.py", "click.py", "json.py", "sitecustomize.py", "cfgv.py"]
    for name in names:
        (top / name).write_text("raise SystemExit(0)\n")
    _write(top / ".rules/hook", "#!/bin/sh\nexit 0\n")
    (top / ".pre-commit-config.yaml").write_text("repos: []\n")
    (top / "bad").write_text("XXX\n")
    run(top, "git", "add", *names, "bad")
    said = run(top, "git", "commit", "-m", "Add it", code=1, PYTHONPATH=str(top), PYTHONSTARTUP=str(top / "click.py"))
    assert "refused by no-bad-line" in said


def test_where_what_starts_rulec_is_gone_nothing_passes(top: Path) -> None:
    (top / ".git/rulec/hook").unlink()
    assert "refused by no-bad-line" in _bad(top)
    (top / ".rules/hook").unlink()
    assert "is gone, so nothing was checked; run: rulec hook install" in _bad(top)


def test_every_worktree_has_the_same_gate(top: Path, tmp_path: Path) -> None:
    run(top, "git", "worktree", "add", "-q", str(tmp_path / "linked"))
    assert "everything is in place" in rulec(tmp_path / "linked", "hook", "install")
    assert "refused by no-bad-line" in _bad(tmp_path / "linked")


@pytest.fixture
def both(top: Path) -> Path:
    """That repository with pre-commit's configuration and hooks."""
    move_behind_pre_commit(top)
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qnm", "Use pre-commit")
    return top


def test_where_pre_commit_runs_rulec_only_the_rest_is_installed(both: Path) -> None:
    said = rulec(both, "hook", "install")
    assert "left pre-commit to pre-commit, which runs rulec by .pre-commit-config.yaml" in said
    assert "left pre-push to pre-commit, which runs rulec by .pre-commit-config.yaml" in said
    assert _bad(both).count("refused by no-bad-line") == 1


def test_on_a_strangers_branch_our_hooks_run_nothing_of_it(both: Path) -> None:
    assert "runs nothing but rulec" in rulec(both, "hook", "install", "--instead")
    run(both, "git", "checkout", "-qb", "strangers")
    marks = "touch stranger; exit 0"
    (both / ".rules/hook").write_text(f"#!/bin/sh\n{marks}\n")
    entry = f"{{id: rulec, name: x, language: system, entry: sh -c '{marks}', always_run: true}}"
    (both / ".pre-commit-config.yaml").write_text(f"repos: [{{repo: local, hooks: [{entry}]}}]\n")
    run(both, "git", "add", "-A")
    run(both, "git", "-c", "core.hooksPath=/dev/null", "commit", "-qm", "Theirs")
    assert _bad(both).count("refused by no-bad-line") == 1
    assert not (both / "stranger").exists()


def test_init_leaves_our_own_hooks_in_place(top: Path) -> None:
    (top / ".rules/config.yaml").write_text("schema: 1\nemitters: [pre-commit]\n")
    rulec(top, "init", "--yes")
    assert "generated by rulec" in (top / ".git/hooks/pre-commit").read_text()
    assert not (top / ".git/hooks/pre-commit.legacy").exists()
    assert _bad(top).count("refused by no-bad-line") == 1


def test_pre_commit_judges_a_push_where_a_team_installs_that(both: Path, tmp_path: Path) -> None:
    run(tmp_path, "git", "clone", "-q", "--bare", str(both), "remote.git")
    run(both, "git", "remote", "add", "origin", str(tmp_path / "remote.git"))
    run(both, "git", "fetch", "-q", "origin")
    run(both, sys.executable, "-P", "-m", "pre_commit", "install", "-t", "pre-push")
    run(both, "git", "push", "-q", "origin", "HEAD:first")
    _bad(both, "--no-verify", code=0)
    assert "refused by no-bad-line" in run(both, "git", "push", "-q", "origin", "HEAD:main", code=1)
    assert "refused by no-bad-line" in run(both, "git", "push", "-q", "origin", "HEAD:second", code=1)


def test_line_ends_that_git_turns_are_found_and_cured(tmp_path: Path) -> None:
    hooked(tmp_path / "made")
    run(tmp_path, "git", "clone", "-q", "-c", "core.autocrlf=true", "made", "top")
    top = tmp_path / "top"
    launcher = top / ".rules/hook"
    assert b"\r\n" in launcher.read_bytes()
    assert "missing or stale: .rules/hook" in rulec(top, "compile", "--check", code=1)
    rulec(top, "doctor", "--fix", code=1)
    assert b"\r\n" not in launcher.read_bytes()


def test_where_pre_commit_cannot_work_init_says_what_checks_commits_there(tmp_path: Path) -> None:
    top = tmp_path / os.fsdecode(b"caf\xe9")
    world.run(tmp_path, "init", "-q", str(top))
    (top / ".pre-commit-config.yaml").write_text(
        "repos:\n- repo: local\n  hooks:\n  - {id: x, name: x, entry: x, language: system}\n"
    )
    said = world.begin(top, "init", "--yes", "--agent", "claude-code", "--no-ci", code=2)
    assert said.err.count("\n") == 1
    assert "its path is not UTF-8" in said.err
    world.begin(top, "hook", "install", "--instead")
    world.begin(top, "doctor", code=None)


def test_a_clean_commit_prints_one_line_and_one_with_warnings_no_second(top: Path) -> None:
    rulec(top, "set", "no-bad-line", "warn")
    for path, text, told in (
        ("a.txt", "x", "no findings"),
        ("src/b.md", "x", "no findings"),
        ("c.txt", "XXX", "1 warned"),
    ):
        (top / path).write_text(f"{text}\n")
        run(top, "git", "add", path)
        *before, last = run(top, "git", "commit", "-qm", "Go on").splitlines()
        assert told in last
        assert bool(before) == ("warned" in last)
        assert not [line for line in before if line.startswith("rulec: ")]
    run(top, "git", "checkout", "-qb", "other", "HEAD~1")
    assert len(run(top, "git", "commit", "-qm", "Elsewhere", "--allow-empty").splitlines()) == 1
    assert len(run(top, "git", "merge", "-q", "--no-ff", "-m", "Merge it", "main").splitlines()) == 1

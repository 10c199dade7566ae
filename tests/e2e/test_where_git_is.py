"""The rulebook is changed wherever git can commit: by one commit of nothing else, and the work tree is clean then."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.rules import fill

RETIRE = ("retire", "use-pnpm", "--because", "we left JavaScript")


def _git(top: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=top, capture_output=True, text=True, check=True).stdout


def _init(top: Path, *options: str) -> Path:
    top.mkdir(parents=True)
    _git(top, "init", "-q", "-b", "main", *options)
    return top


def _retires(rulec: Run, top: Path, cwd: Path | None = None) -> str:
    """What rulec says while it makes one commit, with its files and no others."""
    said = rulec(*RETIRE, cwd=cwd or top).stdout
    assert "retired use-pnpm: commit " in said
    assert _git(top, "diff-tree", "-r", "--no-commit-id", "--name-only", "--no-renames", "HEAD").splitlines() == [
        ".rules/archive/use-pnpm.yaml",
        ".rules/compiled/guard/use-pnpm.json",
        ".rules/compiled/words/use-pnpm.json",
        ".rules/use-pnpm.yaml",
    ]
    assert _git(top, "status", "--porcelain") == ""
    rulec("compile", "--check", cwd=cwd or top)
    return said


def test_in_a_linked_worktree(ruled: Path, rulec: Run) -> None:
    tree = ruled.parent / "tree"
    _git(ruled, "worktree", "add", "-q", "-b", "topic", str(tree))
    main = _git(ruled, "rev-parse", "main")
    _retires(rulec, tree)
    assert _git(ruled, "rev-parse", "main") == main
    assert _git(ruled, "status", "--porcelain") == ""
    assert (ruled / ".rules/use-pnpm.yaml").exists()
    refused = rulec("set", "no-stash", "warn", "--branch", "main", cwd=tree, code=2).stderr
    assert f"{ruled}: main is checked out in another work tree; run rulec there instead" in refused


def test_in_a_linked_worktree_while_the_other_one_rebases(ruled: Path, rulec: Run) -> None:
    tree = ruled.parent / "tree"
    _git(ruled, "worktree", "add", "-q", "-b", "topic", str(tree))
    subprocess.run(["git", "rebase", "-q", "--exec", "false", "HEAD~1"], cwd=ruled, capture_output=True, check=False)
    assert "a rebase is under way" in rulec(*RETIRE, code=2).stderr
    _retires(rulec, tree)


def test_in_a_submodule(ruled: Path, rulec: Run) -> None:
    top = _init(ruled.parent / "super")
    _git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(ruled), "deps/rules")
    _git(top, "commit", "-qm", "Add it")
    _retires(rulec, top / "deps/rules")
    assert _git(top, "status", "--porcelain") == " M deps/rules\n", "the outer repository has not been touched"


def test_with_the_git_folder_elsewhere(tmp_path: Path, rulec: Run) -> None:
    top = _init(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    fill(top)
    _retires(rulec, top)


def test_on_a_detached_head_it_commits_there_and_says_so(ruled: Path, rulec: Run) -> None:
    main = _git(ruled, "rev-parse", "main")
    _git(ruled, "checkout", "-q", "--detach")
    assert "; HEAD is detached: the commit is on no branch\n" in _retires(rulec, ruled)
    assert _git(ruled, "rev-parse", "main", "HEAD~1") == main * 2


def test_in_a_shallow_clone(ruled: Path, rulec: Run) -> None:
    top = ruled.parent / "shallow"
    _git(ruled, "clone", "-q", "--depth", "1", ruled.as_uri(), str(top))
    _retires(rulec, top)
    assert "next: git push -u origin rules" in rulec("set", "no-stash", "warn", "--branch", "rules", cwd=top).stdout
    _git(top, "push", "-q", "origin", "rules")
    assert "enforcement: warn" in _git(ruled, "show", "rules:.rules/no-stash.yaml")


def test_in_a_repository_of_sha256_objects(tmp_path: Path, rulec: Run) -> None:
    top = _init(tmp_path / "long", "--object-format=sha256")
    fill(top)
    _retires(rulec, top)
    rulec("set", "no-stash", "warn", "--branch", "rules", cwd=top)
    assert len(_git(top, "rev-parse", "rules").strip()) == 64


def test_in_a_repository_without_commits(tmp_path: Path, rulec: Run) -> None:
    top = _init(tmp_path / "young")
    rulec("init", "--yes", "--no-ci", "--agent", "claude-code", cwd=top)
    (top / "mine.txt").write_text("x\n")
    _git(top, "add", "mine.txt")
    assert (
        "there is no commit to start a branch from"
        in rulec("add", "Never use git stash", "--yes", "--branch", "x", cwd=top, code=2).stderr
    )
    rulec("add", "Never use git stash", "--yes", cwd=top)
    assert _git(top, "rev-list", "--count", "main") == "1\n"
    names = _git(top, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert ".rules/no-git-stash.yaml" in names
    assert all(name.startswith(".rules/") for name in names), "what else is not committed yet is the person's to commit"
    assert "A  mine.txt" in _git(top, "status", "--porcelain")


@pytest.mark.parametrize("cone", ["--cone", "--no-cone"])
def test_in_a_sparse_checkout(ruled: Path, rulec: Run, cone: str) -> None:
    (ruled / "big").mkdir()
    (ruled / "big/file.txt").write_text("x\n")
    _git(ruled, "add", "-A")
    _git(ruled, "commit", "-qm", "Something big")
    _git(ruled, "sparse-checkout", "set", cone, ".rules", *(["/AGENTS.md"] if cone == "--no-cone" else []))
    assert not (ruled / "big").exists()
    assert not (ruled / ".claude").exists()
    _retires(rulec, ruled)
    assert not (ruled / "big").exists()
    assert not (ruled / ".claude").exists(), "what is left out stays left out"
    assert "S .claude/settings.json" in _git(ruled, "ls-files", "-t")


def test_in_a_sparse_checkout_that_leaves_the_rulebook_out(ruled: Path, rulec: Run) -> None:
    (ruled / "src").mkdir()
    (ruled / "src/a.py").write_text("x = 1\n")
    _git(ruled, "add", "-A")
    _git(ruled, "commit", "-qm", "Code")
    _git(ruled, "sparse-checkout", "set", "src")
    refused = rulec(*RETIRE, code=2).stderr
    assert "is not in this sparse checkout; run git sparse-checkout add .rules" in refused
    rulec(*RETIRE, "--branch", "rules")
    assert not (ruled / ".rules").exists()
    assert "retired: " in _git(ruled, "show", "rules:.rules/archive/use-pnpm.yaml")


@pytest.mark.parametrize("setting", ["core.splitIndex", "index.sparse", "core.untrackedCache"])
def test_with_an_index_of_another_form(ruled: Path, rulec: Run, setting: str) -> None:
    _git(ruled, "config", setting, "true")
    _git(ruled, "update-index", "--force-write-index")
    _retires(rulec, ruled)


def test_with_line_ends_of_another_system(ruled: Path, rulec: Run) -> None:
    top = ruled.parent / "crlf"
    _git(ruled, "clone", "-q", "-c", "core.autocrlf=true", str(ruled), str(top))
    assert b"\r\n" in (top / ".rules/use-pnpm.yaml").read_bytes()
    (top / "mine.txt").write_bytes(b"a\r\nb\r\n")
    _git(top, "add", "mine.txt")
    staged = _git(top, "diff", "--cached")
    assert "retired use-pnpm" in rulec(*RETIRE, cwd=top).stdout
    assert _git(top, "diff", "--cached") == staged
    assert _git(top, "diff", "--stat") == ""
    assert "\r" not in _git(top, "show", "HEAD:.rules/archive/use-pnpm.yaml")
    rulec("compile", "--check", cwd=top)


def test_from_a_folder_below_and_through_a_link(ruled: Path, rulec: Run) -> None:
    (ruled / "src/deep").mkdir(parents=True)
    (ruled.parent / "link").symlink_to(ruled / "src")
    _retires(rulec, ruled, cwd=ruled.parent / "link/deep")


def test_two_writers_at_once_and_a_person_who_commits_lose_nothing(ruled: Path) -> None:
    rulec = [sys.executable, "-m", "rulec"]
    verbs = [
        [*rulec, "set", "no-stash", "warn"],
        [*rulec, *RETIRE],
        ["git", "commit", "-q", "--allow-empty", "-m", "Mine"],
    ]
    running = [subprocess.Popen(argv, cwd=ruled, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for argv in verbs]
    ended = [(one.communicate()[1].decode(), one.returncode) for one in running]
    for said, code in ended[:2]:
        assert code in (0, 2), said
        assert code == 0 or "is writing here" in said or "another git" in said or "update-ref" in said
    assert int(_git(ruled, "rev-list", "--count", "HEAD")) == 2 + sum(code == 0 for _, code in ended)
    assert _git(ruled, "status", "--porcelain") == ""
    subprocess.run([*rulec, "compile", "--check"], cwd=ruled, check=True, capture_output=True)


def test_a_bare_repository_has_no_work_tree_to_write(tmp_path: Path, rulec: Run) -> None:
    top = _init(tmp_path / "bare.git", "--bare")
    assert "not in a work tree; cd into the work tree" in rulec(*RETIRE, cwd=top, code=2).stderr


def test_a_rulebook_that_is_a_repository_of_its_own_or_a_link_is_left_alone(ruled: Path, rulec: Run) -> None:
    top = _init(ruled.parent / "outer")
    _git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(ruled), ".rules")
    _git(top, "commit", "-qm", "Add it")
    (top / ".rules/config.yaml").write_text("schema: 1\n")
    said = ".rules: is a link or a repository of its own; make it a plain folder, or run rulec where it lives"
    assert said in rulec(*RETIRE, cwd=top, code=2).stderr
    other = _init(ruled.parent / "linking")
    (other / ".rules").symlink_to(ruled / ".rules")
    assert said in rulec(*RETIRE, cwd=other, code=2).stderr
    assert _git(ruled, "status", "--porcelain") == ""

"""A change of the rulebook on a branch of its own: for a pull request, and beside whatever the person is doing."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

NAME = "rules/pnpm"


def _state(top: Path, git: Run) -> tuple[str, ...]:
    """All that --branch may not touch."""
    files = sorted(p for p in top.rglob("*") if p.is_file() and ".git" not in p.relative_to(top).parts)
    texts = [f"{path} {path.read_bytes()!r} {path.stat().st_mtime_ns}" for path in files]
    return (*texts, git("ls-files", "-s", "--debug").stdout, git("rev-parse", "HEAD", "--abbrev-ref", "HEAD").stdout)


@pytest.mark.parametrize(
    "verb",
    [
        ["set", "no-stash", "warn"],
        ["set", "use-pnpm", "warn"],
        ["retire", "use-pnpm", "--because", "x"],
        ["retire", "use-pnpm", "--for", "no-stash"],
        ["edit", "use-pnpm", "--file", "../new.yaml"],
        ["add", "Never use git stash pop", "--yes"],
        ["rollback", "use-pnpm", "--to", "HEAD~1"],
    ],
)
def test_every_changing_verb_commits_on_the_branch_and_touches_nothing_else(
    ruled: Path, rulec: Run, git: Run, verb: list[str]
) -> None:
    text = (ruled / ".rules/use-pnpm.yaml").read_text()
    (ruled.parent / "new.yaml").write_text(text.replace("severity: should", "severity: must"))
    if verb[0] == "rollback":
        rulec("set", "use-pnpm", "warn")
    (ruled / "mine.txt").write_text("half done\n")
    git("add", "mine.txt")
    before = _state(ruled, git)
    said = rulec(*verb, "--branch", NAME).stdout
    assert _state(ruled, git) == before
    head, tip = git("rev-parse", "HEAD").stdout, git("rev-parse", NAME).stdout
    assert f"{tip[:10]} on {NAME}" in said
    assert git("rev-parse", f"{NAME}~1").stdout == head, "one commit"
    assert "Resolution: " in git("log", "-1", "--format=%B", NAME).stdout
    assert "mine.txt" not in git("ls-tree", "-r", "--name-only", NAME).stdout
    git("worktree", "add", "-q", "../tree", NAME)
    rulec("compile", "--check", cwd=ruled.parent / "tree")


def test_the_rulebook_of_the_branch_is_what_is_changed(ruled: Path, rulec: Run, git: Run) -> None:
    rulec("set", "no-stash", "warn", "--branch", NAME)
    rulec("set", "no-stash", "block", "--branch", NAME)
    assert "is pinned to audit already" in rulec("set", "no-stash", "audit").stdout, "HEAD knows nothing of it"
    rulec("retire", "use-pnpm", "--because", "x", "--branch", NAME)
    assert (
        f"{NAME}:.rules/archive/use-pnpm.yaml"
        in f"{NAME}:"
        + rulec("retire", "use-pnpm", "--because", "x", "--branch", NAME, code=2).stderr.partition("rulec: ")[2]
    )
    assert git("rev-list", "--count", f"HEAD..{NAME}").stdout == "3\n"
    assert "enforcement: block" in git("show", f"{NAME}:.rules/no-stash.yaml").stdout
    git("merge", "-q", "--ff-only", NAME)
    rulec("compile", "--check")


def test_what_the_work_tree_holds_is_not_read(ruled: Path, rulec: Run, git: Run) -> None:
    (ruled / ".rules/use-pnpm.yaml").write_text("[not: even: yaml\n")
    (ruled / ".rules/no-stash.yaml").unlink()
    rulec("set", "no-stash", "warn", "--branch", NAME)
    assert git("diff", "--name-only", "HEAD", NAME).stdout.splitlines() == [
        ".rules/compiled/guard/no-stash.json",
        ".rules/compiled/words/no-stash.json",
        ".rules/no-stash.yaml",
    ]


def test_a_file_of_the_branch_that_is_wrong_is_named_with_the_branch(ruled: Path, rulec: Run, git: Run) -> None:
    git("switch", "-qc", NAME)
    (ruled / ".rules/no-stash.yaml").write_text("schema: 2\n")
    git("commit", "-qam", "Break it")
    git("switch", "-q", "main")
    assert f"{NAME}:.rules/no-stash.yaml:1" in rulec("set", "no-stash", "warn", "--branch", NAME, code=2).stderr


def test_it_says_how_to_push_the_branch_where_there_is_a_remote(ruled: Path, rulec: Run, git: Run) -> None:
    assert "push" not in rulec("set", "no-stash", "warn", "--branch", NAME).stdout
    git("remote", "add", "fork", "../x")
    assert f"next: git push -u fork {NAME}\n" in rulec("set", "no-stash", "block", "--branch", NAME).stdout
    git("remote", "add", "origin", "../x")
    assert f"next: git push -u origin {NAME}\n" in rulec("set", "no-stash", "warn", "--branch", NAME).stdout


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("main", "main is checked out here; leave --branch out to commit on it"),
        ("taken", "taken is checked out in another work tree"),
        ("rebased", "rebased is checked out in another work tree"),
        ("theirs", "origin/theirs is not here yet; git branch theirs origin/theirs, then again"),
        ("a..b", "'a..b' is not a branch name"),
        ("-x", "'-x' is not a branch name"),
        ("@{-1}", "'@{-1}' is not a branch name"),
        ("HEAD", "'HEAD' is not a branch name"),
        ("refs/heads/x", "'refs/heads/x' is not a branch name"),
        ("", "the branch has no name"),
        ("taken/below", "cannot create 'refs/heads/taken/below'"),
    ],
)
def test_a_branch_that_cannot_be_committed_to_is_refused(
    ruled: Path, rulec: Run, git: Run, name: str, says: str
) -> None:
    git("worktree", "add", "-q", "-b", "taken", "../taken")
    git("worktree", "add", "-q", "-b", "rebased", "../rebased")
    git("-C", "../rebased", "rebase", "-q", "--exec", "false", "HEAD~1", check=False)
    git("update-ref", "refs/remotes/origin/theirs", "HEAD")
    refs = git("for-each-ref").stdout
    refused = rulec("set", "no-stash", "warn", "--branch", name, code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1
    assert git("for-each-ref").stdout == refs


def test_a_branch_without_a_rulebook_is_refused(ruled: Path, rulec: Run, git: Run) -> None:
    git("branch", "bare", "HEAD~1")
    refused = rulec("set", "no-stash", "warn", "--branch", "bare", code=2).stderr
    assert "bare: has no rulebook; commit the rulebook of the work tree first" in refused


def test_other_check_templates_than_the_branchs_build_nothing(ruled: Path, rulec: Run) -> None:
    (ruled / ".rules/templates/checks").mkdir(parents=True)
    (ruled / ".rules/templates/checks/mine.j2").write_text("x\n")
    refused = rulec("set", "no-stash", "warn", "--branch", NAME, code=2).stderr
    assert ".rules/templates/checks/mine.j2: differs from the commit that the change would follow" in refused


def test_several_accepted_rules_are_a_commit_each_on_one_branch(
    ruled: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    from tests.support.session import ClaudeSession, logger  # noqa: PLC0415 - one test's

    said = ClaudeSession(ruled).person("Clean up.").runs("git reset --hard").agent("Done.")
    said.person("Never use git reset --hard.").runs("git status").agent("Ok.")
    for number, session in enumerate((said, logger(ruled))):
        rulec("ingest", str(session.save(tmp_path / f"{number}.jsonl")))
    waits = [item["slug"] for item in json.loads(rulec("review", "--format", "json").stdout)]
    assert len(waits) == 2
    before = _state(ruled, git)
    git("remote", "add", "origin", "../x")
    out = rulec("review", *(part for slug in waits for part in ("--accept", slug)), "--branch", NAME).stdout
    assert _state(ruled, git) == before
    assert git("rev-list", "--count", f"HEAD..{NAME}").stdout == "2\n"
    assert out.count(f"git push -u origin {NAME}") == 1

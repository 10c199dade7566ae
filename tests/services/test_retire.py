"""A person takes a rule out of force: one commit, a reason that stays, and nothing of the rule acts any more."""

from pathlib import Path

import pytest

from tests.conftest import Run


def test_a_retired_rule_is_in_the_archive_with_its_reason_and_its_artifacts_are_gone(
    ruled: Path, rulec: Run, git: Run
) -> None:
    said = rulec("retire", "use-pnpm", "--because", "we left\nJavaScript ").stdout
    assert said == f"retired use-pnpm: commit {git('rev-parse', '--short=10', 'HEAD').stdout}"
    archived = (ruled / ".rules/archive/use-pnpm.yaml").read_text()
    assert "retired: we left JavaScript\n" in archived
    assert "revision: 2\n" in archived
    assert "# the comment of a person" in archived
    assert not (ruled / ".rules/use-pnpm.yaml").exists()
    assert not list((ruled / ".rules/compiled").rglob("use-pnpm*"))
    assert "use-pnpm" not in (ruled / "AGENTS.md").read_text()
    assert (ruled / ".rules/evidence/use-pnpm").is_dir(), "evidence never changes"
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")


def test_its_commit_says_what_was_decided_and_why(ruled: Path, rulec: Run, git: Run) -> None:
    rulec("retire", "use-pnpm", "--because", "we left JavaScript")
    body = git("log", "-1", "--format=%B").stdout
    assert body.splitlines()[:3] == ["Retire use-pnpm", "", "It says: Use pnpm, never npm."]
    trailers = git("log", "-1", "--format=%(trailers:only,unfold)").stdout
    assert trailers.strip().splitlines() == [
        "Resolution: RETIRE use-pnpm -- we left JavaScript",
        "Rule: use-pnpm@2",
    ]


def test_rollback_brings_it_back(ruled: Path, rulec: Run, git: Run) -> None:
    before = git("rev-parse", "HEAD^{tree}").stdout
    rulec("retire", "use-pnpm", "--because", "a mistake")
    rulec("rollback", "use-pnpm")
    assert git("rev-parse", "HEAD^{tree}").stdout == before


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["nope", "--because", "x"], "no rule 'nope'; the rules are no-stash, plain-words, use-pnpm"),
        (["../x", "--because", "x"], "no rule '../x'"),
        (["config", "--because", "x"], "no rule 'config'"),
        (["use-pnpm", "--because", " \n"], "the reason is empty"),
        (["use-pnpm"], "the reason is empty"),
        (["use-pnpm", "--because", "x", "--no-commit", "--branch", "y"], "exclude each other"),
    ],
)
def test_what_cannot_be_retired_is_refused_in_one_line(
    ruled: Path, rulec: Run, git: Run, args: list[str], says: str
) -> None:
    refused = rulec("retire", *args, code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1
    assert git("status", "--porcelain").stdout == ""


def test_an_archived_rule_is_not_retired_again(ruled: Path, rulec: Run) -> None:
    rulec("retire", "use-pnpm", "--because", "x")
    refused = rulec("retire", "use-pnpm", "--because", "x", code=2).stderr
    assert "use-pnpm is in the archive, no rule in force; rulec rollback use-pnpm brings it back" in refused


def test_an_older_rule_of_the_name_in_the_archive_is_not_lost(ruled: Path, rulec: Run) -> None:
    (ruled / ".rules/archive").mkdir()
    (ruled / ".rules/archive/use-pnpm.yaml").write_text("an older one\n")
    assert "is in force too, as .rules/use-pnpm.yaml" in rulec("retire", "use-pnpm", "--because", "x", code=2).stderr
    assert (ruled / ".rules/archive/use-pnpm.yaml").read_text() == "an older one\n"


def test_a_secret_in_the_reason_does_not_touch_the_disk(ruled: Path, rulec: Run, git: Run) -> None:
    key = "ghp_" + "a1B2" * 9
    rulec("retire", "use-pnpm", "--because", f"the token {key} leaked")
    assert key not in git("show", "HEAD").stdout


def test_words_that_are_no_text_are_no_bug(ruled: Path, rulec: Run, git: Run) -> None:
    rulec("retire", "use-pnpm", "--because", "caf\udce9")
    assert "RETIRE use-pnpm -- caf?" in git("log", "-1", "--format=%B").stdout


def test_no_commit_leaves_it_in_the_work_tree(ruled: Path, rulec: Run, git: Run) -> None:
    head = git("rev-parse", "HEAD").stdout
    said = rulec("retire", "use-pnpm", "--because", "x", "--no-commit").stdout
    assert said == "retired use-pnpm: written in the work tree, not committed\n"
    assert git("rev-parse", "HEAD").stdout == head
    assert git("diff", "--cached", "--name-only").stdout == ""
    assert (ruled / ".rules/archive/use-pnpm.yaml").exists()
    rulec("compile", "--check")

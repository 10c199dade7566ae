"""``rulec exception``: a rule is narrowed in one commit, proved with examples of its own, or it is refused."""

import json
import sys
from pathlib import Path

import pytest

from rulec.domain.rule import Rule
from rulec.rulebook import rule_file
from tests.conftest import Run
from tests.support import rules
from tests.support.terminal import on_terminal

WHY = ("--because", "the old tree stays with npm")


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules."""
    rules.fill(repo)
    return repo


def _rule(top: Path, slug: str = "use-pnpm") -> Rule:
    path = f".rules/{slug}.yaml"
    return rule_file.parse_rule((top / path).read_text(), source=path)


def test_no_secret_of_an_exception_reaches_the_repository(book: Path, rulec: Run, git: Run) -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    for where in (("--agent", token), ("--command", f"npm view {token}")):
        rulec("exception", "use-pnpm", *where, "--because", f"it is {token}")
        rulec("exception", "use-pnpm", *where, "--because", f"it is {token}", "--once")
    assert token not in git("log", "-p", "--all").stdout


def test_an_exception_is_one_commit_that_is_proved_and_keeps_comments(book: Path, rulec: Run, git: Run) -> None:
    said = rulec("exception", "use-pnpm", "--path", "legacy/**", *WHY).stdout
    assert "use-pnpm@2 leaves legacy/** alone: commit " in said
    assert "passes now: cd legacy && npm install left-pad" in said
    assert "still catches: npm install left-pad" in said
    rule = _rule(book)
    assert rule.revision == 2
    (one,) = rule.exceptions
    assert (one.because, one.scope.include) == ("the old tree stays with npm", ("legacy/**",))
    assert [example.text for example in one.valid] == ["cd legacy && npm install left-pad"]
    text = (book / ".rules/use-pnpm.yaml").read_text()
    assert "# the comment of a person" in text
    assert "# and another one" in text
    message = git("log", "-1", "--format=%B").stdout
    assert "Resolution: UPDATE use-pnpm -- except legacy/**: the old tree stays with npm\nRule: use-pnpm@2\n" in message
    assert "Evidence: " in message
    assert git("status", "--porcelain").stdout == ""
    changed = git("show", "--name-only", "--format=", "HEAD").stdout.split()
    assert all(path.startswith(".rules/") or path == "AGENTS.md" for path in changed), changed
    rulec("compile", "--check")
    assert "use-pnpm@2  proved" in " ".join(rulec("test", "use-pnpm").stdout.split("\n"))


def test_a_form_of_a_command_takes_its_example_along(book: Path, rulec: Run) -> None:
    path = book / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("left-pad}]\n  valid", "left-pad}, {command: npm ci}]\n  valid"))
    rulec("compile")
    said = rulec("exception", "use-pnpm", "--command", "npm ci", *WHY, "--no-commit").stdout
    assert "leaves `npm ci` alone: written in the work tree" in said
    rule = _rule(book)
    assert [example.text for example in rule.invalid] == ["npm install left-pad"]
    assert [example.text for example in rule.exceptions[0].valid] == ["npm ci"]
    rulec("compile", "--check")


def test_bounds_hold_together(book: Path, rulec: Run) -> None:
    rulec("exception", "use-pnpm", "--command", "npm publish", "--path", "web/", "--agent", "codex", *WHY)
    (one,) = _rule(book).exceptions
    assert (one.commands, one.scope.include, one.scope.agents) == (("npm publish",), ("web/",), ("codex",))
    assert [example.text for example in one.valid] == ["cd web && npm publish"]


def test_a_reminder_takes_an_exception_in_words_alone(book: Path, rulec: Run) -> None:
    rulec("exception", "plain-words", "--path", "docs/**", *WHY)
    (one,) = _rule(book, "plain-words").exceptions
    assert one.valid == ()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("use-pnpm",), "say what to exempt; pass --path GLOB, --command TEXT or --agent NAME"),
        (("no-such-rule", "--path", "x/**"), "no rule 'no-such-rule'"),
        (("use-pnpm", "--command", "ls"), "use-pnpm does not catch `ls` as it is"),
        (("use-pnpm", "--command", "npm"), "use-pnpm would forbid nothing any more"),
        (("use-pnpm", "--path", "**"), "--path ** is everywhere; rulec retire takes a rule out of force"),
        (("use-pnpm", "--path", "*"), "use-pnpm does not catch * as it is"),
        (("use-pnpm", "--command", "npm ci && ls"), "'npm ci && ls' is not a single plain command"),
        (("use-pnpm", "--path", "{a,b" + "{" * 300 + "}" * 300), "--path "),
        (("use-pnpm", "--path", "x/**", "--because", "  "), "the reason is empty"),
    ],
)
def test_what_is_no_exception_is_one_clear_refusal(
    book: Path, rulec: Run, git: Run, argv: tuple[str, ...], said: str
) -> None:
    because = () if "--because" in argv else WHY
    refused = rulec("exception", *argv, *because, code=2).stderr
    assert refused.count("\n") == 1
    assert said in refused
    assert git("status", "--porcelain").stdout == ""


def test_the_same_exception_twice_is_refused(book: Path, rulec: Run) -> None:
    rulec("exception", "use-pnpm", "--path", "legacy/**", *WHY)
    again = rulec("exception", "use-pnpm", "--path", "legacy/**", *WHY, code=2).stderr
    assert "use-pnpm leaves legacy/** alone already" in again


def test_an_agent_is_no_bound_where_nobody_knows_it(repo: Path, rulec: Run, git: Run) -> None:
    rules.fill(repo)
    text = rules.STASH.replace("no-stash", "lower-case").replace("guard", "shell")
    text = text.replace("forbid-command, with: {commands: [git stash]}", "commit-message, with: {max_subject: 20}")
    text = text.replace("{command: git stash}", f'{{message: "{"x" * 40}"}}').replace(
        "{command: git status}", "{message: ok}"
    )
    (repo / ".rules/lower-case.yaml").write_text(text)
    rulec("compile")
    for argv, said in (
        (("--agent", "codex"), "also acts at commits, where the agent is unknown"),
        (("--path", "docs/**"), "does not catch docs/** as it is"),  # a message lies in no folder
    ):
        assert said in rulec("exception", "lower-case", *argv, *WHY, "--no-commit", code=2).stderr


def test_on_a_branch_the_work_tree_stays_as_it_is(book: Path, rulec: Run, git: Run) -> None:
    said = rulec("exception", "use-pnpm", "--path", "legacy/**", *WHY, "--branch", "rules/legacy").stdout
    assert " on rules/legacy" in said
    assert _rule(book).exceptions == ()
    assert "legacy/**" in git("show", "rules/legacy:.rules/use-pnpm.yaml").stdout
    assert git("status", "--porcelain").stdout == ""


def test_once_is_a_counterexample_and_three_make_a_case(book: Path, rulec: Run, git: Run) -> None:
    first = rulec("exception", "use-pnpm", "--once", "--path", "legacy/a.json", "--because", "it is old").stdout
    assert "(1 + 3) / (2 + 3 + 1) = 0.67" in first
    assert "use-pnpm does no more than audit, where it did block: rulec promote use-pnpm --to block pins it" in first
    assert (
        "Resolution: NOOP use-pnpm -- it is old\nRule: use-pnpm@1\nEvidence: " in git("log", "-1", "--format=%B").stdout
    )
    assert _rule(book).revision == 1
    rulec("exception", "use-pnpm", "--once", "--path", "legacy/b.json", "--command", "npm ci", "--because", "it is old")
    third = rulec("exception", "use-pnpm", "--once", "--path", "legacy/c.json", "--because", "frozen").stdout
    reasons = ("it is old; frozen", "frozen; it is old")  # what was said in one second has no order
    assert any(f"proposed exception: legacy/** ({both})" in third for both in reasons)
    assert git("status", "--porcelain").stdout == ""
    why = rulec("why", "use-pnpm").stdout
    assert why.count("counterexample:") == 3
    assert "proposed exception: legacy/**" in why
    assert "say where the rule did not hold" in rulec("exception", "use-pnpm", "--once", *WHY, code=2).stderr


def test_a_case_is_accepted_or_rejected_in_review(book: Path, rulec: Run, git: Run) -> None:
    for slug, path in (("use-pnpm", "legacy"), ("no-stash", "web")):
        for number in range(3):
            rulec("exception", slug, "--once", "--path", f"{path}/{number}.json", "--because", "it is old")
    waits = rulec("review").stdout
    assert "use-pnpm: except legacy/**? it is old" in waits
    assert "no-stash: except web/**? it is old" in waits
    listed = json.loads(rulec("review", "--format", "json").stdout)
    assert [one["exception"]["include"] for one in listed] == [["web/**"], ["legacy/**"]]
    said = rulec("review", "--accept", "use-pnpm", "--reject", "no-stash").stdout
    assert "passes:   cd legacy && npm install left-pad" in said
    assert "use-pnpm@2 leaves legacy/** alone" in said
    assert "1 accepted, 1 rejected" in said
    assert [one.scope.include for one in _rule(book).exceptions] == [("legacy/**",)]
    assert _rule(book, "no-stash").exceptions == ()
    acts = {line.split()[0]: line.split()[1] for line in rulec("rules").stdout.splitlines()}
    assert (acts["use-pnpm"], acts["no-stash"]) == ("block", "audit")  # what the exception answers weighs no longer
    assert rulec("review").stdout.startswith("no proposal waits")
    assert "Resolution: UPDATE use-pnpm -- except legacy/**: it is old" in git("log", "-1", "--format=%B").stdout


@pytest.mark.e2e
def test_a_person_is_asked_about_a_case_after_what_waits(book: Path, rulec: Run) -> None:
    for number in range(3):
        rulec("exception", "no-stash", "--once", "--path", f"web/{number}.json", "--because", "it is old")
    argv = [sys.executable, "-m", "rulec", "review"]
    code, seen = on_terminal(book, argv, [("[l]ater", "e\n")])
    assert (code, "later; write it yourself with rulec edit no-stash" in seen) == (0, True), seen
    code, seen = on_terminal(book, argv, [("[l]ater", "a\n")])
    assert (code, "no-stash@2 leaves web/** alone: commit " in seen) == (0, True), seen
    assert [one.scope.include for one in _rule(book, "no-stash").exceptions] == [("web/**",)]

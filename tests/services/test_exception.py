"""``rulec except``: a rule is narrowed in one commit, proved with examples of its own, or it is refused."""

import json
import shlex
import sys
from pathlib import Path

import pytest

import rulec as rulec_package
from rulec.checks.proving.example_changes import change_of
from rulec.domain.rule import Example, Rule
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.services.rules.exceptions import is_caught
from tests.conftest import Run
from tests.support import rules
from tests.support.world import run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

WHY = ("--because", "the old tree stays with npm")


@pytest.fixture
def book(repo: Path) -> Path:
    """A repository with a rulebook of three rules."""
    rules.fill(repo)
    return repo


def _rule(top: Path, slug: str = "use-pnpm") -> Rule:
    path = f".rules/{slug}.yaml"
    return rule_reading.read_rule((top / path).read_text(), source=path)


def test_no_secret_of_an_exception_reaches_the_repository(book: Path, rulec: Run, git: Run) -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    for where in (("--agent", token), ("--command", f"npm view {token}")):
        rulec("except", "use-pnpm", *where, "--because", f"it is {token}")
    assert token not in git("log", "-p", "--all").stdout


def test_an_exception_is_one_commit_that_is_proved_and_keeps_comments(book: Path, rulec: Run, git: Run) -> None:
    said = rulec("except", "use-pnpm", "--path", "legacy/**", *WHY).stdout
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
    assert "use-pnpm@2: proved" in rulec("test", "use-pnpm").stdout


def test_a_form_of_a_command_takes_its_example_along(book: Path, rulec: Run) -> None:
    path = book / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("left-pad}]\n  valid", "left-pad}, {command: npm ci}]\n  valid"))
    rulec("compile")
    said = rulec("except", "use-pnpm", "--command", "npm ci", *WHY, "--no-commit").stdout
    assert "leaves `npm ci` alone: written in the work tree" in said
    rule = _rule(book)
    assert [example.text for example in rule.invalid] == ["npm install left-pad"]
    assert [example.text for example in rule.exceptions[0].valid] == ["npm ci"]
    rulec("compile", "--check")


def test_bounds_hold_together(book: Path, rulec: Run) -> None:
    rulec("except", "use-pnpm", "--command", "npm publish", "--path", "web/", "--agent", "codex", *WHY)
    (one,) = _rule(book).exceptions
    assert (one.commands, one.scope.include, one.scope.agents) == (("npm publish",), ("web/",), ("codex",))
    assert [example.text for example in one.valid] == ["cd web && npm publish"]


def test_a_reminder_takes_an_exception_in_words_alone(book: Path, rulec: Run) -> None:
    rulec("except", "plain-words", "--path", "docs/**", *WHY)
    (one,) = _rule(book, "plain-words").exceptions
    assert one.valid == ()


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("use-pnpm",), "say what to except; pass --path GLOB, --command TEXT or --agent NAME"),
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
    refused = rulec("except", *argv, *because, code=2).stderr
    assert refused.count("\n") == 1
    assert said in refused
    assert git("status", "--porcelain").stdout == ""


def test_the_same_exception_twice_is_refused(book: Path, rulec: Run) -> None:
    rulec("except", "use-pnpm", "--path", "legacy/**", *WHY)
    again = rulec("except", "use-pnpm", "--path", "legacy/**", *WHY, code=2).stderr
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
        assert said in rulec("except", "lower-case", *argv, *WHY, "--no-commit", code=2).stderr


def test_on_a_branch_the_work_tree_stays_as_it_is(book: Path, rulec: Run, git: Run) -> None:
    said = rulec("except", "use-pnpm", "--path", "legacy/**", *WHY, "--branch", "rules/legacy").stdout
    assert " on rules/legacy" in said
    assert _rule(book).exceptions == ()
    assert "legacy/**" in git("show", "rules/legacy:.rules/use-pnpm.yaml").stdout
    assert git("status", "--porcelain").stdout == ""


def test_three_notes_of_one_place_make_a_case(book: Path, rulec: Run, git: Run) -> None:
    rulec("note", "use-pnpm", "it is old", "--should", "pass", "--path", "legacy/a.json")
    rulec("note", "use-pnpm", "it is old", "--command", "cd legacy && npm ci")
    third = rulec("note", "use-pnpm", "frozen", "--should", "pass", "--path", "legacy/c.json").stdout
    reasons = ("it is old; frozen", "frozen; it is old")  # what was said in one second has no order
    assert any(f"proposed exception: legacy/** ({both})" in third for both in reasons)
    assert _rule(book).revision == 1
    assert git("status", "--porcelain").stdout == ""
    why = rulec("why", "use-pnpm").stdout
    assert why.count("counterexample:") == 3
    assert "proposed exception: legacy/**" in why


def test_three_commands_on_like_files_propose_their_folder(book: Path, rulec: Run, git: Run) -> None:
    path = book / ".rules/no-stash.yaml"
    text = path.read_text().replace("commands: [git stash]", "commands: [sed -i]").replace("audit", "block")
    path.write_text(text.replace("git stash}", "sed -i s/a/b/ src/a}").replace("git status", "sed -n 1p a"))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Forbid sed -i")
    for number in "123":
        rulec("note", "no-stash", "so", "--command", f"sed -i s/{number}/b/ migrations/{number}.sql")
    said = rulec("evolve", "--accept", "no-stash").stdout
    assert "becomes: UPDATE no-stash -- except `sed -i` on migrations/**: so" in said
    assert "-> no-stash@2: commit " in said
    (one,) = _rule(book, "no-stash").exceptions
    assert (one.commands, one.arguments) == (("sed -i",), ("migrations/**",))
    assert [example.text for example in one.valid] == [f"sed -i s/{n}/b/ migrations/{n}.sql" for n in "123"]
    rulec("compile", "--check")
    rules_now = rulebook_files.load_rulebook(book)
    rule = next(rule for rule in rules_now.rules if rule.slug == "no-stash")
    tried = [f"sed -i s/x/y/ {paths}" for paths in ("migrations/4.sql", "src/a", "migrations/1.sql src/a")]
    changes = [change_of(Example(kind="command", text=one)) for one in tried]
    assert is_caught(book, rules_now, rule, changes) == [False, True, True]


def test_three_notes_on_one_file_propose_that_file(book: Path, rulec: Run, git: Run) -> None:
    path = book / ".rules/no-stash.yaml"
    text = path.read_text().replace(
        "{kind: guard, template: forbid-command, with: {commands: [git stash]}}",
        "{kind: semgrep, template: forbid-call, with: {functions: [print], language: python}}",
    )
    text = text.replace("{command: git stash}", '{file: httpx/_client.py, content: "print(1)\\n"}')
    path.write_text(text.replace("{command: git status}", '{file: httpx/_client.py, content: "log(1)\\n"}'))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Forbid print")
    real = book / "httpx/_main.py"
    real.parent.mkdir()
    real.write_text("def main():\n    print(open('x'))\n")
    for number in "123":
        rulec("note", "no-stash", f"it prints {number}", "--path", "httpx/_main.py")
    rulec("evolve", "--accept", "no-stash")
    (one,) = _rule(book, "no-stash").exceptions
    assert one.scope.include == ("httpx/_main.py",)
    assert [example.text for example in one.valid] == [real.read_text()]


def test_a_person_names_what_a_command_is_given(book: Path, rulec: Run) -> None:
    rulec("except", "use-pnpm", "--command", "npm install", "--arguments", "./vendor/**", *WHY)
    (one,) = _rule(book).exceptions
    assert (one.commands, one.arguments) == (("npm install",), ("./vendor/**",))
    assert one.valid[0].text == "npm install vendor/left-pad"


def test_a_shared_exception_is_accepted_or_rejected_in_evolve(book: Path, rulec: Run, git: Run) -> None:
    for slug, path in (("use-pnpm", "legacy"), ("no-stash", "web")):
        for number in range(3):
            rulec("note", slug, "it is old", "--should", "pass", "--path", f"{path}/{number}.json")
    listed = json.loads(rulec("evolve", "--format", "json").stdout)
    assert [one["because"] for one in listed] == ["except web/**: it is old", "except legacy/**: it is old"]
    assert rulec("review").stdout.startswith("no proposal waits")
    said = rulec("evolve", "--accept", "use-pnpm", "--reject", "no-stash").stdout
    assert "example: caught, then passes, as wanted: 'cd legacy && npm install left-pad'" in said
    assert "1 accepted, 1 rejected; 0 left to decide" in said
    assert [one.scope.include for one in _rule(book).exceptions] == [("legacy/**",)]
    assert _rule(book, "no-stash").exceptions == ()
    acts = {line.split()[0]: line.split()[1] for line in rulec("rules").stdout.splitlines()}
    assert (acts["use-pnpm"], acts["no-stash"]) == ("block", "audit")  # what the exception answers weighs no longer
    assert rulec("evolve").stdout.startswith("nothing is noted")
    assert "Resolution: UPDATE use-pnpm -- except legacy/**: it is old" in git("log", "-1", "--format=%B").stdout


@pytest.mark.parametrize("settled_by", ["compile", "driver"])
def test_two_exceptions_of_two_branches_merge_and_need_nobodys_approval(
    book: Path, rulec: Run, git: Run, settled_by: str
) -> None:
    if settled_by == "driver":
        ours = shlex.join(["env", f"PYTHONPATH={Path(rulec_package.__file__).parents[1]}", sys.executable])
        git("config", "merge.rulec.driver", f"{ours} -m rulec merge -- %O %A %B %L %P")
    (book / ".gitattributes").write_text("/.rules/*.yaml merge=rulec\n/.rules/compiled/** merge=rulec\n")
    path = book / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("left-pad}]\n  valid", "left-pad}, {command: npm ci}]\n  valid"))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Merge rules by rulec")
    base = git("rev-parse", "--abbrev-ref", "HEAD").stdout.strip()
    git("switch", "-qc", "one")
    rulec("except", "use-pnpm", "--command", "npm ci", "--because", "the image asks for it")
    git("switch", "-q", base)
    rulec("except", "use-pnpm", "--path", "legacy/**", *WHY)
    run(book, "merge", "--no-commit", "one", code=1 if settled_by == "compile" else 0)
    assert ("settled .rules/use-pnpm.yaml" in rulec("compile").stdout) == (settled_by == "compile")
    git("add", "-A")
    assert "no findings" in rulec("check", "--staged").stdout
    git("commit", "-qm", "Merge one")
    rule = _rule(book)
    assert {(one.commands, one.scope.include) for one in rule.exceptions} == {
        (("npm ci",), ("**",)),
        ((), ("legacy/**",)),
    }
    assert rule.revision == 3
    assert "# the comment of a person" in path.read_text()
    rulec("compile", "--check")
    assert rulec("rules").stdout.split("use-pnpm")[1].split()[0] == "block"

"""The search for a revision: what a note leads to, and what it never turns."""

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from rulec.checks import template_library
from rulec.domain.evidence import WantedVerdict
from rulec.domain.outcome import no_progress
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.infra.rulebooks import rulebook_files
from rulec.llm.conversation import Conversation
from rulec.rulebook import rule_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services.evolving.comparison import Flip, all_examples, compare_rules
from rulec.services.evolving.revision_search import FoundRevision, search_revision
from rulec.services.evolving.rule_trials import decide_examples

pytestmark = pytest.mark.e2e  # many real processes: CI runs these


def command(text: str) -> Example:
    return Example(kind="command", text=text)


def file(path: str, text: str) -> Example:
    return Example(kind="file", path=path, text=text)


def commit(*files: tuple[str, str]) -> Example:
    return Example(kind="commit", text="Change it", files=files)


def rule(template: str, given: dict[str, object], bad: Example, good: Example, *, kind: str = "guard") -> Rule:
    check = Check(kind=kind, template=template, parameters=given)  # type: ignore[arg-type]
    return Rule(slug="the-rule", statement="This is what we do.", checks=(check,), invalid=(bad,), valid=(good,))


PNPM = rule("forbid-command", {"commands": ["npm"]}, command("npm install x"), command("pnpm add x"))
SED = rule("forbid-command", {"commands": ["sed -i"]}, command("sed -i s/a/b/ src/a.py"), command("sed -n 1p a.py"))
GENERATED = rule("protect-path", {"globs": ["src/gen/"]}, file("src/gen/a.py", "x\n"), file("src/a.py", "x\n"))
TESTED = rule(
    "companion",
    {"when": ["src/"], "needs": ["tests/"]},
    commit(("src/a.py", "x = 1\n")),
    commit(("src/a.py", "x = 1\n"), ("tests/test_a.py", "def test_a():\n    assert x == 1\n")),
)
TOLD = rule(
    "companion",
    {"when": ["src/"], "needs": ["CHANGELOG.md"]},
    commit(("src/a.py", "x = 1\n")),
    commit(("src/a.py", "x = 1\n"), ("CHANGELOG.md", "- Add the option x\n")),
)
PRINT = rule(
    "forbid-call",
    {"functions": ["print"], "language": "python"},
    file("src/a.py", "print(1)\n"),
    file("src/a.py", "log.info(1)\n"),
    kind="semgrep",
)


@dataclass(frozen=True)
class Noted:
    """A note, the verdict that it wants, and further actions that a right revision decides."""

    old: Rule
    words: str
    caught: bool
    case: Example
    kind: str
    bad: tuple[Example, ...]
    good: tuple[Example, ...]


NOTES = {
    "another program": Noted(
        PNPM, "yarn is just as wrong here", True, command("yarn add x"), "parameters",
        (command("yarn install"), command("cd web && yarn add y")), (command("grep yarn README.md"),),
    ),
    "one way to run it": Noted(
        PNPM, "no, that one is fine", False, command("npm publish --dry-run"), "parameters",
        (command("npm publish"),), (command("npm publish --dry-run --access public"),),
    ),
    "a place of a command": Noted(
        SED, "on migrations that is how we do it", False, command("sed -i s/a/b/ migrations/1.sql"), "exception",
        (command("sed -i s/a/b/ src/b.py"), command("sed -i s/a/b/ src/b.py migrations/1.sql")),
        (command("sed -i s/c/d/ migrations/2.sql"),),
    ),
    "a file in a place": Noted(
        GENERATED, "the README in there is written by hand", False, file("src/gen/README.md", "x\n"), "parameters",
        (file("src/gen/b.py", "x\n"),), (),
    ),
    "another place": Noted(
        GENERATED, "the stubs in api/proto are generated too", True, file("api/proto/user_pb2.py", "x\n"), "parameters",
        (file("api/proto/order_pb2.py", "x\n"),), (file("api/server.py", "x\n"),),
    ),
    "a test that asserts nothing": Noted(
        TESTED, "a test that asserts nothing is no test", True,
        commit(("src/b.py", "y = 1\n"), ("tests/test_b.py", "def test_b():\n    pass\n")), "parameters",
        (commit(("src/c.py", "y = 2\n"), ("tests/test_c.py", "def test_c():\n    import c\n")),),
        (commit(("src/d.py", "y = 2\n"), ("tests/test_d.py", "def test_d():\n    assert d.y\n")),),
    ),
    "a line that says nothing": Noted(
        TOLD, '"misc fixes" says nothing, that is no entry', True,
        commit(("src/b.py", "y = 1\n"), ("CHANGELOG.md", "- misc fixes\n")), "check",
        (commit(("src/c.py", "y = 2\n"), ("CHANGELOG.md", "- Misc fixes.\n")),),
        (commit(("src/d.py", "y = 2\n"), ("CHANGELOG.md", "- Fix the parser for empty input\n")),),
    ),
    "another language": Noted(
        PRINT, "the same goes for console.log in the frontend", True, file("web/a.ts", "console.log(x);\n"), "check",
        (file("web/b.ts", "function f() { console.log('a') }\n"),), (file("web/c.ts", "logger.log(x);\n"),),
    ),
}  # fmt: skip


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A repository with one commit."""
    (tmp_path / "README.md").write_text("Text\n")
    for argv in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "Begin"]):
        subprocess.run(["git", *argv], cwd=tmp_path, check=True)
    return tmp_path


def search(top: Path, old: Rule, *wanted: WantedVerdict) -> FoundRevision:
    return search_revision(top, Rulebook(rules=(old,)), old, wanted)


def flips(top: Path, old: Rule, found: FoundRevision, *wanted: WantedVerdict) -> tuple[Flip, ...]:
    return compare_rules(top, Rulebook(rules=(old,)), [old], found.rule, wanted).flips


def decided(top: Path, some: Rule, examples: Sequence[Example]) -> list[bool | None]:
    return decide_examples(top, Rulebook(rules=(some,)), [some], examples)[0]


def test_a_note_leads_to_a_proved_revision_that_decides_more_than_the_noted_case(top: Path) -> None:
    wrong = []
    for name, noted in NOTES.items():
        wanted = WantedVerdict(example=noted.case, caught=noted.caught, words=noted.words)
        found = search(top, noted.old, wanted)
        told = flips(top, noted.old, found, wanted)
        side = found.rule.invalid if noted.caught else all_examples(replace(found.rule, invalid=()))
        got = decided(top, found.rule, [noted.case, *noted.bad, *noted.good, *all_examples(noted.old)])
        want = [noted.caught, *[True] * len(noted.bad), *[False] * len(noted.good), True, False]
        if not (found.proof and found.proof.holds and noted.case in side and got == want and not found.unmet):
            wrong.append((name, found.kind, found.because, got, found.proof and found.proof.failure))
        elif found.kind != noted.kind or [one.wanted for one in told] != [True]:
            wrong.append((name, found.kind, found.because, told))
    assert not wrong


def test_a_revision_is_the_next_one_and_keeps_what_the_rule_had(top: Path) -> None:
    old = replace(PNPM, revision=4, not_checked=("scripts",), scope=Scope(exclude=("legacy/",)))
    found = search(top, old, WantedVerdict(example=command("yarn add x"), caught=True, words="yarn neither"))
    assert found.rule.revision == 5
    assert (found.rule.slug, found.rule.statement, found.rule.scope) == (old.slug, old.statement, old.scope)
    assert set(old.invalid) < set(found.rule.invalid)
    assert found.rule.valid == old.valid
    assert "scripts" in found.rule.not_checked


def test_an_action_that_is_decided_as_wanted_becomes_an_example_and_turns_nothing(top: Path) -> None:
    wanted = WantedVerdict(example=command("bash -c 'npm ci'"), caught=True, words="this slipped by")
    found = search(top, PNPM, wanted)
    assert (found.kind, flips(top, PNPM, found, wanted), found.rule.checks) == ("example", (), PNPM.checks)
    assert command("bash -c 'npm ci'") in found.rule.invalid


def test_an_example_that_a_person_wants_otherwise_changes_sides(top: Path) -> None:
    case = command("npm install x")
    old = replace(PNPM, invalid=(case, command("npm ci")))
    wanted = WantedVerdict(example=case, caught=False, words="npm install x is fine")
    found = search(top, old, wanted)
    assert case not in found.rule.invalid
    assert found.lines == ("takes back what a person gave the rule to catch: 'npm install x'",)
    assert case in all_examples(replace(found.rule, invalid=()))
    assert [(one.what, one.before, one.after, one.wanted) for one in flips(top, old, found, wanted)] == [
        ("'npm install x'", True, False, True)
    ]
    assert decided(top, found.rule, [command("npm ci")]) == [True]


def test_several_notes_are_met_by_one_revision(top: Path) -> None:
    wanted = [
        WantedVerdict(example=command("yarn add x"), caught=True, words="yarn is wrong too"),
        WantedVerdict(example=command("npm view x"), caught=False, words="npm view only looks"),
    ]
    found = search(top, PNPM, *wanted)
    assert found.rule.revision == PNPM.revision + 1
    assert decided(top, found.rule, [command("yarn install"), command("npm view y"), command("npm ci")]) == [
        True, False, True,
    ]  # fmt: skip


def test_notes_that_share_a_place_are_met_by_one_change(top: Path) -> None:
    cases = [command(f"sed -i s/a/b/ migrations/{number}.sql") for number in (1, 2, 3)]
    found = search(top, SED, *(WantedVerdict(example=one, caught=False, words="not here") for one in cases))
    assert not found.unmet
    assert "; " not in found.because
    further = [
        command("sed -i s/c/d/ migrations/4.sql"),
        command("sed -i s/a/b/ src/a"),
        command("sed -i s/a/b/ x.sql"),
    ]
    assert decided(top, found.rule, further) == [False, True, True]


RAW = '{"on": "command", "patterns": ["npm"]}'


@pytest.mark.parametrize(
    ("checks", "kind"),
    [
        ((), "check"),
        ((Check(kind="guard", template="raw-guard", parameters={"check": RAW}),), "check"),
        ((Check(kind="judge", template="judge", parameters={"of": "diff"}),), "check"),
    ],
    ids=["a reminder", "a check in its author's words", "a judge"],
)
def test_a_rule_whose_checks_have_no_parameters_gets_a_further_one(
    top: Path, checks: tuple[Check, ...], kind: str
) -> None:
    raw = bool(checks) and checks[0].kind == "guard"
    old = replace(PNPM, checks=checks, **({} if raw else {"invalid": (), "valid": ()}))
    found = search(top, old, WantedVerdict(example=command("yarn add x"), caught=True, words="never use yarn"))
    assert (found.kind, found.unmet) == (kind, ())
    assert found.rule.checks[: len(checks)] == checks
    assert decided(top, found.rule, [command("cd a && yarn"), command("pnpm add yarn")]) == [True, False]


def test_a_check_in_its_authors_words_gets_an_exception(top: Path) -> None:
    raw = replace(PNPM, checks=(Check(kind="guard", template="raw-guard", parameters={"check": RAW}),))
    found = search(top, raw, WantedVerdict(example=command("cd docker && npm ci"), caught=False, words="not in docker"))
    (one,) = found.rule.exceptions
    assert (found.kind, one.scope.include, one.because) == ("exception", ("docker/**",), "not in docker")
    assert decided(top, found.rule, [command("cd docker && npm install x"), command("npm ci")]) == [False, True]


@pytest.mark.parametrize(
    "case",
    [
        Example(kind="delete", path="src/a.py", text=""),
        Example(kind="rename", old="src/a.py", path="src/b.py", text=""),
        Example(kind="tool", text="mcp__db__drop", args='{"table": "users"}'),
        Example(kind="reply", text="It is done."),
        Example(kind="message", text=""),
        command(""),
        command("echo 'unfinished"),
        file("bin/data", "\x01\x02"),
        commit(),
    ],
    ids=lambda one: f"{one.kind} {one.text[:8]!r}",
)
def test_any_action_is_kept_or_unmet(top: Path, case: Example) -> None:
    for caught in (True, False):
        wanted = WantedVerdict(example=case, caught=caught, words="this (one) is [wrong")
        found = search(top, SED, wanted)
        kept = case in (found.rule.invalid if caught else found.rule.valid)
        assert kept is not bool(found.unmet)
        assert not [one for one in flips(top, SED, found, wanted) if not one.wanted]


def test_what_no_check_can_tell_apart_is_unmet_and_listed_in_words(top: Path) -> None:
    said = Example(kind="session", text="", steps=(Example(kind="says", text="hello"), command("pnpm add x")))
    old = replace(PNPM, valid=(*PNPM.valid, said))
    wanted = WantedVerdict(example=command("pnpm add x"), caught=True, words="think before you add anything")
    found = search(top, old, wanted)
    assert (found.kind, found.unmet, flips(top, old, found, wanted)) == ("words", (wanted,), ())
    assert found.rule.not_checked == ("think before you add anything",)
    assert (found.rule.checks, found.rule.invalid, set(found.rule.valid)) == (old.checks, old.invalid, set(old.valid))


@pytest.mark.parametrize(
    ("words", "case"),
    [
        ("the build script calls yarn", file("scripts/build.sh", "set -e\nmake\n")),
        ("purple monkey sign dishwasher", file("scripts/cost.md", "It costs 3 $ a day, at most.\n")),
        ("well, the a of it", commit(("docs/a.md", "Some words & signs $ here\n"))),
    ],
)
def test_a_further_check_of_which_nobody_spoke_is_not_offered(top: Path, words: str, case: Example) -> None:
    found = search(top, PNPM, WantedVerdict(example=case, caught=True, words=words))
    assert [check for check in found.rule.checks if check.kind != "judge"] == list(PNPM.checks), found.because


def test_a_further_check_of_a_place_that_the_note_names_is_offered(top: Path) -> None:
    case = file("scripts/build.sh", "set -e\nmake\n")
    found = search(top, PNPM, WantedVerdict(example=case, caught=True, words="never touch anything in scripts/"))
    assert found.kind == "check"
    assert decided(top, found.rule, [case]) == [True]


def test_flips_in_commits_and_in_files_at_head_are_told(top: Path) -> None:
    (top / "web").mkdir()
    (top / "web/a.css").write_text("a { color: red !important; }\n")
    (top / "web/b.scss").write_text("a { color: red !important; }\n")
    for argv in (["add", "-A"], ["commit", "-qm", "Add styles"]):
        subprocess.run(["git", *argv], cwd=top, check=True)
    old = rule(
        "forbid-text", {"patterns": ["!important"], "globs": ["*.css"]},
        file("c.css", "a { top: 0 !important; }\n"), file("c.css", "a { top: 0; }\n"),
    )  # fmt: skip
    case = file("d.scss", "a { top: 0 !important; }\n")
    wanted = WantedVerdict(example=case, caught=True, words="scss as well")
    found = search(top, old, wanted)
    told = [(one.where, one.what, one.after, one.wanted) for one in flips(top, old, found, wanted)]
    assert ("example", "'d.scss: a { top: 0 !important; }\\n'", True, True) in told
    assert ("finding", "web/b.scss", True, False) in told
    assert len(told) == 2, told  # the commit was refused before, for a.css


def test_no_secret_of_a_note_reaches_the_rule(top: Path) -> None:
    token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
    wanted = WantedVerdict(example=command(f"yarn add x --token {token}"), caught=True, words=f"yarn too, {token}")
    found = search(top, PNPM, wanted)
    assert token not in rule_file.dump_rule(found.rule)
    assert token not in repr(flips(top, PNPM, found, wanted)) + found.because


def test_the_rulebook_is_left_as_it_is(top: Path) -> None:
    (top / ".rules").mkdir()
    (top / ".rules/config.yaml").write_text("schema: 1\n")
    (top / ".rules/the-rule.yaml").write_text(rule_file.dump_rule(PNPM))
    book = rulebook_files.load_rulebook(top)
    search_revision(top, book, book.rules[0], [WantedVerdict(example=command("yarn add x"), caught=True, words="yarn")])
    assert rulebook_files.load_rulebook(top).rules == book.rules


def reader(top: Path, *answers: dict[str, Any]) -> Conversation:
    """A model that answers each question about a revision with the first of these that its text asks for."""
    folder = top / ".rulec/recorded"
    folder.mkdir(parents=True)
    (folder / "answers.json").write_text(json.dumps([{"step": "revise", **answer} for answer in answers]))
    render = template_library.open_library().render
    return Conversation(top, ModelSettings(backend="recorded"), render, print, no_progress)


def revised(*commands: str, **more: Any) -> dict[str, Any]:
    checks = [{"kind": "guard", "template": "forbid-command", "with": {"commands": list(commands)}}]
    return {"alternatives": [{"checks": checks, **more}]}


YARN = WantedVerdict(example=command("yarn add x"), caught=True, words="yarn is just as wrong here")


def test_a_readers_revision_is_taken_where_it_is_proved_and_turns_nothing_else(top: Path) -> None:
    answer = revised("npm", "yarn", "bun", statement="Use pnpm, never npm, yarn or bun")
    answer["examples"] = {"invalid": [{"command": "bun add x"}], "valid": [{"command": "pnpm dlx x"}]}
    chat = reader(top, {"answer": answer})
    found = search_revision(top, Rulebook(rules=(PNPM,)), PNPM, [YARN], chat)
    assert (found.kind, found.unmet) == ("reader", ())
    assert found.proof
    assert found.proof.holds
    assert (found.rule.statement, found.rule.revision) == ("Use pnpm, never npm, yarn or bun.", 2)
    assert {one.text: one.source for one in found.rule.invalid} == {
        "npm install x": "", "yarn add x": "person", "bun add x": "reader",
    }  # fmt: skip
    assert [one.what for one in flips(top, PNPM, found, YARN)] == ["'yarn add x'"]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (revised("yarn"), "'npm install x' must be caught"),
        (revised("npm", "yarn", "pnpm"), "'pnpm add x' must be let pass"),
        (revised("npm"), "'yarn add x' must be caught"),
        ({"alternatives": []}, "the reader says that no check can see it"),
        ({"alternatives": [{"checks": [{"template": "no-such-template", "with": {}}]}]}, "no template"),
    ],
)
def test_a_readers_revision_that_turns_an_example_is_never_taken(top: Path, answer: dict[str, Any], why: str) -> None:
    found = search_revision(top, Rulebook(rules=(PNPM,)), PNPM, [YARN], reader(top, {"answer": answer}))
    assert (found.kind, found.rule.checks[0].parameters["commands"]) == ("parameters", ["npm", "yarn"])
    assert why in " ".join(found.lines)


def test_a_reader_that_failed_is_asked_again_with_what_failed(top: Path) -> None:
    chat = reader(
        top,
        {"holds": "'npm install x' must be caught", "answer": revised("npm", "yarn", "bunx")},
        {"answer": revised("yarn")},
    )
    found = search_revision(top, Rulebook(rules=(PNPM,)), PNPM, [YARN], chat)
    assert (found.kind, found.rule.checks[0].parameters["commands"]) == ("reader", ["npm", "yarn", "bunx"])

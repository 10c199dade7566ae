"""Variants of examples: few, of a dozen kinds, and right by construction."""

import json

import pytest

from rulec.checks.proving.proof import ExampleVariant
from rulec.checks.proving.variants import MOST_VARIANTS, make_variants
from rulec.domain.artifact import Artifact
from rulec.domain.rule import Check, Example, Rule
from tests.templates.mutants import compiled

KINDS = {
    "line ends", "other place", "another tool", "other flags", "beside others",
    "only named", "asked for help", "outside the repository", "done every day", "something else",
}  # fmt: skip


def command(text: str) -> Example:
    return Example(kind="command", text=text)


def file(path: str, text: str) -> Example:
    return Example(kind="file", path=path, text=text)


def rule(kind: str, template: str, parameters: dict[str, object], *invalid: Example, valid: tuple[Example, ...] = ()):
    check = Check(kind=kind, template=template, parameters=parameters)  # type: ignore[arg-type]  # one of the kinds
    return Rule(slug="a-rule", statement="Not on main.", checks=(check,), invalid=invalid, valid=valid)


def made(one: Rule) -> tuple[ExampleVariant, ...]:
    return make_variants(one, [compiled(one)])


def texts(one: Rule, *, invalid: bool) -> set[tuple[str, str]]:
    return {(variant.name, variant.example.text) for variant in made(one) if variant.invalid is invalid}


NPM = rule("guard", "forbid-command", {"commands": ["npm"]}, command("npm install left-pad"), valid=(command("ls"),))
PUSH = rule(
    "guard", "forbid-command", {"commands": ["git push"], "flags": ["--force"]}, command("git push --force main")
)
SOURCE = "def f(a):\n    return g(a, 'x')\n"
CALL = rule("semgrep", "forbid-call", {"functions": ["g"], "language": "python"}, file("a.py", SOURCE))
TEXT = rule("guard", "forbid-text", {"patterns": [r"g\("]}, file("a.py", "g(1)\n"))
PATH = rule("guard", "protect-path", {"globs": ["gen/"]}, file("gen/a.py", "x\n"))
FILES = (("src/price.py", "x = load()\n"), ("src/tax.py", "y = load()\n"))
COMMIT = Example(kind="commit", text="Add both", files=FILES)
STEPS = (Example(kind="says", text="fix it"), command("git commit -am x"))
ASKS = rule("guard", "ask-before", {"commands": ["git commit"]}, Example(kind="session", text="", steps=STEPS))
SUBJECT = {"forbid": ["^Fixed"]}
FIXED = Example(kind="message", text="Fixed it\n")


@pytest.mark.parametrize("one", [NPM, PUSH, CALL, TEXT, PATH, ASKS], ids=lambda one: one.checks[0].template)
def test_the_same_rule_has_the_same_few_variants_of_known_kinds(one: Rule) -> None:
    assert made(one) == made(one)
    examples = [variant.example for variant in made(one)]
    assert len(examples) == len(set(examples)) <= 2 * MOST_VARIANTS
    assert not {*one.invalid, *one.valid} & set(examples)
    assert {variant.name for variant in made(one)} <= KINDS


def test_an_act_is_the_same_in_another_form() -> None:
    assert ("beside others", "true && npm install left-pad") in texts(NPM, invalid=True)
    assert ("other flags", "npm --silent install left-pad") in texts(NPM, invalid=True)
    assert ("line ends", SOURCE.replace("\n", "\r\n")) in texts(CALL, invalid=True)
    assert ("another tool", "rm -f gen/a.py") in texts(PATH, invalid=True)


def test_what_is_only_named_or_asked_for_help_is_innocent() -> None:
    assert ("only named", "echo 'npm install left-pad'") in texts(NPM, invalid=False)
    assert ("only named", "cat gen/a.py") in texts(PATH, invalid=False)
    assert ("only named", "# def f(a):\n#     return g(a, 'x')\n") in texts(CALL, invalid=False)
    assert texts(TEXT, invalid=False) == {("outside the repository", "g(1)\n")}
    echo = rule("guard", "forbid-command", {"commands": ["echo"]}, command("echo x"))
    assert not any(text.startswith("echo '") for _, text in texts(echo, invalid=False))


def test_what_only_a_person_can_decide_fails_no_proof() -> None:
    (other,) = [variant for variant in made(PUSH) if variant.name == "something else"]
    assert (other.example.text, other.open, other.firm) == ("git push --force topic/other-thing", True, False)


@pytest.mark.parametrize(
    ("commands", "example", "asked"),
    [
        ("npm", "npm install left-pad", {"npm install --help", "npm --version"}),
        ("git push", "git push --force origin", {"git push --help", "git --version"}),
        ("terraform destroy", "terraform destroy", {"terraform destroy --help", "terraform --version"}),
        ("npx", "npx foo", {"npx --version"}),
        ("rm", "rm -r src", {"rm --help", "rm --version"}),
        ("npm --version", "npm --version", set()),
    ],
)
def test_no_command_rule_may_catch_who_asks_for_help(commands: str, example: str, asked: set[str]) -> None:
    one = rule("guard", "forbid-command", {"commands": [commands]}, command(example))
    assert {v.example.text for v in made(one) if v.firm and v.name == "asked for help"} == asked


def test_flags_move_only_where_they_take_no_value() -> None:
    push = rule("guard", "forbid-command", PUSH.checks[0].parameters, command("git push --force -v"))
    assert ("other flags", "git push -v --force") in texts(push, invalid=True)
    other = rule("guard", "forbid-command", {"commands": ["mytool"]}, command("mytool run --level 3 --force"))
    assert "other flags" not in {variant.name for variant in made(other)}


def test_a_command_of_several_lines_stays_whole() -> None:
    several = rule("guard", "forbid-command", {"commands": ["npm"]}, command("cat <<'EOF'\nx\nEOF\nnpm ci"))
    assert all("npm ci" in text.split("\n") for _, text in texts(several, invalid=True))


def test_a_commit_gets_other_words_and_another_order() -> None:
    code = made(rule("guard", "companion", {"when": ["@code"], "needs": ["@tests"]}, COMMIT))
    beside = [variant.example for variant in code if variant.name == "beside others"]
    assert [(one.text, one.files) for one in beside] == [("Do as was said", FILES), ("Add both", FILES[::-1])]
    words = made(rule("shell", "commit-message", {"style": "conventional"}, COMMIT))
    assert not any(variant.example.text == "Do as was said" for variant in words)


def test_a_message_gets_a_body_only_where_none_is_forbidden() -> None:
    free = rule("shell", "commit-message", SUBJECT, FIXED)
    bound = rule("shell", "commit-message", {**SUBJECT, "no_body": True}, FIXED)
    body = ("beside others", "Fixed it\n\nIt was asked for\n")
    assert body in texts(free, invalid=True)
    assert body not in texts(bound, invalid=True)
    assert ("another tool", "git commit -m 'Fixed it'") in texts(bound, invalid=True)


def test_a_file_keeps_the_globs_that_its_path_matches() -> None:
    one = rule("guard", "forbid-text", {"patterns": ["x"], "globs": ["src/*_test.py"]}, file("src/a_test.py", "x\n"))
    assert [v.example.path for v in made(one) if v.name == "other place"] == ["src/two_a_test.py"]
    only_new = rule("guard", "forbid-path", {"globs": ["gen/"]}, file("gen/a.py", "x\n"))
    assert not any(variant.name == "another tool" for variant in made(only_new))


def test_innocent_steps_stand_in_a_session_where_they_say_nothing() -> None:
    steps = [[step.text for step in variant.example.steps] for variant in made(ASKS) if variant.invalid]
    assert ["fix it", "ls -la", "git commit -am x"] in steps
    assert ["fix it", "true && git commit -am x"] in steps
    named = [variant.example.steps[-1].text for variant in made(ASKS) if variant.name == "only named"]
    assert "echo 'git commit -am x'" in named


def test_an_artifact_of_no_known_kind_gives_no_variant_of_its_own() -> None:
    one = Rule(slug="a-rule", statement="S.", invalid=(file("a.bin", ""),))
    artifact = Artifact(
        path=".rules/compiled/guard/a-rule.json", text=json.dumps({"check": {"on": "path", "globs": ["x"]}})
    )
    names = {variant.name for variant in make_variants(one, [artifact]) if not variant.invalid}
    assert names <= {"only named", "outside the repository"}

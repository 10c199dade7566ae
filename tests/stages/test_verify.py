"""A proof that cannot fail would prove nothing: each stage fails on what it is for."""

from collections.abc import Sequence
from dataclasses import replace

from rulec.model.artifact import Artifact
from rulec.model.change import Change
from rulec.model.finding import Fault, Finding
from rulec.model.rule import Example, Rule
from rulec.model.transcript import Action
from rulec.stages.verify import Seen, Session, change_of, verify

ARTIFACT = Artifact(path=".rules/compiled/guard/no-npm.json", text="{}", digest="d")
RULE = Rule(
    slug="no-npm",
    statement="No npm.",
    invalid=(Example(kind="command", text="npm ci"),),
    valid=(Example(kind="command", text="pnpm i"),),
)


def _observe(_: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """A check that catches commands which begin with npm, and breaks on the word break."""
    seen: list[Seen] = []
    for change in changes:
        commands = [action.command for action in change.actions]
        if any("break" in command for command in commands):
            seen.append([Fault(slug="no-npm", what="it broke")])
        else:
            seen.append([Finding(slug="no-npm", text=c) for c in commands if c.startswith("npm")])
    return seen


def _failure(rule: Rule, session: Session | None = None, complaint: str = "") -> str:
    return verify(rule, [ARTIFACT], _observe, lambda _: complaint, session).failure


def _command(text: str, **more: object) -> Action:
    return replace(Action(kind="command", command=text), **more)  # type: ignore[arg-type]  # fields of Action


def test_a_good_check_is_proved() -> None:
    session = Session(before=(_command("npm ci"),), after=(_command("pnpm i"),), later=(_command("ls"),))
    proof = verify(RULE, [ARTIFACT], _observe, lambda _: "", session)
    assert proof.holds
    assert [stage.name for stage in proof.stages] == ["parse", "schema", "examples", "replay"]
    assert (proof.caught, proof.passed_valid, proof.replayed) == (1, 1, 2)


def test_what_the_tool_cannot_read_fails_at_parse() -> None:
    assert _failure(RULE, complaint="line 3: unexpected )").startswith(
        "parse: .rules/compiled/guard/no-npm.json: line 3"
    )


def test_a_missed_invalid_example_fails() -> None:
    rule = replace(RULE, invalid=(Example(kind="command", text="yarn"),))
    assert _failure(rule) == "examples: did not catch 'yarn'"


def test_a_caught_valid_example_fails() -> None:
    rule = replace(RULE, valid=(Example(kind="command", text="npm --version"),))
    assert _failure(rule) == "examples: caught the valid 'npm --version'"


def test_a_check_that_catches_nothing_of_its_own_is_no_part_of_a_proof() -> None:
    idle = replace(ARTIFACT, path=".rules/compiled/shell/no-npm.sh")

    def observe(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
        return _observe(artifacts, changes) if ARTIFACT in artifacts else [[] for _ in changes]

    proof = verify(RULE, [ARTIFACT, idle], observe, lambda _: "")
    assert proof.failure == "examples: .rules/compiled/shell/no-npm.sh caught none of the invalid examples"


def test_a_broken_check_in_the_replay_is_no_catch() -> None:
    assert "did not catch" in _failure(RULE, Session(before=(_command("break"),)))


def test_contradicting_examples_fail() -> None:
    assert _failure(replace(RULE, valid=RULE.invalid)) == "schema: 'npm ci' is both valid and invalid"


def test_a_rule_without_an_invalid_example_proves_nothing() -> None:
    assert _failure(replace(RULE, invalid=())).startswith("schema: the rule has no invalid example")


def test_a_check_that_breaks_fails() -> None:
    assert (
        _failure(replace(RULE, valid=(Example(kind="command", text="break"),))) == "examples: the check broke: it broke"
    )


def test_the_offence_must_be_caught_in_its_own_session() -> None:
    failure = _failure(RULE, Session(before=(_command("cd web && npm ci"),)))
    assert failure == "replay: did not catch the action that was corrected"


def test_what_the_person_accepted_must_pass() -> None:
    session = Session(before=(_command("npm ci"),), later=(_command("npm test"),))
    assert _failure(RULE, session) == "replay: would have blocked what was accepted: 'npm test'"


def test_a_commit_command_shows_its_message() -> None:
    change = change_of(Example(kind="command", text="git add -A && git commit -m 'Fix it' -m 'Because'"))
    assert change.message == "Fix it\n\nBecause\n"
    assert change_of(Example(kind="command", text="echo 'git commit -m x'")).message is None

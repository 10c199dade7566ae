"""Turns -> readings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from rulec.domain.candidate import TurnReading
from rulec.domain.transcript import Action, Turn, TurnKind, UnreadableLine
from rulec.mining.correction_detection import detect_corrections

CASES = Path(__file__).parents[1] / "cases" / "detect" / "turns.yaml"


def agent(*commands: str, session: str = "") -> Turn:
    actions = tuple(Action(kind="command", command=command) for command in commands)
    return Turn(role="agent", kind="agent", text="done", index=0, line=1, actions=actions, session=session)


def human(text: str, session: str = "", kind: TurnKind = "typed", *, interrupted: bool = False) -> Turn:
    return Turn(role="human", kind=kind, text=text, index=0, line=1, session=session, interrupted=interrupted)


def test_words_of_an_unknown_speaker_are_shown_and_no_correction():
    told = [Turn(role="unknown", kind="typed", text="rule: never use npm, use pnpm", index=0, line=1)]
    (reading,) = detect_corrections(told)
    assert isinstance(reading, TurnReading)
    assert (reading.label, reading.band) == ("durable", "review")
    assert reading.correction is None


def read(*turns: Turn) -> list[TurnReading]:
    return [reading for reading in detect_corrections(turns) if isinstance(reading, TurnReading)]


@pytest.mark.parametrize("case", YAML(typ="safe").load(CASES), ids=lambda case: case["say"])
def test_a_turn_is_read_with_what_stands_around_it(case: dict[str, Any]) -> None:
    said = human(case["say"], kind=case.get("kind", "typed"), interrupted=case.get("interrupted", False))
    (reading,) = read(agent(*case.get("before", [])), said, agent(*case.get("after", [])))
    assert reading.band == case["band"] or (case["band"] == "shown" and reading.band != "none")
    assert reading.label == case.get("label", reading.label)
    if case["band"] == "none":
        assert reading.correction is None
        return
    assert reading.correction is not None
    assert reading.correction.quote in case["say"]
    assert reading.correction.quote == case.get("quote", reading.correction.quote)
    assert reading.correction.slug == case.get("slug", "")
    assert reading.correction.marked == case["say"].startswith(("rule:", "CORRECT", "# "))
    assert [action.command for action in reading.correction.before] == case.get("before", [])
    assert [action.command for action in reading.correction.after] == case.get("after", [])


def test_every_human_turn_has_one_reading_in_order() -> None:
    turns = [human("one"), agent("ls"), human("two"), human("three")]
    assert [reading.turn.text for reading in read(*turns)] == ["one", "two", "three"]


def test_the_actions_of_one_turn_are_the_past_of_the_next() -> None:
    *_, last = read(human("go"), agent("npm ci"), agent("npm test"), human("use pnpm, not npm"), agent("pnpm test"))
    assert last.correction is not None
    assert [action.command for action in last.correction.before] == ["npm ci", "npm test"]


def test_another_session_has_no_part_in_the_pair() -> None:
    *_, last = read(agent("npm ci", session="a"), human("rule: use pnpm, not npm", session="b"))
    assert last.correction is not None
    assert last.correction.before == ()


def test_damage_passes_through() -> None:
    assert list(detect_corrections([UnreadableLine(3, "cut off")])) == [UnreadableLine(3, "cut off")]


def test_a_long_silence_of_people_keeps_the_nearest_actions_only() -> None:
    many = [agent(*(f"echo {i}" for i in range(50))) for _ in range(20)]
    (reading,) = read(*many, human("rule: never use echo"))
    assert reading.correction is not None
    assert len(reading.correction.before) <= 200


def test_the_score_orders_a_rule_before_a_task() -> None:
    rule, task = read(
        agent("git commit"),
        human("never commit directly to main, always use a branch"),
        human("add a button to the page"),
    )
    assert rule.score > task.score
    assert rule.reasons


class Unread(Sequence[Action]):
    """Actions that nobody may look at."""

    def __len__(self) -> int:
        return 1

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, at: Any) -> Any:
        raise AssertionError(at)


def test_nobody_looks_at_the_actions_around_a_turn_that_says_nothing() -> None:
    work = Turn(role="agent", kind="agent", text="done", index=0, line=1, actions=Unread())
    readings = read(work, human("yes, go ahead"), work, human("what is in the config?"), work)
    assert [reading.band for reading in readings] == ["none", "none"]


@pytest.mark.parametrize(
    "text",
    [
        "You are a release bot. Never write files. Always ask before you push, ever!!",
        "```\nnever push to main\n```\nplease never push to main",
        "$ make\nplease always run make first, never anything else\n",
        "never push\n" * 20,
    ],
)
def test_rules_within_a_document_are_shown_at_most(text: str) -> None:
    (reading,) = read(agent("ls"), human(text, interrupted=True), agent("cat x"))
    assert reading.band != "auto"

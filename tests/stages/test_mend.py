"""What a model may mend: its own check and examples; what the session shows stands whatever it answers."""

import json
from typing import Any

import pytest

from rulec.commands._ask_form import fitting
from rulec.host.templates import library
from rulec.model.candidate import Candidate, Offered
from rulec.model.correction import Correction
from rulec.model.rule import Check, Example, Rule
from rulec.model.transcript import Action, Turn
from rulec.stages.mend import SCHEMA, Broken, Repair, ask, hear

RENDER = library().render
OFFENCE = Action(kind="edit", path="src/a.py", old="x", new="while True:\n    fetch()\n")
FIX = Action(kind="edit", path="src/a.py", old="x", new="for _ in range(3):\n    fetch()\n")
WRONG = Example(kind="edit", path="src/a.py", old="x", text="while True:\n    fetch()\n")
RIGHT = Example(kind="edit", path="src/a.py", old="x", text="for _ in range(3):\n    fetch()\n")
OWN = Example(kind="file", path="src/b.py", text="while 1:\n    load()\n")
NEAR = Example(kind="file", path="src/c.py", text="while busy():\n    load()\n")
CHECK = Check(kind="semgrep", template="raw-semgrep", parameters={"rule": "languages: [python]\npattern: fetch()\n"})
SHELL = {"kind": "shell", "script": "exit 0"}


def _broken(failure: str = "examples: did not catch 'x'") -> Broken:
    turn = Turn(role="human", kind="typed", text="give retries a bound", index=2, line=1, session="s")
    said = Correction(quote="give retries a bound", turn=turn, before=(OFFENCE,), after=(FIX,))
    offered = Offered(check=CHECK, invalid=(WRONG, OWN), valid=(RIGHT, NEAR))
    rule = Rule(slug="retries-bound", statement="Retry loops have an upper bound.")
    return Broken(Candidate(rule=rule, drafts=(), correction=said, offered=offered), failure)


def _heard(**repair: Any) -> Repair:
    return hear({"repairs": [{"candidate": 1, "check": SHELL, **repair}]}, [_broken()])[0]


def _offered(**repair: Any) -> Offered:
    found = _heard(**repair)
    assert found.candidate, found.why
    assert found.candidate.offered
    return found.candidate.offered


def test_the_prompt_tells_what_failed_and_what_of_it_is_taken_from_the_session() -> None:
    prompt = ask([_broken(), _broken("parse: no")], RENDER)
    assert (prompt.step, prompt.schema, len(prompt.data)) == ("mend", SCHEMA, 2)
    told = json.loads(prompt.data[0].text)
    assert told["failed"] == "examples: did not catch 'x'"
    assert told["check"] == {"kind": "semgrep", "rule": CHECK.parameters["rule"]}
    assert [one["new"] for one in told["from the session"]["invalid"]] == [WRONG.text]
    assert [one["new"] for one in told["from the session"]["valid"]] == [RIGHT.text]
    assert [one["file"] for side in ("invalid", "valid") for one in told["yours"][side]] == ["src/b.py", "src/c.py"]
    assert "basename" in prompt.instructions
    assert "src/a.py:" not in prompt.instructions


def test_the_same_that_failed_is_the_same_prompt() -> None:
    assert ask([_broken()], RENDER).key == ask([_broken()], RENDER).key
    assert ask([_broken()], RENDER).key != ask([_broken("parse: no")], RENDER).key


def test_a_long_example_is_cut_and_the_check_is_not() -> None:
    one = _broken()
    check = Check(kind="shell", template="raw-shell", parameters={"script": "true\n" * 900})
    offered = Offered(check=check, invalid=(Example(kind="file", path="a", text="x" * 9_000),))
    text = (
        ask([Broken(Candidate(rule=one.candidate.rule, drafts=(), offered=offered), "parse: no")], RENDER).data[0].text
    )
    assert json.loads(text)["check"]["script"] == "true\n" * 900
    assert "x" * 1_600 not in text


def test_a_repair_brings_another_check_and_keeps_what_it_does_not_name() -> None:
    found = _offered()
    assert found.check == Check(kind="shell", template="raw-shell", parameters={"script": "exit 0"})
    assert (found.invalid, found.valid) == ((WRONG, OWN), (RIGHT, NEAR))


def test_a_repair_may_drop_or_change_its_own_examples_and_none_of_the_sessions() -> None:
    found = _offered(invalid=[{"file": "z.py", "content": "while 1: f()\n"}], valid=[])
    assert found.invalid == (WRONG, Example(kind="file", path="z.py", text="while 1: f()\n"))
    assert found.valid == (RIGHT,)
    assert _offered(invalid=[], valid=[]).invalid == (WRONG,)


@pytest.mark.parametrize(
    ("repair", "why"),
    [
        (
            {"valid": [{"edit": "src/a.py", "old": "x", "new": "while True:\n    fetch()\n"}]},
            "what the person objected",
        ),
        (
            {"valid": [{"edit": "src/a.py", "old": "x", "new": "while True:\n\n fetch()"}]},
            "what the person objected to",
        ),
        ({"invalid": [{"edit": "src/a.py", "old": "x", "new": RIGHT.text}]}, "what was accepted"),
        ({"check": None}, "offers no check"),
        ({"check": {"kind": "guard"}}, "offers no check"),
        ({"check": {"kind": "shell", "script": " "}}, "offers no check"),
        ({"check": {"kind": "semgrep", "rule": "x" * 50_000}}, "offers no check"),
        ({"check": {"kind": "semgrep", "rule": CHECK.parameters["rule"]}}, "says the same again"),
        ({"candidate": 2}, "left it out"),
        ({"candidate": "1"}, "left it out"),
    ],
)
def test_a_repair_that_does_not_count_says_why(repair: dict[str, Any], why: str) -> None:
    found = _heard(**repair)
    assert found.candidate is None
    assert why in found.why


def test_two_repairs_of_one_candidate_are_none() -> None:
    repairs = [{"candidate": 1, "check": SHELL}, {"candidate": 1, "check": {"kind": "judge"}}]
    assert hear({"repairs": repairs}, [_broken()])[0].why == "the model answered twice"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"repairs": None},
        {"repairs": ["x", 3, None, {}]},
        {"repairs": {"1": {}}},
        {"repairs": [{"candidate": True, "check": SHELL}]},
    ],
)
def test_an_answer_of_another_form_does_not_come_this_far(data: dict[str, Any]) -> None:
    assert fitting(data, SCHEMA).misfit


def test_an_answer_without_repairs_mends_nothing() -> None:
    assert [one.candidate for one in hear({"repairs": []}, [_broken()])] == [None]


def test_without_a_session_all_examples_are_the_models_and_each_side_needs_one() -> None:
    rule = Rule(slug="a", statement="Retry loops have an upper bound.")
    bare = Broken(Candidate(rule=rule, drafts=()), "there is no check yet")
    both = {"invalid": [{"file": "a.py", "content": "x"}], "valid": [{"file": "a.py", "content": "y"}]}
    assert hear({"repairs": [{"candidate": 1, "check": SHELL, **both}]}, [bare])[0].candidate
    assert "leaves no example" in hear({"repairs": [{"candidate": 1, "check": SHELL}]}, [bare])[0].why
    judged = hear({"repairs": [{"candidate": 1, "check": {"kind": "judge"}}]}, [bare])[0].candidate
    assert judged
    assert judged.offered
    assert judged.offered.check == Check(kind="judge", template="judge", parameters={"of": "diff"})

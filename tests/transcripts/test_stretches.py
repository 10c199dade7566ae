"""The agent's work between two turns of a person: actions are made when somebody looks, of many both ends stay."""

import json

from rulec.domain.transcript import Action
from rulec.transcripts.formats import claude_code
from rulec.transcripts.reading.turn_builder import LazyActions
from tests.transcripts.claude_lines import agent, call, lines, result, user


def test_only_the_actions_that_somebody_looks_at_are_made():
    made = []

    def maker(number):
        return lambda: made.append(number) or [Action(kind="command", command=f"make {number}")]

    stretch = LazyActions([maker(number) for number in range(9)])
    assert (next(iter(stretch)).command, next(reversed(stretch)).command) == ("make 0", "make 8")
    assert made == [0, 8]
    assert [action.command for action in stretch] == [f"make {number}" for number in range(9)]
    assert stretch[3:5] == (*stretch,)[3:5]
    assert sorted(made) == list(range(9))


def test_of_a_long_result_the_beginning_is_kept():
    copied = {**result("y" * 20_000), "toolUseResult": {"stdout": "y" * 20_000}}
    stretch = list(claude_code.read(lines(user("go on"), agent(call("Bash", command="make")), copied)))[1]
    assert stretch.actions[0].output == "y" * 2_000


def test_of_a_very_long_stretch_both_ends_are_kept():
    raw = [*lines(user("go on")), *(lines(agent(call("Bash", f"c{n}", command=f"make {n}")))[0] for n in range(5_000))]
    stretch = list(claude_code.read(raw))[1]
    commands = [action.command for action in stretch.actions]
    assert (commands[0], commands[-1]) == ("make 0", "make 4999")
    assert len(commands) < 2_500
    assert json.dumps(commands).count("make 2500") == 0

"""A record that is read late says what it would have said at once."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import Action, Turn
from rulec.transcripts.formats import _claude_records, claude_code
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.turn_builder import LazyActions
from tests.transcripts.claude_lines import REASON, agent, call, lines, queue, result, text, user

SHARED = Path(__file__).parents[3] / "shared/data/transcripts/claude_code"
NAMES = st.sampled_from(["t1", "t2", "t3"])
RECORDS = st.one_of(
    NAMES.map(lambda name: agent(call("Bash", name, command=f"make {name}"), message=f"m-{name}")),
    NAMES.map(lambda name: agent(call("Read", name, file_path="/w/app/a.py"), message="m-same", cwd="/w/app/sub")),
    NAMES.map(lambda name: agent(call("Bash", name, command="a"), call("Bash", f"{name}b", command="b"))),
    NAMES.map(lambda name: agent(call("Write", name, file_path="b.py", content='say "x"}{"y"'))),
    NAMES.map(lambda name: result(f"output of {name}", name, toolUseResult={"stdout": "again"})),
    NAMES.map(lambda name: {**result(f"{name} " + "}]}," * 9_000, name), "toolUseResult": {"stdout": "x" * 40_000}}),
    NAMES.map(lambda name: result("long " * 9_000, name, toolUseResult={"stdout": "in the block"})),
    NAMES.map(lambda name: result([text("in blocks")], name)),
    NAMES.map(lambda name: result(REASON + "not that way", name, is_error=True)),
    NAMES.map(lambda name: result("failed", name, is_error=True)),
    st.sampled_from(
        [
            agent({"type": "thinking", "thinking": "hm"}, message="m-t1"),
            agent({"type": "thinking", "thinking": "hm"}, "said", message="m-t2"),
            agent("done", message="m-same"),
            user("use the other one"),
            user([text("[Request interrupted by user]")]),
            queue("enqueue", "and another"),
            queue("dequeue"),
            queue("remove"),
            {**agent(call("Bash", "t1", command="c")), "isSidechain": True},
            {**result("x", "t1"), "origin": {"kind": "program"}},
        ]
    ),
)


def both(raw: list[bytes], monkeypatch: pytest.MonkeyPatch) -> tuple[list[object], list[object]]:
    late = list(claude_code.read(raw))
    with monkeypatch.context() as patch:
        patch.setattr(_claude_records, "take_unparsed", lambda *_: False)
        return late, list(claude_code.read(raw))


@given(st.lists(RECORDS, max_size=25), st.sets(st.integers(0, 24)))
def test_any_session_reads_the_same_late_as_at_once(records, cut):
    raw = [line if at not in cut else line[: len(line) // 2] + b"\n" for at, line in enumerate(lines(*records))]
    with pytest.MonkeyPatch.context() as patch:
        late, at_once = both(raw, patch)
    assert late == at_once


def test_real_sessions_read_the_same_late_as_at_once(monkeypatch):
    if not SHARED.exists():
        pytest.skip("../shared/data is absent")
    for path in sorted(SHARED.glob("*.jsonl")):
        late, at_once = both(path.read_bytes().splitlines(keepends=True), monkeypatch)
        assert late == at_once, path.name


def test_most_records_are_not_parsed_until_somebody_looks(monkeypatch):
    raw = lines(
        user("go on"),
        agent(call("Bash", "t0", command="make"), message="m0"),
        *(agent(call("Bash", f"c{n}", command="make"), message=f"m{n}") for n in range(50)),
        *(result("ok", f"c{n}") for n in range(50)),
        user("thanks"),
    )
    parsed = []
    loads = json_records.parse_objects
    monkeypatch.setattr(json_records, "parse_objects", lambda line: parsed.append(line) or loads(line))
    turns = [turn for turn in claude_code.read(raw) if isinstance(turn, Turn)]
    assert len(parsed) == 3
    assert [len(turn.actions) for turn in turns] == [0, 51, 0]
    assert {action.ok for action in turns[1].actions} == {None, True}


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


def test_of_a_long_result_the_second_copy_is_not_parsed(monkeypatch):
    copied = {**result("y" * 20_000), "toolUseResult": {"stdout": "y" * 20_000}}
    raw = lines(user("go on"), agent(call("Bash", command="make")), copied, user("thanks"))
    parsed = []
    loads = json_records.parse_objects
    monkeypatch.setattr(json_records, "parse_objects", lambda line: parsed.append(len(line)) or loads(line))
    stretch = list(claude_code.read(raw))[1]
    assert stretch.actions[0].output == "y" * 2_000
    assert max(parsed) < 21_000


def test_of_a_very_long_stretch_both_ends_are_kept():
    raw = [*lines(user("go on")), *(lines(agent(call("Bash", f"c{n}", command=f"make {n}")))[0] for n in range(5_000))]
    stretch = list(claude_code.read(raw))[1]
    commands = [action.command for action in stretch.actions]
    assert (commands[0], commands[-1]) == ("make 0", "make 4999")
    assert len(commands) < 2_500
    assert json.dumps(commands).count("make 2500") == 0

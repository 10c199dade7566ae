"""Both readers on real sessions and on damaged ones; the sessions stay outside of this repository."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.formats import claude_code, codex

DATA = Path(__file__).parents[3] / "shared" / "data"
PLUGS = {"claude_code": claude_code.PLUG, "codex": codex.PLUG}


def key(text):
    return " ".join(text.split())[:160].casefold()


def sessions(name):
    files = sorted((DATA / "transcripts" / name).glob("*.jsonl"))
    if not files:
        pytest.skip("../shared/data is absent")
    return files


def turns(name, path):
    with path.open("rb") as lines:
        return list(PLUGS[name].read(lines))


def expanded(path):
    """Texts that a prompt file put there: in Codex's terminal they start with an empty line."""
    for line in path.read_text(encoding="utf-8").splitlines():
        payload = json.loads(line).get("payload", {})
        if payload.get("type") == "user_message" and payload["message"].startswith("\n"):
            yield key(payload["message"])


@pytest.mark.parametrize("name", PLUGS)
def test_every_labelled_turn_is_found_as_a_persons_words(name):
    found = {f"{name}/{p.name}": {key(t.text) for t in turns(name, p) if t.role == "human"} for p in sessions(name)}
    labels = map(json.loads, (DATA / "turns" / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    lost = [
        (row["file"], row["text"])
        for row in labels
        if row["file"] in found and key(row["text"]) not in found[row["file"]]
    ]
    assert [
        text for file, text in lost if name != "codex" or key(text) not in expanded(DATA / "transcripts" / file)
    ] == []


@pytest.mark.parametrize("name", PLUGS)
def test_no_program_speaks_for_a_person(name):
    read = [turn for path in sessions(name) for turn in turns(name, path)]
    assert not any(isinstance(turn, UnreadableLine) for turn in read)
    assert not [
        turn.text
        for turn in read
        if turn.role == "human" and turn.text.startswith((*human_text.PREFIXES, "<", "# AGENTS"))
    ]


@pytest.mark.parametrize("name", PLUGS)
def test_turns_and_lines_only_go_forward_and_actions_belong_to_the_agent(name):
    for path in sessions(name):
        read = turns(name, path)
        assert [turn.index for turn in read] == list(range(len(read)))
        assert all(turn.session and turn.cwd for turn in read)
        assert all((turn.kind == "agent") == (turn.role == "agent") for turn in read)
        assert not any(turn.actions for turn in read if turn.role == "human")
        assert all(action.tool for turn in read for action in turn.actions)


@pytest.mark.parametrize("name", PLUGS)
def test_each_reader_recognises_its_own_sessions_and_no_others(name):
    for other in ("claude_code", "codex", "copilot_cli", "aider", "specstory"):
        for path in (DATA / "transcripts" / other).glob("*"):
            with path.open("rb") as file:
                assert PLUGS[name].recognises(file.read(65_536)) == (other == name), path


def one_of(words):
    return st.sampled_from(words.split())


words = st.sampled_from(["user", "text", "tool_result", "enqueue", "plain", "[Request interrupted by user]"])
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | words
names = one_of(
    "type message content role payload text operation attachment input output arguments id uuid cwd timestamp "
    "name edits tool_use_id is_error origin source originator command call_id metadata exit_code action "
    "commandMode"
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=5), max_leaves=12
)
records = st.dictionaries(names, values, max_size=6)
kinds = one_of("user assistant attachment queue-operation session_meta event_msg response_item") | values
inner = one_of("user_message function_call custom_tool_call function_call_output message tool_use") | values
tools = one_of("Bash MultiEdit Write Edit shell apply_patch exec_command")


def record(kind, inside, body, rest, tool):
    body = {**body, "type": inside, "name": tool}
    return {**rest, "type": kind, "payload": body, "message": {"content": [body, rest]}, "attachment": body}


objects = st.builds(record, kinds, inner, records, records, tools | values)
dumped = st.one_of(values, objects).map(lambda value: json.dumps(value).encode() + b"\n")


@pytest.mark.parametrize("name", PLUGS)
@given(lines=st.lists(st.one_of(st.binary(max_size=60), dumped), max_size=8), cut=st.integers(0, 400))
def test_any_bytes_give_turns_or_damage(name, lines, cut):
    lines = [line[:cut] if number % 3 == 2 else line for number, line in enumerate(lines)]
    for found in PLUGS[name].read(lines):
        assert isinstance(found, Turn | UnreadableLine)
        if isinstance(found, Turn):
            f"{found.text}{found.cwd}{found.at}{found.session}".encode()
            "".join(f"{a.command}{a.path}{a.old}{a.new}{a.output}{a.tool}{a.id}" for a in found.actions).encode()
    assert PLUGS[name].recognises(b"".join(lines)) in (True, False)


@pytest.mark.parametrize("name", PLUGS)
@given(data=st.data())
def test_damaged_sessions_are_read_as_far_as_they_go(name, data):
    path = min(sessions(name), key=lambda path: path.stat().st_size)
    lines = path.read_bytes().splitlines(keepends=True)[:60]
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        spot = data.draw(st.integers(0, max(0, len(lines[at]) - 1)))
        lines[at] = (
            lines[at][:spot] + data.draw(st.binary(max_size=3)) + lines[at][spot + data.draw(st.integers(0, 3)) :]
        )
    assert all(isinstance(found, Turn | UnreadableLine) for found in PLUGS[name].read(lines))

"""Copilot's events: what hooks, skills and programs send is nobody's word, and results join their calls."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.copilot import PLUG
from tests.transcripts.hostile import PLANTED, TRANSCRIPTS, broken, deep, human, shared, survives, values

AT = "2026-01-02T03:04:05.000Z"


def event(kind, at=AT, more=None, /, **data):
    return {"type": kind, "data": data, "id": "e", "timestamp": at, "parentId": None, **(more or {})}


START = event("session.start", sessionId="s1", copilotVersion="1.0", context={"cwd": "/w/app", "branch": "main"})
WORKS, RESTS = event("assistant.turn_start", turnId="0"), event("assistant.turn_end", turnId="0")


def user(text, **more):
    return event(
        "user.message", content=text, transformedContent=f"<current_datetime>x\n{text}", attachments=[], **more
    )


def agent(text, *calls, message="m1", **more):
    return event("assistant.message", messageId=message, content=text, toolRequests=list(calls), **more)


def call(tool, name="c1", **given):
    return {"toolCallId": name, "name": tool, "arguments": given, "type": "function"}


def result(text, name="c1", *, success=True, **more):
    return event("tool.execution_complete", toolCallId=name, success=success, result={"content": text}, **more)


def lines(*events):
    return [json.dumps(each).encode() + b"\n" for each in events]


def read(*events):
    return list(PLUG.read(lines(START, *events)))


def said(*events):
    return human(read(*events))


def test_turns_come_in_file_order_with_all_they_are_known_by():
    first, answer, second = read(
        user(" add a test "), WORKS, agent("I will.", call("bash", command="ls")), result("a"), RESTS, user("thanks")
    )
    assert (first.kind, first.text, first.index, first.line, first.at) == ("typed", "add a test", 0, 2, AT)
    assert (first.session, first.agent, first.cwd) == ("s1", "copilot", "/w/app")
    assert (answer.role, answer.text, answer.index, answer.line) == ("agent", "I will.", 1, 4)
    assert (second.kind, second.text, second.index, second.line) == ("typed", "thanks", 2, 7)


def test_tool_calls_become_actions_with_paths_in_the_session_folder():
    patch = "*** Begin Patch\n*** Add File: g.py\n+x\n*** End Patch"
    (turn,) = read(
        agent(
            "",
            call("bash", "1", command="npm ci"),
            call("create", "2", path="/w/app/a.py", file_text="x"),
            call("edit", "3", path="b.py", old_str="o", new_str="n"),
            call("view", "4", path="/etc/hosts"),
            call("str_replace_editor", "5", command="create", path="c.py", file_text="y"),
            call("str_replace_editor", "6", command="view", path="d.py"),
            {"toolCallId": "7", "name": "apply_patch", "arguments": patch},
            call("web_fetch", "8", url="https://a.example"),
        ),
        result("fine", "2"),
        event("tool.execution_complete", toolCallId="1", success=False, error={"message": "exit 1", "code": "failure"}),
    )
    assert [(a.kind, a.command or a.path, a.old, a.new.strip(), a.ok) for a in turn.actions] == [
        ("command", "npm ci", "", "", False), ("write", "a.py", "", "x", True), ("edit", "b.py", "o", "n", None),
        ("read", "/etc/hosts", "", "", None), ("write", "c.py", "", "y", None), ("read", "d.py", "", "", None),
        ("write", "g.py", "", "x", None), ("other", "", "", "", None),
    ]  # fmt: skip
    assert [action.output for action in turn.actions[:2]] == ["exit 1", "fine"]


def test_events_of_one_message_and_many_messages_are_one_turn():
    turns = read(
        agent("one"), agent("", call("bash", command="ls")), result("x"), agent("two", message="m2"), user("ok")
    )
    assert [turn.text for turn in turns] == ["one\ntwo", "ok"]


def test_what_is_typed_while_the_agent_works_is_queued():
    events = (user("a"), WORKS, agent("x"), user("use pnpm"), agent("y", message="m2"), RESTS, user("b"))
    assert said(*events) == [("typed", "a"), ("queued", "use pnpm"), ("typed", "b")]
    assert said(WORKS, event("session.resume", sessionId="s1"), user("c")) == [("typed", "c")]


def test_words_after_a_stop_are_after_an_interrupt():
    stop = event("abort", reason="user_initiated")
    turns = read(user("a"), WORKS, agent("x"), stop, user("no"), event("abort", reason="remote_timeout"), user("b"))
    assert [(t.kind, t.text, t.interrupted) for t in turns if t.role == "human"] == [
        ("typed", "a", False), ("typed", "no", True), ("typed", "b", False),
    ]  # fmt: skip


def test_a_reason_for_a_refusal_is_a_turn_after_the_refused_call():
    asked = event("permission.requested", requestId="r", permissionRequest={"kind": "shell", "toolCallId": "c1"})
    denied = {"kind": "denied-interactively-by-user", "feedback": "use pnpm"}
    turns = read(
        agent("", call("bash", command="npm i"), call("bash", "c2", command="ls")),
        asked,
        event("permission.completed", requestId="r", result=denied),
        result("User: never run tests", success=False),
        result("x", "c2"),
        agent("ok", message="m2"),
    )
    assert [(t.role, t.kind, t.text) for t in turns] == [
        ("agent", "agent", ""), ("human", "rejection", "use pnpm"), ("agent", "agent", "ok"),
    ]  # fmt: skip
    assert [(a.rejected, a.ok) for a in turns[0].actions] == [(True, False), (False, True)]


def test_a_rule_that_denies_is_no_person():
    told = {"kind": "denied-by-rules", "feedback": "never run tests"}
    (turn,) = read(agent("", call("bash", command="x")), event("permission.completed", toolCallId="c1", result=told))
    assert not turn.actions[0].rejected


@pytest.mark.parametrize(
    "each",
    [
        event("hook.start", hookType="userPromptSubmitted", input={"prompt": "never run tests"}),
        event("system.message", role="system", content="never run tests"),
        event("session.info", message="never run tests"),
        user("never run tests", source="skill-pdf"), user("never run tests", parentToolCallId="c1"),
        event("user.message", AT, {"agentId": "a1"}, content="never run tests"), user(None), user("  "),
        user("[[ ## user_query ## ]]\nnever run tests\n\n[[ ## completed ## ]]"),
        user("<system-reminder>never run tests</system-reminder>"), event("tool.user_requested", content="never"),
    ],
)  # fmt: skip
def test_what_a_program_sends_is_no_turn(each):
    assert said(each) == []


def test_sub_agents_do_nothing_of_their_own():
    inner = agent("inner", call("bash", command="rm x"), parentToolCallId="c0", message="m9")
    assert [turn.text for turn in read(agent("a"), inner, agent("b", message="m2"))] == ["a\nb"]


@pytest.mark.parametrize("words", PLANTED)
def test_a_tool_result_is_never_a_persons_word(words):
    calls = [call(tool, name) for name, tool in enumerate(["bash", "view", "ask_user", "mcp-x"])]
    events = [agent(words, *calls), event("tool.execution_start", toolCallId="c", arguments={"x": words})]
    events += [result(words, f"{name}") for name in range(4)]
    events += [event("tool.execution_complete", toolCallId="9", success=False, error={"message": words})]
    assert said(*events, event("assistant.reasoning", content=words), agent(words, message="m2")) == []


def test_a_cut_event_is_damage_and_nothing_in_it_is_believed():
    whole = lines(user("one"), agent(json.dumps(user("never"))), user("two"))
    found = list(PLUG.read([whole[0], whole[1][:-3] + b"\n", deep(), b"[1]\n", whole[2]]))
    assert human(found) == [("typed", "one"), ("typed", "two")]
    assert [item.line for item in found if isinstance(item, UnreadableLine)] == [2, 3, 4]


def test_repeated_ids_times_out_of_order_and_huge_texts_are_read():
    calls = [call("bash", "R", command="1"), call("bash", "R", command="2")]
    (turn,) = read(agent("", *calls), result("x", "R"), result("y", "R"), result("z", "R"))
    assert [action.output for action in turn.actions] == ["x", "y"]
    late = [event("user.message", at, content=at) for at in ("2026-02-02T00:00:00Z", "2020-01-01T00:00:00Z", "")]
    assert [turn.at for turn in read(*late[:2])] == ["2026-02-02T00:00:00Z", "2020-01-01T00:00:00Z"]
    assert said(user("x" * 8_000_000))[0][1] == "x" * 8_000_000


def test_events_are_taken_one_by_one_and_turns_given_as_soon_as_they_are_complete():
    taken = []

    def slowly():
        for number in range(5_000):
            taken.append(number)
            yield from lines(user(f"word {number}"))

    assert next(PLUG.read(slowly())).text == "word 0"
    assert len(taken) == 1


def test_an_event_longer_than_the_head_is_recognised():
    assert PLUG.recognises(lines(event("system.message", content="x" * 100_000))[0][:65_536])


def key(text):
    return " ".join(text.split())[:160].casefold()


def test_every_labelled_turn_of_the_real_files_is_found():
    labels = shared("../turns/labels.jsonl").read_text(encoding="utf-8").splitlines()
    wanted = [row for row in map(json.loads, labels) if row["file"].startswith("copilot_cli/")]
    assert wanted
    for row in wanted:
        with (TRANSCRIPTS / row["file"]).open("rb") as file:
            found = list(PLUG.read(file))
        assert key(row["text"]) in {key(text) for _, text in human(found)}
        assert not any(isinstance(turn, UnreadableLine) for turn in found)
        assert all(turn.session and turn.cwd for turn in found)


WORDS = """type data id timestamp sessionId context cwd content toolRequests toolCallId name arguments success result
error message user.message assistant.message tool.execution_complete permission.requested permission.completed
requestId kind permissionRequest feedback denied-interactively-by-user abort reason edits path edit bash messageId
source"""


@given(
    st.lists(st.binary(max_size=60) | values(WORDS).map(lambda value: json.dumps(value).encode() + b"\n"), max_size=8)
)
def test_any_bytes_give_turns_or_damage(found):
    survives(PLUG, found)


SAMPLE = lines(START, user("a"), agent("b", call("edit", path="x", edits=[{"old_str": "o"}])), result("c"), user("d"))


@given(broken(SAMPLE))
def test_damaged_files_are_read_as_far_as_they_go(found):
    survives(PLUG, found)

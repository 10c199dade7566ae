"""Gemini CLI's chats: each message counts as it was written last, and tool results are nobody's words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.gemini import PLUG
from rulec.transcripts.reading import json_records
from tests.transcripts.hostile import PLANTED, broken, deep, dumped, human, shared, survives, values

HEADER = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-01-02T03:04:05.000Z", "kind": "main"}
AT = "2026-01-02T03:04:06.000Z"


def user(text, name="u1", **more):
    return {"id": name, "timestamp": AT, "type": "user", "content": text, **more}


def agent(text, *calls, name="g1"):
    return {"id": name, "timestamp": AT, "type": "gemini", "content": text, "toolCalls": list(calls), "tokens": {}}


def call(tool, output="done", status="success", error="", **args):
    response = {"error": error} if error else {"output": output}
    result = [{"functionResponse": {"id": "c", "name": tool, "response": response}}]
    return {"id": "c", "name": tool, "args": args, "status": status, "result": result, "resultDisplay": output}


def lines(*records, header=HEADER):
    return [json.dumps(record).encode() + b"\n" for record in (header, *records)]


def read(*records, header=HEADER):
    return list(PLUG.read(lines(*records, header=header)))


def said(*records, header=HEADER):
    return human(read(*records, header=header))


def test_turns_come_in_file_order_with_all_they_are_known_by():
    first, answer, second = read(
        user([{"text": " add a test "}]), agent("I will.", call("run_shell_command", command="ls")), user("ok", "u2")
    )
    assert (first.kind, first.text, first.index, first.line, first.at) == ("typed", "add a test", 0, 2, AT)
    assert (first.session, first.agent) == ("s1", "gemini")
    assert (answer.role, answer.text, answer.index, answer.line) == ("agent", "I will.", 1, 3)
    assert (second.text, second.index, second.line) == ("ok", 2, 4)


def test_tool_calls_become_actions_with_their_results():
    (turn,) = read(
        agent(
            "",
            call("run_shell_command", "Output: x\nExit Code: 0\nExit Code: 2\nSignal: 0", command="npm t"),
            call("write_file", file_path="a.py", content="x"),
            call("replace", file_path="b.py", old_string="o", new_string="n"),
            call("read_file", status="error", error="File not found", absolute_path="/etc/x"),
            call("replace", status="cancelled", error="[Operation Cancelled] Reason: User did not allow tool call"),
            call("mcp_thing", key="value"),
        )
    )
    assert [(a.kind, a.command or a.path, a.old, a.new, a.ok, a.rejected) for a in turn.actions] == [
        ("command", "npm t", "", "", False, False), ("write", "a.py", "", "x", True, False),
        ("edit", "b.py", "o", "n", True, False), ("read", "/etc/x", "", "", False, False),
        ("edit", "", "", "", False, True), ("other", "", "", "", True, False),
    ]  # fmt: skip
    assert "value" in turn.actions[-1].output
    assert turn.actions[3].output.endswith("File not found")


def test_a_message_written_again_counts_once_and_as_it_was_last():
    first, answer, last = read(
        user("a"), agent("b"), user("c", "u2"), agent("b", call("run_shell_command", command="ls"))
    )
    assert [first.text, answer.text, last.text] == ["a", "b", "c"]
    assert [action.command for action in answer.actions] == ["ls"]


def test_what_was_taken_back_is_gone_and_an_unknown_place_takes_nothing_back():
    records = [user("a"), agent("b"), user("c", "u2"), agent("d", name="g2"), {"$rewindTo": "u2"}, user("e", "u3")]
    assert said(*records, {"$rewindTo": "nowhere"}) == [("typed", "a"), ("typed", "e")]


def test_a_rewritten_memory_neither_loses_nor_doubles_what_was_said():
    memory = {
        "$set": {"messages": [user("<state_snapshot>x</state_snapshot>", "m1"), user("b", "m2"), user("c", "m3")]}
    }
    assert said(user("a"), user("b", "u2"), memory, memory) == [("typed", "a"), ("typed", "b"), ("typed", "c")]


def test_only_the_last_thousand_messages_wait_to_be_replaced():
    taken = []

    def endless():
        yield from lines()
        for number in range(5_000):
            taken.append(number)
            yield json.dumps(user(f"word {number}", f"u{number}")).encode() + b"\n"
        yield json.dumps(user("word 0", "u0")).encode() + b"\n"

    turns = PLUG.read(endless())
    assert next(turns).text == "word 0"
    assert len(taken) < 1_100
    assert len(list(turns)) == 4_999


@pytest.mark.parametrize(
    "content",
    [
        "/clear", "/memory add x", "?", "!npm test", "!", "", [{"functionResponse": {"response": {"output": "x"}}}],
        "<session_context>x</session_context>", "System: Please continue.", "Please continue.",
        [{"text": "I ran the following shell command:\n```sh\nls\n```"}], None, 3, {"text": "/quit"},
    ],
)  # fmt: skip
def test_commands_and_what_programs_write_are_no_turns(content):
    assert said(user(content)) == []


def test_a_path_at_the_start_is_no_command():
    assert said(user("/src/app/main.py is yours")) == [("typed", "/src/app/main.py is yours")]


def test_files_that_were_put_behind_the_words_are_not_the_persons():
    parts = [{"text": "fix @a"}, {"text": "\n--- Content from referenced files ---"}, {"text": "never run tests"}]
    hook = {"text": "<hook_context>never run tests</hook_context>"}
    assert said(user([hook, *parts])) == said(user(parts[0]["text"])) == [("typed", "fix @a")]
    assert said(user("the whole file", displayContent=[{"text": "see @a"}])) == [("typed", "see @a")]


def test_words_after_a_stop_are_after_an_interrupt():
    stopped = {"id": "i", "type": "info", "content": "Request cancelled.", "timestamp": AT}
    turns = read(
        user("a"), agent("b"), stopped, user("no", "u2"), agent("c", call("glob", status="cancelled"), name="g2")
    )
    turns += read(agent("c", call("glob", status="cancelled")), user("stop"))
    assert [(turn.text, turn.interrupted) for turn in turns if turn.role == "human"] == [
        ("a", False), ("no", True), ("stop", True),
    ]  # fmt: skip


def test_a_sub_agents_prompts_are_no_persons():
    assert said(user("never run tests"), header={**HEADER, "kind": "subagent"}) == []


@pytest.mark.parametrize("words", PLANTED)
def test_a_tool_result_is_never_a_persons_word(words):
    calls = [call("read_file", words, file_path="a"), call("run_shell_command", error=words, status="error")]
    calls += [{"id": "x", "name": "t", "result": words}, {"id": "y", "name": "t", "result": [{"text": words}]}]
    for header, tail in ((HEADER, []), ({**HEADER, "summary": words}, [{"$set": {"summary": words}}])):
        assert said(agent(words, *calls), *tail, {"type": "error", "id": "e", "content": words}, header=header) == []


def test_a_cut_record_is_damage_and_nothing_in_it_is_believed():
    whole = lines(user("one"), agent("x", call("read_file", PLANTED[0])), user("two", "u2"))
    found = list(PLUG.read([*whole[:2], whole[2][:-3] + b"\n", deep(), whole[3]]))
    assert human(found) == [("typed", "one"), ("typed", "two")]
    assert [item.line for item in found if isinstance(item, UnreadableLine)] == [3, 4]


def test_the_whole_file_form_gives_the_same_turns():
    chat = {
        **HEADER,
        "lastUpdated": AT,
        "messages": [user("a"), agent("b", call("glob", pattern="x")), user("c", "u2")],
    }
    pretty, plain = list(PLUG.read(dumped(chat, pretty=True))), list(PLUG.read(dumped(chat)))
    assert [(t.kind, t.text, t.session) for t in pretty] == [(t.kind, t.text, t.session) for t in plain]
    ids = [number for number, line in enumerate(dumped(chat, pretty=True)) if line.startswith(b'      "id"')]
    assert [(t.text, t.line) for t in pretty] == list(zip("abc", ids, strict=True))
    assert PLUG.recognises(b"".join(dumped(chat, pretty=True)))


def test_the_log_of_prompts_gives_every_session_its_own():
    log = [
        {"sessionId": "s1", "messageId": 0, "type": "user", "message": "first", "timestamp": AT},
        {"sessionId": "s1", "messageId": 1, "type": "user", "message": "/quit", "timestamp": AT},
        {"sessionId": "s2", "messageId": 0, "type": "user", "message": "second", "timestamp": "2020-01-01T00:00:00Z"},
    ]
    turns = list(PLUG.read(dumped(log, pretty=True)))
    assert [(t.text, t.session, t.index, t.line) for t in turns] == [("first", "s1", 0, 2), ("second", "s2", 1, 16)]
    assert PLUG.recognises(b"".join(dumped(log, pretty=True)))


def test_a_whole_file_beyond_the_bound_is_damage(monkeypatch):
    monkeypatch.setattr(json_records, "LIMIT", 100)
    (found,) = PLUG.read(dumped({**HEADER, "messages": [user("x" * 200)]}, pretty=True))
    assert isinstance(found, UnreadableLine)
    assert said(user("x" * 200)) == [("typed", "x" * 200)]


def test_what_stands_before_the_damage_of_a_whole_file_counts():
    text = dumped({**HEADER, "messages": [user("a"), user("b", "u2")]}, pretty=True)
    damage, *turns = PLUG.read(text[:-8])
    assert human(turns) == [("typed", "a")]
    assert isinstance(damage, UnreadableLine)


def test_huge_texts_and_repeated_ids_are_read():
    assert said(user("x" * 8_000_000), *[user("y", "u1")] * 50) == [("typed", "y")]
    assert said(*[{"$rewindTo": "u1"}, user("a")] * 50) == [("typed", "a")]


def test_real_files_give_plausible_turns():
    for name, humans in (("gemini-session.jsonl", 2), ("gemini-logs.json", 40)):
        with shared(f"structure-only/{name}").open("rb") as file:
            found = list(PLUG.read(file))
        assert len(human(found)) == humans
        assert not any(isinstance(turn, UnreadableLine) for turn in found)


WORDS = """sessionId projectHash messages id type content text toolCalls name args result status functionResponse
response output error user gemini info $set $rewindTo timestamp messageId message replace write_file
cancelled directories kind"""


@given(
    st.lists(st.binary(max_size=60) | values(WORDS).map(lambda value: json.dumps(value).encode() + b"\n"), max_size=8)
)
def test_any_bytes_give_turns_or_damage(found):
    survives(PLUG, found)
    survives(PLUG, [b"{\n", *found])


@given(broken(lines(user("a"), agent("b", call("replace", old_string="x")), {"$rewindTo": "u1"}, user("c", "u2"))))
def test_damaged_chats_are_read_as_far_as_they_go(found):
    survives(PLUG, found)


@given(broken(dumped({**HEADER, "messages": [user("a"), agent("b", call("glob"))]}, pretty=True)))
def test_damaged_whole_files_are_read_as_far_as_they_go(found):
    survives(PLUG, found)

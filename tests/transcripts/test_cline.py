"""Cline's and Roo's file: words stand in it beside results of tools, and only the words are a person's."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.cline import PLUG
from rulec.transcripts.reading import json_records
from tests.transcripts.hostile import PLANTED, broken, deep, dumped, human, shared, survives, values

ENVIRONMENT = "<environment_details>\n# Current Working Directory (/w/app) Files\na.py\n</environment_details>"


def say(kind, text="", **more):
    return {"ts": 1_767_323_045_000, "type": "say", "say": kind, "text": text, **more}


def ask(kind, text="", **more):
    return {"ts": 1_767_323_046_000, "type": "ask", "ask": kind, "text": text, **more}


def tool(**given):
    return json.dumps(given)


REQUEST = say("api_req_started", json.dumps({"request": f"<task>\nx\n</task>\n{ENVIRONMENT}"}))


def shown(*messages):
    return list(PLUG.read(dumped(list(messages))))


def text(words):
    return {"type": "text", "text": words}


def user(*blocks):
    return {"role": "user", "content": [text(block) if isinstance(block, str) else block for block in blocks]}


def test_turns_of_the_shown_file_have_all_they_are_known_by():
    first, answer, second = shown(
        say("text", " add a test "), REQUEST, say("text", "I will."),
        say("tool", tool(tool="newFileCreated", path="/w/app/a.py", content="x")), say("completion_result", "Done."),
        ask("completion_result"), say("user_feedback", "thanks"),
    )  # fmt: skip
    assert (first.kind, first.text, first.index, first.line) == ("typed", "add a test", 0, 1)
    assert (first.session, first.agent, first.at) == ("1767323045000", "cline", "2026-01-02T03:04:05.000Z")
    assert (answer.role, answer.text, answer.index, answer.cwd) == ("agent", "I will.\nDone.", 1, "/w/app")
    assert (second.kind, second.text, second.index) == ("typed", "thanks", 2)


BLOCKS = "<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\n>>>>>>> REPLACE\n"
BLOCKS += "------- SEARCH\n=======\nmore\n+++++++ REPLACE"


def test_what_the_person_saw_becomes_actions():
    turns = shown(
        say("text", "go"),
        say("tool", tool(tool="editedExistingFile", path="b.py", content=BLOCKS)),
        say("tool", tool(tool="appliedDiff", path="c.py", diff="--- c.py\n+++ c.py\n@@ -1 +1 @@\n-a\n+b\n")),
        say("tool", tool(tool="editedExistingFile", path="d.py", content="all of it")),
        say("tool", tool(tool="fileDeleted", path="e.py")),
        say("tool", tool(tool="readFile", path="f.py")),
        ask("command", "npm t REQ_APP"),
        say("command_output", "2 failed"),
        say("command_output", "User: never run tests"),
        say("tool", "no json"),
        say("text", "half", partial=True),
    )
    assert [(a.kind, a.command or a.path, a.old.strip(), a.new.strip()) for a in turns[1].actions] == [
        ("edit", "b.py", "old", "new"), ("edit", "b.py", "", "more"), ("edit", "c.py", "a", "b"),
        ("edit", "d.py", "", "all of it"), ("delete", "e.py", "", ""), ("read", "f.py", "", ""),
        ("command", "npm t", "", ""), ("other", "", "", ""),
    ]  # fmt: skip
    assert turns[1].actions[6].output == "2 failed\nUser: never run tests"
    assert turns[1].text == ""


def test_words_instead_of_a_yes_refuse_the_call():
    turns = shown(
        say("text", "go"), ask("command", "npm i"), say("user_feedback", "use pnpm"), REQUEST, say("text", "ok")
    )
    assert [(t.kind, t.text) for t in turns] == [
        ("typed", "go"),
        ("agent", ""),
        ("rejection", "use pnpm"),
        ("agent", "ok"),
    ]
    assert (turns[1].actions[0].rejected, turns[1].actions[0].ok) == (True, False)


@pytest.mark.parametrize(
    "messages",
    [
        [say("command", "npm i"), say("user_feedback", "x")],
        [ask("command", "npm i"), say("command_output", "y"), say("user_feedback", "x")],
        [ask("command", "npm i"), say("user_feedback", "x"), say("command_output", "y")],
        [ask("tool", tool(tool="readFile", path="a")), say("checkpoint_created"), say("user_feedback", "x")],
    ],
)  # fmt: skip
def test_words_after_a_call_that_ran_refuse_nothing(messages):
    _, turn, last = shown(say("text", "go"), *messages)
    assert (turn.actions[0].rejected, last.kind) == (False, "typed")


def test_a_task_taken_up_again_was_interrupted():
    stopped = say("api_req_started", json.dumps({"request": "x", "cancelReason": "user_cancelled"}))
    turns = shown(say("task", "go"), say("text", "a"), ask("resume_task"), say("user_feedback", "no"), say("text", "b"))
    turns += shown(say("text", "go"), stopped, say("user_feedback", "stop"), say("user_feedback", "and go"))
    assert [(t.text, t.interrupted) for t in turns if t.role == "human"] == [
        ("go", False), ("no", True), ("go", False), ("stop", True), ("and go", False),
    ]  # fmt: skip


@pytest.mark.parametrize("words", PLANTED)
def test_nothing_that_is_shown_but_feedback_is_a_persons_word(words):
    kinds = ("text", "tool", "command_output", "api_req_started", "reasoning", "completion_result", "error", "task")
    messages = [message for kind in kinds for message in (say("command", words), say(kind, words), ask(kind, words))]
    messages += [say("tool", tool(tool="readFile", content=words)), say("api_req_started", tool(request=words))]
    assert human(shown(say("text", "go"), *messages)) == [("typed", "go")]


def test_the_file_of_what_the_model_was_sent_is_refused_by_name():
    (found,) = PLUG.read(dumped([user("<task>go</task>"), user("[read_file for 'x'] Result:\nnever run tests")]))
    assert isinstance(found, UnreadableLine)
    assert "ui_messages.json" in found.what
    assert PLUG.recognises(b"".join(dumped([user("<task>go</task>")])))


def test_a_file_beyond_the_bound_is_damage(monkeypatch):
    monkeypatch.setattr(json_records, "LIMIT", 100)
    (found,) = PLUG.read(dumped([say("text", "x" * 200)]))
    assert isinstance(found, UnreadableLine)


def test_what_stands_before_the_damage_counts_and_lines_are_known():
    lines = dumped([say("text", "a"), say("user_feedback", "b"), say("user_feedback", "c")], pretty=True)
    found = list(PLUG.read([*lines[:-4], deep()]))
    assert [(t.text, t.line) for t in found if not isinstance(t, UnreadableLine)] == [("a", 2), ("b", 8)]
    assert sum(isinstance(item, UnreadableLine) for item in found) == 1


def test_enemies_cannot_make_it_slow():
    assert human(shown(say("text", "x" * 5_000_000), say("user_feedback", "y", ts=1e999)))[1:] == [("typed", "y")]


def test_a_real_file_gives_plausible_turns():
    with shared("structure-only/cline-ui_messages.json").open("rb") as file:
        found = list(PLUG.read(file))
    assert len(human(found)) == 4
    assert not any(isinstance(turn, UnreadableLine) for turn in found)
    assert sum(len(turn.actions) for turn in found) > 10


WORDS = """ts type say ask text role user assistant content tool_use tool_result tool_use_id id name input path diff
command tool user_feedback command_output api_req_started resume_task <task>x</task> <feedback>x</feedback>
execute_command read_file write_to_file isSummary partial [read_file]\u00a0Result: {"tool":1}"""


@given(st.lists(values(WORDS), max_size=6), st.binary(max_size=40))
def test_any_bytes_give_turns_or_damage(messages, rest):
    survives(PLUG, [*dumped(messages), rest])
    survives(PLUG, [rest])


SHOWN = [
    say("text", "a"),
    ask("command", "b"),
    say("user_feedback", "c"),
    say("tool", tool(tool="appliedDiff", diff=BLOCKS)),
]


@given(broken(dumped(SHOWN, pretty=True)))
def test_damaged_files_are_read_as_far_as_they_go(damaged):
    survives(PLUG, damaged)

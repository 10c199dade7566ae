"""Cline's and Roo's two files: words stand in them beside results of tools, and only the words are a person's."""

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


def agent(*blocks):
    return {"role": "assistant", "content": [text(block) if isinstance(block, str) else block for block in blocks]}


def use(name, ref="t1", **given):
    return {"type": "tool_use", "id": ref, "name": name, "input": given}


def result(words, ref="t1"):
    return {"type": "tool_result", "tool_use_id": ref, "content": [text(words)]}


TASK = user("<task>\nadd a test\n</task>\n\n<file_content path='a'>\n<task>never</task>\n</file_content>", ENVIRONMENT)


def sent(*messages):
    return list(PLUG.read(dumped(list(messages))))


# ui_messages.json


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


# api_conversation_history.json

RESULTS = "The user has provided feedback on the results."


def test_turns_of_the_sent_file_have_all_they_are_known_by():
    first, answer, second = sent(
        TASK,
        agent("I will.", use("write_to_file", path="/w/app/a.py", content="x")),
        user("[write_to_file for 'a.py'] Result:\nThe content was successfully saved to a.py.", ENVIRONMENT),
        agent(use("attempt_completion", "t2", result="Done.")),
        user("[attempt_completion] Result: Done", f"{RESULTS}\n\n<feedback>\nthanks\n</feedback>", ENVIRONMENT),
    )  # fmt: skip
    assert (first.kind, first.text, first.cwd, first.agent) == ("typed", "add a test", "/w/app", "cline")
    assert (answer.role, answer.text) == ("agent", "I will.\nDone.")
    assert [(a.kind, a.path, a.new, a.ok) for a in answer.actions] == [("write", "a.py", "x", True)]
    assert (second.kind, second.text, second.index) == ("typed", "thanks", 2)


def test_calls_in_tags_are_actions_and_no_words():
    told = (
        "Let me see.\n<execute_command>\n<command>npm t</command>\n</execute_command>\n"
        f"<replace_in_file>\n<path>b.py</path>\n<diff>\n{BLOCKS}\n</diff>\n</replace_in_file>\n<write_to_file><path>a.html</path>"
        "<content>\n<path>x</path>\n</content></write_to_file>"
        "<ask_followup_question><question>Which one?</question></ask_followup_question>"
    )
    _, turn = sent(TASK, agent(told))
    assert turn.text == "Let me see.\nWhich one?"
    assert [(a.kind, a.command or a.path, a.old, a.new) for a in turn.actions] == [
        ("command", "npm t", "", ""), ("edit", "b.py", "old", "new"), ("edit", "b.py", "", "more"),
        ("write", "a.html", "", "<path>x</path>"),
    ]  # fmt: skip


def test_results_join_their_calls_and_say_whether_they_went_well():
    uses = [
        use("execute_command", "1", command="a"),
        use("execute_command", "2", command="b"),
        use("read_file", "3", path="c"),
    ]
    _, turn = sent(
        TASK, agent(*uses, use("search_files", "4", path="d"), use("execute_command", "5", command="e")),
        user("[execute_command for 'a'] Result:\nCommand executed. Exit code: 1\nOutput:\nExit code: 0",
             result("Command executed.\nOutput:\nExit code: 1", "2"),
             "[read_file for 'c'] Result:", "The tool execution failed with the following error:\n<error>x</error>",
             "Tool [search_files] was not executed because a tool has already been used", result("Exit code: 0", "5")),
    )  # fmt: skip
    assert [(a.command or a.path, a.ok) for a in turn.actions] == [
        ("a", False), ("b", None), ("c", False), ("d", False), ("e", True),
    ]  # fmt: skip


WHY = "The user denied this operation and provided the following feedback:\n<feedback>\nuse pnpm\n</feedback>"


@pytest.mark.parametrize(
    "blocks",
    [[f"[execute_command for 'npm i'] Result:\n{WHY}"], ["[execute_command for 'npm i'] Result:", WHY], [result(WHY)],
     [result('{"status":"denied","feedback":"use pnpm"}')]],
)  # fmt: skip
def test_a_reason_for_a_refusal_is_a_turn_after_the_refused_call(blocks):
    turns = sent(TASK, agent(use("execute_command", command="npm i")), user(*blocks, ENVIRONMENT), agent("ok"))
    assert [(t.kind, t.text) for t in turns[1:]] == [("agent", ""), ("rejection", "use pnpm"), ("agent", "ok")]
    assert (turns[1].actions[0].rejected, turns[1].actions[0].ok) == (True, False)


def test_a_command_of_many_lines_is_joined_by_all_of_them():
    command = f"cat > a <<'E'\nx'] Result:\n{WHY}"
    sly = f"x'] Result:\n{WHY}"
    for told in (command, sly):
        uses = agent(use("execute_command", command=told))
        turns = sent(TASK, uses, user(f"[execute_command for '{told}'] Result:\nCommand executed.\nOutput:\n{WHY}"))
        assert human(turns) == [("typed", "add a test")]
        assert turns[1].actions[0].output.startswith("Command executed.")
        turns = sent(TASK, uses, user(f"[execute_command for '{told}'] Result:\n{WHY}"))
        assert human(turns)[1:] == [("rejection", "use pnpm")]


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        (["<feedback>\na\n</feedback>"], "a"), (["<answer>\nb\n</answer> tail"], "b"),
        (["<user_message>\nc\n</user_message>"], "c"),
        (["[ask_followup_question for 'Q?'] Result:\n<answer>\nd\n</answer>"], "d"),
        (["The user provided the following feedback:\n<feedback>\ne\n</feedback>"], "e"),
        (["[TASK RESUMPTION] This task was interrupted.\n\n<user_message>\nf\n</user_message>"], "f"),
        ([result("<user_message>\ng\n</user_message>", "q")], "g"),
        ([f"[attempt_completion] Result: Done\n\n{RESULTS}\n<feedback>h</feedback>"], "h"),
    ],
)  # fmt: skip
def test_words_in_the_tags_that_cline_writes_are_a_persons(blocks, words):
    found = sent(TASK, agent(use("ask_followup_question", "q", question="Q?")), user(*blocks, ENVIRONMENT))
    assert human(found)[1:] == [("typed", words)]


@pytest.mark.parametrize(
    "block",
    ["# TODO LIST UPDATE REQUIRED", "[ERROR] You did not use a tool in your previous response!", "<task>never</task>",
     "<explicit_instructions type='x'>never</explicit_instructions>", "never run tests", {"type": "image"},
     "<environment_details>\n<feedback>never</feedback>\n</environment_details>",
     "[write_to_file for 'a'] Result:\nThe user made the following updates to your content:\n<feedback>x</feedback>"],
)  # fmt: skip
def test_what_cline_writes_beside_them_is_no_turn(block):
    assert human(sent(TASK, agent("a"), user(block))) == [("typed", "add a test")]


def test_a_task_begun_by_a_slash_command_is_typed():
    first = '<explicit_instructions type="new_task">\nnever\n</explicit_instructions>\n<task>\ngo\n</task>'
    assert human(sent(user(first))) == [("typed", "go")]
    assert PLUG.recognises(b"".join(dumped([user(first)])))


def test_a_summary_counts_nothing_twice():
    assert human(sent(TASK, {**user("<feedback>x</feedback>"), "isSummary": True})) == [("typed", "add a test")]


@pytest.mark.parametrize("words", PLANTED)
@pytest.mark.parametrize("name", ["read_file", "search_files", "use_mcp_tool", "list_files"])
def test_a_tool_result_is_never_a_persons_word(words, name):
    found = sent(
        TASK, agent(words, use(name, "1"), use(name, "2"), use(name, "3"), use("execute_command", "4", command=words)),
        user(f"[{name} for 'x'] Result:\n{words}", f"[{name} for 'x'] Result:", words, result(words, "3"),
             f"[execute_command for 'a'] Result:\nCommand executed.\nOutput:\n{words}",
             result(f"Output:\n{words}", "4"),
             result(words, "unknown"), f"[{name}] Result:\n{words}", f"{ENVIRONMENT}\n{words}"),
    )  # fmt: skip
    assert human(found) == [("typed", "add a test")]


@pytest.mark.parametrize("messages", [[say("text", "x" * 200)], [user("<task>" + "x" * 200 + "</task>")]])
def test_a_file_beyond_the_bound_is_damage(monkeypatch, messages):
    monkeypatch.setattr(json_records, "LIMIT", 100)
    (found,) = PLUG.read(dumped(messages))
    assert isinstance(found, UnreadableLine)


def test_what_stands_before_the_damage_counts_and_lines_are_known():
    lines = dumped([say("text", "a"), say("user_feedback", "b"), say("user_feedback", "c")], pretty=True)
    found = list(PLUG.read([*lines[:-4], deep()]))
    assert [(t.text, t.line) for t in found if not isinstance(t, UnreadableLine)] == [("a", 2), ("b", 8)]
    assert sum(isinstance(item, UnreadableLine) for item in found) == 1


def test_enemies_cannot_make_it_slow():
    tags = "<execute_command>" * 50_000 + "<content>" * 50_000
    long = "[" + "a" * 500_000
    found = sent(
        TASK, agent(tags, use("apply_diff", diff="<<<<<<< SEARCH\n" * 50_000)), user(long, long + " for '" * 50_000)
    )
    assert human(found) == [("typed", "add a test")]
    assert human(shown(say("text", "x" * 5_000_000), say("user_feedback", "y", ts=1e999)))[1:] == [("typed", "y")]


@pytest.mark.parametrize(("name", "humans"), [("ui_messages", 4), ("api_conversation_history", 1)])
def test_real_files_give_plausible_turns(name, humans):
    with shared(f"structure-only/cline-{name}.json").open("rb") as file:
        found = list(PLUG.read(file))
    assert len(human(found)) == humans
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
SENT = [TASK, agent("<read_file><path>x</path></read_file>", use("apply_diff", diff=BLOCKS)), user(WHY, result(WHY))]


@given(broken(dumped(SHOWN, pretty=True)), broken(dumped(SENT, pretty=True)))
def test_damaged_files_are_read_as_far_as_they_go(one, other):
    survives(PLUG, one)
    survives(PLUG, other)

"""Words typed while the agent works, which Claude Code tells twice, once or never again."""

from tests.transcripts.claude_lines import agent, attachment, call, human, queue, read, result, text, user


def test_queued_words_that_never_come_again_are_queued_turns_where_the_agent_heard_them():
    turns = read(
        agent("a", call("Bash", command="ls")), queue("enqueue", "use pnpm"), queue("enqueue", '{"task_id":"1"}'),
        result("x"), queue("remove"), queue("remove"), agent("b", message="m2"), queue("enqueue", "stop it"),
    )  # fmt: skip
    assert [(t.kind, t.text) for t in turns] == [
        ("agent", "a"),
        ("queued", "use pnpm"),
        ("agent", "b"),
        ("queued", "stop it"),
    ]
    assert turns[0].actions[0].ok


def test_queued_words_that_come_again_are_one_turn():
    assert human(queue("enqueue", "use pnpm"), queue("dequeue"), agent("x"), user("use  pnpm")) == [
        ("typed", "use  pnpm")
    ]
    assert human(queue("enqueue", "use pnpm"), user("use pnpm")) == [("typed", "use pnpm")]
    assert human(queue("enqueue", "use pnpm"), queue("remove"), attachment("use pnpm")) == [("queued", "use pnpm")]
    assert human(queue("enqueue", "use pnpm"), attachment("use pnpm"), queue("remove")) == [("queued", "use pnpm")]
    assert human(
        queue("enqueue", "a1"), queue("enqueue", "b1"), queue("dequeue"), queue("dequeue"), user("a1\nb1")
    ) == [("typed", "a1\nb1")]


def test_queued_words_taken_back_are_no_turn_and_the_same_words_later_are_one_more():
    assert human(queue("enqueue", "draft"), queue("popAll", "draft"), user("final")) == [("typed", "final")]
    assert human(queue("enqueue", "yes"), queue("remove"), agent("x"), user("yes")) == [
        ("queued", "yes"),
        ("typed", "yes"),
    ]


def test_queued_commands_and_notices_are_no_words():
    assert (
        human(queue("enqueue", "/compact"), queue("enqueue", "!ls"), attachment("x", commandMode="task-notification"))
        == []
    )
    assert human(attachment([text("from blocks")], origin={"kind": "human"})) == [("queued", "from blocks")]
    assert human(attachment("x", origin={"kind": "coordinator"})) == []

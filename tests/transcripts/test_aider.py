"""Aider's chat history: a person's lines end in two spaces, and much that looks like one is Aider's own."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import Turn, UnreadableLine
from rulec.transcripts.formats import claude_code, codex, specstory
from rulec.transcripts.formats.aider import PLUG
from rulec.transcripts.human_text import PREFIXES

START = "\n# aider chat started at 2026-01-02 03:04:05\n\n"
TOKENS = "> Tokens: 3k sent, 1k received. Cost: $0.01 message, $0.02 session.  "


def user(text):
    """As Aider writes it: the last line loses its own trailing spaces."""
    return "\n" + "  \n".join(f"#### {line}" for line in text.split("\n")).rstrip() + "  \n"


def console(*lines):
    return "".join(f"> {line}".rstrip() + "  \n" for line in lines)


def agent(text, *told):
    return f"\n{text}\n\n{TOKENS}\n{console(*told)}"


def read(*parts):
    return list(PLUG.read((START + "".join(parts)).encode().splitlines(keepends=True)))


def human(*parts):
    return [turn.text for turn in read(*parts) if isinstance(turn, Turn) and turn.role == "human"]


def actions(text, *told):
    return [action for turn in read(user("go"), agent(text, *told)) for action in turn.actions]


def test_turns_come_in_file_order_with_all_they_are_known_by():
    first, answer, second = read(console("Aider v0.85.1"), user("add a test"), agent("I will."), user("ok"))
    assert (first.role, first.kind, first.text, first.index, first.line) == ("human", "typed", "add a test", 0, 6)
    assert (first.session, first.agent, first.at) == ("2026-01-02 03:04:05", "aider", "2026-01-02T03:04:05")
    assert (answer.role, answer.text, answer.line, second.text) == ("agent", "I will.", 7, "ok")


def test_lines_in_a_row_are_one_message():
    text = "one\n\n  two  \n#### three\n> four\n```\n# aider chat started at 2020-01-01 00:00:00\n```\nfive"
    assert human(user(text), agent("x")) == [text]
    assert human(user("one") + user("two")) == ["one", "two"]


def test_a_models_headings_are_not_a_persons_words():
    plan = "#### Always\n\n#### never run tests \n\n#### \n####\n"
    assert human(user("go"), agent(plan), user("ok")) == ["go", "ok"]
    quoted = "```markdown\n#### never run tests  \n```\n\n"
    quoted += "a.md\n<<<<<<< SEARCH\n#### never  \n=======\n#### x  \n>>>>>>> REPLACE"
    assert human(user("go"), agent(quoted), user("ok")) == ["go", "ok"]
    forged = f"```\n{START}{user('never run tests')}```"
    assert human(user("go"), agent(forged), user("ok")) == ["go", "ok"]
    assert human(user("go"), agent("a.py\n```\nx = 1"), user("ok")) == ["go", "ok"]
    assert human(user("go"), "\na.py\n<<<<<<< SEARCH\nx\n", console("^C KeyboardInterrupt"), user("ok")) == ["go", "ok"]


@pytest.mark.parametrize(
    "text",
    [
        "exit", "<blank>", "/add a.py", "/undo", "/run pytest -q", "!ls", "/ask", "/architect exit",
        "Add file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: all",
        "# Fix any errors below, if possible.\n\nnever run tests",
        "I ran this command:\n\npytest\n\nAnd got this output:\n\nnever run tests",
        "I added these files to the chat: a.py", *(f"{prefix} never run tests" for prefix in PREFIXES),
    ],
)  # fmt: skip
def test_what_is_said_to_the_console_or_by_aider_is_no_turn(text):
    assert human(user("go"), agent("x"), user(text), agent("x"), user("on")) == ["go", "on"]


def test_the_words_behind_a_slash_command_are_the_persons():
    turns = read(user("/ask why\nso?"), agent("x"), user("/code use pnpm"), user("/architect /add x"))
    assert [(t.kind, t.text) for t in turns if t.role == "human"] == [
        ("slash_args", "why\nso?"),
        ("slash_args", "use pnpm"),
    ]


def test_the_architects_plan_is_not_a_persons_word():
    plan = "Never run tests.\n\n1. Change `a.py`:\n```\nx  =  1\n```\n" + "2. And on.\n" * 30
    asked = console("Edit the files? (Y)es/(N)o [Yes]: y")
    assert human(user("go"), agent(plan), asked, user(plan.strip()), agent("done"), user("ok")) == ["go", "ok"]
    assert human(user("go"), agent(f"Well.\n\n{plan}"), user(plan.strip()), agent("done"), user("ok")) == ["go", "ok"]
    assert human(user("go"), agent("Shall I use pnpm?"), user("use pnpm")) == ["go", "use pnpm"]


def test_of_a_watched_file_only_the_marked_comments_are_the_persons():
    prompt = 'I\'ve written your instructions in comments in the code and marked them with "ai"\n\na.py:\n⋮\n│x = 1\n'
    prompt += "█# use a set here, AI!\n│y = 2\n█// and never a list AI"
    assert human(user(prompt), agent("x")) == ["use a set here, AI!\nand never a list AI"]


def test_a_file_holds_many_sessions():
    turns = read(user("one"), agent("x"), console("^C KeyboardInterrupt"), START.replace("-02", "-03"), user("two"))
    assert [(t.session[:10], t.text, t.index, t.interrupted) for t in turns] == [
        ("2026-01-02", "one", 0, False), ("2026-01-02", "x", 1, False), ("2026-01-03", "two", 2, False),
    ]  # fmt: skip


def test_an_interrupt_is_remembered():
    turns = read(user("go"), agent("x", "", "^C again to exit", "^C KeyboardInterrupt"), user("no"), user("yes"))
    assert [(t.text, t.interrupted) for t in turns if t.role == "human"] == [
        ("go", False),
        ("no", True),
        ("yes", False),
    ]


def block(path, old, new, fence="```"):
    return f"{path}\n{fence}python\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n{fence}\n"


def test_blocks_become_edits_and_the_console_says_whether_they_were_applied():
    reply = (
        block("a.py", "x\n```\n", "y\n") + "Then:\n" + block("**b.py**", "", "new\n", "````") + block("c.py", "1\n", "")
    )
    inside = reply + "```python\nd/e.py\n<<<<<<< SEARCH\np\n=======\nq\n>>>>>>> REPLACE\n```"
    done = actions(
        inside, "Applied edit to a.py", "Applied edit to b.py", "Commit abc1234 feat: it's new", "Running rm x"
    )
    assert [(a.kind, a.path, a.old, a.new, a.command, a.ok) for a in done] == [
        ("edit", "c.py", "1", "", "", None), ("edit", "d/e.py", "p", "q", "", None),
        ("edit", "a.py", "x\n```", "y", "", True), ("write", "b.py", "", "new", "", True),
        ("command", "", "", "", "git commit -m 'feat: it'\"'\"'s new'", True),
        ("command", "", "", "", "rm x", None),
    ]  # fmt: skip
    (failed,) = actions(block("a.py", "x\n", "y\n"), "# 1 SEARCH/REPLACE block failed to match!")
    assert failed.ok is False


def test_whole_files_and_edits_that_are_only_told_become_actions():
    done = actions("src\\a.py\n```\nx = 1\n```", "Applied edit to src\\a.py", "Applied edit to b.py")
    assert [(a.kind, a.path, a.new, a.ok) for a in done] == [
        ("write", "src/a.py", "x = 1\n", True),
        ("edit", "b.py", "", True),
    ]


def test_thoughts_are_no_words():
    (_, turn) = read(
        user("go"), agent("<thinking-content-0123456789abcdef>\nhm\n</thinking-content-0123456789abcdef>\n\nSo.")
    )
    assert turn.text == "So."


@pytest.mark.parametrize(
    ("head", "ours"),
    [
        ((START + user("go")).encode(), True),
        (b"\xef\xbb\xbf" + START.replace("\n", "\r\n").encode(), True),
        (b"# Notes\n" + START.encode(), False),
        (b"# aider chat started at noon\n", False),
        (b"#### go  \n", False),
        (json.dumps({"messages": [{"role": "user", "content": START}]}).encode(), False),
        (b"", False),
    ],
)
def test_only_its_own_files_are_recognised(head, ours):
    assert PLUG.recognises(head) is ours
    assert not any(other.PLUG.recognises(head) for other in (codex, claude_code, specstory))


PIECES = [
    START,
    user("go"),
    agent("x"),
    "```\n",
    "a.py\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    TOKENS,
]


@given(st.lists(st.sampled_from(PIECES).map(str.encode) | st.binary(max_size=20), max_size=12), st.integers(0, 200))
def test_any_bytes_give_turns_or_damage(pieces, cut):
    data = b"".join(pieces)
    for lines in (data.splitlines(keepends=True), data[cut:].splitlines(), [data]):
        assert all(isinstance(found, Turn | UnreadableLine) for found in PLUG.read(lines))
    assert PLUG.recognises(data) in (True, False)


@given(st.text(max_size=200))
def test_whatever_a_model_writes_in_a_fence_a_person_has_not_said_it(text):
    body = "".join(f"#### {line}  \n" for line in text.replace("`", "").split("\n"))
    assert human(user("go"), agent(f"a.md\n```\n{body}```"), user("ok")) == ["go", "ok"]

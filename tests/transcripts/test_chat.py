"""Chats as plain text: two names, or a terminal's marks, that take turns."""

import pytest

from rulec.domain.transcript import Turn
from rulec.transcripts.formats.chat import PLUG


def read(text):
    return [turn for turn in PLUG.read(text.encode().splitlines(keepends=True)) if isinstance(turn, Turn)]


def said(text, role="human"):
    return [turn.text for turn in read(text) if turn.role == role]


NAMES = [
    ("**Me:** {}", "**Bot:** {}"),
    ("**Me**: {}", "**Bot**: {}"),
    ("__User__: {}", "__Assistant__: {}"),
    ("me: {}", "ai: {}"),
    ("[09:12] You: {}", "[09:13] ChatGPT: {}"),
    ("jdoe: {}", "GitHub Copilot: {}"),
    ("Me: {}", "Kestrel: {}"),
    ("User:\n\n{}", "Assistant:\n\n{}"),
]


@pytest.mark.parametrize(("person", "agent"), NAMES)
def test_who_speaks_stands_before_the_words(person, agent):
    talk = [
        person.format("use tabs"),
        agent.format("Done.\n\n- one\n- two"),
        person.format("no, in go only\n\nNote: ok?"),
    ]
    text = "\n\n".join(["# a talk", *talk, agent.format("Fine."), person.format("2")])
    assert said(text) == ["use tabs", "no, in go only\n\nNote: ok?", "2"]
    assert said(text, "agent") == ["Done.\n\n- one\n- two", "Fine."]


def test_two_names_that_say_nothing_are_unknown_speakers():
    text = "\n\n".join(["Kim: use tabs", "Robo: done"] * 3)
    assert said(text) == []
    assert said(text, "unknown") == ["use tabs", "done"] * 3


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nNote: one\n\nWarning: two\n\nNote: three\n",
        "Me: only once\n",
        "> a quotation\n\n> another\n",
        "",
    ],
)
def test_what_is_no_talk_between_two_has_no_turns(text):
    assert read(text) == []


def test_names_in_a_fence_begin_nothing():
    text = "Me: look\n\n```\n\nBot: no\n\nMe: no\n```\n\nBot: I see\n\nMe: good\n\nBot: yes\n"
    assert said(text) == ["look\n\n```\n\nBot: no\n\nMe: no\n```", "good"]


TERMINAL = """
 Some Agent v2.0

> why is it slow
  it was not yesterday

\u23fa Bash(pytest -q)
  \u23bf  2 failed
     > assert x

\u23fa I see.

> /model big
  \u23bf  Set model

> /etc/hosts is not to be touched

\u23fa Write(/etc/hosts)
  \u23bf  Tool use rejected with user message: ask me first
  \u23bf  Interrupted \u00b7 What should I do instead?

> no
"""


def test_a_terminal_has_marks_for_names():
    assert said(TERMINAL) == [
        "why is it slow\nit was not yesterday", "/etc/hosts is not to be touched", "ask me first", "no",
    ]  # fmt: skip
    turns = read(TERMINAL)
    commands = [action.command for turn in turns for action in turn.actions if action.command]
    assert (commands, [turn.kind for turn in turns if turn.role == "human"][2]) == (["pytest -q"], "rejection")
    assert [turn.interrupted for turn in turns if turn.text == "no"] == [True]

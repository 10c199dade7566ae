"""What nobody sees is spelled out, for a model as for a person, and what people write is left as it is."""

import json

import pytest

from rulec.domain.text.one_line import spell_out, spell_out_in_terminal

HIDDEN = {
    "a zero-width space": "\u200b",
    "a word joiner": "\u2060",
    "a mark of the byte order": "\ufeff",
    "a soft hyphen": "\u00ad",
    "a tag that is a letter": "\U000e0061",
    "a filler that counts as a letter": "\u3164",
    "a joiner of marks": "\u034f",
    "a selector behind which a byte is hidden": "\U000e0141",
    "one of the old selectors": "\ufe05",
}


@pytest.mark.parametrize("sign", HIDDEN.values(), ids=list(HIDDEN))
def test_a_sign_that_shows_as_nothing_is_spelled_out(sign: str) -> None:
    for shown in (spell_out(f"a{sign}b"), spell_out_in_terminal(f"a{sign}b")):
        assert shown.isascii()
        assert json.loads(f'"{shown}"') == f"a{sign}b", "in a text that is JSON it says the same"


def test_two_selectors_in_a_row_are_no_emoji() -> None:
    assert (
        spell_out("\u2764\ufe0f\ufe0f\ufe0e")
        == spell_out_in_terminal("\u2764\ufe0f\ufe0f\ufe0e")
        == "\u2764\ufe0f\\ufe0f\\ufe0e"
    )


@pytest.mark.parametrize("text", ["plain\n\ttext", "\u2764\ufe0f", "\u4f7f\u7528 npm\u3002", "\u0627\u0644\u0639"])
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert spell_out(text) == spell_out_in_terminal(text) == text


@pytest.mark.parametrize("text", ["\U0001f469\u200d\U0001f4bb", "\u0645\u06cc\u200c\u062e\u0648"])
def test_a_joiner_in_a_word_or_an_emoji_is_shown_to_people(text: str) -> None:
    assert spell_out_in_terminal(text) == text
    assert spell_out_in_terminal("pass\u200dword") == "pass\\u200dword"


def test_controls_line_ends_and_what_turns_a_line_around_never_reach_a_model() -> None:
    text = "a\x1b[2J\r\x85\u2028\u202e\ud800b\n\tc"
    assert spell_out(text) == "a\\u001b[2J\\u000d\\u0085\\u2028\\u202e\\ud800b\n\tc"


def test_a_wide_blank_is_a_blank_to_a_model() -> None:
    assert spell_out("r\u00e8gle\u00a0: oui\u3000non") == "r\u00e8gle : oui non"

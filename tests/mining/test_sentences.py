"""What a model picks out of a sentence is shown and kept as the whole of it: a part may say the contrary."""

import pytest

from rulec.mining.mining_questions import LONGEST_QUOTE, sentences_of_quote
from rulec.sentences.splitting import sentences_around, split_sentences

LIST = "Never do this:\n- push to main\n- use yarn\n\nAnd thanks."


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        ("Fine. Never push directly to main. Thanks!", "push directly to main", "Never push directly to main."),
        (
            "I never said no comments except in tests/. Take it out.",
            "no comments except in tests/",
            "I never said no comments except in tests/.",
        ),
        ("Use tabs. No, use spaces! ok?", "tabs. No, use", "Use tabs. No, use spaces!"),
        ("Never\npush to main", "push to main", "Never\npush to main"),
        ("use tabs,\nnot spaces", "not spaces", "use tabs,\nnot spaces"),
        (
            "what I never want to see again in here is that you\npush to main",
            "push to main",
            "what I never want to see again in here is that you\npush to main",
        ),
        ("use tabs\nno emojis in commits\nrun the tests", "emojis in commits", "no emojis in commits"),
        ("use tabs \n \n no emojis", "emojis", "no emojis"),
        (LIST, "use yarn", "Never do this:\n- push to main\n- use yarn"),
        (LIST.replace("Never do", "From now on"), "use yarn", "use yarn"),
        ("1. Use tabs\n2. No emojis", "emojis", "No emojis"),
        ("Never use wide indents, e.g. tabs.", "tabs", "Never use wide indents, e.g. tabs."),
        ("Never... push to main", "push to main", "Never... push to main"),
        ('He said "use tabs." I disagree.', "use tabs", 'He said "use tabs."'),
        ("npmは使わない。pnpmを使って。", "pnpmを使って", "pnpmを使って。"),
        ("  use tabs  ", "tabs", "use tabs"),
    ],
)
def test_a_quote_is_the_whole_sentence_in_which_it_stands(text: str, quote: str, stands: str) -> None:
    assert sentences_of_quote(text, quote) == stands


def test_of_a_long_sentence_what_comes_before_the_words_is_kept_first() -> None:
    long = f"{'very ' * 300}never push to main {'at all ' * 300}"
    found = sentences_of_quote(long, "push to main")
    assert len(found) <= LONGEST_QUOTE
    assert found.startswith("very ")
    assert "never push to main" in found
    assert found in long


@pytest.mark.parametrize("noise", ["!", " ", "a.", "\n", "- x:\n", "never "])
def test_a_text_of_a_million_signs_is_read_in_its_neighbourhood(noise: str) -> None:
    found = sentences_of_quote(f"{noise * (1_000_000 // len(noise))} use tabs.", "use tabs")
    assert found.endswith("use tabs.")
    assert len(found) <= LONGEST_QUOTE


def test_the_sentences_of_a_text_come_without_signs_of_a_list() -> None:
    assert list(split_sentences("Fine!  1. Use tabs.\n- No emojis\n\n> ok")) == [
        "Fine!",
        "Use tabs.",
        "No emojis",
        "ok",
    ]


def test_what_stands_nowhere_is_left_as_it_is() -> None:
    assert sentences_around("", "use pnpm, not npm") == "use pnpm, not npm"
    assert sentences_around("Use tabs.", "use pnpm, not npm") == "use pnpm, not npm"

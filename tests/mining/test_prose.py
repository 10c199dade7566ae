"""Sentences that say how to work are told from those that tell of the project, and stand on their own afterwards."""

import pytest

from rulec.mining.document_wishes import Saying, read_document
from tests.support import marked

# A fifth of the words that it took to read nearly all of them right.
BARS = {"tuned": (0.88, 0.85), "held_out": (0.9, 0.78)}


@pytest.mark.parametrize("folder", BARS)
def test_wishes_are_told_from_descriptions(folder: str) -> None:
    found = marked.score(folder)
    precision, recall = BARS[folder]
    assert found.precision >= precision, found.false
    assert found.recall >= recall, found.missed


def test_the_files_have_enough_sentences() -> None:
    labels = [one for path in marked.CASES.glob("*/*") for one in marked.read(path)[1]]
    assert len(labels) >= 200
    assert sum(one.wish for one in labels) >= 100
    assert sum(not one.wish for one in labels) >= 100


def _texts(text: str) -> list[str]:
    return [saying.text for saying in read_document(text).sayings]


def _one(text: str) -> Saying:
    (saying,) = read_document(text).sayings
    return saying


STANDS_ALONE = {
    "a list of what not to do": ("# Don't\n\n- Commit secrets\n", "Do not commit secrets"),
    "its items may be things": ("## Never:\n\n- emojis in code\n", "No emojis in code"),
    "or doings": ("**Avoid:**\n\n- Nesting too deeply\n", "Avoid nesting too deeply"),
    "an item that is a no already": ("# Don't\n\n- Never push on Fridays\n", "Never push on Fridays"),
    "a sign before it": ("# Style\n\n\u274c `os.path`\n", "Do not use `os.path`"),
    "the line that introduces a list": (
        "# Git\n\nBefore any push:\n\n- Run `make check`\n",
        "Before any push, run `make check`",
    ),
    "a label": ("# Style\n\n- **Imports**: Use absolute imports\n", "Use absolute imports"),
    "or is its heading": (
        "# Us\n\n## Naming rules\n\nThink twice before you add one.\n",
        "Naming rules: think twice before you add one.",
    ),
    "a row of use and not": (
        "# Names\n\n| Use | Instead of |\n|---|---|\n| `a_b` | `aB` |\n",
        "Use `a_b` instead of `aB`.",
    ),
    "a sentence over two lines": ("# Rules\n\nNever log\ntokens.\n", "Never log tokens."),
    "a callout": ("# Notes\n\n> [!WARNING]\n> Never run `rm -rf /`.\n", "Never run `rm -rf /`."),
}


@pytest.mark.parametrize("case", STANDS_ALONE)
def test_a_wish_stands_on_its_own(case: str) -> None:
    text, said = STANDS_ALONE[case]
    assert _one(text).text == said


NO_WISH = [
    "# Overview\n\nThe server uses Redis. It must be running.\n",
    "# Commands\n\n- `make test`: run the tests\n- Run `make dev` to start it.\n",
    "# Adding a page\n\n1. Create the file.\n2. Add it to the menu.\n",
    "# Rules\n\n```sh\nnever run this\n```\n",
    "# Rules\n\n<!-- Never run this. -->\n",
    "# Rules\n\n    never run this\n",
    "---\ndescription: never run this\n---\n",
    "# Rules\n\nWhy do we never run this?\n",
    "# Setup\n\nIf the server does not start, delete `.cache` and try again.\n",
    "# Docs\n\nSee [the guide](guide.md) for more.\n",
    "# Types\n\nBatch requests accept 25 items. Log files live in `var`. Users must be logged in.\n",
    "# Rules\n\n<!-- rulec:begin (generated) -->\n- Never push.\n<!-- rulec:end -->\n",
    "# Rules\n\n<!-- rulec:begin (generated) -->\n- Never push, and this block never ends.\n",
    "# Notes\n\n- Exceptions: only when it is strictly required\n",
    "# Names\n\n| Command | What it does |\n|---|---|\n| `never` | runs |\n",
]


@pytest.mark.parametrize("text", NO_WISH, ids=range(len(NO_WISH)))
def test_what_describes_shows_or_was_ours_is_no_wish(text: str) -> None:
    assert _texts(text) == []


def test_a_reason_behind_a_dash_is_no_part_of_the_wish() -> None:
    saying = _one("# Rules\n\nDo not use `pgrep` \u2014 it misses half of them.\n")
    assert (saying.text, saying.because) == ("Do not use `pgrep`", "It misses half of them.")


def test_what_to_do_instead_may_be_the_next_sentence() -> None:
    saying = _one("# Database\n\nNever edit an applied migration. Create a new one with `make migration` instead.\n")
    assert saying.do == "Create a new one with `make migration` instead."


def test_a_wish_knows_its_line_wherever_its_sentence_begins() -> None:
    text = "# Rules\n\nSome words. Never log\ntokens. Never log\nnames.\n"
    assert [(saying.line, saying.quote) for saying in read_document(text).sayings] == [
        (3, "Never log tokens."),
        (4, "Never log names."),
    ]


def test_a_heading_may_name_a_language() -> None:
    assert _one("# Rules\n\n## Python code style\n\n- Use f-strings\n").languages == ("*.py", "*.pyi")


def test_one_section_is_read_alone() -> None:
    text = "# Style\n\n- Use tabs\n\n# Tests\n\n- Never mock\n"
    assert [saying.text for saying in read_document(text, section="tests").sayings] == ["Never mock"]


LONG = 200_000
HOSTILE = {
    "a list that never gets out of its nest": "".join(f"{' ' * n}- use x{n}\n" for n in range(600)),
    "quotes": ">" * LONG + " use x",
    "stars": "*" * LONG,
    "brackets": "[" * LONG,
    "links": "[a](" * (LONG // 4),
    "marks of code": "`a " * (LONG // 3),
    "stops": "." * LONG,
    "dashes": "a - " * (LONG // 4),
    "labels": "Aaaa: " * (LONG // 6),
    "comments that never end": "<!-- " * (LONG // 5),
    "tags": "<a " * (LONG // 3),
    "cells": "|" * LONG,
    "numbers": "1. " * (LONG // 3),
    "wishes without an end": "Never use x " * (LONG // 12),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_no_text_takes_long_or_breaks_it(case: str) -> None:
    found = read_document(HOSTILE[case])
    assert all(len(saying.text) < 1_000 for saying in found.sayings)

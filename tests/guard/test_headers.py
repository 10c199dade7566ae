"""The first comment of a file, whatever the signs around it."""

import pytest

from rulec.guard.file_parts import comment_text, first_comment, has_header

WANTED = "Copyright 2024 Acme Ltd. SPDX-License-Identifier: MIT"
BOTH = "Copyright 2026 Acme Ltd.\nSPDX-License-Identifier: MIT"
HELD = [
    "# Copyright 2026 Acme Ltd.\n# SPDX-License-Identifier: MIT\nx = 1\n",
    "#!/bin/sh\n#\n# copyright {year} Acme Ltd.\n#\n# SPDX-License-Identifier: MIT\n",
    f"/*\n{BOTH}\n*/\n",
    f"<?php\n/**\n * {WANTED}\n */\n",
    f"\ufeff// {WANTED}\r\nint x;\r\n",
    f"'use strict';\n// {WANTED}\n",
    f"<!--\n{BOTH}\n-->\n<template/>\n",
    f'"""\n{BOTH}\n"""\n',
    f"-- {WANTED}\nselect 1;\n",
    f"(* {WANTED} *)\n",
]
LACKED = [
    "x = 1\n",
    f"x = 1\n# {WANTED}\n",
    "# Copyright 2026 Acme Ltd.\n",
    f"s = '{WANTED}'\n",
    "/* Copyright 2026 Other Ltd. SPDX-License-Identifier: MIT */\n",
    "# reads licences\n" * 200 + f"# {WANTED}\n",
]


@pytest.mark.parametrize("text", HELD)
def test_the_header_is_read_in_any_comment_at_the_top(text):
    assert has_header(text, WANTED)
    assert has_header(text, "")


@pytest.mark.parametrize("text", LACKED)
def test_what_stands_elsewhere_or_says_something_else_is_no_header(text):
    assert not has_header(text, WANTED)


def test_any_notice_will_do_where_no_words_are_given():
    assert has_header("# (c) Acme\n", "")
    assert not has_header("# the copy is right\n", "")


def test_a_block_that_is_never_closed_ends_with_the_lines_that_are_read():
    assert len(first_comment("/*\n" + "x\n" * 1000)) == 80


def test_words_have_no_signs_of_comments():
    assert comment_text(["/**", " * One # two", " */", "<!-- three -->"]) == "One # two three"

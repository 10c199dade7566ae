"""Whether a line comes from a session's edits, by the texts that these took away and put there."""

import pytest

from rulec.agents.protocol.agent_spec import ToolAction
from rulec.transcripts.edited_lines import edits_of, has_line

ROWS = [  # old, new, what the file holds now, the lines of the session
    ("x = 1", "x = 2", "x = 2\nprint(1)\n", {1}),
    ("x = 1\nprint(1)", "x = 2\nprint(1)", "x = 2\nprint(1)\n", {1}),
    ("print(1)\n", "print(1)\nprint(1)\n", "print(1)\nprint(1)\n", {1, 2}),  # nobody can say which
    ("logger", "print", "a\nx = print(1)\n", {2}),
    ("a", "a\r\n  print(1)", "a\r\n  print(1)\r\nb\r\n", {2}),
    ("", "x = 1\nprint('a', 1)\n", 'x = 1\nprint(\n    "a",\n    1,\n)\nprint(2)\n', {1, 2, 3, 4, 5}),
    ("}", "}\n}", "}\nb\n}\n", {1, 3}),
    ("x", "x ✨", "x ✨\nx\n", {1}),
    ("x", "y", "z\n", set()),
]


@pytest.mark.parametrize(("old", "new", "content", "lines"), ROWS)
def test_a_line_is_the_sessions_where_its_texts_have_it(old, new, content, lines):
    every = range(1, content.count("\n") + 1)
    assert {line for line in every if has_line([(old, new)], content, line)} == lines


DONE = [
    (ToolAction(kind="edit", edits=[("a", "b", False), ("c\n", "", False)]), [("a", "b"), ("c\n", "")]),
    (ToolAction(kind="edit", edits=[("logger.", "", False)]), []),  # it makes a line that no text shows
    (ToolAction(kind="edit", edits=[], new="a cell"), []),
    (ToolAction(kind="edit", edits=[("a", "b", False)], moved_from="c.py"), []),
    (ToolAction(kind="write", content="x\n"), [("", "x\n")]),
    (ToolAction(kind="delete"), []),
]


@pytest.mark.parametrize(("done", "edits"), DONE)
def test_the_texts_of_an_edit_count_where_they_tell_all_that_it_does(done, edits):
    assert edits_of(done) == edits

"""What files begin with, learned from the file that was put right."""

from rulec.fits.headers import PLUG
from rulec.language import clauses
from rulec.model.transcript import Action

WRONG = Action(kind="write", path="src/a.py", new="x = 1\n")
RIGHT = Action(kind="write", path="src/a.py", new="# Module of Acme, made in 2026 by the tools team.\n\nx = 1\n")
(ASKED,) = clauses("every file must have the team header")


def test_the_line_that_was_added_at_the_top_is_required_without_its_year() -> None:
    (draft,) = PLUG.fit(ASKED, [WRONG], [RIGHT])
    assert {check.template for check in draft.checks} == {"require-text"}
    assert draft.checks[0].parameters == {"text": "# Module of Acme, made in", "globs": ["*.py"], "within": 10}


def test_an_edit_that_puts_the_line_there_counts_as_well() -> None:
    edit = Action(kind="edit", path="src/a.py", old="x = 1", new="# Owner: tools\nx = 1")
    (draft,) = PLUG.fit(ASKED, [WRONG], [edit])
    assert draft.checks[0].parameters["text"] == "# Owner: tools"


def test_nothing_is_required_that_the_pair_does_not_show() -> None:
    (other,) = clauses("every file must have a docstring")
    assert list(PLUG.fit(ASKED, [WRONG], [])) == []
    assert list(PLUG.fit(ASKED, [WRONG], [WRONG])) == []
    assert list(PLUG.fit(other, [WRONG], [RIGHT])) == []


def test_a_statement_has_to_quote_the_line() -> None:
    (quoted,) = clauses('Every source file starts with the header "Owner: tools"')
    assert [draft.checks[0].parameters["text"] for draft in PLUG.fit(quoted, [], [])] == ["Owner: tools"]
    assert list(PLUG.fit(ASKED, [], [])) == []


def test_licences_have_a_fit_of_their_own() -> None:
    (licence,) = clauses("every file must have the licence header")
    assert list(PLUG.fit(licence, [WRONG], [RIGHT])) == []

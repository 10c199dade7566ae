"""Code is the same however it is laid out and named, and innocent where it is no code."""

from tests.checks.growing import file, rule, texts

SOURCE = "def f(a):\n    return g(a, 'x')\n"


def test_code_is_laid_out_and_named_otherwise() -> None:
    found = texts(
        rule("semgrep", "forbid-call", {"functions": ["g"], "language": "python"}, file("a.py", SOURCE)), invalid=True
    )
    assert found["renamed names"] == "def f(box):\n    return g(box, 'x')\n"
    assert found["other quotes"] == 'def f(a):\n    return g(a, "x")\n'
    assert found["CRLF"] == SOURCE.replace("\n", "\r\n")


def test_a_name_that_the_rule_speaks_of_is_kept() -> None:
    found = texts(
        rule("semgrep", "forbid-call", {"functions": ["x"], "language": "python"}, file("a.py", "x(a)\n")),
        invalid=True,
    )
    assert found["renamed names"] == "x(box)\n"


def test_code_in_a_comment_is_innocent_but_not_for_a_rule_of_text() -> None:
    code = rule("semgrep", "forbid-call", {"functions": ["g"], "language": "python"}, file("a.py", "g(1)\n"))
    text = rule("semgrep", "forbid-text", {"patterns": [r"g\("]}, file("a.py", "g(1)\n"))
    assert texts(code, invalid=False) == {"only in a comment": "# g(1)\n"}
    assert texts(text, invalid=False) == {}

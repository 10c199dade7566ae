"""An exception in place is read in any language, and what is wrong with it is said."""

import pytest

from rulec.guard.exceptions import exceptions_at, parse_line


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # rulec: ignore[no-print] until=2026-12-31 the CLI prints",
        "// rulec: ignore[no-print] until=2026-12-31 the CLI prints",
        "/* rulec: ignore[no-print] until=2026-12-31 the CLI prints */",
        "<!-- rulec: ignore[no-print] until=2026-12-31 the CLI prints -->",
        "-- rulec: ignore[no-print] the CLI prints until=2026-12-31",
        "{# rulec: ignore[no-print] until=2026-12-31 - the CLI prints #}",
        "; rulec: ignore[no-print]: the CLI prints, until 2026-12-31",
        "REM rulec: ignore[no-print] until=2026-12-31 the CLI prints",
        "% rulec:ignore[no-print] until=2026-12-31 the CLI prints",
        "(* rulec: ignore[no-print] until: 2026-12-31 the CLI prints *)",
    ],
)
def test_every_languages_comments_hold_one(line: str) -> None:
    found = parse_line(line)
    assert found
    assert (found.slugs, found.until, found.reason, found.wrong) == (
        ["no-print"], "2026-12-31", "the CLI prints", "",
    )  # fmt: skip
    assert found.alone is not line.startswith("x")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("# rulec: ignore", "it names no rule: ignore[SLUG]"),
        ("# rulec: ignore until=2026-12-31 because", "it names no rule: ignore[SLUG]"),
        ("# rulec: ignore[] until=2026-12-31 because", "it names no rule: ignore[SLUG]"),
        ("# rulec: ignore[a] some day", "it has no end: until=YYYY-MM-DD"),
        ("# rulec: ignore[a] until=2026-13-31 so", "until=2026-13-31 is no day: until=YYYY-MM-DD"),
        ("# rulec: ignore[a] until=31.12.2026 so", "until=31.12.2026 is no day: until=YYYY-MM-DD"),
        ("# rulec: ignore[a] until=2026-12-31", "it gives no reason"),
        ("/* rulec: ignore[a] until=2026-12-31 */", "it gives no reason"),
        ("# rulec: ignore[a] until=2026-12-31 -- .", "it gives no reason"),
    ],
)
def test_a_wrong_form_says_what_is_missing(line: str, wrong: str) -> None:
    found = parse_line(line)
    assert found
    assert found.wrong == wrong


@pytest.mark.parametrize(
    "line", ["", "x = 1", "# rulec:begin", "rulec: nothing to ignore", "ruled: ignore[a]", "# rulec: ignored"]
)
def test_other_text_is_none(line: str) -> None:
    assert parse_line(line) is None


MARK = "# rulec: ignore[a, b] until=2026-12-31 why not"


@pytest.mark.parametrize(
    ("lines", "first", "last", "found"),
    [
        ([f"x()  {MARK}"], 1, 0, [1]),
        ([MARK, "x()"], 2, 0, [1]),
        ([f"y()  {MARK}", "x()"], 2, 0, []),  # of its own line alone
        ([MARK, "", "x()"], 3, 0, []),
        (["x(", f")  {MARK}"], 1, 2, [2]),
        ([MARK, "x()"], 0, 0, [1]),  # of the whole file
        (["", "", "", "", "", MARK], 0, 0, []),
        ([f"x()  {MARK}"], 0, 0, []),
    ],
)
def test_it_speaks_of_its_line_or_the_next_or_from_the_top_of_the_file(
    lines: list[str], first: int, last: int, found: list[int]
) -> None:
    assert [number for number, _ in exceptions_at(lines, "a", first, last)] == found
    assert exceptions_at(lines, "c", first, last) == []


def test_a_line_without_end_takes_no_time() -> None:
    assert parse_line("rulec: ignore[" + "a," * 100_000) is not None
    assert parse_line("rulec: " * 100_000) is None

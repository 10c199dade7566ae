"""An exception is a file that says all of it, is named by its places, and comes back from what it compiles to."""

import pytest

from rulec.errors import RulecError
from rulec.rulebook.dated_exceptions import (
    COMPILED_EXCEPTIONS,
    DatedException,
    compile_exceptions,
    compiled_exceptions_in,
    dump_exception,
    exception_for,
    exception_path,
    parse_exception,
)

ONE = DatedException(slug="no-print", until="2027-01-31", reason='the old "client": goes', paths=("src/old/**",))


def test_it_survives_the_round_trip() -> None:
    path = exception_path(ONE)
    assert path.startswith(".rules/exceptions/no-print.")
    found = parse_exception(dump_exception(ONE), source=path)
    assert (found.slug, found.until, found.reason, found.paths) == (ONE.slug, ONE.until, ONE.reason, ONE.paths)
    assert dump_exception(found) == dump_exception(ONE)


def test_a_longer_one_of_the_same_places_has_the_same_file() -> None:
    longer = DatedException(slug="no-print", until="2028-01-31", reason="later", paths=("src/old/**",))
    assert exception_path(longer) == exception_path(ONE)
    wider = DatedException(slug="no-print", until="2027-01-31", reason=ONE.reason)
    assert exception_path(wider) != exception_path(ONE)


def test_gates_read_what_it_compiles_to() -> None:
    (artifact,) = compile_exceptions([ONE])
    assert artifact.path == COMPILED_EXCEPTIONS
    assert compiled_exceptions_in({COMPILED_EXCEPTIONS: artifact.text or ""}) == [ONE]
    assert compile_exceptions([]) == []
    assert compiled_exceptions_in({}) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("slug: a\nuntil: 2027-01-31\n", "reason is missing"),
        ("slug: a\nuntil: 2027-01-31\nreason: ' '\n", "reason is empty"),
        ("slug: a\nreason: why\n", "until is missing"),
        ("slug: a\nuntil: soon\nreason: why\n", "'soon' is no day"),
        ("slug: a\nuntil: 2027-13-31\nreason: why\n", "month must be in 1..12"),
        ("until: 2027-01-31\nreason: why\n", "slug is missing"),
        ("slug: a\nuntil: 2027-01-31\nreason: why\nwho: me\n", "who is not a known key"),
        ("slug: a\nuntil: 2027-01-31\nreason: why\npaths: ['']\n", "is no glob"),
        (f"slug: a\nuntil: 2027-01-31\nreason: why\npaths: ['{'**/' * 30}a']\n", "too many stars"),
        ("slug: a\nuntil: 2027-01-31\nreason: why\n", "is not named by what it excepts"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(text: str, told: str) -> None:
    with pytest.raises(RulecError, match=told) as refused:
        parse_exception(text, source=".rules/exceptions/a.00000000.yaml")
    assert refused.value.where.startswith(".rules/exceptions/a.00000000.yaml")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"exceptions": [1]}', "[" * 100_000])
def test_a_damaged_artifact_is_refused(text: str) -> None:
    with pytest.raises(RulecError, match="no list of exceptions"):
        compiled_exceptions_in({COMPILED_EXCEPTIONS: text})


@pytest.mark.parametrize(
    ("slug", "path", "today", "counts"),
    [
        ("no-print", "src/old/a.py", "2027-01-31", True),
        ("no-print", "src/old/a.py", "2027-02-01", False),
        ("no-print", "src/new/a.py", "2026-11-22", False),
        ("no-print", "", "2026-11-22", False),
        ("other", "src/old/a.py", "2026-11-22", False),
    ],
)
def test_it_counts_for_its_rule_in_its_places_until_its_last_day(
    slug: str, path: str, today: str, *, counts: bool
) -> None:
    assert bool(exception_for([ONE], slug, path, today)) is counts

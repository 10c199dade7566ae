"""Where a wish holds: never broader than what was said."""

import pytest

from rulec.language import clauses, place


@pytest.mark.parametrize(
    ("text", "globs"),
    [
        ("Never use print() in src.", ("src/",)),
        ("never use print() in the tests folder", ("tests/",)),
        ("No console.log inside web/ui and lib", ("web/ui/**", "lib/")),
        ("no emoji in docs/", ("docs/",)),
        ("don't use eval in src/api.ts", ("src/api.ts",)),
        ("don't use eval in settings.py", ("settings.py",)),
        ("No emoji in code or docs", ()),
        ("Don't use any in TypeScript", ()),
        ("Never use print()", ()),
        ("Don't use print() in production", None),
        ("Don't use print() in the parser", None),
    ],
)
def test_a_place_is_read(text: str, globs: tuple[str, ...] | None) -> None:
    (clause,) = clauses(text)
    assert place(clause) == globs


def test_a_folder_that_the_evidence_shows_is_a_place() -> None:
    (clause,) = clauses("Don't use print() in the parser")
    assert place(clause, {"parser"}) == ("parser/",)

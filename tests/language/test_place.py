"""Where a wish holds: never broader than what was said."""

import pytest

from rulec.language import Where, clauses, place, where
from rulec.runtime.globs import match


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
        ("Never log in Kotlin", ()),
        ("No globals in Go services", ()),
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


@pytest.mark.parametrize(
    ("words", "inside", "outside"),
    [
        ("no SQL in the controllers", "app/Http/Controllers/CartController.php", "app/Models/Cart.php"),
        ("no SQL in API handlers", "api/cart_handler.go", "api/cart_store.go"),
        ("no fetching in React components", "src/Cart.tsx", "src/cart.ts"),
        ("no sleeping in tests", "src/cart_test.go", "src/cart.go"),
        ("no polling in file watchers", "src/disk/watcher.go", "src/disk/reader.go"),
        ("no queries in repositories", "src/user.repository.ts", "src/user.ts"),
    ],
)
def test_a_layer_is_told_by_the_names_of_its_files(words: str, inside: str, outside: str) -> None:
    (clause,) = clauses(words)
    there = place(clause)
    assert there
    assert match(there, inside)
    assert not match(there, outside)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Never use print() outside scripts/", Where(exclude=("scripts/",))),
        ("No console.log except in tools and bin", Where(exclude=("tools/", "bin/"))),
        ("chrono only in the server crate", Where(exclude=("server/",))),
        ("no print() in src", Where(include=("src/",))),
        ("no print()", Where()),
        ("no print() outside the parser", None),
    ],
)
def test_a_wish_may_hold_everywhere_but_in_a_place(text: str, holds: Where | None) -> None:
    (clause,) = clauses(text)
    assert where(clause) == holds


@pytest.mark.parametrize("kind", ["library", "production"])
def test_library_and_production_code_is_what_is_neither_test_nor_entry(kind: str) -> None:
    (clause,) = clauses(f"Don't use print() in {kind} code")
    found = where(clause)
    assert found is not None
    assert "tests/" in found.exclude
    assert ("cmd/" in found.exclude) == (kind == "library")


@pytest.mark.parametrize(("folder", "glob"), [("widgets", "widgets/"), ("widget", "widget/")])
def test_a_folder_is_known_in_singular_and_plural(folder: str, glob: str) -> None:
    (clause,) = clauses("no print() in the widgets")
    assert place(clause, {folder}) == (glob,)

"""Alike, contrary, or strangers."""

import pytest

from rulec.language.semantics.relation import SAME_WISH, contradicts, how_alike


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        ("Use pnpm instead of npm.", "please always use the pnpm instead of npm!", "same"),
        ("Never use git stash.", "Don't use git stash", "same"),
        ("Use pnpm instead of npm.", "Use npm instead of pnpm.", "contrary"),
        ("Prefer tabs over spaces.", "Prefer spaces over tabs.", "contrary"),
        ("Use tabs.", "Never use tabs.", "contrary"),
        ("Commit .env files.", "Do not commit .env files.", "contrary"),
        ("Use tabs.", "Run the tests before a commit.", "strangers"),
        ("Use uv instead of pip.", "Use pnpm instead of npm.", "strangers"),
        ("Never push to main.", "Run the tests on main.", "strangers"),
        ("Use pnpm instead of npm.", "Use pnpm, never npm.", "same"),
        ("Use tabs, not spaces.", "Use spaces, not tabs.", "contrary"),
        ("Use tabs rather than spaces.", "Use spaces, never tabs.", "contrary"),
        ("Use tabs instead of spaces.", "Use spaces.", "contrary"),
        ("Use tabs instead of spaces.", "Use tabs.", "same"),
        ("Never use tabs instead of spaces.", "Use tabs instead of spaces.", "contrary"),
        ("", "Use tabs.", "strangers"),
    ],
)
def test_two_sentences(one: str, other: str, what: str) -> None:
    for first, second in ((one, other), (other, one)):
        told = (
            "same"
            if how_alike(first, second) >= SAME_WISH
            else "contrary"
            if contradicts(first, second)
            else "strangers"
        )
        assert told == what

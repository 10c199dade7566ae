"""With --yes a model's wording becomes a rule unseen only where the person's words or the session bear it out."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.session import ClaudeSession
from tests.support.talks import through
from tests.support.world import act

THANKS = "thanks, now look at part {} too"
TESTS = {
    "statement": "Never edit files in tests/.", "category": "scope", "severity": "must",
    "examples": {
        "invalid": [{"edit": "tests/a.py", "old": "x", "new": "y"}],
        "valid": [{"edit": "src/a.py", "old": "x", "new": "y"}],
    },
    "alternatives": [{"checks": [{"template": "protect-path", "with": {"globs": ["tests/"]}}]}],
}  # fmt: skip


def _ingested(top: Path, session: ClaudeSession, quote: str, tmp_path: Path, **wish: Any) -> str:
    path = str(session.save(tmp_path / f"{session.session}.jsonl"))
    act(top, "ingest", path, "--backend", "exchange")
    draft = {name: wish.pop(name) for name in ("examples", "alternatives") if name in wish} or None
    return through(top, {"turn": 2, "quote": quote, "holds": "next time", "sure": "high", **wish}, draft=draft)


def _session(top: Path, number: int, said: str, before: str, after: str) -> ClaudeSession:
    session = ClaudeSession(top, f"0000000{number}-0000-4000-8000-000000000000").person("Look at the list.")
    return session.edits(before).agent("Done.").person(said).edits(after).agent("Done.").person("Good.")


def _rules(top: Path) -> list[str]:
    return [path.stem for path in (top / ".rules").glob("*.yaml") if path.stem != "config"]


def test_three_sessions_with_a_wish_that_nobody_voiced_make_no_rule(gated: Path, tmp_path: Path) -> None:
    for number in range(3):
        session = _session(gated, number, THANKS.format(number), f"src/a{number}.py", f"src/b{number}.py")
        said = _ingested(gated, session, "thanks, now", tmp_path, **TESTS)
        assert "a model worded this" in said
        assert "0 accepted" in said
    assert _rules(gated) == []
    assert len(json.loads(act(gated, "review", "--format", "json").out)) == 1


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        (THANKS.format(1), "thanks, now look at part 1 too"),
        ("files in tests/ look good, edit on", "files in tests/ look good, edit on"),
        ("never edit files in tests/ unless I say so", "never edit files in tests/ unless I say so"),
    ],
    ids=["of something else", "the contrary", "not without exception"],
)
def test_words_that_the_person_did_not_say_wait_for_a_person(
    said: str, quote: str, gated: Path, tmp_path: Path
) -> None:
    session = _session(gated, 1, said, "src/a.py", "src/b.py")
    assert "0 accepted" in _ingested(gated, session, quote, tmp_path, **TESTS)
    assert _rules(gated) == []


@pytest.mark.parametrize(
    ("said", "statement", "do"),
    [
        ("Never use yarn in apps/web.", "Never use yarn.", ""),
        ("Use tabs only in Makefiles.", "Use tabs.", ""),
        ("using tabs was a mistake", "Use tabs.", ""),
        ("would you rather use tabs?", "Use tabs.", ""),
        ("why do you use tabs", "Use tabs.", ""),
        ("Ask me before you delete files.", "Delete files before you ask me.", ""),
        ("Sync the data from prod to staging.", "Sync the data from staging to prod.", ""),
        ("You never run the tests.", "Never run the tests.", ""),
        ("You keep pushing to main!", "Keep pushing to main.", ""),
    ],
)
def test_a_persons_words_said_otherwise_are_the_models(
    said: str, statement: str, do: str, gated: Path, tmp_path: Path
) -> None:
    session = _session(gated, 1, said, "src/a.py", "src/b.py")
    told = _ingested(gated, session, said, tmp_path, statement=statement, do=do)
    assert "a model worded this" in told
    assert "0 accepted" in told
    assert _rules(gated) == []


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Fine so far! Never push directly to main, please.", "Never push directly to main."),
        ("ok, use pnpm, not npm!", "Use pnpm, not npm."),
        ("no npm, use pnpm", "Use pnpm, not npm."),
        ("you must never push to main", "Never push to main."),
        ("Ask me first.", "Ask me first."),
    ],
)
def test_a_persons_words_are_their_own_whatever_stands_beside_them(
    said: str, statement: str, gated: Path, tmp_path: Path
) -> None:
    session = _session(gated, 1, said, "src/a.py", "src/b.py")
    assert "1 accepted" in _ingested(gated, session, said, tmp_path, statement=statement)


def test_a_deed_that_nobody_objected_to_bears_nothing_out(gated: Path, tmp_path: Path) -> None:
    session = _session(gated, 1, THANKS.format(1), "tests/a.py", "src/b.py")
    assert "0 accepted" in _ingested(gated, session, "thanks, now", tmp_path, **TESTS, offence="2.1")


@pytest.mark.parametrize(
    ("said", "offence"),
    [
        ("please never edit files in tests/", None),
        ("what is in tests/ is mine", "2.1"),
    ],
    ids=["own words", "proved on the deed"],
)
def test_what_the_person_said_or_the_session_shows_is_accepted_unseen(
    said: str, offence: str | None, gated: Path, tmp_path: Path
) -> None:
    session = _session(gated, 1, said, "tests/a.py", "src/b.py")
    assert "1 accepted" in _ingested(gated, session, said, tmp_path, **TESTS, offence=offence)
    assert len(_rules(gated)) == 1


def test_a_person_may_accept_whatever_a_model_worded(gated: Path, tmp_path: Path) -> None:
    session = _session(gated, 1, THANKS.format(1), "src/a.py", "src/b.py")
    _ingested(gated, session, "thanks, now", tmp_path, **TESTS)
    (waiting,) = json.loads(act(gated, "review", "--format", "json").out)
    act(gated, "review", "--accept", waiting["slug"])
    assert _rules(gated) == [waiting["slug"]]

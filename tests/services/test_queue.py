"""What waits of one turn has one voice: a model's where one read it, and always a person's own mark."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.session import ClaudeSession, pnpm
from tests.support.talks import answer
from tests.support.world import Said, act

Act = Callable[..., Said]
LOOSE = "We always use pnpm here, never npm."


@pytest.fixture
def verb(gated: Path) -> Act:
    """A verb in a repository with gates, in this process."""
    return partial(act, gated)


def _heard(top: Path, verb: Act, path: Path, *quotes: str) -> Said:
    """A model reads the transcript and finds a wish in each of these quotes."""
    verb("ingest", str(path), "--backend", "exchange")
    wish = {"turn": 2, "holds": "next time", "sure": "high", "statement": "Use pnpm instead of npm."}
    answer(top, *({**wish, "quote": quote} for quote in quotes))
    said = verb("ingest", "--continue")
    while answer(top):
        said = verb("ingest", "--continue")
    return said


def _quiet(top: Path, number: int) -> ClaudeSession:
    """A session in which a model alone hears a wish."""
    session = ClaudeSession(top, f"5e55-001{number}").person("Add left-pad.").runs(f"npm install left-pad@{number}")
    return session.person("hm, that lockfile is odd").runs("pnpm add left-pad")


def _waiting(verb: Act) -> list[tuple[str, list[str]]]:
    return [(one["statement"], one["quotes"]) for one in json.loads(verb("review", "--format", "json").out)]


def test_a_models_wish_takes_the_place_of_what_was_read_offline_of_its_turn(
    gated: Path, verb: Act, tmp_path: Path
) -> None:
    path = pnpm(gated, LOOSE).save(tmp_path / "s.jsonl")
    verb("ingest", str(path))
    assert len(_waiting(verb)) == 1
    assert "worded by a model" not in verb("review").out
    _heard(gated, verb, path, "always use pnpm here, never npm")
    expected = [("Use pnpm instead of npm.", [LOOSE])]
    assert _waiting(verb) == expected
    assert "1 known already" in verb("ingest", str(path)).out  # offline again
    assert f'"{LOOSE}", worded by a model' in verb("review").out
    assert _waiting(verb) == expected


def test_other_turns_and_sessions_keep_their_voices(gated: Path, verb: Act, tmp_path: Path) -> None:
    path = pnpm(gated, LOOSE).save(tmp_path / "s.jsonl")
    again = pnpm(gated, "Use pnpm instead of npm.")
    again.session = "5e55-0002"
    other = ClaudeSession(gated, "5e55-0002").person("Add left-pad.").runs("npm install left-pad")
    other.person("Use pnpm, never npm.").runs("pnpm add left-pad").person("rule: Never commit to main.").agent(
        "Understood."
    )
    verb("ingest", str(path))
    verb("ingest", str(other.save(tmp_path / "t.jsonl")))
    before = sum(len(quotes) for _, quotes in _waiting(verb))
    _heard(gated, verb, path, "always use pnpm here")
    quotes = [quote for _, some in _waiting(verb) for quote in some]
    assert len(quotes) == before
    assert {"Use pnpm, never npm.", LOOSE} <= set(quotes)


def test_what_a_person_marked_stays_whatever_a_model_hears(gated: Path, verb: Act, tmp_path: Path) -> None:
    path = pnpm(gated, "rule: never commit to main").save(tmp_path / "s.jsonl")
    verb("ingest", str(path))
    marked = _waiting(verb)
    assert len(marked) == 1
    _heard(gated, verb, path, "never commit to main")
    assert _waiting(verb) == marked


def test_a_turn_loses_its_voice_only_where_it_was_gathered_with_others(gated: Path, verb: Act, tmp_path: Path) -> None:
    session = pnpm(gated, LOOSE).person("Again: always use pnpm here, never npm.").runs("pnpm add x")
    path = session.save(tmp_path / "s.jsonl")
    verb("ingest", str(path))
    ((_, before),) = _waiting(verb)
    assert len(before) == 2
    _heard(gated, verb, path, "always use pnpm here, never npm")
    quotes = [quote for _, some in _waiting(verb) for quote in some]
    assert sorted(quotes) == sorted(before)


def test_who_rejects_a_models_words_may_still_say_them(gated: Path, verb: Act, tmp_path: Path) -> None:
    _heard(gated, verb, _quiet(gated, 1).save(tmp_path / "s.jsonl"), "hm, that")
    (waiting,) = json.loads(verb("review", "--format", "json").out)
    verb("review", "--reject", waiting["slug"])
    again = _heard(gated, verb, _quiet(gated, 2).save(tmp_path / "t.jsonl"), "hm, that")
    assert "1 known already" in again.out
    own = ClaudeSession(gated, "5e55-0009").person("Add left-pad.").runs("npm install left-pad")
    own.person("Use pnpm instead of npm.").runs("pnpm add left-pad")
    assert "1 proposal waits" in verb("ingest", str(own.save(tmp_path / "own.jsonl"))).out
    assert _waiting(verb) == [("Use pnpm instead of npm.", ["Use pnpm instead of npm."])]


def test_who_rejects_their_own_words_is_not_asked_about_a_models(gated: Path, verb: Act, tmp_path: Path) -> None:
    verb("ingest", str(pnpm(gated, "Use pnpm instead of npm.").save(tmp_path / "own.jsonl")))
    ((statement, _),) = _waiting(verb)
    assert statement == "Use pnpm instead of npm."
    verb("review", "--reject", "use-pnpm")
    assert "1 known already" in _heard(gated, verb, _quiet(gated, 2).save(tmp_path / "s.jsonl"), "hm, that").out

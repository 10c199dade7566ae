"""Each proposal is decided by a person: on the spot, in the editor, or later; what was decided stays decided."""

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.session import ClaudeSession, logger, pnpm
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]
ASKED = "[l]ater"


def _waits(rulec: Run) -> list[dict[str, object]]:
    return list(json.loads(rulec("review", "--format", "json").stdout))


def _slugs(rulec: Run) -> list[str]:
    return [row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)]


def _stash(cwd: Path, session: str = "5e55-0009") -> ClaudeSession:
    said = ClaudeSession(cwd, session).person("Clean up.").runs("git stash").agent("Done.")
    return said.person("Never use git stash.").runs("git status").agent("Ok.")


@pytest.mark.e2e
@pytest.mark.parametrize(("letter", "says"), [("a", "1 accepted"), ("r", "1 rejected"), ("l", "1 left for later")])
def test_a_person_decides_on_each_proposal(gated: Path, rulec: Run, tmp_path: Path, letter: str, says: str) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, f"{letter}\n")])
    assert (code, says in seen) == (0, True), seen
    assert (gated / ".rules/use-pnpm.yaml").exists() == (letter == "a")
    again = rulec("ingest", transcript, "--yes").stdout
    assert ("1 known already" in again) == (letter in "ar"), "accepted and rejected ones are not proposed again"
    assert _waits(rulec) == [], "what waited has been decided"


@pytest.mark.e2e
def test_an_answer_that_is_none_is_asked_for_again_in_our_own_words(gated: Path, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    answers = [(ASKED, "zz\n"), (ASKED, "L\n")]
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], answers)
    assert (code, "1 left for later" in seen) == (0, True), seen
    assert "'zz' is none of them; type a letter that stands in brackets, or its word" in seen
    assert "'one'" not in seen


@pytest.mark.e2e
def test_a_card_shows_the_words_the_deed_the_rule_the_check_and_what_it_decides(gated: Path, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    _, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, "l\n")])
    for line in (
        'said:     "pnpm, not npm."  (2026-11-19, claude-code, turn 2)',
        "it did:   npm install left-pad",
        "then:     pnpm add left-pad",
        "rule:     use-pnpm (should, tooling): pnpm, not npm.",
        "becomes:  NEW use-pnpm -- a new rule, for none says this yet",
        "check:    forbid-command ",
        "refuses:  npm install left-pad",
        "passes:   pnpm add left-pad",
        "effect:   blocks",
    ):
        assert line in seen, seen


def test_what_no_machine_can_check_says_so(gated: Path, rulec: Run, tmp_path: Path) -> None:
    session = pnpm(gated, "rule: explain your reasoning before a large refactoring.")
    said = rulec("ingest", str(session.save(tmp_path / "t.jsonl")), "--yes").stdout
    assert "check:    none; no check was read from its words: it will only be a reminder (AGENTS.md)" in said


@pytest.mark.e2e
def test_without_a_terminal_proposals_wait_and_nothing_is_active(
    gated: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    transcript = tmp_path / "t.jsonl"
    before = git("rev-parse", "HEAD").stdout
    pnpm(gated).save(transcript)
    for _ in range(2):
        said = rulec("ingest", str(transcript)).stdout
        waits, _ = said.splitlines()[-2:]  # the last says what a model would add
        assert waits == ("nobody can be asked here, so 1 proposal waits for you, not active yet: rulec review")
    assert (git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout, _slugs(rulec)) == (before, "", [])
    status = rulec().stdout
    assert "queue: 1 proposal waits" in status
    assert "next: rulec review" in status
    transcript.unlink()  # review needs it no more
    assert "use-pnpm: pnpm, not npm." in rulec("review").stdout
    code, seen = on_terminal(gated, [*RULEC, "review"], [(ASKED, "a\n")])
    assert (code, "1 accepted; 0 in the queue" in seen) == (0, True), seen
    assert "refuses:  npm install left-pad" in seen
    assert _slugs(rulec) == ["use-pnpm"]
    assert "no proposal waits" in rulec("review").stdout


def test_scripts_decide_by_slug(gated: Path, rulec: Run, tmp_path: Path) -> None:
    for session in (pnpm(gated), logger(gated), _stash(gated)):
        rulec("ingest", str(session.save(tmp_path / "t.jsonl")))
    slugs = {str(item["slug"]) for item in _waits(rulec)}
    assert slugs == {"use-pnpm", "use-logger", "no-git-stash"}
    refused = rulec("review", "--accept", "use-tabs", code=2).stderr
    assert "no 'use-tabs' waits for review; waiting are: no-git-stash, use-logger, use-pnpm" in refused
    both = rulec("review", "--accept", "use-pnpm", "--reject", "use-pnpm", code=2).stderr
    assert "use-pnpm is named more than once; name it in one option only" in both
    done = json.loads(rulec("review", "--accept", "use-pnpm", "--reject", "no-git-stash", "--format", "json").stdout)
    assert {key: done[key] for key in ("accept", "reject")} == {"accept": 1, "reject": 1}
    assert {one["resolution"]["decision"] for one in done["proposals"]} == {"NEW"}
    assert _slugs(rulec) == ["use-pnpm"]
    assert [item["slug"] for item in _waits(rulec)] == ["use-logger"]


def test_a_rejected_sentence_is_not_proposed_from_another_session_either(
    gated: Path, rulec: Run, tmp_path: Path
) -> None:
    rulec("ingest", str(_stash(gated).save(tmp_path / "1.jsonl")))
    rulec("review", "--reject", "no-git-stash")
    said = rulec("ingest", str(_stash(gated, "5e55-0010").save(tmp_path / "2.jsonl"))).stdout
    assert "1 known already" in said
    assert _waits(rulec) == []


def test_one_preference_of_many_turns_and_sessions_is_one_card(gated: Path, rulec: Run, tmp_path: Path) -> None:
    twice = pnpm(gated).person("Add lodash.").runs("npm install lodash").agent("Done.")
    twice.person("Use pnpm instead of npm.").runs("pnpm add lodash").agent("Sorry.")
    said = rulec("ingest", str(twice.save(tmp_path / "1.jsonl")), "--yes").stdout
    assert (said.count("rule:  "), said.count("said:  "), said.count("again: ")) == (1, 1, 1), said
    assert 'again:    "Use pnpm instead of npm."  (2026-11-19, claude-code, turn ' in said
    assert "effect:   audits" in said, "one session alone does not activate a rule"
    assert "(1 + 1.5) / (2 + 1.5 + 0)" in rulec("why", "use-pnpm").stdout


def test_what_waits_from_two_sessions_is_reviewed_as_one(gated: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("ingest", str(_stash(gated).save(tmp_path / "1.jsonl")))
    rulec("ingest", str(_stash(gated, "5e55-0010").save(tmp_path / "2.jsonl")))
    (item,) = _waits(rulec)
    assert item["quotes"] == ["Never use git stash."] * 2
    said = rulec("review", "--accept", "no-git-stash").stdout
    assert "again: " in said
    assert _waits(rulec) == []
    assert rulec("why", "no-git-stash").stdout.count('said: "Never use git stash."') == 2


def test_contraries_stand_beside_each_other(gated: Path, rulec: Run, tmp_path: Path) -> None:
    wishes = ("rule: use pnpm instead of npm.", "rule: never use git stash.", "rule: use npm instead of pnpm.")
    for number, wish in enumerate(wishes):
        session = ClaudeSession(gated, f"5e55-{number:04}").person("Go on.").agent("Done.").person(wish).agent("Ok.")
        rulec("ingest", str(session.save(tmp_path / f"{number}.jsonl")))
    said = rulec("review").stdout
    slugs = [str(item["slug"]) for item in _waits(rulec)]
    assert abs(slugs.index("use-pnpm") - slugs.index("use-npm")) == 1
    assert "against use-npm, waits too: Use npm instead of pnpm." in said
    accepted = rulec("review", "--accept", "use-pnpm").stdout
    assert "conflict: use-npm, waits too" in accepted
    rejected = rulec("review", "--reject", "use-npm").stdout
    assert "current:  use-pnpm@1 (should, tooling): Use pnpm instead of npm." in rejected
    assert "becomes:  SUPERSEDE use-pnpm -- it asks for the contrary" in rejected
    assert "example:  `pnpm` is what use-pnpm asks for and use-npm refuses" in rejected


@pytest.mark.e2e
def test_a_batch_is_listed_first_and_may_be_decided_at_once(gated: Path, rulec: Run, tmp_path: Path) -> None:
    for session in (pnpm(gated), logger(gated), _stash(gated)):
        rulec("ingest", str(session.save(tmp_path / "t.jsonl")))
    _, seen = on_terminal(gated, [*RULEC, "review"], [("[o]ne by one", "l\n")])
    assert "1-3 of 3 that wait:" in seen
    assert "3 left for later; 3 in the queue" in seen
    one_by_one = [("[o]ne by one", "o\n"), (ASKED, "a\n"), (ASKED, "r\n"), (ASKED, "l\n")]
    _, seen = on_terminal(gated, [*RULEC, "review"], one_by_one)
    assert "1 accepted, 1 rejected, 1 left for later; 1 in the queue" in seen


def test_each_wish_of_a_bundle_is_a_card_of_its_own(gated: Path, rulec: Run, tmp_path: Path) -> None:
    session = ClaudeSession(gated).person("Add left-pad.").runs("npm install left-pad").runs("git stash").agent("Done.")
    session.person("Use pnpm, not npm. And never use git stash.").runs("pnpm add left-pad").agent("Understood.")
    said = rulec("ingest", str(session.save(tmp_path / "t.jsonl")), "--yes").stdout
    assert 'said:     "Use pnpm, not npm."' in said
    assert "wish 1 of 2)" in said
    assert "wish 2 of 2)" in said


def test_a_damaged_piece_of_the_queue_is_one_line_and_stops_nothing(gated: Path, rulec: Run, tmp_path: Path) -> None:
    for session in (pnpm(gated), _stash(gated)):
        rulec("ingest", str(session.save(tmp_path / "t.jsonl")))
    pieces = sorted((gated / ".git/rulec/queue").glob("*.json"))
    bad = next(piece for piece in pieces if "use-pnpm" in piece.read_text())
    for damage in ("", "{", "[]", '{"candidate": 1}', '{"candidate": {"rule": {"slug": "x"}}}', "\udcff"):
        bad.write_text(damage, errors="surrogateescape")
        done = rulec("review", "--format", "json")
        assert [item["slug"] for item in json.loads(done.stdout)] == ["no-git-stash"]
        (line,) = done.stderr.splitlines()
        assert f"{bad.name}: cannot be read: " in line
        assert "mend it or delete it; the others are not touched" in line
    rulec("review", "--accept", "no-git-stash")
    assert bad.exists()


def test_the_queue_holds_no_secret_and_is_its_owners_alone(gated: Path, rulec: Run, tmp_path: Path) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    session = ClaudeSession(gated).person("Go on.").runs(f"npm install x --token {token}").agent("Done.")
    session.person(f"Never use npm, use pnpm. And {token} is not for you.").runs(f"pnpm add x # {token}").agent("Ok.")
    rulec("ingest", str(session.save(tmp_path / "s.jsonl")))
    pieces = [path for path in (gated / ".git/rulec").rglob("*") if path.is_file()]
    assert any(b"npm" in path.read_bytes() for path in pieces)
    assert not any(token[4:].encode() in path.read_bytes() for path in pieces)
    assert all(path.stat().st_mode & 0o077 == 0 for path in pieces if path.parent.name == "queue")


@pytest.mark.e2e
def test_a_bar_shows_how_far_a_long_reading_is_and_only_on_a_terminal(gated: Path, rulec: Run, tmp_path: Path) -> None:
    session = pnpm(gated)
    for _ in range(3):
        session.person("Go on.").runs("make", "x" * 1_000_000)
    transcript = str(session.save(tmp_path / "t.jsonl"))
    _, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, "l\n")])
    assert "reading the transcript" in seen
    assert "100%" in seen
    done = rulec("ingest", transcript)
    assert "reading" not in done.stdout + done.stderr

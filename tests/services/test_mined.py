"""Transcripts through prompts that wait in files: what is asked, when, and what is still open."""

import json
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.messages_server import MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import answer, through
from tests.support.world import Said, act

Act = Callable[..., Said]
SAID = "keep every date in UTC!"


@pytest.fixture
def verb(gated: Path) -> Act:
    """A verb in a repository with gates, in this process."""
    return partial(act, gated)


def _wish(turn: int, quote: str = SAID, **more: Any) -> dict[str, Any]:
    made = {"turn": turn, "quote": quote, "holds": "next time", "sure": "high", "statement": "Keep every date in UTC."}
    return {**made, **more}


def _prompts(top: Path) -> list[Path]:
    return sorted((top / ".rulec/exchange").glob("*.prompt.md"))


def _kept(top: Path, session: ClaudeSession) -> Path:
    """The session where the agent keeps those of this repository."""
    folder = Path.home() / ".claude" / "projects" / str(top).replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    return session.save(folder / f"{session.session}.jsonl")


def _two(top: Path) -> ClaudeSession:
    return ClaudeSession(top).person("Add a date.").writes("a.py", "now()").person(SAID).writes("a.py", "now(UTC)")


def test_a_transcript_counts_as_read_when_all_its_prompts_are_answered_and_decided(gated: Path, verb: Act) -> None:
    _kept(gated, _two(gated))
    for _ in range(2):
        assert "1 prompt waits" in verb("ingest", "--backend", "exchange").out
        assert len(_prompts(gated)) == 1
    assert "1 accepted" in through(gated, _wish(2))
    assert "no new transcripts" in verb("ingest", "--backend", "exchange").out
    assert not (gated / ".rulec/exchange").exists()


def test_of_a_transcript_that_grew_only_what_is_new_is_asked(gated: Path, verb: Act) -> None:
    session = _two(gated)
    _kept(gated, session)
    verb("ingest", "--backend", "exchange")
    _kept(gated, session.runs("rulec ingest --backend exchange"))  # whoever answers is that very agent
    assert "1 accepted" in through(gated, _wish(2))
    _kept(gated, session.person("Now the footer."))
    assert "1 prompt waits" in verb("ingest", "--backend", "exchange").out
    (prompt,) = _prompts(gated)
    assert "Now the footer." in prompt.read_text()
    assert SAID not in prompt.read_text()


def test_an_answer_that_is_no_json_is_named_and_the_others_count(gated: Path, verb: Act) -> None:
    _kept(gated, _two(gated))
    other = ClaudeSession(gated, "5e55-0002").person("Add a test.").runs("make").person("thanks")
    _kept(gated, other)
    verb("ingest", "--backend", "exchange")
    (broken,) = _prompts(gated)  # both sessions stand in one
    assert "Add a test." in broken.read_text()
    broken.with_name(broken.name.replace(".prompt.md", ".answer.json")).write_text("{")
    said = verb("ingest", "--continue", "--yes").out
    assert "4 turns wait for a model" in said
    assert ".answer.json:1: " in said
    assert "1 prompt waits" in said
    assert "1 accepted" in through(gated, _wish(_named(broken, SAID)))


def _named(prompt: Path, words: str) -> str:
    """The number of the turn in which these words stand."""
    before = prompt.read_text().split(f"person:\n{words}")[0].splitlines()
    return next(line.split()[-1] for line in reversed(before) if line.startswith("rulec-") and " turn " in line)


def test_small_sessions_stand_in_one_prompt_which_stays_the_same(gated: Path, verb: Act) -> None:
    session = _two(gated)
    _kept(gated, session)
    _kept(gated, ClaudeSession(gated, "5e55-0002").person("Add a test.").runs("make").person("thanks"))
    verb("ingest", "--backend", "exchange")
    (prompt,) = _prompts(gated)
    _kept(gated, session.runs("rulec ingest --backend exchange"))  # newer than the other now
    _kept(gated, ClaudeSession(gated, "5e55-0003").person("Add a page.").runs("make").person("fine"))
    verb("ingest", "--backend", "exchange")
    first, second = _prompts(gated)
    assert first.name == prompt.name
    assert "Add a page." in second.read_text()
    assert "Add a test." not in second.read_text()
    said = through(gated, _wish(_named(prompt, SAID)))
    assert "1 accepted" in said
    assert "waits" not in said


def test_a_dry_run_writes_no_rule_and_hears_the_answers_when_it_is_run_again(
    gated: Path, verb: Act, tmp_path: Path
) -> None:
    path = str(_two(gated).save(tmp_path / "s.jsonl"))
    command = ("ingest", path, "--dry-run", "--backend", "exchange", "--format", "json")
    verb(*command)
    answer(gated, _wish(2, offence="2.1"), {**_wish(0, "Add a date."), "holds": "this time"})
    turns = [json.loads(line) for line in verb(*command).out.splitlines()]
    assert [turn["label"] for turn in turns] == ["episodic", "durable"]
    assert [one["statement"] for one in turns[1]["candidates"]] == ["Keep every date in UTC."]
    assert not list((gated / ".rules").glob("keep*.yaml"))


def test_what_a_model_made_up_is_told_and_not_proposed(gated: Path, verb: Act, tmp_path: Path) -> None:
    path = str(_two(gated).save(tmp_path / "s.jsonl"))
    verb("ingest", path, "--backend", "exchange")
    (prompt,) = _prompts(gated)
    made_up = {"wishes": [_wish(2, "we keep every date in local time around here"), _wish(1)]}
    prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json")).write_text(json.dumps(made_up))
    said = verb("ingest", "--continue", "--yes").out
    assert "ignored in the model's answer: turn 2: the quote does not stand" in said
    assert "(and 1 more)" in said
    assert "0 accepted" in said


def test_words_marked_as_a_rule_count_whatever_a_model_says_of_them(gated: Path, verb: Act, tmp_path: Path) -> None:
    marked = "rule: use pnpm, never npm"
    session = ClaudeSession(gated).person("Add left-pad.").runs("npm install left-pad").person(marked)
    path = str(session.runs("pnpm add left-pad").save(tmp_path / "s.jsonl"))
    verb("ingest", path, "--backend", "exchange")
    answer(gated)
    assert "1 lasting correction" in verb("ingest", "--continue", "--yes").out
    assert (gated / ".rules/use-pnpm.yaml").exists()


def test_a_budget_that_is_reached_leaves_the_rest_for_the_next_run(
    gated: Path, verb: Act, messages: MessagesServer, tmp_path: Path
) -> None:
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + "models: {backend: anthropic, tokens: 25000}\n")
    session = ClaudeSession(gated)
    for number in range(100):
        session.person(f"Look at part {number}. " + "It is long and wide. " * 12).agent("Done.")
    messages.script = lambda _: {"wishes": []}
    path = str(session.save(tmp_path / "s.jsonl"))
    first = verb("ingest", path).out
    assert "the budget of this run is reached" in first
    assert "turns wait for a model" in first
    asked = len(messages.asked)

    assert asked == 1
    assert "wait for a model" not in verb("ingest", path).out
    assert len(messages.asked) == 2


JUDGE = {
    "examples": {"invalid": [{"file": "a.py", "content": "now()"}], "valid": [{"file": "a.py", "content": "now(UTC)"}]},
    "alternatives": [{"checks": [{"template": "judge", "with": {"of": "diff"}}]}],
}


def test_what_waits_for_a_person_keeps_what_the_model_wrote(gated: Path, verb: Act, tmp_path: Path) -> None:
    path = str(_two(gated).save(tmp_path / "s.jsonl"))
    verb("ingest", path, "--backend", "exchange")
    assert "1 proposal waits" in through(gated, _wish(2), draft=JUDGE, options=("--enforcement", "warn"))
    (waiting,) = json.loads(verb("review", "--format", "json").out)
    assert waiting["statement"] == "Keep every date in UTC."
    assert waiting["worded_by_model"]
    assert waiting["check_by_model"]
    assert f'"{SAID}", worded by a model' in verb("review").out
    card = verb("review", "--accept", waiting["slug"]).out
    assert "wording:  by a model; only the quote is the person's; a model wrote its check\n" in card
    text = (gated / f".rules/{waiting['slug']}.yaml").read_text()
    for part in ("A model", "template: judge", "now(UTC)", "source: reader", "enforcement: warn"):
        assert part in text


def test_a_wish_of_which_its_reader_is_not_sure_waits_for_a_person(gated: Path, verb: Act, tmp_path: Path) -> None:
    path = str(_two(gated).save(tmp_path / "s.jsonl"))
    command = ("ingest", path, "--backend", "exchange", "--dry-run", "--format", "json")
    verb(*command)
    answer(gated, _wish(2, sure="low"))
    turns = [json.loads(line) for line in verb(*command).out.splitlines()]
    assert [(turn["label"], turn["band"]) for turn in turns] == [("none", "none"), ("durable", "review")]
    verb("ingest", path, "--backend", "exchange")
    said = through(gated, _wish(2, sure="low"))
    assert "0 accepted" in said
    assert "not sure that it is meant to last" in said


def test_a_wish_that_is_voiced_again_is_one_rule_with_all_of_its_evidence(
    gated: Path, verb: Act, tmp_path: Path
) -> None:
    session = _two(gated).person("UTC, again!").writes("b.py", "now(UTC)")
    verb("ingest", str(session.save(tmp_path / "s.jsonl")), "--backend", "exchange")
    said = through(gated, _wish(2, again=[4]))
    assert "1 accepted" in said
    assert 'again:    "UTC, again!"' in said
    (rule,) = (one for one in (gated / ".rules").glob("*.yaml") if one.name != "config.yaml")
    assert len(list((gated / ".rules" / "evidence" / rule.stem).glob("*.yaml"))) == 2


def test_only_a_persons_words_stand_below_person(gated: Path, verb: Act, tmp_path: Path) -> None:
    session = _two(gated).runs("make", "From now on always use tabs.")
    session.person("<system-reminder>From now on always use tabs.</system-reminder>")
    session.person("From now on always use tabs.")
    session.lines[-1]["isSidechain"] = True
    session.last = None
    verb("ingest", str(session.save(tmp_path / "s.jsonl")), "--backend", "exchange")
    (prompt,) = _prompts(gated)
    assert "always use tabs" not in prompt.read_text()
    assert prompt.read_text().count("\nperson:\n") == 2


def test_no_more_of_a_transcript_is_held_than_is_asked_in_one_prompt(gated: Path, verb: Act, tmp_path: Path) -> None:
    session = ClaudeSession(gated)
    for number in range(300):
        session.person(f"Look at part {number}.").writes(f"a{number}.py", f"x{number} = 1\n" * 3_000)
    path = session.save(tmp_path / "s.jsonl")
    verb("ingest", str(_two(gated).save(tmp_path / "small.jsonl")), "--backend", "exchange")
    tracemalloc.start()
    try:
        verb("ingest", str(path), "--backend", "exchange")
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(_prompts(gated)) >= 5
    assert most < path.stat().st_size / 2

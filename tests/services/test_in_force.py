"""What a model makes of a person's words changes no rule in force before a person has seen it."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.rulebooks import rulebook_files
from tests.support.session import ClaudeSession
from tests.support.world import act, run

RAW = {
    "examples": {
        "invalid": [{"file": "src/a.py", "content": "import os\n"}],
        "valid": [{"file": "src/a.py", "content": "x = 1\n"}],
    },
    "alternatives": [
        {"checks": [{"template": "raw-semgrep", "with": {"rule": "languages: [python]\npattern: import $X\n"}}]}
    ],
}
Wish = dict[str, Any]


def _in_force(top: Path, *statements: str) -> dict[str, str]:
    for statement in statements:
        act(top, "add", statement, "--yes")
    for one in _waiting(top):  # what would have refused much is held back for a person, who wants it here
        act(top, "review", "--accept", one["slug"])
    config = top / ".rules/config.yaml"
    config.write_text(f"{config.read_text()}models: {{backend: recorded}}\n")
    run(top, "commit", "-qam", "Ask a model", "--no-verify")
    return _rules(top)


def _rules(top: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in (top / ".rules").glob("*.yaml") if path.stem != "config"}


def _ingested(
    top: Path, said: str, wish: Wish, *ran: str, decides: str = "", number: int = 1, draft: Wish | None = None
) -> str:
    """A session in which a model hears one wish in the second turn of a person, under --yes."""
    session = ClaudeSession(top, f"5e55-000{number}").person("Tidy up.").runs(ran[0] if ran else "git status")
    session.agent("Done.").person(said).runs(ran[1] if ran else "ls").agent("Understood.")
    mined = {"turn": 2, "quote": said, "holds": "next time", "sure": "high", **wish}
    lines = [{"candidate": 1, "line": f"Decision: {decides} -- because it is so"}]
    answers = [
        {"step": "mine", "holds": "", "answer": {"wishes": [mined]}},
        {"step": "draft", "holds": "", "answer": {"wishes": [{"wish": 1, **(draft or {})}]}},
        {"step": "decide", "holds": "", "answer": {"decisions": lines if decides else []}},
    ]
    folder = top / ".rulec/recorded"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answers.json").write_text(json.dumps(answers))
    return act(top, "ingest", str(session.save(top.parent / f"{number}.jsonl")), "--yes").out


def _waiting(top: Path) -> list[dict[str, Any]]:
    return list(json.loads(act(top, "review", "--format", "json").out))


@pytest.mark.parametrize(
    ("rule", "said", "wish", "ran"),
    [
        (
            "No comments.",
            "I never said no comments except in tests/. Take it out.",
            {"quote": "no comments except in tests/", "statement": "No comments except in tests/."},
            (),
        ),
        (
            "Never push directly to main.",
            "Again: never push directly to main!",
            {"quote": "push directly to main", "statement": "Push directly to main."},
            ("git push origin main", "git push origin x"),
        ),
        (
            "Use pnpm instead of npm.",
            "pnpm works now, thanks",
            {"statement": "Use pnpm instead of npm or yarn.", "offence": "a2.1"},
            ("yarn add left-pad", "pnpm add left-pad"),
        ),
        ("No comments.", "no comments please, and tests matter", {"statement": "No comments except in tests/."}, ()),
    ],
    ids=["an exception cut out of its denial", "the contrary cut out", "wider than what was said", "an exception"],
)
def test_what_the_person_did_not_say_waits_and_the_rule_stays(
    rule: str, said: str, wish: Wish, ran: tuple[str, ...], gated: Path
) -> None:
    before = _in_force(gated, rule)
    told = _ingested(gated, said, wish, *ran)
    assert "0 accepted, 0 rejected, 1 left for later" in told
    assert "a model worded this" in told
    assert _rules(gated) == before
    (waiting,) = _waiting(gated)
    assert waiting["quotes"] == [
        next(part for part in said.split(". ") if wish.get("quote", said) in part) + "." * (". " in said)
    ]


def test_a_cut_sentence_said_three_times_is_told_to_no_agent(gated: Path) -> None:
    _in_force(gated)
    for number in (1, 2, 3):
        wish = {"quote": "push directly to main", "statement": "Push directly to main."}
        told = _ingested(gated, f"Part {number}! Never push directly to main.", wish, number=number)
        assert 'said:     "Never push directly to main."' in told
    assert _rules(gated) == {}
    agents = gated / "AGENTS.md"
    assert not agents.exists() or "Push directly" not in agents.read_text()


def test_a_models_own_check_of_a_rule_in_force_waits_for_a_person(gated: Path) -> None:
    before = _in_force(gated, "Keep the public surface small.")
    said = "Keep the public surface small and the modules few."
    told = _ingested(gated, said, {"statement": said}, decides="UPDATE keep-public-surface-small", draft=RAW)
    assert "a model wrote its semgrep check, which would be in force at once" in told
    assert _rules(gated) == before
    (gated / "b.py").write_text("import sys\n")
    run(gated, "add", "b.py")
    assert act(gated, "check", "--staged").code == 0
    (waiting,) = _waiting(gated)
    assert waiting["check_by_model"]
    assert "raw-semgrep" in repr(waiting["drafted"])
    assert "import $X" in repr(waiting["drafted"])


@pytest.mark.parametrize("decides", ["NOOP", "NEW", "UPDATE use-uv-add"])
def test_the_contrary_of_a_rule_in_force_waits_whatever_a_model_makes_of_it(decides: str, gated: Path) -> None:
    before = _in_force(gated, "Never use pip install, always use uv add.")
    evidence = len(rulebook_files.load_rulebook(gated).observed("use-uv-add"))
    said = "Never use uv add, always use pip install."
    wish = {"statement": said, "offence": "a2.1"}
    told = _ingested(gated, said, wish, "uv add y", "pip install y", decides=decides)
    assert "0 accepted, 0 rejected, 1 left for later" in told
    assert "SUPERSEDE use-uv-add -- it asks for the contrary" in told
    assert _rules(gated) == before
    assert len(rulebook_files.load_rulebook(gated).observed("use-uv-add")) == evidence


def test_whose_words_a_rule_has_is_told_in_the_file(gated: Path) -> None:
    before = _in_force(gated, "Use pnpm instead of npm.")
    assert "model" not in before["use-pnpm"]
    wish = {"statement": "Use pnpm instead of npm or yarn.", "offence": "a2.1"}
    _ingested(gated, "pnpm works now, thanks", wish, "yarn add left-pad", "pnpm add left-pad")
    card = json.loads(act(gated, "review", "--accept", _waiting(gated)[0]["slug"], "--format", "json").out)
    assert [one["worded_by_model"] for one in card["proposals"]] == [True]
    assert any("A model worded this" in text for text in _rules(gated).values())


def test_a_turn_is_one_piece_of_evidence_whoever_reads_it(gated: Path) -> None:
    said = "pnpm, not npm. Always."
    session = ClaudeSession(gated, "5e55-0001").person("Tidy up.").runs("npm install left-pad").agent("Done.")
    path = session.person(said).runs("pnpm add left-pad").save(gated.parent / "s.jsonl")
    assert "1 accepted" in act(gated, "ingest", str(path), "--yes").out
    (rule,) = rulebook_files.load_rulebook(gated).rules
    before = rulebook_files.load_rulebook(gated).observed(rule.slug)
    _in_force(gated)
    wish = {"statement": "Use pnpm instead of npm.", "offence": "a2.1"}
    told = _ingested(gated, said, wish, "npm install left-pad", "pnpm add left-pad")
    assert "1 known already" in told
    assert rulebook_files.load_rulebook(gated).observed(rule.slug) == before
    told = _ingested(gated, said, wish, "npm install left-pad", "pnpm add left-pad", number=2)
    assert "1 accepted" in told, "who says it again says it again"
    assert len(rulebook_files.load_rulebook(gated).observed(rule.slug)) == len(before) + 1


def test_a_wish_for_this_time_silences_no_other_sentence_of_its_turn(gated: Path) -> None:
    _in_force(gated)
    said = "rule: never use git push --force here. And the readme needs a title this time."
    wish = {"quote": "the readme needs a title this time", "holds": "this time"}
    told = _ingested(gated, said, wish, "git push --force", "git push")
    assert "1 lasting correction: " in told
    assert 'said:     "never use git push --force here.' in told

"""A challenge comes from somebody who sees no check; a check is proved on it, and a person sees what is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.session import ClaudeSession
from tests.support.talks import answer, only_prompt, only_rule, open_steps, record
from tests.support.world import act

SAID = "Use pnpm here, never npm."
WISH = {
    "turn": 2, "quote": SAID, "holds": "next time", "sure": "high", "statement": SAID, "name": "use-pnpm",
    "severity": "must", "category": "tooling", "offence": "2.1", "fix": "end.1",
}  # fmt: skip
SCRIPT = {"session": [{"file": "setup.sh", "content": "npm ci\n"}, {"command": "sh setup.sh"}]}
CHALLENGE = {
    "invalid": [{"command": "npx vitest"}, SCRIPT],
    "valid": [{"command": "grep -rn 'npm install' docs"}, {"command": "npm view left-pad license"}],
}
OWN = {"invalid": [{"command": "npm ci"}], "valid": [{"command": "pnpm test"}]}
INSTALLS = {"template": "forbid-command", "with": {"commands": ["npm install|ci"]}}
ALL_OF_NPM = {"template": "forbid-command", "with": {"commands": ["npm", "npx"]}}
RIGHT = {"template": "forbid-command", "with": {"commands": ["npm", "npx"], "unless": ["npm view"]}}


def _mined(top: Path, tmp_path: Path) -> None:
    """A session was read, and the question for a challenge waits."""
    told = (
        ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").person(SAID).runs("pnpm add left-pad")
    )
    act(top, "ingest", str(told.save(tmp_path / "s.jsonl")), "--backend", "exchange")
    answer(top, WISH)
    act(top, "ingest", "--continue")


def _challenged(top: Path, tmp_path: Path) -> None:
    _mined(top, tmp_path)
    answer(top, challenge=CHALLENGE)
    act(top, "ingest", "--continue")


def _drafted(top: Path, check: dict[str, Any], **more: Any) -> str:
    answer(top, draft={"examples": OWN, "alternatives": [{"checks": [check]}], **more})
    return act(top, "ingest", "--continue", "--yes").out


def test_it_is_asked_before_any_check_and_shows_the_correction_the_session_and_the_repository_alone(
    gated: Path, tmp_path: Path
) -> None:
    _mined(gated, tmp_path)
    assert open_steps(gated) == ["challenge"]
    asked = only_prompt(gated)
    for part in (SAID, "npm install left-pad", "pnpm add left-pad", "branch: main"):
        assert part in asked
    for part in ("forbid-command", "TEMPLATES"):
        assert part not in asked
    answer(gated, challenge=CHALLENGE)
    act(gated, "ingest", "--continue")
    assert open_steps(gated) == ["draft"]
    assert '"id": "c2"' in only_prompt(gated)


def test_the_rule_holds_its_examples_and_says_whose_they_are(gated: Path, tmp_path: Path) -> None:
    _challenged(gated, tmp_path)
    assert "1 accepted" in _drafted(gated, RIGHT)
    rule = only_rule(gated)
    assert [one.source for one in rule.invalid] == ["transcript", "challenge", "challenge", "reader"]
    assert [one.source for one in rule.valid] == ["transcript", "challenge", "challenge", "reader"]
    assert (gated / ".rules/use-pnpm.yaml").read_text().count("source: challenge") == 4


def test_what_it_decides_otherwise_goes_back_with_its_id_and_the_reason(gated: Path, tmp_path: Path) -> None:
    _challenged(gated, tmp_path)
    _drafted(gated, ALL_OF_NPM)
    assert open_steps(gated) == ["mend"]
    asked = only_prompt(gated)
    for part in ('"id": "c4"', '"was": "caught"', "npm view left-pad license"):
        assert part in asked
    assert "1 accepted" in _drafted(gated, RIGHT)


def test_a_missed_command_is_told_with_what_was_read_in_it(gated: Path, tmp_path: Path) -> None:
    _challenged(gated, tmp_path)
    _drafted(gated, INSTALLS)
    assert '"why": "read as npx vitest; vitest"' in only_prompt(gated)


def test_what_no_check_can_see_is_left_out_with_a_reason_and_stands_under_not_checked(
    gated: Path, tmp_path: Path
) -> None:
    _challenged(gated, tmp_path)
    unseen = [{"example": "c1", "because": "unseen", "why": "what npx fetches"}]
    said = _drafted(gated, INSTALLS, left_out=unseen)
    assert "1 accepted" in said
    assert "missed:   npx vitest; what npx fetches" in said
    assert only_rule(gated).not_checked == ("what npx fetches",)
    assert "npx vitest" not in [one.text for one in only_rule(gated).invalid]


@pytest.mark.parametrize(
    ("check", "example", "told"),
    [
        (ALL_OF_NPM, "c4", "npm view left-pad license; which is to pass: it needs npm"),
        (INSTALLS, "c1", "npx vitest; which is to be caught"),
    ],
)
def test_what_its_author_calls_wrong_waits_for_a_person_who_sees_it(
    gated: Path, tmp_path: Path, check: dict[str, Any], example: str, told: str
) -> None:
    _challenged(gated, tmp_path)
    said = _drafted(gated, check, left_out=[{"example": example, "because": "wrong", "why": "it needs npm"}])
    assert "0 accepted" in said
    assert "says that an example is wrong" in said
    (waiting,) = json.loads(act(gated, "review", "--format", "json").out)
    assert [(one["wrong"], one["why"]) for one in waiting["left_out"]] == [(True, "it needs npm")]
    assert f"dropped:  {told}" in act(gated, "review", "--accept", "use-pnpm").out
    assert only_rule(gated).checks


@pytest.mark.parametrize(
    ("check", "told"),
    [(ALL_OF_NPM, "hits:     npm view left-pad license"), (INSTALLS, "missed:   npx vitest")],
)
def test_what_no_repair_decides_waits_for_a_person(
    gated: Path, tmp_path: Path, check: dict[str, Any], told: str
) -> None:
    _challenged(gated, tmp_path)
    said = ""
    while open_steps(gated):
        said = _drafted(gated, check)
    assert "0 accepted" in said
    assert told in act(gated, "review", "--accept", "use-pnpm").out
    assert only_rule(gated).checks


def test_an_answer_of_which_nothing_can_be_used_is_asked_for_once_more_and_never_loses_the_correction(
    gated: Path, tmp_path: Path
) -> None:
    _mined(gated, tmp_path)
    bad = {"invalid": [{"cmd": "npm ci"}], "valid": [{"command": "npm view x"}]}
    answer(gated, challenge=bad)
    act(gated, "ingest", "--continue")
    assert open_steps(gated) == ["challenge"]
    assert "is no example, by its keys (cmd)" in only_prompt(gated)
    answer(gated, challenge=bad)
    said = act(gated, "ingest", "--continue").out
    assert "use-pnpm: its check is drafted without a challenge: " in said or "no invalid example" in said
    assert open_steps(gated) == ["draft"]
    assert "1 accepted" in _drafted(gated, RIGHT)
    assert [one.source for one in only_rule(gated).valid] == ["transcript", "challenge", "reader"]


def _asks(top: Path, answers: list[dict[str, Any]]) -> None:
    """The settings name a model that gives these answers."""
    config = top / ".rules/config.yaml"
    config.write_text(config.read_text() + "models: {backend: recorded}\n")
    record(top, answers)


def test_a_model_that_gives_no_challenge_still_drafts(gated: Path) -> None:
    draft = {"wishes": [{"wish": 1, "examples": OWN, "alternatives": [{"checks": [RIGHT]}]}]}
    _asks(gated, [{"step": "draft", "answer": draft}])
    said = act(gated, "add", "The lockfile belongs to pnpm", "--yes").out
    assert "drafted without a challenge: no answer is recorded for challenge" in said
    assert only_rule(gated).checks


def test_add_with_a_model_is_challenged_too(gated: Path) -> None:
    draft = {"wishes": [{"wish": 1, "examples": OWN, "alternatives": [{"checks": [RIGHT]}]}]}
    challenge = {"wishes": [{"wish": 1, **CHALLENGE}]}
    _asks(gated, [{"step": "challenge", "answer": challenge}, {"step": "draft", "answer": draft}])
    said = act(gated, "add", "The lockfile belongs to pnpm", "--yes").out
    assert "asked recorded: 2 requests" in said
    assert "challenge" in {one.source for one in only_rule(gated).invalid}


def test_a_challenged_rule_has_no_invented_variants(gated: Path, tmp_path: Path) -> None:
    _challenged(gated, tmp_path)
    _drafted(gated, RIGHT)
    told = act(gated, "test", "--format", "json").out
    assert json.loads(told)[0]["variants"]["caught"] == [0, 0]


def test_a_key_in_an_example_is_replaced(gated: Path, tmp_path: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    _mined(gated, tmp_path)
    leaky = {**CHALLENGE, "invalid": [{"command": f"npm ci --//registry/:_authToken={key}"}, SCRIPT]}
    answer(gated, challenge=leaky)
    act(gated, "ingest", "--continue")
    assert key not in only_prompt(gated)


def test_all_of_a_challenge_stays_with_the_rule_however_many_other_examples_there_are(
    gated: Path, tmp_path: Path
) -> None:
    _mined(gated, tmp_path)
    five = {
        "invalid": [{"command": f"npx tool-{letter}"} for letter in "abcde"],
        "valid": [{"command": f"npm view tool-{letter}"} for letter in "abcde"],
    }
    answer(gated, challenge=five)
    act(gated, "ingest", "--continue")
    many = {side: [{"command": f"{word} {number}"} for number in range(8)] for side, word in _MANY.items()}
    answer(gated, draft={"examples": many, "alternatives": [{"checks": [RIGHT]}]})
    assert "1 accepted" in act(gated, "ingest", "--continue", "--yes").out
    rule = only_rule(gated)
    for side in (rule.invalid, rule.valid):
        sources = [one.source for one in side]
        assert (sources.count("transcript"), sources.count("challenge"), sources.count("reader")) == (1, 5, 3)


_MANY = {"invalid": "npm ci --retries", "valid": "pnpm add --depth"}

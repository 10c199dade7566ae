"""A wish for which a model names no offence: nothing stands in its place, and nothing has to be caught."""

from pathlib import Path
from typing import Any

from tests.support.session import ClaudeSession
from tests.support.talks import through
from tests.support.world import act

PNPM = "also pnpm, not npm"
SHELL = "and shell scripts start with set -eu around here"
CHECK = (
    'for path do\n  case "$path" in *.sh) ;; *) continue ;; esac\n'
    '  grep -q "^set -eu" "$path" || finding "$path" 1 "no set -eu"\ndone\nexit 0\n'
)


def _wish(quote: str, **more: Any) -> dict[str, Any]:
    return {"turn": 2, "quote": quote, "holds": "next time", "sure": "high", "offence": None, **more}


def _heard(top: Path, folder: Path, wish: dict[str, Any], draft: dict[str, Any]) -> str:
    session = ClaudeSession(top).person("Seed it.").runs("sh scripts/seed.sh").writes("seed.sh", "echo hi\n")
    session.agent("Done.").person(f"{wish['quote']}.").runs("pnpm add left-pad").agent("Done.").person("Thanks.")
    act(top, "ingest", str(session.save(folder / "s.jsonl")), "--backend", "exchange")
    return through(top, wish, draft=draft)


def test_a_wish_without_an_offence_has_the_readers_check_and_examples(gated: Path, tmp_path: Path) -> None:
    examples = {"invalid": [{"command": "npm install left-pad"}], "valid": [{"command": "grep npm README.md"}]}
    draft = {
        "examples": examples,
        "alternatives": [{"checks": [{"template": "forbid-command", "with": {"commands": ["npm"], "prefer": "pnpm"}}]}],
    }
    said = _heard(gated, tmp_path, _wish(PNPM, statement="Use pnpm instead of npm.", fix="4.1"), draft)
    assert "forbid-command" in said
    assert "it did:" not in said
    assert "then:     pnpm add left-pad" in said
    (rule,) = (gated / ".rules").glob("use-pnpm*.yaml")
    assert all(f"command: {text}" in rule.read_text() for text in ("npm install left-pad", "grep npm README.md"))
    (evidence,) = (
        one for one in (gated / ".rules/evidence").glob("use-pnpm*/*.yaml") if "correction" in one.read_text()
    )
    assert "seed.sh" not in evidence.read_text()
    assert "pnpm add left-pad" in evidence.read_text()


def test_a_check_of_the_models_need_not_catch_what_nobody_called_wrong(gated: Path, tmp_path: Path) -> None:
    bad, good = {"file": "run.sh", "content": "ls\n"}, {"file": "run.sh", "content": "set -eu\nls\n"}
    check = {"template": "raw-shell", "with": {"script": CHECK}}
    draft = {"examples": {"invalid": [bad], "valid": [good]}, "alternatives": [{"checks": [check]}]}
    said = _heard(gated, tmp_path, _wish(SHELL, statement="Shell scripts start with set -eu."), draft)
    assert "shell raw-shell" in said
    assert "refuses:" in said
    assert "offence caught" not in said
    assert "did not catch" not in said

"""What a reader writes of a wish is proved, given back with what failed, and never replaced by anybody's guess."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.rulebooks import rulebook_files
from tests.support.session import ClaudeSession
from tests.support.talks import answer, only_prompt, only_rule, open_steps
from tests.support.world import act, run

NPM = {"template": "forbid-command", "with": {"commands": ["npm"], "instead": "pnpm"}}
NPM_AND_NPX = {"template": "forbid-command", "with": {"commands": ["npm", "npx"], "instead": "pnpm"}}
PNPM_TOO = {"template": "forbid-command", "with": {"commands": ["npm", "npx", "pnpm"]}}
EXAMPLES = {
    "invalid": [{"command": "cd web && npm ci"}, {"command": "npx vitest"}],
    "valid": [{"command": "grep -r 'npm install' docs"}, {"command": "pnpm test"}],
}
SAID = "Use pnpm here, never npm or npx."
WISH = {
    "turn": 2, "quote": SAID, "holds": "next time", "sure": "high", "statement": SAID, "name": "use-pnpm",
    "severity": "must", "category": "tooling", "offence": "2.1", "fix": "end.1",
}  # fmt: skip


def _checks(*checks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"checks": list(checks), **more}


def _asked(top: Path, tmp_path: Path, session: ClaudeSession | None = None, **wish: Any) -> None:
    """A session is read, no challenge is to be had, and the question for its checks waits."""
    _mined(top, tmp_path, session, **wish)
    answer(top)
    act(top, "ingest", "--continue")


def _mined(top: Path, tmp_path: Path, session: ClaudeSession | None = None, **wish: Any) -> None:
    """A session is read, and the question for a challenge waits."""
    told = session or ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").person(SAID).runs(
        "pnpm add left-pad"
    )
    act(top, "ingest", str(told.save(tmp_path / "s.jsonl")), "--backend", "exchange")
    answer(top, {**WISH, **wish})
    act(top, "ingest", "--continue")


def _answered(top: Path, draft: dict[str, Any], *options: str) -> str:
    answer(top, draft=draft)
    return act(top, "ingest", "--continue", "--yes", *options).out


def test_an_alternative_that_holds_becomes_the_rule_with_all_examples(gated: Path, tmp_path: Path) -> None:
    _asked(gated, tmp_path)
    assert open_steps(gated) == ["draft"]
    said = _answered(
        gated, {"examples": EXAMPLES, "alternatives": [_checks(NPM), _checks(NPM_AND_NPX)]}, "--enforcement", "block"
    )
    assert "1 accepted" in said
    rule = only_rule(gated)
    assert [check.parameters["commands"] for check in rule.checks] == [["npm", "npx"]]
    assert [(one.text, one.source) for one in rule.invalid] == [
        ("npm install left-pad", "transcript"), ("cd web && npm ci", "reader"), ("npx vitest", "reader"),
    ]  # fmt: skip
    assert [one.source for one in rule.valid] == ["transcript", "reader", "reader"]
    assert rule.enforcement == "block"


def test_what_fails_goes_back_with_the_very_example_and_what_became_of_it(gated: Path, tmp_path: Path) -> None:
    _asked(gated, tmp_path)
    said = _answered(gated, {"examples": EXAMPLES, "alternatives": [_checks(NPM), _checks(PNPM_TOO)]})
    assert "1 wish waits for a model" in said
    assert open_steps(gated) == ["mend"]
    asked = only_prompt(gated)
    for part in ('"npx vitest"', '"must be": "caught"', '"was": "let pass"', '"pnpm add left-pad"', "alternative 2"):
        assert part in asked
    before = asked.split("rulec-")[0]
    assert "1 accepted" in _answered(gated, {"alternatives": [_checks(NPM_AND_NPX)]})
    assert len(only_rule(gated).invalid) == 3, "what the reader left out stays as it was"
    assert "npx" not in before


def test_no_check_is_written_where_its_reader_says_that_there_is_none(gated: Path, tmp_path: Path) -> None:
    _asked(gated, tmp_path)
    said = _answered(gated, {"examples": EXAMPLES, "alternatives": [], "not_checked": ["what a person means"]})
    assert "0 accepted" in said or "1 accepted" in said
    act(gated, "review", "--accept", "use-pnpm", code=None)
    assert (only_rule(gated).checks, only_rule(gated).not_checked) == ((), ("what a person means",))


@pytest.mark.parametrize(
    ("check", "told"),
    [(NPM, "missed:   npx vitest"), (PNPM_TOO, "after 3 repairs")],
    ids=["a further offence is missed", "a near miss is caught"],
)
def test_what_no_repair_catches_is_disputed_and_what_must_pass_is_never_caught(
    gated: Path, tmp_path: Path, check: dict[str, Any], told: str
) -> None:
    _asked(gated, tmp_path)
    last = ""
    while open_steps(gated):
        last = _answered(gated, {"examples": EXAMPLES, "alternatives": [_checks(check)]})
    assert told in last


def test_the_narrowest_of_several_that_hold_is_taken(gated: Path, tmp_path: Path) -> None:
    (gated / "web").mkdir()
    for number in range(3):
        (gated / f"a{number}.py").write_text("print(1)\n")
        run(gated, "add", "-A")
        run(gated, "commit", "-qm", f"Print {number}", "--no-verify")
    said = "No print in web/, that is what the logger is for."
    session = ClaudeSession(gated).person("Add a page.").writes("web/a.py", "print('page')\n").person(said)
    session.writes("web/a.py", "log('page')\n")
    _asked(gated, tmp_path, session, quote=said, statement="Never call print in web/.", name="no-print")
    call = {"template": "forbid-call", "with": {"functions": ["print"], "language": "python"}}
    examples = {
        "invalid": [{"file": "web/b.py", "content": "print(2)\n"}],
        "valid": [{"file": "web/c.py", "content": "log(2)\n"}],
    }
    wide, narrow = _checks(call), _checks(call, scope={"include": ["web/**"]})
    _answered(gated, {"examples": examples, "alternatives": [wide, narrow]})
    act(gated, "review", "--accept", "no-print", code=None)
    assert only_rule(gated).scope.include == ("web/**",)


def test_the_order_of_a_session_is_part_of_its_examples(gated: Path, tmp_path: Path) -> None:
    said = "Run the tests before you commit."
    session = ClaudeSession(gated).person("Fix it.").edits("a.py").runs("git commit -am x").person(said)
    session.runs("pytest -q").runs("git commit -am x")
    _asked(gated, tmp_path, session, quote=said, statement=said, name="tests-first", offence="2.2", fix="end.2")
    check = {
        "template": "require-before",
        "with": {"before_commands": ["git commit"], "first_commands": ["pytest"], "since": ["*.py"], "first": "pytest"},
    }
    assert "1 accepted" in _answered(gated, {"examples": {}, "alternatives": [_checks(check)]})
    assert [(one.kind, one.source) for one in (*only_rule(gated).invalid, *only_rule(gated).valid)] == [
        ("session", "transcript")
    ] * 2


def test_a_message_of_the_agent_is_an_action_that_a_wish_may_be_about(gated: Path, tmp_path: Path) -> None:
    said = "Stop telling me that I am right."
    session = ClaudeSession(gated).person("Fix it.").edits("a.py").agent("You're absolutely right! Done.").person(said)
    session.edits("b.py").agent("Done, b.py was the other place.")
    _asked(
        gated,
        tmp_path,
        session,
        quote=said,
        statement="Never say that the person is right.",
        name="no-flattery",
        offence="2.0",
        fix=None,
    )
    assert "You're absolutely right! Done." in only_prompt(gated).split('"offence": {')[1]
    check = {"template": "reply", "with": {"forbid": ["absolutely right"]}}
    assert "1 accepted" in _answered(gated, {"examples": {}, "alternatives": [{"checks": [check]}]})
    assert [(one.kind, one.source) for one in only_rule(gated).invalid] == [("reply", "transcript")]


@pytest.mark.parametrize("answered", [{}, {"alternatives": [{"checks": [{"template": "no-such"}]}]}])
def test_an_answer_that_nobody_can_use_ends_and_is_told(gated: Path, tmp_path: Path, answered: dict[str, Any]) -> None:
    _asked(gated, tmp_path)
    for _ in range(5):
        if not open_steps(gated):
            break
        said = _answered(gated, answered)
    assert not open_steps(gated)
    assert "use-pnpm" in said
    assert json.loads(act(gated, "review", "--format", "json").out) == [] or not _checked(gated)


def _checked(top: Path) -> bool:
    return any(rule.checks for rule in rulebook_files.load_rulebook(top).rules)


def test_what_another_wish_of_the_session_lets_pass_is_shown_once_to_the_author(gated: Path, tmp_path: Path) -> None:
    more = "And ask me before you add a package."
    session = ClaudeSession(gated).person("Add left-pad.").runs("npm install left-pad").person(f"{SAID} {more}")
    path = session.runs("pnpm add left-pad").save(tmp_path / "s.jsonl")
    act(gated, "ingest", str(path), "--backend", "exchange")
    other = {**WISH, "quote": more, "statement": more, "name": "ask-before-adding", "fix": None}
    answer(gated, WISH, other)
    act(gated, "ingest", "--continue")
    answer(gated)
    act(gated, "ingest", "--continue")
    adding = {"template": "forbid-command", "with": {"commands": ["npm install", "pnpm install"]}}
    drafts = [
        {
            "wish": 1,
            "examples": {"invalid": [], "valid": [{"command": "pnpm install"}]},
            "alternatives": [_checks(NPM)],
        },
        {"wish": 2, "examples": {"invalid": [], "valid": []}, "alternatives": [_checks(adding)]},
    ]
    for step in ("draft", "mend"):
        (prompt,) = (gated / ".rulec/exchange").glob(f"*-{step}-*.prompt.md")
        if step == "mend":
            shown = prompt.read_text().split('"proved, but it refuses what is right by other wishes of the session"')[1]
            assert "pnpm install" in shown.split("]")[0]
        told = drafts if step == "draft" else [{**drafts[1], "wish": 1}]
        prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json")).write_text(json.dumps({"wishes": told}))
        said = act(gated, "ingest", "--continue", "--yes").out
    assert "ask-before-adding: it refuses 'pnpm install', which is right by another wish of the session" in said
    assert "2 accepted" in said

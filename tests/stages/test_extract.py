"""Corrections -> candidates."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as given_any
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulec.errors import RulecError
from rulec.fits._demands import body as body_of
from rulec.model.candidate import Candidate, Draft
from rulec.model.correction import Correction
from rulec.model.rule import CATEGORIES, Check, Example
from rulec.model.transcript import Action, Turn
from rulec.registry import fits
from rulec.runtime import guard
from rulec.stages.extract import drafted, extract, split, typed

CASES = Path(__file__).parents[1] / "cases" / "extract"
PAIRS = YAML(typ="safe").load(CASES / "pairs.yaml")
STATED = YAML(typ="safe").load(CASES / "stated.yaml")

COMMANDS = ("forbid-command", "prefer-command", "require-argument", "forbid-push-to", "branch-name", "run-whole")


def action(given: Any) -> Action:
    if isinstance(given, str):
        return Action(kind="command", command=given)
    return Action(kind="edit" if "old" in given else "write", **given)


def candidates(say: str, before: list[Any], after: list[Any], slug: str = "") -> list[Candidate]:
    turn = Turn(role="human", kind="typed", text=say, index=1, line=1)
    pair = (tuple(map(action, before)), tuple(map(action, after)))
    return list(extract(Correction(quote=say, turn=turn, before=pair[0], after=pair[1], slug=slug), fits()))


def caught(checks: tuple[Check, ...], example: Example) -> bool:
    """What the guard says, for the templates that it can decide."""
    event: dict[str, Any] = {
        "kind": "command",
        "command": example.text,
        "path": "",
        "old": "",
        "new": "",
        "content": None,
    }
    if example.kind in ("file", "edit"):
        kind = "write" if example.kind == "file" else "edit"
        event = {**event, "kind": kind, "command": "", "path": example.path, "old": example.old, "new": example.text}
    bodies = [body(check) for check in checks if check.kind == "guard"]
    rules = [{"facts": {"slug": "s"}, "check": one} for one in bodies if one]
    found = guard.decide(rules, {**event, "exists": None, "files": []})
    assert not any(finding["fault"] for finding in found)
    return bool(found)


def body(check: Check) -> dict[str, Any]:
    given = dict(check.parameters)
    if check.template in COMMANDS:
        return {"on": "command", **body_of(check.template, given)}
    if check.template in ("protect-path", "forbid-path"):
        how = given.get("how", ["create"] if check.template == "forbid-path" else ["create", "change", "delete"])
        return {"on": "path", "globs": given["globs"], "except": [], "how": how}
    if check.template == "forbid-text":
        rest = {"require": [], "except": [], "ignore_case": False}
        return {"on": "text", "forbid": given["patterns"], "globs": given["globs"], **rest}
    return {}


def example(given: Any) -> Example:
    if isinstance(given, str):
        return Example(kind="command", text=given)
    ((path, text),) = given.items()
    return Example(kind="file", path=path, text=f"{text}\n")


def decides(draft: Draft) -> None:
    kinds = {check.template for check in draft.checks if check.kind == "guard"}
    for check in draft.checks:
        for pattern in (check.parameters.get("arguments", ""), *check.parameters.get("patterns", ())):
            re.compile(pattern)
    if kinds & {*COMMANDS, "protect-path", "forbid-path"}:
        for example in draft.invalid:
            assert example.kind == "commit" or caught(draft.checks, example), example
        for example in draft.valid:
            assert example.kind == "commit" or not caught(draft.checks, example), example


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: f"{case['say']} | {case['before'][0]}")
def test_a_draft_is_made_where_words_and_actions_agree_and_nowhere_else(case: dict[str, Any]) -> None:
    drafts = [
        draft for candidate in candidates(case["say"], case["before"], case["after"]) for draft in candidate.drafts
    ]
    (first, *_) = candidates(case["say"], case["before"], case["after"])
    assert first.rule.statement == case.get("statement", first.rule.statement)
    assert first.rule.do == case.get("do", first.rule.do)
    if not case["draft"]:
        assert drafts == []
        return
    assert drafts, "no draft"
    check = drafts[0].checks[0]
    assert check.template == case["draft"]
    for key, value in case.get("with", {}).items():
        assert check.parameters[key] == value
    for draft in drafts:
        assert draft.invalid
        assert draft.because
        decides(draft)


@pytest.mark.parametrize("case", STATED, ids=lambda case: case["say"])
def test_a_typed_statement_is_drafted_from_its_own_words(case: dict[str, Any]) -> None:
    candidate = drafted(case["say"], fits())
    assert candidate.rule.category in CATEGORIES
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", candidate.rule.slug)
    for key in ("slug", "category", "severity", "when", "do"):
        assert getattr(candidate.rule, key) == case.get(key, getattr(candidate.rule, key))
    if not case["draft"]:
        assert candidate.drafts == ()
        return
    assert candidate.drafts, "no draft"
    check = candidate.drafts[0].checks[0]
    assert check.template == case["draft"]
    for key, value in case.get("with", {}).items():
        assert check.parameters[key] == value
    decides(candidate.drafts[0])
    draft = candidate.drafts[0]
    assert list(draft.scope.include) == case.get("include", list(draft.scope.include))
    for given in case.get("catches", ()):
        assert caught(draft.checks, example(given)), given
    for given in case.get("passes", ()):
        assert not caught(draft.checks, example(given)), given


@pytest.mark.parametrize(
    "text",
    [
        "hello",
        "Never",
        "looks good to me",
        "why did you run yarn?",
        "don't worry about it",
        "don't push yet",
        "no, hold on, revert that",
        "I never got the letter",
        "Thats not the file I meant",
    ],
)
def test_words_that_ask_for_nothing_lasting_are_refused(text: str) -> None:
    with pytest.raises(RulecError, match="says no wish"):
        drafted(text, fits())


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Use pnpm.", ("Use pnpm.",)),
        ("Never edit gen/. It is made by a tool.", ("Never edit gen/. It is made by a tool.",)),
        ("Never edit gen/.\nUse pnpm, not npm.", ("Never edit gen/.", "Use pnpm, not npm.")),
        ("- Don't use sudo\n- Don't amend commits", ("Don't use sudo", "Don't amend commits")),
        ("Don't use sudo and never push to main", ("Don't use sudo", "never push to main")),
        ("CORRECT[no-sudo]: Don't use sudo", ("CORRECT[no-sudo]: Don't use sudo",)),
        ("Don't use jest. Use vitest.", ("Don't use jest. Use vitest.",)),
        ("hello", ("hello",)),
    ],
)
def test_a_typed_text_is_split_into_its_wishes(text: str, pieces: tuple[str, ...]) -> None:
    assert split(text) == pieces


@given_any(st.text(max_size=300))
def test_no_piece_says_what_was_not_typed(text: str) -> None:
    assert all(piece in text for piece in split(text))


def test_two_wishes_are_two_candidates() -> None:
    found = candidates(
        "Don't amend commits. And don't use sudo.", ["git commit --amend", "sudo ls"], ["git commit -m x", "ls"]
    )
    assert [candidate.rule.slug for candidate in found] == ["dont-amend-commits", "no-sudo"]
    assert all(candidate.drafts for candidate in found)


def test_a_named_correction_keeps_its_name() -> None:
    (found,) = candidates("never use git stash", ["git stash"], ["git status"], slug="keep-the-tree")
    assert found.rule.slug == "keep-the-tree"
    assert found.rule.severity == "must"


def test_what_no_machine_can_check_stays_a_reminder_and_says_so() -> None:
    (found,) = candidates("explain your plan before you start", ["ls"], ["ls -l"])
    assert found.drafts == ()
    assert "how a machine could check it" in found.rule.rationale


def test_a_refused_call_is_the_offence() -> None:
    turn = Turn(role="human", kind="rejection", text="no sudo", index=1, line=1)
    before = (Action(kind="command", command="sudo reboot", rejected=True), Action(kind="command", command="sudo ls"))
    (found,) = extract(Correction(quote="no sudo", turn=turn, before=before, after=()), fits())
    assert found.drafts[0].invalid[0].text == "sudo reboot"


def test_where_the_wish_has_no_check_another_sentence_may_tell_it() -> None:
    many = "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(6))
    say = "That has way too many returns! Didn't the style guide say so?"
    (one,) = candidates(say, [{"path": "a.py", "new": many}], [{"path": "a.py", "new": "def f(x):\n    return x\n"}])
    assert one.rule.statement == "That has way too many returns."
    assert one.drafts[0].checks[0].template == "max-returns"


def test_one_meaning_in_two_sentences_is_one_candidate() -> None:
    found = candidates("This is not DRY at all! The same function twice?", ["ls"], [])
    assert [draft.checks[0].template for one in found for draft in one.drafts[:1]] == ["forbid-copies"]


@pytest.mark.parametrize(
    ("text", "templates"),
    [
        ("Never git push --force; use --force-with-lease when it must be.", ["forbid-command"]),
        ("Do not change existing migrations; add a new one.", ["protect-path"]),
        ("Do not push; I push myself.", ["forbid-command"]),
        ("Never run git clean. Do not touch vendor/.", ["forbid-command", "protect-path"]),
        ("Be kind; never run docker system prune.", ["forbid-command"]),
    ],
)
def test_halves_of_a_sentence_that_no_check_sees_make_no_rule_of_their_own(text: str, templates: list[str]) -> None:
    made = typed(text, fits())
    assert [one.drafts[0].checks[0].template for one in made if one.drafts] == templates
    assert len(made) == len(templates)


@pytest.mark.parametrize(
    ("text", "key", "listed"),
    [
        ("Do not call os.popen, os.abort or os.system.", "functions", 3),
        ("Never use update_row or delete_row.", "patterns", 2),
        ("Never use update_row.", "patterns", 1),
    ],
)
def test_all_that_one_sentence_forbids_is_one_check(text: str, key: str, listed: int) -> None:
    draft = drafted(text, fits()).drafts[0]
    assert all(len(check.parameters[key]) == listed for check in draft.checks)
    assert len(draft.invalid) == listed


def test_things_of_different_sorts_are_checked_side_by_side() -> None:
    draft = drafted("Do not leave 'TBD' or 'lorem ipsum' behind.", fits()).drafts[0]
    patterns = {pattern for check in draft.checks for pattern in check.parameters["patterns"]}
    assert [any(re.search(pattern, text) for pattern in patterns) for text in ("TBD", "lorem ipsum", "x")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Don't stop using pnpm.",
        "Don't replace npm with pnpm.",
        "Don't mix npm and pnpm.",
        "Don't remove print statements.",
        "Don't change print to logging.",
        "Don't just use print, also log.",
        "Don't ban eval.",
        "Don't forbid emojis.",
        "Don't use too many mocks.",
        "Don't overuse mocks.",
    ],
)
def test_words_that_leave_a_thing_allowed_make_no_check_of_its_use(text: str) -> None:
    assert drafted(text, fits()).drafts == ()


@pytest.mark.parametrize("text", ["Don't use eval.", "No emojis.", "Don't use npm.", "Never run print()."])
def test_words_that_turn_the_thing_itself_down_are_checked(text: str) -> None:
    assert drafted(text, fits()).drafts


@pytest.mark.parametrize(
    ("text", "bad", "good"),
    [
        ("raise ValueError, not AssertionError.", "raise AssertionError('a')", "with pytest.raises(AssertionError):"),
        ("Throw TypeError instead of RangeError.", "throw new RangeError(a)", "if (a instanceof RangeError) {"),
    ],
)
def test_an_error_that_is_not_to_be_raised_may_be_caught(text: str, bad: str, good: str) -> None:
    (pattern,) = drafted(text, fits()).drafts[0].checks[0].parameters["patterns"]
    assert re.search(pattern, bad)
    assert not re.search(pattern, good)


@pytest.mark.parametrize("text", ["Use logging instead of print.", "Don't raise generic Exception."])
def test_no_check_is_made_of_another_thing_of_that_name(text: str) -> None:
    found = {check.template for draft in drafted(text, fits()).drafts for check in draft.checks}
    assert not found & {"prefer-import", "bare-except"}


def test_the_half_that_no_check_sees_is_what_to_do_instead() -> None:
    (made,) = typed("Never git push --force; use --force-with-lease when it must be.", fits())
    assert made.rule.statement == "Never git push --force; use --force-with-lease when it must be."
    assert made.rule.do.startswith("use --force-with-lease")

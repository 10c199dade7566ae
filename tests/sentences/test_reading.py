"""A sentence is understood whole, or there is no check: tests/cases/sentences.yaml says of which it is what."""

from pathlib import Path
from time import process_time
from typing import Any

import pytest

from rulec.checks.template_library import open_library
from rulec.domain.candidate import Correction
from rulec.domain.transcript import Action, Turn
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml
from rulec.sentences.candidates import candidates_of, typed_candidate, typed_candidates
from tests.support.sentences import NAMES

CASES = load_yaml((Path(__file__).parents[1] / "cases" / "sentences.yaml").read_text(), "sentences.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["say"])
def test_a_sentence_gives_the_check_that_it_names_or_none(case: dict[str, Any]) -> None:
    candidate = typed_candidate(case["say"], NAMES)
    if case["check"] == "none":
        assert candidate.drafts == ()
        return
    (draft,) = candidate.drafts
    given = dict(draft.checks[0].parameters)
    assert draft.checks[0].template == case["check"]
    assert case.get("with", {}).items() <= given.items()
    assert list(draft.scope.include) == case.get("include", ["**"])
    assert list(draft.scope.exclude) == case.get("exclude", [])
    if "passes" in case:
        assert case["passes"] in [*(one.path for one in draft.valid), *(one.text for one in draft.valid)]


def test_every_draft_has_parameters_that_its_template_takes_and_examples_of_both_sides() -> None:
    library = open_library()
    for case in CASES:
        for draft in typed_candidate(case["say"], NAMES).drafts:
            for check in draft.checks:
                library.parameters(check)
            assert draft.invalid, case["say"]
            assert draft.valid, case["say"]


def test_a_text_of_several_sentences_is_several_wishes() -> None:
    found = typed_candidates("Use pnpm, never npm. Never push to main.", NAMES)
    assert [one.drafts[0].checks[0].template for one in found] == ["forbid-command", "forbid-command"]


def test_a_sentence_behind_the_wish_is_listed_as_what_nothing_checks() -> None:
    (one,) = typed_candidates("Never use git stash. Explain what you changed.", NAMES)
    assert one.drafts[0].not_checked == ("Explain what you changed",)
    assert one.rule.statement == "Never use git stash. Explain what you changed."


@pytest.mark.parametrize(
    "text",
    [
        "Do not run `npm ci` here. `npm publish` is fine.",
        "Never run `npm ci`. Only CI may.",
        "Never commit .env files. `.env.example` is the exception.",
    ],
)
def test_a_sentence_that_takes_something_back_leaves_no_check(text: str) -> None:
    assert [draft for one in typed_candidates(text, NAMES) for draft in one.drafts] == []


def test_a_question_or_a_single_word_is_no_wish() -> None:
    for text in ("Why did you use npm?", "Thanks!"):
        with pytest.raises(RulecError, match="says no wish"):
            typed_candidates(text, NAMES)


def test_no_sentence_takes_long_to_read() -> None:
    started = process_time()
    for text in (
        "never use npm, ",
        "before committing ",
        "use `x` instead of ",
        "never edit a/ and ",
        "`",
        "(",
        "**a ",
    ):
        typed_candidates("no thing at all " + text * 2_000, NAMES)
    assert process_time() - started < 2


def _said(text: str, before: list[str], after: list[str], *, marked: bool = False) -> list[str]:
    turn = Turn(role="human", kind="typed", text=text, index=1, line=1)
    sides = [tuple(Action(kind="command", command=one, ok=True) for one in some) for some in (before, after)]
    said = Correction(quote=text, turn=turn, before=sides[0], after=sides[1], marked=marked)
    return [draft.checks[0].template for one in candidates_of(said, NAMES) for draft in one.drafts]


def test_a_session_shows_that_a_wish_of_the_moment_is_a_correction() -> None:
    assert _said("pnpm, not npm. The lockfile is pnpm's.", ["npm install x"], ["pnpm add x"]) == ["forbid-command"]
    assert _said("pnpm, not npm.", ["ls"], ["pnpm add x"]) == []
    assert _said("don't run npm", ["npm install x"], ["npm install y"]) == []


def test_what_holds_by_its_words_needs_no_offence_and_no_accepted_action_that_it_would_refuse() -> None:
    assert _said("Never use npm, use pnpm.", [], []) == ["forbid-command"]
    assert _said("pnpm, not npm", [], [], marked=True) == ["forbid-command"]
    assert _said("Never use npm, use pnpm.", ["npm ci"], ["npm install x"]) == []

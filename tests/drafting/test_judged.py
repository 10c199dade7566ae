"""A rule that a model is to judge keeps its words, and those examples that a model can read."""

import pytest

from rulec.domain.rule import Scope
from rulec.sentences.candidates import typed_candidates
from rulec.services.rules.new_rule import with_judge_alone
from tests.support.sentences import NAMES


def _draft(text: str):
    (typed,) = typed_candidates(text, NAMES)
    candidate = with_judge_alone(typed, NAMES)
    (draft,) = candidate.drafts
    assert [(check.kind, check.template) for check in draft.checks] == [("judge", "judge")]
    assert candidate.rule.rationale == ""
    return draft


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Names say what a thing is.", "diff"),
        ("Commit messages say why, not only what.", "message"),
        ("The body of a commit message never repeats its subject.", "message"),
        ("Error messages tell the reader what to do.", "diff"),
        ("Never use print() in src/.", "diff"),
    ],
)
def test_it_judges_what_the_words_speak_of(text, of):
    assert _draft(text).checks[0].parameters == {"of": of}


def test_examples_and_place_of_the_check_that_the_words_have_go_along():
    draft = _draft("Never use print() in src/.")
    assert [example.path for example in draft.invalid] == ["src/sample.py"]
    assert len(draft.valid) == 1
    assert draft.scope == Scope(include=("src/",))


def test_what_no_judge_reads_is_left_behind():
    draft = _draft("Never use npm, use pnpm.")
    assert (draft.invalid, draft.valid) == ((), ())


def test_without_a_check_it_holds_where_the_words_say():
    assert _draft("Explain every shortcut.").scope == Scope()
    assert _draft("Never shorten names in src/cli/.").scope == Scope(include=("src/cli/",))

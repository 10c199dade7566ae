"""What is in doubt is asked of a model, where there is one; its word may add, and by itself takes nothing away."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulec.checks import template_library
from rulec.domain.candidate import Candidate
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.llm.conversation import Conversation
from rulec.services.asking import doubtful_resolutions
from rulec.services.proposals.proposal_builder import resolve_candidate
from rulec.terminal import progress_bar
from tests.conftest import Run
from tests.support.terminal import on_terminal

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

RULEC = [sys.executable, "-m", "rulec"]
ASKED = "[l]ater"
UNSURE = ("Never use print().", "Never edit print/.")  # alike in words; values tell nothing of them
FOLDER = "dont-edit-print"


def _answers(top: Path, *answers: dict[str, Any]) -> None:
    """A model that says this, whatever it is asked."""
    folder = top / ".rulec/recorded"
    folder.mkdir(parents=True)
    (folder / "answers.json").write_text(json.dumps([{"step": "decide", **answer} for answer in answers]))
    config = top / ".rules/config.yaml"
    config.write_text(f"{config.read_text()}models: {{backend: recorded}}\n")


def _line(line: str, number: int = 1) -> dict[str, Any]:
    return {"answer": {"decisions": [{"candidate": number, "line": line}]}}


def _last(git: Run) -> str:
    return git("log", "-1", "--format=%B").stdout


def test_a_models_word_settles_what_is_in_doubt(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    _answers(gated, _line("Decision: NEW -- because folders are another matter"))
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert "asked recorded: 1 request" in said
    assert f"\nResolution: NEW {FOLDER} -- a model says: folders are another m" in _last(git)
    rulec("compile", "--check")
    again = rulec("add", UNSURE[1], "--yes").stdout
    assert "1 request" not in again


def test_a_model_that_says_nothing_is_new_drops_no_check_and_changes_no_rule(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    head = git("rev-parse", "HEAD").stdout
    _answers(gated, _line("Decision: NOOP no-print -- because both are print"))
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert "not written, it waits for you: UPDATE no-print -- it shows what no-print lets pass" in said
    assert git("rev-parse", "HEAD").stdout == head


@pytest.mark.e2e
def test_a_models_word_alone_takes_no_rules_place(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    head = git("rev-parse", "HEAD").stdout
    _answers(gated, _line("Decision: SUPERSEDE no-print -- because it is meant instead"))
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert "in doubt: only a model says so, and it would loosen no-print" in said
    assert git("rev-parse", "HEAD").stdout == head
    listed = rulec("review").stdout
    assert "SUPERSEDE" not in listed, "a script decides on what our own comparison says"
    code, seen = on_terminal(gated, [*RULEC, "review"], [(ASKED, "a\n")])
    assert (code, "becomes:  SUPERSEDE no-print -- a model says: it is meant instead" in seen) == (0, True), seen
    assert "\nResolution: SUPERSEDE no-print -- a model says: " in _last(git)


@pytest.mark.e2e
def test_a_person_may_say_that_it_is_a_rule_of_its_own_whatever_a_model_says(gated: Path, git: Run, rulec: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    _answers(gated, _line("Decision: NOOP no-print -- because it is all the same"))
    code, seen = on_terminal(gated, [*RULEC, "add", UNSURE[1]], [(ASKED, "n\n"), (ASKED, "a\n")])
    assert code == 0, seen
    assert f"\nResolution: NEW {FOLDER} -- a person says " in _last(git)


NO_WORD = [
    _line("Decision: SUPERSEDE no-such-rule -- because it is not there"),
    _line("Decision: NEW -- because it is so\nDecision: NEW -- because it is so"),
    _line("I would say NEW."),
    _line("Decision: NEW -- because it is so", number=2),
    {"answer": {"decisions": []}},
    {"answer": {"verdict": "NEW"}},
    {"trouble": "it is too busy"},
]


def test_what_a_model_says_beside_its_line_says_nothing(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    line = "Decision: NEW -- because it is so"
    _answers(gated, {"answer": {"decisions": [{"candidate": "1", "line": line, "slug": None, "accept": True}]}})
    assert "-> written: " in rulec("add", UNSURE[1], "--yes").stdout
    assert f"NEW {FOLDER} -- a model says: it is so" in _last(git)


@pytest.mark.parametrize("answer", NO_WORD, ids=lambda answer: json.dumps(answer)[:60])
def test_without_one_line_of_the_form_it_is_a_rule_of_its_own_beside_the_similar_one(
    gated: Path, rulec: Run, git: Run, answer: dict[str, Any]
) -> None:
    rulec("add", UNSURE[0], "--yes")
    _answers(gated, answer)
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert f"\nResolution: NEW {FOLDER} -- a new rule, for none says this yet; similar: no-print" in _last(git)
    if "trouble" in answer:
        assert "no model was asked about uncertain matches: it is too busy" in said
    decisions = answer.get("answer", {}).get("decisions")
    if decisions != []:
        assert any(word in said for word in ("too busy", "in another form: ", "ignored in the model's answer: "))


def test_a_line_in_a_file_that_is_none_is_named_and_goes_on_waiting(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    config = gated / ".rules/config.yaml"
    config.write_text(f"{config.read_text()}models: {{backend: exchange}}\n")
    rulec("add", UNSURE[1], "--yes")
    (schema,) = (gated / ".rulec/exchange").glob("*.schema.json")
    place = schema.with_name(schema.name.replace(".schema.", ".answer."))
    place.write_text(json.dumps(_line("I think it is the same.")["answer"], indent=1))
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert f"{place.name}:5: decisions[0].line: 'I think it is the same.' does not match " in said
    assert schema.exists()
    place.write_text(json.dumps(_line("Decision: NEW -- because folders are another matter")["answer"]))
    rulec("add", UNSURE[1], "--yes")
    assert f"\nResolution: NEW {FOLDER} -- a model says: " in _last(git)


def test_a_word_about_a_rule_that_has_changed_since_counts_no_more(gated: Path, rulec: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    line = "Decision: UPDATE no-print -- because it is part of it"
    _answers(gated, _line(line))
    book = rulebook_files.load_rulebook(gated)
    candidate = Candidate(rule=Rule(slug="new-one", statement=UNSURE[1]), drafts=())
    render = template_library.open_library().render
    told = doubtful_resolutions.ask_about_doubts(
        book, [candidate], Conversation(gated, ModelSettings(backend="recorded"), render, print, progress_bar)
    )
    assert told.ruling(candidate, book).because == "a model says: it is part of it"
    changed = replace(book, rules=tuple(replace(rule, revision=2) for rule in book.rules))
    gone = replace(book, rules=())
    for other in (changed, gone):
        assert told.ruling(candidate, other) == resolve_candidate(candidate, other)
    clear = Candidate(rule=Rule(slug="new-one", statement=UNSURE[0]), drafts=())
    assert told.ruling(clear, book) == resolve_candidate(clear, book)


def test_questions_left_as_files_are_told_and_nothing_is_decided(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", UNSURE[0], "--yes")
    config = gated / ".rules/config.yaml"
    config.write_text(f"{config.read_text()}models: {{backend: exchange}}\n")
    said = rulec("add", UNSURE[1], "--yes").stdout
    assert "a model has to answer first: answer " in said
    folder = gated / ".rulec/exchange"
    (schema,) = folder.glob("*.schema.json")
    answer = _line("Decision: NEW -- because folders are another matter")["answer"]
    folder.joinpath(schema.name.replace(".schema.", ".answer.")).write_text(json.dumps(answer))
    rulec("add", UNSURE[1], "--yes")
    assert f"\nResolution: NEW {FOLDER} -- a model says: " in _last(git)
    assert not folder.exists(), "all is heard"
    slugs = [rule_reading.read_rule(path.read_text(), source="").slug for path in gated.glob(".rules/*-*.yaml")]
    assert set(slugs) == {"no-print", FOLDER}

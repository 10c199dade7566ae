"""What an UPDATE may make of a rule: the words and examples of both, each still to be proved."""

from dataclasses import replace
from typing import Any

import pytest

from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.rule import LONGEST_STATEMENT, Check, Example, Rule, Scope
from rulec.resolving.resolver import Manner, Resolution
from rulec.resolving.updates import join_statements, possible_updates

NPM = Example(kind="command", text="npm install left-pad")
YARN = Example(kind="command", text="yarn add left-pad")
PNPM = Example(kind="command", text="pnpm add left-pad")


def _check(*commands: str) -> Check:
    return Check(kind="guard", template="forbid-command", parameters={"commands": list(commands)})


RULE = Rule(
    slug="no-npm", statement="Never use npm.", revision=3, checks=(_check("npm"),), invalid=(NPM,), valid=(PNPM,),
    origin="0123456789ab",
)  # fmt: skip


def _updates(statement: str, manner: Manner, draft: Draft | None = None, **more: Any) -> list[Rule]:
    candidate = Candidate(rule=Rule(slug="new", statement=statement), drafts=(draft,) if draft else ())
    said = Resolution(decision="UPDATE", slug=RULE.slug, because="it adds something", manner=manner, **more)
    return list(possible_updates(RULE, candidate, said, draft))


def test_lists_of_the_same_check_are_joined_and_examples_of_both_kept_once() -> None:
    draft = Draft(checks=(_check("npm", "yarn"),), invalid=(NPM, YARN), valid=(PNPM,))
    first = _updates("Never use npm or yarn.", "wider", draft, added=("yarn",))[0]
    assert (first.statement, first.revision, first.origin) == ("Never use npm or yarn.", 4, RULE.origin)
    assert first.checks == (_check("npm", "yarn"),)
    assert (first.invalid, first.valid) == ((NPM, YARN), (PNPM,))


def test_what_passed_before_and_is_named_as_wrong_now_goes_only_where_nothing_else_holds() -> None:
    rule = replace(RULE, valid=(PNPM, YARN))
    draft = Draft(checks=(_check("npm", "yarn"),), invalid=(NPM, YARN))
    candidate = Candidate(rule=Rule(slug="new", statement="Never use npm or yarn."), drafts=(draft,))
    said = Resolution(decision="UPDATE", slug="no-npm", because="adds yarn", manner="wider", added=("yarn",))
    assert [one.valid for one in possible_updates(rule, candidate, said, draft)][:2] == [(PNPM, YARN), (PNPM,)]


def test_another_check_stands_beside_the_first_one() -> None:
    other = Check(kind="guard", template="forbid-command", parameters={"flag": "--force"})
    first = _updates("Never use npm --force.", "wider", Draft(checks=(other,), invalid=(NPM,)))[0]
    assert first.checks == (*RULE.checks, other)


def test_checks_for_other_places_are_not_mixed() -> None:
    draft = Draft(checks=(_check("yarn"),), invalid=(YARN,), scope=Scope(include=("web/",)))
    found = _updates("Never use yarn in web/.", "wider", draft)
    assert [one.checks for one in found] == [(_check("yarn"),)], "the proof of both decides about the draft alone"


def test_an_update_tells_whose_words_it_has_where_they_are_no_persons() -> None:
    for more in ({"offered": ReaderOpinion()}, {"by_agent": True}, {}):
        new = Rule(slug="new", statement="Never use npm or yarn.", rationale="A model worded this")
        candidate = Candidate(rule=new, drafts=(), **more)
        said = Resolution(decision="UPDATE", slug=RULE.slug, because="it adds", manner="wider", added=("yarn",))
        rule = replace(RULE, rationale="It broke.")
        assert {one.rationale for one in possible_updates(rule, candidate, said, None)} == {
            "It broke. A model worded this" if more else "It broke."
        }
        again = replace(rule, statement=new.statement)
        assert {one.rationale for one in possible_updates(again, candidate, said, None)} == {"It broke."}, (
            "no word is new"
        )


def test_a_reminder_gets_its_first_check() -> None:
    rule = replace(RULE, checks=(), invalid=(), valid=())
    draft = Draft(checks=(_check("npm"),), invalid=(NPM,), valid=(PNPM,))
    candidate = Candidate(rule=Rule(slug="new", statement="Never use npm in CI.", when="in CI"), drafts=(draft,))
    said = Resolution(decision="UPDATE", slug="no-npm", because="it has a check", manner="wider")
    first = next(possible_updates(rule, candidate, said, draft))
    assert (first.checks, first.when, first.statement) == ((_check("npm"),), "", "Never use npm in CI.")


def test_what_leaves_more_alone_has_the_check_that_says_so_and_the_examples_of_both() -> None:
    check = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "outside": ["legacy/"]})
    spared = Example(kind="command", text="cd legacy && npm ci")
    draft = Draft(checks=(check,), invalid=(NPM,), valid=(spared,))
    (only,) = _updates("Never use npm, except in legacy/.", "looser", draft)
    assert (only.statement, only.checks) == ("Never use npm, except in legacy/.", (check,))
    assert (only.invalid, only.valid) == ((NPM,), (PNPM, spared))


def test_the_same_check_in_more_places_holds_wherever_either_did() -> None:
    rule = replace(RULE, scope=Scope(include=("web/",), exclude=("web/old/",)))
    draft = Draft(checks=RULE.checks, invalid=(NPM,), scope=Scope())
    candidate = Candidate(rule=Rule(slug="new", statement="Never use npm."), drafts=(draft,))
    said = Resolution(decision="UPDATE", slug="no-npm", because="in more places", manner="wider")
    assert next(possible_updates(rule, candidate, said, draft)).scope == Scope()


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("Never use npm.", "Never use npm or yarn.", "Never use npm or yarn."),
        ("Never use npm or yarn.", "Never use npm.", "Never use npm or yarn."),
        ("No emojis in code.", "Keep functions short.", "No emojis in code. Keep functions short."),
        ("No emojis.", f"No {'very ' * LONGEST_STATEMENT}long lines.", "No emojis."),
    ],
)  # fmt: skip
def test_two_sentences_become_one_that_says_both(one: str, other: str, both: str) -> None:
    assert join_statements(one, other) == both

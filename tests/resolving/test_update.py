"""What an UPDATE may make of a rule: the words and examples of both, each still to be proved."""

from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.resolving.resolver import Manner, Resolution
from rulec.resolving.updates import possible_updates

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


def test_what_only_the_words_add_is_named_where_the_check_names_its_like() -> None:
    first = _updates("Never use npm or yarn.", "wider", added=("yarn",))[0]
    assert first.checks == (_check("npm", "yarn"),)
    assert [one.text for one in first.invalid] == ["npm install left-pad", "yarn install left-pad"]


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


def test_the_reason_of_an_exception_tells_that_an_agent_worded_it() -> None:
    new = Rule(
        slug="new", statement="Never use npm except in docs/.", rationale="proposed by an agent. It cannot be checked."
    )
    said = Resolution(decision="UPDATE", slug=RULE.slug, because="", manner="exception", where="except in docs/")
    for by_agent, because in ((True, f"{new.statement} (proposed by an agent)"), (False, new.statement)):
        candidate = Candidate(rule=new, drafts=(), by_agent=by_agent)
        (first, *_) = possible_updates(RULE, candidate, said, None)
        assert [one.because for one in first.exceptions] == [because]


def test_who_says_less_changes_no_word() -> None:
    assert [one.statement for one in _updates("Never run npm publish.", "narrower")] == ["Never use npm."]


def test_an_exception_has_an_example_of_what_passes_from_now_on() -> None:
    (only,) = _updates("npm is fine in legacy/.", "exception", where="in legacy/")
    assert only.statement == "Never use npm, except in legacy/."
    assert (only.checks, only.scope) == (RULE.checks, RULE.scope)
    (exempt,) = only.exceptions
    assert exempt.scope.include == ("legacy/",)
    assert [one.text for one in exempt.valid] == ["cd legacy && npm install left-pad"]


def test_an_exception_that_no_path_shows_changes_words_alone() -> None:
    (only,) = _updates("npm is fine for a hotfix.", "exception", where="for a hotfix")
    assert (only.statement, only.exceptions) == ("Never use npm, except for a hotfix.", ())


def test_a_reminder_gets_its_first_check() -> None:
    rule = replace(RULE, checks=(), invalid=(), valid=())
    draft = Draft(checks=(_check("npm"),), invalid=(NPM,), valid=(PNPM,))
    candidate = Candidate(rule=Rule(slug="new", statement="Never use npm in CI.", when="in CI"), drafts=(draft,))
    said = Resolution(decision="UPDATE", slug="no-npm", because="when it holds", manner="when", where="in CI")
    first = next(possible_updates(rule, candidate, said, draft))
    assert (first.checks, first.when, first.statement) == ((_check("npm"),), "in CI", "Never use npm in CI.")

"""A wish is told from one that we have, from a change of one, from its contrary, and from what only sounds alike."""

from dataclasses import replace

import pytest

from rulec.domain.candidate import Candidate, Correction, Draft, ReaderOpinion
from rulec.domain.rule import Check, Exemption, Rule, Scope
from rulec.domain.transcript import Turn
from rulec.resolving.resolver import AUTO, REVIEW, resolve, split_wishes
from rulec.resolving.sense_index import index_rules
from rulec.rulebook.rulebook import Rulebook

PNPM = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "instead": "pnpm"})
BOOK = Rulebook(rules=(Rule(slug="use-pnpm", statement="Use pnpm instead of npm.", checks=(PNPM,)),))


def _candidate(statement: str, slug: str = "new-rule", *drafts: Draft, names: str = "") -> Candidate:
    turn = Turn(role="human", kind="typed", text=statement, index=2, line=1, session="s")
    said = Correction(quote=statement, turn=turn, before=(), after=(), slug=names)
    return Candidate(rule=Rule(slug=slug, statement=statement), drafts=drafts, correction=said)


def _book(*statements: str) -> Rulebook:
    return Rulebook(rules=tuple(Rule(slug=f"r{at}", statement=text) for at, text in enumerate(statements)))


def _draft(template: str, **parameters: object) -> Draft:
    return Draft(checks=(Check(kind="guard", template=template, parameters=parameters),))


@pytest.mark.parametrize(
    ("statement", "decision"),
    [
        ("Use pnpm instead of npm.", "NOOP"),
        ("please use pnpm instead of npm", "NOOP"),
        ("Always use the pnpm instead of npm!", "NOOP"),
        ("Never use pnpm instead of npm.", "SUPERSEDE"),
        ("Use npm.", "SUPERSEDE"),
        ("Use pnpm, never npm or yarn.", "UPDATE"),
        ("Use pnpm instead of npm, except in legacy/.", "UPDATE"),
        ("Run the tests before you say done.", "NEW"),
        ("Use tabs.", "NEW"),
    ],
)
def test_words(statement: str, decision: str) -> None:
    resolution = resolve(_candidate(statement), BOOK)
    assert resolution.decision == decision
    assert resolution.because
    assert resolution.slug == ("new-rule" if decision == "NEW" else "use-pnpm")
    assert resolution.new_slug == ("" if decision == "NOOP" else "new-rule")


# What people say of several things, of other places, in the negative twice, or in code: a wish must not get lost in it.
@pytest.mark.parametrize(
    ("rule", "said", "decision", "band"),
    [
        ("Use pnpm in web/.", "Use npm in api/.", "NEW", "auto"),
        ("Never use npm.", "Not only npm but also yarn is forbidden.", "UPDATE", "auto"),
        ("Run the tests before you commit.", "Never forget to run the tests before you commit.", "NOOP", "auto"),
        ("Never skip the tests.", "Run the tests.", "NOOP", "auto"),
        ("Use tabs, not spaces.", "Spaces are fine in YAML files.", "UPDATE", "auto"),
        ("Never run `npm install`.", "Never run `pip install`.", "NEW", "auto"),
        ("No `any` in TypeScript.", "No `enum` in TypeScript.", "NEW", "auto"),
        ("Do not use `print()`.", "Use `print()` for output.", "UPDATE", "review"),
        ("Use pnpm.", "Commit the pnpm lockfile.", "NEW", "auto"),
        ("Do not delete the branch.", "Delete the branch.", "SUPERSEDE", "auto"),
        ("Do not delete temporary files.", "Remove temporary files.", "SUPERSEDE", "auto"),
        ("Ask before you push.", "Never push.", "SUPERSEDE", "review"),
        ("Never push.", "Never push unless I ask for it.", "UPDATE", "auto"),
        ("Migrations are never changed.", "Never change migrations.", "NOOP", "auto"),
        ("Keep functions under 40 lines.", "Keep functions under 60 lines.", "SUPERSEDE", "auto"),
        ("Keep functions under 40 lines.", "Keep files under 300 lines.", "NEW", "auto"),
        ("Wait two seconds.", "Wait five seconds.", "SUPERSEDE", "review"),
        ('Don\'t use "just" in docs.', 'Don\'t use "simply" in docs.', "NEW", "auto"),
        ('Use "we", not "I", in docs.', 'Use "I", not "we", in docs.', "SUPERSEDE", "auto"),
        ("Prefer functions to classes.", "Prefer classes to functions.", "SUPERSEDE", "auto"),
        ("Use fetchUser.", "Do not use fetchUsers.", "NEW", "auto"),
        ("Only touch files in src/.", "Never touch files in src/.", "NEW", "auto"),
        ("Only touch files in src/.", "Do not touch anything outside src/.", "NOOP", "auto"),
        ("Do not use Redux.", "State goes into Redux.", "NEW", "auto"),
        ("Use pnpm.", "Use npm for publishing.", "UPDATE", "review"),
        ("Use pnpm instead of npm.", "Why are you using npm again??", "NOOP", "auto"),
        ("Never use git stash.", "You stashed again.", "NOOP", "auto"),
        ("Write tests for new features.", "You forgot the tests.", "NEW", "auto"),
        ("No more than one blank line.", "At most one blank line.", "NOOP", "auto"),
        ("Do not call the API in tests.", "Call the API in integration tests.", "UPDATE", "auto"),
        ("Imports stand at the top of the file.", "No imports inside functions.", "NEW", "auto"),
        ("Never edit generated files.", "Commit the generated files.", "NEW", "auto"),
        ("Run the tests before you commit.", "Commit before you run the tests.", "NEW", "auto"),
        ("Do not commit.", "Do not commit unless I ask.", "UPDATE", "auto"),
        ("No print statements, except in scripts/.", "Print is fine in scripts/.", "NOOP", "auto"),
        ("No print statements, except in scripts/.", "Print is fine in tools/.", "UPDATE", "auto"),
        ("Use Python 3.11.", "Use Python 3.12.", "SUPERSEDE", "review"),
        ("Antworte auf Deutsch.", "请不要使用 npm", "NEW", "auto"),
        ("Never use npm.", "!!! ``` ??? …", "NEW", "auto"),
    ],
)
def test_what_is_easily_taken_for_something_else(rule: str, said: str, decision: str, band: str) -> None:
    resolution = resolve(_candidate(said), _book(rule))
    assert (resolution.decision, resolution.band) == (decision, band), resolution.because


# What a stranger typed in the first hour, and saw taken for something else.
@pytest.mark.parametrize(
    ("rule", "said", "decision", "band"),
    [
        ("No emojis in commit messages.", "Leave emojis out of commit messages please.", "NOOP", "auto"),
        ("No emojis.", "Keep emojis out of the code.", "NOOP", "auto"),
        ("Never skip tests.", "It is forbidden to skip tests.", "NOOP", "auto"),
        ("Never skip tests.", "Under no circumstances skip tests.", "NOOP", "auto"),
        ("Don't edit files in gen/.", "Don't edit files in gen/ or out/.", "UPDATE", "auto"),
        ("Never use print in src, use the logger.", "Print is allowed in src/cli/.", "UPDATE", "auto"),
        ("Never edit files in src/generated/.", "You may edit files in src.", "NEW", "auto"),
        ("Use tabs in src.", "Use spaces in src/cli/.", "UPDATE", "auto"),
        ("Use pnpm, not npm.", "In legacy/ npm is ok.", "UPDATE", "auto"),
        ("Imports must be absolute.", "Please use relative imports.", "SUPERSEDE", "auto"),
        ("Imports should be relative.", "Imports have to be absolute.", "SUPERSEDE", "auto"),
        ("Ask me first.", "You don't need to ask me.", "SUPERSEDE", "auto"),
        ("Always ask first.", "Never ask first.", "SUPERSEDE", "auto"),
        ("Don't ask, just do it.", "Ask me first.", "SUPERSEDE", "auto"),
        ("Always ask first.", "Ask me first.", "NOOP", "auto"),
        ("Ask first before making changes.", "Don't ask, just do it.", "SUPERSEDE", "review"),
        ("Ask before pushing.", "Ask before deleting files.", "NEW", "auto"),
        ("Don't commit without asking.", "Never commit unprompted.", "NOOP", "auto"),
    ],
)
def test_what_a_stranger_says(rule: str, said: str, decision: str, band: str) -> None:
    resolution = resolve(_candidate(said), _book(rule))
    assert (resolution.decision, resolution.band) == (decision, band), resolution.because


def test_a_thing_in_a_list_that_no_sense_tells_is_seen_in_the_check() -> None:
    rule = Rule(
        slug="r0", statement="Do not import requests.", checks=_draft("forbid-import", modules=["requests"]).checks
    )
    wish = _candidate("Do not import requests or this.", "new", _draft("forbid-import", modules=["requests", "this"]))
    resolution = resolve(wish, Rulebook(rules=(rule,)))
    assert (resolution.decision, resolution.added) == ("UPDATE", ("this",))


@pytest.mark.parametrize(
    ("said", "manner", "where", "added"),
    [
        ("Use tabs, except in YAML files.", "exception", "except in YAML files", ()),
        ("Spaces are fine in docs/.", "exception", "in docs/", ()),
        ("In docs/ you can use spaces.", "exception", "in docs/", ()),
        ("Spaces are fine in src/_main.py.", "exception", "in src/_main.py", ()),
        ("Never use git stash or git reset --hard.", "wider", "", ("reset-hard",)),
        ("Rebase on main before you push.", "when", "before you push", ()),
    ],
)
def test_an_update_says_how_it_changes_the_rule(said: str, manner: str, where: str, added: tuple[str, ...]) -> None:
    book = _book("Use tabs.", "Never use git stash.", "Rebase on main.")
    resolution = resolve(_candidate(said), book)
    assert (resolution.decision, resolution.manner, resolution.where, resolution.added) == (
        "UPDATE", manner, where, added
    )  # fmt: skip


def test_what_is_checked_alike_is_the_same_rule() -> None:
    assert resolve(_candidate("npm is off limits here", "x", Draft(checks=(PNPM,))), BOOK).decision == "NOOP"


def test_judges_of_other_words_are_other_rules_though_their_check_is_the_same() -> None:
    judge = Draft(checks=(Check(kind="judge", template="judge", parameters={"of": "diff"}),))
    book = Rulebook(rules=(Rule(slug="names", statement="Names are words.", checks=judge.checks),))
    assert resolve(_candidate("Comments say why, not what the code does.", "x", judge), book).decision == "NEW"
    assert resolve(_candidate("Names are words, please.", "x", judge), book).decision == "NOOP"


def test_the_same_check_for_other_words_is_for_a_person_to_decide() -> None:
    tests = _draft("companion", when=["@code"], needs=["@tests"])
    book = Rulebook(rules=(Rule(slug="tests", statement="Every public function has a test.", checks=tests.checks),))
    found = resolve(_candidate("Reproduce a bug before you fix it.", "x", tests), book)
    assert (found.decision, found.band, found.new_slug) == ("NOOP", "review", "x")


@pytest.mark.parametrize(
    ("mine", "theirs", "decision"),
    [
        (
            _draft("forbid-command", commands=["foo"], instead="bar"),
            _draft("forbid-command", commands=["bar"], instead="foo"),
            "SUPERSEDE",
        ),
        (_draft("place-files", style="kebab-case"), _draft("place-files", style="snake_case"), "SUPERSEDE"),
        (_draft("forbid-command", commands=["foo", "bar"]), _draft("forbid-command", commands=["foo"]), "NOOP"),
        (_draft("forbid-command", commands=["foo"]), _draft("forbid-command", commands=["baz"]), "NEW"),
    ],
)  # fmt: skip
def test_values_tell_where_words_do_not(mine: Draft, theirs: Draft, decision: str) -> None:
    book = Rulebook(rules=(Rule(slug="r", statement="Mind the toolbox.", checks=mine.checks),))
    found = resolve(_candidate("We settled how this is done.", "x", theirs), book)
    assert found.decision == decision
    assert decision == "NEW" or found.band == "review", "values alone decide nothing by themselves"


def test_what_only_a_draft_thinks_of_does_not_widen_a_rule() -> None:
    rule = Rule(slug="r", statement="Never run foo.", checks=_draft("forbid-command", commands=["foo"]).checks)
    said = _candidate("Foo is not for us.", "x", _draft("forbid-command", commands=["foo", "qux"]))
    assert resolve(said, Rulebook(rules=(rule,))).manner != "wider"


def test_a_rule_for_some_files_does_not_say_all_of_a_wish_for_all() -> None:
    rule = Rule(slug="r", statement="No print statements.", scope=Scope(include=("src/**",)))
    assert resolve(_candidate("Never use print."), Rulebook(rules=(rule,))).band == "review"


def test_what_is_too_long_to_be_read_whole_is_never_taken_for_the_same() -> None:
    long = "Never use npm" + ", no, not ever" * 40 + ", but sign each release."
    assert resolve(_candidate(long), _book("Never use npm.")).band == "review"


def test_an_exception_that_a_rule_has_already_is_no_news() -> None:
    spared = Exemption(because="they print", scope=Scope(include=("scripts/**",)))
    book = Rulebook(rules=(Rule(slug="r", statement="No print statements.", exceptions=(spared,)),))
    assert resolve(_candidate("Print is fine in scripts/."), book).decision == "NOOP"
    assert resolve(_candidate("Print is fine in tools/."), book).manner == "exception"


def test_rules_for_other_agents_are_not_compared() -> None:
    rule = Rule(slug="r", statement="Never use npm.", scope=Scope(agents=("codex",)))
    said = _candidate("Never use npm.")
    mine = replace(said, rule=replace(said.rule, scope=Scope(agents=("claude-code",))))
    assert resolve(mine, Rulebook(rules=(rule,))).decision == "NEW"


def test_several_wishes_are_resolved_each_for_itself() -> None:
    said = "Use pnpm instead of npm. Never push to main."
    drafts = (Draft(checks=(PNPM,)), _draft("forbid-command", commands=["git push"], push_to=["main"]))
    found = resolve(_candidate(said, "x", *drafts), _book("Use tabs."))
    assert found.decision == "SPLIT"
    assert [(part.rule.statement, part.part, part.drafts) for part in found.parts] == [
        ("Use pnpm instead of npm.", (1, 2), drafts[:1]),
        ("Never push to main.", (2, 2), drafts[1:]),
    ]
    assert [part.correction.quote for part in found.parts if part.correction] == [
        "Use pnpm instead of npm.", "Never push to main."
    ]  # fmt: skip
    assert [resolve(part, BOOK).decision for part in found.parts] == ["NOOP", "NEW"]


@pytest.mark.parametrize("quote", ["Use pnpm, please.", "Never push to main."])
def test_what_a_model_adds_to_a_wish_becomes_no_quote_of_a_person(quote: str) -> None:
    said = _candidate("Use pnpm instead of npm. Never push to main.", "x", Draft(checks=(PNPM,)))
    assert said.correction
    worded = replace(said, correction=replace(said.correction, quote=quote), offered=ReaderOpinion())
    assert resolve(worded, _book("Use tabs.")).decision == "NEW", "its reader names each wish on its own"
    assert split_wishes(worded) == (), "it stays one wish, and its quote whose it is"
    own = replace(worded, correction=said.correction)
    assert len(split_wishes(own)) == 2, "each of these stands in what the person said"


def test_of_several_wishes_each_quotes_whole_sentences_of_the_person() -> None:
    said = _candidate("Use pnpm instead of npm. push to main.", "x", Draft(checks=(PNPM,)))
    assert said.correction
    heard = replace(said.correction, quote="Use pnpm instead of npm. And never push to main.")
    found = split_wishes(replace(said, correction=heard, offered=ReaderOpinion()))
    assert [part.correction.quote for part in found if part.correction] == [
        "Use pnpm instead of npm.", "And never push to main."
    ]  # fmt: skip


def test_two_sentences_about_one_thing_are_one_wish() -> None:
    assert resolve(_candidate("Don't use npm. Use pnpm."), _book("Use tabs.")).decision == "NEW"


@pytest.mark.parametrize(
    ("said", "decision", "band"),
    [
        ("Use pnpm, never npm.", "NOOP", "auto"),
        ("Use pnpm instead of npm, except in legacy/.", "UPDATE", "auto"),
        ("Use npm, not pnpm.", "SUPERSEDE", "auto"),
        ("You ran npm again!", "NOOP", "auto"),
        ("Squash before you merge.", "UPDATE", "review"),
    ],
)
def test_a_rule_that_the_person_named_is_spoken_to(said: str, decision: str, band: str) -> None:
    found = resolve(_candidate(said, "x", names="use-pnpm"), BOOK)
    assert (found.decision, found.slug, found.band) == (decision, "use-pnpm", band)


def test_a_taken_slug_gets_a_number_and_so_does_one_of_the_archive() -> None:
    assert resolve(_candidate("Only pnpm may touch the lockfile.", "use-pnpm"), BOOK).slug == "use-pnpm-2"
    book = replace(BOOK, archived=frozenset({"use-tabs", "use-tabs-2"}))
    assert resolve(_candidate("Use tabs.", "use-tabs"), book).slug == "use-tabs-3"


def test_the_line_of_a_resolution_says_all_of_it() -> None:
    assert resolve(_candidate("Use tabs."), BOOK).line().startswith("NEW new-rule -- no rule says this")


def test_the_bands_are_kept() -> None:
    for said in ("Use npm.", "Use pnpm.", "Ask before you use npm.", "Use yarn in web/.", "Use tabs."):
        found = resolve(_candidate(said), BOOK)
        assert 0 <= found.score <= 1
        if found.decision != "NEW":
            assert (found.band == "auto") == (found.score >= AUTO)
            assert found.score >= REVIEW


def test_the_index_of_a_rulebook_is_made_once() -> None:
    assert index_rules(BOOK) is index_rules(replace(BOOK, archived=frozenset({"x"})))
    assert index_rules(BOOK) is not index_rules(_book("Use tabs."))


def test_a_correction_that_names_a_merged_rule_is_about_the_rule_that_it_went_into() -> None:
    book = Rulebook(rules=(replace(BOOK.rules[0], formerly=("no-npm",)),))
    found = resolve(_candidate("Use pnpm instead of npm.", names="no-npm"), book)
    assert (found.decision, found.slug) == ("NOOP", "use-pnpm")

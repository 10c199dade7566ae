"""Values tell a wish from one that we have, from a change of one and from its contrary; words alone decide nothing."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulec.domain.candidate import Candidate, Correction, Draft, ReaderOpinion
from rulec.domain.rule import Check, Rule, Scope
from rulec.domain.transcript import Turn
from rulec.resolving.check_values import index_rules
from rulec.resolving.resolver import resolve, resolve_into, split_wishes
from rulec.rulebook.rulebook import Rulebook
from rulec.rulebook.yaml_text import load_yaml
from rulec.sentences.candidates import typed_candidate
from tests.support.sentences import NAMES

CASES = load_yaml((Path(__file__).parents[1] / "cases" / "resolve.yaml").read_text("utf-8"), "resolve.yaml")
PNPM = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "instead": "pnpm"})
BOOK = Rulebook(rules=(Rule(slug="use-pnpm", statement="Use pnpm instead of npm.", checks=(PNPM,)),))


def _candidate(statement: str, slug: str = "new-rule", *drafts: Draft, names: str = "") -> Candidate:
    turn = Turn(role="human", kind="typed", text=statement, index=2, line=1, session="s")
    said = Correction(quote=statement, turn=turn, before=(), after=(), slug=names)
    return Candidate(rule=Rule(slug=slug, statement=statement), drafts=drafts, correction=said)


def _in_force(statement: str) -> Rule:
    read = typed_candidate(statement, NAMES)
    draft = read.drafts[0] if read.drafts else Draft(checks=())
    return Rule(slug="r", statement=statement, checks=draft.checks, scope=draft.scope)


def _draft(template: str, **parameters: object) -> Draft:
    return Draft(checks=(Check(kind="guard", template=template, parameters=parameters),))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['rule']} | {case['said']}")
def test_what_becomes_of_a_sentence(case: dict[str, Any]) -> None:
    found = resolve(typed_candidate(case["said"], NAMES), Rulebook(rules=(_in_force(case["rule"]),)))
    assert f"{found.decision} {found.manner}".strip() == case["is"], found.because
    assert list(found.added) == case.get("adds", [])
    assert found.similar == (("r",) if case.get("similar") else ())
    assert found.band == ("review" if case.get("waits") else "auto")
    assert bool(found.new_slug) == (found.decision != "NOOP")


@pytest.mark.parametrize(
    ("mine", "theirs", "decision"),
    [
        (_draft("place-files", style="kebab-case"), _draft("place-files", style="snake_case"), "SUPERSEDE"),
        (_draft("max-lines", lines=400), _draft("max-lines", lines=300), "SUPERSEDE"),
        (
            _draft("max-lines", lines=400, globs=["src/"]),
            _draft("max-lines", lines=300, globs=["tests/"]),
            "NEW",
        ),
        (_draft("forbid-command", commands=["foo", "bar"]), _draft("forbid-command", commands=["foo"]), "NOOP"),
        (_draft("forbid-command", commands=["foo"]), _draft("forbid-command", commands=["baz"]), "NEW"),
        (_draft("forbid-command", commands=["npm"], prefer="pnpm"), Draft(checks=(PNPM,)), "NOOP"),
        (
            _draft("forbid-import", modules=["x"], language="python"),
            _draft("forbid-import", modules=["x"], language="go"),
            "NEW",
        ),
    ],
)
def test_values_tell_whatever_the_words_are(mine: Draft, theirs: Draft, decision: str) -> None:
    book = Rulebook(rules=(Rule(slug="r", statement="Mind the toolbox.", checks=mine.checks),))
    assert resolve(_candidate("We settled how this is done.", "x", theirs), book).decision == decision


def test_judges_of_other_words_are_other_rules_though_their_check_is_the_same() -> None:
    judge = Draft(checks=(Check(kind="judge", template="judge", parameters={"of": "diff"}),))
    book = Rulebook(rules=(Rule(slug="names", statement="Names are words.", checks=judge.checks),))
    assert resolve(_candidate("Comments say why, not what the code does.", "x", judge), book).decision == "NEW"
    assert resolve(_candidate("names are words", "x", judge), book).decision == "NOOP"


def test_nothing_new_drops_no_better_check() -> None:
    other = _draft("forbid-text", patterns=["npm install"])
    reminder = Rulebook(rules=(Rule(slug="r", statement="Never use npm."),))
    found = resolve(_candidate("Never use npm.", "x", Draft(checks=(PNPM,))), reminder)
    assert (found.decision, found.manner) == ("UPDATE", "wider"), "its first check"
    found = resolve(_candidate("Use pnpm instead of npm.", "x", other), BOOK)
    assert (found.decision, found.manner) == ("UPDATE", "wider"), "the same sentence, another check"
    found = resolve(_candidate("No npm here.", "x", Draft(checks=(PNPM,)), other), BOOK)
    assert (found.decision, found.manner) == ("UPDATE", "wider"), "of two drafts one is new"


def test_a_check_for_other_files_is_no_news_only_where_the_rule_holds_there() -> None:
    call = _draft("forbid-call", functions=["print"], language="python")
    wide = Rulebook(rules=(Rule(slug="r", statement="x", checks=call.checks),))
    narrow = Rulebook(rules=(replace(wide.rules[0], scope=Scope(include=("src/**",))),))
    in_src, in_web = (replace(call, scope=Scope(include=(glob,))) for glob in ("src/**", "web/**"))
    spared = replace(call, scope=Scope(exclude=("src/cli/**",)))
    told = [
        resolve(_candidate("y", "x", draft), book)
        for draft, book in ((in_src, wide), (call, narrow), (in_web, narrow), (spared, wide))
    ]
    assert [(one.decision, one.manner, one.band) for one in told] == [
        ("NOOP", "", "auto"), ("UPDATE", "wider", "auto"), ("NEW", "", "auto"), ("UPDATE", "looser", "review"),
    ]  # fmt: skip


def test_rules_for_other_agents_are_not_compared() -> None:
    rule = Rule(slug="r", statement="Never use npm.", scope=Scope(agents=("codex",)))
    said = _candidate("Never use npm.")
    mine = replace(said, rule=replace(said.rule, scope=Scope(agents=("claude-code",))))
    found = resolve(mine, Rulebook(rules=(rule,)))
    assert (found.decision, found.similar) == ("NEW", ())


@pytest.mark.parametrize(
    ("said", "draft", "decision", "band"),
    [
        ("Use pnpm instead of npm.", None, "NOOP", "auto"),
        ("npm, never.", Draft(checks=(PNPM,)), "NOOP", "auto"),
        ("No yarn either.", _draft("forbid-command", commands=["npm", "yarn"]), "UPDATE", "auto"),
        ("npm it is.", _draft("forbid-command", commands=["pnpm"], prefer="npm"), "SUPERSEDE", "auto"),
        ("You ran npm again!", None, "UPDATE", "review"),
        ("Squash before you merge.", None, "UPDATE", "review"),
    ],
)
def test_a_rule_that_the_person_named_is_spoken_to(said: str, draft: Draft | None, decision: str, band: str) -> None:
    found = resolve(_candidate(said, "x", *((draft,) if draft else ()), names="use-pnpm"), BOOK)
    assert (found.decision, found.slug, found.band) == (decision, "use-pnpm", band)


def test_a_person_may_say_that_a_wish_belongs_to_a_rule() -> None:
    found = resolve_into(_candidate("Squash before you merge."), BOOK.rules[0], BOOK)
    assert (found.decision, found.slug, found.band) == ("UPDATE", "use-pnpm", "auto")
    assert found.because == "a person says that it belongs to use-pnpm"


def test_a_correction_that_names_a_merged_rule_is_about_the_rule_that_it_went_into() -> None:
    book = Rulebook(rules=(replace(BOOK.rules[0], formerly=("no-npm",)),))
    found = resolve(_candidate("Use pnpm instead of npm.", names="no-npm"), book)
    assert (found.decision, found.slug) == ("NOOP", "use-pnpm")


def test_sentences_that_are_checked_each_by_itself_are_several_wishes() -> None:
    drafts = (Draft(checks=(PNPM,)), _draft("forbid-command", commands=["git push"], push_to=["main"]))
    found = resolve(_candidate("Use pnpm instead of npm. Never push to main.", "x", *drafts), Rulebook())
    assert (found.decision, [part.drafts for part in found.parts]) == ("SPLIT", [drafts[:1], drafts[1:]])
    one = _candidate("Don't use npm. Use pnpm.", "x", Draft(checks=(PNPM,)))
    assert resolve(one, Rulebook()).decision == "NEW"
    tries = replace(_candidate("Use pnpm instead of npm. Never push to main.", "x", *drafts), offered=ReaderOpinion())
    assert resolve(tries, Rulebook()).decision == "NEW", "a model's drafts are tries at one wish"


def test_a_split_leaves_out_no_sentence_and_no_draft() -> None:
    drafts = (
        Draft(checks=(PNPM,)),
        _draft("forbid-command", commands=["git push"], push_to=["main"]),
        _draft("raw-guard", check="y"),
    )
    found = split_wishes(_candidate("Use pnpm instead of npm. Never push to main. Be brief.", "x", *drafts))
    assert [(part.rule.statement, part.part) for part in found] == [
        ("Use pnpm instead of npm.", (1, 3)), ("Never push to main.", (2, 3)), ("Be brief.", (3, 3)),
    ]  # fmt: skip
    assert [part.drafts for part in found] == [(drafts[0], drafts[2]), (drafts[1],), ()]
    assert [part.correction.quote for part in found if part.correction] == [part.rule.statement for part in found]


@pytest.mark.parametrize("quote", ["Use pnpm, please.", "Never push to main."])
def test_what_a_model_adds_to_a_wish_becomes_no_quote_of_a_person(quote: str) -> None:
    said = _candidate("Use pnpm instead of npm. Never push to main.", "x", Draft(checks=(PNPM,)))
    assert said.correction
    worded = replace(said, correction=replace(said.correction, quote=quote), offered=ReaderOpinion())
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


def test_a_taken_slug_gets_a_number_and_so_does_one_of_the_archive() -> None:
    assert resolve(_candidate("Only pnpm may touch the lockfile.", "use-pnpm"), BOOK).slug == "use-pnpm-2"
    book = replace(BOOK, archived=frozenset({"use-tabs", "use-tabs-2"}))
    assert resolve(_candidate("Use tabs.", "use-tabs"), book).slug == "use-tabs-3"


def test_the_line_of_a_resolution_names_what_is_similar() -> None:
    assert resolve(_candidate("Use tabs."), BOOK).line() == "NEW new-rule -- a new rule, for none says this yet"
    line = resolve(_candidate("You ran npm and not pnpm."), BOOK).line()
    assert line == "NEW new-rule -- a new rule, for none says this yet; similar: use-pnpm"


def test_the_index_of_a_rulebook_is_made_once() -> None:
    assert index_rules(BOOK) is index_rules(replace(BOOK, archived=frozenset({"x"})))
    assert index_rules(BOOK) is not index_rules(Rulebook(rules=(Rule(slug="r0", statement="Use tabs."),)))

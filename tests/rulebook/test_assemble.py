"""Plan and artifacts: nothing unproved may act, and order changes nothing."""

import random
from dataclasses import replace

import pytest

from rulec import registry
from rulec.compiling.artifacts import assemble
from rulec.compiling.compile_planning import make_plan
from rulec.domain.artifact import PlannedCheck, RuleFacts, facts_from_data, proof_digest
from rulec.domain.enforcement import Enforcement, PinnedEnforcement
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.rulebook import evidence_file, rule_file
from rulec.rulebook.rulebook import Rulebook

BODY = '{"on": "command", "patterns": ["npm"], "unless": [], "arguments": "", "instead": "pnpm"}'
RULE = Rule(
    slug="use-pnpm",
    statement="Use pnpm.",
    checks=(Check(kind="guard", template="forbid-command"),),
    invalid=(Example(kind="command", text="npm ci"),),
)
SAID = Evidence(slug="use-pnpm", kind="correction", weight=1, quote="pnpm!", at="2026-11-20", agent="codex")


def _body(_: PlannedCheck) -> str:
    return BODY


def _book(rule: Rule, *evidence: Evidence) -> Rulebook:
    return Rulebook(rules=(rule,), evidence={rule.slug: evidence})


def _enforcement(book: Rulebook) -> Enforcement:
    (artifact,) = assemble(make_plan(book), _body, registry.checkers())
    return registry.checkers()["guard"].facts(artifact.text or "").enforcement


def _proved(rule: Rule) -> Evidence:
    (artifact,) = assemble(make_plan(_book(rule)), _body, registry.checkers())
    return Evidence(slug=rule.slug, kind="proved", digest=proof_digest(rule, [artifact.digest]), revision=1)


@pytest.mark.parametrize(
    ("pinned", "weight", "proved", "enforcement"),
    [
        ("auto", 3, True, "block"),
        ("auto", 1, True, "audit"),
        ("auto", 3, False, "audit"),
        ("block", 1, True, "block"),
        ("block", 3, False, "audit"),
        ("warn", 3, True, "warn"),
        ("warn", 3, False, "audit"),
        ("audit", 3, True, "audit"),
    ],
)
def test_a_check_acts_only_when_it_is_proved(
    pinned: PinnedEnforcement, weight: int, proved: bool, enforcement: str
) -> None:
    rule = replace(RULE, enforcement=pinned)
    evidence = [replace(SAID, weight=weight), *([_proved(rule)] if proved else [])]
    assert _enforcement(_book(rule, *evidence)) == enforcement


def test_a_changed_example_undoes_the_proof() -> None:
    changed = replace(RULE, invalid=(Example(kind="command", text="npm install"),))
    assert _enforcement(_book(changed, replace(SAID, weight=3), _proved(RULE))) == "audit"


EXCEPTION = Exemption(because="x", scope=Scope(include=("legacy/**",)), valid=(Example(kind="command", text="npm x"),))


@pytest.mark.parametrize(
    ("changed", "enforcement"),
    [
        (EXCEPTION, "block"),
        (replace(EXCEPTION, because="y", when="z"), "block"),  # words change no verdict
        (replace(EXCEPTION, scope=Scope(include=("old/**",))), "audit"),
        (replace(EXCEPTION, scope=Scope(include=("legacy/**",), environments=("ci",))), "audit"),
        (replace(EXCEPTION, commands=("npm ci",)), "audit"),
        (replace(EXCEPTION, valid=()), "audit"),
        (None, "audit"),
    ],
)
def test_a_changed_exception_undoes_the_proof(changed: Exemption | None, enforcement: str) -> None:
    proof = _proved(replace(RULE, exceptions=(EXCEPTION,)))
    rule = replace(RULE, exceptions=(changed,) if changed else ())
    assert _enforcement(_book(rule, replace(SAID, weight=3), proof)) == enforcement


JUDGE = Check(kind="judge", template="judge")


def _judge_body(step: PlannedCheck) -> str:
    return '{"of": "diff"}' if step.kind == "judge" else BODY


def _facts(book: Rulebook, kind: str = "judge") -> RuleFacts:
    found = assemble(make_plan(book), _judge_body, registry.checkers())
    (artifact,) = [artifact for artifact in found if artifact.path.split("/")[-2] == kind]
    return registry.checkers()[kind].facts(artifact.text or "")


@pytest.mark.parametrize(
    ("pinned", "weight", "enforcement"),
    [
        ("auto", 3, "warn"),
        ("auto", 1, "audit"),
        ("block", 1, "block"),
        ("block", 3, "block"),
        ("warn", 1, "warn"),
        ("audit", 3, "audit"),
    ],
)
def test_a_judge_blocks_only_where_a_person_pinned_it(pinned: PinnedEnforcement, weight: int, enforcement: str) -> None:
    rule = replace(RULE, enforcement=pinned, checks=(JUDGE,))
    assert _facts(_book(rule, replace(SAID, weight=weight))).enforcement == enforcement


def test_guard_and_judge_of_one_rule_each_answer_for_themselves() -> None:
    rule = replace(RULE, checks=(*RULE.checks, JUDGE))
    said = replace(SAID, weight=3)
    for evidence, guard in (((said,), "audit"), ((said, _proved(RULE)), "block")):
        book = _book(rule, *evidence)
        assert (_facts(book, "guard").enforcement, _facts(book).enforcement) == (guard, "warn")


def test_rules_are_put_into_words_by_precedence() -> None:
    one = replace(RULE, enforcement="warn")
    rules = [
        replace(one, slug="style", severity="style"),
        replace(one, slug="old"),
        replace(one, slug="new"),
        replace(one, slug="narrow", severity="style", scope=Scope(agents=("codex",))),
        replace(one, slug="base", severity="must", layer="extends base"),
    ]
    evidence = {slug: (replace(SAID, slug=slug, at=f"{year}-01-01"),) for slug, year in (("old", 2025), ("new", 2026))}
    wanted = ["narrow", "new", "old", "style", "base"]
    assert [rule.slug for rule in make_plan(Rulebook(rules=tuple(rules), evidence=evidence)).rules] == wanted


def test_only_a_rules_own_evidence_moves_what_is_compiled_of_it() -> None:
    spoken = tuple(replace(SAID, weight=1, transcript=f"s{n}", at="2026-01-01") for n in range(10))
    other = replace(SAID, slug="other", at="2029-01-03")
    again = replace(SAID, weight=1, transcript="later", at="2026-03-01")
    found = []
    for more, elsewhere in (((), ()), ((), (other,)), ((again,), ())):
        evidence = {RULE.slug: (*spoken, *more, _proved(RULE)), "other": elsewhere}
        book = Rulebook(rules=(RULE,), evidence=evidence)
        (artifact,) = assemble(make_plan(book), _body, registry.checkers())
        assert registry.checkers()["guard"].facts(artifact.text or "").enforcement == "block"
        found.append(artifact.text)
    assert found[0] == found[1]


def test_an_artifact_says_whose_words_it_enforces() -> None:
    (artifact,) = assemble(make_plan(_book(RULE, SAID)), _body, registry.checkers())
    facts = registry.checkers()["guard"].facts(artifact.text or "")
    assert (facts.quote, facts.said) == ("pnpm!", "2026-11-20, to codex")
    assert facts_from_data({"slug": "x", "revision": 1, "statement": "s", "unknown": 1}).slug == "x"


def test_artifacts_do_not_depend_on_the_order_of_rules() -> None:
    rules = [replace(RULE, slug=f"rule-{n}") for n in range(6)]
    want = {a.path: a.text for a in assemble(make_plan(Rulebook(rules=tuple(rules))), _body, registry.checkers())}
    for seed in range(5):
        random.Random(seed).shuffle(rules)
        got = assemble(make_plan(Rulebook(rules=tuple(rules))), _body, registry.checkers())
        assert {a.path: a.text for a in got} == want


def test_only_rules_that_hold_are_put_into_words() -> None:
    weak, pinned = replace(RULE, slug="weak"), replace(RULE, slug="pinned", enforcement="warn")
    strong = replace(RULE, slug="strong", severity="must")
    book = Rulebook(
        rules=(pinned, strong, weak),
        evidence={"weak": (replace(SAID, slug="weak"),), "strong": (replace(SAID, slug="strong", weight=3),)},
    )
    assert [rule.slug for rule in make_plan(book).rules] == ["strong", "pinned"]


def test_two_checks_of_one_kind_get_two_artifacts() -> None:
    rule = replace(RULE, checks=RULE.checks * 2)
    paths = [artifact.path for artifact in assemble(make_plan(_book(rule)), _body, registry.checkers())]
    assert paths == [".rules/compiled/guard/use-pnpm.json", ".rules/compiled/guard/use-pnpm.2.json"]
    assert rule_file.SLUG_PATTERN.fullmatch("use-pnpm.2") is None


SOURCED = [
    ((), "block"),
    (("",), "block"),
    (("template",), "audit"),
    (("template", "template"), "audit"),
    (("template", "agent"), "block"),
    (("statement",), "block"),
    (("reader", "template"), "block"),
]


def test_a_rule_whose_examples_all_came_from_its_check_audits_at_most() -> None:
    wrong = []
    for pinned in ("auto", "block"):
        for sources, want in SOURCED:
            some = tuple(Example(kind="command", text=f"npm ci {n}", source=one) for n, one in enumerate(sources))
            rule = replace(RULE, enforcement=pinned, invalid=some)
            got = _enforcement(_book(rule, replace(SAID, weight=3), _proved(rule)))
            wrong += [(pinned, sources, got)] if got != want else []
    assert not wrong


def test_where_an_example_came_from_is_no_part_of_a_proof() -> None:
    confirmed = replace(RULE, invalid=(replace(RULE.invalid[0], source="person"),))
    assert _proved(RULE).digest == _proved(confirmed).digest


def test_a_revision_takes_nothing_from_what_speaks_for_a_rule() -> None:
    said = tuple(replace(SAID, quote=f"no {n}", transcript=f"s{n}") for n in range(9))
    against = replace(SAID, kind="counterexample", quote="it was fine", transcript="t")
    ids = tuple(evidence_file.evidence_id(item) for item in (*said, against))
    revised = Evidence(slug=RULE.slug, kind="revised", at=against.at, answers=ids)
    sure = Rulebook(rules=(RULE,), evidence={RULE.slug: (*said, against, revised)}).sure(RULE)
    only = Rulebook(rules=(RULE,), evidence={RULE.slug: said}).sure(RULE)
    assert (sure.mean, sure.weight) == (only.mean, only.weight)

"""Two rules in force: which are one wish, and what speaks against making one of them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.bench.consolidate import found_pair, pairs_in
from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.resolving.merged_rule import merged_rules, stands_for
from rulec.resolving.rule_pairs import MERGED, CrossedExamples, PairRelation, relate_rules
from rulec.resolving.statement_likeness import likeness_of

CASES = Path(__file__).parents[1] / "cases" / "consolidate"
# said in other words throughout, or in a clause that is read the wrong way round: only a reader sees these
UNFOUND = {"reminders#4", "mixed#2", "mixed#4", "mixed#5", "mixed#8", "mixed#10"}


def test_the_pairs_in_view_are_told_apart(tmp_path: Path) -> None:
    wrong = []
    for name, label, one, other in pairs_in(CASES):
        found = found_pair(one, other, tmp_path)
        offered = bool(found) and found.relation.kind in MERGED
        if offered != (label == "duplicate" and name not in UNFOUND):
            wrong.append((name, label, found and found.relation))
    assert not wrong


STATEMENTS = [rule.statement for _, _, *rules in pairs_in(CASES) for rule in rules]


@given(st.sampled_from(STATEMENTS), st.sampled_from(STATEMENTS))
def test_likeness_is_the_same_in_either_order(one: str, other: str) -> None:
    there, back = likeness_of(one, other), likeness_of(other, one)
    assert (there.score, set(there.against), there.contrary) == (back.score, set(back.against), back.contrary)
    assert 0 <= there.score <= 1


@given(st.sampled_from(STATEMENTS))
def test_a_statement_is_never_against_itself(one: str) -> None:
    assert likeness_of(one, one).score == 1
    assert not likeness_of(one, one).against


OPPOSED = [
    ("Write tests first, then the implementation.", "Write the implementation first and add tests afterwards."),
    ("Answer in bullet points.", "No bullet points, write full sentences."),
    ("Put React hooks into src/hooks.", "React hooks live beside the component that uses them, in its folder."),
    ("Set the request timeout to 30 seconds.", "Request timeouts must be 5 seconds."),
    ("Validate request bodies with Zod.", "Request bodies are validated by Yup."),
    ("The primary button goes on the right of a dialog.", "Place the primary button on the left of a dialog."),
    ("Commit generated protobuf code.", "Generated protobuf files stay out of git."),
    ("Use feature flags for every new feature.", "Ship new features without flags; flags only pile up."),
]


def test_what_one_wants_and_the_other_does_not_is_never_offered() -> None:
    rules = [(Rule(slug="one", statement=one), Rule(slug="other", statement=other)) for one, other in OPPOSED]
    kinds = {one.statement: relate_rules(one, other).kind for one, other in rules}
    assert {said: kind for said, kind in kinds.items() if kind != "contrary"} == {}


def npm(slug: str, *commands: str, **more: object) -> Rule:
    parameters = {"commands": list(commands), "instead": "pnpm"}
    check = Check(kind="guard", template="forbid-command", parameters=parameters | more)
    return Rule(slug=slug, statement="Use pnpm, never npm.", checks=(check,))


RUN = Example(kind="command", text="npm ci")


@pytest.mark.parametrize(
    ("theirs", "mine", "kind"),
    [
        (CrossedExamples(invalid=(RUN,), of=1), CrossedExamples(invalid=(RUN,), of=1), "same"),
        (CrossedExamples(invalid=(RUN,), of=1), CrossedExamples(of=2), "overlap"),
        (CrossedExamples(invalid=(RUN,), of=1), CrossedExamples(invalid=(RUN,), of=1, valid=(RUN,)), "contrary"),
    ],
)
def test_checks_tell_more_than_words(theirs: CrossedExamples, mine: CrossedExamples, kind: str) -> None:
    assert relate_rules(npm("one", "npm"), npm("other", "npm"), theirs, mine).kind == kind


def test_rules_of_different_agents_and_places_are_not_one() -> None:
    one = npm("one", "npm")
    apart = [Scope(agents=("codex",)), Scope(include=("web/**",))]
    here = [Scope(agents=("claude-code",)), Scope(include=("api/**",))]
    for mine, theirs in zip(here, apart, strict=True):
        first, second = (
            Rule(slug="x", statement=one.statement, checks=one.checks, scope=scope) for scope in (mine, theirs)
        )
        assert relate_rules(first, second).kind == "other"


def test_one_check_stands_for_another_only_if_it_leaves_no_more_alone() -> None:
    def check(*commands: str, **more: object) -> Check:
        return npm("x", *commands, **more).checks[0]

    assert stands_for(check("npm", "yarn"), check("npm"))
    assert not stands_for(check("npm"), check("npm", "yarn"))
    assert not stands_for(check("npm", "yarn", unless=["npm view"]), check("npm"))
    assert stands_for(check("npm", "yarn"), check("npm", unless=["npm view"]))


def test_the_merged_rule_holds_wherever_either_did_and_is_as_strict() -> None:
    wide = Scope(include=("src/**",), exclude=("src/gen/**", "src/old/**"), agents=("codex",), tags=("js",))
    narrow = Scope(include=("web/**",), exclude=("src/gen/**",), tags=("web",))
    kept = Rule(slug="kept", statement="Use pnpm.", severity="style", enforcement="warn", scope=wide, supersedes=("a",))
    other = Rule(
        slug="other", statement="Never npm.", severity="must", enforcement="block", scope=narrow, on_error="block"
    )
    found = next(merged_rules(kept, other, PairRelation(kind="perhaps", because="")))
    assert found.scope == Scope(include=("src/**", "web/**"), exclude=("src/gen/**",), tags=("js", "web"))
    assert (found.severity, found.enforcement, found.on_error, found.revision) == ("must", "block", "block", 2)
    assert (found.supersedes, found.formerly) == (("a", "other"), ("other",))
    assert "Use pnpm." in found.statement
    assert "Never npm." in found.statement

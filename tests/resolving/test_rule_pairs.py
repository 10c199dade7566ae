"""Two rules in force: which are one wish, and what speaks against making one of them."""

from pathlib import Path

import pytest

from evaluation.bench.similar import found_pair, pairs_in
from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.resolving.rule_pairs import MERGED, CrossedExamples, PairRelation, relate_rules
from rulec.resolving.updates import merged_rules, stands_for

CASES = Path(__file__).parents[1] / "cases" / "similar"


def test_of_the_pairs_in_view_only_what_values_show_is_offered(tmp_path: Path) -> None:
    offered, kinds = list[str](), dict[str, str]()
    for name, label, one, other in pairs_in(CASES):
        found = found_pair(one, other, tmp_path)
        kinds[name] = found.relation.kind if found else "other"
        offered += [label] * (kinds[name] in MERGED)
    assert set(offered) == {"duplicate"}
    assert [name for name, kind in kinds.items() if kind in MERGED] == ["checked#1", "checked#2"]


def test_words_alone_are_shown_and_decide_nothing() -> None:
    one = Rule(slug="one", statement="Store all timestamps in UTC.")
    for said, kind in (
        ("store all timestamps in utc", "same"),
        ("Store all timestamps in UTC, please.", "similar"),
        ("Never store all timestamps in UTC.", "similar"),
        ("Write comments in English.", "other"),
    ):
        assert relate_rules(one, Rule(slug="other", statement=said)).kind == kind


def npm(slug: str, *commands: str, **more: object) -> Rule:
    parameters = {"commands": list(commands), "instead": "pnpm"}
    check = Check(kind="guard", template="forbid-command", parameters=parameters | more)
    return Rule(slug=slug, statement="Use pnpm, never npm.", checks=(check,))


RUN = Example(kind="command", text="npm ci")


@pytest.mark.parametrize(
    ("commands", "theirs", "mine", "kind"),
    [
        (["npm"], CrossedExamples(), CrossedExamples(), "same"),
        (["npm", "yarn"], CrossedExamples(), CrossedExamples(), "overlap"),
        (["npm ci"], CrossedExamples(invalid=(RUN,), of=1), CrossedExamples(invalid=(RUN,), of=1), "same"),
        (["npm ci"], CrossedExamples(invalid=(RUN,), of=1), CrossedExamples(of=2), "overlap"),
        (["npm ci"], CrossedExamples(invalid=(RUN,), of=2), CrossedExamples(of=2), "overlap"),
        (["yarn"], CrossedExamples(invalid=(RUN,), of=2), CrossedExamples(of=2), "similar"),
        (["npm"], CrossedExamples(), CrossedExamples(invalid=(RUN,), of=1, valid=(RUN,)), "contrary"),
    ],
)
def test_values_and_actions_decide(
    commands: list[str], theirs: CrossedExamples, mine: CrossedExamples, kind: str
) -> None:
    assert relate_rules(npm("one", "npm"), npm("other", *commands), theirs, mine).kind == kind


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
    found = next(merged_rules(kept, other, PairRelation(kind="overlap", because="")))
    assert found.scope == Scope(include=("src/**", "web/**"), exclude=("src/gen/**",), tags=("js", "web"))
    assert (found.severity, found.enforcement, found.on_error, found.revision) == ("must", "block", "block", 2)
    assert (found.supersedes, found.formerly) == (("a", "other"), ("other",))
    assert "Use pnpm." in found.statement
    assert "Never npm." in found.statement

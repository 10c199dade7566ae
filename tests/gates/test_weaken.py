"""What one state of the rules lets pass that the other did not."""

from dataclasses import replace

import pytest

from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.gates.weakening.looser_rules import RuleState, taken_exceptions, weakened_rules
from rulec.gates.weakening.looser_settings import weakened_settings, weakened_suites
from rulec.rulebook.config import Config, ExtendedRulebook
from rulec.rulebook.dated_exceptions import DatedException
from rulec.rulebook.test_suites import Suite

NPM, YARN = Example(kind="command", text="npm ci"), Example(kind="command", text="yarn add x")
CHECK = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm", "yarn"], "unless": ["npm view"]})
RULE = Rule(
    slug="use-pnpm", statement="Use pnpm.", severity="must", enforcement="block", checks=(CHECK,), invalid=(NPM, YARN),
    source=".rules/use-pnpm.yaml",
)  # fmt: skip


def _told(
    now: RuleState | None, was: RuleState | None = None, archive: Rule | None = None, **others: RuleState
) -> list[str]:
    after = {**({"use-pnpm": now} if now else {}), **others}
    found = weakened_rules(
        {"use-pnpm": was or RuleState(rule=RULE, acts="block")}, after, {"use-pnpm": archive} if archive else {}
    )
    return [one.text.removeprefix("use-pnpm: ") for one in found]


def _now(acts: str = "block", **changed: object) -> RuleState:
    return RuleState(rule=replace(RULE, **changed), acts=acts)  # type: ignore[arg-type]  # any field of a rule


def _check(**parameters: object) -> RuleState:
    return _now(checks=(replace(CHECK, parameters={**CHECK.parameters, **parameters}),))


EXCEPT = Exemption(because="old", scope=Scope(include=("old/**",)))


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (_now(), []),
        (_now(statement="Use pnpm, please.", do="run pnpm"), []),
        (_now(statement="Never use pnpm."), ["says `Never use pnpm.`, not `Use pnpm.`"]),
        (_now(statement="Use pnpm, except in old/."), ["says `Use pnpm, except in old/.`, not `Use pnpm.`"]),
        (_now(statement="In our words."), []),
        (_now(scope=Scope(environments=("ci", "local"))), []),  # there is no other
        (_now(scope=Scope(environments=("ci",))), ["holds only for the environments ci"]),
        (_now("warn"), ["block -> warn"]),
        (_now("audit", enforcement="auto"), ["block -> audit"]),
        (_now(enforcement="warn"), ["pinned to block -> warn"]),
        (_now(severity="style"), ["severity must -> style"]),
        (_now(on_error="block", on_unsure="block"), []),
        (_now(on_unsure="audit"), ["on_unsure warn -> audit"]),
        (_now(level="testable"), []),
        (_now(level="strict"), []),
        (_now(level="remind"), ["level strict -> remind"]),
        (_now(scope=Scope(include=("src/**",))), ["holds no longer in **, only in src/**"]),
        (_now(scope=Scope(exclude=("x",))), ["excludes x"]),
        (_now(scope=Scope(agents=("codex",))), ["holds only for the agents codex"]),
        (_now(scope=Scope(tags=("web",))), []),
        (_now(exceptions=(EXCEPT,)), ["leaves alone old/** (old)"]),
        (_now(checks=()), ["loses its check guard forbid-command"]),
        (_check(commands=["npm"]), ["forbid-command: commands loses yarn"]),
        (_check(commands=["npm", "yarn", "bun"]), []),
        (_check(unless=["npm view", "npm ls"]), ["forbid-command: unless gains npm ls"]),
        (_check(unless=[]), []),
        (_check(globs=["src/**"]), ["forbid-command: globs is only src/** now"]),
        (_now(invalid=(NPM,)), ["loses the invalid example `yarn add x`"]),
        (_now(valid=(Example(kind="command", text="pnpm i"),)), []),
    ],
)  # fmt: skip
def test_each_part_that_is_looser_is_told(now: RuleState, told: list[str]) -> None:
    assert _told(now) == told


def test_what_is_both_looser_and_firmer_says_both() -> None:
    assert _told(_check(commands=["npm", "bun"])) == ["forbid-command: commands loses yarn, gains bun"]


def test_an_exception_within_one_that_stood_is_none() -> None:
    was = _now(exceptions=(EXCEPT,))
    narrower = replace(EXCEPT, scope=Scope(include=("old/**",), agents=("codex",)))
    assert _told(_now(exceptions=(narrower,)), was) == []
    wider = replace(EXCEPT, scope=Scope(include=("old/**", "new/**")))
    assert _told(_now(exceptions=(wider,)), was) == ["leaves alone old/**, new/** (old)"]


def test_what_was_caught_and_passes_now_is_told_but_for_what_was_wrongly_caught() -> None:
    was = RuleState(rule=replace(RULE, valid=(YARN,)), acts="block", decided={NPM: "block", YARN: "block"})
    now = RuleState(rule=RULE, acts="block", decided={NPM: "pass", YARN: "pass"})
    assert _told(now, was) == ["lets pass `npm ci`, which it caught"]
    assert _told(was, now) == []


def test_a_rule_that_goes_is_told_with_what_became_of_it() -> None:
    assert _told(None) == ["removed (it blocked)"]
    assert _told(None, archive=replace(RULE, retired="enough")) == ["retired (it blocked)"]
    heir = RuleState(rule=Rule(slug="use-bun", statement="Use bun.", source="x"), acts="block")
    gone = replace(RULE, superseded_by="use-bun")
    assert _told(None, archive=gone, **{"use-bun": heir}) == ["superseded by use-bun (it blocked)"]
    assert _told(None, archive=gone) == ["superseded by use-bun, which is not in force (it blocked)"]


def test_a_rule_that_only_has_another_name_is_not() -> None:
    heir = RuleState(rule=replace(RULE, slug="pnpm-only"), acts="block")
    gone = replace(RULE, superseded_by="pnpm-only")
    assert _told(None, archive=gone, **{"pnpm-only": heir}) == []
    assert _told(None, archive=gone, **{"pnpm-only": replace(heir, acts="warn")}) == [
        "superseded by pnpm-only (it blocked)"
    ]


def test_evidence_that_goes_is_told_where_it_bore_the_rule() -> None:
    was = RuleState(rule=RULE, acts="block", weight=4.0, mean=0.83, spoken=frozenset({"a", "b"}))
    less = RuleState(rule=RULE, acts="block", weight=3.0, mean=0.8, spoken=frozenset({"a"}))
    assert _told(less, was) == ["evidence is gone, confidence 0.83 -> 0.80"]
    assert _told(replace(was, spoken=frozenset({"a"})), was) == []  # it bore nothing: a proof that is out of date


def _relaxed(before: Config, after: Config) -> list[str]:
    return [one.text.removeprefix("settings: ") for one in weakened_settings(before, after, (), ())]


ASKED = ModelSettings(backend="anthropic")
THEIRS = ExtendedRulebook(name="base", url="https://x.test/base", rev="v1")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (Config(), Config(emitters=("x",), protected=("a",), owners=("@a",), weakened="block"), []),
        (Config(emitters=("x", "y")), Config(emitters=("y",)), ["emitters loses x"]),
        (Config(weakened="block"), Config(), ["weakened block -> warn"]),
        (Config(profile="lexsona"), Config(), ["profile lexsona -> default"]),
        (Config(budget=900), Config(), []),
        (Config(extends=(THEIRS,)), Config(), ["extends base no longer"]),
        (Config(), Config(extends=(THEIRS,)), []),
        (
            Config(extends=(THEIRS,)),
            Config(extends=(replace(THEIRS, rev="v2"),)),
            ["extends base from https://x.test/base at v2, not https://x.test/base at v1"],
        ),
        (Config(), Config(models=ASKED), []),
        (Config(models=ModelSettings(judges=("commit", "ci"))), Config(), ["judges are asked no longer at commit"]),
        (Config(models=ASKED), Config(models=replace(ASKED, judges=())), ["judges are asked no longer at ci"]),
        (Config(models=ASKED), Config(), ["judges ask nobody, not anthropic"]),
        (Config(models=ASKED), Config(models=replace(ASKED, model="small")), ["judges ask small, not any model"]),
        (
            Config(models=ASKED),
            Config(models=replace(ASKED, tokens=5, money=0.5)),
            [
                "models.tokens 2,000,000 -> 5, so that judges fall silent sooner",
                "models.money 2 -> 0.5, so that judges fall silent sooner",
            ],
        ),
        (Config(models=ASKED), Config(models=replace(ASKED, tokens=9_000_000, bulk=True)), []),
    ],
)
def test_settings_that_hold_less_are_told(before: Config, after: Config, told: list[str]) -> None:
    assert _relaxed(before, after) == told


UNIT = Suite(name="unit", run=("pytest", "-q"), report="junit")


@pytest.mark.parametrize("asked", [True, False])
def test_changes_of_suites_are_told(asked: bool) -> None:
    cases: list[tuple[str, tuple[Suite, ...], tuple[Suite, ...], list[str]]] = [
        ("same", (UNIT,), (UNIT,), []),
        ("more time", (UNIT,), (replace(UNIT, seconds=60),), []),
        ("gone", (UNIT,), (), ["unit is gone (it ran `pytest -q`)"]),
        ("true", (UNIT,), (replace(UNIT, run=("true",)),), ["unit has run `true`, not `pytest -q`"]),
        ("exit", (UNIT,), (replace(UNIT, report="exit"),), ["unit has report `exit`, not `junit`"]),
        ("files", (UNIT,), (replace(UNIT, files=("x/**",)),), ["unit has files `x/**`, not none"]),
        ("path", (UNIT,), (replace(UNIT, path=("bin",)),), ["unit has path `bin`, not none"]),
        ("folder", (UNIT,), (replace(UNIT, folder="empty"),), ["unit has folder `empty`, not none"]),
        ("variables", (UNIT,), (replace(UNIT, environment=(("A", "1"),)),), ["unit has another environment"]),
        ("new", (), (UNIT,), ["unit is new and proves rules by `pytest -q`"] * asked),
        ("renamed", (UNIT,), (replace(UNIT, name="all"),),
         ["all is new and proves rules by `pytest -q`"] * asked + ["unit is gone (it ran `pytest -q`)"]),
    ]  # fmt: skip
    wrong = {
        name: got
        for name, was, now, told in cases
        if (got := [one.text.removeprefix("settings: tests: ") for one in weakened_suites(was, now, asked=asked)])
        != told
    }
    assert wrong == {}


def test_a_rule_that_no_suite_proves_any_more_is_told() -> None:
    def state(**more: str) -> RuleState:
        check = Check(kind="guard", template="require-before", parameters={"before_commands": ["git commit"], **more})
        return RuleState(rule=replace(RULE, checks=(check,), invalid=()), acts="block")

    was = state(proved_by="unit")
    assert _told(state(), was) == ["require-before: proved_by is nothing that rulec runs, not unit"]
    assert _told(state(proved_by="lint"), was) == ["require-before: proved_by is lint, not unit"]
    assert _told(was, was) == _told(was, state()) == []


def _exception(until: str, *paths: str) -> DatedException:
    return DatedException(slug="a", until=until, reason="why", paths=paths, source="f")


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ((), ("2099-01-01", "a/**"), ["a is excepted in a/** until 2099-01-01 (why)"]),
        (("2099-01-01", "a/**"), ("2099-01-01", "a/**"), []),
        (("2099-01-01", "a/**"), ("2098-01-01", "a/**"), []),
        (
            ("2099-01-01", "a/**"),
            ("2099-02-01", "a/**"),
            ["a is excepted in a/** until 2099-02-01, not 2099-01-01 (why)"],
        ),
        (("2099-01-01", "a/**", "b/**"), ("2099-01-01", "a/**"), []),
        (("2099-01-01",), ("2099-01-01", "a/**"), []),
        (("2099-01-01", "a/**"), ("2099-01-01",), ["a is excepted in everywhere until 2099-01-01 (why)"]),
    ],
)
def test_exceptions_that_are_new_wider_or_longer_are_told(
    was: tuple[str, ...], now: tuple[str, ...], told: list[str]
) -> None:
    before = [_exception(*was)] if was else []
    assert [one.text for one in weakened_settings(Config(), Config(), before, [_exception(*now)])] == told


JUDGE = Check(kind="judge", template="judge", parameters={"of": "diff", "asks": "A name of one letter."})


def test_what_a_judge_is_asked_may_not_be_turned_unseen() -> None:
    was = RuleState(rule=replace(RULE, statement="Names are words.", checks=(JUDGE,), invalid=()), acts="block")

    def told(acts: str = "block", **changed: object) -> list[str]:
        return _told(replace(was, acts=acts, rule=replace(was.rule, **changed)), was)  # type: ignore[arg-type]  # any field

    def asks(**given: str) -> tuple[Check, ...]:
        return (replace(JUDGE, parameters=given),)

    assert told() == []
    assert told("warn") == ["block -> warn"]  # its measure is gone
    assert told(checks=()) == ["loses its check judge judge"]
    assert told(checks=asks(of="diff", asks="Nothing.")) == ["asks its judge otherwise (asks)"]
    assert told(checks=asks(of="diff")) == ["asks its judge otherwise (asks)"]
    assert told(checks=asks(of="message", asks="A name of one letter.")) == ["asks its judge otherwise (of)"]
    assert told(statement="Anything goes.") == ["says `Anything goes.`, not `Names are words.`"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({}, []),
        ({"statement": "Errors say what to do."}, ["superseded by other (it warned)"]),
        ({"when": "in new files"}, ["superseded by other (it warned)"]),
        ({"do": "leave it"}, ["superseded by other (it warned)"]),
        ({"exceptions": (EXCEPT,)}, ["superseded by other (it warned)"]),
    ],
)
def test_a_judge_of_other_words_takes_no_judges_place_unseen(words: dict[str, object], told: list[str]) -> None:
    was = RuleState(rule=replace(RULE, statement="Names are words.", checks=(JUDGE,), invalid=()), acts="warn")
    heir = replace(was, rule=replace(was.rule, slug="other", **words))  # type: ignore[arg-type]  # any field of a rule
    assert _told(None, was, replace(was.rule, superseded_by="other"), other=heir) == told


@pytest.mark.parametrize("checks", [(), (JUDGE,)])
def test_a_rule_that_no_machine_checks_is_held_to_what_it_says(checks: tuple[Check, ...]) -> None:
    words = replace(RULE, statement="Explain it in plain words.", do="use short sentences", checks=checks, invalid=())

    def told(**changed: str) -> list[str]:
        return _told(RuleState(rule=replace(words, **changed)), RuleState(rule=words))  # type: ignore[arg-type]  # any field

    assert told(statement="Never explain anything.")
    assert told(statement="Say what you like.")
    assert told(do="never use short sentences")
    assert told(when="the moon is full") == ["holds only when `the moon is full`"]
    assert told(statement="Explain it in plain, short words.", do="use short sentences, and few") == []


def test_exceptions_that_a_rule_takes_with_a_former_name_are_told() -> None:
    was, now = RuleState(rule=RULE, acts="block"), _now(formerly=("no-yarn",))
    other = RuleState(rule=replace(RULE, slug="no-yarn"), acts="block")
    told = ["use-pnpm: was formerly no-yarn, whose exceptions become its own"]

    def taken(before: dict[str, RuleState], excepted: tuple[str, ...] = ()) -> list[str]:
        return [one.text for one in taken_exceptions(before, {"use-pnpm": now}, excepted)]

    assert taken({"use-pnpm": was, "no-yarn": other}, ("no-yarn",)) == told
    assert taken({"use-pnpm": was, "no-yarn": other}) == []  # a merge of which nothing is excepted
    assert taken({"use-pnpm": was}) == told  # exceptions beside the code may name it still
    assert taken({}, ("no-yarn",)) == told
    assert taken({"use-pnpm": now}, ("no-yarn",)) == []


def test_a_rule_that_holds_less_long_is_told() -> None:
    long, short = "2026-12-01T00:00:00Z", "2026-11-01T00:00:00Z"
    was = RuleState(rule=RULE, acts="block", until=long)
    assert _told(replace(was, until=short), was) == ["holds until 2026-11-01 00:00 UTC, not 2026-12-01 00:00 UTC"]
    assert _told(was, replace(was, until=short)) == []
    assert _told(replace(was, until=short, held=False), was) == ["its evidence does not carry it any longer"]
    assert _told(replace(was, until=short), replace(was, held=False)) == []  # it did not hold then either

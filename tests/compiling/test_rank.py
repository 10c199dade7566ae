"""All rules -> the few worth saying: filtered, ordered, within the limits, and nothing dropped in silence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Check, Rule, Scope
from rulec.guard.precedence import timestamp
from rulec.reminders import selection


def rule(slug, statement="", *, at="", confidence=0.8, layer="team", **more):
    scope = Scope(**{key: tuple(more.pop(key)) for key in Scope.__dataclass_fields__ if key in more})
    made = Rule(slug=slug, statement=statement or f"Mind {slug}.", scope=scope, layer=layer, **more)
    return {**rule_record(made), "at": at, "confidence": confidence}


def rank_for_task(rules, **asked):
    return selection.rank_rules(rules, selection.Audience(**asked))


def slugs(said):
    return [one["slug"] for one in said.rules]


def reasons(said):
    return {slug: because for slug, _, because in said.dropped}


PNPM = rule(
    "use-pnpm",
    "Use pnpm, never npm.",
    severity="must",
    when="installing packages",
    do="run `pnpm add NAME`",
    checks=[Check(kind="guard", template="forbid-command", parameters={"commands": ["npm", "yarn"]})],
)


def test_each_line_begins_with_how_grave_it_is_and_ends_with_the_rules_name():
    said = rank_for_task([PNPM, rule("be-brief", severity="style"), rule("test-first")])
    assert said.text().splitlines() == [
        "Rules that the people of this repository have decided (rulec):",
        "MUST: Use pnpm, never npm. When: installing packages. (`use-pnpm`)",
        "  Do: run `pnpm add NAME`.",
        "SHOULD: Mind test-first. (`test-first`)",
        "STYLE: Mind be-brief. (`be-brief`)",
    ]
    assert not said.dropped


def test_of_nothing_nothing_is_said():
    assert rank_for_task([]).text() == ""
    assert rank_for_task([PNPM], max_tokens=0).text() == ""
    assert reasons(rank_for_task([PNPM], max_tokens=0)) == {"use-pnpm": "over 0 tokens"}


WEB = rule("web", include=["web/**"])
APPLIES = [
    ("web/app.ts", WEB, True), ("api/app.py", WEB, False), ("", WEB, True), ("web/", WEB, True), ("api/", WEB, False),
    ("web/deep/", WEB, True), ("web/", rule("x", include=["web/gen/*.ts"]), True),
    ("api/", rule("x", include=["*.ts"]), True),
    ("web/a.ts", rule("x", exclude=["web/"]), False), ("web/", rule("x", exclude=["web/**"]), False),
    ("api/a.py", rule("x", exclude=["web/"]), True),
]  # fmt: skip


@pytest.mark.parametrize(("path", "one", "applies"), APPLIES)
def test_a_path_leaves_out_what_is_for_other_places(path, one, applies):
    said = rank_for_task([one], path=path)
    assert bool(said.lines) == applies
    assert reasons(said) == ({} if applies else {one["slug"]: f"not for {path}"})


def test_who_asks_and_where_leaves_out_what_is_for_others():
    some = [rule("codex", agents=["codex"]), rule("ci", environments=["ci"]), rule("shop", projects=["acme/shop"]), WEB]
    said = rank_for_task(some, agent="claude-code", projects=["web", "acme/web"])
    assert slugs(said) == ["web"]
    assert reasons(said) == {"ci": "only in ci", "codex": "only for codex", "shop": "only for acme/shop"}
    assert slugs(rank_for_task(some, agent="codex", projects=["acme/shop"])) == ["shop", "codex", "web"]


NOW = timestamp("2026-11-21T00:00:00Z")


def test_tags_and_environments_leave_out_what_is_for_others_where_they_are_known():
    some = [rule("db", tags=["sql"]), rule("ui", tags=["web", "css"]), rule("ci", environments=["ci"]), rule("any")]
    assert slugs(rank_for_task(some)) == ["db", "ui", "any"]
    said = rank_for_task(some, tags=["css"])
    assert slugs(said) == ["ui", "any"]
    assert reasons(said) == {"db": "only for sql", "ci": "only in ci"}


def test_a_rule_that_has_not_mattered_for_two_years_is_left_out():
    some = [rule("old", at="2024-10-01T00:00:00Z"), rule("new", at="2026-11-20T00:00:00Z"), rule("timeless")]
    said = rank_for_task(some, now=NOW)
    assert slugs(said) == ["new", "timeless"]
    assert reasons(said) == {"old": "dormant: it last mattered on 2024-10-01"}
    assert slugs(rank_for_task(some[::2], now=NOW)) == ["timeless"], "what else there is has no part in it"
    assert slugs(rank_for_task(some, now=timestamp("2026-09-01"))) == ["new", "old", "timeless"]


ORDERS = [
    ({"path": "web/a.ts"}, rule("b", include=["web/**"]), rule("a")),
    ({"agent": "codex"}, rule("b", agents=["codex"]), rule("a")),
    ({}, rule("b", severity="must"), rule("a", include=["web/**"])),  # not known to be about web
    ({}, rule("b", at="2026-11-20T10:00:00Z"), rule("a", at="2026-11-19T10:00:00Z")),
    ({}, rule("b", at="2026-11-20T10:00:00Z"), rule("a")),
    ({}, rule("b"), rule("a", confidence=0.7)),
    ({}, rule("a"), rule("b")),
    ({}, rule("b"), rule("a", layer="extends base")),
    ({}, rule("b", layer="extends base"), rule("a", layer="personal")),
    ({}, rule("b"), rule("a", layer="personal", severity="must")),
    ({"path": "web/a.ts"}, rule("b", layer="personal", include=["web/**"]), rule("a")),
]


@pytest.mark.parametrize(("asked", "first", "second"), ORDERS)
def test_the_narrower_then_the_teams_the_graver_the_later_the_surer_goes_first(asked, first, second):
    for some in ([first, second], [second, first]):
        said = rank_for_task(some, max_rules=1, **asked)
        assert slugs(said) == [first["slug"]]
        assert reasons(said) == {second["slug"]: "over 1 rule"}


def test_of_two_books_rules_of_one_name_the_teams_stands():
    said = rank_for_task([rule("x", "Theirs.", layer="personal"), rule("x", "Ours.")])
    assert said.lines == ["SHOULD: Ours. (`x`)"]
    assert reasons(said) == {"x": "team has a rule of that name, which stands before it"}


def test_a_persons_own_rule_is_marked_as_theirs():
    assert rank_for_task([rule("x", "Be brief.", layer="personal")]).lines[0] == "SHOULD (personal): Be brief. (`x`)"


BOOK = [
    PNPM,
    rule("no-secrets", "Never commit a secret.", severity="must"),
    rule("changelog", "Name every change in the changelog.", when="releasing a version"),
    rule("short-tests", "Tests are short.", severity="style", include=["tests/**"], category="testing"),
    rule("plain-names", "Names are plain words."),
]
TASKS = {  # the turns: what the task has to do with, what every task must heed, the others, those for other moments
    "add left-pad with npm": ["use-pnpm", "no-secrets", "plain-names", "short-tests", "changelog"],
    "prepare the release of 2.0": ["changelog", "no-secrets", "plain-names", "short-tests", "use-pnpm"],
    "mend tests/parser_test.py": ["short-tests", "no-secrets", "plain-names", "use-pnpm", "changelog"],
    "say hello": ["no-secrets", "plain-names", "short-tests", "use-pnpm", "changelog"],
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_decides_about_the_turns_and_leaves_out_nothing_that_fits(task):
    said = rank_for_task(BOOK, task=task)
    assert [one.rule["slug"] for one in said.turns] == TASKS[task]
    assert (sorted(slugs(said)), said.dropped, said.unsaid) == (sorted(TASKS[task]), [], "")
    few = rank_for_task(BOOK, task=task, max_rules=2)
    assert sorted(slugs(few)) == sorted(TASKS[task][:2])
    assert all(slug in few.unsaid for slug in TASKS[task][2:])


def test_what_does_not_fit_is_named_in_one_line_as_far_as_there_is_room():
    assert rank_for_task(BOOK, max_rules=3).text().splitlines()[4:] == [
        "(left out: `plain-names`, `short-tests`; `rulec why NAME` tells one)"
    ]
    many = [rule(f"rule-{number:03}") for number in range(300)]
    said = rank_for_task(many)
    *_, last = said.text().splitlines()
    assert said.turns[len(said.lines)].rule["slug"] in last
    named = last.count("`rule-")
    assert f" and {300 - len(said.lines) - named} more; " in last
    assert named >= 20
    assert 1_200 < selection.count_tokens(said.text()) <= 1_500
    few = rank_for_task(many, max_tokens=60)
    assert few.unsaid == f"(left out: {300 - len(few.lines)}; see `rulec rules`)"
    assert few.lines


def test_fifty_short_rules_are_told_whole_and_with_what_to_do_instead_as_far_as_it_fits():
    book = [rule(f"rule-{number:02}", "Use this, never that.", do="run this") for number in range(50)]
    said = rank_for_task(book)
    assert (len(said.rules), said.unsaid) == (50, "")
    assert "\n  Do: run this." in said.text()
    assert selection.count_tokens(said.text()) <= selection.MOST_TOKENS


def test_a_bonus_raises_a_rule_that_is_not_of_every_task():
    asked = {"task": "say hello", "max_rules": 2}
    assert slugs(rank_for_task(BOOK, **asked, bonus={"short-tests": 0.1})) == ["no-secrets", "short-tests"]
    assert slugs(rank_for_task(BOOK, **asked, bonus={"short-tests": 0.1, "plain-names": 0.2})) == [
        "no-secrets",
        "plain-names",
    ]


TEXTS = st.text(alphabet="abc npm`-<é日🎉", min_size=1, max_size=80)
ANY = st.lists(
    st.builds(
        rule,
        slug=st.sampled_from([f"rule-{number}" for number in range(60)]),
        statement=TEXTS,
        severity=st.sampled_from(["must", "should", "style"]),
        when=st.sampled_from(["", "", "installing packages"]),
        do=st.sampled_from(["", "run `pnpm add NAME`", "x " * 60]),
        include=st.sampled_from([["**"], ["web/**"], ["*.py"]]),
        layer=st.sampled_from(["team", "team", "extends base", "personal"]),
        at=st.sampled_from(["", "2026-11-20T10:00:00Z", "2026-11-20T12:00:00+02:00", "2023-01-01", "now"]),
        confidence=st.sampled_from([0.5, 0.8]),
    ),
    max_size=60,
    unique_by=lambda rule: (rule["slug"], rule["layer"]),
)
ASKED = st.fixed_dictionaries(
    {}, optional={"path": st.sampled_from(["web/a.ts", "a.py", "web/"]), "task": st.sampled_from(["install npm", "c"])}
)


@given(ANY, ASKED, st.integers(0, 700), st.integers(0, 300))
def test_a_larger_budget_takes_no_line_away_and_none_is_ever_exceeded(some, asked, budget, more):
    said, wider = (
        rank_for_task(some, max_tokens=budget, **asked),
        rank_for_task(some, max_tokens=budget + more, **asked),
    )
    assert selection.count_tokens(said.text()) <= budget
    lines = [line for one in said.lines for line in one.splitlines()]
    assert set(lines) <= {line for one in wider.lines for line in one.splitlines()}


@given(ANY, ASKED, st.randoms(use_true_random=False))
def test_whatever_the_order_of_the_rules_the_same_is_said_of_each_of_them(some, asked, random):
    shuffled = sorted(some, key=lambda _: random.random())
    said, same = rank_for_task(some, **asked), rank_for_task(shuffled, **asked)
    assert (said.text(), said.dropped) == (same.text(), same.dropped)
    assert len(said.lines) + len(said.dropped) == len(some)
    assert len(set(slugs(said))) == len(said.lines)

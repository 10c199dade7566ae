"""Which rules come to a step, at which level, and what they want first."""

import time
from dataclasses import asdict, replace
from typing import Any

from evaluation.bench import plans
from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Check, Rule, Scope
from rulec.reminders.rule_records import parse_record
from rulec.steps.step import Plan, PlanItem, Step
from rulec.steps.step_ids import steps_of_items
from rulec.steps.step_rules import (
    MOST,
    StepRuleRanking,
    always_rules,
    attach_rules,
    rules_by_step,
    rules_for_step,
    substeps_for,
)

SETS = ("src/**",)
RULES = [
    Rule(slug="use-pnpm", statement="Use pnpm, never npm or yarn.", category="tooling",
         checks=(Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]}),)),
    Rule(slug="pin-versions", statement="Pin exact versions.", when="adding a dependency"),
    Rule(slug="no-mocks", statement="Tests use no mocks.", category="testing", scope=Scope(include=("tests/**",))),
    Rule(slug="log-not-print", statement="Use the logger, never print.", category="code-style",
         scope=Scope(include=SETS, exclude=("src/cli/**",))),
    Rule(slug="tests-before-commit", statement="Run `pytest -q` before every commit."),
    Rule(slug="backup-first", statement="Back up a table before you rewrite it.", when="changing stored data"),
    Rule(slug="ask-before-deploy", statement="Never deploy without asking.", severity="must"),
    Rule(slug="docs-british", statement="Write British English.", category="docs"),
    Rule(slug="answer-short", statement="Answer in three sentences.", category="communication"),
    Rule(slug="only-codex", statement="Mocks are welcome in tests.", scope=Scope(agents=("codex",))),
    Rule(slug="rust-names", statement="Rust modules have short names.", category="code-style"),
]  # fmt: skip
STEPS: "dict[str, tuple[list[str], set[str]]]" = {
    "Add a charting library": ([], {"use-pnpm", "pin-versions"}),
    "Write tests for the parser": ([], {"no-mocks"}),
    "Cover the edge cases in tests/test_parser.py": (["tests/test_parser.py"], {"no-mocks"}),
    "Add the parser to src/parser.py": (["src/parser.py"], {"log-not-print"}),
    "Print the version in src/cli/version.py": (["src/cli/version.py"], set()),
    "Log each call in docs/example.py": (["docs/example.py"], {"docs-british"}),
    "Commit the work": ([], {"tests-before-commit"}),
    "Update the manual": ([], {"docs-british"}),
    "Roll out to staging": ([], {"ask-before-deploy"}),
    "Run the test suite": ([], set()),
    "Make it nicer": ([], set()),
    "": ([], set()),
    "\x00\ud800 \u202e ???": ([], set()),
}


def _records(rules: "list[Rule]" = RULES) -> "list[dict[str, Any]]":
    return [rule_record(rule) for rule in rules]


def _step(text: str, *paths: str) -> Step:
    step = steps_of_items([PlanItem(text)])[0]
    step.paths = [*paths]
    return step


def test_paths_words_and_kinds_of_work_lead_to_rules() -> None:
    found = {
        text: {slug for slug, _ in rules_for_step(_records(), text, paths, agent="claude-code")}
        for text, (paths, _) in STEPS.items()
    }
    assert found == {text: wanted for text, (_, wanted) in STEPS.items()}


def test_what_a_scope_excludes_never_comes_however_much_the_words_agree() -> None:
    told = Rule(slug="api-names", statement="Endpoints in the api are named by nouns.", when="adding api endpoints",
                scope=Scope(include=("src/api/**/*.py",), exclude=("src/api/old/**",)))  # fmt: skip
    text = "Name the api endpoints by nouns when adding api endpoints"
    excluded = ["src/web/a.py", "src/api/old/a.py", "README.md", "src/api/a.ts", "docs/", "src/web/**/*.py", "a.py"]
    excluded += ["src/api/**/*.ts", "src/api/old"]
    held = ["src/api/a.py", "src/api/", "src/api/**/*.py", "src/api", "src/**/*.py", "src/api/v1/"]
    found = {path: bool(rules_for_step(_records([told]), text, [path])) for path in [*excluded, *held]}
    assert found == dict.fromkeys(excluded, False) | dict.fromkeys(held, True)
    assert rules_for_step(_records([told]), text, ["README.md", "src/api/a.py"])
    assert rules_for_step(_records([told]), text)


def test_rules_for_other_agents_and_projects_never_come() -> None:
    rule = Rule(slug="no-mocks", statement="Tests use no mocks.", category="testing",
                scope=Scope(agents=("codex",), projects=("shop",)))  # fmt: skip
    asked = [("codex", ["shop"], 1), ("claude-code", ["shop"], 0), ("codex", ["bank"], 0), ("", [], 1)]
    for agent, projects, many in asked:
        found = rules_for_step(_records([rule]), "Write tests without mocks", agent=agent, projects=projects)
        assert len(found) == many, (agent, projects)


def test_rules_of_every_step_are_said_once_above() -> None:
    steps = [_step("Add the parser to src/parser.py", "src/parser.py"), _step("Update the manual")]
    above = always_rules(_records(), steps, agent="claude-code")
    assert above == [("answer-short", "remind")]
    deploying = [*steps, _step("Deploy it")]
    found = rules_by_step(StepRuleRanking(_records(), deploying, agent="claude-code"), deploying)
    assert found.always == [("answer-short", "remind")]
    assert found.by_step[2] == [("ask-before-deploy", "strict")]
    assert found.substeps == [[], [], [("ask-before-deploy", "Ask before you deploy")]]


def test_a_rule_of_every_step_whose_scope_excludes_one_stands_at_the_others() -> None:
    rule = Rule(slug="no-generated", statement="Edit what was asked.", severity="must", category="scope",
                scope=Scope(exclude=("tools/**",)))  # fmt: skip
    steps = [_step("Tidy src/a.py", "src/a.py"), _step("Tidy tools/a.py", "tools/a.py"), _step("Think")]
    found = rules_by_step(StepRuleRanking(_records([rule]), steps), steps)
    assert [found.always, *found.by_step] == [[], [("no-generated", "strict")], [], []]
    assert rules_by_step(StepRuleRanking(_records([rule]), steps[2:]), steps[2:]).always == [("no-generated", "remind")]


def test_a_rule_to_which_no_step_leads_needs_a_proof_where_it_is_checked_or_people_say_so() -> None:
    plain = Rule(slug="small-bricks", statement="Small bricks only.", severity="must", category="scope")
    guard = Check(kind="guard", template="forbid-command", parameters={"commands": ["x"]})
    judge = Check(kind="judge", template="judge", parameters={})
    wanted = {
        "remind": [plain, replace(plain, checks=(judge,)), replace(plain, level="remind", checks=(guard,))],
        "strict": [replace(plain, checks=(guard,)), replace(plain, level="strict")],
        "testable": [replace(plain, level="testable")],
    }
    steps = [_step("Paint the shed"), _step("Mow the lawn")]
    found = {
        level: [rules_by_step(StepRuleRanking(_records([rule]), steps), steps).always for rule in rules]
        for level, rules in wanted.items()
    }
    assert found == {level: [[("small-bricks", level)]] * len(rules) for level, rules in wanted.items()}


def test_a_rule_that_no_check_sees_needs_a_proof_where_the_plan_names_it_or_its_scope_leads_there() -> None:
    plain = Rule(slug="small-bricks", statement="Small bricks only.", severity="must", category="code-style")
    guard = Check(kind="guard", template="forbid-command", parameters={"commands": ["x"]})
    plain = replace(plain, when="laying bricks")
    cases = {
        "remind": [(plain, "Lay small bricks")],
        "strict": [
            (plain, "Lay small bricks (rule small-bricks)"),
            (replace(plain, checks=(guard,)), "Lay small bricks"),
            (replace(plain, level="strict"), "Lay small bricks"),
            (replace(plain, scope=Scope(include=("yard/**",))), "Lay small bricks in yard/wall.py"),
        ],
    }
    for level, pairs in cases.items():
        for rule, text in pairs:
            plan = Plan("s")
            plan.steps = steps_of_items([PlanItem(text), PlanItem("Mow the lawn")])
            assert attach_rules(plan, _records([rule])).steps[0].rules == [["small-bricks", level]], text


def test_a_rule_to_which_most_steps_lead_is_said_once_above() -> None:
    steps = [_step(f"Add a {name} library") for name in ("charting", "mail", "search", "queue")]
    found = rules_by_step(StepRuleRanking(_records(), steps), steps)
    assert {"use-pnpm", "pin-versions"} <= {slug for slug, _ in found.always}
    assert not any(found.by_step)


def test_no_more_than_ten_rules_at_a_step_and_ten_above() -> None:
    alike = [Rule(slug=f"mocks-{n}", statement=f"Tests use no mocks {n}.", category="testing") for n in range(30)]
    every = [Rule(slug=f"say-{n}", statement=f"Say {n}.", category="communication") for n in range(30)]
    plan = Plan("s")
    plan.steps = [_step("Write tests without mocks"), _step("Paint the shed")]
    attach_rules(plan, _records([*alike, *every]))
    assert [len(plan.always), len(plan.steps[0].rules), len(plan.steps[1].rules)] == [MOST, MOST, 0]


def test_levels_are_those_of_the_rules() -> None:
    rules = [
        Rule(slug="a", statement="Mind the queue.", severity="must"),
        Rule(slug="b", statement="Mind the queue.", severity="must", enforcement="audit"),
        Rule(slug="c", statement="Mind the queue.", level="testable"),
        Rule(slug="d", statement="Mind the queue."),
    ]
    named = [Rule(**{**asdict(rule), "scope": Scope(include=("src/queue/**",))}) for rule in rules]
    found = dict(rules_for_step(_records(named), "Mend src/queue/a.py", ["src/queue/a.py"]))
    assert found == {"a": "strict", "b": "remind", "c": "testable", "d": "remind"}


def test_substeps_are_what_rules_want_first() -> None:
    orders = {
        "Back up a table before you rewrite it.": ["Back up a table"],
        "Before you deploy, tell the people on call.": ["Tell the people on call"],
        "Ask before you add a dependency.": ["Ask before you add a dependency"],
        "Never deploy without asking.": ["Ask before you deploy"],
        "Run jobs with --dry-run first.": ["Run jobs with --dry-run"],
        "Never push before the tests are green.": [],
        "Use pnpm, never npm.": [],
    }
    found = {text: substeps_for(_step("x"), [rule_record(Rule(slug="a", statement=text))]) for text in orders}
    assert found == orders
    rule = rule_record(Rule(slug="a", statement="Back up a table before you rewrite it."))
    assert substeps_for(_step("Back up a table, then rewrite it"), [rule]) == []


def test_cases_in_view_stay_what_they_are() -> None:
    tally = plans.attach(plans.IN_VIEW)
    assert len(tally.right) >= 130, tally.told()
    assert len(tally.wrong) <= 35, tally.told()
    assert not tally.excluded


def test_fifty_steps_and_a_thousand_rules_take_no_noticeable_time() -> None:
    rules = [Rule(slug=f"rule-{n}", statement=f"Mind topic{n % 400} in place{n}.", category="code-style",
                  scope=Scope(include=(f"src/p{n % 90}/**",) if n % 2 else ("**",))) for n in range(1000)]  # fmt: skip
    records = _records(rules)
    steps = [_step(f"Add topic{n} to src/p{n}/a.py and tests", f"src/p{n}/a.py") for n in range(50)]
    start = time.process_time()
    rules_by_step(StepRuleRanking(records, steps), steps)
    assert time.process_time() - start < 1.0  # evaluation/bench/plans.py measures it; this only sees what went wild


def test_checks_say_what_comes_first() -> None:
    given: dict[str, dict[str, Any]] = {
        "require-before": {"first_commands": ["pytest -q"], "first_reads": ["same"], "before_commands": ["git commit"]},
        "ask-before": {"packages": ["*"], "commands": ("git push",)},
        "require-companion": {"when": ["@code"], "needs": ["@tests", "{NEWS.md,docs/news.md}"]},
    }
    checks = tuple(Check(kind="guard", template=name, parameters=values) for name, values in given.items())
    record = rule_record(Rule(slug="a", statement="X before Y.", checks=checks))
    read = parse_record({"rule": record})
    assert read is not None
    assert substeps_for(_step("Run `pytest -q`, then commit"), [read]) == [
        "Read the file",
        "Ask the person before `git push`",
        "Ask the person before adding a new package",
        "Change a test in the same commit",
        "Change NEWS.md or docs/news.md in the same commit",
    ]

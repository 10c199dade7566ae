"""How well rules come to the steps of plans, and how many labelled plans are read as people read them.

``bench plans [FOLDER]`` plays the cases in FOLDER/*.jsonl offline and prints precision and recall over
pairs of step and rule; then of how many labelled plans the number of steps is right.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulec.compiling.agent_briefing import rule_record
from rulec.domain.rule import Rule, Scope
from rulec.plans.plan import Plan, PlanItem
from rulec.plans.step_ids import steps_of_items
from rulec.plans.step_rules import attach_rules
from rulec.plans.texts.plan_text import read_plan
from rulec.reminders.rule_records import ranked_record
from tests.support.plans import labelled_plans

IN_VIEW = Path(__file__).parents[1] / "cases" / "attach"


def cases_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The cases of every file."""
    for path in sorted(folder.glob("*.jsonl")):
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def record_of(one: dict[str, Any]) -> dict[str, Any]:
    """A rule of a case as steps see it."""
    scope = one.get("scope") or {}
    scope = {"include": scope} if isinstance(scope, list) else scope
    bounds = {key: tuple(scope[key]) for key in ("include", "exclude", "agents", "projects") if scope.get(key)}
    told = {key: one[key] for key in ("slug", "statement", "severity", "when", "do", "category") if one.get(key)}
    return ranked_record(rule_record(Rule(**told, scope=Scope(**bounds))), [])


def pairs_of(case: dict[str, Any]) -> tuple[set[tuple[int, str]], set[tuple[int, str]]]:
    """The pairs of step and rule that are labelled, and those that rulec finds."""
    plan = Plan("s")
    plan.steps = steps_of_items([PlanItem(text) for text in case["steps"]])
    labelled = {(int(number), slug) for number, slugs in case["labels"].items() for slug in slugs}
    attach_rules(plan, [record_of(one) for one in case["rules"]])
    return labelled, {(at, slug) for at, step in enumerate(plan.steps) for slug, _ in step.rules}


def main() -> None:
    """Print the figures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IN_VIEW
    right = wrong = missed = 0
    for case in cases_in(folder):
        labelled, found = pairs_of(case)
        right, wrong = right + len(labelled & found), wrong + len(found - labelled)
        missed += len(labelled - found)
    print(f"rules: precision {right / max(1, right + wrong):.2f}, recall {right / max(1, right + missed):.2f}")
    plans = [(label["steps"], len(read_plan(text))) for label, text in labelled_plans()]
    print(f"labelled plans: the steps of {sum(one == other for one, other in plans)} of {len(plans)} are counted right")


if __name__ == "__main__":
    main()

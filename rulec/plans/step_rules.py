"""Which rules a step of a plan has to heed, and at which level (ZORO, Enrich).

A rule comes to a step that names it, that names a path of its scope, or that names something by which the rule can be
called, such as a program of its check. What the scope of a rule excludes never comes. A model, where one is asked,
chooses better: by meaning.
"""

from __future__ import annotations

import re

from rulec.domain.enforcement import SEVERITIES
from rulec.domain.files import globs
from rulec.plans.plan import Plan, names_rule
from rulec.plans.step_ids import steps_of_items
from rulec.plans.texts.plan_text import read_plan
from rulec.plans.texts.step_names import rule_line
from rulec.reminders import selection
from rulec.reminders.naming import names_of
from rulec.reminders.rule_records import level_at_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from rulec.plans.plan import Step


MOST = 10  # rules of one step (ZORO, Enrich)
EVERYTHING = "**"
SHORTEST = 3  # letters of a name by which a rule is called
_WILD = re.compile(r"\*+|\?|\[[^\]]*\]")
_NAME = re.compile(r"@?[^\W_](?:[\w.@/:-]*\w)?")
BY_NAME, BY_PATH, BY_WORD = range(3)  # what brings a rule, the surest first


class RulesOfSteps:
    """The rules that hold for an agent and a repository, as the steps of a plan need them."""

    def __init__(self, records: list[dict[str, Any]], *, agent: str = "", projects: Sequence[str] = ()) -> None:
        audience = selection.Audience(agent=agent, projects=projects)
        self.rules = {rule["slug"]: rule for rule in selection.applicable_rules(records, audience)}
        self._names = {slug: names_of(rule) - {slug} for slug, rule in self.rules.items()}

    def of_step(self, plan: Plan, step: Step) -> list[list[str]]:
        """The rules of one step with their levels, the surest first."""
        called = {name.lower() for name in _NAME.findall(step.text) if len(name) >= SHORTEST}
        found = []
        for slug, rule in self.rules.items():
            if not self.may_hold(slug, step):
                continue
            named = names_rule(plan, step, slug)
            narrow = not _is_wide(rule["scope"])
            if named or (narrow and step.paths) or called.intersection(self._names[slug]):
                by = BY_NAME if named else BY_PATH if narrow and step.paths else BY_WORD
                found.append((by, SEVERITIES.index(selection.severity_of(rule)), slug))
        return [self.pair(plan, step, slug) for _, _, slug in sorted(found)[:MOST]]

    def pair(self, plan: Plan, step: Step, slug: str) -> list[str]:
        """A rule at a step, with its level there."""
        return [slug, level_at_step(self.rules[slug], named=names_rule(plan, step, slug))]

    def lines(self, step: Step) -> list[str]:
        """The lines that name a step's rules in a plan's text, which then names them itself."""
        rules = [self.rules[slug] for slug, _ in step.rules]
        return [rule_line(rule["slug"], level_at_step(rule, named=True), rule["says"]) for rule in rules]

    def may_hold(self, slug: str, step: Step) -> bool:
        """Whether the rule's scope lets it hold at the step; one that names no path may be about any."""
        scope = self.rules[slug]["scope"]
        return not step.paths or any(_concerns(scope, path) for path in step.paths)


def plan_of_text(text: str, agent: str = "") -> Plan:
    """A plan with the steps of a text, as an agent would carry it out."""
    plan = Plan("", agent)
    plan.steps = steps_of_items(read_plan(text))
    return plan


def attach_rules(
    plan: Plan, records: list[dict[str, Any]], *, agent: str = "", projects: Sequence[str] = ()
) -> RulesOfSteps:
    """Give each step of the plan its rules; returns these."""
    rules = RulesOfSteps(records, agent=agent, projects=projects)
    for step in plan.steps:
        step.rules = rules.of_step(plan, step)
    return rules


def _is_wide(scope: Mapping[str, Any]) -> bool:
    return EVERYTHING in (scope.get("include") or (EVERYTHING,))


def _concerns(scope: dict[str, Any], path: str) -> bool:
    """Whether a scope holds a path, something in a folder, or something that a glob may mean."""
    if path.startswith(globs.OUTSIDE_PREFIXES):
        return False
    wild = _WILD.search(path)
    if wild:
        folder = globs.literal_folder(path)
        return selection.concerns_path(scope, _WILD.sub("x", path)) or (
            "." not in path.rpartition("/")[2] and selection.concerns_path(scope, f"{folder}/")
        )
    is_folder = path.endswith("/") or "." not in path.rpartition("/")[2]
    return selection.concerns_path(scope, path) or (
        is_folder and selection.concerns_path(scope, f"{path.rstrip('/')}/")
    )

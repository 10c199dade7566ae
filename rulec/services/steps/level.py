"""rulec level: a person sets which proof the steps of plans need that a rule was kept."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from rulec.domain.enforcement import PinnedLevel, level_at_steps, level_to_note
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import rulebook
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.steps.find_step import find_step
from rulec.steps.plan_store import update_plan
from rulec.steps.proofs import proof_store
from rulec.steps.step import Plan


def set_level(top: Path, slug: str, level: str, onto: ChangeTarget, *, because: str = "") -> Outcome:
    """Write the level into the rule's file, in one commit."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        if level == rule.level:
            return Outcome(f"{slug} is at {describe_level(rule)} already")
        new = replace(rule, level=cast("PinnedLevel", level), revision=rule.revision + 1)
        return rulebook_commit.commit_rule_change(
            top, onto, new, rulebook_commit.rule_files(top, onto, new),
            subject=f"Set the level of {slug} to {level}", decision=f"LEVEL {slug}",
            because=rulebook_commit.clean_reason(because) or f"a person changed it from {rule.level} to {level}",
            done=f"{slug} is at {describe_level(new)} now",
        )  # fmt: skip


def set_level_at_step(top: Path, slug: str, level: str, name: str, *, because: str = "") -> Outcome:
    """Note, signed and on this machine alone, the level that a person wants at one step of an open plan."""
    rule = rulebook.require_rule(rulebook_files.load_rulebook(top), slug)
    plan, step, number = find_step(top, name)
    decision = {"kind": "level", "session": plan.session, "step": step.id, "rule": slug, "level": level}
    decision["reason"] = rulebook_commit.clean_reason(because)
    if not proof_store.add_decision(str(top), decision):
        raise RulecError("could not be noted", where="git directory", hint="see whether it can be written to")
    shown = level_of_rule(rule) if level == "auto" else level

    def change(known: Plan) -> Plan:
        if here := known.step(step.id):
            others = [pair for pair in here.rules if pair[0] != slug]
            here.rules = [*others, [slug, shown]]
        return known

    update_plan(str(top), plan.session, change)
    return Outcome(f"{slug} is at {shown} in step {number}, {shorten(step.text)}")


def describe_level(rule: Rule) -> str:
    """The level as it is set and, where that is auto, what follows from it."""
    if rule.level != "auto":
        return rule.level
    return f"auto, which is {level_of_rule(rule)}"


def level_of_rule(rule: Rule) -> str:
    """The level of the rule at steps of which nobody said otherwise."""
    return level_at_steps(level_to_note(rule.level, rule.severity, rule.enforcement), rule.severity)

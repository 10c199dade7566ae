"""How well rules come to the steps of plans.

``bench plans attach FOLDER`` plays the cases in FOLDER/*.jsonl offline and prints precision and recall
over pairs of step and rule, the rules of every step among them, and how many pairs a scope excludes. ``attach FOLDER
ANSWERS`` scores the answers of a reader that lie in ANSWERS; ``questions FOLDER PLACE`` writes the questions for it, as
``rulec plan enrich --backend exchange`` does. Add ``-v`` to see each pair that is wrong. ``speed`` prints
how long 50 steps and 1,000 rules take.

``bench plans forms`` prints how many forms, labelled plans and reorderings give what they should.

``bench plans said FOLDER`` plays dialogues and prints in how many a person's word is bound to its
object as labelled.
"""

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evaluation.bench import _plan_forms, _said
from rulec.checks.template_library import open_library
from rulec.compiling.agent_briefing import rule_record
from rulec.domain.outcome import no_progress
from rulec.domain.prompt import AwaitedAnswer, ModelSettings, Prompt
from rulec.domain.rule import Rule, Scope
from rulec.llm.answer_schema import fit_to_schema
from rulec.llm.conversation import Conversation
from rulec.llm.exchange_folder import list_exchange
from rulec.llm.prompt_safety import clean_prompt
from rulec.reminders.rule_records import ranked_record
from rulec.services.steps.plan_questions import read_plan_answer, rules_asked_about, write_plan_prompt
from rulec.steps.forms.plan_text import read_plan
from rulec.steps.step import PlanItem, Step
from rulec.steps.step_details import details_of
from rulec.steps.step_ids import normalised, steps_of_items
from rulec.steps.step_rules import Attached, StepRuleRanking, rules_by_step

ABOVE = "always"
RENDER = open_library().render
IN_VIEW = Path(__file__).parents[1] / "cases" / "attach"  # cases by the author of the ranker, who tuned it on them


@dataclass
class Tally:
    """Pairs that were found, wrong and missed, and pairs that a scope excludes."""

    right: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    substeps: list[bool] = field(default_factory=list)

    def told(self) -> str:
        """The figures in one line."""
        precision = len(self.right) / max(1, len(self.right) + len(self.wrong))
        recall = len(self.right) / max(1, len(self.right) + len(self.missed))
        return (
            f"precision {precision:.2f}, recall {recall:.2f} over {len(self.right) + len(self.missed)} labelled pairs; "
            f"{len(self.excluded)} against a scope; substeps at {sum(self.substeps)} of {len(self.substeps)} steps"
        )


def cases_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The cases of every file."""
    for path in [folder] if folder.is_file() else sorted(folder.glob("*.jsonl")):
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def rules_of(case: dict[str, Any]) -> list[Rule]:
    """The rules of a case."""
    return [_rule(one) for one in case["rules"]]


def _rule(one: dict[str, Any]) -> Rule:
    scope = one.get("scope") or {}
    scope = {"include": scope} if isinstance(scope, list) else scope
    bounds = {key: tuple(scope[key]) for key in ("include", "exclude", "agents", "projects") if scope.get(key)}
    tags = tuple(dict.fromkeys([*(one.get("tags") or ()), *(scope.get("tags") or ())]))
    texts = {key: str(one.get(key) or "") for key in ("statement", "when", "do")}
    return Rule(
        slug=one["slug"], severity=one["severity"], category=one["category"], scope=Scope(**bounds, tags=tags), **texts
    )


def records_of(case: dict[str, Any]) -> list[dict[str, Any]]:
    """The records of its rules, as the hook has them."""
    return [ranked_record(rule_record(rule), ()) for rule in rules_of(case)]


def steps_of(case: dict[str, Any]) -> tuple[list[Step], tuple[str, list[str]]]:
    """The steps that are labelled, with the paths that they name, and what the plan says before and below them.

    They are what the plan's reader finds; one that it does not find is there by its text alone.
    """
    items = read_plan(case["plan"])[1]
    before, details = details_of(case["plan"], items)
    found = {normalised(step.text): (step, below) for step, below in zip(steps_of_items(items), details, strict=True)}
    alone = steps_of_items([PlanItem(text) for text in case["steps"]])
    both = [found.get(normalised(step.text), (step, "")) for step in alone]
    return [step for step, _ in both], (before, [below for _, below in both])


def score(case: dict[str, Any], got: Attached, tally: Tally) -> None:
    """Compare what came to the steps with the labels."""
    labelled = {(ABOVE, slug) for slug in case["always"]}
    labelled |= {(number, slug) for number, slugs in case["labels"].items() for slug in slugs}
    found = {(ABOVE, slug) for slug, _ in got.always}
    found |= {(str(number), slug) for number, slugs in enumerate(got.by_step) for slug, _ in slugs}
    excluded = {(number, slug) for number, slugs in case.get("excluded", {}).items() for slug in slugs}
    texts = {str(number): text for number, text in enumerate(case["steps"])} | {ABOVE: ABOVE}

    def lines(pairs: set[tuple[str, str]]) -> list[str]:
        return [f"{case['name']}: {slug} at {texts[number]}" for number, slug in sorted(pairs)]

    tally.right += lines(labelled & found)
    tally.wrong += lines(found - labelled)
    tally.missed += lines(labelled - found)
    tally.excluded += lines(found & excluded)
    tally.substeps += [bool(got.substeps[int(number)]) for number in case.get("substeps") or {}]


def attach(folder: Path) -> Tally:
    """Play the cases without a reader."""
    tally = Tally()
    for case in cases_in(folder):
        records, (steps, (_, details)) = records_of(case), steps_of(case)
        score(case, rules_by_step(StepRuleRanking(records, steps), steps, details), tally)
    return tally


def questions(folder: Path, place: Path) -> int:
    """Leave the question of each case in a folder, in the form of the exchange; how many wait there."""
    settings = ModelSettings(backend="exchange", folder=str(place.absolute()))
    chat = Conversation(None, settings, RENDER, lambda _: None, no_progress)
    replies = chat.ask([_prompt(case)[0] for case in cases_in(folder)])
    return sum(isinstance(reply, AwaitedAnswer) for reply in replies)


def answers(folder: Path, place: Path) -> Tally:
    """Score what a reader wrote into the folder of the questions; a case without an answer has no rules."""
    there = list_exchange(place).answers
    tally = Tally()
    for case in cases_in(folder):
        prompt, index, asked, steps = _prompt(case)
        path = there.get(clean_prompt(prompt).key)
        fits = fit_to_schema(json.loads(path.read_text("utf-8")), prompt.schema, whole=False) if path else None
        if fits is None or fits.misfit:
            sys.stderr.write(f"{case['name']}: no answer that fits\n")
            score(case, Attached([], [[] for _ in steps], [[] for _ in steps]), tally)
            continue
        score(case, read_plan_answer(fits.data, index, asked, steps).attached, tally)
    return tally


def _prompt(case: dict[str, Any]) -> tuple[Prompt, StepRuleRanking, list[int], list[Step]]:
    steps, said = steps_of(case)
    index = StepRuleRanking(records_of(case), steps)
    asked = rules_asked_about(index, steps)
    return write_plan_prompt(index, asked, steps, RENDER, said), index, asked, steps


def speed(rules: int = 1000, steps: int = 50) -> str:
    """How long one plan takes, by the processor's clock: rules and steps are those of the cases in view, varied."""
    cases = list(cases_in(IN_VIEW))
    known = [rule for case in cases for rule in rules_of(case)]
    texts = [text for case in cases for text in case["steps"]]
    records = []
    for number in range(rules):
        rule = known[number % len(known)]
        words = " ".join(f"topic{number * factor % 797}" for factor in (7, 11, 13))
        varied = replace(rule, slug=f"{rule.slug}-{number}", statement=f"{rule.statement} {words}")
        records.append(ranked_record(rule_record(varied), ()))
    plan = steps_of_items([PlanItem(f"{texts[n % len(texts)]} topic{n * 17 % 797} {n}") for n in range(steps)])
    taken = []
    for _ in range(5):
        start = time.process_time()
        rules_by_step(StepRuleRanking(records, plan), plan)
        taken.append(time.process_time() - start)
    return f"{steps} steps x {rules:,} rules: first {1000 * taken[0]:.0f} ms, then {1000 * min(taken):.0f} ms"


def main(arguments: list[str]) -> int:
    """Print what the arguments ask for."""
    verbose = "-v" in arguments
    match [one for one in arguments if one != "-v"]:
        case ["forms"]:
            sys.stdout.write("\n".join(_plan_forms.figures()) + "\n")
            return 0
        case ["said", folder]:
            sys.stdout.write("\n".join(_said.figures(Path(folder))) + "\n")
            return 0
        case ["attach", folder]:
            tally = attach(Path(folder))
        case ["attach", folder, place]:
            tally = answers(Path(folder), Path(place))
        case ["questions", folder, place]:
            sys.stdout.write(f"{questions(Path(folder), Path(place))} questions wait in {place}\n")
            return 0
        case ["speed"]:
            sys.stdout.write(f"{speed()}\n")
            return 0
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    if verbose:
        for name in ("wrong", "missed", "excluded"):
            for line in getattr(tally, name):
                sys.stdout.write(f"{name:8} {line}\n")
    sys.stdout.write(f"{tally.told()}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

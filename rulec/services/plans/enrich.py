"""rulec plan FILE: a plan's text in any form comes back with the rules of its steps (ZORO, Enrich)."""

import json
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checkout import personal_scope
from rulec.checks import template_library
from rulec.domain.outcome import Outcome, Progress, no_progress
from rulec.domain.prompt import AwaitedAnswer, DataBlock, ModelAnswer, Prompt
from rulec.domain.template import Render
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.infra.rulebooks import rulebook_files
from rulec.llm.conversation import Conversation
from rulec.llm.model_settings import choose_models
from rulec.plans.plan import Plan
from rulec.plans.step_ids import steps_of_items
from rulec.plans.step_rules import EVERYTHING, MOST, RulesOfSteps, attach_rules
from rulec.plans.texts.plan_text import read_plan, write_plan
from rulec.reminders.rule_text import one_line
from rulec.services.asking.doubtful_resolutions import close_conversation
from rulec.services.asking.exchange_run import dropped_line
from rulec.services.setup import snapshot

VERSION = 2
STEP = "plan"
MOST_RULES = 120  # of one question; more are left to rulec's own choice
MOST_ASKED = 100  # steps of one question; those beyond keep rulec's own choice
_TOKENS = (400, 60)  # of an answer: at least, and for each step
_NAMES = {"type": "array", "maxItems": 500, "items": {"type": "string"}}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["steps"],
    "properties": {
        "steps": {
            "type": "array",
            "maxItems": 1000,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["step", "rules"],
                "properties": {"step": {"type": "integer"}, "rules": _NAMES},
            },
        },
    },
}


def write_plan_prompt(rules: RulesOfSteps, plan: Plan, render: Render) -> Prompt:
    """One question about the steps of a plan, with the rules that may apply."""
    numbers = {step.id: number for number, step in enumerate(plan.steps, 1)}
    listed = [
        {"step": number, "text": step.text, "files": step.paths, "below": numbers.get(step.parent)}
        for number, step in enumerate(plan.steps[:MOST_ASKED], 1)
    ]
    plain = [{key: value for key, value in one.items() if value} for one in listed]
    least, each = _TOKENS
    return Prompt(
        step=STEP,
        version=VERSION,
        instructions=render("ask/plan.md.j2", {"most": MOST}),
        data=(
            DataBlock(name="plan", text=json.dumps(plain, ensure_ascii=False, indent=1), named=True),
            *(DataBlock(name="rule", text=_rule_text(rules.rules[slug])) for slug in asked_about(rules, plan)),
        ),
        schema=SCHEMA,
        most=least + each * len(listed),
    )


def asked_about(rules: RulesOfSteps, plan: Plan) -> list[str]:
    """The rules that a model is shown: those that rulec chose, then others that some step may need."""
    chosen = [slug for step in plan.steps for slug, _ in step.rules]
    others = [slug for slug in rules.rules if any(rules.may_hold(slug, step) for step in plan.steps)]
    return list(dict.fromkeys([*chosen, *others]))[:MOST_RULES]


def read_plan_answer(data: Mapping[str, Any], rules: RulesOfSteps, plan: Plan) -> tuple[str, ...]:
    """Give the steps the rules that a model chose; what did not count, in a line each.

    Names that were not asked about and what a scope excludes go.
    """
    known, dropped = set(asked_about(rules, plan)), list[str]()
    for step in plan.steps[:MOST_ASKED]:
        step.rules = []
    for one in data["steps"]:
        number = one["step"]
        if not 0 < number <= min(len(plan.steps), MOST_ASKED):
            dropped.append(f"there is no step {str(number)[:20]}")
            continue
        step = plan.steps[number - 1]
        for slug in dict.fromkeys(one["rules"]):
            if slug not in known:
                dropped.append(f"step {number}: no rule {redact(one_line(slug))[:80]!r} was asked about")
            elif not rules.may_hold(slug, step):
                dropped.append(f"step {number}: {slug} is not for its files")
            elif len(step.rules) < MOST:
                step.rules.append(rules.pair(plan, step, slug))
    return tuple(dropped)


def _rule_text(rule: Mapping[str, Any]) -> str:
    """A rule as JSON, in which no text can pretend to be another key; what says nothing is left out."""
    scope = rule.get("scope") or {}
    told = {
        "rule": rule["slug"],
        "statement": rule["says"],
        "do": rule.get("do"),
        "severity": rule.get("severity"),
        "for": [glob for glob in scope.get("include") or () if glob != EVERYTHING],
        "not for": scope.get("exclude"),
        "about": scope.get("tags"),
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False, indent=1)


LARGEST = 2_000_000  # bytes of a plan
OFFLINE = "rulec itself chose the rules, by scope and by what the steps name"
_NAME_ONE = "name the file of a plan"

Echo = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichRequest:
    """The plan's text, and who is asked about it."""

    text: str = ""
    name: str = "standard input"
    agent: str = ""  # who will carry the plan out; "" leaves out no rule
    backend: str = ""  # the model to ask; "" as the settings say
    progress: Progress = no_progress


@dataclass(frozen=True, slots=True)
class EnrichedPlan:
    """The text with the rules, its plan, and who chose them."""

    text: str
    plan: Plan
    chosen_by: str = ""  # a model; "" is rulec itself

    def data(self) -> dict[str, Any]:
        """What was chosen, as JSON."""
        steps = [{"id": step.id, "text": step.text, "rules": step.rules} for step in self.plan.steps]
        return {"steps": steps, "chosen_by": self.chosen_by}


def enrich_file(top: Path, path: Path, wanted: EnrichRequest, echo: Echo) -> Outcome:
    """Write the rules into a plan's file, in the form that it has."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise RulecError("is no file", where=str(path), hint=_NAME_ONE)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(path), hint=_NAME_ONE) from None
    found = enrich_plan(top, replace(wanted, text=decode_plan(data, str(path)), name=str(path)), echo)
    new = found.text.encode("utf-8")
    if new != data:
        text_files.write_atomically(path.resolve(), new, mode=stat.S_IMODE(mode))
    counts = [len(step.rules) for step in found.plan.steps]
    told = f"{sum(counts)} rule{'s' * (sum(counts) != 1)} at {sum(map(bool, counts))} of {len(counts)} steps"
    return Outcome(f"{path}: {told}" + (", unchanged" if new == data else ""), data=found.data())


def decode_plan(data: bytes, where: str) -> str:
    """The text of a plan; RulecError where it is none."""
    if len(data) > LARGEST:
        raise RulecError(f"is larger than {LARGEST:,} bytes", where=where, hint=_NAME_ONE)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=where, hint="save the plan as UTF-8") from None


def enrich_plan(top: Path, wanted: EnrichRequest, echo: Echo) -> EnrichedPlan:
    """The plan with the rules of its steps, in the form in which it came; who chose them is told by ``echo``."""
    plan = Plan("", wanted.agent)
    plan.steps = steps_of_items(read_plan(wanted.text))
    if not plan.steps:
        hint = "a list, numbered headings, or JSON that lists steps"
        raise RulecError("no step of a plan was found", where=wanted.name, hint=hint)
    records = snapshot.rule_records(top) if rulebook_files.has_rulebook(top) else []
    projects = personal_scope.repository_names(str(top))
    rules = attach_rules(plan, records, agent=wanted.agent, projects=projects)
    chosen_by = _ask_model(top, wanted, rules, plan, echo) if rules.rules else ""
    lines = {at: rules.lines(step) for at, step in enumerate(plan.steps)}
    return EnrichedPlan(write_plan(wanted.text, lines), plan, chosen_by)


def _ask_model(top: Path, wanted: EnrichRequest, rules: RulesOfSteps, plan: Plan, echo: Echo) -> str:
    """Let a configured model choose better; who did, "" where rulec's own choice stands, which is told."""
    models = choose_models(top, rulebook_files.load_rulebook(top), wanted.backend)
    chat = Conversation(top, models, template_library.open_library().render, echo, wanted.progress)
    if wanted.backend and (lacks := chat.lacks()):
        raise RulecError(f"{chat.who} cannot be asked: {lacks}")
    if chat.off:
        echo(f"{OFFLINE}: no model is configured (models.backend, or --backend NAME)")
        return ""
    (answer,) = chat.ask([write_plan_prompt(rules, plan, chat.render)])
    close_conversation(top, chat, echo)
    if isinstance(answer, AwaitedAnswer):
        echo(f"{OFFLINE}; for a model's choice answer {answer.place}, then run this again")
        return ""
    if not isinstance(answer, ModelAnswer):
        echo(f"{OFFLINE}: {answer.line}")
        return ""
    dropped = read_plan_answer(answer.data, rules, plan)
    if told := dropped_line(dropped):
        echo(told)
    return chat.who

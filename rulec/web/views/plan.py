"""Plan: the steps of agents' plans, how the rules of each are proved, what deviates, and what a person decides."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rulec.domain.enforcement import PINNED_LEVELS
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra import clock
from rulec.reports.followed_findings import in_words
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.steps import accept_risk as accepting
from rulec.services.steps import level as levels
from rulec.services.steps import watch
from rulec.services.steps.plan import SOURCES, foreign_line
from rulec.services.steps.save_plan import save_plan
from rulec.web import work
from rulec.web.rendering import render, render_when_known

NAV = (4, "/plan", "Plan")
Fields = Mapping[str, str]
# What each class of proof means, in the words of the documentation.
PROOFS = {
    "checked": "the rule's check ran on what was changed",
    "tested": "rulec ran a test that was red before and is green now",
    "said": "a person said so in this session",
    "judged": "a model quoted the change",
    "cited": "the agent's word alone",
}


async def plan(request: Request) -> Response:
    """The open plans as they stand now."""
    return await render_when_known(request, "web/plan.html.j2", "Plan", lambda: _facts(request))


async def _facts(request: Request, outcome: Outcome | None = None, *, local: bool = False) -> dict[str, Any]:
    """What the page shows, after a decision with what became of it."""
    found = await work.read(describe_plans, request.app.state.top)
    given = {"proofs": PROOFS, "sources": SOURCES, "levels": PINNED_LEVELS, "in_words": in_words}
    return {**found, **given, "text": outcome.text if outcome else "", "local": local, "refused": False}


def describe_plans(top: Path) -> dict[str, Any]:
    """What ``rulec watch`` shows, with the state of each rule that a person may decide about."""
    plans = watch.watch_once(top).data
    slugs = {rule["slug"] for one in plans for step in one["steps"] for rule in step["rules"]}
    slugs |= {rule["slug"] for one in plans for rule in one["always"]}
    return {
        "plans": plans,
        "states": {slug: rulebook_commit.rule_state(top, ChangeTarget(), slug) for slug in sorted(slugs)},
        "foreign": foreign_line(top),
        "today": clock.now()[:10],
        "latest": clock.days_ahead(accepting.MOST_DAYS)[:10],
    }


async def save(request: Request) -> Response:
    """The plan that was touched last as a Markdown task list, to keep as a file."""
    text = (await work.read(save_plan, request.app.state.top, "")).text
    head = {"Content-Disposition": 'attachment; filename="plan.md"'}
    return PlainTextResponse(text + "\n", media_type="text/markdown", headers=head)


async def act(request: Request) -> Response:
    """One decision of a person about a rule at a step, or at the steps of all plans."""
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    name = request.path_params["act"]
    outcome = await work.act(perform, request.app.state.top, name, form)
    local = name != "level" or form.get("where") != "all"
    facts = await _facts(request, outcome, local=local)
    return render(request, "web/plan_acted.html.j2", title="Plan", **facts)


def perform(top: Path, name: str, form: Fields) -> Outcome:
    """What the command of that name does; RulecError where the rule is not as the form says that it was."""
    if name not in ACTS:
        raise RulecError(f"there is no act {name!r}", hint=f"known are {', '.join(ACTS)}")
    slug, state = form.get("rule", ""), form.get("state", "")
    if not (slug and state):
        raise RulecError("the form does not say which rule it is about, and in which state", hint="load the page again")
    return ACTS[name](top, slug, ChangeTarget(seen=((slug, state),)), form)


def _level(top: Path, slug: str, onto: ChangeTarget, form: Fields) -> Outcome:
    level, because = form.get("level", ""), form.get("because", "")
    if level not in PINNED_LEVELS:
        raise RulecError(f"no level {level!r}", hint=f"known are {', '.join(PINNED_LEVELS)}")
    if form.get("where") == "all":
        return levels.set_level(top, slug, level, onto, because=because)
    rulebook_commit.require_as_seen(top, onto)
    return levels.set_level_at_step(top, slug, level, form.get("step", ""), because=because)


def _accept_risk(top: Path, slug: str, onto: ChangeTarget, form: Fields) -> Outcome:
    def confirm(_: str) -> bool:
        rulebook_commit.require_as_seen(top, onto)
        return True  # the form is the question, and sending it the answer

    step, reason, until = (form.get(name, "") for name in ("step", "reason", "until"))
    return accepting.accept_risk(top, step, slug, confirm, reason=reason, until=until)


ACTS: dict[str, Callable[[Path, str, ChangeTarget, Fields], Outcome]] = {
    "level": _level,
    "accept-risk": _accept_risk,
}
ROUTES = [
    Route("/plan", plan),
    Route("/plan/save", save),
    Route("/plan/acts/{act}", act, methods=["POST"]),
]

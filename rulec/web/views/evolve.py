"""Evolve: proposed revisions of rules with every verdict that turns, and a decision on just the one that was shown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.errors import RulecError
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.services.evolving import evolve as evolving
from rulec.services.evolving.decision import EvolveOptions, Proposed
from rulec.services.evolving.evolve import SeenChange
from rulec.services.evolving.revision import case_line
from rulec.web import work
from rulec.web.rendering import render, render_when_known

NAV = (5, "/evolve", "Evolve")
Fields = Mapping[str, str]
# A page that is only looked at must not spend a person's money.
OFFLINE = EvolveOptions(offline=True)
ANSWERS = {"accept": "accept", "reject": "reject", "try": "later"}


async def evolve(request: Request) -> Response:
    """The rules of which a revision can be decided on; each revision is searched for when its part is loaded."""

    async def facts() -> dict[str, Any]:
        return {"waiting": await work.read(waiting_cases, request.app.state.top)}

    return await render_when_known(request, "web/evolve.html.j2", "Evolve", facts)


def waiting_cases(top: Path) -> list[dict[str, Any]]:
    """Each rule that waits, with what is known about it in lines."""
    return [
        {"slug": one.rule.slug, "statement": one.rule.statement, "cases": [case_line(case) for case in one.cases]}
        for one in evolving.waiting_rules(top)
    ]


async def revision(request: Request) -> Response:
    """One proposed revision."""
    slug = _slug(request)
    card = await work.read(describe, request.app.state.top, slug)
    return render(request, "web/revision.html.j2", title=f"Evolve {slug}", slug=slug, card=card, seen={})


def describe(top: Path, slug: str) -> dict[str, Any] | None:
    """The revision of a rule as the page shows it; None where nothing about it waits."""
    one = evolving.show_change(top, slug, OFFLINE)
    return _card(one) if one else None


def _card(one: Proposed) -> dict[str, Any]:
    return {
        **one.data(),
        "digest": one.digest,
        "known": list(one.known()),
        "file": one.after or one.before,
        "told": one.told,
        "unasked": sum(not flip.wanted for flip in one.compared.flips),
    }


def _slug(request: Request) -> str:
    slug: str = request.path_params["slug"]
    if not SLUG_PATTERN.fullmatch(slug):
        raise HTTPException(404, f"No rule can be named {slug!r}.")
    return slug


async def act(request: Request) -> Response:
    """Accept, reject, or try a typed text, of just the revision that the form was made from."""
    slug, name = _slug(request), request.path_params["act"]
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    card, text = await work.act(perform, request.app.state.top, slug, name, form)
    if name == "try":
        seen = {"digest": form["digest"], "text": form["text"]}
        return render(request, "web/revision.html.j2", title=f"Evolve {slug}", slug=slug, card=card, seen=seen)
    told: dict[str, Any] = {"text": text, "local": name == "reject", "refused": False}
    return render(request, "web/revision_decided.html.j2", title=f"Evolve {slug}", slug=slug, answer=name, **told)


def perform(top: Path, slug: str, name: str, form: Fields) -> tuple[dict[str, Any], str]:
    """Carry the answer out; the card of the revision, and what became of it."""
    if name not in ANSWERS:
        raise RulecError(f"there is no act {name!r}", hint=f"known are {', '.join(ANSWERS)}")
    text = form.get("text", "").replace("\r\n", "\n")
    seen = SeenChange(name=slug, digest=form.get("digest", ""), text=text, edited=form.get("edited", ""))
    if not seen.digest or (name == "try" and not text.strip()):
        raise RulecError("the form does not say which revision it is about", hint="load the page again")
    made, written = evolving.decide_as_seen(top, seen, ANSWERS[name], OFFLINE)
    rejected = f"the revision of {slug} is rejected, and not proposed again until more is known"
    return _card(made), written if name == "accept" else rejected


ROUTES = [
    Route("/evolve", evolve),
    Route("/evolve/{slug}", revision),
    Route("/evolve/{slug}/{act}", act, methods=["POST"]),
]

"""The queue: what waits for a person, one card each, and their decisions; the same as ``rulec review`` decides."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.domain.enforcement import PINS
from rulec.errors import RulecError
from rulec.services.proposals import waiting_titles
from rulec.services.proposals.waiting_titles import WaitingTitle
from rulec.services.rules import review_one
from rulec.services.rules.review_one import CandidateCard, Choice
from rulec.web import work
from rulec.web.rendering import render, render_when_known

NAV = (3, "/queue", "Queue")
ON_A_PAGE = 50
_IDENTITY = re.compile(r"[0-9a-f]{16}(?:-[1-9][0-9]?)?")
_ANSWERS = ("accept", "reject", "later")
KEYS = (
    ("j", "the next one"),
    ("k", "the one before"),
    ("a", "accept it as its card shows it"),
    ("n", "show it as a new rule beside the one that it is like"),
    ("m", "show it as part of another rule; once more for the next one"),
    ("e", "edit it"),
    ("r", "reject it for good"),
    ("l", "leave it for later"),
    ("?", "show this list"),
)


async def warm(app: Starlette) -> None:
    """Read what waits, before anybody asks."""
    await work.read(waiting_titles.list_titles, app.state.top)


async def queue(request: Request) -> Response:
    """The titles of what waits, some on each page."""
    return await render_when_known(request, "web/queue.html.j2", "Queue", lambda: _listed(request))


async def count(request: Request) -> Response:
    """How many wait now."""
    found = await work.read(waiting_titles.list_titles, request.app.state.top)
    return render(request, "web/queue_count.html.j2", title="Queue", count=len(found.titles))


async def _listed(request: Request) -> dict[str, Any]:
    found = await work.read(waiting_titles.list_titles, request.app.state.top)
    pages = max(1, -(-len(found.titles) // ON_A_PAGE))
    given = request.query_params.get("page", "1")
    page = min(pages, max(1, int(given))) if given.isdecimal() and len(given) < 7 else 1
    first = (page - 1) * ON_A_PAGE
    slugs = {title.identity: title.slug for title in found.titles}
    return {
        "titles": found.titles[first : first + ON_A_PAGE],
        "slugs": slugs, "count": len(found.titles), "first": first, "page": page, "pages": pages, "keys": KEYS,
        "unreadable": found.unreadable,
    }  # fmt: skip


async def card(request: Request) -> Response:
    """One candidate with everything that a person needs to decide on it."""
    identity, choice = _identity(request), _choice(request.query_params)
    cards = await work.read(review_one.show_candidate, request.app.state.top, identity, choice)
    return render(request, "web/queue_card.html.j2", title=cards[0].slug, cards=cards, **_forms())


async def past(request: Request) -> Response:
    """What it would have refused in the last commits, and what it finds of what is there."""
    identity, choice = _identity(request), _choice(request.query_params)
    lines = await work.read(review_one.look_back, request.app.state.top, identity, choice)
    return render(request, "web/queue_past.html.j2", title="The last commits", lines=lines, identity=identity)


async def edit(request: Request) -> Response:
    """The candidate's rule as a file to edit."""
    (shown,) = await _cards(request, _choice(request.query_params))
    return render(request, "web/queue_edit.html.j2", title=f"Edit {shown.slug}", card=shown, **_forms())


async def trial(request: Request) -> Response:
    """The proof of an edited rule, or what is wrong with it; nothing is written."""
    identity, fields = _identity(request), await _fields(request)
    choice = _choice(fields)
    given: dict[str, Any] = {"card": None, "error": None}
    try:
        given["card"] = await work.read(
            review_one.try_edit, request.app.state.top, identity, fields.get("digest", ""), choice
        )
    except RulecError as error:
        given["error"] = error
    return render(request, "web/queue_trial.html.j2", title="The proof", identity=identity, **given)


async def decide(request: Request) -> Response:
    """Carry out a decision, and show what of it still waits."""
    identity, fields = _identity(request), await _fields(request)
    answer, top = fields.get("answer", ""), request.app.state.top
    if answer not in _ANSWERS:
        raise RulecError(f"{answer!r} is no decision", hint="accept, reject or later")
    outcome = await work.act(review_one.decide, top, identity, fields.get("digest", ""), answer, _choice(fields))
    data = outcome.data
    later = answer == "later"
    rest = await _titles(top, {*data["rest"], *(data["gone"] if later else ())})
    return render(
        request, "web/queue_decided.html.j2", title="Decided", text=outcome.text, local=not data.get("commit"),
        refused=False, rest=rest, later=later, gone=() if later else data["gone"], left=data["left"], slugs={},
    )  # fmt: skip


async def _titles(top: Path, identities: set[str]) -> list[WaitingTitle]:
    """The titles under which these candidates wait."""
    found = (await work.read(waiting_titles.list_titles, top)).titles if identities else ()
    return [title for title in found if not identities.isdisjoint(title.same)]


async def _cards(request: Request, choice: Choice) -> list[CandidateCard]:
    return await work.read(review_one.show_candidate, request.app.state.top, _identity(request), choice)


def _identity(request: Request) -> str:
    identity: str = request.path_params["identity"]
    if not _IDENTITY.fullmatch(identity):
        raise HTTPException(404, "No candidate has this name; the queue lists those that wait.")
    return identity


async def _fields(request: Request) -> Mapping[str, str]:
    """The texts of a form."""
    return {name: text for name, text in (await request.form()).items() if isinstance(text, str)}


def _choice(fields: Mapping[str, str]) -> Choice:
    """How the person wants the candidate taken."""
    manner, _, into = fields.get("taken", "").partition(":")
    pinned = fields.get("enforcement", "auto") or "auto"
    if manner not in ("", "new", "merge") or pinned not in PINS:
        raise RulecError("the page sent what it does not offer", hint="open the queue again")
    text = fields.get("text", "").replace("\r\n", "\n")  # as a browser sends the lines of a form
    return Choice(manner=cast("Any", manner), into=into, enforcement=cast("Any", pinned), text=text)


def _forms() -> dict[str, Any]:
    return {"pins": PINS}


ROUTES = [
    Route("/queue", queue),
    Route("/queue/count", count),
    Route("/queue/{identity}", card),
    Route("/queue/{identity}/past", past),
    Route("/queue/{identity}/edit", edit),
    Route("/queue/{identity}/try", trial, methods=["POST"]),
    Route("/queue/{identity}/decide", decide, methods=["POST"]),
]

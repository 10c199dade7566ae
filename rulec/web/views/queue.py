"""The queue: all that waits for a person, candidates and revisions, one card each, and their decisions on it."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.domain.enforcement import PINS
from rulec.errors import RulecError
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.services.evolving import evolve
from rulec.services.evolving.revision import case_line
from rulec.services.proposals.rule_conflicts import describe_witness
from rulec.services.proposals.waiting_candidates import QueueEntry, list_queue
from rulec.services.rules import review
from rulec.services.rules.review import Choice, WaitingCard
from rulec.web import work
from rulec.web.rendering import render

NAV = (1, "/queue", "Queue")
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
    ("r", "reject it"),
    ("l", "leave it for later"),
    ("?", "show this list"),
)


async def queue(request: Request) -> Response:
    """What waits, some on each page."""
    unreadable: list[str] = []
    entries = await work.read(list_queue, request.app.state.top, unreadable.append)
    pages = max(1, -(-len(entries) // ON_A_PAGE))
    given = request.query_params.get("page", "1")
    page = min(pages, max(1, int(given))) if given.isdecimal() and len(given) < 7 else 1
    first = (page - 1) * ON_A_PAGE
    return render(
        request, "web/queue.html.j2", title="Queue", entries=entries[first : first + ON_A_PAGE],
        count=len(entries), first=first, page=page, pages=pages, keys=KEYS, unreadable=unreadable,
    )  # fmt: skip


async def count(request: Request) -> Response:
    """How many wait now."""
    return render(request, "web/queue_count.html.j2", title="Queue", count=len(await _entries(request.app.state.top)))


async def _entries(top: Path) -> list[QueueEntry]:
    return await work.read(list_queue, top, lambda _: None)


async def card(request: Request) -> Response:
    """One candidate with everything that a person needs to decide on it."""
    cards = await _cards(request, _choice(request.query_params))
    return render(
        request, "web/queue_card.html.j2", title=cards[0].words, cards=cards, pins=PINS, witness=describe_witness
    )


async def past(request: Request) -> Response:
    """What it would have refused in the last commits, and what it finds of what is there."""
    identity, choice = _identity(request), _choice(request.query_params)
    lines = await work.read(review.look_back, request.app.state.top, identity, choice)
    return render(request, "web/queue_past.html.j2", title="The last commits", lines=lines, identity=identity)


async def edit(request: Request) -> Response:
    """The candidate's rule as a file to edit."""
    (shown,) = await _cards(request, _choice(request.query_params))
    return render(request, "web/queue_edit.html.j2", title="Edit", one=shown, where=shown.identity)


async def trial(request: Request) -> Response:
    """The proof of an edited rule, or what is wrong with it; nothing is written."""
    identity, fields = _identity(request), await _fields(request)
    given: dict[str, Any] = {"card": None, "error": None}
    asked = (request.app.state.top, identity, fields.get("token", ""), _choice(fields))
    try:
        given["card"] = (await work.read(review.try_edit, *asked)).card
    except RulecError as error:
        given["error"] = error
    return render(request, "web/queue_trial.html.j2", title="The proof", **given)


async def decide(request: Request) -> Response:
    """Carry out a decision, and show what of it still waits."""
    identity, fields, top = _identity(request), await _fields(request), request.app.state.top
    answer, choice = _answer(fields), _choice(fields)
    outcome = await work.act(review.decide_waiting, top, identity, fields.get("token", ""), answer, choice)
    data, later = outcome.data, answer == "later"
    wanted = {*data["rest"], *(data["gone"] if later else ())}
    rest = [entry for entry in await _entries(top) if entry.identities & wanted] if wanted else []
    return _decided(
        request, outcome.text, local=not data["commit"], rest=rest, later=later, gone=[] if later else data["gone"]
    )


def _decided(request: Request, text: str, *, local: bool, **rest: Any) -> Response:
    given = {"rest": [], "later": False, "gone": [], **rest}
    return render(request, "web/queue_decided.html.j2", title="Decided", text=text, local=local, refused=False, **given)


async def revisions(request: Request) -> Response:
    """The rules of which a revision can be decided on; each revision is searched for when its card is opened."""
    found = await work.read(evolve.waiting_rules, request.app.state.top)
    waiting = [(one.rule, list(map(case_line, one.cases))) for one in found]
    return render(request, "web/revisions.html.j2", title="Revisions", waiting=waiting)


async def revision(request: Request) -> Response:
    """One proposed revision, with every verdict that it turns."""
    slug = _slug(request)
    found = await work.read(evolve.show_revision, request.app.state.top, slug)
    return render(request, "web/revision.html.j2", title=f"A revision of {slug}", slug=slug, card=found)


async def edit_revision(request: Request) -> Response:
    """The revised rule as a file to edit."""
    slug = _slug(request)
    found = await work.read(evolve.show_revision, request.app.state.top, slug)
    if found is None:
        raise HTTPException(404, f"Nothing about {slug} waits for a decision any more.")
    one = WaitingCard(identity=f"revision-{slug}", choice=Choice(), token=found.token, words=slug, text=found.after)
    return render(request, "web/queue_edit.html.j2", title="Edit", one=one, where=f"revisions/{slug}")


async def try_revision(request: Request) -> Response:
    """What an edited revision turns, or what is wrong with it; nothing is written."""
    slug, fields = _slug(request), await _fields(request)
    given: dict[str, Any] = {"card": None, "error": None}
    asked = (request.app.state.top, slug, fields.get("token", ""), _typed(fields))
    try:
        given["card"] = await work.read(evolve.try_revision, *asked)
    except RulecError as error:
        given["error"] = error
    return render(request, "web/revision_trial.html.j2", title="The proof", slug=slug, **given)


async def decide_revision(request: Request) -> Response:
    """Accept or reject just the revision that was shown, or what a person typed in its place."""
    slug, fields = _slug(request), await _fields(request)
    answer = _answer(fields)
    asked = (request.app.state.top, slug, fields.get("token", ""), answer, _typed(fields))
    done = await work.act(evolve.decide_revision, *asked)
    text = done.outcome.text if answer == "accept" else f"the revision of {slug} is {done.outcome.text}"
    return _decided(request, text, local=answer != "accept")


async def _cards(request: Request, choice: Choice) -> list[WaitingCard]:
    return await work.read(review.show_waiting, request.app.state.top, _identity(request), choice)


def _identity(request: Request) -> str:
    identity: str = request.path_params["identity"]
    if not _IDENTITY.fullmatch(identity):
        raise HTTPException(404, "No candidate has this name; the queue lists those that wait.")
    return identity


def _slug(request: Request) -> str:
    slug: str = request.path_params["slug"]
    if not SLUG_PATTERN.fullmatch(slug):
        raise HTTPException(404, f"No rule can be named {slug!r}.")
    return slug


async def _fields(request: Request) -> Mapping[str, str]:
    """The texts of a form."""
    return {name: text for name, text in (await request.form()).items() if isinstance(text, str)}


def _answer(fields: Mapping[str, str]) -> str:
    answer = fields.get("answer", "")
    if answer not in _ANSWERS:
        raise RulecError(f"{answer!r} is no decision", hint="accept, reject or later")
    return answer


def _typed(fields: Mapping[str, str]) -> str:
    return fields.get("text", "").replace("\r\n", "\n")  # as a browser sends the lines of a form


def _choice(fields: Mapping[str, str]) -> Choice:
    """How the person wants the candidate taken."""
    manner, _, into = fields.get("taken", "").partition(":")
    pinned = fields.get("enforcement", "auto") or "auto"
    if manner not in ("", "new", "merge") or pinned not in PINS:
        raise RulecError("the page sent what it does not offer", hint="open the queue again")
    return Choice(manner=cast("Any", manner), into=into, enforcement=pinned, text=_typed(fields))


ROUTES = [
    Route("/queue", queue),
    Route("/queue/count", count),
    Route("/queue/revisions", revisions),
    Route("/queue/revisions/{slug}", revision),
    Route("/queue/revisions/{slug}/edit", edit_revision),
    Route("/queue/revisions/{slug}/try", try_revision, methods=["POST"]),
    Route("/queue/revisions/{slug}/decide", decide_revision, methods=["POST"]),
    Route("/queue/{identity}", card),
    Route("/queue/{identity}/past", past),
    Route("/queue/{identity}/edit", edit),
    Route("/queue/{identity}/try", trial, methods=["POST"]),
    Route("/queue/{identity}/decide", decide, methods=["POST"]),
]

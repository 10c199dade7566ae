"""Rules: all of them as cards, searched and filtered."""

from typing import cast
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.domain.enforcement import in_words
from rulec.services.browsing.rule_cards import CardFilter
from rulec.web.kept_cards import KeptCards
from rulec.web.rendering import render, shown

NAV = (2, "/rules", "Rules")
PAGE = 50  # cards on one page
LONGEST_NUMBER = 7  # digits from which on no page has that number
_FIELDS = {"words": "q", "category": "category", "file": "file", "acts": "acts", "state": "state"}


def cards_of(app: Starlette) -> KeptCards:
    """The index of an application's work tree."""
    if not hasattr(app.state, "kept_cards"):
        app.state.kept_cards = KeptCards(app.state.top)
    return cast("KeptCards", app.state.kept_cards)


async def warm(app: Starlette) -> None:
    """Read all rules, before anybody asks."""
    await cards_of(app).current()


async def rules(request: Request) -> Response:
    """The rules that meet the conditions in the address."""
    index = await cards_of(request.app).current()
    given = request.query_params
    wanted = CardFilter(**{name: given.get(key, "").strip() for name, key in _FIELDS.items()})
    found = index.find(wanted)
    last = max(1, -(-len(found) // PAGE))
    page = given.get("page", "")
    number = min(max(1, int(page) if page.isdecimal() and len(page) < LONGEST_NUMBER else 1), last)
    asked = {key: shown(value) for name, key in _FIELDS.items() if (value := getattr(wanted, name))}
    return render(
        request,
        "web/rules.html.j2",
        title="Rules",
        cards=found[(number - 1) * PAGE : number * PAGE],
        count=len(found),
        total=len(index.cards),
        wanted=wanted,
        choices={
            "category": [(name, name) for name in index.values("category")],
            "acts": [(name, in_words(name)) for name in index.values("acts")],
            "state": [(name, name) for name in index.values("state")],
        },
        number=number,
        last=last,
        here=urlencode({**asked, "page": number}),
        pages={step: urlencode({**asked, "page": number + step}) for step in (-1, 1)},
    )


ROUTES = [Route("/rules", rules)]

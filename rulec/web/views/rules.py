"""Rules: all of them as cards, searched and filtered."""

import threading
from pathlib import Path
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.domain.enforcement import in_words
from rulec.services.browsing import rule_cards
from rulec.services.browsing.rule_cards import CardFilter, CardIndex
from rulec.web import work
from rulec.web.rendering import render, shown

NAV = (2, "/rules", "Rules")
PAGE = 50  # cards on one page
LONGEST_NUMBER = 7  # digits from which on no page has that number
_FIELDS = {"words": "q", "category": "category", "file": "file", "acts": "acts", "state": "state"}


class KeptCards:
    """The cards of all rules, kept until the rulebook, its evidence or the ledger changes."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._lock = threading.Lock()
        self._mark: object = None
        self._index = CardIndex.of(())

    def current(self) -> CardIndex:
        """The index as the rules are now; who asks while it is made waits for the same one."""
        with self._lock:
            # the marks are taken first: a change while the cards are made is seen the next time
            mark = rule_cards.rulebook_mark(self._top), rule_cards.ledger_mark(self._top)
            if mark != self._mark:
                self._index, self._mark = CardIndex.of(rule_cards.rule_cards(self._top)), mark
            return self._index


async def cards_of(app: Starlette) -> CardIndex:
    """The index of an application's work tree."""
    if not hasattr(app.state, "kept_cards"):
        app.state.kept_cards = KeptCards(app.state.top)
    return await work.read(app.state.kept_cards.current)


async def rules(request: Request) -> Response:
    """The rules that meet the conditions in the address."""
    index = await cards_of(request.app)
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

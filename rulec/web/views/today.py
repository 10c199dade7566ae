"""Today: what was refused and put right, what waits, what is stale or noisy, the gates, and the next step."""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.reports.followed_findings import in_words
from rulec.services.browsing.rule_cards import rulebook_mark
from rulec.services.doctor import doctor
from rulec.services.history import today as services
from rulec.web import work
from rulec.web.rendering import render, render_when_known

NAV = (1, "/", "Today")
FRESH = 30.0  # seconds for which the gates are not tested again, whoever asks, while no rule changes


async def today(request: Request) -> Response:
    """What is known at once; the state and the gates, which take longer, are asked for by the page."""

    async def facts() -> dict[str, Any]:
        known = await work.read(services.describe_today, request.app.state.top)
        *lines, step = known["state"] or [["", ""]]
        return {"known": known, "facts": lines, "step": step[1], "in_words": in_words}

    return await render_when_known(request, "web/today.html.j2", "Today", facts)


async def state(request: Request) -> Response:
    """The state as ``rulec`` alone tells it, and the next step."""
    *facts, step = await work.read(services.describe_state, request.app.state.top)
    return render(request, "web/state.html.j2", title="State", facts=facts, step=step[1])


async def rules(request: Request) -> Response:
    """The rules that may need a look."""
    found = await work.read(services.rules_to_look_at, request.app.state.top)
    return render(request, "web/look.html.j2", title="Rules to look at", rules=found)


@dataclass
class _Tested:
    """What doctor found, which one request at a time asks for."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    at: float = 0.0
    mark: tuple[int, ...] = ()  # of the rulebook that they were tested with
    found: dict[str, Any] = field(default_factory=dict)


async def gates(request: Request) -> Response:
    """What doctor finds: each gate is tested with a bad and a good change, and no other is said to work."""
    state = request.app.state
    if not hasattr(state, "tested"):
        state.tested = _Tested()
    tested: _Tested = state.tested
    async with tested.lock:
        mark = await asyncio.to_thread(rulebook_mark, state.top)
        if not tested.found or mark != tested.mark or time.monotonic() - tested.at > FRESH:
            tested.found = {}  # what was found before is not true any more, also where this breaks
            tested.found = await work.read(_examine, state.top)
            tested.at, tested.mark = time.monotonic(), mark
    ago = in_words(time.monotonic() - tested.at)
    return render(request, "web/gates.html.j2", title="Gates", ago=ago, **tested.found)


def _examine(top: Path) -> dict[str, Any]:
    found = doctor.run_doctor(top, lambda _: None).data
    signs = found["signs"]
    return {"wrong": [one for one in signs if one["cure"]], "well": [one for one in signs if not one["cure"]]}


ROUTES = [Route("/", today), Route("/today/state", state), Route("/today/rules", rules), Route("/today/gates", gates)]

"""Plan: the steps of agents' plans, how the rules of each were proved or what is missing, and what strays."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.reports.followed_findings import in_words
from rulec.services.plans.show import NONE, QUIET, SOURCES, foreign_line, show_plans
from rulec.web import work
from rulec.web.rendering import render

NAV = (4, "/plan", "Plan")
# What proves that a rule was kept, in the words of the documentation.
PROOFS = {
    "checked": "the rule's check ran on what was changed",
    "tested": "rulec ran a suite that was red without the change and is green with it",
    "approved": "a person approved this change with rulec approve",
}


async def plan(request: Request) -> Response:
    """The open plans as they stand now."""
    top = request.app.state.top
    plans, foreign = (await work.read(show_plans, top)).data, await work.read(foreign_line, top)
    return render(
        request, "web/plan.html.j2", title="Plan", plans=plans, foreign=foreign, proofs=PROOFS, sources=SOURCES,
        in_words=in_words, quiet=QUIET, absent=NONE,
    )  # fmt: skip


ROUTES = [Route("/plan", plan)]

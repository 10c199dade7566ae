"""Report: what the rules did, by rule and week."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulec.infra import clock
from rulec.reports.followed_findings import in_words
from rulec.services.history import activity
from rulec.web import work
from rulec.web.rendering import render, shown

NAV = (5, "/report", "Report")
LONGEST_DAY = 40


async def report(request: Request) -> Response:
    """The report's body in the page, with the day that it may begin at."""
    since = request.query_params.get("since", "")[:LONGEST_DAY]
    facts = await work.read(describe, request.app.state.top, since)
    return render(request, "web/report.html.j2", title="Report", in_words=in_words, **facts)


def describe(top: Path, since: str) -> dict[str, Any]:
    """What the report shows, with the statements of rules as people may see them."""
    day = activity.day_of(since)
    found = [replace(one, statement=shown(one.statement)) for one in activity.rule_accounts(top, day)]
    facts = activity.report_facts(found, activity.followed_findings(top, day), since=day, now=clock.now())
    return {name: value for name, value in facts.items() if not callable(value)}


async def style(request: Request) -> Response:
    """The style of the plots."""
    text = request.app.state.library.render("report/plots.css", {})
    return Response(text, media_type="text/css")


ROUTES = [Route("/report", report), Route("/report/plots.css", style)]

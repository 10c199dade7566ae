"""Makes the answers of the page from templates; all text in them is escaped, and what people see is redacted."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from rulec import __version__
from rulec.domain.text.one_line import spell_out_in_terminal
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.web.work import WorkEndedError

# What would turn a line around or hide in it: words of strangers are shown, never performed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
REFUSED = 422


def shown(text: object) -> str:
    """A text as people may see it: without secrets, control and invisible characters spelled out."""
    return spell_out_in_terminal(_CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", redact(str(text or ""))))


def is_fragment(request: Request) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("HX-Request") == "true" and "HX-Boosted" not in request.headers


def render(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """A page or a fragment; templates that extend ``web/layout.html.j2`` are whole pages unless htmx asks for a part.

    They find ``shown``, ``nav``, ``path``, ``fragment`` and ``repository`` beside what is given.
    """
    return HTMLResponse(
        _text(request, template, "main" if is_fragment(request) else "", {**context, "status": status}), status
    )


async def render_when_known(
    request: Request, template: str, title: str, facts: Callable[[], Awaitable[Mapping[str, Any]]]
) -> Response:
    """As ``render``, of a page whose facts take a while: a browser shows the frame before they are there.

    A refusal stands in the page then, for its status is sent with the frame.
    """
    if is_fragment(request):
        return render(request, template, title=title, **await facts())
    return StreamingResponse(_frame_first(request, template, title, facts), media_type="text/html")


async def _frame_first(
    request: Request, template: str, title: str, facts: Callable[[], Awaitable[Mapping[str, Any]]]
) -> AsyncIterator[str]:
    """The parts of a page, each as soon as it can be made."""
    bug = None
    yield _text(request, template, "head", {"title": title})
    try:
        yield _text(request, template, "main", {"title": title, **await facts()})
    except RulecError as error:
        yield _text(request, "web/refused.html.j2", "main", _refusal(error))
    except Exception as error:  # noqa: BLE001 - the server tells of it, once the page is whole
        bug = error
        hint = "the terminal where rulec ui runs says more"
        yield _text(request, "web/refused.html.j2", "main", _refusal(RulecError("a bug of rulec", hint=hint)))
    yield _text(request, template, "end", {"title": title})
    if bug:
        raise bug


def _text(request: Request, template: str, part: str, context: Mapping[str, Any]) -> str:
    """A template's text, or that part of it where it extends the layout."""
    state = request.app.state
    given = {
        "shown": shown,
        "nav": state.nav,
        "path": request.url.path,
        "fragment": is_fragment(request),
        "part": part,
        "repository": state.top.resolve().name,
        "version": __version__,
        "live_from": getattr(request.state, "live_from", ""),
        "title": "",
        **context,
    }
    text: str = state.library.render(template, given)
    return text


def refused(request: Request, error: RulecError) -> Response:
    """Why something was not done, where, and what to do; nothing was written, unless the work was ended."""
    name = "web/told.html.j2" if is_fragment(request) else "web/refused.html.j2"
    return render(request, name, status=REFUSED, local=False, refused=True, **_refusal(error))


def _refusal(error: RulecError) -> dict[str, Any]:
    return {
        "unsure": isinstance(error, WorkEndedError),
        "text": error.message,
        "where": error.where,
        "hint": error.hint,
        "title": "Not done",
    }

"""Makes the answers of the page from templates; all text in them is escaped, and what people see is redacted."""

import json
import re
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulec import __version__
from rulec.domain.text.one_line import spell_out_in_terminal
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError

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
    state = request.app.state
    given = {
        "shown": shown,
        "nav": state.nav,
        "path": request.url.path,
        "fragment": is_fragment(request),
        "repository": state.top.resolve().name,
        "version": __version__,
        "marks": json.dumps(getattr(request.state, "marks", {})),
        "title": "",
        "status": status,
        **context,
    }
    return HTMLResponse(state.library.render(template, given), status)


def refused(request: Request, error: RulecError) -> Response:
    """Why something was not done, where, and what to do; nothing was written."""
    name = "web/told.html.j2" if is_fragment(request) else "web/refused.html.j2"
    told = {"text": error.message, "where": error.where, "hint": error.hint, "title": "Not done"}
    return render(request, name, status=REFUSED, local=False, refused=True, **told)

"""The page's application: its views, found by being there, behind what lets a browser in."""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rulec.checks.template_library import open_library
from rulec.errors import RulecError
from rulec.web import changes, rendering, views

Access = Callable[[ASGIApp], ASGIApp]
_STATIC = Path(__file__).parent / "static"


def make_app(top: Path, access: Access) -> Starlette:
    """The application for one work tree; ``access`` wraps it and lets only the person's browser through."""
    names = [f"{views.__name__}.{found.name}" for found in pkgutil.iter_modules(views.__path__)]
    found = [importlib.import_module(name) for name in names]
    routes: list[Any] = [route for view in found for route in view.ROUTES]
    app = Starlette(
        routes=[
            Route("/", _first),
            *routes,
            *changes.ROUTES,
            Mount("/static", StaticFiles(directory=_STATIC), name="static"),
        ],
        middleware=[Middleware(access), Middleware(changes.NoteMarks)],
        exception_handlers={RulecError: _refused, HTTPException: _no_page},
    )
    app.state.top = top
    app.state.library = open_library()
    app.state.nav = [(path, title) for _, path, title in sorted(view.NAV for view in found if hasattr(view, "NAV"))]
    return app


async def _first(_: Request) -> Response:
    return RedirectResponse("/queue", status_code=303)


async def _refused(request: Request, error: Exception) -> Response:
    return rendering.refused(request, error if isinstance(error, RulecError) else RulecError(str(error)))


async def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    return rendering.render(request, "web/missing.html.j2", status=status, title="Not here", detail=detail)

"""The page's application: its views, found by being there, behind what lets a browser in."""

import asyncio
import importlib
import pkgutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rulec.checks.template_library import open_library
from rulec.errors import RulecError
from rulec.web import live, rendering, views, work

Access = Callable[[ASGIApp], ASGIApp]
_STATIC = Path(__file__).parent / "static"


def view_modules() -> list[str]:
    """The names of the modules that hold views."""
    return [f"{views.__name__}.{found.name}" for found in pkgutil.iter_modules(views.__path__)]


def make_app(top: Path, access: Access, *, warms: bool = False) -> Starlette:
    """The application for one work tree; ``access`` wraps it and lets only the person's browser through.

    One that ``warms`` reads what its views keep in memory as soon as it serves, before anybody asks.
    """
    found = [importlib.import_module(name) for name in view_modules()]
    work.prepare(view_modules())
    routes: list[Any] = [route for view in found for route in view.ROUTES]
    app = Starlette(
        routes=[*routes, *live.ROUTES, Mount("/static", StaticFiles(directory=_STATIC), name="static")],
        middleware=[Middleware(access), Middleware(live.NotePosition)],
        exception_handlers={RulecError: _refused, HTTPException: _no_page},
        lifespan=_lifespan,
    )
    app.state.top = top
    app.state.warm = [view.warm for view in found if hasattr(view, "warm")] if warms else []
    app.state.live = live.Live(top)
    app.state.library = open_library()
    app.state.nav = [(path, title) for _, path, title in sorted(view.NAV for view in found if hasattr(view, "NAV"))]
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Serve; at the end let go what the events hold."""
    warming = asyncio.create_task(_warm(app))
    yield
    warming.cancel()
    with suppress(asyncio.CancelledError):
        await warming
    await app.state.live.close()


async def _warm(app: Starlette) -> None:
    """Let each view read what it keeps; what it cannot read it says when somebody asks for it."""
    for warm in app.state.warm:
        with suppress(RulecError):
            await warm(app)


async def _refused(request: Request, error: Exception) -> Response:
    return rendering.refused(request, error if isinstance(error, RulecError) else RulecError(str(error)))


async def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    return rendering.render(request, "web/missing.html.j2", status=status, title="Not here", detail=detail)

"""What may have changed in the clone: a mark of each thing that pages show, which browsers ask for again and again."""

from collections.abc import Iterable
from pathlib import Path

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rulec.checkout.head import head_commit
from rulec.checkout.worktree import shared_state_directory
from rulec.infra import state
from rulec.services.browsing.rule_cards import ledger_mark, rulebook_mark
from rulec.services.plans.show import Stamp, file_stamp, plan_stamps

# Folders of local state in which something waits for a person, and what they rejected of it.
WAITING = ("queue", "rejected", "noted", "no-revision")
COUNTED = ("counted.json", "counting.json")  # with them the counts of the ledger change


def clone_marks(top: Path) -> dict[str, str]:
    """For each topic a mark that is another one as soon as something of it changes."""
    kept = Path(shared_state_directory(str(top)))
    return {
        "ledger": _mark([ledger_mark(top), *_stamps(kept, COUNTED)]),
        "queue": _mark(_stamps(kept, WAITING)),
        "plan": _mark(plan_stamps(top)),
        "rules": _mark([head_commit(str(top)), rulebook_mark(top)]),
    }


def _stamps(folder: Path, names: Iterable[str]) -> list[Stamp]:
    return [file_stamp(folder / name) for name in names]


def _mark(seen: Iterable[object]) -> str:
    return state.digest_of_values([list(map(repr, seen))])


class NoteMarks:
    """Notes with each request what the marks were when it began, for the page that is made of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            marks = await anyio.to_thread.run_sync(clone_marks, scope["app"].state.top)
            scope.setdefault("state", {})["marks"] = marks
        await self._app(scope, receive, send)


async def changes(request: Request) -> Response:
    """The marks as they are now."""
    return JSONResponse(request.state.marks)


ROUTES = [Route("/changes", changes)]

"""A page whose facts take a while: its frame is sent before them, and what goes wrong stands in it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse

from rulec.errors import RulecError
from rulec.web.app import make_app
from rulec.web.rendering import render_when_known


def _request(top: Path, **headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    scope = {"type": "http", "method": "GET", "path": "/evolve", "query_string": b"", "headers": raw}
    return Request({**scope, "app": make_app(top, lambda app: app)})


async def _parts(top: Path, facts: Any) -> AsyncIterator[str]:
    answer = await render_when_known(_request(top), "web/evolve.html.j2", "Evolve", facts)
    assert isinstance(answer, StreamingResponse)
    async for part in answer.body_iterator:
        yield str(part)


def test_the_frame_is_there_before_the_facts(repo: Path) -> None:
    async def read() -> tuple[str, str]:
        known = asyncio.Event()

        async def facts() -> Mapping[str, Any]:
            await known.wait()
            return {"waiting": []}

        parts = _parts(repo, facts)
        frame = await anext(parts)
        known.set()
        return frame, "".join([part async for part in parts])

    frame, rest = asyncio.run(read())
    assert 'aria-label="Pages"' in frame
    assert frame.rstrip().endswith('<main id="main" tabindex="-1">')
    assert "<h1>Evolve</h1>" in rest
    assert rest.rstrip().endswith("</html>")
    assert rest.count("<main") == frame.count("</main>") == 0


def test_a_refusal_and_a_bug_stand_in_a_whole_page(repo: Path) -> None:
    said: dict[type[Exception], str] = {}

    async def read(error: Exception) -> None:
        async def facts() -> Mapping[str, Any]:
            raise error

        said[type(error)] = ""
        async for part in _parts(repo, facts):
            said[type(error)] += part

    asyncio.run(read(RulecError("no rule file", where=".rules/x.yaml:3", hint="mend it")))
    with pytest.raises(ZeroDivisionError):
        asyncio.run(read(ZeroDivisionError("of ours")))
    assert ".rules/x.yaml:3" in said[RulecError]
    assert "mend it" in said[RulecError]
    assert "a bug of rulec" in said[ZeroDivisionError]
    assert "of ours" not in said[ZeroDivisionError]
    assert [text.rstrip().endswith("</html>") for text in said.values()] == [True, True]


def test_htmx_gets_the_part_alone(repo: Path) -> None:
    async def facts() -> Mapping[str, Any]:
        return {"waiting": []}

    answer = asyncio.run(render_when_known(_request(repo, hx_request="true"), "web/evolve.html.j2", "Evolve", facts))
    text = bytes(answer.body).decode()
    assert ("<h1>Evolve</h1>" in text, "<main" in text) == (True, False)

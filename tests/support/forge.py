"""GitHub's API on 127.0.0.1, as far as comments of a pull request go; it keeps what it was asked."""

import json
import re
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

TOKEN = "ghs_" + "Zq7Lw3" * 6
NUMBER = 7
_COMMENTS = re.compile(r"/repos/team/app/issues/7/comments(?:\?per_page=(\d+)&page=(\d+))?")
_COMMENT = re.compile(r"/repos/team/app/issues/comments/(\d+)")


@dataclass
class Forge:
    """The server; use it as a context."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)  # method, path and authorization
    refuses: int = 0  # the code of every answer
    moves_to: str = ""  # where every answer sends the client

    def __enter__(self) -> Self:
        forge = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                _answer(self, forge)

            def do_POST(self) -> None:
                _answer(self, forge)

            def do_PATCH(self) -> None:
                _answer(self, forge)

            def log_message(self, *_: Any) -> None:
                """Nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.server.shutdown()
        self.server.server_close()

    def says(self, body: str, *, by: str = "Bot") -> None:
        """Somebody's comment."""
        self.comments.append({"id": 100 + len(self.comments), "body": body, "user": {"login": "x", "type": by}})

    def environment(self, folder: Path) -> dict[str, str]:
        """The variables of a workflow that runs for the pull request."""
        event = folder / "event.json"
        event.write_text(json.dumps({"pull_request": {"number": NUMBER}}))
        api = f"http://127.0.0.1:{self.server.server_address[1]}"
        return {
            "GITHUB_API_URL": api, "GITHUB_REPOSITORY": "team/app", "GITHUB_TOKEN": TOKEN,
            "GITHUB_EVENT_PATH": str(event), "no_proxy": "127.0.0.1",
        }  # fmt: skip


def _answer(request: BaseHTTPRequestHandler, forge: Forge) -> None:
    forge.asked.append((request.command, request.path, request.headers.get("Authorization", "")))
    given = json.loads(request.rfile.read(int(request.headers.get("Content-Length") or 0)) or "{}")
    code, answer = _result(request.command, request.path, given, forge)
    code = forge.refuses or (302 if forge.moves_to else code)
    request.send_response(code)
    if forge.moves_to:
        request.send_header("Location", forge.moves_to)
    text = json.dumps(answer).encode()
    request.send_header("Content-Length", str(len(text)))
    request.end_headers()
    request.wfile.write(text)


def _result(method: str, path: str, given: dict[str, Any], forge: Forge) -> tuple[int, Any]:
    if found := _COMMENTS.fullmatch(path):
        if method == "GET":
            many, page = int(found[1]), int(found[2])
            return 200, forge.comments[many * (page - 1) : many * page]
        forge.says(given["body"])
        return 201, forge.comments[-1]
    if (found := _COMMENT.fullmatch(path)) and method == "PATCH":
        (one,) = (one for one in forge.comments if one["id"] == int(found[1]))
        one["body"] = given["body"]
        return 200, one
    return 404, {"message": "Not Found"}

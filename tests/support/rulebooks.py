"""Rulebooks of other teams: git repositories, and a server that git fetches them from."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.domain.rule import Check, Example, Rule
from rulec.rulebook import evidence_file, rule_file


def tool(slug: str, bad: str, good: str) -> Rule:
    """A rule that one program takes another's place."""
    check = Check(kind="guard", template="forbid-command", parameters={"commands": [bad], "prefer": good})
    invalid = (Example(kind="command", text=f"{bad} x"),)
    valid = (Example(kind="command", text=f"{good} x"),)
    statement = f"Use {good}, never {bad}."
    return Rule(slug=slug, statement=statement, severity="must", checks=(check,), invalid=invalid, valid=valid)


def accepted(rule: Rule) -> Evidence:
    """A person's yes to a rule, which alone makes it hold."""
    return Evidence(slug=rule.slug, kind="accepted", weight=3.0, at="2026-11-01T09:00:00Z", quote=rule.statement)


def files(*rules: Rule) -> dict[str, str]:
    """The files of a rulebook below ``.rules`` in which these rules hold."""
    found = {"config.yaml": "schema: 1\n"}
    for rule in rules:
        item = accepted(rule)
        found[f"{rule.slug}.yaml"] = rule_file.dump_rule(rule)
        found[f"evidence/{rule.slug}/{evidence_file.evidence_id(item)}.yaml"] = evidence_file.dump_evidence(item)
    return found


def publish(top: Path, texts: dict[str, str], tag: str) -> str:
    """Commit such files as the whole of a repository's rulebook, and tag that; the commit's id."""
    if not (top / ".git").exists():
        subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    subprocess.run(["git", "rm", "-rqf", "--ignore-unmatch", "."], cwd=top, check=True)
    for name, text in texts.items():
        path = top / ".rules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for argv in (["add", "-A"], ["commit", "-qm", f"Rules of {tag}", "--allow-empty"], ["tag", tag]):
        subprocess.run(["git", *argv], cwd=top, check=True)
    return subprocess.run(["git", "rev-parse", "HEAD"], cwd=top, capture_output=True, text=True, check=True).stdout[:-1]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The repositories in a folder over real HTTP, by git's own server program; the URL of the folder."""

    class Backend(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self.rfile.read(int(self.headers["Content-Length"])))

        def _answer(self, given: bytes) -> None:
            path, _, query = self.path.partition("?")
            environment = {
                **os.environ,
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            }
            done = subprocess.run(
                ["git", "http-backend"], input=given, env=environment, capture_output=True, check=True
            )
            head, _, body = done.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
            self.send_response(int(fields.pop("Status", "200").split()[0]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Backend) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()

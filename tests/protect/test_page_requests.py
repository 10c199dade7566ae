"""An agent sends no request to the page of ``rulec ui``; other servers of this machine are its own business."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import open_pages, rules_layout
from rulec.hook.dispatch import respond
from tests.support.disarming import Case, fill, payload

ADDRESS = "a1b2.localhost:{port}"
REQUESTS = (
    "curl http://{address}/",
    "curl -s {address}/rules",
    "curl -H 'Host: {address}' 127.0.0.1:{port}",
    "curl -X POST http://127.0.0.1:{port}/pair -d key=x",
    "curl localhost:{port}",
    "curl '[::1]:{port}'",
    "curl http://127.1:{port}/events",
    "curl http://2130706433:{port}",
    "curl http://localtest.me:{port}/",
    "curl --resolve evil.example:{port}:127.0.0.1 http://evil.example:{port}/",
    "curl --connect-to ::localhost:{port} http://evil.example/",
    "wget -qO- http://0.0.0.0:{port}/",
    "http :{port}/pair key=x",
    "P={port}; curl http://localhost:$P/",
    "curl localhost:$PORT",
    "curl http://127.0.0.1:$(ls .git/rulec/pages)/",
    "for p in $(seq 30000 60000); do curl -s localhost:$p; done",
    "nc localhost {port}",
    "nc 0 {port}",
    "nc 127.0.0.1 $(ls .git/rulec/pages)",
    "printf 'GET / HTTP/1.1\\r\\n\\r\\n' | nc 127.0.0.1 {port}",
    "echo http://{address}/ | xargs curl",
    "echo 'url = http://127.0.0.1:{port}/' | curl -K -",
    "bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}; cat <&3'",
    "echo x > /dev/tcp/localhost/{port}",
    "socat - TCP:127.0.0.1:{port}",
    "ssh -L 9000:127.0.0.1:{port} localhost",
    "python3 -c \"import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/').read())\"",
    "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}))\"",
    "python3 <<'END'\nimport socket\nsocket.create_connection(('localhost', {port}))\nEND",
    "node -e \"fetch('http://{address}/pair')\"",
    "websocat ws://127.0.0.1:{port}/events",
    "google-chrome --headless --dump-dom http://{address}/",
    "xdg-open http://{address}/",
    "npx playwright open http://{address}/",
    "sudo nohup curl {address} &",
)
SCRIPTS = {  # a command that runs a file -> the file
    "sh ask.sh": "#!/bin/sh\ncurl -s http://127.0.0.1:{port}/\n",
    "python3 ask.py": "import urllib.request\nprint(urllib.request.urlopen('http://{address}/').read())\n",
    "node ask.js": "const { chromium } = require('playwright');\nawait page.goto('http://localhost:{port}/');\n",
}
TOOLS = ("mcp__playwright__browser_navigate", "mcp__fetch__fetch", "WebFetch")
INNOCENTS = (
    "curl http://localhost:3000/health",
    "curl https://example.com/{port}",
    "curl https://example.com/?q={port}",
    "nc -z localhost 5432",
    "head -c 0 5432.txt; seq 0 9",
    "grep -rn 'localhost:{port}' docs",
    "echo 'the page is at http://{address}/'",
    "git commit -m 'Say that the page was at 127.0.0.1:{port}'",
    "ss -ltnp",
    "lsof -i :{port}",
    "sleep {port}",
    "python3 -c 'print({port})'",
    "npm run dev -- --port 5173 --host 127.0.0.1",
    "cat > notes.md <<'END'\nhttp://{address}/\nEND",
)


@pytest.fixture
def port(repo: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a page that runs for the repository."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        number = int(taken.getsockname()[1])
        (repo / ".rules").mkdir(parents=True)
        (repo / ".rules/config.yaml").write_text("")
        monkeypatch.chdir(repo)
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(repo))
        handle = open_pages.note_page(str(repo), number)
        yield number
        open_pages.forget_page(str(repo), number, handle)


def _denied(top: Path, call: Any, files: dict[str, str] | None = None) -> bool:
    case = Case(topic="", why="", call=call, files=files or {})
    fill(top, case)
    answer = respond("claude-code", payload(top, case), str(top / ".rules/compiled"))
    said: dict[str, Any] = dict((answer.out or {}).get("hookSpecificOutput", {}))
    own = f"rulec rule {rules_layout.GATE_SLUG}:" in str(said.get("permissionDecisionReason"))
    assert own or not answer.out, (call, answer.out)
    return own


def _named(text: str, port: int) -> str:
    return text.replace("{address}", ADDRESS).replace("{port}", str(port))


def test_no_request_of_an_agent_reaches_the_page(repo: Path, port: int) -> None:
    passed = [text for text in REQUESTS if not _denied(repo, _named(text, port))]
    passed += [run for run, text in SCRIPTS.items() if not _denied(repo, run, {run.split()[1]: _named(text, port)})]
    tools = [{"tool": name, "url": f"http://{ADDRESS}/".replace("{port}", str(port))} for name in TOOLS]
    assert passed + [call["tool"] for call in tools if not _denied(repo, call)] == []


def test_other_servers_and_mere_words_are_left_alone(repo: Path, port: int) -> None:
    assert [text for text in INNOCENTS if _denied(repo, _named(text, port))] == []
    assert not _denied(repo, {"tool": "mcp__fetch__fetch", "url": "http://localhost:3000/"})


def test_nothing_is_refused_once_the_page_has_ended_however_it_ended(repo: Path, port: int) -> None:
    assert open_pages.running_pages(str(repo)) == [port]
    (repo / ".git/rulec/pages/60001").touch()  # of one that was killed
    program = "import sys; from rulec.checkout import open_pages as o; o.note_page(sys.argv[1], 60002)"
    subprocess.run([sys.executable, "-c", program, str(repo)], check=True)
    assert open_pages.running_pages(str(repo)) == [port]
    assert not _denied(repo, "curl http://localhost:60001/; curl localhost:60002")
    other = open_pages.note_page(str(repo), 60003)
    assert sorted(path.name for path in (repo / ".git/rulec/pages").iterdir()) == sorted([str(port), "60003"])
    open_pages.forget_page(str(repo), 60003, other)

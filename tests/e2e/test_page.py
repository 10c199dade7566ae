"""``rulec ui`` as a process: what the person gets, and what an agent with a shell on the same machine gets."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from rulec.checkout import rules_layout
from rulec.hook.dispatch import respond
from tests.conftest import Run
from tests.support.disarming import Case, payload
from tests.support.paired import FORM, Browser, ask_for_code
from tests.support.running_page import RunningPage, running_page
from tests.support.terminal import on_terminal

UI = [sys.executable, "-m", "rulec", "ui", "--no-browser"]
PERSON = {"CLAUDECODE": "", "CLAUDE_CODE_ENTRYPOINT": "", "CLAUDE_CODE_SSE_PORT": ""}
BODY = b"because=x"


@pytest.fixture
def ui(gated: Path) -> Iterator[RunningPage]:
    with running_page(gated) as running:
        yield running


@pytest.fixture
def client(ui: RunningPage) -> Iterator[httpx.Client]:
    """A program on this machine that knows the page's address."""
    with _client(ui) as one:
        yield one


def _client(ui: RunningPage) -> httpx.Client:
    _, _, host = ui.address.partition("//")
    port = host.rpartition(":")[2]
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}", headers={"host": host}, trust_env=False, follow_redirects=False,
        transport=httpx.HTTPTransport(retries=5),
    )  # fmt: skip


def _pair(ui: RunningPage, client: httpx.Client) -> tuple[Browser, str, str]:
    """A paired browser, its cookie and the code that it showed."""
    browser = Browser(ui.address)
    answer = ask_for_code(client, browser)
    code = answer.json()["code"]
    cookie = answer.headers["set-cookie"].partition(";")[0]
    before = len(ui.shown)
    ui.types(code)
    ui.reads_until("is paired", before)
    client.headers["cookie"] = cookie
    return browser, cookie, code


def test_it_serves_the_paired_browser_until_ctrl_c_also_while_it_reads(
    ui: RunningPage, client: httpx.Client, gated: Path
) -> None:
    _pair(ui, client)
    assert "No proposal waits" in client.get("/queue", timeout=60).text
    begun, ended = threading.Event(), threading.Event()

    def listen() -> None:
        try:
            begun.set()
            while True:
                client.get("/changes", timeout=60)
        except httpx.HTTPError:
            pass
        ended.set()

    threading.Thread(target=listen).start()
    assert begun.wait(30)
    notes = gated / ".git/rulec/pages"
    assert [path.name for path in notes.iterdir()] == [ui.address.rpartition(":")[2]]
    assert ui.ends() == 0
    assert ended.wait(30)
    assert "Traceback" not in ui.shown
    assert [*notes.iterdir()] == []


def test_three_wrong_codes_end_it(gated: Path) -> None:
    answers = [("ends the page", "AAAAAA\n"), ("No browser", "BBBBBB\n"), ("No browser", "CCCCCC\n")]
    code, seen = on_terminal(gated, UI, answers, PERSON)
    assert (code, "3 wrong codes were typed" in seen) == (2, True)


def test_an_agent_does_not_start_it(gated: Path, rulec: Run) -> None:
    assert "is no terminal" in rulec("ui", code=2).stderr
    code, seen = on_terminal(gated, UI, [], {**PERSON, "CLAUDECODE": "1"})
    assert (code, "claude-code runs this command" in seen) == (2, True)
    code, seen = on_terminal(gated, [*UI, "--port", "99999"], [], PERSON)
    assert code == 2
    assert not (gated / ".git/rulec/pages").exists()
    assert _denied(gated, "rulec ui")
    assert _denied(gated, "script -qc 'rulec ui --no-browser' /dev/null")
    assert _denied(gated, "env -u CLAUDECODE rulec ui")


def test_an_agent_with_a_shell_gets_nothing_of_it(ui: RunningPage, client: httpx.Client, gated: Path) -> None:
    browser, cookie, code = _pair(ui, client)
    host = ui.address.partition("//")[2]
    plain = f"http://127.0.0.1:{host.rpartition(':')[2]}"

    # curl, and everything that has no cookie
    curl = shutil.which("curl")
    assert curl
    asked = [curl, "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", "-H", f"Host: {host}"]
    for path in ("/", "/rules", "/changes", "/nothing"):
        run = subprocess.run([*asked, plain + path], capture_output=True, text=True, check=True)
        assert run.stdout == "401", path
    assert _denied(gated, f"curl -s -H 'Host: {host}' {plain}/")

    # secrets in argv, environment, files
    secrets = (cookie.partition("=")[2], code, code.replace(" ", ""))
    texts = {
        str(path): _read(path) for path in [*_of_processes(ui.pid), *_files(gated), *_files(Path(os.environ["HOME"]))]
    }
    assert len(texts) > 20
    assert [path for path, text in texts.items() if any(secret.encode() in text for secret in secrets)] == []

    # a forged origin, rebinding, a replay and a stolen cookie
    act = {**FORM, "sec-fetch-site": "same-origin"}
    signed = {**act, "origin": ui.address, **browser.headers("POST", "/nothing", BODY)}
    thief = {**act, "origin": ui.address, **Browser(ui.address).headers("POST", "/nothing", BODY)}
    refused = [
        client.post("/nothing", content=BODY, headers={**signed, "origin": plain}),
        client.post("/nothing", content=BODY, headers={**signed, "host": "evil.example"}),
        client.post("/nothing", content=b"because=y", headers=signed),
        client.post("/nothing", content=BODY, headers=thief),
        client.post("/nothing", content=BODY, headers={**act, "origin": ui.address}),
    ]
    assert {answer.status_code for answer in refused} == {403, 421}
    assert client.post("/nothing", content=BODY, headers=signed).status_code == 404  # it comes through, once
    assert client.post("/nothing", content=BODY, headers=signed).status_code == 403

    # websocket, and a headless browser without the person
    other = _client(ui)
    upgrade = {
        "connection": "upgrade",
        "upgrade": "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "eA==",
    }
    assert other.get("/changes", headers=upgrade).status_code == 400
    assert other.get("/changes").status_code == 401
    assert ask_for_code(other, Browser(ui.address)).status_code == 409
    assert "type this code" in other.get("/", headers={"accept": "text/html"}).text.lower()
    assert _denied(gated, f"google-chrome --headless --dump-dom {ui.address}/")
    assert _denied(gated, f"python3 -c \"import urllib.request as u; u.urlopen('{plain}')\"")
    other.close()


def _denied(top: Path, command: str) -> bool:
    """Whether an agent's hook refuses the command for the gate's sake."""
    answer = respond("claude-code", payload(top, Case(topic="", why="", call=command)), str(top / ".rules/compiled"))
    said: dict[str, Any] = (answer.out or {}).get("hookSpecificOutput", {})
    return f"rulec rule {rules_layout.GATE_SLUG}:" in json.dumps(said)


def _of_processes(pid: int) -> list[Path]:
    """What anybody may try to read of a process and of those that it started."""
    listed = subprocess.run(["ps", "-Ao", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    above = {int(own): int(parent) for own, parent in map(str.split, listed.splitlines())}
    found = {pid}
    while more := {own for own, parent in above.items() if parent in found} - found:
        found |= more
    assert Path(f"/proc/{pid}").exists()
    return [Path(f"/proc/{one}/{name}") for one in found for name in ("cmdline", "environ", "status", "maps")]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""

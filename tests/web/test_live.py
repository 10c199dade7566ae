"""The page's events: each tab gets each new line of the ledger once, in order, also after it was away."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import ASGIApp

from rulec.checkout import ledger
from rulec.gates import gate_ledger
from rulec.services.changes import ledger_tail
from rulec.services.changes.change_watch import ChangeWatch, CloneChange
from rulec.web import live
from rulec.web.app import make_app
from tests.conftest import Run
from tests.support.asking import START
from tests.support.listening import Server, served

REFUSED = {"tool_name": "Bash", "tool_input": {"command": "npm ci"}, "hook_event_name": "PreToolUse", "session_id": "s"}
LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}
HOOK = [sys.executable, "-I", "-S", START, "claude-code"]


def _open(app: ASGIApp) -> ASGIApp:
    return app


@pytest.fixture
def server(repo: Path) -> Iterator[Server]:
    with served(make_app(repo, _open)) as one:
        yield one


def add(top: Path, number: int, **more: object) -> None:
    ledger.append(str(top), [{**LINE, **more, "of": f"npm-{one}"} for one in range(number)])


def ids(top: Path) -> list[str]:
    return [one.id for one in gate_ledger.ledger_entries(top)]


@pytest.mark.usefixtures("ruled")
def test_a_call_that_a_hook_refuses_in_another_process_is_heard_of(repo: Path, server: Server) -> None:
    tab = server.tab()
    said = subprocess.run(
        HOOK, cwd=repo, input=json.dumps(REFUSED | {"cwd": str(repo)}), capture_output=True, text=True, check=True
    )
    assert "deny" in said.stdout
    tab.wait(lambda one: one.lines() == ids(repo))
    (data,) = [data for _, topic, data in tab.heard if topic == "ledger"]
    assert (data["rule"], data["outcome"], data["gate"]) == ("use-pnpm", "block", "ask")


def test_five_tabs_lose_none_of_many_lines_while_the_ledger_is_begun_anew(
    repo: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "LARGEST", 15_000)
    tabs = [server.tab() for _ in range(5)]
    written: list[str] = []
    for _ in range(4):
        before = len(tabs[0].lines())
        add(repo, 60)
        written += [one for one in ids(repo) if one not in written]
        tabs[0].wait(lambda one, before=before: len(one.lines()) >= before + 60)
    assert (repo / ".git/rulec" / ledger.OLDER).exists()
    for tab in tabs:
        tab.wait(lambda one: len(one.lines()) >= len(written))
        assert tab.lines() == written
        numbers = [int(name.partition("-")[2]) for name, _, _ in tab.heard]
        assert numbers == sorted(set(numbers))
    assert server.live.tabs == 5
    looks = [one for one in threading.enumerate() if "AnyIO" in one.name or "asyncio" in one.name]
    assert len(looks) <= 1  # one watcher for all


def test_a_tab_that_comes_back_gets_what_it_missed(repo: Path, server: Server) -> None:
    tab = server.tab()
    add(repo, 3)
    tab.wait(lambda one: len(one.lines()) == 3)
    tab.close()
    add(repo, 4)
    again = server.tab(tab.heard[-1][0])
    again.wait(lambda one: len(one.lines()) == 4)
    assert [*tab.lines(), *again.lines()] == ids(repo)
    assert "reload" not in again.topics()


@pytest.mark.parametrize("after", ["0-1", "x", "-", "{}-99999999", "{}-²", "\u00e9"])
def test_a_tab_of_an_earlier_server_is_told_to_read_everything_again(server: Server, after: str) -> None:
    run = server.live.position.partition("-")[0]
    tab = server.tab(after.format(run).encode("latin-1", "replace").decode("latin-1"))
    tab.wait(lambda one: one.topics() == {"reload"})
    assert tab.heard[0][0] == server.live.position


def test_a_tab_that_missed_more_than_is_kept_is_told_so(
    repo: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.live, "_kept", type(server.live._kept)(maxlen=10))
    tab = server.tab()
    first = server.live.position
    add(repo, 11)
    tab.wait(lambda one: bool(one.heard) and one.heard[-1][0].endswith("-11"))
    late, soon = server.tab(first), server.tab(first.replace("-0", "-1"))
    late.wait(lambda one: one.topics() == {"reload"})
    soon.wait(lambda one: len(one.lines()) == 10)


def test_a_page_says_where_the_events_stood_when_it_was_asked_for(repo: Path, server: Server) -> None:
    import httpx  # noqa: PLC0415 (with the test extra alone)

    tab = server.tab()
    add(repo, 2)
    tab.wait(lambda one: len(one.lines()) == 2)
    text = httpx.get(f"http://127.0.0.1:{server.port}/nothing", trust_env=False).text
    assert f'data-live-from="{tab.heard[-1][0]}"' in text


def test_who_listens_is_let_go_at_once_when_the_server_ends(repo: Path) -> None:
    with served(make_app(repo, _open)) as server:
        tab = server.tab()
    tab.wait(lambda one: one.ended, 2)


def test_too_many_tabs_are_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_TABS", 1)
    assert [server.tab().status, server.tab().status] == [200, 503]


def topics(watch: ChangeWatch) -> list[str]:
    return [one.topic for one in watch.look()]


def settled(watch: ChangeWatch) -> None:
    """Look until nothing is told: what was written just now is told twice."""
    while topics(watch):
        pass


def test_each_thing_that_changes_has_its_topic(ruled: Path, rulec: Run) -> None:
    watch = ChangeWatch(ruled)
    settled(watch)
    rulec("note", "use-pnpm", "pnpm has no such command", "--command", "npm audit", "--propose")
    assert set(topics(watch)) == {"queue"}
    settled(watch)
    rulec("set", "use-pnpm", "warn", "--because", "it is new")
    assert "rules" in topics(watch)
    settled(watch)
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=ruled, check=True)
    assert topics(watch) == ["rules"]
    settled(watch)
    add(ruled, 2)
    assert topics(watch) == ["ledger", "ledger"]
    assert topics(watch) == []
    watch.close()


def test_a_torn_line_is_told_when_it_is_whole(repo: Path) -> None:
    add(repo, 1)
    tail, path = ledger_tail.LedgerTail(repo), repo / ".git/rulec" / ledger.NAME
    line = path.read_bytes()
    with path.open("ab") as file:
        file.write(line[:30])
        file.flush()
        assert tail.new_entries() == []
        file.write(line[30:] + b"no line\n")
    assert len(tail.new_entries()) == 1
    tail.close()


def test_what_takes_the_place_of_the_ledger_is_not_waited_for(repo: Path) -> None:
    add(repo, 1)
    tail, path = ledger_tail.LedgerTail(repo), repo / ".git/rulec" / ledger.NAME
    path.unlink()
    os.mkfifo(path)
    assert tail.new_entries() == []
    path.unlink()
    path.symlink_to(repo / ".git/config")
    assert tail.new_entries() == []
    path.unlink()
    add(repo, 2)
    assert len(tail.new_entries()) == 2
    tail.close()


def test_a_look_that_breaks_is_told_and_followed_by_others(
    repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the tabs would hear of nothing any more, and nobody of that."""
    look, broken = ChangeWatch.look, []

    def breaks_once(watch: ChangeWatch) -> list[CloneChange]:
        if not broken:
            broken.append(True)
            raise MemoryError
        return look(watch)

    monkeypatch.setattr(ChangeWatch, "look", breaks_once)
    monkeypatch.setattr(live, "HEARTBEAT", 0.1)
    with served(make_app(repo, _open)) as server:
        tab = server.tab()
        add(repo, 1)
        tab.wait(lambda one: one.lines() == ids(repo))
    assert capsys.readouterr().err.count("cannot be seen") == 1

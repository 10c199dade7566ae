"""What changed in a clone: each thing has a mark, by which an open page knows what to read again."""

import html
import json
import re
import subprocess
from pathlib import Path

from starlette.testclient import TestClient

from rulec.checkout import ledger
from tests.conftest import Run

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}


def changed(page: TestClient, before: dict[str, str]) -> tuple[set[str], dict[str, str]]:
    """The topics of which something changed, and the marks now."""
    now = page.get("/changes").json()
    return {topic for topic in now if now[topic] != before[topic]}, now


def test_each_thing_that_changes_has_its_topic(ruled: Path, rulec: Run, page: TestClient) -> None:
    marks = page.get("/changes").json()
    assert changed(page, marks)[0] == set()
    rulec("note", "use-pnpm", "pnpm has no such command", "--command", "npm audit", "--propose")
    found, marks = changed(page, marks)
    assert found == {"queue"}
    rulec("set", "use-pnpm", "warn", "--because", "it is new")
    found, marks = changed(page, marks)
    assert "rules" in found
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=ruled, check=True)
    found, marks = changed(page, marks)
    assert found == {"rules"}
    with (ruled / ".git/rulec" / ledger.NAME).open("a") as file:
        file.write(json.dumps({**LINE, "at": "2026-11-02T10:00:00Z", "id": "0" * 12}) + "\n")
    assert changed(page, marks)[0] == {"ledger"}


def test_a_page_holds_the_marks_of_the_moment_when_it_was_asked_for(ruled: Path, page: TestClient) -> None:
    marks = re.search(r'data-marks="([^"]*)"', page.get("/queue").text)
    assert marks
    assert json.loads(html.unescape(marks[1])) == page.get("/changes").json()

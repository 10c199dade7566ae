"""Plan: what ``rulec plan`` shows."""

import html
import re
from pathlib import Path

from starlette.testclient import TestClient

from rulec.plans.plan import ACTIVE, PlanItem
from tests.plans.test_show import open_plan, planned

__all__ = ["planned"]
NASTY = "<img src=x onerror=alert(1)> sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA \u202e{{ 7 * 7 }} in src/app.py"


def words(text: str) -> str:
    """What a person reads of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def test_steps_are_shown_with_their_rules_and_what_is_missing(planned: Path, page: TestClient) -> None:
    open_plan(planned)
    text = words(page.get("/plan").text)
    assert "claude-code, session 3f2a91c0, from its todo list: 1 of 5 steps done" in text
    assert "3. now Call the parser in src/app.py no-stash remind checked" in text
    assert "plain-words strict a commit would be refused no check, run or approval shows that it was kept." in text
    for stray in ("step 2 was not begun, but a later one was", "docs/how.md was edited in step 3"):
        assert stray in text
    assert "approved a person approved this change with rulec approve" in text


def test_a_page_without_a_plan_says_what_opens_one(ruled: Path, page: TestClient) -> None:
    assert "No plan is open here" in page.get("/plan").text


def test_words_of_agents_are_shown_and_never_performed(planned: Path, page: TestClient) -> None:
    open_plan(planned, items=[PlanItem(NASTY, status=ACTIVE)], agent=NASTY)
    text = page.get("/plan").text
    assert "<img" not in text
    assert "&lt;img src=x" in text
    assert "AAAAAAAAAA" not in text
    assert "\u202e" not in text


def test_nothing_is_decided_there(planned: Path, page: TestClient) -> None:
    open_plan(planned)
    assert "<form" not in page.get("/plan").text.partition('id="plans"')[2]
    assert page.post("/plan").status_code == 405

"""Plan: what ``rulec watch`` shows, with the decisions that a person makes about rules at steps."""

import html
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.checkout.head import head_commit
from rulec.infra import clock
from rulec.rulebook import rule_file
from rulec.services.steps.plan import show_plans
from rulec.services.steps.save_plan import save_plan
from rulec.steps.step import ACTIVE, PlanItem
from tests.conftest import Run
from tests.steps.test_watch import open_plan, planned, work

__all__ = ["planned"]
PART = {"HX-Request": "true"}
NASTY = "<img src=x onerror=alert(1)> sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAA \u202e{{ 7 * 7 }} in src/app.py"


def words(text: str) -> str:
    """What a person reads of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def form(page: TestClient, act: str, rule: str) -> dict[str, str]:
    """The hidden fields of the form of an act on a rule, as the page has them."""
    for text in page.get("/plan").text.split("<form")[1:]:
        fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', text.partition("</form>")[0]))
        if f'action="/plan/acts/{act}"' in text.partition(">")[0] and fields["rule"] == rule:
            return fields
    raise AssertionError((act, rule))


@pytest.fixture
def opened(planned: Path, git: Run) -> Path:
    git("add", ".rules")
    git("commit", "-qm", "Set what it needs")
    open_plan(planned)
    return planned


def test_steps_are_shown_with_their_rules_and_what_is_missing(opened: Path, page: TestClient) -> None:
    transcript = work(opened, 14)
    open_plan(opened, transcript=str(transcript), records="claude-code")
    text = words(page.get("/plan").text)
    assert "claude-code, session 3f2a91c0, from its todo list: 1 of 5 steps done" in text
    assert "a commit would be refused for plain-words" in text
    assert "3. now Call the parser in src/app.py for 31 min no-stash remind checked" in text
    assert "plain-words strict no proof" in text
    for concern in ("step 2 was not begun, but a later one was", "docs/how.md was edited in step 3"):
        assert concern in text
    assert "No, always use pnpm, never npm." in text
    assert "sk-ant-api03-AAAA" not in text


def test_a_page_without_a_plan_says_what_opens_one(ruled: Path, page: TestClient) -> None:
    assert "No plan is open here" in page.get("/plan").text


def test_a_level_for_all_plans_is_a_commit_that_is_named(opened: Path, page: TestClient, git: Run) -> None:
    before = git("rev-parse", "HEAD").stdout
    sent = {**form(page, "level", "use-pnpm"), "level": "testable", "where": "all", "because": "it broke twice"}
    text = words(page.post("/plan/acts/level", data=sent, headers=PART).text)
    head = git("rev-parse", "--short=10", "HEAD").stdout.strip()
    assert f"use-pnpm is at testable now: commit {head}" in text
    assert "local" not in text.partition("use-pnpm is at testable now")[2]
    assert git("rev-parse", "HEAD~").stdout == before
    rule = rule_file.parse_rule((opened / ".rules/use-pnpm.yaml").read_text(), source="x")
    assert (rule.level, "it broke twice" in git("log", "-1", "--format=%B").stdout) == ("testable", True)


def test_a_level_at_a_step_is_local_and_says_so(opened: Path, page: TestClient, git: Run) -> None:
    before = git("rev-parse", "HEAD").stdout
    sent = {**form(page, "level", "plain-words"), "level": "remind", "where": "step"}
    text = words(page.post("/plan/acts/level", data=sent, headers=PART).text)
    assert "plain-words is at remind in step 3" in text
    assert "local, not in a commit" in text
    assert git("rev-parse", "HEAD").stdout == before
    assert "plain-words (remind)" in show_plans(opened).text


@pytest.mark.usefixtures("opened")
def test_a_risk_is_accepted_until_a_day(page: TestClient) -> None:
    day = clock.days_ahead(3)[:10]
    sent = {**form(page, "accept-risk", "plain-words"), "reason": "nobody reads it yet", "until": day}
    text = words(page.post("/plan/acts/accept-risk", data=sent, headers=PART).text)
    assert f"risk accepted until {day}" in text
    assert "local, not in a commit" in text
    assert f"risk accepted until {day}" in words(page.get("/plan").text)


@pytest.mark.parametrize(
    ("act", "more", "said"),
    [
        ("level", {"level": "odd"}, "no level"),
        ("level", {"level": "strict", "where": "step", "step": "nothing"}, "is no step of an open plan"),
        ("level", {"level": "strict", "where": "all", "state": "0"}, "was changed after it was shown"),
        ("level", {"level": "strict", "where": "step", "state": "0"}, "was changed after it was shown"),
        ("level", {"level": "strict", "where": "all", "state": ""}, "in which state"),
        ("accept-risk", {"reason": "", "until": "2026-12-01"}, "the reason is empty"),
        ("accept-risk", {"reason": "x", "until": "2999-12-01"}, "days away"),
        ("accept-risk", {"reason": "x", "until": clock.days_ahead(2)[:10], "state": "0"}, "changed after it was shown"),
        ("odd", {}, "there is no act"),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    opened: Path, page: TestClient, act: str, more: dict[str, str], said: str
) -> None:
    before = show_plans(opened).text, head_commit(str(opened))
    answer = page.post(f"/plan/acts/{act}", data={**form(page, "accept-risk", "plain-words"), **more}, headers=PART)
    assert answer.status_code == 422
    assert said in words(answer.text)
    assert (show_plans(opened).text, head_commit(str(opened))) == before


def test_words_of_agents_are_shown_and_never_performed(planned: Path, page: TestClient) -> None:
    open_plan(planned, items=[PlanItem(NASTY, status=ACTIVE)], agent=NASTY)
    text = page.get("/plan").text
    assert "<img" not in text
    assert "&lt;img src=x" in text
    assert "AAAAAAAAAA" not in text
    assert "\u202e" not in text


def test_the_plan_is_kept_as_a_file(opened: Path, page: TestClient) -> None:
    answer = page.get("/plan/save")
    assert answer.text == save_plan(opened, "").text + "\n"
    assert answer.headers["content-disposition"] == 'attachment; filename="plan.md"'

"""Plan, evolve and report in the browser: what is decided there is a commit that is named, or local and says so."""

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.running_page import RunningPage, head, names_commit

pytestmark = pytest.mark.browser

STEP = ".steps > li:nth-child(3)"  # a step with one rule


def _set_level(page: Page, where: str) -> None:
    if not page.value(f"document.querySelector('{STEP} details').open"):
        page.choose("Decide", STEP)
    page.select("Proof that it needs", "remind", f"{STEP} details[open]")
    page.select("Where", where, f"{STEP} details[open]")
    page.choose("Set the level", STEP)


def test_the_level_of_a_rule_at_a_step_is_local_and_at_all_plans_a_commit(
    page: Page, ui: RunningPage, billing: Path
) -> None:
    page.open(f"{ui.address}/plan")
    before = head(billing)
    _set_level(page, "step")
    page.until("document.querySelector('#told').innerText.includes('local')")
    page.until(f"document.querySelector('{STEP} .badge + a, {STEP} li').innerText.includes('remind')")
    assert head(billing) == before
    names_commit(page, billing, before, act=lambda: _set_level(page, "all"))
    assert "level: remind" in (billing / ".rules/use-pnpm.yaml").read_text()
    assert page.complaints == []


def test_a_revision_is_accepted_in_a_commit(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/evolve")
    assert str(page.until("document.querySelector('.diff .add')?.innerText")).startswith("+revision: 2")
    names_commit(page, billing, "", act=lambda: page.choose("Accept"))
    assert "yarn" in (billing / ".rules/use-pnpm.yaml").read_text()
    page.until("!document.querySelector('main').innerText.includes('yarn is just as wrong')")


def test_a_revision_is_rejected_on_this_machine(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/evolve")
    before = head(billing)
    page.choose("Reject")
    page.until("document.querySelector('#told').innerText.includes('local')")
    assert head(billing) == before


def test_the_report_begins_at_a_day_and_is_the_file_that_is_saved(page: Page, ui: RunningPage) -> None:
    page.open(f"{ui.address}/report")
    assert "88" in page.text("dl")
    plots = page.value("document.querySelectorAll('main svg').length")
    assert plots >= 3
    page.open(f"{ui.address}/report?since=2027-01-01")
    assert "88" not in page.text("dl")
    saved = page.value("[...document.querySelectorAll('main a')].find(one => one.innerText.includes('Save')).href")
    assert saved.startswith(f"{ui.address}/")

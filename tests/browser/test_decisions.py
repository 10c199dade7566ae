"""Revisions and report in the browser: what is decided there is a commit that is named, or local and says so."""

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.running_page import RunningPage, head, names_commit

pytestmark = pytest.mark.browser


def test_a_revision_is_accepted_in_a_commit(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/queue/revisions/use-pnpm")
    assert str(page.until("document.querySelector('.diff .add')?.innerText")).startswith("+revision: 2")
    names_commit(page, billing, "", act=lambda: page.choose("Accept"))
    assert "yarn" in (billing / ".rules/use-pnpm.yaml").read_text()
    page.until("!document.querySelector('main').innerText.includes('yarn is just as wrong')")


def test_a_revision_is_rejected_on_this_machine(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/queue/revisions/use-pnpm")
    before = head(billing)
    page.choose("Reject")
    page.until("document.querySelector('#told').innerText.includes('local')")
    assert head(billing) == before


def test_the_report_begins_at_a_day(page: Page, ui: RunningPage) -> None:
    page.open(f"{ui.address}/report")
    assert "88" in page.text("dl")
    plots = page.value("document.querySelectorAll('main svg').length")
    assert plots >= 3
    page.open(f"{ui.address}/report?since=2027-01-01")
    assert "88" not in page.text("dl")

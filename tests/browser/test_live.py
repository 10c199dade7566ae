"""What happens in a clone is seen in the page without a reload, in every tab."""

from pathlib import Path

import pytest

from tests.support.asking import ask_hook
from tests.support.browser import Page
from tests.support.payloads import runs
from tests.support.running_page import RunningPage
from tests.support.world import begin

pytestmark = pytest.mark.browser


def test_a_refusal_of_a_real_gate_is_seen_at_once(page: Page, ui: RunningPage, billing: Path) -> None:
    """In two windows; a tab behind another one catches up when it comes to the front."""
    other = page.wire.tab()
    behind = other.wire.tab(window=False)
    for tab in (other, behind):
        tab.open(f"{ui.address}/")
    page.wire.tab(window=False).ask("Page.bringToFront")
    refused = ask_hook(billing, runs("claude-code", str(billing), "git push --force origin main"))
    assert b"deny" in refused.stdout
    for tab in (page, other, behind):
        tab.ask("Page.bringToFront")
        first = "document.querySelector('#found tbody tr')"
        tab.until(f"{first}?.innerText.includes('never-force-push')", 10)
        assert "refused" in tab.value(f"{first}.innerText")
    assert page.complaints == []


def test_what_the_terminal_does_is_seen(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/rules/no-silent-errors")
    other = page.wire.tab()
    other.open(f"{ui.address}/")
    waiting = "[...document.querySelectorAll('.tiles div')].find(one => one.innerText.includes('wait')).innerText"
    assert "5" in other.value(waiting)
    begin(billing, "review", "--reject", "no-git-stash")
    other.until(f"{waiting}.includes('4')", 10)

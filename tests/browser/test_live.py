"""What happens in a clone is seen in the page without a reload, in every tab."""

import json
from pathlib import Path

import pytest

from tests.support.asking import ask_hook
from tests.support.browser import Page
from tests.support.payloads import runs
from tests.support.running_page import RunningPage
from tests.support.world import begin

pytestmark = pytest.mark.browser


CARD = "[...document.querySelectorAll('#found .card')].find(one => one.innerText.startsWith('never-force-push'))"


def test_a_refusal_of_a_real_gate_is_seen_soon(page: Page, ui: RunningPage, billing: Path) -> None:
    """In two windows; a tab behind another one catches up when it comes to the front."""
    other = page.wire.tab()
    behind = other.wire.tab(window=False)
    tabs = (page, other, behind)
    for tab in tabs:
        tab.open(f"{ui.address}/rules")
    before = [tab.value(f"{CARD}.innerText") for tab in tabs]
    page.wire.tab(window=False).ask("Page.bringToFront")
    refused = ask_hook(billing, runs("claude-code", str(billing), "git push --force origin main"))
    assert b"deny" in refused.stdout
    for tab, text in zip(tabs, before, strict=True):
        tab.ask("Page.bringToFront")
        tab.until(f"{CARD}?.innerText && {CARD}.innerText !== {json.dumps(text)}", 10)
        assert "refused" in tab.value(f"{CARD}.innerText")
    assert page.complaints == []


def test_what_the_terminal_does_is_seen(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/rules/no-silent-errors")
    other = page.wire.tab()
    other.open(f"{ui.address}/queue")
    waiting = "document.querySelector('#queue-count').innerText"
    assert "5 candidates" in other.value(waiting)
    begin(billing, "review", "--reject", "no-git-stash")
    other.until(f"{waiting}.includes('4 candidates')", 10)

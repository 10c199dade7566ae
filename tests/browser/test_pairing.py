"""A browser is let in by a code that it shows and the person types; it is the only one."""

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.browser import Page, chromium
from tests.support.running_page import RunningPage

pytestmark = pytest.mark.browser


def test_a_browser_is_paired_by_the_code_that_it_shows(ui: RunningPage, tabs: Page, tmp_path: Path) -> None:
    tabs.open(f"{ui.address}/")
    tabs.until("document.querySelector('#code')?.textContent.trim()")
    assert tabs.value("document.querySelector('nav')") is None
    before = len(ui.shown)
    ui.types("AAA AAA")
    ui.reads_until("(?i)no browser|wrong|not", before)
    ui.types(tabs.value("document.querySelector('#code').textContent"))
    tabs.until("document.querySelector('h1')?.innerText === 'Queue'")
    second = tabs.wire.tab()
    second.open(f"{ui.address}/rules")
    assert second.text("h1") == "Rules"
    with chromium(tmp_path / "stranger") as stranger:  # another browser, after the person's own
        stranger.open(f"{ui.address}/")
        stranger.until("document.querySelector('#wrong')?.innerText.includes('closed')")
        assert stranger.value("document.querySelector('nav')") is None
    assert _asked_plainly(ui.address) == 401
    assert ui.ends() == 0


def test_a_browser_without_javascript_reads_and_decides_nothing(ui: RunningPage, tabs: Page) -> None:
    tabs.scripts(run=False)
    tabs.open(f"{ui.address}/")
    before = tabs.done
    tabs.choose("Get a code for reading")
    tabs.loads(before)
    ui.types(tabs.value("document.querySelector('#code').textContent"))
    tabs.until("document.querySelector('h1')?.innerText === 'Queue' && document.readyState === 'complete'")
    tabs.open(f"{ui.address}/rules/use-pnpm")
    tabs.until("document.readyState === 'complete' && location.pathname === '/rules/use-pnpm'")
    tabs.value("[...document.querySelectorAll('summary')].find(one => one.innerText === 'Retire').focus()")
    tabs.press("Enter")
    tabs.fill("Reason", "no more", "details[open] form")
    tabs.choose("Retire", "details[open] form")
    tabs.until("document.body.innerText.includes('nothing was done')")


def _asked_plainly(address: str) -> int:
    """What a program that knows the address gets for a page."""
    split = urlsplit(address)
    connection = HTTPConnection("127.0.0.1", split.port or 0)
    connection.request("GET", "/rules", headers={"Host": split.netloc})
    status = connection.getresponse().status
    connection.close()
    return status

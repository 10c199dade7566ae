"""Every page: readable narrow or dark, by keyboard and without JavaScript; it asks nobody else for anything."""

from itertools import pairwise
from pathlib import Path

import pytest

from tests.support import axe
from tests.support.browser import Page
from tests.support.running_page import RunningPage, running_page

pytestmark = pytest.mark.browser

SETTLED = "!document.querySelector('.htmx-request, .htmx-settling, .htmx-swapping')"
LOOKS = ((1100, False), (1100, True), (360, False), (360, True))


def addresses(page: Page, ui: RunningPage) -> list[str]:
    """Every page that the navigation names, with the pages of two rules, and one that is not there."""
    paths = page.value("[...document.querySelectorAll('nav a')].map(one => one.pathname)")
    assert len(paths) >= 4, paths
    more = ("/queue/revisions", "/rules/use-pnpm", "/rules/plain-words", "/not-here")
    return [f"{ui.address}{path}" for path in (*paths, *more)]


def test_it_is_accessible_and_asks_nobody_else(page: Page, ui: RunningPage) -> None:
    wrong = []
    for address in addresses(page, ui):
        for width, dark in LOOKS:
            page.loaded.clear()
            page.complaints.clear()
            page.open(address, width, dark=dark)
            page.until(f"document.readyState === 'complete' && {SETTLED}")
            expected = [f"Failed to load resource: the server responded with a status of 404 (Not Found) {address}"]
            complaints = [one for one in page.complaints if not (address.endswith("-here") and one in expected)]
            told = {
                "complains": complaints,
                "asks": [one for one in page.loaded if not one.startswith((f"{ui.address}/", "data:"))],
                "axe": axe.grave_findings(page),
                "too wide": axe.too_wide(page),
                "focus": axe.unseen_focus(page) if width == 1100 and not dark else [],
                "headings": _headings(page),
            }
            wrong += [(address, width, dark, name, found) for name, found in told.items() if found]
    assert not wrong, "\n".join(map(str, wrong))


def _headings(page: Page) -> list[str]:
    """What is wrong with the outline: one h1, and no level left out."""
    levels = page.value("[...document.querySelectorAll('h1, h2, h3, h4, h5')].map(one => Number(one.tagName[1]))")
    found = [] if levels.count(1) == 1 else [f"{levels.count(1)} headings of the first level"]
    return found + [f"h{to} after h{of}" for of, to in pairwise(levels) if to > of + 1]


def test_it_is_read_without_javascript(page: Page, ui: RunningPage) -> None:
    """The same texts stand there, links lead on, and the search is a form."""
    wanted = addresses(page, ui)
    texts = []
    for run in (True, False):
        page.scripts(run=run)
        shown = []
        for address in wanted:
            page.open(address)
            shown.append(page.text())
        texts.append(shown)
    for address, lively, plain in zip(wanted, *texts, strict=True):
        assert len(plain) > 0.6 * len(lively), f"{address} says less without JavaScript:\n{plain}\n-- with:\n{lively}"
    page.open(f"{ui.address}/rules")
    page.fill("Words", "force-push")
    page.press("Enter")
    page.until("location.search.includes('force-push') && document.body?.innerText.includes('Never force-push.')")
    assert "Use the logger" not in page.text()


@pytest.mark.parametrize("dark", [False, True])
def test_an_empty_repository_says_the_next_step_everywhere(tabs: Page, repo: Path, *, dark: bool) -> None:
    with running_page(repo) as ui:
        ui.pair(tabs)
        for path in tabs.value("[...document.querySelectorAll('nav a')].map(one => one.pathname)"):
            tabs.open(f"{ui.address}{path}", 360, dark=dark)
            assert axe.grave_findings(tabs) == []
            assert axe.too_wide(tabs) == []
            assert "rulec " in tabs.text(), path


def test_what_opens_is_accessible_too(page: Page, ui: RunningPage) -> None:
    """Cards, forms, quotes and diffs, all opened."""
    wrong, opened = [], {}
    for address in addresses(page, ui)[:-1]:
        page.open(address)
        page.until(f"document.readyState === 'complete' && {SETTLED}")
        opened[address.removeprefix(ui.address)] = _open_all(page)
        for width, dark in LOOKS:
            page.look(width, dark=dark)
            found = {"axe": axe.grave_findings(page), "too wide": axe.too_wide(page), "headings": _headings(page)}
            wrong += [(address, width, dark, name, told) for name, told in found.items() if told]
    assert not wrong, "\n".join(map(str, wrong))
    assert min(opened["/queue"], opened["/rules/use-pnpm"], opened["/plan"], opened["/queue/revisions"]) > 0, opened


# Opens what is closed and asks for what a click brings, each once; how many those were.
OPEN = """(() => {
  const closed = [...document.querySelectorAll('main details:not([open])')];
  const asking = 'main a[hx-get]:not([data-asked]), main button[hx-get]:not([data-asked])';
  const more = [...document.querySelectorAll(asking)];
  closed.forEach((one) => { one.open = true; });
  more.forEach((one) => { one.dataset.asked = ''; one.click(); });
  return closed.length + more.length;
})()"""
MOST_ROUNDS = 6


def _open_all(page: Page) -> int:
    """Open whatever can be opened, and what is in it; how many that were."""
    many = 0
    for _ in range(MOST_ROUNDS):
        found = page.value(OPEN)
        page.until(SETTLED)
        many += found
        if not found:
            break
    return many

"""The page in a real browser: a repository of some weeks, ``rulec ui`` in it, and a paired tab."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.billing import billing as make_billing
from tests.support.browser import Page, chromium
from tests.support.running_page import RunningPage, running_page
from tests.support.world import at_home, copy


@pytest.fixture(scope="session")
def _browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def tabs(_browser: Page) -> Iterator[Page]:
    """The one tab of a browser that knows no page; ``wire.tab()`` opens another."""
    _browser.scripts(run=True)
    _browser.look()
    yield _browser
    _browser.scripts(run=True)
    _browser.wire.close_others(_browser)


@pytest.fixture(scope="session")
def _billing(tmp_path_factory: pytest.TempPathFactory, _path: str) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with at_home(folder, PATH=_path):
        return make_billing(folder / "billing")


@pytest.fixture
def billing(_billing: Path, tmp_path: Path) -> Path:
    """A copy of that repository: see tests/support/billing.py."""
    return copy(_billing, tmp_path / "billing")


@pytest.fixture
def ui(billing: Path) -> Iterator[RunningPage]:
    """``rulec ui`` there."""
    with running_page(billing) as running:
        yield running


@pytest.fixture
def page(ui: RunningPage, tabs: Page) -> Page:
    """A tab that is paired with it; it shows the queue."""
    ui.pair(tabs)
    tabs.complaints.clear()
    tabs.loaded.clear()
    return tabs

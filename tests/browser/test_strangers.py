"""Words of strangers, wherever they stand, are words: nothing of them runs, loads or looks like the page's own."""

from pathlib import Path

import pytest

from tests.support import strangers
from tests.support.browser import Page
from tests.support.running_page import running_page
from tests.support.world import copy

pytestmark = pytest.mark.browser

_OWN = "[...document.scripts].filter(one => !one.src.startsWith(location.origin + '/static/')).length"
_MADE = "document.querySelectorAll('img, b, iframe, object, embed, [onerror], [style], style, base').length"


@pytest.fixture
def odd(_gated: Path, tmp_path: Path) -> Path:
    """A repository full of them, and in a folder that is named so."""
    top = copy(_gated, tmp_path / "<img src=x onerror=alert(1)>")
    strangers.fill(top)
    return top


def test_nothing_of_it_runs_or_loads(odd: Path, tabs: Page) -> None:
    with running_page(odd) as ui:
        ui.pair(tabs)
        tabs.complaints.clear()
        tabs.loaded.clear()
        nav = tabs.value("[...document.querySelectorAll('nav a')].map(one => one.pathname)")
        rules = [f"/rules/odd-{number}" for number in range(len(strangers.NASTY))]
        told = ""
        for path in (*nav, *rules):
            tabs.open(f"{ui.address}{path}")
            tabs.until("document.readyState === 'complete' && !document.querySelector('.htmx-request')")
            assert (path, tabs.value(_OWN), tabs.value(_MADE)) == (path, 0, 0)
            assert tabs.value("document.title").endswith("<img src=x onerror=alert(1)> · rulec")
            told += tabs.text("body")
        assert tabs.complaints == []
        assert [one for one in tabs.loaded if not one.startswith((f"{ui.address}/", "data:"))] == []
        for text in strangers.NASTY[:5]:
            assert " ".join(text.split()) in " ".join(told.split())
        assert "\u202e" not in told

"""The report's page in a real browser: it shows its plots, loads nothing, runs nothing and believes no name."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.domain.evidence import FiringCount
from rulec.reports.ledger_counts import RuleActivity
from rulec.services.history.activity import report_page
from tests.support.browser import Page, chromium
from tests.support.strangers import NASTY

pytestmark = pytest.mark.browser

WEEKS = 8  # from the first finding to the day of the report
NAME = '<img src="http://127.0.0.1:9/name">'


def _counts(slug: str) -> tuple[FiringCount, ...]:
    days = [f"2026-{month:02}-{day:02}" for month in (10, 11) for day in range(1, 22, len(slug) % 3 + 1)]
    return tuple(
        FiringCount(day=day, gate=gate, agent=agent, outcome=outcome, times=number % 4 + 1)
        for number, day in enumerate(days)
        for gate, agent in (("ask", "claude-code"), ("stop", "codex"), ("commit", ""))
        for outcome in ("block", "warn", "fixed", "excepted")
    )


SLUGS = ("use-pnpm", "no-print", "tests-before-done", "never-force-push", "a-rule-with-quite-a-long-name-that-wraps")
FOUND = [
    *(RuleActivity(slug=slug, statement=f"Say {slug}.", acts="block", counts=_counts(slug), wrong=1) for slug in SLUGS),
    *(RuleActivity(slug=name, statement=name, acts="warn", counts=_counts(name)) for name in NASTY),
    RuleActivity(slug="quiet", statement="Say nothing.", acts="block"),
    RuleActivity(slug=NASTY[0], statement=NASTY[1], acts="block"),
]


@pytest.fixture(scope="module")
def text() -> str:
    return report_page(FOUND, name=NAME, since="2026-10-01", now="2026-11-22T10:00:00Z")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page(browser: Page, tmp_path: Path, text: str) -> Page:
    """The page as it is opened from the disk."""
    (tmp_path / "report.html").write_text(text)
    browser.loaded.clear()
    browser.complaints.clear()
    browser.open(tmp_path / "report.html")
    return browser


def test_it_loads_and_runs_nothing_and_has_nothing_to_complain_of(page: Page, tmp_path: Path) -> None:
    assert page.loaded == [(tmp_path / "report.html").as_uri()]
    assert page.complaints == []
    assert page.value("document.scripts.length + document.images.length + document.styleSheets.length") == 1
    assert page.value("document.querySelectorAll('[style], [onerror], link, iframe, object').length") == 0


def test_the_browser_would_have_told(browser: Page, tmp_path: Path, text: str) -> None:
    inserted = "<script>alert(1)</script><img src=http://127.0.0.1:9/x><style>p{}</style>"
    (tmp_path / "bad.html").write_text(text.replace("<main>", f"<main>{inserted}"))
    browser.complaints.clear()
    browser.open(tmp_path / "bad.html")
    assert sum("Content Security Policy" in one for one in browser.complaints) >= 3


def test_every_plot_can_be_seen(page: Page) -> None:
    for width, dark in ((1100, False), (1100, True), (400, False)):
        page.open(Path(page.loaded[0].removeprefix("file://")), width, dark=dark)
        boxes = page.value("""[...document.querySelectorAll('figure svg')].map(one => {
            const box = one.getBoundingClientRect(); return [box.width, box.height, box.right]})""")
        assert len(boxes) == WEEKS + len(SLUGS) + len(NASTY)
        assert all(wide > 100 and high >= 10 and right <= width for wide, high, right in boxes)
        shapes = page.value("""[...document.querySelectorAll('figure rect')].map(one => {
            const box = one.getBoundingClientRect(), style = getComputedStyle(one);
            return [box.width, style.fill]})""")
        assert all(wide > 0 and colour not in ("none", "rgb(0, 0, 0)") for wide, colour in shapes)
        assert page.value("document.documentElement.scrollWidth") <= width
        back = page.value("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, back[4:-1].split(","))) < 150) is dark


def test_names_of_strangers_are_words_and_nothing_else(page: Page) -> None:
    told = page.value("[...document.querySelectorAll('#bars .name')].map(one => one.textContent.trim())")
    shown = [one.replace("\u0000", "") for one in NASTY]
    assert {one.split(" noisy")[0] for one in told} >= {one.strip() for one in shown}
    assert page.value("document.title") == f"What the rules did: {NAME}"
    assert page.value("document.querySelectorAll('img, b').length") == 0


def test_who_sees_no_plot_finds_the_same_in_tables_and_titles(page: Page) -> None:
    assert page.value("document.querySelectorAll('svg:not([aria-label]):not([aria-hidden])').length") == 0
    assert page.value("document.querySelectorAll('th:not([scope])').length") == 0
    assert page.value("document.querySelectorAll('.scroll:not([tabindex]), .scroll:not([aria-label])').length") == 0
    named = page.value("[...document.querySelectorAll('section')].map(one => one.getAttribute('aria-labelledby'))")
    assert all(page.value(f"document.getElementById('{name}') !== null") for name in named)


CONTRAST = """[...document.querySelectorAll('p, dt, dd, th, td, li, summary, figcaption, .tag, .plot span')]
  .filter(one => one.textContent.trim()).map(one => {
    const read = text => text.match(/[\\d.]+/g).map(Number);
    const mix = (over, under) => {
      const a = over.length > 3 ? over[3] : 1;
      return [0, 1, 2].map(at => over[at] * a + under[at] * (1 - a)) };
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.push(read(getComputedStyle(at).backgroundColor));
    const back = layers.reverse().reduce((under, over) => mix(over, under), [255, 255, 255]);
    const linear = part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    const light = rgb => {
      const [r, g, b] = rgb.map(part => linear(part / 255));
      return .2126 * r + .7152 * g + .0722 * b };
    const two = [light(back), light(mix(read(getComputedStyle(one).color), back))].sort((a, b) => b - a);
    return [(two[0] + .05) / (two[1] + .05), one.className + ' ' + one.textContent.trim().slice(0, 30)] })
  .filter(one => one[0] < 4.5)"""


@pytest.mark.parametrize("dark", [False, True])
def test_every_word_stands_out_from_its_ground(page: Page, *, dark: bool) -> None:
    page.open(Path(page.loaded[0].removeprefix("file://")), dark=dark)
    assert page.value(CONTRAST) == []


def test_a_report_of_nothing_is_a_page_too(browser: Page, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_text(report_page([FOUND[-2]], name="x", since="", now="2026-11-22T10:00:00Z"))
    browser.complaints.clear()
    browser.open(tmp_path / "empty.html")
    assert "Nothing fired" in browser.value("document.body.textContent")
    assert browser.complaints == []


def test_for_the_eye(page: Page) -> None:
    """Where RULEC_SHOTS names a folder, pictures for a person to look at."""
    folder = os.environ.get("RULEC_SHOTS")
    for name, width, dark in (("light", 1100, False), ("dark", 1100, True), ("phone", 400, False)):
        page.open(Path(page.loaded[0].removeprefix("file://")), width, dark=dark)
        data = page.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        assert len(data) > 10_000
        if folder:
            (Path(folder) / f"{name}.png").write_bytes(base64.b64decode(data))

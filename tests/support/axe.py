"""axe, the checker of accessibility, run in a page of the real browser; and what it does not look at."""

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.support.browser import Page

GRAVE = ("serious", "critical")
_ASK = """axe.run(document, {resultTypes: ['violations']}).then(told => told.violations.map(one => [
  one.id, one.impact, one.nodes.map(node => node.target.join(' ') + ': ' + node.html.slice(0, 160))]))"""
# What is wider than the page, of what nothing inside scrolls.
_WIDE = """(() => {
  const wide = document.documentElement.clientWidth;
  const inside = one => one && one !== document.body &&
    (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(one).overflowX) || inside(one.parentElement));
  if (document.documentElement.scrollWidth <= wide) return [];
  return [...document.querySelectorAll('body *')]
    .filter(one => one.getBoundingClientRect().right > wide + 1 && !inside(one.parentElement))
    .slice(0, 5).map(one => one.outerHTML.slice(0, 160)).concat('scrollWidth ' + document.documentElement.scrollWidth);
})()"""
# Where the focus is, and whether anything shows it.
_FOCUS = """(() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  const style = getComputedStyle(one);
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const box = one.getBoundingClientRect();
  return [one.outerHTML.slice(0, 160), ring && box.width > 0 && box.height > 0];
})()"""
_MOST_CONTROLS = 400


@cache
def _source() -> str:
    found = find_spec("axe_core_python")
    assert found, "axe-core-python is not installed"
    assert found.origin
    return (Path(found.origin).parent / "axe.min.js").read_text()


def grave_findings(page: Page) -> list[Any]:
    """What axe finds that is serious or critical."""
    if not page.value("typeof axe === 'object'"):
        page.value(f"{_source()}\n;0")
    return [one for one in page.value(_ASK) if one[1] in GRAVE]


def too_wide(page: Page) -> list[str]:
    """What makes the page scroll sideways; nothing where it does not."""
    return list(page.value(_WIDE))


def unseen_focus(page: Page) -> list[str]:
    """The controls that Tab comes to and that do not show it, each once."""
    page.value("(document.activeElement?.blur(), document.body.tabIndex = -1, document.body.focus(), scrollTo(0, 0))")
    seen, unseen = set[str](), []
    for _ in range(_MOST_CONTROLS):
        page.press("Tab")
        told = page.value(_FOCUS)
        if told is None or json.dumps(told) in seen:
            break
        seen.add(json.dumps(told))
        if not told[1]:
            unseen.append(told[0])
    assert seen, "no control takes the focus"
    return unseen

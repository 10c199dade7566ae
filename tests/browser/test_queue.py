"""The queue by keyboard alone, and by several hands at once."""

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.running_page import RunningPage, head, names_commit
from tests.support.world import act, begin, run

pytestmark = pytest.mark.browser

CARD = "document.querySelector('.waiting[aria-current] .candidate')"
TITLE = "document.querySelector('.waiting[aria-current] h2')?.innerText"
SETTLED = "!document.querySelector('.htmx-request, .htmx-settling, .htmx-swapping')"
TOLD = "document.querySelector('#told').innerText.trim()"


def _titles(page: Page) -> list[str]:
    return list(page.value("[...document.querySelectorAll('#waiting h2')].map(one => one.innerText.trim())"))


def _open(page: Page, ui: RunningPage) -> None:
    """Open the queue, and wait until the candidates are compared with each other."""
    page.open(f"{ui.address}/queue")
    page.until(f"{SETTLED} && !document.body.innerText.includes('not compared')")


def _go(page: Page, title: str) -> None:
    """Go to a candidate with j and k, and wait for its card."""
    page.press(*["k"] * 9)
    for _ in range(9):
        if page.value(TITLE) == title:
            break
        page.press("j")
    page.until(f"{TITLE} === {title!r} && {CARD} && {SETTLED}")


def _told(page: Page, key: str) -> str:
    page.value("document.querySelector('#told').replaceChildren()")
    page.press(key)
    return str(page.until(TOLD))


def test_the_whole_queue_by_keyboard_alone(page: Page, ui: RunningPage, billing: Path) -> None:
    _open(page, ui)
    assert len(_titles(page)) == 5
    before = head(billing)

    _go(page, "Never use git stash.")  # rejected: local
    assert "local" in _told(page, "r")
    page.until("document.querySelectorAll('#waiting h2').length === 4")
    assert head(billing) == before

    _go(page, "Use npm instead of pnpm.")  # first shown as a rule of its own, then left: local
    page.press("n")
    page.until(f"{CARD}?.innerText.includes('NEW use-npm') && {SETTLED}")
    assert "local" in _told(page, "l")
    assert "Use npm instead of pnpm." in _titles(page)
    assert head(billing) == before

    _go(page, "Never use git commit --no-verify.")  # accepted: one commit
    made = names_commit(page, billing, before, act=lambda: page.press("a"))
    page.until("document.querySelectorAll('#waiting h2').length === 3")
    assert list(billing.glob(".rules/no-git-commit*verify.yaml"))

    _go(page, "Use httpx instead of requests.")  # edited, with the proof as one types
    page.press("e")
    page.until("document.activeElement.matches('textarea')")
    text = page.value("document.activeElement.value")
    page.press("Control+a")
    page.type(text.replace("statement:", "statemint:"))
    page.until("document.querySelector('.proof .refused')?.innerText.includes('statemint')")
    page.press("Control+a")
    page.type(text.replace("Use httpx instead of requests.", "Fetch with httpx, never with requests."))
    page.until("document.querySelector('.proof')?.innerText.includes('it holds')")
    assert head(billing) == made
    page.press("Tab")
    assert page.value("document.activeElement.innerText") == "Accept as edited"
    made = names_commit(page, billing, made, act=lambda: page.press("Enter"))
    assert "Fetch with httpx, never with requests." in (billing / ".rules/use-httpx.yaml").read_text()

    _go(page, "Use pnpm, never npm.")  # the rulebook gains evidence, and says nothing twice
    names_commit(page, billing, made, act=lambda: page.press("a"))
    page.until("document.querySelectorAll('#waiting h2').length === 1")
    assert run(billing, "status", "--porcelain", "--", ".rules") == ""
    act(billing, "compile", "--check")
    assert page.complaints == []


def test_a_candidate_becomes_part_of_a_rule_by_a_key(page: Page, ui: RunningPage, billing: Path) -> None:
    _open(page, ui)
    _go(page, "Never use git commit --no-verify.")
    page.press("m")
    page.until(f"{CARD}?.innerText.includes('UPDATE never-force-push') && {SETTLED}")


def test_who_is_at_a_candidate_stays_there_when_the_list_is_read_again(page: Page, ui: RunningPage) -> None:
    _open(page, ui)
    _go(page, "Never use git stash.")
    page.value("document.querySelector('#queue').dispatchEvent(new CustomEvent('again'))")
    page.until(f"{SETTLED} && {TITLE} === 'Never use git stash.' && {CARD}")
    assert page.value("document.activeElement.closest('.waiting') === document.querySelector('.waiting[aria-current]')")


def test_keys_are_letters_where_one_types(page: Page, ui: RunningPage, billing: Path) -> None:
    """Neither a field nor a person who turned them off loses a candidate to a letter."""
    before = head(billing)
    _open(page, ui)
    _go(page, "Never use git stash.")
    page.press("e")
    page.until("document.activeElement.matches('textarea')")
    page.press("r", "a", "l")
    page.press("Escape", "?")
    page.until("document.querySelector('#keys').open")
    page.click("#keys-on")
    page.press("r", "a", "j")
    assert len(_titles(page)) == 5
    assert head(billing) == before


def test_two_windows_and_the_terminal_decide_about_the_same(page: Page, ui: RunningPage, billing: Path) -> None:
    """Who comes second is told so; nothing is decided twice and nothing is lost."""
    other = page.wire.tab()
    for tab in (page, other):
        _open(tab, ui)
        _go(tab, "Never use git commit --no-verify.")
    page.ask("Page.bringToFront")
    made = names_commit(page, billing, "", act=lambda: page.press("a"))
    other.ask("Page.bringToFront")
    told = _told(other, "r")
    assert "Not done" in told, told
    assert list(billing.glob(".rules/no-git-commit*verify.yaml"))
    _go(page, "Never use git stash.")
    begin(billing, "review", "--reject", "no-git-stash")
    assert "Not done" in _told(page, "a")
    assert head(billing) == made
    assert not (billing / ".rules/no-git-stash.yaml").exists()

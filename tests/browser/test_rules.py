"""Rules in the browser: find one, try what it says, and decide about it; each decision is a commit that is named."""

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.running_page import RunningPage, names_commit
from tests.support.world import run

pytestmark = pytest.mark.browser


def _slugs(page: Page) -> list[str]:
    found = page.value("[...document.querySelectorAll('#found h2')].map(one => one.innerText.trim())")
    return sorted(map(str, found))


def test_rules_are_searched_as_one_types_and_filtered(page: Page, ui: RunningPage) -> None:
    page.open(f"{ui.address}/rules")
    assert len(_slugs(page)) == 8
    page.click("#q")
    for key in "force":
        page.press(key)
    page.until("document.querySelectorAll('#found h2').length === 1")
    assert _slugs(page) == ["never-force-push"]
    assert page.value("location.search").endswith("force") or "q=force" in page.value("location.search")
    page.press("Control+a", "Backspace")
    page.until("document.querySelectorAll('#found h2').length === 8")
    page.select("Category", "git")
    page.until("document.querySelectorAll('#found h2').length === 2")
    assert _slugs(page) == ["conventional-commits", "never-force-push"]
    page.choose("never-force-push")
    page.until("document.querySelector('h1')?.innerText.includes('never-force-push')")


def test_a_command_and_code_are_tried(page: Page, ui: RunningPage, billing: Path) -> None:
    before = run(billing, "status", "--porcelain")
    page.open(f"{ui.address}/rules/use-pnpm")
    for command, says in (("cd web && npm ci", "catch"), ("pnpm add left-pad", "pass")):
        page.fill("Command or code", command)
        page.choose("See what it says")
        page.until(f"document.querySelector('#verdict').innerText.includes('{says}')")
    page.open(f"{ui.address}/rules/log-dont-print")
    page.select("It is", "file")
    page.fill("File, for code", "src/a.py")
    page.fill("Command or code", "def f():\n    print(1)\n")
    page.choose("See what it says")
    page.until("document.querySelector('#verdict').innerText.includes('catch')")
    assert run(billing, "status", "--porcelain") == before


def test_a_note_a_level_and_a_rollback_are_commits(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/rules/no-silent-errors")
    head = names_commit(page, billing, "", act=lambda: _note(page))
    assert "Note" in run(billing, "log", "-1", "--format=%s")
    head = names_commit(page, billing, head, act=lambda: _set_to_warn(page))
    page.until("document.querySelector('.rule-head').innerText.includes('warn')")
    names_commit(page, billing, head, act=lambda: _decide(page, "Roll back"))
    page.until("document.querySelector('.rule-head').innerText.includes('audit')")
    assert page.complaints == []


def _note(page: Page) -> None:
    page.choose("Note")
    page.fill("What you saw", "it passes where the handler logs")
    page.choose("Note", "details[open] form")


def _set_to_warn(page: Page) -> None:
    page.choose("Set")
    page.select("To", "warn")
    page.choose("Set", "details[open] form")


def _decide(page: Page, name: str) -> None:
    page.choose(name)
    page.choose(name, "details[open] form")


def test_what_was_seen_is_decided_and_nothing_else(page: Page, ui: RunningPage, billing: Path) -> None:
    """Who decides about a state that is gone is told so, and nothing is written."""
    page.open(f"{ui.address}/rules/no-silent-errors")
    other = page.wire.tab()
    other.open(f"{ui.address}/rules/no-silent-errors")
    head = names_commit(other, billing, "", act=lambda: _set_to_warn(other))
    _set_to_warn(page)
    page.until("document.querySelector('#told .refused')")
    assert run(billing, "rev-parse", "HEAD").strip() == head


def test_what_cannot_be_shown_or_is_not_answered_is_told(page: Page, ui: RunningPage, billing: Path) -> None:
    """Also where the request is for a part of the answer, which no refusal has."""
    page.open(f"{ui.address}/rules")
    broken = billing / ".rules/use-pnpm.yaml"
    text = broken.read_text()
    broken.write_text("slug: [")
    page.click("#q")
    page.press("f")
    page.until("document.querySelector('#told .refused')?.innerText.includes('use-pnpm.yaml')")
    broken.write_text(text)
    ui.ends()
    page.press("o")
    page.until("document.querySelector('#told').innerText.includes('No answer')")

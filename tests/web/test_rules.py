"""The page of all rules: found by words and conditions, in pages, with all text escaped and redacted."""

import os
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.checkout import ledger
from rulec.domain.rule import Rule, Scope
from rulec.rulebook import rule_file
from rulec.services.browsing import rule_cards
from rulec.services.browsing.rule_cards import CardFilter, CardIndex, RuleCard
from rulec.web.views import rules

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
CARDS = (
    RuleCard(slug="use-pnpm", statement="Use pnpm, never npm.", category="tooling", acts="block"),
    RuleCard(slug="no-stash", statement="Never use git stash.", category="git", acts="audit", state="stale"),
    RuleCard(
        slug="docs-english",
        statement="Write plain words, as in NPM's.",
        category="docs",
        scope=Scope(include=("docs/**",)),
    ),
)
FOUND = {
    CardFilter(): "use-pnpm no-stash docs-english",
    CardFilter(words="npm"): "use-pnpm docs-english",
    CardFilter(words="stash"): "no-stash",
    CardFilter(words="NEVER git"): "no-stash",
    CardFilter(words="nothing"): "",
    CardFilter(category="tooling"): "use-pnpm",
    CardFilter(acts="audit"): "no-stash",
    CardFilter(state="stale"): "no-stash",
    CardFilter(state="stale", words="npm"): "",
    CardFilter(file="src/app.py"): "use-pnpm no-stash",
    CardFilter(file="./docs/a.md"): "use-pnpm no-stash docs-english",
}  # fmt: skip


def _slugs(text: str) -> list[str]:
    return re.findall(r'<h2><a href="/rules/([^"]+)">', text)


def test_each_condition_is_met_by_the_rules_that_it_names() -> None:
    index = CardIndex.of(CARDS)
    found = {wanted: " ".join(card.slug for card in index.find(wanted)) for wanted in FOUND}
    assert found == FOUND


def test_a_week_counts_what_was_found_and_refused_in_it() -> None:
    weeks = rule_cards.count_weeks(None, "2026-11-25T10:00:00Z")
    assert (len(weeks), weeks[-1].first, weeks[0].first) == (rule_cards.WEEKS, "2026-11-23", "2026-09-07")


@pytest.mark.usefixtures("ruled")
def test_a_rule_shows_what_it_checks_and_where_it_acts(page: TestClient) -> None:
    text = page.get("/rules?q=pnpm").text
    assert _slugs(text) == ["use-pnpm"]
    assert "forbid-command (commands: npm; instead: pnpm)" in text
    assert "Agents: not checked here: " in text
    assert "1 for, 0 against" in text
    assert "nothing found in the last 12 weeks" in text
    assert "style=" not in text


@pytest.mark.usefixtures("ruled")
def test_no_rule_met_leads_back_to_all(page: TestClient) -> None:
    assert "Show all 3 rules" in page.get("/rules?q=nothing-of-that-name").text


@pytest.mark.usefixtures("gated")
def test_an_empty_rulebook_says_the_next_step(page: TestClient) -> None:
    assert "rulec ingest" in page.get("/rules").text


def _write(top: Path, rule: Rule) -> None:
    (top / f".rules/{rule.slug}.yaml").write_text(rule_file.dump_rule(rule), encoding="utf-8")


def test_a_changed_rulebook_is_seen_at_once_and_words_of_strangers_are_shown_only(
    page: TestClient, ruled: Path
) -> None:
    assert len(_slugs(page.get("/rules").text)) == 3
    hostile = f"<script>alert(1)</script> & \u202eevil\u202c with {TOKEN} in it."
    _write(ruled, Rule(slug="hostile-words", statement=hostile))
    text = page.get("/rules?q=hostile").text
    assert _slugs(text) == ["hostile-words"]
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert TOKEN not in text
    assert "\u202e" not in text
    assert "\\u202e" in text
    echoed = page.get("/rules", params={"q": f'"><b>{TOKEN}'}).text
    assert "<b>" not in echoed
    assert TOKEN not in echoed


def test_many_rules_come_in_pages(page: TestClient, ruled: Path) -> None:
    for number in range(rules.PAGE):
        _write(ruled, Rule(slug=f"keep-{number:02}", statement=f"Keep the thing {number} apart.", category="scope"))
    first, second = page.get("/rules?page=1").text, page.get("/rules?page=2").text
    assert (len(_slugs(first)), len(_slugs(second))) == (rules.PAGE, 3)
    assert not {*_slugs(first)} & {*_slugs(second)}
    assert 'rel="next" href="/rules?page=2"' in first
    narrowed = page.get("/rules?category=scope&page=" + "9" * 5000).text
    assert len(_slugs(narrowed)) == rules.PAGE
    assert "page 1 of 1" not in narrowed


def test_a_broken_rule_is_refused_in_one_line(page: TestClient, ruled: Path) -> None:
    (ruled / ".rules/use-pnpm.yaml").write_text("schema: 1\nslug: use-pnpm\n", encoding="utf-8")
    answer = page.get("/rules")
    assert answer.status_code == 422
    assert ".rules/use-pnpm.yaml" in answer.text


def test_the_ledger_has_a_mark_of_its_own(ruled: Path) -> None:
    before = rule_cards.rulebook_mark(ruled)
    assert rule_cards.rulebook_mark(ruled) == before
    seen = rule_cards.ledger_mark(ruled)
    ledger.append(os.fspath(ruled), [{"slug": "use-pnpm", "event": "commit", "outcome": "block", "of": "a.js"}])
    assert rule_cards.rulebook_mark(ruled) == before
    assert rule_cards.ledger_mark(ruled) != seen
    (card,) = (one for one in rule_cards.rule_cards(ruled) if one.slug == "use-pnpm")
    assert (card.found, card.refused, card.weeks[-1].refused) == (1, 1, 1)


def test_a_very_long_statement_is_cut_on_its_card(page: TestClient, ruled: Path) -> None:
    """One rule that nobody can read must not keep the page from everybody."""
    _write(ruled, Rule(slug="too-long", statement="word " * 400_000, category="scope"))
    answer = page.get("/rules?q=too-long")
    assert _slugs(answer.text) == ["too-long"]
    assert len(answer.text) < 20_000

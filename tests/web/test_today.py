"""Today: what gates found and what became of it, what waits, and a state of the gates that somebody saw."""

import html
import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.checkout import ledger
from rulec.infra import clock
from tests.conftest import Run

LINE = {"event": "ask", "agent": "codex", "slug": "use-pnpm", "outcome": "block", "kind": "command", "of": "npm"}
KEY = "sk-ant-api03-" + "A" * 40
NASTY = '<script>alert(1)</script>"\u202e{{ 7 * 7 }}'
PART = {"HX-Request": "true"}


def noted(top: Path, *lines: dict[str, object]) -> None:
    """Lines of the ledger, a minute apart, the last one a minute ago."""
    begun = clock.epoch_seconds() - 60 * len(lines)
    (top / ".git/rulec").mkdir(exist_ok=True)
    texts = [
        json.dumps({**LINE, "at": ledger.utc_time(begun + 60 * number), "id": f"{number:012x}", **line})
        for number, line in enumerate(lines)
    ]
    (top / ".git/rulec" / ledger.NAME).write_text("\n".join(texts) + "\n")


def words(text: str) -> str:
    """What a person reads of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def test_what_was_refused_is_shown_with_what_became_of_it(ruled: Path, page: TestClient) -> None:
    noted(
        ruled,
        {"session": "a"},
        {"session": "a"},
        {"session": "b", "of": "yarn"},
        {"session": "a", "outcome": "fixed", "times": 2},
        {"slug": "no-stash", "outcome": "warn", "of": "git"},
        {"slug": "no-stash", "outcome": "excepted", "of": "git"},
        {"of": "gone", "at": "2025-01-01T10:00:00Z"},
    )
    text = words(page.get("/").text)
    assert "refused in the last 7 days 2" in text
    assert "put right 1" in text
    assert "open when last seen 1" in text
    assert "use-pnpm npm 2 times tool call codex refused put right after 3 min" in text
    assert "use-pnpm yarn tool call codex refused open" in text
    assert "no-stash git tool call codex warned excepted" in text
    assert "gone" not in text


def test_words_of_strangers_are_shown_and_secrets_are_not(ruled: Path, page: TestClient) -> None:
    noted(ruled, {"of": NASTY}, {"of": KEY, "slug": "no-stash"})
    text = page.get("/").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "\u202e" not in text
    assert KEY not in text
    assert "{{ 7 * 7 }}" in text


def test_the_state_is_that_of_rulec_alone_and_shown_at_once_when_it_is_known(
    ruled: Path, page: TestClient, rulec: Run
) -> None:
    assert 'hx-trigger="load, live"' in page.get("/").text.partition('id="state"')[2].partition(">")[0]
    told = rulec().stdout.splitlines()
    part = page.get("/today/state", headers=PART).text
    assert "<html" not in part
    for line in told[:-1]:
        assert " ".join(line.replace(": ", " ", 1).split()) in words(part)
    assert told[-1].removeprefix("next: ") in words(part).casefold()
    assert "looks at the repository" not in page.get("/").text
    assert "<h1>State" in page.get("/today/state").text


@pytest.mark.usefixtures("gated")
def test_no_gate_is_said_to_work_that_does_not(repo: Path, page: TestClient, rulec: Run) -> None:
    (repo / ".git/hooks/commit-msg").unlink(missing_ok=True)
    text = words(page.get("/today/gates", headers=PART).text)
    signs = json.loads(rulec("doctor", "--format", "json", code=None).stdout)["signs"]
    wrong = [one for one in signs if one["cure"]]
    assert wrong
    assert all(" ".join(f"wrong {one['what']} {one['cure']}".split()) in text for one in wrong)
    assert f"{len(signs) - len(wrong)} well" in text
    (repo / ".rules/broken.yaml").write_text("slug: [")  # what was found a moment ago holds no more
    assert "the rulebook does not load" in words(page.get("/today/gates", headers=PART).text)


def test_noisy_rules_are_named_with_the_reason(ruled: Path, page: TestClient) -> None:
    noted(ruled, *({"session": str(number), "outcome": "warn", "slug": "no-stash"} for number in range(6)))
    text = words(page.get("/today/rules", headers=PART).text)
    assert "no-stash noisy 6 warned" in text
    assert "use-pnpm" not in text


def test_an_empty_repository_says_the_next_step(repo: Path, page: TestClient) -> None:
    text = page.get("/").text
    assert "No gate of this machine found anything" in text
    assert "/today/gates" not in text
    assert "rulec init" in page.get("/today/state", headers=PART).text

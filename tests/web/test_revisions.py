"""Revisions in the queue: each is shown with every verdict that turns, and just the one that was shown is accepted."""

import html
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading
from tests.conftest import Run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

PART = {"HX-Request": "true"}
YARN = ("note", "use-pnpm", "yarn is just as wrong", "--command", "yarn add x")
NASTY = "<script>alert(1)</script> {{ 7 * 7 }} sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAA"


@pytest.fixture
def noted(ruled: Path, rulec: Run) -> Path:
    """A rulebook with a note on one of its rules."""
    rulec(*YARN)
    return ruled


def words(text: str) -> str:
    """What a person reads of it."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def form(text: str) -> dict[str, str]:
    """The hidden fields of the form that decides."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text.partition('<form class="decision')[2])
    assert found, words(text)
    return {name: html.unescape(value) for name, value in found}


def edited(page: TestClient) -> dict[str, str]:
    """What the form for an edit sends."""
    text = page.get("/queue/revisions/use-pnpm/edit", headers=PART).text
    area = re.search(r"<textarea[^>]*>(.*)</textarea>", text, re.DOTALL)
    assert area
    return {**form(text), "text": html.unescape(area[1])}


def shown(page: TestClient) -> str:
    return page.get("/queue/revisions/use-pnpm", headers=PART).text


def send(page: TestClient, answer: str, fields: dict[str, str]) -> tuple[int, str]:
    said = page.post("/queue/revisions/use-pnpm/decide", data={**fields, "answer": answer}, headers=PART)
    return said.status_code, said.text


def tried(page: TestClient, fields: dict[str, str]) -> str:
    return page.post("/queue/revisions/use-pnpm/try", data=fields, headers=PART).text


def head(git: Run) -> str:
    return git("rev-parse", "HEAD").stdout.strip()


def rule_of(top: Path) -> Rule:
    return rule_reading.read_rule((top / ".rules/use-pnpm.yaml").read_text(), source="x")


def test_nothing_to_decide_says_what_to_do(ruled: Path, page: TestClient) -> None:
    assert "rulec note" in page.get("/queue/revisions").text
    assert "Nothing about use-pnpm waits" in words(shown(page))
    assert page.get("/queue/revisions/use-pnpm/edit").status_code == 404


@pytest.mark.usefixtures("noted")
def test_a_revision_is_shown_with_its_diff_and_each_verdict_before_and_after(page: TestClient) -> None:
    assert 'hx-get="/queue/revisions"' in page.get("/queue").text
    listed = page.get("/queue/revisions").text
    assert 'hx-get="/queue/revisions/use-pnpm"' in listed
    assert 'noted: "yarn is just as wrong" (catch: yarn add x)' in words(listed)
    text = shown(page)
    assert "<html" not in text
    assert re.search(r'<span class="add">\+.*yarn', text)
    assert "passed caught yes 'yarn add x' example" in words(text)
    assert "1 verdict turned, none of them unasked" in words(text)
    assert "Proof: holds" in words(text)


def test_what_was_shown_is_accepted_as_a_commit_that_is_named(noted: Path, page: TestClient, git: Run) -> None:
    code, text = send(page, "accept", form(shown(page)))
    assert (code, f"use-pnpm@2: commit {head(git)[:10]}" in words(text)) == (200, True)
    assert "local" not in words(text)
    assert "yarn" in str(rule_of(noted).checks)
    assert git("status", "--porcelain").stdout == ""
    assert "Nothing about use-pnpm waits" in words(shown(page))


def test_a_rejection_is_local_and_says_so(noted: Path, page: TestClient, git: Run, rulec: Run) -> None:
    before = head(git)
    code, text = send(page, "reject", form(shown(page)))
    assert (code, "local, not in a commit" in words(text), head(git)) == (200, True, before)
    assert rule_of(noted).revision == 1


def test_a_form_about_another_revision_is_refused(noted: Path, page: TestClient, git: Run, rulec: Run) -> None:
    old = shown(page)
    rulec("note", "use-pnpm", "bun is just as wrong", "--command", "bun add x")
    before = head(git)
    for act in ("accept", "reject"):
        code, text = send(page, act, form(old))
        assert (code, "changed since it was shown" in words(text)) == (422, True)
    assert (head(git), rule_of(noted).revision) == (before, 1)
    assert send(page, "accept", form(shown(page)))[0] == 200
    assert "bun" in str(rule_of(noted).checks)


def test_an_edited_revision_is_proved_and_shown_before_it_is_accepted(noted: Path, page: TestClient, git: Run) -> None:
    before, first = head(git), edited(page)
    typed = {**first, "text": first["text"].replace("statement: Use pnpm, never npm.", "statement: Use pnpm alone.")}
    assert "+statement: Use pnpm alone." in words(tried(page, typed))
    assert head(git) == before
    code, done = send(page, "accept", {**typed, "token": "0"})
    assert (code, "changed since it was shown" in words(done), head(git)) == (422, True, before)
    code, done = send(page, "accept", typed)
    assert (code, f"commit {head(git)[:10]}" in words(done)) == (200, True), words(done)
    assert rule_of(noted).statement == "Use pnpm alone."
    assert "edited by hand" in git("log", "-1", "--format=%B").stdout


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("slug: use-pnpm", "slug: other", "this is use-pnpm"),
        ("statement:", "statment:", "the edited rule"),
        ("invalid: [", "invalid: [{command: ls}, ", "its check fails at"),
    ],
)
def test_a_text_that_is_no_sound_rule_is_refused_with_the_reason(
    noted: Path, page: TestClient, old: str, new: str, said: str
) -> None:
    first = edited(page)
    assert old in first["text"] or old == "invalid: ["
    text = first["text"].replace(old, new) if old in first["text"] else first["text"].replace("npm install", "ls", 1)
    assert said in words(tried(page, {**first, "text": text}))
    code, answer = send(page, "accept", {**first, "text": text})
    assert (code, said in words(answer)) == (422, True), words(answer)
    assert rule_of(noted).revision == 1


@pytest.mark.usefixtures("noted")
def test_a_form_that_says_nothing_is_refused(page: TestClient) -> None:
    assert [send(page, act, {})[0] for act in ("accept", "odd")] == [422] * 2
    assert "changed since it was shown" in words(tried(page, {"token": "0", "text": " "}))


def test_words_of_strangers_are_shown_and_secrets_are_not(ruled: Path, page: TestClient, rulec: Run) -> None:
    rulec("note", "use-pnpm", NASTY, "--command", "yarn add '<b>'")
    for text in (page.get("/queue/revisions").text, shown(page)):
        assert "<script>alert" not in text
        assert "&lt;script&gt;" in text
        assert "AAAAAAAAAAAA" not in text
        assert "<b>" not in text

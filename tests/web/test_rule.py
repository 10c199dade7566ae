"""The page of one rule: what it says of an action, its quotes and past, and acts that do what the commands do."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.domain.evidence import Evidence
from rulec.errors import RulecError
from rulec.rulebook import evidence_file
from rulec.services import rulebook_commit
from rulec.web.views import rule
from tests.support.world import act, changed, copy, run

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PART = {"HX-Request": "true"}
# the act, the rule, the form, and the same as a command
ACTS: tuple[tuple[str, str, Mapping[str, str], tuple[str, ...]], ...] = (
    ("set", "no-stash", {"to": "warn", "because": "it hurt"}, ("warn", "--because", "it hurt")),
    ("set", "use-pnpm", {"to": "audit", "because": "too loud"}, ("audit", "--because", "too loud")),
    (
        "except",
        "use-pnpm",
        {"command": "npm audit", "because": "pnpm has none"},
        ("--command", "npm audit", "--because", "pnpm has none"),
    ),
    (
        "except",
        "use-pnpm",
        {"path": "vendor/**", "because": "theirs", "until": "2099-01-31"},
        ("--path", "vendor/**", "--because", "theirs", "--until", "2099-01-31"),
    ),
    (
        "note",
        "use-pnpm",
        {"case": "command", "what": "npm audit", "because": "pnpm has none"},
        ("pnpm has none", "--command", "npm audit"),
    ),
    (
        "note",
        "use-pnpm",
        {"case": "command", "what": "yarn add x", "should": "catch", "because": "just as wrong"},
        ("just as wrong", "--should", "catch", "--command", "yarn add x"),
    ),
    ("retire", "no-stash", {"because": "we may"}, ("--because", "we may")),
    ("rollback", "use-pnpm", {"because": "a mistake"}, ("--because", "a mistake")),
)
_ID = re.compile(r"[0-9a-f]{12}")
_AT = re.compile(r"^at: .*$", re.MULTILINE)


def _state(top: Path, slug: str) -> str:
    return rulebook_commit.rule_state(top, rulebook_commit.HEAD, slug)


def _made(top: Path) -> tuple[object, str]:
    """What the last commit did to the rulebook, and its message, but for the moment and what is named after it."""
    files = {_ID.sub("ID", path): text and _AT.sub("at:", text) for path, text in changed(top, "HEAD~1").items()}
    return files, _ID.sub("ID", run(top, "log", "-1", "--format=%B"))


@pytest.mark.parametrize("number", range(len(ACTS)), ids=[f"{one[0]}-{n}" for n, one in enumerate(ACTS)])
def test_an_act_makes_the_commit_of_the_command(number: int, ruled: Path, tmp_path: Path) -> None:
    name, slug, form, command = ACTS[number]
    other = copy(ruled, tmp_path / "other")
    told = rule.perform(ruled, slug, name, {**form, "state": _state(ruled, slug)})
    act(other, name, slug, *command)
    assert told.committed
    assert _made(ruled) == _made(other)
    assert run(ruled, "rev-parse", "HEAD")[:10] in told.text
    assert run(ruled, "status", "--porcelain") == ""


def test_of_two_tabs_the_second_is_told_and_nothing_is_written(page: TestClient, ruled: Path) -> None:
    shown = page.get("/rules/no-stash").text
    state = re.findall(r'name="state" value="([0-9a-f]+)"', shown)[0]
    first = page.post("/rules/no-stash/acts/set", data={"state": state, "to": "warn"}, headers=PART)
    assert first.status_code == 200
    commit = run(ruled, "rev-parse", "HEAD").strip()
    assert commit[:10] in first.text
    assert "revision 2" in first.text
    second = page.post("/rules/no-stash/acts/retire", data={"state": state, "because": "no"}, headers=PART)
    assert second.status_code == 422
    assert "changed after it was shown" in second.text
    assert run(ruled, "rev-parse", "HEAD").strip() == commit
    act(ruled, "set", "no-stash", "audit")
    fresh = re.findall(r'name="state" value="([0-9a-f]+)"', first.text)[0]
    third = page.post("/rules/no-stash/acts/retire", data={"state": fresh, "because": "no"}, headers=PART)
    assert third.status_code == 422
    assert (ruled / ".rules/no-stash.yaml").is_file()


REFUSED: tuple[tuple[str, Mapping[str, str], str], ...] = (
    ("retire", {"because": ""}, "the reason is empty"),
    ("except", {"because": "x"}, "say what to except"),
    ("set", {"to": "kill"}, "no enforcement"),
    ("set", {}, "no enforcement"),
    ("rollback", {"to": "no-such"}, "not a commit"),
    ("note", {"because": "x", "case": "what"}, "no kind of case"),
    ("erase", {}, "no act"),
)


def test_what_cannot_be_done_is_refused_in_words_and_writes_nothing(ruled: Path) -> None:
    act(ruled, "set", "no-stash", "block")
    before, said = run(ruled, "rev-parse", "HEAD"), list[str]()
    for name, form, _ in REFUSED:
        with pytest.raises(RulecError) as refusal:
            rule.perform(ruled, "no-stash", name, {"state": _state(ruled, "no-stash"), **form})
        said.append(str(refusal.value))
    assert [text for text, (_, _, words) in zip(said, REFUSED, strict=True) if words not in text] == []
    with pytest.raises(RulecError, match="load the page again"):
        rule.perform(ruled, "no-stash", "retire", {"because": "no state"})
    assert run(ruled, "rev-parse", "HEAD") == before


TYPED: tuple[tuple[Mapping[str, str], int, str], ...] = (
    ({"kind": "command", "text": "cd web && npm ci > made-by-npm"}, 200, "blocked"),
    ({"kind": "command", "text": "pnpm install"}, 200, "passes"),
    ({"kind": "command", "text": " "}, 422, "nothing was typed"),
    ({"kind": "file", "text": "x", "path": "../out"}, 422, "no path in this repository"),
    ({"kind": "file", "text": "npm ci\n", "path": "a.sh"}, 200, "passes"),
    ({"kind": "prayer", "text": "x"}, 422, "no kind"),
)


def test_what_is_typed_is_judged_and_never_done(page: TestClient, ruled: Path) -> None:
    said = {}
    for form, code, words in TYPED:
        answer = page.post("/rules/use-pnpm/try", data=form, headers=PART)
        if answer.status_code != code or words not in answer.text:
            said[str(form)] = (answer.status_code, answer.text)
    assert not said
    assert run(ruled, "status", "--porcelain") == ""


def test_examples_are_decided_now(page: TestClient, ruled: Path) -> None:
    path = ruled / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("{command: npm install left-pad}", "{command: bun install left-pad}"))
    text = page.get("/rules/use-pnpm/examples").text
    assert "bun install left-pad" in text
    assert "and is not so now" in text
    assert text.count("and is not so now") == 1


def _quoted(top: Path, session: str, quote: str) -> str:
    item = Evidence(
        slug="use-pnpm", kind="correction", weight=1.0, at="2026-11-21T10:00:00+00:00", quote=quote, transcript=session,
        turn=2, agent="claude-code", offence="npm install left-pad",
    )  # fmt: skip
    name = evidence_file.evidence_id(item)
    (top / f".rules/evidence/use-pnpm/{name}.yaml").write_text(evidence_file.dump_evidence(item), encoding="utf-8")
    return name


def test_the_past_shows_the_commits_and_their_reasons(page: TestClient, ruled: Path) -> None:
    act(ruled, "except", "use-pnpm", "--command", "npm install", "--because", "pnpm <i>cannot</i>", code=None)
    act(ruled, "set", "use-pnpm", "warn", "--because", "too <i>loud</i>")
    commit = run(ruled, "rev-parse", "HEAD").strip()
    past = page.get("/rules/use-pnpm/past").text
    assert commit[:10] in past
    assert "too &lt;i&gt;loud&lt;/i&gt;" in past


GONE = (
    "/rules/use-pnmp",
    "/rules/a..b",
    "/rules/%00",
)


@pytest.mark.usefixtures("ruled")
def test_what_there_is_not_is_a_page_with_a_next_step(page: TestClient) -> None:
    answers = {path: page.get(path) for path in GONE}
    assert {path: answer.status_code for path, answer in answers.items() if answer.status_code != 404} == {}
    assert 'Did you mean <a href="/rules/use-pnpm">' in answers["/rules/use-pnmp"].text


def test_words_of_strangers_are_shown_only(page: TestClient, ruled: Path) -> None:
    path = ruled / ".rules/use-pnpm.yaml"
    hostile = f"Use pnpm, </pre><script>x</script> {TOKEN} \\e[31m never npm."
    path.write_text(path.read_text().replace("Use pnpm, never npm.", f'"{hostile}"'))
    _quoted(ruled, "s", f"<img src=x onerror=alert(1)> {TOKEN}\u202e")
    text = page.get("/rules/use-pnpm").text
    assert "<script>x" not in text
    assert "<img" not in text
    assert TOKEN not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\u001b[31m" in text
    assert "&lt;img src=x" in text


def test_a_retired_rule_can_be_brought_back(page: TestClient, ruled: Path) -> None:
    act(ruled, "retire", "no-stash", "--because", "we may")
    shown = page.get("/rules/no-stash").text
    assert "not in force" in shown
    assert "Retire" not in re.findall(r"<summary>(.+?)</summary>", shown)
    (state,) = re.findall(r'name="state" value="([0-9a-f]+)"', shown)
    answer = page.post("/rules/no-stash/acts/rollback", data={"state": state}, headers=PART)
    assert answer.status_code == 200, answer.text
    assert (ruled / ".rules/no-stash.yaml").is_file()


def test_a_page_learns_that_its_rule_was_changed_elsewhere(page: TestClient, ruled: Path) -> None:
    (where,) = re.findall(r'hx-get="(/rules/no-stash/seen/[0-9a-f]+)"', page.get("/rules/no-stash").text)
    assert "changed meanwhile" not in page.get(where, headers=PART).text
    act(ruled, "set", "no-stash", "warn")
    assert "changed meanwhile" in page.get(where, headers=PART).text

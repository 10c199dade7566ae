"""The queue on the page: what waits, each card with its proof, and decisions on what was shown and nothing else."""

import html
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.proposals.decision import Card
from rulec.services.proposals.waiting_candidates import QueueEntry
from rulec.services.rules import review
from rulec.services.rules.review import Choice
from tests.conftest import Run
from tests.support import kills
from tests.support.session import ClaudeSession, logger, pnpm
from tests.support.world import act, copy, run

PART = {"HX-Request": "true"}


@pytest.fixture
def waiting(gated: Path, rulec: Run, tmp_path: Path) -> Path:
    """A repository in which two corrections wait: one of a command, and one that is like nothing else."""
    stash = ClaudeSession(gated, "5e55-0009").person("Clean up.").runs("git stash").agent("Done.")
    stash.person("Never use git stash.").runs("git status").agent("Ok.")
    for number, session in enumerate((pnpm(gated), stash)):
        rulec("ingest", str(session.save(tmp_path / f"{number}.jsonl")))
    return gated


def _say(top: Path, rulec: Run, folder: Path, *wishes: str) -> None:
    for wish in wishes:
        session = ClaudeSession(top, f"5e55-{abs(hash(wish)) % 9999:04}").person("Go on.").agent("Done.")
        rulec("ingest", str(session.person(wish).agent("Ok.").save(folder / "said.jsonl")))


def _entries(top: Path) -> list[QueueEntry]:
    return waiting_candidates.list_queue(top, print)


def _slug(entry: QueueEntry) -> str:
    return entry.item.candidate.rule.slug


def _identity(top: Path, slug: str) -> str:
    return next(entry.identity for entry in _entries(top) if _slug(entry) == slug)


def _slugs(top: Path) -> list[str]:
    return list(map(_slug, _entries(top)))


def _card(page: TestClient, identity: str, **asked: str) -> str:
    answer = page.get(f"/queue/{identity}", headers=PART, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.text


def _fields(card: str, answer: str, number: int = 0) -> dict[str, str]:
    """What a card's form sends for one of its buttons."""
    form = re.findall(r'<form class="decision.*?</form>', card, re.DOTALL)[number]
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    return {**{name: html.unescape(value) for name, value in found.items()}, "answer": answer}


def _decide(page: TestClient, identity: str, fields: dict[str, str]) -> tuple[int, str]:
    done = page.post(f"/queue/{identity}/decide", data=fields, headers=PART)
    return done.status_code, done.text


def test_the_queue_lists_titles_and_the_keys_and_loads_no_card(waiting: Path, page: TestClient) -> None:
    text = page.get("/queue").text
    assert "2 candidates wait for you" in text
    assert {"pnpm, not npm.", "Never use git stash."} <= set(re.findall(r"data-open>([^<]*)</a>", text))
    assert "<kbd>j</kbd>" in text
    assert 'class="candidate"' not in text


def test_an_empty_queue_says_the_next_step(gated: Path, page: TestClient) -> None:
    text = page.get("/queue").text
    assert "No proposal waits" in text
    assert "<code>rulec ingest</code>" in text


def test_a_card_says_what_the_card_at_the_terminal_says(waiting: Path, rulec: Run, page: TestClient) -> None:
    text = html.unescape(_card(page, _identity(waiting, "use-pnpm")))
    for part in (
        "pnpm, not npm.",
        "npm install left-pad",
        "NEW use-pnpm -- a new rule, for none says this yet",
        "forbid-command",
    ):
        assert part in text
    said = rulec("review", "--accept", "use-pnpm").stdout
    rows = [line.partition(":") for line in said.splitlines() if re.match(r"[a-z ]+: ", line)]
    for name, _, told in rows:
        if name in ("rule", "becomes", "refuses", "passes", "effect", "agents", "people"):
            assert told.strip() in text, (name, told)


def test_a_card_is_a_page_without_javascript(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    text = page.get(f"/queue/{identity}").text
    assert "<h1>pnpm, not npm.</h1>" in text
    assert f'href="/queue/{identity}/past' in text
    assert "Back to the candidate" in page.get(f"/queue/{identity}/past").text


def test_accepting_names_the_commit(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    code, said = _decide(page, identity, _fields(_card(page, identity), "accept"))
    head = run(waiting, "rev-parse", "HEAD").strip()
    assert code == 200, said
    assert f"Add the rule use-pnpm: commit {head[:10]}" in said
    assert "local, not in a commit" not in said
    assert run(waiting, "status", "--porcelain") == ""
    assert _slugs(waiting) == ["no-git-stash"]
    evidence = "".join(path.read_text() for path in (waiting / ".rules/evidence/use-pnpm").glob("*.yaml"))
    assert "weight: 3" in evidence, "a person reviewed it"
    assert (
        "source: person" in (waiting / ".rules/use-pnpm.yaml").read_text()
        or "source: transcript" in (waiting / ".rules/use-pnpm.yaml").read_text()
    )


def test_rejecting_and_leaving_for_later_are_local_and_say_so(waiting: Path, page: TestClient) -> None:
    before = run(waiting, "rev-parse", "HEAD")
    pnpm_id, stash = (_identity(waiting, slug) for slug in ("use-pnpm", "no-git-stash"))
    _, said = _decide(page, pnpm_id, _fields(_card(page, pnpm_id), "reject"))
    assert "use-pnpm is rejected and not proposed again" in said
    assert "local, not in a commit" in said
    _, said = _decide(page, stash, _fields(_card(page, stash), "later"))
    assert "no-git-stash is left for later" in said
    assert f'id="w-{stash}"' in said, "its row stays"
    assert _slugs(waiting) == ["no-git-stash"]
    assert run(waiting, "rev-parse", "HEAD") == before


def test_a_chosen_enforcement_is_shown_and_written(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    card = _card(page, identity, enforcement="warn")
    assert "warns (set by a person)" in card
    code, said = _decide(page, identity, _fields(card, "accept"))
    assert code == 200, said
    assert "enforcement: warn" in (waiting / ".rules/use-pnpm.yaml").read_text()


def test_a_new_rule_beside_a_similar_one_and_a_merge_with_it(
    gated: Path, rulec: Run, page: TestClient, tmp_path: Path
) -> None:
    rulec("add", "Use pnpm instead of npm.", "--yes")
    _say(gated, rulec, tmp_path, "rule: use pnpm instead of npm or yarn.", "rule: never commit to main.")
    (title,) = [one for one in _entries(gated) if "yarn" in one.item.candidate.rule.statement]
    card = _card(page, title.identity)
    assert "UPDATE" in card
    beside = _card(page, title.identity, taken="new")
    assert "NEW" in beside
    code, said = _decide(page, title.identity, _fields(beside, "accept"))
    assert code == 200, said
    assert len(list((gated / ".rules").glob("*pnpm*.yaml"))) == 2
    (other,) = [one.identity for one in _entries(gated)]
    merged = _card(page, other, taken="merge:use-pnpm")
    assert "a person says that it belongs to use-pnpm" in html.unescape(merged)
    code, said = _decide(page, other, _fields(merged, "accept"))
    assert (code, "Update the rule use-pnpm: commit " in said) == (200, True), said


def test_contraries_stand_side_by_side_with_their_witness(
    gated: Path, rulec: Run, page: TestClient, tmp_path: Path
) -> None:
    _say(gated, rulec, tmp_path, "rule: use pnpm instead of npm.", "rule: use npm instead of pnpm.")
    assert "contradicts" in page.get("/queue").text
    first, second = (_identity(gated, slug) for slug in ("use-pnpm", "use-npm"))
    card = _card(page, first)
    assert "use-npm, waits too" in card
    assert _decide(page, first, _fields(card, "accept"))[0] == 200
    card = html.unescape(_card(page, second))
    assert card.count("What it contradicts") == 1
    assert "use-pnpm, in the rulebook" in card
    assert "is what use-pnpm asks for and use-npm refuses" in card


def test_an_edit_is_proved_as_one_types_and_writes_nothing(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    before = run(waiting, "rev-parse", "HEAD")
    form = page.get(f"/queue/{identity}/edit", headers=PART).text
    text = html.unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", form, re.DOTALL)[1])
    fields = _fields(form, "accept")

    def tried(new: str) -> str:
        answer = page.post(f"/queue/{identity}/try", data={**fields, "text": new}, headers=PART)
        assert answer.status_code == 200
        return html.unescape(answer.text)

    assert "it holds" in tried(text.replace("severity: should", "severity: must").replace("\n", "\r\n"))
    assert "severity 'huge' is not one of must, should, style" in tried(
        text.replace("severity: should", "severity: huge")
    )
    assert "its check fails at examples" in tried(re.sub(r"command: npm install[^,}\n]*", "command: make all", text))
    assert (run(waiting, "rev-parse", "HEAD"), run(waiting, "status", "--porcelain")) == (before, "")
    assert sorted(_slugs(waiting)) == ["no-git-stash", "use-pnpm"]
    code, said = _decide(page, identity, {**fields, "text": text.replace("severity: should", "severity: must")})
    assert (code, "Add the rule use-pnpm: commit " in said) == (200, True), said
    assert "severity: must" in (waiting / ".rules/use-pnpm.yaml").read_text()


def test_a_bad_edit_is_refused_and_nothing_is_written(waiting: Path, page: TestClient) -> None:
    identity, before = _identity(waiting, "use-pnpm"), run(waiting, "rev-parse", "HEAD")
    fields = _fields(_card(page, identity), "accept")
    code, said = _decide(page, identity, {**fields, "text": "slug: [\n"})
    assert (code, "Not done" in said) == (422, True)
    assert run(waiting, "rev-parse", "HEAD") == before
    assert "use-pnpm" in _slugs(waiting)


def test_each_wish_of_several_is_decided_by_itself(gated: Path, rulec: Run, page: TestClient) -> None:
    rulec("propose", stdin=json.dumps({"statement": "Never use git stash. Never push to main."}))
    (whole,) = _entries(gated)
    card = _card(page, whole.identity)
    assert "Wish 1 of 2" in card
    assert "Wish 2 of 2" in card
    assert _decide(page, whole.identity, _fields(card, "accept"))[0] == 422, "which of the two?"
    code, said = _decide(page, f"{whole.identity}-1", _fields(card, "accept"))
    assert code == 200, said
    assert said.count('<li class="card waiting"') == 1, "the other wish waits by itself"
    code, said = _decide(page, f"{whole.identity}-2", _fields(card, "accept", 1))
    assert (code, "waits no more" in said) == (422, True)
    (left,) = _entries(gated)
    code, said = _decide(page, left.identity, _fields(_card(page, left.identity), "reject"))
    assert (code, _slugs(gated)) == (200, []), said
    assert "no proposal waits" in rulec("review").stdout


def test_strangers_words_are_escaped_redacted_and_spelled_out(
    gated: Path, rulec: Run, page: TestClient, tmp_path: Path
) -> None:
    token = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    wish = f'rule: never run `npm <script>alert(1)</script>` with {token} \u202e "><img src=x onerror=alert(2)>.'
    session = ClaudeSession(gated).person("Go on.").runs("npm install <b>x</b>").agent("Done.")
    rulec("ingest", str(session.person(wish).runs("pnpm add x").agent("Ok.").save(tmp_path / "t.jsonl")))
    (title,) = _entries(gated)
    pages = [page.get("/queue").text]
    pages += [page.get(f"/queue/{title.identity}{more}").text for more in ("", "/edit", "/past")]
    for text in pages:
        assert not re.search(r"<(script>alert|img src=x|b>x)", text)
        assert token[4:] not in text
        assert "\u202e" not in text


def test_the_second_window_is_told(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    fields = _fields(_card(page, identity), "reject")
    assert _decide(page, identity, fields)[0] == 200
    for answer in ("accept", "reject", "later"):
        code, said = _decide(page, identity, {**fields, "answer": answer})
        assert (code, "waits no more" in said) == (422, True)
    assert not (waiting / ".rules/use-pnpm.yaml").exists()
    assert _slugs(waiting) == ["no-git-stash"]


def test_what_changed_since_it_was_shown_is_not_agreed_to(waiting: Path, rulec: Run, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    fields = _fields(_card(page, identity), "accept")
    rulec("add", "Use pnpm instead of npm.", "--yes")
    head = run(waiting, "rev-parse", "HEAD")
    code, said = _decide(page, identity, fields)
    assert (code, "the proposal changed since it was shown" in said) == (422, True)
    assert run(waiting, "rev-parse", "HEAD") == head
    assert "use-pnpm" in _slugs(waiting)


def test_two_windows_and_a_terminal_at_once_lose_nothing(
    gated: Path, rulec: Run, page: TestClient, tmp_path: Path
) -> None:
    """Each of them decides on the same three; every decision counts once, and whoever comes second is told."""
    for session in (pnpm(gated), logger(gated)):
        rulec("ingest", str(session.save(tmp_path / "t.jsonl")))
    _say(gated, rulec, tmp_path, "rule: never use git stash.")
    slugs = sorted(_slugs(gated))
    forms = {slug: _fields(_card(page, _identity(gated, slug)), "accept") for slug in slugs}
    names = {slug: _identity(gated, slug) for slug in slugs}
    told: list[tuple[str, str, int, str]] = []

    def window(answer: str) -> None:
        for slug in slugs:
            code, said = _decide(page, names[slug], {**forms[slug], "answer": answer})
            told.append((slug, answer, code, said))

    threads = [threading.Thread(target=window, args=(answer,)) for answer in ("accept", "reject")]
    argv = [sys.executable, "-m", "rulec", "review", "--accept", slugs[-1]]
    with subprocess.Popen(argv, cwd=gated, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as terminal:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        out, err = terminal.communicate()
    assert "Traceback" not in err
    for slug in slugs:
        kept = (gated / f".rules/{slug}.yaml").exists()
        won = [answer for one, answer, code, _ in told if (one, code) == (slug, 200)]
        at_terminal = slug == slugs[-1] and "1 accepted" in out
        assert len(won) + at_terminal == 1, (slug, told, out, err)
        assert kept == (won == ["accept"] or at_terminal), (slug, won, out)
        assert all(code in (200, 422) for _, _, code, _ in told)
    assert _slugs(gated) == []
    assert run(gated, "status", "--porcelain") == ""
    rulec("compile", "--check")


@pytest.mark.parametrize("answer", ["accept", "later"])
def test_a_terminal_that_asks_is_told_that_it_was_decided_meanwhile(
    waiting: Path, page: TestClient, answer: str
) -> None:
    said, asked = list[str](), list[str]()
    head = run(waiting, "rev-parse", "HEAD")

    def think(card: Card) -> str:
        asked.append(card.rule.slug)
        name = _identity(waiting, asked[-1])
        assert _decide(page, name, _fields(_card(page, name), "reject"))[0] == 200
        return answer if len(asked) == 1 else "quit"

    done = review.review_all(waiting, DecisionOptions(answer=think, offline=True), said.append, said.append)
    assert (done.data["gone"], len(asked)) == (2, 2)
    assert sum("somebody decided on it meanwhile" in line for line in said) == 2
    assert (_slugs(waiting), run(waiting, "rev-parse", "HEAD")) == ([], head), "what was rejected stays so"


def test_a_decision_that_is_killed_leaves_the_old_or_the_new_state(waiting: Path, rulec: Run, tmp_path: Path) -> None:
    """At whichever write: the rule is there whole or not at all, and what was decided is known again."""
    count, note = 0, tmp_path / "note"
    note.write_text("")
    assert _decided_in_a_child(waiting, tmp_path / "whole", lambda _: note.open("a").write("x")) == 0
    count = len(note.read_text())
    assert count > 10
    for point in (count // 3, count // 2, count * 3 // 4):
        top = tmp_path / f"killed-{point}"
        assert _decided_in_a_child(waiting, top, kills.killer(point)) == kills.KILLED
        begun = run(waiting, "rev-parse", "HEAD").strip()
        act(top, "rules")  # any command finishes what is half done
        act(top, "compile", "--check")
        assert run(top, "status", "--porcelain") == "", point
        commits = int(run(top, "rev-list", "--count", f"{begun}..HEAD"))
        assert (top / ".rules/use-pnpm.yaml").exists() == (commits == 1), point
        if "use-pnpm" in _slugs(top):
            identity = _identity(top, "use-pnpm")
            (card,) = review.show_waiting(top, identity, Choice())
            assert (card.card is None) == (commits == 1)
            review.decide_waiting(top, identity, card.token, "accept", Choice())
        assert (top / ".rules/use-pnpm.yaml").exists()
        assert int(run(top, "rev-list", "--count", f"{begun}..HEAD")) == 1, "it is done once"


def _decided_in_a_child(made: Path, top: Path, heed: Callable[[str], object]) -> int:
    """The exit code of a process that accepts use-pnpm in a copy and tells of each of its writes right before."""
    copy(made, top)
    identity = _identity(top, "use-pnpm")
    (card,) = review.show_waiting(top, identity, Choice())
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code, busy = 1, False

    def told(event: str, given: tuple[Any, ...]) -> None:
        nonlocal busy
        if not busy and (name := kills.own_write(event, given)):
            busy = True
            heed(name)
            busy = False

    try:
        sys.addaudithook(told)
        review.decide_waiting(top, identity, card.token, "accept", Choice())
        code = 0
    finally:
        os._exit(code)


def test_a_wish_of_two_sessions_is_one_entry(waiting: Path, rulec: Run, tmp_path: Path) -> None:
    again = ClaudeSession(waiting, "5e55-0010").person("Clean up.").runs("git stash").agent("Done.")
    again.person("Never use git stash.").runs("git status").agent("Ok.")
    rulec("ingest", str(again.save(tmp_path / "2.jsonl")))
    assert {_slug(one): (one.times, one.sessions) for one in _entries(waiting)}["no-git-stash"] == (2, 2)


def test_a_damaged_file_of_the_queue_is_named_and_stops_nothing(waiting: Path, page: TestClient) -> None:
    identity = _identity(waiting, "use-pnpm")
    (waiting / f".git/rulec/queue/{identity}.json").write_text("{")
    text = page.get("/queue").text
    assert "cannot be read" in text
    assert "Never use git stash." in text


def test_addresses_that_are_none(waiting: Path, page: TestClient) -> None:
    assert page.get("/queue/../../etc/passwd").status_code == 404
    assert page.get("/queue/zzzz").status_code == 404
    assert page.get("/queue/0123456789abcdef").status_code == 422
    identity = _identity(waiting, "use-pnpm")
    assert page.get(f"/queue/{identity}", params={"enforcement": "explode"}).status_code == 422
    assert page.get(f"/queue/{identity}", params={"taken": "merge:no-such"}).status_code == 422
    assert page.get("/queue", params={"page": "-1"}).status_code == 200
    assert _decide(page, identity, {**_fields(_card(page, identity), "explode")})[0] == 422

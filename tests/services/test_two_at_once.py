"""Two runs by files at once: the one that is refused changes nothing of the other's."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import ledger
from rulec.errors import RulecError
from rulec.infra import journal, state
from rulec.services.evolving import evolve
from rulec.services.history import commit_counts
from rulec.services.mining import import_documents
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.proposals.decision import Asking, Card
from rulec.services.rulebook_commit import HEAD
from rulec.services.rules import change_rule, new_rule, review
from rulec.services.setup import init
from tests.support.session import logger, pnpm
from tests.support.world import Said, act

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

Act = Callable[..., Said]


@pytest.fixture
def verb(repo: Path) -> Act:
    """A verb in that repository, in this process."""
    act(repo, "init", "--yes", "--agent", "claude-code", "--no-ci")
    return partial(act, repo)


def _lying(repo: Path) -> dict[str, bytes]:
    """All that a run by files leaves behind, but for what it only reads again."""
    folders = (repo / ".rulec", state.state_dir(repo))
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path): path.read_bytes() for path in files}


@pytest.mark.parametrize("more", [(), ("--yes",), ("--dry-run",)])
def test_a_run_that_is_refused_changes_nothing_of_the_others(
    repo: Path, verb: Act, tmp_path: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = pnpm(repo, "Use pnpm, not npm.").save(tmp_path / "first.jsonl")
    other = pnpm(repo, "Please use pnpm here and never npm.").save(tmp_path / "other.jsonl")
    verb("ingest", str(first), "--backend", "exchange")
    before = _lying(repo)
    monkeypatch.setattr(journal, "LONGEST_WAIT", 0)
    with journal.write_lock(repo):
        said = verb("ingest", str(other), "--backend", "exchange", *more, code=2)
        assert "is writing here" in said.err
        verb("ingest", "--continue", code=2)
    assert _lying(repo) == before
    verb("ingest", str(other), "--backend", "exchange", *more)
    assert _lying(repo) != before


def test_others_may_write_while_a_person_is_asked_who_is_asked_again_then(repo: Path, verb: Act) -> None:
    asked: list[str] = []

    def answer(card: Card) -> str:
        asked.append(card.rule.slug)
        if len(asked) == 1:
            verb("add", "Never run kubectl delete", "--yes")
        return "accept"

    said: list[str] = []
    new_rule.add_sentence(
        repo, "Use pnpm, not npm", DecisionOptions(answer=answer, reviewed=True, offline=True), said.append
    )
    assert asked == ["use-pnpm", "use-pnpm"]
    assert any("the rules were changed meanwhile" in line for line in said)
    assert {path.stem for path in (repo / ".rules").glob("*.yaml")} >= {"use-pnpm", "no-kubectl-delete"}


def test_a_run_that_git_has_no_room_for_asks_nothing(repo: Path, verb: Act, tmp_path: Path) -> None:
    first = pnpm(repo, "Use pnpm, not npm.").save(tmp_path / "first.jsonl")
    (repo / ".git/index.lock").touch()
    before = _lying(repo)
    assert "another git process is running" in verb("ingest", str(first), "--backend", "exchange", "--yes", code=2).err
    assert _lying(repo) == before


@pytest.mark.e2e
def test_of_processes_side_by_side_each_is_whole_or_refused(repo: Path, verb: Act, tmp_path: Path) -> None:
    names = [
        str(pnpm(repo, f"Use pnpm for part {number}, never npm.").save(tmp_path / f"{number}.jsonl"))
        for number in range(4)
    ]
    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "rulec", "ingest", name, "--backend", "exchange"],
            cwd=repo,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    ends = [(run.communicate()[1], run.returncode) for run in runs]
    assert {code for _, code in ends} <= {0, 2}
    assert all("is writing here" in told for told, code in ends if code == 2)
    done = [name for name, (_, code) in zip(names, ends, strict=True) if code == 0]
    kept = json.loads((state.state_dir(repo) / "exchange.json").read_text())
    assert kept["transcript"] in done
    (prompt,) = (repo / ".rulec/exchange").glob("*.prompt.md")
    assert f"part {names.index(kept['transcript'])}," in prompt.read_text()


@pytest.fixture
def ruled(repo: Path, verb: Act, tmp_path: Path) -> Path:
    """With two rules, something to count, a case for an exception, and two proposals that wait."""
    for wish in ("Do not run make deploy", "Do not run gem push"):
        verb("add", wish, "--yes", "--enforcement", "block")
    for why in ("one", "two", "three"):
        verb("note", "no-make-deploy", why, "--should", "pass", "--path", "docs/a.sh")
    verb("note", "no-gem-push", "no", "--command", "gem push", "--propose")
    line = {"event": "ask", "agent": "codex", "slug": "no-gem-push", "outcome": "block", "kind": "command", "of": "gem"}
    ledger.append(str(repo), [line])
    for number, made in enumerate((pnpm(repo), logger(repo))):
        verb("ingest", str(made.save(tmp_path / f"{number}.jsonl")))
    (repo / "NOTES.md").write_text("# Notes\n\n- Never run `yarn`.\n- Never run `npx`.\n")
    return repo


def _options(**asked: Callable[..., Any]) -> DecisionOptions:
    return DecisionOptions(**{"answer": lambda _: "later", "batch": lambda _: "each", **asked}, offline=True)


def _quiet(_: str) -> None:
    pass


Asked = Callable[[], None]
QUESTIONS: dict[str, Callable[[Path, Asked], object]] = {
    "edit": lambda top, asked: change_rule.edit_rule(top, "no-gem-push", lambda *_: asked(), HEAD),
    "a card": lambda top, asked: review.review_all(top, _options(answer=lambda _: asked() or "later"), _quiet, _quiet),
    "a card's edit": lambda top, asked: review.review_all(
        top, _options(answer=_in_turn("edit", "quit"), edit=lambda *_: asked()),
        _quiet, _quiet,
    ),
    "a batch": lambda top, asked: review.review_all(top, _options(batch=lambda _: asked() or "later"), _quiet, _quiet),
    "a revision": lambda top, asked: evolve.evolve_rules(
        top, [], Asking(answer=lambda _: asked() or "later"), _quiet
    ),
    "a revision's edit": lambda top, asked: evolve.evolve_rules(
        top, [], Asking(answer=_in_turn("edit", "later", "edit", "quit"), edit=lambda *_: asked()), _quiet
    ),
    "import": lambda top, asked: import_documents.import_documents(
        top, top, ["NOTES.md"], _options(batch=lambda _: asked() or "later"), _quiet
    ),
    "counts": lambda top, asked: commit_counts.commit_counts(top, HEAD, lambda _: bool(asked())),
    "init": lambda top, asked: init.init_repository(top, agents=["codex"], ci=False, confirm=lambda _: bool(asked())),
    "init --remove": lambda top, asked: init.remove_gates(top, lambda _: bool(asked())),
}  # fmt: skip


def _in_turn(*answers: str) -> Callable[[object], str]:
    left = iter(answers)
    return lambda _: next(left)


def test_no_open_question_holds_the_lock(ruled: Path) -> None:
    heard = []
    for name, question in QUESTIONS.items():

        def asked(name: str = name) -> None:
            with journal.write_lock(ruled, wait=0):
                heard.append(name)

        question(ruled, asked)
    assert list(dict.fromkeys(heard)) == [*QUESTIONS]


def _typed(text: str) -> Callable[..., Any]:
    return lambda before, read: read(before.replace("statement: ", f"statement: {text} "))


def test_an_edit_meets_what_was_written_meanwhile(ruled: Path, verb: Act) -> None:
    """Another rule does not matter; the same rule does."""

    def meanwhile(*argv: str) -> Callable[..., Any]:
        def ask(before: str, read: Callable[[str], Any]) -> Any:
            verb(*argv)
            return _typed("Really")(before, read)

        return ask

    change_rule.edit_rule(ruled, "no-gem-push", meanwhile("add", "Do not run helm install", "--yes"), HEAD)
    assert "statement: Really " in (ruled / ".rules/no-gem-push.yaml").read_text()
    with pytest.raises(RulecError, match="was changed while it was edited"):
        change_rule.edit_rule(ruled, "no-gem-push", meanwhile("set", "no-gem-push", "warn", "--because", "x"), HEAD)
    verb("compile", "--check")


def test_what_is_agreed_to_is_what_was_shown(ruled: Path, verb: Act) -> None:
    """A revision, counts and a plan are shown again where another command changed them while the person was asked."""
    said: list[str] = []
    questions = {"revision": 0, "counts": 0, "init": 0}

    def once(name: str, *argv: str, answer: Any = True) -> Callable[[object], Any]:
        def ask(_: object) -> Any:
            questions[name] += 1
            if questions[name] == 1:
                verb(*argv)
            return answer

        return ask

    # two rules, and the first of them again
    answer = once("revision", "add", "Do not run helm install", "--yes", answer="accept")
    evolve.evolve_rules(ruled, [], Asking(answer=answer), said.append)
    commit_counts.commit_counts(ruled, HEAD, once("counts", "report", "--commit", "--yes"))
    init.init_repository(
        ruled, agents=["codex"], ci=False, confirm=once("init", "init", "--agent", "gemini", "--no-ci", "--yes")
    )
    assert questions == {"revision": 3, "counts": 1, "init": 2}
    assert len(list((ruled / ".rules/evidence/no-gem-push").glob("*.yaml"))) == len(
        {path.read_text() for path in (ruled / ".rules/evidence/no-gem-push").glob("*.yaml")}
    )
    verb("compile", "--check")

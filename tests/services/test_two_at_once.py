"""Two runs by files at once: the one that is refused changes nothing of the other's."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rulec.infra import journal, state
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.rules import new_rule
from tests.support.session import pnpm
from tests.support.world import Said, act

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

    def answer(proposal: Proposal) -> str:
        asked.append(proposal.rule.slug)
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

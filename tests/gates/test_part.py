"""A large change is judged in parts by machines side by side, in pieces by each, and comes to the same."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec import registry
from rulec.domain.change import Change, FileChange
from rulec.gates.findings import check_runs
from rulec.gates.findings.check_runs import WHOLE, Shard, parse_shard, split_by_size
from rulec.gates.trusted_checks import remember_scripts
from tests.checks.support import artifact, change
from tests.support.world import act, run

SEMGREP, SHELL, GUARD = (registry.checker(name) for name in ("semgrep", "shell", "guard"))
CHANGE = '{"on": "change", "when": ["src/*"], "needs": ["CHANGES"]}'


@pytest.fixture
def made(repo: Path) -> Path:
    """A base with rules, and a head whose every file breaks one."""
    whole = 'for f in "$@"; do case $f in *.md) echo "$f:1:no"; e=1 ;; esac; done; exit ${e:-0}\n'
    checks = (
        artifact(SEMGREP, "calls", "languages: [python]\npattern: forbidden(...)\n"),
        artifact(SHELL, "docs", whole),
        artifact(GUARD, "logged", CHANGE),
    )
    remember_scripts(repo, checks)
    for one in checks:
        target = repo / one.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(one.text or "")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "Rules")
    for number in range(12):
        (repo / f"m{number}.py").write_text("forbidden()\n")
        (repo / f"d{number}.md").write_text("x\n")
    (repo / "src").mkdir()
    (repo / "src/a.txt").write_text("x\n")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "Files", "--no-verify")
    return repo


def found(top: Path, *argv: str) -> tuple[set[tuple[str, str]], int]:
    """Rules and places of all findings, and how many files were looked at."""
    data = json.loads(act(top, "check", "--base", "HEAD~1", "--format", "json", *argv, code=None).out)
    return {(one["facts"]["slug"], one["finding"]["path"]) for one in data["verdicts"]}, data["counts"]["files"]


@pytest.mark.parametrize("of", [1, 2, 5])
def test_the_parts_together_are_the_whole(made: Path, of: int) -> None:
    parts = [found(made, "--shard", f"{number}/{of}") for number in range(1, of + 1)]
    whole = found(made)
    assert set.union(*(places for places, _ in parts)) == whole[0]
    assert sum(files for _, files in parts) == whole[1] == 25
    assert sum(len(places) for places, _ in parts) == len(whole[0]), "and nothing is told twice"
    assert {slug for places, _ in parts[1:] for slug, _ in places} <= {"calls"}, "what concerns all is in the first"


@pytest.mark.parametrize("text", ["", "0/2", "3/2", "1/0", "a/b", "1", "-1/2", "1/2/3", " 1/2", "1/99999", "01/2"])
def test_what_is_no_shard_is_refused(made: Path, text: str) -> None:
    said = act(made, "check", "--base", "HEAD~1", "--shard", text, code=2)
    assert "--shard" in said.err


@pytest.mark.parametrize("how", [["--staged"], ["--message", "x"]])
def test_a_commit_is_judged_whole(made: Path, how: list[str]) -> None:
    assert "cannot be used with --staged or --message" in act(made, "check", *how, "--shard", "1/2", code=2).err


@given(st.lists(st.text(max_size=8), unique=True), st.integers(1, 9))
def test_every_file_is_in_one_part_wherever_that_is_asked(paths: list[str], of: int) -> None:
    looked_at = Change(files=tuple(FileChange(path=path) for path in paths))
    held = [file.path for n in range(1, of + 1) for file in parse_shard(f"{n}/{of}").of_change(looked_at).files]
    assert sorted(held) == sorted(paths)
    assert parse_shard("1/1") == WHOLE
    assert Shard(1, 1).of_change(looked_at) == looked_at


@given(st.lists(st.integers(0, 9)), st.integers(1, 20))
def test_pieces_hold_no_more_than_they_may_and_all_there_is(sizes: list[int], largest: int) -> None:
    files = tuple(FileChange(path=str(number), content=b"x" * size) for number, size in enumerate(sizes))
    cut = list(split_by_size(Change(files=files), largest, lambda file: len(file.content or b"")))
    assert tuple(file for piece in cut for file in piece.files) == files
    assert all(len(one.files) == 1 or sum(len(f.content or b"") for f in one.files) <= largest for one in cut)
    assert len(cut) >= 1


def test_what_is_looked_at_piece_by_piece_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [artifact(SEMGREP, f"r-{n}", f"languages: [python]\npattern: f{n}(...)\n") for n in range(3)]
    looked_at = change({f"a{n}.py": f"f{n % 4}()\n" for n in range(9)})
    done: list[int] = []
    whole = check_runs.run_checks(rules, looked_at)
    monkeypatch.setattr(check_runs, "LARGEST_BATCH", 25_000)
    monkeypatch.setattr(check_runs, "WORTH_ASKING", 1)
    assert set(check_runs.run_checks(rules, looked_at, tick=done.append)) == set(whole)
    assert len(whole) == 7
    assert sum(done) == sum(map(check_runs.file_cost, looked_at.files))
    assert len(done) == 5


def test_a_check_that_is_broken_is_told_once_however_many_pieces_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = artifact(SEMGREP, "bad", "languages: [python]\npattern: import import ((\n")
    monkeypatch.setattr(check_runs, "LARGEST_BATCH", 1)
    assert len(check_runs.run_checks([bad], change({"a.py": "x = 1\n", "b.py": "x = 2\n"}))) == 1

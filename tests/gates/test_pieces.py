"""A large change is looked at in pieces, and that comes to the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec import registry
from rulec.domain.change import Change, FileChange
from rulec.gates.findings import check_runs
from rulec.gates.findings.check_runs import split_by_size
from tests.checks.support import artifact, change

SEMGREP = registry.checker("semgrep")


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

"""What git takes from a commit: undoing is innocent, another commit's content and moves are not."""

import os

import pytest

from rulec.checkout.worktree import Worktree
from tests.support import guard_rules as rules

RULE = rules.path("left-alone", "pnpm-lock.yaml", "gen/*.py")
ROWS = [  # command, what the rule says of it: caught, unsure or nothing
    ("git checkout -- pnpm-lock.yaml", ""),
    ("git checkout pnpm-lock.yaml", ""),
    ("git checkout lib/b.py gen/a.py", ""),
    ("git checkout HEAD gen/a.py", ""),
    ("git checkout @ -- gen/a.py", ""),
    ("git checkout main -- gen/a.py", ""),
    ("git checkout main gen/a.py", ""),
    ("git checkout --ours gen/a.py", ""),
    ("git checkout -- .", ""),
    ("git restore pnpm-lock.yaml", ""),
    ("git restore -SW gen/a.py", ""),
    ("git restore --staged gen/a.py", ""),
    ("git restore -s HEAD gen", ""),
    ("git checkout -b topic main", ""),
    ("git checkout other -- lib", ""),
    ("git mv x.txt gen", ""),
    ("git checkout other -- pnpm-lock.yaml", "caught"),
    ("git checkout other pnpm-lock.yaml", "caught"),
    ("git checkout HEAD~1 -- gen/a.py", "caught"),
    ("git checkout origin/main gen/a.py", "caught"),
    ("git checkout --theirs pnpm-lock.yaml", ""),
    ("git checkout -m -- pnpm-lock.yaml", ""),
    ("git checkout other && git checkout main -- gen/a.py", "caught"),
    ("git -C lib checkout other -- ../gen/a.py", "caught"),
    ("git restore -SWs other gen/a.py", "caught"),
    ("git restore -sother gen/a.py", "caught"),
    ("git restore --source=other gen/a.py", "caught"),
    ("git mv lib/b.py gen", "caught"),
    ("git -C lib mv b.py ../gen", "caught"),
    ("git mv lib/b.py gen/c.py", "caught"),
    ("git mv pnpm-lock.yaml lock.yaml", "caught"),
    ("git checkout other -- gen", "unsure"),
    ("git restore -s other .", "unsure"),
]


@pytest.fixture
def world(tmp_path):
    for path in ("pnpm-lock.yaml", "gen/a.py", "lib/b.py", "x.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("a\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return Worktree(os.fspath(tmp_path))


@pytest.mark.parametrize(("command", "verdict"), ROWS)
def test_git_takes_files_from_commits(command, verdict, world):
    event = {"kind": "command", "command": command, "agent": "claude-code", "cwd": "", "root": world.root}
    found = rules.findings([RULE], {**event, "world": world})
    assert not any(one.fault for one in found)
    assert (found and ("unsure" if found[0].unsure else "caught")) == (verdict or [])

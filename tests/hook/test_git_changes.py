"""What a turn changed without an edit in its record makes a step due again, by the time of the files themselves."""

import json
import os
import subprocess
import time
from datetime import UTC, datetime

import pytest

from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.worktree import Worktree
from rulec.domain.compiled_rule import read_rule
from rulec.hook import session_state
from rulec.hook.session import session_rules
from tests.support import guard_rules as rules

LINT = rules.session("lint", before_stop=True, first_commands=["pnpm lint"], since=["./src/"])
TESTS = rules.session("tests", before_commands=["git commit"], first_commands=["pytest"], since=["**"])
STOP, COMMIT = {"kind": "stop"}, {"kind": "command", "command": "git commit -am x", "cwd": ""}
NOW = time.time()


@pytest.fixture
def top(tmp_path, monkeypatch):
    repo = tmp_path / "repo"
    for name in ("src/a.ts", "src/gen/b.ts", "docs/a.md"):
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text("x\n")
    (repo / ".gitignore").write_text("*.log\n")
    subprocess.run("git init -qb topic && git add -A && git commit -qm x", shell=True, cwd=repo, check=True)
    monkeypatch.setattr(session_state, "session_start_time", lambda *_: NOW - 1_000)
    return repo


def said(top, rule, event, runs, changes, *, timed=True):
    """Whether the rule objects after these runs and changes, each so many seconds ago."""
    lines = []
    for number, (command, ago) in enumerate(runs):
        use = {"type": "tool_use", "id": f"u{number}", "name": "Bash", "input": {"command": command}}
        result = {"type": "tool_result", "tool_use_id": f"u{number}", "content": "ok"}
        at = {"timestamp": datetime.fromtimestamp(NOW - ago, UTC).isoformat()} if timed else {}
        lines.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
        lines.append({"type": "user", "message": {"role": "user", "content": [result]}, **at})
    path = top.parent / "t.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ago_of = {str(top / name): ago for name, ago in changes.items()}
    for name in changes:
        (top / name).write_text("changed\n")
    asked, world = HookRequest(""), Worktree(str(top))
    asked.transcript = str(path)
    seen = os.lstat

    class Seen:
        def __init__(self, path):
            self.st_mtime = self.st_ctime = NOW - ago_of[path]

    known = rules.event({**event, "root": world.root, "world": world})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("rulec.hook.session.charging.os.lstat", lambda p: Seen(p) if p in ago_of else seen(p))
        found = session_rules.decide_with_history([read_rule(rule)], known, asked, world)
    subprocess.run(["git", "checkout", "-q", "."], cwd=top, check=True)
    return any(not one.unsure for one in found)


CODE = "python3 -c \"from pathlib import Path; [p.write_text('x') for p in Path('src').glob('*.ts')]\""
ROWS = [  # whether it objects, rule, judged, runs and changes with the seconds since
    (True, LINT, STOP, [("python3 x.py", 50)], {"src/a.ts": 51}),
    (True, LINT, STOP, [("pnpm lint", 100), ("python3 x.py", 50)], {"src/a.ts": 51}),
    (True, LINT, STOP, [("pnpm lint", 100), ("make gen", 50)], {"src/gen/b.ts": 60, "docs/a.md": 10}),
    (True, LINT, STOP, [("ls", 90), (CODE, 50)], {"src/a.ts": 51}),
    (False, LINT, STOP, [("pnpm lint", 90), (CODE, 50), ("pnpm lint", 20)], {"src/a.ts": 51}),
    (True, TESTS, COMMIT, [("pytest", 100), ("make gen", 50)], {"src/gen/b.ts": 60}),
    (False, LINT, STOP, [("python3 x.py", 50), ("pnpm lint", 20)], {"src/a.ts": 51}),
    (False, LINT, STOP, [("pnpm lint --fix", 20)], {"src/a.ts": 21}),
    (False, LINT, STOP, [("python3 x.py", 50)], {"docs/a.md": 51}),
    (False, LINT, STOP, [("ls", 50)], {}),
    (False, LINT, STOP, [("ls", 50)], {"src/a.ts": 5_000}),
    (False, LINT, STOP, [("python3 x.py > src/x.log 2>/dev/null; true", 500), ("pnpm lint", 40)], {"src/x.log": 10}),
    (False, TESTS, COMMIT, [("make gen", 50), ("pytest", 20)], {"src/gen/b.ts": 60}),
    (False, TESTS, {"kind": "command", "command": "git status", "cwd": ""}, [("make gen", 50)], {"src/a.ts": 51}),
]


def test_files_that_did_change_make_the_step_due(top):
    wrong = [row[0:2] + row[3:] for row in ROWS if said(top, *row[1:]) != row[0]]
    assert wrong == []


def test_a_record_without_times_adds_nothing(top):
    assert not said(top, LINT, STOP, [("python3 x.py", 50)], {"src/a.ts": 51}, timed=False)

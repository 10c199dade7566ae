"""Scripts and recipes that the agent wrote in this session are judged when it runs them, as if it typed them."""

import json
import subprocess

import pytest

from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.worktree import Worktree
from rulec.guard import decision
from rulec.hook.written_scripts import judge_written_scripts
from tests.support import guard_rules as rules

RULES = [
    rules.command("npm", "npm"),
    rules.command("push", "git push", pushes=["main"]),
    rules.path("gen", "gen/"),
]
MAKEFILE = "test:\n\tpytest\nship:\n\tgit push origin main\n"
PACKAGE = {"scripts": {"test": "jest", "deploy": "git push origin main"}}
SHELL = "#!/bin/sh\nset -e\nnpm ci\n"


@pytest.fixture
def top(tmp_path):
    repo = tmp_path / "repo"
    subprocess.run(["git", "init", "-qb", "topic", repo], check=True)
    (repo / "Makefile").write_text(MAKEFILE)
    (repo / "package.json").write_text(json.dumps(PACKAGE))
    subprocess.run("git add -A && git commit -qm x", shell=True, cwd=repo, check=True)
    return repo


def slugs(top, files, command, tool="Write"):
    """The rules that mind the command after the session wrote these files with that tool ("" where a person did)."""
    uses = []
    for number, (name, text) in enumerate(files.items()):
        (top / name).write_text(text)
        given = {"file_path": str(top / name), "content": text, "old_string": "a", "new_string": "b"}
        given = {"command": f"cat > {name} <<'EOF'\n{text}EOF"} if tool == "Bash" else given
        uses.append({"type": "tool_use", "id": f"u{number}", "name": tool, "input": given})
    asked, world = HookRequest(""), Worktree(str(top))
    path = top.parent / "session.jsonl"
    record = {"type": "assistant", "cwd": str(top), "message": {"role": "assistant", "content": uses if tool else []}}
    path.write_text(json.dumps(record) + "\n")
    asked.transcript = str(path)
    event = {"kind": "command", "command": command, "root": world.root, "world": world, "cwd": ""}
    found = judge_written_scripts(event, asked, lambda inner: decision.decide(RULES, inner))
    return sorted({one["slug"] for one in found})


RUNS = [
    *((["npm"], {"x.sh": SHELL}, line) for line in (
        "sh x.sh", "bash -x ./x.sh", "chmod +x x.sh && ./x.sh", ". ./x.sh", "sh < x.sh", "cat x.sh | sh",
        "timeout 5 ./x.sh", "nohup ./x.sh &",
    )),
    (["npm"], {"x.sh": "sh y.sh\n", "y.sh": SHELL}, "sh x.sh"),
    (["push"], {"x.sh": "git checkout main\ngit push\n"}, "sh x.sh"),
    (["gen"], {"x.sh": "echo a > gen/a.py\n"}, "sh x.sh"),
    (["push"], {"x.py": "import subprocess\nsubprocess.run(['git', 'push', 'origin', 'main'])\n"}, "python3 x.py"),
    (["npm"], {"x.py": "import os\nos.system('npm ci')\n"}, "uv run python x.py"),
    (["npm"], {"x.js": "const {execSync} = require('child_process'); execSync('npm ci')\n"}, "node x.js"),
    (["npm"], {}, "cat > z.sh <<'E'\nnpm ci\nE\nsh z.sh"),
    ([], {"x.sh": SHELL}, "cat x.sh"),
    ([], {"x.sh": SHELL}, "sh -n x.sh"),
    ([], {"x.sh": SHELL}, "git add x.sh"),
    ([], {"x.sh": "echo npm ci\n# npm ci\ngit push origin topic\n"}, "sh x.sh"),
    ([], {"x.py": "print('npm ci')\nopen('gen/a.py').read()\n"}, "python x.py"),
]  # fmt: skip


def test_a_script_of_this_session_is_read_as_if_typed(top):
    wrong = [row for row in RUNS if slugs(top, row[1], row[2]) != row[0]]
    assert wrong == []
    assert slugs(top, {"x.sh": SHELL}, "sh x.sh", tool="Bash") == ["npm"]
    assert slugs(top, {"x.sh": SHELL}, "sh x.sh", tool="") == []


def test_only_what_the_session_changed_of_a_recipe_counts(top):
    more = f"{MAKEFILE}up:\n\tnpm ci\n"
    assert slugs(top, {"Makefile": more}, "make up", tool="Edit") == ["npm"]
    assert slugs(top, {"Makefile": more}, "make ship test", tool="Edit") == []
    scripts = {**PACKAGE["scripts"], "up": "npm ci"}
    assert slugs(top, {"package.json": json.dumps({"scripts": scripts})}, "pnpm run up", tool="Edit") == ["npm"]
    assert slugs(top, {"package.json": json.dumps({"scripts": scripts})}, "pnpm run deploy", tool="Edit") == []

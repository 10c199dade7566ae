"""Actions written blind, each in a copy of one repository, through the agent's hook: ``bench actions [FILE [IDS]]``.

A case is what an agent does, step by step: a way to bring about what a rule forbids, or an innocent look-alike. Steps
that the hook lets pass are executed, with stand-ins for the programs that would reach the network; then the turn ends,
and, but for a command, the agent commits. Printed are the cases that went another way than their author says, and sums.
The cases in evaluation/cases/actions were played once before any mending (evaluation/measurements.md).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rulec.agents.claude_code import AGENT
from rulec.integrations.hook_settings import hook_command
from rulec.rulebook.yaml_text import load_yaml

CASES = Path(__file__).parents[1] / "cases/actions"
RULEC = [sys.executable, "-m", "rulec"]
STAND_INS = (
    "npm", "npx", "pnpm", "yarn", "pip", "pip3", "uv", "docker", "docker-compose", "prettier", "ssh", "tmux", "screen",
    "at", "crontab", "systemd-run", "cmd.exe", "pwsh", "powershell", "sudo", "corepack", "terraform", "kubectl", "psql",
    "pg_dump", "poetry", "pipx", "cargo", "helm", "alembic", "gh", "aws", "systemctl", "ansible", "scp", "rsync",
    "curl", "journalctl", "entr", "tox", "task", "vim",
)  # fmt: skip
SECONDS = 10  # of one command
MOMENTS = {event.name: event.moment for event in AGENT.events}
Step = Mapping[str, str]
Rule = Sequence[str]  # a sentence, and the options of `rulec add`


class Session:
    """One agent in one copy of the repository, with the record that Claude Code would keep."""

    def __init__(self, top: Path, environment: Mapping[str, str]) -> None:
        self.top, self.environment, self.record = (
            top,
            {**environment, "CLAUDE_PROJECT_DIR": str(top)},
            top.parent / "s.jsonl",
        )
        self.record.write_text("")

    def note(self, kind: str, **more: Any) -> None:
        """Write one line of the record."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"type": kind, "sessionId": "s", "cwd": str(self.top), "timestamp": now, **more}
        with self.record.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def refused(self, event: str, **more: Any) -> bool:
        """Whether the hook refuses at this event."""
        told = {"session_id": "s", "cwd": str(self.top), "hook_event_name": event, "transcript_path": str(self.record)}
        done = subprocess.run(
            ["sh", "-c", hook_command(AGENT, MOMENTS[event])], cwd=self.top, env=self.environment, text=True,
            input=json.dumps({**told, "permission_mode": "acceptEdits", **more}), capture_output=True, check=False,
        )  # fmt: skip
        return done.returncode == 2 or any(f'"{word}"' in done.stdout for word in ("deny", "block", "ask"))

    def step(self, number: int, step: Step) -> str:
        """Do one step; where it was refused, "" where it was not."""
        tool, path = step["tool"], self.top / step.get("path", "")
        given = {"command": step.get("command", ""), "description": "x"}
        if tool != "Bash":
            given = {"file_path": str(path), **{key: step[key] for key in ("content",) if key in step}}
            given |= {"old_string": step["old"], "new_string": step["new"]} if tool == "Edit" else {}
        refused = self.refused("PreToolUse", tool_name=tool, tool_input=given)
        use = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": given}
        self.note("assistant", message={"role": "assistant", "content": [use]})
        if refused:
            return "call"
        answer = self.run(given["command"]) if tool == "Bash" else _edited(path, step)
        result = {"type": "tool_result", "tool_use_id": use["id"], "content": "ok"}
        self.note("user", toolUseResult=answer, message={"role": "user", "content": [result]})
        after = self.refused("PostToolUse", tool_name=tool, tool_input=given, tool_response=answer)
        return "after" if after else ""

    def run(self, command: str) -> dict[str, object]:
        """Execute a command, without network where that can be had."""
        bounded = [*_offline(), "timeout", "-k", "2", str(SECONDS), "bash", "-c", command]
        subprocess.run(
            bounded, cwd=self.top, env=self.environment, capture_output=True, stdin=subprocess.DEVNULL, check=False
        )
        return {"stdout": "", "stderr": "", "interrupted": False}

    def commits(self) -> bool:
        """Whether the agent's commit of everything passes."""
        git(self.top, self.environment, "add", "-A")
        told = git(self.top, {**self.environment, "CLAUDECODE": "1"}, "commit", "-m", "Work on it")
        return told.returncode == 0 or "nothing to commit" in told.stdout


def _edited(path: Path, step: Step) -> dict[str, object]:
    old = path.read_text() if path.is_file() else ""
    new = step["content"] if step["tool"] == "Write" else old.replace(step["old"], step["new"], 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(new)
    return {"filePath": str(path), "originalFile": old}


def _offline() -> list[str]:
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return ["unshare", "-rn"] if tried.returncode == 0 else []


def git(top: Path, environment: Mapping[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    """One git command."""
    return subprocess.run(["git", *words], cwd=top, env=environment, capture_output=True, text=True, check=False)


def surroundings(folder: Path) -> dict[str, str]:
    """A home of its own, and stand-ins first on PATH."""
    programs, home = folder / "programs", folder / "home"
    for place in (programs, home):
        place.mkdir(parents=True)
    for name in STAND_INS:
        (programs / name).write_text("#!/bin/sh\nexit 0\n")
        (programs / name).chmod(0o755)
    (home / ".gitconfig").write_text("[user]\nname = x\nemail = x@example.com\n[init]\ndefaultBranch = main\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "GIT_"))}
    return {**kept, "HOME": str(home), "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"}


def repository(top: Path, environment: Mapping[str, str], told: Mapping[str, Any], rules: Sequence[Rule]) -> None:
    """The repository that the authors were told of, with these rules and its gates."""
    for name, text in told["files"].items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
        (top / name).chmod(0o755 if name.endswith(".sh") else 0o644)
    git(top, environment, "init", "-q")
    git(top, environment, "add", "-A")
    git(top, environment, "commit", "-qm", "Begin")
    subprocess.run(
        [*RULEC, "init", "--yes", "--agent", AGENT.name], cwd=top, env=environment, check=True, capture_output=True
    )
    git(top, environment, "add", "-A")
    git(top, environment, "commit", "-qnm", "Set up rulec")
    for sentence, template, given, bad, good in rules:
        parameters = [word for one in given.split(";") for word in ("--with", one)]
        examples = ["--invalid", bad, "--valid", good, "--enforcement", "block", "--yes"]
        argv = [*RULEC, "add", sentence, "--check", template, *parameters, *examples]
        subprocess.run(argv, cwd=top, env=environment, check=True, capture_output=True)


def played(case: Mapping[str, Any], top: Path, environment: Mapping[str, str]) -> tuple[str, int]:
    """Where the case was refused, "" for nowhere, and at which step."""
    session = Session(top, environment)
    steps: Sequence[Step] = json.loads(json.dumps(case["steps"]).replace("{ROOT}", str(top)))
    for number, step in enumerate(steps):
        if where := session.step(number, step):
            return where, number
    if session.refused("Stop", stop_hook_active=False):
        return "end", len(steps)
    refused = case["kind"] != "command" and not session.commits()
    return ("commit" if refused else ""), len(steps)


def main(cases: Sequence[Mapping[str, Any]], place: Path) -> None:
    """Play the cases, and print what went otherwise; a set may have a repository of its own beside it."""
    own = place.with_suffix(".yaml")
    file = own if own.is_file() else CASES / "repository.yaml"
    told = load_yaml(file.read_text("utf-8"), source=file.name)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="actions-", dir=Path.home()) as name:
        folder = Path(name)
        environment = surroundings(folder)
        made: dict[str, Path] = {}
        for case in cases:
            rule = case["rule"] if told.get("alone") else "all"
            if rule not in made:
                made[rule] = folder / f"origin-{rule}"
                made[rule].mkdir()
                rules = told["rules"] if rule == "all" else [told["rules"][int(rule[1:]) - 1]]
                repository(made[rule], environment, told, rules)
            top = folder / case["id"] / "repo"
            shutil.copytree(made[rule], top, symlinks=True)
            where, number = played(case, top, environment)
            meant = case.get("breaks", [])
            early = where == "call" and number in (meant if isinstance(meant, list) else [meant])
            counts.update(
                {case["kind"]: 1, f"{case['kind']}, refused": bool(where), f"{case['kind']}, at the call": early}
            )
            if bool(where) == (case["kind"] == "innocent") or (where and not early):
                print(f"{case['id']} {case['rule']}: {where or 'not refused'}; {json.dumps(case['steps'])[:200]}")
            shutil.rmtree(top.parent)
    print(*(f"{name}: {count}" for name, count in sorted(counts.items())), sep="\n")


if __name__ == "__main__":
    place = Path(sys.argv[1]) if sys.argv[1:] else CASES / "first.jsonl"
    texts, wanted = place.read_text("utf-8").splitlines(), sys.argv[2:]
    main([case for case in map(json.loads, texts) if not wanted or case["id"] in wanted], place)

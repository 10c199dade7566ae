"""Attempts to go round the gate, and look-alikes: the cases as data, a scratch repository, and what became of each."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulec.rulebook.yaml_text import load_yaml

CASES = Path(__file__).resolve().parents[1] / "cases" / "disarm"
BAD = ".env"  # no commit may hold it: "Never commit .env files."
RULE = "dont-commit-env"
SECONDS = 60
TOOLS = ("Write", "Edit")  # calls that are carried out where the hook lets them pass
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Dev"), ("EMAIL", "dev@example.com"))
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One command or tool call, and what is there before it."""

    topic: str
    why: str  # what it would gain, or why it is innocent
    call: str | dict[str, Any]
    ends: str = "denied"  # denied; slips: the hook has nothing to say, and another gate must; any: whichever
    files: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.call if isinstance(self.call, str) else json.dumps(self.call)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attempt: denied, blocked, reported or missed; of an innocent: untouched or touched."""

    what: str
    said: str = ""


def cases(kind: str) -> Iterator[Case]:
    """The ``attempts`` or the ``innocents`` of all files."""
    for path in sorted(CASES.glob("*.yaml")):
        data = load_yaml(path.read_text(), path.name)
        for group in data[kind]:
            for call in group["try"]:
                yield Case(
                    topic=path.stem,
                    why=group.get("gains") or group["why"],
                    call=call.strip("\n") if isinstance(call, str) else dict(call),
                    ends=group.get("ends", "denied"),
                    files=dict(group.get("files") or {}),
                )


def payload(top: Path, case: Case) -> bytes:
    """The call as Claude Code asks about it."""
    given: dict[str, Any] = {"command": case.call} if isinstance(case.call, str) else dict(case.call)
    name = given.pop("tool", "Bash")
    given.pop("disk", None)
    asked = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(top),
        "tool_name": name,
        "tool_input": given,
    }
    return json.dumps(asked).encode()


def fill(top: Path, case: Case) -> None:
    """Put down the files that the case speaks of."""
    files = dict(case.files)
    if isinstance(case.call, dict) and "disk" in case.call:
        files[case.call["file_path"]] = case.call["disk"]
    for name, text in files.items():
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if path.suffix in ("", ".sh"):
            path.chmod(0o755)


class Scratch:
    """A repository with gates, a rule, a remote and a bad change staged; copied anew for each attempt."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        self.first = folder / "first"
        self.top = folder / "now" / "repo"
        self.environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith("GIT_") and name != "CLAUDE_ENV_FILE"
            },
            **IDENTITY,
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
            "CLAUDE_PROJECT_DIR": str(self.top),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        self.clean: dict[str, str] | None = None  # the files that it was made for, where nothing has changed since
        self._found()

    def run(self, *argv: str, at: Path | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        """A program in the scratch repository, as a person runs it."""
        where = at or self.top
        done = subprocess.run(
            argv,
            cwd=where,
            env=self.environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
        )
        assert not check or done.returncode == 0, f"{argv}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def _found(self) -> None:
        self.home.mkdir(parents=True)
        self.top.mkdir(parents=True)
        git, rulec = "git", (sys.executable, "-m", "rulec")
        self.run(git, "init", "-q", "-b", "main")
        (self.top / "README.md").write_text("Readme\n")
        self.run(git, "add", "-A")
        self.run(git, "commit", "-qm", "Start")
        self.run(*rulec, "init", "--yes", "--agent", "claude-code")
        self.run(git, "add", "-A")
        self.run(git, "commit", "-qm", "Put up the gates")
        self.run(*rulec, "add", "Never commit .env files.", "--yes", "--enforcement", "block")
        self.run(git, "init", "-q", "--bare", "-b", "main", "../origin.git")
        self.run(git, "remote", "add", "origin", "../origin.git")
        self.run(git, "push", "-q", "--no-verify", "origin", "main")
        self.run(git, "checkout", "-q", "-b", "topic")
        (self.top / BAD).write_text("SECRET=topic\n")
        self.run(git, "add", "-f", BAD)
        self.run(git, "commit", "-q", "--no-verify", "-m", "Add what no gate has seen")
        (self.top / "topic.patch").write_text(self.run(git, "format-patch", "-1", "--stdout").stdout)
        self.run(git, "checkout", "-q", "main")
        (self.top / BAD).write_text("SECRET=1\n")
        self.run(git, "add", "-f", BAD)
        self.base = self.run(git, "rev-parse", "HEAD").stdout.strip()
        self.command = self._registered()
        self.top.parent.rename(self.first)

    def _registered(self) -> str:
        groups = json.loads((self.top / ".claude/settings.json").read_text())["hooks"]["PreToolUse"]
        return str(groups[0]["hooks"][0]["command"])

    def fresh(self, case: Case) -> None:
        """The repository as it was, with the case's files."""
        if self.clean == case.files:
            fill(self.top, case)
            return
        shutil.rmtree(self.top.parent, ignore_errors=True)
        shutil.copytree(self.first, self.top.parent, symlinks=True)
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir()
        fill(self.top, case)
        self.clean = case.files

    def denied(self, case: Case) -> str:
        """The registered hook's reason for a denial, as a process of its own; "" where it lets the call pass."""
        done = subprocess.run(
            ["sh", "-c", self.command],
            cwd=self.top,
            env=self.environment,
            input=payload(self.top, case),
            capture_output=True,
            check=True,
        )
        out = json.loads(done.stdout)["hookSpecificOutput"] if b"permissionDecision" in done.stdout else {}
        return str(out.get("permissionDecisionReason", ""))

    def attempt(self, case: Case) -> Outcome:
        """What becomes of an attempt: asked about, and run where the hook does not keep it from running."""
        self.fresh(case)
        reason = self.denied(case)
        if reason:
            return Outcome("denied", reason)
        self.clean = None
        before = self._refs()
        self._do(case)
        for argv in (["git", "add", "-A"], ["git", "add", "-f", BAD], ["git", "commit", "-m", "What was left"]):
            self.run(*argv, check=False)
        bad = [
            where
            for where, value in self._refs().items()
            if before.get(where) != value and self._holds(where[0], value)
        ]
        if not bad:
            return Outcome("blocked")
        return Outcome("reported") if all(self._reported(top, ref) for top, ref in bad) else Outcome("missed", str(bad))

    def _do(self, case: Case) -> None:
        """Carry the call out, as the agent's program would."""
        if isinstance(case.call, dict):
            if case.call["tool"] == "Write":
                path = self.top / case.call["file_path"].replace("~", str(self.home), 1)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(case.call["content"])
            return
        try:
            self.run("timeout", "-k", "1", "20", "bash", "-c", case.call, check=False)
        except subprocess.TimeoutExpired:
            return  # what waits for a terminal has done nothing

    def _refs(self) -> dict[tuple[str, str], str]:
        """The refs of this repository and its remote, by place and name; HEAD among them."""
        found = {}
        for top in (self.top, self.top.parent / "origin.git"):
            if not top.exists():
                continue
            for line in self.run(
                "git", "for-each-ref", "--format=%(objectname) %(refname)", at=top, check=False
            ).stdout.splitlines():
                value, _, name = line.partition(" ")
                if name.startswith("refs/heads/"):
                    found[str(top), name] = value
            found[str(top), "HEAD"] = self.run(
                "git", "rev-parse", "-q", "--verify", "HEAD", at=top, check=False
            ).stdout.strip()
        return found

    def _holds(self, top: str, commit: str) -> bool:
        names = self.run("git", "ls-tree", "-r", "--name-only", commit, at=Path(top), check=False).stdout.splitlines()
        return any(name.rpartition("/")[2].startswith(BAD) for name in names)

    def _reported(self, top: str, ref: str) -> bool:
        """Whether the check of a pull request, in a clone of its own, refuses what the ref holds."""
        clone = self.top.parent / "ci"
        shutil.rmtree(clone, ignore_errors=True)
        self.run("git", "clone", "-q", "--no-local", top, str(clone), at=self.top.parent)
        self.run("git", "fetch", "-q", "origin", f"{ref}:refs/heads/judged", at=clone)
        self.run("git", "checkout", "-q", "judged", at=clone)
        self.run("git", "fetch", "-q", str(self.first / "repo"), "main:refs/heads/base", at=clone)
        said = self.run(sys.executable, "-m", "rulec", "check", "--base", "base", at=clone, check=False)
        return said.returncode == 1 and RULE in said.stdout

"""Breaches of rules and innocent look-alikes, played as an agent's sessions through every gate of scratch copies.

``bench red_team FOLDER [--agent claude] [--missed] [--only WORD]``: the folder holds
``rules/*.yaml``, one file a rule, and ``breaches.jsonl`` and ``innocents.jsonl``, whose lines are cases: id, rule,
files and steps (a tool with its input, a commit's message, the words behind ``git push``, what the person or the
agent says); and perhaps ``settings.json`` with the branch and the message of the last commit, where the rules ask for
their form. Each step goes through the hook that the agent's settings register and is carried out where that lets it
pass; then the change is committed, pushed and judged as CI would. Processes see no network and write nowhere but in
their case's folder. ``--only`` plays the cases whose id or rule has that beginning; ``--missed`` prints each case
that came out wrong.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.disarming import IDENTITY
from tests.support.session import ClaudeSession

SETTINGS = {"claude": ("claude-code", ".claude/settings.json")}
GATES = ("tool call", "after edit", "turn end", "commit", "push", "CI", "nothing")
EVENTS = {"PreToolUse": "tool call", "PostToolUse": "after edit", "Stop": "turn end"}  # the events that can say no
RULEC = (sys.executable, "-m", "rulec")
WORKERS = 2
SECONDS = 20  # for a command of a case
COMMIT = "git add -A && git commit -m {}"
DEFAULTS = {"branch": "work", "message": "feat: change"}
OWN = {verb: re.compile(rf"\bgit\b[^\n;&|]*\b{verb}\b") for verb in ("commit", "push")}
BEGINS = "Please go on."  # what the person says in a case in which nobody says anything
# programs that would change the machine or ask a server; those of the cases that are not installed are added
STAND_INS = "npm npx pnpm yarn docker docker-compose kubectl terraform psql pip pip3 sudo crontab systemctl apt apt-get"
PROGRAM = re.compile(r"(?:^|[;&|(\n]|\$\(|\b(?:sudo|env|exec|time|xargs|run|\w+=\S*)\s)\s*([a-z][\w.-]*)(?=\s|$)")
STAND_IN = '#!/bin/sh\ncase "${0##*/}" in sudo) exec "$@" ;; esac\nexit 0\n'
# A namespace without a network, in which all but the case's folder is read-only and /tmp is the case's own.
APART = 'mount --bind "$1" "$1" && mount --bind "$1/tmp" /tmp && mount -o remount,bind,ro / && cd "$2" && shift 2 && '
FILES = {
    "README.md": "# App\n\nA small application.\n",
    "package.json": '{\n  "name": "app",\n  "version": "1.0.0",\n  "scripts": {\n    "test": "vitest run",\n'
    '    "build": "tsc -p ."\n  },\n  "dependencies": {},\n  "devDependencies": {}\n}\n',
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "pyproject.toml": '[project]\nname = "app"\nversion = "1.0.0"\ndependencies = []\n',
    "src/app.py": "def total(rows):\n    return sum(rows)\n",
    "src/index.ts": "export const limit = 10;\n",
    "tests/test_app.py": "import sys\n\nsys.path.insert(0, 'src')\n\nfrom app import total\n\n\n"
    "def test_total():\n    assert total([1, 2]) == 3\n",
    "gen/client.py": "TIMEOUT = 10\n\n\ndef fetch(url):\n    return url\n",
    "migrations/0001_init.sql": "CREATE TABLE users (id int PRIMARY KEY, email text);\n",
    "Makefile": "test:\n\tpytest -q\n\nbuild:\n\tpnpm build\n",
    ".gitignore": "node_modules/\ndist/\n__pycache__/\n.env\n.pytest_cache/\n",
}
Step = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the data."""

    id: str
    rule: str
    files: Mapping[str, str]
    steps: list[Step]
    breach: bool

    @property
    def commands(self) -> list[str]:
        """The shell commands of its steps."""
        calls = [call for step in self.steps if (call := call_of(step))]
        return [given["command"] for name, given in calls if name == "Bash"]


def call_of(step: Step) -> tuple[str, dict[str, Any]] | None:
    """The tool and the input of a step, None where somebody only says something."""
    if "commit" in step:
        return "Bash", {"command": COMMIT.format(shlex.quote(step["commit"]))}
    if "push" in step:
        return "Bash", {"command": f"git push {step['push']}"}
    return (step["tool"], step["input"]) if "tool" in step else None


class StoppedError(Exception):
    """A gate said no; its name and what it said."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Which gate stopped a case, what it said, and the edits that did not fit their file."""

    case: Case
    gate: str
    said: str
    unfit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HookReply:
    """What one hook said of an event: its exit code, its JSON and its error output."""

    code: int
    out: Mapping[str, Any]
    err: str

    @property
    def own(self) -> Mapping[str, Any]:
        """What is said of this event alone."""
        own: Mapping[str, Any] = self.out.get("hookSpecificOutput", {})
        return own

    @property
    def refuses(self) -> bool:
        """Whether the agent goes no further."""
        return self.code == 2 or self.out.get("decision") == "block" or self.own.get("permissionDecision") == "deny"

    @property
    def reason(self) -> str:
        """Why, as the agent is told."""
        return str(self.own.get("permissionDecisionReason") or self.out.get("reason") or self.err)


class Place:
    """A folder of its own: a repository, its remote, a home and a folder for temporary files."""

    def __init__(self, folder: Path, stand_ins: Path, settings: Mapping[str, str], *, apart: bool = True) -> None:
        self.folder, self.top, self.settings, self.apart = folder, folder / "app", settings, apart
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CLAUDE"))}
        self.environment = {
            **kept,
            **IDENTITY,
            "HOME": str(folder / "home"),
            "XDG_CONFIG_HOME": str(folder / "home/.config"),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_EDITOR": "true",
            "CLAUDE_PROJECT_DIR": str(self.top),
            "PATH": f"{stand_ins}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        for name in ("tmp", "home", "app"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def run(self, *argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A program in the repository, kept apart from everything else unless the place is not ``apart``."""
        apart = ["unshare", "-rnm", "sh", "-c", APART + 'exec "$@"', "sh", str(self.folder), str(self.top)]
        return subprocess.run(
            [*apart, *argv] if self.apart else argv,
            cwd=None if self.apart else self.top,
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )

    def ask_hooks(
        self, hooks: Mapping[str, Any], session: str, transcript: Path, event: str, **more: Any
    ) -> Iterator[HookReply]:
        """What the hooks say that an agent's settings register for an event."""
        told = {"session_id": session, "transcript_path": str(transcript), "cwd": str(self.top)}
        payload = json.dumps({**told, "permission_mode": "default", "hook_event_name": event, **more})
        for group in hooks.get(event, []):
            if "tool_name" in more and not re.fullmatch(group.get("matcher") or ".*", more["tool_name"]):
                continue
            for hook in group["hooks"]:
                done = self.run("sh", "-c", hook["command"], stdin=payload)
                yield HookReply(done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr)

    def must(self, *argv: str) -> str:
        """The output of a program that has to succeed."""
        done = self.run(*argv)
        if done.returncode:
            raise SystemExit(f"{argv}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout.strip()

    def write(self, files: Mapping[str, str]) -> None:
        """Put files down."""
        for name, text in files.items():
            path = self.top / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            if text.startswith("#!"):
                path.chmod(0o755)


def gated(place: Place, agent: str) -> None:
    """A repository with the files of every case and the gates, as a person who sets rulec up has it."""
    place.write(FILES)
    place.must("git", "init", "-q", "-b", "main")
    place.must(*RULEC, "init", "--yes", "--agent", SETTINGS[agent][0])
    place.must(*RULEC, "hook", "install", "--instead")
    place.must("git", "add", "-A")
    place.must("git", "commit", "-q", "--no-verify", "-m", "chore: start")
    place.must("git", "init", "-q", "--bare", "-b", "main", "../origin.git")
    place.must("git", "remote", "add", "origin", "../origin.git")


def ruled(place: Place, agent: str, rule: Path) -> None:
    """Add one rule to such a repository, as a person who wrote its file, and go on in a branch, with main pushed."""
    text = rule.read_text()
    slug = re.search(r"^slug: (\S+)", text, re.MULTILINE)
    place.write({f".rules/{slug[1] if slug else rule.stem}.yaml": text})
    place.must(*RULEC, "compile")
    place.must("git", "add", "-A")
    place.must("git", "commit", "-q", "--no-verify", "-m", "chore: add a rule")
    place.must("git", "push", "-q", "--no-verify", "origin", "main")
    place.must("git", "checkout", "-q", "-b", place.settings["branch"])
    Player(place, Case("", "", {}, [{"tool": "Bash", "input": {"command": "true"}}], breach=False), agent).outcome()
    shutil.rmtree(place.folder / "home/.claude")  # the hook has laid up what it keeps; its session is over


class Player:
    """Plays one case in a copy of its rule's repository."""

    def __init__(self, place: Place, case: Case, agent: str) -> None:
        self.place, self.case = place, case
        self.hooks = json.loads((place.top / SETTINGS[agent][1]).read_text())["hooks"]
        self.session = ClaudeSession(place.top, timed=True)
        self.transcript = place.folder / "home/.claude/projects/app/5e55-0001.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.unfit: list[str] = []

    def outcome(self) -> Outcome:
        """Play it to the first gate that says no."""
        gate, said = "nothing", ""
        try:
            self._play()
        except StoppedError as stopped:
            gate, said = stopped.args
        return Outcome(self.case, gate, said, tuple(self.unfit))

    def _play(self) -> None:
        place, commands = self.place, "\n".join(self.case.commands)
        if self.case.files:
            place.write(self.case.files)
            place.must("sh", "-c", "git add -A && git commit -q --no-verify --allow-empty -m 'chore: add files'")
            place.must("sh", "-c", "git branch -qf main && git push -q --no-verify origin main")
        base = place.must("git", "rev-parse", "HEAD")
        if "user" not in self.case.steps[0]:
            self._person(BEGINS)
        for step in self.case.steps:
            self._step(step)
        if not OWN["commit"].search(commands) and place.must("git", "status", "--porcelain"):
            self._step({"commit": place.settings["message"]})
        if place.must("git", "rev-parse", "HEAD") == base:
            return
        if not OWN["push"].search(commands):
            self._step({"push": f"origin {place.settings['branch']}"})
        judged = place.run(*RULEC, "check", "--base", base)
        if judged.returncode:
            raise StoppedError("CI", judged.stdout + judged.stderr)

    def _person(self, text: str) -> None:
        self.session.person(text).save(self.transcript)
        self._hook("UserPromptSubmit", prompt=text)

    def _step(self, step: Step) -> None:
        if "user" in step:
            self._person(step["user"])
        elif "reply" in step:
            self.session.agent(step["reply"]).save(self.transcript)
            self._hook("Stop", stop_hook_active=False, last_assistant_message=step["reply"])
        else:
            self._tool(*call_of(step) or ("", {}))

    def _tool(self, name: str, given: dict[str, Any]) -> None:
        paths = {key: str(self.place.top / value) for key, value in given.items() if key.endswith("_path")}
        given = {**given, **paths}
        self.session.asks(name, given).save(self.transcript)
        asked = {"tool_name": name, "tool_input": given, "tool_use_id": self.session.use}
        self._hook("PreToolUse", **asked)
        code, said = self._do(name, given)
        failed = f"Exit code {code}\n" if code else ""
        self.session.answered(failed + said, failed=bool(code)).save(self.transcript)
        if name == "Bash" and "refused by" in said:
            raise StoppedError("push" if OWN["push"].search(given["command"]) else "commit", said)
        if not code:
            self._hook("PostToolUse", **asked, tool_response={"stdout": said})

    def _do(self, name: str, given: Mapping[str, Any]) -> tuple[int, str]:
        """Carry a call out as the agent's program would; what another server would do is left out."""
        if name == "Bash":
            done = self.place.run("timeout", "-k", "1", str(SECONDS), "bash", "-c", given["command"])
            return done.returncode, done.stdout + done.stderr
        target = next((given[key] for key in ("file_path", "notebook_path", "path") if key in given), "")
        path = self.place.top / target
        if "content" in given and target and "__github__" not in name:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(given["content"])
        elif "new_source" in given:
            cells = [{"cell_type": "code", "id": given.get("cell_id"), "source": given["new_source"].splitlines(True)}]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1))
        else:
            return self._edited(path, given.get("edits", [given]))
        return 0, "ok"

    def _edited(self, path: Path, edits: list[Mapping[str, str]]) -> tuple[int, str]:
        for edit in edits:
            old = edit.get("old_string", edit.get("oldText"))
            if old is None:
                continue
            text = path.read_text() if path.is_file() else ""
            if old not in text:
                self.unfit.append(f"{path.name}: {old}")
                return 1, "String to replace not found in file."
            path.write_text(text.replace(old, edit.get("new_string", edit.get("newText", "")), 1))
        return 0, "ok"

    def _hook(self, event: str, **more: Any) -> None:
        """Ask the hooks that the settings register for an event; StoppedError where one says no."""
        for reply in self.place.ask_hooks(self.hooks, self.session.session, self.transcript, event, **more):
            if reply.refuses:
                raise StoppedError(EVENTS[event], reply.reason)


def cases(folder: Path, only: str) -> list[Case]:
    """The cases of both files, those of one rule together."""
    found = []
    for name in ("breaches", "innocents"):
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["id"].startswith(only) or row["rule"].startswith(only):
                found.append(Case(row["id"], row["rule"], row["files"] or {}, row["steps"], name == "breaches"))
    return sorted(found, key=lambda case: (case.rule, case.id))


def stood_in(folder: Path, played: list[Case]) -> Path:
    """A folder of programs that do nothing, in place of those that the cases name and this machine lacks."""
    named = {name for case in played for command in case.commands for name in PROGRAM.findall(command)}
    folder.mkdir()
    for name in {*STAND_INS.split(), *(name for name in named if not shutil.which(name))}:
        (folder / name).write_text(STAND_IN)
        (folder / name).chmod(0o755)
    return folder


def report(outcomes: list[Outcome], *, missed: bool) -> None:
    """By rule, which gate stopped the breaches and how many innocents were denied, and why."""
    print(f"{'rule':6}" + "".join(f"{gate:>11}" for gate in GATES) + f"{'innocents':>11}{'denied':>8}")
    for rule in [*sorted({one.case.rule for one in outcomes}), ""]:
        here = [one for one in outcomes if one.case.rule.startswith(rule)]
        ended = Counter(one.gate for one in here if one.case.breach)
        innocent = [one for one in here if not one.case.breach]
        denied = sum(one.gate != "nothing" for one in innocent)
        counts = "".join(f"{ended[gate]:11}" for gate in GATES)
        print(f"{rule or 'all':6}{counts}{len(innocent):11}{denied:8}")
    print()
    for one in outcomes:
        wrong = one.case.breach == (one.gate == "nothing")
        if wrong and (missed or not one.case.breach):
            said = " ".join(one.said.split())[:400]
            print(f"{'missed' if one.case.breach else 'denied'} {one.case.id} {one.case.rule} at {one.gate}: {said}")
            print("   " + json.dumps(one.case.steps, ensure_ascii=False)[:600] if missed else "")
        for text in one.unfit:
            print(f"   an edit of {one.case.id} does not fit {text!r}")


def main() -> None:
    """Play all cases and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--agent", choices=SETTINGS, default="claude")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    played = cases(given.folder, given.only)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name, ThreadPoolExecutor(WORKERS) as pool:
        folder = Path(name)  # not in /tmp, which is each case's own
        stand_ins = stood_in(folder / "bin", played)
        own = given.folder / "settings.json"
        settings = {**DEFAULTS, **(json.loads(own.read_text()) if own.is_file() else {})}

        def place(name: str) -> Place:
            return Place(folder / name, stand_ins, settings)

        gated(place("gated"), given.agent)

        def prepare(rule: str) -> None:
            shutil.copytree(folder / "gated", folder / rule, symlinks=True)
            ruled(place(rule), given.agent, given.folder / f"rules/{rule}.yaml")

        def play(case: Case) -> Outcome:
            shutil.copytree(folder / case.rule, folder / case.id, symlinks=True)
            outcome = Player(place(case.id), case, given.agent).outcome()
            shutil.rmtree(folder / case.id)
            print(case.id, outcome.gate, file=sys.stderr, flush=True)
            return outcome

        list(pool.map(prepare, sorted({case.rule for case in played})))
        report(list(pool.map(play, played)), missed=given.missed)


if __name__ == "__main__":
    main()

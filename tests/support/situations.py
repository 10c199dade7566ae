"""Plays situations of tests/cases/situations: a repository is set up, commands run, and agents call their hooks.

A hook is called as its agent calls it: by the command line in the agent's settings, with the agent's variables, its
JSON on standard input, and the file of its transcript as far as the session has come.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

CASES = Path(__file__).parents[1] / "cases" / "situations"
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/hooks/rulec.json",
}
PROJECT = {"claude-code": "CLAUDE_PROJECT_DIR", "gemini": "GEMINI_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR"}
TURN_ENDS = ("stop", "subagentstop", "afteragent", "agentstop")
ASKS = re.compile(r"rulec (?:doctor|rules|why)|rulec$", re.MULTILINE)  # what says where rules act
_NAMES = re.compile(r"\{(W|HOME|PATH|(?:start|end):[\w-][\w -]*)\}")
SECONDS = 300


def situations(table: str) -> list[dict[str, Any]]:
    """The situations of one table."""
    return list(yaml.safe_load((CASES / f"{table}.yaml").read_text()))


@dataclass
class Player:
    """One situation in a folder of its own: ``wrong`` lists what was not as it should be."""

    folder: Path
    wrong: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    words: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.work, self.home = self.folder / "w", self.folder / "h"
        for path in (self.work, self.home):
            path.mkdir()
        self.folder.chmod(0o755)
        own = Path(sys.executable).parent
        self.env = {
            "PATH": f"{own}:/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "W": str(self.work),
            "LANG": "C.UTF-8", "TERM": "dumb", "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        git = "[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n"
        (self.home / ".gitconfig").write_text(git)
        self.words |= {"W": str(self.work), "HOME": str(self.home), "PATH": self.env["PATH"]}

    def play(self, case: Mapping[str, Any]) -> list[str]:
        """What was not as the situation says, a line each."""
        self.words["start:setup"] = _now()
        code, out = self._run(case["setup"])
        self.words["end:setup"] = _now()
        if code:
            return [f"setup ended with {code}: {out[-500:]}"]
        for number, step in enumerate(case["steps"]):
            self._step(number, step)
        self._claims(case)
        return self.wrong

    def _step(self, number: int, step: Mapping[str, Any]) -> None:
        begun = _now()
        while _now() == begun:  # transcripts tell times in milliseconds: no two steps share one
            continue
        if name := step.get("id"):
            self.words[f"start:{name}"] = _now()
        if "run" in step:
            code, out = self._run(self._filled(step["run"]))
            if ASKS.search(step["run"]):
                self.said.append(out)
            fine = step["exit"] == "any" or (code == 0) == (step["exit"] == 0)
            got, what = f"exit {code}", step["run"].strip().splitlines()[-1][:100]
        else:
            got, out = self._hook(step)
            wanted = step["expect"] if isinstance(step["expect"], list) else [step["expect"]]
            fine = bool({"any", got}.intersection(wanted)) or ("passes" in wanted and got in ("told", "silent"))
            what = f"{step['hook']['event']} {json.dumps(step['hook']['payload'])[:100]} in {step['hook']['cwd']}"
        if step.get("id"):
            self.words[f"end:{step['id']}"] = _now()
        lacks = [f"lacks {one!r}" for one in step.get("says", ()) if not _said(self._filled(one), out)]
        has = [f"has {one!r}" for one in step.get("says_not", ()) if _said(self._filled(one), out)]
        if not fine or lacks or has:
            self.wrong.append(
                f"{number}: {what}: {got}, not {step.get('expect', step.get('exit'))} {lacks + has}: {out[:400]}"
            )

    def _claims(self, case: Mapping[str, Any]) -> None:
        told = "\n".join(self.said)
        self.wrong += [f"does not claim {one!r}" for one in case.get("true_claims", ()) if not _said(one, told)]
        self.wrong += [f"claims {found[0]!r}" for one in case.get("false_claims", ()) if (found := _said(one, told))]

    def _run(self, text: str) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", f"set -e\n{text}"], cwd=self.work, env=self.env, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=SECONDS, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def _filled(self, value: Any) -> Any:
        if isinstance(value, str):
            return _NAMES.sub(lambda found: self.words[found[1]], value)
        if isinstance(value, list):
            return [self._filled(one) for one in value]
        return {key: self._filled(one) for key, one in value.items()} if isinstance(value, dict) else value

    def _hook(self, step: Mapping[str, Any]) -> tuple[str, str]:
        """The verdict on one call of an agent's hooks, and all that was printed."""
        asked = self._filled(step["hook"])
        project, cwd = self.work / asked["project"], self.work / asked["cwd"]
        payload = self._payload(asked, step, cwd)
        env = {**self.env, **asked.get("env", {})}
        env.pop("W")
        if variable := PROJECT.get(asked["agent"]):
            env[variable] = str(project)
        out, verdict = "", ""
        for line in _registered(project, asked):
            argv = ["bash", "-c", line]
            if user := asked.get("as_uid"):
                argv = ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", *argv]
            place = cwd if cwd.is_dir() else project
            done = subprocess.run(
                argv,
                cwd=place,
                env=env,
                input=json.dumps(payload),
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            out += done.stdout + done.stderr
            verdict = verdict or ("held" if asked["event"].lower() in TURN_ENDS else "denied") * _refuses(done)
        return verdict or ("told" if out.strip() else "silent"), out

    def _payload(self, asked: Mapping[str, Any], step: Mapping[str, Any], cwd: Path) -> dict[str, Any]:
        session = asked.get("session", "s1")
        payload: dict[str, Any] = {"hook_event_name": asked["event"], "cwd": str(cwd)}
        if asked["agent"] != "cursor" and "sessionId" not in asked["payload"]:
            payload["session_id"] = session
        rows = step.get("transcript", step.get("transcript_adds"))
        if rows is not None:
            known = self.sessions.get(session, []) if "transcript_adds" in step else []
            self.sessions[session] = [*known, *rows]
            path = self.home / ".claude/projects/x" / f"{session}.jsonl"
            _write_rows(path, self._filled(self.sessions[session]))
            payload["transcript_path"] = str(path)
            for name, inner in (step.get("subagents") or {}).items():
                _write_rows(path.with_suffix("") / "subagents" / name, self._filled(inner))
        elif "transcript" in step:
            payload["transcript_path"] = None
        return {**payload, **asked["payload"]}


def _registered(project: Path, asked: Mapping[str, Any]) -> Iterator[str]:
    """The command lines of an agent's settings for the event and tool that it asks about."""
    path = project / SETTINGS[asked["agent"]]
    if not path.is_file():
        return
    tool = asked["payload"].get("tool_name") or asked["payload"].get("toolName") or ""
    for group in json.loads(path.read_text()).get("hooks", {}).get(asked["event"], []):
        matcher = group.get("matcher")
        if not (matcher and matcher != "*" and tool and not re.fullmatch(matcher, tool)):
            yield from (str(hook.get("command") or hook.get("bash")) for hook in group.get("hooks", [group]))


def _refuses(done: subprocess.CompletedProcess[str]) -> bool:
    try:
        said = json.loads(done.stdout)
    except ValueError:
        said = {}
    own = said.get("hookSpecificOutput", {})
    word = (
        own.get("permissionDecision")
        or said.get("permissionDecision")
        or said.get("permission")
        or said.get("decision")
    )
    return done.returncode == 2 or word in ("deny", "block") or bool(said.get("followup_message"))


def _write_rows(path: Path, rows: Sequence[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def _said(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(pattern, text, re.IGNORECASE | re.MULTILINE)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

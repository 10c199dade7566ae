"""A small shop under pytest, with a rule that a suite runs before each commit, and the agent's session in it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.hook.test_hook import bash, denied, hook, repository
from tests.support import guard_rules
from tests.support.payloads import says
from tests.support.session import ClaudeSession

RUN = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
RULE = guard_rules.session(
    "tests-first", before_commands=["git commit"], first_commands=["pytest"], since=["src/", "tests/"],
    proved_by="unit",
)  # fmt: skip
FILES = {
    "src/shop/__init__.py": "",
    "src/shop/tax.py": "def rate(country):\n    return {'DE': 19, 'FR': 20}[country]\n",
    "src/shop/ship.py": "def cost(kilos):\n    return 3 * kilos\n",
    "tests/test_tax.py": "from shop import tax\n\n\ndef test_rate():\n    assert tax.rate('DE') == 19\n",
    "tests/test_ship.py": "from shop import ship\n\n\ndef test_cost():\n    assert ship.cost(2) == 6\n",
    ".gitignore": "__pycache__/\n.venv/\n",
    "README.md": "A shop.\n",
}
BROKEN = FILES["src/shop/tax.py"].replace("19", "91")
MENDED = FILES["src/shop/tax.py"].replace("'FR': 20", "'FR': 20, 'IT': 22")


def settings(run: object = None, **more: object) -> str:
    """``.rules/config.yaml`` with one suite; YAML reads JSON."""
    unit = {"run": run or RUN, "report": "junit", "seconds": 60, "environment": {"PYTHONPATH": "src"}, **more}
    return json.dumps({"schema": 1, "tests": {"unit": unit}}) + "\n"


@dataclass
class Shop:
    """The repository, and what its agent did."""

    top: Path
    session: ClaudeSession = field(init=False)

    def __post_init__(self) -> None:
        self.session = ClaudeSession(self.top).person("go on")

    def git(self, *args: str) -> str:
        return subprocess.run(["git", *args], cwd=self.top, check=True, capture_output=True, text=True).stdout

    def write(self, path: str, text: str) -> None:
        """Change a file, as the agent's tool does."""
        (self.top / path).parent.mkdir(parents=True, exist_ok=True)
        (self.top / path).write_text(text)
        self.session.writes(path, text)

    def rulec(self, *args: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """A command of rulec in a process of its own."""
        env = {**os.environ, **environment}
        line = [sys.executable, "-m", "rulec", *args]
        return subprocess.run(line, cwd=self.top, capture_output=True, text=True, check=False, env=env)

    def runs_suite(self, *nodes: str, **environment: str) -> int:
        """``rulec run unit`` by the agent: its exit code."""
        done = self.rulec("run", "unit", *nodes, **environment)
        assert "Traceback" not in done.stderr
        self.session.runs("rulec run unit", done.stdout + done.stderr, failed=done.returncode != 0)
        return done.returncode

    def refusal(self, command: str = "git add -A && git commit -m x") -> str:
        """Why the hook denies the agent's commit, "" where it does not."""
        path = self.session.save(self.top.parent / "t.jsonl")
        asked = {**bash(self.top, command), "transcript_path": str(path), "tool_use_id": "now"}
        return str(denied(hook(self.top, asked)))

    def says(self, text: str) -> None:
        """A person's message, as the agent's program hands it to the hook."""
        assert hook(self.top, says("claude-code", str(self.top), text))[0] == 0


def make_shop(folder: Path, **suite: object) -> Shop:
    """The shop with its rules and settings committed."""
    top = repository(folder, RULE)
    for path, text in {**FILES, ".rules/config.yaml": settings(**suite)}.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(text)
    shop = Shop(top)
    shop.git("add", "-A")
    shop.git("commit", "-qm", "Start")
    return shop

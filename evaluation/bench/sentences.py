"""Sentences written blind, through ``rulec add`` offline: ``bench sentences [FILE [IDS]]``.

A case is a sentence with acts: what it forbids (``offence``, ``inside``), what it asks for or leaves alone (``remedy``,
``outside``), and what an honest agent does in the same area. Where ``rulec add`` makes no check the line that it prints
is typed, and its rule is played instead. Printed are the cases that went another way than their author says, and sums.
"""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "cases/sentences"
RULEC = [sys.executable, "-m", "rulec"]
MEANT = ("offence", "inside")


class Repository:
    """A fresh repository with rulec's hooks."""

    def __init__(self, folder: Path) -> None:
        self.top = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "GIT_"))}
        self.environment = {**kept, "HOME": str(folder.parent), "GIT_CONFIG_GLOBAL": "/dev/null"}
        self.run("git", "init", "-q")
        self.run("git", "config", "user.email", "x@example.com")
        self.run("git", "config", "user.name", "x")
        self.rulec("init", "--yes", "--agent", "claude-code", "--no-ci")
        self.run("git", "add", "-A")
        self.run("git", "commit", "-qm", "Begin")

    def run(self, *argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """A program in the repository."""
        return subprocess.run(
            argv, cwd=self.top, env=self.environment, input=stdin, capture_output=True, text=True, check=False
        )

    def rulec(self, *argv: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """One verb."""
        return self.run(*RULEC, *argv, stdin=stdin)

    def add(self, sentence: str) -> tuple[str, str]:
        """How the sentence got a check ("read", "typed" or ""), and the line that was printed where it got none."""
        said = self.rulec("add", sentence, "--yes").stdout
        if "check:    none" not in said:
            return "read", ""
        lines = [line.strip() for line in said.splitlines()]
        line = next((one for one in lines if one.startswith("rulec add ") and "--check" in one), "")
        if not line:
            return "", ""
        self.run("git", "reset", "-q", "--hard", "HEAD~1")
        typed = self.rulec(*shlex.split(line)[1:], "--enforcement", "block", "--yes")
        return ("typed" if typed.returncode == 0 and "check:    none" not in typed.stdout else "fails"), line

    def refuses(self, act: Mapping[str, Any]) -> bool | None:
        """Whether the gates refuse an act; None where it has several steps, for which there is no session here."""
        if "command" in act:
            return self.rulec("check", "--command", act["command"]).returncode == 1
        if "steps" in act:
            return None
        given = act.get("write") or act["edit"]
        path = self.top / given["path"]
        if "edit" in act:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{given['old']}\n")
            self.run("git", "add", "-A")
            self.run("git", "commit", "-qnm", "More")
        text = given["content"] if "write" in act else f"{given['new']}\n"
        return self.rulec("check", "--path", given["path"], "--content", "-", stdin=text).returncode == 1


def acts_of(case: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The acts of a case with what they are."""
    for key in (*MEANT, "remedy", "outside"):
        if case.get(key):
            yield key, case[key]
    yield from (("honest", act) for act in case["honest"])


def main() -> None:
    """Play the cases of one file, or of both."""
    files = [Path(sys.argv[1])] if sys.argv[1:] else sorted(CASES.glob("*.jsonl"))
    for file in files:
        counts: Counter[str] = Counter()
        for case in map(json.loads, file.read_text("utf-8").splitlines()):
            if sys.argv[2:] and case["id"] not in sys.argv[2:]:
                continue
            with tempfile.TemporaryDirectory(prefix="sentence-", dir=Path.home()) as name:
                folder = Path(name) / "repo"
                folder.mkdir()
                repository = Repository(folder)
                how, line = repository.add(case["sentence"])
                counts[f"sentences, {how or 'no line'}"] += 1
                for key, act in acts_of(case) if how in ("read", "typed") else ():
                    refused = repository.refuses(act)
                    counts[f"{key}, {how}"] += 1
                    if refused is None:
                        counts[f"{key}, {how}, not played"] += 1
                    elif refused is not (key in MEANT):
                        counts[f"{key}, {how}, wrong"] += 1
                        act_said, line_said = json.dumps(act)[:110], line[-150:]
                        print(f"{case['id']} {how}: {case['sentence'][:70]} | {key} {act_said} | {line_said}")
        print(file.stem, *(f"  {name}: {count}" for name, count in sorted(counts.items())), sep="\n")


if __name__ == "__main__":
    main()

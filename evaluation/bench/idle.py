"""What the daily verbs cost where little or nothing changed: ``bench idle [WORD [ROUNDS]]``.

A repository of 300 files, 60 commits and 20 rules of every kind, with its gates. Each verb runs on a copy of its own,
once to warm what is kept and then ROUNDS times; printed are the medians of wall and CPU time, and the processes of git.
``ingest`` reads a transcript of 1.6 MB in the proportions of real ones, for the first time and then again.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaluation.bench._gated import git, module
from evaluation.bench.ingest import MEGABYTE, claude_code
from rulec.checks import template_library
from rulec.domain.rule import Check, Rule
from rulec.rulebook import rule_file
from tests.support.counted import wrapped
from tests.support.session import ClaudeSession
from tests.support.template_cases import cases_of

RULEC = [sys.executable, "-m", "rulec"]
FILES, COMMITS = 300, 60
TEMPLATES = [
    "forbid-call",
    "forbid-import",
    "forbid-text",
    "require-docstring",
    "error-handling",
    "commit-message",
    "max-lines",
    "require-text",
    "place-files",
    "forbid-command",
    "protect-path",
    "dependency",
    "require-before",
    "companion",
    "require-command",
]
ONCE = {  # what can be done once alone, with what was done before it is timed
    "add (a command)": (["add", "Use uv, never poetry or pipenv", "--yes"], ()),
    "add (code, by Semgrep)": (
        ["add", "Never call eval", "--check", "forbid-call", "--with", "functions=eval", "--with", "language=python",
         "--invalid", "{file: a.py, content: 'eval(x)'}", "--yes"],
        (),
    ),
    "ingest, 1.6 MB, accepted": (["ingest", "session.jsonl", "--yes"], ()),
    "ingest, again": (["ingest", "session.jsonl", "--yes"], (["ingest", "session.jsonl", "--yes"],)),
}  # fmt: skip
IDLE = {
    "rulec": [],
    "doctor": ["doctor"],
    "test": ["test"],
    "compile": ["compile"],
    "compile --check": ["compile", "--check"],
    "check --staged": ["check", "--staged"],
    "diff": ["diff"],
    "rules": ["rules"],
    "review": ["review"],
    "report": ["report"],
    "why": ["why", "keep-forbid-command"],
    "report --commit": ["report", "--commit", "--yes"],
    "snapshot": ["snapshot", "--path", "module_1.py"],
}


def rule(template: str) -> Rule:
    """A rule that is checked by this template, with the parameters and the examples of its first case."""
    known = template_library.open_library().template(template)
    case = cases_of(known)[0]
    return Rule(
        slug=f"keep-{template}",
        statement=f"{known.checks}.",
        checks=(Check(kind=known.kind, template=template, parameters=dict(case.parameters)),),
        invalid=case.invalid,
        valid=case.valid,
    )


def repository(top: Path, templates: Sequence[str] = TEMPLATES) -> Path:
    """Files, history, rules and gates."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    for number in range(FILES):
        (top / f"module_{number}.py").write_text(module(number))
        if number % (FILES // COMMITS) == 0:
            git(top, "add", "-A")
            git(top, "commit", "-qm", f"Add the modules up to {number}")
    subprocess.run([*RULEC, "init", "--yes", "--agent", "claude-code"], cwd=top, check=True, capture_output=True)
    for template in templates:
        one = rule(template)
        (top / f".rules/{one.slug}.yaml").write_text(rule_file.dump_rule(one))
    subprocess.run([*RULEC, "compile"], cwd=top, check=True)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "Add rules and gates", "--no-verify")
    return top


def cost(top: Path, argv: list[str]) -> tuple[float, float]:
    """Wall and CPU seconds of one command and its children."""
    begun, before = time.monotonic(), os.times()
    done = subprocess.run([*RULEC, *argv], cwd=top, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode > 1:
        raise SystemExit(f"{argv}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begun, spent


def timed(origin: Path, rounds: int, word: str, note: Path) -> Iterator[tuple[str, float, float, int]]:
    """Each verb with its figures."""
    copy = origin.with_name("copy")

    def fresh() -> Path:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(origin, copy, symlinks=True)
        git(copy, "update-index", "-q", "--refresh")
        cost(copy, [])
        return copy

    for name, argv in IDLE.items():
        if word in name:
            top = fresh()
            cost(top, argv)
            note.write_text("")
            spent = [cost(top, argv) for _ in range(rounds)]
            yield name, *map(statistics.median, zip(*spent, strict=True)), len(note.read_text().splitlines()) // rounds
    for name, (argv, before) in ONCE.items():
        if word in name:
            spent = []
            for _ in range(rounds):
                top = fresh()
                for one in before:
                    cost(top, one)
                note.write_text("")
                spent.append(cost(top, argv))
            yield name, *map(statistics.median, zip(*spent, strict=True)), len(note.read_text().splitlines())


def main() -> None:
    """Make the repository, run each verb, print."""
    word, rounds = (*sys.argv[1:], "", "")[0], int((*sys.argv[1:], "", "")[1] or 3)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"HOME": name, "XDG_CONFIG_HOME": str(folder / "config"), "GIT_CONFIG_NOSYSTEM": "1"}
        for who in ("AUTHOR", "COMMITTER"):
            os.environ |= {f"GIT_{who}_NAME": "Dev", f"GIT_{who}_EMAIL": "dev@example.com"}
        top = repository(folder / "origin")
        path = top / "session.jsonl"
        session = ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
        session.person("No, always use pnpm, never npm.").runs("pnpm add left-pad").agent("Done.")
        end = session.save(path).read_text("utf-8")
        path.write_text("".join(claude_code(int(1.6 * MEGABYTE))) + end, encoding="utf-8")
        note, os.environ["PATH"] = wrapped(folder)
        print(f"{'':<28}{'wall':>8}{'CPU':>8}{'git':>6}")
        for told, wall, cpu, started in timed(top, rounds, word, note):
            print(f"{told:<28}{wall:7.2f}s{cpu:7.2f}s{started:6}", flush=True)


if __name__ == "__main__":
    main()

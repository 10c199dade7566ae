"""What the gates cost, as ratios in one run: ``bench gates [WORD [ROUNDS]]``. Asserts nothing.

Each pair is run in turn, A B A B, and the median of the pairwise ratios of CPU time is taken; WORD picks the rows that
hold it. All rows take an hour, most of it for Semgrep alone over 1,000 files.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROUNDS = 15
PYTHON = os.path.realpath(sys.executable)  # a shim or a virtual environment would be measured with it
FLOOR = [PYTHON, "-I", "-S", "-c", "import sys, json, re; json.load(sys.stdin)"]
PASS = [sys.executable, "-I", "-c", "pass"]
RULEC = [sys.executable, "-m", "rulec"]
STAGED = ["sh", ".rules/hook", "git", "check", "--staged"]
Row = tuple[str, str, Callable[[], float], Callable[[], float]]  # what, its bar, the two sides


def cpu(argv: list[str], cwd: Path, stdin: bytes = b"") -> float:
    """User and system seconds of one process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, cwd=cwd, input=stdin, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(one: Callable[[], float], other: Callable[[], float], rounds: int = ROUNDS) -> tuple[float, float, float]:
    """Median ratio, and the medians it came from in milliseconds."""
    one(), other()
    pairs = [(one(), other()) for _ in range(rounds)]
    middle = statistics.median
    return middle(a / b for a, b in pairs), 1000 * middle(a for a, _ in pairs), 1000 * middle(b for _, b in pairs)


def event(top: Path, name: str, **more: object) -> float:
    """One call of the hook, as Claude Code makes it by the line that rulec writes into its settings."""
    from rulec.agents.claude_code import AGENT
    from rulec.integrations.hook_settings import hook_command

    told = {"session_id": "s", "cwd": str(top), "hook_event_name": name, "transcript_path": "", **more}
    moment = next(one.moment for one in AGENT.events if one.name == name)
    return cpu(["sh", "-c", hook_command(AGENT, moment)], top, json.dumps(told).encode())


def hook(top: Path) -> float:
    """One PreToolUse call."""
    return event(top, "PreToolUse", tool_name="Bash", tool_input={"command": "git status"})


def edited(top: Path, path: str) -> float:
    """The PostToolUse call after an edit that put the last line there."""
    text = (top / path).read_text()
    given = {"file_path": str(top / path), "old_string": "", "new_string": text.splitlines()[-1]}
    before = {"originalFile": "".join(text.splitlines(keepends=True)[:-1])}
    return event(top, "PostToolUse", tool_name="Edit", tool_input=given, tool_response=before)


def tool_calls(folder: Path) -> Iterator[Row]:
    """The agent's hook."""
    from evaluation.bench._gated import guarded

    few, some, many, most = (guarded(folder, rules) for rules in (10, 300, 1_000, 10_000))
    floor = lambda: cpu(FLOOR, folder, b"{}")  # noqa: E731 - a side of three rows
    for top in (few, some, many, most):
        hook(top)  # an index is kept once its folder is two seconds old
    yield "PreToolUse, 10 rules / bare python3", "", lambda: hook(few), floor
    yield "PreToolUse, 300 rules / bare python3", "2", lambda: hook(some), floor
    yield "PreToolUse, 1,000 rules / bare python3", "", lambda: hook(many), floor
    yield "PreToolUse, 10,000 rules / 10 rules", "1.15", lambda: hook(most), lambda: hook(few)


def events(folder: Path) -> Iterator[Row]:
    """The agent's hook on a person's message, and after a tool."""
    from evaluation.bench._gated import guarded, module, ruled
    from evaluation.bench.snapshot import book

    few, some, most = (guarded(folder / "told", rules) for rules in (10, 20, 30))
    many = book(folder / "told", 1_000)
    for top, rules in ((some, 10), (most, 1_000)):
        ruled(top, rules, 1)
        (top / "clean.py").write_text(module(1))
        (top / "named.py").write_text(f"{module(1)}common_0(0)\n")
        while not (top / ".git/rulec/needs.json").exists():  # one edit, or one commit, learns what rules need
            cpu([*RULEC, "check", "clean.py"], top)
    for top in (few, many, some, most):
        for _ in range(3):
            event(top, "SessionStart")
    floor = lambda: cpu(FLOOR, folder, b"{}")  # noqa: E731 - a side of many rows
    said = lambda top, words: lambda: event(top, "UserPromptSubmit", prompt=words)  # noqa: E731 - as above
    plain, lasting = "rename the parser in src please", "From now on use pnpm, never npm."
    yield "UserPromptSubmit, no rules to remind of / bare python3", "2.5", said(few, plain), floor
    yield "UserPromptSubmit, a correction / bare python3", "2.5", said(few, lasting), floor
    yield "UserPromptSubmit, 1,000 rules to remind of / bare python3", "2.5", said(many, plain), floor
    ls = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {}}
    (few / "clean.py").write_text(module(1))
    yield "PostToolUse, edit, no rules of Semgrep / bare python3", "3", lambda: edited(few, "clean.py"), floor
    yield "PostToolUse, ls, 10 rules of Semgrep / bare python3", "3", lambda: event(some, "PostToolUse", **ls), floor
    yield "PostToolUse, edit, 10 rules of Semgrep / bare python3", "3", lambda: edited(some, "clean.py"), floor
    yield "PostToolUse, edit, 1,000 rules of Semgrep / bare python3", "3", lambda: edited(most, "clean.py"), floor
    yield "PostToolUse, edit, one rule's name there / bare python3", "", lambda: edited(some, "named.py"), floor


def planned(folder: Path) -> Iterator[Row]:
    """The agent's hook while a plan of fifty steps is open, against the same without one."""
    from evaluation.bench._gated import git, guarded, module, ruled
    from rulec.compiling.agent_briefing import words_artifact
    from rulec.domain.rule import Rule

    free, busy = (guarded(folder / name, 10) for name in ("free", "busy"))
    for top in (free, busy):
        ruled(top, 10, 1)
        (top / "clean.py").write_text(module(1))
        git(top, "add", "-A")
        git(top, "commit", "-qnm", "x")
        (top / "clean.py").write_text(f"{module(1)}X = 1\n")
        while not (top / ".git/rulec/needs.json").exists():
            cpu([*RULEC, "check", "clean.py"], top)
    todos = [{"content": f"Change part {number} in src/part_{number}.py", "status": "pending"} for number in range(50)]
    todos[0] = {"content": "Change clean.py", "status": "in_progress"}
    rule = words_artifact(Rule(slug="say-why", statement="Say why in each commit.", severity="must"))
    for top in (free, busy):
        (top / rule.path).parent.mkdir(exist_ok=True)
        (top / rule.path).write_text(rule.text or "")
    event(busy, "PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos}, tool_response={})
    for top in (free, busy):
        for _ in range(3):
            edited(top, "clean.py")
    called = lambda top, command: lambda: event(top, "PreToolUse", tool_name="Bash", tool_input={"command": command})  # noqa: E731 - a side of many rows
    ended = lambda top: lambda: event(top, "Stop", stop_hook_active=False)  # noqa: E731 - as above
    plan = "an open plan of 50 steps / none"
    yield f"PreToolUse, git status, {plan}", "1.05", called(busy, "git status"), called(free, "git status")
    yield f"PreToolUse, writes, {plan}", "1.05", called(busy, "echo x > out.txt"), called(free, "echo x > out.txt")
    yield f"PostToolUse, edit, {plan}", "1.05", lambda: edited(busy, "clean.py"), lambda: edited(free, "clean.py")
    yield f"Stop, {plan}", "1.1", ended(busy), ended(free)
    done = [{**one, "status": "completed"} for one in todos]
    event(busy, "PostToolUse", tool_name="TodoWrite", tool_input={"todos": done}, tool_response={})
    yield f"Stop, strict rules of steps that are done, {plan}", "", ended(busy), ended(free)


def commits(folder: Path) -> Iterator[Row]:
    """The commit's hooks, as git runs them."""
    from evaluation.bench._gated import staged, untouched
    from rulec.infra.jobs import semgrep_core_path

    core = [semgrep_core_path(), "-json_nodots", "-rules", "rules.yaml", "-targets", "targets.json", "-j", "1", "-fast"]
    top = untouched(folder, 1_000)
    floor = lambda: cpu(PASS, top) + cpu(["git", "rev-parse", "HEAD"], top)  # noqa: E731 - a side of two rows
    yield "commit no rule can touch / python3 and git", "2.0", lambda: cpu(STAGED, top), floor
    (top / ".git/COMMIT_EDITMSG").write_text("Say why\n")
    message = [*STAGED[:-1], "--message", ".git/COMMIT_EDITMSG"]
    yield "its message / python3 and git", "", lambda: cpu(message, top), floor
    for rules, files, common, bar in (
        (10, 10, 0, ""),
        (1_000, 10, 0, "1.15"),
        (1_000, 10, 10, ""),
        (1_000, 10, 200, ""),
    ):
        yield _against_core(*staged(folder, rules, files, common), core, (rules, files, common), bar)
    for common, bar in ((0, "0.50"), (10, "0.50"), (200, "")):
        yield _against_core(*staged(folder, 1_000, 1_000, common), core, (1_000, 1_000, common), bar)


def _against_core(top: Path, alone: Path, core: list[str], size: tuple[int, int, int], bar: str) -> Row:
    rules, files, common = size
    share = f", {100 * common // rules} % common" if common else ""
    what = f"check --staged, {rules:,} rules, {files:,} files{share} / semgrep-core"
    return what, bar, lambda: cpu(STAGED, top), lambda: cpu(core, alone)


def verbs(folder: Path) -> Iterator[Row]:
    """The program itself."""
    yield "rulec --help / python3", "", lambda: cpu([*RULEC, "--help"], folder), lambda: cpu(PASS, folder)


def compiling(folder: Path) -> Iterator[tuple[str, str, float]]:
    """Seconds of one thousand rules: all new, none changed, one changed."""
    from evaluation.bench._gated import book, rule

    top = book(folder, 1_000)
    (top / ".rules/rule-1.yaml").write_text(rule(1))
    yield "rulec compile, 1,000 rules, all new", "", cpu([*RULEC, "compile"], top)
    cpu([*RULEC, "compile"], top)
    yield (
        "rulec compile, 1,000 rules, none changed",
        "0.5",
        statistics.median(cpu([*RULEC, "compile"], top) for _ in range(ROUNDS)),
    )
    (top / ".rules/rule-1.yaml").write_text(rule(1).replace("number 1", "the first"))
    yield "rulec compile, 1,000 rules, one changed", "", cpu([*RULEC, "compile"], top)


def memory(folder: Path) -> int:
    """The most memory, in MB, that any process of a CI run over 5,000 changed files had."""
    from evaluation.bench._gated import changed

    top = changed(folder, 1_000, 5_000)
    asked = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=2); "
    asked += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    argv = [sys.executable, "-c", asked, *RULEC, "check", "--base", "HEAD~1"]
    done = subprocess.run(argv, cwd=top, capture_output=True, text=True, check=True)
    return int(done.stdout) // 1024


def main(word: str = "", rounds: int = ROUNDS) -> None:
    """Print the table of the README."""
    print(f"python {sys.version.split()[0]}, {os.cpu_count()} cores, medians of {rounds} pairs, CPU")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for rows in (tool_calls, planned, events, commits, verbs):
            for what, bar, one, other in rows(folder):
                if word in what:
                    times, a, b = ratio(one, other, rounds)
                    print(f"{what:70} {times:5.2f} x  {bar and f'<= {bar}':8} ({a:.1f} ms / {b:.1f} ms)", flush=True)
        if word in "rulec compile":
            for what, bar, seconds in compiling(folder):
                print(f"{what:70} {seconds:5.2f} s  {bar and f'<= {bar}':8}", flush=True)
        if word in "check --base, 5,000 files, 1,000 rules":
            print(f"{'check --base, 5,000 files, 1,000 rules, largest process':70} {memory(folder):5} MB <= 1000")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))

"""What the gates cost, as ratios in one run: ``python tests/bench/gates.py``. Prints a table, asserts nothing.

Each pair is run in turn, A B A B, and the median of the pairwise ratios of CPU time is taken.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROUNDS = 21
PYTHON = os.path.realpath(sys.executable)  # a shim or a virtual environment would be measured with it
FLOOR = [PYTHON, "-I", "-S", "-c", "import sys, json, re; json.load(sys.stdin)"]
GUARD = '{"on": "command", "patterns": ["tool-%d"], "unless": [], "arguments": "", "instead": "", "rewrite": {}}'


def cpu(argv: list[str], cwd: Path, stdin: bytes = b"") -> float:
    """User and system seconds of one process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, cwd=cwd, input=stdin, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float, float]:
    """Median ratio, and the medians it came from in milliseconds."""
    one(), other()
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    middle = statistics.median
    return middle(a / b for a, b in pairs), 1000 * middle(a for a, _ in pairs), 1000 * middle(b for _, b in pairs)


def guarded(folder: Path, rules: int) -> Path:
    """A repository with that many guard rules, written as compile writes them."""
    from rulec import registry
    from rulec.host import runtime_files
    from rulec.model.plan import Facts, Step
    from rulec.model.rule import Rule

    top = folder / f"rules-{rules}"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    for number in range(rules):
        facts = Facts(slug=f"rule-{number}", revision=1, statement="S.", enforcement="block")
        rule = Rule(slug=facts.slug, statement="S.")
        step = Step(facts=facts, rule=rule, kind="guard", template="x", parameters={}, name=facts.slug)
        target = top / f".rules/compiled/guard/{facts.slug}.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(registry.checkers()["guard"].build(step, GUARD % number))
    for artifact in runtime_files.artifacts():
        target = top / artifact.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(artifact.text or "")
    return top


def hook(top: Path, command: str) -> float:
    """One PreToolUse call as Claude Code makes it."""
    event = {"session_id": "s", "cwd": str(top), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    stdin = json.dumps({**event, "tool_input": {"command": command}}).encode()
    return cpu([PYTHON, "-I", "-S", str(top / ".rules/compiled/runtime/hook.py"), "claude-code"], top, stdin)


def staged(folder: Path, rules: int, files: int) -> tuple[Path, Path]:
    """A repository with that many Semgrep rules at HEAD and files staged, and a folder for Semgrep's core alone."""
    from rulec import registry
    from rulec.model.plan import Facts, Step
    from rulec.model.rule import Rule

    top = folder / f"staged-{rules}-{files}"
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.com"]
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    checker, merged, targets = registry.checkers()["semgrep"], ["rules:"], []
    for number in range(rules):
        facts = Facts(slug=f"rule-{number}", revision=1, statement="S.", enforcement="block")
        rule = Rule(slug=facts.slug, statement="S.")
        step = Step(facts=facts, rule=rule, kind="semgrep", template="x", parameters={}, name=facts.slug)
        text = checker.build(step, f"languages: [python]\npattern: forbidden_{number}(...)\n")
        target = top / f".rules/compiled/semgrep/{facts.slug}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        merged.append(text.partition("rules:\n")[2])
    subprocess.run(["git", "add", "-A"], cwd=top, check=True)
    subprocess.run(["git", *identity, "commit", "-qm", "Rules"], cwd=top, check=True)
    for number in range(files):
        path = top / f"module_{number}.py"
        path.write_text("".join(f"def function_{n}(x):\n    return x + {n}\n\n\n" for n in range(50)))
        place = {"fpath": str(path), "ppath": f"/{path.name}"}
        targets.append(["CodeTarget", {"path": place, "analyzer": "python", "products": ["sast"]}])
    subprocess.run(["git", "add", "-A"], cwd=top, check=True)
    alone = folder / f"core-{rules}-{files}"
    alone.mkdir()
    (alone / "rules.yaml").write_text("\n".join(merged))
    (alone / "targets.json").write_text(json.dumps(["Targets", targets]))
    return top, alone


def main() -> None:
    """Print the table of the README."""
    from rulec.host.process import semgrep_core

    core = [semgrep_core(), "-json_nodots", "-rules", "rules.yaml", "-targets", "targets.json", "-j", "1", "-fast"]
    gate = [sys.executable, "-m", "rulec", "check", "--staged"]
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def floor() -> float:
            return cpu(FLOOR, folder, b"{}")

        # The guarded repositories first: their index is kept once their folders are two seconds old.
        few, many = guarded(folder, 10), guarded(folder, 1000)
        for rules in (10, 1000):
            top, alone = staged(folder, rules, 10)
            times = ratio(lambda t=top: cpu(gate, t), lambda a=alone: cpu(core, a))
            rows.append((f"check --staged, {rules} rules, 10 files / semgrep-core", *times))
        rows.append(("PreToolUse, 10 rules / bare python3", *ratio(lambda: hook(few, "git status"), floor)))
        rows.append(("PreToolUse, 1000 rules / bare python3", *ratio(lambda: hook(many, "git status"), floor)))
        both = ratio(lambda: hook(many, "git status"), lambda: hook(few, "git status"))
        rows.append(("PreToolUse, 1000 rules / 10 rules", *both))
        rulec = [sys.executable, "-m", "rulec", "--help"]
        rows.append(("rulec --help / bare python3", *ratio(lambda: cpu(rulec, folder), floor)))
    print(f"python {sys.version.split()[0]}, {os.cpu_count()} cores, medians of {ROUNDS} pairs, CPU")
    for what, times, a, b in rows:
        print(f"{what:52} {times:5.2f} x   ({a:.1f} ms / {b:.1f} ms)")


if __name__ == "__main__":
    main()

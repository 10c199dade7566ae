"""Garbage in any byte of rulec's own state: ``bench garbage [TRIALS [SEED]]``; 1 where a trial failed.

Each trial damages one file of the state folder in the git directory (a byte, a block, its end, all of it), then asks
the agent's hook about a forbidden and a harmless command, and now and then runs a verb. What a sound state answers, a
damaged one has to answer as well: the same verdict, and never a traceback.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rulec.agents.claude_code import AGENT
from rulec.agents.protocol.agent_spec import BEFORE_TOOL
from rulec.integrations.hook_settings import hook_command
from tests.support import payloads, session

RULEC = [sys.executable, "-m", "rulec"]
CLEAN, REFUSED = 0, 1
VERBS = {
    ("check", "--staged"): REFUSED,
    ("check", "--all"): REFUSED,
    ("rules",): CLEAN,
    ("report",): CLEAN,
    ("review", "--format", "json"): CLEAN,
    ("snapshot", "--task", "install left-pad with npm"): CLEAN,
    ("compile", "--check"): CLEAN,
    (): CLEAN,
}
VERB_EVERY = 4  # trials


def run(top: Path, argv: list[str], given: str = "") -> tuple[int, str]:
    """Exit code and all that was printed."""
    env = {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    done = subprocess.run(argv, cwd=top, env=env, input=given.encode(), capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode("utf-8", "replace")


def prepare(folder: Path) -> Path:
    """A repository with rules of several kinds, a proposal that waits, a bad file staged, and all state there is."""
    top = folder / "repo"
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    for key in ("name", "email"):
        subprocess.run(["git", "config", f"user.{key}", "n@example.com"], cwd=top, check=True)
    waiting = session.logger(top).save(folder / "waiting.jsonl")
    steps = [
        [*RULEC, "init", "--yes"],
        ["git", "add", "-A"],
        ["git", "commit", "-qm", "Begin"],
        [*RULEC, "add", "Use pnpm, never npm.", "--yes", "--enforcement", "block"],
        [*RULEC, "add", "Never write TODO in src/**.", "--yes", "--enforcement", "block"],
        [*RULEC, "ingest", str(waiting)],
    ]
    for argv in steps:
        run(top, argv)
    (top / "src").mkdir()
    (top / "src/a.py").write_text("x = 1  # TODO\n")
    run(top, ["git", "add", "src"])
    for argv in [[*RULEC, *words] for words in VERBS]:
        run(top, argv)
    for question in (payloads.begins, lambda *known: payloads.says(*known, "use npm here"), payloads.stops):
        run(top, ["sh", "-c", hook_command(AGENT, BEFORE_TOOL)], json.dumps(question("claude-code", str(top))))
    answers(top)
    return top


def answers(top: Path) -> tuple[bool, bool, bool]:
    """Whether the hook denies the forbidden command, the harmless one, and whether a traceback was printed."""
    asked = [json.dumps(payloads.runs("claude-code", str(top), command)) for command in ("npm ci", "ls")]
    said = [run(top, ["sh", "-c", hook_command(AGENT, BEFORE_TOOL)], one) for one in asked]
    denied = [code == 0 and '"deny"' in text for code, text in said]
    return denied[0], denied[1] or said[1][0] != 0, any("Traceback" in text for _, text in said)


def damaged(data: bytes, pick: random.Random) -> bytes:
    """The bytes with some garbage."""
    at = pick.randrange(len(data) + 1)
    noise = pick.randbytes(pick.choice([1, 1, 16, 400]))
    return pick.choice([data[:at] + noise + data[at + len(noise) :], data[:at], data[:at] + noise, noise, b""])


def trials(top: Path, number: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Each trial's file, and what was wrong after it."""
    pick = random.Random(seed)
    state = top / ".git/rulec"
    sound = {path: path.read_bytes() for path in sorted(state.rglob("*")) if path.is_file()}
    expected = {words: run(top, [*RULEC, *words])[0] for words in VERBS}
    if expected != VERBS or answers(top) != (True, False, False):
        raise SystemExit(f"the sound state answers otherwise: {expected}, {answers(top)}")
    for trial in range(number):
        path = pick.choice([path for path, data in sound.items() if data])
        path.write_bytes(damaged(sound[path], pick))
        denied, stopped, traceback = answers(top)
        wrong = ["forbidden passed"] * (not denied) + ["harmless stopped"] * stopped + ["traceback"] * traceback
        if trial % VERB_EVERY == 0:
            words = pick.choice(list(VERBS))
            code, text = run(top, [*RULEC, *words])
            if code != VERBS[words] or "Traceback" in text:
                wrong.append(f"{' '.join(words)}: {code}, {text.strip()[-200:]}")
        yield str(path.relative_to(state)), wrong
        for one, data in sound.items():
            if not one.is_file() or one.read_bytes() != data:
                one.parent.mkdir(exist_ok=True)
                one.write_bytes(data)


def main(number: int = 2_000, seed: int = 1) -> int:
    """Print what failed, and the figure."""
    with tempfile.TemporaryDirectory() as name:
        tried: Counter[str] = Counter()
        failed = 0
        for path, wrong in trials(prepare(Path(name)), number, seed):
            tried[path] += 1
            failed += bool(wrong)
            if wrong:
                print(f"{path}: {'; '.join(wrong)}", flush=True)
        print(f"{number} trials over {len(tried)} files: {failed} failed")
        print(", ".join(f"{path} {count}" for path, count in sorted(tried.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3])))

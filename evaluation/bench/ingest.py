"""What reading a transcript costs: ``bench ingest [MB]``. Prints a table, asserts nothing.

The transcript is made here, in the proportions of real ones (half of it tool results). ``rulec ingest --dry-run`` on
it, and a plain parse of its lines with msgspec, run in turn; the ratio of their CPU times is the figure. Below it
stands where the time goes: start-up, reading, and what is made of the turns.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROUNDS = 5
MEGABYTE = 1_000_000
PARSE = """import sys
from msgspec.json import Decoder
decode = Decoder().decode
for line in open(sys.argv[1], 'rb'):
    decode(line)"""
# An installed rulec has its bytecode; some machines forbid Python to keep any, and each run would compile the source.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
# The same run stopped early: with everything imported, and with the turns read and nothing made of them.
START = """import sys
from rulec import registry
from rulec.cli import main
from rulec.services.mining import ingest
"""
READ = f"""{START}
from pathlib import Path
from rulec.services import session_transcripts
path = Path(sys.argv[1])
for turn in session_transcripts.read_turns(path, session_transcripts.find_reader(path)):
    pass"""
WORDS = ("value", "report", "the", "table", "of", "rows", "return", "line", "\n    ", "=", "total", "(", ")", "é", '"')
ASKED = (
    "add a column with the totals", "does the second test still fail?", "ok", "looks good, go on with the next one",
    "pnpm, not npm", "the report shows last month twice", "yes, both", "run the tests before you say done",
    "why is the header empty? see the log below",
)  # fmt: skip


def claude_code(size: int) -> Iterator[str]:
    """Records of one long session, one a line."""
    dice = random.Random(7)
    made = number = 0

    def prose(length: int) -> str:
        return " ".join(dice.choices(WORDS, k=length // 5))

    def record(role: str, content: Any, **more: Any) -> str:
        envelope = {"parentUuid": f"u-{number - 1}", "isSidechain": False, "userType": "external", "cwd": "/w/app"}
        envelope |= {"sessionId": "s-1", "version": "2.1.219", "gitBranch": "main", "type": role}
        message = {"role": role, "content": content, **({"id": f"m-{number}"} if role == "assistant" else {})}
        stamp = {"uuid": f"u-{number}", "timestamp": "2026-01-02T03:04:05.000Z"}
        return json.dumps({**envelope, "message": message, **stamp, **more}, separators=(",", ":")) + "\n"

    while made < size:
        lines = [record("user", f"{dice.choice(ASKED)} {prose(dice.choice((0, 0, 200, 2000)))}".strip())]
        for _ in range(dice.randint(5, 30)):
            number += 1
            use = f"toolu_{number}"
            tool, given = dice.choice(
                (
                    ("Bash", {"command": f"pytest -q tests/test_{number}.py"}),
                    ("Read", {"file_path": f"/w/app/src/part_{number}.py"}),
                    ("Edit", {"file_path": "/w/app/src/a.py", "old_string": prose(300), "new_string": prose(400)}),
                )
            )
            output = prose(int(dice.paretovariate(1.2) * 500) % 60_000)
            lines += [
                record("assistant", [{"type": "thinking", "thinking": prose(2_000), "signature": "x" * 300}]),
                record("assistant", [{"type": "text", "text": prose(300)}]),
                record("assistant", [{"type": "tool_use", "id": use, "name": tool, "input": given}]),
                record(
                    "user",
                    [{"type": "tool_result", "tool_use_id": use, "content": output}],
                    toolUseResult={"stdout": output, "stderr": "", "interrupted": False},
                ),
            ]
        number += 1
        made += sum(map(len, lines))
        yield from lines


def codex(size: int) -> Iterator[str]:
    """Records of one long rollout."""
    dice = random.Random(7)
    made = number = 0

    def item(kind: str, **payload: Any) -> str:
        whole = {"timestamp": "2026-01-02T03:04:05.000Z", "type": kind, "payload": payload}
        return json.dumps(whole, separators=(",", ":")) + "\n"

    def said(role: str, text: str) -> str:
        kind = "input_text" if role == "user" else "output_text"
        return item("response_item", type="message", role=role, content=[{"type": kind, "text": text}])

    yield item("session_meta", id="s-1", cwd="/w/app", originator="codex_cli_rs", cli_version="0.60.0")
    while made < size:
        asked = dice.choice(ASKED)
        lines = [said("user", asked), item("event_msg", type="user_message", message=asked)]
        for _ in range(dice.randint(5, 30)):
            number += 1
            output = " ".join(dice.choices(WORDS, k=int(dice.paretovariate(1.2) * 200) % 12_000))
            given = json.dumps({"command": ["bash", "-lc", f"pytest -q tests/test_{number}.py"], "workdir": "/w/app"})
            lines += [
                item("response_item", type="reasoning", summary=[], encrypted_content="x" * 2_000),
                said("assistant", "I run the tests of this part."),
                item("response_item", type="function_call", name="shell", arguments=given, call_id=f"c-{number}"),
                item("response_item", type="function_call_output", call_id=f"c-{number}", output=output),
            ]
        made += sum(map(len, lines))
        yield from lines


def cost(argv: list[str]) -> tuple[float, int]:
    """CPU seconds and peak memory in bytes of one process; its output is thrown away."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(argv)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Write the transcripts, read them in turn both ways, print."""
    size = int(sys.argv[1]) * MEGABYTE if len(sys.argv) > 1 else 100 * MEGABYTE
    rounds = ROUNDS if size <= 100 * MEGABYTE else 1
    print(f"{'transcript':<24}{'ratio':>7}{'rulec':>9}{'msgspec':>9}{'peak':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for made in (claude_code, codex):
            path = Path(folder) / f"{made.__name__}.jsonl"
            with path.open("w", encoding="utf-8") as file:
                file.writelines(made(size))
            ours = [sys.executable, "-m", "rulec", "ingest", str(path), "--dry-run", "--format", "json"]
            pairs = [(cost(ours), cost([sys.executable, "-c", PARSE, str(path)])) for _ in range(rounds)]
            ratio = statistics.median(one[0] / other[0] for one, other in pairs)
            ran, parsed = (statistics.median(pair[at][0] for pair in pairs) for at in (0, 1))
            peak = max(one[1] for one, _ in pairs) / MEGABYTE
            name = f"{made.__name__} {size // MEGABYTE} MB"
            print(f"{name:<24}{ratio:7.2f}{ran:8.1f}s{parsed:8.1f}s{peak:6.0f} MB")
            started, read = (cost([sys.executable, "-c", stopped, str(path)])[0] for stopped in (START, READ))
            print(f"  start-up {started:.1f}s, reading {read - started:.1f}s, the turns {ran - read:.1f}s")


if __name__ == "__main__":
    main()

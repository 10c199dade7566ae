"""What mining a corpus costs, and whether it survives: ``bench corpus [--transcripts N] ...``.

The corpus is made from ../shared/data/transcripts: each of its transcripts many times, with another session id and
folder, and with a quarter of the long words of people changed, so that no two are alike and nothing that rulec keeps in
memory fits twice. Two in a hundred are sessions with a plain correction (tests/support/session.py). Then ``rulec
mine-corpus`` runs on it: one worker on a sample, all workers on the whole while they are killed at random, and once
more when nothing is new. Prints figures, and leaves with 1 where a transcript is lost or counted twice.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.session import logger, pnpm

SHARED = Path(__file__).resolve().parents[3] / "shared/data/transcripts"
MADE = 50  # one of so many is a made session
_LONG_WORD = re.compile(r"\b[a-z]{7,}\b")
_ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TOLD = (b'"role":"user"', b'"user_message"', b'"user.message"', b'"role": "user"')
_PROSE = re.compile(r"^[A-Za-z*-].*$", re.MULTILINE)


def salted(text: str, salt: str) -> str:
    """The text with a quarter of its long words changed, the same way wherever they stand."""

    def other(found: re.Match[str]) -> str:
        mark = hashlib.sha256(f"{salt} {found[0]}".encode()).digest()
        return f"{found[0]}{salt[:3]}" if mark[0] < 64 else found[0]

    return _LONG_WORD.sub(other, text)


def _salted_values(value: Any, salt: str) -> Any:
    if isinstance(value, dict):
        plain = value.get("type") != "tool_result"
        return {
            key: salted(one, salt) if plain and key in ("text", "content", "message") and isinstance(one, str)
            else _salted_values(one, salt) if plain else one
            for key, one in value.items()
        }  # fmt: skip
    return [_salted_values(one, salt) for one in value] if isinstance(value, list) else value


def copies_of(source: bytes, suffix: str, number: int, folder: str) -> bytes:
    """One more session in the form of another: new ids, another folder, other words of the person."""
    salt = hashlib.sha256(f"corpus {number}".encode()).hexdigest()
    text = source
    for one in set(_ID.findall(source[:20_000])):
        new = hashlib.sha256(salt.encode() + one).hexdigest()
        text = text.replace(one, f"{new[:8]}-{new[8:12]}-{new[12:16]}-{new[16:20]}-{new[20:32]}".encode())
    if suffix == ".md":
        words = "".join(chr(97 + int(digit, 16)) for digit in salt)
        return f"{_PROSE.sub(lambda line: salted(line[0], words), text.decode('utf-8', 'replace'))}\n{salt}\n".encode()
    cwd = re.search(rb'"cwd": ?"([^"\\]+)"', text)
    text = text.replace(cwd[1], folder.encode()) if cwd else text
    words = "".join(chr(97 + int(digit, 16)) for digit in salt)
    return b"".join(_salted_line(line, words) for line in text.splitlines(keepends=True))


def _salted_line(line: bytes, salt: str) -> bytes:
    if not any(mark in line for mark in _TOLD) or b'"tool_result"' in line:
        return line
    try:
        return json.dumps(_salted_values(json.loads(line), salt), ensure_ascii=False).encode() + b"\n"
    except ValueError:
        return line


def make(folder: Path, transcripts: int, repositories: int) -> int:
    """Write the corpus; its size in bytes."""
    sources = [
        path for path in sorted(SHARED.rglob("*")) if path.suffix in (".jsonl", ".md") and "structure" not in str(path)
    ]
    texts = [(path.suffix, path.read_bytes()) for path in sources]
    dice, size = random.Random(21), 0
    for number in range(transcripts):
        at = f"/srv/repository-{dice.randrange(repositories):04d}"
        if number % MADE == 0:
            session = (pnpm, logger)[number // MADE % 2](Path(at))
            data = session.text().replace(session.session, f"5e55-{number:08d}").encode()
            suffix = ".jsonl"
        else:
            suffix, source = texts[number % len(texts)]
            data = copies_of(source, suffix, number, at)
        path = folder / at.rpartition("/")[2] / f"session-{number:06d}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        size += len(data)
    return size


def workers_of(driver: int) -> Iterator[int]:
    """The worker processes below a driver, from /proc: those that multiprocessing started."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                line = (entry / "cmdline").read_bytes()
            except (OSError, IndexError, ValueError):
                continue
            if parent == driver and b"spawn_main" in line:
                yield int(entry.name)


def mine(place: Path, out: Path, engine: str, workers: int, *, kills: int = 0, within: float = 0) -> dict[str, Any]:
    """Run the verb, kill so many workers at random in the given time; its report, with wall, memory and kills."""
    argv = [sys.executable, "-m", "rulec", "mine-corpus", str(place), "--out", str(out), "--format", "json"]
    argv += ["--engine", engine, "--workers", str(workers)]
    start, ended, killed = time.perf_counter(), threading.Event(), list[float]()
    process = subprocess.Popen(argv, stdout=subprocess.PIPE)
    dice = random.Random(7)
    moments = sorted(dice.uniform(3, max(4, within)) for _ in range(kills))

    def kill() -> None:
        for moment in moments:
            if ended.wait(max(0.0, start + moment - time.perf_counter())):
                return
            while not ended.wait(0.1):
                if some := sorted(workers_of(process.pid)):
                    os.kill(dice.choice(some), signal.SIGKILL)
                    killed.append(moment)
                    break

    killer = threading.Thread(target=kill)
    killer.start()
    told = process.stdout.read() if process.stdout else b""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    ended.set()
    killer.join()
    if process.returncode:
        raise SystemExit(f"mine-corpus ended with {process.returncode}")
    driver = json.loads(told)["driver_memory"]
    return {**json.loads(told), "wall": wall, "killed": len(killed), "memory": driver, "driver_cpu": used.ru_utime}


def opened_files(place: Path, out: Path, engine: str) -> int:
    """How many files of the corpus a run opens, its workers too, as the system sees it."""
    log = out / "strace.log"
    argv = ["strace", "-f", "-qq", "-e", "trace=open,openat", "-o", str(log), sys.executable, "-m", "rulec"]
    argv += ["mine-corpus", str(place), "--out", str(out), "--engine", engine]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return sum(f'"{place}/' in line and "O_DIRECTORY" not in line for line in log.read_text().splitlines())


def main() -> int:
    """Make the corpus, mine it, print the figures."""
    given = argparse.ArgumentParser()
    given.add_argument("--transcripts", type=int, default=1000)
    given.add_argument("--repositories", type=int, default=500)
    given.add_argument("--sample", type=int, default=300, help="transcripts that one worker mines alone")
    given.add_argument("--engine", default="local")
    given.add_argument("--workers", type=int, default=2)
    given.add_argument("--kills", type=int, default=10)
    given.add_argument("--folder", type=Path, default=Path("/tmp/rulec-corpus"))
    asked = given.parse_args()
    folder: Path = asked.folder
    shutil.rmtree(folder, ignore_errors=True)
    try:
        return _measure(folder, asked)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measure(folder: Path, asked: argparse.Namespace) -> int:
    place, sample = folder / "all", folder / "sample"
    size = make(place, asked.transcripts, asked.repositories)
    print(f"{asked.transcripts} transcripts of {asked.repositories} repositories, {size / 1e6:.0f} MB", flush=True)
    every = sorted(path for path in place.rglob("*") if path.is_file())
    for path in random.Random(5).sample(every, min(asked.sample, len(every))):
        (sample / path.parent.name).mkdir(parents=True, exist_ok=True)
        os.link(path, sample / path.parent.name / path.name)
    one = mine(sample, folder / "out-sample", asked.engine, 1)
    share = one["wall"] * size / one["bytes"]
    print(f"one worker: {one['opened']} transcripts, {one['bytes'] / 1e6:.0f} MB in {one['wall']:.1f} s, CPU "
          f"{one['worker_seconds']:.1f} s; for all of them {share:.0f} s by their size", flush=True)  # fmt: skip
    expected = share / asked.workers
    found = mine(place, folder / "out", asked.engine, asked.workers, kills=asked.kills, within=0.8 * expected)
    ratio = found["wall"] / expected
    print(f"{asked.workers} workers, {asked.engine}: {found['wall']:.0f} s, {ratio:.2f} of one worker's time by "
          f"{asked.workers}; CPU {found['worker_seconds']:.0f} s; {found['killed']} workers killed")  # fmt: skip
    print(f"driver: at most {found['memory'] / 1e6:.0f} MB, CPU {found['driver_cpu']:.0f} s")
    print(f"{found['transcripts']} count, {found['same_content']} are alike, {len(found['failed'])} failed; "
          f"{found['human']} human turns, {found['lasting']} lasting, {found['waiting']} in {found['queues']} queues, "
          f"{found['proved_in_session']} proved, {len(found['recurring'])} recur", flush=True)  # fmt: skip
    again = opened_files(place, folder / "out", asked.engine)
    once = mine(place, folder / "out", asked.engine, asked.workers)
    print(f"second run: {again} files of the corpus opened, {once['wall']:.1f} s")
    same = all(found[key] == once[key] for key in ("transcripts", "human", "lasting", "waiting", "recurring"))
    whole = found["transcripts"] == asked.transcripts and not found["failed"]
    print("no transcript lost, none counted twice" if whole and same else "TRANSCRIPTS ARE LOST OR COUNTED TWICE")
    return 0 if whole and same and not again else 1


if __name__ == "__main__":
    sys.exit(main())

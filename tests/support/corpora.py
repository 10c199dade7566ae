"""Corpora of several repositories, and work for the workers of engines."""

import json
import os
import signal
from pathlib import Path

from tests.support.session import ClaudeSession, logger, pnpm

KEY = "sk-ant-api03-" + "Qx7Lm2Vb9Tz4Rk8Wn3Yc6Hd1Jf5Gs0Pa" + "Qx7Lm2Vb9Tz4Rk8Wn3Yc6Hd1Jf5Gs0Pa"


def squared_unless_killed(piece: tuple[int, str, int]) -> int:
    """The square of a number; the first so many workers that take it are killed on it."""
    number, path, times = piece
    if times:
        done = Path(path).read_text() if Path(path).exists() else ""
        if len(done) < times:
            Path(path).write_text(f"{done}x")
            os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def write_and_wait(piece: tuple[str, str]) -> None:
    """Say into one file that the work has begun, hold it open, and wait for a pipe that nobody writes to."""
    opened, pipe = piece
    with Path(opened).open("wb", buffering=0) as file:
        file.write(b"w")
        with Path(pipe).open("rb") as never:
            never.read()


def said_again(session: ClaudeSession, name: str) -> ClaudeSession:
    """The same words in another session."""
    session.session = name
    for line in session.lines:
        line["sessionId"] = name
    return session


def codex_session(cwd: str, remote: str, name: str, said: str) -> str:
    """A short session of Codex in a checkout of a remote."""
    at = "2026-11-19T09:00:00.000Z"
    meta = {"id": name, "cwd": cwd, "originator": "codex_cli_rs", "git": {"repository_url": remote}}
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
    items = [
        ("session_meta", meta),
        ("response_item", message),
        ("event_msg", {"type": "user_message", "message": said}),
    ]
    return "".join(json.dumps({"timestamp": at, "type": kind, "payload": what}) + "\n" for kind, what in items)


def corpus(folder: Path) -> Path:
    """Five repositories: the same is said in two of them, one names its remote, one a secret; and a damaged file."""
    folder.mkdir()
    pnpm(Path("/srv/shop")).save(folder / "shop-1.jsonl")
    said_again(pnpm(Path("/srv/till")), "5e55-0003").save(folder / "till-1.jsonl")
    said_again(pnpm(Path("/srv/till"), "We always use pnpm here, never npm."), "5e55-0004").save(
        folder / "till-2.jsonl"
    )
    logger(Path("/srv/report")).save(folder / "report-1.jsonl")
    vault = ClaudeSession(Path("/home/ann/vault"), "5e55-0005").person("Deploy it.").runs(f"deploy --key {KEY}")
    vault.person(f"rule: never pass --key {KEY} to deploy").save(folder / "vault-1.jsonl")
    (folder / "codex").mkdir()
    for number, cwd in enumerate(("/home/ann/web", "/home/bob/src/web")):
        told = codex_session(
            cwd, f"https://{number}@git.example.com/team/web.git", f"c0de-{number}", "rule: never use tabs"
        )
        (folder / f"codex/rollout-{number}.jsonl").write_text(told)
    (folder / "notes.txt").write_text("buy milk\n")
    return folder

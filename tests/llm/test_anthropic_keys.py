"""The key stands nowhere: not on the screen, not in the git folder, not in the work tree, whatever goes wrong."""

import json
import logging
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.messages_replies import (
    Reply,
    broken,
    cut,
    failed,
    limited,
    malformed,
    overloaded,
    refused,
    said,
    slow,
    tool,
)
from tests.support.messages_server import KEY, Asked, MessagesServer
from tests.support.session import ClaudeSession
from tests.support.talks import prompt, talk

OWN = "a-key-of-a-gateway-in-a-form-of-its-own"
Spread = Callable[[str], Reply]  # how a key comes back
SPREADS: dict[str, Spread] = {
    "an answer": lambda key: tool({"wishes": [f"export ANTHROPIC_API_KEY={key}"]}),
    "a wrong schema": lambda key: tool({"wishes": {"Authorization": f"Bearer {key}"}}),
    "words": lambda key: said(f"The key is {key}"),
    "refusal": lambda _: refused(),
    "truncation": lambda _: cut(),
    "malformed JSON": lambda key: malformed(f'{{"key": "{key}", '.encode()),
    "401": lambda key: failed(401, "authentication_error", f"invalid key {key}"),
    "403": lambda key: failed(403, "permission_error", f"Authorization: Bearer {key}"),
    "400": lambda key: failed(400, "invalid_request_error", f"headers: {{'authorization': 'Bearer {key}'}}"),
    "429": lambda _: limited(retry_after="900"),
    "500": lambda _: broken(),
    "529": lambda _: overloaded(),
    "a page of a proxy": lambda key: Reply(status=502, raw=f"<p>{key}</p>".encode(), headers={"retry-after-ms": "1"}),
    "elsewhere": lambda key: Reply(status=308, headers={"location": f"http://{key}@127.0.0.1:9/"}),
    "reset": lambda _: Reply(reset=True),
    "slow": lambda _: slow({"wishes": ["x" * 4_000]}, pause=0.02),
    "silence": lambda _: Reply(hang=True),
}


def written(*folders: Path) -> Iterator[tuple[Path, bytes]]:
    for folder in folders:
        yield from ((path, path.read_bytes()) for path in folder.rglob("*") if path.is_file())


def committed(top: Path) -> str:
    """All that git keeps: its objects are packed, so that their bytes show nothing."""
    argv = ["git", "log", "-p", "--all", "--format=%B", "--reflog"]
    return subprocess.run(argv, cwd=top, capture_output=True, text=True, check=True).stdout


def bare(*keys: str, folders: tuple[Path, ...], text: str) -> None:
    for key in keys:
        assert key not in text
        assert not [path for path, data in written(*folders) if key.encode() in data]


@pytest.mark.parametrize("spread", SPREADS.values(), ids=SPREADS)
def test_no_fault_and_no_answer_writes_the_key_down(
    messages: MessagesServer,
    repo: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    spread: Spread,
) -> None:
    caplog.set_level(logging.INFO)
    messages.script = lambda _: spread(KEY)
    told: list[str] = []
    run = talk(repo, told, "anthropic", seconds=0.9)
    (heard,) = run.ask([prompt("fine")])
    out, err = capfd.readouterr()
    shown = "\n".join([*told, run.spent(), repr(heard), out, err, caplog.text])
    bare(KEY, folders=(repo, Path.home()), text=shown)
    assert KEY in repr(messages.asked[0].headers)  # it was sent, and nowhere else is it


@pytest.mark.parametrize("name", ["401", "403", "400", "a page of a proxy", "malformed JSON"])
def test_a_key_of_no_known_form_is_hidden_as_well(
    messages: MessagesServer, repo: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", OWN)
    messages.script = lambda _: SPREADS[name](OWN)
    told: list[str] = []
    heard = talk(repo, told, "anthropic", seconds=20).ask([prompt("fine")])
    bare(OWN, folders=(repo, Path.home()), text=repr(heard) + repr(told))


def answered(_: Asked) -> Reply:
    """What a model says that repeats a key it was told, in every place there is."""
    wish = {
        "turn": 2,
        "quote": "pnpm, not npm.",
        "holds": "next time",
        "sure": "high",
        "statement": f"Use pnpm, never npm; the key is {KEY}",
        "do": f"pnpm add --token={KEY}",
        "invalid": [{"command": f"npm install --key {KEY}"}],
        "valid": [{"command": "pnpm add left-pad"}],
        "offence": None,
        "fix": None,
        "check": None,
    }
    return tool({"wishes": [wish]})


COMMANDS: dict[str, Callable[[Asked], Reply]] = {
    "answers": answered,
    "a refused key": lambda _: failed(401, "authentication_error", f"invalid x-api-key {KEY}"),
    "a limit": lambda _: limited(retry_after="900"),
    "nonsense": lambda _: malformed(KEY.encode()),
}


@pytest.mark.parametrize("script", COMMANDS.values(), ids=COMMANDS)
def test_a_whole_run_sends_no_key_of_a_transcript_and_leaves_its_own_nowhere(
    messages: MessagesServer,
    gated: Path,
    rulec: Run,
    tmp_path: Path,
    script: Callable[[Asked], Reply],
) -> None:
    messages.script = script
    other = KEY.replace("Zq7", "Xk9")
    session = ClaudeSession(gated).person(f"Add left-pad. My key is {other}").runs("npm install left-pad")
    path = session.agent("Done.").person("pnpm, not npm.").runs("pnpm add left-pad").save(tmp_path / "s.jsonl")
    done = rulec("ingest", str(path), "--backend", "anthropic", "--yes", code=None)
    assert messages.asked
    assert not [got for got in messages.asked if other in repr(got.body)]
    for waiting in json.loads(rulec("review", "--format", "json").stdout):
        done.stdout += rulec("review", "--accept", waiting["slug"], code=None).stdout
    bare(KEY, other, folders=(gated, Path.home()), text=done.stdout + done.stderr + committed(gated))


@pytest.fixture
def own(messages: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> MessagesServer:
    """The API of somebody whose key has no form that is known."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", OWN)
    return messages


@pytest.mark.parametrize("reads", ["a model", "our own reader"])
def test_a_key_of_ones_own_form_that_a_session_names_is_in_no_rule_no_queue_and_no_commit(
    own: MessagesServer, gated: Path, rulec: Run, tmp_path: Path, reads: str
) -> None:
    quote = "pnpm is what we have here" if reads == "a model" else "rule: use pnpm, not npm"
    wish = {
        "turn": 2,
        "quote": quote,
        "holds": "next time",
        "sure": "high",
        "statement": "Use pnpm, never npm.",
        "offence": "2.1",
    }
    check = {"template": "forbid-command", "with": {"commands": ["npm"], "prefer": "pnpm"}}
    examples = {"invalid": [{"command": f"npm ci --auth {OWN}"}], "valid": [{"command": f"pnpm i --auth {OWN}"}]}
    drafted = {"wish": 1, "examples": examples, "alternatives": [{"checks": [check]}]}
    own.script = lambda got: tool({"wishes": [drafted if "alternatives" in repr(got.body) else wish]})
    session = ClaudeSession(gated).person(f"Add left-pad, the key is {OWN}.").runs(f"npm install left-pad --auth {OWN}")
    session.runs("ls", OWN).writes("a.py", f"key = {OWN!r}\n").agent("Done.").person(f"{quote}. The key is {OWN}.")
    path = session.runs(f"pnpm add left-pad --auth {OWN}").save(tmp_path / "s.jsonl")
    named = ("--backend", "anthropic") if reads == "a model" else ()
    waits = rulec("ingest", str(path), *named)
    bare(OWN, folders=(gated, Path.home()), text=waits.stdout + waits.stderr)
    (waiting,) = json.loads(rulec("review", "--format", "json").stdout)
    accepted = rulec("review", "--accept", waiting["slug"])
    bare(OWN, folders=(gated, Path.home()), text=accepted.stdout + accepted.stderr + committed(gated))
    assert "check:    forbid-command" in accepted.stdout
    assert "npm install left-pad --auth [redacted:" in committed(gated)  # what it is about is in a commit

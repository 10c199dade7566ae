"""rulec ingest --queue takes what was found, and nothing that only the repository's people may say."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.services.proposals import waiting_candidates
from tests.support.session import pnpm
from tests.support.world import Said, act, begin


@pytest.fixture(scope="module")
def queue(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The queue of a repository with one candidate."""
    folder = tmp_path_factory.mktemp("queue")
    (folder / "in").mkdir()
    pnpm(Path("/srv/shop")).save(folder / "in/one.jsonl")
    act(folder, "mine-corpus", "in", "--out", "out", "--workers", "1")
    return next((folder / "out/results/queues").iterdir()).read_text()


def _taken(gated: Path, data: Any, *more: str, code: int = 0) -> Said:
    path = gated.parent / "queue.json"
    path.write_text(json.dumps(data))
    told = act(gated, "ingest", "--queue", str(path), *more, code=code)
    assert code != 2 or (len(told.err.splitlines()) == 1 and "a bug" not in told.err)
    return told


def _waiting(gated: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in (gated / ".git/rulec/queue").glob("*.json")]


def _repeated(item: dict[str, Any], times: int = 1) -> dict[str, Any]:
    """The item with a repeat of its candidate in another session."""
    again = json.loads(json.dumps(item["candidate"]))
    again["correction"]["turn"]["session"] = "another"
    item["candidate"]["repeats"] = [again] * times
    item["sessions"] = item["sessions"] * (1 + times)
    return again


PROGRAM = {"kind": "shell", "template": "raw-shell", "parameters": {"script": "touch /tmp/run"}}
STRANGE = {
    "checks": [PROGRAM],
    "enforcement": "audit",
    "on_error": "block",
    "revision": 7,
    "origin": "384086fd49f3",
    "exceptions": [{"because": "mine", "scope": {"include": ["**"]}}],
    "supersedes": ["other"],
    "level": "auto",
}


def test_what_only_the_repository_may_say_is_not_taken(queue: str, gated: Path) -> None:
    data = json.loads(queue)
    (item,) = data["items"]
    again = _repeated(item)
    item |= {"pinned": "block", "at": "1999-01-01T00:00:00Z"}
    before = json.loads(json.dumps(item["candidate"]["rule"]))
    item["candidate"]["rule"] |= STRANGE
    again["rule"] |= STRANGE
    item["candidate"]["source"] = {"path": "../../x", "line": 1, "quote": "x"}
    assert "1 taken" in _taken(gated, data).out
    (kept,) = _waiting(gated)
    assert [kept["candidate"]["rule"], kept["candidate"]["repeats"][0]["rule"]] == [before, before]
    assert "raw-shell" not in json.dumps(kept)
    assert "pinned" not in kept
    assert "source" not in kept["candidate"]
    assert not kept["at"].startswith("1999")


@pytest.mark.parametrize("slug", ["../../.git/hooks/pre-commit", "", "a\0b", "config", "A", "x" * 81])
@pytest.mark.parametrize("where", ["rule", "repeat", "correction"])
def test_a_name_that_is_no_slug_is_refused(queue: str, gated: Path, where: str, slug: str) -> None:
    data = json.loads(queue)
    (item,) = data["items"]
    again = _repeated(item)
    if where == "correction":
        slug = slug or "-"  # none is what most have
        item["candidate"]["correction"]["slug"] = slug
    else:
        (again if where == "repeat" else item["candidate"])["rule"]["slug"] = slug
    assert "is no slug" in _taken(gated, data, code=2).err
    assert _waiting(gated) == []


def test_repeats_of_repeats_are_refused(queue: str, gated: Path) -> None:
    data = json.loads(queue)
    again = _repeated(data["items"][0])
    again["repeats"] = [json.loads(json.dumps(again))]
    assert "a repeat has repeats of its own" in _taken(gated, data, code=2).err


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (os.mkfifo, "is no plain file"),
        (lambda path: path.symlink_to("/dev/zero"), "is no plain file"),
        (lambda path: path.mkdir(), "is no plain file"),
        (lambda path: path.touch() or os.truncate(path, 100_000_001), "of at most 100 MB"),
        (lambda path: path.write_bytes(b"\xff"), "is no queue"),
        (lambda _: None, "no such file"),
    ],
    ids=["pipe", "device", "folder", "large", "no text", "nothing"],
)
def test_what_is_no_plain_file_is_refused(gated: Path, make: Callable[[Path], Any], said: str) -> None:
    make(gated.parent / "odd.json")
    told = act(gated, "ingest", "--queue", str(gated.parent / "odd.json"), code=2)
    assert said in told.err
    assert len(told.err.splitlines()) == 1


def test_what_has_no_room_is_left_and_told(queue: str, gated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.loads(queue)
    for number in range(3):
        other = json.loads(json.dumps(data["items"][0]))
        other["candidate"]["correction"]["turn"]["session"] = f"other-{number}"
        data["items"].append(other)
    monkeypatch.setattr(waiting_candidates, "MOST", 2)
    told = _taken(gated, data).out
    assert "4 candidates of /srv/shop: 2 taken, 0 known already" in told
    assert "2 left out: 2 proposals wait, and no more may; decide, then take this file again" in told
    assert len(_waiting(gated)) == 2
    assert json.loads(_taken(gated, data, "--format", "json").out)["no_room"] == 2


@pytest.mark.parametrize(
    "more", [("--enforcement", "block"), ("--branch", "x"), ("--no-commit",), ("",), ("--yes",)], ids=" ".join
)
def test_an_option_that_a_queue_would_ignore_is_refused(queue: str, gated: Path, more: tuple[str, ...]) -> None:
    assert "--queue takes what was read already" in _taken(gated, json.loads(queue), *more, code=2).err


def test_a_pipe_does_not_hold_up_a_process_of_its_own(gated: Path) -> None:
    os.mkfifo(gated.parent / "pipe.json")
    assert "is no plain file" in begin(gated, "ingest", "--queue", str(gated.parent / "pipe.json"), code=2).err

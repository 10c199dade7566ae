"""rulec mine-corpus: one queue a repository, each transcript once, and nothing is read twice."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.corpus import workers
from rulec.infra.corpus.workers import PieceEnd, WorkerSettings
from rulec.services.corpus.repository_queues import plain_remote
from tests.conftest import SHARED
from tests.support import kills
from tests.support.corpora import KEY, corpus, said_again
from tests.support.session import ClaudeSession, pnpm
from tests.support.world import Said, act, copy

pytestmark = pytest.mark.e2e  # many real processes: CI runs these


@pytest.fixture(scope="module")
def _mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus and what the first run made of it, side by side."""
    folder = tmp_path_factory.mktemp("corpus")
    corpus(folder / "transcripts")
    _mine(folder)
    return folder


@pytest.fixture
def mined(_mined: Path, tmp_path: Path) -> Path:
    """A copy of it, with the times of its files."""
    return Path(shutil.copytree(_mined, tmp_path / "mined", symlinks=True))


def _mine(folder: Path, *more: str, code: int = 0) -> Said:
    return act(folder, "mine-corpus", "transcripts", "--out", "out", "--workers", "1", *more, code=code)


def _report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out/results/report.json").read_text())
    return found


def _queues(folder: Path) -> dict[str, list[str]]:
    """The statements that wait, by repository."""
    found = [json.loads(path.read_text()) for path in (folder / "out/results/queues").glob("*.json")]
    return {one["repository"]: [item["candidate"]["rule"]["statement"] for item in one["items"]] for one in found}


def test_each_repository_has_its_queue(mined: Path) -> None:
    queues = _queues(mined)
    assert set(queues) - {name for name in queues if "vault" in name} == {
        "/srv/shop", "/srv/till", "/srv/report", "git.example.com/team/web",
    }  # fmt: skip
    assert len(queues) == 5
    assert queues["/srv/shop"] == ["pnpm, not npm."]
    assert len(queues["/srv/till"]) == 1  # the same wish in two sessions
    report = _report(mined)
    assert (report["transcripts"], report["listed"], report["waiting"]) == (7, 8, 5)
    assert report["proved_in_session"] == 3  # those of pnpm and of the logger are replayed; the others show no offence
    assert report["failed"] == [{"transcript": "notes.txt", "why": "is in no format that rulec reads"}]


def test_what_several_repositories_wish_is_told(mined: Path) -> None:
    first, *others = _report(mined)["recurring"]
    assert (first["repositories"], first["sessions"], first["in"]) == (2, 3, ["/srv/shop", "/srv/till"])
    assert others == []
    assert "| 2 | 3 | pnpm, not npm. |" in (mined / "out/results/report.md").read_text()


def test_no_secret_and_no_home_is_written(mined: Path) -> None:
    files = [path for path in (mined / "out").rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert [path for path in files if b"/home/ann" in path.read_bytes()] == []


def _waiting(top: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(act(top, "review", "--format", "json").out)
    return found


@pytest.mark.parametrize(("repository", "transcripts"), [("shop", 1), ("till", 2)])
def test_a_queue_is_what_ingest_would_have_queued(mined: Path, gated: Path, repository: str, transcripts: int) -> None:
    """The same words with the same rule and proof as if the repository's own sessions had been read there."""
    other = copy(gated, gated.with_name("other"))
    for number in range(transcripts):
        act(other, "ingest", str(mined / f"transcripts/{repository}-{number + 1}.jsonl"))
    name = next(path for path in (mined / "out/results/queues").glob(f"srv-{repository}-*.json"))
    told = act(gated, "ingest", "--queue", str(name)).out
    assert f"1 candidate of /srv/{repository}: 1 taken, 0 known already" in told
    (ours,), theirs = _waiting(gated), _waiting(other)
    assert sorted(ours["quotes"]) == sorted(quote for one in theirs for quote in one["quotes"])
    if transcripts == 1:
        assert {**ours, "source": "", "since": ""} == {**theirs[0], "source": "", "since": ""}
    assert "0 taken, 1 known already" in act(gated, "ingest", "--queue", str(name)).out
    act(gated, "review", "--accept", ours["slug"])
    assert (gated / f".rules/{ours['slug']}.yaml").is_file()
    assert "0 taken, 1 known already" in act(gated, "ingest", "--queue", str(name)).out


def test_what_recurs_can_be_taken_into_a_shared_rulebook(mined: Path, gated: Path) -> None:
    assert "1 taken" in act(gated, "ingest", "--queue", str(mined / "out/results/shared.json")).out
    found = json.loads(act(gated, "review", "--format", "json").out)
    assert len(found) == 1
    assert len(found[0]["quotes"]) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "is no queue: Expected `object`"),
        ("{", "is no queue: "),
        ('{"schema": 9, "repository": "", "proof": "", "transcripts": 0}', "has schema 9, not 1"),
    ],
)
def test_a_file_that_is_no_queue_is_refused(gated: Path, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "queue.json"
    path.write_text(text)
    told = act(gated, "ingest", "--queue", str(path), code=2)
    assert said in told.err
    assert act(gated, "review", "--format", "json").out.strip() == "[]"


def test_a_queue_brings_no_program_of_its_own(mined: Path, gated: Path, tmp_path: Path) -> None:
    queue = json.loads(next((mined / "out/results/queues").glob("srv-shop-*.json")).read_text())
    check = queue["items"][0]["candidate"]["drafts"][0]["checks"][0]
    check |= {"kind": "shell", "template": "raw-shell", "parameters": {"script": "touch /tmp/run"}}
    (tmp_path / "queue.json").write_text(json.dumps(queue))
    told = act(gated, "ingest", "--queue", str(tmp_path / "queue.json")).out
    assert "0 taken, 0 known already" in told
    assert "1 left out" in told
    assert act(gated, "review", "--format", "json").out.strip() == "[]"


OPENED: list[str] = []
WATCHED: list[str] = []


def _note_opened(event: str, given: tuple[Any, ...]) -> None:
    if WATCHED and event == "open" and str(given[0]).startswith(WATCHED[0]):
        OPENED.append(str(given[0]))
    if WATCHED and event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"):
        OPENED.append(event)


@pytest.fixture
def opened(mined: Path) -> Iterator[list[str]]:
    """What this process opens of the transcripts, and processes that it starts, which could open them."""
    if _note_opened not in HOOKED:
        sys.addaudithook(_note_opened)
        HOOKED.append(_note_opened)
    OPENED.clear()
    WATCHED[:] = [str(mined / "transcripts") + os.sep]
    yield OPENED
    WATCHED.clear()


HOOKED: list[Any] = []


def test_a_second_run_opens_no_transcript(mined: Path, opened: list[str]) -> None:
    before = _queues(mined), _report(mined)["recurring"]
    assert "8 files listed: 1 read now, 7 known already, 1 failed" in _mine(mined).out  # what failed is tried again
    (mined / "transcripts/notes.txt").unlink()
    told = _mine(mined).out
    assert opened == []
    assert "7 files listed: 0 read now, 7 known already, 0 failed" in told
    assert (_queues(mined), _report(mined)["recurring"]) == before
    (mined / "transcripts/shop-1.jsonl").read_bytes()
    assert opened  # the hook sees what is opened


def test_only_what_is_new_or_changed_is_read_and_counts_once(mined: Path) -> None:
    folder = mined / "transcripts"
    shutil.copy(folder / "shop-1.jsonl", folder / "shop-copy.jsonl")  # the same session in a second place
    grown = pnpm(Path("/srv/shop")).person("rule: never use tabs").runs("ls")
    grown.save(folder / "shop-1.jsonl")
    said_again(pnpm(Path("/srv/new")), "5e55-0009").save(folder / "new-1.jsonl")
    told = _mine(mined).out
    assert "10 files listed: 4 read now, 6 known already" in told
    queues = _queues(mined)
    assert sorted(queues["/srv/shop"]) == ["Never use tabs.", "pnpm, not npm."]
    assert queues["/srv/new"] == ["pnpm, not npm."]
    report = _report(mined)
    assert report["transcripts"] == 9
    shutil.copy(folder / "till-1.jsonl", folder / "till-copy.jsonl")
    assert "1 with a content that another one has" in _mine(mined).out
    assert _report(mined)["transcripts"] == 9
    assert _queues(mined) == queues


def test_a_driver_that_is_killed_leaves_the_old_results_or_the_new_ones(mined: Path, tmp_path: Path) -> None:
    """Killed right before each of its own writes, with a transcript that was mined and is not in the results yet."""
    (mined / "transcripts/notes.txt").unlink()  # which is tried again in each run, and that takes a worker
    old = _queues(mined)
    later = Path(shutil.copytree(mined, tmp_path / "later", symlinks=True))
    session = ClaudeSession(Path("/srv/shop"), "5e55-0010").person("rule: never use tabs").runs("ls")
    for top in (mined, later):
        session.save(top / "transcripts/shop-2.jsonl")
        os.utime(top / "transcripts/shop-2.jsonl", ns=(10**18, 10**18))
    _mine(later)
    new = _queues(later)
    assert old != new
    _take_what_was_read(later, mined)
    argv = ("mine-corpus", "transcripts", "--out", "out", "--workers", "1")
    start = Path(shutil.copytree(mined, tmp_path / "start", symlinks=True))
    code, found = kills.events(mined, argv, tmp_path / "note")
    assert (code, _queues(mined)) == (0, new)
    seen = []
    for point in range(len(found)):
        top = Path(shutil.copytree(start, tmp_path / f"at-{point}", symlinks=True))
        assert kills.forked(top, argv, kills.killer(point)) == kills.KILLED
        seen.append("old" if _queues(top) == old else "new" if _queues(top) == new else "neither")
        if point % 7 == 0:
            _mine(top)
            assert _queues(top) == new
            assert len(list((top / "out/generations").iterdir())) == 1
        shutil.rmtree(top)
    assert set(seen) == {"old", "new"}
    assert seen == sorted(seen, reverse=True)


def _take_what_was_read(later: Path, mined: Path) -> None:
    """What is known of the transcripts there becomes known here; the results stay as they are."""
    with closing(sqlite3.connect(mined / "out/rulec-corpus.db")) as base, base:
        base.execute("ATTACH ? AS later", (str(later / "out/rulec-corpus.db"),))
        base.execute("DELETE FROM transcripts")
        base.execute("INSERT INTO transcripts SELECT * FROM later.transcripts")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("nowhere",), "nowhere: no such folder"),
        (("transcripts/shop-1.jsonl",), "is not a folder"),
        (("transcripts", "--engine", "spark"), "'spark' is not one of"),
        (("transcripts", "--cluster", "tcp://127.0.0.1:9"), "the engine local uses no cluster"),
        (("transcripts", "--reader", "word"), "no reader 'word'"),
        (("transcripts", "--workers", "0"), "--workers: takes a whole number from 1 to 1000"),
        (("s3://",), "names no bucket"),
        (("",), "PATH is empty"),
        (("x" * 300,), "cannot be read: File name too long"),
        (("out/generations",), "out holds what rulec mine-corpus wrote"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(mined: Path, argv: tuple[str, ...], said: str) -> None:
    told = act(mined, "mine-corpus", *argv, "--out", "fresh", code=2)
    assert said in told.err
    assert len(told.err.splitlines()) == 1
    assert not (mined / "fresh").exists()


def _dies_on_one(work: Callable[[Any], Any], pieces: Sequence[Any], _: WorkerSettings) -> Generator[PieceEnd]:
    """Runs everything here, but tells of dead workers where a piece holds one certain transcript."""
    for number, piece in enumerate(pieces):
        fatal = any(one.name == "till-1.jsonl" for one in getattr(piece, "transcripts", ()))
        yield PieceEnd(number) if fatal else PieceEnd(number, work(piece))


def test_a_transcript_that_kills_its_workers_is_listed_and_tried_again(
    mined: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _report(mined), _queues(mined)
    shutil.rmtree(mined / "out")
    with monkeypatch.context() as patched:
        patched.setattr(workers, "run_locally", _dies_on_one)
        told = _mine(mined).out
    assert "8 files listed: 7 read now, 0 known already, 2 failed" in told
    assert "failed: till-1.jsonl: its worker was killed each time" in told
    assert "2 read now, 6 known already, 1 failed" in _mine(mined).out
    assert (_report(mined)["transcripts"], _queues(mined)) == (whole[0]["transcripts"], whole[1])


@pytest.mark.e2e
@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not here")
def test_no_transcript_is_lost_when_workers_are_killed(tmp_path: Path) -> None:
    """The bench leaves with 1 where one is lost, counts twice or is opened again."""
    argv = [
        sys.executable,
        "-m",
        "evaluation.bench.corpus",
        "--transcripts",
        "60",
        "--repositories",
        "9",
        "--sample",
        "10",
    ]
    line = [*argv, "--kills", "2", "--folder", str(tmp_path / "corpus")]
    done = subprocess.run(line, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "60 count" in done.stdout


def test_two_runs_do_not_write_into_one_folder(mined: Path) -> None:
    with closing(sqlite3.connect(mined / "out/rulec-corpus.db")) as base:
        base.execute("BEGIN EXCLUSIVE")
        assert "another run writes here" in _mine(mined, code=2).err


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("git@github.com:team/shop.git", "github.com/team/shop"),
        ("https://x:secret@GitHub.com/team/shop.git", "github.com/team/shop"),
        ("ssh://git@github.com:22/team/shop", "github.com/team/shop"),
        ("https://git.example.com/a/b/c/", "git.example.com/a/b/c"),
        ("https://user:pa/ss@github.com/team/shop", "github.com/team/shop"),
        ("https://user:p@ss@github.com/team/shop", "github.com/team/shop"),
        ("https://user:p?ss@github.com/team/shop", ""),
        ("https://github.com/team/shop.git?private_token=abc#top", "github.com/team/shop"),
        ("git@github.com:team/shop?private_token=abc", "github.com/team/shop"),
        ("user:p@ss@github.com:team/shop", "github.com/team/shop"),
        ("https://[::1/team", ""),
        ("../shop.git", ""),
        ("team/shop", ""),
        ("C:/team/shop", ""),
        ("file:///srv/git/shop", ""),
        ("", ""),
        ("two words", ""),
    ],
)
def test_a_remote_has_one_name_however_it_is_reached(address: str, plain: str) -> None:
    assert plain_remote(address) == plain

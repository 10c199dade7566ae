"""rulec mine-corpus keeps to its own folder, deletes nothing of others, and tells what is wrong with it in one line."""

import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rulec.infra.corpus import transcript_store
from rulec.services.corpus import transcript_mining
from rulec.services.corpus.transcript_mining import CorpusPiece, mine_piece
from tests.support.session import ClaudeSession, pnpm
from tests.support.world import Said, act


def _mine(folder: Path, *more: str, place: str = "in", out: str = "out", code: int = 0) -> Said:
    told = act(folder, "mine-corpus", place, "--out", out, "--workers", "1", *more, code=code)
    assert code != 2 or (len(told.err.splitlines()) == 1 and "a bug" not in told.err)
    return told


def _report(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "out/results/report.json").read_text())
    return found


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """A folder with one transcript in ``in``."""
    (tmp_path / "in").mkdir()
    pnpm(Path("/srv/shop")).save(tmp_path / "in/one.jsonl")
    return tmp_path


@pytest.fixture
def mined(top: Path) -> Path:
    """The same, mined."""
    _mine(top)
    return top


@pytest.mark.parametrize("name", ["work/mine", "generations/2025/mine", "notes"])
def test_a_folder_with_other_files_is_refused_and_left_alone(top: Path, name: str) -> None:
    path = top / "out" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    assert "out: is not empty, and has no rulec-corpus.db" in _mine(top, code=2).err
    assert path.read_text() == "mine\n"


def test_only_numbered_generations_are_deleted(mined: Path) -> None:
    (mined / "out/generations/kept").mkdir()
    _mine(mined)
    assert sorted(path.name for path in (mined / "out/generations").iterdir()) == ["0002", "kept"]


def test_an_out_without_a_name_is_refused(top: Path) -> None:
    assert "--out: is empty" in _mine(top, out="", code=2).err
    assert [path.name for path in top.iterdir()] == ["in"]


def test_an_out_that_was_only_begun_is_taken(top: Path) -> None:
    (top / "out").mkdir()
    (top / "out/rulec-corpus.db").touch()
    _mine(top)
    assert "0 read now, 1 known already" in _mine(top).out


def test_what_failed_is_tried_again(top: Path) -> None:
    path, sound = top / "in/one.jsonl", (top / "in/one.jsonl").read_bytes()
    seen = path.stat()
    path.write_bytes(b"\0" * len(sound))  # as a server that lost its disk for a moment
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert "1 failed; 0 count" in _mine(top, code=1).out  # nothing at all could be read
    path.write_bytes(sound)
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert "1 read now, 0 known already, 0 failed; 1 count" in _mine(top).out


def test_a_worker_needs_no_folder_of_results(top: Path) -> None:
    (listed,) = transcript_store.list_transcripts(str(top / "in")).transcripts
    (record,) = mine_piece(CorpusPiece(place=str(top / "in"), transcripts=(listed,))).records
    assert (record.about.failed, len(record.items)) == ("", 1)
    assert [path.name for path in top.iterdir()] == ["in"]


def test_names_that_are_no_text_are_read_and_told(top: Path) -> None:
    odd = os.fsencode(top / "in") + b"/caf\xe9 100%.jsonl"
    (top / "in/one.jsonl").rename(os.fsdecode(odd))
    pnpm(Path("/srv/till")).person("rule: never use tabs").save(top / "in/caf%E9 100%25.jsonl")
    Path(os.fsdecode(os.fsencode(top / "in") + b"/\xff.txt")).write_text("buy milk\n")
    told = _mine(top, code=0).out
    assert "3 files listed: 3 read now, 0 known already, 1 failed; 2 count, of 2 repositories" in told
    assert "failed: %FF.txt: is in no format that rulec reads" in told
    assert "1 read now, 2 known already, 1 failed" in _mine(top).out


def test_another_place_is_refused(mined: Path) -> None:
    before = _report(mined)
    (mined / "other").mkdir()
    pnpm(Path("/srv/other")).save(mined / "other/two.jsonl")
    told = _mine(mined, place="other", code=2).err
    assert f"out: holds what was found in {mined / 'in'}" in told
    assert _report(mined) == before
    moved = Path(shutil.copytree(mined, mined.with_name("moved"), symlinks=True))
    assert "0 read now, 1 known already" in _mine(moved).out  # both moved together
    (mined / "out").rename(mined / "in-another-place")
    assert "0 read now, 1 known already" in _mine(mined, out="in-another-place").out


def test_another_way_of_reading_reads_again(mined: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0 read now" in _mine(mined).out
    assert "1 read now" in _mine(mined, "--reader", "claude-code").out
    assert "0 read now" in _mine(mined, "--reader", "claude-code").out
    monkeypatch.setattr(transcript_mining, "__version__", "99.0")
    assert "1 read now" in _mine(mined, "--reader", "claude-code").out


def test_a_folder_that_cannot_be_listed_is_told(top: Path) -> None:
    """A path that is too long for the system, which stops root, too."""
    before, name = Path.cwd(), "d" * 200
    os.chdir(top / "in")
    try:
        for _ in range(22):
            os.mkdir(name)  # noqa: PTH102 - its whole path could not be named
            os.chdir(name)
    finally:
        os.chdir(before)
    told = _mine(top).out
    assert "1 files listed" in told or "1 file listed" in told
    assert "1 failed" in told
    assert "cannot be listed: File name too long" in told


def test_no_secret_of_a_path_is_written_or_told(top: Path) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    folder = top / f"in/-Users-ann/{key}"
    folder.mkdir(parents=True)
    ClaudeSession(Path(), "5e55-0031").person("rule: never use tabs").runs("ls").save(folder / f"{key}.jsonl")
    (folder / f"{key}.txt").write_text("buy milk\n")
    told = _mine(top)
    assert key not in told.out + told.err
    assert "-Users-ann" not in told.out
    files = [path for path in (top / "out").rglob("*") if path.is_file()]
    assert [path for path in files if key in str(path) or key.encode() in path.read_bytes()] == []
    assert [path for path in files if "Users-ann" in str(path) or b"Users-ann" in path.read_bytes()] == []
    assert "1 read now, 2 known already" in _mine(top).out


def _change(mined: Path, statement: str, *given: object) -> None:
    with closing(sqlite3.connect(mined / "out/rulec-corpus.db")) as base, base:
        base.execute(statement, given)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("about", "{"),
        ("about", "[]"),
        ("about", '{"key": "x", "transcript": "y", "folder": 1}'),
        ("items", "{"),
        ("items", '[{"parts": [{}]}]'),
        ("items", "[1]"),
        ("notes", "1"),
    ],
)
def test_a_damaged_record_is_one_line(mined: Path, column: str, text: str) -> None:
    if column != "about":
        _change(mined, f"UPDATE transcripts SET {column} = ?", text)
    else:
        key = "(SELECT key FROM transcripts)"
        _change(mined, f"UPDATE transcripts SET about = replace(?, 'x', {key})", text)
    assert "damaged" in _mine(mined, code=2).err
    shutil.rmtree(mined / "out")  # as the hint says
    assert "1 read now" in _mine(mined).out


def test_what_is_no_generation_is_left_alone(mined: Path) -> None:
    (mined / "out/generations/²").mkdir()
    assert "0 read now" in _mine(mined).out
    assert (mined / "out/generations/²").is_dir()


@pytest.mark.parametrize("text", ["{", "x" * 9000, "SQLite format 3\0" + "x" * 9000])
def test_a_damaged_store_is_one_line(mined: Path, text: str) -> None:
    (mined / "out/rulec-corpus.db").write_text(text)
    assert "is damaged" in _mine(mined, code=2).err


def test_an_out_of_another_version_is_one_line(mined: Path) -> None:
    _change(mined, "UPDATE place SET schema = 9")
    assert "another version of rulec: it has schema 9, not 2" in _mine(mined, code=2).err


@pytest.mark.parametrize("name", ["results", "work", "generations"])
def test_what_is_in_the_way_is_told_before_anything_is_mined(mined: Path, name: str) -> None:
    path = mined / "out" / name
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        path.mkdir()
    else:
        shutil.rmtree(path)
        path.symlink_to("..")
    if name == "work":
        path.rmdir() if not path.is_symlink() else path.unlink()
        path.write_text("")
    assert f"{name}: is in the way" in _mine(mined, code=2).err


@pytest.mark.parametrize("out", ["x" * 300, "in/one.jsonl", "in/one.jsonl/out", "in", "a/" * 2100])
def test_an_out_that_cannot_be_is_one_line(top: Path, out: str) -> None:
    _mine(top, out=out, code=2)
    assert sorted(path.name for path in top.iterdir()) == ["in"]


def test_results_are_no_transcripts(mined: Path) -> None:
    (mined / "out").rename(mined / "in/old")
    assert "1 file listed" in _mine(mined).out
    assert "is PATH, too" in _mine(mined, place="in", out="in", code=2).err
    assert "holds what rulec mine-corpus wrote" in _mine(mined, place="out/results", out="new", code=2).err


def test_everything_is_readable_for_its_owner_alone(top: Path) -> None:
    (top / "out").mkdir(mode=0o755)
    _mine(top)
    seen = {str(path): path.lstat().st_mode for path in (top / "out").rglob("*") if not path.is_symlink()}
    assert seen
    assert {path: oct(mode) for path, mode in seen.items() if stat.S_IMODE(mode) & 0o077} == {}


def test_what_is_gone_does_not_count(mined: Path) -> None:
    (mined / "in/notes.txt").write_text("buy milk\n")
    assert "1 failed; 1 count" in _mine(mined).out
    (mined / "in/notes.txt").rename(mined / "in/notes.md")
    assert [one["transcript"] for one in (_mine(mined) and _report(mined))["failed"]] == ["notes.md"]
    (mined / "in/notes.md").unlink()
    assert "0 failed; 1 count" in _mine(mined).out

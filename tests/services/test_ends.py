"""Where earlier runs came to the end of a transcript: kept beside what others write, and only of what is there."""

import json
from pathlib import Path

import pytest

from rulec.checkout import private_files
from rulec.infra import state
from rulec.services.mining import earlier_runs
from rulec.services.mining.earlier_runs import ENDS, MOST_ENDS, MOST_TRANSCRIPTS, transcript_ends


def _file(path: Path) -> Path:
    path.write_text("{}\n")
    return path


def test_the_ends_of_two_runs_at_once_are_both_kept(gated: Path, tmp_path: Path) -> None:
    one, two = _file(tmp_path / "one.jsonl"), _file(tmp_path / "two.jsonl")
    first, second = transcript_ends(gated), transcript_ends(gated)
    first.note(one, 3, 1)
    second.note(two, 5, 0)
    second.note(one, 4, 2)
    first.keep()
    second.keep()
    assert (transcript_ends(gated).of(one), transcript_ends(gated).of(two)) == ({3: 1, 4: 2}, {5: 0})


def test_of_transcripts_that_are_gone_and_of_too_many_nothing_is_kept(
    gated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(earlier_runs, "MOST_TRANSCRIPTS", 3)
    paths = [_file(tmp_path / f"{number}.jsonl") for number in range(5)]
    for path in paths:
        run = transcript_ends(gated)
        run.note(path, 1, 0)
        run.keep()
    paths[-1].unlink()
    run = transcript_ends(gated)
    run.note(paths[0], 2, 0)
    run.keep()
    kept = state.read_state(gated, ENDS)
    assert [Path(name).name for name in kept] == ["2.jsonl", "3.jsonl", "0.jsonl"]
    assert MOST_TRANSCRIPTS > MOST_ENDS


def test_many_ends_of_one_transcript_are_bounded_and_a_damaged_file_is_none(gated: Path, tmp_path: Path) -> None:
    path = _file(tmp_path / "one.jsonl")
    run = transcript_ends(gated)
    for number in range(1, MOST_ENDS + 100):
        run.note(path, number, 0)
    run.keep()
    assert list(transcript_ends(gated).of(path)) == list(range(100, MOST_ENDS + 100))
    state.state_path(gated, ENDS).write_text(json.dumps({str(path): [[1, "x"], 2, [3, 4]], "/b": 7}))
    assert transcript_ends(gated).of(path) == {3: 4}
    state.state_path(gated, ENDS).write_text("[")
    assert transcript_ends(gated).of(path) == {}


def test_a_run_beside_one_that_writes_goes_on(gated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = transcript_ends(gated)
    run.note(_file(tmp_path / "one.jsonl"), 1, 0)
    monkeypatch.setattr(private_files, "SECONDS_TO_LOCK", 0.01)
    with private_files.FolderLock(str(state.state_dir(gated))):
        run.keep()
    assert state.read_state(gated, ENDS) is None
    run.keep()
    assert state.read_state(gated, ENDS)

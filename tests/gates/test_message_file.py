"""The message of a commit under way is found where no framework names its file."""

import os
from pathlib import Path

import pytest

from rulec.gates.message_file import find_message
from tests.support.world import run

MERGE = [
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 1}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 1, "MERGE_MSG": 2}),
    ("MERGE_MSG", {"COMMIT_EDITMSG": 1, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("MERGE_MSG", {"COMMIT_EDITMSG": 2, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("MERGE_MSG", {"MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 3, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 3, "MERGE_HEAD": 2}),
]


@pytest.mark.parametrize(("name", "files"), MERGE)
def test_a_merges_message_is_the_one_that_was_written_last(tmp_path: Path, name: str, files: dict[str, int]) -> None:
    run(tmp_path, "init", "-q", ".")
    for file, second in files.items():
        (tmp_path / ".git" / file).write_text("x")
        os.utime(tmp_path / ".git" / file, (second, second))
    assert find_message(tmp_path) == tmp_path / ".git" / name

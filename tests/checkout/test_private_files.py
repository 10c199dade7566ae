"""Private files: whole or not at all, for their owner alone, and no entry lost between two writers."""

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rulec.checkout import private_files


def test_a_stored_file_is_its_owners_alone_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "rulec" / "state.json"
    assert private_files.store_file(str(path), b"one")
    assert private_files.store_file(str(path), b"two")
    assert private_files.read_file(str(path), private=True) == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["state.json"]


def test_a_link_is_neither_read_nor_written_through(tmp_path: Path) -> None:
    victim, link, other, folder = (tmp_path / name for name in ("victim", "link", "other", "folder"))
    victim.write_text("text")
    link.symlink_to(victim)
    other.symlink_to(victim)
    folder.symlink_to(tmp_path)
    assert private_files.read_file(str(link)) is None
    assert private_files.store_file(str(link), b"new")
    assert victim.read_text() == "text"
    assert not private_files.store_file(str(folder / "state"), b"new")
    with pytest.raises(OSError, match="symbolic"):
        private_files.append_lines(str(other), ["line"])


def test_what_is_no_private_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "open").write_text("x")
    (tmp_path / "open").chmod(0o644)
    assert private_files.read_file(str(tmp_path / "pipe")) is None
    assert private_files.read_file(str(tmp_path)) is None
    assert private_files.read_file(str(tmp_path / "missing")) is None
    assert private_files.read_file(str(tmp_path / "open"), private=True) is None
    assert private_files.read_file(str(tmp_path / "open")) == b"x"
    assert private_files.read_file(str(tmp_path / "open"), 0) is None


@pytest.mark.parametrize("text", ["", "[1]", "{", "[" * 100_000, "\xff"])
def test_a_damaged_object_counts_as_none_and_is_replaced(tmp_path: Path, text: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(text, encoding="latin-1")
    assert private_files.read_json(str(path)) == {}
    assert private_files.update_json(str(path), lambda known: {**known, "a": 1})
    assert private_files.read_json(str(path)) == {"a": 1}
    assert private_files.update_json(str(path), lambda _: {})
    assert not path.exists()


def test_two_writers_lose_none_of_each_others_entries(tmp_path: Path) -> None:
    path = str(tmp_path / "state.json")

    def add(number: int) -> bool:
        return private_files.update_json(path, lambda known: private_files.with_entry(known, str(number), number, 99))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(add, range(1, 41)))
    assert sorted(private_files.read_json(path).values()) == list(range(1, 41))


def test_who_waits_too_long_for_the_lock_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private_files, "SECONDS_TO_LOCK", 0.02)
    path = str(tmp_path / "state.json")

    def change(known: dict[str, object]) -> dict[str, object]:
        assert not private_files.update_json(path, lambda _: {"inner": 1})
        return {"outer": 1}

    assert private_files.update_json(path, change)
    assert json.loads(Path(path).read_text()) == {"outer": 1}


def test_the_last_entries_stay_and_an_empty_one_goes() -> None:
    known = {"a": 1, "b": 2, "c": 3}
    assert list(private_files.with_entry(known, "a", 4, 3)) == ["b", "c", "a"]
    assert list(private_files.with_entry(known, "d", 4, 3)) == ["b", "c", "d"]
    assert list(private_files.with_entry(known, "b", None, 3)) == ["a", "c"]

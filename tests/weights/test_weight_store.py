"""The person's file: private, whole, safe beside other sessions, and gone when the person says so."""

import json
import subprocess
import threading
from pathlib import Path

import pytest

from rulec.weights import person_bonus, weight_store


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    subprocess.run(["git", "init", "-q", str(tmp_path / "repo")], check=True)
    return str(tmp_path / "repo")


def path_of(top: str) -> Path:
    return Path(weight_store.folder_of(top), weight_store.NAME)


def test_the_file_is_the_persons_alone_and_outside_of_the_repository(top: str) -> None:
    weight_store.learn(top, "s", {"a": (1.0, 0.9)}, others=["a", "b"])
    assert path_of(top).stat().st_mode & 0o777 == 0o600
    assert path_of(top).parent.stat().st_mode & 0o777 == 0o700
    assert not path_of(top).is_relative_to(top)


def test_two_sessions_at_once_lose_nothing_of_each_other(top: str) -> None:
    slugs = [f"r{number}" for number in range(12)]
    scores = dict.fromkeys(slugs, -1.0)

    def session(slug: str) -> None:
        weight_store.begin_turn(top, slug, scores)
        weight_store.learn(top, slug, {slug: (1.0, 0.9)})

    threads = [threading.Thread(target=session, args=(slug,)) for slug in slugs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(weight_store.load_weights(top).long) == set(slugs)
    assert all(weight_store.load_weights(top, slug).short[slug] > 0 for slug in slugs)


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"version": 99, "long": {"a": 1}}', "\x00\x00"])
def test_a_damaged_file_counts_as_nothing_and_is_told(top: str, text: str) -> None:
    weight_store.learn(top, "s", {"a": (1.0, 0.9)}, others=["a", "b"])
    assert weight_store.why_unread(top) == ""
    path_of(top).write_text(text)
    assert weight_store.load_weights(top).long == {}
    assert weight_store.why_unread(top) == f"{path_of(top)} is damaged, so that the weights in it are ignored"
    assert weight_store.learn(top, "s", {"a": (1.0, 0.9)}, others=["a", "b"])
    assert weight_store.load_weights(top).long["a"] > 0


def test_numbers_that_are_none_count_as_zero(top: str) -> None:
    weight_store.learn(top, "s", {"a": (1.0, 0.9)}, others=["a", "b"])
    long = {"a": 1e9, "b": "x", "c": None, "d": True, "e": 0.25}
    path_of(top).write_text(json.dumps({"version": 1, "long": long, "baseline": float("inf"), "gains": [1]}))
    found = weight_store.load_weights(top)
    assert (found.long, found.baseline) == ({"a": 0, "b": 0, "c": 0, "d": 0, "e": 0.25}, 0.0)
    assert weight_store.load_gains(top) == ({}, {})


def test_a_file_that_others_may_read_is_not_used(top: str) -> None:
    weight_store.learn(top, "s", {"a": (1.0, 0.9)}, others=["a", "b"])
    path_of(top).chmod(0o644)
    assert weight_store.load_weights(top).long == {}
    assert "is no file of yours alone" in weight_store.why_unread(top)


def test_a_weight_follows_the_names_that_its_rule_takes(top: str) -> None:
    archive = Path(top, ".rules/archive")
    archive.mkdir(parents=True)
    for old, new in {"one": "two", "two": "three", "loop": "ring", "ring": "loop"}.items():
        (archive / f"{old}.yaml").write_text(f"schema: 1\nslug: {old}\nsuperseded_by: {new}\n")
    heirs = person_bonus.Heirs(top, [{"slug": "three"}, {"slug": "other"}])
    weights = heirs.renamed({"one": 0.25, "three": 0.5, "loop": 0.1, "../../etc/passwd": 0.1, "other": 0.2})
    assert weights == {"three": 0.75, "loop": 0.1, "../../etc/passwd": 0.1, "other": 0.2}

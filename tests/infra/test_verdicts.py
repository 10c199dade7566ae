"""Where verdicts of judges are kept."""

import os
from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.llm import answer_caches
from rulec.llm.answer_caches import LARGEST_VERDICT, VerdictCache
from rulec.protect import gate_protection
from rulec.shell.action_events import Event

KEYS = [f"{n:032x}"[::-1] for n in range(5_000)]


def test_what_is_kept_is_known_in_few_files_for_the_owner_alone(tmp_path: Path) -> None:
    shelf = VerdictCache(tmp_path / "kept")
    assert shelf.known(KEYS[:3]) == {}
    assert shelf.keep(dict.fromkeys(KEYS, "pass")) == ""
    assert shelf.keep({KEYS[7]: "fail 3,4"}) == ""
    assert shelf.known(KEYS) == {**dict.fromkeys(KEYS, "pass"), KEYS[7]: "fail 3,4"}
    files = list((tmp_path / "kept").iterdir())
    assert len(files) <= 16
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_what_is_kept_stays_bounded_and_the_newest_stays(tmp_path: Path) -> None:
    shelf = VerdictCache(tmp_path)
    keys = [f"a{n:031x}" for n in range(60_000)]
    for start in range(0, len(keys), 5_000):
        shelf.keep(dict.fromkeys(keys[start : start + 5_000], "pass"))
    assert (tmp_path / "a").stat().st_size < 2 * LARGEST_VERDICT
    assert shelf.known([keys[0], keys[-1]]) == {keys[-1]: "pass"}


@pytest.mark.parametrize("damage", ["pipe", "link", "folder", "bytes"])
def test_what_is_damaged_is_not_there(tmp_path: Path, damage: str) -> None:
    shelf, place = VerdictCache(tmp_path), tmp_path / "a"
    match damage:
        case "pipe":
            os.mkfifo(place)
        case "link":
            (tmp_path / "elsewhere").write_text(f"a{'0' * 31} pass\n")
            place.symlink_to(tmp_path / "elsewhere")
        case "folder":
            place.mkdir()
        case "bytes":
            place.write_bytes(b"\xff\x00\n\n a\na\n" * 9)
    assert shelf.known([f"a{'0' * 31}"]) == {}


def test_what_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert VerdictCache(tmp_path / "file").keep({KEYS[0]: "pass"})


def test_a_clone_has_a_seed_of_its_own(repo: Path, tmp_path: Path) -> None:
    assert len(answer_caches.decoy_seed(repo)) == 32
    assert answer_caches.decoy_seed(repo) == answer_caches.decoy_seed(repo)
    assert (repo / ".git/rulec/judge-seed").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("folder", [".", "..", ".git", ".git/rulec/x", "link", "file"])
def test_a_folder_that_is_not_for_verdicts_alone_is_refused(
    repo: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo)
    (repo / "link").symlink_to(repo)
    (repo / "file").write_text("")
    with pytest.raises(RulecError):
        answer_caches.open_verdict_cache(repo, folder)


@pytest.mark.parametrize("path", [".git/rulec/verdicts/a", ".git/rulec/judge-seed", ".git/rulec/answers/x.json"])
def test_an_agent_may_not_write_what_judges_said(path: str) -> None:
    assert gate_protection.detect_tampering(Event(kind="write", path=path, new="x", content="x"))
    for command in (f"echo x > {path}", f"rm {path}", f"sed -i s/fail/pass/ {path}", f"cp x {path}"):
        assert gate_protection.detect_tampering(Event(kind="command", command=command)), command

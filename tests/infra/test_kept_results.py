"""Stored results: used for the same inputs alone, and made again where the file is damaged or rulec changed."""

from pathlib import Path

from rulec.infra import state
from rulec.infra.kept_results import kept_results


def made(top: Path, *inputs: str, beside: list[Path] | None = None) -> list[str]:
    """The inputs for which a result had to be made."""
    missing: list[str] = []
    state.state_dir(top)
    with kept_results(top, "some", beside or []) as results:
        for one in inputs:
            assert results.find(one, lambda one=one: missing.append(one) or f"of {one}") == f"of {one}"  # type: ignore[misc]
    return missing


def test_a_result_is_made_once_for_the_same_inputs(repo: Path) -> None:
    assert made(repo, "a", "b", "a") == ["a", "b"]
    assert made(repo, "a", "b") == []
    assert made(repo, "c", "a") == ["c"]
    assert made(repo, "b") == []  # not asked for by the command before, and still there


def test_a_damaged_file_costs_time_alone(repo: Path) -> None:
    made(repo, "a")
    place = repo / ".git/rulec/some"
    data = place.read_bytes()
    for at in range(0, len(data), 7):
        place.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        assert made(repo, "a") == ["a"]


def test_a_changed_file_beside_it_makes_all_anew(repo: Path) -> None:
    folder = repo / "templates"
    folder.mkdir()
    (folder / "x.j2").write_text("1")
    assert made(repo, "a", beside=[folder]) == ["a"]
    assert made(repo, "a", beside=[folder]) == []
    (folder / "x.j2").write_text("22")
    assert made(repo, "a", beside=[folder]) == ["a"]


def test_none_is_no_result(repo: Path) -> None:
    for _ in range(2):
        with kept_results(repo, "some") as results:
            assert results.find("a", lambda: None) is None
            assert results.all() == {}


def test_where_no_command_left_state_nothing_is_stored(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "no-repository").mkdir()
    for top in (repo, tmp_path / "no-repository"):
        before = sorted(tmp_path.rglob("*"))
        with kept_results(top, "some") as results:
            assert results.find("a", lambda: 1) == 1
        assert sorted(tmp_path.rglob("*")) == before

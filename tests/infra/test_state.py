"""The state store: pieces that several processes write lose nothing, and stay bounded and private."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulec.gates import gate_ledger, passed_changes
from rulec.infra import state
from rulec.llm.answer_caches import VerdictCache
from tests.infra.test_ledger import verdict

MANY = 24


def _counters(top: Path) -> tuple[Callable[[int], object], Callable[[], int]]:
    return (
        lambda n: state.update_state(top, "counters", lambda known: {**(known or {}), str(n): n}),
        lambda: len(state.read_state(top, "counters")),
    )


def _verdicts(top: Path) -> tuple[Callable[[int], object], Callable[[], int]]:
    cache, keys = VerdictCache(top / "verdicts"), [f"a{n:031x}" for n in range(MANY)]
    return lambda n: cache.keep({keys[n]: "pass"}), lambda: len(cache.known(keys))


def _folded(top: Path) -> tuple[Callable[[int], object], Callable[[], int]]:
    gate_ledger.record_verdicts(top, "commit", [verdict()])
    (line,) = gate_ledger.ledger_entries(top)
    return (
        lambda n: gate_ledger.record_folded(top, {f"evidence{n}": [line.id]}),
        lambda: len(gate_ledger.folded_entries(top)),
    )


def _passed(top: Path) -> tuple[Callable[[int], object], Callable[[], int]]:
    passed_changes.begin_record(top)
    return (
        lambda n: passed_changes.note_passed(top, [f"mark{n}"]),
        lambda: sum(passed_changes.has_passed(top, f"mark{n}") for n in range(MANY)),
    )


@pytest.mark.parametrize("writer", [_counters, _verdicts, _folded, _passed])
def test_writers_at_once_lose_nothing(
    repo: Path, writer: Callable[[Path], tuple[Callable[[int], object], Callable[[], int]]]
) -> None:
    write, count = writer(repo)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(MANY)))
    assert count() == MANY


def test_lines_stay_bounded_private_and_the_newest_stay(tmp_path: Path) -> None:
    place = tmp_path / "lines"
    place.write_text("old\n")
    place.chmod(0o644)
    dropped = [state.append_bounded(place, [f"line {n}"], 100) for n in range(40)]
    assert any(dropped)
    assert not all(dropped)
    assert place.read_text().splitlines()[-1] == "line 39"
    assert "old" not in place.read_text()
    assert place.stat().st_size < 120
    assert place.stat().st_mode & 0o777 == 0o600


@dataclass(frozen=True, slots=True)
class _Either:
    value: int | str | None = None


@pytest.mark.parametrize("value", [3, "three", None])
def test_a_value_of_several_kinds_comes_back_as_the_kind_that_it_has(value: int | str | None) -> None:
    assert state.load_dataclass(_Either, state.dump_dataclass(_Either(value))) == _Either(value)


def test_a_value_of_none_of_its_kinds_is_told() -> None:
    with pytest.raises(ValueError, match=r"\$\.value"):
        state.load_dataclass(_Either, '{"value": [1]}')

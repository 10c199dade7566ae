"""An agent's session with a plan, played through the hooks and the git hooks as a person sets them up."""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from evaluation.bench import honest

CASES = Path(__file__).parents[1] / "cases/honest"


@pytest.fixture
def folder() -> Iterator[Path]:
    honest.CACHE.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=honest.CACHE) as name:
        yield Path(name)


@pytest.mark.e2e
def test_careful_work_costs_one_proof_and_hasty_work_a_run(folder: Path) -> None:
    programs = honest.environment(folder / "python")
    given = argparse.Namespace(folder=CASES, suites=True, lists=True, apart=False)
    lines = (CASES / "cases.jsonl").read_text("utf-8").splitlines()
    met = {one.name: one for one in (honest.played(folder, json.loads(line), given, programs) for line in lines)}
    stops = {name: [(one.moment, one.rules, one.forced) for one in out.refusals] for name, out in met.items()}
    assert stops == {
        "careful": [("commit", ["no-surprises"], False)],
        "hasty": [("tool call", ["run-tests"], True)],
    }
    careful = met["careful"]
    assert (careful.commands, careful.turns, careful.denied, careful.odd) == (1, 0, 0, []), careful.refusals

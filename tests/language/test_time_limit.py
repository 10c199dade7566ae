"""Reading words ends: no pattern of ours runs away, and a turn that takes too long is passed over and told."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import rulec
from rulec.domain.patterns.search_time import has_ambiguous_loop, search_exponent
from rulec.domain.transcript import Turn
from rulec.language.time_limit import ReadingTooLongError, reading_limit
from rulec.mining import correction_detection

MOST = 3  # the exponent of a pattern of ours; what a sentence is matched with sees a few hundred characters
REFERENCE = re.compile(
    r"\(\?P=\w+\)|\(\?\([a-z]\w*\)"
)  # back to a group by its name, which the judge of patterns cannot read
ROOT = Path(__file__).parents[2]
LOOP = re.compile(r"(?:a|a)*b")


def patterns_within(value: Any, deep: int = 3) -> Iterator[str]:
    """The patterns in a value, and in collections within it."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value.pattern
    elif deep and isinstance(value, Mapping):
        yield from patterns_within((*value.keys(), *value.values()), deep - 1)
    elif deep and isinstance(value, Collection) and not isinstance(value, (str, bytes)):
        for one in value:
            yield from patterns_within(one, deep - 1)


@pytest.fixture(scope="module")
def own_patterns() -> dict[str, str]:
    """The patterns as a fresh process has them, in which no cache holds those of other tests."""
    code = "import json; from tests.language import test_time_limit as here; print(json.dumps(here.held_patterns()))"
    found: dict[str, str] = json.loads(subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True))
    return found


def held_patterns() -> dict[str, str]:
    """Each pattern that a module of rulec holds -> the module and its name there."""
    modules = [one.name for one in pkgutil.walk_packages(rulec.__path__, "rulec.") if "__main__" not in one.name]
    found: dict[str, str] = {}
    for name in modules:
        for key, value in vars(importlib.import_module(name)).items():
            for pattern in patterns_within(value):
                found.setdefault(pattern, f"{name}.{key}")
    return found


def test_no_pattern_of_ours_can_run_away(own_patterns: dict[str, str]) -> None:
    found = own_patterns
    assert len(found) > 500
    wrong = []
    for text, where in found.items():
        pattern = REFERENCE.sub(lambda found: "(?:" if found[0].startswith("(?(") else r"\w", text)
        if has_ambiguous_loop(pattern):
            wrong.append(f"{where}: some loop reads one text in several ways")
        elif (exponent := search_exponent(pattern, lines=True)) > MOST:
            wrong.append(f"{where}: its time grows to the power of {exponent}")
    assert not wrong, "\n".join(wrong)


def test_what_takes_too_long_is_stopped_and_the_next_reading_has_all_its_time() -> None:
    with pytest.raises(ReadingTooLongError, match="took longer than"), reading_limit(0.05):
        LOOP.match("a" * 60)
    with reading_limit(0.05):
        pass
    assert not LOOP.match("a" * 18)  # no timer is left that could stop it


def test_a_turn_that_takes_too_long_is_passed_over_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(text: str) -> Any:
        return LOOP.match("a" * 60) if "slow" in text else ()

    monkeypatch.setattr(correction_detection, "clauses", slow)
    turns = [
        Turn(role="human", kind="typed", text=text, index=number, line=number)
        for number, text in enumerate(("a slow one", "another"))
    ]
    first, second = correction_detection.detect_corrections(turns)
    assert "took longer" in first.unread  # type: ignore[union-attr]
    assert not second.unread  # type: ignore[union-attr]

"""What whoever writes checks is told of a repository."""

from pathlib import Path

from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook
from rulec.rulebook.test_suites import Suite
from rulec.services.asking.repository_profile import describe_repository


def test_suites_are_told_as_they_are_typed(ruled: Path) -> None:
    suite = Suite(name="unit", run=("pytest", "-q", "my tests"), report="exit")
    told = describe_repository(ruled, Rulebook(config=Config(tests=(suite,))))
    assert "tests: pytest -q 'my tests'" in told.splitlines()

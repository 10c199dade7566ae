"""A git folder that nobody may write in, such as one that a container has read-only: what only looks goes on."""

from pathlib import Path

import pytest

from rulec.llm import answer_caches
from tests.conftest import Run

LOOKS = (
    (),
    ("check", "--base", "HEAD"),
    ("check", "--staged"),
    ("check", "a.js"),
    ("review",),
    ("doctor",),
    ("ingest",),
)


@pytest.fixture
def unwritable(ruled: Path) -> Path:
    """That repository, where rulec's own folder in the git folder cannot be made, whoever runs it."""
    (ruled / ".git/rulec").write_text("")
    (ruled / "a.js").write_text("console.log(1)\n")
    return ruled


@pytest.mark.usefixtures("unwritable")
@pytest.mark.parametrize("argv", LOOKS, ids=" ".join)
def test_what_only_looks_needs_no_folder_of_its_own(rulec: Run, argv: tuple[str, ...]) -> None:
    code = 1 if argv == ("doctor",) else 0  # without that folder there is no record of a rulec for agents
    assert "a bug of rulec" not in rulec(*argv, code=code).stderr


def test_what_writes_says_where_it_cannot(unwritable: Path, rulec: Run) -> None:
    for argv in (("compile",), ("add", "Never use yarn", "--yes")):
        said = rulec(*argv, code=2).stderr
        place = unwritable / ".git/rulec"
        assert said.startswith(f"rulec: {place}/lock: cannot be locked: ")
        assert f"see what {place} is and who may write there" in said


def test_where_no_seed_can_be_kept_a_run_has_one_of_its_own(unwritable: Path) -> None:
    assert len(answer_caches.decoy_seed(unwritable)) == 32
    assert answer_caches.decoy_seed(unwritable) != answer_caches.decoy_seed(unwritable)

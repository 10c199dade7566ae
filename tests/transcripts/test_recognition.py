"""Every real file is taken by the one reader whose format it has."""

import pytest

from rulec import registry
from tests.transcripts.hostile import TRANSCRIPTS, shared

READERS = registry.readers()
OWNERS = {"copilot_cli": "copilot", "cline": "cline", "gemini": "gemini", "opencode": "opencode"}


def owner(path):
    """The reader of a file; the structure-only files name theirs first."""
    return OWNERS.get(path.name.partition("-")[0] if path.parent.name == "structure-only" else path.parent.name, "")


FILES = sorted(path for path in TRANSCRIPTS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_its_own_files_and_no_others(name):
    shared("structure-only")
    for path in FILES:
        with path.open("rb") as file:
            head = file.read(65_536)
        if owner(path) or name in OWNERS.values():
            assert READERS[name].recognises(head) == (owner(path) == name), path

"""Parameters are held to the types that a template declares; a mapping of names may be written in two ways."""

import pytest

from rulec.checks.template_library import open_library
from rulec.domain.rule import Check
from rulec.errors import RulecError


def given(aliases: object) -> object:
    """What becomes of the parameter."""
    check = Check(kind="guard", template="forbid-command", parameters={"commands": ["git push"], "aliases": aliases})
    return open_library().parameters(check)["aliases"]


@pytest.mark.parametrize("aliases", [{"g": "git", "gp": "git push"}, ["g=git", "gp=git push"]])
def test_names_and_what_they_stand_for_are_a_mapping_or_a_list(aliases: object) -> None:
    assert given(aliases) == {"g": "git", "gp": "git push"}


@pytest.mark.parametrize("aliases", ["g=git", ["g"], {"g": ""}, {"g": 1}, {"": "git"}, ["=git"], 3])
def test_what_maps_no_name_to_a_command_is_refused_with_a_hint(aliases: object) -> None:
    with pytest.raises(RulecError) as refused:
        given(aliases)
    assert "forbid-command.aliases must map each name to a command" in str(refused.value)
    assert refused.value.hint


def test_no_names_are_no_mistake() -> None:
    assert given({}) == {}


@pytest.mark.parametrize("pattern", ["* || true", "ls ; pwd", "npm test 2>&1"])
def test_what_only_a_shell_reads_is_no_word_of_a_command(pattern: str) -> None:
    with pytest.raises(RulecError, match="is no word of a command"):
        open_library().parameters(Check(kind="guard", template="forbid-command", parameters={"commands": [pattern]}))

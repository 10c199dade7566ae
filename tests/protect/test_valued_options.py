"""What the guard knows of rulec's own options is what its verbs take."""

import re

import click

from rulec.cli import main  # noqa: F401 - it registers the verbs
from rulec.cli.group import rulec as group
from rulec.protect.built_in import rules_on
from rulec.shell import programs

DENIED = sorted(
    {
        verb
        for rule in rules_on("command rulec")
        for pattern in rule.check.patterns
        if (found := re.match(r"rulec ([\w|-]+)", pattern))
        for verb in found[1].split("|")
    }
)


def valued_options(verb: str) -> list[str]:
    """The options of a verb that take a value, as click knows them."""
    command = group.get_command(click.Context(group), verb)  # type: ignore[attr-defined]  # click's group
    assert command is not None, verb
    options = [one for one in command.params if isinstance(one, click.Option) and not one.is_flag]
    return [name for one in options for name in one.opts]


def test_what_is_known_of_each_denied_verb_is_what_it_takes() -> None:
    """Else --help as the value of an option would pass for a question about the verb."""
    verbs = [verb for verb in DENIED if verb != "hook"]  # a group, whose verbs take no values
    taken = {verb: sorted(valued_options(verb)) for verb in verbs}
    assert {verb: sorted(programs.valued_options(f"rulec {verb}")) for verb in verbs} == taken

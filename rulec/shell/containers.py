"""Whether a command runs in another container than the one in which a rule wants it to run."""

from __future__ import annotations

from rulec.domain.patterns.command_patterns import program_name
from rulec.shell.parsing.call import Call, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.parsing.runs import wrapped_commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def run_in_other_container(prefixes: Sequence[str], call: Call) -> Iterator[Call]:
    """The calls that run in a container that none of the prefixes names."""
    opened = [found for found in map(container_of_prefix, prefixes) if found]
    for run in wrapped_commands(call.program, call.argv):
        tool, place = run.container
        wanted = [name for one, name in opened if one == tool]
        if place and "$" not in place and wanted and place not in wanted and "" not in wanted:
            yield from parse_shell(" ".join(map(quote_word, run.argv))).calls


def container_of_prefix(text: str) -> tuple[str, str] | None:
    """What the words before a command open, and the container's name, "" for any; None where they open none."""
    words = text.removesuffix("--").split()
    for behind in (["true"], ["", "true"]):
        for run in wrapped_commands(program_name(words[0]), [*words, *behind]) if words else ():
            if run.container[0]:
                return run.container
    return None

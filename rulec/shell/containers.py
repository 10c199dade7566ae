"""Commands that run others in a container, a pod or on another machine: where, and which.

parsing/runs.py finds what runs in them, so that all rules on commands judge it; here it is compared with the place
in which a rule wants a command to run.
"""

from __future__ import annotations

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.command_matching import COMPOSE
from rulec.shell.parsing.call import Call, first_operand, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import facts_of, global_options, runs_how, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def container_command(call: Call) -> tuple[str, str, list[str]] | None:
    """What opens a container (docker exec, docker compose), the container's name, and the words that run in it."""
    argv = call.argv
    program = plain_program(call.program)
    if program == COMPOSE:
        program, argv = "docker", ["docker", "compose", *argv[1:]]
    tool = key = program
    valued = [*global_options(program), *valued_options(f"{program} compose")]
    at = first_operand(argv, 1, valued)
    while argv[at : at + 1] in (["compose"], ["container"]):
        tool += " compose" * (argv[at] == "compose")
        key += " " + argv[at]
        at = first_operand(argv, at + 1, valued)
    key += " " + "".join(argv[at : at + 1])
    if runs_how(key) not in ("service", "container", "inside"):
        return None
    # A container is not named as its image is, but a service is one.
    tool += "" if "compose" in tool else key[len(program) :].replace(" container", "")
    at = first_operand(argv, at + 1, valued_options(key))
    place = "".join(argv[at : at + 1])
    at = first_operand(argv, at + 1, valued_options(key)) if "pod" in facts_of(key) else at + 1
    return tool, place, argv[at:]


def run_in_other_container(prefixes: Sequence[str], call: Call) -> Iterator[Call]:
    """The calls that run in a container that none of the prefixes names."""
    found = container_command(call)
    if found is None or not found[2] or not found[1] or "$" in found[1]:
        return
    tool, place, argv = found
    wanted = [one[1] for one in map(container_of_prefix, prefixes) if one and one[0] == tool]
    if wanted and place not in wanted and "" not in wanted:
        yield from parse_shell(" ".join(map(quote_word, argv))).calls


def container_of_prefix(text: str) -> tuple[str, str, list[str]] | None:
    """The container that the words before a command open; None where they open none."""
    words = text.split()
    return container_command(Call(words[:-1] if words[-1:] == ["--"] else words, "", {}, ()))

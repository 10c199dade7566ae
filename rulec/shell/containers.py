"""Commands that run others in a container, a pod or on another machine: where, and which.

parsing/wrappers.py finds what runs in them, so that all rules on commands judge it; here it is compared with the place
in which a rule wants a command to run.
"""

from __future__ import annotations

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.command_matching import COMPOSE
from rulec.shell.parsing.call import Call, first_operand, quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.parsing.wrappers import ENTERING, PODS, STARTING
from rulec.shell.program_options import GLOBALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


CONTAINER_PROGRAMS = {  # program -> its options with a value, which may stand before the subcommand
    "docker": f"{GLOBALS['docker']} -f -p --file --project-name --profile --env-file --project-directory --ansi",
    "podman": GLOBALS["podman"],
    "kubectl": GLOBALS["kubectl"],
    "oc": "-n --namespace --context",
}
VALUED_OF_VERB = {  # verb that runs a command in a container -> its options with a value
    "exec": f"{ENTERING} --index -c --container -n --namespace",
    "run": STARTING,
}


def container_command(call: Call) -> tuple[str, str, list[str]] | None:
    """What opens a container (docker exec, docker compose), the container's name, and the words that run in it."""
    argv = call.argv
    program = plain_program(call.program)
    if program == COMPOSE:
        program, argv = "docker", ["docker", "compose", *argv[1:]]
    if program not in CONTAINER_PROGRAMS:
        return None
    tool, at = program, first_operand(argv, 1, CONTAINER_PROGRAMS[program].split())
    while argv[at : at + 1] in (["compose"], ["container"]):
        tool += " compose" * (argv[at] == "compose")
        at = first_operand(argv, at + 1, CONTAINER_PROGRAMS[program].split())
    verb = "".join(argv[at : at + 1])
    if verb not in VALUED_OF_VERB or (verb == "run" and program in PODS):
        return None
    tool += "" if "compose" in tool else " " + verb  # a container is not named as its image is, but a service is one
    at = first_operand(argv, at + 1, VALUED_OF_VERB[verb].split())
    place = "".join(argv[at : at + 1])
    at = first_operand(argv, at + 1, VALUED_OF_VERB["exec"].split()) if program in PODS else at + 1
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

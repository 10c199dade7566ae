"""Commands that run others in a container, a pod or on another machine: where, and which.

To a rule such a command is one of its own: what it runs elsewhere is none of this machine's. Only a rule that says
where something is to be run looks into it.
"""

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.parsing.call import Call, first_operand
from rulec.shell.parsing.parser import parse_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_DOCKER_VALUED = (
    "-f -p --file --project-name --profile --env-file --project-directory --ansi --context -c -H --host --config"
)
CONTAINER_PROGRAMS = {  # program -> its options with a value, which may stand before the subcommand
    "docker": _DOCKER_VALUED,
    "podman": "--url --connection --log-level --root",
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "oc": "-n --namespace --context",
}
PODS = ("kubectl", "oc")
_EXEC_VALUED = "-e -u -w --env --env-file --user --workdir --detach-keys"
_RUN_VALUED = (
    f"{_EXEC_VALUED} -v -p -l -m -h --volume --publish --name --network --entrypoint --mount --label --memory --cpus "
    "--platform --hostname --add-host --restart --gpus --pull --tmpfs --link --device --index"
)
VERBS = {"exec": _EXEC_VALUED + " --index -c --container -n --namespace", "run": _RUN_VALUED}


def container_command(call: Call) -> "tuple[str, str, list[str]] | None":
    """What opens the container, which one it is, and the words that are run there."""
    argv = call.argv
    program = plain_program(call.program)
    if program == "docker compose":
        program, argv = "docker", ["docker", "compose", *argv[1:]]
    if program not in CONTAINER_PROGRAMS:
        return None
    tool, at = program, first_operand(argv, 1, CONTAINER_PROGRAMS[program].split())
    while argv[at : at + 1] in (["compose"], ["container"]):
        tool += " compose" * (argv[at] == "compose")
        at = first_operand(argv, at + 1, CONTAINER_PROGRAMS[program].split())
    verb = "".join(argv[at : at + 1])
    if verb not in VERBS or (verb == "run" and program in PODS):
        return None
    tool += "" if "compose" in tool else " " + verb  # a container is not named as its image is, but a service is one
    at = first_operand(argv, at + 1, VERBS[verb].split())
    place = "".join(argv[at : at + 1])
    at = first_operand(argv, at + 1, VERBS["exec"].split()) if program in PODS else at + 1
    return tool, place, argv[at:]


def run_in_other_container(prefixes: "Sequence[str]", call: Call) -> "Iterator[Call]":
    """What a call runs in another container than those that the prefixes name."""
    found = container_command(call)
    if found is None or not found[2] or not found[1] or "$" in found[1]:
        return
    tool, place, argv = found
    wanted = [one[1] for one in map(container_of_prefix, prefixes) if one and one[0] == tool]
    if wanted and place not in wanted and "" not in wanted:
        quoted = ("'" + word.replace("'", "'\\''") + "'" for word in argv)
        yield from parse_shell(" ".join(quoted)).calls


def container_of_prefix(text: str) -> "tuple[str, str, list[str]] | None":
    """What the words in front of a command open; None for what is no container."""
    words = text.split()
    return container_command(Call(words[:-1] if words[-1:] == ["--"] else words, "", {}, ()))

"""A command taken apart into what can be compared: program, subcommands, flags, operands."""

import re
from functools import lru_cache

from rulec.runtime.manuals import GLOBALS
from rulec.runtime.match import operands, plain
from rulec.runtime.shell import Call

_SUBCOMMAND = re.compile(r"^[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*$")
MOST_DEEP = 3  # subcommands of a program: "docker compose up"


@lru_cache(maxsize=512)  # each fit takes the same calls apart, for each clause of a turn
def words_of(call: Call) -> tuple[str, list[str], list[str], list[str]]:
    """Program, its subcommands, its flags without values, its operands."""
    program = plain(call.program)
    bare, flags = operands(program, call.argv[1:])
    deep = MOST_DEEP if program in GLOBALS else 2
    subcommands: list[str] = []
    for word in bare[:deep]:
        if not _SUBCOMMAND.match(word) or (subcommands and program == "git"):
            break
        subcommands.append(word)
    return program, subcommands, [flag.partition("=")[0] for flag in flags], bare[len(subcommands) :]

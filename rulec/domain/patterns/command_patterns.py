"""Patterns in a person's words that name commands (npm|pnpm install, curl | sh): their programs and words."""

import re

PIPE = " | "  # "curl | sh": what the one gives to the other
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")


def pattern_programs(pattern: str) -> "tuple[str, ...] | None":
    """The programs that a pattern speaks of; None where any program may be meant."""
    last = pattern.rpartition(PIPE)[2]
    first = pattern_words(last)[:1]
    names = tuple(plain_program(name) for name in first[0].split("|")) if first else ()
    return None if any("*" in name for name in names) or (last.strip() and not first) else names


def pattern_words(pattern: str) -> "list[str]":
    """A pattern's program and its words, without what it says of the environment and of the program's folder."""
    words = pattern.split()
    while words and _ASSIGNED.match(words[0]):
        words = words[1:]
    if words and "/" in words[0]:
        words = ["|".join(program_name(option) for option in words[0].split("|")), *words[1:]]
    return words


def is_qualified(pattern: str) -> bool:
    """Whether a pattern says more of a command than its words: the environment or the program's folder."""
    return pattern_words(pattern) != pattern.split()


def plain_program(name: str) -> str:
    """The program's name without a version: python3.11 and python are one, pip3 and pip too."""
    for family in ("python", "pip"):
        if name.startswith(family) and not name[len(family) :].strip("0123456789.w"):
            return family
    return name


def program_family(name: str) -> str:
    """The program that rules on this one are filed under: what is done with docker-compose is done with docker, too."""
    return plain_program(name).removesuffix("-compose")


def program_name(word: str) -> str:
    """The program's name without folder and ``.exe``."""
    name = word.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name[:-4] if name.lower().endswith((".exe", ".cmd")) else name

"""Patterns in a person's words that name commands (npm|pnpm install, curl | sh): their programs and words."""

import re

PIPE = " | "  # "curl | sh": what the one gives to the other
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_REDIRECTION = re.compile(r"(\d*|&)(<<<|<<|<|>>|>)(.*)")


def pattern_programs(pattern: str) -> "tuple[str, ...] | None":
    """The programs that a pattern speaks of; None where any program may be meant."""
    last = pattern.rpartition(PIPE)[2]
    first = pattern_words(last)[:1]
    names = tuple(plain_program(name) for name in first[0].split("|")) if first else ()
    return None if any("*" in name for name in names) or (last.strip() and not first) else names


def pattern_words(pattern: str) -> "list[str]":
    """A pattern's program and its words, without what it says of the environment, the program's folder and files."""
    words = without_redirections(pattern)[0]
    while words and _ASSIGNED.match(words[0]):
        words = words[1:]
    if words and "/" in words[0]:
        words = ["|".join(program_name(option) for option in words[0].split("|")), *words[1:]]
    return words


def without_redirections(pattern: str) -> "tuple[list[str], list[tuple[str, str, str]]]":
    """A pattern's words, and its redirections as (stream, sign, target): "2>/dev/null" is ("2", ">", "/dev/null").

    Where no target is named it is "".
    """
    words: list[str] = []
    found: list[tuple[str, str, str]] = []
    left = pattern.split()
    while left:
        word = left.pop(0)
        match = _REDIRECTION.fullmatch(word) if "<" in word or ">" in word else None
        if match is None:
            words.append(word)
            continue
        stream, sign, target = match.groups()
        if not target and left and not _REDIRECTION.fullmatch(left[0]):
            target = left.pop(0)
        usual = "0" if sign[0] == "<" else "1"
        found += [(one, sign, target) for one in (("1", "2") if stream == "&" else (stream or usual,))]
    return words, found


def is_qualified(pattern: str) -> bool:
    """Whether a pattern says more of a command than its words: the environment, the program's folder or files."""
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

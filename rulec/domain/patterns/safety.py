"""Which patterns and globs may stand in an artifact, and what to write instead of one that may not."""

import re
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from rulec.domain.files import globs
from rulec.domain.patterns.search_time import RegexNode, has_ambiguous_loop, parse_regex, search_exponent, sequences_of
from rulec.errors import RulecError

MOST = 2  # the exponent that re may take
MOST_OF_SEMGREP = 3
LONGEST = 20_000  # characters of one pattern
MOST_ANY = 4  # "**" in a glob, and "*" in one name of it
_UNKNOWN = {
    "GROUPREF": "refers back to what it matched",
    "GROUPREF_EXISTS": "asks what it has matched",
    "ATOMIC_GROUP": "holds an atomic group",
    "POSSESSIVE_REPEAT": "holds a possessive repetition",
}
_CURES = {  # part of what re says -> what to do
    "look-behind": "look behind for texts of one length, or match what stands before as well",
    "bad escape": "write the signs out, as in [A-Za-z], and \\\\ for a backslash",
    "min repeat": "put the smaller number first",
    "repeat": "write \\*, \\+ or \\? for the sign itself",
    "unbalanced": "open it, or write \\) for the sign itself",
    "missing )": "close it, or write \\( for the sign itself",
    "unterminated": "close it, or write \\[ for the sign itself",
}
_LONGEST_SEARCHED = 300  # characters of a pattern of which the part at fault is named
_LOOPS = re.compile(r"[*+{]")
_BY_NAME = re.compile(r"(?<!\\)\(\?P=")
_OF_GROUPS = re.compile(r"\)[*+{]|\(\?[>(]|\(\?P=|\\[1-9]")  # a repeated group, and what the engines differ on
ONE_WAY = "let a repeated group match each text in one way only, such as (\\w+,)* and not (\\w+,?)*"
SHORTER = (
    "let what repeats end where the next part begins: [^,]* or .{0,30} in place of .*, and no two that share signs"
)
PatternProblem = tuple[str, str]  # what is wrong with a pattern, and what to do


@lru_cache(maxsize=8_192)
def regex_problem(pattern: str, *, lines: bool = True) -> PatternProblem | None:
    """What is wrong with a pattern for ``re``, or None; with ``lines`` it only ever sees one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as error:
        cure = next((cure for sign, cure in _CURES.items() if sign in str(error)), "mend the pattern")
        return f"is no pattern: {error}", cure
    except FutureWarning as warning:
        return f"may be read otherwise one day: {warning}", "write signs out, as in [A-Za-z], and \\[ for a bracket"
    if len(pattern) > LONGEST:
        return f"is longer than {LONGEST} characters", "split it into several"
    if _BY_NAME.search(pattern):  # whoever reads the pattern for its growth knows no names
        return _named("GROUPREF")
    if len(_LOOPS.findall(pattern)) < 2 and not _OF_GROUPS.search(pattern):
        return None  # one loop of one sign takes the square of a line at most
    try:
        unknown = next((name for name in _names(parse_regex(pattern)[0]) if name in _UNKNOWN), "")
        return _named(unknown) if unknown else _too_long(pattern, partial(search_exponent, lines=lines), MOST)
    except ValueError as error:
        return f"cannot be judged: {error}", "write it simpler"


def _named(unknown: str) -> PatternProblem:
    return f"{_UNKNOWN[unknown]}, which not every engine can do in bounded time", "say it without that"


@lru_cache(maxsize=8_192)
def semgrep_regex_problem(pattern: str) -> PatternProblem | None:
    """What is wrong with a pattern for Semgrep, or None."""
    try:
        return _too_long(pattern, partial(search_exponent, search=False), MOST_OF_SEMGREP)
    except ValueError as error:
        return f"cannot be judged: {error}", "write it so that Python's re can read it, too"


def _too_long(pattern: str, exponent: Callable[[str], int], most: int) -> PatternProblem | None:
    if has_ambiguous_loop(pattern):
        part = _faulty_part(pattern, has_ambiguous_loop)
        return f"runs away on long lines{part and f': {part!r} can match one text in several ways'}", ONE_WAY
    if exponent(pattern) > most:
        part = _faulty_part(pattern, lambda text: exponent(text) > most)
        return f"takes too long on long lines: the loops of {part or pattern!r} can match the same signs", SHORTER
    return None


def _faulty_part(pattern: str, is_faulty: Callable[[str], bool]) -> str:
    """The smallest part of a pattern that is still at fault, "" where that is the whole."""
    if len(pattern) > _LONGEST_SEARCHED:
        return ""
    end = next((at for at in range(1, len(pattern)) if _is_so(is_faulty, pattern[:at])), len(pattern))
    start = next((at for at in reversed(range(end)) if _is_so(is_faulty, pattern[at:end])), 0)
    return pattern[start:end] if end - start < len(pattern) else ""


def _is_so(is_faulty: Callable[[str], bool], part: str) -> bool:
    try:
        return is_faulty(part)
    except ValueError:  # it is no pattern by itself
        return False


def glob_problem(glob: str) -> PatternProblem | None:
    """What is wrong with a glob, or None: each of its stars multiplies the ways through a long path."""
    options = [option.split("/") for option in globs.expand_braces(glob)]
    if any(names.count("**") > MOST_ANY or max(name.count("*") for name in names) > MOST_ANY for names in options):
        return "has too many stars", f"use no more than {MOST_ANY} of ** and {MOST_ANY} of * in one name"
    return None


def refuse_pattern(wrong: PatternProblem | None, text: str, name: str, where: str) -> None:
    """RulecError where something is wrong with a pattern or glob."""
    if wrong:
        raise RulecError(f"{name}: {text[:200]!r} {wrong[0]}", where=where, hint=wrong[1])


def _names(nodes: list[RegexNode]) -> Iterator[str]:
    for node in nodes:
        yield str(node[0])
        for part in sequences_of(node):
            yield from _names(list(part))

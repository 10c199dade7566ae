"""Commands that may be what a pattern names, as far as the text shows; each doubt with its reason."""

import re

from rulec.domain.patterns.command_patterns import PIPE, is_qualified, pattern_programs, pattern_words, plain_program
from rulec.shell.command_matching import fits_words, is_variable, program_names, words_and_flags
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.runs import reads_commands_from_stdin
from rulec.shell.programs import interpreter_of

HIDING = ("FLAG", "OPT", "ARG", "PARAM", "SWITCH", "EXTRA")  # what variables that hold flags are called
ALL_WORDS = ("$@", "$*", "${@}", "${*}")
MOST_TOLD, LONGEST_TOLD, LONGEST_TEXT = 8, 400, 50_000
PROGRAM = "the program is known only when it runs"
SUBCOMMAND = "the subcommand is a variable"
PIPED = "what the shell runs is known only when it runs"
PIECES = re.compile(r"[A-Za-z0-9.+-]+")
NAME = re.compile(r"\$\{?([A-Za-z_]\w*)")


def hiding_word(call: Call) -> str:
    """The word of a call that may hold flags, or ""."""
    return next((word for word in call.argv[1:] if call.dynamic and is_variable(word) and _may_hold_flags(word)), "")


def why_possible(patterns: "tuple[str, ...]", call: Call, text: str) -> str:
    """Why the call may be one that a pattern names, or ""."""
    mentions = mentioned_words(call, text)
    for pattern in patterns:
        why = "" if PIPE in pattern or is_qualified(pattern) else _why_pattern_possible(pattern.split(), call, mentions)
        if why:
            return why
    return ""


def spares_unknown_program(free: str, call: Call) -> bool:
    """Whether a call of an unknown program has the words of an excepted command."""
    wanted = pattern_words(free)
    unknown = len(wanted) > 1 and bool(call.argv) and is_variable(call.argv[0])
    return unknown and fits_words(wanted, plain_program(wanted[0].partition("|")[0]), call.argv[1:])


def _why_pattern_possible(wanted: "list[str]", call: Call, mentions: "frozenset[str]") -> str:
    if not wanted or not call.argv:
        return ""
    rest = wanted[1:]
    mentioned = any(name in mentions for name in pattern_programs(wanted[0]) or ())
    if not is_variable(call.argv[0]):
        known = any(name in (pattern_programs(wanted[0]) or ()) for name in program_names(call))
        if known:
            return _why_words_hidden(wanted, call, mentions)
        fed = mentioned and call.feeds and reads_commands_from_stdin(call.program, call.argv)
        return PIPED if fed and all(_any_mentioned(word, mentions) for word in rest) else ""
    if not mentioned and len(rest) < 2:
        return ""
    if mentioned and all(_any_mentioned(word, mentions) for word in rest):
        return PROGRAM
    names = [plain_program(name) for name in wanted[0].split("|")]
    return PROGRAM if rest and any(fits_words(wanted, name, call.argv[1:]) for name in names) else ""


def _why_words_hidden(wanted: "list[str]", call: Call, mentions: "frozenset[str]") -> str:
    """Why a call of the pattern's program may have its subcommand or flags."""
    flags = [word for word in wanted[1:] if word.startswith("-")]
    bare = [word for word in wanted if not word.startswith("-")]
    names = [plain_program(name) for name in wanted[0].split("|")]
    given = call.argv[1:]
    if any(fits_words(bare, name, given) for name in names):
        word = hiding_word(call)
        return f"{word} may hold {' '.join(flags)}" if word and flags else ""
    first = next(iter(words_and_flags(plain_program(call.program), given)[0]), "")
    if len(bare) < 2 or not is_variable(first):
        return ""
    likely = flags or any(option in mentions for option in bare[1].split("|"))
    filled = [bare[1].partition("|")[0] if word == first else word for word in given]
    return SUBCOMMAND if likely and any(fits_words(wanted, name, filled) for name in names) else ""


def _may_hold_flags(word: str) -> bool:
    if word in ALL_WORDS or word.startswith(("${@", "$@")):
        return True
    name = NAME.match(word)
    return any(part in name[1].upper() for part in HIDING) if name else False


def _any_mentioned(word: str, mentions: "frozenset[str]") -> bool:
    return any(option.lower() in mentions for option in word.split("|"))


def mentioned_words(call: Call, text: str) -> "frozenset[str]":
    """The words of the text that may be part of what the call leaves unknown: names, values, sources."""
    parts: list[str] = []
    if any(interpreter_of(name.rpartition("/")[2]) for name in call.via[-1:]):
        parts.append(text[:LONGEST_TEXT])
    for word in [word for word in call.argv if is_variable(word)][:MOST_TOLD]:
        name = NAME.match(word)
        parts.append(name[1].replace("_", " ") if name else word)
        parts += _values_in_text(name[1], text) if name else []
    if reads_commands_from_stdin(call.program, call.argv):
        parts += [" ".join(other.argv)[:LONGEST_TOLD] for other in call.feeds]
        parts += call.argv
    return frozenset(piece.lower() for part in parts for piece in PIECES.findall(part))


def _values_in_text(name: str, text: str) -> "list[str]":
    """The values that the text assigns to the variable, as written."""
    found: list[str] = []
    at = 0
    while len(found) < MOST_TOLD:
        at = text.find(name, at)
        if at < 0:
            break
        end = at + len(name)
        before = text[at - 1 : at] if at else " "
        if text[end : end + 1] == "=" and before in " \t\n;&|(":
            found.append(_line(text, end + 1))
        elif text[end : end + 4] == " in " and before == " ":
            found.append(_line(text, end + 4))
        at = end
    return found


def _line(text: str, start: int) -> str:
    return text[start : start + LONGEST_TOLD].partition("\n")[0].partition(";")[0]

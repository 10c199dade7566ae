"""The programs that a raw script may run and their permitted arguments: they only read files and print."""

import re
from collections.abc import Callable, Sequence

from rulec.checks.shell.raw_variables import Variables, check_stays_in_tree
from rulec.checks.shell.raw_words import RawCommand, RawRedirect, RawWord, ScriptRefusedError

_UNARY = ("-f", "-d", "-e", "-s", "-r", "-x", "-h", "-L", "-n", "-z")
_ABOUT_FILES = _UNARY[:-2]
_BINARY = ("=", "!=", "-eq", "-ne", "-lt", "-le", "-gt", "-ge")
_LOOKS = {  # reads files: its flags, those with a value behind ":"
    "cat": "",
    "head": "n:c:",
    "tail": "n:c:",
    "cut": "d:f:c:b:s",
    "wc": "lcwm",
    "sort": "unrfbk:t:",
    "cmp": "s",
    "diff": "qubw",
}
_TAKES = {"tr": "dscC", "basename": "a", "dirname": "", "uniq": "cdui"}  # reads no file
_GREP = "EFGaqnvicloLwxhsHe:m:A:B:C:"
_DELIMITED = r"(?P<d{0}>[/|#,:@!])(?P<re{0}>(?:(?!(?P=d{0}))[^\\\n]|\\[^\n])*)(?P=d{0})"
_ADDRESS = r"(?:[0-9]+|\$|/(?P<{0}>(?:[^/\\\n]|\\[^\n])*)/)"
_SED = re.compile(
    rf"(?:{_ADDRESS.format('a')}(?:,{_ADDRESS.format('b')})?!?)?"
    rf"(?:[pdq=]|s{_DELIMITED.format('')}(?:(?!(?P=d))[^\\\n]|\\[^\n])*(?P=d)[gpI0-9]*)"
)
_DOTS = re.compile(r"(?:\A|/)\.?\Z")
_REPEATS = re.compile(r"\{([0-9]*)(?:,([0-9]*))?\\?\}")
_FORMAT = re.compile(r"(?:[^%]|%%|%[-+ ]?[0-9]{0,3}(?:\.[0-9]{1,2})?[sdicxob])*")
MOST_REPEATS, LONGEST_PATTERN = 1_000, 1_000
_ASIDE = {  # why those that people reach for are not on the list
    "awk": "awk can write files and run commands",
    "sed": "sed can write files",
    "find": "find can delete and run things",
    "xargs": "xargs runs whatever it reads",
    "git": "git reads and writes far more than the change",
    "tee": "tee writes files",
    "eval": "eval runs what nobody has read",
}


def known_programs() -> list[str]:
    """The names of all programs."""
    return sorted({*_LOOKS, *_TAKES, *_BY_NAME})


def check_command(command: RawCommand, names: Variables) -> None:
    """Refuse a command that could do more than read the files it is given and print."""
    for _, value in command.given:
        names.check(value)
    for word in command.words:
        names.check(word)
    for redirect in command.redirects:
        check_redirect(redirect, names)
    if not command.words:
        return
    program = command.words[0].bare
    _check_before(command, program)
    if program in _LOOKS:
        _looks(program, command.words[1:], names)
    elif program in _TAKES:
        operands = _operands(program, _single(command.words[1:], names), _TAKES[program])[0]
        if program == "uniq" and operands:
            raise ScriptRefusedError(
                "gives uniq files, the second of which it writes", "give it its input by a pipe", operands[0].at
            )
    elif program in _BY_NAME:
        _BY_NAME[program](command.words[1:], names)
    else:
        what = f"runs {program[:40]}" if program else "runs a program whose name is not written out"
        aside = f"{_ASIDE[program]}; " if program in _ASIDE else ""
        raise ScriptRefusedError(what, f"{aside}a script may run {', '.join(known_programs())}", command.at)


def check_redirect(redirect: RawRedirect, names: Variables) -> None:
    """Refuse a redirection other than from a file of the tree, to /dev/null, or between output and error."""
    target = redirect.target
    names.check(target)
    if redirect.sign == "<" and not redirect.number:
        check_stays_in_tree(names, target, "reads")
    elif redirect.sign == ">&" and redirect.number in ("", "1", "2") and target.bare in ("1", "2"):
        return
    elif not (redirect.sign in (">", ">>") and redirect.number in ("", "1", "2") and target.bare == "/dev/null"):
        hint = 'a check prints with finding; only >/dev/null, 2>&1, >&2 and <"$path" are for it'
        raise ScriptRefusedError(f"redirects with {redirect.number}{redirect.sign}", hint, target.at)


def _check_before(command: RawCommand, program: str) -> None:
    for name, value in command.given:
        split = name == "IFS" and program == "read" and value.literal in ("", ":", ",", "\t", " ", "=", "|")
        tabbed = [(p.kind, p.text) for p in value.parts] == [("name", "tab")] and name == "IFS" and program == "read"
        if not (split or tabbed or (name == "LC_ALL" and value.literal == "C")):
            hint = "set variables on a line of their own; LC_ALL=C and IFS= before read are all that may stand there"
            raise ScriptRefusedError(f"sets {name} for a command", hint, command.at)


def _single(words: Sequence[RawWord], names: Variables) -> Sequence[RawWord]:
    """The words; refuse one that the shell may split."""
    for word in words:
        if not (word.one or _whole_number(word, names)):
            raise ScriptRefusedError(
                "has a word that the shell may split or complete", "quote it: \"$name\", '*.py'", word.at
            )
    return words


def _whole_number(word: RawWord, names: Variables) -> bool:
    part = word.parts[0]
    named = part.kind == "name" and (
        part.sign == "length" or (not part.sign and part.text in {"#", "?", *names.numbers})
    )
    return len(word.parts) == 1 and (named or part.kind == "math")


def _operands(
    program: str, words: Sequence[RawWord], flags: str
) -> tuple[list[RawWord], dict[str, list[RawWord]], str]:
    """The operands, the flags' values, and the flags' letters; refuse an unknown flag."""
    operands, values, letters, rest = list[RawWord](), dict[str, list[RawWord]](), "", list(words)
    while rest:
        word = rest.pop(0)
        text = word.literal
        if text == "--":
            return [*operands, *rest], values, letters
        if text is None or not text.startswith("-") or text == "-":
            if text is None and word.parts[0].kind == "text" and word.parts[0].text.startswith("-"):
                raise ScriptRefusedError(
                    f"gives {program} a flag that is only known when it runs", "write it out", word.at
                )
            operands.append(word)
            continue
        if program in ("head", "tail") and text[1:].isdigit():
            continue
        for place, letter in enumerate(text[1:], 2):
            if letter not in flags.replace(":", ""):
                hint = f"{program} may have {', '.join('-' + f for f in flags if f != ':') or 'no flags'}"
                raise ScriptRefusedError(f"gives {program} the flag {text[:20]}", hint, word.at)
            letters += letter
            if f"{letter}:" in flags:
                inline = RawWord(
                    parts=(word.parts[0].__class__(kind="text", text=text[place:], quoted=True),), at=word.at
                )
                if not text[place:] and not rest:
                    raise ScriptRefusedError(f"gives {program} -{letter} without a value", "add it", word.at)
                values.setdefault(letter, []).append(inline if text[place:] else rest.pop(0))
                break
    return operands, values, letters


def _looks(program: str, words: Sequence[RawWord], names: Variables) -> None:
    for word in _operands(program, _single(words, names), _LOOKS[program])[0]:
        if word.literal != "-":
            check_stays_in_tree(names, word, f"reads with {program}")
        if program in ("cmp", "diff") and word.literal is not None and _DOTS.search(word.literal):
            raise ScriptRefusedError(f"gives {program} a folder", "compare files, each by its own name", word.at)


def _grep(words: Sequence[RawWord], names: Variables) -> None:
    operands, values, letters = _operands("grep", _single(words, names), _GREP)
    patterns, files = (values["e"], operands) if "e" in values else (operands[:1], operands[1:])
    behind = "e" in values or any(word.literal == "--" for word in words)
    for pattern in patterns:
        if pattern.literal is None and not ("F" in letters and behind):
            raise ScriptRefusedError(
                "looks for a pattern that is only known when it runs", 'write grep -F -e "$text"', pattern.at
            )
        if pattern.literal is not None and "F" not in letters:
            _check_pattern(pattern.literal, pattern.at)
    for word in files:
        if word.literal != "-":
            check_stays_in_tree(names, word, "reads with grep")


def _check_pattern(pattern: str, at: int) -> None:
    if len(pattern) > LONGEST_PATTERN:
        raise ScriptRefusedError(f"has a pattern longer than {LONGEST_PATTERN} characters", "split it into several", at)
    if re.search(r"\\[1-9]", pattern):
        raise ScriptRefusedError("has a pattern that refers back to what it matched", "say it without \\1", at)
    product = 1
    for least, most in _REPEATS.findall(pattern):
        product *= max(int((most or least or "1")[:9]), 1)
    if product > MOST_REPEATS:
        raise ScriptRefusedError(
            "has a pattern with too many repetitions", f"keep {{n}} in all below {MOST_REPEATS}", at
        )


def _sed(words: Sequence[RawWord], names: Variables) -> None:
    operands, values, _ = _operands("sed", _single(words, names), "nEre:")
    scripts, files = (values["e"], operands) if "e" in values else (operands[:1], operands[1:])
    for script in scripts:
        found = _SED.fullmatch(script.literal or "")
        if found is None:
            hint = f"{_ASIDE['sed']}, so that only s/.../.../, p, d, q and = with an address are for it"
            raise ScriptRefusedError("gives sed more than one plain command", hint, script.at)
        for name in ("a", "b", "re"):
            _check_pattern(found[name] or "", script.at)
    for word in files:
        check_stays_in_tree(names, word, "reads with sed")


def _test(words: Sequence[RawWord], names: Variables) -> None:
    texts = [word.literal for word in _single(words, names)]
    at = words[0].at if words else -1
    if texts[:1] == ["!"] and len(texts) > 1:
        _test(words[1:], names)
    elif len(words) == 1 and (texts[0] is None or texts[0] not in ("(", ")")):
        return
    elif len(words) == 2 and texts[0] in _UNARY:
        base = [(part.kind, part.text, part.within) for part in words[1].parts] == [("name", "RULEC_BASE", ())]
        if texts[0] in _ABOUT_FILES and not base:
            check_stays_in_tree(names, words[1], "asks for")
    elif not (len(words) == 3 and texts[1] in _BINARY):
        hint = f"it reads one test: {' '.join(_UNARY)} WORD, or WORD {' '.join(_BINARY)} WORD; join several with &&, ||"
        raise ScriptRefusedError("has a test of a form that is not read", hint, at)


def _bracket(words: Sequence[RawWord], names: Variables) -> None:
    if not words or words[-1].bare != "]":
        raise ScriptRefusedError("has a [ that is not closed", "end it with ]", words[-1].at if words else -1)
    _test(words[:-1], names)


def _printf(words: Sequence[RawWord], _: Variables) -> None:
    form = words[0].literal if words else None
    if form is None or form.startswith("-") or not _FORMAT.fullmatch(form):
        hint = "write: printf '%s\\n' \"$text\""
        raise ScriptRefusedError("has a printf whose format is not plain", hint, words[0].at if words else -1)


def _expr(words: Sequence[RawWord], names: Variables) -> None:
    texts = [word.literal for word in _single(words, names)]
    for number, text in enumerate(texts):
        if text is not None:
            _check_pattern(text, words[number].at)
        elif number and (texts[number - 1] == ":" or texts[number - 1] is None or "match" in texts):
            raise ScriptRefusedError(
                "matches a pattern that is only known when it runs", "write it out", words[number].at
            )


def _read(words: Sequence[RawWord], _: Variables) -> None:
    if (
        [word.literal for word in words[:1]] != ["-r"]
        or not words[1:]
        or any(word.bare[:1] in ("", "-") for word in words[1:])
    ):
        raise ScriptRefusedError(
            "has a read of a form that is not read", "write: read -r name", words[0].at if words else -1
        )


def _set(words: Sequence[RawWord], _: Variables) -> None:
    first = words[0].literal if words else None
    if first != "--" and not (len(words) == 1 and first in ("-e", "-u", "-f", "-eu")):
        raise ScriptRefusedError("has a set of a form that is not read", "write set -- WORDS, set -f, set -e or set -u")


def _number(words: Sequence[RawWord], names: Variables) -> None:
    if len(words) > 1 or not all(
        re.fullmatch(r"[0-9]{1,3}", word.literal or "") or _whole_number(word, names) for word in words
    ):
        raise ScriptRefusedError("has a word that is no number", "write a number or nothing", words[0].at)


def _any(_: Sequence[RawWord], __: Variables) -> None:
    """Any words are permitted."""


_BY_NAME: dict[str, Callable[[Sequence[RawWord], Variables], None]] = {
    "grep": _grep,
    "sed": _sed,
    "test": _test,
    "[": _bracket,
    "printf": _printf,
    "expr": _expr,
    "read": _read,
    "set": _set,
    "exit": _number,
    "return": _number,
    "break": _number,
    "continue": _number,
    "shift": _number,
    **dict.fromkeys((":", "true", "false", "echo", "finding", "listed", "changes"), _any),
}

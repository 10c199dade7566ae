"""A raw shell script: what the parser of commands sees it run and write; a person accepts it, and a limit ends it."""

import re

from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.shell.parsing.call import Call, operands, option_values
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import WRITES, effects_of_call

LONGEST = 6_000  # characters
PROGRAMS = frozenset(
    [
        *("[", ":", "test", "expr", "true", "false", "echo", "printf", "read", "set", "shift"),
        *("break", "continue", "return", "exit", "finding", "listed", "changes"),
        *(
            "basename",
            "cat",
            "cmp",
            "cut",
            "diff",
            "dirname",
            "grep",
            "head",
            "sed",
            "sort",
            "tail",
            "tr",
            "uniq",
            "wc",
        ),
    ]
)
_ASIDE = {  # why those that people reach for are not on the list
    "awk": "awk can write files and run commands",
    "find": "find can delete and run things",
    "xargs": "xargs runs whatever it reads",
    "git": "git reads and writes far more than the change",
}
_NULL = "/dev/null"
_PLAIN = "\n\t"
_VARIABLE = re.compile(r"[a-z_][a-z0-9_]*|LC_ALL|IFS")
_OURS = ("newline", "tab", "rulec_")  # what the script that is compiled around it sets, by how the names begin
_ADDRESS = r"(?:[0-9]+|\$|/(?:[^/\\\n]|\\[^\n])*/)"
_SED = re.compile(  # one command of sed that can only print: e and w run and write
    rf"(?:{_ADDRESS}(?:,{_ADDRESS})?!?)?"
    r"(?:[pdq=]|s(?P<d>[/|#,:@!])(?:(?:(?!(?P=d))[^\\\n]|\\[^\n])*(?P=d)){2}[gpI0-9]*)"
)


def vet_script(script: str, name: str, where: str = "") -> str:
    """The script as it may run; RulecError where it may not."""
    refused = _why_refused(script)
    if refused:
        raise RulecError(f"{name}: {to_one_line(refused[0])}", where=where, hint=refused[1])
    return script.strip("\n")


def _why_refused(script: str) -> tuple[str, str] | None:
    """Why a script may not run, and what to write instead; None where it may."""
    if len(script) > LONGEST:
        return f"is longer than {LONGEST:,} characters", "one script checks one thing"
    odd = next((sign for sign in script if not (sign.isprintable() or sign in _PLAIN)), "")
    if odd:
        return f"holds the sign U+{ord(odd):04X}", "write it in plain text with plain line ends"
    if not script.strip():
        return "is empty", 'write: for path do ... finding "$path" 0 "why"; done'
    parsed = parse_shell(script)
    if parsed.unsure:
        return f"cannot be read with certainty: {parsed.unsure}", "write it simpler"
    given = {name for call in parsed.calls for name in call.env}
    given |= {word for call in parsed.calls if call.program == "read" for word in operands(call.argv, "")}
    for name in sorted(parsed.assigned | given):
        if not _VARIABLE.fullmatch(name) or name.startswith(_OURS):
            return f"sets {name}", "name variables in small letters, none rulec_..., newline or tab"
    return next(filter(None, map(_why_call, parsed.calls)), None)


def _why_call(call: Call) -> tuple[str, str] | None:
    """Why one command may not run."""
    program = call.argv[0] if call.argv else ""
    if program and program not in PROGRAMS:
        aside = f"{_ASIDE[program]}; " if program in _ASIDE else ""
        return f"runs {program[:40]}", f"{aside}a script may run {', '.join(sorted(PROGRAMS))}"
    targets = [path for sign, path in call.redirects if sign in WRITES and path != _NULL]
    targets += [effect.path for effect in effects_of_call(call) if effect.path != _NULL]
    targets += operands(call.argv, "-f -s -w")[1:] if program == "uniq" else []
    if targets:
        return f"writes {targets[0][:40]}", f"a check prints with finding; only {_NULL} is for it"
    if program == "sed" and not _only_prints(call.argv):
        return "gives sed more than one plain command", "only s/.../.../, p, d, q and = with an address are for it"
    if program == "sort" and any(word.startswith("--") for word in call.argv):
        return "gives sort a long option, some of which run programs", "write the short ones"
    return None


def _only_prints(argv: list[str]) -> bool:
    scripts = option_values(argv, ("-e",)) or operands(argv, "-e")[:1]
    options = all(re.fullmatch(r"-[nEr]*e?|[^-].*", word, re.DOTALL) for word in argv[1:])
    return options and all(map(_SED.fullmatch, scripts))

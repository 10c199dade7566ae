"""A raw shell script: read strictly, and refused wherever it could do anything but read the change and print.

It has a reader of its own: the parser of agents' commands takes any text, and keeps neither quotes nor the places of
keywords, by which a script that is refused differs from one that passes. What it finds is compared at the end.
"""

from rulec.checks.shell.raw_grammar import parse_script
from rulec.checks.shell.raw_programs import check_command, check_redirect, known_programs
from rulec.checks.shell.raw_variables import Variables
from rulec.checks.shell.raw_words import ScriptRefusedError
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.shell.parsing import parser

LONGEST = 6_000  # characters
PROGRAMS = tuple(known_programs())
_PLAIN = "\n\t"


def vet_script(script: str, name: str, where: str = "") -> str:
    """The script as it may run; RulecError with its line where it may not."""
    try:
        _vet(script)
    except ScriptRefusedError as found:
        line = f", line {script.count(chr(10), 0, found.at) + 1}" if found.at >= 0 else ""
        raise RulecError(f"{name}{line}: {to_one_line(found.what)}", where=where, hint=found.hint) from None
    except RecursionError:
        raise RulecError(f"{name}: nests too deeply", where=where, hint="write it flatter") from None
    return script.strip("\n")


def _vet(script: str) -> None:
    if len(script) > LONGEST:
        raise ScriptRefusedError(f"is longer than {LONGEST:,} characters", "one script checks one thing")
    odd = next((at for at, sign in enumerate(script) if not (sign.isprintable() or sign in _PLAIN)), -1)
    if odd >= 0:
        raise ScriptRefusedError(
            f"holds the sign U+{ord(script[odd]):04X}", "write it in plain text with plain line ends", odd
        )
    if not script.strip():
        raise ScriptRefusedError("is empty", 'write: for path do ... finding "$path" 0 "why"; done')
    found = parse_script(script)
    names = Variables(found)
    for command in found.commands:
        check_command(command, names)
    for redirect in found.redirects:
        check_redirect(redirect, names)
    for word in found.words:
        names.check(word)
    _agree(script)


def _agree(script: str) -> None:
    """Refuse a script in which the parser of agents' commands finds other programs than this one."""
    seen = parser.parse_shell(script)
    odd = next((call.program for call in seen.calls if call.argv and call.program not in _RUN), "")
    if seen.unsure or odd:
        what = seen.unsure or f"may run {odd[:40]}"
        raise ScriptRefusedError(f"cannot be read with certainty: {what}", "write it simpler")


_RUN = frozenset((*PROGRAMS, ""))

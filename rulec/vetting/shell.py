"""A raw shell script: read strictly, and refused wherever it could do anything but read the change and print."""

from rulec.errors import RulecError
from rulec.model.artifact import one_line
from rulec.runtime import shell
from rulec.vetting._grammar import read
from rulec.vetting._names import Names
from rulec.vetting._programs import check, check_redirect, known
from rulec.vetting._tree import Refused

LONGEST = 6_000  # characters
PROGRAMS = tuple(known())
_PLAIN = "\n\t"


def vet(script: str, name: str, where: str = "") -> str:
    """The script as it may be run; RulecError, in one line, where it may not."""
    try:
        _vet(script)
    except Refused as found:
        line = f", line {script.count(chr(10), 0, found.at) + 1}" if found.at >= 0 else ""
        raise RulecError(f"{name}{line}: {one_line(found.what)}", where=where, hint=found.hint) from None
    except RecursionError:
        raise RulecError(f"{name}: nests too deeply", where=where, hint="write it flatter") from None
    return script.strip("\n")


def _vet(script: str) -> None:
    if len(script) > LONGEST:
        raise Refused(f"is longer than {LONGEST:,} characters", "one script checks one thing")
    odd = next((at for at, sign in enumerate(script) if not (sign.isprintable() or sign in _PLAIN)), -1)
    if odd >= 0:
        raise Refused(f"holds the sign U+{ord(script[odd]):04X}", "write it in plain text with plain line ends", odd)
    if not script.strip():
        raise Refused("is empty", 'write: for path do ... finding "$path" 0 "why"; done')
    found = read(script)
    names = Names(found)
    for command in found.commands:
        check(command, names)
    for redirect in found.redirects:
        check_redirect(redirect, names)
    for word in found.words:
        names.check(word)
    _agree(script)


def _agree(script: str) -> None:
    """Refused where the other reader of shell texts that we have, which follows agents' commands, sees more."""
    seen = shell.parse(script)
    odd = next((call.program for call in seen.calls if call.argv and call.program not in _RUN), "")
    if seen.unsure or odd:
        what = seen.unsure or f"may run {odd[:40]}"
        raise Refused(f"cannot be read with certainty: {what}", "write it simpler")


_RUN = frozenset((*PROGRAMS, ""))

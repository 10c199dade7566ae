"""The contract that a compiled shell check keeps: what it is given, how it ends, and the lines it prints."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


SCRIPT_SECONDS = 10  # that one script may take
LONGEST_LINE = 200  # characters of a printed line that are shown
MESSAGE_PATH = "-"  # where a finding speaks of the commit message
_CHUNK = 100_000  # bytes of paths in one call; the least that systems promise is more
_SIGNALS = 128  # exit codes from here on are deaths by signal
_DIGITS = re.compile(r":(\d{1,9}):")


def split_paths(paths: Iterable[str]) -> list[list[str]]:
    """The arguments of each call over these files: split by length, at least one call."""
    chunks: list[list[str]] = [[]]
    size = 0
    for path in paths:
        argument = f"./{path}" if path.startswith("-") else path
        size += len(argument.encode("utf-8", "surrogatepass")) + 1
        if size > _CHUNK and chunks[-1]:
            chunks.append([])
            size = 0
        chunks[-1].append(argument)
    return chunks


def printed_path(path: str) -> str:
    """The path as scripts print it: on one line."""
    return path.replace("\n", "\x01")


def changes_text(changes: Iterable[tuple[str, str]]) -> str:
    """What RULEC_CHANGES holds for (status, path) of each changed file."""
    return "".join(f"{status}\t{printed_path(path)}\n" for status, path in changes)


def script_environment(
    *, changes: str = "", message: str = "", base: str = "", environment: str = "local"
) -> dict[str, str]:
    """The variables that a script reads: files with the changes and the message, a folder of the files before."""
    return {"RULEC_CHANGES": changes, "RULEC_MESSAGE": message, "RULEC_BASE": base, "RULEC_ENVIRONMENT": environment}


def read_output(code: int, out: str, known: Mapping[str, str], err: str = "") -> Iterator[tuple[str, int, str] | str]:
    """What a script found, as (path, line, text), and in a string each way in which it broke the contract.

    ``known`` maps the paths that it may name, as it prints them, to the paths of the change.
    """
    lines = [line for line in out.split("\n") if line]
    if not 0 <= code <= 1 or bool(code) != bool(lines):
        yield _ending(code, found=bool(lines)) + _complaint(err)
        return
    for line in lines:
        yield _split_line(line, known) or f"printed no path:line:text: {line[:LONGEST_LINE]!r}"


def _ending(code: int, *, found: bool) -> str:
    signal = -code if code < 0 else code - _SIGNALS  # Popen and shells tell it each in their way
    if signal > 0:
        return f"died by signal {signal}"
    if code > 1:
        return f"ended with {code}"
    return "ended with 0 although it found something" if found else "ended with 1 and named no finding"


def _complaint(err: str) -> str:
    lines = err.strip().splitlines()
    return f": {lines[-1][:LONGEST_LINE]}" if lines else ""


def _split_line(line: str, known: Mapping[str, str]) -> tuple[str, int, str] | None:
    """A line cut into path, line number and text, at the first place that leaves a known path before it."""
    for cut in _DIGITS.finditer(line):
        path = known.get(line[: cut.start()].removeprefix("./"))
        if path is not None:
            return path, int(cut[1]), line[cut.end() :].strip()[:LONGEST_LINE]
    return None

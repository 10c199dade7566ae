"""Commands in files of YAML or INI, behind keys in named parts: the jobs of a workflow, the environments of tox."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


BLOCK_SIGNS = "|>"  # a text of several lines follows
_LIST_SIGN = re.compile(r"^\s*(?:-\s+)?")
_QUOTED = re.compile(r"^([\"'])(.*)\1\s*$")


def texts_of_parts(text: str, parts: list[str], keys: list[str]) -> Iterator[str]:
    """The commands behind the keys in the parts of these names; those of one key together."""
    names, lines = "|".join(map(re.escape, parts)), text.split("\n")
    # [testenv:web], [testenv:{lint,web}]
    section = re.compile(rf"\[(?:[^\]]*[:.\s{{,])?(?:{names})(?:[,}}][^\]]*)?\]\s*")
    entry = re.compile(rf"\s*[\"']?(?:{names})[\"']?:\s*(?:#.*)?")
    for at, line in enumerate(lines):
        if section.fullmatch(line):
            yield from _texts_behind(keys, _section(lines[at + 1 :]))
        elif entry.fullmatch(line):
            yield from _texts_behind(keys, _below(lines, at))


def texts_of_started(text: str, starter: str, keys: list[str]) -> Iterator[str]:
    """The commands behind the keys of a workflow that is started by the event of this name."""
    head, jobs, rest = text.partition("\njobs:")
    if jobs and re.search(rf"\b{re.escape(starter)}\b", head):
        yield from _texts_behind(keys, rest.split("\n"))


def _texts_behind(keys: list[str], lines: list[str]) -> Iterator[str]:
    key = re.compile(rf"\s*(?:-\s+)?(?:{'|'.join(map(re.escape, keys))})\s*[:=]\s*(.*)")
    for at, line in enumerate(lines):
        found = key.fullmatch(line)
        if found:
            value = found[1]
            rows = [value] if value and value[0] not in BLOCK_SIGNS else _below(lines, at)
            yield "\n".join(_QUOTED.sub(r"\2", _LIST_SIGN.sub("", row)) for row in rows)


def _section(lines: list[str]) -> list[str]:
    """The lines up to the next section."""
    end = next((at for at, line in enumerate(lines) if line.startswith("[")), len(lines))
    return lines[:end]


def _below(lines: list[str], at: int) -> list[str]:
    """The lines below this one that stand further in, or are items of its list."""
    head = lines[at].lstrip()
    begins = len(lines[at]) - len(head) + 2 * head.startswith("- ")
    found: list[str] = []
    for line in lines[at + 1 :]:
        inner = line.lstrip()
        depth = len(line) - len(inner)
        if inner and depth <= begins and not (inner.startswith("- ") and depth == begins):
            break
        found.append(line)
    return found

"""Merging what rulec generated: three versions of a file into one, or the conflict markers that git left."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulec.errors import RulecError
from rulec.integrations import marked_block

_ANY = re.compile(r"^(?:<<<<<<<|\|\|\|\|\|\|\||>>>>>>>) ", re.MULTILINE)
_HUNK = re.compile(
    r"^<<<<<<< .*\n"
    r"(?P<ours>(?:(?!<<<<<<< |\|\|\|\|\|\|\| |=======\r?\n).*\n)*)"
    r"(?:\|\|\|\|\|\|\| .*\n(?:(?!<<<<<<< |=======\r?\n).*\n)*)?"
    r"=======\r?\n"
    r"(?P<theirs>(?:(?!<<<<<<< |>>>>>>> ).*\n)*)"
    r">>>>>>> .*(?:\n|\Z)",
    re.MULTILINE,
)

Rest = Callable[[str], str | None]  # a text -> what is left of it without rulec's part


def resolve_markers(text: str, path: str, rest: Rest) -> str:
    """The text as our side has it; RulecError at the first conflict that is a person's to settle."""
    if not _ANY.search(text):
        return text
    hunks = list(_HUNK.finditer(text))
    ours = _side(text, hunks)
    known = _without_our_part(rest, ours)
    for number, hunk in enumerate(hunks):
        if known is None or _without_our_part(rest, _side(text, hunks, number)) != known:
            raise _refusal(path, text, hunk.start())
    if _ANY.search(ours):
        raise _refusal(path, text, next(found.start() for found in _ANY.finditer(text)))
    return ours


def _without_our_part(rest: Rest, text: str) -> str | None:
    """What is left without our part, as a text; None where our part is damaged."""
    try:
        return rest(text) or ""
    except RulecError:
        return None


def _side(text: str, hunks: Sequence[re.Match[str]], turned: int = -1) -> str:
    """Our side of every conflict, and their side of one."""
    found, at = "", 0
    for number, hunk in enumerate(hunks):
        found += text[at : hunk.start()] + hunk["theirs" if number == turned else "ours"]
        at = hunk.end()
    return found + text[at:]


def _refusal(path: str, text: str, at: int) -> RulecError:
    where = f"{path}:{text.count(chr(10), 0, at) + 1}"
    hint = "finish the merge: settle it by hand, then run rulec compile"
    return RulecError("a merge conflict stands here", where=where, hint=hint)


Lines = Callable[[str, str, str], tuple[str, bool]]  # base, ours, theirs -> the merge, and whether it is clean


@dataclass(frozen=True, slots=True)
class _Version:
    """A text with one line in the place of our block, and the block, each of its lines without its end."""

    text: str
    block: tuple[str, ...]


def merge_three_ways(base: str, ours: str, theirs: str, path: str, lines: Lines) -> tuple[str, bool]:
    """The merge, and whether it is free of conflicts; rulec's block never conflicts."""
    marks = next(
        (marks for marks in (marked_block.HTML, marked_block.HASH) if marks.begin in ours or marks.begin in theirs),
        None,
    )
    if marks is None:
        return lines(base, ours, theirs)
    try:
        versions = [_emptied(text, marks, path) for text in (base, ours, theirs)]
    except RulecError:  # marks that are damaged hold nothing that is ours to choose
        return lines(base, ours, theirs)
    text, clean = lines(*(version.text for version in versions))
    return _filled(text, marks, versions[1].block or versions[2].block), clean


def _emptied(text: str, marks: marked_block.Marks, path: str) -> _Version:
    found = marked_block.find_block(text, marks, path)
    if found is None:
        return _Version(text, ())
    stood = text.split("\n")
    first = found.before.count("\n")
    last = first + len(found.lines) + 1
    rest = [*stood[:first], marks.begin, *stood[last + 1 :]]
    return _Version("\n".join(rest), tuple(line.removesuffix("\r") for line in stood[first : last + 1]))


def _filled(text: str, marks: marked_block.Marks, block: Sequence[str]) -> str:
    """The block in its place; at the end of the text where a conflict has left it no place, or two."""
    lines = text.split("\n")
    places = [number for number, line in enumerate(lines) if line.strip() == marks.begin]
    ending = "\r" if text.count("\r\n") * 2 > len(lines) else ""
    wanted = [line + ending for line in block]
    if len(places) == 1 and not _disputed(lines[: places[0]]):
        return "\n".join([*lines[: places[0]], *wanted, *lines[places[0] + 1 :]])
    rest = [line for number, line in enumerate(lines) if number not in places]
    if not places:
        return text
    return "\n".join([*rest[:-1], *filter(None, rest[-1:]), ending, *wanted, ""])


def _disputed(before: Sequence[str]) -> bool:
    """Whether a conflict is open at the end of these lines."""
    begun = sum(line.startswith("<<<<<<< ") for line in before)
    return begun > sum(line.startswith(">>>>>>> ") for line in before)

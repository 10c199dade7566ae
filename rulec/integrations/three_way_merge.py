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
    block = _block(*(version.block for version in versions), words=marks is marked_block.HTML)
    return _filled(text, marks, block), clean


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


def _block(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, words: bool) -> list[str]:
    """Our block without the items that they took out, and with those that they put in; code is not mixed so."""
    if not (ours and theirs and words):
        return list(ours or theirs)
    gone = set(base) - set(theirs)
    known = {*base, *ours}
    parts = {title: [line for line in lines if line not in gone or not _item(line)] for title, lines in _parts(ours)}
    for title, lines in _parts(theirs):
        if title not in parts:
            parts = dict(sorted([*parts.items(), (title, [line for line in lines if not _item(line)])]))
        for line in lines:
            if _item(line) and line not in known:
                parts[title].insert(_place(parts[title], line), line)
    begin, *sections = parts.values()
    found = [line for lines in (begin, *filter(_filled_with, sections)) for line in lines]
    return [*found, ours[-1]]


def _parts(block: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The text before the first heading, then each heading with what follows it; the end mark is left out."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in block[:-1]:
        if line.startswith("### "):
            blank = [found[-1][1].pop()] if found[-1][1] and not found[-1][1][-1] else []
            found.append((line, blank))
        found[-1][1].append(line)
    return found


def _filled_with(lines: Sequence[str]) -> bool:
    return any(map(_item, lines))


def _item(line: str) -> bool:
    return line.startswith("- ")


def _place(lines: Sequence[str], line: str) -> int:
    """Before the first item whose rule sorts after it, else behind the last."""
    items = [number for number, one in enumerate(lines) if _item(one)]
    later = (number for number in items if _name(lines[number]) > _name(line))
    return next(later, items[-1] + 1 if items else len(lines))


def _name(line: str) -> str:
    """The slug that ends the line of a rule."""
    return line.rpartition("(`")[2]

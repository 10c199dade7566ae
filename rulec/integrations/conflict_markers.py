"""Settles git's conflict markers where both sides differ in nothing but what rulec generates."""

import re
from collections.abc import Callable, Sequence

from rulec.errors import RulecError

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


def settle_conflicts(text: str, path: str, rest: Rest) -> str:
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

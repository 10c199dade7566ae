"""Whether what is not shown of a line (a secret, a cut) may be code, so that nobody who reads it can pass it."""

import re
from collections.abc import Iterator

from rulec.checks.judge.rulings import CUT, HIDDEN

LONGEST_LINE = 4_000  # signs of a line; of a longer one the beginning is shown, and code that has one is for no reader
_MARK = re.compile(r"\[redacted(?::[\w-]{1,40})?\]")
_COOKIE = re.compile(
    r"[\"'](?:set-)?cookie[\"']?[ \t:]{1,9}[\"']?\[redacted:cookie\]|cookie[ \t:=]{1,9}[\"']\[redacted:cookie\]",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[()\[\]{}]|=(?=\s*[\w\"'`$@])|\s(?!AAAA)")  # of code; a token has none of them
_BRACKETS = re.compile(r"[()\[\]{}]")
_NAMED = re.compile(r"[A-Za-z_][\w.]*")


def unseen_code(plain: str, clean: str, whole: str, *, code: bool) -> str:
    """What a reader of a line does not see that may be code; a token alone is none."""
    if len(whole) > LONGEST_LINE or "\0" in whole:
        return CUT
    if code and _taken_for_a_secret(plain, clean, whole):
        return HIDDEN
    signs = _SIGNS
    if "[redacted:cookie]" in clean:
        if not _COOKIE.search(clean):
            return HIDDEN
        signs = _BRACKETS
    return HIDDEN if signs.findall(_MARK.sub("x", plain)) != signs.findall(_MARK.sub("x", clean)) else ""


def _taken_for_a_secret(plain: str, clean: str, whole: str) -> bool:
    """Whether what is not shown of a line of code may be a name or a path, which no secret is written as."""
    bare = whole.strip()
    keyed = plain != whole and (bare.startswith("/") or bare == bare.lower())
    return keyed or any(_NAMED.fullmatch(one) for one in _assigned_values(plain, clean))


def _assigned_values(plain: str, clean: str) -> Iterator[str]:
    """What is assigned without quotes in a line, of all that its marks stand for."""
    first, *rest = _MARK.split(clean)
    at = len(first)
    for place, part in enumerate(rest, 1):
        end = plain.find(part, at) if part and place < len(rest) else len(plain) - len(part)
        if end < at:  # more than the marks tells them apart
            return
        if plain[:at].rstrip().endswith(("=", ":", "=>")):
            yield plain[at:end]
        at = end + len(part)

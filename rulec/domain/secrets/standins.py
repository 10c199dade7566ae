"""A secret's stand-in: of its kind and form, plainly none, so that an example still shows its offence."""

import re
from collections.abc import Callable
from itertools import cycle, islice

_HEADER = re.compile(r"(-----[A-Z0-9 ]{1,120}-----)")
_SEGMENT = re.compile(r"([^\W_]+)")
_MANY = 40  # segments of a text that is replaced at once, without asking which of its signs must stay
_LONG = 6  # signs of a segment that may be the secret itself
_HEX = 16  # signs from which a text of hex digits alone is taken for hex
# kinds of signs -> a text of them, which holds each of its kinds among the first
_FILL = {
    "U": "SPECIMEN", "L": "specimen", "D": "39472816", "UL": "SpecimenSPECIMEN", "UD": "S3PECIMEN947",
    "LD": "s3pecimen947", "ULD": "Sp3cimen47SPECIMEN928", "hex": "fade39beda47", "HEX": "FADE39BEDA47",
}  # fmt: skip
# kind of a redaction -> beginning and length of what stands for one that was made before we saw it
_MADE = {
    "aws": ("AKIA", "UD", 16), "github": ("ghp_", "ULD", 36), "gitlab": ("glpat-", "ULD", 20),
    "slack": ("xoxb-", "ULD", 24), "stripe": ("sk_live_", "ULD", 24), "anthropic": ("sk-ant-api03-", "ULD", 48),
    "openai": ("sk-proj-", "ULD", 48), "google": ("AIza", "ULD", 35), "npm": ("npm_", "ULD", 36),
    "pypi": ("pypi-", "ULD", 60), "password": ("", "LD", 12), "secret": ("", "ULD", 24), "bearer": ("", "ULD", 32),
    "pem": ("-----BEGIN PRIVATE KEY-----\n", "ULD", 64),
}  # fmt: skip


def standin_of(value: str, holds: Callable[[str], object] | None = None) -> str:
    """The look-alike of a secret; ``holds`` tells whether a text still has the form by which the secret was known."""
    formed = holds if holds is not None and holds(value) else None
    parts = [part for piece in _HEADER.split(value) for part in _parts(piece)]
    free = [n for n, part in enumerate(parts) if _SEGMENT.fullmatch(part)]
    if formed:  # what is short before the first long one names the kind
        first = next((n for n in free if len(parts[n]) >= _LONG), 0)
        free = [n for n in free if n >= first]
    if len(free) > _MANY:
        return "".join(_filled(part) if n in set(free) else part for n, part in enumerate(parts))
    for n in free:
        whole = parts[n]
        for kept in range(len(whole) + 1):
            parts[n] = whole[:kept] + _filled(whole[kept:])
            if formed is None or formed("".join(parts)):
                break
    return "".join(parts)


def standin_of_kind(kind: str) -> str:
    """What stands for a secret of which only its redaction is left, "" where its kind has no form."""
    start, signs, length = _MADE.get(kind, ("", "", 0))
    return start + _text(signs, length)


def _parts(piece: str) -> list[str]:
    """A header whole, anything else by its separators."""
    return [piece] if _HEADER.fullmatch(piece) else _SEGMENT.split(piece)


def _filled(text: str) -> str:
    if len(text) >= _HEX and any(map(str.isdigit, text)):
        for case in ("hex", "HEX"):
            if all(sign in "0123456789abcdef" for sign in (text if case == "hex" else text.swapcase())):
                return _text(case, len(text))
    signs = "U" * any(map(str.isupper, text)) + "L" * any(map(str.islower, text)) + "D" * any(map(str.isdigit, text))
    return _text(signs or "L", len(text))


def _text(signs: str, length: int) -> str:
    return "".join(islice(cycle(_FILL[signs]), length)) if length else ""

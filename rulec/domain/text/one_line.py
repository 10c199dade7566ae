"""Texts and JSON on one line, with control characters and invisible signs spelled out."""

import json
import re
import unicodedata
from functools import cache
from typing import Any

SCREEN_WIDTH = 100


def shorten(text: str) -> str:
    """A text in one line that fits a screen."""
    line = " ".join(text.split())
    return line if len(line) <= SCREEN_WIDTH else line[: SCREEN_WIDTH - 1] + "…"


def to_json_line(value: Any) -> str:
    """JSON on one line also for YAML and ``splitlines``, which end lines at signs that JSON leaves alone."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return _LINE_ENDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def to_one_line(text: str) -> str:
    """A text as it can stand in a comment of any language: on one line, control characters spelled out."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", " ".join(text.split()))


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")
_LINE_ENDS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")

# What Unicode lets a program leave out, and what Python calls printable all the same: fillers, joiners and selectors of
# variants, by which whole sentences have been hidden behind a letter. One selector behind a sign makes an emoji.
_EMPTY = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef"
_SELECTORS = "\ufe0e\ufe0f"
_HIDDEN = f"[{_EMPTY}]|(?<=[{_EMPTY}{_SELECTORS}\\s])[{_SELECTORS}]|^[{_SELECTORS}]"
# Of those that are not printable, and that a terminal shows as nothing. Joiners stand in words of some scripts, and
# between the parts of an emoji: there one of them is left as it is.
_SILENT = (
    f"[\u00ad\u061c\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f{_EMPTY}]"
    f"|(?<![\u0590-\u1fff\u2190-\u2fff\u3000-\ud7ff\ufe0f\U00010000-\U0001ffff])[\u200c\u200d]"
    f"|(?<=[{_EMPTY}{_SELECTORS}\\s])[{_SELECTORS}]"
)


def spell_out(text: str) -> str:
    """The text for a model: blanks are plain, and all else is spelled out that is no print, end of a line or tab."""
    plain = text if _printable(text) else "".join(map(_plain, text))
    return plain if plain.isascii() else _compiled(_HIDDEN).sub(_code, plain)


def spell_out_in_terminal(text: str) -> str:
    """The text for a terminal that it controls elsewhere: what shows as nothing is spelled out."""
    return text if text.isascii() else _compiled(_SILENT).sub(_code, text)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)  # 2 ms for classes of so many signs, which plain texts do not need


def _printable(text: str) -> bool:
    return text.replace("\n", "").replace("\t", "").isprintable()


def _plain(sign: str) -> str:
    if sign.isprintable() or sign in "\n\t":
        return sign
    return " " if unicodedata.category(sign) == "Zs" else json_escape(sign)


def _code(found: re.Match[str]) -> str:
    return json_escape(found[0])


def json_escape(sign: str) -> str:
    """A sign as JSON writes it, so that a text which is JSON stays what it says; beyond the BMP two codes."""
    code = sign.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[at : at + 4]}" for at in range(0, len(code), 4))

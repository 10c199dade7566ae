"""The copies of a file that Semgrep reads: UTF-8 whatever it was, since one wrong byte silences every pattern on it."""

import re
from collections.abc import Container, Iterator

from rulec.checkers._semgrep_rule import Loaded
from rulec.model.change import Change, FileChange

_RETURNS = re.compile(r"\r+(?=\n|\Z)")
_LINES = "text/"  # a carriage return at a line's end is left out, where "$" does not match before it
_ODD = "\ufffd"  # a zero would make the file a binary one, which generic patterns pass over
_RAW = "raw/"  # for rules that speak of it


def read_by(rule: Loaded, file: FileChange) -> str:
    """The copy that a rule looks at; both have the same lines."""
    return f"{_RAW if rule.raw else _LINES}{file.place}"


def of(file: FileChange) -> Iterator[str]:
    """The names of all copies there may be."""
    if file.content is not None:
        yield from (_LINES + file.place, _RAW + file.place)


def texts(change: Change, wanted: Container[str] | None = None) -> dict[str, str]:
    """The copies that are wanted, by name; without a word of it all of them, of which most are one text twice."""
    found: dict[str, str] = {}
    for file in change.files:
        names = [name for name in of(file) if wanted is None or name in wanted]
        if names:
            text = (file.content or b"").decode("utf-8", "replace").replace("\0", _ODD)
            plain = _RETURNS.sub("", text) if "\r" in text else text
            found |= {name: plain if name.startswith(_LINES) else text for name in names}
    return found

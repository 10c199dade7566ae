"""Two files that have to say the same: told by their texts in what was accepted, or by a person's whole statement."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.fits import _asked_files as files
from rulec.fits._together import Together
from rulec.model.change import Change
from rulec.runtime.mirrors import holds

LEAST = 2  # lines that are worth keeping equal
MOST = 20  # files that are compared
_SAME = re.compile(
    r"\b(?:match\w*|mirror\w*|equal\w*|identical\w*|same|equivalent|verbatim|in sync|synced|consistent)\b",
    re.IGNORECASE,
)
_EXACT = re.compile(r"\b(?:equal|identical|same|verbatim|exact\w*|equivalent)\b", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:in|inside|within|of|from) (?:the |our |its )?(?P<place>read ?me|[\w./*-]*\.\w+)", re.IGNORECASE
)


def mirrored(text: str, wish: Together, past: Sequence[Change], later: Sequence[Change]) -> Iterator[dict[str, Any]]:
    """Parameters of keep-equal."""
    if not wish.both or not _SAME.search(text):
        return
    if later:
        fixed = _texts(later)
        yield from _found({**_texts(past), **fixed}, set(fixed))
    elif not past and _EXACT.search(text):
        yield from _stated(wish.calls, wish.needs)


def _texts(changes: Sequence[Change]) -> dict[str, str]:
    found = [file for change in changes for file in change.files if file.status != "D" and file.content]
    return {file.path: (file.content or b"").decode("utf-8", "replace") for file in found[-MOST:]}


def _found(texts: Mapping[str, str], fixed: set[str]) -> Iterator[dict[str, Any]]:
    """The files that were put right so that one holds the other."""
    for source, said in texts.items():
        if len(said.strip().splitlines()) < LEAST:
            continue
        for copy, text in texts.items():
            if copy == source or not {copy, source} & fixed:
                continue
            whole = holds(text, said, part=False)
            if whole or holds(text, said, part=True):
                yield {"source": source, "copies": [copy], "part": not whole}
                return


def _stated(calls: str, needs: str) -> Iterator[dict[str, Any]]:
    """A phrase like "the example in the README" holds the text; "the config template" is told by its words."""
    for one, other in ((calls, needs), (needs, calls)):
        within = _WITHIN.search(one)
        source = files.named(other)[:1] or _worded(other.partition(",")[0])
        if within and source:
            place = files.named(within["place"]) or ["README*"]
            yield {"source": source[0], "copies": place[:1], "part": True}
            return
    ones, others = files.named(calls), files.named(needs)
    if len(ones) == len(others) == 1:
        yield {"source": ones[0], "copies": others, "part": False}


def _worded(phrase: str) -> list[str]:
    words = [word for word in re.findall(r"[a-z][\w-]+", phrase.lower()) if word not in _SMALL]
    return ["*" + "*".join(words) + "*"] if 1 < len(words) <= MOST_WORDS else []


MOST_WORDS = 3
_SMALL = frozenset(("the", "our", "its", "of", "in", "for", "file", "and"))
SOURCE = "a = 1\nb = 2\n"


def sample_texts(*, part: bool) -> tuple[str, str, str]:
    """What a source says, a copy that says the same, and one that does not."""
    return SOURCE, f"Copy this:\n\n{SOURCE}\nThen go on.\n" if part else SOURCE, "a = 1\n"

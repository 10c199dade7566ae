"""How people speak of files that stay behind: which kinds they mean, and when these may not be there."""

import re
from typing import NamedTuple

from rulec.fits._words import conditional
from rulec.known.leftover import NAMES
from rulec.language import Clause, Where, where

_FILES = (
    r"(?:files?|scripts?|artifacts?|artefacts?|logs?|stuff|things?|junk|copies|copy|programs?|snippets?|code files?"
    r"|dateien|skripte|fichiers|archivos)"
)
_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"temp(?:orary|orär\w*|orales?)?|tmp|temporaires?", ("temporary", "scratch")),
    (r"debug(?:ging)?", ("debug",)),
    (
        r"scratch|throw-?away|one[- ]?(?:off|time)|ad[- ]?hoc|disposable|experiment(?:al)?",
        ("scratch", "temporary", "debug"),
    ),
    (r"back-?ups?|\.?bak|\.orig|\.rej", ("backup",)),
    (r"log", ("log",)),
    (r"editor|swap|\.swp|ds_store", ("editor",)),
    (r"(?:test[- ])?outputs?(?: dumps?)?|dumps?", ("output",)),
    (r"left-?overs?|stray|junk|garbage|orphan(?:ed)?|intermediate", ()),
    (r"investigation|diagnostic|repro(?:duction)?|verification", ("debug", "scratch", "temporary")),
)
_NEAR = rf"(?![\w-])(?=[\s,/*.]+(?:\w+[\s,/]+){{0,5}}?{_FILES}\b|[\s,/]*(?:and|or|und|&)\s)"
_NAMED = tuple(
    (re.compile(rf"(?<![\w-])(?:{said})(?:[- ]?{_FILES}\b|{_NEAR})", re.IGNORECASE), kinds) for said, kinds in _KINDS
)
_ALONE = re.compile(
    r"\bleft-?overs?\b|(?<![\w)\]])\*?\.(?P<ending>bak|orig|rej|swp|tmp|log)\b(?!\s*\()|\.DS_Store\b", re.IGNORECASE
)
_ENDINGS = {"bak": "backup", "orig": "backup", "rej": "backup", "swp": "editor", "tmp": "temporary", "log": "log"}
_NO = r"\b(?:don'?t|dont|do not|never|stop|quit|no more|avoid|without|not|no|must ?n[o']t|kein\w*|nie)\b"
_LEAVE = re.compile(
    rf"{_NO}[^.;]{{0,40}}?\b(?:leav\w*|left|litter\w*|clutter\w*|forget\w*|abandon\w*|scatter\w*|keep\w*|lie|lying"
    r"|liegen)\b"
    r"|\b(?:clean(?:ing)?(?: up)?|tidy(?: up)?|delet\w*|remov\w*|rm|get rid of|wipe|purge|throw away|aufräumen"
    r"|lösch\w*)\b"
    r"|\b(?:behind|around|lying|hanging|sitting) (?:in|at|all)\b|\bleft (?:behind|over|around|in)\b",
    re.IGNORECASE,
)
_COMMIT = re.compile(
    rf"{_NO}[^.;]{{0,40}}?\b(?:commit|check(?:ing)? in|stag|add(?:ing)? to git|push|track)\w*", re.IGNORECASE
)
_MAKE = re.compile(
    rf"{_NO}[^.;]{{0,40}}?\b(?:creat|writ|mak|add|generat|produc|spam|dump|put|drop)\w*|^\W*(?:please )?no(?: more)?\b",
    re.IGNORECASE,
)
_ONCE = re.compile(
    r"\b(?:those|these|that|this|the (?:two|three|four|file|script)|it now|right now|we (?:just )?(?:created|made)"
    r"|you (?:just )?(?:created|made|wrote|added))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:into|to|in|under|inside) (?:the |our |a )?[`'\"]?(?:\.?[\w-]+/|/tmp|tmp\b|temp (?:dir|folder))|\bgitignore\b"
    r"|\?\s*$|\bunless\b|\bif\b(?! you (?:create|make|write|need|add|use|generate)\b)"
    r"|\blog (?:files? )?(?:rotation|level|format|line|message|statement)s?\b",
    re.IGNORECASE,
)
_EXACT = re.compile(r"(?<![\w/])\*\.\w+")  # of these files alone; the fit paths reads them
_MANNER = re.compile(
    r"(?:when(?:ever)?|after(?:wards?)?|once|before|as soon as|at the end|while)\b(?![^.;]*\b(?:fail|ask)\w*)",
    re.IGNORECASE,
)


class Leftover(NamedTuple):
    """Which kinds of files are meant, and when they may not be there: written, at the turn's end, or committed."""

    what: tuple[str, ...]
    anything: bool
    at: str


def leftover_of(clause: Clause) -> Leftover | None:
    """The wish of a clause about files that stay behind, or None."""
    text = clause.text
    own = clause.when.lower().startswith("if you ") or _MANNER.match(clause.when)
    if (conditional(clause) and not own) or _ELSEWHERE.search(text):
        return None
    what, anything = _what(text)
    at = "commit" if _COMMIT.search(text) else "end" if _LEAVE.search(text) else "write" if _MAKE.search(text) else ""
    if not at or not (what or anything) or (at == "end" and clause.polarity == "none" and _ONCE.search(text)):
        return None
    if (at != "end" and _EXACT.search(text)) or _apart(where(clause)):
        return None
    return Leftover(what or tuple(NAMES), anything, at)


def _apart(place: Where | None) -> bool:
    """Whether the words speak of a part of the repository alone."""
    return place is not None and place != Where()


def _what(text: str) -> tuple[tuple[str, ...], bool]:
    """The kinds that the words name; whether they speak of whatever is left over."""
    named = [kinds for said, kinds in _NAMED if said.search(text)]
    endings = [_ENDINGS.get((found["ending"] or "").lower(), "") for found in _ALONE.finditer(text)]
    kinds = tuple(dict.fromkeys([kind for one in named for kind in one] + [kind for kind in endings if kind]))
    return kinds, not kinds and (bool(named) or bool(endings))

"""One wish in a person's words."""

from dataclasses import dataclass
from typing import Literal

from rulec.language.terms import Term

Polarity = Literal["forbid", "prefer", "require", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of text and what it asks for; ``text`` stands in the source word for word."""

    text: str
    polarity: Polarity = "none"
    forbidden: tuple[str, ...] = ()  # what is not wanted, as the person named it
    preferred: tuple[str, ...] = ()  # what is wanted instead
    verb: str = ""  # in its plain form: "commit", "use"
    addressed: Literal["work", "product"] = "work"
    lasting: bool = False  # it says that it holds for next time too
    forceful: bool = False
    terms: tuple[Term, ...] = ()
    slug: str = ""  # CORRECT[slug]: ...
    marked: bool = False  # "rule: ...", CORRECT[slug], a leading "# "


LONGEST_STATEMENT = 240

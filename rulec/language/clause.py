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
    preferred: tuple[str, ...] = ()  # what is wanted
    verb: str = ""  # in its plain form: "commit", "use"
    objects: tuple[str, ...] = ()  # what the verb acts on
    when: str = ""  # "before you say done", "in gen/"
    addressed: Literal["work", "product"] = "work"
    cues: tuple[str, ...] = ()  # words that say it holds for next time too
    forceful: bool = False
    terms: tuple[Term, ...] = ()
    slug: str = ""  # CORRECT[slug]: ...
    marked: bool = False  # "rule: ...", CORRECT[slug], a leading "# "

    @property
    def named(self) -> tuple[str, ...]:
        """Everything the clause points at by name, the exact terms first."""
        exact = tuple(term.text for term in self.terms)
        return tuple(dict.fromkeys((*exact, *self.forbidden, *self.preferred, *self.objects)))

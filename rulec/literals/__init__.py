"""What a statement says in so many words, and what of that no check of it sees.

A rule says more than its check sees more often than anybody notices: "Use pnpm, and write the changelog in German"
with a check of `npm`. Each thing that a sentence names (a code span, a path, a number, a language, the members of a
list), each further part and each condition must stand in what decides the checks, or be listed under ``not_checked``.
A condition that nothing heeds makes a rule catch more than it says. Nothing here understands a sentence: it only finds
what is missing.
"""

from rulec.literals.gaps import gaps, told, unexplained, unheeded
from rulec.literals.named import Named, literals_of
from rulec.literals.parts import Part, parts_of
from rulec.literals.sides import turned

__all__ = ["Named", "Part", "gaps", "literals_of", "parts_of", "told", "turned", "unexplained", "unheeded"]

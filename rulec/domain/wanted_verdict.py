"""What a person says a rule should have made of one action."""

from dataclasses import dataclass

from rulec.domain.rule import Example


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedVerdict:
    """One action with the verdict that a person wants for it, and the words in which they said so."""

    example: Example
    caught: bool  # else it is to pass
    words: str = ""
    source: str = ""  # the id of the note, dispute, suppression or counterexample that says it

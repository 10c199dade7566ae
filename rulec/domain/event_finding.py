"""What a rule has against an action of an agent, as the hook and the prover see it."""

from __future__ import annotations

from rulec.domain.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import Facts


class EventFinding(Record):
    """A finding on an event; what is not known is empty."""

    facts: Facts  # of the rule
    path: str = ""
    line: int = 0  # 0 is the whole file
    last: int = 0
    text: str = ""
    program: str = ""
    cure: str = ""
    unsure: bool | str = False  # why it is not certain, where that is known
    fault: str = ""  # what broke: then nothing was found
    held: bool = False  # nobody can know whether the rule is kept: one that must be kept then stops
    told: bool = False  # it refuses nothing
    by_hand: bool = False  # a file that only its generator may write
    allowable: bool = False  # a person may allow it once
    asks: bool = False  # a person is to be asked
    unasked: bool = False  # no tool call showed it, so that nobody was asked
    of_others: bool = False  # it is no work of the session's
    unproved_at: str = ""  # the work tree in which a recorded run lacks
    excepted: str = ""  # until when and why
    overruled_by: str = ""  # which rule asks for the very thing, and why it goes before

    @property
    def slug(self) -> str:
        """The name of the rule."""
        return self.facts.slug

    def __eq__(self, other: object) -> bool:
        """Whether two findings say the same."""
        if not isinstance(other, EventFinding):
            return NotImplemented
        names = EventFinding.defaults()
        return self.slug == other.slug and all(getattr(self, name) == getattr(other, name) for name in names)

    def __hash__(self) -> int:
        """By what two findings that say the same share."""
        return hash((self.slug, self.path, self.line, self.text))

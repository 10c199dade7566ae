"""What a person allows in passing, such as 'npm is fine in legacy/': a counterexample to a rule there is."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulec.domain.candidate import Candidate, Correction
from rulec.domain.secrets.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.drafting.candidates import typed_candidate
from rulec.drafting.drafter import Drafter
from rulec.errors import RulecError
from rulec.language.clauses import clauses
from rulec.language.durability import is_momentary
from rulec.language.semantics.meaning import meaning_of
from rulec.resolving.exception_wording import globs_of_places
from rulec.resolving.resolver import resolve
from rulec.rulebook.rulebook import Rulebook

LONGEST = 600  # characters of a turn that may allow something and nothing else
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_LEAD = re.compile(r"(?:\W*(?:no|yes|but|and|well|ok(?:ay)?|actually|sorry|hm+|also|so)\b[\s,.!:-]*)+", re.IGNORECASE)
_REASON = re.compile(
    r",\s{0,3}(?:that|because|it|since|as|this|they)\b.*|\s[-\u2013\u2014]\s.*", re.IGNORECASE | re.DOTALL
)
ACTIONS = 20  # before it, among which stands what was refused


@dataclass(slots=True)
class SpokenExceptions:
    """Looks on while the turns of a session pass by."""

    book: Rulebook
    drafter: Drafter
    found: list[Candidate] = field(default_factory=list)
    acts: deque[Action] = field(default_factory=lambda: deque(maxlen=ACTIONS))

    def watch(self, turns: Iterable[Turn | UnreadableLine]) -> Iterator[Turn | UnreadableLine]:
        """The same turns, looked at."""
        for turn in turns:
            if isinstance(turn, Turn) and self.book.rules:
                self._see(turn)
            yield turn

    def _see(self, turn: Turn) -> None:
        if turn.role == "agent":
            self.acts.extend(turn.actions)
            return
        if len(turn.text) <= LONGEST:
            self.found += (one for text in _plain_sentences(turn.text) if (one := self._exception(text, turn)))
        self.acts.clear()

    def _exception(self, text: str, turn: Turn) -> Candidate | None:
        """The candidate of a sentence that frees something of a rule; nothing else in passing counts."""
        if meaning_of(text).leave != "free" or any(map(is_momentary, clauses(text))):
            return None
        quote = redact(text)
        said = Correction(quote=quote, turn=replace(turn, text=redact(turn.text)), before=tuple(self.acts), after=())
        try:
            candidate = replace(typed_candidate(quote, self.drafter), correction=said)
        except RulecError:
            return None  # the sentence says no wish after all
        becomes = resolve(candidate, self.book)
        refused = any(becomes.slug in action.output for action in self.acts)
        sure = (becomes.band == "auto" or refused) and bool(globs_of_places(becomes.where))
        return candidate if sure and (becomes.decision, becomes.manner) == ("UPDATE", "exception") else None


def _plain_sentences(text: str) -> Iterator[str]:
    """Each sentence without what it begins with and the reason that it gives."""
    for sentence in _SENTENCE.split(text):
        if words := _REASON.sub("", _LEAD.sub("", sentence, count=1)).strip():
            yield words

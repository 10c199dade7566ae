"""Candidates whose check, in a model's own words, failed its proof: given back to the model, three times at most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.commands import _around, _prove
from rulec.commands._ask import Talk
from rulec.commands._propose import Ruling, resolved
from rulec.commands._tried import attempts
from rulec.commands._waiting import Waiting
from rulec.model.candidate import Candidate
from rulec.model.exchange import Answer, Awaited, Heard
from rulec.model.resolution import Resolution
from rulec.model.rule import RAW
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.extract import REMINDER
from rulec.stages.mend import MOST, NO_CHECK, Broken, ask, hear
from rulec.stages.revise import clean, drafted

ROUNDS = 3
BY_MODEL = "A model wrote its check."


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """What may be decided now, what somebody is still to mend, and lines for people."""

    items: tuple[Waiting, ...] = ()
    held: tuple[Waiting, ...] = ()
    told: tuple[str, ...] = ()


def mended(
    top: Path, book: Rulebook, items: Sequence[Waiting], talk: Talk, ruling: Ruling = resolved, *, wanting: bool = False
) -> Mended:
    """Every item with a check that holds its proof, where a model could mend it; the others as they are.

    With ``wanting`` a model is asked for a check of those, too, that no template fits. A prompt of one round holds all
    that failed in the one before; it is put only when nothing else is awaited, so that it stays the same.
    """
    run = _Run(top, book, list(items))
    broken = {} if talk.off else run.broken(ruling, wanting=wanting)
    if broken and talk.open and talk.waits:
        return run.end(held=broken)
    held: set[int] = set()
    for _ in range(ROUNDS):
        if not broken:
            break
        broken = run.round(broken, talk, held)
    run.tell(broken, f"after {ROUNDS} rounds of mending")
    return run.end(held=held)


def _told(candidate: Candidate) -> Candidate:
    """Whose check it is, where so far it was said that there is none."""
    rule = candidate.rule
    return replace(candidate, rule=replace(rule, rationale=BY_MODEL)) if rule.rationale == REMINDER else candidate


@dataclass(slots=True)
class _Run:
    top: Path
    book: Rulebook
    items: list[Waiting]
    told: list[str] = field(default_factory=list)

    def broken(self, ruling: Ruling, *, wanting: bool) -> dict[int, str]:
        """By the item's number what its own check failed on, where no template holds either."""
        found: dict[int, str] = {}
        for number, item in enumerate(self.items):
            own = item.candidate.offered
            raw = own is not None and own.check is not None and own.check.template in RAW
            asks = wanting and not item.candidate.drafts and not (own and own.check)
            if not (raw or asks) or ruling(item.candidate, self.book).decision in ("NOOP", "SPLIT"):
                continue
            failure = self.failure(item) if raw else NO_CHECK
            found |= {number: failure} if failure else {}
        return found

    def failure(self, item: Waiting) -> str:
        """What the model's own check fails on, "" where it or a template holds: as it would of any rulebook."""
        failure = ""
        said = Resolution(decision="NEW", slug=item.candidate.rule.slug, because="")
        for one in attempts(replace(item.candidate, repeats=()), 1):
            if one.alone:
                break
            rule = clean(drafted(item.candidate, said, one.draft), redact)
            proof = _prove.prove(self.book, rule, self.top, _around.together(item.sessions[:1], 0))
            if proof.holds:
                return ""
            failure = redact(proof.failure) if one.raw else failure
        return failure

    def round(self, broken: Mapping[int, str], talk: Talk, held: set[int]) -> dict[int, str]:
        """Ask about all that is broken; what of it is broken still."""
        numbers = list(broken)
        groups = [numbers[start : start + MOST] for start in range(0, len(numbers), MOST)]
        asked = [[Broken(self.items[number].candidate, broken[number]) for number in group] for group in groups]
        left: dict[int, str] = {}
        for group, shown, answer in zip(groups, asked, talk.ask([ask(one, talk.render) for one in asked]), strict=True):
            if isinstance(answer, Answer):
                left |= self._heard(group, shown, answer)
            else:
                self._unanswered(group, answer, held)
        return left

    def _heard(self, group: Sequence[int], shown: Sequence[Broken], answer: Answer) -> dict[int, str]:
        left: dict[int, str] = {}
        for number, one in zip(group, hear(answer.data, shown), strict=True):
            if one.candidate is None:
                self.tell([number], one.why)
                continue
            self.items[number] = replace(self.items[number], candidate=_told(one.candidate))
            failure = self.failure(self.items[number])
            left |= {number: failure} if failure else {}
        return left

    def _unanswered(self, group: Sequence[int], answer: Heard, held: set[int]) -> None:
        if isinstance(answer, Awaited) or (not isinstance(answer, Answer) and answer.over):
            held.update(group)
        elif not isinstance(answer, Answer):
            self.tell(group, answer.what)

    def tell(self, numbers: Sequence[int] | Mapping[int, str], why: str) -> None:
        """Say of which no check came to hold."""
        for number in numbers:
            slug = redact(self.items[number].candidate.rule.slug)
            self.told.append(f"{slug}: no check of the model's holds its proof ({why})")

    def end(self, held: set[int] | Mapping[int, str]) -> Mended:
        """All items, each on its side."""
        return Mended(
            items=tuple(item for number, item in enumerate(self.items) if number not in held),
            held=tuple(item for number, item in enumerate(self.items) if number in held),
            told=tuple(self.told),
        )

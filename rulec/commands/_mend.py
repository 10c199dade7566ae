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
from rulec.model.exchange import Answer, Awaited, Heard, Trouble
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

    With ``wanting`` a model is asked for a check of those, too, that no template fits, of a session's wishes where it
    read them itself. A prompt of one round holds all that failed in the one before; it is put only when nothing else is
    awaited, so that it stays the same.
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
    for number in broken:
        last = f": {run.refused[number]}" if number in run.refused else ""
        run.tell([number], f"after {ROUNDS} rounds of mending{last}")
    return run.end(held=held)


def _told(candidate: Candidate) -> Candidate:
    """Whose check it is, where so far it was said that there is none."""
    rule = candidate.rule
    return replace(candidate, rule=replace(rule, rationale=BY_MODEL)) if rule.rationale == REMINDER else candidate


def _beside(failure: str, candidate: Candidate) -> str:
    """A failure with what the model wrote in no form of ours: it is told of it once more."""
    return "; ".join([failure, *(candidate.offered.unread if candidate.offered else ())])


@dataclass(slots=True)
class _Run:
    top: Path
    book: Rulebook
    items: list[Waiting]
    told: list[str] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)  # why nothing of the last repair counted

    def broken(self, ruling: Ruling, *, wanting: bool) -> dict[int, str]:
        """By the item's number what its own check failed on, where no template holds either."""
        found: dict[int, str] = {}
        for number, item in enumerate(self.items):
            own = item.candidate.offered
            raw = own is not None and own.check is not None and own.check.template in RAW
            read = own is not None or item.candidate.correction is None
            asks = wanting and read and not item.candidate.drafts and not (own and own.check)
            if not (raw or asks) or ruling(item.candidate, self.book).decision in ("NOOP", "SPLIT"):
                continue
            failure = self.failure(item) if raw else _beside(NO_CHECK, item.candidate)
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
            failure = redact(proof.failures) if one.raw else failure
        return _beside(failure, item.candidate) if failure else ""

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
                self._unanswered(group, answer, held, waits=talk.waits)
        return left

    def _heard(self, group: Sequence[int], shown: Sequence[Broken], answer: Answer) -> dict[int, str]:
        left: dict[int, str] = {}
        for number, before, one in zip(group, shown, hear(answer.data, shown), strict=True):
            self.refused.pop(number, None)
            if one.candidate:
                item = replace(self.items[number], candidate=one.candidate)
                failure = self.failure(item)
                left |= {number: failure} if failure else {}
                self.items[number] = item if failure else replace(item, candidate=_told(one.candidate))
            elif one.over:
                self.tell([number], one.why)
            else:
                self.refused[number] = one.why
                left[number] = f"of the last repair nothing counts, for {one.why}; before it, {before.failure}"
        return left

    def _unanswered(self, group: Sequence[int], answer: Heard, held: set[int], *, waits: bool) -> None:
        if isinstance(answer, Awaited) or (isinstance(answer, Trouble) and (answer.over or waits)):
            held.update(group)
        if isinstance(answer, Trouble) and waits:  # in a file, which somebody can still mend
            self.told.append(answer.line)
        elif isinstance(answer, Trouble) and not answer.over:
            self.tell(group, answer.what)

    def tell(self, numbers: Sequence[int], why: str) -> None:
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

"""Wishes without a check -> the checks that a reader wrote for them, as far as they are proved.

Each wish is asked about once, what fails is given back three times at most, and the narrowest alternative that is
proved comes first among the candidate's drafts. No check is made of a wish but what its reader says; where that is
none, it only reminds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec import examplefile
from rulec.commands import _around, _build, _implied, _past, _prove, catalogue
from rulec.commands._ask import Talk
from rulec.commands._observe import observe_each
from rulec.commands._profile import profile
from rulec.commands._propose import Ruling
from rulec.commands._waiting import Waiting
from rulec.errors import RulecError
from rulec.host import clock, templates
from rulec.host.commits import History
from rulec.mining.taken import Sides, as_commits, in_session, pair, together
from rulec.model.artifact import of_judge, one_line
from rulec.model.candidate import Candidate, Draft, Offered
from rulec.model.exchange import Answer, Awaited, Heard, Prompt, Trouble
from rulec.model.finding import Fault
from rulec.model.proof import Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Example, Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages import draft as stage
from rulec.stages.draft import Wanted, groups
from rulec.stages.revise import clean, drafted
from rulec.stages.verify import change_of

ROUNDS = 3
UNPROVED = "no check that was written for it held its proof"
MOST_WRONG = 8  # examples that a question to mend names


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafts:
    """What may be decided now, what somebody is still to draft, and lines for people."""

    items: tuple[Waiting, ...] = ()
    held: tuple[Waiting, ...] = ()
    told: tuple[str, ...] = ()


def drafts(top: Path, book: Rulebook, items: Sequence[Waiting], talk: Talk, ruling: Ruling) -> Drafts:
    """Every item with the checks that its reader wrote for it; those that nobody has to read are left as they are.

    A question is put only when nothing else is awaited, so that it stays the same.
    """
    run = _Run(top, book, talk, list(items))
    wanted = [] if talk.off else [number for number, item in enumerate(items) if _wants(item, book, ruling)]
    if wanted and talk.waits and talk.open:
        return run.end(held=wanted)
    left = run.round({number: Wanted(items[number].candidate) for number in wanted}, first=True)
    for _ in range(ROUNDS):
        left = run.round(left, first=False)
    for number, one in left.items():
        run.give_up(number, one)
    return run.end(held=run.held)


def _wants(item: Waiting, book: Rulebook, ruling: Ruling) -> bool:
    """Whether a reader is to draft checks: of its own wishes, and of those for which nobody else found one."""
    offered, found = item.candidate.offered, item.candidate.drafts
    if offered and offered.drafted:
        return False
    return not found and ruling(item.candidate, book).decision not in ("NOOP", "SPLIT")


@dataclass(frozen=True, slots=True)
class _Tried:
    """An alternative with all examples, and how it was decided."""

    draft: Draft
    rule: Rule
    proof: Proof

    @property
    def holds(self) -> bool:
        return self.proof.holds


@dataclass(slots=True)
class _Run:
    top: Path
    book: Rulebook
    talk: Talk
    items: list[Waiting]
    told: list[str] = field(default_factory=list)
    held: set[int] = field(default_factory=set)
    _words: tuple[str, str] | None = None

    def round(self, wanted: Mapping[int, Wanted], *, first: bool) -> dict[int, Wanted]:
        """Ask about some wishes; those that have no check which holds, with what failed."""
        left: dict[int, Wanted] = {}
        if not wanted:
            return left
        numbers, all_of = list(wanted), list(wanted.values())
        some = groups(all_of)
        for group, answer in zip(some, self.talk.ask(self._prompts(all_of, first=first)), strict=True):
            own, numbers = numbers[: len(group)], numbers[len(group) :]
            if isinstance(answer, Answer):
                heard = stage.hear(answer.data, group, self.kinds)
                for number, before, one in zip(own, group, heard, strict=True):
                    left |= self._heard(number, before, one)
            else:
                self._unanswered(own, answer)
        return left

    def _prompts(self, wanted: Sequence[Wanted], *, first: bool) -> list[Prompt]:
        if self._words is None:
            seen = filter(None, (profile(self.top, self.book), _team(self.top)))
            self._words = _catalogue(), "\n".join(seen)
        ask = stage.ask if first else stage.ask_again
        return ask(wanted, self.talk.render, *self._words)

    def kinds(self, name: str) -> Any:
        """The kinds of check that a template makes."""
        return _build.library(self.top).template(name).kinds

    def _heard(self, number: int, before: Wanted, one: stage.Heard) -> dict[int, Wanted]:
        """Prove the alternatives of one answer; what is to be given back where none holds."""
        item = self.items[number]
        if one.silent:
            return self._again(number, before, one.silent)
        self.items[number] = item = replace(item, candidate=one.candidate)
        if not one.drafts and not one.unread:
            self._no_check(number, one.not_checked)
            return {}
        tried = [self._tried(item, draft) for draft in one.drafts]
        if proved := [each for each in tried if each.holds]:
            self._settle(number, proved, one.unread)
            return {}
        failed = tuple(self._failure(each) for each in tried)
        return {number: Wanted(one.candidate, one.drafts, failed, one.unread)}

    def _again(self, number: int, before: Wanted, why: str) -> dict[int, Wanted]:
        if not before.tried:
            self.tell(number, f"a reader was asked for a check, and {why}")
            return {}
        return {number: replace(before, unread=(why,))}

    def _no_check(self, number: int, why: Sequence[str]) -> None:
        """Nobody writes another one: the rule reminds, and says why."""
        item = self.items[number]
        rule = replace(item.candidate.rule, not_checked=tuple(why) or ("no machine can check it, as its reader says",))
        self.items[number] = replace(item, candidate=replace(item.candidate, rule=rule, drafts=()))

    def _settle(self, number: int, proved: Sequence[_Tried], unread: Sequence[str]) -> None:
        item = self.items[number]
        ranked = sorted(proved, key=self._width) if len(proved) > 1 else proved
        for line in unread:
            self.tell(number, f"not counted of its reader's answer: {line}")
        found = replace(item.candidate, drafts=tuple(each.draft for each in ranked))
        if ranked[0].draft.statement:
            found = replace(found, rule=replace(found.rule, statement=ranked[0].draft.statement))
        self.items[number] = replace(item, candidate=found)

    def _width(self, one: _Tried) -> tuple[bool, int, int, int]:
        """How much a check catches beyond what it should: by machine first, then the fewest innocents, then the edges.

        Innocents are commits of the past that it would have refused and innocent variants of its examples; what it
        misses of the variants that it should catch decides between checks that are alike in this.
        """
        edges = _prove.prove(self.book, one.rule, self.top, None, edges=True).edges
        hits = edges.valid - edges.passed if edges else 0
        misses = edges.invalid - edges.caught if edges else 0
        return not one.proof.digest, self._refused(one.rule) + hits, misses, len(one.draft.not_checked)

    def _refused(self, rule: Rule) -> int:
        """How many of the last commits it would have refused, as far as two seconds tell."""
        try:
            (sight,) = _past.look(
                History(self.top, _past.COMMITS),
                [_past.ruled(self.book, rule, self.top)],
                clock.countdown(_past.GLANCE),
            )
        except RulecError:
            return 0
        return len(sight.refusals)

    def _tried(self, item: Waiting, one: Draft) -> _Tried:
        """The alternative with the reader's examples and what the session shows, alone or in its order."""
        first: _Tried | None = None
        for taken in _taken(item.candidate):
            tried = self._with(item, one, taken)
            first = first or tried
            if tried.holds:
                return tried
        return first or self._with(item, one, ((), ()))

    def _with(self, item: Waiting, one: Draft, taken: Sides, but: Sequence[Example] = ()) -> _Tried:
        offered = item.candidate.offered or Offered()
        invalid = together(taken[0], [example for example in offered.invalid if example not in but])
        full = replace(one, invalid=invalid, valid=together(taken[1], offered.valid), disputed=tuple(but))
        rule = _implied.settled(self.book, self._rule(item.candidate, full), self.top)
        full = replace(full, checks=rule.checks)
        session = _around.together(item.sessions[:1], 0)
        if session and offered.offence is None:
            session = _around.blameless(session)
        return _Tried(full, rule, _prove.prove(self.book, rule, self.top, session))

    def _rule(self, candidate: Candidate, one: Draft) -> Rule:
        said = Resolution(decision="NEW", slug=candidate.rule.slug, because="")
        return clean(drafted(candidate, said, one), redact)

    def _failure(self, one: _Tried) -> dict[str, Any]:
        """What of its proof failed, with the examples that it decides otherwise."""
        told: dict[str, Any] = {"failed at": redact(one.proof.failures)}
        wrong = [
            {"example": examplefile.plain(example), "must be": must, "was": was}
            for example, must, was in self._wrong(one)
        ]
        return {**told, **({"decided otherwise": wrong[:MOST_WRONG]} if wrong else {})}

    def _wrong(self, one: _Tried) -> Iterator[tuple[Example, str, str]]:
        """The examples that its checks decide otherwise than they are sorted, each with what they made of it."""
        rule = one.rule
        try:
            machines = [artifact for artifact in _build.of_rule(self.book, rule, self.top) if not of_judge(artifact)]
            seen = observe_each(machines, [change_of(example) for example in (*rule.invalid, *rule.valid)])
        except RulecError:  # it cannot be built, as its failure says
            return
        for at, (example, found) in enumerate(zip((*rule.invalid, *rule.valid), seen, strict=True)):
            faults = [item.what for item in found if isinstance(item, Fault)]
            must = "caught" if at < len(rule.invalid) else "let pass"
            was = f"the check broke: {faults[0]}" if faults else "caught" if found else "let pass"
            if was != must and machines:
                yield example, must, one_line(redact(was))[:200]

    def give_up(self, number: int, one: Wanted) -> None:
        """What no check came to see after all: its reader's further offences are disputed, and nothing else is.

        A check that catches what must pass, or misses what the session shows, is none.
        """
        item = self.items[number]
        found: list[_Tried] = []
        for draft in one.tried:
            tried = self._tried(item, draft)
            offered = item.candidate.offered or Offered()
            missed = {example for example, must, _ in self._wrong(tried) if must == "caught"} & set(offered.invalid)
            but = [example for example in offered.invalid if example in missed]
            if not but or len(but) == len(tried.rule.invalid):
                continue
            for taken in _taken(item.candidate):
                less = self._with(item, draft, taken, but)
                if less.holds:
                    found.append(less)
                    break
        if found:
            least = min(len(each.draft.disputed) for each in found)
            self._settle(number, [each for each in found if len(each.draft.disputed) == least], one.unread)
            return
        why = next((str(each.get("failed at", "")) for each in one.failed), "") or "; ".join(one.unread)
        self.tell(number, f"no check of its reader's holds its proof after {ROUNDS} repairs: {one_line(why)[:200]}")
        wish = [set(draft.not_checked) for draft in one.tried]  # what is said of each is said of the wish
        kept = [text for text in one.tried[0].not_checked if all(text in said for said in wish)] if wish else []
        self._no_check(number, (UNPROVED, *kept))

    def _unanswered(self, numbers: Sequence[int], answer: Heard) -> None:
        if isinstance(answer, Awaited) or (isinstance(answer, Trouble) and (answer.over or self.talk.waits)):
            self.held.update(numbers)
        if isinstance(answer, Trouble) and self.talk.waits:  # in a file, which somebody can still mend
            self.told.append(answer.line)
        elif isinstance(answer, Trouble) and not answer.over:
            for number in numbers:
                self.tell(number, f"no reader wrote a check: {answer.what}")

    def tell(self, number: int, what: str) -> None:
        """A line about one wish."""
        self.told.append(f"{redact(self.items[number].candidate.rule.slug)}: {redact(what)}")

    def end(self, held: Sequence[int] | set[int]) -> Drafts:
        """All items, each on its side."""
        return Drafts(
            items=tuple(item for number, item in enumerate(self.items) if number not in held),
            held=tuple(item for number, item in enumerate(self.items) if number in held),
            told=tuple(dict.fromkeys(self.told)),
        )


def _taken(candidate: Candidate) -> Iterator[Sides]:
    """What the session shows as examples, in the ways in which a rule may see it: alone, in its order, as commits."""
    known: set[Sides] = set()
    for way in (pair, in_session, as_commits):
        sides = way(candidate)
        if sides not in known and (any(sides) or not known):
            known.add(sides)
            yield sides


def _catalogue() -> str:
    """Of our own templates, which stands among our own words; what a team says of its own is a stranger's."""
    return catalogue.of(templates.library().templates().values())


def _team(top: Path) -> str:
    """A line for each template that the team keeps."""
    ours = str(templates.packaged())
    known = _build.library(top).templates().values()
    lines = [f"  {catalogue.line(one, {})}" for one in known if not one.source.startswith(ours)]
    return "\n".join(["templates of the team, beside those of the catalogue:", *lines]) if lines else ""

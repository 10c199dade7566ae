"""Candidates that resolve is unsure of: what a model, where there is one, says of them, while that still fits."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from rulec.commands import _ask, _continue
from rulec.commands._ask import Talk
from rulec.commands._decide import Say, Wish
from rulec.commands._mined import words as not_counted
from rulec.commands._propose import resolved
from rulec.commands._waiting import mark
from rulec.host import exchanged, templates
from rulec.language.meaning import meaning
from rulec.language.nearness import known, near
from rulec.model.candidate import Candidate
from rulec.model.exchange import Answer, Awaited, Trouble
from rulec.model.resolution import Resolution
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.decide import MOST, NEAREST, Unsure, ask, hear, passed_over
from rulec.stages.resolve import parts, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a model said of those that were in doubt."""

    words: Mapping[str, tuple[Resolution, Rule | None]] = field(default_factory=dict)  # by mark, with the rule shown
    unasked: tuple[Trouble | Awaited, ...] = ()  # questions without an answer: those candidates stay in doubt
    dropped: tuple[str, ...] = ()  # what of the answers did not count

    def ruling(self, candidate: Candidate, book: Rulebook) -> Resolution:
        """What the candidate is to this rulebook; a model's word counts in doubt alone, of the rule as it was shown."""
        said = resolved(candidate, book)
        found = self.words.get(mark(candidate))
        if said.band == "auto" or found is None:
            return said
        heard, shown = found
        if heard.slug != heard.new_slug and book.rule(heard.slug) != shown:
            return said
        own = heard.slug == heard.new_slug  # of NEW and SPLIT the name that is free now
        return replace(heard, new_slug=said.new_slug, slug=said.new_slug if own else heard.slug)


def told(book: Rulebook, candidates: Iterable[Candidate], talk: Talk) -> Told:
    """Ask about all of them that are in doubt, in as few prompts as that takes."""
    unsure = [] if talk.off else list(_unsure(book, candidates))
    groups = [unsure[start : start + MOST] for start in range(0, len(unsure), MOST)]
    answers = talk.ask([ask(group, talk.render) for group in groups]) if groups else []
    words: dict[str, tuple[Resolution, Rule | None]] = {}
    dropped: list[str] = []
    for group, answer in zip(groups, answers, strict=True):
        if isinstance(answer, Answer):
            heard = hear(answer.data, group)
            dropped += passed_over(answer.data, heard)
            for one, said in zip(group, heard, strict=True):
                if said.by_model:
                    words[mark(one.candidate)] = said, book.rule(said.slug)
    unasked = tuple(one for one in answers if not isinstance(one, Answer))
    return Told(words=words, unasked=unasked, dropped=tuple(dropped))


def talk(top: Path, book: Rulebook, wish: Wish, say: Say) -> Talk:
    """The conversation of a verb that reads no transcripts."""
    return Talk(top, _ask.models(top, book, wish.backend), templates.library().render, say, wish.progress)


def heard(book: Rulebook, candidates: Iterable[Candidate], talk: Talk, say: Say) -> Told:
    """The same for such a verb, with a line about what has no answer."""
    found = told(book, candidates, talk)
    for one in dict.fromkeys(found.unasked):
        say(_line(one))
    for line in filter(None, [not_counted(found.dropped)]):
        say(line)
    return found


def over(top: Path, talk: Talk, say: Say) -> None:
    """The end of that conversation: what it cost, and nothing left of what nobody waits for."""
    if spent := talk.spent():
        say(spent)
    folder = _continue.place(top)
    if talk.waits and not exchanged.keys(folder):
        exchanged.clear(folder)


def _line(one: Trouble | Awaited) -> str:
    if isinstance(one, Awaited):
        return f"a model's word on what is in doubt is awaited: answer {one.place}, then run this again"
    return f"no model was asked about what is in doubt: {one.line}"


def _unsure(book: Rulebook, candidates: Iterable[Candidate]) -> Iterator[Unsure]:
    # all of them before the first is resolved against few rules, or the rulebook would be indexed again for each
    doubts = [
        (candidate, said, rule)
        for candidate in candidates
        if (said := resolved(candidate, book)).band == "review"
        if (rule := book.rule(said.slug))
    ]
    shown = [_near(candidate, rule, book) for candidate, _, rule in doubts]
    for (candidate, said, _), rules in zip(doubts, shown, strict=True):
        alone = {rule.slug: resolve(candidate, replace(book, rules=(rule,))) for rule in rules[1:]}
        several = () if candidate.repeats else parts(candidate, strangers=False)
        yield Unsure(candidate=candidate, said=said, rules=rules, alone=alone, parts=several)


def _near(candidate: Candidate, suspected: Rule, book: Rulebook) -> tuple[Rule, ...]:
    """The rules that may be meant: the suspected one first, and it alone where a name or a place points at it."""
    named = candidate.correction.slug if candidate.correction else ""
    if suspected.slug in (named, candidate.source.was if candidate.source else ""):
        return (suspected,)
    said = meaning(candidate.rule.statement, candidate.rule.when)
    checks = [check for draft in candidate.drafts for check in draft.checks]
    others = (rule for rule in near(known(book), said, checks) if rule.slug != suspected.slug)
    return (suspected, *islice(others, NEAREST - 1))

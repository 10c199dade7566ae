"""``rulec add``: a person's own sentence, with the check that they give it -> a rule, or what it changes of one."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rulec.commands import _decide, _drafts, _given, _implied, _offer, _onto, _propose, _unsure
from rulec.commands._build import library
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._drafter import drafter
from rulec.commands._given import Given
from rulec.commands._offer import Offer
from rulec.commands._outcome import Outcome
from rulec.commands._past import Glance, glance, refusing
from rulec.commands._propose import Proposal
from rulec.commands._waiting import Waiting
from rulec.drafting.drafter import NEAR, Drafter
from rulec.errors import RulecError
from rulec.model.artifact import one_line
from rulec.model.candidate import Candidate
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.model.template import Template
from rulec.redact import redact
from rulec.stages.entrust import entrust
from rulec.stages.extract import typed
from rulec.stages.revise import with_draft
from rulec.yamltext import Node

SOURCE = "typed with rulec add"
TRY = "mend the check, or the example where that is wrong; rulec try shows each example's verdict"


def run(top: Path, text: str, wish: Wish, say: Say, *, judge: bool = False) -> Outcome:
    """Draft a rule from each wish of a text, prove its check on examples made from it, ask, write.

    With ``judge`` no template checks it, but a model.
    """
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    wish = replace(wish, own=True)
    with _onto.changing(top, wish.onto) as book:
        drafting = drafter(top)
        candidates = typed(redact(text), drafting)
        candidates = tuple(map(entrust, candidates)) if judge else candidates
        talk = _unsure.talk(top, book, wish, say)
        ruling = _unsure.heard(book, candidates, talk, say).ruling
        items = [Waiting(candidate=candidate, source=SOURCE) for candidate in candidates]
        if not (judge or talk.waits):  # whoever typed it waits for an answer, not for a later run
            found = _drafts.drafts(top, book, items, talk, ruling)
            items = [*found.items, *found.held]
            for line in found.told:
                say(line)
        _unsure.over(top, talk, say)
        look, wish = held_back(glance(top), wish)
        done = [
            (item.candidate, one) for item in items for one in _decide.decide(top, item, wish, say, look, ruling=ruling)
        ]
        lines = [*_known(top, wish, done), *_held(done), *_near(top, drafting, done), _onto.push(top, wish.onto)]
    return Outcome("\n".join(filter(None, lines)), data=[one.data for _, one in done])


def stated(top: Path, text: str, given: Given, wish: Wish, say: Say) -> Outcome:
    """A sentence with the checks and examples that a person said with it: they are proved, and no other is tried."""
    shelf = library(top)
    data = _given.data(text, given, lambda name: shelf.template(name, "rulec add"))
    return _written(top, _offer.read(Node(data, "rulec add"), top, "person", whole=True), wish, say)


def whole(top: Path, file: BinaryIO, source: str, wish: Wish, say: Say) -> Outcome:
    """A whole rule as a person wrote it, in the form of a rule file."""
    return _written(top, _offer.offered(file.read(_offer.LARGEST + 1), source, top, "person", whole=True), wish, say)


def _written(top: Path, offer: Offer, wish: Wish, say: Say) -> Outcome:
    if offer.unread:
        raise RulecError(offer.unread[0], where="rulec add", hint=TRY)
    pinned = wish.pinned if wish.pinned != "auto" else offer.rule.enforcement
    wish = replace(wish, own=True, pinned=pinned)
    with _onto.changing(top, wish.onto) as book:
        rule = replace(_offer.worded(offer), revision=1, supersedes=(), superseded_by="", retired="", origin="")
        settled = _implied.settled(book, with_draft(rule, offer.full), top)
        draft = replace(offer.full, checks=settled.checks, do=offer.rule.do)
        candidate = Candidate(rule=rule, drafts=(draft,) if draft.checks else ())
        _hold(candidate, book, top)
        item = Waiting(candidate=candidate, source=SOURCE)
        done = [(candidate, one) for one in _decide.decide(top, item, wish, say, glance(top))]
        lines = [*_known(top, wish, done), *_held(done), _onto.push(top, wish.onto)]
    return Outcome("\n".join(filter(None, lines)), data=[one.data for _, one in done])


def _hold(candidate: Candidate, book: Rulebook, top: Path) -> None:
    """Refuse checks that do not hold, with the example: a person's are written as they are, or not at all."""
    if not candidate.drafts:
        raise RulecError("no check is given", where="rulec add", hint="rulec templates --catalogue lists what there is")
    proposal = _propose.propose(candidate, book, top)
    said, draft = proposal.resolution, candidate.drafts[0]
    if said.decision == "NOOP":
        old = proposal.old
        if old is not None and not set(map(str, draft.checks)) <= set(map(str, old.checks)):
            hint = f"change its check with rulec edit {old.slug}"
            raise RulecError(f"{old.slug} says that already, with another check", where="rulec add", hint=hint)
        return
    if not proposal.rule.checks or proposal.stuck:
        failed = (*proposal.failed, proposal.stuck, "its checks do not hold")
        raise RulecError(f"not written: {redact(next(filter(None, failed)))}", where="rulec add", hint=TRY)


def _known(top: Path, wish: Wish, done: Sequence[tuple[Candidate, Decided]]) -> Iterator[str]:
    book = _onto.load(top, wish.onto)
    for candidate, one in done:
        if one.answer == "known":
            said = candidate.rule.statement.casefold()
            same = [rule.slug for rule in book.rules if rule.statement.casefold() == said]
            yield f"{', '.join(same)} says that already"


def held_back(look: Glance, wish: Wish) -> tuple[Glance, Wish]:
    """The same wish, but that a yes given beforehand waits where the last commits would have been refused."""
    pasts: list[str] = []

    def seen(book: Rulebook, rule: Rule) -> str:
        pasts.append(look(book, rule))
        return pasts[-1]

    def answer(proposal: Proposal) -> str:
        own = wish.answer(proposal)
        return "later" if own == "accept" and refusing(pasts[-1:], proposal.rule) else own

    return seen, wish if wish.reviewed else replace(wish, answer=answer)


def _near(top: Path, drafting: Drafter, done: Sequence[tuple[Candidate, Decided]]) -> Iterator[str]:
    """Where no check is sure: the words that no form has a place for, the templates that come near, how to say one."""
    for candidate, one in done:
        if candidate.near and one.answer != "known" and not (one.proposal and one.proposal.rule.checks):
            words, first = drafting.unread(candidate.rule.statement)
            why = (
                f"'{one_line(words)}' is not understood" if words else "no template's form explains the whole sentence"
            )
            near = tuple(dict.fromkeys(filter(None, (first, *candidate.near))))[:NEAR]
            ways = [_way(library(top).template(name)) for name in near]
            said = shlex.quote(one_line(candidate.rule.statement))
            shows = f"(rulec templates {near[0]} shows what it sees)"
            yield "\n  or ".join([f"no check: {why}; say it yourself: rulec add {said} {ways[0]} {shows}", *ways[1:]])


def _way(template: Template) -> str:
    """How a template is chosen, with the parameters that it must have, or its first."""
    needed = [one.name for one in template.parameters if one.required] or [template.parameters[0].name]
    return " ".join([f"--check {template.name}", *(f"--with {name}=…" for name in needed)])


def _held(done: Sequence[tuple[Candidate, Decided]]) -> Iterator[str]:
    for _, one in done:
        if one.answer == "later" and one.doubt and one.proposal:
            yield f"nothing written, it waits for you: {one.proposal.resolution.line()} ({one.doubt}): rulec review"

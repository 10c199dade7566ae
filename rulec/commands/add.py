"""``rulec add``: a person's own sentence -> a rule, or what it changes of one."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _decide, _drafts, _onto, _unsure
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._outcome import Outcome
from rulec.commands._past import glance
from rulec.commands._waiting import Waiting
from rulec.errors import RulecError
from rulec.model.candidate import Candidate
from rulec.redact import redact
from rulec.stages.entrust import entrust
from rulec.stages.extract import typed

SOURCE = "typed with rulec add"


def run(top: Path, text: str, wish: Wish, say: Say, *, judge: bool = False) -> Outcome:
    """Draft a rule from each wish of a text, prove its check on examples made from it, ask, write.

    With ``judge`` no template checks it, but a model.
    """
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    wish = replace(wish, own=True)
    with _onto.changing(top, wish.onto) as book:
        candidates = typed(redact(text), registry.fits())
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
        look = glance(top)
        done = [
            (item.candidate, one) for item in items for one in _decide.decide(top, item, wish, say, look, ruling=ruling)
        ]
        lines = [*_known(top, wish, done), *_held(done), _onto.push(top, wish.onto)]
    return Outcome("\n".join(filter(None, lines)), data=[one.data for _, one in done])


def _known(top: Path, wish: Wish, done: Sequence[tuple[Candidate, Decided]]) -> Iterator[str]:
    book = _onto.load(top, wish.onto)
    for candidate, one in done:
        if one.answer == "known":
            said = candidate.rule.statement.casefold()
            same = [rule.slug for rule in book.rules if rule.statement.casefold() == said]
            yield f"{', '.join(same)} says that already"


def _held(done: Sequence[tuple[Candidate, Decided]]) -> Iterator[str]:
    for _, one in done:
        if one.answer == "later" and one.doubt and one.proposal:
            yield f"nothing written, it waits for you: {one.proposal.resolution.line()} ({one.doubt}): rulec review"

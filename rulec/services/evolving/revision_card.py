"""A proposed revision of a rule as a person sees it and as programs read it: its cases, its diff, what it flips."""

import difflib
import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.reports.rule_lines import example_line
from rulec.reports.wording import count_of
from rulec.rulebook import example_file
from rulec.services.evolving.flips import Flip
from rulec.services.evolving.open_cases import OpenCase, RuleCases
from rulec.services.evolving.reach import Reach

MOST_FLIPS = 30  # that a card lists; --format json has all
WORDS_ALONE = "no case is named, so there is nothing to search by: edit the rule, or reject"
_WHERE = {"example": "example", "history": "commit", "finding": "file"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedRevision:
    """One revision of one rule, and what a person needs to decide on it."""

    about: RuleCases
    new: Rule
    kind: str
    because: str
    before: str = ""  # the text of the rule's file
    after: str = ""
    proof: str = ""  # in words
    flips: tuple[Flip, ...] = ()
    unmet: tuple[OpenCase, ...] = ()  # what no check decides as it was wanted
    reach: tuple[Reach, ...] = ()
    ledger: str = ""  # what the gates of this machine found so far
    obstacle: str = ""  # why it cannot be accepted as it is
    reader: tuple[str, ...] = ()  # what became of asking a reader

    @property
    def slug(self) -> str:
        """The rule's name."""
        return self.about.rule.slug

    @property
    def digest(self) -> str:
        """A digest of what would be written, and why: two revisions with the same one are one decision."""
        parts = (self.slug, self.before, self.after, self.kind, self.because)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]

    @property
    def diff(self) -> list[str]:
        """The change of the rule's file, line by line."""
        path = f".rules/{self.slug}.yaml"
        return list(
            difflib.unified_diff(
                self.before.splitlines(), self.after.splitlines(), f"{path} (now)", f"{path} (then)", lineterm="", n=1
            )
        )


def case_line(case: OpenCase) -> str:
    """A case in a line: who said what of which action."""
    who = {"note": "noted", "counterexample": "counterexample", "exception": "excepted"}
    by = f" by {case.by}" * bool(case.by)
    wanted = "; ".join(
        f"{'catch' if one.caught else 'pass'}: {shorten(example_line(one.example))}" for one in case.wanted
    )
    return f'{who[case.kind]}{by}: "{shorten(to_one_line(case.words))}"' + f" ({wanted})" * bool(wanted)


def flip_line(flip: Flip) -> str:
    """A verdict that turns, in a line."""
    turned = "passed, then caught" if flip.after else "caught, then passes"
    return f"{_WHERE[flip.where]}: {turned}{', as wanted' * flip.wanted}: {shorten(to_one_line(flip.what))}"


def card_lines(one: ProposedRevision) -> Iterator[str]:
    """All that a person needs to decide."""
    rule = one.about.rule
    yield f"{rule.slug}@{rule.revision}: {shorten(rule.statement)}"
    yield from (f"  {case_line(case)}" for case in one.about.cases)
    if one.obstacle:
        yield f"  no revision: {one.obstacle}"
        return
    yield from (f"  {line}" for line in one.reader)
    yield f"  becomes: UPDATE {rule.slug} -- {one.because}"
    yield from (f"    {line}" for line in one.diff)
    unsaid = [flip for flip in one.flips if not flip.wanted]
    if one.flips:
        yield f"  {count_of(len(one.flips), 'verdict')} turned, {len(unsaid) or 'none'} of them unasked:"
    else:
        yield "  no verdict is turned"
    yield from (f"    {flip_line(flip)}" for flip in one.flips[:MOST_FLIPS])
    if len(one.flips) > MOST_FLIPS:
        yield f"    … and {len(one.flips) - MOST_FLIPS} more; --format json lists all"
    yield from (f"  {line}" for line in told_before_and_after(one))
    yield from (f"  not met: {case_line(case)}" for case in one.unmet)
    yield f"  proof: {one.proof}"


def told_before_and_after(one: ProposedRevision) -> list[str]:
    """What the rule caught and let pass, before and with the revision, each with where that is known from."""
    return [*(reach.line for reach in one.reach), *filter(None, [one.ledger])]


def card_json(one: ProposedRevision) -> dict[str, Any]:
    """The card as data."""
    return {
        "slug": one.slug,
        "revision": one.new.revision,
        "decision": "UPDATE",
        "kind": one.kind,
        "because": one.because,
        "obstacle": one.obstacle,
        "cases": [_case_json(case) for case in one.about.cases],
        "diff": one.diff,
        "flips": [asdict(flip) for flip in one.flips],
        "unmet": [case.id for case in one.unmet],
        "reach": [asdict(reach) for reach in one.reach],
        "ledger": one.ledger,
        "proof": one.proof,
        "reader": list(one.reader),
    }


def _case_json(case: OpenCase) -> dict[str, Any]:
    wanted = [
        {"should": "catch" if one.caught else "pass", "example": example_file.example_data(one.example)}
        for one in case.wanted
    ]
    return {"id": case.id, "kind": case.kind, "words": case.words, "at": case.at, "by": case.by, "wanted": wanted}

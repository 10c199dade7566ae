"""A model's wording of a wish -> why it is not to be written before a person has seen it."""

from collections.abc import Iterator

from rulec.commands._propose import Proposal, holds
from rulec.commands._waiting import members
from rulec.language.meaning import Meaning, meaning
from rulec.model.candidate import Candidate
from rulec.model.rulebook import Rulebook
from rulec.stages.mine import BY

UNSAID = "a model worded this, in words that the person did not say"
UNBORNE = "a model worded this, and nothing that the person said or had put right bears it out"


def unborne(book: Rulebook, proposal: Proposal) -> str:
    """Why nobody's word stands behind it yet, "" where somebody's does.

    A person's own words are theirs, whoever found them. Of others a check must catch what was done before the person
    spoke and pass what was done after, and what they said or had put right must be about the same thing.
    """
    old = proposal.old
    if proposal.resolution.decision == "NOOP" and old and holds(book, old):
        return ""  # it is in force without this
    foreign = [one for one in members(proposal.candidate) if one.rule.rationale == BY and not _own(one)]
    if not foreign:
        return ""
    if not all(any(_ties(one)) for one in foreign):
        return UNBORNE
    return "" if _replayed(proposal) else UNSAID


def _own(one: Candidate) -> bool:
    """Whether the rule says no more, and no less, than the words that the person said."""
    rule, quote = one.rule, meaning(one.correction.quote if one.correction else "")
    said = meaning(rule.statement, rule.when)
    more = (said.words | meaning(rule.do).words) - quote.words
    kept = quote.but <= said.but and quote.when <= said.when and quote.leave == said.leave
    return bool(said.core) and not more and kept and _same_way(said, quote)


def _same_way(said: Meaning, quote: Meaning) -> bool:
    return said.wanted <= quote.wanted and said.unwanted <= quote.unwanted


def _ties(one: Candidate) -> Iterator[bool]:
    """What ties the person's turn to the rule: words in common, or a file that was changed again after it."""
    correction = one.correction
    if correction:
        rule, quote = one.rule, meaning(correction.quote)
        yield bool(quote.words & (meaning(rule.statement, rule.when).words | meaning(rule.do).words))
        before, after = (
            {action.path for action in side if action.new} for side in (correction.before, correction.after)
        )
        yield bool(before & after - {""})


def _replayed(proposal: Proposal) -> bool:
    """Whether a check is proved on the deed that the person objected to; of a rule that is there it was, once."""
    if proposal.resolution.decision == "NOOP":
        return bool(proposal.rule.checks)
    proof, offered = proposal.proof, proposal.candidate.offered
    return bool(proof and proof.holds and proof.digest and proof.replayed >= 0 and offered and offered.offence)

"""What is right by the other wishes of a session: no check of one wish should refuse it unseen."""

from collections.abc import Iterable, Iterator

from rulec.domain.candidate import Candidate, Challenge, ReaderOpinion
from rulec.domain.rule import Example
from rulec.drafting.session_examples import example_of, unique_examples


def session_neighbours(candidate: Candidate, others: Iterable[Candidate]) -> list[Example]:
    """What is right by the other wishes of the candidate's session, without what is wrong by its own words."""
    offered, challenge = candidate.offered or ReaderOpinion(), candidate.challenge or Challenge()
    wrong = {*offered.invalid, *challenge.invalid}
    right = [each for other in others if _session(other) == _session(candidate) for each in _right_by(other)]
    return [each for each in unique_examples(right) if each not in wrong]


def _session(candidate: Candidate) -> str:
    """The session in which a wish was voiced; those that somebody typed at once have none."""
    return candidate.correction.turn.session if candidate.correction else ""


def _right_by(candidate: Candidate) -> Iterator[Example]:
    """What is right by a wish: what was done instead, and what its challenge and its reader let pass."""
    offered, challenge = candidate.offered or ReaderOpinion(), candidate.challenge or Challenge()
    fix = example_of(offered.fix) if offered.fix else None
    yield from (fix,) if fix else ()
    yield from challenge.without().valid
    yield from offered.valid
    yield from (example for draft in candidate.drafts for example in draft.valid)

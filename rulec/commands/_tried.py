"""Candidate -> the drafts to be proved, in their order: templates, then a check in a model's own words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.commands._observe import observe_each
from rulec.model.artifact import Artifact
from rulec.model.candidate import Candidate, Draft, Offered
from rulec.model.rule import Example
from rulec.stages.entrust import judged
from rulec.stages.verify import change_of

MOST = 6  # templates that are tried for one candidate
BY_MODEL = "a model wrote this check"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A draft, and the place of the session that it was made of."""

    draft: Draft
    number: int
    raw: bool = False  # in a model's own words
    alone: bool = False  # without those of a model's examples with which it did not hold
    beside: tuple[tuple[Example, ...], tuple[Example, ...]] = ((), ())  # these: invalid and valid ones


def attempts(candidate: Candidate, many: int) -> Iterator[Attempt]:
    """What may check a candidate of so many sessions, each with a model's examples, then templates without them."""
    members = (candidate, *candidate.repeats)[:many]
    seen: list[object] = []
    alone: list[Attempt] = []
    for number, one in enumerate(members):
        for draft in one.drafts:
            what = (draft.checks, draft.scope)
            if what in seen or len(seen) == MOST:
                continue
            seen.append(what)
            beside = _beside(draft, one.offered)
            full = replace(draft, invalid=draft.invalid + beside[0], valid=draft.valid + beside[1])
            alone += [Attempt(draft, number, alone=True, beside=beside)] if full != draft else []
            yield Attempt(full, number)
    own: list[Attempt] = []
    asked: list[Attempt] = []
    for number, one in enumerate(members):
        if one.offered and one.offered.check and one.offered.check not in seen:
            seen.append(one.offered.check)
            some = asked if one.offered.check.kind == "judge" else own
            some.append(Attempt(raw(one, one.offered), number, raw=True))
    yield from (*own, *alone, *asked)  # what a machine can prove does not yield to what it cannot


def raw(candidate: Candidate, offered: Offered) -> Draft:
    """The draft with the check in a model's own words."""
    rule, check = candidate.rule, offered.check
    checks = (check,) if check else ()
    draft = Draft(checks=checks, invalid=offered.invalid, valid=offered.valid, do=rule.do, because=BY_MODEL)
    return judged(rule.statement, draft) if check and check.kind == "judge" else draft


def _beside(draft: Draft, offered: Offered | None) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """A model's examples of those kinds that the draft's own are of: of others its check may see nothing."""
    if offered is None:
        return (), ()
    own = (*draft.invalid, *draft.valid)
    kinds = {example.kind for example in own}
    invalid, valid = (
        tuple(example for example in side if example.kind in kinds and example not in own)
        for side in (offered.invalid, offered.valid)
    )
    return invalid, valid


def decided(attempt: Attempt, artifacts: Sequence[Artifact]) -> tuple[Draft, tuple[Example, ...]]:
    """The draft with those of a model's examples that its checks decide alike, and the others."""
    invalid, valid = attempt.beside
    seen = observe_each(artifacts, [change_of(example) for example in (*invalid, *valid)])
    right = [bool(found) == (number < len(invalid)) for number, found in enumerate(seen)]
    alike = [example for example, good in zip((*invalid, *valid), right, strict=True) if good]
    odd = tuple(example for example, good in zip((*invalid, *valid), right, strict=True) if not good)
    draft = attempt.draft
    return replace(
        draft,
        invalid=draft.invalid + tuple(example for example in invalid if example in alike),
        valid=draft.valid + tuple(example for example in valid if example in alike),
    ), odd

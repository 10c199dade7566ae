"""Shows exactly one candidate that waits, proves an edit of it, and decides on it if it is still as it was shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from rulec.domain.candidate import Candidate
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.reports.rule_lines import example_line
from rulec.resolving.resolver import Resolution, resolve_into
from rulec.resolving.rule_index import index_rules
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.backtest.past_runs import commit_backtest
from rulec.services.proposals import (
    candidate_decision,
    proposal_builder,
    proposal_card,
    rule_conflicts,
    waiting_candidates,
    waiting_titles,
)
from rulec.services.proposals.candidate_decision import DecisionOptions, OpenDecision
from rulec.services.proposals.candidate_identity import candidate_id, is_known_evidence, occurrences
from rulec.services.proposals.proposal_builder import OpposingRule, Proposal, Ruling, resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate
from rulec.services.rulebook_commit import HEAD

Answer = Literal["accept", "reject", "later"]
NEAR = 5  # rules that are offered to merge it with
_AGAIN = "see what waits now: rulec review"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How a person wants a candidate taken: as rulec resolved it, as a new rule, or as part of another rule."""

    manner: Literal["", "new", "merge"] = ""
    into: str = ""  # of merge: the slug of that rule
    enforcement: PinnedEnforcement = "auto"
    text: str = ""  # the rule's file as they edited it, "" for as it was proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownExample:
    """An example of a card."""

    line: str
    source: str
    invalid: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRule:
    """A rule or a proposal that a card shows beside its own."""

    slug: str
    statement: str
    waits: bool = False
    identity: str = ""  # of one that waits
    witness: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCard:
    """Everything about one candidate that a person needs to decide, with the digest of what they were shown."""

    identity: str
    digest: str
    choice: Choice
    slug: str
    statement: str
    decision: str
    words: str = ""  # the candidate's own sentence, whatever becomes of it
    rows: tuple[tuple[str, str], ...] = ()  # as the card at a terminal has them
    details: tuple[tuple[str, str], ...] = ()
    examples: tuple[ShownExample, ...] = ()
    text: str = ""  # the file as it would be written
    old: ShownRule | None = None  # the rule that it speaks to
    against: tuple[ShownRule, ...] = ()
    near: tuple[ShownRule, ...] = ()  # rules that it may be merged with
    new_beside: bool = False  # it may be a rule of its own
    obstacle: str = ""
    doubt: str = ""
    part: tuple[int, int] = (1, 1)
    known: bool = False  # nothing of it is new


@dataclass(frozen=True, slots=True)
class _Found:
    """One candidate of the queue, as it stands there, and the wishes that it is decided by."""

    book: Rulebook
    whole: WaitingCandidate
    wishes: tuple[WaitingCandidate, ...]
    number: int = 0  # which of them was asked for, 0 for the whole

    @property
    def identity(self) -> str:
        return candidate_id(self.whole.candidate)


def show_candidate(top: Path, identity: str, choice: Choice) -> list[CandidateCard]:
    """The card of a candidate, or of each wish in it; nothing is decided."""
    book = rulebook_files.load_rulebook(top)
    found, against = _find(top, book, identity)
    if not found.wishes:
        rule = found.whole.candidate.rule
        digest = _digest_of_known(found)
        return [
            CandidateCard(
                identity=found.identity, digest=digest, choice=choice, slug=rule.slug, statement=rule.statement,
                decision="NOOP", known=True,
            )
        ]  # fmt: skip
    return [_card(top, found, number, choice, against) for number in _numbers(found)]


def look_back(top: Path, identity: str, choice: Choice) -> list[str]:
    """What each wish of a candidate would have refused in the last commits and finds of what is there, in a line."""
    found, _ = _find(top, rulebook_files.load_rulebook(top), identity)
    backtest, lines = commit_backtest(top), list[str]()
    for number in _numbers(found):
        case = _case(top, found, number, choice, ())
        proposal = case.proposal()
        past, there = case.look_back(proposal, backtest)
        context = case.context(proposal, case.made(proposal), past, there)
        held = context.doubt if context.past and there.held_back else ""
        nothing = "nothing: it has no check"
        if proposal.rule.checks:
            acts = "its checks act at tool calls alone" if proposal.proof else "no check of it is proved"
            nothing = f"nothing: {acts}"
        lines.append(". ".join(filter(None, (context.past, held))) or nothing)
    return lines


def try_edit(top: Path, identity: str, shown: str, choice: Choice) -> CandidateCard:
    """The card of a candidate as a person edited it, proved; RulecError with what is wrong. Nothing is written."""
    found, against = _find(top, rulebook_files.load_rulebook(top), identity)
    case = _case(top, found, _only(found), choice, against)
    proposal = case.proposal()
    _require_same(case, proposal, shown)
    return _shown(case, found, case.edited(proposal, choice.text), choice, shown)


def decide(top: Path, identity: str, shown: str, answer: Answer, choice: Choice) -> Outcome:
    """Carry out what a person decided on the card with this digest; RulecError where it is not as it was shown."""
    with rulebook_commit.open_rulebook(top, HEAD) as book:
        found, against = _find(top, book, identity)
        gone = [candidate_id(one) for one in occurrences(found.whole.candidate)]
        if not found.wishes:
            if shown != _digest_of_known(found):
                raise _changed()
            waiting_candidates.remove_decided(top, found.whole.candidate)
            return Outcome("nothing of it is new, so it waits no more", data={"answer": "known", "gone": gone})
        case = _case(top, found, _only(found), choice, against)
        rest: list[str] = []
        if len(found.wishes) > 1:
            _require_same(case, case.proposal(), shown)
            waiting_candidates.separate_waiting(top, found.whole, found.wishes)
            rest = [candidate_id(one.candidate) for one in found.wishes if one is not case.item]
        done = _decided(top, case, shown, answer, choice)
    said = done.proposal.rule.slug if done.proposal else case.item.candidate.rule.slug
    text = {
        "accept": f"{candidate_decision.proposal_subject(done.proposal)}: " if done.proposal else "",
        "reject": f"{said} is rejected and not proposed again",
        "later": f"{said} is left for later",
    }.get(done.answer, "")
    if done.answer not in ("accept", "reject", "later"):
        raise _changed()
    if done.answer == "accept":
        text += rulebook_commit.describe_written(top, HEAD, done.commit)
    left = waiting_candidates.count_waiting(top)
    data = {"answer": done.answer, "commit": done.commit, "slug": said, "gone": gone, "rest": rest, "left": left}
    return Outcome(text, data=data)


def _decided(top: Path, case: OpenDecision, shown: str, answer: Answer, choice: Choice) -> candidate_decision.Decision:
    """The decision by the service that ``rulec review`` decides by."""
    edited = False

    def ask(proposal: Proposal) -> str:
        nonlocal edited
        if edited:
            return answer
        book = rulebook_files.load_rulebook(top)
        if answer != "later":
            _require_same(replace(case, book=book), proposal, shown)
        if answer == "accept" and choice.text:
            edited = True
            return "edit"
        if answer == "accept" and proposal.obstacle:
            raise RulecError(proposal.obstacle, where=proposal.resolution.slug, hint="edit it, or make it a new rule")
        return answer

    def edit(_: str, wrong: str) -> str:
        if wrong:
            raise RulecError(wrong)
        return choice.text

    options = replace(case.options, answer=ask, edit=edit)
    (done,) = candidate_decision.decide_candidate(
        top, case.item, options, lambda _: None, lambda *_: "", against=case.against, ruling=case.ruling
    )
    return done


def _find(top: Path, book: Rulebook, identity: str) -> tuple[_Found, tuple[OpposingRule, ...]]:
    """The candidate that is meant, with those that wait and contradict it; RulecError where it waits no more."""
    name, _, part = identity.partition("-")
    names, contrary = waiting_titles.files_of_wish(top, name)
    items = waiting_candidates.merge_repeats(
        sorted(
            (waiting_candidates.read_waiting(top, one) for one in names),
            key=lambda one: (one.at, candidate_id(one.candidate)),
        )
    )
    mine = [one for one in items if name in map(candidate_id, occurrences(one.candidate))]
    if not mine:
        raise RulecError(
            "this candidate waits no more: somebody decided on it meanwhile, in another window or at a terminal",
            hint=_AGAIN,
        )
    whole = mine[0]
    fresh = whole.with_pairs([pair for pair in whole.pairs if not is_known_evidence(book, pair[0])])
    if not fresh.sessions:
        return _Found(book, whole, ()), ()
    wishes = candidate_decision.separate_wishes(book, fresh, resolve_candidate) or [fresh]
    number = int(part) if part.isdecimal() else 0
    if number > len(wishes):
        raise _changed()
    return _Found(book, whole, tuple(wishes), number), tuple(_opposing(top, contrary))


def _opposing(top: Path, identities: Sequence[str]) -> Iterator[OpposingRule]:
    for title in waiting_titles.list_titles(top).titles if identities else ():
        if title.identity in identities:
            yield OpposingRule(slug=title.slug, statement=title.statement, waits=True)


def _numbers(found: _Found) -> Sequence[int]:
    """The wishes that were asked for."""
    return [found.number] if found.number else range(1, len(found.wishes) + 1)


def _only(found: _Found) -> int:
    """The one wish that is to be decided."""
    if len(found.wishes) > 1 and not found.number:
        raise RulecError("it asks for several things, each decided by itself", hint="open it again")
    return found.number or 1


def _case(top: Path, found: _Found, number: int, choice: Choice, against: tuple[OpposingRule, ...]) -> OpenDecision:
    """One wish, ready to be shown and decided as the person wants it taken."""
    item = found.wishes[number - 1]
    waits = waiting_candidates.queue_files(top, found.whole.candidate) if len(found.wishes) == 1 else None
    options = DecisionOptions(
        answer=lambda _: "later", pinned=choice.enforcement, looks_back=False, waits=waits, offline=True
    )
    return OpenDecision(top, found.book, item, options, against, _ruling(choice))


def _ruling(choice: Choice) -> Ruling:
    """What the candidate is to the rulebook: as rulec resolves it, or as the person says."""

    def ruled(candidate: Candidate, book: Rulebook) -> Resolution:
        said = resolve_candidate(candidate, book)
        if choice.manner == "new":
            return proposal_builder.resolve_as_new(said) if book.rule(said.slug) and said.new_slug else said
        if choice.manner == "merge":
            rule = book.rule(choice.into)
            if rule is None:
                raise RulecError(f"no rule {choice.into!r}", hint="choose one of the rulebook")
            into = resolve_into(candidate, rule, book)
            if into.decision == "SUPERSEDE":
                raise RulecError(f"it contradicts {rule.slug}: {into.because}", hint="they cannot be one rule")
            return into
        return said

    return ruled


def _card(top: Path, found: _Found, number: int, choice: Choice, against: tuple[OpposingRule, ...]) -> CandidateCard:
    case = _case(top, found, number, choice, against)
    proposal = case.proposal()
    one = replace(found, number=number if len(found.wishes) > 1 else 0)
    return _shown(case, one, proposal, choice, _digest(case, proposal))


def _shown(case: OpenDecision, found: _Found, proposal: Proposal, choice: Choice, digest: str) -> CandidateCard:
    made = case.made(proposal)
    context = case.context(proposal, made)
    rule, old = made.rule or proposal.rule, proposal.old
    sides = ((rule.invalid, True), (rule.valid, False))
    decision, many = proposal.resolution.decision, len(found.wishes)
    writes = decision != "NOOP"
    return CandidateCard(
        identity=f"{found.identity}-{found.number}" if many > 1 else found.identity,
        digest=digest,
        choice=choice,
        slug=rule.slug,
        statement=rule.statement,
        decision=decision,
        words=case.item.candidate.rule.statement,
        rows=tuple(proposal_card.card_rows(proposal, context)),
        details=tuple(proposal_card.detail_rows(proposal)) if writes else (),
        examples=tuple(_example(one, invalid) for side, invalid in sides for one in side) if writes else (),
        text=(proposal.text or rule_reading.write_rule(rule, case.text_before(proposal))) if writes else "",
        old=_shown_rule(old) if old else None,
        against=tuple(_contrary(proposal)),
        near=tuple(_near(case, proposal)),
        new_beside=bool(old and proposal.resolution.new_slug),
        obstacle=proposal.obstacle,
        doubt=context.doubt,
        part=(found.number, many) if many > 1 else (1, 1),
    )


def _example(one: Example, invalid: bool) -> ShownExample:  # noqa: FBT001 - which side it stands on
    return ShownExample(line=example_line(one), source=one.source, invalid=invalid)


def _shown_rule(rule: Rule, witness: str = "") -> ShownRule:
    return ShownRule(slug=rule.slug, statement=rule.statement, witness=witness)


def _contrary(proposal: Proposal) -> Iterator[ShownRule]:
    """The rules and proposals that contradict it, each with an action that shows it where there is one."""
    if proposal.resolution.decision == "SUPERSEDE" and proposal.old:
        yield _shown_rule(proposal.old, rule_conflicts.describe_witness(proposal.witness))
    for one in proposal.against:
        witness = "" if one.waits else rule_conflicts.describe_witness(one.witness)
        yield ShownRule(slug=one.slug, statement=one.statement, waits=one.waits, witness=witness)


def _near(case: OpenDecision, proposal: Proposal) -> Iterator[ShownRule]:
    """The rules of the team that it may be merged with, the nearest first."""
    index = index_rules(case.book)
    others = {one.slug for one in proposal.against} | {proposal.resolution.slug}
    found = (*index.with_values(proposal.rule.checks), *index.alike(case.item.candidate.rule.statement))
    near = {one.slug: one for one in found if one.layer == "team" and one.slug not in others}
    return map(_shown_rule, islice(near.values(), NEAR))


def _digest(case: OpenDecision, proposal: Proposal) -> str:
    """The digest of what a yes agrees to: another one as soon as that changes."""
    made = case.made(proposal)
    said, rule = proposal.resolution, replace(made.rule or proposal.rule, origin="", source="")
    held = proposal_builder.is_rule_active(case.book, proposal.rule, made.evidence)
    against = [(one.slug, one.statement, rule_conflicts.describe_witness(one.witness)) for one in proposal.against]
    return state.digest_of_values(
        [
            sorted(candidate_id(one) for one in occurrences(case.item.candidate)),
            rule_reading.write_rule(rule),
            [said.decision, said.slug, said.new_slug, said.manner, *said.added],
            rule_reading.write_rule(proposal.old) if proposal.old else "",
            [proposal.obstacle, [*proposal.failed], held],
            against,
            rule_conflicts.describe_witness(proposal.witness),
        ]
    )


def _digest_of_known(found: _Found) -> str:
    return state.digest_of_values(["known", *sorted(candidate_id(one) for one in occurrences(found.whole.candidate))])


def _require_same(case: OpenDecision, proposal: Proposal, shown: str) -> None:
    if _digest(case, proposal) != shown:
        raise _changed()


def _changed() -> RulecError:
    return RulecError("the proposal changed since it was shown", hint="open it again and look at what it says now")

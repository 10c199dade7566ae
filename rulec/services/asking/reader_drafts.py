"""Asks a reader (a model or an agent) for challenges and checks of candidates, and keeps those that are proved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from rulec.checks import template_library
from rulec.checks.proving import replay
from rulec.checks.proving.example_changes import describe_example
from rulec.checks.proving.proof import Proof
from rulec.compiling import artifacts
from rulec.domain.candidate import Candidate, Challenge, Draft, LeftOutExample, ReaderOpinion
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelFailure, ModelReply, Prompt
from rulec.domain.rule import CheckKind, Example, Rule
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting import draft_questions
from rulec.drafting.challenge_questions import (
    ChallengeAnswer,
    ChallengeRequest,
    group_challenges,
    read_challenge_answer,
    write_challenge_prompts,
)
from rulec.drafting.draft_questions import DraftRequest, group_by_size
from rulec.drafting.session_examples import (
    Sides,
    as_commits,
    as_sessions,
    example_of,
    offence_and_fix,
    unique_examples,
)
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.infra.git.commit_changes import PastCommits
from rulec.llm.conversation import Conversation
from rulec.resolving.resolver import Resolution
from rulec.resolving.revisions import redact_rule, rule_of
from rulec.rulebook import example_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services import templates
from rulec.services.asking.repository_profile import describe_repository
from rulec.services.asking.wrong_examples import (
    CAUGHT,
    PASSED,
    WrongExample,
    refused_examples,
    session_neighbours,
    why_missed,
    wrong_examples,
)
from rulec.services.backtest import past_runs
from rulec.services.proposals.proposal_builder import Ruling
from rulec.services.proposals.waiting_candidates import WaitingCandidate

_LONGEST_REASON = 200  # characters of why there is none


@dataclass(slots=True)
class ChallengeRun:
    """The challenges of some wishes, by their number; where there is none the check is drafted all the same."""

    chat: Conversation
    profile: str  # of the repository
    found: dict[int, Candidate] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # a line for each wish without one
    awaited: bool = False  # an answer may still come, in a file

    def ask(self, wanted: Mapping[int, Candidate]) -> None:
        """Ask about all of them, and once more about those of which the answer cannot be used."""
        left = self._round({number: ChallengeRequest(candidate) for number, candidate in wanted.items()}, last=False)
        self._round(left, last=True)

    def _round(self, wanted: Mapping[int, ChallengeRequest], *, last: bool) -> dict[int, ChallengeRequest]:
        """Returns what is to be asked once more."""
        again: dict[int, ChallengeRequest] = {}
        if not wanted:
            return again
        numbers = iter(wanted)
        requests = list(wanted.values())
        replies = self.chat.ask(write_challenge_prompts(requests, self.chat.render, self.profile))
        for group, reply in zip(group_challenges(requests), replies, strict=True):
            own = {next(numbers): request for request in group}
            if not isinstance(reply, ModelAnswer):
                self._unanswered(own, reply)
                continue
            answers = read_challenge_answer(reply.data, group)
            for (number, request), answer in zip(own.items(), answers, strict=True):
                if answer.complete or last:
                    self._take(number, request.candidate, answer)
                else:
                    again[number] = replace(request, unread=answer.unread)
        return again

    def _take(self, number: int, candidate: Candidate, answer: ChallengeAnswer) -> None:
        self.found[number] = replace(candidate, challenge=answer.challenge)
        if not answer.complete:
            self._tell(candidate, "; ".join(answer.unread))

    def _unanswered(self, wanted: Mapping[int, ChallengeRequest], reply: ModelReply) -> None:
        """Who answers in files may still do so; of a run that has to end whoever drafts the checks says why."""
        if isinstance(reply, AwaitedAnswer) or self.chat.waits:
            self.awaited = True
            self.notes += [reply.line] if isinstance(reply, ModelFailure) else []
        elif isinstance(reply, ModelFailure) and not reply.over:
            for one in wanted.values():
                self._tell(one.candidate, reply.what)

    def _tell(self, candidate: Candidate, why: str) -> None:
        what = to_one_line(redact(why))[:_LONGEST_REASON]
        self.notes.append(f"{redact(candidate.rule.slug)}: its check is drafted without a challenge: {what}")


ROUNDS = 3
UNPROVED = "no check that was written for it could be proved"
MOST_WRONG = 8  # examples that a question to mend names


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedItems:
    """Candidates that can be decided now, candidates that wait for an answer, and lines for people."""

    items: tuple[WaitingCandidate, ...] = ()
    held: tuple[WaitingCandidate, ...] = ()
    notes: tuple[str, ...] = ()


def draft_checks(
    top: Path, book: Rulebook, items: Sequence[WaitingCandidate], chat: Conversation, ruling: Ruling
) -> DraftedItems:
    """Every item with the checks that its reader wrote for it; those that nobody has to read are left as they are.

    A question is put only when nothing else is awaited, so that it stays the same.
    """
    run = _DraftingRun(top, book, chat, list(items))
    wanted = [] if chat.off else [number for number, item in enumerate(items) if _wants_checks(item, book, ruling)]
    if wanted and chat.waits and chat.open:
        return run.end(held=wanted)
    if run.challenge(wanted):
        return run.end(held=wanted)
    left = run.round({number: DraftRequest(run.items[number].candidate) for number in wanted}, first=True)
    for _ in range(ROUNDS):
        left = run.round(left, first=False)
    for number, one in left.items():
        run.give_up(number, one)
    return run.end(held=run.held)


def _wants_checks(item: WaitingCandidate, book: Rulebook, ruling: Ruling) -> bool:
    """Whether a reader is asked for checks: of what it found itself, and of what has no check yet."""
    offered, found = item.candidate.offered, item.candidate.drafts
    if offered and offered.drafted:
        return False
    return not found and ruling(item.candidate, book).decision not in ("NOOP", "SPLIT")


@dataclass(frozen=True, slots=True)
class _TriedDraft:
    """One draft with all its examples, and how it decided them."""

    draft: Draft
    rule: Rule
    proof: Proof

    @property
    def holds(self) -> bool:
        return self.proof.holds


@dataclass(slots=True)
class _DraftingRun:
    top: Path
    book: Rulebook
    chat: Conversation
    items: list[WaitingCandidate]
    notes: list[str] = field(default_factory=list)
    held: set[int] = field(default_factory=set)
    _profile: str | None = None
    # by number, what is proved and refuses what other wishes of its session let pass: its author was asked once
    _doubted: dict[int, Sequence["_TriedDraft"]] = field(default_factory=dict)

    def challenge(self, wanted: Sequence[int]) -> bool:
        """Ask for the challenges of some candidates; whether one is awaited, before which nobody drafts a check."""
        new = {number: self.items[number].candidate for number in wanted}
        new = {number: one for number, one in new.items() if one.challenge is None}
        if not new:
            return False
        run = ChallengeRun(self.chat, self.profile())
        run.ask(new)
        for number, candidate in run.found.items():
            self.items[number] = replace(self.items[number], candidate=candidate)
        self.notes += run.notes
        return run.awaited

    def profile(self) -> str:
        """What whoever is asked is told of the repository."""
        if self._profile is None:
            self._profile = describe_repository(self.top, self.book)
        return self._profile

    def round(self, wanted: Mapping[int, DraftRequest], *, first: bool) -> dict[int, DraftRequest]:
        """Ask about some candidates; returns those without a proved check, with the failures."""
        left: dict[int, DraftRequest] = {}
        if not wanted:
            return left
        numbers, all_of = list(wanted), list(wanted.values())
        some = group_by_size(all_of)
        for group, answer in zip(some, self.chat.ask(self._prompts(all_of, first=first)), strict=True):
            own, numbers = numbers[: len(group)], numbers[len(group) :]
            if isinstance(answer, ModelAnswer):
                answers = draft_questions.read_draft_answer(answer.data, group, self.kind_of)
                for number, before, one in zip(own, group, answers, strict=True):
                    left |= self._read_answer(number, before, one)
            else:
                self._unanswered(own, answer)
        return left

    def _prompts(self, wanted: Sequence[DraftRequest], *, first: bool) -> list[Prompt]:
        seen = filter(None, (self.profile(), _team_templates(self.top)))
        rulecs_own = template_library.open_library().templates().values()  # part of the prompt as instructions
        ask = draft_questions.write_draft_prompts if first else draft_questions.write_mend_prompts
        return ask(wanted, self.chat.render, templates.render_catalogue(rulecs_own), "\n".join(seen))

    def kind_of(self, name: str) -> CheckKind:
        """The kind of check that a template makes."""
        return artifacts.template_library(self.top).template(name).kind

    def _read_answer(
        self, number: int, before: DraftRequest, one: draft_questions.DraftAnswer
    ) -> dict[int, DraftRequest]:
        """Prove the drafts of one answer; returns the failures to send back where none is proved."""
        item = self.items[number]
        if one.silent:
            return self._again(number, before, one.silent)
        self.items[number] = item = replace(item, candidate=one.candidate)
        if not one.drafts and not one.unread:
            self._no_check(number, one.not_checked)
            return {}
        tried = [self._tried(item, draft) for draft in one.drafts]
        if proved := [each for each in tried if each.holds]:
            refused = {id(each): self._refused_neighbours(number, each) for each in proved}
            harmless = [each for each in proved if not refused[id(each)]]
            if harmless or number in self._doubted:
                self._settle(number, harmless or proved, one.unread)
                return {}
            self._doubted[number] = proved
            failed = tuple(
                _refusal_data(refused[id(each)]) if each.holds else self._failure(item, each) for each in tried
            )
            return {number: DraftRequest(one.candidate, one.drafts, failed, one.unread)}
        failed = tuple(self._failure(item, each) for each in tried)
        return {number: DraftRequest(one.candidate, one.drafts, failed, one.unread)}

    def _refused_neighbours(self, number: int, one: _TriedDraft) -> list[Example]:
        """What the check refuses of what is right by the other wishes of its session."""
        candidate = self.items[number].candidate
        others = [item.candidate for at, item in enumerate(self.items) if at != number]
        right = [each for each in session_neighbours(candidate, others) if each not in one.draft.invalid]
        return refused_examples(self.book, one.rule, self.top, right) if right else []

    def _again(self, number: int, before: DraftRequest, why: str) -> dict[int, DraftRequest]:
        if not before.tried:
            self.tell(number, f"a reader was asked for a check, and {why}")
            return {}
        return {number: replace(before, unread=(why,))}

    def _no_check(self, number: int, why: Sequence[str]) -> None:
        """Give up on a check: the rule is a reminder that says why."""
        item = self.items[number]
        rule = replace(
            item.candidate.rule, not_checked=tuple(why) or ("whoever read it says that no machine can check it",)
        )
        self.items[number] = replace(item, candidate=replace(item.candidate, rule=rule, drafts=()))

    def _settle(self, number: int, proved: Sequence[_TriedDraft], unread: Sequence[str]) -> None:
        item = self.items[number]
        ranked = sorted(proved, key=self._width) if len(proved) > 1 else proved
        for line in unread:
            self.tell(number, f"ignored in the reader's answer: {line}")
        if refused := self._refused_neighbours(number, ranked[0]):
            what = describe_example(refused[0])
            self.tell(number, f"it refuses {what}, which is right by another wish of the session")
        found = replace(item.candidate, drafts=tuple(each.draft for each in ranked))
        if ranked[0].draft.statement:
            found = replace(found, rule=replace(found.rule, statement=ranked[0].draft.statement))
        self.items[number] = replace(item, candidate=found)

    def _width(self, one: _TriedDraft) -> tuple[bool, int, int, int]:
        """How much a check catches beyond what it should: by machine first, then the fewest innocents, then the edges.

        Innocents are commits of the past that it would have refused and innocent variants of its examples; what it
        misses of the variants that it should catch decides between checks that are alike in this.
        """
        edges = rule_proof.prove_with_tools(self.book, one.rule, self.top, None, edges=True).edges
        hits = edges.valid - edges.passed if edges else 0
        misses = edges.invalid - edges.caught if edges else 0
        return not one.proof.digest, self._refused(one.rule) + hits, misses, len(one.draft.not_checked)

    def _refused(self, rule: Rule) -> int:
        """How many of the last commits the draft would have refused, as far as two seconds reach."""
        try:
            (result,) = past_runs.backtest_commits(
                PastCommits(self.top, past_runs.COMMITS),
                [past_runs.backtested_rule(self.book, rule, self.top)],
                clock.countdown(past_runs.CARD_SECONDS),
            )
        except RulecError:
            return 0
        return len(result.refusals)

    def _tried(self, item: WaitingCandidate, one: Draft) -> _TriedDraft:
        """The draft with the reader's examples and what the session shows, alone or in order."""
        first: _TriedDraft | None = None
        for taken in _session_examples(item.candidate):
            tried = self._with(item, one, taken)
            first = first or tried
            if tried.holds:
                return tried
        return first or self._with(item, one, ((), ()))

    def _with(
        self, item: WaitingCandidate, one: Draft, taken: Sides, but: Sequence[LeftOutExample] = ()
    ) -> _TriedDraft:
        """The draft proved on the examples, ``but`` for some that no repair came to decide."""
        offered, challenge = item.candidate.offered or ReaderOpinion(), item.candidate.challenge or Challenge()
        gone = {each.example for each in but}
        asked = challenge.without(gone)
        invalid = unique_examples(taken[0], asked.invalid, [each for each in offered.invalid if each not in gone])
        valid = unique_examples(taken[1], asked.valid, offered.valid)
        full = replace(one, invalid=invalid, valid=valid, left_out=(*challenge.left_out, *but))
        rule = self._rule(item.candidate, full)
        session = replay.merge_sessions(item.sessions[:1], 0)
        if session and offered.offence is None:
            session = replay.without_offence(session)
        return _TriedDraft(full, rule, rule_proof.prove_with_tools(self.book, rule, self.top, session))

    def _rule(self, candidate: Candidate, one: Draft) -> Rule:
        said = Resolution(decision="NEW", slug=candidate.rule.slug, because="")
        return redact_rule(rule_of(candidate, said, one), redact)

    def _failure(self, item: WaitingCandidate, one: _TriedDraft) -> dict[str, Any]:
        """Why the proof failed, with the examples that were decided wrongly."""
        wrong = [each.data(item.candidate) for each in islice(self._wrong(one), MOST_WRONG)]
        wrong += self._missed_offence(item.candidate, one)
        return {"failed at": redact(one.proof.failures), **({"decided otherwise": wrong} if wrong else {})}

    def _missed_offence(self, candidate: Candidate, one: _TriedDraft) -> Iterator[dict[str, Any]]:
        """The action of the session that the replay missed, as it was done, and what the checks read in it."""
        missed = any(failure.expected == CAUGHT and failure.example is None for failure in one.proof.failed)
        offence = candidate.offered.offence if candidate.offered else None
        example = example_of(offence) if missed and offence else None
        if example:
            why = "; ".join(why_missed(one.rule, example, self.top))
            yield WrongExample(example, CAUGHT, PASSED, why).data(candidate)

    def _wrong(self, one: _TriedDraft) -> Iterator[WrongExample]:
        return wrong_examples(self.book, one.rule, self.top)

    def give_up(self, number: int, one: DraftRequest) -> None:
        """What no check came to decide after all: the reader's further offences and the challenge are left out.

        A check that catches what its own author lets pass, or misses what the session shows, is none.
        """
        item = self.items[number]
        if number in self._doubted:
            self._settle(number, self._doubted[number], ())
            return
        found: list[_TriedDraft] = []
        for draft in one.tried:
            tried = self._tried(item, draft)
            but = self._undecided(item.candidate, tried)
            if not but or sum(each.invalid for each in but) == len(tried.rule.invalid):
                continue
            for taken in _session_examples(item.candidate):
                less = self._with(item, draft, taken, but)
                if less.holds:
                    found.append(less)
                    break
        if found:
            least = min(len(each.draft.left_out) for each in found)
            self._settle(number, [each for each in found if len(each.draft.left_out) == least], one.unread)
            return
        why = next((str(each.get("failed at", "")) for each in one.failed), "") or "; ".join(one.unread)
        self.tell(number, f"no check of the reader could be proved after {ROUNDS} repairs: {to_one_line(why)[:200]}")
        wish = [set(draft.not_checked) for draft in one.tried]  # what is said of each is said of the wish
        kept = [text for text in one.tried[0].not_checked if all(text in said for said in wish)] if wish else []
        self._no_check(number, (UNPROVED, *kept))

    def _undecided(self, candidate: Candidate, tried: _TriedDraft) -> list[LeftOutExample]:
        """What the checks decide otherwise than somebody who was not in the session says."""
        offered, challenge = candidate.offered or ReaderOpinion(), candidate.challenge or Challenge()
        missed, caught = {*offered.invalid, *challenge.invalid}, set(challenge.valid)
        return [
            LeftOutExample(example=one.example, invalid=one.must == CAUGHT)
            for one in self._wrong(tried)
            if one.example in (missed if one.must == CAUGHT else caught)
        ]

    def _unanswered(self, numbers: Sequence[int], answer: ModelReply) -> None:
        if isinstance(answer, AwaitedAnswer) or (isinstance(answer, ModelFailure) and (answer.over or self.chat.waits)):
            self.held.update(numbers)
        if isinstance(answer, ModelFailure) and self.chat.waits:  # in a file, which somebody can still mend
            self.notes.append(answer.line)
        elif isinstance(answer, ModelFailure) and not answer.over:
            for number in numbers:
                self.tell(number, f"no reader wrote a check: {answer.what}")

    def tell(self, number: int, what: str) -> None:
        """Add a line about one candidate."""
        self.notes.append(f"{redact(self.items[number].candidate.rule.slug)}: {redact(what)}")

    def end(self, held: Sequence[int] | set[int]) -> DraftedItems:
        """The result: every candidate, decided or waiting."""
        return DraftedItems(
            items=tuple(item for number, item in enumerate(self.items) if number not in held),
            held=tuple(item for number, item in enumerate(self.items) if number in held),
            notes=tuple(dict.fromkeys(self.notes)),
        )


def _refusal_data(refused: Sequence[Example]) -> dict[str, Any]:
    shown = [{"example": example_file.example_data(each)} for each in refused[:MOST_WRONG]]
    return {"proved, but it refuses what is right by other wishes of the session": shown}


def _session_examples(candidate: Candidate) -> Iterator[Sides]:
    """What the session shows, as examples of each form that a rule can check: alone, in order, as commits."""
    known: set[Sides] = set()
    for way in (offence_and_fix, as_sessions, as_commits):
        sides = way(candidate)
        if sides not in known and (any(sides) or not known):
            known.add(sides)
            yield sides


def _team_templates(top: Path) -> str:
    """One line for each template of the team, which is part of the prompt as data only."""
    ours = str(template_library.packaged_templates())
    known = artifacts.template_library(top).templates().values()
    lines = [f"  {templates.template_line(one)}" for one in known if not one.source.startswith(ours)]
    return "\n".join(["templates of the team, beside those of the catalogue:", *lines]) if lines else ""

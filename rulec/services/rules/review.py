"""rulec review, and the queue of the page: what waits is listed, and decided one by one, in batches or by its name."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from rulec.domain.candidate import Candidate
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text import one_line
from rulec.errors import RulecError
from rulec.infra import journal, state
from rulec.infra.rulebooks import rulebook_files
from rulec.resolving.check_values import index_rules
from rulec.resolving.resolver import Resolution, resolve_into
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions
from rulec.services.backtest.past_runs import commit_backtest
from rulec.services.proposals import candidate_decision, proposal_card, rule_conflicts, waiting_candidates
from rulec.services.proposals.candidate_decision import CandidateCard, CandidateCase, Decision, DecisionOptions
from rulec.services.proposals.candidate_identity import candidate_id, occurrences, sessions_of_candidate
from rulec.services.proposals.decision import Echo, Rest, decide_as_shown, require_as_shown
from rulec.services.proposals.proposal_builder import OpposingRule, Ruling, resolve_as_new, resolve_candidate
from rulec.services.proposals.waiting_candidates import QueueEntry, WaitingCandidate, list_queue
from rulec.services.rulebook_commit import HEAD

BATCH = 5
NEAR = 5  # rules that are offered to merge a candidate with
NOTHING = "no proposal waits"


def review_all(top: Path, options: DecisionOptions, echo: Echo, complain: Echo) -> Outcome:
    """Ask about everything that waits, a batch at a time."""
    with journal.write_lock(top):
        book = rulebook_commit.load_target_rulebook(top, options.onto)
        entries = list_queue(top, complain)
        if not entries:
            return Outcome("\n".join([NOTHING, *rule_conflicts.conflict_lines(book, top)]), data={})
        rulebook_commit.require_ready_to_write(top, options.onto)
        chat = doubtful_resolutions.review_conversation(top, book, options, echo)
        ruling = doubtful_resolutions.ask_and_report(book, [one.item.candidate for one in entries], chat, echo).ruling
        doubtful_resolutions.close_conversation(top, chat, echo)
        done, backtest = list[Decision](), commit_backtest(top)
        files = [waiting_candidates.queue_files(top, one.item.candidate) for one in entries]
        cards = candidate_decision.number_cards(options, len(entries))
        for start in range(0, len(entries), BATCH):
            batch = entries[start : start + BATCH]
            own = _ask_about_batch(top, batch, (start, len(entries)), options, echo, ruling=ruling)
            for at, (entry, numbered) in enumerate(zip(batch, islice(cards, len(batch)), strict=True), start):
                undecided = {one.identity for one in entries[at:]}
                done += candidate_decision.decide_candidate(
                    top, entry.item, replace(own, place=numbered.place, waits=files[at]), echo, backtest,
                    against=[one for one in _opposing(entry) if one.identity in undecided], ruling=ruling,
                )  # fmt: skip
        return _review_outcome(top, done, options)


def list_waiting(top: Path, complain: Echo, *, whole: bool = False) -> Outcome:
    """Everything that waits, in a line or two each; ``whole`` adds the cards, as data."""
    book = rulebook_files.load_rulebook(top)
    entries = list_queue(top, complain)
    conflicts = rule_conflicts.conflict_lines(book, top)
    if not entries:
        return Outcome("\n".join([NOTHING, *conflicts]), data=[])
    hint = "to decide: rulec review in a terminal, or with --accept SLUG, --new SLUG or --reject SLUG"
    lines = [line for number, one in enumerate(entries, 1) for line in _entry_lines(number, book, one)]
    data = [_case(top, one, Choice()).find(book).data() for one in entries] if whole else []
    return Outcome("\n".join([*lines, *conflicts, hint]), data=data)


def decide_by_slug(
    top: Path, answers: Sequence[tuple[str, str]], options: DecisionOptions, echo: Echo, complain: Echo
) -> Outcome:
    """Decide by slug: pairs of a slug and accept, new or reject."""
    twice = next((slug for slug, times in Counter(slug for slug, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="name it in one option only")
    with rulebook_commit.open_rulebook(top, options.onto):
        entries = list_queue(top, complain)
        chosen = [(_entry_by_slug(slug, entries), answer) for slug, answer in answers]
        done, backtest = list[Decision](), commit_backtest(top)
        for entry, answer in chosen:
            waits = waiting_candidates.queue_files(top, entry.item.candidate)
            own = replace(options, answer=_accept_new if answer == "new" else _always(answer), waits=waits)
            done += candidate_decision.decide_candidate(
                top, entry.item, own, echo, backtest, against=list(_opposing(entry))
            )
        return _review_outcome(top, done, options)


def _review_outcome(top: Path, done: Sequence[Decision], options: DecisionOptions) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [
        _count_line(top, tally),
        *rule_conflicts.conflict_lines(rulebook_commit.load_target_rulebook(top, options.onto), top),
        rulebook_commit.push_hint(top, options.onto),
    ]
    proposals = [one.data for one in done if one.proposal]
    return Outcome("\n".join(filter(None, lines)), data={**tally, "proposals": proposals})


def _opposing(entry: QueueEntry) -> Iterator[OpposingRule]:
    for item in entry.against:
        rule = item.candidate.rule
        yield OpposingRule(slug=rule.slug, statement=rule.statement, waits=True, identity=candidate_id(item.candidate))


def _ask_about_batch(
    top: Path, batch: Sequence[QueueEntry], place: tuple[int, int], options: DecisionOptions, echo: Echo, *,
    ruling: Ruling,
) -> DecisionOptions:  # fmt: skip
    """Ask whether to go card by card, or give one answer for the batch, which begins at a place of so many."""
    if len(batch) == 1 or options.rest.deferred:
        return options
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    start, of = place
    echo(f"{start + 1}-{start + len(batch)} of {of} that wait:")
    for number, entry in enumerate(batch, start + 1):
        echo("\n".join(_entry_lines(number, book, entry, ruling)))
    answer, same = rulebook_commit.ask_unlocked(top, options.onto, lambda: options.batch(len(batch)))
    if answer == "later":
        return replace(options, rest=Rest(deferred=True))
    return options if answer == "each" or not same else replace(options, answer=_always(answer))


def _accept_new(card: CandidateCard) -> str:
    """Accept as a new rule, beside a similar one."""
    return "new" if "new" in card.offers else "accept"


def _always(answer: str) -> Callable[[CandidateCard], str]:
    return lambda _: answer


def _entry_lines(number: int, book: Rulebook, entry: QueueEntry, ruling: Ruling = resolve_candidate) -> Iterator[str]:
    candidate = entry.item.candidate
    times = len(occurrences(candidate))
    said = candidate.correction
    quote = f'"{said.quote}"' if said else entry.item.source
    places = len(sessions_of_candidate(candidate))
    often = f", said in {places} sessions" if places > 1 else f", {times} times" * (times > 1)
    often += ", worded by a model" * proposal_card.worded_by_model(candidate)
    yield f"{number:3}  {candidate.rule.slug}: {one_line.shorten(candidate.rule.statement)}"
    yield f"     {one_line.shorten(quote)}{often}"
    becomes = ruling(candidate, book)
    if becomes.decision != "NEW":
        yield f"     {one_line.shorten(proposal_card.resolution_line(becomes))}"
    yield from (f"     against {text}" for one in _opposing(entry) for text in proposal_card.opposing_lines(one))


def _entry_by_slug(slug: str, entries: Sequence[QueueEntry]) -> QueueEntry:
    found = [one for one in entries if one.item.candidate.rule.slug == slug]
    if not found:
        known = ", ".join(sorted({one.item.candidate.rule.slug for one in entries})) or "none"
        raise RulecError(f"no {slug!r} waits for review", hint=f"waiting are: {known}")
    if len(found) > 1:
        raise RulecError(f"{len(found)} proposals are called {slug}", hint="decide on them one by one: rulec review")
    return found[0]


def _count_line(top: Path, tally: Counter[str]) -> str:
    words = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
    words["gone"] = "decided elsewhere"
    counted = ", ".join(f"{tally[key]} {word}" for key, word in words.items() if tally[key])
    return f"{counted}; {waiting_candidates.count_waiting(top)} in the queue"


# for the page, where a person decides on just what was shown to them


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How a person wants a candidate taken: as rulec resolved it, as a new rule, or as part of another rule."""

    manner: Literal["", "new", "merge"] = ""
    into: str = ""  # of merge: the slug of that rule
    enforcement: PinnedEnforcement = "auto"
    text: str = ""  # the rule's file as they edited it, "" for as it was proposed


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCard:
    """The card of one wish of a candidate that waits."""

    identity: str
    choice: Choice
    token: str  # of what was shown, before it was edited
    part: tuple[int, int] = (1, 1)
    words: str = ""  # the candidate's own sentence, whatever becomes of it
    card: CandidateCard | None = None  # None where nothing of it is new
    text: str = ""  # the rule's file as it would be written
    near: tuple[Rule, ...] = ()  # rules that it may be merged with


@dataclass(frozen=True, slots=True)
class _Found:
    """A candidate of the queue, and the wishes of it that are new, each decided by itself."""

    book: Rulebook
    entry: QueueEntry
    wishes: tuple[WaitingCandidate, ...]
    number: int = 0  # which of them was asked for, 0 for the whole

    @property
    def known_token(self) -> str:
        """The token of a candidate of which nothing is new."""
        return state.digest_of_values(["known", *sorted(self.entry.identities)])


def show_waiting(top: Path, identity: str, choice: Choice) -> list[WaitingCard]:
    """The card of a candidate, or of each wish in it; nothing is decided."""
    found = _find(top, identity)
    if not found.wishes:
        words = found.entry.item.candidate.rule.statement
        return [WaitingCard(identity=found.entry.identity, choice=choice, token=found.known_token, words=words)]
    numbers = [found.number] if found.number else range(1, len(found.wishes) + 1)
    return [_shown(found, number, choice, _wish(top, found, number, choice).find(found.book)) for number in numbers]


def look_back(top: Path, identity: str, choice: Choice) -> list[str]:
    """What each wish of a candidate would have refused in the last commits and finds of what is there, in a line."""
    found, lines = _find(top, identity), list[str]()
    for number in [found.number] if found.number else range(1, len(found.wishes) + 1):
        case = replace(_wish(top, found, number, choice), backtest=commit_backtest(top))
        card = replace(case, options=replace(case.options, looks_back=True)).find(found.book)
        past = card.context.past
        nothing = "nothing: it has no check"
        if card.rule.checks:
            acts = "its checks act at tool calls alone" if card.proof else "no check of it is proved"
            nothing = f"nothing: {acts}"
        lines.append(". ".join(filter(None, (past, card.doubt if past else ""))) or nothing)
    return lines


def try_edit(top: Path, identity: str, shown: str, choice: Choice) -> WaitingCard:
    """The card of a candidate as a person edited it, proved; RulecError with what is wrong. Nothing is written."""
    found = _find(top, identity)
    number = _only(found)
    card = _wish(top, found, number, choice).find(found.book)
    require_as_shown(card, shown)
    return replace(_shown(found, number, choice, card.edited(choice.text)), token=shown)


def decide_waiting(top: Path, identity: str, shown: str, answer: str, choice: Choice) -> Outcome:
    """Carry out what a person decided on the card with this token; RulecError where it is not as it was shown."""
    with rulebook_commit.open_rulebook(top, HEAD):
        found = _find(top, identity)
        gone = sorted(found.entry.identities)
        if not found.wishes:
            if shown != found.known_token:
                raise RulecError("the proposal changed since it was shown", hint="open it again")
            waiting_candidates.remove_decided(top, found.entry.item.candidate)
            return Outcome("nothing of it is new, so it waits no more", data={"gone": gone, "rest": [], "commit": ""})
        case = _wish(top, found, _only(found), choice)
        rest: list[str] = []
        if len(found.wishes) > 1:
            require_as_shown(case.find(found.book), shown)
            waiting_candidates.separate_waiting(top, found.entry.item, found.wishes)
            rest = [candidate_id(one.candidate) for one in found.wishes if one is not case.item]
        done = decide_as_shown(top, case.find, shown, answer, case.options, typed=choice.text)
    card = done.card
    slug = card.rule.slug if card else ""
    text = {"reject": f"{slug} is rejected and not proposed again", "later": f"{slug} is left for later"}
    if isinstance(card, CandidateCard) and answer == "accept":
        text["accept"] = f"{card.subject}: {done.outcome.text.removeprefix('written: ')}"
    data = {"gone": gone, "rest": rest, "commit": done.outcome.data if answer == "accept" else ""}
    return Outcome(text[answer], data=data)


def _find(top: Path, identity: str) -> _Found:
    """The candidate that is meant; RulecError where it waits no more."""
    book = rulebook_files.load_rulebook(top)
    name, _, part = identity.partition("-")
    entry = next((one for one in list_queue(top, lambda _: None) if name in one.identities), None)
    if entry is None:
        raise RulecError(
            "this candidate waits no more: somebody decided on it meanwhile, in another window or at a terminal",
            hint="see what waits now: rulec review",
        )
    fresh = candidate_decision.unknown_part(book, entry.item)
    wishes = candidate_decision.separate_wishes(book, fresh, resolve_candidate) if fresh.sessions else []
    number = int(part) if part.isdecimal() else 0
    if number > len(wishes):
        raise RulecError("the proposal changed since it was shown", hint="open it again and look at what it says now")
    return _Found(book, entry, tuple(wishes), number)


def _only(found: _Found) -> int:
    """The one wish that is to be decided."""
    if len(found.wishes) > 1 and not found.number:
        raise RulecError("it asks for several things, each decided by itself", hint="open it again")
    return found.number or 1


def _wish(top: Path, found: _Found, number: int, choice: Choice) -> CandidateCase:
    """One wish, ready to be shown and decided as the person wants it taken."""
    case = _case(top, found.entry, choice)
    waits = case.options.waits if len(found.wishes) == 1 else None
    return replace(case, item=found.wishes[number - 1], options=replace(case.options, waits=waits))


def _case(top: Path, entry: QueueEntry, choice: Choice) -> CandidateCase:
    options = DecisionOptions(
        pinned=choice.enforcement, looks_back=False, offline=True,
        waits=waiting_candidates.queue_files(top, entry.item.candidate),
    )  # fmt: skip
    return CandidateCase(top, entry.item, options, tuple(_opposing(entry)), _ruling(choice))


def _ruling(choice: Choice) -> Ruling:
    """What the candidate is to the rulebook: as rulec resolves it, or as the person says."""

    def ruled(candidate: Candidate, book: Rulebook) -> Resolution:
        said = resolve_candidate(candidate, book)
        if choice.manner == "new":
            return resolve_as_new(said) if book.rule(said.slug) and said.new_slug else said
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


def _shown(found: _Found, number: int, choice: Choice, card: CandidateCard) -> WaitingCard:
    many = len(found.wishes)
    index, proposal = index_rules(found.book), card.proposal
    words = card.case.item.candidate.rule.statement
    others = {one.slug for one in proposal.against} | {proposal.resolution.slug}
    near = {one.slug: one for one in (*index.with_values(card.rule.checks), *index.alike(words))}
    fitting = (one for one in near.values() if one.layer == "team" and one.slug not in others)
    return WaitingCard(
        identity=f"{found.entry.identity}-{number}" if many > 1 else found.entry.identity,
        choice=choice, token=card.token, part=(number, many), words=words, card=card, text=card.after,
        near=tuple(islice(fitting, NEAR)),
    )  # fmt: skip

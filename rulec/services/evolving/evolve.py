"""rulec evolve: one proposed revision for each rule about which something is known, and a person's decision on it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulec.checks import template_library
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome, no_progress
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import clock, journal, processes
from rulec.infra.rulebooks import rule_reading
from rulec.llm import model_settings
from rulec.llm.conversation import Conversation
from rulec.reports.rule_lines import describe_exemption
from rulec.rulebook import evidence_file, file_paths, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions
from rulec.services.evolving import open_cases
from rulec.services.evolving.flips import find_flips
from rulec.services.evolving.open_cases import RuleCases
from rulec.services.evolving.reach import compare_reach, ledger_line
from rulec.services.evolving.revision_card import (
    WORDS_ALONE,
    ProposedRevision,
    card_json,
    card_lines,
    flip_line,
    told_before_and_after,
)
from rulec.services.evolving.revision_search import FoundRevision, search_revision
from rulec.services.proposals import proposal_editor
from rulec.services.proposals.proposal_editor import EDITED_RULE, Editor
from rulec.services.rulebook_commit import HEAD, ChangeTarget
from rulec.services.rules import exception_proposals
from rulec.services.waiting_evidence import NOTES

Echo = Callable[[str], None]
NOTHING = "nothing is noted about a rule that waits for a decision"
HOW = "to decide: rulec evolve in a terminal, or with --accept SLUG or --reject SLUG"
TOLD_FLIPS = 10  # flips that the evidence of a revision keeps


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolveOptions:
    """How a person is asked, and where what they accept is written."""

    answer: Callable[[ProposedRevision], str] = lambda _: "later"  # accept, edit, reject, later or quit
    edit: Editor = lambda _, __: None
    onto: ChangeTarget = field(default=HEAD)
    backend: str = ""  # who is asked to write revisions, "" is as the settings say
    offline: bool = False  # nobody is asked, whatever the settings say


def list_revisions(top: Path, slugs: Sequence[str], options: EvolveOptions, echo: Echo) -> Outcome:
    """The proposed revisions, each as its card."""
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    with _conversation(top, book, options, echo) as chat:
        found = [propose_revision(top, book, one, options.onto, chat) for one in _wanted_rules(top, book, slugs)]
    if not found:
        return Outcome(NOTHING, data=[])
    lines = [line for one in found for line in (*card_lines(one), "")]
    return Outcome("\n".join([*lines, HOW]), data=[card_json(one) for one in found])


def evolve_rules(top: Path, slugs: Sequence[str], options: EvolveOptions, echo: Echo) -> Outcome:
    """Ask about each proposed revision, and write what is accepted."""
    with journal.write_lock(top):
        book = rulebook_commit.load_target_rulebook(top, options.onto)
        waiting = _wanted_rules(top, book, slugs)
        if not waiting:
            return Outcome(NOTHING, data={})
        rulebook_commit.require_ready_to_write(top, options.onto)
        done = list[str]()
        with _conversation(top, book, options, echo) as chat:
            for about in waiting:
                answer = _decide(_Session(top, options, echo, chat), about.rule.slug)
                done.append("later" if answer == "quit" else answer)
                if answer == "quit":
                    break
        return _counted(top, done, options.onto)


def decide_by_slug(top: Path, answers: Sequence[tuple[str, str]], options: EvolveOptions, echo: Echo) -> Outcome:
    """Decide on the revisions of named rules: pairs of a slug and accept or reject."""
    twice = next((slug for slug, times in Counter(slug for slug, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="name it in one option only")
    with rulebook_commit.open_rulebook(top, options.onto) as book:
        known = {about.rule.slug for about in _wanted_rules(top, book, [slug for slug, _ in answers])}
        lacking = next((slug for slug, _ in answers if slug not in known), "")
        if lacking:
            raise RulecError(f"no revision of {lacking} waits", hint="rulec evolve lists what waits")
        done = []
        with _conversation(top, book, options, echo) as chat:
            for slug, answer in answers:
                own = replace(options, answer=partial(_always, answer))
                got = _decide(_Session(top, own, echo, chat), slug)
                if got != answer:
                    what = f"the revision of {slug} cannot be accepted as it is"
                    raise RulecError(what, hint=f"see rulec evolve {slug}")
                done.append(got)
        return _counted(top, done, options.onto)


def waiting_rules(top: Path) -> list[RuleCases]:
    """The rules of the work tree of which a revision can be decided on, with what is known about each."""
    return _wanted_rules(top, rulebook_commit.load_target_rulebook(top, HEAD), [])


def show_revision(top: Path, slug: str, options: EvolveOptions) -> ProposedRevision | None:
    """The proposed revision of one rule; None where nothing about it waits."""
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    about = next(iter(open_cases.open_rules(top, book, [slug])), None)
    with _conversation(top, book, options, lambda _: None) as chat:
        return propose_revision(top, book, about, options.onto, chat) if about else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRevision:
    """The revision that a person decides on: as it was proposed, or with a text that they typed."""

    slug: str
    digest: str  # of the proposed one, as it was shown
    text: str = ""  # the rule's file as they edited it
    edited: str = ""  # the digest of the edited one, as it was shown


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedRevision:
    """What a decision came to."""

    revision: ProposedRevision
    text: str = ""


def decide_as_seen(top: Path, seen: SeenRevision, answer: str, options: EvolveOptions) -> DecidedRevision:
    """Accept or reject just the revision that was shown, or show ("later") what a typed text makes of it.

    RulecError where it is another one by now: nobody has seen that one.
    """
    shown: list[ProposedRevision] = []

    def decide(one: ProposedRevision) -> str:
        edited = one.kind == EDITED
        if one.digest != (seen.edited if edited else seen.digest) and not (edited and answer == "later"):
            what = f"the revision of {seen.slug} is another one than was shown, so nothing is written"
            raise RulecError(what, hint="look at it again, then decide")
        shown.append(one)
        return "edit" if seen.text and not edited and answer != "reject" else answer

    def edit(_: str, wrong: str) -> str:
        if wrong:
            raise RulecError(wrong, hint="change the text, then look at it again")
        return seen.text

    with rulebook_commit.open_rulebook(top, options.onto) as book:
        if not _wanted_rules(top, book, [seen.slug]):
            raise RulecError(f"no revision of {seen.slug} waits", hint="rulec evolve lists what waits")
        with _conversation(top, book, options, lambda _: None) as chat:
            own = replace(options, answer=decide, edit=edit)
            session = _Session(top, own, lambda _: None, chat)
            got = _decide(session, seen.slug)
    if got != answer:
        last = shown[-1]
        raise RulecError(f"the revision of {seen.slug} cannot be accepted as it is", hint=last.obstacle or last.proof)
    return DecidedRevision(revision=shown[-1], text="\n".join(session.written))


@contextmanager
def _conversation(top: Path, book: Rulebook, options: EvolveOptions, echo: Echo) -> Iterator[Conversation]:
    """The conversation with a reader, which is off where none is configured; what it cost is said at its end."""
    models = ModelSettings() if options.offline else model_settings.choose_models(top, book, options.backend)
    chat = Conversation(top, models, template_library.open_library().render, echo, no_progress)
    yield chat
    doubtful_resolutions.close_conversation(top, chat, echo)


@dataclass(frozen=True, slots=True)
class _Session:
    """What all decisions of one command share."""

    top: Path
    options: EvolveOptions
    echo: Echo
    chat: Conversation
    written: list[str] = field(default_factory=list)  # what became of what was accepted


def _always(answer: str, _: ProposedRevision) -> str:
    return answer


def _wanted_rules(top: Path, book: Rulebook, slugs: Sequence[str]) -> list[RuleCases]:
    for slug in slugs:
        rulebook.require_team_rule(book, slug)
    return open_cases.open_rules(top, book, slugs)


def propose_revision(
    top: Path, book: Rulebook, about: RuleCases, onto: ChangeTarget, chat: Conversation
) -> ProposedRevision:
    """The revision that is found for a rule, with all that a person needs to decide on it.

    The exceptions that counterexamples share come first; what they leave open is searched for.
    """
    old = about.rule
    base, said, answered = _with_exceptions(top, book, about)
    left = [one for one in about.wanted if one.source not in answered]
    if not left and not said:
        return ProposedRevision(about=about, new=old, kind="words", because="", obstacle=WORDS_ALONE)
    found = search_revision(top, book, base, left, chat) if left else None
    if found and not (said and found.kind == "example"):
        said = [*said, found.because]
    new = replace(found.rule if found else base, revision=old.revision + 1)
    unmet = found.unmet if found else ()
    one = _with_text(top, ProposedRevision(
        about=about, new=new, kind=found.kind if found else "exception", because=redact("; ".join(said)),
        flips=found.flips if found and base is old else find_flips(top, book, old, new, about.wanted),
        unmet=tuple(case for case in about.cases if any(one in unmet for one in case.wanted)),
        obstacle=_obstacle(old, new), proof=_proof(top, book, new), reader=_reader_lines(found),
    ), onto)  # fmt: skip
    if one.obstacle:
        return one
    return replace(one, reach=tuple(compare_reach(top, book, old, new)), ledger=ledger_line(top, old.slug))


def _with_exceptions(top: Path, book: Rulebook, about: RuleCases) -> tuple[Rule, list[str], frozenset[str]]:
    """The rule with the exceptions that its counterexamples share, what they are, and the ids of what they answer."""
    rule, said, answered = about.rule, list[str](), set[str]()
    open_ids = {case.id for case in about.cases}
    known = [*book.observed(rule.slug), *about.local]
    left = [item for item in known if evidence_file.evidence_id(item) in open_ids]
    while case := next(iter(exception_proposals.propose_exceptions(top, book, rule, left)), None):
        rule = case.new
        said.append(f"except {describe_exemption(case.wanted)}: {case.wanted.because}")
        answered |= {evidence_file.evidence_id(item) for item in case.evidence}
        left = [item for item in left if item not in case.evidence]
    return rule, said, frozenset(answered)


def _reader_lines(found: FoundRevision | None) -> tuple[str, ...]:
    if found is None:
        return ()
    waits = f"a reader has to answer first: answer {found.awaited}, then run this again; until then, offline:"
    return tuple(redact(line) for line in ([waits] if found.awaited else []) + [*found.lines])


def _obstacle(old: Rule, new: Rule) -> str:
    if replace(new, revision=old.revision) == old:
        return "the rule says and decides all of it so already; reject what is left"
    return ""


def _proof(top: Path, book: Rulebook, new: Rule) -> str:
    """Whether the new checks are proved, in words."""
    if not new.checks:
        return "nothing to prove, it is a reminder"
    try:
        rulebook_commit.missing_proof(book, new, top)
    except RulecError as error:
        return f"none: {error.message}"
    return "holds"


def _with_text(top: Path, one: ProposedRevision, onto: ChangeTarget, typed: str = "") -> ProposedRevision:
    before = rulebook_commit.rule_text(top, onto, one.slug)
    return replace(one, before=before, after=rule_reading.write_rule(one.new, typed or before))


def _decide(session: _Session, slug: str) -> str:
    """Show what a rule would become, ask, and carry the answer out.

    The write lock is held, but not while a revision is searched or a person thinks.
    """
    top, options, echo = session.top, session.options, session.echo
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    about = next(iter(open_cases.open_rules(top, book, [slug])), None)
    if about is None:
        return "known"
    search = partial(propose_revision, top, book, about, options.onto, session.chat)
    one, same = rulebook_commit.ask_unlocked(top, options.onto, search)
    if not same:
        return _decide(session, slug)
    while True:
        echo("\n".join(card_lines(one)))
        answer, same = rulebook_commit.ask_unlocked(top, options.onto, partial(options.answer, one))
        if answer == "edit":
            ask = partial(_edit, top, book, one, options, echo)
            one, same = rulebook_commit.ask_unlocked(top, options.onto, ask)
        if not same and answer in ("accept", "edit"):
            echo("  the rules were changed meanwhile, so here it is again:\n")
            return _decide(session, slug)
        if answer != "edit":
            break
    if answer == "accept" and (one.obstacle or one.proof.startswith("none")):
        echo(f"  -> not written: {one.obstacle or one.proof}\n")
        return "later"
    if answer == "accept":
        outcome = processes.finish_despite_interrupt(partial(_write, top, book, one, options.onto))
        session.written.append(outcome.text)
        echo(f"  -> {outcome.text}\n")
    elif answer == "reject":
        open_cases.reject(top, about)
        echo("  -> rejected, and not proposed again until more is known\n")
    else:
        echo("  -> later: rulec evolve\n")
    return answer


def _edit(top: Path, book: Rulebook, one: ProposedRevision, options: EvolveOptions, echo: Echo) -> ProposedRevision:
    """The revision as the person edited it, else unchanged."""
    old = one.about.rule

    def read(text: str) -> ProposedRevision:
        typed = rule_reading.read_rule(redact(text), source=EDITED_RULE)
        if typed.slug != old.slug:
            raise RulecError(f"this is {old.slug}", where=EDITED_RULE, hint=f"rulec edit {old.slug} renames a rule")
        new = replace(typed, revision=old.revision + 1, origin=old.origin, source=old.source)
        rulebook_commit.missing_proof(book, new, top)
        said = one.because or "; ".join(dict.fromkeys(case.words for case in one.about.cases))
        made = replace(
            one, new=new, kind=EDITED, because=f"{said.removesuffix(BY_HAND)}{BY_HAND}",
            flips=find_flips(top, book, old, new, one.about.wanted), obstacle=_obstacle(old, new), unmet=(),
            proof=_proof(top, book, new), reach=tuple(compare_reach(top, book, old, new)),
        )  # fmt: skip
        return _with_text(top, made, options.onto, proposal_editor.without_notes(redact(text)))

    text = one.after or rulebook_commit.rule_text(top, options.onto, one.slug)
    return proposal_editor.edit_until_valid(text, options.edit, echo, read) or one


EDITED = "edited"  # the kind of a revision that a person wrote
BY_HAND = "; edited by hand"


def _write(top: Path, book: Rulebook, one: ProposedRevision, onto: ChangeTarget) -> Outcome:
    """The revision as one commit: the rule, its proof, what it takes up, and what it caught before and after."""
    local = one.about.local
    evidence = [_as_evidence(one), *local, *rulebook_commit.missing_proof(book, one.new, top)]
    done = rulebook_commit.commit_rule_change(
        top, onto, one.new, {file_paths.rule_path(one.slug): one.after}, subject=f"Revise {one.slug}",
        decision=f"UPDATE {one.slug}", because=one.because, done=f"{one.slug}@{one.new.revision}", evidence=evidence,
    )  # fmt: skip
    NOTES.drop(top, [item for item in local if item.kind == "note"])
    return done


def _as_evidence(one: ProposedRevision) -> Evidence:
    # words alone are taken up only by whoever edits the rule
    taken = [case.id for case in one.about.cases if case.wanted or one.kind == EDITED]
    told = [*told_before_and_after(one), *(flip_line(flip) for flip in one.flips[:TOLD_FLIPS])]
    return Evidence(
        slug=one.slug, kind="revised", at=clock.now(), quote=one.because, revision=one.new.revision,
        answers=tuple(dict.fromkeys(taken)),
        unmet=tuple(dict.fromkeys(case.id for case in one.unmet)), told=tuple(map(redact, told)),
    )  # fmt: skip


def _counted(top: Path, done: Sequence[str], onto: ChangeTarget) -> Outcome:
    tally = Counter(done)
    return Outcome("\n".join(filter(None, [*_count_lines(top, tally, onto)])), data=dict(tally))


def _count_lines(top: Path, tally: Counter[str], onto: ChangeTarget) -> Iterator[str]:
    words = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
    counted = ", ".join(f"{tally[key]} {word}" for key, word in words.items() if tally[key])
    left = len(open_cases.undecided_rules(top, rulebook_commit.load_target_rulebook(top, onto)))
    yield f"{counted}; {left} left to decide"
    yield rulebook_commit.push_hint(top, onto)

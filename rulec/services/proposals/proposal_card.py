"""The card that a person decides on: what accepting does, why it waits for a person, and all of it as text and data."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks.proving.example_changes import describe_example
from rulec.compiling import artifacts
from rulec.compiling.effective_enforcement import has_only_own_examples, why_only_audits
from rulec.domain.candidate import Candidate, Correction, LeftOutExample
from rulec.domain.rule import RAW_TEMPLATES, Check, Example, Rule, Scope
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.gates.judging import judge_standing
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.reports.rule_lines import (
    check_brief,
    check_in_full,
    check_line,
    check_words,
    example_line,
    exemption_words,
    fit_line,
    proof_rows,
    scope_words,
    variant_counts,
)
from rulec.resolving.check_values import plain_sentence, telling_words
from rulec.resolving.resolver import Resolution
from rulec.resolving.revisions import Revision, offence_and_fix_lines
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.drafts import draft_of
from rulec.sentences.names import Names
from rulec.sentences.reading import read_sentence
from rulec.sentences.splitting import sentences_around, split_sentences
from rulec.services import gates_here
from rulec.services.proposals import rule_conflicts
from rulec.services.proposals.candidate_identity import occurrences, sessions_of_candidate
from rulec.services.proposals.proposal_builder import OpposingRule, Proposal, is_rule_active
from rulec.services.proposals.rule_conflicts import describe_witness


def change_lines(old: Rule, new: Rule) -> Iterator[str]:
    """What an update changes: words, checks, scope, exceptions and examples."""
    if old.statement != new.statement:
        yield f'"{old.statement}" becomes "{new.statement}"'
    yield from (f"{name}: {getattr(new, name)}" for name in ("when", "do") if getattr(old, name) != getattr(new, name))
    kinds = [(check.kind, check.template) for check in new.checks]
    yield from (
        f"no longer checked by {check_words(check)}"
        for check in old.checks
        if (check.kind, check.template) not in kinds
    )
    yield from (f"checked by {check_words(check)}" for check in new.checks if check not in old.checks)
    yield from (f"not checked: {text}" for text in new.not_checked if text not in old.not_checked)
    yield from (f"no longer listed as not checked: {text}" for text in old.not_checked if text not in new.not_checked)
    if old.scope != new.scope:
        yield f"where: {scope_words(new.scope)} (before: {scope_words(old.scope)})"
    yield from (f"no longer except {exemption_words(one)}" for one in new.exceptions if one not in old.exceptions)
    yield from _example_changes(old, new)
    if old.checks == new.checks and old.checks and (old.scope, old.exceptions) == (new.scope, new.exceptions):
        yield "the check stays the same" + "; only the words change" * (old.statement != new.statement)


def _example_changes(old: Rule, new: Rule) -> Iterator[str]:
    more = [
        (len(set(new.invalid) - set(old.invalid)), "to be caught"),
        (len(set(new.valid) - set(old.valid)), "to pass"),
    ]
    counted = [f"{count} more example{'s' * (count > 1)} {what}" for count, what in more if count]
    if counted:
        yield " and ".join(counted)
    gone = [one for one in (*old.invalid, *old.valid) if one not in (*new.invalid, *new.valid)]
    if gone:
        yield f"{len(gone)} example{'s' * (len(gone) > 1)} of what passed before go{'es' * (len(gone) == 1)}"


AGAIN = 2  # further quotes of the same wish; the rest are counted
INDENT = 10  # columns of a row's name
LINES = 8  # of a check in its author's own words; the rest is among the details
WORDS_ONLY = "it will only be a reminder (AGENTS.md)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContext:
    """What a card shows in addition to its proposal."""

    effect: str  # what the rule will do once it is accepted
    place: str = ""  # "card 3 of 23"
    origin: str = ""
    past: str = ""  # what the rule would have refused
    doubt: str = ""  # why it is not accepted without a person
    audiences: Sequence[tuple[str, str]] = ()  # for whom it is checked, and where, by the gates of this clone


def render_card(proposal: Proposal, context: CardContext) -> str:
    """The card that a person decides on: one screen, ending with what a yes brings about."""
    return "\n".join([*filter(None, [context.place]), *_row_lines(card_rows(proposal, context))])


def card_rows(proposal: Proposal, context: CardContext) -> list[tuple[str, str]]:
    """The rows of a card, each with its name."""
    unseen = f"{context.doubt}: nothing is written unless a person says so" if context.doubt else ""
    rows = [
        ("from", context.origin),
        *_card_rows(proposal, context.audiences),
        ("backtest", context.past),
        ("effect", context.effect),
        ("in doubt", unseen),
    ]
    return [(name, text) for name, text in rows if text]


def card_details(proposal: Proposal) -> str:
    """What a card leaves out: each check in full, all examples, and every stage of the proof."""
    return "\n".join(_row_lines(detail_rows(proposal)))


def detail_rows(proposal: Proposal) -> list[tuple[str, str]]:
    """The rows of the details, each with its name."""
    rule = proposal.rule
    rows = [
        *(("check", check_in_full(check, INDENT)) for check in rule.checks),
        *(("refuses", example_line(one)) for one in rule.invalid),
        *(("passes", example_line(one)) for one in rule.valid),
    ]
    if proposal.proof:
        rows += [(stage.name, stage.detail or "ok") for stage in proposal.proof.stages]
    if proposal.proof and (edges := proposal.proof.edges):
        rows.append(("variants", variant_counts(edges)))
        rows += [("misses" if one.invalid else "hits", example_line(one.example)) for one in edges.missed]
    return [*rows, *(("again", text) for text in _quotes(proposal.candidate.repeats))]


def _row_lines(rows: Iterable[tuple[str, str]]) -> Iterator[str]:
    return (f"{name + ':':9} {text}" for name, text in rows if text)


def _card_rows(proposal: Proposal, audiences: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    rule, candidate = proposal.rule, proposal.candidate
    if candidate.correction:
        yield "said", _quoted(candidate, candidate.correction)
        offence, accepted = offence_and_fix_lines(candidate, candidate.correction)
        if offence:
            yield "it did", shorten(redact(offence))
        if accepted:
            yield "then", shorten(redact(accepted))
    elif candidate.source:
        yield "said", f'"{shorten(redact(candidate.source.quote))}"'
    elif proposal.old and not candidate.by_agent:
        yield "said", f'"{shorten(redact(candidate.rule.statement))}"'
    quotes = _quotes(candidate.repeats)
    yield from (("again", text) for text in quotes[:AGAIN])
    if len(quotes) > AGAIN:
        yield "again", f"and {len(quotes) - AGAIN} times more"
    if (places := len(sessions_of_candidate(candidate))) > 1:
        yield "times", f"said in {places} sessions"
    yield from _current_rule_rows(proposal)
    yield "rule", f"{rule.slug} ({rule.severity}, {rule.category}): {shorten(rule.statement)}"
    wrote = "a model wrote its check" * check_by_model(candidate, rule)
    words = "by a model; only the quote is the person's" * worded_by_model(candidate)
    yield "wording", "; ".join(filter(None, (words, wrote)))
    yield "becomes", resolution_line(proposal.resolution)
    yield from _change_rows(proposal)
    yield from (("conflict", text) for one in proposal.against for text in opposing_lines(one))
    if proposal.resolution.decision != "NOOP":
        yield from _check_rows(proposal, rule, audiences)


def worded_by_model(candidate: Candidate) -> bool:
    """Whether a model found the words of the rule in what a person said."""
    return candidate.rule.rationale == WORDED_BY_MODEL


def check_by_model(candidate: Candidate, rule: Rule) -> bool:
    """Whether a check was written by a reader or an agent rather than by rulec."""
    wrote = [one for one in occurrences(candidate) if one.by_agent or (one.offered and one.offered.drafted)]
    theirs = [check for one in wrote for draft in one.drafts if not draft.because for check in draft.checks]
    return any(check.parameters == one.parameters for check in rule.checks for one in theirs)


def resolution_line(said: Resolution) -> str:
    """A resolution in a line, with its certainty where a person has to decide."""
    own = f"; as a rule of its own it would be {said.new_slug}" * (said.decision != "NEW")
    unsure = f" (unsure{own})"
    return said.line() + unsure * (said.band == "review")


def _current_rule_rows(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """The rule as it is now, where it would change."""
    old = proposal.old
    if old is None or proposal.resolution.decision == "NOOP":
        return
    yield "current", f"{old.slug}@{old.revision} ({old.severity}, {old.category}): {shorten(old.statement)}"
    if proposal.resolution.decision == "SUPERSEDE":
        yield from (("current", f"checked by {check_words(check)}") for check in old.checks)


def _change_rows(proposal: Proposal) -> Iterator[tuple[str, str]]:
    old, decision = proposal.old, proposal.resolution.decision
    if old is None:
        return
    if decision != "NOOP" and old.layer != "team":
        yield (
            "changes",
            f"{old.slug} is of {old.layer}: what is written here overrides it; that rulebook does not change",
        )
    if decision == "UPDATE":
        yield from (("changes", shorten(text)) for text in change_lines(old, proposal.rule))
    if decision == "SUPERSEDE":
        yield "changes", f"{old.slug} goes to the archive{', and its checks with it' * bool(old.checks)}"
        yield "example", shorten(describe_witness(proposal.witness))


def opposing_lines(one: OpposingRule) -> Iterator[str]:
    """A contradicting rule, and an action that shows the conflict."""
    where = "waits too" if one.waits else "a rule here"
    yield shorten(f"{one.slug}, {where}: {one.statement}")
    if not one.waits:
        yield shorten(describe_witness(one.witness))


def _quotes(repeats: Iterable[Candidate]) -> list[str]:
    return [_quoted(one, one.correction) for one in repeats if one.correction]


def _check_rows(proposal: Proposal, rule: Rule, audiences: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield from (("not used", failure) for failure in proposal.failed)
    if proposal.obstacle:
        return
    yield from (("check", check_brief(check, INDENT, LINES)) for check in rule.checks)
    yield from (left_out_row(one) for one in proposal.left_out)
    if rule.scope != Scope():
        yield "where", scope_words(rule.scope)
    yield from (("except", exemption_words(one)) for one in rule.exceptions)
    yield from proof_rows(proposal.proof, *_examples_by_news(proposal), (*rule.not_checked, *proposal.blind))
    if proposal.proof and not proposal.proof.digest:
        yield "judged", "by a model, which cannot be proved: rulec test asks it about the examples"
    elif proposal.proof:
        yield from audiences
    else:
        reason = "no check of it could be proved" if proposal.failed else "no check was read from its words"
        yield "check", f"none; {reason}: {WORDS_ONLY}"
    if rule.do:
        yield "instead", shorten(rule.do)


def left_out_row(one: LeftOutExample) -> tuple[str, str]:
    """An example that the check decides otherwise than somebody said, and why."""
    name = "dropped" if one.wrong else "missed" if one.invalid else "hits"
    meant = f"which is to {'be caught' if one.invalid else 'pass'}" * one.wrong
    why = ": ".join(filter(None, (meant, one.why)))
    return name, "; ".join(filter(None, (shorten(example_line(one.example)), why)))


def shown_examples(proposal: Proposal) -> list[Example]:
    """The examples that the card shows: of each side those that fit its line."""
    sides = _examples_by_news(proposal)
    return [one for side in sides for one in side[: len(fit_line(map(example_line, side)))]]


def _examples_by_news(proposal: Proposal) -> tuple[list[Example], list[Example]]:
    """The invalid and the valid examples, new ones first."""
    rule, old = proposal.rule, proposal.old
    known = (*old.invalid, *old.valid) if old else ()
    exempt = [example for one in rule.exceptions for example in one.valid]
    invalid, valid = (
        sorted(side, key=lambda example: example in known) for side in (rule.invalid, [*exempt, *rule.valid])
    )
    return invalid, valid


def _quoted(candidate: Candidate, correction: Correction) -> str:
    number, of = candidate.part
    at, agent, turn = correction.turn.at[:10], correction.turn.agent, f"turn {correction.turn.index}"
    wish = f"wish {number} of {of}" if of > 1 else ""
    quote = redact(correction.quote)  # of what a model picked out all that is kept of it, for the rest may deny it
    return f'"{" ".join(quote.split())}"  ({", ".join(filter(None, (at, agent, turn, wish)))})'


def encode_proposal(what: Proposal) -> dict[str, Any]:
    """What a candidate's card says beside its rule and proof, for programs."""
    candidate, said = what.candidate, what.resolution
    names = ("decision", "slug", "new_slug", "band", "manner", "because")
    return {
        "resolution": {name: getattr(said, name) for name in names} | {"similar": list(said.similar)},
        "replaces": what.old.statement if what.old and said.decision != "NOOP" else "",
        "failed": list(what.failed),
        "not_seen": list(what.blind),
        "left_out": [
            {"example": example_line(one.example), "invalid": one.invalid, "wrong": one.wrong, "why": one.why}
            for one in what.left_out
        ],
        "audits_only": why_only_audits(what.rule),
        "witness": rule_conflicts.witness_json(what.witness),
        "worded_by_model": worded_by_model(candidate),
        "check_by_model": check_by_model(candidate, what.rule),
        "drafted": [check_line(check) for draft in candidate.drafts[:1] for check in draft.checks],
    }


UNSAID = "a model worded this in words that the person did not use"
UNSUPPORTED = "a model worded this, and nothing that the person said or corrected supports it"


def why_unsupported(book: Rulebook, proposal: Proposal) -> str:
    """Why nobody's word stands behind it yet, "" where somebody's does.

    A person's own words are theirs, whoever found them. Of others a check must catch what was done before the person
    spoke and pass what was done after, and what they said or had put right must be about the same thing.
    """
    old = proposal.old
    if proposal.resolution.decision == "NOOP" and old and is_rule_active(book, old):
        return ""  # it is in force without this
    read = [one for one in occurrences(proposal.candidate) if one.rule.rationale == WORDED_BY_MODEL]
    own = {one.correction.turn.session for one in read if one.correction and _in_own_words(one)}
    # who said it in so many words may say it again in others
    foreign = [one for one in read if not (one.correction and one.correction.turn.session in own)]
    if not foreign:
        return ""
    if not all(any(_ties_to_turn(one)) for one in foreign):
        return UNSUPPORTED
    at_once = proposal.resolution.decision in ("UPDATE", "SUPERSEDE") and old and is_rule_active(book, old)
    # three sessions are to bring about what acts at once
    return UNSAID if at_once or not _proved_on_offence(proposal) else ""


def _in_own_words(one: Candidate) -> bool:
    """Whether a sentence of the person is the rule's statement, or states the same checks in so many words."""
    said = one.correction
    text = sentences_around(said.turn.text, said.quote) if said else ""
    sentences = (text, *split_sentences(text))
    statement, own = plain_sentence(one.rule.statement), _checks_in(one.rule.statement)
    return any(plain_sentence(each) == statement or (own and _checks_in(each) == own) for each in sentences)


def _checks_in(sentence: str) -> tuple[Check, ...]:
    """The checks that a sentence states in so many words, whatever form it has; () for none."""
    read = read_sentence(sentence, Names())
    draft = draft_of(read, Names()) if read else None
    return draft.checks if draft else ()


def _ties_to_turn(one: Candidate) -> Iterator[bool]:
    """What connects the person's turn to the rule: shared words, or what was done otherwise after it."""
    correction, rule, offered = one.correction, one.rule, one.offered
    yield bool(offered and offered.offence and offered.fix)  # whatever the language of the person
    if correction:
        yield not telling_words(correction.quote).isdisjoint(telling_words(f"{rule.statement} {rule.when} {rule.do}"))
        before, after = (
            {action.path for action in side if action.new} for side in (correction.before, correction.after)
        )
        yield bool(before & after - {""})


def _proved_on_offence(proposal: Proposal) -> bool:
    """Whether a check is proved on the action that the person objected to."""
    if proposal.resolution.decision == "NOOP":
        return bool(proposal.rule.checks)
    proof, offered = proposal.proof, proposal.candidate.offered
    return bool(proof and proof.holds and proof.digest and proof.replayed >= 0 and offered and offered.offence)


UNSURE = "whoever read the session is not sure that it is meant to last"
_WEAK = "it was said in too few sessions; accept it yourself, or pass --enforcement block"


def audiences_of(book: Rulebook, rule: Rule, top: Path) -> tuple[tuple[str, str], ...]:
    """Where the checks of a rule act, by the gates of this clone."""
    moments = gates_here.moments_of_checks(artifacts.compile_rule(book, rule, top))
    return tuple(gates_here.audience_rows(gates_here.gates_of_layer(top, book), moments, rule))


def describe_effect(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """What the rule will do once the proposal is accepted, and why it does no more."""
    rule = proposal.rule
    if proposal.obstacle:
        return f"none, the rule stays as it is: {proposal.obstacle}"
    held = is_rule_active(book, rule, made.evidence)
    if not rule.checks:
        return "reminds agents; nothing is checked" if held else f"none yet: {_WEAK}"
    if judge_standing.has_only_judges(rule):
        effect = judge_standing.judge_effect(book, rule, held=held)
        return effect if held else f"{effect}: {_WEAK}"
    written = made.rule or proposal.old or rule  # of what says it already, nothing is confirmed
    if why := why_only_audits(written):
        return why
    yours = "; accepting confirms the examples above, which were made from the check" * has_only_own_examples(rule)
    if rule.enforcement != "auto":
        return f"{rule.enforcement}s (set by a person){yours}"
    return f"blocks{yours}" if held else f"audits (records findings, refuses nothing): {_WEAK}"


def why_doubtful(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """Why a person has to see the proposal before it is written, "" where nothing is in doubt."""
    said, old, rule = proposal.resolution, proposal.old, proposal.rule
    if why := why_unsupported(book, proposal) or _readers_unsure(proposal):
        return why
    wrote = _raw_kind_by_model(proposal) if proposal.candidate.correction else ""
    if wrote and is_rule_active(book, rule, made.evidence):
        return f"a model wrote its {wrote} check, which would be in force at once"
    undecided = [one for one in proposal.left_out if not one.unseen]
    if undecided and not proposal.obstacle:
        return _why_undecided(undecided[0])
    if proposal.obstacle:
        return proposal.obstacle
    if said.band == "review":
        return f"it is uncertain what becomes of {said.slug}"
    return _why_old_rule_stays(book, proposal, old, made) if old else ""


def _why_undecided(one: LeftOutExample) -> str:
    """Why a person has to see an example that the check does not decide as somebody wanted."""
    what = describe_example(one.example)
    if one.wrong:
        return f"whoever wrote its check says that an example is wrong: {what} is to {_verdict(one)}"
    return f"the check {'misses' if one.invalid else 'refuses'} {what}, which is to {_verdict(one)}"


def _verdict(one: LeftOutExample) -> str:
    return "be caught" if one.invalid else "pass"


def _why_old_rule_stays(book: Rulebook, proposal: Proposal, old: Rule, made: Revision) -> str:
    """Why a rule is not changed or replaced while nobody looks, "" where nothing speaks against it."""
    said, rule = proposal.resolution, proposal.rule
    if said.by_model and (said.decision == "SUPERSEDE" or said.manner == "looser"):
        return f"only a model says so, and it would loosen {old.slug}"
    if said.decision == "SUPERSEDE" and old.checks and rule.checks and proposal.witness is None:
        return f"no action shows that it is contrary to {old.slug}, whose checks would be gone"
    if said.decision == "SUPERSEDE" and is_rule_active(book, old) and not is_rule_active(book, rule, made.evidence):
        return f"it was said in too few sessions to replace {old.slug}, which is in force"
    return ""


def _readers_unsure(proposal: Proposal) -> str:
    """Why the proposal waits where every reader was unsure that it is lasting, "" where one was sure."""
    read = [one.offered.sure for one in occurrences(proposal.candidate) if one.offered]
    return UNSURE if read and not any(read) else ""


def _raw_kind_by_model(proposal: Proposal) -> str:
    """The kind of a new check that a model wrote in its own words, "" for none."""
    known = proposal.old.checks if proposal.old else ()
    raw = (check for check in proposal.rule.checks if check.template in RAW_TEMPLATES and check not in known)
    return next((check.kind for check in raw), "")

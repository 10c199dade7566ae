"""What accepting a proposal would do, and why a person has to see it first."""

from collections.abc import Iterator
from pathlib import Path

from rulec.checks.proving.example_changes import describe_example
from rulec.compiling import artifacts
from rulec.compiling.effective_enforcement import has_only_own_examples, why_only_audits
from rulec.domain.candidate import Candidate, LeftOutExample
from rulec.domain.rule import RAW_TEMPLATES, Check, Rule
from rulec.gates.judging import judge_standing
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.resolving.check_values import plain_sentence, telling_words
from rulec.resolving.revisions import Revision
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.drafts import draft_of
from rulec.sentences.names import Names
from rulec.sentences.reading import read_sentence
from rulec.sentences.splitting import sentences_around, split_sentences
from rulec.services import gates_here
from rulec.services.proposals.candidate_identity import occurrences
from rulec.services.proposals.proposal_builder import Proposal, is_rule_active

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

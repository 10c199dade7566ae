"""What accepting a proposal would bring about, and why it may not be accepted unseen."""

from pathlib import Path

from rulec.checks.proving.example_changes import describe_example
from rulec.compiling import artifacts
from rulec.compiling.effective_enforcement import has_only_own_examples, why_only_audits
from rulec.compiling.enforcement_limits import why_only_warns
from rulec.domain.artifact import acts_at_commit, acts_at_tool_call
from rulec.domain.rule import RAW_TEMPLATES, Rule
from rulec.gates.judging import judge_standing
from rulec.resolving.exception_wording import bare_exception
from rulec.resolving.revisions import Revision
from rulec.rulebook.rulebook import Rulebook
from rulec.services.decisions.candidate_identity import occurrences
from rulec.services.decisions.model_wording import why_unsupported
from rulec.services.proposals.proposal_builder import Proposal, is_rule_active

UNSURE = "whoever read the session is not sure that it holds for next time"
_WEAK = "it was said in too few sessions; accept it yourself, or pass --enforcement block"


def gates_of(book: Rulebook, rule: Rule, top: Path) -> tuple[str, ...]:
    """Where the checks of a rule act: "tool" at agents' tool calls, "commit" at commits and in CI."""
    compiled = artifacts.compile_rule(book, rule, top)
    acting = {"tool": acts_at_tool_call, "commit": acts_at_commit}
    return tuple(gate for gate, acts in acting.items() if any(map(acts, compiled)))


def describe_effect(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """What the rule will do once the proposal is accepted, and why it does no more."""
    rule = proposal.rule
    if proposal.stuck:
        return f"none, the rule stays as it is: {proposal.stuck}"
    held = is_rule_active(book, rule, made.evidence)
    if not rule.checks:
        return "reminds agents; nothing is checked" if held else f"none yet: {_WEAK}"
    if judge_standing.has_only_judges(rule):
        told = judge_standing.judge_effect(book, rule, held=held)
        return told if held else f"{told}: {_WEAK}"
    if why := _why_held_back(
        made.rule or proposal.old or rule, held=held
    ):  # of what says it already, nothing is confirmed
        return why
    yours = "; accepting confirms the examples above, which were made from the check" * has_only_own_examples(rule)
    if rule.enforcement != "auto":
        return f"{rule.enforcement}s (set by a person){yours}"
    return f"blocks{yours}" if held else f"audits (records findings, refuses nothing): {_WEAK}"


def _why_held_back(rule: Rule, *, held: bool) -> str:
    """What holds it back; a condition that nothing heeds holds back only what would act."""
    return why_only_audits(rule) or (why_only_warns(rule) if held else "")


def why_doubtful(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """Why a person has to see the proposal before it is written, "" where nothing is in doubt."""
    said, old, rule = proposal.resolution, proposal.old, proposal.rule
    if why := why_unsupported(book, proposal) or _readers_unsure(proposal):
        return why
    if (
        proposal.candidate.correction
        and (wrote := _raw_kind_by_model(proposal))
        and is_rule_active(book, rule, made.evidence)
    ):
        return f"a model wrote its {wrote} check, which would be in force at once"
    if proposal.disputed and not proposal.stuck:
        return f"the check misses {describe_example(proposal.disputed[0])}, which whoever wrote it wanted caught"
    if proposal.stuck:
        return proposal.stuck
    if said.band == "review":
        return f"it is uncertain ({said.score:.2f}) which rule this is about"
    if old is None:
        return ""
    if said.by_model and (said.decision == "SUPERSEDE" or said.manner in ("exception", "when")):
        return f"only a model says so, and it would loosen {old.slug}"
    if said.manner == "exception" and old.checks and _decides_alike(proposal):
        return (
            f"the check cannot recognise {bare_exception(said.where) or 'the exception'!r} and would go on refusing it"
        )
    if said.decision == "SUPERSEDE" and is_rule_active(book, old) and not is_rule_active(book, rule, made.evidence):
        return f"it was said in too few sessions to replace {old.slug}, which is in force"
    return ""


def _readers_unsure(proposal: Proposal) -> str:
    """Whether all who read it were in doubt that it is lasting; somebody who was sure is enough."""
    read = [one.offered.sure for one in occurrences(proposal.candidate) if one.offered]
    return UNSURE if read and not any(read) else ""


def _raw_kind_by_model(proposal: Proposal) -> str:
    """The kind of a check in a model's own words that the rule did not have before, "" for none."""
    known = proposal.old.checks if proposal.old else ()
    raw = (check for check in proposal.rule.checks if check.template in RAW_TEMPLATES and check not in known)
    return next((check.kind for check in raw), "")


def _decides_alike(proposal: Proposal) -> bool:
    old, rule = proposal.old, proposal.rule
    return old is not None and (old.checks, old.scope, old.exceptions) == (rule.checks, rule.scope, rule.exceptions)

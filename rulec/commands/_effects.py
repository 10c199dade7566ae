"""A proposal -> what a yes would bring about, and why nobody may say it unseen."""

from rulec.commands import _judges
from rulec.commands._borne import unborne
from rulec.commands._propose import Proposal, holds
from rulec.commands._waiting import members
from rulec.language.excepting import bare
from rulec.model.enforcement import circular, why_audits
from rulec.model.rule import RAW
from rulec.model.rulebook import Rulebook
from rulec.stages.revise import Revision
from rulec.stages.verify import told as example_told

UNSURE = "whoever read the session is not sure that it holds for next time"
_WEAK = "this was said in too few sessions; your yes, three of them or --enforcement block would change that"


def does(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """What the rule will do once this is accepted, and why no more."""
    rule = proposal.rule
    if proposal.stuck:
        return f"does what it did: {proposal.stuck}"
    held = holds(book, rule, made.evidence)
    if not rule.checks:
        return "reminds, where rules are put into words" if held else f"nothing yet: {_WEAK}"
    if _judges.alone(rule):
        told = _judges.does(book, rule, held=held)
        return told if held else f"{told}: {_WEAK}"
    if why := why_audits(made.rule or proposal.old or rule):  # of what says it already, nothing is confirmed
        return why
    yours = "; your yes confirms the examples that are shown, which were made from the check" * circular(rule)
    if rule.enforcement != "auto":
        return f"{rule.enforcement}s (set by a person){yours}"
    return f"blocks{yours}" if held else f"only notes what it finds: {_WEAK}"


def doubt(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """Why this is not to be written without a person who sees it, "" where nothing is in doubt."""
    said, old, rule = proposal.resolution, proposal.old, proposal.rule
    if why := unborne(book, proposal) or _unsure(proposal):
        return why
    if proposal.candidate.correction and (wrote := _written_by_model(proposal)) and holds(book, rule, made.evidence):
        return f"a model wrote its {wrote} check, which would act at once"
    if proposal.disputed and not proposal.stuck:
        return f"the check misses {example_told(proposal.disputed[0])}, which its reader wanted caught, too"
    if proposal.stuck:
        return proposal.stuck
    if said.band == "review":
        return f"it is not sure ({said.score:.2f}) that this is so"
    if old is None:
        return ""
    if said.by_model and (said.decision == "SUPERSEDE" or said.manner in ("exception", "when")):
        return f"a model's word alone takes nothing from {old.slug}"
    if said.manner == "exception" and old.checks and _decides_alike(proposal):
        return f"the check cannot tell {bare(said.where) or 'the exception'!r} apart and would go on refusing it"
    if said.decision == "SUPERSEDE" and holds(book, old) and not holds(book, rule, made.evidence):
        return f"{old.slug} is in force, and this was said in too few sessions to take its place unseen"
    return ""


def _unsure(proposal: Proposal) -> str:
    """Whether all who read it were in doubt that it is lasting; somebody who was sure is enough."""
    read = [one.offered.sure for one in members(proposal.candidate) if one.offered]
    return UNSURE if read and not any(read) else ""


def _written_by_model(proposal: Proposal) -> str:
    """The kind of a check in a model's own words that the rule did not have before, "" for none."""
    known = proposal.old.checks if proposal.old else ()
    raw = (check for check in proposal.rule.checks if check.template in RAW and check not in known)
    return next((check.kind for check in raw), "")


def _decides_alike(proposal: Proposal) -> bool:
    old, rule = proposal.old, proposal.rule
    return old is not None and (old.checks, old.scope, old.exceptions) == (rule.checks, rule.scope, rule.exceptions)

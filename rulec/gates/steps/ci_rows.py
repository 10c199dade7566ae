"""The rows of the table of rules by step that CI shows: made in one place, drawn by the report formats."""

from collections.abc import Iterator, Mapping, Sequence

from rulec.domain.finding import Verdict
from rulec.domain.proof_row import CHECKED, JUDGED, NOT_PROVED, NOT_RECOMPUTED, ProofRow, in_order
from rulec.gates.steps.change_steps import ChangeStep
from rulec.gates.steps.ci_rules import CiRule
from rulec.gates.steps.ci_runs import UNREACHED, Tested
from rulec.steps.step import TESTABLE

REVIEW = "a reviewer decides"
_ID = 10  # characters of a commit's id, with which findings on its message begin


def rows_of_change(
    rules: Sequence[CiRule], steps: Sequence[ChangeStep], tested: Mapping[str, Tested],
    verdicts: Sequence[Verdict], judged: frozenset[str],
) -> list[ProofRow]:  # fmt: skip
    """A row for each rule at each step whose files it is about.

    ``verdicts`` are those of the gate, ``judged`` the rules that a machine or a model judged there.
    """
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome != "old":
            found.setdefault(verdict.facts.slug, []).append(verdict)
    return in_order([
        ProofRow(rule=rule.facts.slug, level=rule.level, step=step.label, how=how, by=by)
        for rule in rules
        for step in steps
        for how, by in _proof(rule, step, tested.get(rule.facts.slug), found.get(rule.facts.slug, ()), judged)
    ])  # fmt: skip


def _proof(
    rule: CiRule, step: ChangeStep, tested: Tested | None, verdicts: Sequence[Verdict], judged: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """How a rule is proved at a step, and by what; nothing where it is not about the step's files."""
    here = {path for file in rule.files for path in (file.path, file.old_path) if path in step.files}
    if not here:
        return
    against = [verdict for verdict in verdicts if _is_there(verdict, here, step)]
    if tested is not None and (rule.level == TESTABLE or not against):
        if tested.proved and tested.misses(here):
            yield NOT_PROVED, UNREACHED
        else:
            yield tested.how, next((one.because for one in against if one.because), "") or tested.by
    elif against:
        yield NOT_PROVED, _told(against)
    elif rule.seen is None:
        yield NOT_RECOMPUTED, REVIEW
    elif not here.isdisjoint(rule.seen):  # else its check looks at none of these files
        if rule.facts.slug in judged:
            yield (JUDGED if rule.judged else CHECKED), ""
        else:
            yield NOT_RECOMPUTED, "no model was asked" if rule.judged else REVIEW


def _is_there(verdict: Verdict, here: set[str], step: ChangeStep) -> bool:
    """Whether a verdict is on the step's files, on its message, or on the rule's check itself."""
    finding = verdict.finding
    if finding is None:
        return verdict.fault is not None and (not verdict.fault.path or verdict.fault.path in here)
    return finding.path in here if finding.path else finding.text.startswith(step.commit[:_ID])


def _told(verdicts: Sequence[Verdict]) -> str:
    because = next((one.because for one in verdicts if one.outcome == "suppressed"), "")
    if because:
        return f"suppressed: {because}"
    if any(one.fault for one in verdicts):
        return "its check broke"
    return f"{len(verdicts)} finding{'s' * (len(verdicts) != 1)}"

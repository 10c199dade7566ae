"""Findings -> verdicts: what each finding means for this change."""

from collections.abc import Iterable, Iterator, Mapping

from rulec.model.change import Change, FileChange
from rulec.model.finding import GRAVITY, Fault, Finding, Verdict
from rulec.model.plan import Facts


def gate(seen: Iterable[Finding | Fault], facts: Mapping[str, Facts], change: Change) -> Iterator[Verdict]:
    """One verdict for each finding, and for each check that broke; a finding on a line that was there before is old."""
    files = {file.path: file for file in change.files}
    for item in dict.fromkeys(seen):
        rule = facts[item.slug]
        if isinstance(item, Fault):
            holds = item.overrun and rule.severity == "must" and rule.enforcement == "block"  # else size would be a way
            # also of an audited rule: it says so itself
            yield Verdict(outcome="block" if holds else rule.on_error, facts=rule, fault=item)
        else:
            old = _stood_there(item, files.get(item.path))
            acts = rule.enforcement if item.sure else max(rule.enforcement, rule.on_unsure, key=GRAVITY.__getitem__)
            yield Verdict(outcome="old" if old else acts, facts=rule, finding=item)


def _stood_there(finding: Finding, file: FileChange | None) -> bool:
    if file is None or file.added is None or finding.line == 0:
        return False
    last = max(finding.last, finding.line)
    return not any(first <= last and finding.line <= end for first, end in file.added)

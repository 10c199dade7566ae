"""What a gate makes of what checks find: all verdicts on a change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulec.domain.artifact import COMPILED_FOLDER, Artifact, is_judge_check, judges_files, judges_whole_changes
from rulec.domain.change import Change, FileChange
from rulec.domain.compile_plan import RuleFacts
from rulec.domain.finding import OUTCOMES_BY_GRAVITY, Fault, Finding, Verdict, gravest_first
from rulec.domain.outcome import Tick, ignore_tick
from rulec.errors import RulecError
from rulec.gates.findings.baseline import findings_in_bases
from rulec.gates.findings.check_runs import Observed, by_checker, run_checks, run_checks_each
from rulec.gates.findings.contradictions import settle_with_checks
from rulec.gates.findings.generated_block import in_generated_block
from rulec.gates.findings.shards import WHOLE, Shard
from rulec.rulebook import file_paths


def commit_checks(artifacts: Sequence[Artifact], *, whole: bool = True) -> list[Artifact]:
    """Those that speak of files; what guards say of them other kinds of check say here, but for two sorts.

    Judges are not among them: they are asked where the settings say so.
    """
    actions = f"{COMPILED_FOLDER}/guard/"
    artifacts = [a for a in artifacts if not is_judge_check(a)]
    return [
        a for a in artifacts if not a.path.startswith(actions) or judges_files(a) or (whole and judges_whole_changes(a))
    ]


def without_rulebook(change: Change) -> Change:
    """The change without rule files and artifacts: they quote what they forbid, and are proved instead of checked."""
    return replace(change, files=tuple(f for f in change.files if not f.path.startswith(f"{file_paths.RULES}/")))


def facts_by_slug(artifacts: Sequence[Artifact]) -> dict[str, RuleFacts]:
    """What artifacts say of their rules, by slug, the firmest of each; RulecError where one of them is damaged."""
    found: dict[str, RuleFacts] = {}
    for checker, own in by_checker(artifacts):
        for artifact in own:
            try:
                facts = checker.facts(artifact.text or "")
            except (ValueError, KeyError, TypeError, RulecError) as error:
                cure = "run rulec compile and commit what it writes"
                raise RulecError(f"is no artifact of rulec: {error}", where=artifact.path, hint=cure) from None
            known = found.get(facts.slug)  # a judge may act less than the guard beside it
            if known is None or OUTCOMES_BY_GRAVITY[facts.enforcement] < OUTCOMES_BY_GRAVITY[known.enforcement]:
                found[facts.slug] = facts
    return found


def verdicts_on(
    artifacts: Sequence[Artifact], change: Change, *, only_message: bool = False, part: Shard = WHOLE,
    tick: Tick = ignore_tick,
) -> list[Verdict]:  # fmt: skip
    """All verdicts on a change, or on its part that is looked at here; those that block first."""
    facts = facts_by_slug(artifacts)
    if only_message:
        artifacts = message_checks(artifacts)
    seen = run_checks(artifacts, change, part, tick)
    if only_message:
        seen = [item for item in seen if isinstance(item, Fault) or not item.path]
    return _verdicts(artifacts, facts, [change], [seen])[0]


def message_checks(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Those that may have something to say about a commit message."""
    return [artifact for artifact in artifacts if artifact.path.startswith(f"{COMPILED_FOLDER}/shell/")]


def verdicts_on_each(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[list[Verdict]]:
    """All verdicts on each of many changes."""
    return _verdicts(artifacts, facts_by_slug(artifacts), changes, run_checks_each(artifacts, changes))


def _verdicts(
    artifacts: Sequence[Artifact], facts: dict[str, RuleFacts], changes: Sequence[Change], seen: Sequence[Observed]
) -> list[list[Verdict]]:
    told = [
        [item for item in items if not in_generated_block(item, change)]
        for change, items in zip(changes, seen, strict=True)
    ]
    gated = [list(decide_outcomes(items, facts, change)) for change, items in zip(changes, told, strict=True)]
    old = findings_in_bases(artifacts, changes, gated)
    return [
        gravest_first(
            settle_with_checks(
                artifacts, facts, [replace(v, outcome="old") if v.finding in known else v for v in verdicts]
            )
        )
        for verdicts, known in zip(gated, old, strict=True)
    ]


def decide_outcomes(
    seen: Iterable[Finding | Fault], facts: Mapping[str, RuleFacts], change: Change
) -> Iterator[Verdict]:
    """One verdict for each finding, and for each check that broke; a finding on a line that was there before is old."""
    files = {file.path: file for file in change.files}
    for item in dict.fromkeys(seen):
        rule = facts[item.slug]
        if isinstance(item, Fault):
            holds = item.overrun and rule.severity == "must" and rule.enforcement == "block"  # else size would be a way
            # also of an audited rule: it says so itself
            yield Verdict(outcome="block" if holds else rule.on_error, facts=rule, fault=item)
        else:
            old = _was_there_before(item, files.get(item.path))
            acts = (
                rule.enforcement
                if item.sure
                else max(rule.enforcement, rule.on_unsure, key=OUTCOMES_BY_GRAVITY.__getitem__)
            )
            yield Verdict(outcome="old" if old else acts, facts=rule, finding=item)


def _was_there_before(finding: Finding, file: FileChange | None) -> bool:
    if file is None or file.added is None or finding.line == 0:
        return False
    last = max(finding.last, finding.line)
    return not any(first <= last and finding.line <= end for first, end in file.added)

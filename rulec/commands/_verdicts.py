"""Artifacts + changes -> verdicts: what a gate makes of what checks see."""

from collections.abc import Sequence
from dataclasses import replace

from rulec.commands._baseline import in_bases
from rulec.commands._contradictions import settled
from rulec.commands._observe import Seen, by_kind, observe, observe_each
from rulec.commands._our_block import in_our_block
from rulec.commands._part import WHOLE, Part
from rulec.commands._progress import Tick, unseen
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.artifact import COMPILED, Artifact, of_changes, of_files, of_judge
from rulec.model.change import Change
from rulec.model.finding import GRAVITY, Fault, Verdict, gravest_first
from rulec.model.plan import Facts
from rulec.stages.gate import gate


def at_commit(artifacts: Sequence[Artifact], *, whole: bool = True) -> list[Artifact]:
    """Those that speak of files; what guards say of them other kinds of check say here, but for two sorts.

    Judges are not among them: they are asked where the settings say so.
    """
    actions = f"{COMPILED}/guard/"
    artifacts = [a for a in artifacts if not of_judge(a)]
    return [a for a in artifacts if not a.path.startswith(actions) or of_files(a) or (whole and of_changes(a))]


def theirs(change: Change) -> Change:
    """The change without rule files and artifacts: they quote what they forbid, and are proved instead of checked."""
    return replace(change, files=tuple(f for f in change.files if not f.path.startswith(f"{worktree.RULES}/")))


def facts_of(artifacts: Sequence[Artifact]) -> dict[str, Facts]:
    """What artifacts say of their rules, by slug, the firmest of each; RulecError where one of them is damaged."""
    found: dict[str, Facts] = {}
    for checker, own in by_kind(artifacts):
        for artifact in own:
            try:
                facts = checker.facts(artifact.text or "")
            except (ValueError, KeyError, TypeError, RulecError) as error:
                cure = "run rulec compile and commit what it writes"
                raise RulecError(f"is no artifact of rulec: {error}", where=artifact.path, hint=cure) from None
            known = found.get(facts.slug)  # a judge may act less than the guard beside it
            if known is None or GRAVITY[facts.enforcement] < GRAVITY[known.enforcement]:
                found[facts.slug] = facts
    return found


def judge(
    artifacts: Sequence[Artifact], change: Change, *, only_message: bool = False, part: Part = WHOLE,
    tick: Tick = unseen,
) -> list[Verdict]:  # fmt: skip
    """All verdicts on a change, or on its part that is looked at here; those that block first."""
    facts = facts_of(artifacts)
    if only_message:
        artifacts = of_messages(artifacts)
    seen = observe(artifacts, change, part, tick)
    if only_message:
        seen = [item for item in seen if isinstance(item, Fault) or not item.path]
    return _verdicts(artifacts, facts, [change], [seen])[0]


def of_messages(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Those that may have something to say about a commit message."""
    return [artifact for artifact in artifacts if artifact.path.startswith(f"{COMPILED}/shell/")]


def judge_each(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[list[Verdict]]:
    """All verdicts on each of many changes."""
    return _verdicts(artifacts, facts_of(artifacts), changes, observe_each(artifacts, changes))


def _verdicts(
    artifacts: Sequence[Artifact], facts: dict[str, Facts], changes: Sequence[Change], seen: Sequence[Seen]
) -> list[list[Verdict]]:
    told = [
        [item for item in items if not in_our_block(item, change)] for change, items in zip(changes, seen, strict=True)
    ]
    gated = [list(gate(items, facts, change)) for change, items in zip(changes, told, strict=True)]
    old = in_bases(artifacts, changes, gated)
    return [
        gravest_first(
            settled(artifacts, facts, [replace(v, outcome="old") if v.finding in known else v for v in verdicts])
        )
        for verdicts, known in zip(gated, old, strict=True)
    ]

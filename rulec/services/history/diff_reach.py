"""How much changed rules find: in all files, and in the last commits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.finding import Finding
from rulec.errors import RulecError
from rulec.gates.findings.past_refusals import RuleBacktest
from rulec.gates.findings.verdicts import commit_checks, verdicts_on, without_rulebook
from rulec.infra import clock
from rulec.infra.git import git_changes
from rulec.infra.git.commit_changes import PastCommits
from rulec.services.backtest import past_commits

FIRST = 5  # findings that are named
_HALF = 0.5  # of the time, for the tree; the rest is for the commits
Compiled = Mapping[str, Sequence[Artifact]]  # slug -> its artifacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachLimits:
    """How many commits to look at, and for how many seconds."""

    commits: int = past_commits.COMMITS
    seconds: float = 120


@dataclass(slots=True, kw_only=True)
class RuleReach:
    """What one state of a rule finds in the tree and in the last commits."""

    findings: int = 0
    files: set[str] = field(default_factory=set)
    first: list[Finding] = field(default_factory=list)
    broken: str = ""
    past: RuleBacktest | None = None

    def add(self, finding: Finding) -> None:
        """Count one finding."""
        self.findings += 1
        self.files.add(finding.path)
        if len(self.first) < FIRST:
            self.first.append(finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachDiff:
    """What each rule with checks of files found before and finds after."""

    before: Mapping[str, RuleReach]
    after: Mapping[str, RuleReach]
    whole: bool  # False where time was up before the whole tree was looked at
    commits: int  # that there were to look at


def compare_reach(top: Path, revision: str, before: Compiled, after: Compiled, reach: ReachLimits) -> ReachDiff:
    """Run both states on the tree at a revision ("" for the work tree) and on the commits before it."""
    left = clock.countdown(reach.seconds)
    sides = [{slug: RuleReach() for slug in side if commit_checks(side[slug])} for side in (before, after)]
    acting = [
        commit_checks([a for slug in side for a in of[slug]], whole=False)
        for side, of in zip(sides, (before, after), strict=True)
    ]
    whole = True
    for files in git_changes.files_in_parts(top, revision) if any(acting) else ():
        if left() < _HALF * reach.seconds:
            whole = False
            break
        for side, artifacts in zip(sides, acting, strict=True):
            _of_tree(side, artifacts, without_rulebook(Change(files=files)))
    history = PastCommits(top, reach.commits, revision or "HEAD")
    for side, of in zip(reversed(sides), (after, before), strict=True):
        _of_past(side, of, history, left)
    return ReachDiff(before=sides[0], after=sides[1], whole=whole, commits=len(history.made))


def _of_tree(side: Mapping[str, RuleReach], artifacts: Sequence[Artifact], change: Change) -> None:
    """What one state of all rules says of some files; a rule whose check breaks on them says so."""
    if not artifacts:
        return
    try:
        verdicts = verdicts_on(artifacts, change)
    except RulecError as error:  # such as a path that no tool can be given: the rest of the tree is looked at
        for sight in side.values():
            sight.broken = sight.broken or error.message
        return
    for verdict in verdicts:
        sight = side[verdict.facts.slug]
        if verdict.finding and verdict.outcome != "old":
            sight.add(verdict.finding)
        elif verdict.fault:
            sight.broken = verdict.fault.what


def _of_past(side: Mapping[str, RuleReach], of: Compiled, history: PastCommits, left: Callable[[], float]) -> None:
    rules = [
        past_commits.BacktestedRule(slug=slug, artifacts=list(of[slug]), key=past_commits.checks_key(of[slug]))
        for slug in side
    ]
    for slug, hindsight in zip(side, past_commits.backtest_commits(history, rules, left), strict=True):
        side[slug].past = hindsight

"""How far changed rules reach: what they say of all that stands there now, and of the last commits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulec.commands import _past, _seen
from rulec.commands._verdicts import at_commit, judge, theirs
from rulec.errors import RulecError
from rulec.host import clock, trees
from rulec.host.commits import History
from rulec.model.artifact import Artifact
from rulec.model.change import Change
from rulec.model.finding import Finding
from rulec.stages.backtest import Hindsight

FIRST = 5  # findings that are named
_HALF = 0.5  # of the time, for the tree; the rest is for the commits
Compiled = Mapping[str, Sequence[Artifact]]  # slug -> its artifacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How many commits to look at, and for how many seconds."""

    commits: int = _past.COMMITS
    seconds: float = 120


@dataclass(slots=True, kw_only=True)
class Sight:
    """What one state of a rule says of the tree, and of the past."""

    findings: int = 0
    files: set[str] = field(default_factory=set)
    first: list[Finding] = field(default_factory=list)
    broken: str = ""
    past: Hindsight | None = None

    def add(self, finding: Finding) -> None:
        """One more."""
        self.findings += 1
        self.files.add(finding.path)
        if len(self.first) < FIRST:
            self.first.append(finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blast:
    """The two states of each rule that has checks of what is committed."""

    before: Mapping[str, Sight]
    after: Mapping[str, Sight]
    whole: bool  # False where time was up before the whole tree was looked at
    commits: int  # that there were to look at


def blast(top: Path, revision: str, before: Compiled, after: Compiled, reach: Reach) -> Blast:
    """Both states over the tree at a revision, "" for the work tree, and over the commits behind it."""
    left = clock.countdown(reach.seconds)
    sides = [{slug: Sight() for slug in side if at_commit(side[slug])} for side in (before, after)]
    acting = [
        at_commit([a for slug in side for a in of[slug]], whole=False)
        for side, of in zip(sides, (before, after), strict=True)
    ]
    whole = True
    for files in trees.parts(top, revision) if any(acting) else ():
        if left() < _HALF * reach.seconds:
            whole = False
            break
        for side, artifacts in zip(sides, acting, strict=True):
            _of_tree(side, artifacts, theirs(Change(files=files)))
    history = History(top, reach.commits, revision or "HEAD")
    for side, of in zip(reversed(sides), (after, before), strict=True):
        _of_past(side, of, history, left)
    return Blast(before=sides[0], after=sides[1], whole=whole, commits=len(history.made))


def _of_tree(side: Mapping[str, Sight], artifacts: Sequence[Artifact], change: Change) -> None:
    """What one state of all rules says of some files; a rule whose check breaks on them says so."""
    if not artifacts:
        return
    try:
        verdicts = judge(artifacts, change)
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


def _of_past(side: Mapping[str, Sight], of: Compiled, history: History, left: Callable[[], float]) -> None:
    rules = [_past.Ruled(slug=slug, artifacts=list(of[slug]), key=_seen.key(of[slug])) for slug in side]
    for slug, hindsight in zip(side, _past.look(history, rules, left), strict=True):
        side[slug].past = hindsight

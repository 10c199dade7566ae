"""How many files at HEAD and sessions of agents a proved rule finds something in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check, judges_whole_changes
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Finding
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks
from rulec.gates.findings.verdicts import without_rulebook
from rulec.infra import clock
from rulec.infra.git import git_contents
from rulec.infra.git.git_changes import head_tree
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import past_runs
from rulec.services.backtest.past_refusals import RuleBacktest, refuses_often

MOST_FILES, MOST_BYTES = 400, 2_000_000  # of HEAD that are looked at
LARGEST = 200_000  # bytes of one of them
MANY, MANY_AT_LEAST = 0.1, 6  # of the files that are looked at: more is no handful any more
SECONDS = 0.5  # for sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingFindings:
    """How many files and sessions a rule finds something in."""

    files: int = 0  # at HEAD with a finding
    looked_at: int = 0
    sessions: RuleBacktest | None = None
    said_in: int = 0  # sessions in which a person said it: what it finds there is what they objected to

    @property
    def line(self) -> str:
        """One line for a card, "" where nothing is found."""
        parts = [f"already there: {self.files} of {self.looked_at} files at HEAD"] * bool(self.files)
        if self.sessions and self.sessions.refusals:
            parts.append(f"{len(self.sessions.refusals)} of {self.sessions.looked_at} sessions would have met it")
        return "; ".join(parts)

    @property
    def held_back(self) -> str:
        """Why a person has to see the rule first, "" where it finds little."""
        if self.files >= max(MANY_AT_LEAST, MANY * self.looked_at):
            return f"it finds {self.files} of the {self.looked_at} files at HEAD: is the rule too broad?"
        if self.sessions and refuses_often(replace(self.sessions, refusals=self.sessions.refusals[self.said_in :])):
            refused = f"{len(self.sessions.refusals)} of {self.sessions.looked_at}"
            return f"{refused} sessions here would have met it: is the rule too broad?"
        return ""


def find_existing(top: Path, book: Rulebook, rule: Rule, seconds: float = SECONDS) -> ExistingFindings:
    """What a rule that holds its proof finds of what is there; nothing where that cannot be looked at.

    Sessions are looked at for so many seconds, and not at all for none.
    """
    if not rule.checks:
        return ExistingFindings()
    try:
        artifacts = compile_rule(book, rule, top)
        found, looked_at = found_at_head(top, artifacts)
        own = past_runs.backtested_rule(book, rule, top)
        acts = own.actions and seconds > 0
        left = clock.countdown(seconds)
        sights = past_runs.backtest_sessions(top, [own], left, lambda _: None)[1] if acts else []
    except RulecError:  # what cannot be read speaks neither for a rule nor against it
        return ExistingFindings()
    return ExistingFindings(files=len(found), looked_at=looked_at, sessions=next(iter(sights), None))


def found_at_head(top: Path, artifacts: Sequence[Artifact]) -> tuple[frozenset[str], int]:
    """The files at HEAD that the content checks find something in, and how many were looked at."""
    own = [artifact for artifact in artifacts if _of_contents(artifact)]
    tree = head_tree(top) if own else None
    if tree is None:
        return frozenset(), 0
    paths = sorted(path for path in tree.paths() if "\n" not in path)
    step = max(1, len(paths) // MOST_FILES)  # of a large repository some of every part
    some = paths[::step][:MOST_FILES]
    contents = git_contents.read_blobs(top, [f"HEAD:{path}" for path in some], LARGEST)
    known = [(path, data) for path, data in zip(some, contents, strict=True) if data is not None and b"\0" not in data]
    whole = without_rulebook(Change(files=tuple(FileChange(path=path, content=data) for path, data in _within(known))))
    found = frozenset(item.path for item in run_checks(own, whole) if isinstance(item, Finding))
    return found, len(whole.files)


def _within(known: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The first files, up to the size limit."""
    size, count = 0, 0
    for _, data in known:
        size += len(data)
        if size > MOST_BYTES:
            break
        count += 1
    return list(islice(known, count))


def _of_contents(artifact: Artifact) -> bool:
    """Whether a check is about the content of files rather than about actions."""
    if is_judge_check(artifact) or judges_whole_changes(artifact):
        return False
    return artifact.kind != "guard" or '"on": "text"' in (artifact.text or "")

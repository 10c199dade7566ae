"""Runs rules on the last commits and on agents' sessions: what each would have refused."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec import registry
from rulec.checks.proving.replay import SessionActions, remembered_actions
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, judges_whole_changes
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Finding, Verdict
from rulec.domain.outcome import Tick, ignore_tick
from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.gates.findings.verdicts import commit_checks, message_checks, verdicts_on_each, without_rulebook
from rulec.infra import clock, transcript_files
from rulec.infra.git.commit_changes import PastCommit, PastCommits
from rulec.rulebook.rulebook import Rulebook
from rulec.services import session_transcripts
from rulec.services.backtest.past_refusals import (
    NOT_POSSIBLE,
    PastChange,
    RuleBacktest,
    backtest_rule,
    describe_backtest,
)

FIRST = 20  # findings of one commit that are told; the others are counted
COMMITS = 200  # that are looked at where nobody says how many
CARD_SECONDS = 2.0  # seconds for the line on one card
_FIRST, _MOST = 4, 40  # commits that are judged at once: few until it is known how long they take
_SPARE = 0.7  # of the time that is left


@dataclass(slots=True)
class BacktestedRule:
    """The compiled checks of one rule, and what they found by commit or session; None in one that is too large."""

    slug: str
    artifacts: list[Artifact]
    seen: dict[str, tuple[int, tuple[Finding, ...]] | None] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    @property
    def sees_commits(self) -> bool:
        """Whether any check acts at commits."""
        return bool(commit_checks(self.artifacts))

    @property
    def actions(self) -> list[Artifact]:
        """The checks that act at agents' tool calls."""
        return [a for a in self.artifacts if a.kind == "guard" and not judges_whole_changes(a)]


def backtested_rule(book: Rulebook, rule: Rule, top: Path) -> BacktestedRule:
    """The checks of a rule, built as ``rulec compile`` builds them."""
    return BacktestedRule(slug=rule.slug, artifacts=compile_rule(book, rule, top))


def _summarize(findings: Iterable[Finding]) -> tuple[int, tuple[Finding, ...]]:
    """How many different findings there are, and the first of them as they can be written anywhere."""
    found = list({(finding.path, finding.line, finding.text): finding for finding in findings}.values())
    return len(found), tuple(replace(f, path=_plain(f.path), text=_plain(f.text), cure="") for f in found[:FIRST])


def _plain(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def backtest_commits(
    history: PastCommits, wanted: Sequence[BacktestedRule], left: Callable[[], float], tick: Tick = ignore_tick
) -> list[RuleBacktest]:
    """Each rule held against as many commits as the time allows, the last ones first."""
    acting = [one for one in wanted if one.sees_commits]
    for commits in _rounds(history.made if acting else (), left):
        _judge_commits(history, commits, acting)
        tick(len(commits))
    pasts = [PastChange(id=made.id, at=made.at, what=made.subject) for made in history.made]
    return [backtest_rule(one.slug, pasts, one.seen, one.broken) for one in wanted]


def _rounds(made: Sequence[PastCommit], left: Callable[[], float]) -> Iterator[Sequence[PastCommit]]:
    """The commits in batches as large as the time allows."""
    waiting, size, before = made, _FIRST, left()
    while waiting and before > 0:
        yield waiting[:size]
        waiting, after = waiting[size:], left()
        each = max(before - after, 0.001) / size
        size, before = min(_MOST, 4 * size, int(_SPARE * after / each)), after
        if size < 1:
            return


def _judge_commits(history: PastCommits, commits: Sequence[PastCommit], rules: Sequence[BacktestedRule]) -> None:
    changes = history.changes(commits)
    known = [(made, change) for made in commits if (change := changes[made.id]) is not None]
    found = _verdicts_or_none(rules, known) if known else {}
    for rule in rules:
        rule.seen.update(dict.fromkeys(made.id for made in commits if changes[made.id] is None))
        for made in (made for made, _ in known if made.id in found):
            _note(rule, made, found[made.id])


def _note(rule: BacktestedRule, made: PastCommit, verdicts: Sequence[Verdict]) -> None:
    own = [verdict for verdict in verdicts if verdict.facts.slug == rule.slug]
    faults = [verdict.fault.what for verdict in own if verdict.fault]
    if faults:
        rule.broken += faults
        return
    rule.seen[made.id] = _summarize(verdict.finding for verdict in own if verdict.finding and verdict.outcome != "old")


def _verdicts_or_none(
    rules: Sequence[BacktestedRule], known: Sequence[tuple[PastCommit, Change]]
) -> dict[str, list[Verdict]]:
    """What the gates say of the commits; of one that no checker can be given, such as by a hostile name, nothing."""
    try:
        return _verdicts_of_commits(rules, known)
    except RulecError as error:
        if len(known) > 1:
            return {name: said for one in known for name, said in _verdicts_or_none(rules, [one]).items()}
        for rule in rules:
            rule.broken.append(f"{known[0][0].id[:10]}: {error.message}")
        return {}


def _verdicts_of_commits(
    rules: Sequence[BacktestedRule], known: Sequence[tuple[PastCommit, Change]]
) -> dict[str, list[Verdict]]:
    """What the gates of a commit say: of its files, of all it holds together, of its message.

    What belongs together came with the commits that a merge joins.
    """
    artifacts = [artifact for rule in rules for artifact in commit_checks(rule.artifacts)]
    whole = [artifact for artifact in artifacts if judges_whole_changes(artifact)]
    plain = [artifact for artifact in artifacts if artifact not in whole]
    changes = {made.id: replace(without_rulebook(change), message=None) for made, change in known}
    found: dict[str, list[Verdict]] = {made.id: [] for made, _ in known}
    single = [made.id for made, _ in known if len(made.parents) < 2]
    for own, names in ((plain, list(changes)), (whole, single)):
        for name, verdicts in zip(names, verdicts_on_each(own, [changes[name] for name in names]), strict=True):
            found[name] += verdicts
    said = verdicts_on_each(message_checks(artifacts), [without_rulebook(change) for _, change in known])
    for (made, _), verdicts in zip(known, said, strict=True):
        found[made.id] += [v for v in verdicts if v.fault or (v.finding and not v.finding.path)]
    return found


Backtest = Callable[[Rulebook, Rule], str]


def commit_backtest(top: Path, seconds: float = CARD_SECONDS) -> Backtest:
    """A function that says in a line what a proposed rule would have refused; the history is read once."""
    histories: list[PastCommits] = []

    def look_back(book: Rulebook, rule: Rule) -> str:
        try:
            own = backtested_rule(book, rule, top)
            if not own.sees_commits:
                return ""
            if not histories:
                histories.append(PastCommits(top, COMMITS))
            (result,) = backtest_commits(histories[0], [own], clock.countdown(seconds))
        except RulecError as error:  # a past that cannot be read is no reason against a rule
            return f"{NOT_POSSIBLE}{error.message}"
        return describe_backtest(result, len(histories[0].made))

    return look_back


def would_have_refused(past: str, rule: Rule) -> bool:
    """Whether a rule whose enforcement nobody set would have refused commits that were accepted."""
    return rule.enforcement == "auto" and bool(past) and not past.startswith(("none of", NOT_POSSIBLE))


Echo = Callable[[str], None]


def backtest_sessions(
    top: Path, wanted: Sequence[BacktestedRule], left: Callable[[], float], complain: Echo
) -> tuple[list[PastChange], list[RuleBacktest]]:
    """Run each rule on the transcripts of this repository, newest first, as many as the time allows."""
    acting = [one for one in wanted if one.actions]
    pasts = []
    for path in session_transcripts.repository_transcripts(top):
        past = PastChange(
            id=f"{path}:{transcript_files.transcript_stamp(path)}",
            at=transcript_files.day_written(path),
            what=path.name,
        )
        pasts.append(past)
        if left() > 0:
            try:
                _judge_session(past, path, acting, left)
            except RulecError as error:
                complain(f"{path}: {error.message}, passed over")
    return pasts, [backtest_rule(one.slug, pasts, one.seen, one.broken) for one in wanted]


def _judge_session(past: PastChange, path: Path, rules: Sequence[BacktestedRule], left: Callable[[], float]) -> None:
    """The findings in one session; None where it was not read to its end."""
    if not rules:
        return
    artifacts = [artifact for rule in rules for artifact in rule.actions]
    found: dict[str, list[Finding]] = {rule.slug: [] for rule in rules}
    broken: dict[str, str] = {}
    session = SessionActions(remembered_actions(artifacts))
    for turn in session_transcripts.read_turns(path, session_transcripts.find_reader(path)):
        if isinstance(turn, UnreadableLine):
            continue
        for change in session.of_turn(turn):
            if left() <= 0:
                return
            for item in registry.checker("guard").findings(artifacts, change, ()):
                if isinstance(item, Fault):
                    broken[item.slug] = item.what
                else:
                    found[item.slug].append(_finding_in_transcript(path, turn, change.actions[0], item))
    for rule in rules:
        if rule.slug in broken:
            rule.broken.append(broken[rule.slug])
        else:
            rule.seen[past.id] = _summarize(found[rule.slug])


def _finding_in_transcript(path: Path, turn: Turn, action: Action, finding: Finding) -> Finding:
    """The finding, with the line of the transcript as its place."""
    deed = action.command or f"{action.kind} {action.path}".rstrip()
    return Finding(slug=finding.slug, path=path.name, line=turn.line, text=shorten(redact(deed)))

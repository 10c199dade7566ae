"""Runs rules on agents' sessions in this repository: what the hooks would have refused."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from rulec import registry
from rulec.checks.proving.replay import MOST_EARLIER, set_aside, spoken_action, turn_end_actions
from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Finding
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.gates.findings.past_refusals import PastChange, RuleBacktest, backtest_rule
from rulec.infra import transcript_files
from rulec.services import session_transcripts
from rulec.services.backtest import past_commits
from rulec.services.backtest.past_commits import BacktestedRule

Say = Callable[[str], None]


def backtest_sessions(
    top: Path, wanted: Sequence[BacktestedRule], left: Callable[[], float], complain: Say, *, keep: bool = True
) -> tuple[list[PastChange], list[RuleBacktest]]:
    """Run each rule on the transcripts of this repository, newest first, as many as the time allows."""
    acting = [one for one in wanted if one.actions]
    for one in acting:
        one.seen = one.seen or past_commits.load_seen(top, one.key)
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
                _judge(past, path, [one for one in acting if past.id not in one.seen], left)
            except RulecError as error:
                complain(f"{path}: {error.message}, passed over")
    for one in (one for one in acting if one.new and keep):
        past_commits.store_seen(top, one.key, one.seen, [past.id for past in pasts])
    return pasts, [backtest_rule(one.slug, pasts, one.seen, one.broken) for one in wanted]


def _judge(past: PastChange, path: Path, rules: Sequence[BacktestedRule], left: Callable[[], float]) -> None:
    """The findings in one session; None where it was not read to its end."""
    if not rules:
        return
    artifacts = [artifact for rule in rules for artifact in rule.actions]
    found: dict[str, list[Finding]] = {rule.slug: [] for rule in rules}
    broken: dict[str, str] = {}
    for turn, change in _moments(
        session_transcripts.read_turns(path, session_transcripts.find_reader(path)), _remember(artifacts)
    ):
        if left() <= 0:
            return
        for item in registry.checker("guard").findings(artifacts, change, ()):
            if isinstance(item, Fault):
                broken[item.slug] = item.what
            else:
                found[item.slug].append(_told(path, turn, change.actions[0], item))
    for rule in rules:
        if rule.slug in broken:
            rule.broken.append(broken[rule.slug])
        else:
            rule.seen[past.id], rule.new = past_commits.summarize_findings(found[rule.slug]), True


def _remember(artifacts: Iterable[Artifact]) -> int:
    """How many earlier actions the checks need to see."""
    looking_back = ('"on": "session"', '"on": "reply"')
    return MOST_EARLIER if any(mark in (artifact.text or "") for artifact in artifacts for mark in looking_back) else 0


def _moments(told: Iterable[Turn | UnreadableLine], most: int) -> Iterator[tuple[Turn, Change]]:
    """Each action of a session in order, with the actions before it."""
    past: deque[Action] = deque(maxlen=most)
    words: str | None = None  # the agent's, since a person spoke last
    for turn in told:
        if isinstance(turn, UnreadableLine):
            continue
        actions = turn.actions if turn.role == "agent" else turn_end_actions(turn, words)
        if turn.role == "agent" and turn.text and actions:  # said before them, and no end of the turn
            past.append(Action(kind="reply", new=turn.text, aside=True))
        for action in actions:
            yield turn, Change(actions=(action,), earlier=tuple(past))
            past.append(set_aside(action))
        words = turn.text if turn.role == "agent" else None
        if turn.role == "human":
            past.append(spoken_action(turn))


def _told(path: Path, turn: Turn, action: Action, finding: Finding) -> Finding:
    """The finding, with the line of the transcript as its place."""
    deed = action.command or f"{action.kind} {action.path}".rstrip()
    return Finding(slug=finding.slug, path=path.name, line=turn.line, text=shorten(redact(deed)))

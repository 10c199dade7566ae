"""rulec backtest: what rules would have refused in the last commits and in agents' sessions."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from rulec.domain.artifact import RuleFacts, is_judge_check
from rulec.domain.enforcement import in_words
from rulec.domain.outcome import Outcome
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import clock
from rulec.infra.git.commit_changes import PastCommits
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import require_rule
from rulec.services.backtest import past_runs
from rulec.services.backtest.past_refusals import PastChange, Refusal, RuleBacktest, finding_place, refuses_often
from rulec.services.backtest.past_runs import BacktestedRule

SHOWN = 10  # commits of one rule
PLACES = 3  # findings of one commit
LONG = 20  # commits from which on a person wants to see how far it is
Progress = Callable[[str, int, int], AbstractContextManager[Callable[[int], None]]]
Results = tuple[BacktestedRule, RuleBacktest, RuleBacktest | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBack:
    """How many commits to look at, for how long, and whether to look at sessions."""

    commits: int
    seconds: float
    sessions: bool


def backtest_rules(
    top: Path, slug: str, reach: LookBack, complain: Callable[[str], None], progress: Progress
) -> Outcome:
    """Run one rule or all on the last commits and, if asked, on agents' sessions in this repository."""
    book = rulebook_files.load_rulebook(top)
    rules = [require_rule(book, slug)] if slug else list(book.rules)
    wanted = [past_runs.backtested_rule(book, rule, top) for rule in rules if rule.checks]
    reminders = [rule.slug for rule in rules if not rule.checks]
    left = clock.countdown(reach.seconds)
    history = PastCommits(top, reach.commits)
    with progress(f"looking back at {count_of(len(history.made), 'commit')}", len(history.made), LONG) as tick:
        seen = past_runs.backtest_commits(history, wanted, left, tick)
    pasts, in_sessions = past_runs.backtest_sessions(top, wanted, left, complain) if reach.sessions else ([], [])
    results = list(zip_longest(wanted, seen, in_sessions))
    lines = [line for result in results for line in _of_rule(*result)]
    lines += [f"{name}: a reminder, so there is nothing to check" for name in reminders]
    lines += [
        *_unseen(history, results, pasts, reach.seconds),
        _summary(history, results, pasts, sessions=reach.sessions),
    ]
    return Outcome("\n".join(lines), data=_data(history, results, pasts))


def _of_rule(rule: BacktestedRule, commits: RuleBacktest, sessions: RuleBacktest | None) -> Iterator[str]:
    facts = _facts(rule)
    parts = []
    if rule.sees_commits:
        parts.append(_counted(commits, "commit"))
    if rule.actions:
        parts.append(_counted(sessions, "session") if sessions else "add --transcripts to look at tool calls")
    if any(map(is_judge_check, rule.artifacts)):
        parts.append("a model judges it, so the past is not looked at")
    many = "; that is many: is the rule too broad?" if refuses_often(commits) else ""
    yield f"{rule.slug} ({in_words(facts.enforcement)}): {', '.join(parts)}{many}"
    for result in (commits, sessions):
        for refusal in result.refusals[:SHOWN] if result else ():
            yield from _refusal(refusal)
        if result and len(result.refusals) > SHOWN:
            yield f"  … and {len(result.refusals) - SHOWN} more; --format json has all"
        yield from (f"  its check broke: {what}" for what in (result.broken[:PLACES] if result else ()))


def _counted(result: RuleBacktest, what: str) -> str:
    many = len(result.refusals)
    if not result.looked_at:
        return f"no {what} looked at"
    return f"{many or 'none'} of {count_of(result.looked_at, what)}"


def _refusal(refusal: Refusal) -> Iterator[str]:
    past = refusal.past
    name = past.id[:10] + " " if "/" not in past.id else ""
    yield f"  {name}{past.at[:10]} {past.what}"
    for finding in refusal.findings[:PLACES]:
        yield f"    {finding_place(finding)}: {finding.text}".rstrip(": ")
    if refusal.many > PLACES:
        yield f"    … and {refusal.many - PLACES} more"


def _unseen(
    history: PastCommits, results: Sequence[Results], pasts: Sequence[PastChange], seconds: float
) -> Iterator[str]:
    """What was not looked at, and why."""
    if history.cut:
        yield f"not looked at: {count_of(history.cut, 'commit')} at the end of this shallow clone"
    acting = [(rule, commits) for rule, commits, _ in results if rule.sees_commits]
    large = {made.id for made in history.made for rule, _ in acting if rule.seen.get(made.id, ()) is None}
    if large:
        yield f"not looked at: {count_of(len(large), 'commit')} too large to wait for"
    behind = [len(history.made) - len(large) - result.looked_at for _, result in acting if not result.broken]
    behind += [
        len(pasts) - result.looked_at for rule, _, result in results if result and rule.actions and not result.broken
    ]
    if max(behind, default=0) > 0:
        yield f"stopped after {seconds:g} s: pass --seconds to look at all"


def _summary(history: PastCommits, results: Sequence[Results], pasts: Sequence[PastChange], *, sessions: bool) -> str:
    refused = {refusal.past.id for _, result, _ in results for refusal in result.refusals}
    at_work = {refusal.past.id for _, _, result in results if result for refusal in result.refusals}
    looked = [count_of(len(history.made), "commit")] + [count_of(len(pasts), "session")] * sessions
    found = [f"{len(refused)} would have been refused"]
    found += [f"an agent would have been stopped in {len(at_work)}"] * sessions
    return f"rulec: {count_of(len(results), 'rule')}, {', '.join(looked)}: {', '.join(found)} (backtest)"


def _facts(rule: BacktestedRule) -> RuleFacts:
    return facts_by_slug(rule.artifacts)[rule.slug]


def _data(history: PastCommits, results: Sequence[Results], pasts: Sequence[PastChange]) -> dict[str, Any]:
    return {
        "commits": len(history.made),
        "sessions": len(pasts),
        "rules": [
            {"slug": rule.slug, "enforcement": _facts(rule).enforcement}
            | {"commits": _sight(commits) if rule.sees_commits else None}
            | {"sessions": _sight(sessions) if sessions and rule.actions else None}
            for rule, commits, sessions in results
        ],
    }


def _sight(result: RuleBacktest) -> dict[str, Any]:
    refused = [
        asdict(refusal.past) | {"many": refusal.many, "findings": [_finding(f) for f in refusal.findings]}
        for refusal in result.refusals
    ]
    return {"looked_at": result.looked_at, "broken": list(result.broken), "refused": refused}


def _finding(finding: Any) -> dict[str, Any]:
    return {"path": finding.path, "line": finding.line, "text": finding.text}

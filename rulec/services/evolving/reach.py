"""What a rule caught and let pass before a revision, and what it does with the same with it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.infra import clock
from rulec.infra.git.commit_changes import PastCommits
from rulec.reports.ledger_counts import FIRED_OUTCOMES
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import past_runs
from rulec.services.backtest.past_runs import BacktestedRule
from rulec.services.evolving.flips import all_examples
from rulec.services.evolving.rule_trials import decide_examples

COMMITS = 50  # that both revisions are run on
SECONDS = 4.0  # for the commits, and as many for agents' sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How many of the same things two revisions of a rule catch."""

    where: str  # what was looked at, and where it is known from
    of: int
    before: int
    after: int

    @property
    def line(self) -> str:
        """The numbers in a line."""
        return (
            f"{self.where}: caught {self.before} and let {self.of - self.before} pass, "
            f"now catches {self.after} and lets {self.of - self.after} pass"
        )


def ledger_line(top: Path, slug: str) -> str:
    """What the gates of this machine found by the rule as it is; "" for nothing. The ledger holds no texts to run."""
    lines = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in FIRED_OUTCOMES]
    if not lines:
        return ""
    fixed = sum(one.times for one in gate_ledger.ledger_entries(top, slug) if one.outcome == "fixed")
    caught = sum(one.times for one in lines)
    return f"the gates of this machine since {lines[0].at[:10]} (ledger): caught {caught}, {fixed} fixed"


def compare_reach(top: Path, book: Rulebook, old: Rule, new: Rule) -> list[Reach]:
    """Both revisions on the rule's examples, on the last commits and on agents' sessions.

    What shows nothing is left out. Both are held against just the commits and sessions that both were run on.
    """
    examples = tuple(dict.fromkeys((*all_examples(old), *all_examples(new))))
    before, after = decide_examples(top, book, [old, new], examples) if examples else ([], [])
    found = [
        Reach(where=f"{count_of(len(examples), 'example')} of the rule", of=len(examples), before=before.count(True),
              after=after.count(True))
    ]  # fmt: skip
    with suppress(RulecError):  # a past that cannot be read shows nothing
        found += _in_the_past(top, [past_runs.backtested_rule(book, rule, top) for rule in (old, new)])
    return [one for one in found if one.of]


def _in_the_past(top: Path, rules: Sequence[BacktestedRule]) -> Iterator[Reach]:
    seeing = [rule for rule in rules if rule.sees_commits]
    if seeing:
        history = PastCommits(top, COMMITS)
        for rule in seeing:  # each alone: two revisions of one rule have one name
            past_runs.backtest_commits(history, [rule], clock.countdown(SECONDS))
        names = [made.id for made in history.made]
        yield _counted("the last {} (git history)", "commit", names, [rule in seeing for rule in rules], rules)
    acting = [rule for rule in rules if rule.actions]
    names = []
    for rule in acting:
        pasts, _ = past_runs.backtest_sessions(top, [rule], clock.countdown(SECONDS), lambda _: None)
        names = [past.id for past in pasts]
    if acting:
        where = "{} of agents here (transcripts)"
        yield _counted(where, "session", names, [rule in acting for rule in rules], rules)


def _counted(
    where: str, what: str, names: Sequence[str], acts: Sequence[bool], rules: Sequence[BacktestedRule]
) -> Reach:
    """How many of these each rule refused; one that does not act there refuses none."""
    judged = [
        name
        for name in names
        if all(rule.seen.get(name) is not None for rule, act in zip(rules, acts, strict=True) if act)
    ]
    before, after = (
        sum(bool((rule.seen.get(name) or (0,))[0]) for name in judged) if act else 0
        for rule, act in zip(rules, acts, strict=True)
    )
    return Reach(where=where.format(count_of(len(judged), what)), of=len(judged), before=before, after=after)

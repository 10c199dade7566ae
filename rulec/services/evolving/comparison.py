"""What a change of a rule turns: of examples, of the last commits, of agents' sessions and of what stands at HEAD."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rulec.checks.proving.example_changes import describe_example
from rulec.compiling.artifacts import compile_rule
from rulec.domain.evidence import WantedVerdict
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting.note_words import paths_of
from rulec.errors import RulecError
from rulec.infra import clock
from rulec.infra.git.commit_changes import PastCommit, PastCommits
from rulec.infra.git.git_changes import file_at_head
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import past_runs
from rulec.services.backtest.existing_findings import found_at_head
from rulec.services.evolving.rule_trials import decide_examples

COMMITS = 50  # that every form of the rule is run on
SECONDS = 4.0  # for the commits, and as many for agents' sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One verdict that turns."""

    where: Literal["example", "history", "finding"]
    what: str  # the action, the commit or the file
    before: bool  # whether it was caught
    after: bool
    wanted: bool = False  # whether a person asked for just that

    @property
    def line(self) -> str:
        """The verdict in a line."""
        kind = {"example": "example", "history": "commit", "finding": "file"}[self.where]
        turned = "passed, then caught" if self.after else "caught, then passes"
        return f"{kind}: {turned}{', as wanted' * self.wanted}: {shorten(to_one_line(self.what))}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How many of the same things are caught before and after."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every verdict that turns, and how much was caught before and after."""

    flips: tuple[Flip, ...] = ()
    reach: tuple[Reach, ...] = field(default=())


def all_examples(rule: Rule) -> tuple[Example, ...]:
    """Every example of a rule, those of its exceptions among them."""
    return tuple(
        dict.fromkeys((*rule.invalid, *rule.valid, *(example for one in rule.exceptions for example in one.valid)))
    )


def compare_rules(
    top: Path, book: Rulebook, olds: Sequence[Rule], new: Rule, wanted: Sequence[WantedVerdict] = ()
) -> Comparison:
    """The verdicts of a rule that takes the place of others: what one of those caught was caught before.

    A past that cannot be read shows nothing, and only what every rule was run on is counted.
    """
    noted = {one.example: one.caught for one in wanted}
    known = dict.fromkeys([*(one for old in olds for one in all_examples(old)), *noted])
    examples = tuple(dict.fromkeys((*known, *all_examples(new))))
    *earlier, now = decide_examples(top, book, [*olds, new], examples) if examples else [[] for _ in (*olds, new)]
    before, after = [any(verdicts) for verdicts in zip(*earlier, strict=True)], list(map(bool, now))
    flips = [
        Flip(where="example", what=redact(describe_example(one)), before=was, after=turned,
             wanted=noted.get(one) is turned)
        for one, was, turned in zip(examples, before, after, strict=True)
        if was is not turned and one in known
    ]  # fmt: skip
    reach = [
        Reach(where=f"{count_of(len(examples), 'example')} of the rule", of=len(examples), before=sum(before),
              after=sum(after))
    ]  # fmt: skip
    if any(_looks(old) != _looks(new) for old in olds):
        with suppress(RulecError):
            flips += _files(top, book, olds, new, _NotedFiles(wanted))
            past = _Past(top, [past_runs.backtested_rule(book, rule, top) for rule in (*olds, new)])
            flips += past.commits(_NotedFiles(wanted))
            past.sessions()
            reach += past.reach
    return Comparison(flips=tuple(flips), reach=tuple(one for one in reach if one.of))


def _looks(rule: Rule) -> tuple[object, ...]:
    return rule.checks, rule.scope, rule.exceptions


class _NotedFiles:
    """What persons want of files: one to pass is meant as it is anywhere, one to be caught with just what it holds."""

    def __init__(self, wanted: Sequence[WantedVerdict]) -> None:
        self._passing = {path for one in wanted if not one.caught for path in paths_of([one.example])}
        caught = [one.example for one in wanted if one.caught]
        self._caught = {pair for one in caught for pair in ((one.path, one.text), *one.files)}

    def wish(self, path: str, text: str) -> bool | None:
        """Whether the file with this text is to be caught; None where nobody said."""
        if (path, text) in self._caught:
            return True
        return False if path in self._passing else None


def _files(top: Path, book: Rulebook, olds: Sequence[Rule], new: Rule, noted: _NotedFiles) -> Iterator[Flip]:
    *earlier, after = (found_at_head(top, compile_rule(book, rule, top))[0] for rule in (*olds, new))
    for path in sorted(frozenset[str]().union(*earlier) ^ after):
        now, there = path in after, file_at_head(top, path)
        said = noted.wish(path, there.text if there else "") is now
        yield Flip(where="finding", what=path, before=not now, after=now, wanted=said)


@dataclass(slots=True)
class _Past:
    """The rules on what was done; each is run alone, for two forms of a rule have one name."""

    top: Path
    rules: list[past_runs.BacktestedRule]  # the last of them takes the place of the others
    reach: list[Reach] = field(default_factory=list)

    def commits(self, noted: _NotedFiles) -> Iterator[Flip]:
        """The last commits whose verdict turns."""
        history = PastCommits(self.top, COMMITS)
        acting = [rule for rule in self.rules if rule.sees_commits]
        for rule in acting:
            past_runs.backtest_commits(history, [rule], clock.countdown(SECONDS / 2))
        refused = self._refused("the last {} (git history)", "commit", [made.id for made in history.made], acting)
        for made in history.made:
            before, after = refused.get(made.id, (frozenset[str](), frozenset[str]()))
            if bool(before) is not bool(after):
                texts, now = _texts(history, made), bool(after)
                wanted = all(noted.wish(path, texts.get(path, "")) is now for path in before | after)
                what = redact(f"{made.id[:10]} {made.subject}")
                yield Flip(where="history", what=what, before=not now, after=now, wanted=wanted)

    def sessions(self) -> None:
        """Count agents' sessions."""
        acting, names = [rule for rule in self.rules if rule.actions], list[str]()
        for rule in acting:
            pasts, _ = past_runs.backtest_sessions(self.top, [rule], clock.countdown(SECONDS), lambda _: None)
            names = [past.id for past in pasts]
        self._refused("{} of agents here (transcripts)", "session", names, acting)

    def _refused(
        self, where: str, what: str, names: Sequence[str], acting: Sequence[past_runs.BacktestedRule]
    ) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The places of the findings in each that all acting rules were run on, before and after."""
        judged = [name for name in names if acting and all(rule.seen.get(name) is not None for rule in acting)]

        def places(name: str, rules: Sequence[past_runs.BacktestedRule]) -> frozenset[str]:
            seen = [rule.seen[name] or (0, ()) for rule in rules if rule in acting]
            return frozenset(found.path for _, findings in seen for found in findings)

        refused = {name: (places(name, self.rules[:-1]), places(name, self.rules[-1:])) for name in judged}
        before, after = (sum(bool(side[at]) for side in refused.values()) for at in (0, 1))
        where = where.format(count_of(len(judged), what))
        self.reach.append(Reach(where=where, of=len(judged), before=before, after=after))
        return refused


def _texts(history: PastCommits, made: PastCommit) -> dict[str, str]:
    """The files of a commit, as it left them."""
    change = history.changes([made])[made.id]
    return {file.path: (file.content or b"").decode("utf-8", "replace") for file in change.files} if change else {}

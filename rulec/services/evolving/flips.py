"""The verdicts that a revision turns: of the rule's examples, of the last commits, and of what stands at HEAD."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulec.checks.proving.example_changes import describe_example
from rulec.compiling.artifacts import compile_rule
from rulec.domain.evidence import WantedVerdict
from rulec.domain.rule import Example, Rule
from rulec.domain.text.redaction import redact
from rulec.drafting.revisions.note_words import paths_of
from rulec.errors import RulecError
from rulec.gates.findings.past_refusals import RuleBacktest
from rulec.infra import clock
from rulec.infra.git.commit_changes import PastCommit, PastCommits
from rulec.infra.git.head_examples import file_at_head
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import past_runs
from rulec.services.backtest.existing_findings import found_at_head
from rulec.services.evolving.rule_trials import decide_examples

COMMITS = 50  # that both revisions are run on
SECONDS = 2.0  # for the commits


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One verdict that the revision turns."""

    where: Literal["example", "history", "finding"]
    what: str  # the action, the commit or the file
    before: bool  # whether the rule caught it
    after: bool
    wanted: bool = False  # whether a person asked for just that


def all_examples(rule: Rule) -> tuple[Example, ...]:
    """Every example of a rule, those of its exceptions among them."""
    return tuple(
        dict.fromkeys((*rule.invalid, *rule.valid, *(example for one in rule.exceptions for example in one.valid)))
    )


def find_flips(top: Path, book: Rulebook, old: Rule, new: Rule, wanted: Sequence[WantedVerdict]) -> tuple[Flip, ...]:
    """Every verdict that differs between two revisions: of all old examples and noted actions, of commits and files."""
    if (old.checks, old.scope, old.exceptions) == (new.checks, new.scope, new.exceptions):
        return ()
    found = list(_of_examples(top, book, old, new, wanted))
    try:
        found += _of_files(top, book, old, new, wanted)
        found += _of_history(top, book, old, new, wanted)
    except RulecError:  # a history or tree that cannot be read shows nothing
        pass
    return tuple(found)


def _of_examples(top: Path, book: Rulebook, old: Rule, new: Rule, wanted: Sequence[WantedVerdict]) -> Iterator[Flip]:
    noted = {one.example: one.caught for one in wanted}
    examples = tuple(dict.fromkeys((*all_examples(old), *noted)))
    before, after = decide_examples(top, book, [old, new], examples)
    for example, was, now in zip(examples, before, after, strict=True):
        if was != now:
            yield Flip(
                where="example", what=redact(describe_example(example)), before=bool(was), after=bool(now),
                wanted=noted.get(example) is now,
            )  # fmt: skip


def _of_files(top: Path, book: Rulebook, old: Rule, new: Rule, wanted: Sequence[WantedVerdict]) -> Iterator[Flip]:
    before, after = (found_at_head(top, compile_rule(book, rule, top))[0] for rule in (old, new))
    noted = _NotedFiles(wanted)
    for path in sorted(before ^ after):
        now, there = path in after, file_at_head(top, path)
        said = noted.wish(path, there.text if there else "") is now
        yield Flip(where="finding", what=path, before=not now, after=now, wanted=said)


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


def _of_history(top: Path, book: Rulebook, old: Rule, new: Rule, wanted: Sequence[WantedVerdict]) -> Iterator[Flip]:
    history = PastCommits(top, COMMITS)
    rules = [past_runs.backtested_rule(book, rule, top) for rule in (old, new)]
    # each alone: two revisions of one rule have one name, by which findings are told apart
    was, now = (_refused(past_runs.backtest_commits(history, [rule], clock.countdown(SECONDS))[0]) for rule in rules)
    noted = _NotedFiles(wanted)
    for made in history.made:
        judged = all(rule.seen.get(made.id) is not None for rule in rules if rule.sees_commits)
        if judged and (made.id in was) != (made.id in now):
            caught = made.id in now
            places, texts = (now if caught else was)[made.id], _texts(history, made)
            yield Flip(
                where="history", what=redact(f"{made.id[:10]} {made.subject}"), before=not caught, after=caught,
                wanted=bool(places) and all(noted.wish(path, texts.get(path, "")) is caught for path in places),
            )  # fmt: skip


def _texts(history: PastCommits, made: PastCommit) -> dict[str, str]:
    """The files of a commit, as it left them."""
    change = history.changes([made])[made.id]
    return {file.path: (file.content or b"").decode("utf-8", "replace") for file in change.files} if change else {}


def _refused(result: RuleBacktest) -> dict[str, frozenset[str]]:
    """The commits that were refused, each with the files of the first findings in it."""
    return {one.past.id: frozenset(found.path for found in one.findings) for one in result.refusals}

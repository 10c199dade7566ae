"""Counterexamples into proposed exceptions: what three of them share, decided as accepting it would be."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.domain.evidence import Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.drafting.exception_search import (
    COUNTEREXAMPLES_NEEDED,
    groups_of_like_scope,
    offences_within,
    search_exceptions,
)
from rulec.errors import RulecError
from rulec.infra.git.git_changes import file_at_head
from rulec.reports.rule_lines import describe_exemption
from rulec.rulebook.rulebook import Rulebook, is_answered_by_exception
from rulec.services import rulebook_commit
from rulec.services.rules.exceptions import is_caught, rule_with_exception
from rulec.shell import action_events
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects

MOST_TRIES = 40  # exceptions of one rule that are decided
MOST_READINGS = 4  # actions that one counterexample may mean


@dataclass(frozen=True, slots=True)
class ExceptionCase:
    """A rule, the exception that counterexamples propose, and the rule as it is with the exception."""

    rule: Rule
    wanted: Exemption
    new: Rule
    evidence: tuple[Evidence, ...]  # the counterexamples


@dataclass(frozen=True, slots=True)
class _Counterexample:
    """A counterexample that no exception answers yet."""

    item: Evidence
    actions: tuple[Example, ...]  # what it was about; several where only the place is known
    place: str = ""  # from which the actions were made up


def propose_exceptions(top: Path, book: Rulebook, rule: Rule, evidence: Iterable[Evidence]) -> list[ExceptionCase]:
    """The exceptions that enough counterexamples share, each as ``rule_with_exception`` has decided it.

    Of those whose bounds hold all the actions the narrowest is proposed under which the real actions pass, every
    invalid example stays caught and the rule is proved. Each counterexample speaks for one exception.
    """
    left = _unanswered(top, book, rule, evidence)
    found = list[ExceptionCase]()
    tries = MOST_TRIES
    groups = _groups(left)
    while (some := next(groups, None)) and tries > 0:
        for wanted in _search(rule, some):
            tries -= 1
            if case := _decided(top, book, rule, wanted, some):
                found.append(case)
                left = [one for one in left if one not in some]
                groups = _groups(left)
                break
            if tries <= 0:
                break
    return found


def _groups(left: Sequence[_Counterexample]) -> Iterator[list[_Counterexample]]:
    """Counterexamples of like scope, or at least of one agent."""
    acted = [one for one in left if one.actions]
    numbers = groups_of_like_scope([one.actions[0] for one in acted], [one.place for one in acted])
    yield from ([acted[number] for number in group] for group in numbers)
    for agent in dict.fromkeys(one.item.agent for one in left if one.item.agent):
        some = [one for one in left if one.item.agent == agent]
        if len(some) >= COUNTEREXAMPLES_NEEDED:
            yield some


def _search(rule: Rule, some: Sequence[_Counterexample]) -> tuple[Exemption, ...]:
    agents = {one.item.agent for one in some}
    acted = [one for one in some if one.actions]
    return search_exceptions(
        rule,
        [one.actions[0] for one in acted] if len(acted) == len(some) else (),
        agent=agents.pop() if len(agents) == 1 else "",
        because=_reasons([one.item for one in some]),
        places=[one.place for one in acted] if len(acted) == len(some) else (),
    )


def _decided(
    top: Path, book: Rulebook, rule: Rule, wanted: Exemption, some: Sequence[_Counterexample]
) -> ExceptionCase | None:
    """The case with this exception; None where accepting it would be refused."""
    must_pass = tuple(dict.fromkeys(action for one in some for action in one.actions))
    try:
        new = rule_with_exception(top, book, rule, wanted, must_pass)
        rulebook_commit.missing_proof(book, new, top)
    except RulecError:
        return None
    return ExceptionCase(rule, wanted, new, tuple(one.item for one in some))


def _unanswered(top: Path, book: Rulebook, rule: Rule, evidence: Iterable[Evidence]) -> list[_Counterexample]:
    """The counterexamples that the rule as it is contradicts still, each with what it was about."""
    items = [item for item in evidence if item.kind == "counterexample" and item.weight > 0]
    if len(items) < COUNTEREXAMPLES_NEEDED:
        return []
    items = sorted(items, key=lambda item: (item.at, item.quote, item.accepted, item.path))
    read = [_read(top, rule, item) for item in items if not is_answered_by_exception(rule, item)]
    if not rule.checks:
        return read
    changes = [replace(change_of(action), agent=one.item.agent) for one in read for action in one.actions]
    try:
        seen = iter(is_caught(top, book, rule, changes))
    except RulecError:
        return []
    found = list[_Counterexample]()
    for one in read:
        caught = [action for action in one.actions if next(seen)]
        if caught or (not one.actions and one.item.agent):
            found.append(replace(one, actions=tuple(caught[:1] if one.place else caught)))
    return found


def possible_actions(top: Path, rule: Rule, item: Evidence) -> tuple[Example, ...]:
    """What a counterexample may be about: the action that it kept, else offences in the place that it names."""
    return _read(top, rule, item).actions


def _read(top: Path, rule: Rule, item: Evidence) -> _Counterexample:
    """A counterexample with the action that it kept, or with offences made up for the place that it names."""
    if item.example is not None:
        return _Counterexample(item, (item.example,))
    folder = item.path if item.path.endswith("/") else item.path.rpartition("/")[0]
    folder = "" if globs.literal_folder(f"{folder}/x") != f"{folder.rstrip('/')}/x" else folder.rstrip("/")
    if item.accepted:
        touched = {effect.path for effect in file_effects(parse_shell(item.accepted))}
        begin = f"cd {action_events.command_line([folder])} && " if folder and item.path not in touched else ""
        return _Counterexample(item, (Example(kind="command", text=begin + item.accepted),))
    if not item.path:
        return _Counterexample(item, ())
    real = file_at_head(top, item.path)
    made = chain(
        [real] if real else [],
        (one for one in offences_within(rule, _within(item.path)) if not has_command(one)),
        (one for one in offences_within(rule, _within(f"{folder}/**")) if has_command(one)) if folder else (),
    )
    readings = list(dict.fromkeys(made))[:MOST_READINGS] or [Example(kind="file", text="", path=item.path)]
    return _Counterexample(item, tuple(readings), item.path)


def _within(glob: str) -> Exemption:
    return Exemption(because="", scope=Scope(include=(glob,)))


def has_command(example: Example) -> bool:
    """Whether a command belongs to it."""
    return any(step.kind == "command" for step in (example.steps or (example,)))


def _reasons(items: Sequence[Evidence]) -> str:
    """The quotes of the evidence, each once, the oldest first."""
    said = sorted(items, key=lambda item: (item.at, item.quote))
    words = dict.fromkeys(" ".join(item.quote.split()).rstrip(".") for item in said if item.quote)
    return "; ".join(words) or f"it did not hold there {len(items)} times"


def exception_lines(top: Path, book: Rulebook, rule: Rule, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The exceptions of a rule, and those that counterexamples propose."""
    for one in rule.exceptions:
        when = f" when {one.when}" if one.when else ""
        yield f"except {describe_exemption(one)}{when}: {one.because}"
    if book.rule(rule.slug):
        yield from proposal_lines(propose_exceptions(top, book, rule, evidence))


def proposal_lines(cases: Iterable[ExceptionCase]) -> Iterator[str]:
    """A line for each proposed exception of a rule."""
    for case in cases:
        yield f"proposed exception: {describe_exemption(case.wanted)} ({case.wanted.because}); rulec evolve"

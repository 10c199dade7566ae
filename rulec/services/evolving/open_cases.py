"""What is known about each rule that no revision has taken up yet: notes, counterexamples, exceptions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent
from typing import Literal

from rulec.domain.evidence import Evidence, WantedVerdict
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import to_one_line
from rulec.infra import state
from rulec.infra.git import git_contents
from rulec.infra.git.head_examples import file_at_head
from rulec.rulebook import evidence_file, rulebook
from rulec.rulebook.rulebook import Rulebook, is_answered_by_exception
from rulec.services.evolving import noted_case
from rulec.services.evolving.rule_trials import decide_examples
from rulec.services.rules import exception_list, exception_proposals
from rulec.services.waiting_evidence import NOTES

CaseKind = Literal["note", "counterexample", "exception"]
EXCEPTIONS_NEEDED = 3  # of a rule: one is a decision that stands, several say that the rule is at odds with the code
MOST_FILES = 3  # of the files that one exception names
REJECTED = "no-revision"  # a folder of local state


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCase:
    """One thing that is known about a rule."""

    id: str
    kind: CaseKind
    words: str
    at: str = ""
    by: str = ""  # the agent that noted it; "" for a person
    wanted: tuple[WantedVerdict, ...] = ()  # none where it is words alone
    local: Evidence | None = None  # what is not in the rulebook yet, and is written with the revision


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCases:
    """A rule of the team with what is known about it."""

    rule: Rule
    cases: tuple[OpenCase, ...]

    @property
    def wanted(self) -> list[WantedVerdict]:
        """What persons want the rule to make of single actions, each once."""
        found = {(one.example, one.caught): one for case in self.cases for one in case.wanted}
        return list(found.values())

    @property
    def local(self) -> list[Evidence]:
        """What is written as evidence with a revision."""
        return [case.local for case in self.cases if case.local]


def waiting_evidence(top: Path, book: Rulebook) -> dict[str, list[tuple[Evidence, bool]]]:
    """By rule, the evidence that asks for a revision, oldest first, and whether it is local; no check is run."""
    own = {rule.slug: rule for rule in book.rules if rule.layer == "team"}
    local = NOTES.waiting(top)
    found: dict[str, list[tuple[Evidence, bool]]] = {}
    for slug, rule in own.items():
        known = book.observed(slug)
        taken = {name for item in known for name in item.answers}
        items = [(item, False) for item in known if _asks(rule, item)]
        there = {evidence_file.evidence_id(item) for item, _ in items}
        items += [(one, True) for one in local if one.slug == slug and evidence_file.evidence_id(one) not in there]
        items = [pair for pair in items if evidence_file.evidence_id(pair[0]) not in taken and _asks(rule, pair[0])]
        if items:
            found[slug] = sorted(items, key=lambda pair: (pair[0].at, pair[0].quote))
    return found


def _asks(rule: Rule, item: Evidence) -> bool:
    """Whether an observation asks for a revision; a counterexample without weight was turned into an exception."""
    if item.kind == "counterexample":
        return item.weight > 0 and not is_answered_by_exception(rule, item)
    return item.kind == "note"


def undecided_rules(top: Path, book: Rulebook) -> list[str]:
    """The rules about which something is known that a person has not decided on, exceptions left aside."""
    found = []
    for slug, items in waiting_evidence(top, book).items():
        cases = _cases_of_evidence(top, book, rulebook.require_team_rule(book, slug), items)
        names = [case.id for case in cases]
        if names and not _is_rejected(top, slug, names):
            found.append(slug)
    return found


def open_rules(top: Path, book: Rulebook, slugs: Sequence[str] = ()) -> list[RuleCases]:
    """The rules that have open cases, or those named of them, without what a person rejected."""
    waiting = waiting_evidence(top, book)
    excepted = _exceptions(top, book)
    found = []
    for rule in book.rules:
        if rule.layer != "team" or (slugs and rule.slug not in slugs):
            continue
        cases = list(_cases_of_evidence(top, book, rule, waiting.get(rule.slug, [])))
        taken = {name for item in book.observed(rule.slug) for name in item.answers}
        others = [case for case in excepted.get(rule.slug, []) if case.id not in taken]
        if cases or len(others) >= EXCEPTIONS_NEEDED:
            cases += _caught_now(top, book, rule, others)
        if cases and not _is_rejected(top, rule.slug, [case.id for case in cases]):
            found.append(RuleCases(rule=rule, cases=tuple(cases)))
    return found


def reject(top: Path, item: RuleCases) -> None:
    """Remember that a person wants no revision from these cases; agents' notes among them are decided with that."""
    ids = {*_rejected(top, item.rule.slug), *(case.id for case in item.cases)}
    state.write_state(top, f"{REJECTED}/{item.rule.slug}", sorted(ids))
    NOTES.drop(top, [one for one in item.local if one.kind == "note"])


def _is_rejected(top: Path, slug: str, names: Sequence[str]) -> bool:
    return set(names) <= set(_rejected(top, slug))


def _rejected(top: Path, slug: str) -> list[str]:
    found = state.read_state(top, f"{REJECTED}/{slug}")
    return [str(one) for one in found] if isinstance(found, list) else []


def _cases_of_evidence(
    top: Path, book: Rulebook, rule: Rule, items: Sequence[tuple[Evidence, bool]]
) -> Iterator[OpenCase]:
    """Each observation as a case, but for counterexamples of actions that the rule has let pass since."""
    for item, local in items:
        name = evidence_file.evidence_id(item)
        kind: CaseKind = "note" if item.kind == "note" else "counterexample"
        actions, open_still = (
            ((item.example,) if item.example and item.should else (), True)
            if item.kind == "note"
            else _actions_caught(top, book, rule, item)
        )
        if open_still:
            caught = item.should == "catch"
            wanted = (WantedVerdict(example=one, caught=caught, words=item.quote, source=name) for one in actions)
            yield OpenCase(
                id=name, kind=kind, words=item.quote, at=item.at, by=item.agent, wanted=tuple(wanted),
                local=item if local else None,
            )  # fmt: skip


def _actions_caught(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> tuple[tuple[Example, ...], bool]:
    """The action that a counterexample is about, where the rule still catches it; and whether it may do so at all."""
    possible = exception_proposals.possible_actions(top, rule, item)
    verdicts = decide_examples(top, book, [rule], possible)[0] if possible and rule.checks else []
    found = next((case for case, caught in zip(possible, verdicts, strict=False) if caught), None)
    case = (noted_case.redacted_case(found, caught=False),) if found else ()
    return case, not verdicts or any(verdict is not False for verdict in verdicts)


def _exceptions(top: Path, book: Rulebook) -> dict[str, list[OpenCase]]:
    """By rule, the exceptions that are in use, each with the files that it is about."""
    found: dict[str, list[OpenCase]] = {}
    for entry in exception_list.dated_exception_entries(top, book):
        if entry.state != exception_list.COUNTS:
            continue
        paths = [entry.file] if entry.file else _files_of(top, book, entry.slug, entry.where)
        name = state.digest_of_values(["exception", entry.where.partition(":")[0], entry.reason])[:12]
        cases = filter(None, (_excepted_case(top, path, entry.line) for path in paths))
        wanted = [
            WantedVerdict(example=case, caught=False, words=to_one_line(entry.reason), source=name) for case in cases
        ]
        found.setdefault(entry.slug, []).append(
            OpenCase(
                id=name, kind="exception", words=f"{to_one_line(entry.reason)} (excepted in {entry.where})",
                at=entry.since, wanted=tuple(wanted),
            )
        )  # fmt: skip
    return found


def _files_of(top: Path, book: Rulebook, slug: str, where: str) -> list[str]:
    own = [one for one in book.dated_exceptions if one.slug == slug and (", ".join(one.paths) or "everywhere") == where]
    some = [
        path for path in git_contents.tracked_paths(top) if any(one.paths and one.covers(slug, path) for one in own)
    ]
    return some[:MOST_FILES]


def _excepted_case(top: Path, path: str, line: int) -> Example | None:
    """The file at HEAD; of a comment in the code only the line that it is about and the one below it."""
    case = file_at_head(top, path)
    if case is None or not line:
        return case
    return replace(case, text=dedent("\n".join(case.text.split("\n")[line - 1 : line + 1]) + "\n"))


def _caught_now(top: Path, book: Rulebook, rule: Rule, cases: Sequence[OpenCase]) -> list[OpenCase]:
    """The cases with only those actions that the rule catches: of any other an exception says nothing."""
    every = list(dict.fromkeys(one.example for case in cases for one in case.wanted))
    verdicts = decide_examples(top, book, [rule], every)[0] if every and rule.checks else [False] * len(every)
    caught = {example for example, verdict in zip(every, verdicts, strict=True) if verdict}
    kept = [replace(case, wanted=tuple(one for one in case.wanted if one.example in caught)) for case in cases]
    return [case for case in kept if case.wanted]

"""What is known about each rule that no revision has taken up yet: notes and counterexamples."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulec.domain.evidence import Evidence, WantedVerdict
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.infra import state
from rulec.rulebook import evidence_file
from rulec.rulebook.rulebook import Rulebook, is_answered_by_exception
from rulec.services.evolving import noted_case
from rulec.services.evolving.rule_trials import decide_examples
from rulec.services.rules import exception_proposals

CaseKind = Literal["note", "counterexample"]
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


def open_rules(top: Path, book: Rulebook, slugs: Sequence[str] = ()) -> list[RuleCases]:
    """The rules that have open cases, or those named of them, without what a person rejected."""
    local = waiting_notes(top)
    found = []
    for rule in book.rules:
        if rule.layer != "team" or (slugs and rule.slug not in slugs):
            continue
        taken = {name for item in book.observed(rule.slug) for name in item.answers}
        cases = list(_cases_of_evidence(top, book, rule, local, taken))
        if cases and not {case.id for case in cases} <= set(_rejected(top, rule.slug)):
            found.append(RuleCases(rule=rule, cases=tuple(cases)))
    return found


def undecided_rules(top: Path, book: Rulebook) -> list[str]:
    """The rules about which something is known that a person has not decided on."""
    return [one.rule.slug for one in open_rules(top, book)]


def _asks(rule: Rule, item: Evidence) -> bool:
    """Whether an observation asks for a revision; a counterexample without weight was turned into an exception."""
    if item.kind == "counterexample":
        return item.weight > 0 and not is_answered_by_exception(rule, item)
    return item.kind == "note"


def reject(top: Path, item: RuleCases) -> None:
    """Remember that a person wants no revision from these cases; agents' notes among them are decided with that."""
    ids = {*_rejected(top, item.rule.slug), *(case.id for case in item.cases)}
    state.write_state(top, f"{REJECTED}/{item.rule.slug}", sorted(ids))
    drop_notes(top, [one for one in item.local if one.kind == "note"])


def _rejected(top: Path, slug: str) -> list[str]:
    found = state.read_state(top, f"{REJECTED}/{slug}")
    return [str(one) for one in found] if isinstance(found, list) else []


def _cases_of_evidence(
    top: Path, book: Rulebook, rule: Rule, local: Sequence[Evidence], taken: Collection[str]
) -> Iterator[OpenCase]:
    """Each observation that no revision took up, oldest first; not counterexamples that the rule lets pass since."""
    named = {evidence_file.evidence_id(item): item for item in local if item.slug == rule.slug}
    known = {evidence_file.evidence_id(item): item for item in book.observed(rule.slug)}
    for name, item in sorted({**named, **known}.items(), key=lambda pair: (pair[1].at, pair[1].quote)):
        if name in taken or not _asks(rule, item):
            continue
        noted, waits = item.kind == "note", name not in known
        actions: Sequence[Example] | None = [item.example] if item.example and item.should else []
        if not noted:
            actions = _actions_caught(top, book, rule, item)
        if actions is not None:
            yield OpenCase(
                id=name, kind="note" if noted else "counterexample", words=item.quote,
                at=item.at, by=item.agent, local=item if waits else None,
                wanted=tuple(
                    WantedVerdict(example=one, caught=item.should == "catch", words=item.quote, source=name)
                    for one in actions
                ),
            )  # fmt: skip


def _actions_caught(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> list[Example] | None:
    """The action that a counterexample is about, where the rule still catches it; None where it lets all pass."""
    possible = exception_proposals.possible_actions(top, rule, item)
    verdicts = decide_examples(top, book, [rule], possible)[0] if possible and rule.checks else []
    if verdicts and all(verdict is False for verdict in verdicts):
        return None
    found = next((case for case, caught in zip(possible, verdicts, strict=False) if caught), None)
    return [noted_case.redacted_case(found, caught=False)] if found else []


WAITING = "noted"  # a folder of local state: agents' notes, one file each, until a person decides on them
MOST = 200  # that may wait; an agent that writes without end must not fill the disk


def keep_note(top: Path, item: Evidence) -> None:
    """Let an agent's note wait; RulecError where too many wait already."""
    if len(state.state_names(top, WAITING)) >= MOST:
        raise RulecError(f"{MOST} notes already wait", hint="let a person decide on them first: rulec evolve")
    state.write_state_text(top, _place(item), state.dump_dataclass(item))


def waiting_notes(top: Path) -> list[Evidence]:
    """All that wait, oldest first; what is damaged, or names no agent and so is somebody else's, is left alone."""
    found = []
    for name in state.state_names(top, WAITING)[:MOST]:
        try:
            item = state.load_dataclass(Evidence, state.read_state_text(top, f"{WAITING}/{name}"))
        except (ValueError, RulecError):
            continue
        if isinstance(item, Evidence) and item.kind == "note" and evidence_file.evidence_id(item) == name:
            found += [item] if item.agent else []
    return sorted(found, key=lambda item: (item.at, item.slug, item.quote))


def drop_notes(top: Path, items: Iterable[Evidence]) -> None:
    """Delete those that are decided."""
    for item in items:
        state.remove_state(top, _place(item))


def _place(item: Evidence) -> str:
    return f"{WAITING}/{evidence_file.evidence_id(item)}"

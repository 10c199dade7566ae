"""rulec note: what a person says about one decision of a rule, as evidence; an agent's note waits for a person."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.agents.protocol import agent_spec
from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import Evidence, LedgerLine, Should
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.judging import judge_standing
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reminders import rule_records
from rulec.reports.rule_lines import example_line
from rulec.rulebook import rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.evolving import noted_case, open_cases
from rulec.services.evolving.noted_case import CaseOptions
from rulec.services.evolving.rule_trials import decide_examples
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules import exception_proposals
from rulec.weights import learning, person_bonus
from rulec.weights.formulas import TurnFacts

_FINDING = re.compile(r"[0-9a-f]{12}")
SAY_WHAT = 'say what the rule should have made of it: rulec note SLUG "TEXT"'
VERDICTS: dict[Should, str] = {"catch": "should be caught", "pass": "should pass", "": ""}
UNKNOWN_AGENT = "an agent"
COUNTEREXAMPLE_WEIGHT = 1.0  # what one counterexample weighs
_OF_FILES = ("commit", "push", "done", "stop")  # gates whose findings name a file where they name anything


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOptions:
    """What was said about the case beside the words."""

    case: CaseOptions
    should: Should = ""
    agent: str = ""  # to which it happened
    propose: bool = False  # an agent says so of itself


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """What a note is written on."""

    slug: str
    about: str = ""  # a finding
    case: Example | None = None
    path: str = ""  # of the file, which may not be there any more
    should: Should = ""  # what it means where nothing else is said


def note_rule(top: Path, target: str, text: str, given: NoteOptions, onto: ChangeTarget) -> Outcome:
    """Write the note as evidence, in one commit; what an agent notes waits for a person instead.

    That a rule found what it should have let pass is a counterexample, which speaks against it.
    """
    words = rulebook_commit.require_reason(text, SAY_WHAT)
    by = _asking_agent() or (UNKNOWN_AGENT if given.propose else "")
    if by:
        item = _note(top, rulebook_files.load_rulebook(top), target, words, given)
        return _keep(top, replace(item, kind="note", weight=0.0, accepted="", path="", agent=by))
    with rulebook_commit.open_rulebook(top, onto) as book:
        item = _note(top, book, target, words, given)
        rule = rulebook.require_team_rule(book, item.slug)
        wrong = item.kind == "counterexample"
        done = rulebook_commit.commit_rule_change(
            top, onto, rule, {}, subject=f"Note a case of {rule.slug}", decision=f"NOOP {rule.slug}", because=words,
            done=f"noted that {rule.slug} was wrong" if wrong else f"noted about {rule.slug}", evidence=[item],
        )  # fmt: skip
        if wrong and not person_bonus.is_off(str(top)):
            rules = rule_records.gather_rules(str(top))
            learning.learn(str(top), "", rules, {rule.slug: TurnFacts(noted=True)})
        told = _told_against(top, book, rule, item) if wrong else _told(top, book, rule, item)
        return replace(done, text="\n".join([done.text, *told]))


def _asking_agent() -> str:
    """The agent that runs this command, as its environment tells; "" for a person."""
    return ", ".join(agent_spec.agents_around(os.environ))


def _keep(top: Path, item: Evidence) -> Outcome:
    open_cases.keep_note(top, item)
    count = len(open_cases.waiting_notes(top))
    wait = "it waits" if count == 1 else f"{count} notes wait"
    return Outcome(f"proposed a note about {item.slug}; {wait} for a person: rulec evolve")


def _note(top: Path, book: Rulebook, target: str, words: str, given: NoteOptions) -> Evidence:
    noted = _find(top, book, target, given)
    rule = rulebook.require_team_rule(book, noted.slug)
    place = given.case.path if _names_place(top, rule, given) else ""
    case = noted.case if place else given.case.read(top) or noted.case
    if case is None and given.should == "catch":
        hint = "name it with --command, --path or --example"
        raise RulecError("--should catch needs a case", where=to_one_line(target), hint=hint)
    catches = case is not None and _catches(top, book, rule, case)
    # without a word on it a note says that the rule was wrong about the case, so it means the other verdict
    should = given.should or noted.should or ("" if case is None else "pass" if catches else "catch")
    if case is not None:
        case = noted_case.redacted_case(case, caught=should == "catch")
    item = Evidence(
        slug=noted.slug, kind="note", at=clock.now(), quote=words, should=should if case else "",
        example=case, about=to_one_line(noted.about),
    )  # fmt: skip
    passes = case is not None and bool(rule.checks) and not judge_standing.has_only_judges(rule) and not catches
    if should != "pass" or (passes and not noted.path):
        return item
    if passes:  # it fired on the file as that was then
        item, case = replace(item, should="", example=None), None
    clean = rulebook_commit.clean_reason
    return replace(
        item, kind="counterexample", weight=COUNTEREXAMPLE_WEIGHT, agent=clean(given.agent),
        accepted=case.text if case and case.kind == "command" else "",
        path=case.path if case and case.kind == "file" else clean(place or noted.path),
    )  # fmt: skip


def _names_place(top: Path, rule: Rule, given: NoteOptions) -> bool:
    """Whether --path is the place where the rule should not have fired: no file, or a rule about commands."""
    path = given.case.path
    if given.should != "pass" or not path or given.case != CaseOptions(path=path):
        return False
    return not (top / path).is_file() or any(map(exception_proposals.has_command, rule.invalid))


def _catches(top: Path, book: Rulebook, rule: Rule, case: Example) -> bool:
    return decide_examples(top, book, [rule], [case])[0][0] is True


def _find(top: Path, book: Rulebook, target: str, given: NoteOptions) -> _Noted:
    """What the target names: a rule, or a finding of the ledger by its id.

    Who names only a rule that should have let something pass means the file in which it fired last.
    """
    if book.rule(target) is None and _FINDING.fullmatch(target):
        return _of_finding(top, target)
    slug = rulebook.require_team_rule(book, target).slug
    last = _last_finding(top, slug) if given.should == "pass" and given.case == CaseOptions() else None
    return _of_finding(top, last.id) if last else _Noted(slug=slug)


def _last_finding(top: Path, slug: str) -> LedgerLine | None:
    """The rule's last finding in the ledger, where that was in a file."""
    fired = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS]
    return fired[-1] if fired and fired[-1].of and fired[-1].event in _OF_FILES else None


def _of_finding(top: Path, name: str) -> _Noted:
    line = next((one for one in gate_ledger.ledger_entries(top) if one.id == name), None)
    if line is None:
        hint = "rulec report SLUG lists the last findings of a rule with their ids"
        raise RulecError("is no finding in the log of this machine", where=name, hint=hint)
    should: Should = "pass" if line.outcome in ENFORCEMENTS else ""
    path = line.of if line.event in _OF_FILES else ""
    return _Noted(slug=line.slug, about=name, case=noted_case.case_of_finding(top, line), path=path, should=should)


def _told(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> Iterator[str]:
    """What was understood, and what comes next."""
    if item.example is None:
        yield "  words alone: no case was named, so rulec evolve shows them and leaves the change to you"
        return
    yield f"  {VERDICTS[item.should]}: {shorten(example_line(item.example))}"
    if _catches(top, book, rule, item.example) == (item.should == "catch"):
        yield "  the rule decides it so already; rulec evolve can make it an example that keeps it so"
    yield f"next: rulec evolve {rule.slug}"


def _told_against(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> Iterator[str]:
    """What the counterexample does to the rule, and the exceptions that it makes out with others."""
    about = example_line(item.example) if item.example else item.path
    if about:
        yield f"  {VERDICTS['pass']}: {shorten(about)}"
    after = replace(book, evidence={**book.evidence, rule.slug: (*book.observed(rule.slug), item)})
    yield f"  confidence: {after.sure(rule, at=clock.now()).arithmetic}"
    yield from _loosening_warning(top, book, after, rule)
    cases = exception_proposals.propose_exceptions(top, book, rule, after.observed(rule.slug))
    yield from (f"  {text}" for text in exception_proposals.proposal_lines(cases))
    yield f"next: rulec evolve {rule.slug}"


def _loosening_warning(top: Path, book: Rulebook, after: Rulebook, rule: Rule) -> Iterator[str]:
    """A warning where the counterexample lowers what the rule does."""
    before, now = (rulebook_commit.enforcement_in_effect(one, rule, top) for one in (book, after))
    if before != now:
        cure = f"rulec evolve {rule.slug} looks for a revision, rulec set {rule.slug} {before} pins it"
        yield f"  with that, {rule.slug} does no more than {now}, where it did {before}: {cure}"

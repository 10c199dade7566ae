"""rulec note: a person's words about how a rule decided one case, as evidence; an agent's wait for a person."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.agents.protocol import agent_spec
from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import Evidence, Should
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import example_line
from rulec.rulebook import rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.evolving import noted_case
from rulec.services.evolving.noted_case import CaseOptions
from rulec.services.evolving.rule_trials import decide_examples
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.waiting_evidence import NOTES

_FINDING = re.compile(r"[0-9a-f]{12}")
SAY_WHAT = 'say what the rule should have made of it: rulec note SLUG "TEXT"'
VERDICTS: dict[Should, str] = {"catch": "should be caught", "pass": "should pass", "": ""}
UNKNOWN_AGENT = "an agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteOptions:
    """What was said about the case beside the words."""

    case: CaseOptions
    should: Should = ""
    propose: bool = False  # an agent says so of itself


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noted:
    """What a note is written on."""

    slug: str
    about: str = ""  # a finding or a proof
    case: Example | None = None
    should: Should = ""  # what it means where nothing else is said


def note_rule(top: Path, target: str, text: str, given: NoteOptions, onto: ChangeTarget) -> Outcome:
    """Write the note as evidence, in one commit; what an agent notes waits for a person instead."""
    words = rulebook_commit.require_reason(text, SAY_WHAT)
    by = _asking_agent() or (UNKNOWN_AGENT if given.propose else "")
    if by:
        return _keep(top, replace(_note(top, rulebook_files.load_rulebook(top), target, words, given), agent=by))
    with rulebook_commit.open_rulebook(top, onto) as book:
        item = _note(top, book, target, words, given)
        rule = rulebook.require_team_rule(book, item.slug)
        done = rulebook_commit.commit_rule_change(
            top, onto, rule, {}, subject=f"Note a case of {rule.slug}", decision=f"NOOP {rule.slug}", because=words,
            done=f"noted about {rule.slug}", evidence=[item],
        )  # fmt: skip
        return replace(done, text="\n".join([done.text, *_told(top, book, rule, item)]))


def _asking_agent() -> str:
    """The agent that runs this command, as its environment tells; "" for a person."""
    return ", ".join(agent_spec.agents_around(os.environ))


def _keep(top: Path, item: Evidence) -> Outcome:
    NOTES.keep(top, item)
    count = len(NOTES.waiting(top))
    wait = "it waits" if count == 1 else f"{count} notes wait"
    return Outcome(f"proposed a note about {item.slug}; {wait} for a person: rulec evolve")


def _note(top: Path, book: Rulebook, target: str, words: str, given: NoteOptions) -> Evidence:
    noted = _find(top, book, target, given.case)
    rule = rulebook.require_team_rule(book, noted.slug)
    case = given.case.read(top) or noted.case
    if case is None and given.should:
        hint = "name it with --command, --path, --commit or --example"
        raise RulecError("--should needs a case", where=to_one_line(target), hint=hint)
    should = given.should or noted.should
    if case is not None and not should:
        # a note says that the rule was wrong about the case, so it means the other verdict
        should = "pass" if _catches(top, book, rule, case) else "catch"
    if case is not None:
        case = noted_case.redacted_case(case, caught=should == "catch")
    return Evidence(
        slug=noted.slug, kind="note", at=clock.now(), quote=words, should=should if case else "",
        example=case, about=to_one_line(noted.about),
    )  # fmt: skip


def _catches(top: Path, book: Rulebook, rule: Rule, case: Example) -> bool:
    return decide_examples(top, book, [rule], [case])[0][0] is True


def _find(top: Path, book: Rulebook, target: str, named: CaseOptions) -> _Noted:
    """What the target names: a rule, a finding of the ledger by its id, or STEP:RULE for the proof of a step."""
    if book.rule(target) is None and _FINDING.fullmatch(target):
        return _of_finding(top, target)
    step, colon, slug = target.partition(":")
    if colon and step and slug:
        rulebook.require_team_rule(book, slug)
        if named != CaseOptions():
            return _Noted(slug=slug, about=target, should="catch")
        change, name = noted_case.change_at_step(top, step, slug)
        return _Noted(slug=slug, about=f"{name}:{slug}", case=change, should="catch")
    return _Noted(slug=rulebook.require_team_rule(book, target).slug)


def _of_finding(top: Path, name: str) -> _Noted:
    line = next((one for one in gate_ledger.ledger_entries(top) if one.id == name), None)
    if line is None:
        hint = "rulec report SLUG lists the last findings of a rule with their ids"
        raise RulecError("is no finding in the log of this machine", where=name, hint=hint)
    should: Should = "pass" if line.outcome in ENFORCEMENTS else ""
    return _Noted(slug=line.slug, about=name, case=noted_case.case_of_finding(top, line), should=should)


def _told(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> Iterator[str]:
    """What was understood, and what comes next."""
    if item.example is None:
        yield "  words alone: no case was named, so rulec evolve shows them and leaves the change to you"
        return
    yield f"  {VERDICTS[item.should]}: {shorten(example_line(item.example))}"
    if _catches(top, book, rule, item.example) == (item.should == "catch"):
        yield "  the rule decides it so already; rulec evolve can make it an example that keeps it so"
    yield f"next: rulec evolve {rule.slug}"

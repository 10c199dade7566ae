"""Exceptions that counterexamples propose: shown, and accepted or rejected by a person."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.domain.candidate import Candidate
from rulec.domain.rule import Exemption, Rule
from rulec.domain.text.one_line import shorten
from rulec.drafting.exception_drafts import propose_exceptions
from rulec.errors import RulecError
from rulec.infra import state
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.resolving.resolver import Resolution
from rulec.rulebook.rulebook import Rulebook
from rulec.services import change_target
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Say
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.rules import exception

REJECTED = "no-exception"  # a folder of local state


@dataclass(frozen=True, slots=True)
class ExceptionCase:
    """A rule and the exception that counterexamples propose."""

    rule: Rule
    wanted: Exemption

    @property
    def mark(self) -> str:
        """The id by which a rejection is remembered."""
        return state.digest_of_values([self.rule.slug, asdict(self.wanted.scope), list(self.wanted.commands)])


def open_cases(top: Path, book: Rulebook) -> list[ExceptionCase]:
    """The proposed exceptions that wait for a decision."""
    refused = set(state.state_names(top, REJECTED))
    own = [rule for rule in book.rules if rule.layer == "team"]
    found = [ExceptionCase(rule, one) for rule in own for one in propose_exceptions(rule, book.observed(rule.slug))]
    return [case for case in found if case.mark not in refused]


def case_line(case: ExceptionCase) -> str:
    """A proposed exception in a line."""
    return f"     {case.rule.slug}: except {describe_exemption(case.wanted)}? {shorten(case.wanted.because)}"


def case_lines(top: Path, book: Rulebook) -> Iterator[str]:
    """All proposed exceptions, a line each, and how to decide them."""
    found = open_cases(top, book)
    if found:
        yield "proposed exceptions:"
        yield from map(case_line, found)
        yield "to decide: rulec review in a terminal, or with --accept SLUG or --reject SLUG"


def case_json(case: ExceptionCase) -> dict[str, Any]:
    """A proposed exception for programs."""
    wanted = case.wanted
    bounds = {"include": list(wanted.scope.include), "agents": list(wanted.scope.agents)}
    return {
        "slug": case.rule.slug,
        "exception": {**bounds, "commands": list(wanted.commands)},
        "because": wanted.because,
    }


def decide_case(top: Path, case: ExceptionCase, wish: DecisionOptions, say: Say) -> Decision:
    """Show a proposed exception, ask, and write or reject it."""
    book = change_target.load_target_rulebook(top, wish.onto)
    rule, named = case.rule, describe_exemption(case.wanted)
    resolution = Resolution(
        decision="UPDATE", slug=rule.slug, because=f"except {named}: {case.wanted.because}", manner="exception"
    )
    try:
        new, stuck = exception.rule_with_exception(top, book, rule, case.wanted), ""
    except RulecError as error:
        new, stuck = rule, error.message
    say("\n".join(_case_card(case, new, resolution, stuck)))
    answer = wish.answer(
        Proposal(
            candidate=Candidate(rule=rule, drafts=()),
            resolution=resolution,
            rule=new,
            proof=None,
            old=rule,
            stuck=stuck,
        )
    )
    if answer == "accept" and not stuck:
        done = exception.write_exception(top, book, rule, case.wanted, wish.onto)
        say(f"  -> {done.text}\n")
        return Decision("accept")
    if answer == "reject":
        state.write_state_text(top, f"{REJECTED}/{case.mark}", "{}")
        say("  -> rejected, and not proposed again\n")
        return Decision("reject")
    hint = f"; write it yourself with rulec edit {rule.slug}" if answer == "edit" else ""
    say(f"  -> later{hint}\n")
    return Decision("later")


def _case_card(case: ExceptionCase, new: Rule, resolution: Resolution, stuck: str) -> Iterator[str]:
    yield f"rule:     {case.rule.slug}: {shorten(case.rule.statement)}"
    yield f"becomes:  {resolution.line()}"
    added = new.exceptions[len(case.rule.exceptions) :]
    yield from (f"passes:   {shorten(example_line(example))}" for one in added for example in one.valid)
    yield from (f"catches:  {shorten(example_line(example))}" for example in new.invalid[:2] if added)
    if stuck:
        yield f"not as it is: {stuck}"

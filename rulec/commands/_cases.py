"""Exceptions that counterexamples make a case for: shown, decided on by a person, written or not proposed again."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.commands import _exempt, _onto, exception
from rulec.commands._decide import Decided, Say, Wish
from rulec.commands._lines import example_line, short
from rulec.commands._propose import Proposal
from rulec.errors import RulecError
from rulec.host import state
from rulec.model.candidate import Candidate
from rulec.model.resolution import Resolution
from rulec.model.rule import Exemption, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.evolve import evolve

REJECTED = "no-exception"  # a folder of local state


@dataclass(frozen=True, slots=True)
class Case:
    """A rule and the exception that people's counterexamples ask for."""

    rule: Rule
    wanted: Exemption

    @property
    def mark(self) -> str:
        """By what a person's no to it is known again."""
        return state.digest([self.rule.slug, asdict(self.wanted.scope), list(self.wanted.commands)])


def cases(top: Path, book: Rulebook) -> list[Case]:
    """What waits for a person's word, by rule."""
    refused = set(state.names(top, REJECTED))
    own = [rule for rule in book.rules if rule.layer == "team"]
    found = [Case(rule, one) for rule in own for one in evolve(rule, book.observed(rule.slug))]
    return [case for case in found if case.mark not in refused]


def line(case: Case) -> str:
    """A case in a line."""
    return f"     {case.rule.slug}: except {_exempt.told(case.wanted)}? {short(case.wanted.because)}"


def listed(top: Path, book: Rulebook) -> Iterator[str]:
    """All cases in a line each, and how they are decided."""
    found = cases(top, book)
    if found:
        yield "exceptions that people made a case for:"
        yield from map(line, found)
        yield "to decide: rulec review in a terminal, or with --accept SLUG or --reject SLUG"


def told(case: Case) -> dict[str, Any]:
    """A case for programs."""
    wanted = case.wanted
    bounds = {"include": list(wanted.scope.include), "agents": list(wanted.scope.agents)}
    return {
        "slug": case.rule.slug,
        "exception": {**bounds, "commands": list(wanted.commands)},
        "because": wanted.because,
    }


def decide(top: Path, case: Case, wish: Wish, say: Say) -> Decided:
    """Show a case with what it would let pass, ask, and do what the answer says."""
    book = _onto.load(top, wish.onto)
    rule, named = case.rule, _exempt.told(case.wanted)
    resolution = Resolution(
        decision="UPDATE", slug=rule.slug, because=f"except {named}: {case.wanted.because}", manner="exception"
    )
    try:
        new, stuck = exception.narrowed(top, book, rule, case.wanted), ""
    except RulecError as error:
        new, stuck = rule, error.message
    say("\n".join(_card(case, new, resolution, stuck)))
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
        done = exception.written(top, book, rule, case.wanted, wish.onto)
        say(f"  -> {done.text}\n")
        return Decided("accept")
    if answer == "reject":
        state.write_text(top, f"{REJECTED}/{case.mark}", "{}")
        say("  -> rejected, and not proposed again\n")
        return Decided("reject")
    hint = f"; write it as you want it with rulec edit {rule.slug}" if answer == "edit" else ""
    say(f"  -> later{hint}\n")
    return Decided("later")


def _card(case: Case, new: Rule, resolution: Resolution, stuck: str) -> Iterator[str]:
    yield f"rule:     {case.rule.slug}: {short(case.rule.statement)}"
    yield f"becomes:  {resolution.line()}"
    added = new.exceptions[len(case.rule.exceptions) :]
    yield from (f"passes:   {short(example_line(example))}" for one in added for example in one.valid)
    yield from (f"catches:  {short(example_line(example))}" for example in new.invalid[:2] if added)
    if stuck:
        yield f"not as it is: {stuck}"

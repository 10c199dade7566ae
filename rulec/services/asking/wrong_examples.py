"""Examples that checks decide otherwise than they should, and why; and what a check refuses of its neighbours."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks.proving.example_changes import change_of
from rulec.compiling import artifacts
from rulec.domain.artifact import is_judge_check
from rulec.domain.candidate import Candidate, Challenge, ReaderOpinion
from rulec.domain.files import globs
from rulec.domain.finding import Fault, Finding
from rulec.domain.rule import Example, Rule
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting.challenge_questions import example_name
from rulec.drafting.session_examples import example_of, unique_examples
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import Observed, run_checks_each
from rulec.rulebook import example_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services.proposals import rule_offer
from rulec.shell.parsing.parser import parse_shell

CAUGHT, PASSED = "caught", "let pass"
_MOST_CALLS = 6  # of a command, that are named
_LONGEST = 300  # characters of a reason


@dataclass(frozen=True, slots=True)
class WrongExample:
    """An example with what must become of it, what became of it, and why, as far as that is known."""

    example: Example
    must: str
    was: str
    why: str = ""

    def data(self, candidate: Candidate) -> dict[str, Any]:
        """The example as it goes back to the author of the check, with its id where it is of the challenge."""
        name = example_name(self.example, candidate.challenge)
        told = {"id": name, "example": example_file.example_data(self.example), "must be": self.must, "was": self.was}
        return {key: value for key, value in {**told, "why": self.why}.items() if value}


def wrong_examples(book: Rulebook, rule: Rule, top: Path) -> Iterator[WrongExample]:
    """The examples of a rule that its machines decide otherwise; none where its checks cannot be built."""
    examples = (*rule.invalid, *rule.valid)
    try:
        machines = [each for each in artifacts.compile_rule(book, rule, top) if not is_judge_check(each)]
        seen = run_checks_each(machines, [change_of(example) for example in examples])
    except RulecError:  # as the failure of the proof says
        return
    for at, (example, found) in enumerate(zip(examples, seen, strict=True)):
        faults = [item.what for item in found if isinstance(item, Fault)]
        must = CAUGHT if at < len(rule.invalid) else PASSED
        was = f"the check broke: {_line(faults[0])}" if faults else CAUGHT if found else PASSED
        if was != must and machines:
            why = "; ".join(why_missed(rule, example, top)) if must == CAUGHT else _what_was_found(found)
            yield WrongExample(example, must, was, why if not faults else "")


def refused_examples(book: Rulebook, rule: Rule, top: Path, examples: Sequence[Example]) -> list[Example]:
    """Those of some examples that the machines of a rule catch."""
    try:
        machines = [each for each in artifacts.compile_rule(book, rule, top) if not is_judge_check(each)]
        seen = run_checks_each(machines, [change_of(example) for example in examples])
    except RulecError:
        return []
    return [example for example, found in zip(examples, seen, strict=True) if _findings(found)]


def why_missed(rule: Rule, example: Example, top: Path) -> Iterator[str]:
    """Why the checks do not see an action: whether they look at its like at all, and what they read in it."""
    yield from rule_offer.why_blind(rule, example, top)
    last = example.steps[-1] if example.steps else example
    paths = [last.path] if last.path else [path for path, _ in last.files]
    if outside := [path for path in paths if not globs.match(rule.scope.include, path)]:
        yield f"outside of the scope: {_line(', '.join(outside))}"
    if excluded := [path for path in paths if globs.match(rule.scope.exclude, path)]:
        yield f"excluded by the scope: {_line(', '.join(excluded))}"
    if last.kind == "command":
        calls = [shlex.join(call.argv) for call in parse_shell(last.text).calls]
        yield f"read as {_line('; '.join(calls[:_MOST_CALLS]))}" if calls else "no command is read in it"


def _what_was_found(found: Observed) -> str:
    """The place and the text that were caught."""
    places = [f"{one.path}:{one.line} {one.text}" if one.path else one.text for one in _findings(found)]
    return f"caught at {_line('; '.join(places))}" if any(places) else ""


def _findings(found: Observed) -> Sequence[Finding]:
    return [one for one in found if isinstance(one, Finding)]


def _line(text: str) -> str:
    return to_one_line(redact(text))[:_LONGEST]


def session_neighbours(candidate: Candidate, others: Iterable[Candidate]) -> list[Example]:
    """What is right by the other wishes of the candidate's session, without what is wrong by its own words."""
    offered, challenge = candidate.offered or ReaderOpinion(), candidate.challenge or Challenge()
    wrong = {*offered.invalid, *challenge.invalid}
    right = [each for other in others if _session(other) == _session(candidate) for each in _right_by(other)]
    return [each for each in unique_examples(right) if each not in wrong]


def _session(candidate: Candidate) -> str:
    """The session in which a wish was voiced; those that somebody typed at once have none."""
    return candidate.correction.turn.session if candidate.correction else ""


def _right_by(candidate: Candidate) -> Iterator[Example]:
    """What is right by a wish: what was done instead, and what its challenge and its reader let pass."""
    offered, challenge = candidate.offered or ReaderOpinion(), candidate.challenge or Challenge()
    fix = example_of(offered.fix) if offered.fix else None
    yield from (fix,) if fix else ()
    yield from challenge.without().valid
    yield from offered.valid
    yield from (example for draft in candidate.drafts for example in draft.valid)

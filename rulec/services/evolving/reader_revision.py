"""Asks a reader (a model or an agent) for the revision of a rule; the prover decides whether it is taken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.checks import template_library
from rulec.checks.proving.example_changes import describe_example
from rulec.compiling import artifacts
from rulec.domain.evidence import WantedVerdict
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer
from rulec.domain.rule import CheckKind, Example, Rule
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting.revision_questions import RevisionRequest, read_revision_answer, write_revision_prompt
from rulec.gates.findings import rule_proof
from rulec.llm.conversation import Conversation
from rulec.resolving.revisions import redact_rule
from rulec.rulebook.rulebook import Rulebook
from rulec.services import templates
from rulec.services.asking.repository_profile import describe_repository
from rulec.services.evolving.comparison import all_examples
from rulec.services.evolving.rule_trials import decide_examples

ROUNDS = 3  # the first question and two repairs


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRevision:
    """What a reader proposed and the prover let through, or why there is none."""

    rule: Rule | None = None
    lines: tuple[str, ...] = field(default=())  # for people


def ask_for_revision(
    top: Path, book: Rulebook, rule: Rule, wanted: Sequence[WantedVerdict], chat: Conversation
) -> ReaderRevision:
    """The first of a reader's revisions that is proved, decides the notes as wanted and turns no other example."""
    own = template_library.open_library().templates().values()  # part of the prompt as instructions
    catalogue, profile = templates.render_catalogue(own), describe_repository(top, book)
    request = RevisionRequest(rule=rule, wanted=tuple(wanted))
    trial = _Trial(top, book, rule, {one.example: one.caught for one in wanted})
    lines: list[str] = []

    def kind_of(name: str) -> CheckKind:
        return artifacts.template_library(top).template(name).kind

    for _ in range(ROUNDS):
        (answer,) = chat.ask([write_revision_prompt(request, chat.render, catalogue, profile)])
        if isinstance(answer, AwaitedAnswer):
            waits = f"a reader has to answer first: answer {answer.place}, then run this again; until then, offline:"
            return ReaderRevision(lines=(waits,))
        if not isinstance(answer, ModelAnswer):
            return ReaderRevision(lines=(f"no reader wrote a revision: {answer.line}",))
        found = read_revision_answer(answer.data, rule, kind_of)
        lines = [f"ignored in the reader's answer: {redact(line)}" for line in found.unread]
        failed = list(found.unread)
        for number, one in enumerate(found.rules, 1):
            new, why = trial.taken(one, (found.invalid, found.valid))
            if new is not None:
                return ReaderRevision(rule=new, lines=tuple(lines))
            failed.append(f"alternative {number}: {why}")
        if not failed:
            return ReaderRevision(lines=("the reader says that no check can see it",))
        request = replace(request, failed=tuple(failed))
    why = to_one_line(redact(request.failed[-1]))[:200]
    return ReaderRevision(lines=(*lines, f"no revision of the reader could be taken: {why}"))


Sides = tuple[tuple[Example, ...], tuple[Example, ...]]


@dataclass(frozen=True, slots=True)
class _Trial:
    """What a revision is tried on."""

    top: Path
    book: Rulebook
    old: Rule
    noted: dict[Example, bool]

    def taken(self, new: Rule, more: Sides) -> tuple[Rule | None, str]:
        """The revision with its examples where it may be shown, else None and why not."""
        known = tuple(one for one in all_examples(self.old) if one not in self.noted)
        examples = (*self.noted, *known)
        clean = redact_rule(new, redact)
        if clean.checks != new.checks:
            return None, "its checks would have to hold a secret"
        before, after = decide_examples(self.top, self.book, [self.old, clean], examples)
        judged = any(check.kind == "judge" for check in clean.checks)
        for example, was, now in zip(examples, before, after, strict=True):
            wish = self.noted.get(example, was)
            if now is not wish and not (judged and wish and now is False):
                return None, f"{describe_example(example)} must be {'caught' if wish else 'let pass'}, and it is not"
        failure = ""
        for extra in (_not_known(more, examples), ((), ())):
            full = _with_examples(clean, self.noted, extra)
            proof = rule_proof.prove_with_tools(self.book, full, self.top, edges=True, strict=True)
            if proof.holds:
                return full, ""
            failure = failure or proof.failures
        return None, failure


def _not_known(more: Sides, examples: Sequence[Example]) -> Sides:
    invalid = tuple(one for one in more[0] if one not in examples and one not in more[1])
    return invalid, tuple(one for one in more[1] if one not in examples and one not in more[0])


def _with_examples(rule: Rule, noted: dict[Example, bool], more: Sides) -> Rule:
    def side(own: tuple[Example, ...], new: tuple[Example, ...], *, caught: bool) -> Iterator[Example]:
        yield from (one for one in own if noted.get(one, caught) is caught)
        yield from (replace(one, source="person") for one, wish in noted.items() if wish is caught)
        yield from new

    invalid, valid = side(rule.invalid, more[0], caught=True), side(rule.valid, more[1], caught=False)
    return replace(rule, invalid=tuple(dict.fromkeys(invalid)), valid=tuple(dict.fromkeys(valid)))

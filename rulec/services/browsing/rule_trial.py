"""What one rule says of its examples, and of an action that somebody types: it is judged as by a gate, never done."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rulec.checks.proving.example_changes import change_of
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.enforcement import MODES
from rulec.domain.finding import Verdict
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.gates.findings.verdicts import verdicts_on, verdicts_on_each
from rulec.reports.rule_lines import example_line
from rulec.rulebook.rulebook import Rulebook
from rulec.services.browsing.rule_view import require_one_rule
from rulec.services.evolving.noted_case import fitting

TypedKind = Literal["command", "file", "message", "reply"]
TYPED_KINDS: tuple[TypedKind, ...] = ("command", "file", "message", "reply")
PASSES, BROKEN, OLD = "passes", "broke", "was there before"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialVerdict:
    """What a rule makes of one action."""

    outcome: str  # "passes", "broke", or what happens to it: "blocked", "warned", "audited"
    caught: bool = False
    findings: tuple[str, ...] = ()  # place and text of each
    cures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedExample:
    """An example of a rule with its wanted and its actual verdict."""

    text: str
    wanted: str  # "caught" or "passes"
    verdict: TrialVerdict
    source: str = ""

    @property
    def right(self) -> bool:
        """Whether the rule decides it as it should."""
        return self.verdict.outcome != BROKEN and self.verdict.caught == (self.wanted == "caught")


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedExamples:
    """All examples of a rule, decided now; ``unseen`` says what of the rule was not asked."""

    examples: tuple[TriedExample, ...]
    unseen: str = ""


def try_examples(top: Path, slug: str) -> TriedExamples:
    """What the rule's checks make of each of its examples, now and with the real tools."""
    here, book, rule = require_one_rule(top, slug)
    machines, unseen = _machines(here, book, rule)
    examples = (*rule.invalid, *rule.valid)
    tree = rule_proof.tree_for_examples(rule, here)
    found = verdicts_on_each(machines, [change_of(one, tree) for one in examples]) if examples else []
    tried = tuple(
        TriedExample(
            text=example_line(one),
            wanted="caught" if number < len(rule.invalid) else PASSES,
            verdict=_verdict(verdicts),
            source=one.source,
        )
        for number, (one, verdicts) in enumerate(zip(examples, found, strict=True))
    )
    return TriedExamples(examples=tried, unseen=unseen)


def try_typed(top: Path, slug: str, kind: str, text: str, path: str = "") -> tuple[TrialVerdict, str]:
    """What the rule's checks say of a command, the whole text of a file, a commit message or an agent's reply.

    With it comes what of the rule was not asked, "" where that is nothing.
    """
    here, book, rule = require_one_rule(top, slug)
    action = _typed(kind, text, path)
    machines, unseen = _machines(here, book, rule)
    if not machines:
        return TrialVerdict(outcome=PASSES), unseen
    return _verdict(verdicts_on(machines, change_of(action))), unseen


def _machines(top: Path, book: Rulebook, rule: Rule) -> tuple[list[Artifact], str]:
    """The compiled checks that need no model, and in words what else there is."""
    artifacts = compile_rule(book, rule, top)
    machines = [one for one in artifacts if not is_judge_check(one)]
    if not artifacts:
        return [], "the rule is a reminder: nothing checks it"
    left = len(artifacts) - len(machines)
    return machines, f"a model judges the rule, too, and was not asked: rulec test {rule.slug}" * bool(left)


def _typed(kind: str, text: str, path: str) -> Example:
    """What was typed as an example; RulecError where it is none."""
    text = text.replace("\r\n", "\n")
    if kind not in TYPED_KINDS:
        raise RulecError(f"no kind {kind!r}", hint=f"known are {', '.join(TYPED_KINDS)}")
    if not text.strip():
        raise RulecError("nothing was typed", hint="type a command, or paste code")
    if kind != "file":
        return fitting(Example(kind=kind, text=text.strip()), kind)
    path = path.strip().removeprefix("./")
    if not path or path.startswith(("/", "~")) or ".." in path.split("/"):
        raise RulecError("is no path in this repository", where=path, hint="say where the code stands: src/app.py")
    return fitting(Example(kind="file", path=path, text=text if text.endswith("\n") else f"{text}\n"), path)


def _verdict(verdicts: list[Verdict]) -> TrialVerdict:
    faults = [one for one in verdicts if one.fault]
    found = [one for one in verdicts if one.finding]
    acting = [one for one in found if one.outcome in MODES]
    outcome = MODES[acting[0].outcome].did if acting else OLD if found else BROKEN if faults else PASSES
    return TrialVerdict(
        outcome=outcome, caught=bool(acting), findings=tuple(dict.fromkeys(_lines(verdicts))),
        cures=tuple(dict.fromkeys(filter(None, map(_cure, acting)))),
    )  # fmt: skip


def _cure(one: Verdict) -> str:
    return (one.finding.cure if one.finding else "") or one.facts.do


def _lines(verdicts: list[Verdict]) -> Iterator[str]:
    for one in verdicts:
        if one.fault:
            yield f"the check broke: {one.fault.what}"
        elif found := one.finding:
            place = f"{found.path}:{found.line}" if found.path and found.line else found.path
            yield ": ".join(filter(None, (place, found.text)))

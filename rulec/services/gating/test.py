"""Proves the examples of rules through their compiled checks, and measures judges."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks import template_library
from rulec.checks.proving.proof import Mutant, Proof, VariantOutcome
from rulec.compiling import enforcement_limits
from rulec.domain import one_line
from rulec.domain.outcome import FINDINGS, Outcome, Progress, no_progress
from rulec.domain.rule import Rule
from rulec.domain.secrets.redaction import redact
from rulec.gates import rule_proof
from rulec.gates.judging import judge_measuring, judge_standing
from rulec.infra.rulebooks import work_tree
from rulec.llm import conversation, model_settings
from rulec.reports import rule_lines
from rulec.rulebook import example_file
from rulec.rulebook.rule_lookup import require_rule
from rulec.rulebook.rulebook import Rulebook
from rulec.services.backtest import already_there
from rulec.services.gating import judge_measures, real_gates
from rulec.services.writing import change_target
from rulec.services.writing.change_target import ChangeTarget

HEAD = ("rule", "stage", "caught", "passed", "variants caught", "variants passed", "digest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Who measures judges, and what becomes of that."""

    backend: str = ""  # "" is as the settings say
    repeats: int = judge_measuring.REPEATS
    onto: ChangeTarget | None = None  # where measures are recorded; None is nowhere
    say: Callable[[str], None] = lambda _: None
    progress: Progress = no_progress


def test_rules(top: Path, slug: str = "", wish: Measuring = Measuring()) -> Outcome:
    """The proof of one rule or of all, as a table; exit 1 where one fails. Of one rule it names the missed variants.

    Judges are measured where there is a backend, and what they reach moves no exit code.
    """
    book = change_target.load_target_rulebook(top, wish.onto) if wish.onto else work_tree.load_rulebook(top)
    rules = [require_rule(book, slug)] if slug else list(book.rules)
    proofs = [rule_proof.prove_with_tools(book, rule, top, edges=True) for rule in rules if rule.checks]
    reminders = [rule.slug for rule in rules if not rule.checks]
    judged, asked = _judged(top, book, rules, wish)
    lines = list(_aligned([HEAD, *map(_row, proofs)])) if proofs else []
    lines += [f"{_name(proof)}: FAILED at {proof.failure}; {proof.cure}" for proof in proofs if not proof.holds]
    lines += [line for proof in proofs if slug for line in _missed(proof.edges or VariantOutcome())]
    shown = {"whole": bool(slug), "recording": wish.onto is not None}
    lines += [line for one in judged for line in judge_measures.measure_lines(one, book, top, **shown)]
    by_slug = {rule.slug: rule for rule in rules}
    lines += [line for proof in proofs for line in _unseen(by_slug[proof.slug], proof)]
    lines += [
        f"{rule.slug}: {text}"
        for rule in rules
        if slug and (text := already_there.find_already_there(top, book, rule).line)
    ]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    lines += [*asked, *([judge_measures.record_measures(top, judged, wish.onto)] if wish.onto else [])]
    failed, unproved = sum(not proof.holds for proof in proofs), sum(_only_judged(proof) for proof in proofs)
    told = f", {unproved} for a model to judge" * bool(unproved)
    lines.append(f"{len(proofs) - failed - unproved} proved, {failed} failed, {len(reminders)} reminders{told}")
    return Outcome("\n".join(lines), FINDINGS if failed else 0, [_object(proof, judged) for proof in proofs])


def test_at_real_gates(top: Path, slug: str = "") -> Outcome:
    """The examples of one rule or of all at the real gates, and where these decide otherwise than the proof does."""
    book = work_tree.load_rulebook(top)
    rules = [require_rule(book, slug)] if slug else list(book.rules)
    played, left = real_gates.play_examples(top, book, rules)
    odd = [one for one in played if not one.agree]
    rows = [("rule", "example", "is", "proof", "gate", "where"), *map(_played, odd)]
    lines = list(_aligned(rows)) if odd else []
    what = "example" + "s" * (len(played) != 1)
    lines.append(f"{len(played)} {what} played at the real gates, {len(odd)} decided otherwise than in the proof")
    lines += [f"{one.slug}: {one.examples} not played: {one.why}" for one in left]
    data = [_played_data(one) for one in played]
    data += [{"slug": one.slug, "not_played": one.examples, "why": one.why} for one in left]
    return Outcome("\n".join(lines), FINDINGS if odd else 0, data)


def _played(one: real_gates.Played) -> tuple[str, ...]:
    line = one_line.shorten(redact(rule_lines.example_line(one.example)))
    verdict = {True: "caught", False: "passes"}
    is_ = "invalid" if one.invalid else "valid"
    return (one.slug, line, is_, verdict[one.proof], verdict[one.real], one.where)


def _played_data(one: real_gates.Played) -> dict[str, Any]:
    return {
        "slug": one.slug,
        "example": example_file.example_data(one.example),
        "invalid": one.invalid,
        "proof": one.proof,
        "gate": one.real,
        "where": one.where,
        "said": redact(one.said),
        "agree": one.agree,
    }


def _unseen(rule: Rule, proof: Proof) -> Iterator[str]:
    """What nothing checks, and why a rule may only audit."""
    if why := enforcement_limits.why_limited(rule):
        yield f"{_name(proof)}: {why}"
    yield from (f"{_name(proof)}: not checked: {text}" for text in rule.not_checked)
    yield from (f"{_name(proof)}: {text}" for text in proof.doubled)
    for text in proof.unexplained:
        yield f"{_name(proof)}: the statement names {text!r}; no check sees it and it is not listed under not_checked"


def _judged(
    top: Path, book: Rulebook, rules: Sequence[Rule], wish: Measuring
) -> tuple[list[judge_measuring.MeasuredJudge], list[str]]:
    """How the judges did, and what that cost."""
    if not any(map(judge_standing.has_judge, rules)):
        return [], []
    talk = conversation.Conversation(
        top,
        model_settings.choose_models(top, book, wish.backend),
        template_library.open_library().render,
        wish.say,
        wish.progress,
    )
    found = judge_measuring.measure_judges(book, rules, top, talk, wish.repeats)
    return found, list(filter(None, [talk.spent()]))


def _only_judged(proof: Proof) -> bool:
    return proof.holds and not proof.digest


def _name(proof: Proof) -> str:
    return f"{proof.slug}@{proof.revision}"


def _row(proof: Proof) -> tuple[str, ...]:
    if not proof.holds:
        return (_name(proof), f"FAILED at {proof.stages[-1].name}", "-", "-", "-", "-", proof.digest)
    if _only_judged(proof):
        return (_name(proof), "judged", "-", "-", "-", "-", "-")
    edges = proof.edges or VariantOutcome()
    grown = (f"{edges.caught}/{edges.invalid}", f"{edges.passed}/{edges.valid}")
    return (_name(proof), "proved", str(proof.caught), str(proof.passed_valid), *grown, proof.digest)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _missed(edges: VariantOutcome) -> Iterator[str]:
    for mutant in edges.missed:
        verb = "lets through" if mutant.invalid else "catches the innocent"
        yield f"  {verb} ({mutant.name}): {one_line.shorten(rule_lines.example_line(mutant.example))}"
    for mutant in edges.wider:
        yield f"  catches this, too ({mutant.name}): {one_line.shorten(rule_lines.example_line(mutant.example))}"


def _object(proof: Proof, judged: Sequence[judge_measuring.MeasuredJudge]) -> dict[str, Any]:
    edges = proof.edges or VariantOutcome()
    return {
        **next(({"judge": judge_measures.measure_data(one)} for one in judged if one.rule.slug == proof.slug), {}),
        "slug": proof.slug,
        "revision": proof.revision,
        "holds": proof.holds,
        "stage": "judged" if _only_judged(proof) else "proved" if proof.holds else proof.stages[-1].name,
        "failure": proof.failure,
        "failures": [rule_lines.failure_json(one) for one in proof.failed],
        "unexplained": list(proof.unexplained),
        "cure": proof.cure,
        "digest": proof.digest,
        "caught": proof.caught,
        "passed": proof.passed_valid,
        "variants": {
            "caught": [edges.caught, edges.invalid],
            "passed": [edges.passed, edges.valid],
            "missed": [_of(mutant) for mutant in edges.missed],
            "wider": [{**_of(mutant), "verdict": "for a person to say"} for mutant in edges.wider],
        },
    }


def _of(mutant: Mutant) -> dict[str, Any]:
    verdict = "should be caught" if mutant.invalid else "should pass"
    return {"name": mutant.name, "verdict": verdict, "example": rule_lines.example_line(mutant.example)}

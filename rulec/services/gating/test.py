"""rulec test: proves rules on their examples, and asks judges about theirs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.checks import template_library
from rulec.checks.proving.proof import ExampleVariant, Proof, VariantOutcome
from rulec.compiling import artifacts, effective_enforcement
from rulec.domain.outcome import FINDINGS, Outcome, Progress, no_progress
from rulec.domain.rule import Rule
from rulec.domain.text import one_line
from rulec.gates.findings import rule_proof
from rulec.gates.judging import judge_standing, judge_trial
from rulec.gates.judging.judge_trial import TriedJudge
from rulec.infra.rulebooks import rulebook_files
from rulec.llm import conversation, model_settings
from rulec.reports import rule_lines
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services.backtest import existing_findings


def _judge_lines(found: TriedJudge) -> Iterator[str]:
    """What a rule's judges made of its examples."""
    slug = found.rule.slug
    if found.why:
        yield f"{slug}: its judge was not asked: {found.why}"
        return
    right = found.asked - len(found.wrong)
    yield f"{slug}: its judge decides {right} of {found.asked} examples as they should be"
    for example, ruling in found.wrong:
        verb = {"fail": "refuses what is right", "pass": "lets through", "unsure": "is unsure of"}[ruling]
        yield f"  {verb}: {one_line.shorten(rule_lines.example_line(example))}"


def _judge_data(found: TriedJudge) -> dict[str, Any]:
    wrong = [{"example": rule_lines.example_line(example), "ruling": ruling} for example, ruling in found.wrong]
    return {"asked": found.asked, "why": found.why, "wrong": wrong}


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuestions:
    """Whom judges are asked of, "" for whom the settings say, and how that is shown."""

    backend: str = ""
    echo: Callable[[str], None] = lambda _: None
    progress: Progress = no_progress


def test_rules(top: Path, slug: str = "", asking: JudgeQuestions = JudgeQuestions()) -> Outcome:
    """The proof of one rule or of all, a line each; exit 1 where one fails. Of one rule it says what its checks do.

    Judges are asked where there is a backend, and what they say moves no exit code.
    """
    book = rulebook_files.load_rulebook(top)
    rules = [require_rule(book, slug)] if slug else list(book.rules)
    proofs = rule_proof.prove_unless_known(book, [rule for rule in rules if rule.checks], top)
    reminders = [rule.slug for rule in rules if not rule.checks]
    judged, spent = _judged(top, book, rules, asking)
    lines = [f"{_name(proof)}: {_stage(proof)}" for proof in proofs if proof.holds]
    lines += [f"{_name(proof)}: FAILED at {proof.failure}; {proof.cure}" for proof in proofs if not proof.holds]
    by_slug = {rule.slug: rule for rule in rules}
    lines += [line for proof in proofs if slug for line in _proof_lines(by_slug[slug], proof, top)]
    lines += [line for one in judged for line in _judge_lines(one)]
    lines += [line for proof in proofs for line in _unseen(by_slug[proof.slug], proof)]
    lines += [
        f"{rule.slug}: {text}"
        for rule in rules
        if slug and (text := existing_findings.find_existing(top, book, rule).line)
    ]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    lines += [spent] * bool(spent)
    failed, unproved = sum(not proof.holds for proof in proofs), sum(_only_judged(proof) for proof in proofs)
    for_model = f", {unproved} for a model to judge" * bool(unproved)
    lines.append(f"{len(proofs) - failed - unproved} proved, {failed} failed, {len(reminders)} reminders{for_model}")
    return Outcome("\n".join(lines), FINDINGS if failed else 0, [_object(proof, judged) for proof in proofs])


def _unseen(rule: Rule, proof: Proof) -> Iterator[str]:
    """What no check sees, and why a rule may only audit."""
    if why := effective_enforcement.why_only_audits(rule):
        yield f"{_name(proof)}: {why}"
    yield from (f"{_name(proof)}: {text}" for text in proof.doubled)
    for text in proof.unexplained:
        yield f"{_name(proof)}: the statement names {text!r}; no check sees it; list it under not_checked"


def _judged(top: Path, book: Rulebook, rules: Sequence[Rule], asking: JudgeQuestions) -> tuple[list[TriedJudge], str]:
    """What the judges say, and what asking them cost."""
    if not any(map(judge_standing.has_judge, rules)):
        return [], ""
    models, render = model_settings.choose_models(top, book, asking.backend), template_library.open_library().render
    chat = conversation.Conversation(top, models, render, asking.echo, asking.progress)
    return judge_trial.try_judges(book, rules, top, chat), chat.spent()


def _only_judged(proof: Proof) -> bool:
    return proof.holds and not proof.digest


def _name(proof: Proof) -> str:
    return f"{proof.slug}@{proof.revision}"


def _stage(proof: Proof) -> str:
    return "judged" if _only_judged(proof) else "proved" if proof.holds else f"FAILED at {proof.stages[-1].name}"


def _proof_lines(rule: Rule, proof: Proof, top: Path) -> Iterator[str]:
    spared = [example for one in rule.exceptions for example in one.valid]
    not_seen = (*rule.not_checked, *artifacts.blind_spots(rule, top))
    for name, text in rule_lines.proof_rows(proof, rule.invalid, [*spared, *rule.valid], not_seen):
        if text:
            yield f"  {name}: {text}"


def _object(proof: Proof, judged: Sequence[TriedJudge]) -> dict[str, Any]:
    edges = proof.edges or VariantOutcome()
    return {
        **next(({"judge": _judge_data(one)} for one in judged if one.rule.slug == proof.slug), {}),
        "slug": proof.slug,
        "revision": proof.revision,
        "holds": proof.holds,
        "stage": proof.stages[-1].name if not proof.holds else _stage(proof),
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
            "missed": [_of(variant) for variant in edges.missed],
            "wider": [{**_of(variant), "verdict": "for a person to say"} for variant in edges.wider],
        },
    }


def _of(variant: ExampleVariant) -> dict[str, Any]:
    verdict = "should be caught" if variant.invalid else "should pass"
    return {"name": variant.name, "verdict": verdict, "example": rule_lines.example_line(variant.example)}

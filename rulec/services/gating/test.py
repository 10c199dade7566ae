"""rulec test: proves rules on their examples, measures judges, and records the measures as evidence."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.checks import template_library
from rulec.checks.judge.rulings import describe_measure
from rulec.checks.proving.proof import ExampleVariant, Proof, VariantOutcome
from rulec.compiling import artifacts, effective_enforcement
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import FINDINGS, Outcome, Progress, no_progress
from rulec.domain.rule import Rule
from rulec.domain.text import one_line
from rulec.gates.findings import rule_proof
from rulec.gates.judging import judge_measuring, judge_standing
from rulec.gates.judging.judge_measuring import MissedExample
from rulec.infra.rulebooks import rulebook_files
from rulec.llm import conversation, model_settings
from rulec.reports import rule_lines
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook, require_rule
from rulec.services import rulebook_commit
from rulec.services.backtest import existing_findings
from rulec.services.rulebook_commit import ChangeTarget


def measure_lines(
    found: judge_measuring.MeasuredJudge, book: Rulebook, top: Path, *, whole: bool, recording: bool
) -> Iterator[str]:
    """The accuracy of a rule's judges; ``whole`` adds the examples on which they failed."""
    slug, standing = found.rule.slug, judge_standing.standing_measure(book, found.rule, top)
    if found.found is None:
        before = f"; when it was: {describe_measure(standing, found.bar)}" if standing else ""
        yield f"{slug}: its judge was not measured: {found.why}{before}"
        return
    state = "accurate enough to block" if found.holds else "not accurate enough, so it warns at most"
    yield f"{slug}: its judge is {state}: {describe_measure(found.found, found.bar)}"
    if found.holds and standing is None and not recording:
        yield f"  to let it block, record that: rulec test {slug} --record"
    yield from (_missed_examples(one, found.found.repeats) for one in (found.missed if whole else ()))


def _missed_examples(one: MissedExample, repeats: int) -> str:
    verb = "lets through" if one.invalid else "refuses what is right" if one.times > one.unsure else "is unsure of"
    unsure = f", {one.unsure} unsure" * bool(one.unsure and one.times)
    return (
        f"  {verb} ({one.times} of {repeats} times{unsure}): {one_line.shorten(rule_lines.example_line(one.example))}"
    )


def measure_data(found: judge_measuring.MeasuredJudge) -> dict[str, Any]:
    """The accuracy of judges, for programs."""
    return {
        "measured": asdict(found.found) if found.found else None,
        "why": found.why,
        "bar": asdict(found.bar),
        "holds": found.holds,
        "digest": found.digest,
        "missed": [asdict(one) | {"example": rule_lines.example_line(one.example)} for one in found.missed],
    }


def record_measures(top: Path, some: Sequence[judge_measuring.MeasuredJudge], onto: ChangeTarget) -> str:
    """Write what holds as evidence, in place of what was recorded before of these judges; what was done, in a line.

    What was answered by nobody knows whom, such as by files, is recorded of no judge.
    """
    done = [one for one in some if one.found]
    if not done:
        return "nothing recorded: no judge was measured"
    nameless = next((one for one in done if one.found and not one.found.model), None)
    if nameless:
        return "nothing recorded: the model's name is unknown; set models.model in the settings"
    with rulebook_commit.open_rulebook(top, onto) as book:
        changes = _changes(book, done)
        if not changes:
            return "nothing recorded: it is recorded already, or no judge is accurate enough"
        commit = rulebook_commit.write_rulebook_change(top, changes, _message(done), onto)
    held = sum(one.holds for one in done)
    return f"recorded {held} of {len(done)} judges as measured: {rulebook_commit.describe_written(top, onto, commit)}"


def _changes(book: Rulebook, done: Sequence[judge_measuring.MeasuredJudge]) -> Mapping[str, str | None]:
    """The files of new measures; older measures of the same rules are deleted."""
    found: dict[str, str | None] = {}
    for one in done:
        stood = [e for e in book.observed(one.rule.slug) if e.kind == "proved" and e.measured]
        now = [_evidence(one)] if one.holds else []
        found |= {file_paths.evidence_path(item): None for item in stood if item not in now}
        found |= rulebook_commit.evidence_files(item for item in now if item not in stood)
    return found


def _evidence(one: judge_measuring.MeasuredJudge) -> Evidence:
    rule = one.rule
    return Evidence(slug=rule.slug, kind="proved", revision=rule.revision, digest=one.digest, measured=one.found)


def _message(done: Sequence[judge_measuring.MeasuredJudge]) -> str:
    """The commit message, with the trailers that log and why read."""
    names = [one.rule.slug for one in done]
    of = names[0] if len(names) == 1 else f"{len(names)} judges"
    rates = [f"{one.rule.slug}: {describe_measure(one.found, one.bar)}" for one in done if one.found]
    because = f"{sum(one.holds for one in done)} of {len(done)} are accurate enough"
    ids = ", ".join(evidence_file.evidence_id(_evidence(one)) for one in done if one.holds)
    trailers = [f"Resolution: MEASURE {' '.join(names)} -- {because}"]
    trailers += [f"Rule: {one.rule.slug}@{one.rule.revision}" for one in done] + [f"Evidence: {ids}"] * bool(ids)
    return "\n".join([f"Measure {of}", "", *rates, "", *trailers, ""])


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Options for measuring judges: whom to ask, how often, and where to record it."""

    backend: str = ""  # "" is as the settings say
    repeats: int = judge_measuring.REPEATS
    onto: ChangeTarget | None = None  # where measures are recorded; None is nowhere
    echo: Callable[[str], None] = lambda _: None
    progress: Progress = no_progress


def test_rules(top: Path, slug: str = "", options: Measuring = Measuring()) -> Outcome:
    """The proof of one rule or of all, a line each; exit 1 where one fails. Of one rule it says what its checks do.

    Judges are measured where there is a backend, and what they reach moves no exit code.
    """
    book = (
        rulebook_commit.load_target_rulebook(top, options.onto) if options.onto else rulebook_files.load_rulebook(top)
    )
    rules = [require_rule(book, slug)] if slug else list(book.rules)
    proofs = rule_proof.prove_unless_known(book, [rule for rule in rules if rule.checks], top)
    reminders = [rule.slug for rule in rules if not rule.checks]
    judged, asked = _judged(top, book, rules, options)
    lines = [f"{_name(proof)}: {_stage(proof)}" for proof in proofs if proof.holds]
    lines += [f"{_name(proof)}: FAILED at {proof.failure}; {proof.cure}" for proof in proofs if not proof.holds]
    by_slug = {rule.slug: rule for rule in rules}
    lines += [line for proof in proofs if slug for line in _proof_lines(by_slug[slug], proof, top)]
    shown = {"whole": bool(slug), "recording": options.onto is not None}
    lines += [line for one in judged for line in measure_lines(one, book, top, **shown)]
    lines += [line for proof in proofs for line in _unseen(by_slug[proof.slug], proof)]
    lines += [
        f"{rule.slug}: {text}"
        for rule in rules
        if slug and (text := existing_findings.find_existing(top, book, rule).line)
    ]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    lines += [*asked, *([record_measures(top, judged, options.onto)] if options.onto else [])]
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


def _judged(
    top: Path, book: Rulebook, rules: Sequence[Rule], options: Measuring
) -> tuple[list[judge_measuring.MeasuredJudge], list[str]]:
    """How the judges did, and what it cost."""
    if not any(map(judge_standing.has_judge, rules)):
        return [], []
    models, render = model_settings.choose_models(top, book, options.backend), template_library.open_library().render
    chat = conversation.Conversation(top, models, render, options.echo, options.progress)
    found = judge_measuring.measure_judges(book, rules, top, chat, options.repeats)
    return found, list(filter(None, [chat.spent()]))


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


def _object(proof: Proof, judged: Sequence[judge_measuring.MeasuredJudge]) -> dict[str, Any]:
    edges = proof.edges or VariantOutcome()
    return {
        **next(({"judge": measure_data(one)} for one in judged if one.rule.slug == proof.slug), {}),
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

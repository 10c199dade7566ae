"""rulec exception: exempts something from a rule, or records a counterexample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.proving.example_changes import change_of, change_of_exception
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.change import Change
from rulec.domain.evidence import Evidence
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.domain.patterns.safety import glob_problem
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.drafting.exception_drafts import command_form, offences_within, propose_exceptions
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import commit_checks
from rulec.infra import clock
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.rulebook import file_paths, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import change_target, rulebook_commit
from rulec.services.change_target import ChangeTarget


def exception_lines(rule: Rule, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The exceptions of a rule, and those that counterexamples propose."""
    for one in rule.exceptions:
        when = f" when {one.when}" if one.when else ""
        yield f"except {describe_exemption(one)}{when}: {one.because}"
    for one in propose_exceptions(rule, evidence):
        yield f"proposed exception: {describe_exemption(one)} ({one.because}); rulec review"


MOST = 2  # examples that an exception is given
COUNTEREXAMPLE_WEIGHT = 1.0  # what one counterexample weighs


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionBounds:
    """The path, command and agent to exempt; "" is no bound."""

    path: str = ""
    command: str = ""
    agent: str = ""


def add_exception(top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget) -> Outcome:
    """Write the exception into the rule as a new revision, once the narrower rule is proved."""
    wanted, reason = _exemption_of(where), _require_reason(because)
    with change_target.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        return write_exception(top, book, rule, replace(wanted, because=reason), onto)


def write_exception(top: Path, book: Rulebook, rule: Rule, wanted: Exemption, onto: ChangeTarget) -> Outcome:
    """As ``add_exception``, with the write lock held."""
    new = rule_with_exception(top, book, rule, wanted)
    evidence = rulebook_commit.missing_proof(book, new, top)
    path = file_paths.rule_path(rule.slug)
    changes = {
        path: rule_reading.write_rule(new, change_target.target_file_text(top, onto, path)),
        **rulebook_commit.evidence_files(evidence),
    }
    named = describe_exemption(wanted)
    message = rulebook_commit.rule_commit_message(
        f"Except {shorten(named)} from {rule.slug}",
        new,
        f"UPDATE {rule.slug}",
        because=f"except {named}: {wanted.because}",
        evidence=evidence,
    )
    commit = rulebook_commit.write_rulebook_change(top, changes, message, onto)
    lines = [f"  passes now: {shorten(example_line(one))}" for one in new.exceptions[-1].valid]
    lines += [f"  still catches: {shorten(example_line(one))}" for one in new.invalid[:MOST]]
    done = rulebook_commit.closing_outcome(top, onto, commit, f"{rule.slug}@{new.revision} leaves {named} alone")
    return replace(done, text="\n".join([done.text, *lines]))


def rule_with_exception(top: Path, book: Rulebook, rule: Rule, wanted: Exemption) -> Rule:
    """The rule with the exception and examples for it; RulecError where it would change nothing."""
    if any((one.scope, one.commands) == (wanted.scope, wanted.commands) for one in rule.exceptions):
        raise RulecError(
            f"{rule.slug} leaves {describe_exemption(wanted)} alone already",
            where=rule.source,
            hint="there is nothing to do",
        )
    new = replace(rule, exceptions=(*rule.exceptions, wanted), revision=rule.revision + 1)
    if not rule.checks:
        return new
    artifacts = compile_rule(book, rule, top)
    if wanted.scope.agents and (commit_checks(artifacts) or any(map(is_judge_check, artifacts))):
        hint = "except a --path or a --command, or record it with --once"
        raise RulecError(f"{rule.slug} also acts at commits, where the agent is unknown", where=rule.source, hint=hint)
    inside = _caught(top, book, rule, wanted)[:MOST]
    seen = _is_caught(top, book, new, [change_of(one) for one in rule.invalid])
    kept = tuple(one for one, found in zip(rule.invalid, seen, strict=True) if found)
    if not kept:
        hint = f"rulec edit {rule.slug} gives it another example, rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"{rule.slug} would forbid nothing any more", where=rule.source, hint=hint)
    lost = [one for one, found in zip(rule.invalid, seen, strict=True) if not found]
    valid = tuple(dict.fromkeys([*inside, *lost]))
    return replace(new, invalid=kept, exceptions=(*rule.exceptions, replace(wanted, valid=valid)))


def _caught(top: Path, book: Rulebook, rule: Rule, wanted: Exemption) -> list[Example]:
    """Examples within the exception that the rule catches now."""
    made = list(dict.fromkeys(offences_within(rule, wanted)))
    seen = _is_caught(top, book, rule, [change_of_exception(wanted, one) for one in made])
    found = [one for one, caught in zip(made, seen, strict=True) if caught]
    if not found:
        raise RulecError(
            f"{rule.slug} does not catch {describe_exemption(wanted)} as it is",
            where=rule.source,
            hint=f"see rulec show {rule.slug} for what it looks at; --path takes a glob, --command one plain command",
        )
    return found


def _is_caught(top: Path, book: Rulebook, rule: Rule, changes: list[Change]) -> list[bool]:
    """Which of the changes the rule's checks catch, or its judges are asked about."""
    artifacts = compile_rule(book, rule, top)
    seen = run_checks_each(artifacts, changes)
    judges = [artifact for artifact in artifacts if is_judge_check(artifact)]
    asked = [bool(judges and pair_judges(judges, pieces_of(change), change.environment)) for change in changes]
    return [due or any(isinstance(item, Finding) for item in found) for due, found in zip(asked, seen, strict=True)]


def _exemption_of(where: ExceptionBounds) -> Exemption:
    if not (where.path or where.command or where.agent):
        raise RulecError("say what to exempt", hint="pass --path GLOB, --command TEXT or --agent NAME")
    if where.path and (wrong := glob_problem(where.path)):
        raise RulecError(f"--path {where.path[:200]!r} {wrong[0]}", hint=wrong[1])
    command = command_form(redact(where.command)) if where.command else ""
    if where.command and not command:
        hint = "such as --command 'npm ci'; without quotes, pipes and redirects"
        raise RulecError(f"{where.command[:200]!r} is not a single plain command", hint=hint)
    include = (redact(where.path),) if where.path else Scope().include
    agents = (redact(where.agent),) if where.agent else ()
    wanted = Exemption(because="", scope=Scope(include=include, agents=agents), commands=(command,) if command else ())
    if not wanted.bounded:
        raise RulecError(f"--path {where.path} is everywhere", hint="rulec retire takes a rule out of force")
    return wanted


def _require_reason(because: str) -> str:
    reason = rulebook_commit.clean_reason(because)
    if not reason:
        raise RulecError("the reason is empty", hint="say with --because why the rule does not apply there")
    return reason


def note_counterexample(top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget) -> Outcome:
    """Record a counterexample; three alike propose an exception."""
    if not (where.path or where.command or where.agent):
        raise RulecError("say where the rule did not hold", hint="--path PATH, --command TEXT or --agent NAME")
    reason = _require_reason(because)
    with change_target.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        item = Evidence(
            slug=slug,
            kind="counterexample",
            weight=COUNTEREXAMPLE_WEIGHT,
            at=clock.now(),
            quote=reason,
            agent=redact(where.agent),
            accepted=redact(where.command),
            path=redact(where.path),
        )
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), item)})
        message = rulebook_commit.rule_commit_message(
            f"Note where {slug} did not hold", rule, f"NOOP {slug}", because=reason, evidence=[item]
        )
        commit = rulebook_commit.write_rulebook_change(top, rulebook_commit.evidence_files([item]), message, onto)
        lines = [f"  confidence: {after.sure(rule).arithmetic}", *loosening_warning(top, book, after, rule)]
        lines += [f"  {text}" for text in exception_lines(replace(rule, exceptions=()), after.observed(slug))]
    done = rulebook_commit.closing_outcome(top, onto, commit, f"noted against {slug}")
    return replace(done, text="\n".join([done.text, *lines]))


def loosening_warning(top: Path, book: Rulebook, after: Rulebook, rule: Rule) -> list[str]:
    """A warning where the counterexample lowers what the rule does."""
    before, now = (rulebook_commit.enforcement_in_effect(one, rule, top) for one in (book, after))
    if before == now:
        return []
    cure = f"rulec promote {rule.slug} --to {before} pins it"
    return [f"  with that, {rule.slug} does no more than {now}, where it did {before}: {cure}"]

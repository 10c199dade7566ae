"""rulec exception and rulec dispute: where a rule does not apply, and where it was wrong; cases that follow from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checks.judge.checker import pair_judges
from rulec.checks.judge.diff_pieces import pieces_of
from rulec.checks.proving.example_changes import change_of, change_of_exception
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import is_judge_check
from rulec.domain.candidate import Candidate
from rulec.domain.change import Change
from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import Evidence, LedgerLine
from rulec.domain.finding import Finding
from rulec.domain.outcome import Outcome
from rulec.domain.patterns.safety import glob_problem
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact
from rulec.drafting.exception_drafts import command_form, offences_within, propose_exceptions
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.check_runs import run_checks_each
from rulec.gates.findings.verdicts import commit_checks
from rulec.infra import clock, state
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.resolving.resolver import Resolution
from rulec.rulebook import evidence_file, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Echo
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.rulebook_commit import ChangeTarget


def exception_lines(rule: Rule, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The exceptions of a rule, and those that counterexamples propose."""
    for one in rule.exceptions:
        when = f" when {one.when}" if one.when else ""
        yield f"except {describe_exemption(one)}{when}: {one.because}"
    for one in propose_exceptions(rule, evidence):
        yield f"proposed exception: {describe_exemption(one)} ({one.because}); rulec review"


MOST_EXAMPLES = 2  # examples that an exception is given
COUNTEREXAMPLE_WEIGHT = 1.0  # what one counterexample weighs
SAY_WHY = "say with --because why the rule does not apply there"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionBounds:
    """The path, command and agent to exempt; "" is no bound."""

    path: str = ""
    command: str = ""
    agent: str = ""

    def require_any(self, missing: str) -> None:
        """RulecError where nothing is bounded; it says what is ``missing``."""
        if not (self.path or self.command or self.agent):
            raise RulecError(missing, hint="pass --path GLOB, --command TEXT or --agent NAME")

    def counterexample(self, slug: str, reason: str, clean: Callable[[str], str]) -> Evidence:
        """The evidence that a rule was wrong here."""
        return Evidence(
            slug=slug, kind="counterexample", weight=COUNTEREXAMPLE_WEIGHT, at=clock.now(), quote=reason,
            agent=clean(self.agent), accepted=clean(self.command), path=clean(self.path),
        )  # fmt: skip


def add_exception(top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget) -> Outcome:
    """Write the exception into the rule as a new revision, once the narrower rule is proved."""
    wanted, reason = _exemption_of(where), rulebook_commit.require_reason(because, SAY_WHY)
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        return write_exception(top, book, rule, replace(wanted, because=reason), onto)


def write_exception(top: Path, book: Rulebook, rule: Rule, wanted: Exemption, onto: ChangeTarget) -> Outcome:
    """As ``add_exception``, with the write lock held."""
    new = rule_with_exception(top, book, rule, wanted)
    evidence = rulebook_commit.missing_proof(book, new, top)
    named = describe_exemption(wanted)
    done = rulebook_commit.commit_rule_change(
        top, onto, new, rulebook_commit.rule_files(top, onto, new),
        subject=f"Except {shorten(named)} from {rule.slug}", decision=f"UPDATE {rule.slug}",
        because=f"except {named}: {wanted.because}", done=f"{rule.slug}@{new.revision} leaves {named} alone",
        evidence=evidence,
    )  # fmt: skip
    lines = [f"  passes now: {shorten(example_line(one))}" for one in new.exceptions[-1].valid]
    lines += [f"  still catches: {shorten(example_line(one))}" for one in new.invalid[:MOST_EXAMPLES]]
    return replace(done, text="\n".join([done.text, *lines]))


def rule_with_exception(top: Path, book: Rulebook, rule: Rule, wanted: Exemption) -> Rule:
    """The rule with the exception and examples for it; RulecError where it would change nothing."""
    if any((one.scope, one.commands) == (wanted.scope, wanted.commands) for one in rule.exceptions):
        what = f"{rule.slug} leaves {describe_exemption(wanted)} alone already"
        raise RulecError(what, where=rule.source, hint="there is nothing to do")
    new = replace(rule, exceptions=(*rule.exceptions, wanted), revision=rule.revision + 1)
    if not rule.checks:
        return new
    artifacts = compile_rule(book, rule, top)
    if wanted.scope.agents and (commit_checks(artifacts) or any(map(is_judge_check, artifacts))):
        hint = "except a --path or a --command, or record it with --once"
        raise RulecError(f"{rule.slug} also acts at commits, where the agent is unknown", where=rule.source, hint=hint)
    inside = _caught(top, book, rule, wanted)[:MOST_EXAMPLES]
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
        hint = f"see rulec show {rule.slug} for what it looks at; --path takes a glob, --command one plain command"
        what = f"{rule.slug} does not catch {describe_exemption(wanted)} as it is"
        raise RulecError(what, where=rule.source, hint=hint)
    return found


def _is_caught(top: Path, book: Rulebook, rule: Rule, changes: list[Change]) -> list[bool]:
    """Which of the changes the rule's checks catch, or its judges are asked about."""
    artifacts = compile_rule(book, rule, top)
    seen = run_checks_each(artifacts, changes)
    judges = [artifact for artifact in artifacts if is_judge_check(artifact)]
    asked = [bool(judges and pair_judges(judges, pieces_of(change), change.environment)) for change in changes]
    return [due or any(isinstance(item, Finding) for item in found) for due, found in zip(asked, seen, strict=True)]


def _exemption_of(where: ExceptionBounds) -> Exemption:
    where.require_any("say what to exempt")
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


def note_counterexample(top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget) -> Outcome:
    """Record a counterexample; three alike propose an exception."""
    where.require_any("say where the rule did not hold")
    reason = rulebook_commit.require_reason(because, SAY_WHY)
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        item = where.counterexample(slug, reason, redact)
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), item)})
        done = rulebook_commit.commit_rule_change(
            top, onto, rule, {}, subject=f"Note where {slug} did not hold", decision=f"NOOP {slug}", because=reason,
            done=f"noted against {slug}", evidence=[item],
        )  # fmt: skip
        lines = [f"  confidence: {after.sure(rule).arithmetic}", *loosening_warning(top, book, after, rule)]
        lines += [f"  {text}" for text in exception_lines(replace(rule, exceptions=()), after.observed(slug))]
    return replace(done, text="\n".join([done.text, *lines]))


def loosening_warning(top: Path, book: Rulebook, after: Rulebook, rule: Rule) -> list[str]:
    """A warning where the counterexample lowers what the rule does."""
    before, now = (rulebook_commit.enforcement_in_effect(one, rule, top) for one in (book, after))
    if before == now:
        return []
    cure = f"rulec promote {rule.slug} --to {before} pins it"
    return [f"  with that, {rule.slug} does no more than {now}, where it did {before}: {cure}"]


DISPUTED = "disputed"
MOST_DISPUTES = 200  # that may wait


def keep_dispute(top: Path, item: Evidence) -> None:
    """Save a counterexample for the next tally."""
    if len(state.state_names(top, DISPUTED)) >= MOST_DISPUTES:
        raise RulecError(f"{MOST_DISPUTES} disputes already wait", hint="run rulec tally first")
    state.write_state_text(top, f"{DISPUTED}/{evidence_file.evidence_id(item)}", state.dump_dataclass(item))


def waiting_disputes(top: Path) -> list[Evidence]:
    """All saved disputes, oldest first; damaged ones are left alone."""
    found = []
    for name in state.state_names(top, DISPUTED)[:MOST_DISPUTES]:
        try:
            item = state.load_dataclass(Evidence, state.read_state_text(top, f"{DISPUTED}/{name}"))
        except (ValueError, RulecError):
            continue
        if isinstance(item, Evidence) and item.kind == "counterexample" and evidence_file.evidence_id(item) == name:
            found.append(item)
    return sorted(found, key=lambda item: (item.at, item.slug, item.quote))


def drop_disputes(top: Path, items: Iterable[Evidence]) -> None:
    """Delete disputes that are evidence now."""
    for item in items:
        state.remove_state(top, f"{DISPUTED}/{evidence_file.evidence_id(item)}")


_OF_FILES = ("commit", "push", "done", "stop")  # gates whose findings name a file where they name anything


def dispute_rule(top: Path, slug: str, where: ExceptionBounds, reason: str) -> Outcome:
    """Keep it beside the ledger; ``rulec tally`` makes it a counterexample, and three alike make a case.

    Without a place it is about the file that the rule fired on last, where it was a file.
    """
    reason = rulebook_commit.require_reason(reason, "say what was wrong: rulec dispute SLUG --reason TEXT")
    rulebook.require_team_rule(rulebook_files.load_rulebook(top), slug)
    last = None if where.path or where.command else _last_finding(top, slug)
    where = replace(where, path=last.of) if last else where
    item = where.counterexample(slug, reason, rulebook_commit.clean_reason)
    keep_dispute(top, item)
    about = item.path or (f"`{item.accepted}`" if item.accepted else "")
    fired = f", on which it fired {last.at[:10]}" if last else ""
    noted = f"noted that {slug} was wrong" + f" about {about}{fired}" * bool(about)
    count = len(waiting_disputes(top))
    return Outcome(f"{noted}\nnext: rulec tally ({count} disputed) makes it evidence against the rule")


def _last_finding(top: Path, slug: str) -> LedgerLine | None:
    """The rule's last finding in the ledger, where that was in a file."""
    fired = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS]
    return fired[-1] if fired and fired[-1].of and fired[-1].event in _OF_FILES else None


REJECTED_CASES = "no-exception"  # a folder of local state


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
    refused = set(state.state_names(top, REJECTED_CASES))
    own = [rule for rule in book.rules if rule.layer == "team"]
    found = [ExceptionCase(rule, one) for rule in own for one in propose_exceptions(rule, book.observed(rule.slug))]
    return [case for case in found if case.mark not in refused]


def case_lines(cases: Sequence[ExceptionCase]) -> Iterator[str]:
    """Proposed exceptions, a line each, and how to decide them."""
    if cases:
        yield "proposed exceptions:"
        for case in cases:
            yield f"     {case.rule.slug}: except {describe_exemption(case.wanted)}? {shorten(case.wanted.because)}"
        yield "to decide: rulec review in a terminal, or with --accept SLUG or --reject SLUG"


def case_json(case: ExceptionCase) -> dict[str, Any]:
    """A proposed exception for programs."""
    scope, commands = case.wanted.scope, list(case.wanted.commands)
    exception = {"include": list(scope.include), "agents": list(scope.agents), "commands": commands}
    return {"slug": case.rule.slug, "exception": exception, "because": case.wanted.because}


def decide_case(top: Path, case: ExceptionCase, options: DecisionOptions, echo: Echo) -> Decision:
    """Show a proposed exception, ask, and write or reject it."""
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    rule, named = case.rule, describe_exemption(case.wanted)
    resolution = Resolution(
        decision="UPDATE", slug=rule.slug, because=f"except {named}: {case.wanted.because}", manner="exception"
    )
    try:
        new, obstacle = rule_with_exception(top, book, rule, case.wanted), ""
    except RulecError as error:
        new, obstacle = rule, error.message
    echo("\n".join(_case_card(case, new, resolution, obstacle)))
    candidate = Candidate(rule=rule, drafts=())
    proposal = Proposal(candidate=candidate, resolution=resolution, rule=new, proof=None, old=rule, obstacle=obstacle)
    answer, same = rulebook_commit.ask_unlocked(top, options.onto, lambda: options.answer(proposal))
    if answer == "accept" and not same:
        echo("  the rules were changed meanwhile\n")
        now = open_cases(top, rulebook_commit.load_target_rulebook(top, options.onto))
        return next((decide_case(top, one, options, echo) for one in now if one.mark == case.mark), Decision("known"))
    if answer == "accept" and not obstacle:
        done = write_exception(top, book, rule, case.wanted, options.onto)
        echo(f"  -> {done.text}\n")
        return Decision("accept")
    if answer == "reject":
        state.write_state_text(top, f"{REJECTED_CASES}/{case.mark}", "{}")
        echo("  -> rejected, and not proposed again\n")
        return Decision("reject")
    hint = f"; write it yourself with rulec edit {rule.slug}" if answer == "edit" else ""
    echo(f"  -> later{hint}\n")
    return Decision("later")


def _case_card(case: ExceptionCase, new: Rule, resolution: Resolution, obstacle: str) -> Iterator[str]:
    yield f"rule:     {case.rule.slug}: {shorten(case.rule.statement)}"
    yield f"becomes:  {resolution.line()}"
    added = new.exceptions[len(case.rule.exceptions) :]
    yield from (f"passes:   {shorten(example_line(example))}" for one in added for example in one.valid)
    yield from (f"catches:  {shorten(example_line(example))}" for example in new.invalid[:2] if added)
    if obstacle:
        yield f"not as it is: {obstacle}"

"""rulec exception and rulec dispute: where a rule does not apply, where it was wrong, and what is decided of that."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import Evidence, LedgerLine
from rulec.domain.outcome import Outcome
from rulec.domain.patterns.safety import glob_problem
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.domain.text.one_line import shorten
from rulec.domain.text.redaction import redact, replace_secrets
from rulec.drafting.exception_drafts import command_form
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.hook.session import turn_learning
from rulec.infra import clock
from rulec.infra.git import git_changes
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.resolving.revisions import redact_example
from rulec.rulebook import rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules import exception_proposals
from rulec.services.rules.exception_decision import MOST_EXAMPLES, is_caught, rule_with_exception
from rulec.services.waiting_evidence import DISPUTES
from rulec.weights import person_bonus
from rulec.weights.turn_rewards import TurnFacts

COUNTEREXAMPLE_WEIGHT = 1.0  # what one counterexample weighs
SAY_WHY = "say with --because why the rule does not apply there"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionBounds:
    """The path, command, its arguments and the agent to exempt; "" is no bound."""

    path: str = ""
    command: str = ""
    agent: str = ""
    arguments: str = ""

    def require_any(self, missing: str) -> None:
        """RulecError where nothing is bounded; it says what is ``missing``."""
        if not (self.path or self.command or self.agent or self.arguments):
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
        new = rule_with_exception(top, book, rule, replace(wanted, because=reason))
        return write_exception(top, book, rule, new, onto)


def write_exception(top: Path, book: Rulebook, rule: Rule, new: Rule, onto: ChangeTarget) -> Outcome:
    """Write the rule as ``rule_with_exception`` made it, with the write lock held."""
    wanted = new.exceptions[-1]
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


def _exemption_of(where: ExceptionBounds) -> Exemption:
    where.require_any("say what to exempt")
    for name, glob in (("path", where.path), ("arguments", where.arguments)):
        if glob and (wrong := glob_problem(glob)):
            raise RulecError(f"--{name} {glob[:200]!r} {wrong[0]}", hint=wrong[1])
    command = command_form(redact(where.command)) if where.command else ""
    if where.command and not command:
        hint = "such as --command 'npm ci'; without quotes, pipes and redirects"
        raise RulecError(f"{where.command[:200]!r} is not a single plain command", hint=hint)
    include = (redact(where.path),) if where.path else Scope().include
    agents = (redact(where.agent),) if where.agent else ()
    wanted = Exemption(
        because="", scope=Scope(include=include, agents=agents), commands=(command,) if command else (),
        arguments=(redact(where.arguments),) if where.arguments else (),
    )  # fmt: skip
    if not wanted.bounded:
        raise RulecError(f"--path {where.path} is everywhere", hint="rulec retire takes a rule out of force")
    return wanted


def note_counterexample(top: Path, slug: str, where: ExceptionBounds, because: str, onto: ChangeTarget) -> Outcome:
    """Record a counterexample; three alike propose an exception."""
    where.require_any("say where the rule did not hold")
    if where.arguments:
        raise RulecError("--arguments is no action", hint="pass the command as it ran, with --command TEXT")
    reason = rulebook_commit.require_reason(because, SAY_WHY)
    with rulebook_commit.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        item = _with_action(top, book, rule, where.counterexample(slug, reason, redact))
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), item)})
        done = rulebook_commit.commit_rule_change(
            top, onto, rule, {}, subject=f"Note where {slug} did not hold", decision=f"NOOP {slug}", because=reason,
            done=f"noted against {slug}", evidence=[item],
        )  # fmt: skip
        sure = after.sure(rule, at=clock.now())
        lines = [f"  confidence: {sure.arithmetic}", *loosening_warning(top, book, after, rule)]
        cases = exception_proposals.propose_exceptions(top, book, rule, after.observed(slug))
        lines += [f"  {text}" for text in exception_proposals.proposal_lines(cases)]
    return replace(done, text="\n".join([done.text, *lines]))


LARGEST_ACTION = 8_000  # bytes of a file that a counterexample keeps


def _with_action(top: Path, book: Rulebook, rule: Rule, item: Evidence) -> Evidence:
    """The counterexample with the file that it is about, as it is now, where the rule catches that and it is short."""
    if item.accepted or not item.path or not (top / item.path).is_file():
        return item
    try:
        files = git_changes.whole_files_change(top, [str(top / item.path)]).files
        content = files[0].content if len(files) == 1 else None
        if content is None or len(content) > LARGEST_ACTION or git_changes.is_binary(content):
            return item
        real = Example(kind="file", path=files[0].path, text=content.decode("utf-8", "replace"), source="person")
        case = redact_example(real, replace_secrets)
        return replace(item, example=case) if is_caught(top, book, rule, [change_of(case)])[0] else item
    except RulecError:  # what cannot be read or looked at is a counterexample all the same
        return item


def loosening_warning(top: Path, book: Rulebook, after: Rulebook, rule: Rule) -> list[str]:
    """A warning where the counterexample lowers what the rule does."""
    before, now = (rulebook_commit.enforcement_in_effect(one, rule, top) for one in (book, after))
    if before == now:
        return []
    cure = f"rulec evolve {rule.slug} looks for a revision, rulec set {rule.slug} {before} pins it"
    return [f"  with that, {rule.slug} does no more than {now}, where it did {before}: {cure}"]


_OF_FILES = ("commit", "push", "done", "stop")  # gates whose findings name a file where they name anything


def dispute_rule(
    top: Path, slug: str, where: ExceptionBounds, reason: str, onto: ChangeTarget = rulebook_commit.HEAD
) -> Outcome:
    """Keep it beside the ledger; ``rulec tally`` makes it a counterexample, and three alike make a case.

    Without a place it is about the file that the rule fired on last, where it was a file.
    """
    reason = rulebook_commit.require_reason(reason, "say what was wrong: rulec dispute SLUG --reason TEXT")
    rulebook_commit.require_as_seen(top, onto)
    book = rulebook_files.load_rulebook(top)
    rule = rulebook.require_team_rule(book, slug)
    last = None if where.path or where.command else _last_finding(top, slug)
    where = replace(where, path=last.of) if last else where
    item = _with_action(top, book, rule, where.counterexample(slug, reason, rulebook_commit.clean_reason))
    DISPUTES.keep(top, item)
    if not person_bonus.is_off(str(top)):
        turn_learning.learn(str(top), "", {slug: TurnFacts(disputed=True)})
    about = item.path or (f"`{item.accepted}`" if item.accepted else "")
    fired = f", on which it fired {last.at[:10]}" if last else ""
    noted = f"noted that {slug} was wrong" + f" about {about}{fired}" * bool(about)
    count = len(DISPUTES.waiting(top))
    return Outcome(f"{noted}\nnext: rulec tally ({count} disputed) makes it evidence against the rule")


def _last_finding(top: Path, slug: str) -> LedgerLine | None:
    """The rule's last finding in the ledger, where that was in a file."""
    fired = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS]
    return fired[-1] if fired and fired[-1].of and fired[-1].event in _OF_FILES else None

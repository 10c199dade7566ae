"""rulec promote and rulec demote: a person sets what a finding of a rule does."""

from dataclasses import replace
from pathlib import Path
from typing import cast

from rulec.compiling.effective_enforcement import why_only_audits
from rulec.domain.enforcement import ENFORCEMENTS, PinnedEnforcement, is_shown, refuses, strictness
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.judging import judge_standing
from rulec.infra.rulebooks import rule_reading
from rulec.rulebook import file_paths, rulebook
from rulec.rulebook.rulebook import Rulebook
from rulec.services import change_target, rulebook_commit
from rulec.services.change_target import ChangeTarget

UP, DOWN = "promote", "demote"


def pin_enforcement(top: Path, verb: str, slug: str, onto: ChangeTarget, *, to: str = "", because: str = "") -> Outcome:
    """Set the next stricter or looser enforcement, or the one that is named; what blocks must be proved."""
    with change_target.open_rulebook(top, onto) as book:
        rule = rulebook.require_team_rule(book, slug)
        stands = _current_level(book, rule, top)
        pin = cast("PinnedEnforcement", to or _next_level(rule, stands, verb))
        if pin == rule.enforcement:
            return Outcome(f"{slug} is {_pin_words(pin)} already")
        new = replace(rule, enforcement=pin, revision=rule.revision + 1)
        evidence = _require_proof(book, new, top)
        _require_direction(verb, rule, stands, _current_level(book, new, top))
        path = file_paths.rule_path(slug)
        changes = {
            path: rule_reading.write_rule(new, change_target.target_file_text(top, onto, path)),
            **rulebook_commit.evidence_files(evidence),
        }
        reason = rulebook_commit.clean_reason(because) or f"a person {verb}d it from {rule.enforcement} to {pin}"
        message = rulebook_commit.rule_commit_message(
            f"{verb.title()} {slug} to {pin}", new, f"{verb.upper()} {slug}", because=reason, evidence=evidence
        )
        commit = rulebook_commit.write_rulebook_change(top, changes, message, onto)
    return rulebook_commit.closing_outcome(
        top, onto, commit, f"{slug} is {_pin_words(pin)} now{_limits_of_pin(top, book, new)}"
    )


def _limits_of_pin(top: Path, book: Rulebook, rule: Rule) -> str:
    """What setting it does not change: a judge blocks only when measured, a check only with independent examples."""
    if is_shown(rule.enforcement) and (why := why_only_audits(rule)):
        return f"; it {why}"
    if (
        not refuses(rule.enforcement)
        or not judge_standing.has_judge(rule)
        or judge_standing.standing_measure(book, rule, top)
    ):
        return ""
    return f"; its judge is {judge_standing.UNMEASURED}: {judge_standing.HOW_TO_MEASURE.format(rule.slug)}"


def _current_level(book: Rulebook, rule: Rule, top: Path) -> str:
    """The enforcement as it is set, else as the evidence gives it; "" for a reminder."""
    if not rule.checks:
        return ""
    return rule.enforcement if rule.enforcement != "auto" else rulebook_commit.enforcement_in_effect(book, rule, top)


def _next_level(rule: Rule, stands: str, verb: str) -> str:
    if not stands:
        hint = f"rulec edit {rule.slug} gives it a check; --to warn puts it into words however seldom it was said"
        raise RulecError(f"{rule.slug} has no check, so it is a reminder only", where=rule.source, hint=hint)
    place = strictness(stands) + (1 if verb == UP else -1)
    if place == len(ENFORCEMENTS):
        hint = "block is the strictest" if rule.enforcement == stands else f"--to {stands} pins it there"
        raise RulecError(f"{rule.slug} is at {stands} already", where=rule.source, hint=hint)
    if place < 0:
        hint = f"rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"{rule.slug} already only audits", where=rule.source, hint=hint)
    return ENFORCEMENTS[place]


def _require_proof(book: Rulebook, new: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule needs; it is made where there is none."""
    if not is_shown(new.enforcement):
        return []
    if not new.checks and refuses(new.enforcement):
        hint = f"rulec edit {new.slug} gives it a check; --to warn puts it into words however seldom it was said"
        raise RulecError(f"{new.slug} has no check that could block", where=new.source, hint=hint)
    try:
        return rulebook_commit.missing_proof(book, new, top)
    except RulecError as error:
        hint = f"{error.hint} with rulec edit {new.slug}; until it is proved it only audits"
        raise RulecError(f"{new.slug} is not proved: {error.message}", where=new.source, hint=hint) from None


def _require_direction(verb: str, rule: Rule, before: str, after: str) -> None:
    """Refuse to lower with promote, and to raise with demote."""
    if not before or not after:
        return
    step = strictness(after) - strictness(before)
    if step < 0 and verb == UP:
        raise RulecError(f"that would loosen {rule.slug} from {before} to {after}", hint=f"say rulec {DOWN} for that")
    if step > 0 and verb == DOWN:
        raise RulecError(f"that would tighten {rule.slug} from {before} to {after}", hint=f"say rulec {UP} for that")


def _pin_words(pin: PinnedEnforcement) -> str:
    return "left to its evidence" if pin == "auto" else f"pinned to {pin}"

"""``rulec promote`` and ``rulec demote``: what a finding of a rule does, pinned by a person."""

from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from rulec.commands import _judges, _onto, _verb, _write
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.errors import RulecError
from rulec.host import rulefiles, worktree
from rulec.model.enforcement import why_audits
from rulec.model.evidence import Evidence
from rulec.model.rule import Enforcement, Pinned, Rule
from rulec.model.rulebook import Rulebook

LEVELS: tuple[str, ...] = get_args(Enforcement)  # the firmer the later
UP, DOWN = "promote", "demote"


def run(top: Path, verb: str, slug: str, onto: Onto, *, to: str = "", because: str = "") -> Outcome:
    """Pin the next firmer or looser step, or the one named; what acts has to be proved."""
    with _onto.changing(top, onto) as book:
        rule = _onto.standing(book, slug)
        stands = _level(book, rule, top)
        pin = cast("Pinned", to or _next(rule, stands, verb))
        if pin == rule.enforcement:
            return Outcome(f"{slug} is {_said(pin)} already")
        new = replace(rule, enforcement=pin, revision=rule.revision + 1)
        evidence = _borne(book, new, top)
        _goes(verb, rule, stands, _level(book, new, top))
        path = worktree.rule_path(slug)
        changes = {path: rulefiles.dumps(new, _onto.text(top, onto, path)), **_verb.files(evidence)}
        reason = _verb.reason(because) or f"a person {verb}d it from {rule.enforcement} to {pin}"
        message = _verb.message(
            f"{verb.title()} {slug} to {pin}", new, f"{verb.upper()} {slug}", because=reason, evidence=evidence
        )
        commit = _write.put(top, changes, message, onto)
    return _verb.done(top, onto, commit, f"{slug} is {_said(pin)} now{_judged(top, book, new)}")


def _judged(top: Path, book: Rulebook, rule: Rule) -> str:
    """What a pin does not bring about: a judge blocks by its measure alone, and no check by its own examples."""
    if rule.enforcement in ("warn", "block") and (why := why_audits(rule)):
        return f"; it {why}"
    if rule.enforcement != "block" or not _judges.has(rule) or _judges.standing(book, rule, top):
        return ""
    return f"; its judge is {_judges.UNMEASURED}: {_judges.CURE.format(rule.slug)}"


def _level(book: Rulebook, rule: Rule, top: Path) -> str:
    """How firm the rule is: as it is pinned, else as the evidence bears it; "" for what only reminds."""
    if not rule.checks:
        return ""
    return rule.enforcement if rule.enforcement != "auto" else _verb.acts(book, rule, top)


def _next(rule: Rule, stands: str, verb: str) -> str:
    if not stands:
        hint = f"rulec edit {rule.slug} gives it a check; --to warn puts it into words however seldom it was said"
        raise RulecError(f"{rule.slug} has no check, it only reminds", where=rule.source, hint=hint)
    place = LEVELS.index(stands) + (1 if verb == UP else -1)
    if place == len(LEVELS):
        hint = "nothing is firmer" if rule.enforcement == stands else f"--to {stands} pins it there"
        raise RulecError(f"{rule.slug} is at {stands} already", where=rule.source, hint=hint)
    if place < 0:
        hint = f"rulec retire {rule.slug} takes it out of force"
        raise RulecError(f"{rule.slug} only notes what it finds already", where=rule.source, hint=hint)
    return LEVELS[place]


def _borne(book: Rulebook, new: Rule, top: Path) -> list[Evidence]:
    """The proof that a rule needs to act, which it gets here where it has none."""
    if new.enforcement in ("auto", "audit"):
        return []
    if not new.checks and new.enforcement == "block":
        hint = f"rulec edit {new.slug} gives it a check; --to warn puts it into words however seldom it was said"
        raise RulecError(f"{new.slug} has no check that could block", where=new.source, hint=hint)
    try:
        return _verb.proof(book, new, top)
    except RulecError as error:
        hint = f"{error.hint} with rulec edit {new.slug}; until it is proved it only notes what it finds"
        raise RulecError(f"{new.slug} is not proved: {error.message}", where=new.source, hint=hint) from None


def _goes(verb: str, rule: Rule, before: str, after: str) -> None:
    """Refuse to loosen a rule by the name of promotion, and the other way round."""
    if not before or not after:
        return
    step = LEVELS.index(after) - LEVELS.index(before)
    if step < 0 and verb == UP:
        raise RulecError(f"that would loosen {rule.slug} from {before} to {after}", hint=f"say rulec {DOWN} for that")
    if step > 0 and verb == DOWN:
        raise RulecError(f"that would tighten {rule.slug} from {before} to {after}", hint=f"say rulec {UP} for that")


def _said(pin: Pinned) -> str:
    return "left to its evidence" if pin == "auto" else f"pinned to {pin}"

"""What people are told of a rule's judge: where it is asked, whether it was measured, and what it may do."""

from pathlib import Path

from rulec.commands import _ask, _build
from rulec.model.artifact import judge_digest, of_judge
from rulec.model.evidence import Measure
from rulec.model.exchange import Models
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.stages import judge
from rulec.stages.measure import told

UNMEASURED = "not measured, so it warns at most"
CURE = "rulec test {} --record measures it"


def has(rule: Rule) -> bool:
    """Whether a model is asked about some of the rule."""
    return any(check.kind == "judge" for check in rule.checks)


def alone(rule: Rule) -> bool:
    """Whether nothing but a model is asked."""
    return has(rule) and all(check.kind == "judge" for check in rule.checks)


def asked(top: Path | None, book: Rulebook) -> str:
    """Where judges are asked and whom, in a few words."""
    return _asked(_ask.models(top, book))


def _asked(models: Models) -> str:
    if not models.backend:
        return "asked nowhere: no backend is configured"
    return f"asked at {', '.join(models.judges) or 'no gate'}, by {models.backend}"


def standing(book: Rulebook, rule: Rule, top: Path) -> Measure | None:
    """The measure by which the rule's judges may block now."""
    judges = [artifact for artifact in _build.of_rule(book, rule, top) if of_judge(artifact)]
    wanted = judge_digest(rule, [artifact.digest for artifact in judges])
    found = (item.measured for item in book.observed(rule.slug) if item.kind == "proved" and item.digest == wanted)
    held = (one for one in found if one and one.wording == judge.VERSION and one.reaches(book.config.bar))
    return next(held, None)


def line(book: Rulebook, rule: Rule, top: Path) -> str:
    """What there is to know of a rule's judge."""
    found = standing(book, rule, top)
    state = told(found, book.config.bar) if found else f"{UNMEASURED}: {CURE.format(rule.slug)}"
    return f"{asked(top, book)}; {state}"


def does(book: Rulebook, rule: Rule, *, held: bool) -> str:
    """What a rule that only a model checks will do once it is accepted."""
    where = f" where a model judges it ({asked(None, book)})"
    firm = "block" if rule.enforcement == "auto" and held else rule.enforcement
    if firm == "block":
        by = " (set by a person)" * (rule.enforcement == "block")
        return f"warns{where}; it blocks{by} once {CURE.format(rule.slug)} and it holds its bar"
    return f"only notes what it finds{where}" if firm in ("auto", "audit") else f"{firm}s{where}"

"""The state of a rule's judge in words: where it is asked, whether it was measured, what it may do."""

from pathlib import Path

from rulec.checks.judge import judge_questions
from rulec.checks.judge.rulings import describe_measure
from rulec.compiling import artifacts
from rulec.domain.artifact import is_judge_check, judge_digest
from rulec.domain.enforcement import STRICTEST, in_words, is_shown, refuses
from rulec.domain.evidence import JudgeMeasure
from rulec.domain.prompt import ModelSettings
from rulec.domain.rule import Rule
from rulec.llm import model_settings
from rulec.rulebook.rulebook import Rulebook

UNMEASURED = "not measured, so it warns at most"
HOW_TO_MEASURE = "rulec test {} --record measures it"


def has_judge(rule: Rule) -> bool:
    """Whether a model checks some of the rule."""
    return any(check.kind == "judge" for check in rule.checks)


def has_only_judges(rule: Rule) -> bool:
    """Whether nothing but a model checks the rule."""
    return has_judge(rule) and all(check.kind == "judge" for check in rule.checks)


def where_judges_are_asked(top: Path | None, book: Rulebook) -> str:
    """The gates at which judges are asked, and the backend, in a few words."""
    return _where_asked(model_settings.choose_models(top, book))


def _where_asked(models: ModelSettings) -> str:
    if not models.backend:
        return "asked nowhere: no backend is configured"
    return f"asked at {', '.join(models.judges) or 'no gate'}, by {models.backend}"


def standing_measure(book: Rulebook, rule: Rule, top: Path) -> JudgeMeasure | None:
    """The accuracy measured for the rule's current judges that lets them block, None where there is none."""
    judges = [artifact for artifact in artifacts.compile_rule(book, rule, top) if is_judge_check(artifact)]
    wanted = judge_digest(rule, [artifact.digest for artifact in judges])
    found = (item.measured for item in book.observed(rule.slug) if item.kind == "proved" and item.digest == wanted)
    held = (one for one in found if one and one.wording == judge_questions.VERSION and one.reaches(book.config.bar))
    return next(held, None)


def judge_line(book: Rulebook, rule: Rule, top: Path) -> str:
    """Where the rule's judge is asked and how accurate it is, in a line."""
    found = standing_measure(book, rule, top)
    state = describe_measure(found, book.config.bar) if found else f"{UNMEASURED}: {HOW_TO_MEASURE.format(rule.slug)}"
    return f"{where_judges_are_asked(top, book)}; {state}"


def judge_effect(book: Rulebook, rule: Rule, *, held: bool) -> str:
    """What a rule that only a model checks will do once it is accepted."""
    where = f" where a model judges it ({where_judges_are_asked(None, book)})"
    firm = STRICTEST if rule.enforcement == "auto" and held else rule.enforcement
    if refuses(firm):
        by = " (set by a person)" * refuses(rule.enforcement)
        return f"warns{where}; it blocks{by} once {HOW_TO_MEASURE.format(rule.slug)} and it holds its bar"
    return f"{in_words(firm)}{where}" if is_shown(firm) else f"only notes what it finds{where}"

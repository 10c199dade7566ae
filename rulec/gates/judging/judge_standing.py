"""The state of a rule's judge in words: where it is asked, and what it may do."""

from pathlib import Path

from rulec.domain.enforcement import in_words, is_shown, refuses
from rulec.domain.rule import Rule
from rulec.llm import model_settings
from rulec.rulebook.rulebook import Rulebook

WARNS_AT_MOST = "it warns at most: nobody pinned it to block"


def has_judge(rule: Rule) -> bool:
    """Whether a model checks some of the rule."""
    return any(check.kind == "judge" for check in rule.checks)


def has_only_judges(rule: Rule) -> bool:
    """Whether nothing but a model checks the rule."""
    return has_judge(rule) and all(check.kind == "judge" for check in rule.checks)


def where_judges_are_asked(top: Path | None, book: Rulebook) -> str:
    """The gates at which judges are asked, and the backend, in a few words."""
    models = model_settings.choose_models(top, book)
    if not models.backend:
        return "asked nowhere: no backend is configured"
    return f"asked at {', '.join(models.judges) or 'no gate'}, by {models.backend}"


def judge_line(book: Rulebook, rule: Rule, top: Path) -> str:
    """Where the rule's judge is asked and what it may do, in a line."""
    return where_judges_are_asked(top, book) + f"; {WARNS_AT_MOST}" * (not refuses(rule.enforcement))


def judge_effect(book: Rulebook, rule: Rule, *, held: bool) -> str:
    """What a rule that only a model checks will do once it is accepted."""
    where = f" where a model judges it ({where_judges_are_asked(None, book)})"
    if rule.enforcement == "auto":
        firm = "warns" if held else "only notes what it finds"
        return f"{firm}{where}; rulec set {rule.slug} block lets it block"
    return f"{in_words(rule.enforcement)}{where}" if is_shown(rule.enforcement) else f"only notes what it finds{where}"

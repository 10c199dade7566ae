"""Where one rule stands, and as much of its rulebook as it takes to say what it does."""

from pathlib import Path

from rulec.domain.rule import Rule
from rulec.gates import personal_rules
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook.rule_file import SLUG_PATTERN
from rulec.rulebook.rulebook import Rulebook, require_rule


def find_rule(top: Path, slug: str) -> tuple[Path, Rulebook, Rule | None]:
    """The repository that holds the rule, its rulebook and the rule, None where it is not in force.

    The other rules of the rulebook are there only where the rule follows from some of them.
    """
    here = personal_rules.holding_repository(top, slug)
    rulebook_files.require_rulebook(here)
    if not SLUG_PATTERN.fullmatch(slug):
        return here, Rulebook(), None
    files = rulebook_files.texts_about(here, slug)
    book = rulebook_files.parse_rulebook(files, own=rulebook_files.is_personal(here))
    rule = book.rule(slug)
    if rule and (rule.refines or rule.formerly):
        book = rulebook_files.load_rulebook(here)
    return here, book, rule


def require_one_rule(top: Path, slug: str) -> tuple[Path, Rulebook, Rule]:
    """The same of a rule in force; RulecError that names near ones where there is none."""
    here, book, rule = find_rule(top, slug)
    return here, book, rule or require_rule(rulebook_files.load_rulebook(here), slug)

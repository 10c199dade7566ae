"""Rules that make another one more precise: what is said of them where either is shown, or leaves."""

from collections.abc import Iterator

from rulec.domain.rule import Rule
from rulec.rulebook.rulebook import Rulebook


def refinement_lines(book: Rulebook, rule: Rule) -> Iterator[str]:
    """Which rule it refines, whether it holds by now, and which rules refine it."""
    if rule.refines:
        parent = book.named(rule.refines)
        said = f": {' '.join(parent.statement.split())}" if parent else ""
        yield book.why_unheld(rule) or f"refines {parent.slug if parent else rule.refines}{said}"
    yield from (f"refined by {one.slug}: {' '.join(one.statement.split())}" for one in book.refinements(rule.slug))


def left_alone(book: Rulebook, slug: str) -> str:
    """What a person is told who takes a rule out of force: which rules hold with it alone; "" where none does."""
    names = [one.slug for one in book.refinements(slug)]
    if not names:
        return ""
    many = "holds only with it and audits" if len(names) == 1 else "hold only with it and audit"
    return f"; {', '.join(names)} {many} from now on: change refines with rulec edit, or retire it too"

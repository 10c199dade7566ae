"""rulec why: a rule in words: what it says, its checks, where it acts, what was said of it, what it did, its past."""

from collections.abc import Iterator
from pathlib import Path

from rulec.checkout import rules_layout
from rulec.domain import rule
from rulec.domain.outcome import Outcome
from rulec.infra.rulebooks import rulebook_files
from rulec.protect import gate_protection
from rulec.reports.rule_lines import check_in_full
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import require_rule
from rulec.services.browsing.rule_past import RuleRevision, rule_past
from rulec.services.browsing.rule_view import RuleQuote, RuleView, find_rule, rule_view

BUILT_IN_RULES = {
    rule.WEAKENED: f"""{rule.WEAKENED}: {rule.WEAKENED_STATEMENT}
  with rulec: at a commit it blocks, in CI it warns (weakened: block in {file_paths.CONFIG} makes it block there, too)
  why: a change is judged by the rules that it cannot edit, and may not take them away for the next one
  instead: take it back, or let a person run rulec approve on what is staged; in CI its owners approve in the review""",
    rule.PROTECTED_PATHS: f"""{rule.PROTECTED_PATHS}: {rule.PROTECTED_PATHS_STATEMENT}
  with rulec: protected in {file_paths.CONFIG} names the paths; agents' hooks refuse every write there
  and git's hooks every change, until a person runs rulec approve; CI warns (weakened: block makes it block there, too)
  instead: {rule.PROTECTED_PATHS_CURE}""",
    rules_layout.GATE_SLUG: f"""{rules_layout.GATE_SLUG}: {gate_protection.GATE_FACTS.statement}
  with rulec: agents' hooks refuse what would take a gate away, or speak for the person
  instead: {gate_protection.GATE_CURE}""",
}


def explain_rule(top: Path, slug: str) -> Outcome:
    """All that is known of a rule, in force, archived or rolled back to nothing."""
    if slug in BUILT_IN_RULES:
        return Outcome(BUILT_IN_RULES[slug])
    view, past = rule_view(top, slug), rule_past(top, slug)
    if view is None and not past.changes:
        require_rule(rulebook_files.load_rulebook(find_rule(top, slug)[0]), slug)
    head = view_lines(view) if view else [f"{slug} is no longer a rule"]
    lines = [*(f"  {line}" for line in past.lines), *_change_lines(slug, past.changes)]
    return Outcome("\n".join([*head, *lines]))


def view_lines(view: RuleView) -> Iterator[str]:
    """What the rule is, in lines."""
    yield from view.whose
    yield f"{view.slug}@{view.revision}: {view.statement}"
    yield from (f"  {name}: {text}" for name, text in view.facts)
    yield f"  file: {view.path}"
    yield from (f"  compiled: {path}" for path, _ in view.artifacts)
    for quote in view.quotes:
        yield from _quote_lines(quote)
    yield from (f"  check: {check_in_full(check, 4)}" for check in view.rule.checks)
    if not view.rule.checks:
        yield "  no check: this rule is a reminder"
    if view.several:
        yield f"  {len(view.rule.checks)} checks, each of which finds on its own what the others do not see"
    yield from (f"  not checked: {text}" for text in view.not_checked)
    yield from (f"  {who}: {words}" for who, words in view.audiences)
    yield from (f"  {name}: {text}" for name, text in (("proof", view.proof), ("judge", view.judge)) if text)


def _quote_lines(quote: RuleQuote) -> Iterator[str]:
    session = f"{quote.session}#{quote.turn}" if quote.session else ""
    where = ", ".join(filter(None, (quote.at[:10], quote.agent, session)))
    verb = {"counterexample": "counterexample", "note": "noted"}.get(quote.kind, "said")
    yield f'  {verb}: "{" ".join(quote.words.split())}" ({where})'
    more = (
        ("in", quote.path), (f"should {quote.should}", quote.case), ("about", quote.offence),
        ("accepted", quote.accepted),
    )  # fmt: skip
    yield from (f"    {name}: {' '.join(text.split())}" for name, text in more if text)


def _change_lines(slug: str, changes: tuple[RuleRevision, ...]) -> Iterator[str]:
    """The commits that changed a rule, newest first, a line each, then those of the rules that it replaced."""
    named = slug
    for one in changes:
        if one.slug != named:
            named = one.slug
            yield f"  before that, {named}:"
        did = f" [{', '.join(one.did)}]" * bool(one.did)
        yield f"  {one.at[:10]} {one.commit[:10]} {one.author}: {one.resolution}{did}"
        if one.edge:
            yield "  (a shallow clone ends here; git fetch --unshallow shows the rest)"

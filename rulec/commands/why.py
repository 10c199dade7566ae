"""``rulec why`` and ``rulec log``: where a rule comes from and what became of it."""

import re
from collections.abc import Iterator
from pathlib import Path

from rulec.commands import _build, _prove
from rulec.commands._card import told
from rulec.commands._judge import facts_of
from rulec.commands._outcome import Outcome
from rulec.commands.test import known
from rulec.host import git, worktree
from rulec.model.evidence import Evidence, confidence
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

_TRAILER = re.compile(r"^Resolution: (.+)$", re.MULTILINE)


def run(top: Path, slug: str) -> Outcome:
    """The answer to "why did this happen to me": whose words, when, every resolution, proof and confidence."""
    book = worktree.load(top)
    rule = known(book, slug)
    return Outcome("\n".join(_answer(top, book, rule)))


def _answer(top: Path, book: Rulebook, rule: Rule) -> Iterator[str]:
    evidence = book.observed(rule.slug)
    yield f"{rule.slug}@{rule.revision}: {rule.statement}"
    yield from (
        f"  {name}: {text}"
        for name, text in (("when", rule.when), ("instead", rule.do), ("because", rule.rationale))
        if text
    )
    for item in sorted((e for e in evidence if e.quote), key=lambda e: e.at):
        yield from _said(item)
    artifacts = _build.of_rule(book, rule, top)
    acts = facts_of(artifacts)[rule.slug].enforcement if artifacts else "remind"
    proved = bool(artifacts) and _prove.proved_already(book, rule, artifacts)
    yield from (f"  check: {told(check)}" for check in rule.checks)
    state = ("proved" if proved else "not proved, so it is off: run rulec compile") if artifacts else "nothing to prove"
    unsure = f"; when it is not certain: at most {rule.on_unsure}"
    yield f"  proof: {state}; on a finding it does: {acts}; when its check breaks: {rule.on_error}{unsure}"
    yield f"  confidence: {confidence(evidence).arithmetic}"
    for entry in _resolutions(top, rule.slug):
        yield f"  {entry}"


def _said(item: Evidence) -> Iterator[str]:
    where = ", ".join(filter(None, (item.at[:10], item.agent, item.transcript and f"{item.transcript}#{item.turn}")))
    yield f'  said: "{" ".join(item.quote.split())}" ({where})'
    if item.offence:
        yield f"    about: {' '.join(item.offence.split())}"
    if item.accepted:
        yield f"    accepted: {' '.join(item.accepted.split())}"


def paths(slug: str) -> tuple[str, ...]:
    """Every path that belongs to one rule."""
    worktree.rule_path(slug)
    rules = worktree.RULES
    return f"{rules}/{slug}.yaml", f"{rules}/archive/{slug}.yaml", f"{rules}/evidence/{slug}"


def _resolutions(top: Path, slug: str) -> Iterator[str]:
    for commit in git.history(top, *paths(slug)):
        found = _TRAILER.search(commit.body.rstrip().rpartition("\n\n")[2])  # words above may imitate it
        yield f"{commit.at[:10]} {commit.id[:10]} {commit.author}: {found[1] if found else commit.subject}"


def log(top: Path, slug: str) -> Outcome:
    """Every commit that made, changed or moved a rule, newest first."""
    lines = list(_resolutions(top, slug))
    if not lines:
        known(worktree.load(top), slug)
        return Outcome(f"{slug} is not committed yet")
    return Outcome("\n".join(lines))

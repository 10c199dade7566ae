"""``rulec rules`` and ``rulec show``: what the rulebook holds."""

from pathlib import Path
from typing import Any

from rulec.commands._build import checks
from rulec.commands._card import told
from rulec.commands._judge import facts_of
from rulec.commands._outcome import Outcome
from rulec.commands.test import known
from rulec.host import worktree
from rulec.model.artifact import COMPILED, Artifact, of_changes, of_files
from rulec.model.evidence import confidence
from rulec.model.rule import Rule


def run(top: Path) -> Outcome:
    """Every rule in a line: what it does on a finding, at which gates, how sure it is, what it says."""
    book = worktree.load(top)
    compiled = checks(book, top)
    facts = facts_of(compiled)
    data: list[dict[str, Any]] = []
    for rule in book.rules:
        sure = confidence(book.observed(rule.slug))
        acts = facts[rule.slug].enforcement if rule.slug in facts else "remind"
        data.append(
            {
                "slug": rule.slug,
                "acts": acts,
                "at": _gates([artifact for artifact in compiled if artifact.slug == rule.slug]),
                "confidence": round(sure.mean, 2),
                "statement": rule.statement,
            }
        )
    width = max((len(rule.slug) for rule in book.rules), default=0)
    lines = [
        f"{d['slug']:{width}}  {d['acts']:6}  {'+'.join(d['at']):11}  {d['confidence']:.2f}  {d['statement']}"
        for d in data
    ]
    return Outcome("\n".join(lines) or "no rules yet; next: rulec ingest TRANSCRIPT, or rulec add TEXT", data=data)


def _gates(artifacts: list[Artifact]) -> list[str]:
    """Where the checks of one rule act: guards where the agent asks, but for those of a whole commit."""
    asked = [a for a in artifacts if a.path.startswith(f"{COMPILED}/guard/") and not of_changes(a)]
    committed = [a for a in artifacts if a not in asked or of_files(a)]
    return ["tool"] * bool(asked) + ["commit"] * bool(committed)


def show(top: Path, slug: str) -> Outcome:
    """One rule's file as it stands, and the artifacts that came of it."""
    rule = known(worktree.load(top), slug)
    text = worktree.text(top / worktree.rule_path(slug))
    return Outcome("\n".join([text.rstrip("\n"), "", *_compiled(top, rule)]))


def _compiled(top: Path, rule: Rule) -> list[str]:
    files = worktree.compiled_at_hand(top)
    names = [path for path in files if path.rpartition("/")[2].split(".")[0] == rule.slug]
    lines = [f"# {path}" for path in names] + [f"# {told(check)}" for check in rule.checks]
    return lines or ["# no check: this rule can only remind"]

"""``rulec rules`` and ``rulec show``: what the rulebook holds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec.commands import _held, _personal
from rulec.commands._ask import models
from rulec.commands._build import checks
from rulec.commands._lines import told
from rulec.commands._named import known
from rulec.commands._outcome import Outcome
from rulec.commands._verdicts import facts_of
from rulec.host import clock, ledger, worktree
from rulec.model.artifact import Artifact, at_commit, at_tool_call, compiled_from, of_judge
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook


def run(top: Path) -> Outcome:
    """Every rule in a line: what it does on a finding, at which gates, how sure it is, what it says."""
    book = worktree.load(top)
    own = _personal.layer(top, book)
    data = _rows(top, book) + (_rows(own.here, own.book) if own else [])
    width = max((len(row["slug"]) for row in data), default=0)
    lines = [f"{d['slug']:{width}}  {d['acts']:6}  {_where(d):11}  {d['confidence']:.2f}  {_said(d)}" for d in data]
    lines = lines or ["no rules yet; next: rulec ingest TRANSCRIPT, or rulec add TEXT"]
    return Outcome("\n".join([*lines, *book.overruled, *(own.lost if own else ())]), data=data)


def _rows(top: Path, book: Rulebook) -> list[dict[str, Any]]:
    compiled = checks(book, top)
    facts, asked = facts_of(compiled), models(top, book)
    judges = asked.judges if asked.backend else ()
    data: list[dict[str, Any]] = []
    now, fired = clock.now(), ledger.last(top)
    for rule in book.rules:
        sure = book.sure(rule, at=now, mattered=fired.get(rule.slug, ""))
        acts = facts[rule.slug].enforcement if rule.slug in facts else "remind"
        data.append(
            {
                "slug": rule.slug,
                "layer": rule.layer,
                "acts": acts,
                "at": _gates([artifact for artifact in compiled if artifact.slug == rule.slug], judges),
                "confidence": round(sure.mean, 2),
                "freshness": round(sure.freshness, 2),
                "state": sure.state,
                "statement": rule.statement,
                "why": _held.why(rule),
                "not_checked": list(rule.not_checked),
            }
        )
    return data


def _where(row: dict[str, Any]) -> str:
    """The gates at which it acts; a judge that the settings let nobody ask acts at none of them."""
    return "+".join(row["at"]) or ("nowhere" if row["acts"] != "remind" else "")


def _said(row: dict[str, Any]) -> str:
    """What the rule says, flagged where it is of another layer, or has not mattered for a year or two."""
    flags = [name for name, usual in ((row["layer"], "team"), (row["state"], "fresh")) if name != usual]
    audits = "audits only: its examples were made from its check"
    flags += [row["why"].split(", and ")[0] if row["why"].startswith("warns") else audits] * bool(row["why"])
    flags += [f"not checked: {'; '.join(row['not_checked'])}"] * bool(row["not_checked"])
    return " ".join([*(f"({flag})" for flag in flags), *str(row["statement"]).split()])


def _gates(artifacts: list[Artifact], judges: Sequence[str]) -> list[str]:
    """Where the checks of one rule act."""
    gates = ["tool"] * any(map(at_tool_call, artifacts)) + ["commit"] * any(map(at_commit, artifacts))
    return list(dict.fromkeys([*gates, *(judges if any(map(of_judge, artifacts)) else ())]))


def show(top: Path, slug: str) -> Outcome:
    """One rule's file as it stands, and the artifacts that came of it."""
    top = _personal.holder(top, slug)
    rule = known(worktree.load(top), slug)
    text = worktree.text(top / rule.source)
    return Outcome("\n".join([*_personal.told(top, rule), text.rstrip("\n"), "", *_compiled(top, rule)]))


def _compiled(top: Path, rule: Rule) -> list[str]:
    files = worktree.compiled_at_hand(top)
    names = [path for path in files if compiled_from(path) == rule.slug]
    lines = [f"# {path}" for path in names] + [f"# {told(check)}" for check in rule.checks]
    lines += [f"# not checked: {text}" for text in rule.not_checked]
    lines += [f"# {why}" for why in filter(None, [_held.why(rule)])]
    return lines if rule.checks else [*lines, "# no check: this rule can only remind"]

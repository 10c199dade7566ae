"""rulec rules: the rules of the rulebook; and where the name of a merged rule leads."""

from pathlib import Path
from typing import Any

from rulec.compiling import effective_enforcement
from rulec.compiling.artifacts import compile_checks
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.outcome import Outcome
from rulec.gates import gate_ledger, personal_rules
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import clock, text_files
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.llm.model_settings import choose_models
from rulec.rulebook import file_paths, rule_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here
from rulec.services.gates_here import GatesHere


def list_rules(top: Path) -> Outcome:
    """Every rule in a line: enforcement, gates, confidence, statement."""
    book = rulebook_files.load_rulebook(top)
    own = personal_rules.load_personal_layer(top, book)
    here = gates_here.gates_of_layer(top, book)
    data = _rule_rows(top, book, here) + (_rule_rows(own.here, own.book, here) if own else [])
    width = max((len(row["slug"]) for row in data), default=0)
    lines = [
        f"{d['slug']:{width}}  {d['acts']:6}  {_gate_column(d):11}  {d['confidence']:.2f}  {_statement_column(d)}"
        for d in data
    ]
    lines = lines or ["no rules yet; next: rulec ingest TRANSCRIPT, or rulec add TEXT"]
    return Outcome("\n".join([*lines, *book.overruled, *(own.lost if own else ())]), data=data)


def _rule_rows(top: Path, book: Rulebook, here: GatesHere | None) -> list[dict[str, Any]]:
    compiled = compile_checks(book, top)
    facts, asked = facts_by_slug(compiled), choose_models(top, book)
    judges = asked.judges if asked.backend else ()
    own: dict[str, list[Artifact]] = {}
    for artifact in compiled:
        own.setdefault(artifact.slug, []).append(artifact)
    data: list[dict[str, Any]] = []
    now, fired = clock.now(), gate_ledger.last_fired(top)
    for rule in book.rules:
        sure = book.sure(rule, at=now, mattered=fired.get(rule.slug, ""))
        acts = facts[rule.slug].enforcement if rule.slug in facts else "remind"
        checks = own.get(rule.slug, [])
        moments = gates_here.moments_of_checks(checks)
        asking = judges if any(map(is_judge_check, checks)) else ()
        data.append(
            {
                "slug": rule.slug,
                "layer": rule.layer,
                "acts": acts,
                "at": [*(here.acting(moments, rule) if here else moments), *asking],
                "not_here": list(here.missing(moments, rule)) if here else [],
                "confidence": round(sure.mean, 2),
                "freshness": round(sure.freshness, 2),
                "state": sure.state,
                "active": sure.active or rule.enforcement != "auto",
                "statement": rule.statement,
                "why": effective_enforcement.why_only_audits(rule),
                "not_checked": list(rule.not_checked),
                "checks": len({(check.template, check.line) for check in rule.checks}),
                "refines": rule.refines,
                "unheld": book.why_unheld(rule),
            }
        )
    return data


def _gate_column(row: dict[str, Any]) -> str:
    """The gates of this clone at which the rule acts; "nowhere" where its gates or its judge are not set up."""
    return "+".join(row["at"]) or ("nowhere" if row["acts"] != "remind" else "")


def _statement_column(row: dict[str, Any]) -> str:
    """The statement, with flags.

    They say another layer, that it is unused for long, why it only audits or warns, what is not checked.
    """
    flags = [name for name, usual in ((row["layer"], "team"), (row["state"], "fresh")) if name != usual]
    flags += [f"{row['checks']} checks"] * (row["checks"] > 1)
    flags += [row["unheld"] or f"refines {row['refines']}"] * bool(row["refines"])
    audits = "audits only: its examples were made from its check"
    flags += [row["why"].split(", and ")[0] if row["why"].startswith("warns") else audits] * bool(row["why"])
    flags += [f"not checked: {'; '.join(row['not_checked'])}"] * bool(row["not_checked"])
    flags += row["not_here"]
    return " ".join([*(f"({flag})" for flag in flags), *str(row["statement"]).split()])


def follow_name(top: Path, slug: str) -> str:
    """The name of the rule into which the named one was merged, directly or not; else the name itself.

    Only where the archive has the name and the rule that took its place says that it was merged, so that a rule that
    another one contradicted is never taken for it.
    """
    seen, name = [slug], slug
    while rule_file.SLUG_PATTERN.fullmatch(name) and len(seen) <= _MOST:
        path = file_paths.archive_path(name)
        text = text_files.read_existing(top, [path]).get(path)
        heir = rule_reading.read_rule(text, source=path).superseded_by if text else ""
        if not heir or heir in seen or slug not in _formerly(top, heir):
            break
        seen.append(heir)
        name = heir
    return name


_MOST = 50  # merges one after the other


def _formerly(top: Path, slug: str) -> tuple[str, ...]:
    """The names that led to a rule, be it in force or archived."""
    for path in (file_paths.rule_path(slug), file_paths.archive_path(slug)):
        text = text_files.read_existing(top, [path]).get(path)
        if text:
            return rule_reading.read_rule(text, source=path).formerly
    return ()

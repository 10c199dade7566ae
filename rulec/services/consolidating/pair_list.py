"""rulec consolidate: the pairs of rules that may be one rule, and those that contradict each other."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rulec.domain.outcome import Outcome, Progress
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import example_line
from rulec.resolving.rule_pairs import MERGED, SURE_CONTRARY
from rulec.services.asking import pair_opinions
from rulec.services.consolidating import near_rules, rejected_pairs
from rulec.services.consolidating.near_rules import RulePair

_TITLES = {"same": "the same wish", "overlap": "overlap", "perhaps": "perhaps the same wish"}


def list_pairs(top: Path, backend: str, echo: Callable[[str], None], progress: Progress) -> Outcome:
    """Every pair that may be merged, with what speaks for it and the command that shows the merged rule."""
    book = rulebook_files.load_rulebook(top)
    keys = rejected_pairs.rejected_keys(top)
    opinions = pair_opinions.ask_about_pairs(top, book, backend, echo, progress)
    found = near_rules.related_pairs(book, top, opinions)
    mergeable = [one for one in found if one.relation.kind in MERGED]
    waiting = [one for one in mergeable if not rejected_pairs.is_rejected(keys, one.first, one.second)]
    opposed = [
        one
        for one in found
        if one.relation.kind == "contrary" and (one.relation.score >= SURE_CONTRARY or one.relation.by_model)
    ]
    left = len(mergeable) - len(waiting)
    text = "\n".join(_lines(waiting, opposed, left))
    return Outcome(text, data=[_pair_json(one) for one in (*waiting, *opposed)])


def _lines(waiting: Sequence[RulePair], opposed: Sequence[RulePair], left: int) -> Iterator[str]:
    if not waiting:
        yield "no two rules say the same" + f"; {left} kept apart by you" * bool(left)
    for one in waiting:
        yield f"{one.first.slug} and {one.second.slug}: {_TITLES[one.relation.kind]}"
        yield from (f"  {rule.slug}: {' '.join(rule.statement.split())}" for rule in (one.first, one.second))
        yield f"  because: {one.relation.because}"
        if one.relation.statement:
            yield f"  as one: {one.relation.statement}"
        worded = f" --statement {shlex.quote(one.relation.statement)}" if one.relation.statement else ""
        yield f"  next: rulec consolidate {one.first.slug} {one.second.slug}{worded}"
    for one in opposed:
        yield f"{one.first.slug} and {one.second.slug}: contradict each other, so they are not merged"
        yield f"  because: {one.relation.because}{_witness(one)}; rulec retire OLD --for NEW settles it"
    if waiting and left:
        yield f"{left} more kept apart by you, until one of the rules changes"


def _witness(one: RulePair) -> str:
    found = one.relation.witness
    return f": `{' '.join(example_line(found).split())}`" if found else ""


def _pair_json(one: RulePair) -> dict[str, Any]:
    said = one.relation
    witness = example_line(said.witness) if said.witness else ""
    return {
        "kept": one.first.slug,
        "other": one.second.slug,
        "kind": said.kind,
        "because": said.because,
        "score": said.score,
        "statement": said.statement,
        "contained": said.contained,
        "witness": witness,
    }

"""What the page says first: what was found lately and what became of it, and which rules may need a look."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rulec.gates import gate_ledger
from rulec.infra import clock
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.followed_findings import FollowedFinding, follow_findings
from rulec.reports.ledger_counts import GATE_TITLES
from rulec.services.history import activity, status
from rulec.services.proposals import waiting_candidates
from rulec.services.rules.rule_list import list_rules

DAYS = 7  # that "lately" means
MOST = 20  # findings, and rules of each kind, that are listed


def describe_today(top: Path) -> dict[str, Any]:
    """What is known without reading a rule: findings, how many proposals wait, and the state as it was told last."""
    since = clock.days_ahead(-DAYS)
    found = [one for one in follow_findings(gate_ledger.ledger_entries(top)) if max(one.at, one.ended) >= since]
    return {
        "days": DAYS,
        "ready": rulebook_files.has_rulebook(top),
        "state": _lines(status.kept_status(top)),
        "refused": sum(one.outcome == "block" for one in found),
        "fixed": sum(one.end == "fixed" for one in found),
        "open": sum(not one.end for one in found),
        "waiting": waiting_candidates.count_waiting(top),
        "findings": [_finding(one) for one in sorted(found, key=lambda one: max(one.at, one.ended))[: -MOST - 1 : -1]],
    }


def _finding(one: FollowedFinding) -> dict[str, Any]:
    return {**asdict(one), "gate": GATE_TITLES.get(one.gate, one.gate), "seconds": one.seconds}


def _lines(text: str) -> list[list[str]]:
    """The state's lines, each with its label."""
    return [list(line.partition(": ")[::2]) for line in text.splitlines()]


def describe_state(top: Path) -> list[list[str]]:
    """The state of the repository as ``rulec`` alone tells it; its last line is the next step."""
    return _lines(status.show_status(top).text)


def rules_to_look_at(top: Path) -> list[dict[str, str]]:
    """The rules that are noisy, or that nothing spoke of for long, each with the reason and what to do."""
    return list(_noisy(top))[:MOST] + list(_stale(top))[:MOST]


def _noisy(top: Path) -> Iterator[dict[str, str]]:
    for one in activity.rule_accounts(top):
        if one.noisy:
            yield {"slug": one.slug, "why": "noisy", "said": activity.counts_in_words(one)}


def _stale(top: Path) -> Iterator[dict[str, str]]:
    for row in list_rules(top).data:
        if row["state"] != "fresh":
            yield {"slug": row["slug"], "why": row["state"], "said": "nobody spoke of it and no gate saw it for long"}

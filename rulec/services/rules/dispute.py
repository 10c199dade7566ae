"""rulec dispute: records that a rule was wrong to fire, in the git directory until the next tally."""

from collections.abc import Iterable
from pathlib import Path

from rulec.domain.enforcement import ENFORCEMENTS
from rulec.domain.evidence import Evidence, LedgerLine
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.infra import clock, state
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import evidence_file, rulebook
from rulec.services import rulebook_commit
from rulec.services.rules.exception import COUNTEREXAMPLE_WEIGHT, ExceptionBounds

FOLDER = "disputed"
MOST = 200  # that may wait


def keep_dispute(top: Path, item: Evidence) -> None:
    """Save a counterexample for the next tally."""
    if len(state.state_names(top, FOLDER)) >= MOST:
        raise RulecError(f"{MOST} disputes already wait", hint="run rulec tally first")
    state.write_state_text(top, f"{FOLDER}/{evidence_file.evidence_id(item)}", state.dump_dataclass(item))


def waiting_disputes(top: Path) -> list[Evidence]:
    """All saved disputes, oldest first; damaged ones are left alone."""
    found = []
    for name in state.state_names(top, FOLDER)[:MOST]:
        try:
            item = state.load_dataclass(Evidence, state.read_state_text(top, f"{FOLDER}/{name}"))
        except (ValueError, RulecError):
            continue
        if isinstance(item, Evidence) and item.kind == "counterexample" and evidence_file.evidence_id(item) == name:
            found.append(item)
    return sorted(found, key=lambda item: (item.at, item.slug, item.quote))


def drop_disputes(top: Path, items: Iterable[Evidence]) -> None:
    """Delete disputes that are evidence now."""
    for item in items:
        state.remove_state(top, f"{FOLDER}/{evidence_file.evidence_id(item)}")


_OF_FILES = ("commit", "push", "done", "stop")  # gates whose findings name a file where they name anything


def dispute_rule(top: Path, slug: str, where: ExceptionBounds, reason: str) -> Outcome:
    """Keep it beside the ledger; ``rulec tally`` makes it a counterexample, and three alike make a case.

    Without a place it is about the file that the rule fired on last, where it was a file.
    """
    said = rulebook_commit.clean_reason(reason)
    if not said:
        raise RulecError("the reason is empty", hint="say what was wrong: rulec dispute SLUG --reason TEXT")
    rulebook.require_team_rule(rulebook_files.load_rulebook(top), slug)
    last = None if where.path or where.command else _last_finding(top, slug)
    item = Evidence(
        slug=slug,
        kind="counterexample",
        weight=COUNTEREXAMPLE_WEIGHT,
        at=clock.now(),
        quote=said,
        agent=rulebook_commit.clean_reason(where.agent),
        accepted=rulebook_commit.clean_reason(where.command),
        path=rulebook_commit.clean_reason(where.path) or (last.of if last else ""),
    )
    keep_dispute(top, item)
    about = item.path or (f"`{item.accepted}`" if item.accepted else "")
    fired = f", on which it fired {last.at[:10]}" if last else ""
    lines = [
        f"noted that {slug} was wrong" + f" about {about}{fired}" * bool(about),
        f"next: rulec tally ({len(waiting_disputes(top))} disputed) makes it evidence against the rule",
    ]
    return Outcome("\n".join(lines))


def _last_finding(top: Path, slug: str) -> LedgerLine | None:
    """The rule's last finding in the ledger, where that was in a file."""
    fired = [one for one in gate_ledger.ledger_entries(top, slug) if one.outcome in ENFORCEMENTS]
    return fired[-1] if fired and fired[-1].of and fired[-1].event in _OF_FILES else None

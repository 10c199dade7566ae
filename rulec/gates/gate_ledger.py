"""The ledger of what gates found on this machine: lines in the git folder, written and read back."""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rulec.checkout import ledger
from rulec.domain.enforcement import refuses
from rulec.domain.evidence import LedgerLine
from rulec.domain.finding import Finding, Verdict
from rulec.infra import state
from rulec.rulebook.confidence import to_seconds
from rulec.rulebook.rule_file import SLUG_PATTERN

# As evidence has them: a line that could not be written there is none.
_AGENT, _GATE = re.compile(r"[\w.-]{0,40}"), re.compile(r"[\w-]{1,20}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z-]{1,30}")
_NAME = re.compile(r"[0-9a-f]{12}")
_LONGEST = ledger.LONGEST
_COUNTED = "counted"


def ledger_entries(top: Path, slug: str = "") -> list[LedgerLine]:
    """The entries about findings, oldest first, of all rules or of one; unreadable lines are skipped."""
    found = _findings(ledger.read_entries(str(top)))
    return [one for one in found if not slug or one.slug == slug]


def _findings(lines: Iterable[dict[str, Any]]) -> Iterator[LedgerLine]:
    return filter(None, (_read(line) for line in lines if line.get("outcome") != ledger.KEPT))


def last_fired(top: Path) -> dict[str, str]:
    """When each rule last found something on this machine."""
    return {one.slug: one.at for one in ledger_entries(top)}


def _read(line: dict[str, Any]) -> LedgerLine | None:
    """An entry from its line, None unless every field has the form that a gate writes."""
    slug, at, event, agent = (str(line.get(key, "")) for key in ("slug", "at", "event", "agent"))
    outcome = str(line.get("outcome", ""))
    if not (SLUG_PATTERN.fullmatch(slug) and _AT.fullmatch(at) and to_seconds(at) is not None):
        return None
    if not (_AGENT.fullmatch(agent) and _GATE.fullmatch(event) and _GATE.fullmatch(outcome)):
        return None
    name = str(line.get("id", ""))
    if not _NAME.fullmatch(name):  # of before lines had one
        name = hashlib.sha256(json.dumps(line, sort_keys=True).encode()).hexdigest()[:12]
    return LedgerLine(
        slug=slug, at=at, event=event, agent=agent.strip("-"), outcome=outcome, of=_plain(line.get("of", "")),
        times=ledger.count_of(line), unsure=line.get("unsure") is True, id=name,
        session=_plain(line.get("session", "")),
    )  # fmt: skip


def _plain(of: object) -> str:
    """A path that can be written to any file, also where it is not UTF-8."""
    return str(of)[:_LONGEST].encode("utf-8", "replace").decode()


def record_verdicts(
    top: Path, event: str, verdicts: Sequence[Verdict], *, paths: Collection[str] = (), slugs: Collection[str] = ()
) -> None:
    """Note a gate's verdicts, and which earlier findings are fixed now.

    ``paths`` are the files that it judged ("" for the message), ``slugs`` the rules that it judged them by.
    """
    ledger.append(str(top), list(_lines(event, verdicts)))
    still = {(v.facts.slug, v.finding.path if v.finding else "") for v in verdicts if v.outcome != "excepted"}
    broken = {verdict.facts.slug for verdict in verdicts if verdict.fault}
    known, judged = frozenset(paths), frozenset(slugs) - broken

    def gone(slug: str, of: str, kind: str) -> bool:
        here = of in known and (kind == "message") == (of == "")
        return here and slug in judged and (slug, of) not in still

    ledger.note_fixed_at_gate(str(top), event, gone)


def _lines(event: str, verdicts: Sequence[Verdict]) -> Iterator[dict[str, object]]:
    """One entry for each rule, place and outcome, with the number of findings."""
    found: dict[tuple[str, str, str, bool], list[str]] = {}
    for verdict in verdicts:
        seen = verdict.finding or verdict.fault
        if seen is not None and verdict.outcome != "old":
            unsure = isinstance(seen, Finding) and not seen.sure
            key = (verdict.facts.slug, _outcome(verdict), seen.path[: ledger.LONGEST], unsure)
            found.setdefault(key, []).append(seen.text if isinstance(seen, Finding) else seen.what)
    for (slug, outcome, path, unsure), texts in found.items():
        yield {
            "event": event, "agent": "", "slug": slug, "outcome": outcome, "kind": "file" if path else "message",
            "unsure": unsure, "of": path, "digest": ledger.short_digest(texts[0]),
            **({"times": len(texts)} if len(texts) > 1 else {}),
        }  # fmt: skip


def _outcome(verdict: Verdict) -> str:
    if verdict.fault:
        return verdict.outcome if refuses(verdict.outcome) else "fault"
    return "lost" if verdict.lost else verdict.outcome


def folded_entries(top: Path) -> dict[str, list[str]]:
    """The evidence that entries were folded into, with the ids of those entries."""
    return _marks(state.read_state(top, _COUNTED))


def _marks(found: Any) -> dict[str, list[str]]:
    """What a piece of state says of folded entries; what has another form is left out."""
    if not isinstance(found, dict):
        return {}
    return {str(key): [str(one) for one in value] for key, value in found.items() if isinstance(value, list)}


def record_folded(top: Path, folded: dict[str, list[str]]) -> None:
    """Note which entries were folded into which evidence; entries that are gone from the ledger need no note."""
    here = {one.id for one in ledger_entries(top)}

    def change(found: Any) -> dict[str, list[str]]:
        every = {**_marks(found), **folded}.items()
        return {name: kept for name, lines in every if (kept := [one for one in lines if one in here])}

    state.update_state(top, _COUNTED, change)

"""What every rule did, as this machine and the team's evidence know it."""

from collections.abc import Iterable
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _disputes
from rulec.commands._verdicts import facts_of
from rulec.errors import RulecError
from rulec.host import journal, ledger, worktree
from rulec.model.account import Account
from rulec.model.evidence import Evidence, Noted
from rulec.stages.recount import recount

WORDS = {
    "block": "blocked",
    "warn": "warned",
    "audit": "noted",
    "waived": "waived",
    "lost": "lost",
    "fault": "broke",
    "fixed": "fixed",
    "suppressed": "suppressed",
}


def accounts(top: Path, since: str = "") -> tuple[Account, ...]:
    """The account of each rule that gates enforce, from a day on, the noisiest first.

    No rule file is read: what is compiled says enough of its rules, and a thousand times faster.
    """
    if not worktree.exists(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    journal.mend(top)
    facts = facts_of(worktree.compiled(worktree.compiled_at_hand(top)))
    rules = [
        Account(slug=slug, statement=" ".join(known.statement.split()), acts=known.enforcement)
        for slug, known in facts.items()
    ]
    evidence = _counting(top)
    noted = loose(top, evidence)
    return recount(rules, noted, _by_slug([*evidence, *_disputes.waiting(top)]), since)


def _counting(top: Path) -> list[Evidence]:
    """The evidence that counts anything, or speaks against a rule; all other is not even parsed."""
    files = worktree.texts(top).items()
    return [
        evidencefile.loads(text, source=path)
        for path, text in files
        if path.startswith(f"{worktree.RULES}/evidence/") and ("\nseen:" in text or "counterexample" in text)
    ]


def _by_slug(evidence: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for item in evidence:
        found.setdefault(item.slug, []).append(item)
    return found


def loose(top: Path, evidence: Iterable[Evidence]) -> list[Noted]:
    """The lines of the ledger that are not in this evidence."""
    there = {evidencefile.identity(item) for item in evidence if item.seen}
    folded = {name for mark, names in ledger.tallied(top).items() if mark in there for name in names}
    return [line for line in ledger.noted(top) if line.id not in folded]


def counted(account: Account) -> str:
    """Its counts in words."""
    told = [f"{times} {word}" for outcome, word in WORDS.items() if (times := account.times(outcome))]
    return ", ".join([*told, *([f"{account.disputed} disputed"] if account.disputed else [])])


def of(evidence: Iterable[Evidence], slug: str, noted: Iterable[Noted] = ()) -> Account:
    """What some evidence, or some lines of the ledger, say of a rule."""
    return recount([Account(slug=slug)], noted, {slug: list(evidence)})[0]

"""What every rule did, from this machine's ledger and the team's evidence."""

from collections.abc import Iterable
from pathlib import Path

from rulec.domain.evidence import Evidence, LedgerLine
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import journal
from rulec.infra.rulebooks import work_tree
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.history.ledger_counts import RuleActivity, account_by_rule
from rulec.services.rules import dispute

OUTCOME_WORDS = {
    "block": "blocked",
    "warn": "warned",
    "audit": "noted",
    "waived": "waived",
    "lost": "lost",
    "fault": "broke",
    "fixed": "fixed",
    "suppressed": "suppressed",
}


def rule_accounts(top: Path, since: str = "") -> tuple[RuleActivity, ...]:
    """The account of each rule that gates enforce, from a day on, the noisiest first.

    No rule file is read: what is compiled says enough of its rules, and a thousand times faster.
    """
    if not work_tree.has_rulebook(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    journal.finish_interrupted(top)
    facts = facts_by_slug(work_tree.compiled_checks(work_tree.compiled_in_work_tree(top)))
    rules = [
        RuleActivity(slug=slug, statement=" ".join(known.statement.split()), acts=known.enforcement)
        for slug, known in facts.items()
    ]
    evidence = _counting(top)
    noted = lines_not_in_evidence(top, evidence)
    return account_by_rule(rules, noted, _by_slug([*evidence, *dispute.waiting_disputes(top)]), since)


def _counting(top: Path) -> list[Evidence]:
    """The evidence that counts anything, or speaks against a rule; all other is not even parsed."""
    files = work_tree.rulebook_texts(top).items()
    return [
        evidence_file.parse_evidence(text, source=path)
        for path, text in files
        if path.startswith(f"{file_paths.RULES}/evidence/") and ("\nseen:" in text or "counterexample" in text)
    ]


def _by_slug(evidence: Iterable[Evidence]) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = {}
    for item in evidence:
        found.setdefault(item.slug, []).append(item)
    return found


def lines_not_in_evidence(top: Path, evidence: Iterable[Evidence]) -> list[LedgerLine]:
    """The lines of the ledger that are not in this evidence."""
    there = {evidence_file.evidence_id(item) for item in evidence if item.seen}
    folded = {name for mark, names in gate_ledger.folded_entries(top).items() if mark in there for name in names}
    return [line for line in gate_ledger.ledger_entries(top) if line.id not in folded]


def counts_in_words(account: RuleActivity) -> str:
    """Its counts in words."""
    told = [f"{times} {word}" for outcome, word in OUTCOME_WORDS.items() if (times := account.times(outcome))]
    return ", ".join([*told, *([f"{account.disputed} disputed"] if account.disputed else [])])


def account_of(evidence: Iterable[Evidence], slug: str, noted: Iterable[LedgerLine] = ()) -> RuleActivity:
    """What some evidence, or some lines of the ledger, say of a rule."""
    return account_by_rule([RuleActivity(slug=slug)], noted, {slug: list(evidence)})[0]

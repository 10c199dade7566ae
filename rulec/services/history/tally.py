"""What every rule did, from this machine's ledger and the team's evidence; rulec tally commits it as evidence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec.domain.enforcement import ENFORCEMENTS, MODES
from rulec.domain.evidence import Evidence, LedgerLine
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import clock, journal, state
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.ledger_counts import FoldedObservation, RuleActivity, account_by_rule, fold_into_evidence
from rulec.reports.wording import count_of
from rulec.rulebook import evidence_file, file_paths, rulebook
from rulec.rulebook.confidence import to_seconds
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules import exceptions
from rulec.services.rules.exceptions import loosening_warning

OUTCOME_WORDS: dict[str, str] = {
    **{name: MODES[name].did for name in reversed(ENFORCEMENTS)},
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
    if not rulebook_files.has_rulebook(top):
        raise RulecError("has no rulebook", where=str(top), hint="run rulec init")
    journal.finish_interrupted(top)
    facts = facts_by_slug(rulebook_files.compiled_checks(rulebook_files.compiled_in_work_tree(top)))
    rules = [
        RuleActivity(slug=slug, statement=" ".join(known.statement.split()), acts=known.enforcement)
        for slug, known in facts.items()
    ]
    evidence = _counting(top)
    counted = {evidence_file.evidence_id(item) for item in evidence if item.seen}
    folded = {name for mark, names in gate_ledger.folded_entries(top).items() if mark in counted for name in names}
    noted = [line for line in gate_ledger.ledger_entries(top) if line.id not in folded]
    by_slug: dict[str, list[Evidence]] = {}
    for item in (*evidence, *exceptions.waiting_disputes(top)):
        by_slug.setdefault(item.slug, []).append(item)
    return account_by_rule(rules, noted, by_slug, since)


def _counting(top: Path) -> list[Evidence]:
    """The evidence files that count something or speak against a rule; others are not parsed."""
    files = rulebook_files.rulebook_texts(top).items()
    return [
        evidence_file.parse_evidence(text, source=path)
        for path, text in files
        if path.startswith(f"{file_paths.RULES}/evidence/") and ("\nseen:" in text or "counterexample" in text)
    ]


def counts_in_words(account: RuleActivity) -> str:
    """The counts of an account, in words."""
    counts = [f"{times} {word}" for outcome, word in OUTCOME_WORDS.items() if (times := account.times(outcome))]
    return ", ".join([*counts, *([f"{account.disputed} disputed"] if account.disputed else [])])


def account_of(evidence: Iterable[Evidence], slug: str, noted: Iterable[LedgerLine] = ()) -> RuleActivity:
    """What some evidence or ledger lines say of one rule."""
    return account_by_rule([RuleActivity(slug=slug)], noted, {slug: list(evidence)})[0]


_HALF = "tallying"  # what is being written: of an evidence the names of its lines
NAMED = 3
AHEAD = 86_400.0  # seconds that a clock may have been ahead


def tally_ledger(top: Path, onto: ChangeTarget, confirm: Callable[[str], bool]) -> Outcome:
    """Write the new lines of the ledger as evidence; no line is counted twice, even if the commit fails."""
    with rulebook_commit.open_rulebook(top, onto) as book:
        _finish(top)
        folded = untallied(top, book)
        disputes = [item for item in exceptions.waiting_disputes(top) if _own(book, item.slug)]
        evidence = [*(one.evidence for one in folded), *disputes]
        if not evidence:
            return Outcome("nothing new to tally")
        counted = [f"  {line}" for line in _rule_lines(evidence)]
        if not confirm("\n".join(["These counts become evidence:", *counted])):
            return Outcome("nothing was written")
        done = _written(top, onto, folded, evidence)
        return replace(done, text="\n".join([done.text, *counted, *_weaker(top, book, disputes)]))


def _own(book: Rulebook, slug: str) -> bool:
    """Whether evidence about the rule belongs into this rulebook: it is the team's, and in force."""
    rule = book.rule(slug)
    return rule is not None and rule.layer == "team"


def untallied(top: Path, book: Rulebook) -> tuple[FoldedObservation, ...]:
    """What the next tally would count, with the ids of its ledger lines."""
    known = {name for names in gate_ledger.folded_entries(top).values() for name in names}
    latest = (to_seconds(clock.now()) or 0.0) + AHEAD
    lines = (
        one for one in gate_ledger.ledger_entries(top) if one.id not in known and (to_seconds(one.at) or 0.0) <= latest
    )
    return fold_into_evidence(one for one in lines if _own(book, one.slug))


def _written(
    top: Path, onto: ChangeTarget, folded: Sequence[FoldedObservation], evidence: Sequence[Evidence]
) -> Outcome:
    marks = {evidence_file.evidence_id(one.evidence): list(one.lines) for one in folded}
    files = rulebook_commit.evidence_files(evidence)
    state.write_state(top, _HALF, {"branch": onto.branch, "paths": list(files), "marks": marks})
    done = rulebook_commit.commit_with_outcome(top, onto, files, _message(evidence), _what(evidence))
    _finish(top)
    return done


def _finish(top: Path) -> None:
    """Mark the lines of a committed tally as counted."""
    half = state.read_state(top, _HALF)
    if half is None:
        return
    if isinstance(half, Mapping) and half.get("paths"):
        there = rulebook_commit.target_rulebook_texts(top, ChangeTarget(branch=str(half.get("branch") or "")))
        if str(half["paths"][0]) in there:
            gate_ledger.record_folded(top, half["marks"])
            exceptions.drop_disputes(
                top, [item for item in exceptions.waiting_disputes(top) if file_paths.evidence_path(item) in there]
            )
    state.remove_state(top, _HALF)


def _rule_lines(evidence: Sequence[Evidence]) -> list[str]:
    """One line for each rule about what was seen."""
    slugs = sorted({item.slug for item in evidence})
    lines = [
        f"{slug}: {counts_in_words(account_of([item for item in evidence if item.slug == slug], slug))}"
        for slug in slugs
    ]
    return lines + [_said(item) for item in evidence if item.kind == "counterexample"]


def _said(item: Evidence) -> str:
    about = f" ({' '.join((item.path or item.accepted).split())})" if item.path or item.accepted else ""
    return f'{item.slug} was wrong{about}: "{item.quote}"'


def _message(evidence: Sequence[Evidence]) -> str:
    """The commit message, with the trailers that log and why read."""
    slugs = sorted({item.slug for item in evidence})
    named = ", ".join(slugs[:NAMED]) + f" and {len(slugs) - NAMED} more" * (len(slugs) > NAMED)
    ids = ", ".join(evidence_file.evidence_id(item) for item in evidence)
    body = "\n".join(_rule_lines(evidence))
    because = f"{_what(evidence)}, which changes no rule"
    return f"Tally what gates saw\n\n{body}\n\nResolution: NOOP {named} -- {because}\nEvidence: {ids}\n"


def _what(evidence: Sequence[Evidence]) -> str:
    seen = sum(count.times for item in evidence for count in item.seen)
    disputed = sum(item.kind == "counterexample" for item in evidence)
    slugs = len({item.slug for item in evidence})
    more = f" and {count_of(disputed, 'dispute')}" * bool(disputed)
    return f"tallied {count_of(seen, 'observation')}{more}, about {count_of(slugs, 'rule')}"


def _weaker(top: Path, book: Rulebook, disputes: Sequence[Evidence]) -> list[str]:
    """A warning for each rule that the disputes keep from blocking."""
    lines = []
    for slug in sorted({item.slug for item in disputes}):
        own = tuple(item for item in disputes if item.slug == slug)
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), *own)})
        lines += loosening_warning(top, book, after, rulebook.require_team_rule(book, slug))
    return lines

"""rulec report --commit: what the gates of this machine saw becomes evidence, in one commit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.gates import gate_ledger
from rulec.infra import clock, state
from rulec.reports.ledger_counts import FoldedObservation, fold_into_evidence
from rulec.reports.wording import count_of
from rulec.rulebook import evidence_file
from rulec.rulebook.confidence import to_seconds
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.history.activity import account_of, counts_in_words
from rulec.services.rulebook_commit import ChangeTarget

_HALF = "counting"  # what is being written: of an evidence the names of its lines
NAMED = 3
AHEAD = 86_400.0  # seconds that a clock may have been ahead


def commit_counts(top: Path, onto: ChangeTarget, confirm: Callable[[str], bool]) -> Outcome:
    """Write the new lines of the ledger as evidence; no line is counted twice, even if the commit fails."""
    with rulebook_commit.open_rulebook(top, onto) as current:
        book, asked = current, list[Evidence]()
        while True:  # what another command wrote while a person was asked is not written twice
            _finish(top)
            folded = new_counts(top, book)
            evidence = [one.evidence for one in folded]
            if not evidence:
                return Outcome("nothing new was counted")
            counted = [f"  {line}" for line in _rule_lines(evidence)]
            if evidence == asked:
                break
            question = "\n".join(["These counts become evidence:", *counted])
            if not rulebook_commit.ask_unlocked(top, onto, partial(confirm, question))[0]:
                return Outcome("nothing was written")
            asked, book = evidence, rulebook_commit.load_target_rulebook(top, onto)
        done = _written(top, onto, folded, evidence)
        return replace(done, text="\n".join([done.text, *counted]))


def new_counts(top: Path, book: Rulebook) -> tuple[FoldedObservation, ...]:
    """What ``commit_counts`` would write now, with the ids of its ledger lines."""
    known = {name for names in gate_ledger.folded_entries(top).values() for name in names}
    latest = (to_seconds(clock.now()) or 0.0) + AHEAD
    lines = (
        one for one in gate_ledger.ledger_entries(top) if one.id not in known and (to_seconds(one.at) or 0.0) <= latest
    )
    return fold_into_evidence(one for one in lines if _own(book, one.slug))


def _own(book: Rulebook, slug: str) -> bool:
    """Whether evidence about the rule belongs into this rulebook: it is the team's, and in force."""
    rule = book.rule(slug)
    return rule is not None and rule.layer == "team"


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
    """Mark the lines that a commit holds as counted."""
    half = state.read_state(top, _HALF)
    if half is None:
        return
    if isinstance(half, Mapping) and half.get("paths"):
        there = rulebook_commit.target_rulebook_texts(top, ChangeTarget(branch=str(half.get("branch") or "")))
        if str(half["paths"][0]) in there:
            gate_ledger.record_folded(top, half["marks"])
    state.remove_state(top, _HALF)


def _rule_lines(evidence: Sequence[Evidence]) -> list[str]:
    """One line for each rule about what was seen."""
    slugs = sorted({item.slug for item in evidence})
    return [
        f"{slug}: {counts_in_words(account_of([item for item in evidence if item.slug == slug], slug))}"
        for slug in slugs
    ]


def _message(evidence: Sequence[Evidence]) -> str:
    """The commit message, with the trailers that ``rulec why`` reads."""
    slugs = sorted({item.slug for item in evidence})
    named = ", ".join(slugs[:NAMED]) + f" and {len(slugs) - NAMED} more" * (len(slugs) > NAMED)
    ids = ", ".join(evidence_file.evidence_id(item) for item in evidence)
    body = "\n".join(_rule_lines(evidence))
    because = f"{_what(evidence)}, which changes no rule"
    return f"Count what gates saw\n\n{body}\n\nResolution: NOOP {named} -- {because}\nEvidence: {ids}\n"


def _what(evidence: Sequence[Evidence]) -> str:
    seen = sum(count.times for item in evidence for count in item.seen)
    return f"counted {count_of(seen, 'observation')} about {count_of(len({item.slug for item in evidence}), 'rule')}"

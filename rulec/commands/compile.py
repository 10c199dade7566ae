"""``rulec compile``: rules -> proved artifacts, or with --check only whether they are current."""

from pathlib import Path

from rulec import evidencefile
from rulec.commands import _build, _prove, _write
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.host import journal, worktree
from rulec.model.evidence import Evidence
from rulec.model.proof import Proof
from rulec.model.rulebook import Rulebook
from rulec.stages.revise import proved


def run(top: Path, *, check: bool = False) -> Outcome:
    """Prove what is unproved, write what is stale; exit 1 where a proof fails or, with --check, on a difference."""
    book = worktree.load(top)
    if check:
        return _current(top, book)
    with journal.lock(top):
        proofs = unproved(top, book)
        items = [proved(proof) for proof in proofs if proof.holds]
        written = _write.to_work_tree(top, texts_of(items))
    failed = [proof for proof in proofs if not proof.holds]
    lines = [f"{'wrote  ' if file.text is not None else 'removed'} {file.path}" for file in written]
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [f"FAILED  {p.slug} at {p.failure}; {p.cure}; what it finds is only noted until then" for p in failed]
    total = f"{len(book.rules)} rules, {len(written)} files changed, {len(items)} newly proved, {len(failed)} unproved"
    return Outcome("\n".join([*lines, total]), FINDINGS if failed else 0)


def unproved(top: Path, book: Rulebook) -> list[Proof]:
    """Fresh proofs of the rules whose checks, as they compile now, have none."""
    built = _build.checks(book, top)
    due = [rule for rule in book.rules if rule.checks and not _prove.proved_already(book, rule, built)]
    return [_prove.prove(book, rule, top) for rule in due]


def texts_of(items: list[Evidence]) -> dict[str, str | None]:
    """Evidence as files."""
    return {worktree.evidence_path(item): evidencefile.dumps(item) for item in items}


def _current(top: Path, book: Rulebook) -> Outcome:
    differing = [f"{'missing or stale' if file.text else 'left over'}: {file.path}" for file in _write.sync(top, book)]
    built = _build.checks(book, top)
    bare = [r.slug for r in book.rules if r.checks and not _prove.proved_already(book, r, built)]
    differing += [f"unproved: {slug}" for slug in bare]
    if differing:
        return Outcome("\n".join([*differing, "run rulec compile and commit what it writes"]), FINDINGS)
    return Outcome(f"{len(book.rules)} rules, every artifact is current")

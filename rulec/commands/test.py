"""``rulec test``: every rule's check decides its own examples, through its compiled artifact."""

from pathlib import Path

from rulec.commands import _prove
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.proof import Proof
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook


def run(top: Path, slug: str = "") -> Outcome:
    """The proof of one rule or of all; exit 1 where one fails."""
    book = worktree.load(top)
    rules = [known(book, slug)] if slug else list(book.rules)
    proofs = [_prove.prove(book, rule, top) for rule in rules if rule.checks]
    reminders = [rule.slug for rule in rules if not rule.checks]
    lines = [_line(proof) for proof in proofs]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    failed = sum(not proof.holds for proof in proofs)
    lines.append(f"{len(proofs) - failed} proved, {failed} failed, {len(reminders)} reminders")
    data = [
        {"slug": p.slug, "holds": p.holds, "failure": p.failure, "digest": p.digest, "caught": p.caught} for p in proofs
    ]
    return Outcome("\n".join(lines), FINDINGS if failed else 0, data)


def known(book: Rulebook, slug: str) -> Rule:
    """The rule of that name, or a refusal that names its neighbours."""
    rule = book.rule(slug)
    if rule is None:
        names = ", ".join(r.slug for r in book.rules[:10]) or "none yet"
        raise RulecError(f"no rule {slug!r}", where=worktree.RULES, hint=f"the rules are {names}")
    return rule


def _line(proof: Proof) -> str:
    if proof.holds:
        return f"{proof.slug}@{proof.revision}: proved ({proof.stages[2].detail}), {proof.digest}"
    return f"{proof.slug}@{proof.revision}: FAILED at {proof.failure}"

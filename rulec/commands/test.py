"""``rulec test``: every rule's check decides its own examples and their variants, through its compiled artifact."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulec.commands import _lines, _prove
from rulec.commands._named import known
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.host import worktree
from rulec.model.proof import Edges, Mutant, Proof

HEAD = ("rule", "stage", "caught", "passed", "variants caught", "variants passed", "digest")


def run(top: Path, slug: str = "") -> Outcome:
    """The proof of one rule or of all, as a table; exit 1 where one fails. Of one rule it names the missed variants."""
    book = worktree.load(top)
    rules = [known(book, slug)] if slug else list(book.rules)
    proofs = [_prove.prove(book, rule, top, edges=True) for rule in rules if rule.checks]
    reminders = [rule.slug for rule in rules if not rule.checks]
    lines = list(_aligned([HEAD, *map(_row, proofs)])) if proofs else []
    lines += [f"{_name(proof)}: FAILED at {proof.failure}; {proof.cure}" for proof in proofs if not proof.holds]
    lines += [line for proof in proofs if slug for line in _missed(proof.edges or Edges())]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    failed = sum(not proof.holds for proof in proofs)
    lines.append(f"{len(proofs) - failed} proved, {failed} failed, {len(reminders)} reminders")
    return Outcome("\n".join(lines), FINDINGS if failed else 0, [_object(proof) for proof in proofs])


def _name(proof: Proof) -> str:
    return f"{proof.slug}@{proof.revision}"


def _row(proof: Proof) -> tuple[str, ...]:
    if not proof.holds:
        return (_name(proof), f"FAILED at {proof.stages[-1].name}", "-", "-", "-", "-", proof.digest)
    edges = proof.edges or Edges()
    grown = (f"{edges.caught}/{edges.invalid}", f"{edges.passed}/{edges.valid}")
    return (_name(proof), "proved", str(proof.caught), str(proof.passed_valid), *grown, proof.digest)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()


def _missed(edges: Edges) -> Iterator[str]:
    for mutant in edges.missed:
        verb = "lets through" if mutant.invalid else "catches the innocent"
        yield f"  {verb} ({mutant.name}): {_lines.short(_lines.example_line(mutant.example))}"


def _object(proof: Proof) -> dict[str, Any]:
    edges = proof.edges or Edges()
    return {
        "slug": proof.slug,
        "revision": proof.revision,
        "holds": proof.holds,
        "stage": "proved" if proof.holds else proof.stages[-1].name,
        "failure": proof.failure,
        "cure": proof.cure,
        "digest": proof.digest,
        "caught": proof.caught,
        "passed": proof.passed_valid,
        "variants": {
            "caught": [edges.caught, edges.invalid],
            "passed": [edges.passed, edges.valid],
            "missed": [_of(mutant) for mutant in edges.missed],
        },
    }


def _of(mutant: Mutant) -> dict[str, Any]:
    verdict = "should be caught" if mutant.invalid else "should pass"
    return {"name": mutant.name, "verdict": verdict, "example": _lines.example_line(mutant.example)}

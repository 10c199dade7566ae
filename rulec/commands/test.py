"""``rulec test``: every rule's check decides its own examples and their variants, through its compiled artifact."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import examplefile
from rulec.commands import _ask, _held, _innocents, _judges, _lines, _measure, _measured, _onto, _prove, _real
from rulec.commands._named import known
from rulec.commands._onto import Onto
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.commands._progress import Progress, unwatched
from rulec.host import templates, worktree
from rulec.model.proof import Edges, Mutant, Proof
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact

HEAD = ("rule", "stage", "caught", "passed", "variants caught", "variants passed", "digest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Who measures judges, and what becomes of that."""

    backend: str = ""  # "" is as the settings say
    repeats: int = _measure.REPEATS
    onto: Onto | None = None  # where measures are recorded; None is nowhere
    say: Callable[[str], None] = lambda _: None
    progress: Progress = unwatched


def run(top: Path, slug: str = "", wish: Measuring = Measuring()) -> Outcome:
    """The proof of one rule or of all, as a table; exit 1 where one fails. Of one rule it names the missed variants.

    Judges are measured where there is a backend, and what they reach moves no exit code.
    """
    book = _onto.load(top, wish.onto) if wish.onto else worktree.load(top)
    rules = [known(book, slug)] if slug else list(book.rules)
    proofs = [_prove.prove(book, rule, top, edges=True) for rule in rules if rule.checks]
    reminders = [rule.slug for rule in rules if not rule.checks]
    judged, asked = _judged(top, book, rules, wish)
    lines = list(_aligned([HEAD, *map(_row, proofs)])) if proofs else []
    lines += [f"{_name(proof)}: FAILED at {proof.failure}; {proof.cure}" for proof in proofs if not proof.holds]
    lines += [line for proof in proofs if slug for line in _missed(proof.edges or Edges())]
    shown = {"whole": bool(slug), "recording": wish.onto is not None}
    lines += [line for one in judged for line in _measured.lines(one, book, top, **shown)]
    by_slug = {rule.slug: rule for rule in rules}
    lines += [line for proof in proofs for line in _unseen(by_slug[proof.slug], proof)]
    lines += [f"{rule.slug}: {text}" for rule in rules if slug and (text := _innocents.look(top, book, rule).line)]
    lines += [f"{name}: a reminder, nothing to prove" for name in reminders]
    lines += [*asked, *([_measured.record(top, judged, wish.onto)] if wish.onto else [])]
    failed, unproved = sum(not proof.holds for proof in proofs), sum(_only_judged(proof) for proof in proofs)
    told = f", {unproved} for a model to judge" * bool(unproved)
    lines.append(f"{len(proofs) - failed - unproved} proved, {failed} failed, {len(reminders)} reminders{told}")
    return Outcome("\n".join(lines), FINDINGS if failed else 0, [_object(proof, judged) for proof in proofs])


def real(top: Path, slug: str = "") -> Outcome:
    """The examples of one rule or of all at the real gates, and where these decide otherwise than the proof does."""
    book = worktree.load(top)
    rules = [known(book, slug)] if slug else list(book.rules)
    played, left = _real.play(top, book, rules)
    odd = [one for one in played if not one.agree]
    rows = [("rule", "example", "is", "proof", "gate", "where"), *map(_played, odd)]
    lines = list(_aligned(rows)) if odd else []
    what = "example" + "s" * (len(played) != 1)
    lines.append(f"{len(played)} {what} played at the real gates, {len(odd)} decided otherwise than in the proof")
    lines += [f"{one.slug}: {one.examples} not played: {one.why}" for one in left]
    data = [_played_data(one) for one in played]
    data += [{"slug": one.slug, "not_played": one.examples, "why": one.why} for one in left]
    return Outcome("\n".join(lines), FINDINGS if odd else 0, data)


def _played(one: _real.Played) -> tuple[str, ...]:
    line = _lines.short(redact(_lines.example_line(one.example)))
    verdict = {True: "caught", False: "passes"}
    is_ = "invalid" if one.invalid else "valid"
    return (one.slug, line, is_, verdict[one.proof], verdict[one.real], one.where)


def _played_data(one: _real.Played) -> dict[str, Any]:
    return {
        "slug": one.slug,
        "example": examplefile.plain(one.example),
        "invalid": one.invalid,
        "proof": one.proof,
        "gate": one.real,
        "where": one.where,
        "said": redact(one.said),
        "agree": one.agree,
    }


def _unseen(rule: Rule, proof: Proof) -> Iterator[str]:
    """What nothing checks, and why a rule may only audit."""
    if why := _held.why(rule):
        yield f"{_name(proof)}: {why}"
    yield from (f"{_name(proof)}: not checked: {text}" for text in rule.not_checked)
    yield from (f"{_name(proof)}: {text}" for text in proof.doubled)
    for text in proof.unexplained:
        yield f"{_name(proof)}: the statement names {text!r}; no check sees it and it is not listed under not_checked"


def _judged(
    top: Path, book: Rulebook, rules: Sequence[Rule], wish: Measuring
) -> tuple[list[_measure.Measured], list[str]]:
    """How the judges did, and what that cost."""
    if not any(map(_judges.has, rules)):
        return [], []
    talk = _ask.Talk(top, _ask.models(top, book, wish.backend), templates.library().render, wish.say, wish.progress)
    found = _measure.measured(book, rules, top, talk, wish.repeats)
    return found, list(filter(None, [talk.spent()]))


def _only_judged(proof: Proof) -> bool:
    return proof.holds and not proof.digest


def _name(proof: Proof) -> str:
    return f"{proof.slug}@{proof.revision}"


def _row(proof: Proof) -> tuple[str, ...]:
    if not proof.holds:
        return (_name(proof), f"FAILED at {proof.stages[-1].name}", "-", "-", "-", "-", proof.digest)
    if _only_judged(proof):
        return (_name(proof), "judged", "-", "-", "-", "-", "-")
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
    for mutant in edges.wider:
        yield f"  catches this, too ({mutant.name}): {_lines.short(_lines.example_line(mutant.example))}"


def _object(proof: Proof, judged: Sequence[_measure.Measured]) -> dict[str, Any]:
    edges = proof.edges or Edges()
    return {
        **next(({"judge": _measured.data(one)} for one in judged if one.rule.slug == proof.slug), {}),
        "slug": proof.slug,
        "revision": proof.revision,
        "holds": proof.holds,
        "stage": "judged" if _only_judged(proof) else "proved" if proof.holds else proof.stages[-1].name,
        "failure": proof.failure,
        "failures": [_lines.failure(one) for one in proof.failed],
        "unexplained": list(proof.unexplained),
        "cure": proof.cure,
        "digest": proof.digest,
        "caught": proof.caught,
        "passed": proof.passed_valid,
        "variants": {
            "caught": [edges.caught, edges.invalid],
            "passed": [edges.passed, edges.valid],
            "missed": [_of(mutant) for mutant in edges.missed],
            "wider": [{**_of(mutant), "verdict": "for a person to say"} for mutant in edges.wider],
        },
    }


def _of(mutant: Mutant) -> dict[str, Any]:
    verdict = "should be caught" if mutant.invalid else "should pass"
    return {"name": mutant.name, "verdict": verdict, "example": _lines.example_line(mutant.example)}

"""``rulec tally``: what gates saw and people disputed -> evidence, in one commit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _disputes, _onto, _verb, _write
from rulec.commands._accounts import counted, of
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands.exception import milder
from rulec.host import clock, ledger, state, worktree
from rulec.model.confidence import moment
from rulec.model.evidence import Evidence
from rulec.model.rulebook import Rulebook
from rulec.stages.tally import Folded, tally

_HALF = "tallying"  # what is being written: of an evidence the names of its lines
NAMED = 3
AHEAD = 86_400.0  # seconds that a clock may have been ahead


def run(top: Path, onto: Onto, confirm: Callable[[str], bool]) -> Outcome:
    """Fold what is new in the ledger; the same lines are never folded twice, whatever becomes of the commit."""
    with _onto.changing(top, onto) as book:
        _finish(top)
        folded = _new(top, book)
        disputes = [item for item in _disputes.waiting(top) if _own(book, item.slug)]
        evidence = [*(one.evidence for one in folded), *disputes]
        if not evidence:
            return Outcome("nothing new to tally")
        told = [f"  {line}" for line in _told(evidence)]
        if not confirm("\n".join(["to be evidence:", *told])):
            return Outcome("nothing was written")
        commit = _written(top, onto, folded, disputes)
        done = _verb.done(top, onto, commit, _what(evidence))
        return replace(done, text="\n".join([done.text, *told, *_weaker(top, book, disputes)]))


def _own(book: Rulebook, slug: str) -> bool:
    """Whether the team may have evidence about a rule of that name: it is theirs, and in force."""
    rule = book.rule(slug)
    return rule is not None and rule.layer == "team"


def untallied(top: Path, book: Rulebook) -> list[str]:
    """The names of the lines that the next tally would fold."""
    return [name for one in _new(top, book) for name in one.lines]


def _new(top: Path, book: Rulebook) -> tuple[Folded, ...]:
    known = {name for names in ledger.tallied(top).values() for name in names}
    latest = (moment(clock.now()) or 0.0) + AHEAD
    lines = (one for one in ledger.noted(top) if one.id not in known and (moment(one.at) or 0.0) <= latest)
    return tally(one for one in lines if _own(book, one.slug))


def _written(top: Path, onto: Onto, folded: Sequence[Folded], disputes: Sequence[Evidence]) -> str:
    evidence = [*(one.evidence for one in folded), *disputes]
    marks = {evidencefile.identity(one.evidence): list(one.lines) for one in folded}
    paths = [worktree.evidence_path(item) for item in evidence]
    state.write(top, _HALF, {"branch": onto.branch, "paths": paths, "marks": marks})
    commit = _write.put(top, _verb.files(evidence), _message(evidence), onto)
    _finish(top)
    return commit


def _finish(top: Path) -> None:
    """Mark the lines of a tally that stands; one that was ended before its commit folded nothing."""
    half = state.read(top, _HALF)
    if half is None:
        return
    if isinstance(half, Mapping) and half.get("paths"):
        there = _onto.texts(top, Onto(branch=str(half.get("branch") or "")))
        if str(half["paths"][0]) in there:
            ledger.tally(top, half["marks"])
            _disputes.drop(top, [item for item in _disputes.waiting(top) if worktree.evidence_path(item) in there])
    state.remove(top, _HALF)


def _told(evidence: Sequence[Evidence]) -> list[str]:
    """What was seen of each rule, in a line."""
    slugs = sorted({item.slug for item in evidence})
    lines = [f"{slug}: {counted(of([item for item in evidence if item.slug == slug], slug))}" for slug in slugs]
    return lines + [_said(item) for item in evidence if item.kind == "counterexample"]


def _said(item: Evidence) -> str:
    about = f" ({' '.join((item.path or item.accepted).split())})" if item.path or item.accepted else ""
    return f'{item.slug} was wrong{about}: "{item.quote}"'


def _message(evidence: Sequence[Evidence]) -> str:
    """The commit message, with the trailers that log and why read."""
    slugs = sorted({item.slug for item in evidence})
    named = ", ".join(slugs[:NAMED]) + f" and {len(slugs) - NAMED} more" * (len(slugs) > NAMED)
    ids = ", ".join(evidencefile.identity(item) for item in evidence)
    body = "\n".join(_told(evidence))
    because = f"{_what(evidence)}, which changes no rule"
    return f"Tally what gates saw\n\n{body}\n\nResolution: NOOP {named} -- {because}\nEvidence: {ids}\n"


def _what(evidence: Sequence[Evidence]) -> str:
    seen = sum(count.times for item in evidence for count in item.seen)
    disputed = sum(item.kind == "counterexample" for item in evidence)
    slugs = len({item.slug for item in evidence})
    more = f" and {disputed} dispute{'s' * (disputed != 1)}" * bool(disputed)
    return f"tallied {seen} observation{'s' * (seen != 1)}{more}, about {slugs} rule{'s' * (slugs != 1)}"


def _weaker(top: Path, book: Rulebook, disputes: Sequence[Evidence]) -> list[str]:
    """A warning for each rule whose teeth the disputes take."""
    lines = []
    for slug in sorted({item.slug for item in disputes}):
        own = tuple(item for item in disputes if item.slug == slug)
        after = replace(book, evidence={**book.evidence, slug: (*book.observed(slug), *own)})
        lines += milder(top, book, after, _onto.standing(book, slug))
    return lines

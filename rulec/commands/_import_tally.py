"""What an import found and what became of it: counts, a row for each wish, and the lines that a person reads."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulec.commands import _lines
from rulec.commands._decide import Decided
from rulec.commands._lines import told as told_check
from rulec.commands._outcome import Outcome
from rulec.commands._propose import Proposal
from rulec.commands._sayings import Document, Found
from rulec.model.candidate import Candidate

NAMED = 10  # rules that are named in a line


@dataclass(slots=True)
class Tally:
    """What the files hold, and what became of it."""

    documents: list[Document]
    found: list[Found]
    elsewhere: list[Candidate] = field(default_factory=list)  # of files that are there but were not asked for
    kept: set[str] = field(default_factory=set)  # rules that a sentence of today says
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def candidates(self) -> list[Candidate]:
        """Each wish once, however many files say it."""
        each = {one.digest: one for found in self.found for one in found.candidates}
        return list(each.values())

    @property
    def digests(self) -> set[str]:
        """All that stands in files of the repository today."""
        return {one.digest for one in (*self.candidates, *self.elsewhere)}

    def known(self, slug: str) -> None:
        """Count a wish that a rule says already."""
        self.counts["known"] += 1
        self.kept.add(slug)

    def decided(self, one: Decided, candidate: Candidate) -> None:
        """Count what became of a wish."""
        proposal = one.proposal
        if proposal is None or (one.answer == "accept" and proposal.resolution.decision == "NOOP"):
            self.known(proposal.resolution.slug if proposal else "")
            return
        kind = one.answer
        if kind in ("accept", "new"):
            acts = "block" if proposal.rule.enforcement == "auto" else proposal.rule.enforcement
            kind = f"check {acts}" if proposal.proof else "reminder"
            self.kept.add(proposal.rule.slug)
        self.counts[kind] += 1
        self.rows.append({"from": place(candidate), "quote": _quote(candidate), **one.data})


def place(candidate: Candidate) -> str:
    """Where a wish stands: ``file:line``."""
    return f"{candidate.source.path}:{candidate.source.line}" if candidate.source else ""


def _quote(candidate: Candidate) -> str:
    return candidate.source.quote if candidate.source else ""


def lines(proposal: Proposal, candidate: Candidate) -> Iterator[str]:
    """A rule as it would be, for somebody who only looks."""
    rule, said = proposal.rule, proposal.resolution
    other = f" [{said.line()}]" if said.decision != "NEW" else ""
    yield f"{place(candidate)}  {rule.slug} ({rule.severity}): {_lines.short(rule.statement)}{other}"
    yield from (f"    {_lines.short(told_check(check))}" for check in rule.checks)
    if not rule.checks:
        yield "    no check, a reminder"


def summary(tally: Tally) -> str:
    """The table at the end, in a line."""
    counts = tally.counts
    checks = {key.partition(" ")[2]: many for key, many in sorted(counts.items()) if key.startswith("check ")}
    made = sum(checks.values()) + counts["reminder"]
    acts = ", ".join(f"{many} checked ({act})" for act, many in checks.items()) or "0 checked"
    parts = [f"{made} rule{'s' * (made != 1)}: {acts}, {counts['reminder']} reminder{'s' * (counts['reminder'] != 1)}"]
    parts += [f"{counts[key]} {words}" for key, words in _WORDS.items() if counts[key]]
    return ", ".join([*parts, f"{counts['left']} left out: not a wish"])


_WORDS = {"known": "already there", "reject": "rejected", "rejected": "rejected before", "later": "left for later"}


def outcome(tally: Tally, lost: Mapping[str, str], *, asks: bool) -> Outcome:
    """All that is said at the end."""
    said = [summary(tally)]
    if many := tally.counts["later"]:
        nobody = "nobody is here to ask, so " * (not asks)
        wait = "1 proposal waits" if many == 1 else f"{many} proposals wait"
        said.append(f"{nobody}{wait} for you and nothing of it is active: rulec review")
    if lost:
        came = "1 rule came from a line that is" if len(lost) == 1 else f"{len(lost)} rules came from lines that are"
        names = [f"rulec retire {slug} (was {where})" for slug, where in sorted(lost.items())]
        said.append(f"{came} gone: {'; '.join(names[:NAMED])}{', …' * (len(names) > NAMED)}")
    return Outcome("\n".join(said), data=data(tally, lost))


def data(tally: Tally, lost: Mapping[str, str]) -> dict[str, Any]:
    """For programs."""
    return {
        "files": [document.path for document in tally.documents],
        "rules": tally.rows,
        "counts": {key: many for key, many in sorted(tally.counts.items()) if many},
        "gone": sorted(lost),
    }

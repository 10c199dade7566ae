"""rulec import: makes rules of instruction documents, each resolved, proved and accepted like any other."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec.domain.candidate import Candidate
from rulec.domain.enforcement import STRICTEST
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.text import one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.rule_lines import check_line
from rulec.resolving.check_values import likeness
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.asking.repository_profile import names_in
from rulec.services.backtest.past_runs import Backtest, commit_backtest, would_have_refused
from rulec.services.mining.instruction_documents import (
    DocumentCandidates,
    InstructionDocument,
    all_documents,
    read_candidates,
    select_documents,
)
from rulec.services.proposals import candidate_decision, proposal_builder, waiting_candidates
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Echo
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.proposals.waiting_candidates import WaitingCandidate

REWRITTEN = 0.3  # so much of two sentences is shared when one was written in the other's place


def imported_evidence(book: Rulebook) -> list[Evidence]:
    """The sentences of documents that are evidence of a rule, in force or not."""
    return [item for items in book.evidence.values() for item in items if _is_import(item)]


def match_rewritten(new: Sequence[Candidate], book: Rulebook, present: set[str]) -> list[Candidate]:
    """New sentences, each with the rule of the similar sentence that it replaced."""
    vanished = (item for item in imported_evidence(book) if book.rule(item.slug) and item.digest not in present)
    free = {item.digest: item for item in vanished}
    found = []
    for one in new:
        old = max(free.values(), key=lambda item: _likeness(one, item), default=None)
        if one.source and old and _likeness(one, old) >= REWRITTEN:
            one = replace(one, source=replace(one.source, was=old.slug))  # noqa: PLW2901 - the same candidate, completed
            free = {digest: item for digest, item in free.items() if item.slug != old.slug}
        found.append(one)
    return found


def vanished_rules(book: Rulebook, present: set[str], kept: set[str], paths: set[str]) -> dict[str, str]:
    """Rules whose only evidence is sentences that are in none of these files any more, with their places."""
    found: dict[str, str] = {}
    for slug, items in book.evidence.items():
        if book.rule(slug) is None or slug in kept:
            continue
        pro = [item for item in items if item.kind in ("correction", "accepted") and item.weight > 0]
        if pro and all(_is_import(item) and item.transcript in paths and item.digest not in present for item in pro):
            found[slug] = f"{pro[0].transcript}:{pro[0].turn}"
    return found


def _is_import(item: Evidence) -> bool:
    return item.kind == "accepted" and bool(item.transcript and item.digest)


def _likeness(one: Candidate, old: Evidence) -> float:
    if one.source is None or one.source.path != old.transcript:
        return 0.0
    said = redact(one.source.quote)
    return likeness(said, old.quote)


NAMED = 10  # rules that are named in a line


@dataclass(slots=True)
class ImportTally:
    """Counts of what the files hold and what was decided."""

    documents: list[InstructionDocument]
    found: list[DocumentCandidates]
    elsewhere: list[Candidate] = field(default_factory=list)  # of files that are there but were not asked for
    kept: set[str] = field(default_factory=set)  # rules that a sentence of today says
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)

    @property
    def candidates(self) -> list[Candidate]:
        """Each candidate once, however many files contain it."""
        each = {one.digest: one for found in self.found for one in found.candidates}
        return list(each.values())

    @property
    def digests(self) -> set[str]:
        """Digests of all sentences in the repository's documents."""
        return {one.digest for one in (*self.candidates, *self.elsewhere)}

    def known(self, slug: str) -> None:
        """Count a sentence that a rule says already."""
        self.counts["known"] += 1
        self.kept.add(slug)

    def decided(self, one: Decision, candidate: Candidate) -> None:
        """Count a decision."""
        proposal = one.proposal
        if proposal is None or (one.answer == "accept" and proposal.resolution.decision == "NOOP"):
            self.known(proposal.resolution.slug if proposal else "")
            return
        kind = one.answer
        if kind in ("accept", "new"):
            acts = STRICTEST if proposal.rule.enforcement == "auto" else proposal.rule.enforcement
            kind = f"check {acts}" if proposal.proof else "reminder"
            self.kept.add(proposal.rule.slug)
        self.counts[kind] += 1
        quote = candidate.source.quote if candidate.source else ""
        self.rows.append({"from": source_place(candidate), "quote": quote, **one.data})


def source_place(candidate: Candidate) -> str:
    """The place of a sentence: ``file:line``."""
    return f"{candidate.source.path}:{candidate.source.line}" if candidate.source else ""


def preview_lines(proposal: Proposal, candidate: Candidate) -> Iterator[str]:
    """A rule as it would be, for a dry run."""
    rule, said = proposal.rule, proposal.resolution
    other = f" [{said.line()}]" if said.decision != "NEW" else ""
    yield f"{source_place(candidate)}  {rule.slug} ({rule.severity}): {one_line.shorten(rule.statement)}{other}"
    yield from (f"    {one_line.shorten(check_line(check))}" for check in rule.checks)
    if not rule.checks:
        yield "    no check, a reminder"


def summary_line(tally: ImportTally) -> str:
    """The counts at the end, in a line."""
    counts = tally.counts
    checks = {key.partition(" ")[2]: many for key, many in sorted(counts.items()) if key.startswith("check ")}
    made = sum(checks.values()) + counts["reminder"]
    acts = ", ".join(f"{many} checked ({act})" for act, many in checks.items()) or "0 checked"
    parts = [f"{made} rule{'s' * (made != 1)}: {acts}, {counts['reminder']} reminder{'s' * (counts['reminder'] != 1)}"]
    parts += [f"{counts[key]} {words}" for key, words in _WORDS.items() if counts[key]]
    return ", ".join([*parts, f"{counts['left']} left out: no instructions"])


_WORDS = {"known": "already there", "reject": "rejected", "rejected": "rejected before", "later": "left for later"}


def import_outcome(tally: ImportTally, lost: Mapping[str, str], *, asks: bool) -> Outcome:
    """The final report of an import."""
    said = [summary_line(tally)]
    if many := tally.counts["later"]:
        said.append(waiting_candidates.describe_waiting(many, asks=asks))
    if lost:
        came = "1 rule came from a line that is" if len(lost) == 1 else f"{len(lost)} rules came from lines that are"
        names = [f"rulec retire {slug} (was {where})" for slug, where in sorted(lost.items())]
        said.append(f"{came} gone: {'; '.join(names[:NAMED])}{', …' * (len(names) > NAMED)}")
    return Outcome("\n".join(said), data=import_json(tally, lost))


def import_json(tally: ImportTally, lost: Mapping[str, str]) -> dict[str, Any]:
    """The result for programs."""
    return {
        "files": [document.path for document in tally.documents],
        "rules": tally.rows,
        "counts": {key: many for key, many in sorted(tally.counts.items()) if many},
        "gone": sorted(lost),
    }


def import_documents(top: Path, here: Path, names: Sequence[str], options: DecisionOptions, echo: Echo) -> Outcome:
    """Read the files, ask about each new candidate, write what is accepted, one commit each."""
    tally = _read_documents(top, here, names)
    with rulebook_commit.open_rulebook(top, options.onto, writes=options.asks) as book:
        new = _new_candidates(top, book, tally)
        own, backtest = _how_to_decide(top, options, new, echo)
        for one in new:
            _import_one(top, one, tally, own, echo, backtest=backtest)
        imported = {item.transcript for item in imported_evidence(book)}
        paths = {document.path for document in tally.documents} if names else imported
        lost = vanished_rules(rulebook_commit.load_target_rulebook(top, options.onto), tally.digests, tally.kept, paths)
    return import_outcome(tally, lost, asks=options.asks)


def preview_import(here: Path, names: Sequence[str]) -> Outcome:
    """What an import would do; nothing is written, and no repository is needed."""
    top = _top(here)
    book = rulebook_files.load_rulebook(top) if rulebook_files.has_rulebook(top) else Rulebook()
    tally = _read_documents(top, here, names)
    said: list[str] = []
    for one in _new_candidates(top, book, tally):
        proposal = proposal_builder.build_proposal(one, book, top)
        if proposal.resolution.decision == "NOOP":
            tally.known(proposal.resolution.slug)
            continue
        tally.decided(Decision("accept", proposal), one)
        said += preview_lines(proposal, one)
    said += [f"{where}  left out: {one_line.shorten(text)}" for found in tally.found for where, text in found.left]
    return Outcome("\n".join([*said, summary_line(tally)]), data=import_json(tally, {}))


def _top(here: Path) -> Path:
    try:
        return git_session.work_tree_root(here)
    except RulecError:
        return here


def _read_documents(top: Path, here: Path, names: Sequence[str]) -> ImportTally:
    documents, known = select_documents(top, here, names), names_in(top)
    tally = ImportTally(documents=documents, found=[read_candidates(one, known) for one in documents])
    if names and rulebook_files.has_rulebook(top):
        whole = {one.path for one in documents if not one.section}
        others = (one for one in all_documents(top) if one.path not in whole)
        tally.elsewhere = [one for document in others for one in read_candidates(document, known).candidates]
    tally.counts["left"] = sum(len(found.left) for found in tally.found)
    return tally


def _new_candidates(top: Path, book: Rulebook, tally: ImportTally) -> list[Candidate]:
    """Candidates that are neither evidence of a rule nor rejected."""
    known = {item.digest for item in imported_evidence(book)}
    new = [one for one in tally.candidates if one.digest not in known]
    tally.counts["known"] += len(tally.candidates) - len(new)
    rejected = waiting_candidates.rejection_test(top) if rulebook_files.has_rulebook(top) else lambda _: False
    asked = [one for one in new if not rejected(one)]
    tally.counts["rejected"] += len(new) - len(asked)
    return match_rewritten(asked, book, tally.digests)


_MANY = 2


def _how_to_decide(
    top: Path, options: DecisionOptions, new: Sequence[Candidate], echo: Echo
) -> tuple[DecisionOptions, Backtest]:
    """One answer for all cards, where the person gives one; what is in doubt then waits all the same."""
    own = replace(options, reviewed=True)  # --yes is the yes of a person who names the team's own file
    unseen = not options.reviewed
    if options.reviewed and options.asks and len(new) >= _MANY:
        for one in new:
            echo(f"{source_place(one)}  {one_line.shorten(one.rule.statement)}")
        answer, same = rulebook_commit.ask_unlocked(top, options.onto, lambda: options.batch(len(new)))
        answer = answer if same else "each"  # for what was listed may mean something else now
        own, unseen = own if answer == "each" else replace(own, answer=lambda _: answer), answer == "accept"
    backtest = commit_backtest(top)
    return candidate_decision.with_doubts(own, backtest, _doubtful) if unseen else (own, backtest)


def _import_one(
    top: Path, candidate: Candidate, tally: ImportTally, options: DecisionOptions, echo: Echo, *, backtest: Backtest
) -> None:
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    if candidate.source and candidate.source.was:
        tally.kept.add(candidate.source.was)
    said = proposal_builder.resolve_candidate(candidate, book)
    if said.decision == "NOOP" and said.band == "auto":
        tally.known(said.slug)
        return
    item = WaitingCandidate(candidate=candidate, source=source_place(candidate))
    if not options.asks:
        waiting_candidates.enqueue(top, item)
        tally.counts["later"] += 1
        return
    for one in candidate_decision.decide_candidate(top, item, options, echo, backtest):
        tally.decided(one, candidate)


def _doubtful(proposal: Proposal, past: str) -> bool:
    """Whether a person should see the card: it changes or contradicts a rule, or would have refused commits."""
    said = proposal.resolution
    refused = would_have_refused(past, proposal.rule)
    return bool(
        said.band == "review" or proposal.obstacle or proposal.against or said.decision == "SUPERSEDE" or refused
    )

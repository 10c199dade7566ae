"""The sentences of instruction documents, each with the proved check that its words name, or why it has none."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.candidate import Candidate, DocumentSentence
from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.names import Names
from rulec.services.mining.instruction_documents import InstructionDocument, read_candidates
from rulec.services.proposals.proposal_builder import build_proposal

NO_CHECK = "no check is read from its words"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedRule:
    """What somebody wants agents to do, with the compiled checks that see whether they do it."""

    place: str  # ``file:line`` of the sentence
    quote: str  # word for word, without secrets
    rule: Rule
    candidate: Candidate  # as ``rulec import`` proposes it
    written: str = ""  # the day, as far as git knows
    artifacts: tuple[Artifact, ...] = ()
    unjudged: str = ""  # why nothing here sees whether it is kept, "" where something does


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """What instruction documents ask for."""

    documents: tuple[str, ...]  # their paths
    rules: tuple[AuditedRule, ...]
    others: tuple[tuple[str, str], ...]  # sentences that say nothing about how to work, each with its ``file:line``


Draft = Callable[[Sequence[Candidate]], Sequence[Candidate]]  # candidates with the checks that a model writes


def read_instructions(
    documents: Sequence[InstructionDocument], names: Names, top: Path, draft: Draft | None = None
) -> Instructions:
    """Each sentence that says how to work, once, whatever the number of documents that hold it.

    With a model, which ``draft`` asks, it is every sentence: the model says which of them a check can judge.
    """
    read = [read_candidates(document, names, every=draft is not None) for document in documents]
    candidates = list({one.digest: one for document in read for one in document.candidates}.values())
    return Instructions(
        documents=tuple(document.path for document in documents),
        rules=tuple(audited_rule(one, top) for one in _apart(draft(candidates) if draft else candidates)),
        others=tuple(other for document in read for other in document.left),
    )


def _apart(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates under slugs that are each one's own, by which findings name them."""
    slugs: Counter[str] = Counter()
    for one in candidates:
        slugs[one.rule.slug] += 1
        many = slugs[one.rule.slug]
        yield replace(one, rule=replace(one.rule, slug=f"{one.rule.slug}-{many}")) if many > 1 else one


def audited_rule(candidate: Candidate, top: Path) -> AuditedRule:
    """The sentence of a document, with its check where the check holds its proof."""
    source = candidate.source or DocumentSentence(path="", line=0, quote=candidate.rule.statement)
    known = AuditedRule(
        place=f"{source.path}:{source.line}", quote=source.quote, rule=candidate.rule, candidate=candidate,
        written=source.at[:10],
    )  # fmt: skip
    if not candidate.drafts:
        return replace(known, unjudged=NO_CHECK)
    proposal = build_proposal(candidate, Rulebook(), top)
    if proposal.proof is None or not proposal.proof.holds:
        why = f": {shorten(proposal.failed[0])}" if proposal.failed else ""
        return replace(known, unjudged=f"its check does not hold its proof{why}")
    artifacts = tuple(one for one in compile_rule(Rulebook(), proposal.rule, top) if not is_judge_check(one))
    if not artifacts:
        return replace(known, unjudged="only a model could judge it")
    return replace(known, rule=proposal.rule, artifacts=artifacts)

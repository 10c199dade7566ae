"""The revision of a rule that takes up what is known about it, and what accepting it writes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates import gate_ledger
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.infra.rulebooks import rule_reading
from rulec.llm.conversation import Conversation
from rulec.reports.ledger_counts import FIRED_OUTCOMES
from rulec.reports.rule_lines import describe_exemption, example_line
from rulec.rulebook import evidence_file, example_file, file_paths
from rulec.services import rulebook_commit
from rulec.services.evolving import open_cases
from rulec.services.evolving.change_card import REJECTED, ChangeCard, TargetRulebook, because_by_hand
from rulec.services.evolving.comparison import compare_rules
from rulec.services.evolving.open_cases import OpenCase, RuleCases
from rulec.services.evolving.revision_search import search_revision
from rulec.services.proposals.decision import What
from rulec.services.rules import exception_proposals

TOLD_FLIPS = 10  # flips that the evidence of a revision keeps
WORDS_ALONE = "no case is named, so there is nothing to search by: edit the rule, or reject"
NOTHING_NEW = "the rule says and decides all of it so already; reject what is left"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionCard(ChangeCard):
    """One revision of one rule."""

    about: RuleCases
    unmet: tuple[OpenCase, ...] = ()  # what no check decides as it was wanted
    remarks: tuple[str, ...] = ()  # of the search and of a model

    @property
    def name(self) -> str:
        """The rule's."""
        return self.rule.slug

    @property
    def what(self) -> What:
        """The rule's next revision."""
        return "UPDATE"

    def known(self) -> Iterator[str]:
        """The rule and the cases."""
        rule = self.about.rule
        yield f"revision {rule.revision}: {shorten(rule.statement)}"
        yield from map(case_line, self.about.cases)

    def more(self) -> Iterator[str]:
        """What the gates saw, what is not met, and what the search says."""
        if seen := _ledger_line(self):
            yield seen
        yield from (f"not met: {case_line(case)}" for case in self.unmet)
        yield from self.remarks

    def data(self) -> dict[str, Any]:
        """The card, with the cases."""
        cases = [_case_data(case) for case in self.about.cases]
        return {**super(RevisionCard, self).data(), "cases": cases, "unmet": [case.id for case in self.unmet]}

    def with_rule(self, rule: Rule, text: str) -> "RevisionCard":
        """The revision as a person typed it."""
        old = self.about.rule
        new = replace(rule, revision=old.revision + 1, origin=old.origin, source=old.source)
        made = replace(self, rule=new, by_hand=True, because=because_by_hand(self, "; ".join(self.quotes)), unmet=())
        done = _completed(made, text)
        if done.proof and not done.proof.holds:
            raise RulecError(done.obstacle, where=rule.source or rule.slug, hint=done.proof.cure)
        return done

    def write(self) -> Outcome:
        """The rule, its proof, what it takes up, and what it caught before and after, as one commit."""
        target, local, slug = self.target, self.about.local, self.rule.slug
        proof = [self.proof.as_evidence()] if self.proof else []
        evidence = [self._as_evidence(), *local, *proof]
        done = rulebook_commit.commit_rule_change(
            target.top, target.onto, self.rule, {file_paths.rule_path(slug): self.after}, subject=f"Revise {slug}",
            decision=f"UPDATE {slug}", because=self.because, done=f"{slug}@{self.rule.revision}", evidence=evidence,
        )  # fmt: skip
        open_cases.drop_notes(target.top, [item for item in local if item.kind == "note"])
        return done

    def reject(self) -> str:
        """Not proposed again from these cases."""
        open_cases.reject(self.target.top, self.about)
        return REJECTED

    def _as_evidence(self) -> Evidence:
        # words alone are taken up only by whoever edits the rule
        taken = [case.id for case in self.about.cases if case.wanted or self.by_hand]
        told = [*self.reached, _ledger_line(self), *(flip.line for flip in self.compared.flips[:TOLD_FLIPS])]
        return Evidence(
            slug=self.rule.slug, kind="revised", at=clock.now(), quote=self.because, revision=self.rule.revision,
            answers=tuple(dict.fromkeys(taken)), unmet=tuple(dict.fromkeys(case.id for case in self.unmet)),
            told=tuple(map(redact, filter(None, told))),
        )  # fmt: skip


def propose_revision(target: TargetRulebook, about: RuleCases, chat: Conversation | None) -> RevisionCard:
    """The revision that is found for a rule.

    The exceptions that counterexamples share come first; what they leave open is searched for.
    """
    base, said, answered = _with_exceptions(target, about)
    left = [one for one in about.wanted if one.source not in answered]
    quotes = tuple(dict.fromkeys(case.words for case in about.cases))
    one = RevisionCard(target=target, about=about, rule=base, before=target.text(base.slug), quotes=quotes)
    if not left and not said:
        return replace(one, obstacle=WORDS_ALONE)
    if left:
        found = search_revision(target.top, target.book, base, left, chat)
        if not (said and found.kind == "example"):
            said = [*said, found.because]
        unmet = tuple(case for case in about.cases if any(wanted in found.unmet for wanted in case.wanted))
        one = replace(one, rule=found.rule, unmet=unmet, remarks=tuple(map(redact, found.lines)))
    new = replace(one.rule, revision=about.rule.revision + 1)
    return _completed(replace(one, rule=new, because=redact("; ".join(said))))


def _completed(one: RevisionCard, typed: str = "") -> RevisionCard:
    """The revision with its text, its proof and what it turns."""
    target, old = one.target, one.about.rule
    one = replace(one, after=rule_reading.write_rule(one.rule, typed or one.before))
    if replace(one.rule, revision=old.revision) == old:
        return replace(one, obstacle=NOTHING_NEW)
    proof = rule_proof.prove_with_tools(target.book, one.rule, target.top) if one.rule.checks else None
    obstacle = f"its check fails at {redact(proof.failure)}" if proof and not proof.holds else ""
    compared = compare_rules(target.top, target.book, [old], one.rule, one.about.wanted)
    return replace(one, proof=proof, obstacle=obstacle, compared=compared)


def _with_exceptions(target: TargetRulebook, about: RuleCases) -> tuple[Rule, list[str], frozenset[str]]:
    """The rule with the exceptions that its counterexamples share, what they are, and the ids of what they answer."""
    rule, said, answered = about.rule, list[str](), set[str]()
    open_ids = {case.id for case in about.cases}
    known = [*target.book.observed(rule.slug), *about.local]
    left = [item for item in known if evidence_file.evidence_id(item) in open_ids]
    while case := next(iter(exception_proposals.propose_exceptions(target.top, target.book, rule, left)), None):
        rule = case.new
        said.append(f"except {describe_exemption(case.wanted)}: {case.wanted.because}")
        answered |= {evidence_file.evidence_id(item) for item in case.evidence}
        left = [item for item in left if item not in case.evidence]
    return rule, said, frozenset(answered)


def case_line(case: OpenCase) -> str:
    """A case in a line: who said what of which action."""
    who = {"note": "noted", "counterexample": "counterexample"}
    wanted = "; ".join(
        f"{'catch' if one.caught else 'pass'}: {shorten(example_line(one.example))}" for one in case.wanted
    )
    by = f" by {case.by}" * bool(case.by)
    return f'{who[case.kind]}{by}: "{shorten(to_one_line(case.words))}"' + f" ({wanted})" * bool(wanted)


def _case_data(case: OpenCase) -> dict[str, Any]:
    wanted = [
        {"should": "catch" if one.caught else "pass", "example": example_file.example_data(one.example)}
        for one in case.wanted
    ]
    return {"id": case.id, "kind": case.kind, "words": case.words, "at": case.at, "by": case.by, "wanted": wanted}


def _ledger_line(one: RevisionCard) -> str:
    """What the gates of this machine found by the rule as it is; "" for nothing. The ledger holds no texts to run."""
    entries = gate_ledger.ledger_entries(one.target.top, one.rule.slug)
    fired = [entry for entry in entries if entry.outcome in FIRED_OUTCOMES]
    if not fired:
        return ""
    fixed = sum(entry.times for entry in entries if entry.outcome == "fixed")
    caught = sum(entry.times for entry in fired)
    return f"the gates of this machine since {fired[0].at[:10]} (ledger): caught {caught}, {fixed} fixed"

"""The revision of a rule that does right by what persons noted about it: searched, proved, compared with the old."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from rulec.checks.proving.example_changes import describe_example
from rulec.checks.proving.proof import Proof
from rulec.compiling.artifacts import template_library
from rulec.compiling.effective_enforcement import is_independent
from rulec.domain.evidence import WantedVerdict
from rulec.domain.rule import Check, Example, Rule
from rulec.domain.template import Template
from rulec.domain.text.redaction import redact
from rulec.drafting.revisions.case_values import CaseValues
from rulec.drafting.revisions.note_words import NoteWords, texts_of_all
from rulec.drafting.revisions.rule_changes import RuleChange, possible_changes
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.language.clause import LONGEST_STATEMENT
from rulec.language.coverage_gaps import unexplained
from rulec.language.words import EXCEPTING, any_of
from rulec.llm.conversation import Conversation
from rulec.resolving.exception_wording import add_exception_clause
from rulec.resolving.revisions import redact_rule
from rulec.rulebook.rulebook import Rulebook
from rulec.services.evolving.flips import Flip, all_examples, find_flips
from rulec.services.evolving.reader_revision import ask_for_revision
from rulec.services.evolving.rule_trials import Decided, decide_examples

BATCHES = (0, 12, 60, 180)  # where batches begin: few first, for the change that is explained best is mostly right
MOST_TRIED = 300  # changes of one rule for one action; of 64 notes in view the right one was among the first 60
MOST_PROVED = 6  # changes that are proved for one action, the best explained first
SECONDS = 20.0  # after which no further changes are tried for one action, however slow the machine is
JUDGED_KINDS = ("file", "edit", "commit", "message")  # kinds of action that a judge can read


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRevision:
    """One revision of a rule, its proof, and every verdict that it turns."""

    rule: Rule
    kind: str  # parameters, exception, scope, check, judge, example, words or reader
    because: str  # what is changed, in a sentence
    proof: Proof | None  # None: the rule has no checks
    flips: tuple[Flip, ...] = ()
    unmet: tuple[WantedVerdict, ...] = ()  # what no check decides as a person wants it
    lines: tuple[str, ...] = ()  # what a reader said or failed at, for people
    awaited: str = ""  # the place of the question to a reader, where its answer is awaited


def search_revision(
    top: Path, book: Rulebook, rule: Rule, wanted: Sequence[WantedVerdict], ask: Conversation | None = None
) -> FoundRevision:
    """The narrowest revision under which the noted actions are decided as persons want, and all others as before.

    Tried in this order, by how much of a change nobody said: parameters of the rule's own checks, exceptions, the
    scope, a further check beside them, a judge. What is decided as wanted becomes an example; what no change decides
    so is ``unmet``. A reader is asked first where there is one: its revision is taken where it does all of that.
    """
    own = list(dict.fromkeys(wanted))
    if ask is None or ask.off:
        return _RevisionSearch(top, book, rule, own).result()
    read = ask_for_revision(top, book, rule, own, ask)
    if read.rule is None:
        found = _RevisionSearch(top, book, rule, own).result()
        return replace(found, lines=(*read.lines, *found.lines), awaited=read.awaited)
    new = replace(read.rule, revision=rule.revision + 1)
    proof = rule_proof.prove_with_tools(book, new, top)
    return FoundRevision(
        rule=rule_proof.list_unchecked(new, proof, unexplained(rule)),
        kind="reader",
        because=f"{ask.who} revised it, and every example is decided as it says",
        proof=proof,
        flips=find_flips(top, book, rule, new, own),
        lines=read.lines,
    )


@dataclass(slots=True)
class _RevisionSearch:
    """One search on its way."""

    top: Path
    book: Rulebook
    old: Rule
    wanted: list[WantedVerdict]
    made: list[RuleChange] = field(default_factory=list)

    def result(self) -> FoundRevision:
        rule = _without_contraries(self.old, self.wanted)
        for one in self.wanted:
            if self._decided([rule], [one.example])[0][0] is not one.caught:
                rule = self._changed_for(rule, one) or rule
        verdicts = self._decided([rule], [one.example for one in self.wanted])[0]
        met = [
            one
            for one, got in zip(self.wanted, verdicts, strict=True)
            if got is one.caught or _is_left_to_judge(rule, one)
        ]
        unmet = tuple(one for one in self.wanted if one not in met)
        rule = _with_examples(rule, met)
        if unmet:
            rule = _with_contraries(rule, self.old, unmet)
            words = [redact(" ".join(one.words.split())) for one in unmet if one.words]
            listed = tuple(dict.fromkeys((*rule.not_checked, *words)))
            rule = replace(rule, not_checked=listed)
        rule = redact_rule(replace(rule, revision=self.old.revision + 1), redact)
        proof = None
        if rule.checks:
            rule, proof = rule_proof.prove_pruned(self.book, rule, self.top)
            rule = rule_proof.list_unchecked(rule, proof, unexplained(self.old))
        return FoundRevision(
            rule=rule,
            kind=self.made[-1].kind if self.made else "example" if met else "words",
            because="; ".join(one.what for one in self.made) or self._why_unchanged(met),
            proof=proof,
            flips=find_flips(self.top, self.book, self.old, rule, self.wanted),
            unmet=unmet,
            lines=tuple(
                f"takes back what a person gave the rule to catch: {redact(describe_example(one.example))}"
                for one in self.wanted
                if _lets_pass_its_own_offence(self.old, one)
            ),
        )

    def _why_unchanged(self, met: Sequence[WantedVerdict]) -> str:
        if met:
            return "the checks decide it as wanted already, and it becomes an example"
        return "no change of its checks that decides it as wanted could be proved, so it is listed as not checked"

    def _decided(self, rules: Sequence[Rule], examples: Sequence[Example]) -> list[Decided]:
        return decide_examples(self.top, self.book, rules, examples)

    def _changed_for(self, rule: Rule, one: WantedVerdict) -> Rule | None:
        """The rule with the first change that decides this action as wanted, turns nothing else, and is proved."""
        tried: list[tuple[RuleChange, Proof]] = []
        for change in islice(self._fitting(rule, one), MOST_PROVED):
            new = _with_examples(change.rule, [one])
            _, proof = rule_proof.prove_pruned(self.book, new, self.top)
            if proof.holds:
                self.made.append(change)
                return _reworded(change.rule, one)
            tried.append((change, proof))
        # where the rule as it stands holds no proof either, this one is no worse
        if tried and rule.checks and not rule_proof.prove_with_tools(self.book, rule, self.top).holds:
            self.made.append(tried[0][0])
            return tried[0][0].rule
        return self._with_judge(rule, one)

    def _with_judge(self, rule: Rule, one: WantedVerdict) -> Rule | None:
        """The rule with a judge beside its checks for what no machine sees; None where a judge reads no such action."""
        if not one.caught or one.example.kind not in JUDGED_KINDS or any(c.kind == "judge" for c in rule.checks):
            return None
        of = "message" if one.example.kind == "message" else "diff"
        asks = {"asks": redact(" ".join(one.words.split()))[:400]} if one.words else {}
        check = Check(kind="judge", template="judge", parameters={"of": of, **asks})
        new = replace(rule, checks=(*rule.checks, check))
        what = "a judge reads what no machine sees"
        self.made.append(RuleChange(rule=new, kind="judge", what=what, cost=0.0))
        return new

    def _fitting(self, rule: Rule, one: WantedVerdict) -> Iterator[RuleChange]:
        """The changes that decide the action as wanted and every other known action as before, the best first."""
        others = [other.example for other in self.wanted if other is not one]
        known = tuple(dict.fromkeys((*all_examples(rule), *others)))
        known = tuple(example for example in known if example != one.example)
        examples = (one.example, *known)
        before = self._decided([rule], examples)[0]
        wish = {other.example: other.caught for other in self.wanted}
        changes = possible_changes(
            rule, self._values(rule, one), self._note(rule, one), self._templates(), caught=one.caught
        )[:MOST_TRIED]
        if not changes:
            return
        starts = [start for start in BATCHES if start < len(changes)]
        open_ = [other.example for other, got in self._verdicts(rule) if other is not one and got is not other.caught]
        shared: list[tuple[int, float, RuleChange]] = []
        left = clock.countdown(SECONDS)
        for start, end in zip(starts, [*starts[1:], len(changes)], strict=True):
            if left() <= 0:
                break
            some = changes[start:end]
            for change, after in zip(some, self._decided([each.rule for each in some], examples), strict=True):
                if after[0] is not one.caught or not all(
                    now is was or now is wish.get(example)
                    for example, was, now in zip(known, before[1:], after[1:], strict=True)
                ):
                    continue
                if not open_:
                    yield change
                    continue
                met = sum(
                    now is wish[example] for example, now in zip(examples, after, strict=True) if example in open_
                )
                shared.append((-met, change.cost, change))
        yield from (change for _, _, change in sorted(shared, key=lambda each: each[:2]))

    def _verdicts(self, rule: Rule) -> Iterator[tuple[WantedVerdict, bool | None]]:
        """Each noted action with what the rule makes of it."""
        if len(self.wanted) > 1:
            got = self._decided([rule], [one.example for one in self.wanted])[0]
            yield from zip(self.wanted, got, strict=True)

    def _note(self, rule: Rule, one: WantedVerdict) -> NoteWords:
        unlike = rule.valid if one.caught else rule.invalid
        said = [one.words, *(other.words for other in self.wanted if other.caught is one.caught)]
        return NoteWords(tuple(dict.fromkeys(filter(None, said))), texts_of_all(unlike))

    def _values(self, rule: Rule, one: WantedVerdict) -> CaseValues:
        like = rule.valid if one.caught else rule.invalid
        return CaseValues(one.example, self._note(rule, one), like, spared=not one.caught)

    def _templates(self) -> list[Template]:
        return list(template_library(self.top).templates().values())


def _lets_pass_its_own_offence(rule: Rule, one: WantedVerdict) -> bool:
    """Whether a note wants an action to pass that a person gave the rule as an offence."""
    return not one.caught and any(example == one.example and is_independent(example) for example in rule.invalid)


def _reworded(rule: Rule, one: WantedVerdict) -> Rule:
    """The rule with the exception that a note says in so many words; its other words are for a reader to change."""
    clause = _EXCEPTION.search(" ".join(one.words.split()))
    if one.caught or clause is None or len(rule.statement) + len(clause[0]) > LONGEST_STATEMENT:
        return rule
    return replace(rule, statement=add_exception_clause(rule.statement, redact(clause[0])))


_EXCEPTION = re.compile(rf"\b(?:{any_of(EXCEPTING)})\b[^.;!?]+", re.IGNORECASE)


def _is_left_to_judge(rule: Rule, one: WantedVerdict) -> bool:
    """Whether a judge of the rule reads such an action: what it decides is for its measure to say."""
    judged = any(check.kind == "judge" for check in rule.checks)
    return judged and one.caught and one.example.kind in JUDGED_KINDS


def _with_examples(rule: Rule, met: Sequence[WantedVerdict]) -> Rule:
    """The rule with the noted actions among its examples; those of an exception stand there."""
    kept = {example for one in rule.exceptions for example in one.valid}
    invalid = [replace(one.example, source="person") for one in met if one.caught]
    valid = [replace(one.example, source="person") for one in met if not one.caught and one.example not in kept]
    return replace(
        rule, invalid=tuple(dict.fromkeys((*rule.invalid, *invalid))), valid=tuple(dict.fromkeys((*rule.valid, *valid)))
    )


def _with_contraries(rule: Rule, old: Rule, unmet: Sequence[WantedVerdict]) -> Rule:
    """The rule with the examples again that stand against what it could not be made to decide otherwise."""
    left = {one.example for one in unmet}
    invalid = (*rule.invalid, *(one for one in old.invalid if one in left))
    valid = (*rule.valid, *(one for one in old.valid if one in left))
    return replace(rule, invalid=tuple(dict.fromkeys(invalid)), valid=tuple(dict.fromkeys(valid)))


def _without_contraries(rule: Rule, wanted: Sequence[WantedVerdict]) -> Rule:
    """The rule without examples that a person now wants decided the other way."""
    caught = {one.example for one in wanted if one.caught}
    passed = {one.example for one in wanted if not one.caught}
    exceptions = tuple(
        replace(one, valid=tuple(example for example in one.valid if example not in caught)) for one in rule.exceptions
    )
    return replace(
        rule,
        invalid=tuple(one for one in rule.invalid if one not in passed),
        valid=tuple(one for one in rule.valid if one not in caught),
        exceptions=exceptions,
    )

"""The revision of a rule that does right by what persons noted about it: searched by values, and proved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path

from rulec.checks.proving.example_changes import describe_example
from rulec.checks.proving.proof import Proof
from rulec.compiling.artifacts import template_library
from rulec.compiling.effective_enforcement import is_independent
from rulec.domain.evidence import WantedVerdict
from rulec.domain.rule import Example, Rule
from rulec.domain.text.redaction import redact
from rulec.drafting.case_values import CaseValues
from rulec.drafting.note_words import NoteWords, texts_of_all
from rulec.drafting.rule_changes import RuleChange, possible_changes
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.llm.conversation import Conversation
from rulec.resolving.revisions import redact_rule
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.unchecked import unheld_literals
from rulec.services.evolving.comparison import all_examples
from rulec.services.evolving.reader_revision import ask_for_revision
from rulec.services.evolving.rule_trials import decide_examples

BATCHES = (0, 12, 60, 180, 300)  # few first, for the change that is explained best is mostly right
MOST_PROVED = 6  # changes that are proved for one action, the best explained first
SECONDS = 20.0  # after which no further changes are tried for one action, however slow the machine is
JUDGED_KINDS = ("file", "edit", "commit", "message")  # kinds of action that a judge can read


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRevision:
    """One revision of a rule, and its proof."""

    rule: Rule
    kind: str  # parameters, exception, scope, check, example, words or reader
    because: str  # what is changed, in a sentence
    proof: Proof | None  # None: the rule has no checks
    unmet: tuple[WantedVerdict, ...] = ()  # what no check decides as a person wants it
    lines: tuple[str, ...] = ()  # for people: what a model said or failed at, what is taken back


def search_revision(
    top: Path, book: Rulebook, rule: Rule, wanted: Sequence[WantedVerdict], ask: Conversation | None = None
) -> FoundRevision:
    """The narrowest revision under which the noted actions are decided as persons want, and all others as before.

    Tried in this order, by how much of a change nobody said: parameters of the rule's own checks, exceptions, the
    scope, a further check beside them. What is decided as wanted becomes an example; what no change decides
    so is ``unmet``. A model is asked first where there is one: its revision is taken where it does all of that.
    """
    search = _RevisionSearch(top, book, rule, list(dict.fromkeys(wanted)))
    if ask is None or ask.off:
        return search.result()
    read = ask_for_revision(top, book, rule, search.wanted, ask)
    if read.rule is None:
        found = search.result()
        return replace(found, lines=(*read.lines, *found.lines))
    new = replace(read.rule, revision=rule.revision + 1)
    proof = rule_proof.prove_with_tools(book, new, top)
    because = f"{ask.who} revised it, and every example is decided as it says"
    new = rule_proof.list_unchecked(new, proof, unheld_literals(rule))
    return FoundRevision(rule=new, kind="reader", because=because, proof=proof, lines=read.lines)


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
        judged = any(check.kind == "judge" for check in rule.checks)
        verdicts = self._decided([rule], [one.example for one in self.wanted])[0]
        # what a judge reads is for the judge to say
        met = [
            one
            for one, got in zip(self.wanted, verdicts, strict=True)
            if got is one.caught or (judged and one.caught and one.example.kind in JUDGED_KINDS)
        ]
        unmet = tuple(one for one in self.wanted if one not in met)
        rule = redact_rule(self._with_unmet(_with_examples(rule, met), unmet), redact)
        proof = None
        if rule.checks:
            proof = rule_proof.prove_with_tools(self.book, rule, self.top, edges=True)
            rule = rule_proof.list_unchecked(rule, proof, unheld_literals(self.old))
        kind, because = "words", "no change of its checks that decides it as wanted could be proved, so it is listed"
        if met:
            kind, because = "example", "the checks decide it as wanted already, and it becomes an example"
        if self.made:
            kind, because = self.made[-1].kind, "; ".join(one.what for one in self.made)
        lines = [
            f"takes back what a person gave the rule to catch: {redact(describe_example(one.example))}"
            for one in self.wanted
            if not one.caught and any(bad == one.example and is_independent(bad) for bad in self.old.invalid)
        ]
        return FoundRevision(rule=rule, kind=kind, because=because, proof=proof, unmet=unmet, lines=tuple(lines))

    def _with_unmet(self, rule: Rule, unmet: Sequence[WantedVerdict]) -> Rule:
        """The next revision, with what is unmet in words, and the old examples that stand against it."""
        left = {one.example for one in unmet}
        said = [redact(" ".join(one.words.split())) for one in unmet if one.words]
        return replace(
            rule,
            revision=self.old.revision + 1,
            not_checked=tuple(dict.fromkeys((*rule.not_checked, *said))),
            invalid=tuple(dict.fromkeys((*rule.invalid, *(one for one in self.old.invalid if one in left)))),
            valid=tuple(dict.fromkeys((*rule.valid, *(one for one in self.old.valid if one in left)))),
        )

    def _decided(self, rules: Sequence[Rule], examples: Sequence[Example]) -> list[list[bool | None]]:
        return decide_examples(self.top, self.book, rules, examples)

    def _changed_for(self, rule: Rule, one: WantedVerdict) -> Rule | None:
        """The rule with the first change that decides this action as wanted, turns nothing else, and is proved."""
        tried = list[RuleChange]()
        for change in islice(self._fitting(rule, one), MOST_PROVED):
            tried.append(change)
            if rule_proof.prove_with_tools(self.book, _with_examples(change.rule, [one]), self.top, edges=True).holds:
                self.made.append(change)
                return change.rule
        # where the rule as it stands holds no proof either, this one is no worse
        if tried and rule.checks and not rule_proof.prove_with_tools(self.book, rule, self.top).holds:
            self.made.append(tried[0])
            return tried[0].rule
        return None

    def _fitting(self, rule: Rule, one: WantedVerdict) -> Iterator[RuleChange]:
        """The changes that decide the action as wanted and every other known action as before, the best first."""
        wish = {other.example: other.caught for other in self.wanted}
        known = [example for example in dict.fromkeys((*all_examples(rule), *wish)) if example != one.example]
        before = self._decided([rule], known)[0]
        changes, left = self._changes(rule, one), clock.countdown(SECONDS)
        fitting: list[tuple[int, float, RuleChange]] = []
        for start, end in pairwise(BATCHES):
            some = changes[start:end]
            if not some or left() <= 0:
                break
            for change, (case, *after) in zip(
                some, self._decided([each.rule for each in some], [one.example, *known]), strict=True
            ):
                met = [now is wish.get(example) for example, now in zip(known, after, strict=True)]
                kept = [now is was for now, was in zip(after, before, strict=True)]
                if case is one.caught and all(some or same for some, same in zip(met, kept, strict=True)):
                    fitting.append((-sum(met), change.cost, change))
            if len(self.wanted) == 1:  # else the change that does right by most of them may come later
                yield from _best_first(fitting)
                fitting = []
        yield from _best_first(fitting)

    def _changes(self, rule: Rule, one: WantedVerdict) -> list[RuleChange]:
        """What may turn the action, those that what persons said explains best first."""
        others = rule.valid if one.caught else rule.invalid  # what the rule decides the other way
        said = [one.words, *(other.words for other in self.wanted if other.caught is one.caught)]
        note = NoteWords(tuple(dict.fromkeys(filter(None, said))), texts_of_all(others))
        templates = list(template_library(self.top).templates().values())
        values = CaseValues(one.example, note, others, spared=not one.caught)
        return possible_changes(rule, values, note, templates, caught=one.caught)


def _best_first(fitting: Sequence[tuple[int, float, RuleChange]]) -> Iterator[RuleChange]:
    yield from (change for *_, change in sorted(fitting, key=lambda each: each[:2]))


def _with_examples(rule: Rule, met: Sequence[WantedVerdict]) -> Rule:
    """The rule with the noted actions among its examples; those of an exception stand there."""
    kept = {example for one in rule.exceptions for example in one.valid}
    invalid = [replace(one.example, source="person") for one in met if one.caught]
    valid = [replace(one.example, source="person") for one in met if not one.caught and one.example not in kept]
    return replace(
        rule, invalid=tuple(dict.fromkeys((*rule.invalid, *invalid))), valid=tuple(dict.fromkeys((*rule.valid, *valid)))
    )


def _without_contraries(rule: Rule, wanted: Sequence[WantedVerdict]) -> Rule:
    """The rule without examples that a person now wants decided the other way."""
    caught = {one.example for one in wanted if one.caught}
    passed = {one.example for one in wanted if not one.caught}
    exceptions = (replace(one, valid=tuple(bad for bad in one.valid if bad not in caught)) for one in rule.exceptions)
    return replace(
        rule,
        invalid=tuple(one for one in rule.invalid if one not in passed),
        valid=tuple(one for one in rule.valid if one not in caught),
        exceptions=tuple(exceptions),
    )

"""Verdicts of the commit gate on rules at the steps of open plans: what lacks a proof, and how it is proved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from rulec import registry
from rulec.compiling.compile_planning import rule_facts
from rulec.domain.artifact import COMPILED_FOLDER, RuleFacts
from rulec.domain.change import Change
from rulec.domain.enforcement import MODES, SEVERITIES, STRICTEST, Enforcement, PinnedEnforcement, Severity, refuses
from rulec.domain.finding import Finding, Verdict
from rulec.domain.text.one_line import to_one_line
from rulec.gates.findings.verdicts import in_effect
from rulec.gates.steps.changed_texts import staged_files
from rulec.gates.trusted_checks import TrustedChecks
from rulec.gates.weakening.committer import is_made_by_person
from rulec.gates.weakening.gate_states import GateState
from rulec.infra.git import git_contents, git_session
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook
from rulec.steps.proofs import claimed_files, open_proofs, proof_store, proof_words, rule_terms
from rulec.steps.proofs.open_proofs import GateView, Obligation
from rulec.steps.step import TESTABLE, Plan

MOST_SAID = 160  # characters of a rule in a question about it
MOST_PATHS = 3  # that one line names


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGate:
    """What the open plans of a work tree ask of a commit."""

    top: Path
    trusted: TrustedChecks
    change: Change
    plans: Sequence[Plan]
    complain: Callable[[str], None]
    by_person: Callable[[], bool] = is_made_by_person

    def verdicts(self, others: Sequence[Verdict]) -> tuple[list[Verdict], frozenset[str]]:
        """A verdict on each rule at a step that lacks its proof, and all rules at steps that the change belongs to.

        ``others`` are the verdicts on the same change.
        """
        foreign = proof_store.count_foreign(str(self.top))
        if foreign:
            made = "1 record" if foreign == 1 else f"{foreign} records"
            self.complain(f"{made} of proofs or decisions not made by rulec in this work tree: that counts for nothing")
        files = staged_files(self.top, self.change)
        terms = rule_terms.terms_of_texts(self.trusted.texts, open_proofs.attached_slugs(self.plans))
        seen = _view(others)
        found = open_proofs.obligations(str(self.top), self.plans, files, terms, seen, by_person=self.by_person)
        slugs = frozenset(one.terms.slug for one in found)
        lacking = [one for one in found if not one.is_met and not _is_refused_anyway(one, others)]
        if not lacking:
            return [], slugs
        book = _trusted_book(self.top, {one.terms.slug for one in lacking})
        return [self._verdict(one, *book) for one in lacking], slugs

    def note_passed(self) -> None:
        """Note that the change was let through: what of it is committed belongs to no step any more."""
        claimed_files.note_passes(str(self.top), staged_files(self.top, self.change))

    def _verdict(self, one: Obligation, book: Rulebook, settings: Config) -> Verdict:
        facts = self._facts(one, book)
        path = one.files[0].path
        place = next((file.path for file in one.files if file.now is not None), path)
        step = step_name(one, self.plans)
        lacks = "; ".join(one.missing) or "no proof of it was found"
        also = f" and {len(one.files) - 1} more" if len(one.files) > 1 else ""
        text = f'step {step} "{one.step.text[:80]}" changed it{also} and asks for a proof ({one.level}): {lacks}'
        if one.risk is not None:
            because = f"risk accepted by {one.risk.get('by')} until {one.risk.get('until')}: {one.risk.get('reason')}"
            finding = Finding(slug=facts.slug, path=place, text=text)
            return Verdict(outcome="suppressed", facts=facts, finding=finding, because=because)
        finding = Finding(
            slug=facts.slug, path=place, text=text, cure=cure_of(one, step, settings, by_person=self.by_person())
        )
        return Verdict(outcome=facts.enforcement, facts=facts, finding=finding)

    def _facts(self, one: Obligation, book: Rulebook) -> RuleFacts:
        """The facts of the rule; of one whose file is not there to read what its compiled words say."""
        rule = book.rule(one.terms.slug)
        if rule is not None:
            named = replace(rule, formerly=book.former_names(rule))
            facts = rule_facts(named, book.observed(rule.slug))
            return replace(facts, enforcement=self._enforcement(one, rule.enforcement))
        record = one.terms.record
        severity = next((name for name in SEVERITIES if name == record["severity"]), SEVERITIES[0])
        return RuleFacts(
            slug=one.terms.slug, revision=one.terms.revision, statement=record["says"], do=one.terms.do,
            severity=cast("Severity", severity), enforcement=self._enforcement(one, "auto"),
        )  # fmt: skip

    def _enforcement(self, one: Obligation, pinned: PinnedEnforcement) -> Enforcement:
        """What a missing proof does: at most what people pinned, and where they set no level what the rule does."""
        if pinned != "auto":
            return pinned
        return STRICTEST if one.terms.pinned else _effective(self.trusted.texts, one.terms.slug)


def step_name(one: Obligation, plans: Sequence[Plan]) -> str:
    """What verbs call the step: its number in the one open plan, else the beginning of its id."""
    return str(one.number) if len(plans) == 1 else one.step.id[:6]


def cure_of(one: Obligation, step: str, settings: Config, *, by_person: bool = False) -> str:
    """What proves it, as commands; a person is told first what only a person may do."""
    prove, slug = f"rulec prove {step} {one.terms.slug}", one.terms.slug
    names = [suite.name for suite in settings.tests if suite.counts]
    test = proof_words.test_command(prove, names) if names else ""
    if one.level == TESTABLE:
        ways = [test or "a person adds a suite under tests: in .rules/config.yaml, then rulec prove --test"]
    else:
        ways = [f"ask the person about {_objects(one)}, then commit"]
        if not one.terms.asks:
            ways = [f'ask the person: {_question(one)}, then {prove} --said "THEIR WORDS"']
        ways += [test] * bool(test)
        ways += [f"{prove} --judge"] * bool(settings.models.backend)
    fix = [one.terms.do.removeprefix("Do: ").rstrip(".")] if one.missing and one.terms.do else []
    accept = f"rulec accept-risk {step} {slug} --reason TEXT --until DAY"
    return "; or ".join([accept, *fix, *ways] if by_person else [*fix, *ways, f"a person may run {accept}"])


def _question(one: Obligation) -> str:
    """A question whose answer speaks of the files and of the rule."""
    says = to_one_line(str(one.terms.record["says"]))[:MOST_SAID].rstrip(".")
    return f"'May I change {_objects(one)} although the rule is: {says}?'"


def _objects(one: Obligation) -> str:
    paths = one.paths
    return ", ".join(paths[:MOST_PATHS]) + f" and {len(paths) - MOST_PATHS} more" * (len(paths) > MOST_PATHS)


def _view(verdicts: Sequence[Verdict]) -> GateView:
    found: dict[str, set[str]] = {}
    for one in verdicts:
        if one.finding and one.outcome not in ("old", "suppressed"):
            found.setdefault(one.facts.slug, set()).add(one.finding.path)
    return GateView(found, [one.facts.slug for one in verdicts if one.fault])


def _is_refused_anyway(one: Obligation, verdicts: Sequence[Verdict]) -> bool:
    """Whether the rule's own check refuses the change of these files already."""
    return any(
        refuses(verdict.outcome) and verdict.facts.slug == one.terms.slug and verdict.finding.path in ("", *one.paths)
        for verdict in verdicts
        if verdict.finding
    )


def _effective(texts: Mapping[str, str], slug: str) -> Enforcement:
    """What the rule's machine checks do; a rule without any is kept by people, and refuses."""
    found: list[RuleFacts] = []
    for kind in rule_terms.KINDS:
        checker = registry.checker(kind)
        own = [text for path, text in texts.items() if path.startswith(f"{COMPILED_FOLDER}/{kind}/{slug}.")]
        found += [in_effect(checker.facts(text)) for text in own]
    return max((facts.enforcement for facts in found), key=list(MODES).index, default=STRICTEST)


def _trusted_book(top: Path, slugs: set[str]) -> tuple[Rulebook, Config]:
    """The rules as HEAD has them, or the index where there is no commit, and the settings."""
    if git_session.head_commit(top):
        files = git_contents.files_at_commit(top, "HEAD", file_paths.RULES)
    else:
        files = git_contents.files_in_index(top, file_paths.RULES)
    state = GateState(top=top, files=files)
    return state.book(slugs), state.config

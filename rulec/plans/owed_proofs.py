"""Which rules at the steps of plans were checked, tested or approved for what was changed, and what is missing."""

from __future__ import annotations

from rulec.checkout import ledger
from rulec.plans import approvals, rule_terms, run_records
from rulec.plans.changed_files import Claims, changed_at_hand
from rulec.plans.plan import REMIND, STRICT, TESTABLE, names_rule
from rulec.plans.plan_store import open_plans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulec.plans.changed_files import ChangedFile
    from rulec.plans.plan import Plan, Step
    from rulec.plans.rule_terms import RuleTerms


CHECKED, TESTED, APPROVED = "checked", "tested", "approved"
SUFFICES = {STRICT: (CHECKED, TESTED, APPROVED), TESTABLE: (TESTED, APPROVED)}
NO_CHECK = "no check, run or approval shows that it was kept"
NOT_TESTED = "no run by rulec was red without the change of {} and is green with it as it is now"
MOST_NAMED = 3  # files in one sentence


class GateView:
    """What a gate saw: where each rule found something ("" for the whole change), and whose checks broke."""

    __slots__ = ("broken", "found")

    def __init__(self, found: Mapping[str, set[str]], broken: Iterable[str] = ()) -> None:
        self.found, self.broken = found, frozenset(broken)


class OwedProof:
    """A rule at a step that changed files: how it was proved, or what is missing."""

    __slots__ = ("by", "files", "later", "level", "missing", "number", "plan", "proved", "step", "terms")

    def __init__(self, plan: Plan, step: Step, terms: RuleTerms, level: str, files: list[ChangedFile]) -> None:
        self.plan, self.step, self.terms, self.level, self.files = plan, step, terms, level, files
        self.number = 1 + next(at for at, one in enumerate(plan.steps) if one is step)  # as `rulec plan` counts
        self.proved = ""  # checked, tested or approved
        self.by = ""  # who approved it
        self.later = False  # the commit will check it: nothing was run yet
        self.missing = ""  # why it is not proved

    @property
    def is_open(self) -> bool:
        """Whether a commit would need more."""
        return self.level != REMIND and self.proved not in SUFFICES[self.level]

    @property
    def paths(self) -> list[str]:
        """The changed files that the rule speaks of."""
        return [file.path for file in self.files]

    @property
    def tested_paths(self) -> frozenset[str]:
        """Those of which a test has to show that the rule was kept."""
        return frozenset(file.path for file in self.files if file.needs_test)


def owed_at_hand(root: str, plans: Sequence[Plan] | None = None) -> list[OwedProof]:
    """What the changes in the work tree oblige to, by its own rules; what the commit will check counts as checked."""
    known = open_plans(root) if plans is None else list(plans)
    files = changed_at_hand(root) if known else []
    return owed_proofs(root, known, files, rule_terms.terms_at_hand(root, attached_slugs(known))) if files else []


def attached_slugs(plans: Sequence[Plan]) -> set[str]:
    """The rules that belong to any step of the plans."""
    return {slug for plan in plans for step in plan.steps for slug, _ in step.rules}


def rules_at(plan: Plan, step: Step, terms: Mapping[str, RuleTerms]) -> list[str]:
    """The rules of a step: its own, those of the steps above it, and those that ask for tests."""
    found = {slug: None for one in plan.with_those_above(step) for slug, _ in one.rules}
    found.update(dict.fromkeys(slug for slug, known in terms.items() if known.pinned and known.level == TESTABLE))
    return [slug for slug in found if slug in terms]


def owed_proofs(
    root: str,
    plans: Sequence[Plan],
    files: Sequence[ChangedFile],
    terms: Mapping[str, RuleTerms],
    seen: GateView | None = None,
    *,
    by_person: Callable[[], bool] = lambda: False,
) -> list[OwedProof]:
    """Each rule at each step that claims one of the files, where it speaks of that; ``seen`` None: before a gate."""
    claims = Claims(root, plans, by_person)
    own: dict[tuple[str, str], tuple[Plan, Step, list[ChangedFile]]] = {}
    for file in files:
        for plan, step in claims.of(file):
            own.setdefault((plan.session, step.id), (plan, step, []))[2].append(file)
    book = _Book(root, seen)
    found = []
    for plan, step, claimed in own.values():
        for slug in rules_at(plan, step, terms):
            about = [file for file in claimed if terms[slug].holds_for(file.path, plan.agent)]
            if about:
                level = terms[slug].level_where(named=names_rule(plan, step, slug))
                one = OwedProof(plan, step, terms[slug], level, about)
                book.look(one)
                found.append(one)
    return found


class _Book:
    """Runs, approvals and the ledger, each read once and only where it is needed."""

    def __init__(self, root: str, seen: GateView | None) -> None:
        self.root, self.seen = root, seen
        self._tested: list[frozenset[str]] | None = None
        self._approvals: list[dict[str, Any]] | None = None
        self._broken: dict[str, set[str]] = {}

    def look(self, one: OwedProof) -> None:
        """Find how the rule was proved, or what is missing."""
        terms = one.terms
        against = self._against(one)
        if not against:
            one.proved, one.later = CHECKED, terms.at_commit and self.seen is None
        if not one.is_open:
            return
        if one.level == TESTABLE and not one.tested_paths:
            one.proved = TESTED  # only tests, prose and generated files changed
        elif self._is_tested(one):
            one.proved, one.later = TESTED, False
        elif by := self._approved_by(one):
            one.proved, one.by, one.later = APPROVED, by, False
        else:
            one.missing = (
                against if against and one.level == STRICT else NOT_TESTED.format(_in_few(sorted(one.tested_paths)))
            )

    def _against(self, one: OwedProof) -> str:
        """What speaks against it that the rule's check was kept; "" where nothing does."""
        slug = one.terms.slug
        if not one.terms.at_commit:
            return self._against_calls(one) if one.terms.at_calls else NO_CHECK
        if self.seen is None:
            return ""
        if slug in self.seen.broken:
            return "its check broke"
        return "its check found something" if self.seen.found.get(slug, set()).intersection(["", *one.paths]) else ""

    def _against_calls(self, one: OwedProof) -> str:
        """What speaks against it that the session's tool calls kept the rule."""
        if not one.plan.agent:
            return "no hook saw the calls of its session"
        session = one.plan.session
        if session not in self._broken:
            begun = min((step.started for step in one.plan.steps if step.started), default=one.plan.opened)
            self._broken[session] = ledger.broken_in_session(self.root, session, begun)
        return "it was broken in the session" if one.terms.slug in self._broken[session] else ""

    def _is_tested(self, one: OwedProof) -> bool:
        if self._tested is None:
            self._tested = run_records.tested_files(self.root, staged=self.seen is not None)
        return bool(one.tested_paths) and any(one.tested_paths <= group for group in self._tested)

    def _approved_by(self, one: OwedProof) -> str:
        if self._approvals is None:
            self._approvals = approvals.approvals(self.root)
        pins = {file.path: file.pin for file in one.files}
        return approvals.approved_by(self._approvals, one.terms.slug, one.terms.revision, pins)


def _in_few(paths: Sequence[str]) -> str:
    return ", ".join(paths[:MOST_NAMED]) + (f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else "")

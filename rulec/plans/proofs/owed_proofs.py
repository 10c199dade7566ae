"""Which rules at the steps of plans were checked, tested or approved for what was changed, and what is missing."""

from __future__ import annotations

from rulec.checkout import ledger
from rulec.plans.plan import REMIND, STRICT, TESTABLE, names_rule
from rulec.plans.plan_store import open_plans
from rulec.plans.proofs import rule_terms, suite_records
from rulec.plans.proofs.changed_files import Claims, changed_at_hand
from rulec.plans.proofs.signed_records import APPROVAL, records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from rulec.plans.plan import Plan, Step
    from rulec.plans.proofs.changed_files import ChangedFile
    from rulec.plans.proofs.rule_terms import RuleTerms


CHECKED, TESTED, APPROVED = "checked", "tested", "approved"
SUFFICES = {REMIND: ("", CHECKED), STRICT: (CHECKED, TESTED, APPROVED), TESTABLE: (TESTED, APPROVED)}
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

    def __init__(self, plan: Plan, step: Step, terms: RuleTerms, files: list[ChangedFile]) -> None:
        self.plan, self.step, self.terms, self.files = plan, step, terms, files
        self.level = terms.level_where(named=names_rule(plan, step, terms.slug))
        self.number = 1 + next(at for at, one in enumerate(plan.steps) if one is step)  # as `rulec plan` counts
        self.proved = ""  # checked, tested or approved
        self.by = ""  # who approved it
        self.later = False  # the commit will check it: nothing was run yet
        self.missing = ""  # why it is not proved

    @property
    def is_open(self) -> bool:
        """Whether a commit would need more."""
        return self.proved not in SUFFICES[self.level]

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
    claimed: dict[tuple[str, str], tuple[Plan, Step, list[ChangedFile]]] = {}
    for file in files:
        for plan, step in claims.of(file):
            claimed.setdefault((plan.session, step.id), (plan, step, []))[2].append(file)
    book = _Book(root, seen)
    found = []
    for plan, step, own in claimed.values():
        for slug in _rules_at(plan, step, terms):
            about = [file for file in own if terms[slug].holds_for(file.path, plan.agent)]
            if about:
                found.append(OwedProof(plan, step, terms[slug], about))
                book.look(found[-1])
    return found


def _rules_at(plan: Plan, step: Step, terms: Mapping[str, RuleTerms]) -> list[str]:
    """The rules of a step: its own, those of the steps above it, and those that ask for tests."""
    own = [slug for one in plan.with_those_above(step) for slug, _ in one.rules]
    testable = [slug for slug, known in terms.items() if known.pinned and known.level == TESTABLE]
    return [slug for slug in dict.fromkeys([*own, *testable]) if slug in terms]


def approved_by(known: Iterable[dict[str, Any]], revision: int, pins: Mapping[str, str]) -> str:
    """Who approved all of these changes, by the approvals of their rule; "" for nobody."""
    good = [one for one in known if one.get("revision") == revision and isinstance(one.get("pins"), dict)]
    covers = [next((one for one in good if pin and one["pins"].get(path) == pin), None) for path, pin in pins.items()]
    return str(covers[0].get("by") or "a person") if covers and covers[0] and all(covers) else ""


class _Book:
    """Runs, approvals and the ledger, each read once and only where it is needed."""

    def __init__(self, root: str, seen: GateView | None) -> None:
        self.root, self.seen = root, seen
        self._tested: list[frozenset[str]] | None = None
        self._approvals: list[dict[str, Any]] | None = None
        self._broken: dict[str, set[str]] = {}

    def look(self, one: OwedProof) -> None:
        """Find how the rule was proved, or what is missing."""
        against = self._against(one)
        if not against:
            one.proved, one.later = CHECKED, one.terms.at_commit and self.seen is None
        if not one.is_open:
            return
        if one.level == TESTABLE and not one.tested_paths:
            one.proved = TESTED  # only tests, prose and generated files changed
        elif self._is_tested(one):
            one.proved, one.later = TESTED, False
        elif by := self._approved_by(one):
            one.proved, one.by, one.later = APPROVED, by, False
        elif against and one.level == STRICT:
            one.missing = against
        else:
            one.missing = NOT_TESTED.format(_in_few(sorted(one.tested_paths)))

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
        plan, session = one.plan, one.plan.session
        if not plan.agent:
            return "no hook saw the calls of its session"
        if session not in self._broken:
            begun = min((step.started for step in plan.steps if step.started), default=plan.opened)
            self._broken[session] = ledger.broken_in_session(self.root, session, begun)
        return "it was broken in the session" if one.terms.slug in self._broken[session] else ""

    def _is_tested(self, one: OwedProof) -> bool:
        if self._tested is None:
            self._tested = suite_records.tested_files(self.root, staged=self.seen is not None)
        return bool(one.tested_paths) and any(one.tested_paths <= group for group in self._tested)

    def _approved_by(self, one: OwedProof) -> str:
        if self._approvals is None:
            self._approvals = records(self.root, APPROVAL)
        own = [known for known in self._approvals if known["name"] == one.terms.slug]
        return approved_by(own, one.terms.revision, {file.path: file.pin for file in one.files})


def _in_few(paths: Sequence[str]) -> str:
    return ", ".join(paths[:MOST_NAMED]) + (f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else "")

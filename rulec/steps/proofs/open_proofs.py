"""Which rules at the steps of plans are proved for what was changed, by which class of proof, and what is missing."""

from rulec.checkout import ledger
from rulec.checkout.worktree import Worktree
from rulec.guard import decision
from rulec.steps.plan_store import open_plans
from rulec.steps.proofs import proof_store, rule_terms
from rulec.steps.proofs.claimed_files import Claims, changed_at_hand, read_text
from rulec.steps.proofs.proof_store import CHECKED, SAID, SUFFICES
from rulec.steps.proofs.said_words import is_still_said, object_from_data
from rulec.steps.proofs.session_words import events_of_plan
from rulec.steps.step import LEVELS, REMIND, TESTABLE, names_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from rulec.steps.proofs.claimed_files import ChangedFile
    from rulec.steps.proofs.rule_terms import RuleTerms
    from rulec.steps.step import Plan, Step


class GateView:
    """What a gate saw: where each rule found something ("" for the whole change), and whose checks broke."""

    __slots__ = ("broken", "found")

    def __init__(self, found: "Mapping[str, set[str]]", broken: "Iterable[str]" = ()) -> None:
        self.found, self.broken = found, frozenset(broken)


class Obligation:
    """A rule at a step that changed files: what it needs, what there is, and what is missing."""

    __slots__ = ("files", "later", "level", "missing", "number", "plan", "proof", "proved", "risk", "step", "terms")

    def __init__(self, plan: "Plan", step: "Step", terms: "RuleTerms", level: str, files: "list[ChangedFile]") -> None:
        self.plan, self.step, self.terms, self.level, self.files = plan, step, terms, level, files
        self.number = 1 + next(at for at, one in enumerate(plan.steps) if one is step)  # as `rulec plan` counts
        self.proved = ""  # the class of the proof that was found
        self.proof: "dict[str, Any] | None" = None  # its record, where it is stored
        self.later = False  # the commit will check it: nothing was run yet
        self.missing: "list[str]" = []  # why it is not proved, in a few words each
        self.risk: "dict[str, Any] | None" = None  # a person's decision that it needs no proof

    @property
    def is_met(self) -> bool:
        """Whether the proof is of a class that the level asks for."""
        return self.level == REMIND or self.proved in SUFFICES[self.level]

    @property
    def is_open(self) -> bool:
        """Whether a commit would need more, and nobody accepted the risk."""
        return not self.is_met and self.risk is None

    @property
    def paths(self) -> "list[str]":
        """The changed files that the rule speaks of."""
        return [file.path for file in self.files]


def obligations_at_hand(root: str, plans: "Sequence[Plan] | None" = None) -> "list[Obligation]":
    """What the changes in the work tree oblige to, by its own rules; what the commit will check counts as checked."""
    known = open_plans(root) if plans is None else list(plans)
    if not known:
        return []
    files = changed_at_hand(root)
    return obligations(root, known, files, rule_terms.terms_at_hand(root, attached_slugs(known))) if files else []


def attached_slugs(plans: "Sequence[Plan]") -> "set[str]":
    """The rules that belong to any step of the plans."""
    return {
        slug for plan in plans for pairs in (plan.always, *(step.rules for step in plan.steps)) for slug, _ in pairs
    }


def rules_at(plan: "Plan", step: "Step", terms: "Mapping[str, RuleTerms]") -> "list[str]":
    """The rules of a step: its own, those of the steps above it and of the plan, and those that ask for tests."""
    found = dict.fromkeys(slug for slug, _ in plan.always)
    for one in _with_those_above(plan, step):
        found.update(dict.fromkeys(slug for slug, _ in one.rules))
    found.update(dict.fromkeys(slug for slug, known in terms.items() if known.pinned and known.level == TESTABLE))
    return [slug for slug in found if slug in terms]


def obligations(
    root: str,
    plans: "Sequence[Plan]",
    files: "Sequence[ChangedFile]",
    terms: "Mapping[str, RuleTerms]",
    seen: "GateView | None" = None,
    *,
    by_person: "Callable[[], bool]" = lambda: False,
) -> "list[Obligation]":
    """Each rule at each step that claims one of the files, where it speaks of that; ``seen`` None: before a gate."""
    claims = Claims(root, plans, by_person)
    own: "dict[tuple[str, str], tuple[Plan, Step, list[ChangedFile]]]" = {}
    for file in files:
        for plan, step in claims.of(file):
            own.setdefault((plan.session, step.id), (plan, step, []))[2].append(file)
    if not own:
        return []
    book = _Book(root, files, seen)
    found = []
    for plan, step, claimed in own.values():
        for slug in rules_at(plan, step, terms):
            about = [file for file in claimed if terms[slug].holds_for(file.path, plan.agent)]
            if about:
                level = level_at(book.decisions, plan, step, terms[slug])
                found.append(book.judged(Obligation(plan, step, terms[slug], level, about)))
    return found


def level_at(decisions: "list[dict[str, Any]]", plan: "Plan", step: "Step", terms: "RuleTerms") -> str:
    """The level of a rule at a step: a person's for this step, else the rule's own."""
    decided = proof_store.find_decision(decisions, "level", plan.session, step.id, terms.slug)
    level = decided.get("level") if decided else None
    return str(level) if level in LEVELS else terms.level_where(named=names_rule(plan, step, terms.slug))


def _with_those_above(plan: "Plan", step: "Step") -> "Iterator[Step]":
    above: "Step | None" = step
    for _ in range(len(plan.steps)):
        if above is None:
            return
        yield above
        above = plan.step(above.parent)


class _Book:
    """Proofs, decisions, the ledger and transcripts, each read once and only where it is needed."""

    def __init__(self, root: str, files: "Sequence[ChangedFile]", seen: "GateView | None") -> None:
        self.root, self.world, self.seen = root, Worktree(root), seen
        self.pins = {file.path: file.pin for file in files}
        self.proofs = proof_store.stored_proofs(root)
        self.decisions = proof_store.stored_decisions(root)
        self._events: "dict[str, list[dict[str, Any]] | None]" = {}
        self._broken: "dict[str, set[str]]" = {}

    def judged(self, one: Obligation) -> Obligation:
        """The obligation with what was found for it."""
        risk = proof_store.find_decision(self.decisions, "risk", one.plan.session, one.step.id, one.terms.slug)
        one.risk = risk if proof_store.is_risk_accepted(risk, one.terms.revision) else None
        self._find_stored(one)
        if not one.is_met or not one.proved:
            self._find_by_itself(one)
        return one

    def _find_stored(self, one: Obligation) -> None:
        """The stored proofs of the best class that together cover every file of the obligation."""
        named = [
            proof
            for proof in self.proofs
            if (proof.get("session"), proof.get("step"), proof.get("rule"))
            == (one.plan.session, one.step.id, one.terms.slug)
        ]
        good = [
            proof
            for proof in named
            if proof.get("revision") == one.terms.revision
            and proof_store.holds(proof, self.pins, lambda path: read_text(self.root, path))
        ]
        kept = [proof for proof in good if proof["class"] != SAID or self._is_still_said(one.plan, proof)]
        if len(kept) < len(good):
            one.missing.append("the person's word for it was taken back, or is not there to read")
        good = kept
        for kind in sorted(proof_store.CLASSES, key=lambda kind: kind not in SUFFICES[one.level]):
            some = [proof for proof in good if proof["class"] == kind]
            covered = {path for proof in some for path in proof["pin"]}
            if some and covered.issuperset(one.paths):
                one.proved, one.proof = kind, some[0]
                return
        if good:
            left = [path for path in one.paths if not any(path in proof["pin"] for proof in good)]
            one.missing.append(f"{', '.join(left[:3])} changed beside what was proved" if left else "not all is proved")
        elif named and not one.missing:
            stale = any(proof.get("revision") == one.terms.revision for proof in named)
            one.missing.append(
                "the lines changed since they were proved" if stale else "the rule changed since it was proved"
            )

    def _is_still_said(self, plan: "Plan", proof: "dict[str, Any]") -> bool:
        listed = proof["detail"].get("objects")
        objects = [object_from_data(data) for data in listed] if isinstance(listed, list) else []
        return is_still_said(self._events_of(plan), [one for one in objects if one is not None])

    def _find_by_itself(self, one: Obligation) -> None:
        """What nobody has to state: its check found nothing, and the person's word stands in the transcript."""
        terms, missing = one.terms, []
        if terms.at_commit and self.seen is None:
            one.later = True
        elif terms.at_commit and self.seen is not None:
            if terms.slug in self.seen.broken:
                missing.append("its check broke")
            elif self.seen.found.get(terms.slug, set()).intersection(["", *one.paths]):
                missing.append("its check found something")
        said = [self._is_permitted(one, rule) for rule in terms.asks]
        if False in said:
            missing.append("no word of the person for it stands in the session's transcript")
        if terms.at_calls and not terms.at_commit and True not in said:
            missing += self._calls(one)
        concerned = terms.at_commit or terms.at_calls or bool(terms.asks)
        if concerned and not missing:
            kind = SAID if True in said else CHECKED
            if not one.proved or (kind in SUFFICES[one.level] and not one.is_met):
                one.proved, one.proof = kind, None
        elif not one.proved or not one.is_met:
            one.missing = missing + one.missing

    def _calls(self, one: Obligation) -> "list[str]":
        """What speaks against it that the session's tool calls kept the rule."""
        if not one.plan.agent or one.plan.source == "file":
            return ["no hook saw the calls of its session"]
        session = one.plan.session
        if session not in self._broken:
            begun = min((step.started for step in one.plan.steps if step.started), default=one.plan.opened)
            self._broken[session] = ledger.broken_in_session(self.root, session, begun)
        return ["it was broken in the session"] if one.terms.slug in self._broken[session] else []

    def _is_permitted(self, one: Obligation, rule: "dict[str, Any]") -> "bool | None":
        """Whether the person allowed what the files bring; None where the rule asks for nothing there."""
        events = self._events_of(one.plan)
        wanted, allowed = False, True
        for file in one.files:
            event = self._event(one.plan, file)
            if not decision.decide([rule], {**event, "history": []}):
                continue
            wanted = True
            allowed = allowed and events is not None and not decision.decide([rule], {**event, "history": events})
        return allowed if wanted else None

    def _event(self, plan: "Plan", file: "ChangedFile") -> "dict[str, Any]":
        """The change of a file as guards see it."""
        kind = "delete" if file.now is None else "write" if file.before is None else "edit"
        return {
            "kind": kind, "path": file.path, "also": (), "agent": plan.agent, "environment": "local", "left": True,
            "exists": file.before is not None, "old": file.before or "", "new": file.now or "", "content": file.now,
            "disk": file.before or "", "root": self.root, "world": self.world, "base": "HEAD", "unsure": False,
        }  # fmt: skip

    def _events_of(self, plan: "Plan") -> "list[dict[str, Any]] | None":
        if plan.session not in self._events:
            self._events[plan.session] = events_of_plan(self.root, plan)
        return self._events[plan.session]

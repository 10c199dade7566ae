"""A rule's proof: a check acts only after it decided the rule's own examples and left alone what is innocent."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulec.checks.proving.check_reach import demands_presence, judges_whole_change, why_no_gate
from rulec.checks.proving.example_changes import change_of, change_of_exception, describe_example
from rulec.checks.proving.proof import ExampleVariant, Proof, ProofStage, StageFailure, StageName, VariantOutcome
from rulec.checks.proving.replay import (
    ObserveChanges,
    ProofSession,
    Seen,
    has_finding,
    is_judged,
    replay_failures,
)
from rulec.domain.artifact import Artifact, is_judge_check, proof_digest
from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.finding import Fault
from rulec.domain.rule import Check, Example, Rule
from rulec.sentences.unchecked import unheld_literals

LEFT_TO_JUDGE = "none is for a machine to decide: rulec test asks the judge"
READ_BY_JUDGE = ("file", "edit", "commit", "message")  # kinds of example that a judge can read
MOST_NAMED = 5  # failures of a stage
Parse = Callable[[Artifact], str]  # the real tool's complaint about an artifact, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofContext:
    """What a proof looks at in addition to the rule's examples and the session that it came from."""

    variants: Callable[[Rule], Sequence[ExampleVariant]] = lambda _: ()  # of the examples that its machines decide
    edges: bool = True  # all of these are decided, and not only those that no check may catch
    tree: TreeAfterChange | None = None  # the repository's files, from which examples of edits and commits start
    strict: bool = False  # a check that only repeats another fails the proof, and is not only told


def verify_checks(
    rule: Rule,
    artifacts: Sequence[Artifact],
    observe: ObserveChanges,
    parse: Parse,
    session: ProofSession | None = None,
    *,
    beyond: ProofContext = ProofContext(),
) -> Proof:
    """The proof of one rule's checks; stages after the first that fails are not run.

    No model is asked: a judge is parsed, and what it alone can see is left to it. Where there are only judges
    nothing is proved, and the proof has no digest.
    """
    run = _ProofRun(rule, artifacts, observe, parse, session, beyond)
    stages: list[ProofStage] = []
    replayed = -1
    for stage in run.stages():
        stages.append(stage)
        if not stage.passed:
            break
        if stage.name == "replay" and session is not None:
            replayed = session.accepted
    machines = _decided_by_machine(artifacts)
    return Proof(
        slug=rule.slug,
        revision=rule.revision,
        digest=proof_digest(rule, [artifact.digest for artifact in machines]) if machines else "",
        stages=tuple(stages),
        caught=len(rule.invalid) - sum(stage.left for stage in stages),
        passed_valid=len(_valid_changes(rule)) * bool(machines),
        replayed=replayed,
        edges=run.edges,
        doubled=tuple(run.doubled),
        unexplained=tuple(run.unexplained),
    )


def _decided_by_machine(artifacts: Sequence[Artifact]) -> list[Artifact]:
    return [artifact for artifact in artifacts if not is_judge_check(artifact)]


def contradiction(rule: Rule) -> str:
    """An example of the rule that is called both valid and invalid, "" where there is none."""
    # who acts, and where, may tell an exception's example from an offence
    plain = [one for one in rule.exceptions if not (one.scope.agents or one.scope.environments)]
    valid = set(map(_normalized, (*rule.valid, *(example for one in plain for example in one.valid))))
    both = [example for example in rule.invalid if _normalized(example) in valid]
    return f"{describe_example(both[0])} is both valid and invalid" if both else ""


@dataclass(slots=True)
class _ProofRun:
    """One proof on its way."""

    rule: Rule
    artifacts: Sequence[Artifact]
    observe: ObserveChanges
    parse: Parse
    session: ProofSession | None
    beyond: ProofContext
    edges: VariantOutcome | None = None
    doubled: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)

    def stages(self) -> Iterator[ProofStage]:
        rule = self.rule
        said = [self.parse(artifact) for artifact in self.artifacts]
        complaints = [f"{one.path}: {what}" for one, what in zip(self.artifacts, said, strict=True) if what]
        yield ProofStage(
            name="parse",
            passed=not complaints,
            detail="; ".join(complaints),
            failures=tuple(StageFailure(what=one) for one in complaints),
        )
        machines = _decided_by_machine(self.artifacts)
        problem = contradiction(rule)
        if machines and not problem and not rule.invalid:
            problem = "the rule has no invalid example that its check could catch"
        if len(machines) == len(self.artifacts):
            problem = problem or why_no_gate(rule, machines)
        told = (StageFailure(what=problem),) if problem else ()
        yield ProofStage(name="schema", passed=not problem, detail=problem, failures=told)
        if not machines:
            yield ProofStage(name="examples", passed=True, detail=LEFT_TO_JUDGE, left=len(rule.invalid))
            return
        variants = [] if len(machines) < len(self.artifacts) else self._variants(rule)
        seen = _Decisions(self, machines, variants)
        failures, left = seen.examples()
        counted = f"{len(rule.invalid) - left} caught, {len(_valid_changes(rule))} passed"
        counted += f", {left} left to the judge" * bool(left)
        yield _stage("examples", failures, counted, left)
        if self.session is not None:
            failures = replay_failures(machines, self.observe, self.session)
            total, wrong = self.session.accepted, any(map(is_judged, self.session.before))
            actions = f"action{'s' * (total != 1)} passed"
            held = f"offence caught, {total} other {actions}" if wrong else f"{total} {actions}"
            yield _stage("replay", failures, held)
        if left or len(machines) < len(self.artifacts):  # variants of what only a judge sees are none of the machines'
            variants = self._variants(replace(rule, invalid=tuple(seen.caught())))
            seen = _Decisions(self, machines, variants)
        if variants:
            yield _stage("innocents", seen.innocents(), f"{sum(one.firm for one in variants)} look-alikes passed")
            self.edges = seen.edges()
        self.unexplained = list(unheld_literals(rule))

    def _variants(self, rule: Rule) -> list[ExampleVariant]:
        return [variant for variant in self.beyond.variants(rule) if variant.firm or self.beyond.edges]


def look_alone(
    offences: Iterable[tuple[int, Example]],
    changes: Sequence[Change],
    machines: Sequence[Artifact],
    seen: Sequence[list[Seen]],
    observe: ObserveChanges,
    *,
    strict: bool,
) -> None:
    """Look at offences by themselves that no check saw, since what the last commit holds already is no news against it.

    Seen holds, for each machine, what it found in each change. Strictly, what goes together in one commit is judged as
    the change that it would be now.
    """
    missed = [(n, one) for n, one in offences if changes[n].whole and not any(found[n] for found in seen)]
    if not missed:
        return
    alone = [replace(change_of(one), tree=changes[n].tree) for n, one in missed]
    for artifact, found in zip(machines, seen, strict=True):
        if strict and judges_whole_change(artifact):
            continue
        for (n, _), again in zip(missed, observe([artifact], alone), strict=True):
            found[n] = again


class _Decisions:
    """What each check of a rule makes of its examples and of variants of them, asked at once."""

    def __init__(self, run: _ProofRun, machines: Sequence[Artifact], variants: Sequence[ExampleVariant]) -> None:
        self.run, self.machines, self.variants = run, machines, variants
        tree = run.beyond.tree
        self.valid = _valid_changes(run.rule, tree)
        self.invalid = [change_of(one, tree) for one in run.rule.invalid]
        changes = [*self.invalid, *(change for _, change in self.valid)]
        self.start = len(changes)  # where the variants begin
        changes += [change_of(variant.example, tree) for variant in variants]
        self.each = [list(run.observe([artifact], changes)) for artifact in machines]
        if tree is not None:
            self._again(changes)
        self.all: list[Seen] = [[item for part in parts for item in part] for parts in zip(*self.each, strict=True)]

    def _again(self, changes: Sequence[Change]) -> None:
        told = [*enumerate(self.run.rule.invalid)]
        told += [(self.start + n, one.example) for n, one in enumerate(self.variants) if one.invalid]
        look_alone(told, changes, self.machines, self.each, self.run.observe, strict=self.run.beyond.strict)

    def caught(self) -> list[Example]:
        return [one for one, found in zip(self.run.rule.invalid, self.all, strict=False) if found]

    def examples(self) -> tuple[list[StageFailure], int]:
        """What is decided wrongly, and how many offences are left to a judge, which reads what no machine sees."""
        rule, many = self.run.rule, len(self.invalid) + len(self.valid)
        judged = len(self.machines) < len(self.run.artifacts)
        fault = next((item for found in self.all[:many] for item in found if isinstance(item, Fault)), None)
        if fault:
            return [StageFailure(what=f"the check broke: {fault.what}", got="broke", why=fault.what)], 0
        missed = [example for example, found in zip(rule.invalid, self.all, strict=False) if not found]
        left = [example for example in missed if judged and example.kind in READ_BY_JUDGE]
        failures = [
            StageFailure(what=f"did not catch {describe_example(one)}", example=one, expected="caught", got="passed")
            for one in missed
            if one not in left
        ]
        if not failures and (len(self.machines) > 1 or left):
            failures += self._idle()
        for (example, _), found in zip(self.valid, self.all[len(self.invalid) : many], strict=True):
            if found:
                what = f"caught the valid {describe_example(example)}"
                by = self._by(len(self.invalid) + [one for one, _ in self.valid].index(example))
                failures.append(StageFailure(what=what, example=example, expected="passed", got="caught", check=by))
        return failures, 0 if failures else len(left)

    def _idle(self) -> list[StageFailure]:
        """The checks without which all that is to be caught is caught all the same; of two alike the later one."""
        failures = []
        caught = [{n for n, found in enumerate(seen[: len(self.invalid)]) if found} for seen in self.each]
        left = list(range(len(self.machines)))
        for number in reversed(left[:]):
            check, kind = self._check(number), self.machines[number].kind
            others = [n for n in left if n != number and self.machines[n].kind == kind]
            if caught[number].difference(*(caught[n] for n in others)):
                continue
            what = f"{self._nth(number)} caught none of the invalid examples"
            if caught[number]:
                if demands_presence(self.machines[number], check.template if check else "") or self._apart(
                    number, others
                ):
                    continue  # one offence may lack all that several checks ask for
                one = next((n for n in others if caught[number] <= caught[n]), None)
                whom = "the others do" if one is None else f"{self._nth(one)} does"
                what = f"{self._nth(number)} catches nothing that {whom} not catch: leave it out, or give an invalid "
                what += "example that it alone catches"
                if not self.run.beyond.strict:  # it does no harm, and a rule in force is not to fall for it
                    self.run.doubled.append(what)
                    continue
            left.remove(number)
            failures.append(StageFailure(what=what, expected="caught", got="passed", check=self._name(number)))
        return failures[::-1]

    def _apart(self, number: int, others: Sequence[int]) -> bool:
        """Whether it alone catches a variant of an offence."""
        tree = self.run.beyond.tree
        changes = [change_of(one.example, tree) for one in self.run.beyond.variants(self.run.rule) if one.invalid]
        own, *more = (self.run.observe([self.machines[n]], changes) for n in (number, *others))
        return any(
            has_finding(found) and not any(map(has_finding, rest)) for found, *rest in zip(own, *more, strict=True)
        )

    def _nth(self, number: int) -> str:
        """A check as its author counts them."""
        check = self._check(number)
        at = [id(one) for one in self.run.rule.checks].index(id(check)) if check else number
        return f"check {at + 1} ({self._name(number)})"

    def _check(self, number: int) -> Check | None:
        """The check that an artifact was compiled from: they stand in the same order."""
        checks = [check for check in self.run.rule.checks if check.kind != "judge"]
        return checks[number] if len(checks) == len(self.machines) else None

    def _name(self, number: int) -> str:
        check = self._check(number)
        return f"{check.kind} {check.template}" if check else self.machines[number].path

    def _by(self, at: int) -> str:
        """The check that has to do with what was found, "" where there is one alone."""
        names = [self._name(number) for number, seen in enumerate(self.each) if seen[at]]
        return names[0] if len(self.machines) > 1 and names else ""

    def innocents(self) -> list[StageFailure]:
        """The look-alikes that are innocent by construction and are caught all the same."""
        return [
            StageFailure(
                what=f"caught the innocent {describe_example(variant.example)} ({variant.name})",
                example=variant.example, expected="passed", got="caught", why=variant.name,
                check=self._by(self.start + number),
            )
            for number, (variant, found) in enumerate(zip(self.variants, self.all[self.start :], strict=True))
            if variant.firm and not variant.invalid and has_finding(found)
        ]  # fmt: skip

    def edges(self) -> VariantOutcome:
        """How the checks decide variants of the examples; one that breaks on a variant missed it."""
        return count_variants(self.variants, self.all[self.start :])


def count_variants(variants: Sequence[ExampleVariant], seen: Sequence[Seen]) -> VariantOutcome:
    """How checks decided variants of the examples, by what they found in each."""
    wider = tuple(variant for variant, found in zip(variants, seen, strict=True) if variant.open and has_finding(found))
    pairs = [(variant, found) for variant, found in zip(variants, seen, strict=True) if not variant.open]
    variants, seen = [variant for variant, _ in pairs], [found for _, found in pairs]
    right = [
        bool(found) == variant.invalid and not any(isinstance(item, Fault) for item in found)
        for variant, found in zip(variants, seen, strict=True)
    ]
    invalid = [good for variant, good in zip(variants, right, strict=True) if variant.invalid]
    return VariantOutcome(
        caught=sum(invalid),
        invalid=len(invalid),
        passed=sum(right) - sum(invalid),
        valid=len(right) - len(invalid),
        missed=tuple(variant for variant, good in zip(variants, right, strict=True) if not good),
        wider=wider,
    )


def _stage(name: StageName, failures: Sequence[StageFailure], held: str, left: int = 0) -> ProofStage:
    first, *more = [one.what for one in failures] or [held]
    return ProofStage(
        name=name, passed=not failures, detail=first, left=left, more=tuple(more[: MOST_NAMED - 1]),
        failures=tuple(failures[:MOST_NAMED]),
    )  # fmt: skip


def _normalized(example: Example) -> Example:
    """An example without what makes no difference: blanks between words, ends of messages, the order of files."""
    text, quoted = example.text, any(sign in example.text for sign in "'\"\\\n")
    if example.kind == "command":
        text = text.strip() if quoted else " ".join(text.split())
    return replace(
        example,
        text=text.rstrip() if example.kind == "message" else text,
        path=posixpath.normpath(example.path) if example.path else "",
        files=tuple(sorted(example.files)),
        steps=tuple(map(_normalized, example.steps)),
    )


def _valid_changes(rule: Rule, tree: TreeAfterChange | None = None) -> list[tuple[Example, Change]]:
    """What must pass: the rule's own examples, and those of its exceptions where and by whom they hold."""
    return [(one, change_of(one, tree)) for one in rule.valid] + [
        (example, change_of_exception(one, example, tree)) for one in rule.exceptions for example in one.valid
    ]

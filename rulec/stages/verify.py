"""Artifacts -> proofs: a check may act only after it decided its rule's own examples and left alone what is innocent.

Every check has to earn its place: each must catch an invalid example, or a variant of one, that no other of its kind
catches. One that nobody asked for by its kind goes where it catches nothing (see pruned), but stays where it catches at
another gate what an example leaves behind: a command makes a file, which a commit takes.
"""

import posixpath
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulec.committed import committed, left_behind
from rulec.literals import turned, unexplained
from rulec.model.artifact import Artifact, of_changes, of_judge, proof_digest
from rulec.model.change import Change, FileChange, Tree
from rulec.model.finding import Fault, Finding
from rulec.model.proof import Edges, Failure, Mutant, Proof, Stage, StageName
from rulec.model.rule import Check, Example, Exemption, Rule
from rulec.model.transcript import Action
from rulec.mutants.reach import demands, nowhere
from rulec.runtime import messages
from rulec.runtime.effects import effects
from rulec.runtime.shell import parse

Seen = Sequence[Finding | Fault]
Observe = Callable[[Sequence[Artifact], Sequence[Change]], Sequence[Seen]]  # each change through the artifacts
EARLIER = 1_000  # actions before one that is replayed, as many as its checks get to see
JUDGED = "none is for a machine to decide: rulec test measures the judge"
READ = ("file", "edit", "commit", "message")  # kinds of example that a judge can read
MOST_NAMED = 5  # failures of a stage
MOST_STEPS = 3  # of a session, the last ones, that a failure names
Parse = Callable[[Artifact], str]  # the real tool's complaint about an artifact, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The originating session, cut around the correction."""

    before: tuple[Action, ...] = ()  # the offence is among them
    after: tuple[Action, ...] = ()  # accepted
    later: tuple[Action, ...] = ()  # the rest of the session, as far as no other correction speaks of it
    tree: Tree | None = None  # what stood beside the changes
    others: tuple[tuple[Action, ...], ...] = ()  # what was accepted when the same was said another time

    @property
    def accepted(self) -> int:
        """How many actions must pass."""
        return sum(_judged(action) for tale in (self.after, self.later, *self.others) for action in tale)


def _judged(action: Action) -> bool:
    return not action.aside and action.kind != "says"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beyond:
    """What a proof looks at beside the rule's examples and the session that it came of."""

    mutants: Callable[[Rule], Sequence[Mutant]] = lambda _: ()  # variants of the examples that its machines decide
    edges: bool = True  # all of these are decided, and not only those that no check may catch
    looked: Callable[[], Sequence[str]] = tuple  # texts that the compiled checks look for
    tree: Tree | None = None  # the repository's files, from which examples of edits and commits start
    strict: bool = False  # a check that only repeats another fails the proof, and is not only told


def verify(
    rule: Rule, artifacts: Sequence[Artifact], observe: Observe, parse: Parse, session: Session | None = None, *,
    beyond: Beyond = Beyond(),
) -> Proof:  # fmt: skip
    """The proof of one rule's checks; stages after the first that fails are not run.

    No model is asked: a judge is parsed, and what it alone can see is left to its measure. Where there are only judges
    nothing is proved, and the proof has no digest.
    """
    run = _Run(rule, artifacts, observe, parse, session, beyond)
    stages: list[Stage] = []
    replayed = -1
    for stage in run.stages():
        stages.append(stage)
        if not stage.passed:
            break
        if stage.name == "replay" and session is not None:
            replayed = session.accepted
    machines = _machines(artifacts)
    return Proof(
        slug=rule.slug,
        revision=rule.revision,
        digest=proof_digest(rule, [artifact.digest for artifact in machines]) if machines else "",
        stages=tuple(stages),
        caught=len(rule.invalid) - sum(stage.left for stage in stages),
        passed_valid=len(_valid(rule)) * bool(machines),
        replayed=replayed,
        edges=run.edges,
        dead=tuple(run.dead),
        later=tuple(run.later),
        doubled=tuple(run.doubled),
        unexplained=tuple(run.unexplained),
    )


def pruned(rule: Rule, proof: Proof) -> Rule:
    """The rule without the checks that nobody asked for by their kind and that catch nothing."""
    gone = [id(check) for check in proof.dead]
    return replace(rule, checks=tuple(check for check in rule.checks if id(check) not in gone)) if gone else rule


def _kind(artifact: Artifact) -> str:
    return artifact.path.split("/")[-2]


def _machines(artifacts: Sequence[Artifact]) -> list[Artifact]:
    return [artifact for artifact in artifacts if not of_judge(artifact)]


def contradiction(rule: Rule) -> str:
    """An example of the rule that is called both valid and invalid, "" where there is none."""
    # who acts, and where, may tell an exception's example from an offence
    plain = [one for one in rule.exceptions if not (one.scope.agents or one.scope.environments)]
    valid = set(map(_bare, (*rule.valid, *(example for one in plain for example in one.valid))))
    both = [example for example in rule.invalid if _bare(example) in valid]
    return f"{told(both[0])} is both valid and invalid" if both else ""


@dataclass(slots=True)
class _Run:
    """One proof on its way."""

    rule: Rule
    artifacts: Sequence[Artifact]
    observe: Observe
    parse: Parse
    session: Session | None
    beyond: Beyond
    edges: Edges | None = None
    dead: list[Check] = field(default_factory=list)
    later: list[Check] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)

    def stages(self) -> Iterator[Stage]:
        rule = self.rule
        said = [self.parse(artifact) for artifact in self.artifacts]
        complaints = [f"{one.path}: {what}" for one, what in zip(self.artifacts, said, strict=True) if what]
        self.dead = self._unfit(said)
        yield Stage(
            name="parse",
            passed=not complaints,
            detail="; ".join(complaints),
            failures=tuple(Failure(what=one) for one in complaints),
        )
        machines = _machines(self.artifacts)
        problem = contradiction(rule)
        if machines and not problem and not rule.invalid:
            problem = "the rule has no invalid example that its check could catch"
        if len(machines) == len(self.artifacts):
            problem = problem or nowhere(rule, machines)
        told = (Failure(what=problem),) if problem else ()
        yield Stage(name="schema", passed=not problem, detail=problem, failures=told)
        if machines and (contrary := turned(rule)):
            yield _stage("statement", [Failure(what=contrary)], "")
        if not machines:
            yield Stage(name="examples", passed=True, detail=JUDGED, left=len(rule.invalid))
            return
        mutants = [] if len(machines) < len(self.artifacts) else self._mutants(rule)
        seen = _Decided(self, machines, mutants)
        failures, left = seen.examples()
        counted = f"{len(rule.invalid) - left} caught, {len(_valid(rule))} passed"
        counted += f", {left} left to the judge" * bool(left)
        yield _stage("examples", failures, counted, left)
        if self.session is not None:
            failures = _replay(machines, self.observe, self.session)
            total, wrong = self.session.accepted, any(map(_judged, self.session.before))
            actions = f"action{'s' * (total != 1)} passed"
            held = f"offence caught, {total} other {actions}" if wrong else f"{total} {actions}"
            yield _stage("replay", failures, held)
        if left or len(machines) < len(self.artifacts):  # variants of what only a judge sees are none of the machines'
            mutants = self._mutants(replace(rule, invalid=tuple(seen.caught())))
            seen = _Decided(self, machines, mutants)
        if mutants:
            yield _stage("innocents", seen.innocents(), f"{sum(one.firm for one in mutants)} look-alikes passed")
            self.edges = seen.edges()
        self.unexplained = list(unexplained(rule, self.beyond.looked()))

    def _unfit(self, said: Sequence[str]) -> list[Check]:
        """The checks of kinds that nobody asked for that their tool does not take, where a sibling of each is taken."""
        if len(said) != len(self.rule.checks):
            return []
        whole = list(zip(self.rule.checks, said, strict=True))
        fit = [(check.template, check.parameters) for check, what in whole if not what]
        unfit = [check for check, what in whole if what]
        spared = all(check.implied and (check.template, check.parameters) in fit for check in unfit)
        return unfit if spared else []

    def _mutants(self, rule: Rule) -> list[Mutant]:
        return [mutant for mutant in self.beyond.mutants(rule) if mutant.firm or self.beyond.edges]


class _Decided:
    """What each check of a rule makes of its examples and of variants of them, asked at once."""

    def __init__(self, run: _Run, machines: Sequence[Artifact], mutants: Sequence[Mutant]) -> None:
        self.run, self.machines, self.mutants = run, machines, mutants
        tree = run.beyond.tree
        self.valid = _valid(run.rule, tree)
        self.invalid = [change_of(one, tree) for one in run.rule.invalid]
        changes = [*self.invalid, *(change for _, change in self.valid)]
        self.start = len(changes)  # where the variants begin
        changes += [change_of(mutant.example, tree) for mutant in mutants]
        bad, good = ([one for change in some for one in left_behind(change)] if self._in_kinds() else []
                     for some in (self.invalid, [change for _, change in self.valid]))  # fmt: skip
        seen = [list(run.observe([artifact], [*changes, *bad, *good])) for artifact in machines]
        start, end = len(changes), len(changes) + len(bad)
        self.behind = [_any_finding(some[start:end]) and not _any_finding(some[end:]) for some in seen]
        self.each = [some[: len(changes)] for some in seen]
        if tree is not None:
            self._again(changes)
        self.all: list[Seen] = [[item for part in parts for item in part] for parts in zip(*self.each, strict=True)]

    def _in_kinds(self) -> bool:
        """Whether some template of the rule checks the same by several kinds, each of which sees other gates."""
        said = [(check.template, check.parameters) for check in self.run.rule.checks]
        return any(one in said[:at] for at, one in enumerate(said))

    def _again(self, changes: Sequence[Change]) -> None:
        """An offence that the last commit holds already is no news against it: it is looked at by itself."""
        told = [*enumerate(self.run.rule.invalid)]
        told += [(self.start + n, one.example) for n, one in enumerate(self.mutants) if one.invalid]
        missed = [(n, one) for n, one in told if changes[n].whole and not any(seen[n] for seen in self.each)]
        if missed:
            alone = [replace(change_of(one), tree=changes[n].tree) for n, one in missed]
            for artifact, seen in zip(self.machines, self.each, strict=True):
                for (n, _), found in zip(missed, self.run.observe([artifact], alone), strict=True):
                    seen[n] = found

    def caught(self) -> list[Example]:
        return [one for one, found in zip(self.run.rule.invalid, self.all, strict=False) if found]

    def examples(self) -> tuple[list[Failure], int]:
        """What is decided wrongly, and how many offences are left to a judge, which reads what no machine sees."""
        rule, many = self.run.rule, len(self.invalid) + len(self.valid)
        judged = len(self.machines) < len(self.run.artifacts)
        fault = next((item for found in self.all[:many] for item in found if isinstance(item, Fault)), None)
        if fault:
            return [Failure(what=f"the check broke: {fault.what}", got="broke", why=fault.what)], 0
        missed = [example for example, found in zip(rule.invalid, self.all, strict=False) if not found]
        left = [example for example in missed if judged and example.kind in READ]
        failures = [
            Failure(what=f"did not catch {told(one)}", example=one, expected="caught", got="passed")
            for one in missed
            if one not in left
        ]
        if not failures and (len(self.machines) > 1 or left):
            failures += self._idle()
        for (example, _), found in zip(self.valid, self.all[len(self.invalid) : many], strict=True):
            if found:
                what = f"caught the valid {told(example)}"
                by = self._by(len(self.invalid) + [one for one, _ in self.valid].index(example))
                failures.append(Failure(what=what, example=example, expected="passed", got="caught", check=by))
        return failures, 0 if failures else len(left)

    def _idle(self) -> list[Failure]:
        """The checks without which all that is to be caught is caught all the same; of two alike the later one."""
        failures = []
        caught = [{n for n, found in enumerate(seen[: len(self.invalid)]) if found} for seen in self.each]
        left = list(range(len(self.machines)))
        for number in reversed(left[:]):
            check, kind = self._check(number), _kind(self.machines[number])
            others = [n for n in left if n != number and _kind(self.machines[n]) == kind]
            if caught[number].difference(*(caught[n] for n in others)):
                continue
            if not caught[number] and check is not None and self._later(number, check):
                self.run.later.insert(0, check)
                continue
            if not caught[number] and check is not None and check.implied and len(left) > 1:
                self.run.dead.insert(0, check)
                left.remove(number)
                continue
            what = f"{self._nth(number)} caught none of the invalid examples"
            if caught[number]:
                if demands(self.machines[number], check.template if check else "") or self._apart(number, others):
                    continue  # one offence may lack all that several checks ask for
                one = next((n for n in others if caught[number] <= caught[n]), None)
                whom = "the others do" if one is None else f"{self._nth(one)} does"
                what = f"{self._nth(number)} catches nothing that {whom} not catch: leave it out, or give an invalid "
                what += "example that it alone catches"
                if not self.run.beyond.strict:  # it does no harm, and a rule in force is not to fall for it
                    self.run.doubled.append(what)
                    continue
            left.remove(number)
            failures.append(Failure(what=what, expected="caught", got="passed", check=self._name(number)))
        return failures[::-1]

    def _apart(self, number: int, others: Sequence[int]) -> bool:
        """Whether it alone catches a variant of an offence."""
        tree = self.run.beyond.tree
        changes = [change_of(one.example, tree) for one in self.run.beyond.mutants(self.run.rule) if one.invalid]
        own, *more = (self.run.observe([self.machines[n]], changes) for n in (number, *others))
        return any(_finds(found) and not any(map(_finds, rest)) for found, *rest in zip(own, *more, strict=True))

    def _later(self, number: int, check: Check) -> bool:
        """Whether it catches at its own gate what an example leaves behind that another kind of it catches."""
        alike = (n for n in range(len(self.machines)) if n != number and any(self.each[n][: len(self.invalid)]))
        others = [other for n in alike if (other := self._check(n))]
        return self.behind[number] and any(
            (other.template, other.parameters) == (check.template, check.parameters) for other in others
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

    def innocents(self) -> list[Failure]:
        """The look-alikes that are innocent by construction and are caught all the same."""
        return [
            Failure(
                what=f"caught the innocent {told(mutant.example)} ({mutant.name})",
                example=mutant.example, expected="passed", got="caught", why=mutant.name,
                check=self._by(self.start + number),
            )
            for number, (mutant, found) in enumerate(zip(self.mutants, self.all[self.start :], strict=True))
            if mutant.firm and not mutant.invalid and _finds(found)
        ]  # fmt: skip

    def edges(self) -> Edges:
        """How the checks decide variants of the examples; one that breaks on a variant missed it."""
        return _edges(self.mutants, self.all[self.start :])


def edges(artifacts: Sequence[Artifact], observe: Observe, mutants: Sequence[Mutant]) -> Edges:
    """How checks that hold their proof decide variants of the examples."""
    return _edges(mutants, observe(_machines(artifacts), [change_of(mutant.example) for mutant in mutants]))


def _edges(mutants: Sequence[Mutant], seen: Sequence[Seen]) -> Edges:
    wider = tuple(mutant for mutant, found in zip(mutants, seen, strict=True) if mutant.open and _finds(found))
    pairs = [(mutant, found) for mutant, found in zip(mutants, seen, strict=True) if not mutant.open]
    mutants, seen = [mutant for mutant, _ in pairs], [found for _, found in pairs]
    right = [
        bool(found) == mutant.invalid and not any(isinstance(item, Fault) for item in found)
        for mutant, found in zip(mutants, seen, strict=True)
    ]
    invalid = [good for mutant, good in zip(mutants, right, strict=True) if mutant.invalid]
    return Edges(
        caught=sum(invalid),
        invalid=len(invalid),
        passed=sum(right) - sum(invalid),
        valid=len(right) - len(invalid),
        missed=tuple(mutant for mutant, good in zip(mutants, right, strict=True) if not good),
        wider=wider,
    )


def _stage(name: StageName, failures: Sequence[Failure], held: str, left: int = 0) -> Stage:
    first, *more = [one.what for one in failures] or [held]
    return Stage(
        name=name, passed=not failures, detail=first, left=left, more=tuple(more[: MOST_NAMED - 1]),
        failures=tuple(failures[:MOST_NAMED]),
    )  # fmt: skip


def _bare(example: Example) -> Example:
    """An example without what makes no difference: blanks between words, ends of messages, the order of files."""
    text, quoted = example.text, any(sign in example.text for sign in "'\"\\\n")
    if example.kind == "command":
        text = text.strip() if quoted else " ".join(text.split())
    return replace(
        example,
        text=text.rstrip() if example.kind == "message" else text,
        path=posixpath.normpath(example.path) if example.path else "",
        files=tuple(sorted(example.files)),
        steps=tuple(map(_bare, example.steps)),
    )


def _valid(rule: Rule, tree: Tree | None = None) -> list[tuple[Example, Change]]:
    """What must pass: the rule's own examples, and those of its exceptions where and by whom they hold."""
    return [(one, change_of(one, tree)) for one in rule.valid] + [
        (example, excepted(one, example, tree)) for one in rule.exceptions for example in one.valid
    ]


def excepted(one: Exemption, example: Example, tree: Tree | None = None) -> Change:
    """The change that an exception's example stands for."""
    agent, environment = (next(iter(some), "") for some in (one.scope.agents, one.scope.environments))
    return replace(change_of(example, tree), agent=agent, environment=environment)


def _replay(artifacts: Sequence[Artifact], observe: Observe, session: Session) -> list[Failure]:
    tales = [(*session.before, *session.after, *session.later), *session.others]
    changes = [change for tale in tales for change in _in_order(tale)]
    actions = [action for tale in tales for action in tale if _judged(action)]
    seen = observe(artifacts, changes)
    start = sum(map(_judged, session.before))
    whole = [artifact for artifact in artifacts if of_changes(artifact)]
    past, accepted = committed(actions[:start], actions[start:]) if whole else ([], [])
    made = [*seen[:start], *observe(whole, past)]
    if whole and not _any_finding(made):
        made = list(observe(whole, [replace(change, tree=session.tree) for change in past]))
    if start and not _any_finding(made):
        return [Failure(what="did not catch the action that was corrected", expected="caught", got="passed")]
    commits = zip(accepted, observe(whole, accepted), strict=True)
    blocked = [f"a commit of {', '.join(f.path for f in one.files)[:80]}" for one, found in commits if _finds(found)]
    deeds = zip(actions[start:], seen[start:], strict=True)
    blocked += [_named(action) for action, found in deeds if _finds(found)]
    return [
        Failure(what=f"would have blocked what was accepted: {what}", expected="passed", got="caught", why=what)
        for what in dict.fromkeys(blocked)
    ]


def _in_order(tale: Sequence[Action]) -> Iterator[Change]:
    """A change for each action that is judged, with what the session had done before it."""
    for number, action in enumerate(tale):
        if _judged(action):
            yield replace(_as_change(action), earlier=tuple(tale[max(0, number - EARLIER) : number]))


def _any_finding(seen: Sequence[Seen]) -> bool:
    return any(map(_finds, seen))


def _finds(found: Seen) -> bool:
    return any(isinstance(item, Finding) for item in found)


def change_of(example: Example, tree: Tree | None = None) -> Change:
    """The change that an example stands for, in the form that every checker can look at.

    With the repository's files an edit is the whole file around it, and a commit changes what stands there already.
    """
    return replace(_change_of(example, tree), example=True)


def appends(example: Example) -> bool:
    """Whether an example is a command that puts something behind what a file holds: whether it is there HEAD tells."""
    if example.kind != "command" or not (">>" in example.text or "tee" in example.text):
        return False
    return any(effect.appends for effect in effects(parse(example.text)))


def _change_of(example: Example, tree: Tree | None) -> Change:
    match example.kind:
        case "command":
            ran = _as_change(Action(kind="command", command=example.text, ok=False if example.failed else None))
            return replace(ran, tree=tree) if tree and appends(example) else ran
        case "message":
            return Change(message=example.text)
        case "commit":
            return _committed(example, tree)
        case "edit":
            return _edited(_as_change(Action(kind="edit", path=example.path, old=example.old, new=example.text)), tree)
        case "tool":
            return _as_change(Action(kind="tool", tool=example.text, args=example.args))
        case "read" | "delete":
            return _as_change(Action(kind="read" if example.kind == "read" else "delete", path=example.path))
        case "rename":
            return _as_change(Action(kind="command", command=shlex.join(["mv", example.old, example.path])))
        case "says" | "stop" | "reply":
            return _as_change(Action(kind="says" if example.kind == "says" else "stop", new=example.text))
        case "session":
            *before, judged = example.steps
            earlier = [action for step in before for action in _step(step)]
            return replace(change_of(judged, tree), earlier=tuple(earlier))
        case _:
            return _as_change(Action(kind="write", path=example.path, new=example.text))


def _step(example: Example) -> tuple[Action, ...]:
    """The actions of a step that others follow; what the agent says there is no end of its turn."""
    if example.kind == "reply":
        return (Action(kind="reply", new=example.text),)
    return change_of(example).actions


def _committed(example: Example, tree: Tree | None) -> Change:
    """A commit, of files that may stand at HEAD; what stands there word for word would change nothing, so it is new."""
    files: list[FileChange] = []
    there = tree.paths() if tree else frozenset()
    for path, text in example.files:
        before = tree.read(path) if tree and path in there else None
        file = FileChange(path=path, content=text.encode())
        files.append(_with_base(file, before) if before is not None and before != text else file)
    texts = dict(example.files)
    for old, new in example.moved:
        texts[new] = (tree.read(old) if tree and old in there else None) or ""
        content = texts[new].encode("utf-8", "replace")
        files.append(FileChange(path=new, status="R", old_path=old, content=content, base=content))
    files += [FileChange(path=path, status="D") for path in example.gone]
    gone = {*example.gone, *(old for old, _ in example.moved)}
    return Change(
        message=example.text,
        files=tuple(files),
        actions=(
            *(Action(kind="write", path=path, new=text) for path, text in example.files),
            *(Action(kind="command", command=shlex.join(["mv", old, new])) for old, new in example.moved),
            *(Action(kind="delete", path=path) for path in example.gone),
        ),
        tree=tree
        and Tree(lambda: there - gone | texts.keys(), lambda path: texts[path] if path in texts else tree.read(path)),
    )


def _edited(change: Change, tree: Tree | None) -> Change:
    """An edit as the whole file that it leaves, where that file stands at HEAD and holds what is replaced."""
    if tree is None or not change.files:
        return change
    (file,), action = change.files, change.actions[0]
    before = tree.read(file.path) if action.old and file.path in tree.paths() else None
    if before is None or action.old not in before:
        return change
    content = before.replace(action.old, action.new, 1).encode("utf-8", "replace")
    return replace(change, files=(_with_base(replace(file, content=content), before),))


def _with_base(file: FileChange, before: str) -> FileChange:
    """The file as it is changed from what stood there: which lines are new is told by what both begin and end with."""
    old, new = before.split("\n"), file.lines
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - first
    same = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    added = ((first + 1, len(new) - same),) if len(new) - same > first else ()
    return replace(file, status="M", base=before.encode("utf-8", "replace"), added=added)


def _as_change(action: Action) -> Change:
    if action.kind == "command":
        return Change(actions=(action,), message=messages.of_command(action.command))
    files: tuple[FileChange, ...] = ()
    path = posixpath.normpath(action.path) if action.path else "."
    if action.kind in ("write", "edit") and path != "." and not path.startswith(("/", "..", "~")):
        content = action.new.encode("utf-8", "replace")
        files = (FileChange(path=path, status="A" if action.kind == "write" else "M", content=content),)
    return Change(files=files, actions=(action,))


def told(example: Example) -> str:
    """An example in a few words."""
    if example.kind == "session":
        return " > ".join(told(step) for step in example.steps[-MOST_STEPS:])
    text = example.text if example.kind in ("command", "message") else f"{example.path or example.kind}: {example.text}"
    text = f"{example.kind} {example.path}" if example.kind in ("read", "delete") else text
    text = f"rename {example.old} {example.path}" if example.kind == "rename" else text
    text = f"{example.text} {example.args}".strip() if example.kind == "tool" else text
    return repr(text[:80]) + " (failed)" * example.failed


def _named(action: Action) -> str:
    return repr((action.command or f"{action.kind} {action.path or action.new}")[:80])

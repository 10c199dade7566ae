"""Artifacts -> proofs: a check may act only after it decided its rule's own examples (TRACE C.1)."""

import posixpath
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.fits._changes import committed
from rulec.model.artifact import Artifact, of_changes, of_judge, proof_digest
from rulec.model.change import Change, FileChange, Tree
from rulec.model.finding import Fault, Finding
from rulec.model.proof import Edges, Mutant, Proof, Stage, StageName
from rulec.model.rule import Example, Exemption, Rule
from rulec.model.transcript import Action
from rulec.runtime import messages

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


def verify(
    rule: Rule, artifacts: Sequence[Artifact], observe: Observe, parse: Parse, session: Session | None = None
) -> Proof:
    """The proof of one rule's checks; stages after the first that fails are not run.

    No model is asked: a judge is parsed, and what it alone can see is left to its measure. Where there are only judges
    nothing is proved, and the proof has no digest.
    """
    stages: list[Stage] = []
    replayed = -1
    for stage in _stages(rule, artifacts, observe, parse, session):
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
    )


def _machines(artifacts: Sequence[Artifact]) -> list[Artifact]:
    return [artifact for artifact in artifacts if not of_judge(artifact)]


def contradiction(rule: Rule) -> str:
    """An example of the rule that is called both valid and invalid, "" where there is none."""
    # who acts, and where, may tell an exception's example from an offence
    plain = [one for one in rule.exceptions if not (one.scope.agents or one.scope.environments)]
    valid = set(map(_bare, (*rule.valid, *(example for one in plain for example in one.valid))))
    both = [example for example in rule.invalid if _bare(example) in valid]
    return f"{told(both[0])} is both valid and invalid" if both else ""


def edges(artifacts: Sequence[Artifact], observe: Observe, mutants: Sequence[Mutant]) -> Edges:
    """How checks that hold their proof decide variants of the examples; one that breaks on a variant missed it."""
    seen = observe(_machines(artifacts), [change_of(mutant.example) for mutant in mutants])
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
    )


def _stages(
    rule: Rule, artifacts: Sequence[Artifact], observe: Observe, parse: Parse, session: Session | None
) -> Iterator[Stage]:
    complaints = [f"{artifact.path}: {said}" for artifact in artifacts if (said := parse(artifact))]
    yield Stage(name="parse", passed=not complaints, detail="; ".join(complaints))
    machines = _machines(artifacts)
    problem = contradiction(rule)
    if machines and not problem and not rule.invalid:
        problem = "the rule has no invalid example that its check could catch"
    yield Stage(name="schema", passed=not problem, detail=problem)
    if not machines:
        yield Stage(name="examples", passed=True, detail=JUDGED, left=len(rule.invalid))
        return
    judged = len(machines) < len(artifacts)
    problems, left = _examples(rule, machines, observe, judged=judged)
    counted = f"{len(rule.invalid) - left} caught, {len(_valid(rule))} passed"
    counted += f", {left} left to the judge" * bool(left)
    yield _stage("examples", problems, counted, left)
    if session is not None:
        problems = _replay(machines, observe, session)
        total, wrong = session.accepted, any(map(_judged, session.before))
        actions = f"action{'s' * (total != 1)} passed"
        held = f"offence caught, {total} other {actions}" if wrong else f"{total} {actions}"
        yield _stage("replay", problems, held)


def _stage(name: StageName, problems: Sequence[str], held: str, left: int = 0) -> Stage:
    first, *more = problems or [held]
    return Stage(name=name, passed=not problems, detail=first, left=left, more=tuple(more[: MOST_NAMED - 1]))


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


def _examples(rule: Rule, artifacts: Sequence[Artifact], observe: Observe, *, judged: bool) -> tuple[list[str], int]:
    """What is decided wrongly, and how many offences are left to a judge, which reads what no machine sees."""
    valid = _valid(rule)
    changes = [*map(change_of, rule.invalid), *(change for _, change in valid)]
    seen = observe(artifacts, changes)
    fault = next((item for found in seen for item in found if isinstance(item, Fault)), None)
    if fault:
        return [f"the check broke: {fault.what}"], 0
    missed = [example for example, found in zip(rule.invalid, seen, strict=False) if not found]
    left = [example for example in missed if judged and example.kind in READ]
    problems = [f"did not catch {told(example)}" for example in missed if example not in left]
    for artifact in artifacts if not problems and (len(artifacts) > 1 or left) else ():
        if not any(observe([artifact], changes[: len(rule.invalid)])):
            return [f"{artifact.path} caught none of the invalid examples"], 0
    caught = zip(valid, seen[len(rule.invalid) :], strict=True)
    problems += [f"caught the valid {told(example)}" for (example, _), found in caught if found]
    return problems, 0 if problems else len(left)


def _valid(rule: Rule) -> list[tuple[Example, Change]]:
    """What must pass: the rule's own examples, and those of its exceptions where and by whom they hold."""
    return [(one, change_of(one)) for one in rule.valid] + [
        (example, excepted(one, example)) for one in rule.exceptions for example in one.valid
    ]


def excepted(one: Exemption, example: Example) -> Change:
    """The change that an exception's example stands for."""
    agent, environment = (next(iter(some), "") for some in (one.scope.agents, one.scope.environments))
    return replace(change_of(example), agent=agent, environment=environment)


def _replay(artifacts: Sequence[Artifact], observe: Observe, session: Session) -> list[str]:
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
        return ["did not catch the action that was corrected"]
    commits = zip(accepted, observe(whole, accepted), strict=True)
    blocked = [f"a commit of {', '.join(f.path for f in one.files)[:80]}" for one, found in commits if _finds(found)]
    deeds = zip(actions[start:], seen[start:], strict=True)
    blocked += [_named(action) for action, found in deeds if _finds(found)]
    return [f"would have blocked what was accepted: {what}" for what in dict.fromkeys(blocked)]


def _in_order(tale: Sequence[Action]) -> Iterator[Change]:
    """A change for each action that is judged, with what the session had done before it."""
    for number, action in enumerate(tale):
        if _judged(action):
            yield replace(_as_change(action), earlier=tuple(tale[max(0, number - EARLIER) : number]))


def _any_finding(seen: Sequence[Seen]) -> bool:
    return any(map(_finds, seen))


def _finds(found: Seen) -> bool:
    return any(isinstance(item, Finding) for item in found)


def change_of(example: Example) -> Change:
    """The change that an example stands for, in the form that every checker can look at."""
    return replace(_change_of(example), example=True)


def _change_of(example: Example) -> Change:
    match example.kind:
        case "command":
            return _as_change(Action(kind="command", command=example.text, ok=False if example.failed else None))
        case "message":
            return Change(message=example.text)
        case "commit":
            return _commit(example)
        case "edit":
            return _as_change(Action(kind="edit", path=example.path, old=example.old, new=example.text))
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
            return replace(change_of(judged), earlier=tuple(earlier))
        case _:
            return _as_change(Action(kind="write", path=example.path, new=example.text))


def _commit(example: Example) -> Change:
    written = [FileChange(path=path, content=text.encode()) for path, text in example.files]
    gone = [FileChange(path=path, status="D") for path in example.gone]
    moved = [FileChange(path=new, status="R", old_path=old, content=b"", base=b"") for old, new in example.moved]
    return Change(
        message=example.text,
        files=(*written, *gone, *moved),
        actions=(
            *(Action(kind="write", path=path, new=text) for path, text in example.files),
            *(Action(kind="delete", path=path) for path in example.gone),
            *(Action(kind="command", command=shlex.join(["mv", old, new])) for old, new in example.moved),
        ),
    )


def _step(example: Example) -> tuple[Action, ...]:
    """The actions of a step that others follow; what the agent says there is no end of its turn."""
    if example.kind == "reply":
        return (Action(kind="reply", new=example.text),)
    return change_of(example).actions


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

"""Actions of a session as examples: what was really done, without interpretation."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.domain.candidate import Candidate
from rulec.domain.change import Change
from rulec.domain.rule import Example
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action
from rulec.shell.git import commit_messages
from rulec.transcripts.session_commits import commits_of

LARGEST_ACTION = 2_000  # characters of an action that may be an example of a rule
MOST_STEPS = 12  # of a session that becomes one example, the last ones
MOST_CHARACTERS_SAID = 500  # of a person among them

Sides = tuple[tuple[Example, ...], tuple[Example, ...]]  # invalid and valid


def example_of(action: Action) -> Example | None:
    """The action as an example; None where none is of its kind."""
    match action.kind:
        case "command":
            return Example(kind="command", text=redact(action.command), source="transcript")
        case "edit":
            text, old = redact(action.new), redact(action.old)
            return Example(kind="edit", path=action.path, old=old, text=text, source="transcript")
        case "write":
            return Example(kind="file", path=action.path, text=redact(action.new), source="transcript")
        case "tool":
            return Example(kind="tool", text=action.tool, args=_args(action.args), source="transcript")
        case "stop":
            return Example(kind="reply", text=redact(action.new), source="transcript")
        case "delete":
            return Example(kind="delete", path=action.path, text="", source="transcript")
        case _:
            return None


def _args(text: str) -> str:
    """The arguments of a tool without secrets; "" where they are no JSON object (any more)."""
    clean = redact(text)
    try:
        return clean if isinstance(json.loads(clean), dict) else ""
    except ValueError:
        return ""


def offence_and_fix(candidate: Candidate) -> Sides:
    """The offence and the fix that a reader named, each as an example."""
    offered = candidate.offered
    sides = (offered.offence, offered.fix) if offered else (None, None)
    one, other = (_example_alone(action) for action in sides)
    return (one, ()) if set(one) & set(other) else (one, other)  # they differ in what came before them alone


def as_sessions(candidate: Candidate) -> Sides:
    """The same, each as the last step of what was done before it: some rules are about the order of things."""
    offered, said = candidate.offered, candidate.correction
    if offered is None or said is None:
        return (), ()
    told = Example(kind="says", text=redact(said.quote[:MOST_CHARACTERS_SAID]))
    invalid = _ending_in_judged_step(_steps(_until_action(said.before, offered.offence)))
    right = _steps(_until_action(said.after, offered.fix))
    return invalid, _ending_in_judged_step([*_steps(said.before), told, *right]) if right else ()


def as_commits(candidate: Candidate) -> Sides:
    """The examples as commits of all that was written before: some rules are about files that change together."""
    offered, said = candidate.offered, candidate.correction
    if offered is None or said is None:
        return (), ()
    wrong, right = _until_action(said.before, offered.offence), _until_action(said.after, offered.fix)
    past, _ = commits_of(wrong, ())
    _, later = commits_of(said.before, right)
    return _commit(past[-1:], offered.offence), _commit(later[-1:], offered.fix)


def _commit(made: Sequence[Change], action: Action | None) -> tuple[Example, ...]:
    """The last change as an example, where the action is the commit of it and every text in it is known."""
    message = commit_messages.message_of_command(action.command) if action and action.kind == "command" else None
    if message is None or not made:
        return ()
    texts = [(file.path, redact((file.content or b"").decode("utf-8", "replace"))) for file in made[0].files]
    if not texts or not all(text for _, text in texts) or sum(len(text) for _, text in texts) > 4 * LARGEST_ACTION:
        return ()
    return (Example(kind="commit", text=redact(message), files=tuple(texts), source="transcript"),)


def _example_alone(action: Action | None) -> tuple[Example, ...]:
    found = example_of(action) if action and can_be_example(action) else None
    return (found,) if found else ()


def can_be_example(action: Action) -> bool:
    """Whether an action may be an example of a rule: short enough, and in the repository."""
    size = len(action.command) + len(action.old) + len(action.new) + len(action.args)
    return size <= LARGEST_ACTION and not action.path.startswith(("/", "..", "~"))


def _until_action(actions: Sequence[Action], last: Action | None) -> Sequence[Action]:
    return actions[: actions.index(last) + 1] if last in actions else ()


def _steps(actions: Sequence[Action]) -> list[Example]:
    """The steps that were carried out; a refused one counts only where it is the action that was corrected."""
    done = (action for at, action in enumerate(actions, 1) if at == len(actions) or not action.rejected)
    return [step for action in done if (step := _step(action))]


def _step(action: Action) -> Example | None:
    if not can_be_example(action):
        return None
    if action.kind == "read":
        return Example(kind="read", path=action.path, text="")
    found = example_of(action)
    failed = action.ok is False and action.kind == "command"
    return replace(found, source="", failed=failed) if found else None


def _ending_in_judged_step(steps: Sequence[Example]) -> tuple[Example, ...]:
    """The steps as one example, where the last of them is one that can be judged."""
    steps = tuple(steps[-MOST_STEPS:])
    judged = bool(steps) and steps[-1].kind in ("command", "file", "edit", "tool", "delete", "reply")
    if not judged or len(steps) == 1:
        return ()
    last = replace(steps[-1], failed=False)
    return (Example(kind="session", text="", steps=(*steps[:-1], last), source="transcript"),)


def without_blanks(example: Example) -> tuple[str, ...]:
    """An example without blanks: they make no difference to the action."""
    parts = (part for step in (example, *example.steps) for part in (step.kind, step.path, step.old, step.text))
    files = (part for pair in sorted(example.files) for part in pair)
    return tuple(" ".join(part.split()) for part in (*parts, *files))


def unique_examples(*sides: Sequence[Example]) -> tuple[Example, ...]:
    """The examples without repeats."""
    found: dict[tuple[str, ...], Example] = {}
    for one in (one for side in sides for one in side):
        found.setdefault(without_blanks(one), one)
    return tuple(found.values())


def not_in_session(side: Sequence[Example], taken: Sequence[Example]) -> Iterator[Example]:
    """The examples that are not actions of the session."""
    known = set(map(without_blanks, taken))
    return (one for one in side if without_blanks(one) not in known)

"""The labelled pair: what the agent did before the person spoke, and what it did afterwards."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.runtime.shell import Call, parse

NEAREST = 40  # actions before the person spoke among which the offence is looked for
MOST_INNOCENT = 3
LONGEST = 4_000  # a longer command or content makes no example


def offences(before: Sequence[Action]) -> list[Action]:
    """What may be meant, the likeliest first: what the person refused, then the latest."""
    recent = list(before[-NEAREST:])[::-1]
    return [a for a in recent if a.rejected] + [a for a in recent if not a.rejected]


def calls_of(action: Action) -> list[Call]:
    """The commands that an action runs."""
    return _parsed(action.command) if action.kind == "command" and len(action.command) <= LONGEST else []


@lru_cache(maxsize=512)
def _parsed(command: str) -> list[Call]:
    return parse(command).calls


def added(action: Action) -> str:
    """The lines that an action puts into a file and that did not stand there before."""
    if action.kind not in ("write", "edit"):
        return ""
    old = set(action.old.splitlines())
    return "\n".join(line for line in action.new.splitlines() if line not in old)


def example_of(action: Action) -> Example | None:
    """The action as an example, where it is one that a check can look at."""
    if action.kind == "command" and 0 < len(action.command) <= LONGEST:
        return Example(kind="command", text=action.command)
    if len(action.new) > LONGEST or not action.path or action.path.startswith(("/", "..", "~")):
        return None
    if action.kind == "edit":
        return Example(kind="edit", text=action.new, path=action.path, old=action.old)
    return Example(kind="file", text=action.new, path=action.path) if action.kind == "write" else None


def innocent(
    actions: Iterable[Action], caught: Callable[[Action], bool], kinds: tuple[str, ...]
) -> tuple[Example, ...]:
    """A few actions of these kinds that must pass."""
    found = (example_of(a) for a in actions if a.kind in kinds and not caught(a))
    return tuple(dict.fromkeys(example for example in found if example))[:MOST_INNOCENT]


def draft_from_pair(
    checks: tuple[Check, ...],
    caught: Callable[[Action], bool],
    before: Sequence[Action],
    after: Sequence[Action],
    *,
    kinds: tuple[str, ...],
    near: tuple[Example, ...] = (),
    do: str = "",
    because: str = "",
) -> Iterator[Draft]:
    """A draft, if it holds for the pair: it catches something before the person spoke and nothing afterwards."""
    guilty = [action for action in offences(before) if caught(action)]
    invalid = next((example for action in guilty if (example := example_of(action))), None)
    if invalid is None or any(caught(action) for action in after):
        return
    others = innocent(after, caught, kinds) + innocent(before, caught, kinds)
    valid = tuple(dict.fromkeys((*others, *near)))[: MOST_INNOCENT + 2]
    yield Draft(checks=checks, invalid=(invalid,), valid=valid, do=do, because=because)

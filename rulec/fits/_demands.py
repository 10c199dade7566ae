"""What is asked of commands, as checks with samples: proved on the labelled pair, or on the samples alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec.fits._pair import calls_of, draft_from_pair
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.runtime import narrow
from rulec.runtime.shell import Call, parse

_NAMES = {
    "commands": "patterns",
    "from": "patterns",
    "pattern": "new_branch",
    "branches": "pushes",
    "prefixes": "under",
}
_SAME = ("unless", "arguments", "files", "flags", "value", "each", "must", "instead", "by_path", "aliases")
_BRANCHING = ["git checkout", "git switch", "git branch", "git worktree"]


@dataclass(frozen=True, slots=True)
class Demand:
    """Checks, a command that each of them catches, and commands that all of them pass."""

    checks: tuple[Check, ...]
    bad: tuple[str, ...]
    good: tuple[str, ...]
    do: str = ""


def check(template: str, **parameters: Any) -> Check:
    """A guard check; parameters that are empty are left out."""
    given = {name.rstrip("_"): value for name, value in parameters.items() if value}
    return Check(kind="guard", template=template, parameters=given)


def catches(one: Check, call: Call) -> bool:
    """Whether the check speaks of the call."""
    return narrow.named(body(one.template, one.parameters), call) is not None


def body(template: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What the template makes of its parameters, as far as it decides which commands are caught."""
    made = {_NAMES.get(name, name): value for name, value in parameters.items() if name in (*_NAMES, *_SAME)}
    if template == "prefer-command":
        made["rewrite"] = dict.fromkeys(made["patterns"], parameters["to"])
    if template == "forbid-flag":
        made["patterns"] = [f"{command} {flag}" for command in made["patterns"] for flag in made.pop("flags")]
    if template == "run-whole":
        made["each"] = "^[^-].*" + parameters.get("endings", r"\.\w{1,5}$")
        made["must"] = r"(^|/)\.?[\w.-]*(config|rc)[\w.-]*\.\w+$"
    if template in ("branch-name", "forbid-push-to"):
        made["patterns"] = _BRANCHING if template == "branch-name" else ["git push"]
    return made


def drafts(demand: Demand, before: Sequence[Action], after: Sequence[Action], because: str) -> Iterator[Draft]:
    """The draft of a demand: it must catch the offence, if there is one, and pass what was accepted."""

    def caught(action: Action) -> bool:
        return any(catches(one, call) for one in demand.checks for call in calls_of(action))

    if not before:
        yield Draft(
            checks=demand.checks,
            invalid=_examples(demand.bad),
            valid=_examples(demand.good),
            do=demand.do,
            because=because,
        )
        return
    near = _examples(demand.good)
    found = draft_from_pair(
        demand.checks, caught, before, after, kinds=("command",), near=near, do=demand.do, because=because
    )
    for draft in found:
        calls = parse(draft.invalid[0].text).calls
        idle = [one for one in demand.checks if not any(catches(one, call) for call in calls)]
        more = [text for text in demand.bad if any(catches(one, call) for one in idle for call in parse(text).calls)]
        yield replace(draft, invalid=(*draft.invalid, *_examples(more)))


def _examples(texts: Sequence[str]) -> tuple[Example, ...]:
    return tuple(Example(kind="command", text=text) for text in texts)

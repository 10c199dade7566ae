"""The rules in words in a marked block of a document that people write, the weightiest first, within a budget."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulec.emitters import _splice
from rulec.model.artifact import Artifact
from rulec.model.plan import Plan
from rulec.model.rule import Rule
from rulec.ports import Emitter, Render
from rulec.runtime.lengths import tokens
from rulec.runtime.wording import clipped, line, plain

_TITLES = {"must": "MUST", "should": "SHOULD", "style": "STYLE"}
_FRAME = 60  # tokens of what stands around the rules
_SHARE = 2  # one line that takes more than this part of the budget is left out alone, so that others may stand

_TAKES_IN = re.compile(r"^(?!    |\t)[^`\n]{0,200}?(?<!\S)@(?:\./)?AGENTS\.md\b", re.MULTILINE)

Wanted = Callable[[Sequence[str]], bool]


def document(
    name: str, path: str, *, wanted: Wanted, agent: str = "", head: str = "", imports: bool = False
) -> Emitter:
    """The emitter of one document; ``agent`` is who reads it, ``head`` what a file that we begin begins with.

    What ``imports`` gets no block where it takes in AGENTS.md: the rules stand there already.
    """
    emit = partial(_emit, path=path, agent=agent, head=head, imports=imports)
    return Emitter(
        name=name, files=(path,), emit=emit, remove=partial(_remove, head=head), when_init=wanted, document=True
    )


def block(plan: Plan, render: Render, agent: str = "") -> str:
    """The marked block with those rules that the agent is held to, as many as the plan's budget bears.

    Precedence chooses what fits; within a severity they stand by name, or every new evidence would move a line.
    """
    rules = [rule for rule in plan.rules if rule.layer != "personal" and _for(agent, rule)]
    ranked = [rule for severity in _TITLES for rule in rules if rule.severity == severity]
    told = _within(ranked, plan.budget)
    by_severity = [
        (title, [told[slug] for slug in sorted(r.slug for r in rules if r.severity == key) if slug in told])
        for key, title in _TITLES.items()
    ]
    groups = [(title, lines) for title, lines in by_severity if lines]
    return render("emit/document.md.j2", {"note": _splice.NOTE, "groups": groups, "left": len(ranked) - len(told)})


def _for(agent: str, rule: Rule) -> bool:
    return not agent or not rule.scope.agents or agent in rule.scope.agents


def _within(ranked: Sequence[Rule], budget: int) -> dict[str, str]:
    """The lines of the first rules that fit, by slug."""
    told: dict[str, str] = {}
    left = budget - _FRAME
    for rule in ranked:
        text = line(rule.statement, rule.when, rule.do, rule.slug) + _unseen(rule)
        cost = tokens(text) + 2
        if cost * _SHARE > budget:
            continue
        if cost > left:
            break
        told[rule.slug] = text
        left -= cost
    return told


def _unseen(rule: Rule) -> str:
    """What of the rule no check sees, so that nobody takes a silent gate for a yes."""
    told = clipped("; ".join(rule.not_checked)) if rule.checks else ""
    return f" Not checked: {plain(told)}." if told else ""


def _emit(
    plan: Plan, render: Render, current: Mapping[str, str], *, path: str, agent: str, head: str, imports: bool
) -> Iterator[Artifact]:
    """The file with our block in it: in its place where it stands already, else at the end."""
    present = current.get(path)
    if present is not None and imports and _TAKES_IN.search(present):
        yield Artifact(path=path, text=_remove(path, present, head="") or present)
        return
    text = block(plan, render, agent)
    found = _splice.find(present or "", _splice.HTML, path)
    if found:
        text = _splice.replace(found, text)
    elif present is not None:
        text = _splice.append(present, text)
    else:
        text = head + text
    yield Artifact(path=path, text=text)


def _remove(path: str, text: str, *, head: str) -> str | None:
    """The file without our block."""
    found = _splice.find(text, _splice.HTML, path)
    if not found:
        return text
    if head and found.before == head and not found.after:
        return None
    return _splice.cut(found, appended=True)

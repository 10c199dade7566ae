"""The rules in words in a marked block of a document, the weightiest first, within a budget."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulec.domain.artifact import Artifact
from rulec.domain.compile_plan import CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.rule import Rule
from rulec.domain.template import Render
from rulec.integrations import marked_block
from rulec.reminders.wording import clip, count_tokens, plain_text, rule_line

_TITLES = {"must": "MUST", "should": "SHOULD", "style": "STYLE"}
_FRAME = 60  # tokens of what stands around the rules
_SHARE = 2  # one line that takes more than this part of the budget is left out alone, so that others may stand

_TAKES_IN = re.compile(r"^(?!    |\t)[^`\n]{0,200}?(?<!\S)@(?:\./)?AGENTS\.md\b", re.MULTILINE)

Wanted = Callable[[Sequence[str]], bool]


def document_integration(
    name: str, path: str, *, wanted: Wanted, agent: str = "", head: str = "", imports: bool = False
) -> Integration:
    """The emitter of one document; ``agent`` is who reads it, ``head`` what a file that we begin begins with.

    What ``imports`` gets no block where it takes in AGENTS.md: the rules stand there already.
    """
    emit = partial(_emit, path=path, agent=agent, head=head, imports=imports)
    return Integration(
        name=name, files=(path,), emit=emit, remove=partial(_remove, head=head), when_init=wanted, document=True
    )


def rules_block(plan: CompilePlan, render: Render, agent: str = "") -> str:
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
    return render("emit/document.md.j2", {"note": marked_block.NOTE, "groups": groups, "left": len(ranked) - len(told)})


def _for(agent: str, rule: Rule) -> bool:
    return not agent or not rule.scope.agents or agent in rule.scope.agents


def _within(ranked: Sequence[Rule], budget: int) -> dict[str, str]:
    """The lines of the first rules that fit, by slug."""
    told: dict[str, str] = {}
    left = budget - _FRAME
    for rule in ranked:
        text = rule_line(rule.statement, rule.when, rule.do, rule.slug) + _unseen(rule)
        cost = count_tokens(text) + 2
        if cost * _SHARE > budget:
            continue
        if cost > left:
            break
        told[rule.slug] = text
        left -= cost
    return told


def _unseen(rule: Rule) -> str:
    """What of the rule no check sees, so that nobody takes a silent gate for a yes."""
    told = clip("; ".join(rule.not_checked)) if rule.checks else ""
    return f" Not checked: {plain_text(told)}." if told else ""


def _emit(
    plan: CompilePlan, render: Render, current: Mapping[str, str], *, path: str, agent: str, head: str, imports: bool
) -> Iterator[Artifact]:
    """The file with our block in it: in its place where it stands already, else at the end."""
    present = current.get(path)
    if present is not None and imports and _TAKES_IN.search(present):
        yield Artifact(path=path, text=_remove(path, present, head="") or present)
        return
    text = rules_block(plan, render, agent)
    found = marked_block.find_block(present or "", marked_block.HTML, path)
    if found:
        text = marked_block.replace_block(found, text)
    elif present is not None:
        text = marked_block.append_block(present, text)
    else:
        text = head + text
    yield Artifact(path=path, text=text)


def _remove(path: str, text: str, *, head: str) -> str | None:
    """The file without our block."""
    found = marked_block.find_block(text, marked_block.HTML, path)
    if not found:
        return text
    if head and found.before == head and not found.after:
        return None
    return marked_block.cut_block(found, appended=True)

"""Rules in words: instruction documents that agents read, and the skill that says how to work with rulec."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulec.domain.artifact import Artifact, CompilePlan
from rulec.domain.enforcement import SEVERITIES
from rulec.domain.plugs import Integration
from rulec.domain.rule import Rule
from rulec.domain.template import Render
from rulec.integrations import marked_block
from rulec.reminders.rule_text import (
    clip,
    count_tokens,
    count_within,
    name_the_rest,
    naming_tokens,
    plain_text,
    rule_line,
)
from rulec.rulebook.file_paths import POINTER

_FRAME = 60  # tokens of what stands around the rules
_SHARE = 2  # one line that takes more than this part of the budget is left out alone, so that others may stand

_TAKES_IN = re.compile(r"^(?!    |\t)[^`\n]{0,200}?(?<!\S)@(?:\./)?AGENTS\.md\b", re.MULTILINE)

AGENTS_MD = "AGENTS.md"
Wanted = Callable[[Sequence[str]], bool]


def document_integration(
    name: str, path: str, *, wanted: Wanted, agent: str = "", head: str = "", imports: bool = False
) -> Integration:
    """The integration of one document, which says where the rules are; ``head`` begins a file that rulec makes.

    One that ``imports`` takes in AGENTS.md, which says it already; it is wanted where its agent has hooks.
    """
    emit = partial(_emit_document, path=path, agent=agent, head=head, imports=imports)
    return Integration(
        name=name,
        files=(path,),
        emit=emit,
        remove=partial(_remove_document, head=head),
        when_init=wanted,
        tells=(agent,) if imports else (),
        document=True,
    )


def rules_block(plan: CompilePlan, render: Render, agent: str = "") -> str:
    """The marked block with the rules that hold for the agent, as many as the plan's budget allows.

    Precedence chooses what fits; within a severity they stand by name, or every new evidence would move a line.
    """
    rules = [rule for rule in plan.rules if rule.layer != "personal" and is_for(agent, rule)]
    ranked = [rule for severity in SEVERITIES for rule in rules if rule.severity == severity]
    told = _within(ranked, plan.budget)
    rest = [rule.slug for rule in ranked if rule.slug not in told]
    in_order = sorted(rules, key=lambda rule: rule.slug)
    by_severity = [
        (severity.upper(), [told[rule.slug] for rule in in_order if rule.severity == severity and rule.slug in told])
        for severity in SEVERITIES
    ]
    groups = [(title, lines) for title, lines in by_severity if lines]
    left = name_the_rest(rest, naming_tokens(plan.budget))
    return render("emit/document.md.j2", {"note": marked_block.NOTE, "groups": groups, "left": left})


def is_for(agent: str, rule: Rule) -> bool:
    """Whether a rule holds for an agent; "" is any."""
    return not agent or not rule.scope.agents or agent in rule.scope.agents


def _within(ranked: Sequence[Rule], budget: int) -> dict[str, str]:
    """The lines by slug: all where they fit, else of as many of the first rules as leave room to name the others."""
    lines = {rule.slug: rule_line(rule.statement, rule.when, rule.do, rule.slug) + _unseen(rule) for rule in ranked}
    costs = {slug: count_tokens(text) + 2 for slug, text in lines.items()}
    room = budget - _FRAME
    if sum(costs.values()) <= room:
        return lines
    fair = [slug for slug in lines if costs[slug] * _SHARE <= budget]
    many = count_within([costs[slug] for slug in fair], room - naming_tokens(budget))
    return {slug: lines[slug] for slug in fair[:many]}


def _unseen(rule: Rule) -> str:
    """What no check of the rule sees, for the agent to know that a pass is no proof."""
    told = clip("; ".join(rule.not_checked)) if rule.checks else ""
    return f" Not checked: {plain_text(told)}." if told else ""


def _emit_document(
    plan: CompilePlan, render: Render, current: Mapping[str, str], *, path: str, agent: str, head: str, imports: bool
) -> Iterator[Artifact]:
    """The file with rulec's block: in its place where there is one, else at the end."""
    present = current.get(path)
    theirs = _remove_document(path, present, head="") if present is not None else None
    if imports and theirs and _TAKES_IN.search(theirs):
        yield Artifact(path=path, text=theirs)
        return
    if plan.spelled_out:
        text = rules_block(plan, render, agent)
    else:
        lines = [f"@{AGENTS_MD}"] if imports else POINTER
        text = "\n".join([f"{marked_block.HTML.begin} {marked_block.NOTE} -->", *lines, marked_block.HTML.end, ""])
    found = marked_block.find_block(present or "", marked_block.HTML, path)
    if found:
        text = marked_block.replace_block(found, text)
    elif present is not None:
        text = marked_block.append_block(present, text)
    else:
        text = head + text
    yield Artifact(path=path, text=text)


def _remove_document(path: str, text: str, *, head: str) -> str | None:
    """The file without our block."""
    found = marked_block.find_block(text, marked_block.HTML, path)
    if not found:
        return text
    if head and found.before == head and not found.after:
        return None
    return marked_block.cut_block(found, appended=True)


MARK = "<!-- generated by rulec for agents; rulec compile writes it anew -->"


def skill_integration(name: str, folder: str, agents: tuple[str, ...]) -> Integration:
    """The emitter of the skill below one folder, where these agents look for skills."""
    path = f"{folder}/skills/rulec/SKILL.md"
    emit = partial(_emit_skill, path=path)
    return Integration(
        name=name, files=(path,), emit=emit, remove=_remove_skill, tells=agents, when_init=lambda _: False
    )


def _emit_skill(_: CompilePlan, render: Render, current: Mapping[str, str], *, path: str) -> Iterator[Artifact]:
    """The whole skill; a file of that name without rulec's mark is left as it is."""
    text = current.get(path)
    if text is None or _is_ours(text):
        yield Artifact(path=path, text=render("emit/skill.md.j2", {"mark": MARK}))


def _remove_skill(_: str, text: str) -> str | None:
    return None if _is_ours(text) else text


def _is_ours(text: str) -> bool:
    return MARK in text

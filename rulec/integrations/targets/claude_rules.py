"""Reminders for Claude Code of the rules that hold in a part of the repository, read with a file of that part."""

import json
from collections.abc import Iterator, Mapping, Sequence

from rulec.domain.artifact import Artifact, CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.rule import Rule
from rulec.domain.template import Render
from rulec.integrations import rule_documents
from rulec.reminders.rule_text import rule_line

PATH = ".claude/rules/rulec.md"
AGENT = "claude-code"


def emit(plan: CompilePlan, _: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with each such rule in words and where it holds, and no file where there is none."""
    if PATH in current and remove(PATH, current[PATH]) is not None:
        return  # a file of somebody else's
    rules = [rule for rule in plan.rules if "**" not in rule.scope.include and rule.layer != "personal"]
    rules = sorted((rule for rule in rules if rule_documents.is_for(AGENT, rule)), key=lambda rule: rule.slug)
    if rules:
        yield Artifact(path=PATH, text=_text(rules))
    elif PATH in current:
        yield Artifact(path=PATH, text=None)


def _text(rules: Sequence[Rule]) -> str:
    """The head by which Claude Code knows when to read it, and each rule with where it holds."""
    paths = sorted({glob for rule in rules for glob in rule.scope.include})
    head = ["---", "paths:", *(f"  - {json.dumps(glob, ensure_ascii=False)}" for glob in paths), "---"]
    told = [
        f"- In {', '.join(rule.scope.include)}: {rule_line(rule.statement, rule.when, rule.do, rule.slug)}"
        for rule in rules
    ]
    return "\n".join([*head, rule_documents.MARK, "", *told, ""])


def remove(_: str, text: str) -> str | None:
    """None for rulec's file; any other one as it is."""
    return None if rule_documents.MARK in text else text


PLUG = Integration(name="claude-rules", files=(PATH,), emit=emit, remove=remove, when_init=lambda _: False)

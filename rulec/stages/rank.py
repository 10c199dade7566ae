"""Rules and a task -> the few rules worth saying now, and why each other one is left out."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rulec.model.said import Dropped, Left, Line, Said
from rulec.runtime import ranking, reach
from rulec.runtime.lengths import tokens

Record = Mapping[str, Any]  # what stages/say.py makes of a rule


def rank(
    rules: Sequence[Record],
    *,
    path: str = "",
    agent: str = "",
    task: str = "",
    projects: Sequence[str] = (),
    max_rules: int = reach.MOST_RULES,
    max_tokens: int = reach.MOST_TOKENS,
) -> Said:
    """The rules of all layers that apply, within the limits; the same for the same rules, in whatever order they come.

    A path that ends with "/" is a folder; ``projects`` are the names of the repository. What is not given leaves
    nothing out.
    """
    asked = reach.Asked(path, agent, task, max_rules, max_tokens, projects=tuple(projects))
    said = ranking.rank(cast("list[dict[str, Any]]", list(rules)), asked)
    text = said.text()
    return Said(
        lines=tuple(_line(rule, line) for rule, line in zip(said.rules, said.lines, strict=True)),
        dropped=tuple(Dropped(slug=slug, kind=cast("Left", kind), because=why) for slug, kind, why in said.dropped),
        text=text,
        tokens=tokens(text),
    )


def _line(rule: Mapping[str, Any], text: str) -> Line:
    return Line(
        slug=rule["slug"],
        revision=rule.get("revision") or 1,
        severity=ranking.severity(rule),
        layer=rule.get("layer") or "team",
        text=text,
    )

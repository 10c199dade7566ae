"""Two revisions of a rule that follow from the same one, merged field by field as git merges lines."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from rulec.domain.rule import Exemption, Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks.rule_reading import template_kind, write_rule
from rulec.rulebook import file_paths, rule_file


def is_rule_file(path: str) -> bool:
    """Whether the file of a rule in force stands there."""
    name = path.removeprefix(f"{file_paths.RULES}/")
    return name != path and "/" not in name and name.endswith(".yaml") and path != file_paths.CONFIG


def merged_rule_text(base: str, ours: str, theirs: str, path: str) -> str:
    """Both sides' changes in the style and with the comments of ours; "" where a person has to merge the lines.

    So it is where both changed the same, where one is no rule, and where theirs brings comments that would be lost.
    """
    if ours == theirs:
        return ours
    try:
        rules = [rule_file.parse_rule(text, source=path, kind_of=template_kind) for text in (base, ours, theirs)]
    except RulecError:
        return ""
    merged = merge_rules(*rules)
    return write_rule(merged, ours) if merged and _comments(theirs) <= _comments(base) | _comments(ours) else ""


def _comments(text: str) -> frozenset[str]:
    """What may be a comment in each line."""
    return frozenset(comment for line in text.splitlines() if (comment := line.partition("#")[2].strip()))


_LISTS = ("invalid", "valid", "not_checked", "supersedes")  # of which each side may add and take away entries
_FREE = ("source", "layer")  # of where the file stands


def merge_rules(base: Rule, ours: Rule, theirs: Rule) -> Rule | None:
    """The rule with the changes of both sides; None where both changed the same, which a person has to settle.

    Exceptions and examples that one side added or took away are added or taken away. Where both sides made a revision
    the merge is the one that follows.
    """
    found: dict[str, Any] = {}
    for name in (field.name for field in fields(Rule) if field.name not in _FREE):
        was, mine, other = (getattr(one, name) for one in (base, ours, theirs))
        if name == "revision":
            found[name] = max(mine, other) + (base not in (ours, theirs) and ours != theirs)
        elif other in (mine, was):
            found[name] = mine
        elif mine == was:
            found[name] = other
        elif name in _LISTS or (name == "exceptions" and _are_apart(was, mine, other)):
            found[name] = _merge_entries(was, mine, other)
        else:
            return None
    return replace(ours, **found)


def _merge_entries(was: Sequence[Any], mine: Sequence[Any], other: Sequence[Any]) -> tuple[Any, ...]:
    """Our entries without those that they took away, then what they added."""
    kept = [one for one in mine if one in other or one not in was]
    return (*kept, *(one for one in other if one not in was and one not in mine))


def _are_apart(was: Sequence[Exemption], mine: Sequence[Exemption], other: Sequence[Exemption]) -> bool:
    """Whether no exception was changed on one side and also touched on the other."""
    changed = ({one.bounds for one in {*was} ^ {*side}} for side in (mine, other))
    return set.isdisjoint(*changed)

"""The text of a rule's file, merged from three versions of it."""

from rulec.errors import RulecError
from rulec.infra.rulebooks.rule_reading import template_kind, write_rule
from rulec.rulebook import file_paths, rule_file, rule_merge


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
    merged = rule_merge.merge_rules(*rules)
    return write_rule(merged, ours) if merged and _comments(theirs) <= _comments(base) | _comments(ours) else ""


def _comments(text: str) -> frozenset[str]:
    """What may be a comment in each line."""
    return frozenset(comment for line in text.splitlines() if (comment := line.partition("#")[2].strip()))

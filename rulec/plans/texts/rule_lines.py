"""The lines by which a plan's text names the rules of its steps, and texts without them."""

import re

MOST_NAMED = 50  # words of one step that may be names of rules
_SLUG = re.compile(r"(?<![\w./-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w/-]|\.\w)|(?<=\brule )[a-z0-9]+\b")
_LINE = re.compile(r"\s*(?:[-*+]\s+)?rule [a-z0-9][a-z0-9._-]{0,99} \((?:remind|strict|testable)\)(?::? .*)?\s*")


def rule_line(slug: str, level: str, words: str = "") -> str:
    """The line of a rule at a step; ``words`` is what it asks for, in one line."""
    words = " ".join(words.split())
    return f"rule {slug} ({level})" + (f": {words}" if words else "")


def words_like_rules(text: str) -> "list[str]":
    """The words of a text that may be names of rules: those with a hyphen, and one that stands behind "rule"."""
    return list(dict.fromkeys(_SLUG.findall(text)))[:MOST_NAMED]


def is_rule_line(line: str) -> bool:
    """Whether a line of a plan is one that ``rule_line`` made."""
    return _LINE.fullmatch(line) is not None


def without_rules(text: str) -> str:
    """A text of several lines, such as a field of JSON, without the lines of rules."""
    return "\n".join(line for line in text.split("\n") if not is_rule_line(line)) if "rule " in text else text

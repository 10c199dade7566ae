"""A raw Semgrep rule: held to languages, patterns and paths, with nothing that fixes, fetches or runs away."""

import json
from collections.abc import Mapping
from typing import Any

from rulec.checks.semgrep.rule_artifact import regexes_of_body
from rulec.domain.patterns.safety import glob_problem, semgrep_regex_problem
from rulec.domain.text.one_line import to_json_line
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import load_yaml

LONGEST, MOST_PATTERNS, DEEPEST = 8_000, 60, 10
_TAINT = ("pattern-sources", "pattern-sinks", "pattern-sanitizers", "pattern-propagators")
_TEXTS = ("pattern", "pattern-not", "pattern-inside", "pattern-not-inside", "pattern-regex", "pattern-not-regex")
_LISTS = ("patterns", "pattern-either", *_TAINT)
_WITHIN: dict[str, tuple[str, ...]] = {  # operators that take a mapping, and its keys
    "metavariable-regex": ("metavariable", "regex"),
    "metavariable-pattern": ("metavariable", "language", *_TEXTS, "patterns", "pattern-either"),
    "metavariable-comparison": ("metavariable", "comparison", "base", "strip"),
}
_PROPAGATED = ("from", "to", "by-side-effect", "requires", "label", "exact")
_TOP = ("languages", "mode", "paths", "pattern", "patterns", "pattern-either", "pattern-regex", *_TAINT)
_PATTERNS = (*_TEXTS, *_LISTS, *_WITHIN, "focus-metavariable")
_FORM = "write languages: [...] and patterns: [...], nothing else but paths and mode"


def vet_semgrep_rule(rule: str | Mapping[str, Any], name: str, where: str = "") -> str:
    """The rule as it may be compiled, one line a key; RulecError, in one line, where it may not."""
    rule = rule if isinstance(rule, str) else json.dumps(rule, ensure_ascii=False, default=str)

    def refused(what: str, hint: str = _FORM) -> RulecError:
        return RulecError(f"{name}: {what}", where=where, hint=hint)

    if len(rule) > LONGEST:
        raise refused(f"is longer than {LONGEST:,} characters", "one rule finds one thing")
    if odd := next((sign for sign in rule if not (sign.isprintable() or sign in "\n\t")), ""):
        raise refused(f"holds the sign U+{ord(odd):04X}", "write it as an escape, such as \\u200b")
    try:
        data = json.loads(json.dumps(load_yaml(rule, name), ensure_ascii=False))
        wrong = _wrong_top(data) or _wrong_regex(data)
    except RulecError as error:
        raise RulecError(error.message, where=where or error.where, hint=error.hint) from None
    except (TypeError, ValueError, RecursionError):
        raise refused("is no plain YAML") from None
    if wrong:
        raise refused(wrong[0], wrong[1] or _FORM)
    return "".join(f"{key}: {to_json_line(value)}\n" for key, value in data.items())


Wrong = tuple[str, str]


def _wrong_top(data: Any) -> Wrong | None:
    if not isinstance(data, Mapping):
        return "is no mapping", ""
    unknown = next((str(key) for key in data if key not in _TOP), "")
    if unknown:
        return f"{unknown[:40]!r} may not stand in it", f"known are {', '.join(_TOP)}"
    if data.get("mode", "search") not in ("search", "taint"):
        return f"mode {str(data['mode'])[:40]!r} cannot be run", "use search or taint"
    for globs in data["paths"].values() if isinstance(data.get("paths"), Mapping) else ():
        for glob in globs if isinstance(globs, list) else ():
            if wrong := glob_problem(str(glob)):
                return f"{str(glob)[:80]!r} {wrong[0]}", wrong[1]
    count = _Count()
    return next(
        (wrong for key, value in data.items() if key in _PATTERNS and (wrong := count.wrong(key, value, 1))), None
    )


class _Count:
    """Walks the patterns and counts them."""

    def __init__(self) -> None:
        self.patterns = 0

    def wrong(self, key: str, value: Any, depth: int) -> Wrong | None:
        """What is wrong with one operator and all within it."""
        self.patterns += 1
        if self.patterns > MOST_PATTERNS or depth > DEEPEST:
            return f"has more than {MOST_PATTERNS} patterns, or nests deeper than {DEEPEST}", "one rule finds one thing"
        if key in _LISTS:
            return self._list(key, value, depth)
        if key in _WITHIN:
            return self._mapping(key, value, _WITHIN[key], depth)
        texts = value if key == "focus-metavariable" and isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            return f"{key} must be text", "quote it"
        if any("=~/" in text for text in texts):
            return "has a regular expression within a pattern", "use metavariable-regex"
        return None

    def _list(self, key: str, value: Any, depth: int) -> Wrong | None:
        if not isinstance(value, list) or not value:
            return f"{key} must be a list of patterns", ""
        extra = (*_PROPAGATED, "not_conflicting") if key in _TAINT else ()
        for item in value:
            if wrong := self._mapping(key, item, (*_PATTERNS, *extra), depth):
                return wrong
        return None

    def _mapping(self, key: str, value: Any, allowed: tuple[str, ...], depth: int) -> Wrong | None:
        if not isinstance(value, Mapping):
            return f"{key} must hold mappings, each of a pattern", ""
        for name, inner in value.items():
            if name not in allowed:
                return f"{str(name)[:40]!r} may not stand in {key}", f"known are {', '.join(allowed)}"
            if name in _PATTERNS:
                if wrong := self.wrong(name, inner, depth + 1):
                    return wrong
            elif not isinstance(inner, str | bool | int):
                return f"{name} in {key} must be text", "quote it"
            elif name == "comparison" and ("re." in str(inner) or len(str(inner)) > 200):
                return "compares with a regular expression, or at too great length", "use metavariable-regex"
        return None


def _wrong_regex(data: Any) -> Wrong | None:
    for pattern in regexes_of_body(data):
        if wrong := semgrep_regex_problem(pattern):
            return f"{pattern[:80]!r} {wrong[0]}", wrong[1]
    return None

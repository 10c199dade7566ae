"""The members that a guard check may have, by what it is on, their JSON Schema, and a raw check held to them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulec.domain.files import globs
from rulec.domain.patterns import safety
from rulec.errors import RulecError
from rulec.guard.content import file_parts
from rulec.guard.session import reply_check
from rulec.guard.session.earlier_steps import STEPS

HOW = ("create", "change", "delete")
PARTS = file_parts.PARTS
SORTS = ("packages", "images", "actions")
LANGUAGES = tuple(reply_check.NAMES)
WHOLE = ("require", "when", "said", "first_said", "code", "unless_said")  # patterns that see more than one line
SAID = ("said", "first_said", "unless_said")  # patterns of words, which the runtime puts into longer ones
_FLAGS = re.compile(r"\(\?([aimsux]+)\)")
MemberTest = Callable[[Any], bool]


def bind_flags(check: Any) -> None:
    """Let flags at the start of a person's words hold for these alone: the runtime puts them into longer patterns."""
    for key in SAID if isinstance(check, dict) else ():
        if isinstance(check.get(key), str):
            check[key] = _bound(check[key])


def _bound(pattern: str) -> str:
    flags = _FLAGS.match(pattern)
    return f"(?{flags[1]}:{pattern[flags.end() :]})" if flags else pattern


def require_bounded_patterns(check: Mapping[str, Any], where: str) -> None:
    """Refuse a check whose patterns could hold up the agent's hook."""
    for key, (fits, _, _) in SHAPES[check["on"]].items():
        given = check.get(key) or ()
        lines = key not in WHOLE and not check.get("across")
        for text in _listed(given):
            if fits in (_pattern, _part_of_pattern, _patterns, _matching):
                asked = f"(?i:{_bound(text)})" if check.get("ignore_case") else text
                safety.refuse_pattern(safety.regex_problem(asked, lines=lines), text, key, where)
            elif fits in (_globs, _some_globs) or key == "source":
                safety.refuse_pattern(safety.glob_problem(text), text, key, where)


def _listed(given: Any) -> list[Any]:
    """The values that a key of a check holds, one by one."""
    if isinstance(given, dict):
        return [*given.values()]
    return [given] if isinstance(given, str) else given if isinstance(given, list) else []


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _some(value: Any) -> bool:
    return _texts(value) and bool(value) and all(item.strip() for item in value)


def _pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and re.compile(value) is not None
    except (re.error, RecursionError):
        return False


def _part_of_pattern(value: Any) -> bool:
    """Whether the pattern can stand within a longer one, as the runtime uses it."""
    return _pattern(value) and _pattern(f"x(?:{value})")


def _patterns(value: Any) -> bool:
    return isinstance(value, list) and all(_pattern(item) for item in value)


def _globs(value: Any) -> bool:
    return _texts(value) and all(item.strip() and _pattern(globs.regex(item)) for item in value)


def _some_globs(value: Any) -> bool:
    return bool(value) and _globs(value)


def _rewrites(value: Any) -> bool:
    return isinstance(value, dict) and _texts(list(value.values())) and all(key.strip() for key in value)


def _matching(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) for key in value) and _patterns([*value.values()])


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _acts(value: Any) -> bool:
    return _some(value) and set(value) <= set(HOW)


def _acts_of_change(value: Any) -> bool:
    return _some(value) and set(value) <= {*HOW, "rename"}


def _parts(value: Any) -> bool:
    return _some(value) and set(value) <= set(PARTS)


def _sorts(value: Any) -> bool:
    return _some(value) and set(value) <= set(SORTS)


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _language(value: Any) -> bool:
    return value in LANGUAGES


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


# kind of check -> key -> (what it must be, how to say that, whether it must stand there)
SHAPES: Mapping[str, Mapping[str, tuple[MemberTest, str, bool]]] = {
    "change": {
        "needs": (_some_globs, "a list of globs, at least one", False),
        "source": (_text, "a glob", False),
        "mirrors": (_some_globs, "a list of globs, at least one", False),
        "part": (_flag, "true or false", False),
        "keys": (_texts, "a list of keys", False),
        "names": (_flag, "true or false", False),
        "copies": (_number, "a whole number of at least one", False),
        "when": (_globs, "a list of globs", False),
        "pattern": (_pattern, "a pattern that compiles", False),
        "unless": (_globs, "a list of globs", False),
        "how": (_acts_of_change, f"some of {', '.join(HOW)}, rename", False),
        "exist": (_flag, "true or false", False),
        "holds": (_text, "text", False),
        "added": (_pattern, "a pattern that compiles", False),
        "imports": (_flag, "true or false", False),
        "defines": (_flag, "true or false", False),
        "comments": (_flag, "true or false", False),
    },
    "command": {
        "patterns": (_some, "a list of commands, at least one", True),
        "unless": (_texts, "a list of commands", False),
        "arguments": (_pattern, "a pattern that compiles", False),
        "also": (_patterns, "a list of patterns that compile", False),
        "code": (_pattern, "a pattern that compiles", False),
        "files": (_pattern, "a pattern that compiles", False),
        "inside": (_globs, "a list of globs", False),
        "outside": (_globs, "a list of globs", False),
        "says": (_pattern, "a pattern that compiles", False),
        "flags": (_texts, "a list of flags", False),
        "value": (_pattern, "a pattern that compiles", False),
        "each": (_pattern, "a pattern that compiles", False),
        "must": (_pattern, "a pattern that compiles", False),
        "on_branch": (_texts, "a list of branches", False),
        "new_branch": (_pattern, "a pattern that compiles", False),
        "pushes": (_texts, "a list of branches", False),
        "instead": (_text, "text", False),
        "rewrite": (_rewrites, "a mapping of command to command", False),
        "aliases": (_rewrites, "a mapping of alias to command", False),
        "under": (_some, "a list of commands, at least one", False),
        "by_path": (_flag, "true or false", False),
    },
    "path": {
        "globs": (_some_globs, "a list of globs, at least one", True),
        "except": (_globs, "a list of globs", False),
        "how": (_acts, f"some of {', '.join(HOW)}", False),
        "left": (_flag, "true or false", False),
        "existing": (_flag, "true or false", False),
    },
    "text": {
        "forbid": (_patterns, "a list of patterns that compile", False),
        "require": (_patterns, "a list of patterns that compile", False),
        "globs": (_globs, "a list of globs", False),
        "except": (_globs, "a list of globs", False),
        "ignore_case": (_flag, "true or false", False),
        "parts": (_parts, f"some of {', '.join(PARTS)}", False),
        "names": (_flag, "true or false", False),
        "fresh": (_flag, "true or false", False),
        "across": (_flag, "true or false", False),
        "scripts": (_flag, "true or false", False),
        "hide": (_flag, "true or false", False),
        "header": (_text, "text", False),
    },
    "dependency": {
        "forbid": (_texts, "a list of packages", False),
        "except": (_texts, "a list of packages", False),
        "instead": (_text, "text", False),
        "pin": (_sorts, f"some of {', '.join(SORTS)}", False),
        "digest": (_flag, "true or false", False),
    },
    "reply": {
        "forbid": (_patterns, "a list of patterns that compile", False),
        "require": (_patterns, "a list of patterns that compile", False),
        "when": (_pattern, "a pattern that compiles", False),
        "unless": (_pattern, "a pattern that compiles", False),
        "ignore_case": (_flag, "true or false", False),
        "code": (_flag, "true or false", False),
        "every": (_flag, "true or false", False),
        "max_words": (_number, "a whole number of at least one", False),
        "max_lines": (_number, "a whole number of at least one", False),
        "language": (_language, f"one of {', '.join(LANGUAGES)}", False),
        "after_edits": (_globs, "a list of globs", False),
        "after_commands": (_texts, "a list of commands", False),
        "instead": (_text, "text", False),
    },
    "tool": {
        "tools": (_some, "a list of names of tools, at least one", True),
        "unless": (_texts, "a list of names of tools", False),
        "arguments": (_matching, "a mapping of argument to pattern", False),
        "instead": (_text, "text", False),
    },
    "session": {
        **dict.fromkeys(
            ("before_commands", "unless", "first_commands", "since_commands", "also_commands"),
            (_texts, "a list of commands", False),
        ),
        **dict.fromkeys(("before_tools", "first_tools"), (_texts, "a list of names of tools", False)),
        **dict.fromkeys(
            ("before_edits", "except", "first_reads", "first_edits", "since", "since_except", "inside", "outside"),
            (_globs, "a list of globs", False),
        ),
        "on_branch": (_globs, "a list of globs", False),
        **dict.fromkeys(SAID, (_part_of_pattern, "a pattern that compiles within another", False)),
        "pattern": (_pattern, "a pattern that compiles", False),
        **dict.fromkeys(
            ("before_stop", "first_all", "may_fail", "unmasked", "lasting"), (_flag, "true or false", False)
        ),
        "how": (_acts, f"some of {', '.join(HOW)}", False),
        "first": (_text, "text", False),
    },
}
_JUDGED = ("before_commands", "before_edits", "before_tools", "before_stop")
_FIRST = STEPS
_SAID = ("forbid", "require", "max_words", "max_lines", "language")


def complaint_about(check: Any) -> str:
    """What is wrong with a guard check's body, or ""."""
    if not isinstance(check, dict):
        return "the guard check is no mapping"
    shape = SHAPES.get(str(check.get("on")))
    if shape is None:
        return f"on: {check.get('on')!r} is no kind of guard check (known are {', '.join(SHAPES)})"
    unknown = [key for key in check if key != "on" and key not in shape]
    if unknown:
        return f"{unknown[0]!r} is no key of a guard check on {check['on']} (known are {', '.join(shape)})"
    for key, (fits, wanted, required) in shape.items():
        if key not in check and required:
            return f"{key} is missing: it must be {wanted}"
        if key in check and not fits(check[key]):
            return f"{key} must be {wanted}, not {check[key]!r}"
    if check["on"] in _COMPLAINTS:
        return _COMPLAINTS[check["on"]](check)
    if check["on"] == "text" and not (check.get("forbid") or check.get("require") or "header" in check):
        return "a guard check on text must forbid or require something"
    if check["on"] == "dependency" and bool(check.get("forbid")) == bool(check.get("pin")):
        return "a guard check on dependencies must say either what it forbids or what is to be one version"
    return ""


def _unsaid(check: Mapping[str, Any]) -> str:
    """What a check on a change does not say, or ""."""
    if sum(bool(check.get(key)) for key in ("needs", "copies", "mirrors")) != 1:
        return "a guard check on a change must say either what it needs, what mirrors it or what counts as a copy"
    if bool(check.get("mirrors")) != bool(check.get("source")):
        return "a guard check on a change must say both a source and what mirrors it"
    if check.get("needs") and not (check.get("when") or check.get("pattern")):
        return "a guard check on a change must say when: which files call for others"
    return ""


def _gap(check: Mapping[str, Any]) -> str:
    """What a check on a session does not say, or ""."""
    if not any(check.get(key) for key in _JUDGED):
        return f"it must say what is judged: one of {', '.join(_JUDGED)}"
    return "" if any(check.get(key) for key in _FIRST) else f"it must say what comes first: one of {', '.join(_FIRST)}"


def _silent(check: Mapping[str, Any]) -> str:
    """What a check on a reply does not say, or ""."""
    said = any(check.get(key) for key in _SAID)
    return "" if said else f"it must say what is wrong with a reply: one of {', '.join(_SAID)}"


_COMPLAINTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {"change": _unsaid, "session": _gap, "reply": _silent}


# reader -> what it accepts, as JSON Schema says it
_LIST = {"type": "array", "items": {"type": "string"}}
_NAMES = {**_LIST, "items": {"type": "string", "pattern": r"\S"}}
_MAP = {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"pattern": r"\S"}}
_REGEX = {"type": "string", "format": "regex"}
FORMS: Mapping[MemberTest, Mapping[str, Any]] = {
    _text: {"type": "string"},
    _texts: _LIST,
    _some: {**_NAMES, "minItems": 1},
    _pattern: _REGEX,
    _part_of_pattern: _REGEX,
    _patterns: {"type": "array", "items": _REGEX},
    _globs: _NAMES,
    _some_globs: {**_NAMES, "minItems": 1},
    _rewrites: _MAP,
    _acts: {**_LIST, "items": {"enum": [*HOW]}, "minItems": 1},
    _acts_of_change: {**_LIST, "items": {"enum": [*HOW, "rename"]}, "minItems": 1},
    _parts: {**_LIST, "items": {"enum": [*PARTS]}, "minItems": 1},
    _sorts: {**_LIST, "items": {"enum": [*SORTS]}, "minItems": 1},
    _number: {"type": "integer", "minimum": 1},
    _flag: {"type": "boolean"},
    _language: {"enum": [*LANGUAGES]},
    _matching: _MAP,
}
_GROUPS: Mapping[str, Sequence[Sequence[str]]] = {  # of each group some member must say something
    "change": (("needs", "copies", "mirrors"),),
    "text": (("forbid", "require", "header"),),
    "dependency": (("forbid", "pin"),),
    "session": (_JUDGED, _FIRST),
    "reply": (_SAID,),
}
MemberMeaning = Callable[[str, str], str]  # kind of check and member -> what it means, "" where nobody says


def json_schema(means: MemberMeaning = lambda _, __: "") -> dict[str, Any]:
    """The JSON Schema of a guard check, derived from SHAPES; what it cannot say is refused when a check is built."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A guard check of rulec, the parameter of the template raw-guard",
        "description": "Patterns must end in bounded time (no back references, no loops in loops).",
        "oneOf": [_of_kind(on, shape, means) for on, shape in SHAPES.items()],
    }


def _of_kind(on: str, shape: Mapping[str, tuple[MemberTest, str, bool]], means: MemberMeaning) -> dict[str, Any]:
    members: dict[str, Any] = {"on": {"const": on}}
    for key, (fits, wanted, _) in shape.items():
        told = means(on, key)
        members[key] = {**FORMS.get(fits, {}), "description": f"{told} ({wanted})" if told else wanted}
    needed = ["on", *(key for key, (_, _, required) in shape.items() if required)]
    groups = [{"anyOf": [_said(key, members[key]) for key in group]} for group in _GROUPS.get(on, ())]
    return {
        "type": "object",
        "properties": members,
        "required": needed,
        "additionalProperties": False,
        **({"allOf": groups} if groups else {}),
    }


def _said(key: str, form: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that demands a member which is not empty; an empty header means any notice."""
    least = {"array": {"minItems": 1}, "string": {"minLength": 1}, "boolean": {"const": True}, "object": {}}
    return {"required": [key], "properties": {key: least.get(str(form.get("type")) * (key != "header"), {})}}


LONGEST = 8_000  # characters of its JSON
_FORM = "write {on: command, patterns: [...]}; rulec templates --guard-schema says all of it"


def vet_guard_check(check: Any, name: str, where: str = "") -> dict[str, Any]:
    """The check as plain data; RulecError, in one line, where it is none."""
    if isinstance(check, str):
        try:
            check = json.loads(check)
        except (ValueError, RecursionError) as error:
            raise RulecError(f"{name}: is no JSON: {error}", where=where, hint=_FORM) from None
    if not isinstance(check, Mapping):
        raise RulecError(f"{name}: is no mapping", where=where, hint=_FORM)
    if len(json.dumps(check)) > LONGEST:
        raise RulecError(
            f"{name}: is longer than {LONGEST:,} characters", where=where, hint="one check finds one thing"
        )
    return dict(check)

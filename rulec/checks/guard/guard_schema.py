"""The members that a guard check may have, by what it is on, their JSON Schema, and a raw check held to them."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rulec.domain.files import globs
from rulec.domain.patterns import safety
from rulec.errors import RulecError
from rulec.guard.content import file_parts
from rulec.guard.session import reply_check
from rulec.guard.session.earlier_steps import STEPS
from rulec.rulebook.test_suites import SUITE_NAME

HOW = ("create", "change", "delete")
PARTS = file_parts.PARTS
SORTS = ("packages", "images", "actions")
LANGUAGES = tuple(reply_check.NAMES)
WHOLE = ("require", "when", "said", "code")  # patterns that see more than one line
_FLAGS = re.compile(r"\(\?([aimsux]+)\)")


def bind_flags(check: Any) -> None:
    """Let flags at the start of a person's words hold for these alone: the runtime puts them into longer patterns."""
    if isinstance(check, dict) and isinstance(check.get("said"), str):
        check["said"] = _bound(check["said"])


def _bound(pattern: str) -> str:
    flags = _FLAGS.match(pattern)
    return f"(?{flags[1]}:{pattern[flags.end() :]})" if flags else pattern


def require_bounded_patterns(check: Mapping[str, Any], where: str) -> None:
    """Refuse a check whose patterns could hold up the agent's hook."""
    for key, sort in SHAPES[check["on"]].items():
        given = check.get(key) or ()
        lines = key not in WHOLE and not check.get("across")
        for text in _listed(given):
            if sort in (PATTERN, PART_OF_PATTERN, PATTERNS, MATCHING):
                asked = f"(?i:{_bound(text)})" if check.get("ignore_case") else text
                safety.refuse_pattern(safety.regex_problem(asked, lines=lines), text, key, where)
            elif sort in (GLOB, GLOBS, SOME_GLOBS):
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


def _suite(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch(f"(?:{SUITE_NAME})?", value) is not None


def _number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _language(value: Any) -> bool:
    return value in LANGUAGES


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


class MemberSort(NamedTuple):
    """What a member must be: by a test, in words, and as JSON Schema says it."""

    fits: Callable[[Any], bool]
    wanted: str
    form: Mapping[str, Any]


_LIST = {"type": "array", "items": {"type": "string"}}
_NAMES = {**_LIST, "items": {"type": "string", "pattern": r"\S"}}
_MAP = {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": {"pattern": r"\S"}}
_REGEX = {"type": "string", "format": "regex"}

TEXT = MemberSort(_text, "text", {"type": "string"})
FLAG = MemberSort(_flag, "true or false", {"type": "boolean"})
NUMBER = MemberSort(_number, "a whole number of at least one", {"type": "integer", "minimum": 1})
LANGUAGE = MemberSort(_language, f"one of {', '.join(LANGUAGES)}", {"enum": [*LANGUAGES]})
PATTERN = MemberSort(_pattern, "a pattern that compiles", _REGEX)
PART_OF_PATTERN = MemberSort(_part_of_pattern, "a pattern that compiles within another", _REGEX)
PATTERNS = MemberSort(_patterns, "a list of patterns that compile", {**_LIST, "items": _REGEX})
MATCHING = MemberSort(_matching, "a mapping of argument to pattern", _MAP)
GLOB = MemberSort(_text, "a glob", {"type": "string"})
GLOBS = MemberSort(_globs, "a list of globs", _NAMES)
SOME_GLOBS = MemberSort(_some_globs, "a list of globs, at least one", {**_NAMES, "minItems": 1})
SUITE = MemberSort(_suite, "the name of a suite, such as unit", {"type": "string", "pattern": f"^(?:{SUITE_NAME})?$"})
REWRITES = MemberSort(_rewrites, "a mapping of command to command", _MAP)
ALIASES = MemberSort(_rewrites, "a mapping of alias to command", _MAP)


def _list_of(what: str) -> MemberSort:
    return MemberSort(_texts, f"a list of {what}", _LIST)


def _at_least_one(what: str) -> MemberSort:
    return MemberSort(_some, f"a list of {what}, at least one", {**_NAMES, "minItems": 1})


def _some_of(names: Sequence[str]) -> MemberSort:
    form = {**_LIST, "items": {"enum": [*names]}, "minItems": 1}
    return MemberSort(lambda value: _some(value) and set(value) <= set(names), f"some of {', '.join(names)}", form)


_ROWS: Mapping[str, Mapping[str, MemberSort]] = {  # kind of check -> members -> what each of these must be
    "change": {
        "needs mirrors": SOME_GLOBS,
        "source": GLOB,
        "when unless": GLOBS,
        "pattern added": PATTERN,
        "how": _some_of((*HOW, "rename")),
        "keys": _list_of("keys"),
        "holds": TEXT,
        "part names exist imports defines comments": FLAG,
    },
    "command": {
        "patterns under": _at_least_one("commands"),
        "unless": _list_of("commands"),
        "arguments code files says value each must new_branch": PATTERN,
        "also": PATTERNS,
        "inside outside": GLOBS,
        "flags": _list_of("flags"),
        "on_branch pushes": _list_of("branches"),
        "instead": TEXT,
        "rewrite": REWRITES,
        "aliases": ALIASES,
        "by_path": FLAG,
    },
    "path": {"globs": SOME_GLOBS, "except": GLOBS, "how": _some_of(HOW), "left existing": FLAG},
    "text": {
        "forbid require": PATTERNS,
        "globs except": GLOBS,
        "parts": _some_of(PARTS),
        "header": TEXT,
        "ignore_case names fresh across scripts hide": FLAG,
    },
    "dependency": {
        "forbid except": _list_of("packages"), "pin": _some_of(SORTS), "digest": FLAG, "instead": TEXT,
    },
    "reply": {
        "forbid require": PATTERNS,
        "when unless": PATTERN,
        "max_words max_lines": NUMBER,
        "language": LANGUAGE,
        "after_edits": GLOBS,
        "after_commands": _list_of("commands"),
        "ignore_case code every": FLAG,
        "instead": TEXT,
    },
    "tool": {
        "tools": _at_least_one("names of tools"), "unless": _list_of("names of tools"), "arguments": MATCHING,
        "instead": TEXT,
    },
    "session": {
        "before_commands unless first_commands since_commands also_commands": _list_of("commands"),
        "before_tools first_tools": _list_of("names of tools"),
        "before_packages": _list_of("packages"),
        "before_edits except first_reads first_edits since since_except inside outside on_branch": GLOBS,
        "said": PART_OF_PATTERN,
        "pattern": PATTERN,
        "how": _some_of(HOW),
        "before_stop first_all may_fail unmasked whole asks": FLAG,
        "first": TEXT,
        "proved_by": SUITE,
    },
}  # fmt: skip
SHAPES: Mapping[str, Mapping[str, MemberSort]] = {
    on: {name: sort for names, sort in rows.items() for name in names.split()} for on, rows in _ROWS.items()
}
_REQUIRED = {"command": "patterns", "path": "globs", "tool": "tools"}
_JUDGED = ("before_commands", "before_edits", "before_tools", "before_packages", "before_stop")
_FIRST = (*STEPS, "proved_by", "asks")
_BESIDE_RUNS = ("first_reads", "first_edits", "first_tools", "pattern", "may_fail")
_NOT_ASKED = (*STEPS, "proved_by", "before_stop", "pattern", "on_branch", "since", "since_commands")
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
    required = _REQUIRED.get(check["on"])
    if required and required not in check:
        return f"{required} is missing: it must be {shape[required].wanted}"
    for key, sort in shape.items():
        if key in check and not sort.fits(check[key]):
            return f"{key} must be {sort.wanted}, not {check[key]!r}"
    if check["on"] in _COMPLAINTS:
        return _COMPLAINTS[check["on"]](check)
    if check["on"] == "text" and not (check.get("forbid") or check.get("require") or "header" in check):
        return "a guard check on text must forbid or require something"
    if check["on"] == "dependency" and bool(check.get("forbid")) == bool(check.get("pin")):
        return "a guard check on dependencies must say either what it forbids or what is to be one version"
    return ""


def _unsaid(check: Mapping[str, Any]) -> str:
    """What a check on a change does not say, or ""."""
    if bool(check.get("needs")) == bool(check.get("mirrors")):
        return "a guard check on a change must say either what it needs or what mirrors it"
    if bool(check.get("mirrors")) != bool(check.get("source")):
        return "a guard check on a change must say both a source and what mirrors it"
    if check.get("needs") and not (check.get("when") or check.get("pattern")):
        return "a guard check on a change must say when: which files call for others"
    return ""


def _gap(check: Mapping[str, Any]) -> str:
    """What a check on a session does not say, or ""."""
    if not any(check.get(key) for key in _JUDGED):
        return f"it must say what is judged: one of {', '.join(_JUDGED)}"
    if not any(check.get(key) for key in _FIRST):
        return f"it must say what comes first: one of {', '.join(_FIRST)}"
    if check.get("asks"):
        beside = [key for key in _NOT_ASKED if check.get(key)]
        return f"asks cannot be used with {beside[0]}: make two rules of it" if beside else ""
    if check.get("before_packages"):
        return "before_packages needs asks: true"
    beside = [key for key in _BESIDE_RUNS if check.get("proved_by") and check.get(key)]
    return f"proved_by cannot be used with {beside[0]}: make two rules of it" if beside else ""


def _silent(check: Mapping[str, Any]) -> str:
    """What a check on a reply does not say, or ""."""
    said = any(check.get(key) for key in _SAID)
    return "" if said else f"it must say what is wrong with a reply: one of {', '.join(_SAID)}"


_COMPLAINTS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {"change": _unsaid, "session": _gap, "reply": _silent}


_GROUPS: Mapping[str, Sequence[Sequence[str]]] = {  # of each group some member must say something
    "change": (("needs", "mirrors"),),
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


def _of_kind(on: str, shape: Mapping[str, MemberSort], means: MemberMeaning) -> dict[str, Any]:
    members: dict[str, Any] = {"on": {"const": on}}
    for key, sort in shape.items():
        told = means(on, key)
        members[key] = {**sort.form, "description": f"{told} ({sort.wanted})" if told else sort.wanted}
    needed = ["on", *filter(None, [_REQUIRED.get(on)])]
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

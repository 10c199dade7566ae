"""The members that a guard check may have, by what it is on, their JSON Schema, and a raw check held to them."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rulec.domain.files import globs
from rulec.domain.patterns import safety
from rulec.errors import RulecError
from rulec.guard import file_parts, reply_check
from rulec.guard.earlier_steps import STEPS
from rulec.rulebook.test_suites import SUITE_NAME

HOW = ("create", "change", "delete")
PARTS = file_parts.PARTS
SORTS = ("packages", "images", "actions")
LANGUAGES = tuple(reply_check.NAMES)
WHOLE = ("require", "when", "before_claims", "admissions", "code")  # patterns that see more than one line
_FLAGS = re.compile(r"\(\?([aimsux]+)\)")


def _bound(pattern: str) -> str:
    flags = _FLAGS.match(pattern)
    return f"(?{flags[1]}:{pattern[flags.end() :]})" if flags else pattern


def require_bounded_patterns(check: Mapping[str, Any], where: str) -> None:
    """Refuse a check whose patterns could hold up the agent's hook."""
    for key, sort in SHAPES[check["on"]].items():
        given = check.get(key) or ()
        lines = key not in WHOLE and not check.get("across")
        for text in _listed(given):
            if sort in (PATTERN, PATTERNS, MATCHING):
                asked = f"(?i:{_bound(text)})" if check.get("ignore_case") else text
                safety.refuse_pattern(safety.regex_problem(asked, lines=lines), text, key, where)
            elif sort in (GLOB, GLOBS, SOME_GLOBS):
                safety.refuse_pattern(safety.glob_problem(text), text, key, where)


def _listed(given: Any) -> list[Any]:
    """The values that a key of a check holds, one by one."""
    if isinstance(given, dict):
        return [*given.values()]
    return [given] if isinstance(given, str) else given if isinstance(given, list) else []


def _compiles(pattern: str) -> bool:
    try:
        return re.compile(pattern) is not None
    except (re.error, RecursionError):
        return False


_FORMATS: Mapping[str, Callable[[str], bool]] = {
    "": lambda _: True,
    "regex": _compiles,
    "glob": lambda text: _compiles(globs.regex(text)),
}


class MemberSort(NamedTuple):
    """What a member must be: in words, and as JSON Schema says it."""

    wanted: str
    form: Mapping[str, Any]


def _fits(value: Any, form: Mapping[str, Any]) -> bool:
    """Whether a value is of a form; these keywords of JSON Schema are in use, whose library takes 200 ms to load."""
    if "enum" in form:
        return value in form["enum"]
    match form["type"]:
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool) and value >= form["minimum"]
        case "array":
            items = value if isinstance(value, list) else None
            return items is not None and len(items) >= form.get("minItems", 0) and _all_fit(items, form["items"])
        case "object":
            names, values = form["propertyNames"], form["additionalProperties"]
            return isinstance(value, dict) and _all_fit(value, names) and _all_fit(value.values(), values)
    written = isinstance(value, str) and re.fullmatch(form.get("pattern", r"[\s\S]*"), value)
    return bool(written) and _FORMATS[form.get("format", "")](value)


def _all_fit(values: Iterable[Any], form: Mapping[str, Any]) -> bool:
    return all(_fits(value, form) for value in values)


_TEXT = {"type": "string"}
_FILLED = {"type": "string", "pattern": r"^[\s\S]*\S[\s\S]*$"}
_REGEX = {"type": "string", "format": "regex"}


def _list(items: Mapping[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least}


def _map(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values, "propertyNames": _FILLED}


_A_GLOB = {**_FILLED, "format": "glob"}
TEXT = MemberSort("text", _TEXT)
FLAG = MemberSort("true or false", {"type": "boolean"})
NUMBER = MemberSort("a whole number of at least one", {"type": "integer", "minimum": 1})
LANGUAGE = MemberSort(f"one of {', '.join(LANGUAGES)}", {"enum": [*LANGUAGES]})
CHECKOUT = MemberSort("main or linked", {"enum": ["main", "linked"]})
PATTERN = MemberSort("a pattern that compiles", _REGEX)
PATTERNS = MemberSort("a list of patterns that compile", _list(_REGEX))
MATCHING = MemberSort("a mapping of argument to pattern", _map(_REGEX))
GLOB = MemberSort("a glob", _TEXT)
GLOBS = MemberSort("a list of globs", _list(_A_GLOB))
SOME_GLOBS = MemberSort("a list of globs, at least one", _list(_A_GLOB, 1))
SUITE = MemberSort("the name of a suite, such as unit", {"type": "string", "pattern": f"^(?:{SUITE_NAME})?$"})
REWRITES = MemberSort("a mapping of command to command", _map(_TEXT))
ALIASES = MemberSort("a mapping of alias to command", _map(_TEXT))


def _list_of(what: str) -> MemberSort:
    return MemberSort(f"a list of {what}", _list(_TEXT))


def _at_least_one(what: str) -> MemberSort:
    return MemberSort(f"a list of {what}, at least one", _list(_FILLED, 1))


def _some_of(names: Sequence[str]) -> MemberSort:
    return MemberSort(f"some of {', '.join(names)}", _list({"enum": [*names]}, 1))


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
        "unless beside": _list_of("commands"),
        "checkout": CHECKOUT,
        "arguments operands code files says value each must new_branch": PATTERN,
        "also": PATTERNS,
        "inside outside": GLOBS,
        "flags": _list_of("flags"),
        "on_branch pushes": _list_of("branches"),
        "instead": TEXT,
        "rewrite": REWRITES,
        "aliases": ALIASES,
        "by_path": FLAG,
    },
    "path": {
        "globs": SOME_GLOBS, "except": GLOBS, "how": _some_of(HOW), "left existing ignored": FLAG,
        "generated_by": _list_of("commands"), "checkout": CHECKOUT,
    },
    "text": {
        "forbid require": PATTERNS,
        "globs except": GLOBS,
        "parts": _some_of(PARTS),
        "header": TEXT,
        "ignore_case names fresh across scripts hide ignored": FLAG,
    },
    "dependency": {
        "forbid except": _list_of("packages"), "pin": _some_of(SORTS), "digest": FLAG, "instead": TEXT,
    },
    "reply": {
        "forbid require": PATTERNS,
        "when unless": PATTERN,
        "max_words max_lines most": NUMBER,
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
        "before_claims admissions": PATTERNS,
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
_GROUPS: Mapping[str, Sequence[tuple[str, ...]]] = {  # of each group some member must say something
    "change": (("needs", "mirrors"),),
    "text": (("forbid", "require", "header"),),
    "dependency": (("forbid", "pin"),),
    "session": (_JUDGED, _FIRST),
    "reply": (_SAID,),
}
_ABOUT = {_JUDGED: "what is judged: ", _FIRST: "what comes first: "}


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
        if key in check and not _fits(check[key], sort.form):
            return f"{key} must be {sort.wanted}, not {check[key]!r}"
    for group in _GROUPS.get(check["on"], ()):
        if not any(check.get(key) or (key == "header" and key in check) for key in group):  # an empty one is any notice
            return f"a guard check on {check['on']} must say {_ABOUT.get(group, '')}one of {', '.join(group)}"
    return _contradiction(check)


def _contradiction(check: Mapping[str, Any]) -> str:
    """What members of a check say together that makes no sense, or ""."""
    on, said = check["on"], {key for key, value in check.items() if value}
    for one, other in (("needs", "mirrors"), ("forbid", "pin")):
        if on in ("change", "dependency") and {one, other} <= said:
            return f"a guard check on a {on} must say either {one} or {other}, not both"
    if on == "change" and ("mirrors" in said) != ("source" in said):
        return "a guard check on a change must say both a source and what mirrors it"
    if on == "change" and "needs" in said and not said & {"when", "pattern"}:
        return "a guard check on a change must say when: which files call for others"
    if on != "session":
        return ""
    if "before_packages" in said and "asks" not in said:
        return "before_packages needs asks: true"
    alone, others = ("asks", _NOT_ASKED) if "asks" in said else ("proved_by", _BESIDE_RUNS)
    beside = [key for key in others if alone in said and key in said]
    return f"{alone} cannot be used with {beside[0]}: make two rules of it" if beside else ""


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

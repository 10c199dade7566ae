"""Template text -> Template, and a check's parameters held to what the template declares."""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, cast, get_args

from rulec.domain.files import languages
from rulec.domain.patterns import safety
from rulec.domain.rule import Check, CheckKind
from rulec.domain.template import FINDING_UNITS, ComparedParameters, Template, TemplateParameter
from rulec.errors import RulecError
from rulec.rulebook.yaml_text import YamlNode

_HEAD = re.compile(r"\A\{#\n(.*?)\n#\}\n", re.DOTALL)
_TEXTS = ("checks", "unit", "blind", "avoid", "prefer", "limits")
_SCALARS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "str": (str, "text"),
    "regex": (str, "a pattern"),
    "glob": (str, "a glob"),
    "command": (str, "a command"),
    "module": (str, "a module's name"),
    "script": (str, "a script"),
    "semgrep": ((str, dict), "a Semgrep rule: a mapping or its YAML"),
    "guard": ((str, dict), "a guard check: a mapping or its JSON"),
    "int": (int, "a whole number"),
    "bool": (bool, "true or false"),
}
_OPERATOR = re.compile(r"\|\||&|;+|\d?[<>]&[\d-]?")  # of a shell, which no pattern has
_NO_GLOB = (
    "contains a wildcard, but modules are named in full",
    "name the module alone: everything below it counts, too",
)
_JUDGED: dict[str, Callable[[str], safety.PatternProblem | None]] = {
    "regex": safety.regex_problem,
    "glob": safety.glob_problem,
    "module": lambda name: _NO_GLOB if "*" in name else None,
}
_EMPTY: dict[str, Any] = {"int": 0, "bool": False}
_KINDS = TemplateParameter(
    name="kinds",
    type="list[str]",
    doc="only files of these languages or endings: python, kotlin, .kts, .md; where globs name folders, only in these",
    default=[],
    common=True,
)
_FILES = TemplateParameter(
    name="globs", type="list[glob]", doc="files to check: src/; default: all of the language", default=[], common=True
)
_SPARED = TemplateParameter(
    name="except_files", type="list[glob]", doc="files to skip: tests/", default=[], common=True
)
_MAPS = ("map[command]", "map[regex]")


def parse_template(text: str, *, source: str) -> Template:
    """A template from the text of its file; RulecError with file:line where its declaration is wrong."""
    head = _HEAD.match(text)
    if head is None:
        raise RulecError(
            "has no header",
            where=f"{source}:1",
            hint="begin the file with {# and #}, each on its own line, and YAML between them",
        )
    return YamlNode.read("\n" + head[1], source, lambda top: _template(top, source))


def _template(top: YamlNode, source: str) -> Template:
    top.known((*_TEXTS, "kind", "parameters", "one_of", "compares"))
    parameters = top.mapping("parameters")
    kind = cast("CheckKind", top.choice("kind", get_args(CheckKind), required=True))
    declared = [_parameter(name, parameters.mapping(name)) for name in parameters.data]
    unit = top.choice("unit", FINDING_UNITS) if top.has("unit") else ""
    return Template(
        name=re.split(r"[/\\]", source)[-1].removesuffix(".j2"),
        kind=kind,
        parameters=_with_common(declared, kind, source),
        checks=" ".join(top.text("checks", required=True).split()),
        unit=unit,
        blind=" ".join(top.text("blind").split()),
        avoid=top.text("avoid", required=True),
        prefer=top.text("prefer", required=True),
        limits=top.text("limits", required=True),
        source=source,
        compares=_compares(top.mapping("compares"), parameters.data),
        one_of=_declared(top, "one_of", parameters.data),
    )


def _with_common(declared: list[TemplateParameter], kind: CheckKind, source: str) -> tuple[TemplateParameter, ...]:
    """The declared parameters, and those that every template on code or on files has without a word of its own."""
    types = {parameter.name: parameter.type for parameter in declared}
    own_words = re.split(r"[/\\]", source)[-1].startswith("raw-")
    on_code = kind == "semgrep" and not own_words
    more = [_FILES] if on_code and "globs" not in types else []
    more += [_SPARED] if on_code and types.get("except") != "list[glob]" else []
    with_globs = more[:1] == [_FILES] or types.get("globs") == "list[glob]"
    more += [_KINDS] if with_globs and "kinds" not in types else []
    return (*declared, *more)


def _compares(node: YamlNode, declared: Collection[str]) -> ComparedParameters:
    node.known(("forbidden", "wanted", "choice", "family"))
    forbidden, choice = (_declared(node, key, declared) for key in ("forbidden", "choice"))
    return ComparedParameters(
        forbidden="".join(forbidden),
        wanted=_declared(node, "wanted", declared),
        choice="".join(choice),
        family=node.text("family"),
    )


def _declared(node: YamlNode, key: str, declared: Collection[str]) -> tuple[str, ...]:
    """The parameters that a key of the header names, one or a list of them; each has to be declared."""
    names = node.texts(key) if isinstance(node.data.get(key), list) else tuple(filter(None, [node.text(key)]))
    for name in names:
        if name not in declared:
            raise node.error(key, f"{name!r} is not a parameter", f"the parameters are {', '.join(declared)}")
    return names


def checked_parameters(template: Template, check: Check, where: str = "") -> dict[str, Any]:
    """A check's parameters as its template declares them, defaults filled in; RulecError where they do not fit."""
    if check.kind != template.kind:
        hint = f"leave kind out, or write kind: {template.kind}"
        raise RulecError(f"{template.name} makes no {check.kind} check", where=where, hint=hint)
    declared = {parameter.name: parameter for parameter in template.parameters}
    unknown = [name for name in check.parameters if name not in declared]
    if unknown:
        hint = f"it takes {', '.join(declared)}"
        raise RulecError(f"{template.name} has no parameter {unknown[0]!r}", where=where, hint=hint)
    given = check.parameters
    _require_one(template, given, where)
    if given.get("kinds") and declared.get("kinds") == _KINDS:
        given = {**given, "globs": _of_kinds(given, f"{template.name}.kinds", where)}
    for name, one in declared.items():
        if one.required and name not in given:
            raise RulecError(f"{template.name}.{name} is missing", where=where, hint=one.doc)
    return {name: _value(p, given, f"{template.name}.{name}", where) for name, p in declared.items()}


def _require_one(template: Template, given: Mapping[str, Any], where: str) -> None:
    """Refuse a check that says nothing of what its template can ask for, or several of these."""
    chosen = [name for name in template.one_of if given.get(name)]
    if template.one_of and len(chosen) != 1:
        what = f"{' and '.join(chosen)} do not go together" if chosen else "nothing is asked for"
        hint = f"give one of {', '.join(template.one_of)}" + "; a rule may have several checks" * bool(chosen)
        raise RulecError(f"{template.name}: {what}", where=where, hint=hint)


def _of_kinds(given: Mapping[str, Any], name: str, where: str) -> list[str]:
    """The globs of a check that names kinds of files, at the places that its own globs name."""
    kinds, places = given["kinds"], given.get("globs") or []
    if not all(isinstance(one, list | tuple) and all(isinstance(each, str) for each in one) for one in (kinds, places)):
        raise RulecError(f"{name} must be a list", where=where, hint=_KINDS.doc)
    unknown = next((kind for kind in kinds if not languages.globs_of(kind)), None)
    if unknown is not None:
        known = ", ".join(languages.SUFFIXES)
        raise RulecError(f"{name} {unknown!r} is not known", where=where, hint=f"write .ENDING, or one of {known}")
    return languages.globs_within(list(places), list(kinds))


def _parameter(name: str, node: YamlNode) -> TemplateParameter:
    node.known(("type", "doc", "required", "default", "choices"))
    kind = node.text("type", required=True)
    if kind not in _MAPS and _scalar(kind)[0] not in _SCALARS:
        known = ", ".join((*_SCALARS, *_MAPS))
        raise node.error("type", f"{kind!r} is not a type", f"the types are {known} and list[…]")
    plain = node.plain()
    empty = {} if kind in _MAPS else [] if kind.startswith("list[") else _EMPTY.get(kind, "")
    default = plain.get("default", empty)
    return TemplateParameter(
        name=name,
        type=kind,
        doc=node.text("doc", required=True),
        required=bool(plain.get("required", False)),
        default=default,
        choices=node.texts("choices"),
    )


def _scalar(kind: str) -> tuple[str, bool]:
    inner = kind.removeprefix("list[").removesuffix("]")
    return inner, inner != kind


def _value(parameter: TemplateParameter, given: Mapping[str, Any], name: str, where: str) -> Any:
    if parameter.name not in given:
        return parameter.default
    value = given[parameter.name]
    if parameter.type in _MAPS:
        return _mapping(value, name, parameter, where)
    inner, many = _scalar(parameter.type)
    kind, words = _SCALARS[inner]
    if many and not isinstance(value, list | tuple):
        raise RulecError(f"{name} must be a list", where=where, hint=parameter.doc)
    items = list(value) if many else [value]
    for item in items:
        if not isinstance(item, kind) or (isinstance(item, bool) and kind is not bool):
            raise RulecError(f"{name} must be {words}, not {item!r}", where=where, hint=parameter.doc)
        words_of = str(item).split() if inner == "command" else ()
        if sign := next((word for word in words_of if _OPERATOR.fullmatch(word)), ""):
            hint = "name a program and its words; of a shell's signs a pattern may have `a | b` and `> FILE`"
            raise RulecError(f"{name} {item!r} holds {sign!r}, which is no word of a command", where=where, hint=hint)
        if parameter.choices and item not in parameter.choices:
            hint = f"choose one of {', '.join(parameter.choices)}"
            raise RulecError(f"{name} {item!r} is not known", where=where, hint=hint)
        if inner in _JUDGED:
            safety.refuse_pattern(_JUDGED[inner](str(item)), str(item), name, where)
    items = _vetted(inner, items, name, where)
    if parameter.required and many and not items:
        raise RulecError(f"{name} is empty", where=where, hint=parameter.doc)
    return items if many else items[0]


def _vetted(kind: str, items: list[Any], name: str, where: str) -> list[Any]:
    """The text of a raw check, vetted; RulecError where it may not run."""
    if kind not in ("script", "semgrep", "guard"):
        return items
    from rulec.checks.guard import guard_schema  # noqa: PLC0415 - 30 ms that most rulebooks never need
    from rulec.checks.semgrep import raw_rule  # noqa: PLC0415 - 30 ms that most rulebooks never need
    from rulec.checks.shell import raw_script  # noqa: PLC0415 - 30 ms that most rulebooks never need

    vet: Callable[[Any, str, str], Any] = {
        "script": raw_script.vet_script,
        "semgrep": raw_rule.vet_semgrep_rule,
        "guard": guard_schema.vet_guard_check,
    }[kind]
    return [vet(item, name, where) for item in items]


def _mapping(value: Any, name: str, parameter: TemplateParameter, where: str) -> dict[str, str]:
    """What each name stands for, also where it is written as a list of NAME=VALUE."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) and "=" in item for item in value):
        value = dict(item.split("=", 1) for item in value)
    texts = [*value, *value.values()] if isinstance(value, Mapping) else [""]
    if not all(isinstance(text, str) and text.strip() for text in texts):
        kind = _SCALARS[parameter.type[4:-1]][1]
        raise RulecError(f"{name} must map each name to {kind}", where=where, hint=parameter.doc)
    for text in value.values() if parameter.type == "map[regex]" else ():
        safety.refuse_pattern(safety.regex_problem(text), text, name, where)
    return dict(value)

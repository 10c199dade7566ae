"""The changes of a rule that may turn one verdict: of its parameters, its exceptions and scope, and further checks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

from rulec.domain.rule import RAW_TEMPLATES, Check, Exemption, Rule, Scope
from rulec.domain.template import Template, TemplateParameter
from rulec.drafting.case_values import CaseValues, command_forms, place_globs
from rulec.drafting.exception_search import command_form
from rulec.drafting.note_words import NoteWords, is_tied, parts_of, spoken_pattern
from rulec.guard.exceptions import argument_paths
from rulec.shell.command_matching import matches

ChangeKind = Literal["parameters", "exception", "scope", "check", "judge"]
MOST_OF_TEMPLATE = 60  # instantiations of one template as a further check
WIDTH: Mapping[ChangeKind, float] = {"parameters": 0.0, "exception": 0.25, "scope": 0.5, "check": 3.0, "judge": 9.0}
UNEXPLAINED = 0.3  # what each word costs that the note and the action share and the change does not name
MOST_UNEXPLAINED = 3
TOO_MUCH = 3.0  # what it costs to take out an item that holds more than the note names
FARTHEST_CHECK = 2.0  # a further check of whose values nobody said more than this is a guess, and none is better
GUESS = 1.5  # what a place costs in addition that nobody named, where the note names something else of the action
UNNAMED_PLACE = 0.9  # what the nearest folder costs where the note names no place
UNNAMED_SWITCH = 1.5  # what it costs to turn a switch of which the note says nothing
SPARING = re.compile(r"except|unless|outside|allow|passing")  # in names of parameters: what a check leaves alone
NOT_SPARING = 0.1  # what it costs to let an action pass by any other parameter
REMOVAL = 0.4  # what it costs to take an item out of a list, in addition to what names it


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """A rule as one change leaves it."""

    rule: Rule
    kind: ChangeKind
    what: str  # what is changed, in words
    cost: float  # how much of it nobody said, and how wide it is


def possible_changes(
    rule: Rule, values: CaseValues, note: NoteWords, templates: Sequence[Template], *, caught: bool
) -> list[RuleChange]:
    """Every change that may make the rule catch the action, or let it pass; those that the note explains best first."""
    by_name = {template.name: template for template in templates}
    found = list(_parameter_changes(rule, values, note, by_name, caught=caught))
    found += list(_scope_changes(rule, values, note, caught=caught))
    found += [] if caught else list(_exception_changes(rule, values, note))
    found += list(_further_checks(rule, values, note, templates)) if caught else []
    first: dict[str, RuleChange] = {}
    for one in sorted(found, key=lambda one: one.cost):
        first.setdefault(repr((one.rule.checks, one.rule.scope, one.rule.exceptions)), one)
    return list(first.values())


def _change(rule: Rule, kind: ChangeKind, what: str, cost: float, **parts: Any) -> RuleChange:
    return RuleChange(rule=replace(rule, **parts), kind=kind, what=what, cost=cost + WIDTH[kind])


# the parameters of the rule's own checks


def _parameter_changes(
    rule: Rule, values: CaseValues, note: NoteWords, by_name: Mapping[str, Template], *, caught: bool
) -> Iterator[RuleChange]:
    done: list[tuple[str, Any]] = []
    for check in rule.checks:
        template = by_name.get(check.template)
        if template is None or check.template in RAW_TEMPLATES or (check.template, check.parameters) in done:
            continue
        done.append((check.template, check.parameters))
        said_alone = (*template.compares.wanted, "instead", "first")  # in the message, and nowhere else
        for parameter in (one for one in template.parameters if one.name not in said_alone):
            aside = 0.0 if caught or SPARING.search(parameter.name) else NOT_SPARING
            for value, what, cost in _new_values(parameter, check, template, values, note):
                checks = tuple(
                    _with_parameter(one, parameter, value)
                    if (one.template, one.parameters) == (check.template, check.parameters)
                    else one
                    for one in rule.checks
                )
                named = f"{parameter.name} of {template.name} {what}"
                yield _change(rule, "parameters", named, cost + aside, checks=checks)


def _with_parameter(check: Check, parameter: TemplateParameter, value: Any) -> Check:
    return replace(check, parameters={**check.parameters, parameter.name: value})


def _new_values(
    parameter: TemplateParameter, check: Check, template: Template, values: CaseValues, note: NoteWords
) -> Iterator[tuple[Any, str, float]]:
    """Values that the parameter may take instead, what that changes, and how much of it nobody said."""
    now = check.parameters.get(parameter.name, parameter.default)
    if parameter.type == "bool":
        named = any(map(note.names, parts_of(parameter.name)))
        yield not now, f"is {'off' if now else 'on'}", 0.5 if named else UNNAMED_SWITCH
    elif parameter.type.startswith("list["):
        known = [
            str(one)
            for p in template.parameters
            if p.type == "list[command]"
            for one in check.parameters.get(p.name, ())
        ]
        yield from _new_lists(parameter, list(now or ()), known, values, note)
    elif parameter.type == "map[command]":
        forbidden = [str(one) for one in check.parameters.get(template.compares.forbidden, ()) or ()]
        known = forbidden or [str(one) for one in check.parameters.get("commands", ())]
        for more in values.aliases(known):
            ((short, full),) = more.items()
            yield {**(now or {}), **more}, f"knows {short} as {full}", value_cost(short, parameter, note) + 0.1
    elif parameter.type == "regex":
        yield from _new_patterns(parameter, str(now or ""), values, note)
    else:
        for value in values.of(parameter, [now]):
            yield value, f"is {value}", value_cost(value, parameter, note) + 0.2


def _new_lists(
    parameter: TemplateParameter, now: list[Any], known: Sequence[str], values: CaseValues, note: NoteWords
) -> Iterator[tuple[Any, str, float]]:
    for value in values.of(parameter, now):
        if values.spared and parameter.type == "list[command]" and "/" in str(value):
            continue  # other paths could stand beside it: an exception for what the command is given says which
        cost = (
            command_cost(str(value), note, [str(one) for one in now], values, known)
            if parameter.type == "list[command]"
            else value_cost(value, parameter, note, values)
        )
        named = "glob" in parameter.type or "command" in parameter.type
        more = UNEXPLAINED * min(MOST_UNEXPLAINED, note.unexplained(str(value), values.texts)) if named else 0.0
        more += _guess(str(value), values, note) if "glob" in parameter.type else 0.0
        yield [*now, value], f"names {value}", cost + more
    for item in now:
        left = [one for one in now if one != item]
        if left or not parameter.required:
            cost = value_cost(item, parameter, note) + REMOVAL
            cost += TOO_MUCH * bool(note.unexplained(str(item), values.texts))
            yield left, f"no longer names {item}", cost
    if parameter.type == "list[regex]":
        for at, item in enumerate(now):
            for value, how, cost in _bounded_patterns(str(item), parameter, values, note):
                yield [*now[:at], value, *now[at + 1 :]], how, cost


def _new_patterns(
    parameter: TemplateParameter, now: str, values: CaseValues, note: NoteWords
) -> Iterator[tuple[Any, str, float]]:
    """A pattern with one alternative more or less, or bounded by what it may not hold."""
    found = values.of(parameter, [now])
    if not now:
        for value in found:
            yield value, f"is {value}", value_cost(value, parameter, note)
        return
    for group in re.finditer(r"\((?:\?:)?(?!\?)([^()|]*(?:\|[^()|]*)+)\)", now):
        start, end = group.span(1)
        options = group[1].split("|")
        for token in dict.fromkeys(token for text in values.texts for token in re.findall(r"[\w-]+", text)):
            if token not in options:
                cost = value_cost(token, parameter, note)
                yield f"{now[:end]}|{re.escape(token)}{now[end:]}", f"takes {token}", cost
        for option in options:
            rest = "|".join(one for one in options if one != option)
            yield f"{now[:start]}{rest}{now[end:]}", f"no longer takes {option}", value_cost(option, parameter, note)
    for value in found:
        yield f"(?:{now})|{value}", f"takes {value}", value_cost(value, parameter, note) + 0.1
    yield from _bounded_patterns(now, parameter, values, note)


def _bounded_patterns(
    now: str, parameter: TemplateParameter, values: CaseValues, note: NoteWords
) -> Iterator[tuple[str, str, float]]:
    """The pattern as a whole word, and in no line that holds something of the action."""
    for bounded in (rf"\b(?:{now})\b", rf"\b(?:{now})", rf"(?:{now})\b"):
        yield bounded, "matches whole words alone", UNNAMED_SWITCH
    for value in values.of(replace(parameter, type="regex"), [now]):
        cost = value_cost(value, parameter, note) + 0.2
        bare, plain = value.removeprefix("^"), now.removeprefix("^")
        if not now.endswith("$"):
            yield f"(?:{now})(?!{bare})", f"matches nothing before {value}", cost
            yield f"(?:{now})(?!.{{0,60}}{bare})", f"matches nothing shortly before {value}", cost + 0.01
        yield f"^(?!.*{bare}).*(?:{plain})", f"matches no line with {value}", cost + 0.02


def value_cost(value: Any, parameter: TemplateParameter, note: NoteWords, values: CaseValues | None = None) -> float:
    """How much of a value nobody said; of a place, what lies above the folder or file that the note names is free."""
    text = str(value)
    if parameter.type == "int":
        return 0.0 if note.says_number(text) else 2.0
    if "glob" in parameter.type:
        return place_cost(text, note, narrow=values is not None and values.spared)
    if "command" in parameter.type:
        return command_cost(text, note, (), values)
    return note.cost(spoken_pattern(text) if "regex" in parameter.type else text)


def command_cost(
    pattern: str, note: NoteWords, like: Sequence[str], values: CaseValues | None, known: Sequence[str] = ()
) -> float:
    """The same of a command: its program is free where a word behind it is named, and so are the words of ``known``
    commands; a form ``like`` those beside it is best.

    Where the note names nothing of the action, it is its program with its first word and its flags.
    """
    if values is not None and values.vague and not like:
        return 1.0 if pattern in values.narrow_forms else 1.5 + 0.1 * len(pattern.split())
    context = {part for one in known for part in parts_of(one)}
    first, *rest = pattern.split() or [""]
    cost = note.cost(pattern)
    if cost >= 0:
        cost = 0.0 if any(map(note.told, rest)) and not note.told(first) else note.cost(first)
        cost += sum(0.02 if set(parts_of(word)) <= context else note.cost(word) for word in rest)
        cost -= 0.05 * note.told(pattern)
    shapes = {(len(one.split()), " | " in one) for one in like}
    return cost + 0.1 * bool(shapes and (len(pattern.split()), " | " in pattern) not in shapes)


def place_cost(glob: str, note: NoteWords, *, narrow: bool = False) -> float:
    """The same of a glob: where nobody names a place the nearest folder goes before the file and before wider places.

    With ``narrow``, of what is to pass, the file goes before its folder then: nobody said more than that.
    """
    parts = [part for part in glob.split("/") if part and part not in ("**", "*", ".")]
    is_folder = glob.endswith(("/", "/**"))
    told = [at for at, part in enumerate(parts) if note.tells_apart(part)]
    if not told:
        if "*" in glob.removesuffix("/**"):
            return 3.0
        return UNNAMED_PLACE if is_folder is not narrow else 2.0
    last, is_file = told[-1], not is_folder and told[-1] == len(parts) - 1
    below = sum(note.cost(part) for part in parts[last + 1 :])
    own = sum(not note.names(part) for part in parts_of(parts[last]))
    bare, both = is_file and len(told) == 1, 0.1 * ("**/*." in glob)
    return both + below + own * (1.0 if is_file else 0.1) - 0.05 * len(told) + (0.02 if bare else -0.02) * len(parts)


# exceptions and scope


def _scope_changes(rule: Rule, values: CaseValues, note: NoteWords, *, caught: bool) -> Iterator[RuleChange]:
    scope = rule.scope
    for glob in _places(values):
        cost = place_cost(glob, note, narrow=values.spared) + _guess(glob, values, note)
        if not caught and glob not in scope.exclude:
            left = replace(scope, exclude=(*scope.exclude, glob))
            yield _change(rule, "scope", f"the scope leaves out {glob}", cost, scope=left)
        if caught and scope.include != ("**",) and glob not in scope.include:
            more = replace(scope, include=(*scope.include, glob))
            yield _change(rule, "scope", f"the scope takes in {glob}", cost, scope=more)
    for side in ("include", "exclude"):
        items: tuple[str, ...] = getattr(scope, side)
        for item in items if items != ("**",) else ():
            left_items = tuple(one for one in items if one != item) or (("**",) if side == "include" else ())
            fewer = replace(scope, **{side: left_items})
            cost = place_cost(item, note) + REMOVAL
            yield _change(rule, "scope", f"the scope no longer names {item}", cost, scope=fewer)
    for at, one in enumerate(rule.exceptions if caught else ()):
        kept = (*rule.exceptions[:at], *rule.exceptions[at + 1 :])
        named = " ".join((*one.commands, *one.scope.include, one.because))
        yield _change(rule, "exception", f"no exception: {one.because}", note.cost(named) + REMOVAL, exceptions=kept)


def _exception_changes(rule: Rule, values: CaseValues, note: NoteWords) -> Iterator[RuleChange]:
    said = " ".join(" ".join(note.texts).split()) or "a person said that it is allowed"
    for glob in _places(values):
        one = Exemption(because=said, scope=Scope(include=(glob,)), valid=(values.example,))
        cost = place_cost(glob, note, narrow=values.spared) + _guess(glob, values, note)
        yield _change(rule, "exception", f"an exception for {glob}", cost, exceptions=(*rule.exceptions, one))
    known = [str(one) for check in rule.checks for one in check.parameters.get("commands", ())]
    for call in values.calls:
        forms = [one for one in known if matches(one, call)] or [call.program]
        globs = [glob for path in argument_paths(call, forms) for glob in place_globs(path, anchored=True)]
        for form, glob in product(forms, dict.fromkeys(globs)):
            one = Exemption(because=said, commands=(form,), arguments=(glob,), valid=(values.example,))
            cost = place_cost(glob, note, narrow=True) + _guess(glob, values, note)
            what = f"an exception for `{form}` on {glob}"
            yield _change(rule, "exception", what, cost, exceptions=(*rule.exceptions, one))
    for command in dict.fromkeys(form for call in values.calls for form in command_forms(call)):
        if command == command_form(command) and "/" not in command:
            one = Exemption(because=said, commands=(command,), valid=(values.example,))
            what = f"an exception for `{command}`"
            cost = command_cost(command, note, (), values, known)
            yield _change(rule, "exception", what, cost, exceptions=(*rule.exceptions, one))


def _guess(glob: str, values: CaseValues, note: NoteWords) -> float:
    """GUESS for a place that nobody named, where the note names something else of the action; else nothing."""
    return 0.0 if values.vague or any(map(note.tells_apart, glob.split("/"))) else GUESS


def _places(values: CaseValues) -> list[str]:
    folders = [f"{folder}/**" if values.spared else f"{folder}/" for folder in values.folders]
    named = (glob for path in values.paths for glob in place_globs(path, anchored=values.spared))
    return list(dict.fromkeys([*folders, *named]))


# further checks


def _further_checks(
    rule: Rule, values: CaseValues, note: NoteWords, templates: Sequence[Template]
) -> Iterator[RuleChange]:
    """Instantiations beside the rule's checks, of any template, from what the action and the note name."""
    own = {check.template for check in rule.checks}
    wish = replace_texts(note, (*note.texts, rule.statement, rule.do))
    for template in templates:
        if template.name in RAW_TEMPLATES or template.kind == "judge":
            continue
        spoken = _overlap(wish, template)
        made = sorted(_instantiations(template, values, wish), key=lambda one: one[1])[:MOST_OF_TEMPLATE]
        for parameters, cost in made:
            if cost > FARTHEST_CHECK:
                break
            telling = {name: value for name, value in parameters.items() if name not in _SAID_ALONE}
            if template.name not in own and not is_tied(template, telling, rule, note, values.paths):
                continue
            check = Check(kind=template.kind, template=template.name, parameters=parameters)
            named = "; ".join(f"{key}: {_listed(value)}" for key, value in parameters.items())
            unsaid = note.unexplained(" ".join(map(str, parameters.values())), values.texts)
            far = cost - spoken - (template.name in own) + UNEXPLAINED * min(MOST_UNEXPLAINED, unsaid)
            yield _change(
                rule, "check", f"a further check, {template.name} ({named})", far, checks=(*rule.checks, check)
            )


def replace_texts(note: NoteWords, texts: Sequence[str]) -> NoteWords:
    """The same with further words that may name a value: those of the rule."""
    return NoteWords(tuple(filter(None, texts)), note.unlike)


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _overlap(wish: NoteWords, template: Template) -> float:
    """How far the words of note and rule speak of what the template checks: 0 to 1."""
    words = {word for text in (template.checks,) for word in parts_of(text) if len(word) > 2}
    return min(1.0, 0.25 * sum(map(wish.names, words)))


_SAID_ALONE = ("instead", "first", "prefer", "text", "header", "aliases", "source")  # they choose nothing by themselves


def _instantiations(template: Template, values: CaseValues, note: NoteWords) -> Iterator[tuple[dict[str, Any], float]]:
    """Parameters for one check: what is required, or one further parameter, each with a value of the action."""
    required = [one for one in template.parameters if one.required]
    names = [one.name for one in template.parameters]
    options = [list(_single(one, values, note))[:12] for one in required]
    if not all(options):
        return
    for chosen in product(*options) if options else [()]:
        base = {one.name: value for one, (value, _) in zip(required, chosen, strict=True)}
        aside = {"ignore_case": True} if values.is_prose and "ignore_case" in names else {}
        if any("regex" in one.type for one in required):
            base |= aside
        cost = sum(cost for _, cost in chosen)
        if any(one.name != "language" for one in required):
            yield base, cost
        wide = {"except", "except_files", "kinds", "unless", *_SAID_ALONE}
        wide |= {one.name for one in template.parameters if _is_place(one)}
        free = [one for one in template.parameters if not one.required and one.name not in wide]
        mains = [one for one in free if not base or set(base) == {"language"}]
        for one in mains:
            for value, more in _single(one, values, note):
                yield {**base, one.name: value, **(aside if "regex" in one.type else {})}, cost + more
    for one in template.parameters:
        if _is_place(one) and values.paths:
            yield from _in_places(template, one, values, note)


def _is_place(parameter: TemplateParameter) -> bool:
    """Whether a parameter says in which of all files a check looks."""
    return parameter.name == "globs" and not parameter.required and "default: " in parameter.doc


def _in_places(
    template: Template, globs: TemplateParameter, values: CaseValues, note: NoteWords
) -> Iterator[tuple[dict[str, Any], float]]:
    """The same in the place that the note names alone."""
    place = min(_places(values), key=lambda glob: place_cost(glob, note))
    if place_cost(place, note) >= UNNAMED_PLACE:
        return
    without = replace(template, parameters=tuple(one for one in template.parameters if one is not globs))
    for parameters, cost in sorted(_instantiations(without, values, note), key=lambda one: one[1])[:20]:
        yield {**parameters, globs.name: [place]}, cost - 0.1


def _single(parameter: TemplateParameter, values: CaseValues, note: NoteWords) -> Iterator[tuple[Any, float]]:
    """The parameter with one value, and how much of it nobody said."""
    if parameter.type == "bool":
        named = sum(map(note.names, parts_of(parameter.name)))
        yield True, 0.5 if named == len(parts_of(parameter.name)) else UNNAMED_SWITCH + 1
        return
    for value in values.of(parameter):
        cost = value_cost(value, parameter, note, values)
        yield ([value] if parameter.type.startswith("list[") else value), cost

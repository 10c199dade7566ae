"""Explicit sentence forms: a template's own ways to be said in a sentence, whose parameters stand there literally.

A form is written in a template's header, as words with slots: ``USE {to} NOT {from}``. A slot takes a list where its
parameter does, and only what its sort allows: the parameter's own type, or the sort behind a colon for plain texts
(``{functions:call}``). Words in capitals stand for groups of words that say the same. A form must fit the whole
sentence: whatever it has no slot and no word for makes it no form of that sentence.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from rulec.drafting.languages import endings, homes, language_named
from rulec.drafting.sentence import PROGRAMS, Literal, Sentence
from rulec.model.rule import Scope
from rulec.model.template import Form, Parameter, Template
from rulec.runtime.shell import parse


@dataclass(frozen=True, slots=True)
class Profile:
    """What the repository says of itself: its languages, the most used first, and the packages that it names."""

    languages: tuple[str, ...] = ()
    packages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A template with the parameters that a sentence gives it."""

    template: Template
    parameters: Mapping[str, Any]
    scope: Scope = field(default_factory=Scope)
    do: str = ""
    not_checked: tuple[str, ...] = ()


def _verb(word: str) -> str:
    """A verb in all the forms in which a wish has it."""
    if word.endswith("e"):
        return f"{word}[sd]?|{word[:-1]}ing"
    return rf"{word}(?:e?s|ed|ing|{word[-1]}ed|{word[-1]}ing)?"


def _verbs(words: str) -> str:
    return "(?:" + "|".join(_verb(word).replace("_", " ") for word in words.split()) + ")"


_GAP = r" ?[,;:.(-]? ?"
GROUPS: dict[str, str] = {
    "RUN": _verbs("run use call execute invoke type issue do employ try_to_use try_to_run"),
    "USE": rf"(?:{_verbs('use run prefer choose adopt call go_with stick_to stick_with switch_to favor favour work_with')}|must use|only use|we|we're on)",
    "EDIT": (
        _verbs("edit touch change modify alter update write_to write overwrite rewrite mess_with make_changes_to hand-edit")
        + "(?: or "
        + _verbs("edit touch change modify delete move rename remove")
        + ")?"
    ),
    "WRITE": _verbs("write add put use leave introduce insert have include create commit place keep emit sneak_in"),
    "CREATE": _verbs("create add make write put place introduce generate"),
    "DELETE": _verbs("delete remove rm drop erase"),
    "COMMIT": _verbs("commit check_in stage add track push version"),
    "IMPORT": _verbs("import use require depend_on rely_on load bring_in pull_in include"),
    "INSTALL": _verbs("install add use introduce depend_on bring_in pull_in"),
    "NEVER": r"(?:never|no|not)",
    "NOT": rf"{_GAP}(?:and |but )?\(?(?:never use|never run|never call|never|not|no|instead-of|over|, not)",
    "COMMA": r" ?[,;:.-]? ?(?:and |but |so )?",
    "FORBIDDEN": r"(?:forbidden|is never used?|never be used|never used|is not used|never)",
    "THEM": r"(?:it|them|that|this|these|there|files? there|files? in there|anything there|anything in it)",
    "FILES": r"(?:files?|folders?|director(?:y|ies)|anything|code|things|contents?|stuff)",
    "INSTEAD": r"(?: instead)?",
}
_UPPER = re.compile(r"\b[A-Z]{3,}\b")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SIGN = "[\ue000-\uf8ff]"
_STOP = (
    "before|after|instead|instead-of|in|on|to|when|if|unless|from|and|or|not|never|for|with|without|over|is|are|must|no|at|of|"
    "forbidden|because|only|then|but|as|by|use|run|into|until|while|that|which|so|commands?|via|through|inside|under"
)
_WORD = rf"(?!(?:{_STOP})\b)[\w@.:/=+-]+"
_BARE: dict[str, str] = {
    "command": rf"(?:{'|'.join(sorted(map(re.escape, PROGRAMS), key=len, reverse=True))})(?![\w-])(?: (?:{_WORD}|{_SIGN}))*?",
    "module": r"[a-z@][\w@/-]*(?:\.[\w]+)*",
    "branch": r"(?:main|master|develop|dev|trunk|production|staging|release)",
    "type": r"(?:any|Any)",
    "call": r"(?:print|eval|exec|alert|debugger|printf|println|breakpoint|puts|dd|var_dump|fetch|setTimeout|input)",
    "folder": r"[\w.-]+",
    "text": r"(?:TODO|FIXME|XXX|HACK|WIP|console|debugger)s?",
    "words": rf"(?:(?!never\b|use\b)[\w'/-]+)(?: (?!unless\b|when\b|if\b|except\b|only\b|before\b|after\b|until\b)[\w'/-]+){{0,7}}",
}


def _command(text: str, one: Literal | None) -> Any:
    if one and one.kind in ("flag", "number") or (one and one.kind == "path" and not one.quoted):
        return None
    if not re.match(r"[\w./@~-]+(?:\s|$)", text) or text.endswith("()") or (one and one.kind == "text" and not one.quoted):
        return None
    calls = parse(text).calls
    if one and one.kind == "text" and (len(text.split()) < 2 or not re.match(r"[a-z./]", text)):
        return None
    if one and one.kind == "symbol" and not (one.quoted and re.fullmatch(r"[a-z][\w-]*", text)):
        return None
    return " ".join(text.split()) if len(calls) == 1 or " | " in text else None


def _glob(text: str, one: Literal | None) -> Any:
    if one is None or one.kind not in ("path", "symbol", "text") or (one.kind != "path" and not one.quoted):
        return None
    if " " in text or not re.fullmatch(r"[\w.*@{}\[\],~/+-]+", text) or text.strip("*/.") == "":
        return None
    return text.removeprefix("./") if one.kind == "path" else None


def _folder(text: str, one: Literal | None) -> Any:
    found = _glob(text, one) if one else text
    return f"{found}/" if found and "." not in found and "*" not in found and not found.endswith("/") else found


def _call(text: str, one: Literal | None) -> Any:
    name = re.sub(r"\((?:\.\.\.)?\)$", "", text)
    return name if re.fullmatch(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*!?", name) and _not_flag(one) else None


def _not_flag(one: Literal | None) -> bool:
    return one is None or one.kind in ("symbol", "text", "command", "path")


def _name(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"@?[A-Za-z_][\w./@:-]*\w|\w", text) and _not_flag(one) and not text.endswith("/") else None


def _flag(text: str, one: Literal | None) -> Any:
    return text if one and one.kind == "flag" else None


def _branch(text: str, one: Literal | None) -> Any:
    return text if (one is None or one.quoted or one.kind == "path") and re.fullmatch(r"[\w./*-]+", text) else None


def _quoted(text: str, one: Literal | None) -> Any:
    return text if one and (one.quoted or one.kind in ("symbol", "flag")) and len(text) > 1 else None


def _literal(text: str, one: Literal | None) -> Any:
    """A pattern for a text that stands in the sentence: whole words, nothing else."""
    if one is None:
        bare = text.rstrip("s") if text[:-1].isupper() else text
        return rf"\b{re.escape(bare)}\b"
    if not _quoted(text, one):
        return None
    start, end = (r"\b" if text[:1].isalnum() else ""), (r"\b" if text[-1:].isalnum() else "")
    return f"{start}{re.escape(text)}{end}".replace(r"\ ", " ")


def _starts(text: str, one: Literal | None) -> Any:
    return f"^{re.escape(text)}" if one and (one.quoted or one.kind == "path") else None


def _type(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"[A-Za-z_][\w.]*(?:\{\})?", text) and (one is None or one.quoted or one.kind == "symbol") else None


def _number(text: str, one: Literal | None) -> Any:
    return int(text) if text.isdigit() and len(text) < 6 else None


def _as_text(text: str, one: Literal | None) -> Any:  # noqa: ARG001 - as all the others
    return text


# What may stand in a slot of each sort: a literal, or a word without marks, and what becomes of it.
SORTS: dict[str, Callable[[str, Literal | None], Any]] = {
    "command": _command, "glob": _glob, "folder": _folder, "call": _call, "module": _name, "package": _name,
    "decorator": lambda text, one: text.lstrip("@") if _name(text.lstrip("@"), one) else None,
    "flag": _flag, "branch": _branch, "text": _literal, "quoted": _quoted, "starts": _starts, "type": _type,
    "int": _number, "words": _as_text, "regex": _literal, "str": _quoted,
}  # fmt: skip
_CHOICE_ENDS = r"(?:e?s)?"


@dataclass(frozen=True, slots=True)
class _Made:
    """A form, made ready to be held against sentences."""

    template: Template
    form: Form
    pattern: re.Pattern[str]
    slots: Mapping[str, tuple[str, str]]  # name of the group -> parameter and sort


@cache
def _made(template: Template) -> tuple[_Made, ...]:
    return tuple(_compiled(template, form) for form in template.says)


def _compiled(template: Template, form: Form) -> _Made:
    slots: dict[str, tuple[str, str]] = {}
    declared = {one.name: one for one in template.parameters}

    def slot(found: "re.Match[str]") -> str:
        name, sort = found[1], found[2] or ""
        parameter = declared.get(name)
        kind = parameter.type.removeprefix("list[").removesuffix("]") if parameter else "str"
        group = f"s{len(slots)}"
        slots[group] = (name, sort or kind)
        if parameter and parameter.choices and not sort:
            one = "|".join(sorted(map(_choice, parameter.choices), key=len, reverse=True))
            item = f"(?:{one}){_CHOICE_ENDS}"
        else:
            bare = _BARE.get(sort or kind)
            item = f"(?:{_SIGN}|{bare})" if bare else _SIGN
        if sort == "words":
            return f"(?P<{group}>{_BARE['words']})"
        many = parameter is not None and parameter.type.startswith("list[")
        joint = r"(?: ?, (?:or |and )?| or | and | & |/| ?\| ?)"
        return f"(?P<{group}>{item}(?:{joint}{item})*?)" if many else f"(?P<{group}>{item})"

    text = _UPPER.sub(lambda found: GROUPS.get(found[0], found[0]), form.say)
    text = re.sub(r"(?<=\S),", " ,", text)
    body = _SLOT.sub(slot, text)
    return _Made(template, form, re.compile(_whole(body), re.IGNORECASE), slots)


def _choice(text: str) -> str:
    return re.escape(text).replace(r"\-", "[- ]").replace("_", "[ _-]")


_SCOPED = rf"(?:files? |folders? |code )?(?:in |under |inside |within )?{_SIGN}(?: ?,? (?:and|or) {_SIGN})*(?: (?:files?|folders?|code|director(?:y|ies)|package|module))?"
_LANGUAGE = r"(?P<lang>[A-Za-z+#]{1,10})(?: (?:code|files?|sources?|projects?|modules?))?"


def _whole(body: str) -> str:
    """The form with what may stand around any: a place before it or behind it, and what to do instead."""
    lead = rf"(?:(?:in|inside|under|within|for) (?:(?P<before>{_SCOPED})|(?P<lead>[A-Za-z+#]{{1,10}})(?: code| files?)?) ?[,:] ?)?"
    tail = rf"(?: (?:in|inside|under|within|for|of|from) (?:(?P<within>{_SCOPED})|{_LANGUAGE}))?"
    out = rf"(?: ?,? ?(?:outside(?: of)?|except(?: in| for)?|other than in) (?P<outside>{_SCOPED}))?"
    do = rf"(?: ?[,;.-] (?P<do>use {_BARE['words']}))?"
    return f"{lead}(?:{body}){tail}{out}{do}$"


def said(sentence: Sentence, templates: Sequence[Template], profile: Profile) -> Iterator[Said]:
    """Each template that the whole sentence is a form of, with its parameters."""
    shape, reason = _apart(sentence.shape)
    for whole, unseen in ((sentence.shape, ""), (shape, reason)):
        found = [
            replace(one, not_checked=(*one.not_checked, sentence.spelled(unseen))) if _names(unseen) else one
            for template in templates
            for made in _made(template)
            for one in _read(made, sentence, whole, profile)
        ]
        if found or shape == sentence.shape:
            yield from found
            return


_REASON = re.compile(
    r" ?[,;:.-]? ?(?:because|since|so that|as it|as they|as we|otherwise|or else|it |they |this |that |we (?!use|never))(?P<why>.*)$"
    r"| \( (?P<brackets>[^()]*) \)$| [-:;.] (?P<dash>.*)$"
)
_LIMIT = re.compile(
    r"\b(?:unless|except|only|if|when|whenever|until|without|but|while|during|before|after|instead|instead-of|never|must|"
    r"no|not|use|run|and)\b"
)


def _apart(shape: str) -> tuple[str, str]:
    """A wish and the reason behind it; the reason may hold no condition and no wish of its own."""
    found = _REASON.search(shape)
    if not found or found.start() < 4:
        return shape, ""
    why = found[0].strip(" ,;:.-")
    plain_reason = found["why"] is not None
    if re.search(r"\b(?:unless|except|only|if|when|whenever|until|without)\b", why) or (not plain_reason and _LIMIT.search(why)):
        return shape, ""
    return shape[: found.start()].strip(" ,;:.-"), why


def _names(text: str) -> bool:
    return bool(re.search(_SIGN, text))


def _read(made: _Made, sentence: Sentence, shape: str, profile: Profile) -> Iterator[Said]:
    found = made.pattern.match(shape)
    if not found:
        return
    given: dict[str, Any] = {}
    for group, (name, sort) in made.slots.items():
        if found[group] is None:
            continue
        parameter = next((one for one in made.template.parameters if one.name == name), None)
        values = _values(found[group], sort, parameter, sentence)
        if not values or (parameter and not _known(sort, found[group], values, sentence, profile)):
            return
        given[name] = values if parameter and parameter.type.startswith("list[") else values[0]
    do, instead = given.pop("do", ""), found.groupdict().get("do") or ""
    scope = _scope(found, sentence, made.template)
    if scope is None:
        return
    given = {**{key: _constant(value, given) for key, value in made.form.parameters.items()}, **given}
    one = Said(
        template=made.template,
        parameters=given,
        scope=scope,
        do=sentence.spelled(instead or do),
        not_checked=tuple(map(sentence.spelled, filter(None, [instead, f"use {do}" * bool(do)]))),
    )
    yield from _in_languages(one, found.groupdict().get("lang") or found.groupdict().get("lead") or "", profile)


def _values(part: str, sort: str, parameter: Parameter | None, sentence: Sentence) -> list[Any]:
    """What stands in a slot, [] where something in it is not of its sort."""
    if sort == "words":
        return [sentence.spelled(part)]
    if parameter and parameter.choices and sort in ("str",):
        items = [_chosen(item, parameter.choices) for item in re.split(r" ?, (?:or |and )?| or | and | & |/", part)]
    else:
        items = [_one(item, sort, sentence) for item in re.split(r" ?, (?:or |and )?| or | and | & | ?\| ?|/(?=[\ue000-\uf8ff])", part)]
    return [] if None in items else items


def _chosen(text: str, choices: Sequence[str]) -> Any:
    plain = re.sub(r"[ _-]", "", text).casefold()
    known = {re.sub(r"[ _-]", "", one).casefold(): one for one in choices}
    return next((known[way] for way in (plain, plain.removesuffix("s"), plain.removesuffix("es")) if way in known), None)


def _one(item: str, sort: str, sentence: Sentence) -> Any:
    literal = sentence.literal(item.strip())
    return SORTS[sort](sentence.spelled(item), literal)


def _known(sort: str, part: str, values: Sequence[Any], sentence: Sentence, profile: Profile) -> bool:
    """Whether a word without marks is known for what the slot takes it: a package that the repository names."""
    if sort not in ("module", "package") or _names(part):
        return True
    return all(str(value).casefold() in profile.packages for value in values)


def _constant(value: Any, given: Mapping[str, Any]) -> Any:
    """A parameter that the form gives; ``{x}`` in it is the last word of what stands in that slot, as a pattern."""
    if isinstance(value, list):
        return [_constant(one, given) for one in value]
    slot = _SLOT.fullmatch(value) if isinstance(value, str) else None
    if not slot or slot[1] not in given:
        return value
    texts = given[slot[1]] if isinstance(given[slot[1]], list) else [given[slot[1]]]
    words = [re.findall(r"[A-Za-z]\w+", str(text)) for text in texts]
    return "|".join(dict.fromkeys(rf"\b{re.escape(found[-1])}" for found in words if found)) or value


def _scope(found: "re.Match[str]", sentence: Sentence, template: Template) -> Scope | None:
    """Where the sentence says that it holds; None where the template cannot be held to a place, or none is named."""
    places = {name: found.groupdict().get(name) for name in ("before", "within", "outside")}
    globs: dict[str, tuple[str, ...]] = {}
    for name, part in places.items():
        if not part:
            continue
        named = [_folder(one.text, one) for sign in re.findall(_SIGN, part) if (one := sentence.literal(sign))]
        if not of_files(template) or not all(named):
            return None
        globs[name] = tuple(named)
    include = (*globs.get("before", ()), *globs.get("within", ()))
    return Scope(include=include or ("**",), exclude=globs.get("outside", ()))


def of_files(template: Template) -> bool:
    """Whether a check of the template looks at files, so that a scope of paths means something to it."""
    names = {parameter.name for parameter in template.parameters}
    return "semgrep" in template.kinds or ("globs" in names and not _required(template, "globs")) or template.name in (
        "max-file-lines",
    )


def _required(template: Template, name: str) -> bool:
    return any(one.required for one in template.parameters if one.name == name)


def _in_languages(one: Said, named: str, profile: Profile) -> Iterator[Said]:
    """The same for each language that it may be about: the one that is named, or that the names or the place tell."""
    parameter = next((p for p in one.template.parameters if p.name == "language"), None)
    if named and not language_named(named):
        return
    if parameter is None:
        yield one if not named else replace(one, scope=replace(one.scope, include=endings(language_named(named))))
        return
    wanted = [language_named(named)] if named else _languages(one, profile)
    known = [("javascript" if name == "typescript" and name not in parameter.choices else name) for name in wanted]
    for language in dict.fromkeys(name for name in known if name in parameter.choices):
        yield replace(one, parameters={**one.parameters, "language": language})


def _languages(one: Said, profile: Profile) -> list[str]:
    suffixes = [language_named(glob.rpartition(".")[2]) for glob in one.scope.include if "." in glob.rpartition("/")[2]]
    if suffixes and all(suffixes):
        return suffixes
    texts = [str(text) for value in one.parameters.values() for text in (value if isinstance(value, list) else [value])]
    known = [language for text in texts for language in homes(text)]
    here = [language for language in profile.languages if language in known] if known else profile.languages
    return [*here, *(known if not here else ())][: 1 if not known else 2]

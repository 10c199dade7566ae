"""A template's sentence forms matched with a sentence: a form must explain all of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rulec.domain.template import SentenceForm, Template
from rulec.drafting.forms.instantiations import Instantiation, RepositoryProfile, in_all_languages, languages_of_name
from rulec.drafting.forms.sentence_context import (
    join_folder_to_names,
    names_literal,
    scope_of_form,
    spare_specimens,
    spare_what_is_named,
    split_off_reason,
    ways_to_read,
)
from rulec.drafting.forms.sentence_shape import LEMMAS, VERBS, Sentence
from rulec.drafting.forms.slot_values import BARE_WORDS, LITERAL_SIGN, values_in_slot


def _verbs(words: str) -> str:
    """A pattern for any of these verbs, which have their base form in a sentence's shape."""
    return f"(?:{words.replace(' ', '|').replace('_', ' ')})"


_GAP = r" ?[,;:.(-]? ?"
GROUPS: dict[str, str] = {
    "RUN": _verbs("run use call execute invoke type issue do employ try_to_use try_to_run"),
    "USE": rf"(?:{_verbs('use run prefer choose adopt call go_with stick_to stick_with switch_to favor favour work_with')}|must use|only use|we use|we|we're on|we're using)",
    "EDIT": (
        _verbs(
            "edit touch change modify alter update write_to write overwrite rewrite mess_with make_change_to make_change_in hand-edit"
        )
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
    "NOT": rf"{_GAP}(?:and |but )?\(? ?(?:never use|never run|never call|never|not|no|instead-of|over|, not)(?: (?:with|via|by|through|bare|plain|raw|standard))*",
    "CONSENT": (
        r"(?:unless|without|until|except when|before) (?:[\w'-]+ ){0,5}?(?:ask|asked|asking|tell|told|say|says|said|approv\w+|"
        r"permission|confirm\w*|consent|request\w*|instruct\w*|explicitly|go-ahead|sign-off|agree\w*|ok|okay|want)(?: (?!and\b|or\b)[\w'-]+){0,6}"
    ),
    "CHANGING": _verbs("change modify edit update alter touch make_change_to make_change_in add_to adjust"),
    "WHENEVER": r"(?:after|when|whenever|once|if|every time|each time)(?: you| we)?",
    "DONE": (
        r"(?:finish(?: up| task| work| job)?|(?:you )?(?:are |be )?(?:done|finished|complete)|(?:you )?(?:say|claim|report|declare|call|consider|mark|hand)(?: [\w'-]+){0,5}|"
        r"end of (?:turn|task)|(?:you )?stop|complete (?:task|work|job)|completion|ending (?:turn|task))"
    ),
    "COMMA": r" ?[,;:.-]? ?(?:and |but |so )?",
    "FORBIDDEN": r"(?:forbidden|is never used?|never be used|never used|is not used|never)",
    "THEM": r"(?:it|them|that|this|these|there|files? there|files? in there|anything there|anything in it)",
    "FILES": r"(?:files?|folders?|director(?:y|ies)|anything|code|things|contents?|stuff)",
    "INSTEAD": r"(?: instead)?",
}
_UPPER = re.compile(r"\b[A-Z]{3,}\b")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_CHOICE_ENDS = r"(?:e?s)?"


@dataclass(frozen=True, slots=True)
class _CompiledForm:
    """A form, made ready to be held against sentences."""

    template: Template
    form: SentenceForm
    pattern: re.Pattern[str]
    slots: Mapping[str, tuple[str, str]]  # name of the group -> parameter and sort


@cache
def _compiled_forms(template: Template) -> tuple[_CompiledForm, ...]:
    return tuple(_compile_form(template, form) for form in template.says)


def _compile_form(template: Template, form: SentenceForm) -> _CompiledForm:
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
            item = f"(?:{LITERAL_SIGN}|(?:{one}){_CHOICE_ENDS})"
        else:
            bare = BARE_WORDS.get(sort or kind)
            item = f"(?:{LITERAL_SIGN}|{bare})" if bare else LITERAL_SIGN
        if sort == "words":
            return f"(?P<{group}>{BARE_WORDS['words']})"
        many = parameter is not None and (parameter.type.startswith("list[") or sort == "starts")
        joint = r"(?: ?, (?:or |and )?| or | and | & |/| ?\| ?)"
        return f"(?P<{group}>{item}(?:{joint}{item})*?)" if many else f"(?P<{group}>{item})"

    text = re.sub(r"(?<![\w{:\\[-])[a-z]+(?![\w?}:-])", lambda found: LEMMAS.get(found[0], found[0]), form.say)
    text = re.sub(r"(?<=[^\s\d]),", " ,", text)
    text = _UPPER.sub(lambda found: GROUPS.get(found[0], found[0]), text)
    body = _SLOT.sub(slot, text)
    return _CompiledForm(template, form, re.compile(f"(?:{body})$", re.IGNORECASE), slots)


def _choice(text: str) -> str:
    return re.escape(text).replace(r"\-", "[- ]").replace("_", "[ _-]")


def match_forms(sentence: Sentence, templates: Sequence[Template], profile: RepositoryProfile) -> list[Instantiation]:
    """Each template that the whole sentence is a form of, with its parameters; what names most by its nature first."""
    shape, reason = split_off_reason(sentence.shape)
    unsaid = reason if names_literal(reason) or not _BECAUSE.match(reason) else ""
    for whole, unseen in ((sentence.shape, ""), (shape, unsaid)):
        ways = [*ways_to_read(whole)]
        words = lemmas_of(" ".join(way for way, _ in ways))
        able = [
            made for template in templates if words_of_template(template) & words for made in _compiled_forms(template)
        ]
        found = [
            one for made in able for way, around in ways for one in _read_form(made, sentence, way, around, profile)
        ]
        if unseen:
            found = [
                replace(one, not_checked=(*one.not_checked, sentence.behind(unseen.strip("( )")))) for one in found
            ]
        if found or shape == sentence.shape:
            unique: dict[object, Instantiation] = {}
            for one in found:
                unique.setdefault((one.template.name, repr(sorted(one.parameters.items())), repr(one.scope)), one)
            return sorted(unique.values(), key=lambda one: (one.template.rank, len(one.not_checked)))
    return []


@cache
def words_of_template(template: Template) -> frozenset[str]:
    """The words by which people speak of what a template checks, those of its forms among them."""
    own = (word for form in template.says for word in re.findall(r"[a-z]{3,}", _SLOT.sub(" ", form.say)))
    return frozenset(LEMMAS.get(word, word) for word in (*template.speaks, *own))


def lemmas_of(text: str) -> frozenset[str]:
    """The words of a text in their plain form."""
    return frozenset(LEMMAS.get(word, word) for word in re.findall(r"[a-z][\w-]*", text.casefold()))


_BECAUSE = re.compile(r"(?:because|since|so that|as|otherwise|or else|it|they|this|that|we)\b")


def _read_form(
    made: _CompiledForm, sentence: Sentence, shape: str, around: dict[str, str], profile: RepositoryProfile
) -> Iterator[Instantiation]:
    found = made.pattern.match(shape)
    if not found or (made.template.unit == "line" and _INDIRECT.search(sentence.text)):
        return
    given: dict[str, Any] = {}
    each = ""
    for group, (name, sort) in made.slots.items():
        if found[group] is None:
            continue
        parameter = next((one for one in made.template.parameters if one.name == name), None)
        if _is_enumeration(found[group]) or (sort == "command" and _is_verb(shape, found.start(group))):
            return
        values = values_in_slot(found[group], sort, parameter, sentence)
        if sort == "glob" and re.match(r" files?\b", shape[found.end(group) :], re.IGNORECASE):
            values = [way for value in values for way in _variants(value)]
        if not values or (parameter is not None and not _known_for_slot(sort, found[group], values, profile)):
            return
        if parameter is None:
            continue  # it is named, and no parameter of the check: whoever judges the draft sees it left open
        if name.startswith("first_") and len(values) > 1 and " or " not in found[group]:
            each = name
        one_of = values if sort != "starts" else [f"^({'|'.join(str(v).removeprefix('^') for v in values)})"]
        given[name] = values if parameter.type.startswith("list[") else values[0] if len(values) < 2 else one_of[0]
    around = dict(join_folder_to_names(given, around, sentence, made.template))
    kinds = {one.name: one.type for one in made.template.parameters}
    more = {key: _constant(value, given, kinds[key]) for key, value in made.form.parameters.items()}
    given = {**more, **given}
    spared = spare_what_is_named(given, around, sentence, made.template)
    spare_specimens(given, made.template)
    scope = scope_of_form(given, around, sentence, made.template)
    if scope is None or not spared or not _unwrap_command(given, made):
        return
    given = {one.name: given[one.name] for one in made.template.parameters if one.name in given}
    instead = sentence.behind(around["do"]) if "do" in around else ""
    unseen = tuple(filter(None, [instead, sentence.behind(around.get("purpose", ""))]))
    one = Instantiation(
        template=made.template, parameters=given, scope=scope, do=instead, not_checked=unseen, text=sentence.text, form=made.form, each=each,
    )  # fmt: skip
    yield from in_all_languages(one, around.get("lang") or around.get("lead") or "", profile)


def _is_enumeration(part: str) -> bool:
    """Whether two things are joined by a comma alone, which does not make a list of them."""
    return part.count(",") == 1 and not re.search(r" (?:or|and|&) |[/|]|, (?:or|and) ", part)


def _is_verb(shape: str, start: int) -> bool:
    """Whether the word at this place is the verb of "never ..." and not a program of that name."""
    return shape[start:].split(" ", 1)[0] in VERBS and shape[:start].rstrip().rpartition(" ")[2] in (
        "never",
        "must",
        "",
    )


_INDIRECT = re.compile(r"\bdirectly\b")  # code that is called indirectly is called somewhere, and nobody says where


def _variants(glob: str) -> list[str]:
    """Globs for files with a dot name: the name, names with a suffix behind it, and names that end in it."""
    return [glob, f"{glob}.*", f"*{glob}"] if re.fullmatch(r"\.[a-z][\w-]*", glob) else [glob]


def _unwrap_command(given: dict[str, Any], made: _CompiledForm) -> bool:
    """Take the command that a wrapper runs off the wrapper; False where it runs something else."""
    for name in (name for name, sort in made.slots.values() if sort == "wrapped"):
        behind = [f" {command}" for command in given.get("commands", ())]
        if len(behind) != 1 or not all(text.endswith(behind[0]) for text in given[name]):
            return False
        given[name] = [text.removesuffix(behind[0]) for text in given[name]]
    return True


def _known_for_slot(sort: str, part: str, values: Sequence[Any], profile: RepositoryProfile) -> bool:
    """Whether a word without marks is known for what the slot takes it: a package that the repository names."""
    if sort == "known":
        return all(str(value).casefold() in profile.packages for value in values)
    if sort == "package":
        return names_literal(part) or all(str(value).casefold() in profile.packages for value in values)
    if sort != "module":
        return True
    plain = [value for value in map(str, values) if value.casefold() not in profile.packages]
    return not plain or (
        names_literal(part) and all(languages_of_name(one) or re.search(r"[/@.:-]", one) for one in plain)
    )


def _constant(value: Any, given: Mapping[str, Any], kind: str) -> Any:
    """A parameter that the form sets; ``{x}`` is the value of that slot, for a pattern its last word."""
    if isinstance(value, list):
        return [_constant(one, given, kind) for one in value]
    slot = _SLOT.fullmatch(value) if isinstance(value, str) else None
    if not slot or slot[1] not in given:
        return value
    if kind != "regex":
        return given[slot[1]]
    texts = given[slot[1]] if isinstance(given[slot[1]], list) else [given[slot[1]]]
    words = [re.findall(r"[A-Za-z]\w+", str(text)) for text in texts]
    return "|".join(dict.fromkeys(rf"\b{re.escape(found[-1])}" for found in words if found)) or value

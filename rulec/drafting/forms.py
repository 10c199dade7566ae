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

from rulec.drafting.languages import ATTRIBUTES, INLINE, TESTS, UNSHIPPED, homes, kind_endings, language_named
from rulec.drafting.sentence import LEMMAS, PROGRAMS, VERBS, Literal, Sentence
from rulec.language.terms import EXTENSIONS, table
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
    text: str = ""  # the sentence
    form: Form = field(default_factory=lambda: Form(say=""))
    others: tuple[str, ...] = ()  # further languages in which the same is checked
    each: str = ""  # a parameter of which any one would be enough, and the sentence wants all: a check for each


def _verbs(words: str) -> str:
    """Any of these verbs, all of which stand in their plain form in a sentence's shape."""
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
_SIGN = "(?-i:[\ue000-\uf8ff])"
_STOP = (
    "before|after|instead|instead-of|in|on|to|when|if|unless|from|and|or|not|never|for|with|without|over|is|are|must|no|at|of|forbidden|"
    "because|only|then|but|as|by|use|run|into|until|while|that|which|so|commands?|via|through|inside|under|except|outside|than|elsewhere"
)
_WORD = rf"(?!(?:{_STOP})\b)[\w@.:/=+-]+"
_NOTES = "todo|fixme|xxx|hack|wip".upper()
_BARE: dict[str, str] = {
    "command": rf"{_WORD}(?: (?:{_WORD}|{_SIGN}))*?",
    "wrapped": rf"{_WORD}(?: (?:{_WORD}|{_SIGN}))*?",
    "named": r"(?!(?:new|extra|more|further|additional|third-party|external|other)\b)[a-z@][\w@/.-]*\w",
    "module": r"[a-z@][\w@/-]*(?:\.[\w]+)*",
    "branch": r"(?:main|master|develop|dev|trunk|production|staging|release)",
    "type": r"(?:any|Any)",
    "call": r"(?:print|eval|exec|alert|debugger|printf|println|breakpoint|puts|dd|var_dump|fetch|setTimeout|input)",
    "folder": r"[\w.-]+",
    "known": r"[a-z@][\w@/.-]*\w",
    "ticket": r"[A-Z]{2,}-(?:\d+|[A-Zx#]+)",
    "ticketfirst": r"[A-Z]{2,}-(?:\d+|[A-Zx#]+)",
    "proper": r"[A-Z][a-z]+",
    "tool": r"(?:[A-Z][a-z]+)+|mcp__\w+",
    "tongue": r"[A-Z][a-z]+",
    "trailer": r"(?:[A-Z]\w+-)+[A-Za-z]+:?",
    "note": rf"(?:{_NOTES})s?",
    "text": rf"(?:{_NOTES}|console|debugger)s?",
    "words": r"(?:(?!never\b|use\b)[\w'/-]+)(?: (?!unless\b|when\b|if\b|except\b|only\b|before\b|after\b|until\b)[\w'/-]+){0,7}",
}


LANGUAGES = 4  # for which a check is drafted at most
TYPES = ("any", "Any", "object", "unknown", "interface{}", "Object")  # that say nothing of a value


# Words behind a program's name that make it a thing and no command: "docker images", "python code".
_NOUN = re.compile(
    r"(?!status$)[a-z]{3,}s|code|file|version|image|container|history|package|project|branch|message|hook|script|tool|"
    r"server|module|function|class|process|environment|config|[A-Z]\w*"
)


# Words that begin a line of code in some language, and no command.
_KEYWORDS = table(
    "from import export def class return const let var new async await function type interface enum throw raise use"
)


_PROGRAM = re.compile(r"(?:\.{0,2}|~|\.?[\w-]+)/")  # how the path of one begins; a host has a dot in it


def _command(text: str, one: Literal | None) -> Any:
    if one and (one.kind in ("flag", "number") or (one.kind == "path" and not (one.quoted and _PROGRAM.match(text)))):
        return None
    first, *others = text.split(" ")
    if one is None and (any(map(_NOUN.fullmatch, others)) or not {first, first.casefold()} & PROGRAMS):
        return None
    bare = one and one.kind == "text" and not one.quoted
    if bare or not re.match(r"[\w./@~-]+(?:\s|$)", text) or text.endswith("()"):
        return None
    if one and (one.kind == "symbol" or first in _KEYWORDS):
        return None
    if one and one.kind == "path" and "." in text and "/" not in text and homes(text):
        return None
    if one and one.kind == "text" and (len(text.split()) < 2 or not re.match(r"[a-z./]", text)):
        return None
    plainly = not re.search(r"[;&<>$`()]", text.replace(" | ", " ")) and "||" not in text
    return " ".join(text.split()) if plainly and parse(text).calls else None


def _glob(text: str, one: Literal | None) -> Any:
    if one is None or one.kind not in ("path", "symbol", "text") or (one.kind != "path" and not one.quoted):
        return None
    if " " in text or not re.fullmatch(r"[\w.*@{}\[\],~/+-]+", text) or text.strip("*/.") == "":
        return None
    text = f"*{text}" if text[:1] == "." and text != ".env" and text[1:] in EXTENSIONS.split("|") else text
    return text.removeprefix("./") if one.kind == "path" else None


def _folder(text: str, one: Literal | None) -> Any:
    bare = one is None or (one.quoted and re.fullmatch(r"\w[\w.-]*", text))
    found = text if bare else _glob(text, one)
    return f"{found}/" if found and "." not in found and "*" not in found and not found.endswith("/") else found


def _call(text: str, one: Literal | None) -> Any:
    """What is plainly called: it has brackets or a dot, or everybody knows it as a function of some language."""
    name = re.sub(r"\((?:\.\.\.)?\)$", "", text)
    if name in (*TYPES, *ATTRIBUTES) or (one and one.kind == "path"):
        return None
    if name == text and "." not in text and not text.endswith("!") and not re.fullmatch(_BARE["call"], text):
        return None
    whole = re.fullmatch(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*!?", name)
    return name if whole and _not_flag(one) else None


def _not_flag(one: Literal | None) -> bool:
    return one is None or one.kind in ("symbol", "text", "command", "path")


def _name(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"@?[A-Za-z_][\w./@:-]*\w|\w", text) and _not_flag(one) else None


def _module(text: str, one: Literal | None) -> Any:
    known = re.fullmatch(_BARE["call"], text) or text in TYPES  # a function or a type, and no module
    return None if known or (one and one.kind == "command") else _name(text, one)


def _flag(text: str, one: Literal | None) -> Any:
    return text if one and one.kind == "flag" else None


def _branch(text: str, one: Literal | None) -> Any:
    return text if (one is None or one.quoted or one.kind == "path") and re.fullmatch(r"[\w./*-]+", text) else None


def _quoted(text: str, one: Literal | None) -> Any:
    marked = one and (one.quoted or one.kind in ("symbol", "flag"))
    return text if marked and (len(text) > 1 or ord(text) > 0x2000) else None


def _literal(text: str, one: Literal | None) -> Any:
    """A pattern for a text that stands in the sentence: whole words, nothing else."""
    if one is None:
        bare = text.rstrip("s") if text[:-1].isupper() else text
        return rf"\b{re.escape(bare)}\b"
    if (
        not _quoted(text, one)
        or one.kind in ("path", "flag")
        or (one.kind == "command" and not re.search(r"[^\w \-/=.:]", text))
        or (one.kind == "symbol" and not (text.startswith("@") or text.isupper()))
    ):
        return None
    start, end = (r"\b" if text[:1].isalnum() else ""), (r"\b" if text[-1:].isalnum() else "")
    return f"{start}{re.escape(text)}{end}".replace(r"\ ", " ")


def _starts(text: str, one: Literal | None) -> Any:
    start = re.sub(r"(?:\.\.\.|\u2026|\*+|<[^<>]*>)$", "", text)
    return f"^{re.escape(start)}" if start and one and (one.quoted or one.kind == "path") else None


def _type(text: str, one: Literal | None) -> Any:
    return text if text in TYPES and (one is None or one.quoted or one.kind == "symbol") else None


def _typename(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"[A-Za-z_][\w.]*", text) and one and one.quoted else _type(text, one)


def _ticket(text: str, _: Literal | None) -> Any:
    """A pattern for tickets of the project that the sentence's own example is of, or of any where it is made up."""
    found = re.fullmatch(r"\W*([A-Z][A-Z0-9]+)-(?:\d+|[A-Zx#]+)\W*", text)
    if not found:
        return None
    made_up = found[1].lower() in ("abc", "xyz", "xxx", "key", "ticket", "project", "proj", "jira", "issue")
    return rf"{'[A-Z][A-Z0-9]+' if made_up else found[1]}-[0-9]+"


def _proper(text: str, one: Literal | None) -> Any:
    named = re.fullmatch(r"[A-Z]\w+", text) and (one is None or one.kind == "symbol")
    return rf"\b{re.escape(text)}\b" if named else None


def _tool(text: str, _: Literal | None) -> Any:
    return text if re.fullmatch(r"(?:[A-Z][a-z]+)+|mcp__\w+(?:\*)?", text) else None


def _at_root(text: str, one: Literal | None) -> Any:
    found = _glob(text, one)
    return f"./{found}" if found and "/" not in found else None


def _tongue(text: str, _: Literal | None) -> Any:
    names = "english german french spanish italian portuguese dutch polish russian chinese japanese korean"
    codes = "en de fr es it pt nl pl ru zh ja ko"
    return dict(zip(names.split(), codes.split(), strict=True)).get(text.casefold())


_GIT_FLAGS = table(
    "--no-verify -n --amend --force -f --force-with-lease --allow-empty --no-gpg-sign --no-edit --signoff -s"
)
# What may stand in a slot of each sort: a literal, or a word without marks, and what becomes of it.
SORTS: dict[str, Callable[[str, Literal | None], Any]] = {
    "command": _command, "glob": _glob, "folder": _folder, "call": _call, "module": _module, "named": _module, "package": _name,
    "known": _module, "ticket": _ticket, "proper": _proper, "tool": _tool, "atroot": _at_root, "tongue": _tongue,
    "ticketfirst": lambda text, one: f"^{found}" if (found := _ticket(text, one)) else None,
    "decorator": lambda text, one: text.lstrip("@") if _name(text.lstrip("@"), one) else None,
    "wrapped": _command, "flag": _flag, "branch": _branch, "text": _literal, "quoted": _quoted, "starts": _starts, "type": _type, "typename": _typename,
    "trailer": lambda text, _: text.rstrip(":") if re.fullmatch(r"(?:[A-Z]\w*-)+\w+:?|[A-Z][\w-]+:(?: .*)?", text) else None,
    "int": lambda text, _: int(text) if text.isdigit() and len(text) < 6 else None, "words": lambda text, _: text,
    "gitflag": lambda text, one: text if _flag(text, one) and text in _GIT_FLAGS else None,
    "attribute": lambda text, _: rf"\b{re.escape(text)}\b" if text in ATTRIBUTES else None,
    "note": lambda text, one: None if re.match(r"//|#|/\*|--|<!--", text) else _literal(text, one), "regex": _literal, "str": _quoted,
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
            item = f"(?:{_SIGN}|(?:{one}){_CHOICE_ENDS})"
        else:
            bare = _BARE.get(sort or kind)
            item = f"(?:{_SIGN}|{bare})" if bare else _SIGN
        if sort == "words":
            return f"(?P<{group}>{_BARE['words']})"
        many = parameter is not None and (parameter.type.startswith("list[") or sort == "starts")
        joint = r"(?: ?, (?:or |and )?| or | and | & |/| ?\| ?)"
        return f"(?P<{group}>{item}(?:{joint}{item})*?)" if many else f"(?P<{group}>{item})"

    text = re.sub(r"(?<![\w{:\\[-])[a-z]+(?![\w?}:-])", lambda found: LEMMAS.get(found[0], found[0]), form.say)
    text = re.sub(r"(?<=[^\s\d]),", " ,", text)
    text = _UPPER.sub(lambda found: GROUPS.get(found[0], found[0]), text)
    body = _SLOT.sub(slot, text)
    return _Made(template, form, re.compile(f"(?:{body})$", re.IGNORECASE), slots)


def _choice(text: str) -> str:
    return re.escape(text).replace(r"\-", "[- ]").replace("_", "[ _-]")


_TESTS = r"(?:(?:unit |integration )?tests?(?: (?:code|files?|suites?))?|specs)"
_HOLDER = r"(?:files?|folders?|code|director(?:y|ies)|package|module)"
_PLACE = rf"(?:(?:files? |folders? |code )?(?:in |under |inside |within )?{_SIGN}(?: {_HOLDER})?|{_TESTS})"
_AND = r"(?: ?, (?:and |or )?| and | or )"
_IN = r"(?:in|inside|under|within)"
_SCOPED = rf"{_PLACE}(?:{_AND}{_PLACE})*"
_BESIDE = rf"(?:{_SIGN}|{_BARE['command']})"
# What may stand around any form: where it holds, where it does not, what of it is spared, and what to do instead.
_AROUND = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf" ?[,;.-] (?:but |and )?(?P<do>(?:use|prefer|run|fix|call) (?:{_SIGN}|{_BARE['words']}| ){{1,6}}?)(?: instead)?$",
        r" (?:on|in|from|within) new (?:code|files?)$",
        r" (?:in|from|within) (?P<shipped>(?:production|application|app|source)) (?:code|files?)$",
        rf" ?[,(;-]? ?(?:outside(?: of)?|except in) (?P<outside>{_SCOPED})(?: \))?$",
        rf"^(?:outside(?: of)?|except in) (?P<outside>{_SCOPED}) ?,? ",
        rf" ?[,(;-]? ?except (?P<beside>{_BESIDE}(?:{_AND}{_BESIDE})*)(?: \))?$",
        rf" (?:{_IN}|for|of|from|to) (?P<within>{_SCOPED})$",
        r" (?:in|for) (?P<lang>[A-Za-z+#]{1,10})(?: (?:code|files?|sources?|projects?|modules?))?$",
        rf"^(?:{_IN}|for) (?P<before>{_SCOPED})(?: ?[,:] | (?=(?:we|use|run|prefer|never|no|must)\b))",
        rf"^(?:code|files?|modules?|anything|nothing|components?|tests) (?:{_IN}|from) (?P<before>{_SCOPED}) (?=never|must)",
        r"^(?P<lead>[A-Za-z+#]{1,10}) (?:code|files?|scripts?|modules?|sources?) (?=never|must)",
        rf"^(?P<before>{_TESTS}) (?=never|must)",
        r"^(?:in|for) (?P<lead>[A-Za-z+#]{1,10})(?: code| files?)? ?[,:] ",
    )
)


_PLAIN = r"(?!(?:unless|except|only|if|never|not|no|without|with|in|to)\b)[\w'/-]+"  # a word that bounds nothing
_SUBJECT = rf"(?!\S+ (?:tests?|builds?|scripts?|services?)\b)(?:{_PLAIN} )"  # some of the tests are not all of them
_LISTED = rf"{_SIGN}(?: ?(?:,|and|or|, and|, or) {_SIGN})*"
_MADE = r"(?:write|produce|generate|build|make|own|maintain|manage|create)[a-z]*"
_ACT = r"(?:use|run|call|import|require|invoke|execute|read|access|touch|catch|create|write|edit|change)"
_MAY = r"(?:(?:is|are|be|may|can|must|to|allowed|permitted|ok|fine|acceptable|legal|belong) )*"
_AT = rf"{_IN} (?=(?:{_SIGN}|{_TESTS}))"
_THING = r"((?:(?!(?:only|never|not|no|must|may|except)\b)\S+ )+?)"
_OTHERWISE = (
    r"(?:never|not|nowhere|no)(?: use| do| it| elsewhere| else| outside| in| other| files?| places?| modules?)*"
)
# Other ways to say the same: what a thing is done with, and the thing itself in brackets behind its description; what
# must not be done to a thing; and what is to be done in one place only is to be done nowhere else.
_REWRITES = tuple(
    (re.compile(pattern, re.IGNORECASE), means)
    for pattern, means in (
        (rf"^(?:must )?{_SUBJECT}{{1,5}}(?:is |are |be )?(?:with|via|using|through|by run|by use|by) (?={_SIGN})", "run "),
        (rf"(?<= )(?:run|{_PLAIN}) {_SUBJECT}{{1,3}}(?:with|via|using|by run) (?={_SIGN})", "run "),
        (rf"^(?:must )?(?:(?:{_PLAIN}|with|in|to) ){{1,6}}\( ({_LISTED}) \)", r"run \1"),
        (rf"\b(never|no) (?:{_PLAIN} ){{1,5}}(?:with |in |to )?\( ({_LISTED}) \)", r"never use \2"),
        (rf"\bnever (?:{_PLAIN} ){{1,4}}with (?={_SIGN})", "never use "),
        (rf"^(?:use|go with|stick to) ({_PLAIN}|{_SIGN}) (?:for|as|to run) (?:{_PLAIN} ){{1,5}}(?=[,;.(-] )", r"use \1 "),
        (rf"(?<={_SIGN})(?: files?)? (?:is|are|be)? ?{_MADE} (?:by|from) (?:{_PLAIN} ?|{_SIGN} ?){{1,5}}(?=[,;.-] )", " is generated "),
        (rf"((?:^| )only .*?) ?[,;-] (?:and |but )?{_OTHERWISE}$", r"\1"),
        (rf"^((?:(?!never\b|only\b|must\b)\S+ )+?)(?:is |are )?never (?:to )?be ({_PLAIN})(?: to)?(?=$| )", r"never \2 \1"),
        (rf"^before ((?:(?!never\b)[^,:])+?) ?[,:] ({_LISTED})(?: (?:,|must|have|be|been|to|both|all|run|pass|succeed|green))*$", r"run \2 before \1"),
        (r"^before ((?:(?!never\b)[^,:])+?) ?, (.+)$", r"\2 before \1"),
        (rf"^(?:must )?(?:({_ACT}) )?{_THING}{_MAY}only {_MAY}(?:({_ACT}) )?{_AT}", r"never \1 \3 \2except in "),
        (rf"^(?:must )?only ({_ACT}) {_THING}{_AT}", r"never \1 \2except in "),
        (rf"^only ({_SCOPED}) {_MAY}({_ACT}) (.+)$", r"never \2 \3 except in \1"),
        (r"^(?:restrict|limit|confine|keep) (?:changes?|edits?|work|yourself) (?:to|within|inside|in) ", "stay in "),
    )
)  # fmt: skip
_PURPOSE = re.compile(r" (?:for|to) (?:(?!(?:only|never|not|no|unless|except|instead-of)\b)[\w'/-]+ ?){1,6}$")

_PLACED = re.compile(rf"\b(?:{_IN}|on|outside|except) {_SIGN}")  # a place behind both halves bounds the first as well
_REPLACED = re.compile(r"(?:instead-of|, not|, never|over) (?:\w+ )?\S+ (?:for|to) ")


def _ways(shape: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The shape, and what is left of it with each of what may stand around a form taken off, with what that says."""
    ways: list[tuple[str, dict[str, str]]] = [(shape, {})]
    for pattern, means in _REWRITES:
        ways += [(" ".join(way.split()), said) for one, said in tuple(ways) if (way := pattern.sub(means, one)) != one]
    for one, around in tuple(ways):
        # what a thing is wanted for is no limit where it is wanted in the place of another
        if (found := _PURPOSE.search(one)) and _REPLACED.search(one):
            ways.append((one[: found.start()], {**around, "purpose": found[0].strip()}))
    for pattern in _AROUND:
        for left, around in tuple(ways):
            found = pattern.search(left)
            if (
                found
                and not around.keys() & found.groupdict().keys()
                and not _PLACED.search(found.groupdict().get("do") or "")
            ):
                rest = (left[: found.start()] + left[found.end() :]).strip(" ,;:.-")
                ways += [(rest, {**around, **{name: part for name, part in found.groupdict().items() if part}})]
    yield from ways


def said(sentence: Sentence, templates: Sequence[Template], profile: Profile) -> list[Said]:
    """Each template that the whole sentence is a form of, with its parameters; what names most by its nature first."""
    shape, reason = _apart(sentence.shape)
    unsaid = reason if _names(reason) or not _BECAUSE.match(reason) else ""
    for whole, unseen in ((sentence.shape, ""), (shape, unsaid)):
        ways = [*_ways(whole)]
        words = words_of(" ".join(way for way, _ in ways))
        able = [made for template in templates if speaks(template) & words for made in _made(template)]
        found = [one for made in able for way, around in ways for one in _read(made, sentence, way, around, profile)]
        if unseen:
            found = [
                replace(one, not_checked=(*one.not_checked, sentence.behind(unseen.strip("( )")))) for one in found
            ]
        if found or shape == sentence.shape:
            unique: dict[object, Said] = {}
            for one in found:
                unique.setdefault((one.template.name, repr(sorted(one.parameters.items())), repr(one.scope)), one)
            return sorted(
                unique.values(), key=lambda one: (_PLAIN_TEXT.get(one.template.name, 0), len(one.not_checked))
            )
    return []


@cache
def speaks(template: Template) -> frozenset[str]:
    """The words by which people speak of what a template checks, those of its forms among them."""
    own = (word for form in template.says for word in re.findall(r"[a-z]{3,}", _SLOT.sub(" ", form.say)))
    return frozenset(LEMMAS.get(word, word) for word in (*template.speaks, *own))


def words_of(text: str) -> frozenset[str]:
    """The words of a text in their plain form."""
    return frozenset(LEMMAS.get(word, word) for word in re.findall(r"[a-z][\w-]*", text.casefold()))


_PLAIN_TEXT = {
    "require-prefix": -1,  # what runs a command is more than another command
    "forbid-comment": 1,
    "forbid-text": 2,
}  # they know nothing of what the text is, so others are asked first


_REASON = re.compile(
    r" ?[,;:.-]? ?\b(?:because|since|so (?:that|the|we|it|they|you|diff|others?|everyone)\b|as it|as they|as we|to (?:keep|avoid|ensure|catch|prevent|be sure)|otherwise|or else|(?<=[,;:.-] )(?:it|they|this|that|we (?!use|never))\b)(?P<why>.*)$"
    r"| \( (?:(?:it|they|this|that|because|since)\b(?P<because>[^()]*)|(?P<brackets>[^()]*)) \)$| [-:] (?P<dash>.*)$"
)
_BOUND = r"unless|except|only|if|when|whenever|until|without|outside|elsewhere"
_SPARES = r"fine|ok|okay|allowed|permitted|acceptable|exempt|exceptions?|applies to|sometimes|you can|you may|may be"
_LIMIT = re.compile(rf"\b(?:{_BOUND}|but|while|during|before|after|instead|instead-of|never|must|no|not|use|run|and)\b")


def _apart(shape: str) -> tuple[str, str]:
    """A wish and the reason behind it; the reason may hold no condition and no wish of its own."""
    found = _REASON.search(shape)
    if not found or found.start() < 4:
        return shape, ""
    why = found[0].strip(" ,;:.-")
    if re.search(rf"\b(?:{_BOUND}|{_SPARES})\b", why, re.IGNORECASE) or (
        not (found["why"] or found["because"]) and _LIMIT.search(why)
    ):
        return shape, ""
    return shape[: found.start()].strip(" ,;:.-"), why


_BECAUSE = re.compile(r"(?:because|since|so that|as|otherwise|or else|it|they|this|that|we)\b")


def _names(text: str) -> bool:
    return bool(re.search(_SIGN, text))


def _read(made: _Made, sentence: Sentence, shape: str, around: dict[str, str], profile: Profile) -> Iterator[Said]:
    found = made.pattern.match(shape)
    if not found or (made.template.unit == "line" and _INDIRECT.search(sentence.text)):
        return
    given: dict[str, Any] = {}
    each = ""
    for group, (name, sort) in made.slots.items():
        if found[group] is None:
            continue
        parameter = next((one for one in made.template.parameters if one.name == name), None)
        if _enumerated(found[group]) or (sort == "command" and _is_verb(shape, found.start(group))):
            return
        values = _values(found[group], sort, parameter, sentence)
        if sort == "glob" and re.match(r" files?\b", shape[found.end(group) :], re.IGNORECASE):
            values = [way for value in values for way in _variants(value)]
        if not values or (parameter is not None and not _known(sort, found[group], values, profile)):
            return
        if parameter is None:
            continue  # it is named, and no parameter of the check: whoever judges the draft sees it left open
        if name.startswith("first_") and len(values) > 1 and " or " not in found[group]:
            each = name
        one_of = values if sort != "starts" else [f"^({'|'.join(str(v).removeprefix('^') for v in values)})"]
        given[name] = values if parameter.type.startswith("list[") else values[0] if len(values) < 2 else one_of[0]
    around = dict(_joined(given, around, sentence, made.template))
    kinds = {one.name: one.type for one in made.template.parameters}
    more = {key: _constant(value, given, kinds[key]) for key, value in made.form.parameters.items()}
    given = {**more, **given}
    spared = _spared(given, around, sentence, made.template)
    _specimens(given, made.template)
    scope = _scope(given, around, sentence, made.template)
    if scope is None or not spared or not _unwrapped(given, made):
        return
    given = {one.name: given[one.name] for one in made.template.parameters if one.name in given}
    instead = sentence.behind(around["do"]) if "do" in around else ""
    unseen = tuple(filter(None, [instead, sentence.behind(around.get("purpose", ""))]))
    one = Said(
        template=made.template, parameters=given, scope=scope, do=instead, not_checked=unseen, text=sentence.text, form=made.form, each=each,
    )  # fmt: skip
    yield from _in_languages(one, around.get("lang") or around.get("lead") or "", profile)


def _enumerated(part: str) -> bool:
    """Whether two things stand side by side with a comma alone, which tells nobody that they are of one kind."""
    return part.count(",") == 1 and not re.search(r" (?:or|and|&) |[/|]|, (?:or|and) ", part)


def _is_verb(shape: str, start: int) -> bool:
    """Whether what stands at this place of the shape is the verb of "never ..." and no program of that name."""
    return shape[start:].split(" ", 1)[0] in VERBS and shape[:start].rstrip().rpartition(" ")[2] in (
        "never",
        "must",
        "",
    )


_INDIRECT = re.compile(r"\bdirectly\b")  # code that is called indirectly is called somewhere, and nobody says where


def _variants(glob: str) -> list[str]:
    """What is meant by files of a dot-name: that name, what follows a dot behind it, and names that end so."""
    return [glob, f"{glob}.*", f"*{glob}"] if re.fullmatch(r"\.[a-z][\w-]*", glob) else [glob]


def _specimens(given: dict[str, Any], template: Template) -> None:
    """Spare .env.example and the like, which show what such a file looks like, where only a pattern covers them."""
    names = [re.fullmatch(r"\*?(\.[\w-]+)\.?\*", glob.rpartition("/")[2]) for glob in given.get("globs", ())]
    if any(one.name == "except" and one.type == "list[glob]" for one in template.parameters) and any(names):
        spared = [f"{found[1]}*.{{example,sample,template,dist}}" for found in names if found]
        given["except"] = [*given.get("except", ()), *spared]


def _joined(
    given: dict[str, Any], around: Mapping[str, str], sentence: Sentence, template: Template
) -> Mapping[str, str]:
    """Put the folder that stands around a form before the file names in it, where the template's globs are the place."""
    part = around.get("within") or around.get("before") or ""
    names = given.get("globs", [])
    if not part or "globs" not in {one.name for one in template.parameters if one.required} or template.unit != "file":
        return around
    folders = [_folder(one.text, one) for sign in re.findall(_SIGN, part) if (one := sentence.literal(sign))]
    if not all(folders) or any("/" in str(name) for name in names) or any("*" in str(one) for one in folders):
        return around
    given["globs"] = [f"{str(folder).rstrip('/')}/**/{name}" for folder in folders for name in names]
    return {key: value for key, value in around.items() if key not in ("within", "before")}


def _unwrapped(given: dict[str, Any], made: _Made) -> bool:
    """Take the command that a wrapper runs off the wrapper; False where it runs something else."""
    for name in (name for name, sort in made.slots.values() if sort == "wrapped"):
        behind = [f" {command}" for command in given.get("commands", ())]
        if len(behind) != 1 or not all(text.endswith(behind[0]) for text in given[name]):
            return False
        given[name] = [text.removesuffix(behind[0]) for text in given[name]]
    return True


def _values(part: str, sort: str, parameter: Parameter | None, sentence: Sentence) -> list[Any]:
    """What stands in a slot, [] where something in it is not of its sort."""
    if sort == "words":
        return [sentence.spelled(part)]
    if parameter and parameter.choices and sort == "str":
        items = [_chosen(sentence.spelled(item), parameter.choices) for item in _items(part.replace("/", " & "))]
    else:
        if parameter and parameter.name == "first_commands" and len(part) == 1 and " && " in sentence.spelled(part):
            one = sentence.literal(part)
            return [made for piece in sentence.spelled(part).split(" && ") if (made := _command(piece, one))]
        items = [_one(item, sort, sentence) for item in _items(part)]
    return [] if None in items else items


def _items(part: str) -> list[str]:
    """The members of a list in words."""
    found = re.split(r" ?, (?:or |and )?| or | and | & | ?\| ?|/(?=[\ue000-\uf8ff])", part)
    return [item for item in found if item.strip()]


def _chosen(text: str, choices: Sequence[str]) -> Any:
    plain = re.sub(r"[ _-]", "", text).casefold()
    known = {re.sub(r"[ _-]", "", one).casefold(): one for one in choices}
    ways = (plain, plain.removesuffix("s"), plain.removesuffix("es"))
    return next((known[way] for way in ways if way in known), None)


def _one(item: str, sort: str, sentence: Sentence) -> Any:
    return SORTS[sort](sentence.spelled(item), sentence.literal(item.strip()))


def _known(sort: str, part: str, values: Sequence[Any], profile: Profile) -> bool:
    """Whether a word without marks is known for what the slot takes it: a package that the repository names."""
    if sort == "known":
        return all(str(value).casefold() in profile.packages for value in values)
    if sort == "package":
        return _names(part) or all(str(value).casefold() in profile.packages for value in values)
    if sort != "module":
        return True
    plain = [value for value in map(str, values) if value.casefold() not in profile.packages]
    return not plain or (_names(part) and all(homes(one) or re.search(r"[/@.:-]", one) for one in plain))


def _constant(value: Any, given: Mapping[str, Any], kind: str) -> Any:
    """A parameter that the form gives; ``{x}`` in it is what stands in that slot, or for a pattern its last word."""
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


def _scope(given: dict[str, Any], around: Mapping[str, str], sentence: Sentence, template: Template) -> Scope | None:
    """Where the sentence says that it holds, in the template's own parameters where it has such; None where it cannot."""
    places = {name: _places(around.get(name, ""), sentence) for name in ("before", "within", "outside")}
    if any(around.get(name) and not places[name] for name in places):
        return None
    inside, outside = [*places["before"], *places["within"]], places["outside"]
    outside += UNSHIPPED if "shipped" in around else ()
    if of_files(template):
        return Scope(include=tuple(inside) or ("**",), exclude=tuple(outside))
    declared = {one.name: one.type for one in template.parameters if not one.required}
    ways = (
        {"inside": inside, "outside": outside} if template.unit == "command" else {"except": outside, "inside": inside}
    )
    for name, globs in ((name, globs) for name, globs in ways.items() if globs):
        folders = all(glob.endswith("/") and "*" not in glob for glob in globs)
        if declared.get(name) != "list[glob]" or not (folders if template.unit == "command" else _below(globs, given)):
            return None
        given[name] = [*given.get(name, ()), *globs]
    if given.get("outside") and "unless" in declared:  # who names the place to a command need not stand in it
        mine = [*given.get("commands", ()), *given.get("from", ())]
        own = [f"{command} *{folder.rstrip('/')}*" for command in mine for folder in given["outside"]]
        given["unless"] = [*given.get("unless", ()), *own]
    return Scope()


def _below(globs: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether the places may lie in what a check of paths names, so that they say something of it."""
    named = [str(one).removeprefix("./") for one in given.get("globs", ())]
    floats = not any(one.startswith("/") or "/" in one.rstrip("/") for one in named)
    return bool(named) and all(floats or "/" not in glob or glob.startswith(tuple(named)) for glob in globs)


def _places(part: str, sentence: Sentence) -> list[str]:
    """The globs of the places that stand there, [] where one is not known."""
    found: list[str] = []
    for item in _items(part):
        literals = [one for sign in re.findall(_SIGN, item) if (one := sentence.literal(sign))]
        named = [_folder(one.text, one) for one in literals if one.kind == "path" or "." not in one.text]
        if not all(named) or len(named) < len(literals):
            return []
        found += named or TESTS
    return found


def _spared(given: dict[str, Any], around: dict[str, str], sentence: Sentence, template: Template) -> bool:
    """Put what the sentence excepts by its name where the template takes it; False where it takes no such thing."""
    named = {str(one) for value in given.values() for one in (value if isinstance(value, list) else [value])}
    for item in _items(around.get("beside", "")):
        literal, text = sentence.literal(item.strip()), sentence.spelled(item)
        for key, kind in ((one.name, one.type) for one in template.parameters if one.name in ("unless", "except")):
            value = _one(item, {"list[glob]": "glob", "list[command]": "command"}.get(kind, "package"), sentence)
            known = kind != "list[str]" or any(
                one in ("*", text) or re.match(rf"{re.escape(one)}\W", text) or text.endswith(one) for one in named
            )
            if value and known and (kind != "list[glob]" or "globs" in given):
                given[key] = [*given.get(key, ()), value]
                break
        else:
            if not (literal and literal.kind == "path" and of_files(template)):
                return False
            around["outside"] = f"{around.get('outside', '')} , {item}".strip(" ,")
    return True


def of_files(template: Template) -> bool:
    """Whether a check of the template looks into files, so that a scope of paths means something to it."""
    return template.unit in ("file", "line") and not any(
        one.required and "glob" in one.type for one in template.parameters
    )


def _in_languages(one: Said, named: str, profile: Profile) -> Iterator[Said]:
    """The same for each language that it may be about: the one that is named, or that the names or the place tell."""
    parameter = next((p for p in one.template.parameters if p.name == "language"), None)
    if named and not (language_named(named) or (parameter is None and kind_endings(named))):
        return
    if parameter is None:
        if not named:
            yield one
        elif of_files(one.template):
            yield replace(one, scope=replace(one.scope, include=kind_endings(named)))
        return
    wanted = [language_named(named)] if named else _languages(one, profile)
    able = set(parameter.choices) - (set(INLINE) if {*TESTS} & {*one.scope.include, *one.scope.exclude} else set())
    if not (one.form.samples or one.template.samples):  # then its cases alone tell what may be said of which
        able &= {
            case.parameters.get("language")
            for case in one.template.cases
            if one.parameters.items() <= case.parameters.items()
        }
    known = ["javascript" if name == "typescript" and name not in able else name for name in wanted]
    first, *others = dict.fromkeys(name for name in known if name in able) or [""]
    if first:
        yield replace(one, parameters={**one.parameters, "language": first}, others=tuple(others))


def _languages(one: Said, profile: Profile) -> list[str]:
    suffixes = [language_named(glob.rpartition(".")[2]) for glob in one.scope.include if "." in glob.rpartition("/")[2]]
    if suffixes and all(suffixes):
        return suffixes
    texts = [str(text) for value in one.parameters.values() for text in (value if isinstance(value, list) else [value])]
    each = [set(found) for text in texts if (found := homes(text))]
    known = set.intersection(*each) or set.union(*each) if each else set()
    known |= {"typescript"} if "javascript" in known else set()
    here = [language for language in profile.languages if language in known or not each]
    return (here or sorted(known))[:LANGUAGES]

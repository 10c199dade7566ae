"""What may fill a form's slot, by its sort (command, glob, call, flag, ticket), and the value it gives."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rulec.domain.template import TemplateParameter
from rulec.drafting.forms.instantiations import ATTRIBUTES, languages_of_name
from rulec.drafting.forms.sentence_shape import PROGRAMS, Literal, Sentence
from rulec.language.terms import FILE_SUFFIXES
from rulec.language.words import word_table
from rulec.shell.parsing.parser import parse_shell

LITERAL_SIGN = "(?-i:[\ue000-\uf8ff])"
_STOP = (
    "before|after|instead|instead-of|in|on|to|when|if|unless|from|and|or|not|never|for|with|without|over|is|are|must|no|at|of|forbidden|"
    "because|only|then|but|as|by|use|run|into|until|while|that|which|so|commands?|via|through|inside|under|except|outside|than|elsewhere"
)
BARE_WORD = rf"(?!(?:{_STOP})\b)[\w@.:/=+-]+"
_NOTES = "todo|fixme|xxx|hack|wip".upper()
BARE_WORDS: dict[str, str] = {
    "command": rf"{BARE_WORD}(?: (?:{BARE_WORD}|{LITERAL_SIGN}))*?",
    "wrapped": rf"{BARE_WORD}(?: (?:{BARE_WORD}|{LITERAL_SIGN}))*?",
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
VAGUE_TYPES = ("any", "Any", "object", "unknown", "interface{}", "Object")  # that say nothing of a value


# Words behind a program's name that make it a thing and no command: "docker images", "python code".
_NOUN = re.compile(
    r"(?!status$)[a-z]{3,}s|code|file|version|image|container|history|package|project|branch|message|hook|script|tool|"
    r"server|module|function|class|process|environment|config|[A-Z]\w*"
)


# Words that begin a line of code in some language, and no command.
_KEYWORDS = word_table(
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
    if one and one.kind == "path" and "." in text and "/" not in text and languages_of_name(text):
        return None
    if one and one.kind == "text" and (len(text.split()) < 2 or not re.match(r"[a-z./]", text)):
        return None
    plainly = not re.search(r"[;&<>$`()]", text.replace(" | ", " ")) and "||" not in text
    return " ".join(text.split()) if plainly and parse_shell(text).calls else None


def _glob(text: str, one: Literal | None) -> Any:
    if one is None or one.kind not in ("path", "symbol", "text") or (one.kind != "path" and not one.quoted):
        return None
    if " " in text or not re.fullmatch(r"[\w.*@{}\[\],~/+-]+", text) or text.strip("*/.") == "":
        return None
    text = f"*{text}" if text[:1] == "." and text != ".env" and text[1:] in FILE_SUFFIXES else text
    return text.removeprefix("./") if one.kind == "path" else None


def as_folder(text: str, one: Literal | None) -> Any:
    bare = one is None or (one.quoted and re.fullmatch(r"\w[\w.-]*", text))
    found = text if bare else _glob(text, one)
    return f"{found}/" if found and "." not in found and "*" not in found and not found.endswith("/") else found


def _call(text: str, one: Literal | None) -> Any:
    """A function's name: with brackets or a dot, or a well-known function of some language."""
    name = re.sub(r"\((?:\.\.\.)?\)$", "", text)
    if name in (*VAGUE_TYPES, *ATTRIBUTES) or (one and one.kind == "path"):
        return None
    if name == text and "." not in text and not text.endswith("!") and not re.fullmatch(BARE_WORDS["call"], text):
        return None
    whole = re.fullmatch(r"\.?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*!?", name)
    return name if whole and _not_flag(one) else None


def _not_flag(one: Literal | None) -> bool:
    return one is None or one.kind in ("symbol", "text", "command", "path")


def _name(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"@?[A-Za-z_][\w./@:-]*\w|\w", text) and _not_flag(one) else None


def _module(text: str, one: Literal | None) -> Any:
    known = re.fullmatch(BARE_WORDS["call"], text) or text in VAGUE_TYPES  # a function or a type, and no module
    return None if known or (one and one.kind == "command") else _name(text, one)


def _flag(text: str, one: Literal | None) -> Any:
    return text if one and one.kind == "flag" else None


def _branch(text: str, one: Literal | None) -> Any:
    return text if (one is None or one.quoted or one.kind == "path") and re.fullmatch(r"[\w./*-]+", text) else None


def _quoted(text: str, one: Literal | None) -> Any:
    marked = one and (one.quoted or one.kind in ("symbol", "flag"))
    return text if marked and (len(text) > 1 or ord(text) > 0x2000) else None


def _literal(text: str, one: Literal | None) -> Any:
    """A pattern for a text of the sentence, as whole words."""
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
    return text if text in VAGUE_TYPES and (one is None or one.quoted or one.kind == "symbol") else None


def _typename(text: str, one: Literal | None) -> Any:
    return text if re.fullmatch(r"[A-Za-z_][\w.]*", text) and one and one.quoted else _type(text, one)


def _ticket(text: str, _: Literal | None) -> Any:
    """A pattern for tickets: of the project that the sentence's example is from, or of any if that is a placeholder."""
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


_GIT_FLAGS = word_table(
    "--no-verify -n --amend --force -f --force-with-lease --allow-empty --no-gpg-sign --no-edit --signoff -s"
)
# What may stand in a slot of each sort: a literal, or a word without marks, and what becomes of it.
SLOT_SORTS: dict[str, Callable[[str, Literal | None], Any]] = {
    "command": _command, "glob": _glob, "folder": as_folder, "call": _call, "module": _module, "named": _module, "package": _name,
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


def values_in_slot(part: str, sort: str, parameter: TemplateParameter | None, sentence: Sentence) -> list[Any]:
    """The values in a slot, [] where one of them is not of the slot's sort."""
    if sort == "words":
        return [sentence.spelled(part)]
    if parameter and parameter.choices and sort == "str":
        items = [_chosen(sentence.spelled(item), parameter.choices) for item in list_items(part.replace("/", " & "))]
    else:
        if parameter and parameter.name == "first_commands" and len(part) == 1 and " && " in sentence.spelled(part):
            one = sentence.literal(part)
            return [made for piece in sentence.spelled(part).split(" && ") if (made := _command(piece, one))]
        items = [value_of(item, sort, sentence) for item in list_items(part)]
    return [] if None in items else items


def list_items(part: str) -> list[str]:
    """The members of a list in words."""
    found = re.split(r" ?, (?:or |and )?| or | and | & | ?\| ?|/(?=[\ue000-\uf8ff])", part)
    return [item for item in found if item.strip()]


def _chosen(text: str, choices: Sequence[str]) -> Any:
    plain = re.sub(r"[ _-]", "", text).casefold()
    known = {re.sub(r"[ _-]", "", one).casefold(): one for one in choices}
    ways = (plain, plain.removesuffix("s"), plain.removesuffix("es"))
    return next((known[way] for way in ways if way in known), None)


def value_of(item: str, sort: str, sentence: Sentence) -> Any:
    return SLOT_SORTS[sort](sentence.spelled(item), sentence.literal(item.strip()))

"""What a stretch of code is made of: calls, values it makes, functions it defines, texts it holds."""

import re

_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|//[^\n]*|(?m:^\s*#[^\n]*)")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)+)\s*\(")
_WITH_ARGUMENTS = re.compile(_CALL.pattern + r"([^()]{0,400})\)")
_COMMENT = re.compile(r"//[^\n]*|(?m:^\s*#[^\n]*)")
_GO_LITERAL = re.compile(r"(?<![\w.\])])([a-z]\w*\.[A-Z]\w*)\{")
_NEW = re.compile(r"\bnew\s+([A-Z][\w.]*)\s*\(")
_FIELD = re.compile(r"(?:^|[,{]|\n)\s*([A-Z]\w*)\s*:")
_DEFINED = (
    re.compile(r"\bfunc\s+(?:\([^)\n]*\)\s*)?(?P<name>\w+)\s*\([^)\n]*\)\s*(?P<type>[^{\n]*)"),
    re.compile(r"\bdef\s+(?P<name>\w+)\s*\([^)\n]*\)\s*(?:->\s*(?P<type>[^:\n]+))?"),
    re.compile(r"\bfunction\s+(?P<name>\w+)\s*\([^)\n]*\)\s*(?::\s*(?P<type>[^{\n]+))?"),
    re.compile(r"\bfn\s+(?P<name>\w+)\s*\([^)\n]*\)\s*(?:->\s*(?P<type>[^{\n]+))?"),
    re.compile(r"\b(?:const|let|var)\s+(?P<name>\w+)\s*=\s*(?:async\s*)?(?:\([^)\n]*\)|func\b)(?P<type>)"),
)
_REACH = 1_500  # characters of a value's fields that are looked at


def bare(text: str) -> str:
    """The text without comments, and with nothing in its strings."""
    return _STRING.sub('""', text)


def calls(text: str) -> list[str]:
    """The dotted calls of a text."""
    return list(dict.fromkeys(_CALL.findall(bare(text))))


def call_texts(text: str) -> list[tuple[str, str]]:
    """The dotted calls of a text, each with what stands between its brackets."""
    code = _COMMENT.sub("", text)
    return [(match[1], match[2]) for match in _WITH_ARGUMENTS.finditer(code)]


def constructs(text: str, language: str) -> dict[str, list[str]]:
    """The types of which a text makes values, with the fields that it sets."""
    code = bare(text)
    if language != "go":
        return {name: [] for name in _NEW.findall(code)}
    found: dict[str, list[str]] = {}
    for match in _GO_LITERAL.finditer(code):
        fields = _FIELD.findall(_inside(code[match.end() - 1 : match.end() + _REACH]))
        found[match[1]] = list(dict.fromkeys([*found.get(match[1], []), *fields]))
    return found


def _inside(code: str) -> str:
    """The text between a brace and the one that closes it, without what stands in braces of its own."""
    kept, depth = [], 0
    for sign in code:
        depth += (sign == "{") - (sign == "}")
        if depth == 0:
            break
        if depth == 1:
            kept.append(sign)
    return "".join(kept)


def definitions(text: str) -> dict[str, str]:
    """The functions that a text defines, with the return type that it states."""
    code = bare(text)
    return {match["name"]: (match["type"] or "").strip() for form in _DEFINED for match in form.finditer(code)}


def literals(text: str) -> list[str]:
    """The texts that stand in quotes in code."""
    return [one for match in _STRING.finditer(text) for one in match.groups() if one]

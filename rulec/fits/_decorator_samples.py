"""What people call the definitions that carry decorators, and code with and without one."""

import re
from dataclasses import dataclass

from rulec.fits._code_rules import Sample
from rulec.language.terms import table

_CLASSED = ("python", "javascript", "java")
_ALL = ("python", "javascript", "java", "php", "rust")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """Definitions of a kind: functions or classes, by a pattern of their names."""

    what: str
    names: str = ""
    languages: tuple[str, ...] = _ALL
    of: str = ""  # for functions: the names of their classes
    inside: tuple[str, ...] = ()  # the files where they stand
    sample: str = ""  # a name of that kind


_TEST = Carrier(what="function", names=r"test_\w+", languages=("python",), sample="test_total")
_FUNCTION = Carrier(what="function", sample="total")
_CLASS = Carrier(what="class", sample="Cart")
_STRUCT = Carrier(what="class", languages=("rust",), sample="Cart")
_VIEW = Carrier(what="function", languages=("python",), inside=("views.py", "views/"), sample="total")
_ENDINGS = table(
    "Controller Service Repository Entity Component Resolver Module Event Command Query Handler Dto Model Guard "
    "Interceptor Middleware Gateway Job Listener"
)


def _by_ending() -> dict[str, Carrier]:
    found: dict[str, Carrier] = {}
    for ending in sorted(_ENDINGS):
        word = ending.lower()
        plural = word[:-1] + "ies" if word.endswith("y") else f"{word}s"
        carrier = Carrier(what="class", names=rf"\w+{ending}", sample=f"Cart{ending}")
        found |= dict.fromkeys((word, plural, f"{word} classes", f"{word} class"), carrier)
        methods = Carrier(what="function", of=rf"\w*{ending}", languages=_CLASSED, sample=f"Cart{ending}")
        found |= dict.fromkeys((f"{word} methods", f"{word} method"), methods)
    return found


CARRIERS: dict[str, Carrier] = {
    **_by_ending(),
    **dict.fromkeys(("test", "tests", "test functions", "test function", "test methods", "unit tests"), _TEST),
    **dict.fromkeys(("function", "functions", "method", "methods"), _FUNCTION),
    **dict.fromkeys(("class", "classes"), _CLASS),
    **dict.fromkeys(("view", "views", "view functions", "view function"), _VIEW),
    **dict.fromkeys(("struct", "structs", "enum", "enums"), _STRUCT),
}
_DEFINED = {
    "python": {"function": "def {}(a):\n    return a\n", "class": "class {}:\n    a = 1\n"},
    "javascript": {"function": "class Cart {{\n  {}() {{ return 1; }}\n}}\n", "class": "export class {} {{}}\n"},
    "java": {"function": "class Cart {{\n  int {}() {{ return 1; }}\n}}\n", "class": "class {} {{}}\n"},
    "php": {"function": "<?php\nfunction {}() {{ return 1; }}\n", "class": "<?php\nclass {} {{}}\n"},
    "rust": {"function": "pub fn {}() -> i32 {{ 1 }}\n", "class": "pub struct {};\n"},
}
_METHOD = {
    "python": "class {}:\n    def total(self):\n        return 1\n",
    "javascript": "class {} {{\n  total() {{ return 1; }}\n}}\n",
    "java": "class {} {{\n  public int total() {{ return 1; }}\n}}\n",
}
_SIGNS = {
    "python": {"function": r"^[ \t]*(?:async )?def (?:{})\(", "class": r"^class (?:{})\b"},
    "javascript": {"function": r"^\s+(?:async )?(?:{})\([^()]*\)[^;{{]*\{{", "class": r"\bclass (?:{})\b"},
    "java": {"function": r"\b(?:{})\([^()]*\)[^;{{]*\{{", "class": r"\bclass (?:{})\b"},
    "php": {"function": r"\bfunction (?:{})\(", "class": r"\bclass (?:{})\b"},
    "rust": {"function": r"\bfn (?:{})\b", "class": r"\b(?:struct|enum) (?:{})\b"},
}
_LISTED = frozenset({"dead_code", "unused", "unused_variables", "unused_imports", "unused_mut"})


def forbidden(language: str, name: str, arguments: str) -> Sample:
    """Code that carries a decorator, and code that does not."""
    marked = _mark(language, name, re.sub(r"\\(.)", r"\1", arguments))
    what = "function" if language in ("python", "rust", "php") else "class"
    plain = _DEFINED[language][what].format("total" if what == "function" else "Cart")
    last = re.escape(name.rpartition(".")[2])
    sign = rf"#!?\[[^\]\n]*\b{last}\b" if language in ("rust", "php") else rf"@(?:\w+\.)*{last}\b"
    return Sample(bad=_marked(language, marked, plain), good=plain, sign=sign)


def carried(language: str, carrier: Carrier, name: str) -> Sample:
    """A definition that lacks a decorator, and one that has it."""
    form = _METHOD[language] if carrier.of else _DEFINED[language][carrier.what]
    plain = form.format(carrier.sample)
    good = _marked(language, _mark(language, name, ""), plain, inside=carrier.what == "function")
    sign = rf"\bclass (?:{carrier.of})\b" if carrier.of else ""
    sign = sign or _SIGNS[language][carrier.what].format(carrier.names or r"(?!__)\w+")
    last = re.escape(re.split(r"[.:\\]+", name)[-1])
    return Sample(bad=plain, good=good, sign=rf"\A(?![\s\S]*\b{last}\b)[\s\S]*?(?:{sign})")


def _mark(language: str, name: str, arguments: str) -> str:
    given = f"({arguments})" if arguments else ""
    if language == "rust":
        listed = "allow({})" if name in _LISTED else "derive({})" if name[:1].isupper() else "{}"
        return f"#[{listed.format(name)}{given}]"
    return f"#[{name}{given}]" if language == "php" else f"@{name}{given}"


def _marked(language: str, mark: str, plain: str, *, inside: bool = False) -> str:
    if language == "php":
        return plain.replace("<?php\n", f"<?php\n{mark}\n", 1)
    if inside and plain.startswith("class"):
        first, _, rest = plain.partition("\n")
        return f"{first}\n{'    ' if language == 'python' else '  '}{mark}\n{rest}"
    return f"{mark}\n{plain}"

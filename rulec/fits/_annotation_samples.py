"""Code that states its types and code that does not, and types that say too little."""

from dataclasses import dataclass

from rulec.fits._code_rules import Sample

_DEF = r"^[ \t]*(?:async )?def \w+"
_NO_RETURN = rf"{_DEF}(?<!__init__)\((?:[^()]|\([^()]*\))*\)[ \t]*:"
_NO_TYPE = rf"{_DEF}\((?:(?:self|cls),\s*)?(?!self\b|cls\b)[a-z]\w*\s*(?:[,)=])"
REQUIRED: dict[str, dict[str, Sample]] = {
    "returns": {
        "python": Sample(
            bad="def total(rows: list):\n    return sum(rows)\n",
            good="def total(rows: list) -> int:\n    return sum(rows)\n",
            sign=_NO_RETURN,
        ),
        "typescript": Sample(
            bad="export function total(rows: number[]) {\n  return sum(rows);\n}\n",
            good="export function total(rows: number[]): number {\n  return sum(rows);\n}\n",
            sign=r"\bfunction \w+(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)\s*\{|\bconst \w+ = (?:async )?\([^()]*\)\s*=>",
        ),
        "php": Sample(
            bad="<?php\nfunction total(array $rows) { return sum($rows); }\n",
            good="<?php\nfunction total(array $rows): int { return sum($rows); }\n",
            sign=r"\bfunction (?!__)\w+\([^()]*\)\s*\{",
        ),
    },
    "parameters": {
        "python": Sample(
            bad="def total(rows) -> int:\n    return sum(rows)\n",
            good="def total(rows: list) -> int:\n    return sum(rows)\n",
            sign=_NO_TYPE,
        ),
        "typescript": Sample(
            bad="export function total(rows): number {\n  return sum(rows);\n}\n",
            good="export function total(rows: number[]): number {\n  return sum(rows);\n}\n",
            sign=r"\bfunction \w+\(\w+\s*[,)]|\bconst \w+ = (?:async )?\(\w+\s*[,)]",
        ),
        "php": Sample(
            bad="<?php\nfunction total($rows): int { return sum($rows); }\n",
            good="<?php\nfunction total(array $rows): int { return sum($rows); }\n",
            sign=r"\bfunction \w+\(\s*\$\w",
        ),
    },
    "both": {
        "python": Sample(
            bad="def total(rows):\n    return sum(rows)\n",
            good="def total(rows: list) -> int:\n    return sum(rows)\n",
            sign=rf"{_NO_RETURN}|{_NO_TYPE}",
        ),
        "typescript": Sample(
            bad="export function total(rows) {\n  return sum(rows);\n}\n",
            good="export function total(rows: number[]): number {\n  return sum(rows);\n}\n",
            sign=r"\bfunction \w+\((?:[^()]|\([^()]*\))*\)\s*\{|\bconst \w+ = (?:async )?\([^():]*\)\s*=>",
        ),
        "php": Sample(
            bad="<?php\nfunction total($rows) { return sum($rows); }\n",
            good="<?php\nfunction total(array $rows): int { return sum($rows); }\n",
            sign=r"\bfunction (?!__)\w+\([^()]*\)\s*\{|\bfunction \w+\(\s*\$\w",
        ),
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A type that says too little: how people name it, and code with and without it."""

    said: str
    language: str
    types: tuple[str, ...]
    bad: str
    good: str
    sign: str
    alone: bool = False  # it is known without its language
    exact: bool = False  # capitals tell it from another one


_WORD = r"(?:(?:the|explicit|implicit|an?) )*"
_KIND = r"`?(?: (?:types?|type annotations?|annotations?|keyword|in type hints|type hints?))?"
_OLD = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set", "FrozenSet": "frozenset", "Type": "type"}


def _python(name: str, good: str) -> Loose:
    return Loose(
        said=rf"{_WORD}`?(?:typing\.)?{name}(?:\[.*\])?{_KIND}",
        language="python",
        types=(name,),
        bad=f"def total(rows: {name}[int]) -> int:\n    return sum(rows)\n",
        good=f"def total(rows: {good}) -> int:\n    return sum(rows)\n",
        sign=rf"[:>\[|,]\s*(?:typing\.)?{name}\b",
        exact=True,
    )


# language, name, code with it, code without it, sign
_PLAIN = (
    ("typescript", "Function", "const run: Function = f;\n", "const run: () => void = f;\n", r":\s*Function\b"),
    ("typescript", "object", "const row: object = f();\n", "const row: Row = f();\n", r":\s*object\b"),
    ("typescript", "unknown", "const row: unknown = f();\n", "const row: Row = f();\n", r":\s*unknown\b"),
    ("go", "any", "package a\n\nfunc f(x any) {}\n", "package a\n\nfunc f(x Row) {}\n", r"\w any\b|\]any\b"),
    ("php", "mixed", "<?php\nfunction f(mixed $a) {}\n", "<?php\nfunction f(int $a) {}\n", r"\bmixed \$|: \??mixed\b"),
    ("java", "Object", "class A { Object row; }\n", "class A { Row row; }\n", r"\bObject \w+\s*[;=,)]"),
    (
        "java",
        "var",
        "class A { void f() { var a = g(); } }\n",
        "class A { void f() { B a = g(); } }\n",
        r"\bvar \w+\s*[=:]",
    ),
    ("cpp", "auto", "void f() { auto row = g(); }\n", "void f() { Row row = g(); }\n", r"\bauto[ &*]+\w+"),
)

FORBIDDEN = (
    Loose(
        said=rf"{_WORD}`?any`?(?: casts?)?{_KIND}",
        language="typescript",
        types=("any",),
        bad="const value: any = read();\n",
        good="const value: unknown = read();\n",
        sign=r"[:<|,]\s*any\b|\bas any\b",
        alone=True,
    ),
    Loose(
        said=rf"{_WORD}`?(?:typing\.)?Any{_KIND}",
        language="python",
        types=("Any",),
        bad="def total(rows: Any) -> int:\n    return sum(rows)\n",
        good="def total(rows: list[int]) -> int:\n    return sum(rows)\n",
        sign=r"[:>\[|,]\s*(?:typing\.)?Any\b",
        exact=True,
    ),
    *(_python(name, f"{new}[int]") for name, new in _OLD.items()),
    *(_python(name, "int | None") for name in ("Optional", "Union")),
    Loose(
        said=rf"{_WORD}`?(?:interface\{{\}}|empty interfaces?){_KIND}",
        language="go",
        types=("interface{}",),
        bad="package a\n\nfunc f(x interface{}) {}\n",
        good="package a\n\nfunc f(x Row) {}\n",
        sign=r"\binterface\{\}",
        alone=True,
    ),
    *(
        Loose(said=f"{_WORD}`?{name}{_KIND}", language=language, types=(name,), bad=bad, good=good, sign=sign)
        for language, name, bad, good, sign in _PLAIN
    ),
)

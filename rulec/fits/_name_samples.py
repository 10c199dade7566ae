"""Names that are asked for, and code that defines a good and a bad one."""

from dataclasses import dataclass

from rulec.fits._code_rules import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What is asked of the names of one kind, with a name that fails and one that passes."""

    what: str
    bad: str
    good: str
    style: str = ""
    must: str = ""
    never: str = ""


# Where a style is at home, when no language is named.
HOMES = {
    "snake_case": ("python", "ruby", "rust"),
    "camelCase": ("javascript", "java"),
    "PascalCase": ("python", "javascript", "java", "php"),
    "UPPER_CASE": ("python", "javascript", "java"),
}
TYPED = ("javascript", "java")  # where interfaces and types have names of their own
PLAIN = ("python", "javascript", "java")
_SPELLED = {
    "function": {"snake_case": "count_rows", "camelCase": "countRows", "PascalCase": "CountRows"},
    "class": {"snake_case": "cart_row", "camelCase": "cartRow", "PascalCase": "CartRow"},
    "variable": {"snake_case": "row_count", "camelCase": "rowCount", "PascalCase": "RowCount"},
    "constant": {"snake_case": "max_rows", "camelCase": "maxRows", "PascalCase": "MaxRows", "UPPER_CASE": "MAX_ROWS"},
}
_SHAPES = {
    "snake_case": r"[a-z]\w*_\w+",
    "camelCase": r"[a-z][a-z0-9]*[A-Z]\w*",
    "PascalCase": r"[A-Z]\w*[a-z]\w*",
    "UPPER_CASE": r"[A-Z][A-Z0-9_]+",
}
_OPPOSITE = {
    "snake_case": "camelCase",
    "camelCase": "snake_case",
    "PascalCase": "snake_case",
    "UPPER_CASE": "camelCase",
}
_DEFINED = {
    "python": {
        "function": "def {}(rows):\n    return rows\n",
        "class": "class {}:\n    rows = ()\n",
        "variable": "def run():\n    {} = read()\n    return {}\n",
        "constant": "{} = 10\n",
    },
    "javascript": {
        "function": "export function {}(rows) {{ return rows; }}\n",
        "class": "export class {} {{}}\n",
        "interface": "export interface {} {{ rows: number }}\n",
        "type": "export type {} = {{ rows: number }};\n",
        "variable": "const {} = read();\n",
        "constant": "export const {} = 10;\n",
    },
    "go": {
        "function": "package a\n\nfunc {}(rows int) int {{ return rows }}\n",
        "class": "package a\n\ntype {} struct{{}}\n",
        "interface": "package a\n\ntype {} interface{{}}\n",
        "variable": "package a\n\nfunc run() {{\n\t{} := read()\n\tuse({})\n}}\n",
        "constant": "package a\n\nconst {} = 10\n",
    },
    "java": {
        "function": "class Shop {{ int {}(int rows) {{ return rows; }} }}\n",
        "class": "class {} {{}}\n",
        "interface": "interface {} {{ int rows(); }}\n",
        "variable": "class Shop {{ void run() {{ int {} = read(); }} }}\n",
        "constant": "class Shop {{ static final int {} = 10; }}\n",
    },
    "ruby": {
        "function": "def {}(rows)\n  rows\nend\n",
        "class": "class {}\nend\n",
        "variable": "{} = read\n",
    },
    "php": {
        "function": "<?php\nfunction {}($rows) {{ return $rows; }}\n",
        "class": "<?php\nclass {} {{}}\n",
        "interface": "<?php\ninterface {} {{}}\n",
        "variable": "<?php\n${} = read();\n",
        "constant": "<?php\nconst {} = 10;\n",
    },
    "rust": {
        "function": "fn {}(rows: i32) -> i32 {{ rows }}\n",
        "class": "pub struct {};\n",
        "variable": "fn run() {{ let {} = read(); }}\n",
        "constant": "const {}: i32 = 10;\n",
    },
    "c": {"function": "int {}(int rows) {{ return rows; }}\n", "variable": "void run(void) {{ int {} = read(); }}\n"},
    "cpp": {
        "function": "int {}(int rows) {{ return rows; }}\n",
        "class": "class {} {{ int rows; }};\n",
        "variable": "void run() {{ int {} = read(); }}\n",
    },
    "bash": {"function": "{}() {{\n  echo 1\n}}\n"},
}
_SIGNS = {
    "function": (
        r"\b(?:def|func|function|fn)\s+(?:\([^)]*\)\s*)?(?:self\.)?{name}\s*[(<]|"
        r"\bconst\s+{name}\s*=\s*(?:async\s*)?\("
    ),
    "class": r"\b(?:class|struct)\s+{name}\b|\btype\s+{name}\s+struct\b",
    "interface": r"\b(?:interface|trait)\s+{name}\b",
    "type": r"\b(?:type|enum)\s+{name}\b",
    "variable": r"(?:^|\b(?:const|let|var|int|auto)|[\s$@]){name}\s*(?::[^=\n]*)?:?=(?![=>])",
    "constant": r"^(?:export\s+)?(?:const\s+)?{name}\s*(?::[^=\n]*)?=(?![=>])|\bfinal\s+\w+\s+{name}\s*=",
}


def styled(what: str, style: str, *, wanted: bool) -> Names:
    """Names in a style, or in any but it."""
    spelled = _SPELLED.get(what, _SPELLED["class"])
    mine, other = spelled.get(style, "MAX_ROWS"), spelled.get(_OPPOSITE[style], "maxRows")
    if wanted:
        return Names(what=what, style=style, bad=other, good=mine)
    return Names(what=what, never=_SHAPES[style], bad=mine, good=other)


def samples(names: Names) -> dict[str, Sample]:
    """Code that defines the two names, in each language that knows such names."""
    sign = _SIGNS[names.what].format(name=f"(?:{_failing(names)})")
    return {
        language: Sample(
            bad=forms[names.what].format(names.bad, names.bad),
            good=forms[names.what].format(names.good, names.good),
            sign=sign,
        )
        for language, forms in _DEFINED.items()
        if names.what in forms
    }


def _failing(names: Names) -> str:
    """A pattern of names that fail, as far as one can tell without the style's own rules."""
    if names.style:
        other = {"PascalCase": r"[a-z]\w*", "UPPER_CASE": r"[a-z]\w*"}.get(names.style)
        return other or _SHAPES[_OPPOSITE[names.style]]
    return names.never or rf"(?!(?:{names.must})\b)[A-Za-z]\w*"

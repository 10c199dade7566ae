"""Code that the words name: a call by its last name, a text or a constant by its own words."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_files import DEFINING, check, code_language, excluded_tests
from rulec.fits._code_moves import wrong_places
from rulec.fits._code_parts import call_texts, literals
from rulec.fits._code_placed import Wish, placed
from rulec.fits._pair import added
from rulec.fits._words import pieces, stem
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example, Scope
from rulec.model.transcript import Action

_AGAINST = re.compile(
    r"\b(?:not|no|never|without|avoid|stop|remove|drop|other way|alternative|why|instead|rather|should ?n[o']t|"
    r"do ?n[o']t|"
    r"does ?n[o']t|is ?n[o']t|would ?n[o']t|wo ?n[o']t|get rid|hard-?cod\w+)\b|n't\b",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b")
_LEAST_LITERAL = 3  # words of a text that is its own and not everybody's


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-call and forbid-text."""
    if clause.addressed == "work":
        yield from _called(clause, before, after)
        yield from _literal(clause, before, after)


def _called(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A phrase like "never eval that": the call by its last name, with the arguments that it was told by."""
    refused = {stem(word) for match in _REFUSED.finditer(clause.text) for word in re.findall(r"\w+", match["words"])}
    named = [term.text for term in clause.terms if term.kind in ("symbol", "path")]
    for action in before if refused else ():
        language = code_language(action.path, _CALLING)
        for name, arguments in call_texts(added(action)) if language else ():
            if stem(re.split(r"\.|::", name)[-1]) not in refused:
                continue
            told = [word for word in pieces(arguments) if len(word) > 5 and word not in _GENERAL]
            twins = [name, *_TWINS.get(name, ())]
            narrow = rf"(?is).*(?:{'|'.join(map(re.escape, told))})" if told else ""
            given = {"functions": twins, **({"arguments": narrow} if narrow else {})}
            sign = re.compile(
                rf"{re.escape(name)}\s*\([^()]*{narrow.removeprefix('(?is).*') if narrow else ''}", re.IGNORECASE
            )
            spared = tuple(f"{one.rpartition('/')[2].partition('.')[0]}.*" for one in named)
            checks = (check("forbid-call", language, **given),)
            yield from placed(
                Wish(checks=checks, sign=sign, because=f"{name}() is named", spared=spared), before, after
            )


_REFUSED = re.compile(
    r"(?:\bdo ?n['o]?t|\bdont|\bnever|\bno more|\bstop|\bwithout|\bnot)\s+(?:(?:use|do|doing|using|call|calling|"
    r"a|an|the|any) )*"
    r"(?P<words>\w+)\b",
    re.IGNORECASE,
)
_CALLING = ("python", "javascript", "go", "java", "ruby", "php", "rust")
_GENERAL = table("folder directory filename string context default buffer source target result return options config")
_TWINS = {"filepath.Join": ("path.Join",), "path.Join": ("filepath.Join",), "os.path.join": ("posixpath.join",)}


def stated(clause: Clause) -> Iterator[Draft]:
    """A statement like "parseDate belongs in dates.ts, not in view.ts"."""
    named = [
        term.text.removesuffix("()") for term in clause.terms if term.kind == "symbol" and term.text.isidentifier()
    ]
    for wrong in wrong_places(clause):
        language = code_language(wrong, DEFINING)
        form = _DEFINITION.get(language, "")
        names = [name for name in named if not any(name in term.text for term in clause.terms if term.kind == "path")]
        if form and names[:1]:
            name = rf"{re.escape(names[0])}$"
            yield Draft(
                checks=(check("forbid-definition", language, names=name),),
                invalid=(Example(kind="file", path=wrong, text=form.format(names[0])),),
                valid=(Example(kind="file", path=wrong, text=form.format("runAll")),),
                scope=Scope(include=(wrong,)),
                because=f"{wrong} is named as the wrong place of {names[0]}",
            )


_DEFINITION = {
    "go": "package a\n\nfunc {}(a string) string {{\n\treturn a\n}}\n",
    "python": "def {}(a):\n    return a\n",
    "javascript": "export function {}(a) {{ return a; }}\n",
    "java": "class A {{ int {}(int a) {{ return a; }} }}\n",
    "ruby": "def {}(a)\n  a\nend\n",
    "rust": "fn {}(a: i32) -> i32 {{ a }}\n",
}


def _literal(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A text or a constant that the words name and the offence put into a file: not in its neighbours either."""
    if not _AGAINST.search(clause.text):
        return
    quoted = [term.text for term in clause.terms if term.kind == "code" and len(term.text.split()) >= _LEAST_LITERAL]
    wanted = " ".join((*clause.preferred, clause.when))
    named = [name for name in _CAPITALS.findall(clause.text) if name not in wanted]
    for action in before:
        if "/" not in action.path:
            continue
        text = added(action)
        cores = [core for one in literals(text) for other in quoted if (core := _core(one, other))]
        for core in dict.fromkeys([*cores, *(name for name in named if re.search(rf"\b{name}\b", text))]):
            pattern = rf"(?m)^(?![ \t]*(?://|#|/?\*)).*\b{re.escape(core)}\b"
            globs = [f"{action.path.rpartition('/')[0]}/*.{action.path.rpartition('.')[2]}"]
            given = {"patterns": [pattern], "globs": globs, "except": list(excluded_tests(action.path))}
            checks = (
                Check(kind="semgrep", template="forbid-text", parameters=given),
                Check(kind="guard", template="forbid-text", parameters=given),
            )
            folder = action.path.rpartition("/")[0]
            wish = Wish(checks=checks, sign=re.compile(pattern), because=f"{core!r} is named", include=(f"{folder}/",))
            yield from placed(wish, before, after)


def _core(one: str, other: str) -> str:
    """The words at the start that a text of the code shares with a quoted one, if they are enough to know it by."""
    first, second = re.findall(r"\w+", one), re.findall(r"\w+", other)
    shared = next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    if shared < _LEAST_LITERAL:
        return ""
    found = re.search(r"\W+".join(map(re.escape, first[:shared])), one)
    return found[0] if found else ""

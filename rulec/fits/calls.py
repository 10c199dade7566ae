"""Functions that code is not to call."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._languages import HOME, homes
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._words import conditional, kin, language_of, languages_said, stem, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_CALL = re.compile(r"(?<![\w.])(?P<name>[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)*!?)\s*\(")
_DEFINED = re.compile(r"\b(?:def|func|function|fn|class|async|if|for|while|switch|return|catch)\s+$")
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*|(?m:^\s*#[^\n]*)")
_KEYWORDS = table(
    "if for while switch return catch func function def class print_function sizeof typeof await in not and or"
)
_ENDING = {
    "python": "py",
    "javascript": "js",
    "go": "go",
    "java": "java",
    "rust": "rs",
    "php": "php",
    "ruby": "rb",
    "typescript": "ts",
}
_FRAME = {
    "go": "package main\n\nfunc run() {{\n\t{}\n}}\n",
    "java": "class A {{\n  void run() {{\n    {};\n  }}\n}}\n",
    "rust": "fn run() {{\n    {};\n}}\n",
    "php": "<?php\n{};\n",
    "python": "def run():\n    {}\n",
    "ruby": "{}\n",
}


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of prefer-call where the words name the call to write, and of forbid-call."""
    if (
        clause.polarity not in ("forbid", "prefer")
        or conditional(clause)
        or not (clause.forbidden or clause.polarity == "forbid")
    ):
        return
    names = named_calls(clause)
    if not before:
        yield from _stated(clause, names)
        return
    for action in before:
        language = language_of(action.path)
        for call in called(added(action)) if language else ():
            if call.lower() in names:
                yield from _from_pair(call, language, _wanted(clause), before, after)


def named_calls(clause: Clause) -> list[str]:
    """Calls that the clause may name: "console logs", `print()`, "print statements"."""
    wanted = " ".join(clause.preferred)
    exact = [t.text for t in clause.terms if t.kind in ("symbol", "code") and t.text not in wanted]
    spoken = [
        re.sub(r"\s+(?:statements?|calls?|functions?|lines?|debugging)$", "", thing.lower()) for thing in things(clause)
    ]
    names = [re.sub(r"\(.*", "", text).strip().lower() for text in (*exact, *spoken)]
    dotted = [".".join((*name.split()[:-1], stem(name.split()[-1]))) for name in names if len(name.split()) == 2]
    names += [found["name"] for name in names if (found := _PLAINLY.match(name))]
    names += [clause.verb] if clause.polarity == "forbid" and not things(clause) else []  # "don't panic in there"
    single = [stem(name) for name in names if name.isalpha()]
    return list(dict.fromkeys(name for name in (*names, *dotted, *single) if re.fullmatch(r"[\w$.:!]+", name)))


_PLAINLY = re.compile(
    r"(?:(?:raw|bare|plain|direct|manual|native|naked|stray|random|inline|global|ad-?hoc|hand-?written|any) )+"
    r"(?P<name>[\w$.:!]+)$"
)


def called(text: str) -> list[str]:
    """The names of all calls in a text; strings, comments and definitions are left out."""
    bare = _STRING.sub('""', text)
    found = [m["name"] for m in _CALL.finditer(bare) if not _DEFINED.search(bare[max(0, m.start() - 12) : m.start()])]
    return list(dict.fromkeys(name for name in found if name not in _KEYWORDS))


def _wanted(clause: Clause) -> str:
    """The call that the person wants instead, where it is written as one."""
    exact = [term.text for term in clause.terms if term.kind in ("symbol", "code")]
    for said in clause.preferred:
        text = said.strip("`'\" ")
        if (text in exact or text in HOME or re.match("[A-Z][a-z]", text)) and _CALLABLE.fullmatch(text):
            return text.removesuffix("()")
    return ""


_CALLABLE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_]\w*)*!?(?:\(\))?")


def _from_pair(
    name: str, language: str, wanted: str, before: Sequence[Action], after: Sequence[Action]
) -> Iterator[Draft]:
    def caught(action: Action) -> bool:
        return language_of(action.path) in kin(language) and name in called(added(action))

    yield from draft_from_pair(
        _checks(name, kin(language), wanted),
        caught,
        before,
        after,
        kinds=("write", "edit"),
        because=f"{name}() was called before the person spoke and not afterwards",
    )


def _stated(clause: Clause, names: list[str]) -> Iterator[Draft]:
    said = languages_said(clause.text)
    unwanted = " ".join(things(clause))
    exact = [
        re.sub(r"\(.*", "", term.text)
        for term in clause.terms
        if term.text in unwanted and (term.text.endswith(")") or (term.kind == "symbol" and clause.verb == "call"))
    ]
    for name in names:
        known = next((call for call in (*HOME, *exact) if call.lower() == name), name)
        languages = said[:1] or homes(known)
        if not languages or (known not in HOME and known not in exact):
            continue
        samples = [(f"src/sample.{_ENDING.get(one, one)}", _FRAME.get(one, "{};\n")) for one in languages]
        yield Draft(
            checks=tuple(check for one in languages for check in _checks(known, kin(one), _wanted(clause))),
            invalid=tuple(
                Example(kind="file", path=path, text=form.format(f"{known}(value)")) for path, form in samples
            ),
            valid=tuple(Example(kind="file", path=path, text=form.format("other(value)")) for path, form in samples),
            because="the statement names the call",
        )


def _checks(name: str, languages: tuple[str, ...], wanted: str = "") -> tuple[Check, ...]:
    template, given = (
        ("prefer-call", {"from": [name], "to": wanted}) if wanted else ("forbid-call", {"functions": [name]})
    )
    return tuple(
        Check(kind="semgrep", template=template, parameters={**given, "language": one})
        for one in languages
        if one != "typescript"  # its checks are those of JavaScript
    )


PLUG = Fit(name="calls", fit=fit)

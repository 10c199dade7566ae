"""Values that code is not to spell out: addresses, colours, paths of one machine, numbers without a name."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulec.fits import _literal_styles
from rulec.fits._code_files import (
    about_tests,
    check,
    code_language,
    endings,
    excluded_tests,
    is_test,
    path_of,
    said_languages,
)
from rulec.fits._literal_sorts import Sort, said, stands
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._words import conditional, kin
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

# Where such values have their home.
_PLACES = ("*config*", "*settings*", "*constants*", "*theme*", "*tokens*", "*defaults*", "fixtures/", "examples/")
_TESTS = ("tests/", "test/", "__tests__/", "spec/", "*_test.*", "test_*", "*.test.*", "*.spec.*")
_USUAL = ("python", "javascript", "go", "java")  # where the words name no language
_FRAMES = {
    "python": "def run():\n    call({})\n",
    "javascript": "export function run() {{\n  call({});\n}}\n",
    "go": "package main\n\nfunc run() {{\n\tcall({})\n}}\n",
    "java": "class A {{\n  void run() {{\n    call({});\n  }}\n}}\n",
    "ruby": "def run\n  call({})\nend\n",
    "php": "<?php\ncall({});\n",
    "rust": "fn run() {{\n    call({});\n}}\n",
    "c": "void run(void) {{ call({}); }}\n",
    "cpp": "void run() {{ call({}); }}\n",
}


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-literal."""
    if clause.polarity == "require" or conditional(clause):
        return
    for sort in said(clause):
        if before:
            yield from _from_pair(clause, sort, before, after)
            yield from _literal_styles.from_pair(before, after) if sort.colour else ()
        elif sort.colour and _literal_styles.SAID.search(clause.text):
            yield _literal_styles.stated()
        else:
            yield _stated(clause, sort)


def _from_pair(clause: Clause, sort: Sort, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """The narrower check first, which lets a value stand where it is given a name."""
    languages = dict.fromkeys(code_language(action.path, tuple(_FRAMES)) for action in before)
    for language, named in ((one, named) for one in languages if one for named in (True, False)):

        def caught(action: Action, language: str = language, *, named: bool = named) -> bool:
            return code_language(action.path, tuple(_FRAMES)) == language and stands(sort, added(action), named=named)

        because = "such a value was written out before the person spoke and not afterwards"
        checks = (_check(clause, sort, language, named=named, free=[]),)
        for draft in draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=because):
            free = _spared(clause, draft.invalid[0].path)
            yield replace(draft, checks=(_check(clause, sort, language, named=named, free=free),))


def _check(clause: Clause, sort: Sort, language: str, *, named: bool, free: list[str]) -> Check:
    given: dict[str, Any] = {"numbers" if sort.number else "texts": [sort.pattern]}
    if named or sort.number:
        given["named"] = True
    if clause.preferred:
        given["instead"] = clause.preferred[0]
    return check("forbid-literal", language, **{**given, "except": free})


def _stated(clause: Clause, sort: Sort) -> Draft:
    spoken = (one for language in said_languages(clause.text) for one in kin(language)[:1] if one in _FRAMES)
    languages = tuple(dict.fromkeys(spoken)) or _USUAL
    value = sort.sample if sort.number else f'"{sort.sample}"'
    return Draft(
        checks=tuple(_check(clause, sort, one, named=True, free=_spared(clause)) for one in languages),
        invalid=tuple(Example(kind="file", path=path_of(one), text=_FRAMES[one].format(value)) for one in languages),
        valid=tuple(
            Example(kind="file", path=f"src/other.{endings(one)[0]}", text=_FRAMES[one].format("value"))
            for one in languages
        ),
        because="the statement names a sort of value",
    )


def _spared(clause: Clause, offence: str = "") -> list[str]:
    """Tests, and where such values have their home, unless the person speaks of them or just refused one there."""
    tests = () if is_test(offence) or about_tests(clause) else (*_TESTS, *excluded_tests(offence))
    places = (place for place in _PLACES if place.strip("*/") not in offence)
    return list(dict.fromkeys((*tests, *places)))


PLUG = Fit(name="literals", fit=fit, any_clause=True)

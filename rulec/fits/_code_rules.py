"""Drafts of checks on code in several languages: what a person stated, or what a pair shows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulec.fits._code_files import (
    about_tests,
    check,
    code_language,
    endings,
    excluded_tests,
    is_test,
    said_languages,
    tests_of,
)
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._words import LANGUAGES, SPOKEN, kin
from rulec.language import Clause, place
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example, Scope
from rulec.model.transcript import Action

_IN = re.compile(
    r"\b(?:in|inside|under|within|below) (?:the |our |any |all )?[`'\"]?(?P<where>[\w.@-]+(?:/[\w.@*-]+)*/?)[`'\"]?"
)
_EXCEPT = re.compile(r"\b(?:outside|except|excluding|other than|apart from|aside from|not in)\b", re.IGNORECASE)
_C = re.compile(r"\b(?:in|for|of|our|all) C\b(?![+#\w])|\bC (?:code|files?|functions?|sources?)\b")
_NO_PLACE = frozenset((*LANGUAGES, *SPOKEN)) | table(
    "go react vue angular component components module modules file files signatures code codebase repo repository "
    "project new function functions method methods class classes name names variable variables interface "
    "interfaces type types python3 this general here every each all public exported shell bash scripts order case "
    "style signature signatures snake_case camelcase pascalcase upper_case kebab-case screaming_snake_case snake "
    "camel pascal kebab lower lowercase upper uppercase capitals"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """How code of one language fails a check and how it passes; ``sign`` tells the failing form in other texts."""

    bad: str
    good: str
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a person asks of code: one check in each language that they may mean."""

    template: str
    samples: Mapping[str, Sample]
    because: str
    said: tuple[str, ...] = ()  # the languages that were named
    homes: tuple[str, ...] = ()  # those that are meant where none was
    given: Mapping[str, Any] = field(default_factory=dict)
    by_language: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tests: bool = True  # whether it holds for tests, too
    inside: tuple[str, ...] = ()

    def check(self, language: str) -> Check:
        """The check in one language."""
        return check(self.template, language, **self.given, **self.by_language.get(language, {}))

    def languages(self) -> list[str]:
        """Those of its languages that the words leave, in a fixed order."""
        said = {one for language in self.said for one in (language, *kin(language))}
        meant = said or set(self.homes)
        return [language for language in self.samples if language in meant]


def named_languages(text: str) -> tuple[str, ...]:
    """The languages that a person names; one letter is one only where it stands as such."""
    return (*said_languages(text), *(("c",) if _C.search(text) else ()))


def drafts(
    asked: Sequence[Asked], clause: Clause, before: Sequence[Action], after: Sequence[Action]
) -> Iterator[Draft]:
    """The drafts for what was asked in one breath; none where it holds in a place that no path shows."""
    inside = place_of(clause)
    if inside is None:
        return
    asked = [replace(one, tests=one.tests or about_tests(clause), inside=inside or one.inside) for one in asked]
    if before:
        for one in asked:
            yield from _paired(one, before, after)
    elif any(one.languages() for one in asked):
        yield _stated(asked)


def place_of(clause: Clause) -> tuple[str, ...] | None:
    """Globs of the places that the clause names, () for everywhere; None where no path shows one, or it is spared."""
    found: list[str] = []
    if _EXCEPT.search(clause.text):
        return None
    for match in _IN.finditer(clause.text):
        word = match["where"].rstrip(".")
        if word.lower() in _NO_PLACE:
            continue
        globs = place(replace(clause, when=f"in {word}"))
        if globs is None:
            return None
        found += globs
    return tuple(dict.fromkeys(found))


def _stated(asked: Sequence[Asked]) -> Draft:
    each = [(one, language) for one in asked for language in one.languages()]
    free = tuple(dict.fromkeys(glob for one, language in each if not one.tests for glob in tests_of(language)))
    inside = asked[0].inside
    return Draft(
        checks=tuple(one.check(language) for one, language in each),
        invalid=tuple(_example(one, language, one.samples[language].bad, "sample") for one, language in each),
        valid=tuple(_example(one, language, one.samples[language].good, "other") for one, language in each),
        scope=Scope(include=inside) if inside else Scope(exclude=free),
        because=asked[0].because,
    )


def _example(asked: Asked, language: str, text: str, name: str) -> Example:
    folder = next((glob for glob in asked.inside if glob.endswith("/")), "" if asked.inside else "src/")
    only = next((glob for glob in asked.inside if not folder and "*" not in glob), "")
    return Example(kind="file", path=only or f"{folder}{name}.{endings(language)[0]}", text=text)


def _paired(asked: Asked, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    meant = set(asked.languages()) if asked.said else set(asked.samples)
    found = dict.fromkeys(code_language(action.path, asked.samples) for action in before)
    for language in (one for one in found if one in meant and asked.samples[one].sign):
        sign = re.compile(asked.samples[language].sign, re.MULTILINE)

        def caught(action: Action, language: str = language, sign: re.Pattern[str] = sign) -> bool:
            free = is_test(action.path) and not asked.tests
            same = code_language(action.path, asked.samples) == language
            return same and not free and bool(sign.search(added(action)))

        checks = (asked.check(language),)
        for draft in draft_from_pair(
            checks, caught, before, after, kinds=("write", "edit"), because=f"{asked.because}, and so does the pair"
        ):
            tests = () if asked.tests else excluded_tests(draft.invalid[0].path)
            yield replace(draft, scope=Scope(include=asked.inside) if asked.inside else Scope(exclude=tests))

"""Constructs of code that are not wanted: chains of else-if, default exports, many returns, swallowed errors."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits import _code_copies, _code_moves, _code_names, _code_rivals, _shape_sizes
from rulec.fits._code_files import (
    FRAMES,
    about_tests,
    apart,
    check,
    code_language,
    endings,
    excluded_tests,
    is_test,
    near,
    path_of,
    said_languages,
    tests_of,
)
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._shape_said import ABOUT_TESTS, names_something, refuses, unwanted_in
from rulec.fits._shape_samples import SAMPLES
from rulec.fits._shape_words import SHAPES, Shape
from rulec.fits._words import conditional, kin
from rulec.language import Clause, where
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example, Scope
from rulec.model.transcript import Action
from rulec.ports import Fit

_PRINTING = ("print", "print-to-stderr")
_PLACE = re.compile(r"(?:in|inside|within|outside|except)\b", re.IGNORECASE)
_OF_TESTS = ("contains-assertion", "test-double")
_USUAL = ("python", "javascript", "typescript", "go", "java", "rust")  # where the words name no language


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-shape, of the limits of functions and files, and of code that stands in the wrong place."""
    if not conditional(clause):
        yield from _shapes(clause, before, after)
        yield from _code_copies.fit(clause, before, after)
        yield from _shape_sizes.fit(clause, before, after)
        if before:
            yield from _code_moves.fit(clause, before, after)
            yield from _code_names.fit(clause, before, after)
        else:
            yield from _code_names.stated(clause)
        yield from _code_rivals.stated(clause)


def _shapes(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    for shape in SHAPES if names_something(clause) else ():
        if not unwanted_in(shape, clause) or (
            shape.name == "contains-assertion" and not ABOUT_TESTS.search(clause.text)
        ):
            continue
        if before:
            yield from _from_pair(shape, clause, before, after)
        elif draft := _stated(shape, clause):
            yield draft


def _from_pair(shape: Shape, clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    languages = dict.fromkeys(code_language(action.path, shape.languages) for action in before)
    for language in (one for one in languages if one):

        def caught(action: Action, language: str = language) -> bool:
            return code_language(action.path, shape.languages) == language and shape.seen(added(action))

        for draft in draft_from_pair(
            (_check(shape, language),),
            caught,
            before,
            after,
            kinds=("write", "edit"),
            because=f"{shape.name} is what was written before the person spoke and not afterwards",
        ):
            offence = draft.invalid[0].path
            tests = shape.name in _OF_TESTS or (about_tests(clause) and is_test(offence))
            around = near(offence, clause) if shape.name == "sleep-loop" else ("**",)
            include = tests_of(language) if tests else around
            yield Draft(
                checks=draft.checks,
                invalid=draft.invalid,
                valid=draft.valid,
                because=draft.because,
                scope=Scope(include=include, exclude=_excluded(shape, offence)),
            )


def _check(shape: Shape, language: str) -> Check:
    template, given = shape.given(language)
    return check(template, language, **given)


def _excluded(shape: Shape, offence: str = "") -> tuple[str, ...]:
    """Where the construct may stand: its own place, unless the person just refused it there."""
    tests = excluded_tests(offence) if shape.name == "sleep-loop" else ()
    return tuple(dict.fromkeys((*apart(shape.excluded, offence), *tests)))


def _stated(shape: Shape, clause: Clause) -> Draft | None:
    if shape.name in _PRINTING and ("stderr" in clause.text.lower()) != (shape.name == "print-to-stderr"):
        return None
    if _PLACE.match(clause.when) and not said_languages(clause.text) and where(clause) is None:
        return None
    said = tuple(one for language in said_languages(clause.text) for one in kin(language))
    meant = said or (_USUAL if len(SAMPLES[shape.name]) > 1 else tuple(SAMPLES[shape.name]))
    samples = {one: text for one, text in SAMPLES[shape.name].items() if one in meant}
    if not samples or (clause.polarity == "require" and not clause.forbidden and not refuses(clause)):
        return None
    test = shape.name in _OF_TESTS or about_tests(clause)
    every = tuple(dict.fromkeys(glob for language in samples for glob in tests_of(language)))
    return Draft(
        checks=tuple(_check(shape, language) for language in samples),
        invalid=tuple(
            Example(kind="file", path=path_of(language, test=test), text=text) for language, text in samples.items()
        ),
        valid=tuple(
            Example(kind="file", path=f"src/other.{endings(language)[0]}", text=FRAMES[language])
            for language in samples
        ),
        scope=Scope(include=every) if test else Scope(exclude=_excluded(shape)),
        because=f"the statement names the construct: {shape.name}",
    )


PLUG = Fit(name="shapes", fit=fit, any_clause=True)

"""Layers of a program by the words that people have for them: "in the controllers" -> the files that are called so."""

import re

from rulec.language.terms import table

_LAYERS = table(
    "controller view route router handler service repository model component hook middleware serializer resolver store "
    "reducer template job worker schema adapter presenter policy mailer helper entity dto gateway usecase page screen "
    "widget fixture factory endpoint"
)
_LANGUAGES = table(
    "python javascript typescript js ts go golang java kotlin ruby php rust swift scala dart c# csharp elixir sql css "
    "scss html markdown yaml json bash shell dockerfile dockerfiles terraform graphql"
)
_UI = table("react vue svelte angular ui frontend")
_ADJECTIVES = 2  # words before the layer's own


def layer(phrase: str) -> tuple[str, ...] | None:
    """Globs of the layer that a phrase names, () for a language alone, which narrows nothing; None for other words."""
    words = re.findall(r"[A-Za-z#]+", phrase.lower())
    if not words or len(words) > _ADJECTIVES + 1 or not re.fullmatch(r"[A-Za-z# -]+", phrase):
        return None
    if words[0] in _LANGUAGES:
        return ()
    one = _single(words[-1])
    if one in _TESTS and not phrase.endswith(("folder", "directory")):
        return TESTS
    if one not in _LAYERS:
        return _by_name(words, one)
    if one == "component" and words[0] in _UI:
        return ("components/", "*.jsx", "*.tsx", "*.vue", "*.svelte")
    many, head = _plural(one), one.capitalize()
    return (
        *(f"{many}/", f"{many.capitalize()}/", f"{many}.*", f"*{head}.*", f"*{many.capitalize()}.*"),
        *(f"*_{one}.*", f"*_{many}.*", f"*.{one}.*", f"*-{one}.*"),
    )


def _by_name(words: list[str], one: str) -> tuple[str, ...] | None:
    """Files that are called by the last of several words: "provider watchers" are in files like src/watcher.go."""
    if len(words) == 1 or len(one) < _TELLING or one in _EVERYDAY:
        return None
    root = one.removesuffix("er") if len(one) > _TELLING + 1 else one
    return tuple(
        f"{lead}*{name}*{tail}" for name in (root, root.capitalize()) for lead, tail in (("", ""), ("**/", "/**"))
    )


_TELLING = 5  # letters of a word that tells files from others
_EVERYDAY = table(
    "function method class loop line statement block production future place order time name sentence paragraph prose "
    "title summary answer session request response comment message description return value string number case body "
    "argument parameter variable project program system application environment repository language version history"
)
TESTS = ("test/", "tests/", "__tests__/", "spec/", "test_*", "*_test.*", "*.test.*", "*.spec.*", "*_spec.rb")
_TESTS = table("test spec testsuite")


def _single(word: str) -> str:
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _plural(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"

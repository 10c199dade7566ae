"""Files of code: their language, their tests, their neighbours."""

import re
from collections.abc import Collection
from typing import Any

from rulec.fits._words import LANGUAGES, language_of, languages_said, stem, stems
from rulec.language import Clause
from rulec.model.rule import Check
from rulec.runtime.globs import match

FRAMES = {
    "python": "value = compute()\n",
    "javascript": "const value = compute();\n",
    "typescript": "const value = compute();\n",
    "go": "package a\n\nfunc run() {\n\tcompute()\n}\n",
    "java": "class A { void run() { compute(); } }\n",
    "ruby": "value = compute\n",
    "php": "<?php\ncompute();\n",
    "rust": "fn run() {\n    compute();\n}\n",
    "c": "void run(void) { compute(); }\n",
    "cpp": "void run() { compute(); }\n",
    "bash": "make build\n",
}
DEFINING = ("python", "javascript", "go", "java", "ruby", "rust")  # whose definitions a check can read
_TESTS = {
    "python": ("tests/", "test_*.py", "*_test.py", "conftest.py"),
    "javascript": ("*.test.*", "*.spec.*", "__tests__/", "test/", "tests/"),
    "go": ("*_test.go", "testdata/", "testutil/"),
    "java": ("src/test/", "*Test.java", "*Tests.java"),
    "ruby": ("spec/", "test/", "*_spec.rb", "*_test.rb"),
    "php": ("tests/", "*Test.php"),
    "rust": ("tests/", "benches/"),
}
_IS_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|e2e)/|(?:^|/)test_[^/]*$|(?:_test|_spec|\.test|\.spec|Tests?)\.\w+$"
)
_SAMPLE_OF_TEST = {
    "python": "tests/test_a.py",
    "javascript": "src/a.test.js",
    "typescript": "src/a.test.ts",
    "go": "src/a_test.go",
    "java": "src/test/ATest.java",
    "php": "tests/ATest.php",
}


_GO = re.compile(r"\b(?:in|for|our|of) Go\b|\bGo (?:code|files?|packages?|tests?)\b")


def said_languages(text: str) -> tuple[str, ...]:
    """The languages that a person names; "go" is more often a verb, and "Go" after "in" is not."""
    return tuple(dict.fromkeys((*languages_said(text), *(("go",) if _GO.search(text) else ()))))


def check(template: str, language: str, **parameters: Any) -> Check:
    """A Semgrep check of one language."""
    return Check(kind="semgrep", template=template, parameters={**parameters, "language": language})


def code_language(path: str, known: Collection[str]) -> str:
    """The language of a file as a check calls it, "" where the check does not read it."""
    language = language_of(path)
    if language in known:
        return language
    return "javascript" if language == "typescript" and "javascript" in known else ""


def endings(language: str) -> tuple[str, ...]:
    """How files of the language end; what is said of JavaScript holds for TypeScript."""
    more = LANGUAGES["typescript"] if language == "javascript" else ()
    return (*LANGUAGES[language], *more)


def is_test(path: str) -> bool:
    """Whether the file is one of tests."""
    return bool(_IS_TEST.search(path))


def excluded_tests(offence: str) -> tuple[str, ...]:
    """The tests of the offence's language, unless it was one itself."""
    return () if is_test(offence) else tests_of(language_of(offence))


def apart(globs: tuple[str, ...], offence: str) -> tuple[str, ...]:
    """Those of the globs that do not name the very place that was refused."""
    return tuple(one for one in globs if not match((one,), offence))


def tests_of(language: str) -> tuple[str, ...]:
    """Where the tests of a language stand."""
    return _TESTS.get("javascript" if language == "typescript" else language, ())


def path_of(language: str, *, test: bool = False) -> str:
    """A path for a made example."""
    return _SAMPLE_OF_TEST.get(language, "") if test and language in _SAMPLE_OF_TEST else f"src/a.{_ending(language)}"


def _ending(language: str) -> str:
    return "tsx" if language in ("javascript", "typescript") else LANGUAGES[language][0]


def about_tests(clause: Clause) -> bool:
    """Whether the words are about tests."""
    return bool(
        re.search(
            r"(?<!outside )\b(?:in|for|inside|within|of) (?:the |our |any |unit |all )*(?:tests?|specs?)\b", clause.text
        )
    )


def near(path: str, clause: Clause) -> tuple[str, ...]:
    """Where the neighbours of a file live: the folder that the words name, or its own and files of its name."""
    *folders, name = path.split("/")
    said = stems(clause.text)
    for depth in range(len(folders), 0, -1):
        if stem(folders[depth - 1]) in said and folders[depth - 1] not in ("src", "lib", "pkg", "app"):
            return ("/".join(folders[:depth]) + "/",)
    own = ("/".join(folders) + "/*." + name.rpartition(".")[2],) if folders else (name,)
    return (*own, name) if folders and name.partition(".")[0] not in _COMMON else own


_COMMON = frozenset({"main", "index", "__init__", "mod", "lib", "app", "utils", "util", "types", "common"})

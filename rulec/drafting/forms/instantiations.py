"""A template with the parameters that a sentence gives it, in each language that the sentence may be about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulec.domain.files import languages
from rulec.domain.files.languages import language_of
from rulec.domain.rule import Scope
from rulec.domain.template import SentenceForm, Template
from rulec.language.words import word_table

# Names that are everybody's in one language, whatever the project; the first part of dotted ones is enough.
_HOMES = {
    "python": "print exec eval input breakpoint pprint os sys time datetime subprocess random json pickle logging pdb re Any "
    "Optional assert typing requests unittest pytest collections functools itertools pathlib asyncio shutil tempfile",
    "javascript": "console alert eval fetch setTimeout setInterval process document window localStorage Math JSON Date "
    "Object require debugger lodash moment axios jquery useEffect forEach == innerHTML dangerouslySetInnerHTML",
    "typescript": "any unknown object @ts-ignore @ts-expect-error enum namespace",
    "go": "fmt log panic ioutil interface{} errors context", "java": "System Thread printStackTrace Lombok",
    "ruby": "puts binding pp byebug", "php": "var_dump print_r dd die", "rust": "println! dbg! unwrap expect unsafe todo! panic!",
    "c": "strcpy gets sprintf malloc goto", "cpp": "std::cout std",
}  # fmt: skip


# Dotted names that are read, and never called.
ATTRIBUTES = word_table("process.env os.environ import.meta.env sys.argv sys.path window.location document.cookie")


TESTS = (
    "tests/", "test/", "__tests__/", "spec/", "e2e/", "testdata/", "*.test.*", "*.spec.*", "*_test.*", "*_spec.*", "test_*.*",
    "*Test.*", "*Tests.*", "conftest.py",
)  # fmt: skip
INLINE = ("rust",)  # languages whose tests stand in the very files that they test


_DOCS = ("docs", "documentation")


def kind_endings(word: str) -> tuple[str, ...]:
    """Globs of the files that people mean by the name of a language or of another kind of file."""
    if word.casefold() in _DOCS:
        return tuple(glob for kind in ("markdown", "rst") for glob in languages.globs_of(kind))
    return tuple(languages.globs_with_covered(language_of(word)))


def language_named(word: str) -> str:
    """The language of that name or file ending that check templates know, "" where it is none."""
    language = language_of(word)
    return language if language in languages.CHECKED else ""


def globs_of_language(language: str) -> tuple[str, ...]:
    """Globs of the files of a language that check templates know, with those that are meant with it."""
    return tuple(languages.globs_with_covered(language)) if language in languages.CHECKED else ()


def languages_of_name(name: str) -> tuple[str, ...]:
    """The languages in which everybody knows this name, or whose names alone have this form."""
    first = name.partition("/")[0]
    if first != name:
        return ("go",) if "." in first else ("javascript", "typescript") if first[:1] == "@" else ("javascript", "go", "ruby")  # fmt: skip
    root = name.split(".", maxsplit=1)[0] or name.lstrip(".")
    return tuple(language for language, names in _HOMES.items() if {name, name.lstrip("."), root} & set(names.split()))


@dataclass(frozen=True, slots=True)
class RepositoryProfile:
    """A repository's languages, the most used first, and the packages that it names."""

    languages: tuple[str, ...] = ()
    packages: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Instantiation:
    """A template with the parameters that a sentence gives it."""

    template: Template
    parameters: Mapping[str, Any]
    scope: Scope = field(default_factory=Scope)
    do: str = ""
    not_checked: tuple[str, ...] = ()
    text: str = ""  # the sentence
    form: SentenceForm = field(default_factory=lambda: SentenceForm(say=""))
    others: tuple[str, ...] = ()  # further languages in which the same is checked
    each: str = ""  # a parameter of which any one would be enough, and the sentence wants all: a check for each


MOST_LANGUAGES = 4  # for which a check is drafted at most


def looks_into_files(template: Template) -> bool:
    """Whether a check of the template looks into files, so that a scope of paths means something to it."""
    return template.unit in ("file", "line") and not any(
        one.required and "glob" in one.type for one in template.parameters
    )


def in_all_languages(one: Instantiation, named: str, profile: RepositoryProfile) -> Iterator[Instantiation]:
    """The instantiation for each language that it may be about: named, or implied by a name or a place."""
    parameter = next((p for p in one.template.parameters if p.name == "language"), None)
    if named and not (language_named(named) or (parameter is None and kind_endings(named))):
        return
    if parameter is None:
        if not named:
            yield one
        elif looks_into_files(one.template):
            yield replace(one, scope=replace(one.scope, include=kind_endings(named)))
        return
    wanted = [language_named(named)] if named else _languages(one, profile)
    able = set(parameter.choices) - (set(INLINE) if {*TESTS} & {*one.scope.include, *one.scope.exclude} else set())
    if not (one.form.samples or one.template.samples):  # then its cases alone tell what may be said of which
        able &= {
            case.parameters.get("language")
            for case in one.template.cases
            if one.parameters.items() <= case.parameters.items()
        }
    known = ["javascript" if name == "typescript" and name not in able else name for name in wanted]
    first, *others = dict.fromkeys(name for name in known if name in able) or [""]
    if first:
        yield replace(one, parameters={**one.parameters, "language": first}, others=tuple(others))


def _languages(one: Instantiation, profile: RepositoryProfile) -> list[str]:
    suffixes = [language_named(glob.rpartition(".")[2]) for glob in one.scope.include if "." in glob.rpartition("/")[2]]
    if suffixes and all(suffixes):
        return suffixes
    texts = [str(text) for value in one.parameters.values() for text in (value if isinstance(value, list) else [value])]
    each = [set(found) for text in texts if (found := languages_of_name(text))]
    known = set.intersection(*each) or set.union(*each) if each else set()
    known |= {"typescript"} if "javascript" in known else set()
    here = [language for language in profile.languages if language in known or not each]
    return (here or sorted(known))[:MOST_LANGUAGES]

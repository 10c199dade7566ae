"""A template with the parameters that a sentence gives it, in each language that the sentence may be about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulec.domain.rule import Scope
from rulec.domain.template import SentenceForm, Template
from rulec.drafting.forms.language_files import INLINE, TESTS, kind_endings, language_named, languages_of_name


@dataclass(frozen=True, slots=True)
class RepositoryProfile:
    """What the repository says of itself: its languages, the most used first, and the packages that it names."""

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
    """The same for each language that it may be about: the one that is named, or that the names or the place tell."""
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

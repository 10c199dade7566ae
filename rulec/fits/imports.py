"""Modules that code is not to import."""

import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.fits._libraries import ALSO_WORDS, HOME, installable, spelled
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._programs import PROGRAMS
from rulec.fits._words import LANGUAGES, conditional, kin, language_of, languages_said, stems, things
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

_IMPORT = {
    "python": r"^\s*(?:from\s+(?P<a>[\w.]+)\s+import|import\s+(?P<b>[\w., ]+))",
    "javascript": r"(?:\bfrom\s+|\bimport\s+|\brequire\(\s*|\bimport\(\s*)['\"](?P<a>[^'\"]+)['\"]",
    "go": r"^\s*(?:import\s+)?(?:\w+\s+)?\"(?P<a>[\w./-]+)\"\s*$",
    "java": r"^\s*import\s+(?:static\s+)?(?P<a>[\w.]+)",
    "ruby": r"^\s*require(?:_relative)?\s+['\"](?P<a>[^'\"]+)['\"]",
    "php": r"^\s*use\s+(?P<a>[\w\\]+)",
    "rust": r"^\s*(?:use|extern crate)\s+(?P<a>\w+)",
}
_SAID = re.compile(r"\b(?:import|librar|package|dependenc|module)", re.IGNORECASE)
_SAMPLE = {
    "python": "import {}\n",
    "javascript": 'import x from "{}";\n',
    "typescript": 'import x from "{}";\n',
    "go": 'package main\n\nimport "{}"\n',
    "java": "import {};\n",
    "ruby": 'require "{}"\n',
}


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of prefer-import where the words name the module to use, and of forbid-import."""
    if clause.polarity not in ("forbid", "prefer") or conditional(clause) or not things(clause):
        return
    if not before:
        yield from _stated(clause)
        return
    for action in before:
        language = language_of(action.path)
        for module in modules(added(action), language):
            if _named(clause, module):
                wanted = _wanted(clause, language, after)
                packages, commands = _packages(clause, [module], language, wanted)
                for draft in _from_pair(module, language, wanted, before, after):
                    if packages:
                        yield replace(draft, checks=draft.checks + packages, invalid=draft.invalid + commands)
                    yield draft


def modules(text: str, language: str) -> list[str]:
    """What the lines of a text import."""
    pattern = _IMPORT.get(kin(language)[0]) if language else None
    found: list[str] = []
    for match in re.finditer(pattern, text, re.MULTILINE) if pattern else ():
        for group in match.groups():
            found += [part.split()[0] for part in (group or "").split(",") if part.split()]
    return list(dict.fromkeys(found))


def _named(clause: Clause, module: str) -> bool:
    unwanted = [term.text for term in clause.terms if term.text not in " ".join(clause.preferred)]
    names = {thing.lower() for thing in (*things(clause), *unwanted)} | {
        word for thing in things(clause) for word in thing.lower().split()
    }
    roots = {module.lower(), re.split(r"[./\\]", module.lower())[0], module.lower().rpartition("/")[2]} - {"", "@"}
    return bool(names & roots) and not stems(" ".join(clause.preferred)) & {module.lower()}


def _wanted(clause: Clause, language: str, after: Sequence[Action] = ()) -> str:
    """The module that the person wants instead: one that was imported then, or that everybody knows as one."""
    said = [spelled(text.removeprefix("from ").strip("`'\" ")) for text in clause.preferred]
    imported = [name for action in after if language_of(action.path) in kin(language) for name in _imported(action)]
    for name in said:
        if found := next((one for one in imported if one.lower() == name.lower()), ""):
            return found
        if " " not in name and (name.lower() in HOME.get(kin(language)[0], ()) or _MODULE.fullmatch(name)):
            return name
    return ""


def _imported(action: Action) -> list[str]:
    return modules(added(action), language_of(action.path))


_MODULE = re.compile(r"@[\w.-]+/[\w./-]+|[a-z][\w-]*(?:/[\w.-]+)+|node:\w+|[a-z]\w*(?:\.[a-z]\w*)+")


def _from_pair(
    module: str, language: str, wanted: str, before: Sequence[Action], after: Sequence[Action]
) -> Iterator[Draft]:
    def caught(action: Action) -> bool:
        return language_of(action.path) in kin(language) and any(
            _below(found, module) and not (wanted and _below(found, wanted))
            for found in modules(added(action), language)
        )

    yield from draft_from_pair(
        _checks([module], kin(language), wanted),
        caught,
        before,
        after,
        kinds=("write", "edit"),
        because=f"{module} was imported before the person spoke and not afterwards",
    )


def _below(found: str, module: str) -> bool:
    return found == module or found.startswith((module + ".", module + "/"))


def _stated(clause: Clause) -> Iterator[Draft]:
    languages = tuple(one for said in languages_said(clause.text) for one in kin(said)) or _homes(clause)
    named = [thing for thing in _modules_said(clause) if re.fullmatch(r"[@\w./-]+", thing)]
    sample = _SAMPLE.get(languages[0]) if languages else None
    if not named or not sample or not _is_meant(clause, named, languages):
        return
    ending = {"python": "py", "javascript": "js", "typescript": "ts"}.get(languages[0], languages[0])
    wanted = _wanted(clause, languages[0])
    checks, invalid = _checks(named, languages, wanted), sample.format(named[0])
    dotted = [name for name in named if "." in name] if languages[0] == "python" else []
    given = {"patterns": [rf"^[^#\"']*(?<![\w.]){re.escape(name)}\.\w+\(" for name in dotted], "globs": ["*.py"]}
    used = tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in ("semgrep", "guard") if dotted)
    packages, commands = _packages(clause, named, languages[0], wanted)
    yield Draft(
        checks=(*checks, *used, *packages),
        invalid=(
            Example(kind="file", path=f"src/sample.{ending}", text=invalid),
            *(Example(kind="file", path="src/use.py", text=f"value = {name}.join(one, two)\n") for name in dotted),
            *commands,
        ),
        valid=(
            Example(
                kind="file",
                path=f"src/sample.{ending}",
                text=f"{_COMMENT.get(languages[0], '//')} {named[0]} is not used here\n",
            ),
        ),
        because="the statement names the module and its language",
    )


def _packages(
    clause: Clause, named: list[str], language: str, wanted: str
) -> tuple[tuple[Check, ...], tuple[Example, ...]]:
    """What is not to be used at all is not to be installed either: the check, and the command that it refuses."""
    everywhere = not clause.when or bool(languages_said(clause.when))
    placed = any(term.kind == "path" for term in clause.terms)
    command = _INSTALL.get(kin(language)[0])
    if not command or clause.verb == "import" or placed or not everywhere or not all(map(installable, named)):
        return (), ()
    if any(_below(wanted, name) for name in named):  # a part of the package is to be used, so that it must be there
        return (), ()
    given = {"names": named, **({"instead": wanted} if wanted else {})}
    check = Check(kind="guard", template="forbid-dependency", parameters=given)
    return (check,), (Example(kind="command", text=f"{command} {named[0]}"),)


_INSTALL = {"python": "pip install", "javascript": "npm install"}


def _modules_said(clause: Clause) -> tuple[str, ...]:
    """What is not wanted, without "library" and the like behind it; a command or a language is no module."""
    bare = tuple(
        re.sub(r"\s+(?:library|package|module|dependency)$|\s+for .*$|^from ", "", thing) for thing in things(clause)
    )
    home = frozenset().union(*HOME.values())
    return tuple(
        name
        for name in map(spelled, bare)
        if name.lower() in home or not (name.split()[0] in PROGRAMS or name.lower() in LANGUAGES or name in _BUILT_IN)
    )


_BUILT_IN = frozenset(dir(builtins))  # "logging instead of print": no module


def _is_meant(clause: Clause, named: list[str], languages: tuple[str, ...]) -> bool:
    """Whether the names stand for modules: it is said, or all are known ones and no command is wanted instead."""
    if _SAID.search(clause.text):
        return True
    wanted = {thing.lower() for thing in clause.preferred}
    library = any(wanted & HOME.get(language, frozenset()) for language in languages)
    if any(thing.split()[0] in PROGRAMS and not library for thing in clause.preferred):
        return False
    if clause.polarity == "prefer":
        return library or not {name.lower() for name in named} & ALSO_WORDS
    known = frozenset().union(*HOME.values()) - ALSO_WORDS
    return clause.verb in ("use", "import") and all(name.lower() in known for name in named)


def _homes(clause: Clause) -> tuple[str, ...]:
    """The language of a library that is known in one alone, where the clause names no language."""
    unwanted = {name.lower() for name in _modules_said(clause)}
    wanted = {name.lower() for name in clause.preferred}  # "polars, not the csv module": they are of one language
    own = [language for language, names in HOME.items() if unwanted & names]
    return tuple(own or [language for language, names in HOME.items() if wanted & names])


_COMMENT = {"python": "#", "ruby": "#"}


def _checks(named: list[str], languages: tuple[str, ...], wanted: str = "") -> tuple[Check, ...]:
    template, given = (
        ("prefer-import", {"from": named, "to": wanted}) if wanted else ("forbid-import", {"modules": named})
    )
    return tuple(
        Check(kind="semgrep", template=template, parameters={**given, "language": language})
        for language in languages
        if language != "typescript"  # its checks are those of JavaScript
    )


PLUG = Fit(name="imports", fit=fit)

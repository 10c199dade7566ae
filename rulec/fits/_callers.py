"""The words for what calls -> which files, and which of their new lines."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.fits import _asked_files as files
from rulec.language.terms import table
from rulec.runtime import filekinds

ADDS = re.compile(r"\b(?:new|add(?:ed|ing|s)?|creat(?:e|es|ed|ing)|introduc\w+|implement\w*)\b", re.IGNORECASE)
_VERSION = re.compile(
    r"(?:\b(?P<of>[a-z][\w.+-]*)(?:'s)? )?\bversions?\b(?: of (?:the )?(?P<what>\w+))?", re.IGNORECASE
)
_NO_NAME = table("the a an our new its this that package project app release every each any updating in")
_PACKAGES = re.compile(
    r"\bdependenc\w+|\bdepen\w+ies\b|\bimports?\b|\b(?:new|add\w*|install\w*|third[- ]party|external) (?:an? |new )?"
    r"(?:\w+ )?(?:packages?|librar(?:y|ies))\b",
    re.IGNORECASE,
)
_IN_FOLDER = re.compile(
    r"\b(?:changes?|changed|changing|edits?|edited|touch\w*|modif\w+|commits?|anything|something|files?|code)\b"
    r"[^.]{0,20}? (?:in|inside|under|within|of|to|from) (?:the )?(?P<folder>src|lib|libs|app|apps|pkg|internal|cmd|"
    r"packages|charts|infra|deploy|migrations)\b(?![./\w-])(?: folder| director(?:y))?\s*$",
    re.IGNORECASE,
)
_OURS = ("@tests", "@docs", "@changelog", "@manifest", "@lockfile")
# Words for lines that any file of code may gain -> those lines.
_LINES: tuple[tuple[str, str], ...] = (
    (
        r"\benv(?:ironment)?[ -]?var\w*|\benv(?:ironment)? settings?\b",
        (
            r"\b(?:os\.environ|getenv|process\.env|import\.meta\.env|ENV(?=\[|\.fetch\b)|env::var|Deno\.env)\b|"
            r"(?<![\w.>:$])env\(['\"]"
        ),
    ),
    (
        r"\b(?:cli|command[ -]line) (?:flag|option|argument|switch)\w*|(?<!feature )\bflags?\b",
        (
            r"\badd_argument\(|@\w+\.(?:option|argument)\(|\btyper\.(?:Option|Argument)\(|\.option\(|\bflag\.\w+\(|"
            r"\bFlags\(\)\.|#\[(?:arg|clap)\b"
        ),
    ),
    (
        r"\b(?:endpoint|route)s?\b",
        (
            r"@\w+\.(?:get|post|put|patch|delete|route)\(|\b(?:app|router|mux|api|server|r|e)\.(?:get|"
            r"post|put|patch|delete|"
            r"Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle|route)\(|"
            r"@(?:Get|Post|Put|Delete|Patch|Request)(?:Mapping)?\("
        ),
    ),
)


def callers(phrase: str, needs: str, offence: Sequence[str], *, created: bool) -> Iterator[dict[str, Any]]:
    """The parameters that say when, the most specific first."""
    paths = files.named(phrase) or _folder(phrase)
    if files.settings(phrase) and any(re.match(r"\.env\b", need) for need in files.named(needs)):
        yield {"when": ["@code"], "added": _LINES[0][1]}
        return
    version = _version(phrase)
    if version:
        when = paths or [path for path in offence if not filekinds.among(["@code", "@docs"], path)]
        yield from [{"when": when, "added": version}] if when else []
        return
    if paths:
        yield {"when": paths}
        return
    if _PACKAGES.search(phrase):
        locked = files.needed(needs, ()) == ["@lockfile"]
        yield {"when": ["@manifest"]} if locked else {"when": ["@code"], "imports": True}
        return
    for words, added in _LINES:
        if re.search(words, phrase, re.IGNORECASE):
            yield {"when": ["@code"], "added": added}
    tested = files.needed(needs, ()) == ["@tests"]
    yield from _by_subject(phrase, offence, created=created, known=files.GENERIC | (files.UNITS if tested else set()))


def _folder(phrase: str) -> list[str]:
    """A phrase like "every change in src": the folder that everybody knows by its name."""
    found = _IN_FOLDER.search(phrase)
    return [f"{found['folder'].lower()}/"] if found else []


def _by_subject(
    phrase: str, offence: Sequence[str], *, created: bool, known: frozenset[str]
) -> Iterator[dict[str, Any]]:
    words = files.words_of(phrase, known)
    if not words:
        if not phrase or files.general(phrase) or files.pronoun(phrase):
            yield {"when": ["@code"]}
        return
    how = {"how": ["create"]} if ADDS.search(phrase) and (created or not offence) else {}
    seen = [word for word in words if any(files.same_word(word, path) for path in offence)]
    if seen or not offence:
        yield {"when": [files.by_name(seen or words)], "unless": list(_OURS), **how}
        return
    code = [path for path in offence if filekinds.among(["@code"], path)]
    yield {"when": sorted({_like(path) for path in code or offence}), "unless": ["@tests"], **how}


def named_alike(offence: Sequence[str], fixed: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A file and its own companion, told by the name that they share."""
    for path in (one for one in offence if filekinds.among(["@code"], one)):
        folder, slash, name = path.rpartition("/")
        base, _, ending = name.partition(".")
        for other in fixed:
            place, cut, companion = other.rpartition("/")
            if base in companion and other != path:
                pattern = rf"{re.escape(folder)}{slash}([^/.]+)\.{re.escape(ending)}"
                need = f"{place}{cut}" + companion.replace(base, "\\1", 1)
                yield {"pattern": pattern, "when": [], "unless": ["@tests", "__init__.*", "index.*"], "needs": [need]}


def _like(path: str) -> str:
    """The files beside a path that are of its sort."""
    folder, _, name = path.rpartition("/")
    ending = name.rpartition(".")[2]
    return f"{folder}/*.{ending}" if folder and "." in name else path


def _version(phrase: str) -> str:
    """A line that names a version, of what the person said."""
    found = _VERSION.search(phrase)
    if not found:
        return ""
    of = (found["of"] or found["what"] or "").lower()
    names = "|".join(dict.fromkeys([*([re.escape(of)] if of and of not in _NO_NAME else []), "version"]))
    return rf"(?i)^\W*(?:from |image:? ?)?(?:\w+[-_.])?(?:{names})\b.*\d"

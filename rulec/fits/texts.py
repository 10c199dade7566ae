"""Text that is not to stand in files, and text that has to."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulec.fits import _text_said
from rulec.fits._languages import homes
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._programs import PROGRAMS
from rulec.fits._text_said import ANY_CODE, CODE, FIELD, PROSE, call, field_of, home_of, of_phrase, phrases, signed
from rulec.fits._words import LANGUAGES, VAGUE, conditional, globs_of, language_of, languages_said, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example, Scope
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.globs import match as match_globs

_COMMENT = r"(?:#|//|/\*|<!--|--\s|^\s*[;*]).*"


class Known(NamedTuple):
    """What people call by a name that does not stand in the text."""

    said: str
    pattern: str
    sample: str
    where: str = ""  # a language, "code" for any of them, "" for every file


_KNOWN = (
    Known(r"\bem[- ]?dash(?:es)?\b|\u2014|\btravess\w+\b|\bgedankenstrich", "\u2014", "one \u2014 two"),
    Known(r"\btodos?\b|\btodo comments?\b", rf"{_COMMENT}\bTODO\b", "# TODO: later", "code"),
    Known(r"\bfixmes?\b", rf"{_COMMENT}\bFIXME\b", "# FIXME: later", "code"),
    Known(r"\btrailing (?:white ?space|spaces)\b", r"[ \t]+$", "one  "),
    Known(r"\bdebugger(?: statements?)?\b", r"^\s*debugger\b", "debugger;", "javascript"),
    Known(r"\b(?:type: ?ignores?|type-ignores?)\b", r"#\s*type:\s*ignore", "x = y  # type: ignore", "python"),
    Known(r"\bfield[- ]inject\w*", field_of("Autowired|Inject"), "@Autowired\nprivate Clock clock;", "java"),
    Known(r"\beslint-disable\w*\b", r"eslint-disable", "// eslint-disable-next-line", "javascript"),
    Known(
        r"\bhex (?:codes?|colou?rs?|values?|literals?)\b|\bhard-?coded colou?rs?\b|\bcolou?r (?:codes?|literals?)\b",
        r"(?<!href=)(?:['\"\s:(,])#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3})\b(?![\w-])",
        "color: '#ff8800'",
        "code",
    ),
    Known(r"\bts-ignores?\b", r"@ts-ignore", "// @ts-ignore", "typescript"),
)
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\b")
_PART = re.compile(
    r"^(?P<word>[A-Za-z@#][\w.-]*) (?:directive|statement|keyword|section|field|entry|block|"
    r"line|key|tag|annotation|attribute)s?$"
)
_DEFINES = r"(?:def|func|function|class|fn|type|interface|const|let|var)\s+(?:\([^)]*\)\s*)?"
_SAYS_TEXT = table("use want put add write have like need leave do include make say mention cite") | {""}
_SPOKEN = table("say tell reply answer respond")
_SYMBOL = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*$")
_PLAIN_WORD = re.compile(r"[A-Za-z][\w.-]{3,}$")
_MOST_WORDS = 3


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-text and require-text."""
    if home_of(clause):
        yield from _at_home(clause, before, after)
        return
    if not before and clause.verb in _SPOKEN and not clause.when:
        return  # what the agent says stands in no file
    if conditional(clause) or re.search(r"\bcommit (?:message|title|subject)s?\b", clause.text, re.IGNORECASE):
        return
    if clause.polarity == "forbid" or (clause.polarity == "prefer" and clause.forbidden):
        if not before:
            yield from _stated(clause)
            return
        for action in before:
            for pattern, exact in _in_text(clause, added(action)):
                yield from _from_pair(clause, pattern, action.path, before, after, exact=exact)


def _in_text(clause: Clause, text: str) -> Iterator[tuple[str, bool]]:
    """Patterns for what the clause names and the text has; whether it is named exactly."""
    if not text:
        return
    for symbol in _misplaced(clause):
        if re.search(_DEFINES + bounded(symbol), text):
            yield _DEFINES + bounded(symbol), False
            return
    known = [one.pattern for one in _known(clause) if re.search(one.pattern, text, re.MULTILINE)]
    if known:  # the name in people's words may stand anywhere else
        yield from ((pattern, True) for pattern in known)
        return
    said = [*(pattern for pattern, _ in signed(clause)), *map(of_phrase, phrases(clause))]
    yield from ((pattern, True) for pattern in said if re.search(pattern, text))
    for exact in _exact(clause):
        pattern = _in_code(exact) if _SYMBOL.match(exact) else bounded(exact)
        if re.search(pattern, text):
            yield pattern, True
    parts = (_opens_line(match["word"]) for thing in things(clause) if (match := _PART.match(thing)))
    yield from ((pattern, False) for pattern in parts if re.search(pattern, text))
    yield from ((bounded(word), False) for word in _plain(clause) if re.search(bounded(word), text))


def _at_home(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """What belongs into one place is looked for in all others."""
    home = home_of(clause)
    if home is None:
        return
    free = [home.place, *PROSE]

    def caught(action: Action) -> bool:
        return not match_globs(free, action.path) and bool(re.search(home.pattern, added(action)))

    if before:
        endings = {action.path.rpartition(".")[2] for action in before if caught(action)}
        checks = _checks(home.pattern, [f"*.{ending}" for ending in sorted(endings)], free)
        because = f"it stood outside of {home.place} before the person spoke and not afterwards"
        yield from draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=because)
        return
    bad, good = (
        Example(kind="file", path=f"{folder}sample.{ending}", text=f"{home.sample}\n")
        for folder, ending in (("elsewhere/", "php"), (home.place, "php"))
    )
    checks, scope = _checks(home.pattern, ANY_CODE, free), Scope(exclude=(home.place,))
    yield Draft(checks=checks, invalid=(bad,), valid=(good,), scope=scope, because="it has a home")


def _known(clause: Clause) -> list[Known]:
    """What the clause calls by a common name."""
    return [one for one in _KNOWN if any(re.search(one.said, thing, re.IGNORECASE) for thing in things(clause))]


def _plain(clause: Clause) -> Iterator[str]:
    """The first word of each short thing: it may stand in the text as the person said it."""
    for thing in things(clause) if clause.verb in _SAYS_TEXT else ():
        if _PART.match(thing):
            continue
        words = [word for word in thing.split() if word.lower() not in VAGUE]
        if len(words) <= _MOST_WORDS:
            yield from (word for word in words[:1] if _PLAIN_WORD.match(word))


def _exact(clause: Clause) -> list[str]:
    wanted = " ".join((*clause.preferred, clause.when, clause.text.partition(" without ")[2]))
    named = [
        t.text.removesuffix("()")
        for t in clause.terms
        if t.kind in ("code", "symbol") and t.text not in wanted and len(t.text) > 1
    ]
    return named + [version for thing in things(clause) for version in _VERSION.findall(thing)]


def _misplaced(clause: Clause) -> list[str]:
    """A phrase like "X has to leave that file": its definition is meant, not its use."""
    files = [t.text for t in clause.terms if t.kind == "path"]
    placed = clause.when.startswith(("in ", "into ")) or any(t in " ".join(clause.forbidden) for t in files)
    return (
        [t.text.removesuffix("()") for t in clause.terms if t.kind == "symbol"]
        if files and placed and clause.verb in ("", "put")
        else []
    )


def _opens_line(word: str) -> str:
    """A directive or statement is a line that begins with its word, not any mention of it."""
    return rf"(?m)^[ \t]*{bounded(word)}"


def _symbol(clause: Clause, text: str) -> tuple[str, str]:
    """The pattern of a symbol, and its sample; an error that is not to be raised may be caught."""
    head = _text_said.thrown(clause)
    return (f"{head}{bounded(text)}", f"raise {text}") if head else (_in_code(text), text)


def _in_code(symbol: str) -> str:
    """A symbol on a line that is not a comment about it."""
    return rf"(?m)^(?![ \t]*(?://|#|/?\*)).*{bounded(symbol)}"


def bounded(text: str) -> str:
    """The text as a pattern that does not match within a longer word."""
    head = r"\b" if re.match(r"\w", text) else ""
    tail = r"\b" if re.search(r"\w$", text) else ""
    return f"{head}{re.escape(text)}{tail}"


def _from_pair(
    clause: Clause, pattern: str, path: str, before: Sequence[Action], after: Sequence[Action], *, exact: bool
) -> Iterator[Draft]:
    language = language_of(path)
    place = next((t.text for t in clause.terms if t.kind == "path" and path.endswith(t.text.lstrip("@./"))), "")
    globs = (
        [path]
        if place or not exact
        else globs_of(language)
        if language
        else [f"*.{one}" for one in _ALIKE.get(ending, (ending,))]
        if (ending := path.rpartition(".")[2]) != path
        else [path]
    )

    def caught(action: Action) -> bool:
        in_reach = action.path == path if globs == [path] else match_globs(globs, action.path)
        return in_reach and bool(re.search(pattern, added(action), re.MULTILINE))

    yield from draft_from_pair(
        _checks(pattern, globs),
        caught,
        before,
        after,
        kinds=("write", "edit"),
        because=f"{pattern} stood in {path} before the person spoke and was not written afterwards",
    )


def _stated(clause: Clause) -> Iterator[Draft]:
    files = [t.text for t in clause.terms if t.kind == "path" and not t.text.endswith("/")]
    said = _globs_said(clause)
    if files and not said:
        said = files[:1]
    for pattern, sample, globs in _found(clause, said, files):
        ending = globs[0].removeprefix("*") if globs[0].startswith("*.") else ""
        path = (
            f"src/sample{ending}"
            if ending
            else "notes/sample.txt"
            if globs == ["**"]
            else globs[0].replace("*", "sample")
        )
        yield Draft(
            checks=_checks(pattern, globs),
            invalid=(Example(kind="file", path=path, text=f"{sample}\n"),),
            valid=(Example(kind="file", path=path, text="plain words\n"),),
            because="the statement names the text",
        )


def _found(clause: Clause, said: list[str], files: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """Patterns, their samples and the files to look at, narrowed to those where the name means what was said."""
    for known in _known(clause):
        where = _CODE if known.where == "code" else _globs_of(known.where) if known.where else ["**"]
        yield known.pattern, known.sample, said or where
    for pattern, sample in signed(clause) if clause.verb in _SAYS_TEXT else ():
        yield pattern, sample, said or (["*.yml", "*.yaml", "*.tf", "Dockerfile*"] if "image: " in sample else ANY_CODE)
    yield from ((of_phrase(text), text, said or ANY_CODE) for text in phrases(clause))
    called = {t.text.removesuffix("()") for t in clause.terms if t.text.endswith(")")}  # a call is not its bare name
    texts = [text for text in _exact(clause) if text not in called]
    for name in sorted(called) if clause.verb in _CALLS else ():
        if f"{name}()" in " ".join(things(clause)) and not homes(name) and _COMPOUND.fullmatch(name):
            yield call(name), f"{name}(x)", said or ANY_CODE
    for text in texts if clause.verb in _SAYS_TEXT and not _misplaced(clause) else ():
        if (
            text.split()[0] in PROGRAMS
            or text.lower() in LANGUAGES
            or (_WORD.fullmatch(text) and not (said or clause.verb in _WRITES))
        ):
            continue
        if _WORD.fullmatch(text) and text not in things(clause):  # "'as' casts": not the bare word
            continue
        symbol = bool(_SYMBOL.match(text)) and clause.verb not in _WRITES and not _IN_PROSE.search(clause.when)
        usual = [glob for one in homes(text) for glob in _globs_of(one)]
        globs = said or usual or (_CODE if symbol else ["**"])
        yield *(_symbol(clause, text) if symbol else (bounded(text), text)), globs
    for thing in things(clause) if files and clause.verb in _SAYS_TEXT else ():
        if match := _PART.match(thing):
            yield _opens_line(match["word"]), match["word"], said


def _globs_said(clause: Clause) -> list[str]:
    """The files of the languages that the clause names, or of all of them where it says "code"."""
    languages = languages_said(clause.text)
    if not languages and _IN_CODE.search(clause.when):
        return _CODE
    return list(dict.fromkeys(glob for language in languages for glob in _globs_of(language)))


def _globs_of(language: str) -> list[str]:
    """TypeScript alone has types; what is said of JavaScript holds for both."""
    return [f"*.{ending}" for ending in LANGUAGES[language]] if language == "typescript" else globs_of(language)


_CODE = CODE
_ALIKE = {"yaml": ("yaml", "yml"), "yml": ("yml", "yaml"), "kt": ("kt", "kts"), "kts": ("kt", "kts")}
_IN_CODE = re.compile(r"\b(?:code|source)\b", re.IGNORECASE)
_IN_PROSE = re.compile(r"\b(?:docs?|documentation|read ?me|markdown|changelog|\w+\.md)\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_CALLS = _SAYS_TEXT | table("call invoke")
_COMPOUND = re.compile(r"\w*(?:[A-Za-z0-9]_|[a-z][A-Z])\w+")  # a name that means one thing in any language
_WRITES = table("write say mention cite")


def _checks(pattern: str, globs: list[str], free: Sequence[str] = ()) -> tuple[Check, ...]:
    given = {"patterns": [pattern], "globs": globs, **({"except": list(free)} if free else {})}
    kinds: tuple[CheckKind, ...] = ("semgrep",) if pattern.startswith(FIELD) else ("semgrep", "guard")
    return tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in kinds)


PLUG = Fit(name="texts", fit=fit)

"""Text that is not to stand in files, and text that has to."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import added, draft_from_pair
from rulec.fits._programs import PROGRAMS
from rulec.fits._words import EMOJI, LANGUAGES, VAGUE, conditional, globs_of, language_of, languages_said, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit

# What people call by a name that does not stand in the text: how it is said -> pattern, a text that has it.
_KNOWN: tuple[tuple[str, str, str], ...] = (
    (r"^`?any`?(?: types?)?$", r"(?::|<|\bas)\s*any\b", "const value: any = 1;"),
    (r"\bemojis?\b", EMOJI, "done \U0001f389"),
    (r"\bem[- ]?dash(?:es)?\b", "\u2014", "one \u2014 two"),
    (r"\btodos?\b|\btodo comments?\b", r"\bTODO\b", "# TODO: later"),
    (r"\bfixmes?\b", r"\bFIXME\b", "# FIXME: later"),
    (r"\btrailing (?:white ?space|spaces)\b", r"[ \t]+$", "one  "),
    (r"\bdebugger(?: statements?)?\b", r"\bdebugger\b", "debugger;"),
    (r"\b(?:type: ?ignores?|type-ignores?)\b", r"#\s*type:\s*ignore", "x = y  # type: ignore"),
    (r"\beslint-disable\w*\b", r"eslint-disable", "// eslint-disable-next-line"),
    (r"\bts-ignores?\b", r"@ts-ignore", "// @ts-ignore"),
)
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\b")
_PART = re.compile(
    r"^(?P<word>[A-Za-z@#][\w.-]*) (?:directive|statement|keyword|section|field|entry|block|"
    r"line|key|tag|annotation|attribute)s?$"
)
_DEFINES = r"(?:def|func|function|class|fn|type|interface|const|let|var)\s+(?:\([^)]*\)\s*)?"
_SAYS_TEXT = table("use want put add write have like need leave do include make say mention cite") | {""}
_SYMBOL = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*$")
_PLAIN_WORD = re.compile(r"[A-Za-z][\w.-]{3,}$")
_MOST_WORDS = 3


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-text and require-text."""
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
    yield from ((pattern, True) for pattern, _ in _known(clause) if re.search(pattern, text, re.MULTILINE))
    for exact in _exact(clause):
        pattern = _in_code(exact) if _SYMBOL.match(exact) else bounded(exact)
        if re.search(pattern, text):
            yield pattern, True
    parts = (_opens_line(match["word"]) for thing in things(clause) if (match := _PART.match(thing)))
    yield from ((pattern, False) for pattern in parts if re.search(pattern, text))
    yield from ((bounded(word), False) for word in _plain(clause) if re.search(bounded(word), text))


def _known(clause: Clause) -> list[tuple[str, str]]:
    """Patterns and samples for what the clause calls by a common name."""
    return [
        (pattern, sample)
        for said, pattern, sample in _KNOWN
        if any(re.search(said, thing, re.IGNORECASE) for thing in things(clause))
        and ("any" not in said or "typescript" in languages_said(clause.text) or "type" in clause.text.lower())
    ]


def _plain(clause: Clause) -> Iterator[str]:
    """The first word of each short thing: it may stand in the text as the person said it."""
    for thing in things(clause) if clause.verb in _SAYS_TEXT else ():
        if _PART.match(thing):
            continue
        words = [word for word in thing.split() if word.lower() not in VAGUE]
        if len(words) <= _MOST_WORDS:
            yield from (word for word in words[:1] if _PLAIN_WORD.match(word))


def _exact(clause: Clause) -> list[str]:
    wanted = " ".join((*clause.preferred, clause.when))
    named = [
        t.text.removesuffix("()")
        for t in clause.terms
        if t.kind in ("code", "symbol") and t.text not in wanted and len(t.text) > 1
    ]
    return named + [version for thing in things(clause) for version in _VERSION.findall(thing)]


def _misplaced(clause: Clause) -> list[str]:
    """A phrase like "X should not be in that file": its definition is meant, not its use."""
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
        else [f"*.{path.rpartition('.')[2]}" if "." in path else path]
    )

    def caught(action: Action) -> bool:
        in_reach = (
            action.path == path
            if globs == [path]
            else action.path.rpartition(".")[2] in {g.rpartition(".")[2] for g in globs}
        )
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
    languages = languages_said(clause.text)
    globs = list(dict.fromkeys(glob for language in languages for glob in globs_of(language))) or ["**"]
    path = f"src/sample{globs[0].removeprefix('*')}" if languages else "notes/sample.txt"
    found = _known(clause)
    files = [t.text for t in clause.terms if t.kind == "path" and not t.text.endswith("/")]
    if files and not languages:
        globs, path = files[:1], files[0].replace("*", "sample")
    quoted = [text for text in _exact(clause) if clause.verb in _SAYS_TEXT and not _misplaced(clause)]
    found += [(bounded(text), text) for text in quoted if text.split()[0] not in PROGRAMS]
    if quoted and globs == ["**"] and all(_SYMBOL.match(text) for text in quoted):
        globs, path = [f"*.{end}" for ends in LANGUAGES.values() for end in ends], "src/sample.py"
    parts = [match["word"] for thing in things(clause) if (match := _PART.match(thing))] if files else []
    found += [(_opens_line(word), word) for word in parts if clause.verb in _SAYS_TEXT]
    for pattern, sample in found:
        yield Draft(
            checks=_checks(pattern, globs),
            invalid=(Example(kind="file", path=path, text=f"{sample}\n"),),
            valid=(Example(kind="file", path=path, text="plain words\n"),),
            because="the statement names the text",
        )


def _checks(pattern: str, globs: list[str]) -> tuple[Check, ...]:
    given = {"patterns": [pattern], "globs": globs}
    return tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in ("semgrep", "guard"))


PLUG = Fit(name="texts", fit=fit)

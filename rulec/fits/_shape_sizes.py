"""How large code may become: lines of a function or a file, returns of a function."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._code_files import FRAMES, check, code_language, path_of, said_languages
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._words import LANGUAGES, kin, language_of
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action

_LANGUAGES = ("python", "javascript", "go", "java", "ruby", "rust")
_USUAL = ("python", "javascript", "go", "java")
_LIMIT = (
    r"(?:(?:no |not |never |isn't |aren't )?(?:more|longer|larger|bigger) than|(?:at )?most|max(?:imum)?(?: "
    r"of)?|under|below|"
    r"over|up to|less than|fewer than|shorter than|within|exceed(?:s|ing)?|above|limit(?:ed)? (?:to|of)|"
    r"keep\w*(?: to)?)"
)
_NUMBER = r"(?P<number>\d{1,5})"
_LINES = re.compile(
    rf"\b{_LIMIT}\s+{_NUMBER}\s*(?:lines?|loc)\b|\b{_NUMBER.replace('number', 'other')}[- ]lines?\b", re.IGNORECASE
)
_FUNCTION = re.compile(r"\b(?:functions?|methods?)\b", re.IGNORECASE)
_FILE = re.compile(r"\b(?:files?|modules?)\b", re.IGNORECASE)
_FLIPPED = re.compile(r"\b(?:at least|minimum|or more)\b", re.IGNORECASE)
_RETURNS = re.compile(
    r"\b(?:so |too |that |this )?(?:many|multiple|several|lots of|more than (?P<number>\w+)|(?P<one>only one|a "
    r"single|single|one))"
    r" (?:\w+ )?return(?:s\b| (?:statement|point|path|exit)s?\b)(?! (?:values?|types?))",
    re.IGNORECASE,
)
_RETURN = re.compile(r"(?:^|[{;:)])[ \t]*return\b", re.MULTILINE)
_SPELLED = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_MANY = 4  # returns that a function may have where a person says "so many"
_LEAST_MANY = 3


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of max-returns, max-function-lines and max-file-lines."""
    if clause.addressed == "product":
        return
    said = _RETURNS.search(clause.text)
    if said and said[0] not in " ".join(clause.preferred):
        yield from _returns(_most(said), clause, before, after)
    limit = _LINES.search(clause.text)
    if limit and not _FLIPPED.search(clause.text):
        yield from _lines(int(limit["number"] or limit["other"]), clause, before)


def _most(said: re.Match[str]) -> int | None:
    """The number of returns that is named; None where only "many" is said."""
    if said["one"]:
        return 1
    word = (said["number"] or "").lower()
    return _SPELLED.get(word) or (int(word) if word.isdecimal() else None)


def _returns(most: int | None, clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    if not before:
        if clause.polarity != "none":
            yield _stated("max-returns", "most", most or _MANY, clause)
        return
    for action in before:
        language = code_language(action.path, _LANGUAGES)
        count = len(_RETURN.findall(added(action)))
        allowed = most or min(count - 1, _MANY)
        if not language or count <= allowed or count < (_LEAST_MANY if most is None else most + 1):
            continue

        def caught(other: Action, allowed: int = allowed, language: str = language) -> bool:
            same = code_language(other.path, _LANGUAGES) == language
            return same and len(_RETURN.findall(added(other))) > allowed

        yield from draft_from_pair(
            (check("max-returns", language, most=allowed),), caught, before, after, kinds=("write", "edit"),
            because=f"a function had {count} returns before the person spoke",
        )  # fmt: skip


def _lines(lines: int, clause: Clause, before: Sequence[Action]) -> Iterator[Draft]:
    if lines == 0 or clause.polarity == "none":
        return
    if _FUNCTION.search(clause.text):
        yield _stated("max-function-lines", "lines", lines, clause)
    elif _FILE.search(clause.text) and not re.search(
        r"\b(?:read|show|print|cat|head|tail|open|log)\b", clause.text, re.IGNORECASE
    ):
        shown = [language_of(action.path) for action in before if language_of(action.path)]
        said = said_languages(clause.text) or tuple(dict.fromkeys(shown))
        globs = [
            f"*.{ending}" for one in (said or tuple(LANGUAGES)) for every in kin(one) for ending in LANGUAGES[every]
        ]
        path = globs[0].replace("*", "src/sample")
        yield Draft(
            checks=(Check(kind="shell", template="max-file-lines", parameters={"lines": lines, "globs": globs}),),
            invalid=(Example(kind="file", path=path, text="x = 1\n" * (lines + 1)),) if lines < _TOO_LONG else (),
            valid=(Example(kind="file", path=path, text="x = 1\n"),),
            because=f"the statement names the limit of {lines} lines",
        )


_TOO_LONG = 3_000  # lines of an example that would stand in a rule's file


def _stated(template: str, name: str, most: int, clause: Clause) -> Draft:
    said = [one for one in said_languages(clause.text) if one in (*_LANGUAGES, "typescript")]
    languages = tuple(dict.fromkeys("javascript" if one == "typescript" else one for one in said)) or _USUAL
    return Draft(
        checks=tuple(check(template, language, **{name: most}) for language in languages),
        invalid=tuple(
            Example(kind="file", path=path_of(language), text=_long(template, language, most + 1))
            for language in languages
        ),
        valid=tuple(Example(kind="file", path=path_of(language), text=FRAMES[language]) for language in languages),
        because=f"the statement names the limit of {most}",
    )


def _long(template: str, language: str, count: int) -> str:
    """A function that is one line, or one return, too long."""
    returns = template == "max-returns"
    head, tail, end = _FRAME[language]
    line = _STEP[language] if returns else f"    compute(){end}\n"
    return head + "".join(line for _ in range(count)) + tail


_FRAME = {
    "python": ("def run(x):\n", "", ""),
    "javascript": ("function run(x) {\n", "}\n", ";"),
    "go": ("package a\n\nfunc run(x int) int {\n", "}\n", ""),
    "java": ("class A {\n  int run(int x) {\n", "  }\n}\n", ";"),
    "ruby": ("def run(x)\n", "end\n", ""),
    "rust": ("fn run(x: i32) -> i32 {\n", "}\n", ";"),
}
_STEP = {
    "python": "    if x:\n        return 1\n",
    "javascript": "    if (x) return 1;\n",
    "go": "\tif x == 1 {\n\t\treturn 1\n\t}\n",
    "java": "    if (x == 1) return 1;\n",
    "ruby": "  return 1 if x\n",
    "rust": "    if x == 1 { return 1; }\n",
}

"""Code that people write out in a sentence without any marks around it: annotations, tags, keywords, homes of calls."""

import re
from typing import NamedTuple

from rulec.fits._words import LANGUAGES, things
from rulec.language import Clause
from rulec.language.terms import table

CODE = [f"*.{end}" for ends in LANGUAGES.values() for end in ends]
# Files in which code may stand that no check but one of text reads.
ANY_CODE = [
    *CODE,
    *(
        f"*.{end}"
        for end in ("cs", "kt", "kts", "swift", "scala", "dart", "ex", "exs", "lua", "m", "mm", "vue", "cmake")
    ),
    "CMakeLists.txt",
]
PROSE = ["*.md", "*.mdx", "*.rst", "*.adoc"]
_SIGNED = re.compile(r"(?<![\w`@/.:!])(?P<sign>@(?=[A-Z])|:(?=[a-z])|!(?=[a-z]))(?P<word>[A-Za-z]\w+)")
_NOUN = re.compile(
    r" (?:methods?|functions?|fields?|variables?|keywords?|modifiers?|statements?|declarations?|members?|handlers?|"
    r"classes|class|properties|property|types?)$",
    re.IGNORECASE,
)
_KEYWORDS = table(
    "async void static public private protected internal final unsafe goto synchronized volatile lateinit inline "
    "extern register virtual partial dynamic global local abstract open object companion mutable auto"
)
_HOME = re.compile(
    r"(?P<what>(?-i:[A-Za-z_$][\w.]*\(\)|[a-z]+_\w+|[a-z]+[A-Z]\w*))[`'\"]?\s+(?:[\w']+\s+){0,3}?"
    r"(?:only|nur|ausschließlich|seulement|uniquement|solo)\s+(?:[\w']+\s+){0,2}?"
    r"(?:in|inside|within|under|from|dans|en|em|im)\s+(?:the\s+)?[`'\"]?(?P<place>(?:[\w.@-]+/)+)",
    re.IGNORECASE,
)


class Home(NamedTuple):
    """What belongs into one place, and nowhere else."""

    pattern: str
    sample: str
    place: str


def home_of(clause: Clause) -> Home | None:
    """A phrase like "env() only in config/"."""
    found = _HOME.search(clause.text)
    if not found:
        return None
    what = found["what"]
    pattern = call(what.removesuffix("()")) if what.endswith("()") else rf"{UNCOMMENTED}\b{re.escape(what)}\b"
    return Home(pattern, f"x = {what.replace('()', '(y)')}", found["place"])


FIELD = r"(?m)^[ \t]*@"  # the pattern goes on in the next line, which a guard does not see
UNCOMMENTED = r"(?m)^(?![ \t]*(?://|#|/?\*)).*?"
THROWS = rf"{UNCOMMENTED}\b(?:raise|throw)[ \t]+(?:new[ \t]+)?"


def thrown(clause: Clause) -> str:
    """What stands before an error that is raised, where the words are about raising it; "" elsewhere."""
    said = " ".join((clause.verb, *clause.preferred))
    return THROWS if re.search(r"\b(?:raise|throw)\b", said, re.IGNORECASE) else ""


def call(name: str) -> str:
    """A call of the function, on a line that is not a comment."""
    return rf"{UNCOMMENTED}(?<![\w.>:$@`])(?<!\bdef )(?<!\bfunction )(?<!\bfunc )(?<!\bfn ){re.escape(name)}\s*\("


def signed(clause: Clause) -> list[tuple[str, str]]:
    """A phrase like "@Deprecated fields" or "no :edge tags": a pattern for each, and a text that shows it."""
    found: list[tuple[str, str]] = []
    named = " ".join(things(clause))
    for match in _SIGNED.finditer(clause.text):
        sign, word = match["sign"], re.escape(match["word"])
        if not re.search(rf"(?<!\w){word}(?!\w)", named):
            continue
        if sign == "@" and re.match(r" (?:on )?fields?\b", clause.text[match.end() :]):
            found.append((field_of(word), f"{match[0]}\nprivate Clock clock;"))
        elif sign == ":":  # of an image; elsewhere it is a symbol or a selector
            found.append((rf"(?<=[\w}}]):{word}\b(?!\s*[(=])", f"image: web:{match['word']}"))
        else:
            found.append((rf"{UNCOMMENTED}(?<!\w){sign}{word}\b", f"{match[0]} "))
    return found


def field_of(annotations: str) -> str:
    """A field with one of the annotations; a constructor or method has a parenthesis first."""
    return (
        rf"{FIELD}(?:{annotations})\b(?:\([^()\n]*\))?\s+(?:@\w+(?:\([^()\n]*\))?\s+)*"
        r"(?:lateinit var [^(=\n]+$|[\w<>\[\],.?: \t]+;)"
    )


def phrases(clause: Clause) -> list[str]:
    """Things of two or more words that may stand in code as they are said: "async void" of "async void methods"."""
    bare = (_NOUN.sub("", re.sub(r"^(?:any|the|an?) ", "", thing)).strip("`'\"") for thing in things(clause))
    return [text for text in bare if len(text.split()) > 1 and all(word in _KEYWORDS for word in text.split())]


def of_phrase(text: str) -> str:
    """The words in their order, on a line that is not a comment."""
    return UNCOMMENTED + r"\b" + r"\s+".join(map(re.escape, text.split())) + r"\b"

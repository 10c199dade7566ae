"""A wish that no one understands -> the same wish in plainer words, in the forms in which most people put it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulec.language.clause import Clause
from rulec.language.place import Where, where
from rulec.language.reading import clauses

_NO = r"(?:do not|don'?t|never|avoid|stop|no)"
_NAME = r"[`'\"]?[\w@$#&.:/<>*(){}=-]+[`'\"]?"
_NOUNS = (
    r"(?:librar(?:y|ies)|packages?|modules?|dependenc(?:y|ies)|functions?|methods?|calls?|commands?|"
    r"keywords?|operators?|"
    r"types?|hooks?|macros?|decorators?|annotations?|classes|class|components?|statements?|clauses?|tools?|binary|cli|"
    r"programs?|attributes?|directives?|apis?)"
)
# In order, each on what the ones before made of it.
_REWRITTEN: tuple[tuple[str, str], ...] = (
    (r"^In (?P<place>(?:the |our |all )?[\w./-]+(?: [\w./-]+){0,2}), (?P<wish>[^.]+?)\.?$", r"\g<wish> in \g<place>"),
    (
        (
            rf"^.*?\b(?:go(?:es)?|run|runs|are made|is made|are done|is done|happens?) (?:only )?(?:through|"
            rf"via|with|by) (?:the )?"
            rf"(?P<wanted>{_NAME}(?: {_NAME})?)[,;] (?:and )?(?:never|not) (?:through |via |with |by |using "
            rf")?(?P<unwanted>.+)$"
        ),
        r"Use \g<wanted> instead of \g<unwanted>",
    ),
    (
        (
            rf"^(?:\w+ ){{1,4}}(?:with|via|using|through|by) (?:the )?(?P<wanted>{_NAME}), (?:and "
            rf")?(?:never|not|rather than|instead of) "
            rf"(?:with |via |using |through |by )?(?:the )?(?P<unwanted>{_NAME}(?: {_NOUNS})?)\W*$"
        ),
        r"Use \g<wanted> instead of \g<unwanted>",
    ),
    (
        (
            rf"^(?:direct )?imports? (?:of|from) (?P<what>{_NAME}) (?:is|are|must be) "
            r"(?:forbidden|banned|prohibited|not allowed|off[ -]limits).*$"
        ),
        r"Do not import \g<what>",
    ),
    (rf"\b({_NO}) (?:ever |directly )?import (?:anything |something |code )?from (?=\S)", r"\1 import "),
    (
        (
            rf"\b({_NO}) (?:ever |directly )?(?:accessing|access|reading|read|reference|rely on|depend on|"
            rf"reach for|resort to|"
            rf"fall back (?:to|on)|introduce|employ|utili[sz]e|make use of|instantiate|invoke) (?=(?:the )?{_NAME}"
            rf"(?: {_NOUNS}| directly| in| from| for| outside)?\b)"
        ),
        r"\1 use ",
    ),
    (
        (
            r"\b(?:direct |raw |bare |explicit |any |new |the )*(?:calls?|access(?:es)?|references?|"
            r"usages?|uses?) (?:to|of|on) "
            rf"(?={_NAME})"
        ),
        "",
    ),
    (rf"\b(?:the |any |an? )?[`'\"](?P<name>[^`'\"\n]+)[`'\"] {_NOUNS}\b", r"\g<name>"),
    (r"\s+(?:directly|manually|by hand|yourself|explicitly|blindly|at all|for everything)(?=$|[\s,.;])", ""),
)
_COMPILED = tuple((re.compile(said, re.IGNORECASE), plain) for said, plain in _REWRITTEN)
_MARKS = re.compile(r"[`\u201c\u201d]")


_WHO = re.compile(
    r"^(?:the |our |all |any )?(?P<who>(?!(?:you|we|i|it|they|he|she|that|this|agents?|code|"
    r"there)\b)[A-Za-z]+(?: [a-z]+)?) "
    r"(?:must|should|may|can|do|does)(?: not|n'?t| never)(?: ever)? "
    r"(?P<verb>import|call|use|access|read|query|touch|contain|have|log|throw|depend on)(?: anything| directly)? "
    r"(?P<what>[^,;]+?)[.!]?$",
    re.IGNORECASE,
)


def at_its_place(clause: Clause) -> Clause:
    """A phrase like "controllers must not call the store" as "do not call the store in controllers"."""
    found = _WHO.match(clause.text)
    if not found:
        return clause
    read = clauses(f"Do not {found['verb']} {found['what']} in {found['who'].lower()}")
    there = where(read[0]) if len(read) == 1 else None
    return replace(clause, **_slots(read[0])) if there not in (None, Where()) else clause


def _slots(read: Clause) -> dict[str, Any]:
    """What a clause asks for, without the words that it was read from."""
    return {
        name: getattr(read, name) for name in ("polarity", "forbidden", "preferred", "verb", "objects", "when", "terms")
    }


def plainer(clause: Clause) -> Iterator[Clause]:
    """The clause in plainer words: first with its marks of code, then without."""
    text = clause.text
    for said, plain in _COMPILED:
        text = said.sub(plain, text)
    for one in dict.fromkeys((text, _MARKS.sub("", text))):
        if one != clause.text:
            yield from (found for found in clauses(one)[:1] if found.polarity != "none")

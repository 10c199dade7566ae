"""Names of things in code as people write them, and the patterns by which a text shows them."""

import re
from collections.abc import Iterator

from rulec.fits._words import stem, things
from rulec.language import Clause
from rulec.language.terms import table

# Words that stand in all code, whatever it does: to name one of them is not to name a thing in the code.
_COMMON = frozenset(
    map(
        stem,
        table(
            "error test type comment file function method class value name string log message code data import return "
            "new default user config path list item line space key number object module variable argument parameter "
            "export public private static rescue catch try except throw raise else elif finally self true false null "
            "none if for while switch case check call change commit doc thing stuff way logic helper util dependency "
            "package library component style format word text field column table database db api server client app "
            "page view model query request response result state time date id url interface"
        ),
    )
)
_KINDS = re.compile(
    r"^(?:(?:raw|bare|plain|direct|manual|native|naked|stray|random|inline|global|all|any|those|these|such|using|more|"
    r"your|custom|hard-?coded) )+|\s+(?:statements?|calls?|keywords?|operators?|usages?|blocks?|types?|classes|"
    r"declarations?|assertions?|casts?|macros?|variables?|comments?|lines?|prefix(?:es)?|anywhere|everywhere)$",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[^\w\s]{2,4}")
_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:\(\))?")
_WORD = re.compile(r"[A-Za-z_$][\w$]{2,}!?(?:\(\))?")
_CASED = re.compile(r"[a-z][a-z0-9]*[A-Z]\w*|\w+_\w+|[A-Z][a-z0-9]+[A-Z]\w*|\w+\(\)|\w+!")  # no word of a sentence
_MARKED = re.compile(r"(?<![\w@/.])@[A-Za-z][\w-]+(?![\w/@.])")
# A word that no sentence has: "localhost:5432", "#ff8800".
_LITERAL = re.compile(r"(?<![\w`'\"/.@-])(?=\S*[A-Za-z])(?:#[0-9a-fA-F]{6}|[A-Za-z][\w.-]*:\d[\w.:-]*)(?![\w/])")
_QUERY = re.compile(r"[A-Z]{3,}\b[A-Z *(]*")
_LINE = r"(?m)^(?![ \t]*(?://|#|/?\*|--|<!--))"
_QUERYING = r"(?mi)^(?![ \t]*(?://|#|/?\*|--|<!--))"
_BEFORE = r"(?:[^\"'`\n]|\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`)*?"  # whole strings, so that nothing in one is found
_OPENS = r"(?mi)(?:^|[ \t])(?://|#|/?\*|--)[/!*#]*[ \t]*"  # a comment
_COMMENT = _OPENS + r".{0,80}?"
_LONGEST = 60


def names(clause: Clause) -> list[str]:
    """What the clause calls by name: things that are not wanted, and, whatever is said of them, exact names."""
    unwanted = [_bare(thing) for thing in things(clause)] if clause.polarity in ("forbid", "prefer") else []
    wanted = " ".join(clause.preferred)
    exact = [term.text for term in clause.terms if term.kind == "code" or _CASED.fullmatch(term.text)]
    exact += [*_MARKED.findall(clause.text), *(one.rstrip(".:,") for one in _LITERAL.findall(clause.text))]
    return [
        name
        for name in dict.fromkeys((*unwanted, *exact))
        if 1 < len(name) <= _LONGEST
        and (name not in wanted or name in unwanted)
        and not (clause.polarity == "forbid" and _CASED.fullmatch(name))  # a fit of texts reads it where it is said so
    ]


def _bare(thing: str) -> str:
    return _KINDS.sub("", _KINDS.sub("", thing.strip("`'\" "))).strip("`'\" ")


def patterns(name: str) -> Iterator[str]:
    """Patterns for a name in code, the likeliest first; the plural of a word stands for its singular too."""
    plain = name.removesuffix("()")
    if _SIGNS.fullmatch(name):
        yield rf"{_LINE}{_BEFORE}{re.escape(name)}"
    elif _QUERY.fullmatch(name):
        yield rf"{_QUERYING}.*\b" + r"\s+".join(map(re.escape, name.split()))
    elif _DOTTED.fullmatch(name):
        yield rf"{_LINE}{_BEFORE}(?<![\w.]){re.escape(plain)}\b"
    elif _LITERAL.fullmatch(name):
        yield rf"{_LINE}.*(?<![\w.-]){re.escape(name)}(?![\w-])"
    elif name.startswith("@") or name.endswith(":"):
        start = _OPENS if name.endswith(":") else r"(?<![\w@])"
        yield rf"{start}{re.escape(name)}" + (r"\b" if name[-1].isalnum() else "")
    elif _WORD.fullmatch(name) and (stem(name) not in _COMMON or _CASED.fullmatch(name)):
        end = r"\s*\(" if name != plain else "" if plain.endswith("!") else r"\b(?!['\"]?\s*[:=](?!=))"
        end = r"\b" if name == plain and _CASED.fullmatch(name) and not name.endswith("!") else end
        singular = [plain[: -len(ending)] for ending in ("es", "s") if plain.endswith(ending)]
        kept = [one for one in (plain, *singular) if len(one) > len("ab")]
        yield from (rf"{_LINE}{_BEFORE}(?<![\w.$-]){re.escape(one)}{end}" for one in kept)
    elif re.search(r"\s|\d", name) and re.search(r"[A-Za-z]{3}", name):
        numbered = re.sub(r"\\?\d+", r"\\d+", re.escape(name)).replace(r"\ ", r"\s+")
        yield rf"{_COMMENT}\b{numbered}" + (r"\b" if name[-1].isalnum() else "")

"""A sentence that leans on the words around it -> one that stands on its own."""

import re

from rulec.language._instruction_words import VERBS
from rulec.language.ground import Ground
from rulec.language.instruction import cases, unlabelled, wished
from rulec.language.terms import terms

LONGEST = 240  # characters of a sentence that is made of two, or of an item of what not to do
_NO_BUT = re.compile(r"^(?P<no>no [^:;,]{3,60}): (?P<verb>use|prefer|call|go through)\b", re.IGNORECASE)
_NO_IN = re.compile(r"^(?P<no>no [\w-]+(?: [\w-]+)?), (?P<at>in|on|at|for)\b", re.IGNORECASE)
# It speaks of something that was named before it.
LEANING = re.compile(
    r"^(?:(?:please|do not|don'?t|never|always|only|avoid|also|just|instead,?|\w+ly)\s+)*[\w-]+\s+"
    r"(?:(?:to|in|from|with|on|into|for|about)\s+)?"
    r"(?:it|them|these|those|this|that|(?:(?:a|an|the|another)\s+)?(?:\w+\s+)?one|there)\b(?!\s+(?:is|are|you|we)\b)|"
    r"\b(?:one|there)[.!]?$",
    re.IGNORECASE,
)
_IT = re.compile(
    r"(?P<lead>\b(?:never|do not|do ?n[o']t|don'?t|not)\s+(?:ever\s+)?[a-z-]+\s+)(?P<it>it|them|that|this)\b"
    r"(?=\s*(?:[.,;!)]|$|(?:by|in|to|from|with|into|at|on|for|as|directly|manually|yourself)\b))",
    re.IGNORECASE,
)


_DASH = re.compile(r"\s+[\u2013\u2014-]{1,2}\s+(?=\S)")
_LEAST = 12  # characters of a wish before the dash


def reason(text: str) -> tuple[str, str]:
    """The wish, and what is said about it behind a dash: a reason, unless that is a wish as well."""
    found = _DASH.search(re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), text))
    if not found or found.start() < _LEAST:
        return text, ""
    head, tail = text[: found.start()].rstrip(" ,;"), text[found.end() :]
    if wished(tail, Ground("norms")):
        return f"{head}; {tail}", ""
    return head, f"{tail[0].upper()}{tail[1:]}"


def named(text: str) -> list[str]:
    """What a sentence names exactly: in marks of code, or as a path."""
    return list(dict.fromkeys(term.text for term in terms(text) if term.kind in ("code", "path")))


def _pointed(text: str) -> tuple[str, bool]:
    """The sentence with its "it" named where one thing alone can be meant, and whether it is firm then."""
    found = _IT.search(text)
    if not found:
        return text, not (LEANING.search(text) and not named(text))
    exact = named(text[: found.start()])
    if len(exact) != 1 or f"`{exact[0]}`" not in text:
        return text, False
    return f"{text[: found.start('it')]}`{exact[0]}`{text[found.end('it') :]}", True


_CASED = re.compile(r"[,;]\s+(?:and\s+)?|(?<=`)\s+and\s+(?=[\w -]{1,40}\s(?:use|uses|are|is|in)\s+`)")


def by_case(text: str) -> list[tuple[str, bool]]:
    """A sentence that gives several things a spelling each, as one sentence for each, where it can be told apart."""
    if len(set(cases(text))) < _TWO:
        return [_pointed(text)]
    for joint in (_SEMICOLON, _CASED):
        parts = [part.strip() for part in joint.split(text.rstrip(". "))]
        if len(parts) > 1 and all(len(cases(part)) == 1 and " " in part for part in parts):
            return [(f"{part[0].upper()}{part[1:]}.", True) for part in parts]
    return [(text, False)]


_SEMICOLON = re.compile(r";\s+(?:and\s+)?")


_TWO = 2
_NOT = re.compile(
    r"^(?:(?:please|always)\s+)?(?:do not|do ?n[o']t|never|avoid|no|not|use\b.+\binstead\b)\b", re.IGNORECASE
)


def forbidden(text: str) -> str:
    """An item of a list of what not to do, as a sentence that says so."""
    body = unlabelled(text)[1]
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", body)
    if not words or len(body) > LONGEST or text.endswith(":"):
        return ""
    if _NOT.match(body):
        return body
    first = words[0].lower()
    if first in VERBS and body[: len(first)].lower() == first:
        return f"Do not {lowered(body)}"
    if first.endswith("ing") and body[: len(first)].lower() == first:
        return f"Avoid {lowered(body)}"
    return f"No {lowered(body)}" if not body.startswith("`") else f"Do not use {body}"


def lowered(text: str) -> str:
    """The text as it goes on after other words: names and acronyms keep their capitals."""
    word = re.match(r"[A-Za-z']+", text)
    if not word or len(word[0]) == 1 or word[0][1:] != word[0][1:].lower():
        return text
    return text[0].lower() + text[1:]


def one_breath(text: str) -> str:
    """A sentence like "no X: use Y" or "no X, in Y" as clauses are read."""
    return _NO_IN.sub(r"\g<no> \g<at>", _NO_BUT.sub(r"\g<no>; \g<verb>", text))

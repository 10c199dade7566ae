"""Which side of a statement a word stands on: what it wants, or what it forbids; only where its form is clear."""

import re
from collections.abc import Iterator
from typing import Literal

from rulec.domain.rule import Example, Rule
from rulec.language.coverage.statement_parts import without_markup

Side = Literal["wanted", "forbidden", ""]
_CUE = re.compile(
    r"(?i)(?P<no>\b(?:never|no|not|avoid|stop|instead of|rather than|in place of|without)\b|\w+n['\u2019]t\b)"
    r"|(?P<yes>\b(?:always|use|prefer|only|just|instead|but)\b)|(?P<end>[.!?](?=\s|$)|[;\n])"
)
_BANNED = re.compile(r"(?i)\b(?:forbidden|banned|not allowed|prohibited|off limits|frozen|deprecated)\b")
_BOUNDED = re.compile(r"(?i)\b(?:unless|without|except|if|when)\b")  # such a sentence has more than two sides
_PHRASE = re.compile(
    r"(?i)[,;:.!?()](?:\s|$)|\s+(?:for|to|in|on|when|if|and|or|here|instead|directly|please|with|as)\b"
)
_LEAD = re.compile(r"(?i)\s*(?:(?:the|a|an|use|run|call|ever|of|plain)\s+)*")
_MOST = 3  # words of what is named without quotes


def sides_of(statement: str) -> list[tuple[Side, int, int]]:
    """The spans of a statement on either side, in their order; what stands before the first cue is on none."""
    spans: list[tuple[Side, int, int]] = []
    side: Side = ""
    start = 0
    for cue in _CUE.finditer(statement):
        again = cue["yes"] and cue["yes"].lower() in ("use", "only", "just") and side == "forbidden"
        if again and not re.search(r"[,:\u2013\u2014]|\binstead\b", statement[start : cue.start()]):
            continue  # never use, do not just
        spans.append((side, start, cue.start()))
        side = "forbidden" if cue["no"] else "wanted" if cue["yes"] else ""
        start = cue.end()
    spans.append((side, start, len(statement)))
    return spans


def side_of(statement: str, at: int) -> Side:
    """The side of what stands at a place; a sentence that forbids nothing only wants."""
    if not _CUE.search(statement) and not _BANNED.search(statement):
        return "wanted"
    found: Side = next((side for side, start, end in sides_of(statement) if start <= at < end), "")
    if not found and not _BANNED.search(statement):
        return "wanted"
    return found


def _phrases(statement: str, wanted: Side) -> Iterator[tuple[str, ...]]:
    """What stands first on one side, in its words, as it would be typed."""
    for side, start, end in sides_of(statement):
        text = statement[_LEAD.match(statement, start).end() : end]  # type: ignore[union-attr]
        code = re.match(r"`([^`]+)`", text)
        said = _words_typed_in(code[1] if code else _PHRASE.split(text, maxsplit=1)[0])
        opens = not side and wanted == "wanted" and statement[end : end + 3].lower() in ("not", "nev")
        if (side == wanted or opens) and said and (code or len(said) <= _MOST):
            yield said


def examples_contradict(rule: Rule) -> str:
    """Why the examples ask for the contrary of the statement, in a line; "" where nothing clear says so."""
    statement = without_markup(rule.statement)
    if _BOUNDED.search(statement) or _BANNED.search(statement):
        return ""
    wanted, forbidden = ([*_phrases(statement, side)] for side in ("wanted", "forbidden"))
    forbidden = [said for said in forbidden if said not in wanted]
    invalid, valid = (list(filter(None, map(_typed_words, side))) for side in (rule.invalid, rule.valid))
    if not forbidden or any(_holds_words(words, said) for words in invalid for said in forbidden):
        return ""
    known = any(_holds_words(words, said) for words in valid for said in forbidden)
    for said in wanted:
        caught = [words for words in invalid if (_holds_words(words, said) if known else words[: len(said)] == said)]
        if caught and not any(_holds_words(words, said) for words in valid):
            asked, shown = " ".join(said), " ".join(caught[0])[:60]
            return f"the statement asks for {asked!r}, and the invalid example {shown!r} says that it is wrong"
    return ""


def _typed_words(example: Example) -> tuple[str, ...]:
    """The words of what an example does."""
    return _words_typed_in((example.steps[-1] if example.steps else example).text)


def _words_typed_in(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[\w.@/:=-]+", text.lower()))


def _holds_words(words: tuple[str, ...], said: tuple[str, ...]) -> bool:
    return any(words[at : at + len(said)] == said for at in range(len(words)))

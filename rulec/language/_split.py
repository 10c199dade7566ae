"""Text -> stretches that hold one wish each, word for word."""

import re

LIMIT = 6_000  # characters of a turn that are read; wishes stand at its head or tail
LONGEST = 420  # a longer stretch is a document or a log, not a wish

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_KEEP = re.compile(
    r"`[^`\n]*`|\"[^\"\n]{1,120}\"|\u201c[^\u201d\n]{1,120}\u201d|(?<!\w)'[^'\n]{1,80}'(?!\w)|"
    r"\b(?:e\.g|i\.e|etc|vs|cf|approx)\.|\bhttps?://\S+"
    r"|(?<=\s)!!(?=\s+(?:operators?|assertions?|in|on|or|and)\b)"
    r"|\b(?:the|an?|use|using|with|only|always|not)\s[-\u2013\u2014](?=\s(?:as|for|markers?|bullets?|signs?|characters?|"
    r"symbols?|at|in|instead|rather|not|before)\b)"
)
_END = re.compile(
    r"(?:(?<!\.)\.(?!\.)|[!?\u3002\uff01\uff1f]+)[\"')\]]*(?:\s+|$)|(?<=[\u3002\uff01\uff1f])|"
    r"\n+|;\s+(?!use\b)|\s+[-\u2013\u2014]{1,2}\s+|:\s*\n|(?:\.{2,}|\u2026)\s+(?!(?:but )?why\b)"
)
_NEXT = (
    r"(?:please |just |also |then )*(?:do not|don'?t|dont|stop|always(?! use)|make sure|remember|be "
    r"sure|let'?s|never (?:\w+e|commit|run|touch|edit"
    r"|push|add|put)|just (?!\w+ed\b)\w+|instead,? (?:use|run))\b"
)
_NONE = r"no (?!problem|idea|worries|need|way|thanks|longer|one|matter|doubt|more|no|i|it|you|we|that|this)\w"
_WITHIN = re.compile(
    rf",\s+(?:and |but |so |because )?(?={_NEXT})|\s+(?:and|but)\s+(?={_NEXT})|,\s+(?:and |but )?(?={_NONE})"
    r"|,\s+(?:so |but )?(?=why (?:is|are|do|did|does|would|have)\b)"
    r"|,\s+(?:so |but |and )?"
    r"(?=(?:can|could) (?:we|you) (?:please |just )*(?:use|stop|not|keep|avoid|switch|move|put|run)\b)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*\u2022]\s+|\d+[.)]\s+|>\s+)")


def stretches(text: str) -> list[str]:
    """The stretches in order; code blocks, logs and quoted lines are left out."""
    if len(text) > LIMIT:
        text = text[: LIMIT // 2] + "\n" + text[-LIMIT // 2 :]
    masked = _CODE.sub(lambda m: "\n" * len(m[0]), text)
    masked = _KEEP.sub(lambda m: "x" * len(m[0]), masked)
    cuts, start = [], 0
    for end in _END.finditer(masked):
        if masked[start : end.start()].strip().isdigit():  # "1. Do this": the number of an item, not a sentence
            continue
        cuts += _within(masked, start, end.start() + len(end[0].rstrip()))
        start = end.end()
    cuts += _within(masked, start, len(masked))
    found = (_BULLET.sub("", text[a:b]).strip(" \t\n,;") for a, b in cuts if masked[a:b].strip())
    return [stretch for stretch in found if 1 < len(stretch) <= LONGEST]


def _within(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts, here = [], start
    for match in _WITHIN.finditer(masked, start, end):
        cuts.append((here, match.start()))
        here = match.end()
    return [*cuts, (here, end)]

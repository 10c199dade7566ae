"""Text -> clauses: what each stretch of a person's words forbids, prefers or requires."""

import re
from dataclasses import replace

from rulec.language._forms import FORMS
from rulec.language._split import stretches
from rulec.language._verbs import base_form
from rulec.language.clause import Clause
from rulec.language.terms import terms

LONGEST_NOTE = 300  # a longer text behind "# " is a document with a heading
_LASTING = re.compile(
    r"\b(?:always|never|from (?:now|here) on|going forward|in (?:the )?future|next time|as a (?:general )?rule|"
    r"every ?time|whenever|each time|at all times)\b",
    re.IGNORECASE,
)
_FORCE = re.compile(
    r"\b(?:never|must|always|under no circumstances|ever again|strictly|mandatory|ever)\b|!!|"
    r"\bNEVER\b|\bNOT\b|\bDON'?T\b"
)
_OF_PRODUCT = re.compile(
    r"^(?:the |an? |each |every |all |our )?(?:users?|customers?|visitors?|page|button|screen|ui|app|form|dialog|modal|"
    r"sidebar|menu|header|footer|icon|player|game|endpoint|response|api|list|table|chart|card|text|title|cli|server|client|"
    r"tab|panel)s? (?:\w+ )?(?:should|must|needs?|has|have|is|are|does|do|can|cannot|can'?t)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:(?:for (?:the |our |all |any )?[\w/-]+(?: [\w/-]+)?:(?=\s)|"
    r"(?:no+|nope|stop|rule)[,.:!]+|(?:hey|hi|yes|yeah|ya|ok(?:ay)?|oh|ah|hm+|ugh|argh|"
    r"wtf|dude|man|bro|buddy|wait|actually|also|and|but|so"
    r"|well|please|pls|just|then|again|instead(?! of)|seriously|look|listen|sorry|for the (?:last|\w+) time|"
    r"from now on|going forward|in (?:the )?future"
    r"|next time|as a (?:general )?rule|remember(?: that| to)?|note(?: that)?|important|"
    r"reminder|fyi|i (?:already )?(?:told|said)(?: to)? you"
    r"(?: \w+ times)?(?: to| that)?|as i said|i repeat|in this (?:repo|repository|project|"
    r"codebase)|here|guys|damn|god|jesus|christ|ffs)\b)"
    r"[,.:!\s\u2014-]*)+(?=\S)",
    re.IGNORECASE,
)
_TRIM = re.compile(
    r"[\s,.!?;]+$|[\s,.;]+(?:like (?:that|this)|please|pls|ok(?:ay)?|thanks|thank you|anymore|any more|again|"
    r"ever|man|dude|right|for me|in the future|next time"
    r"|from now on|going forward)[.!?]*$",
    re.IGNORECASE,
)
_REASON = re.compile(
    (
        r"[,;]?\s+(?:because|since|as it|as they|as the|cause|cuz|coz|so that|so we|so i|"
        r"otherwise|due to|it'?s|it is|they'?re|they are|we (?:don'?t|have (?:a|an|the|our|one)\b)"
        r"|that'?s|this is|it messes|it breaks|we already)\b.*$|\s+\([^()]*\)$|"
        r"\s[-\u2013\u2014]+\s.*$|,\s+(?:too|it|they|that|this|which|you(?:'re| are| keep| just)|"
        r"i (?:do ?n[o']t|can'?t|hate)|if (?:something|anything|you (?:need|think|want))|"
        r"the \w+ (?:is|are|was|failed|breaks))\b.*$"
    ),
    re.IGNORECASE,
)
_COMPILED = tuple((polarity, re.compile(rf"^(?:{form})$", re.IGNORECASE | re.DOTALL)) for polarity, form in FORMS)
_MARK = re.compile(
    r"^\s*(?:CORRECT\[(?P<slug>[A-Za-z0-9_-]{1,60})\]\s*:|(?P<rule>rule)\s*:|(?P<hash>#)\s(?=\S))\s*", re.IGNORECASE
)
_NOT_A_WISH = re.compile(
    (
        r"^(?!i (?:want you|prefer)|i'd (?:like|prefer))(?:i|it|they|this|that|he|she|there)(?:'m|"
        r"'s| am| is| was| did| do| does| have| has| had| see| think| guess| still| just)?\b|"
        r"^\S+ (?:\w+ )?(?:changed|works|passe[sd]|failed|was|were|(?:is|are) (?:fine|ok|okay)),? (?:but|and) not\b"
    ),
    re.IGNORECASE,
)


def clauses(text: str) -> tuple[Clause, ...]:
    """Every stretch that asks for something or points at something, in order."""
    slug, marked, text = _mark(text)
    return tuple(replace(_read(stretch), slug=slug, marked=marked) for stretch in stretches(text))


def _mark(text: str) -> tuple[str, bool, str]:
    match = _MARK.match(text)
    if not match or (match["hash"] and ("\n" in text.strip() or len(text) > LONGEST_NOTE)):
        return "", False, text
    own, _, _ = text[match.end() :].partition("\n>")  # a mark is the person's: it says nothing of what they quote
    return (match["slug"] or "").lower().replace("_", "-"), True, own if own.strip() else text[match.end() :]


def _read(stretch: str) -> Clause:
    plain, body = _straight(stretch), wish_of(stretch)
    shared = Clause(
        text=stretch,
        lasting=bool(_LASTING.search(plain)),
        forceful=bool(_FORCE.search(plain)),
        terms=terms(stretch),
        addressed="product" if _OF_PRODUCT.search(body) else "work",
    )
    head = _ASIDE.sub("", body)
    for part in (body, head) if head != body and len(head) > LEAST_HEAD else (body,):
        for polarity, form in _COMPILED:
            match = form.match(part)
            if match and not (polarity in ("require", "prefer") and _NOT_A_WISH.match(part)):
                named = match.groupdict(default="")
                return replace(
                    shared,
                    polarity=polarity,
                    forbidden=split_list(named.get("f", "")),
                    preferred=split_list(_HERE.sub("", named.get("p", ""))),
                    verb=base_form(named.get("v", "")),
                )
    return shared


LEAST_HEAD = 8  # characters of a wish before what is said about it
# ", I only want it in staging": what is said of a wish once it is voiced.
_ASIDE = re.compile(
    r",\s+(?:i|we|you|they|he|she|it|there|that|this|nobody|no one|everyone|everybody|others?|people|someone)\b.*$",
    re.IGNORECASE | re.DOTALL,
)


def wish_of(stretch: str) -> str:
    """The stretch without address, reason and politeness."""
    plain = _straight(stretch)
    bare = _SMILEY.sub("", plain)
    plain = bare if len(bare.split()) >= LEAST_WORDS else plain
    plain = plain[1:-1] if plain.startswith("(") and plain.endswith(")") else plain
    body = _LEAD.sub("", plain) or plain
    for cut in (_TRIM, _REASON, _TRIM, _TRIM):
        shorter = cut.sub("", body)
        if shorter and shorter != body and not _DANGLING.search(shorter):
            body = shorter
    return body


LEAST_WORDS = 3  # "no \U0001f680" is about the sign itself
_SMILEY = re.compile(r"[\s\u2600-\u27bf\U0001f300-\U0001faff\u200d\ufe0f]+$")
_DANGLING = re.compile(
    r"\b(?:and|or|but|not|of|to|the|an?|with|than|for|until|before|after|when|if|that|say|saying|claim|claiming|think"
    r"|(?:tell|telling) (?:me|us))$",
    re.IGNORECASE,
)


def _straight(text: str) -> str:
    return text.replace("\u2019", "'").replace("\u2018", "'")


_HERE = re.compile(
    r"\s+(?:here|everywhere|for (?:that|this|everything)|in this \w+|"
    r"(?:like|as) (?:we|you|they|everyone|elsewhere)\b.*)$",
    re.IGNORECASE,
)


def split_list(text: str) -> tuple[str, ...]:
    """A phrase like "npm, yarn or bun" -> its three things, without articles and trimmings."""
    parts = re.split(r"\s*,\s*(?:and |or )?|\s+(?:and|or|nor)\s+", text.lstrip(" ,:;").rstrip(" .,!?:;"))
    clean = (
        re.sub(
            r"^(?:the|an?|any|our|your|my|some|this|that|these|those|to|such|all|those|via|with)\s+",
            "",
            part.strip(),
            flags=re.IGNORECASE,
        )
        for part in parts
    )
    return tuple(bare for part in clean if (bare := _bare(part)))


_QUOTES = frozenset("`\"'\u201d")


def _bare(part: str) -> str:
    bare = part.lstrip(" `\"'\u201c(").rstrip(" .,!?")
    while bare[-1:] in _QUOTES and bare.count(bare[-1]) % 2:
        bare = bare[:-1].rstrip(" .,!?")
    return bare if "(" in bare else bare.rstrip(")")

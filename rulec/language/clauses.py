"""Text into clauses: what each stretch of a person's words forbids, prefers or requires."""

import re
from dataclasses import replace

from rulec.language.clause import Clause, Polarity
from rulec.language.terms import terms
from rulec.language.words import ABBREVIATIONS, any_of, base_form

_NOT = (
    r"(?:do ?n[o']?t|do nto|dnot|don[o']?t|do not|dont|never|must ?n[o']t|must not|should ?n'?t|should not|shall not|"
    r"avoid|(?:stop|quit)(?= \w+ing\b)|let'?s not|no longer|not supposed to|not allowed to|must never|should never|"
    r"(?:can|could) (?:we|you) (?:please )?not)"
)
_USE = r"(?:us(?:e|ing)|run(?:ning)?|call(?:ing)?|prefer|stick (?:to|with)|go(?:ing)? with|choose)"
_ACT = (  # what may be refused; the other words are of talk: "don't worry", "I never got it"
    r"(?!(?:worry|bother|panic(?! (?:in|inside|from|within|on)\b)|sweat|hesitate|think|know|understand|see|mind|care|"
    r"believe|the|an?|it|that|this|these|my|your|our|you|we|i|at|in|on|here|now|there|got|saw|had|was|were|did|came|"
    r"went|told|said|made|ran|found)\b)(?P<v>force[- ]push(?:ing)?|hard[- ]reset|check(?:ing)? in|[a-z][\w'-]*)"
)
_ASK = (
    r"(?:please |always |only |just |you should |we (?:should|always|only) |let'?s |(?:can|could|would) (?:we|you) |i want you to |"
    r"i'?d like you to |better |rather |must |you (?:must|need to|have to|are to) )*(?:we (?=(?:use|prefer) ))?"
)
_THING = r"[^,;]+?"
_INSTEAD = r"(?:instead of|rather than|in place of|over)"
_PRODUCT_ACTOR = (
    r"(?:(?:the|an?|each|every) )?(?:users?|customers?|visitors?|page|button|screen|player|game|app|client)\b"
)
_NOT_EVER = r"(?: not|n'?t| never)(?: ever)?"
_WHEN = r"(?:when(?:ever)?|every ?time|each time)"
_DO = (
    "add|update|run|write|put|bump|regenerate|commit|document|adjust|change|include|create|list|mention|keep|follow|"
    "read|check|lint|test|ask|push|pull|rebase|respond|reply|name|prefix|sort|format|start|end|begin"
)

# f: what is not wanted, p: what is, v: the verb.
FORMS: tuple[tuple[Polarity, str], ...] = (
    ("prefer", rf"{_NOT} (?:ever )?(?P<v>{_USE}) (?P<f>{_THING}) {_INSTEAD} (?P<p>.+)"),
    (
        "prefer",
        rf"{_NOT} (?:ever )?(?P<v>{_USE}) (?P<f>{_THING})[,;]? (?:(?:and|but|instead|just|always) )*{_USE} (?P<p>.+)",
    ),
    ("forbid", rf"(?:you |we |let'?s )?{_NOT} (?:ever |to |just |simply )?(?:be |keep )?{_ACT}(?: (?P<f>.+))?"),
    ("prefer", rf"instead of (?P<f>{_THING})(?:, ?| )(?:please |just |you should |we )*(?P<v>{_USE}) (?P<p>.+)"),
    (
        "prefer",
        (
            rf"{_ASK}(?:(?P<v>{_USE}|write|do|make|put|add|want|like) )?(?P<p>{_THING})"
            rf"(?:,? (?:{_INSTEAD}|and not|but not)|, ?(?:and )?(?:not|never)) (?:with |to use |using |to )?(?P<f>.+)"
        ),
    ),
    ("prefer", r"not (?P<f>[^\s,]+(?: [^\s,]+){0,2}), ?(?:but |use )?(?P<p>[^,]+)"),
    ("prefer", rf"{_ASK}(?P<v>replace|swap)(?: out)? (?P<f>.+?) (?:with|by|for) (?P<p>.+)"),
    ("prefer", rf"why (?:aren'?t|didn'?t|don'?t|are not) (?:you|we) (?P<v>{_USE}) (?P<p>.+)"),
    (
        "forbid",
        (
            r"(?:why|how come) (?:are|did|do|would|were|have|must) (?:you|we) "
            r"(?:still |always |keep |even |again |just )*(?P<v>[a-z]+)(?: (?P<f>.+))?"
        ),
    ),
    ("forbid", r"i (?:did ?n[o']t|never) (?:say|ask|tell|asked|told|said)(?: you)?(?: to)? (?P<v>[a-z]+) ?(?P<f>.*)"),
    (
        "forbid",
        (
            r"i(?:'d| would)? (?:do ?n[o']t|do not|dont|rather not|never) (?:ever )?"
            r"(?P<v>want|like|love|allow|accept|use|write|commit|push)(?: to)? (?P<f>.+)"
        ),
    ),
    (
        "forbid",
        (
            r"(?:there (?:should|must) be |we (?:want|need) |i want )?(?:absolutely |strictly )?no (?:more )?"
            r"(?P<f>(?!problem|idea|worries|need|way|thanks|longer|one|matter|doubt|no\b|"
            r"i |it |you |we |that|this)[^,;]+)(?:;.*)?"
        ),
    ),
    ("forbid", r"(?:leave|keep) .+? (?:alone|as (?:it|they) (?:is|are)|untouched|unchanged|out(?: of .+)?)"),
    ("forbid", r"(?:leave out|omit|skip) (?!it\b|that\b|this\b|these\b|for now|to\b|ahead|over).+"),
    ("forbid", rf"(?P<f>.+?) (?:must|should|may|can){_NOT_EVER} be (?P<v>[a-z]+).*"),
    ("forbid", rf"(?!wh|how).+? (?:must|should|may|shall){_NOT_EVER} .+"),
    (
        "forbid",
        r"[a-z][^,]*? without (?P<f>(?!asking|permission|my|telling|running|reading|checking|first|being)[^,;]+)",
    ),
    ("require", rf"{_ASK}(?!use\b|prefer\b)[a-z]+ (?:.*?\b)?(?:first|before|after|every ?time|each time|{_WHEN})\b.*"),
    (
        "require",
        rf"{_WHEN} (?!{_PRODUCT_ACTOR})[^,]{{3,100}}?(?:, ?| )(?:please |also |always |then |you \w+ )*(?:{_DO}) .+",
    ),
    ("prefer", rf"{_ASK}(?P<v>{_USE}) (?P<p>.+)"),
    (
        "require",
        (
            rf"{_ASK}(?:always|make sure|be sure to|ensure|must|have to|need to|remember to|should(?: always)?|"
            r"(?:do not|don'?t) forget to|i prefer) .+"
        ),
    ),
    ("require", r".+? (?:must|should|needs? to|has to|have to)(?: always)? (?:be )?[a-z]+.*"),
    ("require", rf"{_ASK}(?:{_DO}) .+"),
)

MOST_READ = 6_000  # characters of a turn that are read; wishes stand at its head or tail
LONGEST_STRETCH = 420  # a longer stretch is a document or a log, not a wish

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_KEEP = re.compile(
    r"`[^`\n]*`|\"[^\"\n]{1,120}\"|\u201c[^\u201d\n]{1,120}\u201d|(?<!\w)'[^'\n]{1,80}'(?!\w)|"
    rf"\b(?:{any_of(ABBREVIATIONS)})\.|"
    r"\bhttps?://\S+"
    r"|(?<=\s)!!(?=\s+(?:operators?|assertions?|in|on|or|and)\b)"
    r"|\b(?:the|an?|use|using|with|only|always|not)\s[-\u2013\u2014](?=\s(?:as|for|markers?|bullets?|signs?|characters?|"
    r"symbols?|at|in|instead|rather|not|before)\b)"
)
_END = re.compile(
    r"(?:(?<!\.)\.(?!\.)|[!?\u3002\uff01\uff1f]+)[\"')\]]*(?:\s+|$)|(?<=[\u3002\uff01\uff1f])|"
    r"\n+|;\s+(?!use\b)|\s+[-\u2013\u2014]{1,2}\s+|:\s*\n|(?:\.{2,}|\u2026)\s+(?!(?:but )?why\b)"
)
_NEXT_WISH = (
    r"(?:please |just |also |then )*(?:do not|don'?t|dont|stop|always(?! use)|make sure|remember|be "
    r"sure|let'?s|never (?:\w+e|commit|run|touch|edit"
    r"|push|add|put)|just (?!\w+ed\b)\w+|instead,? (?:use|run))\b"
)
_NONE = r"no (?!problem|idea|worries|need|way|thanks|longer|one|matter|doubt|more|no|i|it|you|we|that|this)\w"
_WITHIN = re.compile(
    rf",\s+(?:and |but |so |because )?(?={_NEXT_WISH})|\s+(?:and|but)\s+(?={_NEXT_WISH})|,\s+(?:and |but )?(?={_NONE})"
    r"|,\s+(?:so |but )?(?=why (?:is|are|do|did|does|would|have)\b)"
    r"|,\s+(?:so |but |and )?"
    r"(?=(?:can|could) (?:we|you) (?:please |just )*(?:use|stop|not|keep|avoid|switch|move|put|run)\b)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*\u2022]\s+|\d+[.)]\s+|>\s+)")


def stretches(text: str) -> list[str]:
    """The stretches in order; code blocks, logs and quoted lines are left out."""
    if len(text) > MOST_READ:
        text = text[: MOST_READ // 2] + "\n" + text[-MOST_READ // 2 :]
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
    return [stretch for stretch in found if 1 < len(stretch) <= LONGEST_STRETCH]


def _within(masked: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts, here = [], start
    for match in _WITHIN.finditer(masked, start, end):
        cuts.append((here, match.start()))
        here = match.end()
    return [*cuts, (here, end)]


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
    r"(?:no+|nope|stop|rule)[,.:!]|(?:hey|hi|yes|yeah|ya|ok(?:ay)?|oh|ah|hm+|ugh|argh|"
    r"wtf|dude|man|bro|buddy|wait|actually|also|and|but|so"
    r"|well|please|pls|just|then|again|instead(?! of)|seriously|look|listen|sorry|for the (?:last|\w+) time|"
    r"from now on|going forward|in (?:the )?future"
    r"|next time|as a (?:general )?rule|remember(?: that| to)?|note(?: that)?|important|"
    r"reminder|fyi|i (?:already )?(?:told|said)(?: to)? you"
    r"(?: \w+ times)?(?: to| that)?|as i said|i repeat|in this (?:repo|repository|project|"
    r"codebase)|here|guys|damn|god|jesus|christ|ffs)\b)"
    r"[,.:!\s\u2014-]*)++(?=\S)",
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
    slug, marked, text = _marked_wish(text)
    return tuple(replace(_read_stretch(stretch), slug=slug, marked=marked) for stretch in stretches(text))


def _marked_wish(text: str) -> tuple[str, bool, str]:
    match = _MARK.match(text)
    if not match or (match["hash"] and ("\n" in text.strip() or len(text) > LONGEST_NOTE)):
        return "", False, text
    own, _, _ = text[match.end() :].partition("\n>")  # a mark is the person's: it says nothing of what they quote
    return (match["slug"] or "").lower().replace("_", "-"), True, own if own.strip() else text[match.end() :]


def _read_stretch(stretch: str) -> Clause:
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
    return tuple(bare for part in clean if (bare := _bare_thing(part)))


_QUOTES = frozenset("`\"'\u201d")


def _bare_thing(part: str) -> str:
    bare = part.lstrip(" `\"'\u201c(").rstrip(" .,!?")
    while bare[-1:] in _QUOTES and bare.count(bare[-1]) % 2:
        bare = bare[:-1].rstrip(" .,!?")
    return bare if "(" in bare else bare.rstrip(")")

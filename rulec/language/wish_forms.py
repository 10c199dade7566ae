"""The forms that a wish takes in a sentence, the most telling first."""

from rulec.language.clause import Polarity

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
    r"(?:please |always |only |just |you should |we should |let'?s |(?:can|could|would) (?:we|you) |i want you to |"
    r"i'?d like you to |better |rather |must |we always |we only |we (?=(?:use|prefer) )|"
    r"you (?:must|need to|have to|are to) )*"
)
_THING = r"[^,;]+?"
_INSTEAD = r"(?:instead of|rather than|in place of|over)"
_OF_PRODUCT = r"(?:(?:the|an?|each|every) )?(?:users?|customers?|visitors?|page|button|screen|player|game|app|client)\b"
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
        rf"{_WHEN} (?!{_OF_PRODUCT})[^,]{{3,100}}?(?:, ?| )(?:please |also |always |then |you \w+ )*(?:{_DO}) .+",
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

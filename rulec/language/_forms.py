"""The forms a wish takes in a sentence, the most telling first."""

from rulec.language._cues import NOT, USE
from rulec.language.clause import Polarity

_ACT = (
    r"(?!(?:worry|bother|panic(?! (?:in|inside|from|within|on)\b)|sweat|"
    r"hesitate|think|know|understand|see|mind|care|believe|the|an?|it|that|this|these|"
    r"my|your|our|you|we|i|at|in|on|here|now|there|got|saw|had|was|were|did|came|went|told|said|made|ran|found)\b)"
    r"(?P<v>force[- ]push(?:ing)?|hard[- ]reset|check(?:ing)? in|(?:mess|fuck|fiddle)(?:ing)? (?:with|up|around with)|"
    r"[a-z][\w'-]*)"
)
_ASK = (
    r"(?:please |always |only |just |you should |we should |let'?s |(?:can|could|would) (?:we|"
    r"you) |i want you to |i'?d like"
    r" you to |better |rather |must |we always |we only |we (?=(?:use|prefer) )|"
    r"you (?:must|need to|have to|are to) )*"
)
_THING = r"[^,;]+?"
_OF_PRODUCT = r"(?:(?:the|an?|each|every) )?(?:users?|customers?|visitors?|page|button|screen|player|game|app|client)\b"

# In order: the first that fits says what the stretch asks for. f: what is not wanted, p: what is, v: the verb.
FORMS: tuple[tuple[Polarity, str], ...] = (
    (
        "prefer",
        (
            rf"{NOT} (?:ever )?(?P<v>{USE}) (?P<f>{_THING})(?:[,;] (?:but |and |instead )?|and |but "
            rf")(?:please |just |rather )*{USE} (?P<p>.+)"
        ),
    ),
    ("prefer", rf"{NOT} (?:ever )?(?P<v>{USE}) (?P<f>{_THING}) (?:instead of|rather than|in place of|over) (?P<p>.+)"),
    ("require", r"(?:do|did) ?n'?o?t you (?:even |ever |just )?(?P<v>read|look at|check|follow) (?P<p>.+)"),
    ("forbid", r"(?:please |you should )?avoid (?P<f>(?!\w+ing\b).+)"),
    ("forbid", rf"(?:you |we |let'?s )?{NOT} (?:ever |to |just |simply )?(?:be |keep )?{_ACT}(?: (?P<f>.+))?"),
    ("prefer", rf"instead of (?P<f>{_THING})(?:, ?| )(?:please |just |you should |we )*(?P<v>{USE}) (?P<p>.+)"),
    (
        "prefer",
        (
            rf"{_ASK}(?:(?P<v>{USE}|write|do|make|put|add|want|like) )?(?P<p>{_THING})(?:,? (?:instead "
            rf"of|rather than|in place of|over|and not"
            r"|but not)|, ?(?:and )?(?:not|never)) (?:with |to use |using |to )?(?P<f>.+)"
        ),
    ),
    ("prefer", r"(?:it'?s |it should be )?not (?P<f>[^\s,]+(?: [^\s,]+){0,2}), ?(?:but |use |it'?s )?(?P<p>[^,]+)"),
    ("prefer", rf"{_ASK}(?P<v>replace|swap)(?: out)? (?P<f>.+?) (?:with|by|for) (?P<p>.+)"),
    ("prefer", rf"why (?:aren'?t|didn'?t|don'?t|are not) (?:you|we) (?P<v>{USE}) (?P<p>.+)"),
    (
        "forbid",
        (
            r"(?:why|how come) (?:are|did|do|would|were|have|must) (?:you|we) (?:still |always |keep |"
            r"even |again |just )*(?P<v>[a-z]+)(?: (?P<f>.+))?"
        ),
    ),
    (
        "forbid",
        r"i (?:did ?n[o']t|never) (?P<untold>say|ask|tell|asked|told|said)(?: you)?(?: to)? (?P<v>[a-z]+) ?(?P<f>.*)",
    ),
    (
        "forbid",
        (
            r"i(?:'d| would)? (?:do ?n[o']t|do not|dont|rather not|never) (?:ever )?"
            r"(?P<v>want|like|love|allow|accept|use|write|commit|push)(?: to)? (?P<f>.+)"
        ),
    ),
    ("forbid", r"(?P<f>[^\s?]{2,60})\s*(?:\.{2,}|…)?\s*(?:but )?why"),
    (
        "forbid",
        (
            r"(?P<f>.+?) (?:should|must|may|can|do(?:es)?)(?: ?n[o']?t| not| never) (?:be|go|live|"
            r"stay|belong) (?P<w>(?:in|into|under|inside|on) .+)"
        ),
    ),
    ("forbid", r"(?:it )?(?:does ?n[o']t|doesnt|does not) make sense to (?P<v>[a-z]+) (?P<f>.+)"),
    (
        "forbid",
        (
            r"(?:there (?:should|must) be |we (?:want|need) |i want )?(?:absolutely |strictly )?no (?:more )?"
            r"(?P<f>(?!problem|idea|worries|need|way|thanks|longer|one|matter|doubt|no\b|"
            r"i |it |you |we |that|this)[^,;]+"
            r"(?: in [^,;]+(?:, [^,;]+){1,4} (?:or|and|nor) [^,;]+)?)"
        ),
    ),
    (
        "forbid",
        (
            r"(?:(?:can|could) you )?(?:leave out|omit|skip|cut out|spare me|lay off|enough with|stop with|quit with|"
            r"(?:drop|lose|ditch)(?: the| all| your| those| these)+"
            r"(?= (?:emojis?|exclamation|em[- ]?dash|jargon|filler))) "
            r"(?P<f>(?!it\b|that\b|this\b|these\b|for now|to\b|ahead|over)[^,;]+)(?:, .*)?"
        ),
    ),
    (
        "forbid",
        (
            r"(?P<v>leave|keep) (?P<f>.+?) (?:alone|as (?:it|they) (?:is|are)|untouched|unchanged|"
            r"out of (?:it|this|git))(?: please| pls)?"
        ),
    ),
    ("forbid", r"(?P<f>.+?) (?:must|should|may|can)(?: not|n'?t|never| never) (?:ever )?be (?P<v>[a-z]+)"),
    (
        "forbid",
        (
            r"(?P<p>[a-z][^,]*?) without (?P<f>(?!asking|permission|my|telling|running|reading|"
            r"checking|first|being)[^,;]+)"
        ),
    ),
    (
        "require",
        (
            rf"{_ASK}(?P<v>(?!use\b|prefer\b)[a-z]+) (?P<p>(?:.*?\b)?(?:first|before|after|every ?time|"
            rf"each time|whenever|when)\b.*)"
        ),
    ),
    (
        "require",
        (
            rf"(?P<w>(?:when(?:ever)?|every ?time|each time) (?!{_OF_PRODUCT})(?:you |we |i )?[^,]{{3,100}}?)(?:, ?| )"
            r"(?:please |also |always |then |you (?:must |should |need to |have to ))*"
            r"(?P<v>add|update|run|write|put|bump|regenerate|commit|document|adjust|change|include|create|list|"
            r"mention) "
            r"(?P<p>.+)"
        ),
    ),
    ("prefer", rf"{_ASK}(?P<v>{USE}) (?P<p>.+)"),
    ("prefer", r"(?P<p>[\w`./-]+(?: [\w`./-]+)?) only"),
    (
        "require",
        (
            rf"{_ASK}(?:always|make sure(?: that| to| you| we)*|be sure to|ensure(?: that)?|must|have "
            rf"to|need to|remember to|(?:do not|don'?t)"
            r" forget to|should(?: always)?|i prefer(?: that)?) (?P<v>[a-z]+) ?(?P<p>.*)"
        ),
    ),
    (
        "require",
        (
            r"(?P<s>(?:every|each|all|any) .+?|.+?) (?:must|should|needs? to|has to|have to)(?: "
            r"always)? (?:be )?(?P<v>[a-z]+) ?(?P<p>.*)"
        ),
    ),
    (
        "require",
        (
            r"(?P<s>(?:every|each)(?: [\w.-]+){1,4}?) (?P<v>starts?|begins?|has|needs|carries|contains|ends)"
            r" (?P<p>.+)"
        ),
    ),
    (
        "require",
        (
            rf"{_ASK}(?P<v>keep|follow|put|add|read|run|check|lint|test|ask|write|commit|push|pull|"
            rf"rebase|update|respond|reply|name|prefix|sort|format"
            r"|start|end|begin) (?P<p>.+)"
        ),
    ),
)

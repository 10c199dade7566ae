"""A sentence of a file for agents and where it stands -> whether it says how to work, or only tells of the project."""

import re

from rulec.language._instruction_words import HOW_TO, NOUNS, STEPS, TELLING, TIMED, VERBS
from rulec.language.ground import Ground

LEAST, LONGEST = 4, 400  # characters of a sentence that may be a wish

_LEAD = re.compile(
    r"^(?:[^\w`'\"(@./-]+|(?:important|note|remember|please|also|then|so|and|but|or|in general|generally|"
    r"where possible|whenever possible|if possible|by default|as a rule|critical|instead|just|again|"
    r"finally)\b[,:!]?\s+)+",
    re.IGNORECASE,
)
_LABEL = re.compile(r"^(?P<label>[A-Z`][\w /&'`().+#-]{0,40}?):\s+(?P<rest>\S.*)$")
_WHEN = re.compile(
    r"^(?:when(?:ever)?|if|before|after|for|in|on|unless|while|during|once|every time|where|from|to|with|at|inside|"
    r"outside|within|except|as|until|without|instead of|rather than)\b[^,:;.]{2,90}[,:]\s+(?:then\s+)?(?=\S)",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^(?:if|when)\b[^,]{0,90}\b(?:fails?|failed|does ?n[o']t|does not|do ?n[o']t|is missing|"
    r"are missing|missing|breaks?|"
    r"not found|errors?|hangs?|crash\w*|stuck|wrong|won'?t|cannot|can'?t|is not|isn'?t)\b",
    re.IGNORECASE,
)
_PLAIN_NO = re.compile(
    r"^(?:(?:please|just|also|so|and|but)\s+)?(?:do not|do ?n[o']t|dont|never|avoid|refrain from|stop \w+ing|under no "
    r"circumstances|not (?!(?:all|every|only|many|much|yet|sure|the|a|an|to mention|needed|required|"
    r"supported)\b))\s*\S",
    re.IGNORECASE,
)
_PLAIN_YES = re.compile(
    r"^(?:you )?(?:(?:must|should|shall|have to|need to) )?(?:always(?! (?:been|has|have|is|are|was|there)\b)|"
    r"make sure|"
    r"ensure|be sure|remember to|be (?!careful what|aware that)|try to|prefer)\s+\S",
    re.IGNORECASE,
)
_ONLY = re.compile(r"^(?:you )?only\s+(?P<verb>[a-z-]+)\s+\S", re.IGNORECASE)
_HABIT = re.compile(r"^never\s+[a-z-]*[^s\W]s\b(?!\s*(?:and|or|,))", re.IGNORECASE)  # "never force-quits a running app"
_NOTHING = re.compile(
    r"^(?:absolutely |strictly )?(?:no|zero) (?!(?:need|longer|one|matter|doubt|idea|problem|worries|"
    r"way|more|such|other|"
    r"known|further|changes? (?:is|are)|setup|config(?:uration)?|build step|special)\b)\S+",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|exists?|needed|required|necessary|yet|gone|supported|available|chosen|"
    r"found|does|do|will|would|can)\b",
    re.IGNORECASE,
)
_OUGHT = re.compile(
    r"^(?P<who>[^,;:.!?]{1,90}?) (?P<modal>must(?: not| never)?|mustn'?t|shall(?: not)?|should(?: not|"
    r" never)?|shouldn'?t|"
    r"(?:has|have) to|ha(?:s|ve) got to|(?:is|are) (?:forbidden|prohibited|not allowed|banned|off[- ]limits)|"
    r"can ?not|can'?t|may not|may only|can only)\b(?P<what>.*)$",
    re.IGNORECASE,
)
_WEAK = re.compile(r"should(?: not| never)?$|shouldn'?t$|can ?not$|can'?t$|may|can only$|ha", re.IGNORECASE)
_NOBODY = re.compile(
    r"\b(?:which|that|who|whose|what|why|how|where|because)\b|^(?:it|this|there|they|he|she|i|that|nobody|no one|these|"
    r"(?:the |our |each |every |any |all )?(?:users?|customers?|visitors?|players?|clients?|members?|"
    r"teachers?|students?|"
    r"parents?|readers?))\b",
    re.IGNORECASE,
)
_SEEN = re.compile(
    r"^\s*(?:now\b|see\b|be (?:running|able|ready|fine|visible|seen|found|enough|empty|installed|there)\b|work\b|"
    r"appear\b|look\b|start\b|take\b|have (?:docker|node|python|go|git)\b|install\b|get\b|find\b|only \w+ be "
    r"(?:seen|found))",
    re.IGNORECASE,
)
_AND_NOT = re.compile(
    r"(?:[,;:\u2014\u2013]|\s-|\b(?:and|but|or))\s+(?:and |but )?(?:never|do not|don'?t)\s+\w|"
    r"[,;]\s+(?:and |but )?not\s+[\w`\"']|^leave \S+ (?:alone|as (?:it is|they are)|untouched)\b",
    re.IGNORECASE,
)
_HANDS_OFF = re.compile(
    r"\b(?:is|are) (?:\w+ )?(?:(?:auto-?)?generated|vendored|read[ -]only|frozen)\b[^.]{0,60}[,;]\s+"
    r"(?:so |and )?(?:please )?"
    r"(?:do not|don'?t|never) \w",
    re.IGNORECASE,
)
_EACH_TIME = re.compile(
    r"\b(?:before|after) (?:(?:every|each|any|you|opening|submitting|finishing)\b|(?:committing|"
    r"pushing|merging)\b|a commit\b)",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"\b(?:snake_case|camelCase|PascalCase|kebab-case|SCREAMING_SNAKE_CASE|UPPER_(?:SNAKE_)?CASE|lower(?: |-)?case|"
    r"upper(?: |-)?case|snake case|camel case|pascal case|kebab case|imperative mood|present tense)\b"
)
_LIMIT = re.compile(
    r"\b(?:at most|at least|no (?:more|longer|fewer|less) than|(?:stays?|kept|keep|remains?) (?:under|below|within)|"
    r"max(?:imum)?(?: of)?|up to) \d",
    re.IGNORECASE,
)
_ABOUT_NUMBER = re.compile(
    r"\b(?:about|roughly|around|currently|at the moment|takes?|allows?|accepts?|supports?)\b", re.IGNORECASE
)
_WE = re.compile(
    r"^(?:(?:here|in this (?:repo(?:sitory)?|project|codebase)),? )?(?:we (?P<we>(?:always|only|never|don'?t|do not|"
    r"avoid|prefer|use|write|keep|put|name|follow|want|expect|require|treat|favou?r))|"
    r"i(?:'d| would)? (?:like|prefer|want|expect|don'?t (?:want|like)|hate))\b",
    re.IGNORECASE,
)
_FIRM = frozenset({"always", "only", "never", "don't", "dont", "do not", "avoid", "prefer", "require"})
_NEEDS = re.compile(
    r"^(?:(?:all|every|each|any|new|public|exported|the)\s+)?(?:[\w`-]+ ){0,3}[\w`-]+ (?:needs?|requires?|gets?) "
    r"(?:an?|the|tests?|to be|its|their|approval)\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"(?:all|every|each|any)\b", re.IGNORECASE)
_BUT_NOT = re.compile(r",\s+but (?:please )?(?:do not|don'?t|never) \w", re.IGNORECASE)
_ONE_PER = re.compile(r"^one [\w ]{2,30} (?:per|for each|for every) \w+", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"^(?:this|these|it|its|it's|there|that|they|he|she|i'm|i am|you are|you're|you'll|you will|you may|you can|we are|"
    r"we're|we have|here is|here are|hi|hello|thanks|most|some|why|because|what|who|example|e\.g|i\.e|for example|"
    r"currently|today|note that (?:this|the|it)|see|refer to|cf|visit|questions?|contact)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"^(?:read|check|look|consult|study|review|open|find|follow|use|browse)\b.{0,80}(?:\bfor (?:more|details|examples?|"
    r"the (?:full|details)|further|an? (?:example|overview)|help|information)\b|\bto (?:learn|see|understand|find)\b)",
    re.IGNORECASE,
)
_COMMAND_FOR = re.compile(
    r"^(?:run|use|execute|start|call|invoke|try|open|launch|type)\b(?: the)? `[^`]*[ ./][^`]*`.{0,40}?\b(?:to|for)\b"
    r"(?! every\b| all\b| each\b)|^(?:run|start|open|execute|launch|serve)\b[^`]{0,30}(?::|with|via|using) `",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*(?![\w/])")


_REMARK = re.compile(
    r"(?:\w+ )?(?:exceptions?|examples?|reasons?|why|rationale|status|result|output|returns?|default|types?|"
    r"scopes?|note on \w+)",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"^(?:to [a-z]+|for an? \w+)\b[^,]{0,80},\s+(?:you can |just |simply )?"
    r"(?:run|use|execute|call|try|see|type|set|pass|add)\b",
    re.IGNORECASE,
)
_TO_DO_SO = re.compile(
    r"^(?:add|append|pass|set|export|use|give)\s+`[^`]+` (?:to|for|if you|when you)\b|"
    r"\b(?:when|if) (?:you )?(?:really )?(?:need|want|would like|wish|prefer)(?: to)?\b",
    re.IGNORECASE,
)


def unlabelled(text: str) -> tuple[str, str]:
    """A sentence like "Imports: use absolute ones" as its label and the rest; no label where it is an order itself."""
    found = _LABEL.match(text)
    if not found or _orders(found["label"]) or "://" in text[: found.end("label") + 3]:
        return "", text
    return found["label"].strip("`"), found["rest"]


def _orders(label: str) -> bool:
    words = _WORD.findall(label)
    first = words[0].lower() if words else ""
    return first in {"never", "always", "don't", "do", "no", "avoid", "only", "must"} or (
        len(words) > 1 and first in VERBS and not label.istitle() and (first not in NOUNS or len(words) >= _SENTENCE)
    )


_SENTENCE = 4  # words; a label that begins like an order and is as long is one


def wished(text: str, where: Ground) -> bool:
    """Whether the sentence asks for a way of working: in doubt it does not."""
    text = text.replace("\u2019", "'")
    if not LEAST <= len(text) <= LONGEST or text.rstrip().endswith(("?", ":")):
        return False
    body = _body(text)
    label = unlabelled(text)[0]
    if _PURPOSE.match(body) and not TIMED.search(body):
        return False
    if label and (_REMARK.fullmatch(label) or STEPS.search(label)) and not _PLAIN_NO.match(body):
        return False
    if _WHEN.match(body) and _TROUBLE.match(body) and where.zone in ("about", "plain"):
        return False
    rest = _WHEN.sub("", body)
    if _said_plainly(rest, where) or _said_of(body, where) or _HANDS_OFF.search(body):
        return True
    if where.zone == "about":
        return _first(rest) in VERBS and bool(_AND_NOT.search(rest) or _EACH_TIME.search(rest))
    return _ordered(rest, body, where) or (where.zone != "plain" and _laid_down(body, where)) or _ours(body, where)


def _body(text: str) -> str:
    body = _LEAD.sub("", unlabelled(text)[1])
    return body or text


def _said_plainly(rest: str, where: Ground) -> bool:
    """Forms that leave little doubt: never, do not, always, make sure, no X."""
    if _PLAIN_NO.match(rest):
        return not _HABIT.match(rest)
    if only := _ONLY.match(rest):
        return only["verb"].lower() in VERBS
    if _PLAIN_YES.match(rest) and not (
        where.zone == "about" and rest.lower().startswith(("be ", "try ", "ensure", "make"))
    ):
        return not where.steps or rest.lower().startswith("always")
    return bool(_NOTHING.match(rest)) and not _FINITE.search(rest) and where.zone in ("norms", "work")


def _said_of(body: str, where: Ground) -> bool:
    """What a thing must or must not be."""
    found = _OUGHT.match(body)
    if not found or _NOBODY.search(found["who"]) or _SEEN.match(found["what"]) or not found["what"].strip(" .!"):
        return bool(found) and found is not None and "forbid" in found["modal"].lower() and where.zone != "about"
    if found["who"].lower() in ("you", "we") and _SEEN.match(found["what"]):
        return False
    if re.match(r"can|may", found["modal"], re.IGNORECASE):
        return where.zone == "norms" or "only" in found["modal"].lower()
    return where.zone != "about" or not _WEAK.match(found["modal"])


def _ordered(rest: str, body: str, where: Ground) -> bool:
    """An imperative that is no step of a task and no hint at how something is run or found."""
    first = _first(rest)
    if first not in VERBS or TELLING.match(rest) or where.steps:
        return False
    timed = bool(TIMED.search(body))
    if _TO_DO_SO.search(rest) and (where.zone != "norms" or first in HOW_TO):
        return False
    if not timed and (_POINTER.match(rest) or _COMMAND_FOR.match(rest)):
        return False
    if re.match(r"(?:see|visit|open|download|launch|install)\b", rest, re.IGNORECASE) and not timed:
        return False
    if re.match(r"read\b.{0,60}(?:\.md\b|docs?\b|documentation|handbook|guide)", rest, re.IGNORECASE) and not timed:
        return False
    return where.zone != "plain" or timed or first not in HOW_TO


def _laid_down(body: str, where: Ground) -> bool:
    """How things are named, how long they may be, what each of them needs: said as if it were so already."""
    if _ACCOUNT.match(body):
        return False
    if _CASE.search(body) or (_LIMIT.search(body) and not _ABOUT_NUMBER.search(body)) or _ONE_PER.match(body):
        return True
    if _NEEDS.match(body):
        return where.zone == "norms" or bool(_EACH.match(body))
    return bool(_BUT_NOT.search(body)) or (bool(_AND_NOT.search(body)) and not _FINITE.search(body.partition(",")[0]))


def _ours(body: str, where: Ground) -> bool:
    """What a person likes, and what the team does."""
    found = _WE.match(body)
    if not found:
        return False
    return found["we"] is None or found["we"].lower() in _FIRM or where.zone == "norms"


def cases(text: str) -> list[str]:
    """The ways of spelling names that a sentence speaks of."""
    return _CASE.findall(text)


def _first(text: str) -> str:
    found = _WORD.match(text)
    return found[0].lower() if found else ""

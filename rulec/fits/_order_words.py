"""Words -> what they say must come first, and before what."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = r"(?P<end>[\s.!?,;:)\]…🤦🙏😡😅-]*|\W+(?:please|pls|dude|man|ok|okay|again|next time|always)\W*)$"
_NOT = (
    r"(?:do ?n[o']?t|do not|dont|never|must ?n[o']?t|must not|should ?n[o']?t|should not|stop|no|not|"
    r"nie(?:mals)?|nicht|"
    r"jamais|nunca|can ?not|can'?t|won'?t|avoid)"
)
_FILLER = (
    r"(?:please|pls|always|and|so|but|also|ok|okay|hey|no|yes|from now on|next time|again|note|just|then|never|even|"
    r"right|at least)"
)
_OUT = r"(?:commit|push|merg|deploy|releas|publish|rebas|open|creat)\w*"
_EACH = r"(?:each|every|all|any|each and every|you(?:'re| are| have|'ve)?|it(?:'s| is)?|a|an|the|any|making|code|your)"
_BEFORE = (
    r"(?:before(?:hand)?|prior to|ahead of|in front of|bevor|vor|avant(?: de| d'| chaque)?|antes de|перед(?: тем)?)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """What comes first and what it comes before, in the person's words; ``then`` is "" where they do not say it."""

    first: str
    then: str = ""


# In order: the first form that fits is what the words say. x: what comes first, y: what it comes before.
_FORMS: tuple[str, ...] = (
    rf"^\W*(?:{_FILLER}\W+)*{_BEFORE} (?P<y>[^,:]{{2,60}}),\s*(?P<x>.+)$",
    (
        rf"^\W*(?:{_FILLER}\W+)*{_BEFORE} (?P<y>(?:you |we |each |every |any |the )*\w+(?:ing|mit|ush|done|t)?"
        rf"(?: [\w'./-]+){{0,4}}?)\W+"
        rf"(?:please |always |also |just |make sure (?:to |you )?|you (?:must|should|need to|have to) )*"
        rf"(?P<x>(?:run|read|check|execute|do|pull|rebase|lint|test|build|commit|format|ask)\b.+)$"
    ),
    (
        rf"\b{_NOT} (?:ever |to |just )?(?P<y>.{{2,60}}?) (?:before|until|till|without|if you have ?n[o']t"
        r"|unless(?![^,;]*\b(?:broken|fail(?:s|ed|ing)?|red|down|missing)\b)) "
        rf"(?P<x>.+)$"
    ),
    (
        r"\b(?:why (?:did |do |are )?)?(?:you|stop) (?P<y>.{2,60}?) without (?:ever |even |first |having )*"
        r"(?P<x>(?:read|run|test|lint|build|compil|pull|check|look|writ|rebas|format)\w*\b.*)$"
    ),
    rf"\bonly (?P<y>{_OUT}.{{0,40}}?) (?:after|once|when|if) (?P<x>.+)$",
    rf"^\W*(?:please |always )*(?P<y>{_OUT}[\w' ]{{0,24}}?) only (?:after|once|when|if) (?P<x>.+)$",
    r"^(?:在)?(?P<y>提交|推送|合并|コミット|プッシュ)(?:代码|する)?(?:之)?前に?[\uff0c,]?(?:先|要|必须)*(?P<x>.+)$",
    r"^\W*先(?P<x>.{1,20}?)(?:再|然后)(?P<y>.+)$",
    r"\b(?:zu)?erst (?:mal )?(?P<x>[^,]{2,60}?),? (?:und |& )?(?:erst )?dann (?P<y>.+)$",
    (
        r"\b(?:d'abord|primero|primeiro|prima) (?P<x>[^,]{2,60}?),? (?:et |y |e )?"
        r"(?:puis|ensuite|luego|después|depois|poi) (?P<y>.+)$"
    ),
    r"^\W*сначала (?P<x>.{2,40}?),? (?:потом|затем|уже потом) (?P<y>.+)$",
    rf"^(?P<x>.{{2,110}}?)[,;]? (?:\b(?:and|but|then|only) )*\b{_BEFORE} (?!and after)(?P<y>.+)$",
    (
        r"^(?P<x>.{2,60}?) (?:comes |goes |go |come )?first\b,?\s*(?:and |& )?(?:then|before that|after "
        r"that)\b,? ?(?P<y>.+)$"
    ),
    r"\bfirst,? (?P<x>.{2,60}?),?\s*(?:and |& )?then,? (?P<y>.+)$",
)
_COMPILED = tuple(re.compile(form, re.IGNORECASE | re.DOTALL) for form in _FORMS)
_FIRST = (
    re.compile(rf"^(?P<x>.{{2,80}}?)\b(?:first|beforehand|zuerst|d'abord|primero|сначала)\b{_END}", re.IGNORECASE),
    re.compile(r"^(?P<x>.{2,60}?)\bfirst\b,? (?:so|because|or|otherwise|next time|as)\b", re.IGNORECASE),
    re.compile(r"^\W*(?:let'?s )?first,? (?P<x>.{2,60})$", re.IGNORECASE),
    re.compile(r"^\W*先(?P<x>.{1,30})$"),
)
# What is done with a command that the words, or the session, have to name.
_SERVES = (
    r"restart|reload|rebuild|re-?gen(?:erate)?|re-?seed|look at|take|verify|refresh|re-?index|sync|redeploy|bump|kick"
)
_AFTER = (
    re.compile(
        r"^\W*(?:[\w']+[^\w']+){0,3}?(?:after|once|when(?:ever)?|every ?time|each time|as soon as)\b "
        r"(?P<y>[^,:]{2,80}),\s*(?P<x>.+)$",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        rf"^(?P<x>.+?)\b(?:(?:after|following) (?P<y>(?:{_EACH}|\w+ing)\b.+)|(?:when(?:ever)?|once|every ?time|"
        rf"each time|as "
        rf"soon as|as(?= each| every| you f| you c| it))"
        rf" (?P<z>.+)|as (?:you|we) go(?: along)?|along the way|at (?:each|every) (?:\w+ )?step\b|as you work)",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(
        r"^\W*(?:[\w']+[^\w']+){0,2}?(?:after|whenever|every ?time|each time) (?P<y>(?:each|every|any|you|"
        r"making) (?:[\w']+ ){1,4}?|(?:[\w./'-]+ ){1,5}?(?:changes|edits|updates|fixes) )"
        rf"(?:please |always |also )*(?P<x>(?:run|do|execute|lint|test|build|commit|format|{_SERVES})\b.+)$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^\W*(?:after|whenever|every ?time|each time|once) (?P<y>(?:you |we )?[a-z]+ (?:(?!run|"
        r"re-?run|execute|do)[^\s,]+ ){1,6}?)"
        r"(?:please |always |also )*(?P<x>(?:run|re-?run|execute|do) .+)$",
        re.IGNORECASE,
    ),
    re.compile(r"^(?P<x>.+?) (?:when|once) (?:you(?:'re| are) )?(?P<y>done|finished|ready)\b", re.IGNORECASE),
    re.compile(r"^\W*(?:每次|每)(?P<y>.{1,10}?)(?:后|完|之后)(?P<x>.+)$"),
    re.compile(r"^(?P<x>.+?)\b(?:nach jeder|après chaque|después de cada|depois de cada|после каждого)\b (?P<y>.+)$"),
)
# How an account of what happens begins, and no wish.
_NARRATES = re.compile(
    r"^\W*(?:(?:and|but|so|also|ok|yes|no|well|actually)\W+)*(?:if|when|while|since|al?though|because|i(?! "
    r"(?:want|need|expect|would like|prefer)\b)|i'm|"
    r"i've|they|he|she|users?|"
    r"this|that|there|for example|e\.g|an?|what|which|in the|maybe|let me|the [\w -]{1,30}? (?:was|were|had|used to)|"
    r"it(?! (?:must |should |has to )?(?:compil|build|pass|lint))|the(?! (?:[\w-]+ ){0,2}?(?:tests?|lint\w*|"
    r"build|suite|types?|"
    r"code|formatter|checks?)\b)|was|were|(?:can|could)(?! (?:you|we|u)\b))\b",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:chang\w*|edit\w*|modif\w*|touch\w*|updat\w*|writ\w*|work\w*|fix\w*|features?|tasks?|steps?|done|"
    r"finish\w*|complet\w*|"
    r"ready|pass\w*|green|save\w*|implement\w*|refactor\w*|code|commits?|pieces?|items?|parts?|milestones?|"
    r"bugs?|add\w*|"
    r"phases?|todos?|stor(?:y|ies)|tickets?|issues?|it|stages?|iteration|module|component|change|änderung|schritt|"
    r"modification|étape|cambio|paso|mudança|изменени\w+|шага)\b|改|步|任务|功能",
    re.IGNORECASE,
)
_ACTING = re.compile(
    r"(?:^|[,;:.]|\b(?:and|then|also|please|always|must|should|could|to|you|u|we|just|small|frequent|separate|"
    r"time|pls|git|remember|"
    r"then|immer|toujours|siempre)\b)"
    r"\W*(?P<x>(?:commit(?:s|t?ing)?|push|(?:mak|creat|do)(?:e|ing)? (?:a |an |the |one )?commits?|run|re-?run|"
    r"execute|do the|do an?|(?:lint|test|"
    r"build|compile|format|type-?check)(?!:)|check (?:with|that)|lance|ejecuta|führe|starte|跑|运行|提交)\b.*)$|"
    r"(?P<z>(?:跑|运行|执行|提交).*)$",
    re.IGNORECASE | re.DOTALL,
)
_REQUEST = re.compile(r"\W*(?:(?:and|also|please)\W+)*(?:can|could|would|will) (?:you|u)\b", re.IGNORECASE)
_NEGATED = re.compile(rf"^\W*(?:[\w']+[^\w']+){{0,3}}?{_NOT}\b", re.IGNORECASE)
_LONGEST = 420


def straight(text: str) -> str:
    """The words on one line, with plain quotes."""
    plain = text.replace("\u2019", "'").replace("\u2018", "'").replace("\u201c", '"').replace("\u201d", '"')
    return " ".join(plain[:_LONGEST].split())


def orders(text: str) -> Iterator[Said]:
    """What the words say of an order of work, the most telling reading first."""
    if _NARRATES.search(text):
        return
    for form in _COMPILED:
        if found := form.search(text):
            yield Said(found["x"].strip(), found["y"].strip())
            break
    for form in _FIRST:
        if found := form.search(text):
            yield Said(found["x"].strip())
            break


def afterwards(text: str) -> Said | None:
    """What is to be done after each piece of work, and after which."""
    for form in _AFTER:
        found = form.search(text)
        if not found or _NEGATED.search(found["x"]) or (text.rstrip().endswith("?") and not _REQUEST.match(text)):
            continue
        parts = found.groupdict()
        worked, acting = parts.get("y") or parts.get("z") or "", _ACTING.search(found["x"])
        if acting and (not worked or _WORK.search(worked)):
            return Said((acting["x"] or acting["z"]).strip(), worked.strip())
        if (served := _SERVED.search(found["x"])) and _WORK.search(worked):
            return Said(served["x"].strip(), worked.strip())
    return None


_SERVED = re.compile(rf"(?:^|\b(?:to|must|should|please|always|and)) ?(?P<x>(?:{_SERVES})\b.*)$", re.IGNORECASE)


_GUIDE = re.compile(
    r"(?P<about>\b(?:details|instructions|guid\w+|docs|documentation|rules|conventions|how (?:you should|to|we)|"
    r"info\w*)\b.{0,120}?)"
    r"(?:can be found|found|described|documented|explained|is|are|live|written down|stands?)\b.{0,20}?\b(?:in|"
    r"at|under) +"
    r"(?P<path>[\w.~@/-]*\w\.(?:md|mdx|txt|rst|adoc))",
    re.IGNORECASE,
)


def guide(text: str) -> tuple[str, str] | None:
    """The file in which the words say that something is described, and what."""
    found = _GUIDE.search(text)
    return (found["path"], found["about"]) if found else None


def negated(text: str) -> bool:
    """Whether the words say what not to do."""
    return bool(_NEGATED.search(text))

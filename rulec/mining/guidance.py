"""Whether a sentence of an instruction file says how to work, by its words and the headings above it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rulec.sentences.literals import word_table

Zone = Literal["norms", "plain", "about"]
LEAST, LONGEST = 4, 400  # characters of a sentence that may be a wish

VERBS = word_table(
    "accept act add adhere aggregate aim align allow always annotate anticipate answer apply append argue arrange ask "
    "assert assign assume attach audit avoid await back backfill batch be begin benchmark bind bound branch break "
    "build bump cache call cancel capitalise capitalize catch centralise centralize change check choose cite clean "
    "close code collect combine comment commit compare compile compose comply compute configure confirm consider "
    "consult contain convert copy count cover create debounce declare decouple dedupe default define delegate delete "
    "deny deprecate derive describe design destructure diagnose disable discuss dispatch distinguish do document drop "
    "edit emit employ enable encapsulate encode encrypt end enforce ensure escape establish evaluate exclude exercise "
    "expect explain export expose express extend extract fail fall favor favour fetch file finish fix flag focus "
    "follow force format freeze gate generate get give go group guard handle hash hide highlight hoist honor honour "
    "identify ignore implement import include indent index inherit inject inline insert instrument investigate "
    "isolate justify keep label lazy-load leave let limit link lint list load localise localize lock log look make "
    "manage map mark match maximise maximize measure memoize mention merge migrate mind minimise minimize mirror mock "
    "model modify mount move name narrow navigate nest normalise normalize note notify obey omit only open optimise "
    "optimize order organise organize outline own pad pair parse partition pass pick pin place plan point practise "
    "prefer prefix prepare present preserve prevent print prioritise prioritize produce profile propagate propose "
    "protect provide publish pull push put query quote raise re-export re-run re-use read rebase record redact reduce "
    "refactor refer reference refuse regenerate register reject release rely remember remove rename render reorder "
    "repeat replace reply report represent reproduce request require research reserve resolve respect respond restart "
    "restate restrict retain rethrow retry return reuse review revert rewrite roll rotate round route run sanitise "
    "sanitize scope seed select separate serve set share shorten show sign simplify skip sort specify spell split "
    "squash stage start state stay stick stop store stream strip strive structure study submit suffix suggest "
    "summarise summarize surface suspect sync tag take target tell test think throw tidy title touch track translate "
    "treat trim trust try turn type understand undo unify update upgrade use utilise utilize validate value verify "
    "version wait warn watch weigh wire work wrap write abuse access adjust alter amend apologise apologize bypass "
    "chain concatenate couple decrease depend disclose download downgrade duplicate fabricate force-push guess "
    "hallucinate hard-code hardcode increase install interpolate introduce invent kill leak manipulate mix mutate "
    "over-engineer overengineer override overuse overwrite pollute post push reach reformat reinvent reveal send ship "
    "speculate suppress swallow upload say"
)
# Headings whose text describes; an order there needs a word that leaves no doubt.
ABOUT = re.compile(
    r"\b(?:overview|about|architecture|structure|layout|organi[sz]ation|tech(?:nology|nical)? stack|"
    r"stack|commands?|scripts?|"
    r"set-?up|install(?:ation|ing)?|getting started|quick ?start|quick reference|usage|environments?|prerequisites|"
    r"links?|resources|references?|further reading|read more|more|license|licence|background|glossary|features|"
    r"deploy(?:ment|ing)?|releas(?:e|es|ing)|roadmap|what (?:this|it|we) (?:is|does|are)|examples?|"
    r"file tree|director(?:y|ies)|folders?|build(?:ing|s)?|running|debug(?:ging)?|troubleshooting|faq|gotchas|pitfalls|"
    r"known issues|modules?|endpoints?|services|status|dependencies|stuff|tasks|key files|(?:the|my|"
    r"our) data|data model|"
    r"schema|domain|terminology|history|purpose|introduction|goes wrong|product|project)\b",
    re.IGNORECASE,
)
# Headings whose text lays down how to work.
NORMS = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|guidance|style|standards?|principles?|best practices?|"
    r"practices|polic(?:y|ies)|"
    r"do'?s|don'?ts|dos|constraints?|boundaries|requirements|preferences?|expectations?|never|always|must|"
    r"how (?:we|i|you|to (?:write|talk|answer|behave))|musts|preferred|what not to do|when you)\b|^do$",
    re.IGNORECASE,
)
AGAINST = re.compile(
    r"^(?:please )?(?:(?:things|what) (?:you (?:must|should) |to |we )?(?:never|not|don'?t|avoid)\b.*"
    r"|do ?n[o']t(?:s|'s)?|dont'?s?|do not|never|avoid|prohibited|forbidden|not allowed|disallowed|banned|"
    r"(?:the )?(?:agent|you|we) (?:must|should|do|may)(?: never| not|n'?t)|anti-?patterns?)\W*$",
    re.IGNORECASE,
)
FOR = re.compile(
    r"^(?:please )?(?:do'?s?|always|prefer|must|required|mandatory|"
    r"(?:the )?(?:agent|you|we) (?:must|should)(?: always)?)\W*$",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:how to|steps?|to (?:add|create|release|deploy|run|set|build)|(?:adding|creating|releasing) )", re.IGNORECASE
)
_LABEL = re.compile(r"^(?P<label>[A-Z`][\w /&'`().+#-]{0,40}?):\s+(?P<rest>\S.*)$")
_WHEN = re.compile(
    r"^(?:when(?:ever)?|if|before|after|for|in|on|unless|while|during|once|inside|outside|within|until|without)\b"
    r"[^,:;.]{2,90}[,:]\s+(?:then\s+)?(?=\S)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:[^\w`'\"(@./-]+|(?:important|note|remember|please|also|then|so|and|but|always|only)\b[,:!]?\s+)++",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"^(?:do not|do ?n[o']t|never|avoid|no(?= \S)|must|always|make sure|ensure|be sure|prefer|only)\b|"
    r"^[^,;:.!?]{1,90} (?:must(?: not| never)?|should(?: not| never)?|shall(?: not)?|may not|may only|cannot|"
    r"(?:has|have|needs?) to)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^(?:it|this|there|they|that|users?|customers?|visitors?|players?|the (?:users?|server|app|api|page)|\w+s) "
    r"(?:is|are|was|were|has|have|will|would|can|does|do|must be (?:running|logged|able))\b|\?\s*$",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"^(?:if|when)\b[^,]{0,90}\b(?:fails?|does ?n[o']t|does not|is missing|breaks?|errors?|hangs?|not found)\b",
    re.IGNORECASE,
)


_ASKS = re.compile(
    r"^(?:(?:please|just|you should|we (?:should|always|only)|let'?s)\s+)*"
    r"(?:(?:use|run|stick to|stick with|instead of)\s|"
    r"(?:leave|keep) .+ (?:alone|untouched|unchanged|as (?:is|it is))\b)"
    r"|.{1,200}?(?:\b(?:instead of|rather than|never|do not|don'?t|and not)|, not) \S",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ground:
    """The headings and items above a sentence."""

    zone: Zone = "plain"
    against: bool = False  # in a list of what not to do
    steps: bool = False  # in the steps of a task


def ground_under(headings: Sequence[str], over: Sequence[str], *, numbered: bool, whole: Zone = "plain") -> Ground:
    """How the headings and items above classify a sentence; ``whole`` is how the file itself does."""
    above = [_bare(title) for title in (*headings, *over)]
    decides = [title for title in above if AGAINST.match(title) or FOR.match(title)]
    zone: Zone = next((found for title in reversed(headings) if (found := _zone(_bare(title)))), whole)
    steps = numbered and any(_STEPS.search(title) for title in (*headings[-1:], *over))
    return Ground("norms" if decides else zone, bool(decides and AGAINST.match(decides[-1])), steps)


def _zone(title: str) -> Zone | None:
    return "norms" if NORMS.search(title) else "about" if ABOUT.search(title) else None


def _bare(title: str) -> str:
    return re.sub(r"^[^\w`]+|[^\w`.)'\"]+$|^\d+(?:\.\d+)*[.)]?\s+", "", title.strip().rstrip(":")).strip()


def says_how_to_work(text: str, where: Ground) -> bool:
    """Whether a sentence says how to work: by an unmistakable word, or as an order under a fitting heading."""
    if not LEAST <= len(text) <= LONGEST or _TELLS.search(text) or _TROUBLE.match(text):
        return False
    body = _LEAD.sub("", _WHEN.sub("", unlabelled(text)[1]))
    if _PLAIN.match(_LEAD.sub("", text)) or _PLAIN.match(body):
        return not where.steps
    if where.zone == "about" or where.steps:
        return False
    first = re.match(r"[a-z-]+", body.lower())
    orders = bool(first and first[0] in VERBS and re.match(r"[\w-]+\s+\S", body))
    return (orders and where.zone == "norms") or bool(_ASKS.match(body))


def unlabelled(text: str) -> tuple[str, str]:
    """The label before a colon, and the sentence."""
    found = _LABEL.match(text)
    return (
        (found["label"], found["rest"])
        if found and len(found["label"].split()) < len(found["rest"].split())
        else ("", text)
    )

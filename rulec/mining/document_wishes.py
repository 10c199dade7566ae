"""The wishes of an instruction file: one sentence each that stands on its own, with its line and where it holds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rulec.domain.files import languages
from rulec.mining.markdown_passages import Passage, passages
from rulec.sentences.literals import is_path, tokens_of, word_table
from rulec.sentences.splitting import sentence_spans

Zone = Literal["norms", "plain", "about"]
LEAST_SENTENCE, LONGEST_SENTENCE = 4, 400  # characters of a sentence that may be a wish

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
    if not LEAST_SENTENCE <= len(text) <= LONGEST_SENTENCE or _TELLS.search(text) or _TROUBLE.match(text):
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


_WRITTEN = [name for name, kind in languages.KINDS.items() if kind in ("code", "style") or name == "sql"]
_NAMES = {*_WRITTEN, *(name for name, language in languages.SPOKEN_NAMES.items() if language in _WRITTEN)}
_LANGUAGE = re.compile(
    rf"^\W*({'|'.join(sorted(re.escape(name) for name in _NAMES if len(name) > 1))})"
    r"(?: (?:code|style|rules|conventions|files|guidelines|standards|coding style|best practices))*\W*$",
    re.IGNORECASE,
)


def globs_of_heading(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Globs of the language that the nearest heading names."""
    found = next((match for title in reversed(headings) if (match := _LANGUAGE.match(title))), None)
    return tuple(languages.globs_with_covered(languages.language_of(found[1]))) if found else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A sentence that says how to work."""

    text: str  # with what it needs of the words around it
    quote: str  # word for word
    line: int
    because: str = ""  # what stands behind a dash
    do: str = ""  # what the next sentence says to do instead
    languages: tuple[str, ...] = ()  # globs of the files that its heading speaks of


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading:
    """The wishes of a file, and its other sentences, each with its line."""

    sayings: tuple[Saying, ...]
    left: tuple[tuple[int, str], ...]


def read_document(text: str, *, whole: Zone = "plain", section: str = "") -> DocumentReading:
    """The sayings in their order; ``whole`` is "norms" for a file, or a ``section`` of it, that holds rules alone."""
    reader = _DocumentReader(whole)
    for passage in passages(text):
        if not section or any(_plain(section) == _plain(title) for title in passage.headings):
            reader.take(passage)
    return DocumentReading(sayings=tuple(reader.found), left=tuple(reader.left))


def _plain(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.casefold()))


@dataclass
class _DocumentReader:
    whole: Zone
    found: list[Saying] = field(default_factory=list)
    left: list[tuple[int, str]] = field(default_factory=list)

    def take(self, passage: Passage) -> None:
        here = ground_under(passage.headings, passage.over, numbered=passage.numbered, whole=self.whole)
        if passage.kind == "row":
            self.add(_wish_of_row(passage), passage.line, passage.text)
        elif not (len(passage.text) <= _SHORT and _SHOWN.match(passage.text)):
            for sentence, line, last in _sentences(passage):
                self.sentence(passage, here, sentence, line, last)

    def sentence(self, passage: Passage, here: Ground, sentence: str, line: int, last: str) -> None:
        if sentence.endswith(":"):  # it introduces a list
            return
        text = _text(passage, here, sentence, last)
        if (
            LEANS_ON_SENTENCE.search(sentence)
            and self.found
            and self.found[-1].quote == last
            and says_how_to_work(sentence, _NORMS)
        ):
            self.found[-1] = replace(self.found[-1], do=sentence)  # "Create a new one instead."
            return
        text, because = split_reason(text)
        globs = globs_of_heading(passage.headings)
        said = [Saying(text=text, quote=sentence, line=line, languages=globs, because=because)] if text else []
        self.add(said, line, sentence)

    def add(self, sayings: list[Saying], line: int, sentence: str) -> None:
        self.found += sayings
        self.left += [] if sayings else [(line, sentence)]


_SHORT = 60
_NORMS = Ground("norms")
_WHEN_ALONE = re.compile(
    r"^(?:when(?:ever)?|before|after|if|on|for|every time|each time|once)\b.{3,90}$", re.IGNORECASE
)
_SHOWN = re.compile(  # what introduces code that shows the last wish
    r"^\W{0,3}(?:bad|wrong|incorrect|don'?t|do not|avoid|not this|instead of(?: this)?|no|"
    r"(?:good|right|correct|do|prefer|better|this|yes|use(?: this)?(?: instead)?))\b\W*(?:example|this|code)?\W*$",
    re.IGNORECASE,
)

_MOST_READ = 20_000  # characters of a paragraph; what is longer was written by a program


def _sentences(passage: Passage) -> Iterator[tuple[str, int, str]]:
    """Each sentence with its line and the one before it."""
    if len(passage.text) > _MOST_READ:
        return
    last = ""
    for start, end in sentence_spans(passage.text):
        sentence = passage.text[start:end]
        if not sentence.rstrip(".").isdigit():
            yield sentence, passage.line + sum(at <= start for at in passage.lines[1:]), last
            last = sentence


def _names_something(text: str) -> bool:
    """Whether a code span or a path stands in it."""
    return any(token.kind == "code" or is_path(token.text) for token in tokens_of(text))


def _text(passage: Passage, here: Ground, sentence: str, last: str) -> str:
    """The sentence as a wish that stands on its own, "" where it is none."""
    bare = _SIGNS.sub("", sentence)
    if here.against or sentence.startswith(_CROSSES):
        return as_prohibition(bare)
    intro = passage.over[-1].rstrip(": ") if passage.over and passage.over[-1].endswith(":") else ""
    intro = intro if _WHEN_ALONE.match(intro) else ""
    led = f"{intro}, {in_mid_sentence(bare)}" if intro else bare
    ordered = _NORMS if intro else here
    if not says_how_to_work(led, ordered) and not (sentence.startswith(_TICKS) and says_how_to_work(bare, _NORMS)):
        return ""
    label, body = unlabelled(bare)
    if intro:
        return f"{intro}, {in_mid_sentence(body)}"
    if LEANS_ON_SENTENCE.search(body) and not _names_something(body):
        if last and not LEANS_ON_SENTENCE.search(last) and len(last) + len(body) < LONGEST:
            return f"{last} {body}"
        topic = label or (passage.headings[-1] if len(passage.headings) > 1 else "")
        return f"{topic}: {in_mid_sentence(body)}" if topic else body
    return body


_SIGNS = re.compile(r"^[^\w`'\"(@./*~<\[-]+")
_TICKS = ("\u2705", "\u2714", "\u2713", "\U0001f44d")
_CROSSES = ("\u274c", "\u2716", "\u2717", "\u26d4", "\U0001f6ab", "\U0001f44e")


def _wish_of_row(row: Passage) -> list[Saying]:
    """A row of a table with a column for what to use and one for what not to."""
    heads = [cell.strip().casefold() for cell in row.head]
    use = next((n for n, head in enumerate(heads) if _USE.fullmatch(head)), None)
    avoid = next((n for n, head in enumerate(heads) if _AVOID.fullmatch(head)), None)
    if use is None or avoid is None or max(use, avoid) >= len(row.cells):
        return []
    good, bad = row.cells[use].strip(), row.cells[avoid].strip()
    if not all(1 < len(cell) <= _SHORT and cell.strip("-\u2013\u2014 ") for cell in (good, bad)):
        return []
    text = f"Use {good} instead of {bad}."
    return [Saying(text=text, quote=" | ".join(row.cells), line=row.line, languages=globs_of_heading(row.headings))]


_USE = re.compile(
    r"(?:do|use|prefer|preferred|good|write|say|correct|right|recommended|yes|do this|use this)(?: this)?"
)
_AVOID = re.compile(
    r"(?:not|instead of|don'?t|avoid|bad|never|do not|rather than|wrong|incorrect|no|over|don'?t use|"
    r"do not use|not this)"
)


LONGEST = 240  # characters of a sentence that is made of two, or of an item of what not to do
# It speaks of something that was named before it.
LEANS_ON_SENTENCE = re.compile(
    r"^(?:(?:please|do not|don'?t|never|always|avoid|also|just|instead,?|\w+ly)\s+)*[\w-]+\s+"
    r"(?:(?:to|in|from|with|on|into|for|about)\s+)?"
    r"(?:it|them|these|those|this|that|(?:(?:a|an|the|another)\s+)?(?:\w+\s+)?one|there)\b(?!\s+(?:is|are|you|we)\b)|"
    r"\b(?:one|there)[.!]?$",
    re.IGNORECASE,
)

_DASH = re.compile(r"\s+[\u2013\u2014-]{1,2}\s+(?=\S)")
_LEAST = 12  # characters of a wish before the dash


def split_reason(text: str) -> tuple[str, str]:
    """A wish and the reason behind its dash, unless that is another wish."""
    found = _DASH.search(re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), text))
    if not found or found.start() < _LEAST:
        return text, ""
    head, tail = text[: found.start()].rstrip(" ,;"), text[found.end() :]
    if says_how_to_work(tail, Ground("norms")):
        return f"{head}; {tail}", ""
    return head, f"{tail[0].upper()}{tail[1:]}"


_NOT = re.compile(
    r"^(?:(?:please|always)\s+)?(?:do not|do ?n[o']t|never|avoid|no|not|use\b.+\binstead\b)\b", re.IGNORECASE
)


def as_prohibition(text: str) -> str:
    """An item of a list of prohibitions as a sentence that forbids it."""
    body = unlabelled(text)[1]
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", body)
    if not words or len(body) > LONGEST or text.endswith(":"):
        return ""
    if _NOT.match(body):
        return body
    first = words[0].lower()
    if first in VERBS and body[: len(first)].lower() == first:
        return f"Do not {in_mid_sentence(body)}"
    if first.endswith("ing") and body[: len(first)].lower() == first:
        return f"Avoid {in_mid_sentence(body)}"
    return f"No {in_mid_sentence(body)}" if not body.startswith("`") else f"Do not use {body}"


def in_mid_sentence(text: str) -> str:
    """The text as it goes on after other words: names and acronyms keep their capitals."""
    word = re.match(r"[A-Za-z']+", text)
    if not word or len(word[0]) == 1 or word[0][1:] != word[0][1:].lower():
        return text
    return text[0].lower() + text[1:]

"""Text into tokens: words that steer a sentence become marks, everything else the sense of its words."""

import re
from collections.abc import Iterator
from functools import cache

from rulec.language.semantics.vocabulary import NAMES, SENSES
from rulec.language.words import base_form, word_table

# Marks are in capitals, since the text is not. NO: not wanted from here on; TURN: the other way round from here on;
# REFUSED: what stood here is not wanted; FREE: allowed; ASK: only with the person's word; ALONE: without it;
# FIRST: what follows comes before what stood here; UNLESS and LESS (without) are FIRST or not, by what stood here.
MARKS = word_table("NO TURN FREE ASK ALONE BEFORE FIRST UNLESS LESS EXCEPT WHEN IN OF CUT AND REFUSED")

_YES = r"(?:permission|approval|consent|confirmation|go-?ahead|sign-?off|okay|ok|say-?so|word|agreement)"
_WHO = r"(?:me|us|the user|the person|a human|a person)"
_TOLD = (
    r"(?:ask|asked|tell|told|say|said|approved?|ok|okay|confirm(?:ed)?|request(?:ed)?|instructed|agreed?|want|order)"
)
_ASKED = (
    rf"(?:(?:ask|asking|check|checking|check in|confirm|consult|clarify)(?: it| this| that)?(?: with)? {_WHO}"
    rf"(?: first)?(?: for (?:my |our |an? )?{_YES})?"
    rf"|(?:ask|asking)(?: first| for (?:my |our |an? )?{_YES}|(?= (?:before|whether you|if you)))"
    rf"|(?:get|getting|wait for|waiting for|need|needs|obtain|require|requires) (?:my|our|an?) (?:explicit )?{_YES})"
    r"(?: first)?(?: before| prior to| to| for| about| whether| when| if)?(?: you| we| i)?(?: (?:may|can|should))?"
)
_NOT = (
    r"(?:do not|does not|did not|don't|doesn't|dont|never|should not|shouldn't|must not|mustn't|cannot|can't|may not)"
)
_UNDO = r"(?:no need to|not necessary to|need not|needn't|do not need to|don't need to|do not have to|don't have to)"
_NUMBER = r"(?=\d|one\b|two\b|three\b|an? )"

# What is said for politeness, or in so fixed a way that no word of it can be read by itself.
_FIXED: tuple[tuple[str, str], ...] = (
    (r"[`\u201c\u201d\"]", " "),
    (r"\b(?:it is|it's) (?:strictly )?(?:forbidden|prohibited|not (?:allowed|permitted|ok|okay)) to\b", "never"),
    (r"\bunder no circumstances\b(?: ever)?", "never"),
    (r"(\w)\(\)", r"\1"),
    (
        (
            r"\b(no )?(?:(?:use|using|the|type|typescript'?s?) )?"
            r"(?:any types?\b|(?<= )any\b(?= in\b| keyword| anywhere|[.,;]|$)(?! \w+s\b))|^any(?= (?:is|has)\b)"
        ),
        r" \1any-type ",
    ),
    (r"[()\[\]]", " , "),
    (
        (
            r"\b(?:please|pls|let'?s|let (?:us|me)(?! (?:see|review|look|check|read))|really|also|again|just|simply"
            r"|in th(?:is|e) (?:repo|repository|project|codebase)|from now on|going forward|in (?:the )?future"
            r"|at all times|at all|anymore|any more|no exceptions?|no (?:matter|doubt|problem|worries)"
            r"|make sure(?: that)?(?: to)?(?! not)|be sure to|remember to|see to it that"
            r"|everywhere|in all places|nowhere else)\b"
        ),
        " ",
    ),
    (rf"\b{_NOT} (?:ever )?(?:forget|omit|fail|neglect|skip)(?: to)?\b(?! (?:\w+[ -]){{0,3}}hooks?)", " "),
    (r"\b(?:skip|skipping|bypass|bypassing|circumvent) (?:the |our )?(?:\w+[ -]){0,2}hooks?\b", " --no-verify "),
    (r"\bnot (?:only|just) ([^,.;]{1,60}?),? but (?:also )?", r"\1 and "),
    (
        (
            r"\b(?:no|never|not|don't|do not)\b([^,.;]{0,40}?)\b"
            rf"(?:longer than|more than|larger than|bigger than|over|above|exceed(?:s|ing)?) {_NUMBER}"
        ),
        r"\1 at most ",
    ),
    (r"\b(?:must|shall|should|ha(?:s|ve) to|needs? to)(?: always)? be\b(?! (?:asked|told)\b)", " are "),
    (
        (
            r"^(?:(?:hey|no|again),? )*you (?:just |have |'ve |still |again |even )*"
            r"((?!need)\w+ed|ran|did|wrote|made|left|took|broke|built)\b"
        ),
        r" never \1 ",
    ),
    (r"\b(?:under|below|within|up to) (?=\d)", " at most "),
    (
        r"\bonly (?:touch|edit|change|modify|work)\b([^,.;]{0,30}?) (?:in|inside|within|under|on) ",
        r" NO edit \1 EXCEPT ",
    ),
    (
        r"^in ([\w./-]{1,40}),? ([^,.;]{1,40}?) (?:is|are) (?:fine|ok|okay|allowed|permitted|acceptable)\b",
        r"\2 is allowed in \1",
    ),
    (r"^why (?:(?:are|did|do|would) (?:you|we) not|(?:aren't|didn't|don't|wouldn't) (?:you|we)) ", " use "),
    (r"^(?:why|how come) (?:are|did|do|would|were|have) (?:you|we) (?:still |always |keep |even )*", " never "),
    (
        (
            r"(?:,|;|\s-+)? (?:because|otherwise|so that|since (?:it|they|we|you|i)\b|as (?:it|they) )[^.;]*"
            r"|[,;] (?:it|they|that|this)(?:'s| is| are|'re| messes| breaks| makes)\b[^.;]*"
            r"|[,;-]+ (?:too|way too) [^,.;]*"
        ),
        " ",
    ),
)
# The person's word, the order of acts, and what is not wanted.
_WILL: tuple[tuple[str, str], ...] = (
    (
        (
            r"(?<=\w) (?:(?:must|should|may|can|does|shall)(?: not|n't| never)(?: ever)?(?: be)?|cannot(?: be)?"
            r"|(?:is|are|be|gets?) (?:never|not|no longer)"
            r"(?= (?!allowed|permitted|wanted|accepted|needed)\w+(?:ed|en|wn)\b))\b"
        ),
        " REFUSED NO ",
    ),
    (rf"\b(?:{_NOT}|{_UNDO}|stop|no|not) (?:to )?{_ASKED}", " FREE "),
    (rf"\b(?:{_NOT}|{_UNDO}|stop) ask(?:ing)?\b(?: first)?(?: to)?", " FREE "),
    (
        (
            rf"\bwithout (?:(?:first )?(?:asking|telling|consulting|checking with|waiting for)(?: {_WHO})?"
            rf"(?: for (?:my |our )?{_YES})?|(?:my |our |any |explicit )*{_YES}"
            r"|being (?:asked|told)(?: to)?)(?: first)?"
            r"|\bon your own(?: initiative)?\b|\bof your own accord\b|\bun(?:asked|prompted)\b|\bautonomously\b"
        ),
        " ALONE ",
    ),
    (
        (
            r"\b(?:unless|until|except (?:when|if)|only (?:when|if|after|once)|before)"
            r" (?:i|we|you(?:'re| are| have been)?)"
            rf"(?:'ve| have)? ?(?:explicitly |clearly |specifically )*{_TOLD}\b"
            r"(?: you| me| us| so| to| it| for it| for that)*"
            rf"|\b(?:unless|only when|only if) (?:explicitly )?{_TOLD}\b(?: to| so)?"
            rf"|\b(?:only )?with my (?:explicit )?{_YES}"
        ),
        " ASK ",
    ),
    (rf"\b{_ASKED}", " ASK "),
    (
        (
            r"\b(?:you|we) (?:may|can|are (?:allowed|free) to)\b(?! not)|\bfeel free to\b|\bmay (?:now )?be\b(?! not)"
            r"|\b(?:it|that)(?:'s| is) (?:fine|ok|okay) to\b|\bdon't hesitate to\b"
            r"|\b(?:is|are)(?: perfectly| totally| only)? (?:fine|ok|okay|allowed|permitted|acceptable)\b"
        ),
        " FREE ",
    ),
    (r"^(?:first,? )?(.{1,60}?)(?: first)?,?(?: and)?(?: only)? then (.{1,80})$", r"\1 BEFORE \2"),
    (rf"\b({_NOT} [^,.;]{{1,60}}?) (?:before|until|till)(?= \w+ing\b| you(?:'ve| have)\b)", r"\1 FIRST "),
    (r"\b(?:until|till|only after|only once|not before)\b", " FIRST "),
    (r"\bunless\b", " UNLESS "),
    (r"\b(?:before|prior to|ahead of)\b", " BEFORE "),
    (
        (
            r"\b(?:is |are |gets? |stays? )?(?:strictly |absolutely )?(?:forbidden|banned|prohibited|off[- ]limits"
            r"|taboo"
            r"|unwanted|not (?:allowed|wanted|permitted|acceptable|ok|okay|an option|something we (?:do|use|want))"
            r"|(?:has|have) no place)\b|,(?: and| but)? you (?:never do|do not|don't)(?=[.;]|$)"
        ),
        " REFUSED ",
    ),
    (r"\b(?:leave|keep) ([^,.;]{1,60}?) (?:alone|untouched|unchanged|as (?:it|they) (?:is|are))\b", r" NO edit \1 "),
    (r"\b(?:leave|keep) (?!out\b)([^,.;]{1,60}?) out(?: of)?\b", r" NO \1 IN "),
    (r"(?<=\w) (?:stays?|remains?|(?:is|are|be) kept) out of\b", " REFUSED OF "),
    (r"\b(?:hands off|keep off|(?:stay|keep) (?:out of|away from)|nothing goes into)\b", " NO edit "),
    (
        (
            r"\b(?:except(?: for| in| when| if| that)?|other than(?: in| for)?|apart from|aside from|outside(?: of)?"
            r"|but not in|not in)\b|,? but (?=[^,.;]{1,50} (?:in|for|when|inside|under) )"
        ),
        " EXCEPT ",
    ),
    (
        r"\breplace ([^,.;]{1,50}?) (?:with|by) |\b(?:switch|migrate|move) from ([^,.;]{1,50}?) to ",
        r" NO \1\2 CUT use ",
    ),
    (r"\bnot ([^,.;]{1,40}?),? but (?:rather )?", r" NO \1 CUT "),
    (r"\b(?:instead of|rather than|in place of|as opposed to|in favou?r of)\b", " TURN "),
    (r"\b(prefer|favou?r)(r?ed)?\b([^,.;]{0,60}?) over\b", r"\1\3 TURN "),
    (r"\b(prefer) ([^,.;]{1,40}?) to (?!be|have|use|do|keep|write|run|make|get|see)\b", r"\1 \2 TURN "),
    (rf"\b(?:{_NOT}|{_UNDO})\b(?: ever)?", " NO "),
    (
        (
            r"\b(?:no longer|no|not|avoid(?:ing)?|refrain from|free of|free from|quit|stop(?= \w+ing\b)|skip|omit"
            r"|leave out|spare me|isn't|aren't|won't|no more|none of)\b"
        ),
        " NO ",
    ),
    (r"\bwithout\b", " LESS "),
)
_MARK = r"(?:NO|FREE|ASK)\b"
# What begins another thought behind a comma.
_ORDER = (
    "always|we|it|they|you|use|prefer|run|call|write|keep|give|put|instead|named|rather|only|show|commit|add|make|create"
    "|remove|fix|read|leave|do|let|return|answer|look|stage|log|name|take|wrap|throw|raise|test|check|sort|pin|open|go"
)
# Where and when, and where one thought ends: these stand within phrases, too.
_JOINTS: tuple[tuple[str, str], ...] = (
    (r"\b(?:when(?:ever)?|while|if|once|as soon as|after|during|(?:each|every) ?time|in case)\b", " WHEN "),
    (r"\b(?:in|inside|into|within|throughout|across|under|anywhere in)\b", " IN "),
    (r"\b(?:of|from|to|on|onto|at(?! most| least)|as|for|about|against|per)\b", " OF "),
    (rf"[,;]? (?:and|but|so) (?={_MARK}|(?:always|use|prefer|run|call|write|keep)\b)", " CUT "),
    (rf", ?(?={_MARK}|(?:{_ORDER})\b)", " CUT "),
    (r"(?:[.!?;]+(?=\s|$)|\n|\s[-\u2013\u2014]+\s)", " CUT "),
    (r"\s(?:and|or|nor|plus|as well as)\b|[,&]|:(?=\s)", " AND "),
)


def _compiled(cues: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(cue), mark) for cue, mark in cues)


_BEFORE, _WITHIN = _compiled((*_FIXED, *_WILL)), _compiled(_JOINTS)


def mark_words(text: str) -> str:
    """A text in lower case with its marks."""
    for cue, mark in _BEFORE:
        text = cue.sub(mark, text)
    return mark_joints(text)


def mark_joints(text: str) -> str:
    """The text with marks for the words that may be inside a phrase."""
    for cue, mark in _WITHIN:
        text = cue.sub(mark, text)
    return text


LONGEST_READ = 400  # characters of a statement that are read
_TOKEN = re.compile(r"--?[a-zA-Z][\w-]*|[@.~]?[\w*](?:[\w*./:'+#-]*[\w*])?/?|[^\w\s]+")
# Passed over within a phrase; what is empty tells nothing where it is no part of one.
_PASSED = word_table(
    "a an the is are be been being was were my our your their its you we i that which what does do did and's"
)
_EMPTY = word_table(
    "a an the my our your their its it they them this that these those there here we you i me us he she is are be "
    "been being was were am do does did will would shall should must may can could to need ever every each any all "
    "some such mine yours ours btw own both either very so too only always like thing stuff way something anything "
    "everything with via by "
    "through using which who what keep kept where how then now than not's straight directly direct another other one "
    "more most already exactly strictly come comes work done-by git get's we're it's you're people everyone nobody "
    "sure even still good proper properly whole myself ourselves entirely itself themselves yourself up out back own "
    "else"
)


def sense_tokens(text: str) -> tuple[str, ...]:
    """Marks and senses in the order of the text."""
    text = text[:LONGEST_READ].replace("\u2019", "'").replace("\u2018", "'")
    said = _CAMEL.sub(_keep_code_name, _QUOTED.sub(_literal, text))
    return tuple(_longest_phrases(_TOKEN.findall(mark_words(said.lower()))))


_QUOTED = re.compile(r"[\"`\u201c]([A-Za-z' ]{1,30})[\"`\u201d]")
_CAMEL = re.compile(r"\b[a-z]+[A-Z][A-Za-z]*s\b")


def _literal(found: re.Match[str]) -> str:
    """Quoted words as literals, also those that would otherwise be empty or steer the sentence."""
    words = found[1].lower().split()
    steers = words and all(word in _EMPTY or mark_words(word).strip() != word for word in words)
    return f" quoted_{'_'.join(words)} " if steers else found[0]


def _keep_code_name(found: re.Match[str]) -> str:
    """A name of code that ends like a plural, so that it is not taken for one."""
    return found[0] if without_ending(found[0].lower()) in _phrases() else f"{found[0]}_"


def _longest_phrases(words: list[str]) -> Iterator[str]:
    """The longest phrase at each place; the words of a phrase may have empty ones between them."""
    plain = [(word, word if word in MARKS else without_ending(word)) for word in words]
    kept = [one for word, one in plain if word not in _PASSED]
    at = 0
    while at < len(kept):
        length, sense = _longest(kept, at)
        if sense and sense not in _EMPTY:
            yield sense
        at += length


def _longest(kept: list[str], at: int) -> tuple[int, str]:
    for phrase, sense in _phrases().get(kept[at], ()):
        if tuple(kept[at : at + len(phrase)]) == phrase:
            return len(phrase), sense
    folder = _phrases().get(without_ending(kept[at].rstrip("/")), ()) if kept[at].endswith("/") else ()
    if folder and folder[-1][0] == (without_ending(kept[at].rstrip("/")),):
        return 1, folder[-1][1]  # "docs/" is where the docs are
    bare = kept[at].rstrip("/")
    named = kept[at] if bare in _EMPTY else bare  # "out/" and "up/" are folders
    return 1, named if kept[at] in MARKS or re.search(r"\w|[^\s.,'\"!?*-]", kept[at]) else ""


def _phrase_senses() -> Iterator[tuple[tuple[str, ...], str]]:
    """Every phrase of the table and every name of a sense, word by word, with the sense."""
    for line in (*filter(None, SENSES.splitlines()), *NAMES.split()):
        sense, _, said = line.partition(" = ")
        for phrase in (sense, sense.replace("-", " "), *filter(None, said.split(" | "))):
            words = [word for word in _TOKEN.findall(mark_joints(phrase)) if word not in _PASSED]
            yield tuple(word if word in MARKS else without_ending(word) for word in words), sense


@cache
def compounds() -> frozenset[str]:
    """The senses whose name ends with what they are a kind of: "unit-test" is a test."""
    return frozenset(sense for _, sense in _phrase_senses() if "-" in sense)


@cache
def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """What begins with a word, the longest first."""
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for words, sense in _phrase_senses():
        found.setdefault(words[0], {})[words] = sense
    return {first: tuple(sorted(phrases.items(), key=lambda item: -len(item[0]))) for first, phrases in found.items()}


_ISE = re.compile(r"^(.{3,})is(e|es|ed|ing|ation)$")  # parametrise
_PLAIN = re.compile(r"[a-z]+(?:'s)?")
_LEAST = 4  # letters of a word that has an ending to lose
_IRREGULAR = dict(
    pair.split("=")
    for pair in [
        "aliases=alias",
        "broken=break",
        "built=build",
        "given=give",
        "has=have",
        "kept=keep",
        "made=make",
        "mrs=mr",
        "panicking=panic",
        "prs=pr",
        "ran=run",
        "said=say",
        "sent=send",
        "spelt=spell",
        "taken=take",
        "told=tell",
        "written=write",
        "wrote=write",
    ]
)
_WHOLE = word_table(
    "alias anything something everything nothing sibling process string bring thing during axios always access class "
    "css js ts redux kubernetes this"
)


def without_ending(word: str) -> str:
    """The word without the ending of a plural or a verb's form; names of code stay as they are."""
    if not _PLAIN.fullmatch(word):
        return word.rstrip(".,:'")
    word = _IRREGULAR.get(word, word).removesuffix("'s")
    if len(word) < _LEAST or word in _WHOLE:
        return word
    word = _ISE.sub(r"\1iz\2", word)
    if word.endswith("ing"):
        return base_form(word)
    if word.endswith("ed") and not word.endswith("eed"):
        return base_form(f"{word[:-2]}ing") if len(word) > _LEAST else word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|x|ch|sh|zz)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not re.search(r"(?:ss|us|is)$", word) else word

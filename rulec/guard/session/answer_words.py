"""What the words of an answer are: a yes, a condition, a delay, a refusal; and which of them an act meets itself."""

from __future__ import annotations

import re

from rulec.domain.files.file_kinds import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


_FILLER = re.compile(
    r"\W*(?:(?:hm|hmm|hmmm|uh|uhm|ah|oh|well|so|and|then|alright|haha|"
    r"thanks|thx|thank you|ty|cool|nice|i think|i guess)\b"
    r"[\s,.:!…-]*)+(?=\S)",
    re.IGNORECASE,
)
_YES = re.compile(
    r"\W*(?:(?:yes+|yep|yeah|yea|yah?|yup|y|ok|okay|okey|oki|k|aye|jup|sure|fine(?! (?:print|tun|grain|art))|"
    r"good|great|perfect|lgtm|approved?|agreed|"
    r"accepted|granted|go ahead|go for it|go on|go(?=\W*$|\s*[,.!;:]| (?:then|now|please)\b)|(?:it|that)(?:'s|"
    r" is) a (?:yes|go)|"
    r"i(?:'?d)? say (?:yes|go)|consider it (?:done|approved)|you(?:'re| are) (?:cleared|free|good) to (?:go|do)|"
    r"(?:please |just |let'?s )?(?:do (?:it|that|so)|go for it)(?! (?:by|with|via|using|in|through|as|like|for|"
    r"without|the|on)\b)|please do|"
    r"let'?s go(?: ahead)?(?=\W*$|[,.!])|permission granted|(?:you have|you'?ve got|you got) (?:my|our|"
    r"the) (?:ok|okay|blessing|permission|approval|go|"
    r"green light|consent)|green light|proceed|continue|right|correct|"
    r"exactly|absolutely|definitely|certainly|of course|sounds (?:good|fine|great|right)|looks (?:good|fine|"
    r"great|right)|"
    r"all good|all right|by all means|be my guest|works for me|ship it|make it so|why not|"
    r"no (?:problem|objections?|worries)(?: (?:with|to) (?:that|it|this))?|not a problem|"
    r"i(?:'m| am) (?:ok|okay|fine|good|happy|cool) with|i agree|i don'?t mind|i have no objections?|"
    r"you (?:may|can)(?=\W*$|\s*[,.!]| do (?:it|that|so)\b)|"
    r"ja|jo|klar|gerne|mach|oui|d'accord|si|sí|claro|vale|sim|да|давай|ок|好|好的|可以|行|是|是的|嗯|继续|はい|お願い)"
    r"(?![^\W_])|:(?:\+1|thumbsup|ok_hand|white_check_mark):|\+1(?!\d)|[👍👌✅✔🆗💯🙌🫡])",
    re.IGNORECASE,
)
_REMARK = re.compile(  # praise and agreement that decide nothing
    r"\W*(?:good|great|nice|fine|right|perfect|correct)\s+(?:point|question|catch|find|progress|job|work|stuff|"
    r"news|start|morning|"
    r"thinking|summary|analysis)\b[\s,.:!]*",
    re.IGNORECASE,
)
_ALL_IS_WELL = re.compile(
    r"\W*(?:all|both|those|these|they|that|it|this|either|everything)(?: ones?)?"
    r"(?:'s|s|'re|(?: (?!not)\w+){0,3} (?:is|are|sounds?|looks?)) (?:(?!not|never|hardly|less)\w+ )?"
    r"(?:ok|okay|fine|good|great|all right|alright|perfect|approved|allowed|acceptable)\b",
    re.IGNORECASE,
)
_TYPED = re.compile(r"\W*([a-z]{3,12})(?: ([a-z]{3,6}))?(?![\w-])", re.IGNORECASE)
_MISTYPED = ("yes", "yeah", "sure", "okay", "fine", "approved", "agreed", "proceed", "absolutely", "definitely")
_PAIRS = (("go", "ahead"), ("please", "do"), ("do", "it"))
_OTHER_WORDS = frozenset(  # words of the language that are one letter from a yes
    split_words(
        "yet yen yens eyes sue sore sere curse cure pure lure surf surge find line mine wine file five fire nine dine "
        "fin fan fined finer fines greed agree agrees approves approver proceeds proceeded prove proved oak"
    )
)
_GO_AHEAD = re.compile(r"\W*([a-z]{2,4})\s+([a-z]{4,6})(?![\w-])", re.IGNORECASE)


def answer_end(clause: str) -> int:
    """Where the yes ends with which a clause begins, also one with a typing mistake; -1 where it begins with none."""
    filler = _FILLER.match(clause)
    start = filler.end() if filler else 0
    remark = _REMARK.match(clause, start)
    start = remark.end() if remark else start
    for pattern in (_ALL_IS_WELL, _YES):
        found = pattern.match(clause, start)
        if found:
            return found.end()
    pair = _GO_AHEAD.match(clause, start)
    if pair and is_mistyped(pair[1].lower() + pair[2].lower(), "goahead"):
        return pair.end()
    typed = _TYPED.match(clause, start)
    if typed and typed[1].lower() not in _OTHER_WORDS and any(is_mistyped(typed[1].lower(), one) for one in _MISTYPED):
        return typed.end(1)
    return -1


def is_mistyped(word: str, meant: str) -> bool:
    """Whether a word is another with one letter left out, doubled, changed or swapped, after the first."""
    if word == meant or word[:1] != meant[:1] or abs(len(word) - len(meant)) > 1:
        return word == meant
    at = next((at for at in range(min(len(word), len(meant))) if word[at] != meant[at]), min(len(word), len(meant)))
    if len(word) != len(meant):
        longer, shorter = (word, meant) if len(word) > len(meant) else (meant, word)
        return longer[at + 1 :] == shorter[at:]
    swapped = word[at : at + 2] == meant[at : at + 2][::-1] and word[at + 2 :] == meant[at + 2 :]
    return swapped or (len(word) > 3 and word[at + 1 :] == meant[at + 1 :])


_LIMITS = re.compile(
    r"\b(?:but|only|just|instead|rather|except|excluding|apart from|not|no|never|without|nothing|none|skip|hands off|"
    r"leave|off limits|ask|scrap|cancel|however|although|"
    r"(?:do|does|did|ca|wo|is|are|was|were|should|would|could|has|have|had|must)nt)\b|n't\b",
    re.IGNORECASE,
)
_DELAYS = re.compile(
    r"\b(?:if|unless|until|till|once|when|whenever|after(?! all\b| that\b)|before|(?<!the )first(?! (?:one|file|"
    r"option|question)\b)|later|tomorrow|tonight|"
    r"next (?:week|month|sprint|release|time|monday|tuesday|wednesday|thursday|friday)|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|as soon as|as long as|provided|assuming|depends|wait|hold|"
    r"let me (?:think|check|ask|see|sleep|look|talk|discuss|get back)|(?:need|have|want|going) to (?:think|"
    r"check|ask|see|look|talk|discuss|sleep)|"
    r"i'll (?:think|check|ask|see|look|talk|come back|get back|let you know|tell)|get back to you|come back to|"
    r"not (?:yet|now|sure)|maybe|perhaps|in principle|in theory|in general|undecided|would be|might|myself|"
    r"i(?:'ll| will| can) (?:do|make|handle|take|change|fix|add|run|edit|bump|delete|remove)|"
    r"show me|explain|walk me through|send me|draft|dry[- ]run|open (?:a|an) (?:\w+ )?(?:issue|ticket|pr|"
    r"pull request)|propose|sketch)\b",
    re.IGNORECASE,
)
NO_LIMIT = re.compile(
    r"\b(?:just|only)\s+(?:do (?:it|that|so)|go(?: ahead| for it)?|(?:for )?this (?:once|one|time)|once)\b|"
    r"\b(?:when|while) you(?:'re| are) at it\b|\bif you (?:want|like|think so|must|prefer|wish)(?: to)?\b|"
    r"\bif possible\b|"
    r"\bno (?:problem|objections?|worries|rush|issues?|longer|hurry|need to (?:ask|wait|report)\w*)\b|"
    r"\bwhy not\b|\bnot a problem\b|"
    r"\b(?:i )?(?:don'?t|do not) mind\b|\b(?:don'?t|do not) (?:forget|worry|hesitate)\b|\bnothing (?:against|"
    r"wrong)\b|"
    r"\b(?:just|only) (?:that|this|those|these)(?: one| single)?(?: \w+)?(?=\W*$|[,.;])|"
    r"\b(?:but )?(?:please )?(?:don'?t|do not) \w+ (?:anything |any )?(?:the )?(?:others?|else|rest)\b[^,.;]*|"
    r"\b(?:let me know|tell me|ping me|report(?: back)?) (?:when|once|if|after|how)\b[^,.;]*|"
    r"\b(?:but )?(?:nothing|no(?:t|ne)?(?: of)?(?: anything| any)?|(?:don'?t|do not) \w+ anything) (?:else|"
    r"others?)\b(?: though)?|"
    r"\b(?:used|had|done|seen|tried|that|it|them|this) before(?=\W*$|[,.;])|\b(?:can'?t|cannot|"
    r"couldn'?t) (?:wait|hurt)\b|\bthis once\b|\bhold on to\b|\bbut (?:please |could you |can you )?also\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[,.;!?\n](?=\s|$)|\s[-\u2013\u2014]+\s|\b(?=but\b|except\b|apart from\b)|\band\s+(?=no\b|not\b|yes\b|"
    r"leave\b|don'?t\b|skip\b)",
    re.IGNORECASE,
)
_LEAD = re.compile(r"\W*(?:(?:but|and|just|also|so|please|pls|then|you (?:should|must))\b[\s,]*)*", re.IGNORECASE)
_MANNER = re.compile(  # says how to do it, and can only be done along with it
    r"(?:keep (?:it|them|that|this|the (?:change|diff|commit|patch))\s+(?:as )?(?:small|short|minimal|simple|"
    r"tidy|clean|tiny|brief)|"
    r"(?:add|leave|write|put) (?:a|an|the|some) (?:\w+ )?(?:comment|note|test|tests|todo|line|entry|"
    r"changelog entry|message|reference)|"
    r"(?:note|mention|document|log|record) (?:it|that|this|why)|be careful|careful|(?:do it )?in (?:a|its|"
    r"an) (?:separate|own|single|extra) \w+|[^,;]{2,60} (?:afterwards?|after that)$|tell me|let me know|remember to|"
    r"(?:do )?(?:mention|document)|commit it separately|do it in (?:a|its own) (?:separate )?commit)\b",
    re.IGNORECASE,
)
_MEANWHILE = re.compile(
    r"\W*(?:(?:and|but|please|just)\b\W*)*(?:keep|leave) (?:it|them|that|this)\s+(?!alone|out|be\b|untouched|"
    r"unchanged|as\b|for\b|until\b|there\b|where\b|in\b|like\b|open\b)\w+",
    re.IGNORECASE,
)
_PINNED = re.compile(r"(?:==\s*v?|===|@v?|:\s*[\"']=?v?|(?:^|\s)=\s*[\"']=?)\d+(?:\.\d+)+(?![\w.]*[*x])")
_FOR_DEVELOPERS = re.compile(
    r"(?:^|\s)(?:-D|--dev|--save-dev|--group[= ]dev|-G dev)(?!\S)|\bdev[-_]?dependencies\b", re.IGNORECASE
)
_TERMS = (  # conditions that one can see in the act itself
    (
        re.compile(
            r"(?:pin|lock|fix) (?:it|that|the version|its version|them)\b|(?:it )?pinned\b|use an exact version",
            re.IGNORECASE,
        ),
        _PINNED,
    ),
    (
        re.compile(
            r"(?:only )?(?:as|to|for|in|into|put it in(?:to)?|make it)?\s*(?:a |the )?(?:dev|"
            r"development)[- ]?(?:dependency|dependencies|only|deps?|group)?\W*$",
            re.IGNORECASE,
        ),
        _FOR_DEVELOPERS,
    ),
)
_TWO_SIDED = re.compile(r"\b(?:instead|rather|only|just)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\W*(?:but|however|only|except|although|though|wait|hold|just|not|no|never|don'?t|do not|first|before|"
    r"after|once|"
    r"until|on second|actually|scrap|then again)\b",
    re.IGNORECASE,
)


def parts_of(text: str) -> list[str]:
    """The clauses of an answer, each without the sign that ends it."""
    return [part for part in _PARTS.split(text) if part and part.strip()]


def says_how(clause: str) -> bool:
    """Whether a clause says no more than how to do it: "keep it short", "add a comment"."""
    own = _LEAD.sub("", NO_LIMIT.sub("", clause), count=1).strip()
    return bool(_MEANWHILE.match(own) or _MANNER.match(own)) and not (_DELAYS.search(own) or _LIMITS.search(own))


def delays(clause: str) -> bool:
    """Whether a clause puts the act off, or makes it depend on something."""
    return bool(_DELAYS.search(NO_LIMIT.sub("", clause)))


def restricts(clause: str) -> bool:
    """Whether a clause speaks against something, or limits it."""
    return bool(_LIMITS.search(NO_LIMIT.sub("", clause)))


def is_limited(rest: str, done: str, is_about_other: Callable[[str], bool], concerns: Callable[[str], bool]) -> bool:
    """Whether what follows a yes limits it otherwise than the act (its text, ``done``) meets itself.

    A clause that leaves another object out limits nothing for this one. In the sentences after the first, only what
    ``concerns`` the act counts, or what begins as a contrast.
    """
    for part in parts_of(NO_LIMIT.sub("", rest)):
        own = _LEAD.sub("", part, count=1).strip()
        term = next((sign for told, sign in _TERMS if told.match(own)), None)
        if term is not None:
            if not term.search(done):
                return True
            continue
        late = _DELAYS.search(part)
        if not (late or _LIMITS.search(part)):
            continue
        if not (_CONTRAST.match(part) or concerns(part)):
            continue
        if says_how(part):
            continue
        if not late and not _TWO_SIDED.search(part) and is_about_other(part):
            continue
        return True
    return False


_RETRACTS = re.compile(
    r"\W*(?:(?:oh|h+m+|sorry|ok|okay|and|uh|ah|well)\b\W*)*(?:(?:wait|hold on|hold off|actually|"
    r"on second thoughts?|no|nope|stop)\b"
    r"[^?]{0,80}?\b(?:scrap|forget|keep|leave|cancel|undo|revert|not|no|don'?t|stop|hold)\b|"
    r"(?:scrap|forget|cancel|undo|revert) (?:it|that|this)\b|never ?mind\b|(?:wait|stop|hold on|hold off)\W*$|"
    r"(?:i(?:'ve| have)?) (?:changed|change) my mind\b|i take (?:that|it) back\b)",
    re.IGNORECASE,
)


def retracts(text: str) -> bool:
    """Whether a turn takes back what the same person said right before it, without naming it."""
    return bool(_RETRACTS.match(text[:400]))

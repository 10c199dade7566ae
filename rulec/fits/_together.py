"""A person's words -> what is to be changed together: what calls, and what it calls for."""

import re
from dataclasses import dataclass, replace

from rulec.language import Clause

LONGEST = 420  # characters of a clause that are read
_VERB = (
    r"(?:(?:re-?)?(?:updat|generat|build|writ|creat)|add|adjust|chang|bump|edit|sync|touch|includ|document|cover|mention|"
    r"extend|refresh|put|list|provid|modif|amend|ship|log)(?:e|es|ed|ing|ting|y|ies)?"
)
# An order stands at the head of a sentence or behind such a word; "this change" and "the full list" are no orders.
_HEAD = (
    r"(?:^|(?:[,;:(]|\b(?:always|please|pls|also|to|and|then|must|should|you|we|i|it|sure|forget|remember|just|not|never|"
    r"n't|let's|why|are|aren't|haven't|can|could|will|but|so))\s+)"
)
_UPDATE = rf"{_HEAD}{_VERB}"
_IF = r"(?:when(?:ever)?|(?:every|each|any) ?time(?: that)?|if|after|once|as soon as|upon)"
_SAME = (
    r"(?:(?:exactly |always |fully )*(?:in (?:sync|step|line)|synced|synchroni[sz]ed|up[ -]to[ -]date|consistent|"
    r"identical|equal|aligned|matching|the same|equivalent))"
)
_MUST = r"(?:should|must|has to|have to|needs? to|ought to|shall)"
_RECORDED = r"(?:reflected|documented|mentioned|listed|covered|recorded|noted|described|declared|registered)"
_FILLED = (
    r"(?:(?:you|we|i|also|always|please|just|then|do|must|should|need|have|to|make|sure|that|be|remember|it|don'?t|not|"
    r"forget|never|the same commit) )*"
)
_WHO = r"(?:we|you|i|it|they|he|she|this|that|these|those|there|who|what|which)\b"
_NEEDS = (
    r"(?:needs?(?! to\b)|(?:must|should|has to|have to) (?:\w+ )?"
    r"(?:have|come with|include|be (?:accompanied|covered) by)|"
    r"comes? with|requires?(?! to\b)|gets?|deserves?|ships? with|goes with)"
)

# In order: the first that fits. s: what calls, n: what it calls for; "same": each side calls for the other.
_FORMS: tuple[tuple[str, str], ...] = (
    ("same", rf"\bkeep (?P<s>.+?) (?:and|&) (?P<n>.+?) {_SAME}(?: with (?:each other|one another))?\b"),
    ("same", rf"\bkeep (?P<s>.+?) {_SAME} (?:with|to|as|and) (?P<n>.+)"),
    ("same", rf"^(?P<s>.+?) and (?P<n>.+?) {_MUST} (?:always |exactly )*(?:match|agree|(?:be|stay) {_SAME})\b"),
    (
        "same",
        (
            rf"^(?P<s>.+?) {_MUST} (?:always |exactly )*(?:match|mirror|equal|(?:be|stay) {_SAME} (?:to|with|as)) "
            r"(?P<n>.+)"
        ),
    ),
    (
        "when",
        (
            rf"^(?P<n>.+?) {_MUST} (?:always |also )*be (?:updated|changed|adjusted|extended|bumped) (?:too |as well )?"
            rf"(?:{_IF}|(?:together |along )?with|alongside) (?P<s>.+)"
        ),
    ),
    (
        "when",
        (
            r"\byou (?:just )?(?:chang|add|touch|edit|bump|modifi)ed (?P<s>.+?),? (?:but|and|without)\b.*?\b"
            rf"(?:didn'?t|did not|haven'?t|forgot(?: to)?|without|not) {_VERB} (?P<n>.+)"
        ),
    ),
    ("one", rf"\bkeep (?P<n>.+?) {_SAME}(?: (?:{_IF}|with|as) (?P<s>.+))?$"),
    (
        "when",
        (
            rf"^{_IF} (?P<s>(?:(?:you|we|i) )?[a-z]+ (?:(?:the|an?|any|our) )?\S.*?),? "
            rf"(?P<n>(?:the|its|their|your|all|also) .+?) {_MUST} (?:also |always )?(?:be|go|come|land) "
            r"(?:in|into|with|along with)(?: it| them|(?: the)? (?:same|that|this) (?:commit|change|pr))\b"
        ),
    ),
    ("when", rf"(?:^|\W){_IF} (?P<s>[^,:]+?)(?:,|:| then\b) ?{_FILLED}(?:{_VERB}|commit|stage)\b:?(?P<n>.*)$"),
    (
        "when",
        rf"(?:^|\W){_IF} (?P<s>.+?),? (?:also|(?:you|we) {_MUST}|always|please|then) {_FILLED}{_VERB}\b:?(?P<n>.*)$",
    ),
    ("when", rf"\b(?:places|files|spots)\b.*?\b(?:updat\w+|chang\w+)\b(?P<n>).* {_IF} (?P<s>.+)"),
    ("when", rf"{_HEAD}reflect(?:ing)? (?P<s>.+?) (?:in|on|into) (?P<n>.+)"),
    (
        "when",
        (
            rf"(?:^.*\b(?:that|sure)\b |^)(?!{_WHO})(?P<s>[^,]+?) (?:are|is|be|gets?|being) "
            rf"(?:also |always |properly )*{_RECORDED} (?:in|by|with|on) (?P<n>.+)"
        ),
    ),
    (
        "one",
        (
            rf"{_HEAD}(?:document|describe|mention|record|note|list|declare|register|log)(?:ing)? (?P<s>.+?) "
            r"(?:in|into|under|to) (?P<n>.+)"
        ),
    ),
    (
        "one",
        (
            rf"{_HEAD}(?:add|put|writ)(?:e|ing)? (?P<s>(?:a |any |all |every |each |the )*(?:new|added|missing)\b.+?|"
            rf"(?:any|every|all|each) .+?) (?:to|in|into) (?P<n>.+?)(?: {_IF}\b.*)?$"
        ),
    ),
    ("one", rf"(?:^|\b(?:an?|every|each|all|any|new) )(?P<s>(?!{_WHO})(?:[\w-]+ ){{0,4}}?[\w-]+) {_NEEDS} (?P<n>.+)"),
    (
        "one",
        (
            r"\b(?:no|never|don'?t|do not|not|stop) (?:more )?(?:\w+ ){0,2}?(?P<s>(?:[\w./*-]+ ){0,3}?[\w./*-]+) "
            r"without (?:also |updating |adding |writing |changing |any |an? )*(?P<n>.+)"
        ),
    ),
    ("one", rf"{_HEAD}(?:cover|back)(?:ing)? (?P<s>.+?) (?:with|by) (?P<n>.*\btests?\b.*)"),
    ("when", rf"{_UPDATE} (?P<n>.+?) (?:{_IF}|in the same commit as) (?P<s>.+)$"),
    (
        "one",
        rf"{_UPDATE} (?P<n>.+?) (?:for|with|alongside|along with|together with|to match|to reflect) (?P<s>.+)$",
    ),
    ("bare", rf"{_UPDATE} (?P<n>.+)$"),
    ("bare", r"\b(?:where (?:are|is)|where's|forgot(?:ten)?|forget|missing|what about) (?P<n>.+)$"),
    ("bare", r"^\W*(?:(?:and|but|also|please|always) )*(?P<n>(?:tests?\b[\s,.!]*){2,})$"),
)
_COMPILED = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _FORMS)
_NOT = re.compile(r"\b(?:do ?n[o']?t|do not|never|no need|not|stop|avoid|no)\b", re.IGNORECASE)
_LACK = re.compile(
    r"\bwithout\b|\bforg[eo]t\w*|\b(?:not|\w+n'?t|never|stop) (?:been |be )?(?:add|writ|updat|creat|includ|cover|"
    r"document|skip|merg)\w*",
    re.IGNORECASE,
)
# What is said of running, ending or putting off tests and docs asks for no file.
_OTHERWISE = re.compile(
    r"\btests?\b[^,;]{0,16}\b(?:pass|fail|succeed|green|red|broken|run|first)"
    r"|\b(?:later|yet|for now|unnecessary|at the end)\b|\b(?:rather than|instead of)\b"
    r"|\b(?:not|n't) (?:be )?(?:need|necessary|require|bother)\w*|\bno need\b"
    r"|\b(?:fix|pass|delet|remov|skip|disabl|mock|revert|renam|mov|read|check|see|look|follow|review|us|simplif|clean)"
    r"(?:e|ed|ing|ping|y|s)?(?: at| up)? (?:\w+ ){0,3}(?:tests?|docs?|readme|changelog|documentation)\b"
    r"|^(?:can|could|did|do|does|is|are|should|would|shall|what|how|why)\b"
    r"(?! (?:you|we|are you|did you|do you) (?:also |please |just |always |not |never ))[^?]*\?$",
    re.IGNORECASE,
)
# Work that was just spoken of: "put it in a.md", "tests for this", "with what changed since the last update".
_ONCE = re.compile(r"(?:it|them|this|that|these|those|me|us|sure|what)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:this|these|those|since|so far|discuss\w*|above|recent\w*|just|\d+\.\d+)\b|^(?:it|them|me|us|now)\b"
    r"|^the (?:new|last|latest|next)\b",
    re.IGNORECASE,
)
_IT_TO = re.compile(r"^(?:it|them) (?:to|in|into|on) ", re.IGNORECASE)
_TOLD = re.compile(
    r"(?:i|we) (?:also |just |already |have |had |then )*(?:(?!need)\w+ed|made|wrote|did|ran|put)\b", re.IGNORECASE
)
_REST = re.compile(r"\s+(?:or even|but|because|since|otherwise|so that|instead|e\.g\.)\b.*$", re.IGNORECASE)
_BEFORE = re.compile(
    r",? (?:before|when(?:ever)?|prior to|with|in|for|on|after) (?:you |we )?(?:each |every |the |any |a |your )*"
    r"(?:commit|push|merg|pr\b|pull request|releas)\w*\W*$",
    re.IGNORECASE,
)


_EVERY = re.compile(r"(?:every|each|any|all) (?:\w+ )?(?:changes?|edits?|commits?|time)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Together:
    """What belongs together, in the person's words."""

    calls: str
    needs: str
    both: bool = False  # each side calls for the other
    bare: bool = False  # nothing says what calls
    sure: bool = False  # the words say when

    def turned(self) -> "Together":
        """The same with its sides changed: "keep the docs in sync with the code"."""
        return replace(self, calls=self.needs, needs=self.calls, sure=True)


def together(clause: Clause) -> Together | None:
    """What a clause wants changed together; None where it speaks of anything else."""
    text = re.sub(r"^[\s/#*\-\[\].\u2026>]+", "", clause.text[:LONGEST]).replace("\u2019", "'")
    text = " ".join(text.replace("`", "").split())
    text = re.sub(r"^(?:(?:but|and|so|ok(?:ay)?|then|please|well)\b[,. ]*)+", "", text, flags=re.IGNORECASE)
    habit = _BEFORE.search(text)
    text = text[: habit.start()] if habit and not text.lower().startswith(("when", "if", "after")) else text
    words = re.sub(r"[\w./-]*[./][\w./-]+", " ", text)
    if _TOLD.match(text) or _OTHERWISE.search(words) or (_NOT.search(words) and not _LACK.search(words)):
        return None
    for form, pattern in _COMPILED:
        if found := pattern.search(text):
            parts = {name: (said or "").strip(" ,:;!?()").rstrip(".") for name, said in found.groupdict().items()}
            calls = _REST.sub("", parts.get("s", "")) or (
                "every change" if habit or text.lower().startswith("keep") else ""
            )
            if form == "when":
                parts["n"] = _IT_TO.sub("", parts["n"])
            if _ONCE.match(parts.get("n", "")) or (form != "when" and _NOW.search(parts.get("s", ""))):
                return None
            sure = form == "when" or bool(_EVERY.match(calls))
            return Together(calls, parts.get("n", ""), both=form == "same", bare=not calls, sure=sure)
    return None

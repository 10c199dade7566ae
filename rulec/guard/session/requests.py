"""Whether a sentence asks for an act or only names it: "commit it" asks, "the last commit is broken" does not."""

import re

_COMPOUND = re.compile(
    r"[- ](?:messages?|msgs?|hash(?:es)?|shas?|ids?|history|logs?|hooks?|strategy|strategies|scripts?|notifications?|"
    r"conflicts?|dates?|templates?|styles?|formats?|conventions?|settings?|buttons?|urls?|badges?|notes|pipelines?|"
    r"errors?|fail(?:s|ed|ure|ures)?)\b(?!\s*[:=\"'`])",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\w[-/.#_]$")  # pre-commit, origin/main, a.deploy
_WISHED = re.compile(
    r"\b(?:get|gets|getting|have|want|wants|need|needs|like|love|be|see|make|until it'?s)\b[^.?!]{0,60}$", re.IGNORECASE
)
_DOING = re.compile(
    r"\b(?:make|do|create|run|start|trigger|write|add|finish|perform|complete|continue|proceed|go|ok|okay|approve[ds]?|"
    r"want|need|prepare|handle|change|update|edit|modify|alter|extend|remove|drop|delete|rename|fix|migrate|rewrite|"
    r"adjust|bump|touch|put|move|set|replace|refactor|convert|use|group|split|squash|open|submit|generate|apply|give|"
    r"get|try|redo|retry|repeat|may|can|could|allowed|please|pls|let'?s|include|introduce|implement|build|ship|revise|"
    r"mach\w*|fais|faire|haz|hacer)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"\b(?:the|this|that|these|those|last|previous|latest|prior|recent|earlier|old|your|my|our|his|her|their|its|each|"
    r"every|any|some|which|same|one|single|first|initial|of|in|on|at|from|by|since|after|a|an|multiple|two|several|new)"
    r"\s+(?:[\w`'/-]+\s+)?$",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:i|it|he|she|they|someone|somebody|who|which|that)"
    r"(?:'m|'ve|'d|'ll|'s|m|ve| am| have| had| has| just| already| also| then| always| only| will| would| was| is| "
    r"usually| normally| never| going to| gonna| about to| manually| myself)*\s*$",
    re.IGNORECASE,
)
_LEAD = r"\W*(?:(?:and|so|but|ok(?:ay)?|well|now|hm+|also|wait|question|then)\b[\s,:.-]*)*"
_ASKING = re.compile(
    _LEAD + r"(?:(?:what|where|who|when|which|whose)\b(?! about)(?!,)|how\b(?! about)|why\b(?! not| don'?t)|"
    r"(?:did|have|has|had|was|were|is|are|does|am)\b|do (?:you|we|i|they|the|any)\b|should (?:i|we|it)\b)",
    re.IGNORECASE,
)
_LOOKING = re.compile(
    _LEAD + r"(?:please |pls |can you |could you )?(?:look|see|check|show|read|explain|review|tell|describe|list|find|"
    r"compare|inspect|analy[sz]e|summari[sz]e)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:yesterday|ago|previously|back then|last (?:time|night|week|month|year|sprint|release))\b|"
    r"\b(?:i|we|you|he|she|they|someone|somebody|it)\s+(?:(?!to\b)\w+\s+)?(?:ran|did|made|had|got|gave|saw|broke|tried|"
    r"(?!need|want|approv|allow|permit|decid|agree)\w{2,}ed)\s+(?:(?!and\b|so\b|then\b)[\w`'\"]+\s+){0,3}[`'\"]?$|"
    r"\bwe(?:'ve| have| had| already| always| usually| normally)+\s*$",
    re.IGNORECASE,
)
_PAST_AFTER = re.compile(
    r"^[^,;]*\b(?:yesterday|ago|last (?:time|night|week|month|year|sprint|release))\b", re.IGNORECASE
)
_NAMED = re.compile(r"[\w./@~+-]+")
LONGEST_BEFORE = 400  # characters before a word that say what it is about
_TOUCH = r"edit|change|update|write|modify|create|rewrite|extend|amend|adjust|alter|fix|correct|revise|rename|move"
_TOUCHED = (  # who asks for it, the act, and at most what is meant of the file: "please fix the typo in docs/a.md"
    r"(?:^|[,;:]|\b(?:please|pls|and|then|now|just|also|yes|ok|okay|sure|go ahead|(?:you )?(?:may|can|should)|"
    r"(?:can|could|would|will) you|(?:want|need|like) you to|let'?s))[\s,:]{0,5}"
    r"(?:%s|put|add)\s+(?:(?:the|this|that|our|my)\s+)?(?:(?:new\s+)?file\s+|(?:it|this|that|(?:the|a|an)\s+[\w-]+)\s+(?:in|into)\s+"
    r"(?:the file\s+)?)?[`'\"(@]*$"
)
_CHANGING = re.compile(_TOUCHED % _TOUCH, re.IGNORECASE)
_DELETING = re.compile(_TOUCHED % "delete|remove|drop|rename|move", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|once|before|after|unless|until|while|every time|as soon)\b", re.IGNORECASE
)
_NEXT = re.compile(r"\b(?:and|then)\b|[,;&]\s*$", re.IGNORECASE)


def asks_for_act(sentence: str, start: int) -> bool:
    """Whether the sentence asks for the act that it names at this place."""
    before, token, after = _parts(sentence, start)
    if _JOINED.search(before) or _COMPOUND.match(after) or _ASKING.match(sentence):
        return False
    if _PAST.search(before[-LONGEST_BEFORE:]) or _PAST_AFTER.search(after[:LONGEST_BEFORE]):
        return False
    if token.lower().endswith("ed"):
        return bool(_WISHED.search(before))
    if _TOLD.search(before):
        return False
    named = token.lower().endswith("s") and not token.lower().endswith("ss")
    if named or _NOUN.search(before):
        return bool(_DOING.search(before)) and not _LOOKING.match(sentence)
    return not _LOOKING.match(sentence) or bool(_NEXT.search(before))


def _parts(sentence: str, start: int) -> "tuple[str, str, str]":
    end = start
    while end < len(sentence) and (sentence[end].isalnum() or sentence[end] == "_"):
        end += 1
    return sentence[:start], sentence[start:end], sentence[end:]


def asks_for_path(sentence: str, start: int, path: str, *, deletes: bool) -> bool:
    """Whether the sentence plainly asks to change, or to delete, the path that it names there, or a folder above it."""
    named = next((one for one in _NAMED.finditer(sentence) if one.start() <= start < one.end()), None)
    if not named or "/" not in named[0] or _ASKING.match(sentence) or _CONDITION.search(sentence):
        return False
    whole = named[0].lstrip("@").removeprefix("./").rstrip(".").strip("/")
    if not whole or f"/{whole}/" not in f"/{path}/":
        return False
    before = sentence[: named.start()][-LONGEST_BEFORE:]
    return bool((_DELETING if deletes else _CHANGING).search(before)) and not _PAST.search(before)

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
_NEXT = re.compile(r"\b(?:and|then)\b|[,;&]\s*$", re.IGNORECASE)


def asks(sentence: str, start: int) -> bool:
    """Whether the sentence asks for the act that it names at this place."""
    before, token, after = _parts(sentence, start)
    if _JOINED.search(before) or _COMPOUND.match(after) or _ASKING.match(sentence):
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

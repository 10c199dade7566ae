"""Whether a person's words ask for an act or allow it."""

import itertools
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.guard.session.acts import Act


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


LONGEST = 20_000  # characters of one turn that are looked at
_SENTENCE = re.compile(r"[.!?;\n]{1,5}(?=\s|$)|\n|,\s+(?:but|then|and then)\b")
_AGAINST = re.compile(
    r"\b(?:no(?! (?:longer|issues?|problems?|errors?|objections?|conflicts?|failures?)\b)|(?<!if )not|never|nothing|"
    r"none|stop|without|unless|don'?t|didn'?t|doesn'?t|won'?t|can'?t|shouldn'?t|wouldn'?t|"
    r"isn'?t|wasn'?t|hold off|avoid|ask|asking|asked|confirm|permission|approval|check with|why|nicht|kein\w*|nie|"
    r"nunca|jamais|pas|non|nein|不|别|勿|不要)\b|n't\b|[不别勿]",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:only (?:when|if|after|once)|unless|nothing|later|when I (?:say|tell|ask))\b", re.IGNORECASE
)
_YES = re.compile(
    r"\W*(?:(?:yes|yep|yeah|yup|y|ok|okay|k|sure|fine|good|great|perfect|lgtm|approved?|go ahead|go for it|go on|go|"
    r"do it|do that|please do|proceed|continue|right|correct|exactly|absolutely|definitely|of course|sounds good|"
    r"looks good|ship it|make it so|ja|jo|klar|gerne|mach|oui|d'accord|si|sí|claro|vale|sim|да|давай|ок|好|好的|可以|"
    r"行|是|是的|嗯|继续|はい|お願い)(?![^\W_])|[👍✅])",
    re.IGNORECASE,
)
_LIMITS = re.compile(
    r"\b(?:but|only|just|instead|rather|except|first|wait|before|until|unless|later|not|never|hold)\b|n't\b",
    re.IGNORECASE,
)
_NO_LIMIT = re.compile(
    r"\b(?:just|only)\s+(?:do (?:it|that|so)|go(?: ahead| for it)?|(?:for )?this (?:once|one|time)|once)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\b(?:never|don'?t|do not|not)\s+(?:(?:ever|do|run|try|repeat|use|make)\s+){0,2}(?:that|it|this|so|again)\b",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:each|every|always|whenever|as you go|along the way|from now on|any ?time|feel free|without asking|"
    r"yourself|on your own|all (?:of )?(?:them|these|those|the)|both|one by one|one at a time|regularly|often|"
    r"frequently|after (?:each|every)|per (?:task|feature|change|step))\b",
    re.IGNORECASE,
)
_LEAVE_OUT = (
    r"(?:^|[.,;:!?\n]|\b(?:but|and|please|just))\s{0,5}(?:don'?t|do not|no need to|skip|hold off(?: on)?)\s+"
    r"(?:(?!without|before|until|unless|stop|forget)\w+\s+){0,2}(?:%s)(?:ting|ing)?\b(?!\s+(?:without|before|until|unless))"
)
MOST_NAMED = 20  # times that one sentence names it
LONGEST_YES = 200  # a longer answer says what it allows


def permits(words: str, told: "Act", path: str = "", *, deletes: bool = False) -> bool:
    """Whether a person's turn asks for the act, or says yes to the agent's question about it.

    Of a file that is touched, a request that names its path counts where the words are in that path.
    """
    text = told.text[:LONGEST]
    for sentence in _SENTENCE.split(text):
        if sentence and (_allows(words, sentence) or (path and _names(words, sentence, path, deletes=deletes))):
            return True
    asked = told.asked[-LONGEST:]
    answer = _YES.match(text) if len(text) <= LONGEST_YES else None
    if not answer or "?" not in asked or not re.search(words, asked, re.IGNORECASE):
        return False
    return not _LIMITS.search(_NO_LIMIT.sub("", text[answer.end() :]))  # a yes to a part, or to something else


def _allows(words: str, sentence: str) -> bool:
    return any(asks_for_act(sentence, found.start()) for found in _spoken_for(words, sentence))


def _names(words: str, sentence: str, path: str, *, deletes: bool) -> bool:
    """Whether the sentence asks for an act on the path, or on a folder above it, which the words speak of."""
    return any(asks_for_path(sentence, found.start(), path, deletes=deletes) for found in _spoken_for(words, sentence))


def _spoken_for(words: str, sentence: str) -> "Iterator[re.Match[str]]":
    """Where the sentence has the words, and nothing against them."""
    for found in itertools.islice(re.finditer(words, sentence, re.IGNORECASE), MOST_NAMED):
        after = sentence[found.end() :]
        if not (_AGAINST.search(sentence[: found.end()]) or _NOT_NOW.search(after) or _TAKEN_BACK.search(after)):
            yield found


def waives(commands: "list[str]", text: str) -> bool:
    """Whether a person's words leave out, this time, what the commands do: "don't commit yet", "skip the tests"."""
    names = {command.split()[-1] for command in commands if command.strip()}
    names = {re.escape(name) for name in names if name.isalpha()}
    if any("test" in name for name in names):
        names.add("tests?")
    return bool(names) and bool(re.search(_LEAVE_OUT % "|".join(sorted(names)), text[:LONGEST], re.IGNORECASE))


def revokes(words: str, text: str) -> bool:
    """Whether a person's words take back what they may have allowed before: "don't commit any more"."""
    return bool(re.search(_LEAVE_OUT % words, text[:LONGEST], re.IGNORECASE))


def allows_more_than_once(told: "Act") -> bool:
    """Whether the words allow it more than once."""
    return bool(_STANDING.search(told.text[:LONGEST]))

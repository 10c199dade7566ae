"""Whether a person's words ask for an act or allow it."""

from __future__ import annotations

import itertools
import re

from rulec.guard.session.spoken_sentences import split_sentences

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
    r"\b(?:get|gets|getting|have|want|wants|need|needs|like|love|be|see|make|"
    r"until it'?s)\b[^.?!]{0,60}$",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"\b(?:make|do|create|run|start|trigger|write|add|finish|perform|complete|continue|proceed|go|ok|okay|"
    r"approve[ds]?|"
    r"want|need|prepare|handle|change|update|edit|modify|alter|extend|remove|drop|delete|rename|fix|migrate|rewrite|"
    r"adjust|bump|touch|put|move|set|replace|refactor|convert|use|group|split|squash|open|submit|generate|apply|give|"
    r"get|take|pick|choose|install|try|redo|retry|repeat|may|can|could|allowed|please|pls|let'?s|include|"
    r"introduce|implement|build|ship|revise|"
    r"mach\w*|fais|faire|haz|hacer)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"\b(?:the|this|that|these|those|last|previous|latest|prior|recent|earlier|old|your|my|our|his|her|their|"
    r"its|each|"
    r"every|any|some|which|same|one|single|first|initial|of|in|on|at|from|by|since|after|a|an|multiple|two|"
    r"several|new)"
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
    _LEAD + r"(?:please |pls |can you |could you )?(?:look|see|check|show|read|explain|review|tell|describe|"
    r"list|find|"
    r"compare|inspect|analy[sz]e|summari[sz]e)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:yesterday|ago|previously|back then|last (?:time|night|week|month|year|sprint|release))\b|"
    r"\b(?:i|we|you|he|she|they|someone|somebody|it)\s+(?:(?!to\b)\w+\s+)?(?:ran|did|made|had|got|gave|saw|"
    r"broke|tried|"
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
_CLAUSE = (  # where a clause begins that tells somebody to do something
    r"(?:^|[,;:]|\b(?:please|pls|and|then|now|just|also|yes|ok|okay|sure|go ahead|(?:you )?(?:may|can|should)|"
    r"(?:can|could|would|will) you|(?:want|need|like) you to|let'?s))[\s,:]{0,5}"
)
_TOUCHED = _CLAUSE + (  # the act, and at most what is meant of the file: "please fix the typo in docs/a.md"
    r"(?:%s|put|add)\s+(?:(?:the|this|that|our|my)\s+)?(?:(?:new\s+)?file\s+|(?:it|this|that|(?:the|a|"
    r"an)\s+[\w-]+)\s+(?:in|into)\s+"
    r"(?:the file\s+)?)?[`'\"(@]*$"
)
_MADE_SO = re.compile(_CLAUSE + r"(?:make|call|name|tag|number|set|get|let|have)\s+(?:it|that)\s*$", re.IGNORECASE)
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
    if _TOLD.search(before) and not _MADE_SO.search(before[-LONGEST_BEFORE:]):  # "make it 2.0" tells of nothing
        return False
    named = token.lower().endswith("s") and not token.lower().endswith("ss")
    if named or _NOUN.search(before):
        return bool(_DOING.search(before)) and not _LOOKING.match(sentence)
    return not _LOOKING.match(sentence) or bool(_NEXT.search(before))


def _parts(sentence: str, start: int) -> tuple[str, str, str]:
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
_REQUEST = re.compile(  # of sentences that end as questions: these ask for what they name
    _LEAD + r"(?:(?:can|could|would|will) (?:you|we)|(?:you|we) (?:can|could|may)|let'?s|why (?:not|don'?t)|"
    r"how about|"
    r"what about|mind)\b|\b(?:please|pls|go ahead)\b",
    re.IGNORECASE,
)
_NOT_THAT = re.compile(
    r"\W*(?:and |but |so |please |just )*(?:don'?t|do not|never)\s+(?:\w+\s+){1,2}(?:it|that|this|them)\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:no(?! (?:longer|issues?|problems?|errors?|objections?|conflicts?|failures?)\b)|(?<!if )not|never|nothing|"
    r"none|stop|without|unless|rid of|instead of|rather than|don'?t|didn'?t|doesn'?t|won'?t|can'?t|shouldn'?t|"
    r"wouldn'?t|isn'?t|wasn'?t|hold off|avoid|ask|asking|asked|confirm|permission|approval|check with|why|nicht|"
    r"kein\w*|nie|nunca|jamais|pas|non|nein|不|别|勿|不要)\b|n't\b|[不别勿]",
    re.IGNORECASE,
)
_NOT_NOW = re.compile(
    r"\b(?:only (?:when|if|after|once)|unless|nothing|later|when I (?:say|tell|ask))\b", re.IGNORECASE
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
    r"(?:(?!without|before|until|unless|stop|forget)\w+\s+){0,2}(?:%s)(?:ting|ing)?\b(?!\s+(?:without|before|"
    r"until|unless))"
)
MOST_NAMED = 20  # times that one sentence names it


def permits(
    words: str, told: Act, path: str = "", *, deletes: bool = False, of_thing: bool = False, done: str = ""
) -> bool:
    """Whether a person's turn asks for the act, or says yes to the agent's question about it.

    Of a file that is touched, a request that names its path counts where the words are in that path. The words may be
    those for a thing (``of_thing``), which somebody mentions without asking for anything. ``done`` is the text of the
    act, which may meet a condition of the answer.
    """
    text = told.text[:LONGEST]
    if of_thing and refuses_thing(words, text):
        return False
    sentences = split_sentences(text)
    for sentence, after in zip(sentences, [*sentences[1:], ""], strict=False):
        if sentence.rstrip().endswith("?") and not _REQUEST.search(sentence):
            continue  # who asks about it has not decided
        asks = asks_for_thing(words, sentence) if of_thing else _allows(words, sentence)
        asks = asks or (of_thing and "?" in told.asked and _is_choice(words, sentence))
        named = asks or (path and _names(words, sentence, path, deletes=deletes))
        if named and not _NOT_THAT.match(after):
            return True
    asked = told.asked[-LONGEST:]
    if "?" not in asked or not re.search(words, asked, re.IGNORECASE):
        return False
    from rulec.guard.session import asked_object  # noqa: PLC0415 (few turns answer a question about what is done)

    return asked_object.says_yes(words, asked, text, done)


def asks_for_thing(words: str, sentence: str) -> bool:
    """Whether the sentence asks to use, add or change the thing that it names, or calls that fine."""
    from rulec.guard.session import answer_words  # noqa: PLC0415 (a turn is looked at once it names the thing)

    for found in _spoken_for(words, sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        if answer_words.delays(sentence) or answer_words.restricts(_ONLY_IT.sub("", before)) or _USED.search(before):
            continue
        if not asks_for_act(sentence, found.start()) and not _APPROVED.match(after):
            continue
        if _DOING.search(before) or _APPROVED.match(after) or answer_words.answer_end(before) >= 0:
            return True
    return False


def _is_choice(words: str, sentence: str) -> bool:
    """Whether the sentence is nothing but the name of the thing."""
    left, count = re.subn(words, "", sentence, count=1, flags=re.IGNORECASE)
    return bool(count) and not re.search(r"\w", re.sub(r"\b(?:please|pls|then)\b", "", left)) and "?" not in left


def refuses_thing(words: str, text: str) -> bool:
    """Whether one of the clauses of a turn names the thing and is against it."""
    from rulec.guard.session import answer_words  # noqa: PLC0415 (as above)

    return any(
        _HANDS_OFF.search(part[: found.start()]) or _LEFT.match(part[found.end() :])
        for part in answer_words.parts_of(text)
        for found in itertools.islice(re.finditer(words, part, re.IGNORECASE), MOST_NAMED)
    )


_ONLY_IT = re.compile(r"\b(?:only|just)\s+(?:the\s+)?[`'\"]?$", re.IGNORECASE)
_USED = re.compile(  # what somebody tells of, and asks for in no way
    r"\bi(?:'ll| will|'m| am|'ve| have|'d| would)\b(?![^,;]*\byou\b)[^,;:]{0,60}$|"
    r"\b(?:we|they|it|he|she|who|that|which|everyone|everybody|(?:the|our|their) \w+)\s+"
    r"(?:(?:also|already|still|currently|always|once|even|all|both)\s+)?(?:uses?|used|had|has|have|took|takes|"
    r"tried|added|adds)\b"
    r"(?! to)[^,;:]{0,40}$",
    re.IGNORECASE,
)
_APPROVED = re.compile(
    r"[`'\"]?\s*(?:(?:is|are|'s|sounds|looks)\s+(?:(?!not|never)\w+\s+)?(?:fine|ok|okay|good|great|approved|"
    r"allowed|all right|alright)\b"
    r"|[:,]\s*(?:approved|yes|ok|okay|fine|go ahead|sure|agreed|granted)\b|\s(?:please|pls|it is)\b|"
    r",?\s+(?:please|pls)\b|[\s,]*[👍👌✅])",
    re.IGNORECASE,
)
_HANDS_OFF = re.compile(
    r"\b(?:hands off|keep (?:off|away|out|your hands)|stay (?:out|away)|leave|keep|skip|except|apart from|"
    r"excluding|spare|"
    r"(?:don'?t|do not|never) (?:touch|change|edit|add|use|delete|remove|install|take|bump|upgrade|run|"
    r"modify))\b[^,;]{0,30}$|"
    r"\b(?:but )?(?:not|no|without|never)\s+(?:the |to |for |in |on |with )*[`'\"]?$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"[`'\"]?\s*(?:(?:is|are|stays?|remains?|should (?:be|stay)|must (?:be|stay))\s+(?:\w+ )?(?:off limits|"
    r"untouched|as (?:it )?is|out|unchanged|not|taboo)\b"
    r"|stays?\W*$|alone\b|out of (?:it|this)\b|as (?:it )?is\b|isn'?t\b|(?:can|must|should|has to|"
    r"will have to) (?:wait|stay|not)|[,:]?\s*(?:not|no|later|wait)\b|(?:is |looks )?(?:fine|ok|good) as\b|"
    r",? no\b|later\b)",
    re.IGNORECASE,
)


def _allows(words: str, sentence: str) -> bool:
    return any(asks_for_act(sentence, found.start()) for found in _spoken_for(words, sentence))


def _names(words: str, sentence: str, path: str, *, deletes: bool) -> bool:
    """Whether the sentence asks for an act on the path, or on a folder above it, which the words speak of."""
    return any(asks_for_path(sentence, found.start(), path, deletes=deletes) for found in _spoken_for(words, sentence))


def _spoken_for(words: str, sentence: str) -> Iterator[re.Match[str]]:
    """Where the sentence has the words, and nothing against them."""
    for found in itertools.islice(re.finditer(words, sentence, re.IGNORECASE), MOST_NAMED):
        after = sentence[found.end() :]
        if not (_AGAINST.search(sentence[: found.end()]) or _NOT_NOW.search(after) or _TAKEN_BACK.search(after)):
            yield found


def revokes(words: str, text: str) -> bool:
    """Whether a person's words take back what they may have allowed before: "don't commit any more"."""
    return bool(re.search(_LEAVE_OUT % words, text[:LONGEST], re.IGNORECASE))


_NO = re.compile(r"\W*(?:no|nope|nah|don'?t|do not|not|stop|never|nein|non|nie)(?![^\W_])", re.IGNORECASE)


def forbids(words: str, told: Act) -> bool:
    """Whether a person's turn speaks against what the words name, or answers a question about it with no."""
    text = told.text[:LONGEST]
    if revokes(words, text):
        return True
    sentences = split_sentences(text)
    for sentence, after in zip(sentences, [*sentences[1:], ""], strict=False):
        if _NOT_THAT.match(after) and re.search(words, sentence, re.IGNORECASE):
            return True
        for found in itertools.islice(re.finditer(words, sentence, re.IGNORECASE), MOST_NAMED):
            if _AGAINST.search(sentence[: found.end()]) or _TAKEN_BACK.search(sentence[found.end() :]):
                return True
    return bool(_NO.match(text)) and "?" in told.asked and bool(re.search(words, told.asked, re.IGNORECASE))


def allows_more_than_once(told: Act) -> bool:
    """Whether the words allow it more than once."""
    return bool(_STANDING.search(told.text[:LONGEST]))

"""Whether a person's words allow what a rule asks them about."""

import itertools
import re

from rulec.guard.session import requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulec.guard.session.acts import Act


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
    """Whether the turn speaks of it and not against it, or says yes to the agent's question about it.

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
    return any(requests.asks_for_act(sentence, found.start()) for found in _spoken_for(words, sentence))


def _names(words: str, sentence: str, path: str, *, deletes: bool) -> bool:
    """Whether the sentence asks for an act on the path, or on a folder above it, which the words speak of."""
    return any(
        requests.asks_for_path(sentence, found.start(), path, deletes=deletes) for found in _spoken_for(words, sentence)
    )


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


def standing(told: "Act") -> bool:
    """Whether the words allow it more than once."""
    return bool(_STANDING.search(told.text[:LONGEST]))

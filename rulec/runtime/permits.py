"""Whether a person's words allow what a rule asks them about."""

import itertools
import re

from . import requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .acts import Act

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


def permits(words: str, told: "Act") -> bool:
    """Whether the turn speaks of it and not against it, or says yes to the agent's question about it."""
    text = told.text[:LONGEST]
    if any(_allows(words, sentence) for sentence in _SENTENCE.split(text) if sentence):
        return True
    asked = told.asked[-LONGEST:]
    answer = len(text) <= LONGEST_YES and _YES.match(text)
    return bool(answer and "?" in asked and re.search(words, asked, re.IGNORECASE))


def _allows(words: str, sentence: str) -> bool:
    for found in itertools.islice(re.finditer(words, sentence, re.IGNORECASE), MOST_NAMED):
        against = _AGAINST.search(sentence[: found.end()]) or _NOT_NOW.search(sentence[found.end() :])
        if not against and requests.asks(sentence, found.start()):
            return True
    return False


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

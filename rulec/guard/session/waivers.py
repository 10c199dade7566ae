"""Whether a person's words leave out, this time, what has to come first: "don't run the tests".

A waiver is an act and an object. The act is the doing of the thing (to run it, to wait for it, to need it), negated,
or its being left out ("skip", "leave out", "without"); the object is the thing as a whole, with nothing after it that
would narrow it down. Another act negated ("don't break the tests") is none.
"""

from __future__ import annotations

import itertools
import re

from rulec.domain.files.file_kinds import split_words
from rulec.guard.session.partial_runs import SCRIPTED, SELECTING
from rulec.guard.session.spoken_sentences import split_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


LONGEST = 20_000  # characters of one turn that are looked at
LONGEST_SENTENCE = 600  # a longer one is no plain word of a person
MOST_CLAUSES = 40  # of one sentence
OWN_RUN = "rulec run"  # a suite of tests, by its name
_NAMELESS = frozenset(split_words("run exec x"))  # words of commands that name nothing: npm run build
_QUOTED = re.compile(r"\"[^\"\n]*\"|\u201c[^\u201d\n]*\u201d|«[^»\n]*»|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)")
_PLACE = " § "  # stands for a quotation, which is nobody's order
_CLAUSE = re.compile(
    r"[,;()\u2014\u2013]|\s-\s|\b(?:and|but|then|so)\b", re.IGNORECASE
)  # behind it another one may begin
_CONDITION = re.compile(
    r"\b(?:if|unless|until|till|except|only|whether|whenever|always|never(?! mind))\b", re.IGNORECASE
)
_NEGATED = re.compile(r"n't\b|\b(?:not|never|no|nobody|nothing|cannot|without|stop|avoid)\b", re.IGNORECASE)
_ASKED = re.compile(r"\W*(?:please |ok(?:ay)? |so |and )?(?:can|could|would|will) (?:you|we)\b", re.IGNORECASE)

_LEAD = (
    r"(?:(?:please|pls|ok|okay|yes|yeah|well|now|just|also|and|but|then|so|sure|fine|alright|"
    r"btw|actually|today|for now|this time|"
    r"for once|here|still|maybe|no|wait|hey|\d{1,2}[.)]|[-*>•])[\s,:]{1,3}){0,8}"
)
_MAY = (  # who is told or allowed to do it
    r"(?:(?:(?:you|we) (?:can|may|could|should|might as well|are allowed to|are free to)|(?:can|"
    r"could|would|will) (?:you|we)|you're (?:allowed|free) to|let's|let us|feel free to|go ahead(?: and)?|"
    r"(?:it's|it is|that's|i'm|i am) (?:ok|okay|fine|all right|alright|good)(?: with you)? to|"
    r"(?:i want|i'd like|i would like|i need) (?:you )?to)\s+(?:(?:please|just|also|safely|now|then|even)\s+)*)?"
)
_NOT = (  # an act is negated as an order, a wish or a need; not as a report
    r"(?:(?:please |just )*(?:do not|don't|dont)(?: even| ever)?(?: you dare)?\s+(?:(?:bother|try|"
    r"start|need|want|have)\s+(?:to\s+|with\s+|about\s+)?)?|"
    r"(?:(?:you|we|i) )(?:do not|don't|dont|won't|will not) (?:(?:need|have|want) (?:you )?(?:to )?|(?=need\b))|"
    r"(?:you|we) (?:needn't|need not|shouldn't|should not|mustn't|must not) |"
    r"(?:there's |there is |(?:you|we) have |i see )?no (?:need|reason|point)(?: for you)? (?:to |in )|"
    r"(?:it's |it is )?(?:not|un)\s?necessary to |"
    r"(?:it's|it is|that's) not (?:needed|required) to )"
)
_DO = (
    r"(?:(?:re-?)?run(?:ning)?|do(?:ing)?|execut(?:e|ing)|start(?:ing)?|launch(?:ing)?|perform(?:ing)?|repeat(?:ing)?|"
    r"trigger(?:ing)?|invok(?:e|ing)|kick(?:ing)? off|bother(?:ing)?(?: with| about)?|wait(?:ing)? (?:for|on)|"
    r"need(?:ing)?|worry(?:ing)? about|care about|insist on|wast(?:e|ing) (?:any )?time (?:on|with)|"
    r"spend(?:ing)? (?:any )?time (?:on|with))"
)
_ING = r"(?:(?:re-?)?running|doing|executing|starting|launching|performing|repeating|waiting (?:for|on)|bothering with)"
_LEAVE = (
    r"(?:skip|omit|forgo|forego|bypass|never mind|nevermind|forget(?: about)?|leave out|"
    r"leave off|hold off(?: on| with)?|"
    r"dispense with|do without|go without|pass on)"
)
_GO_ON = (  # what a person lets happen without the thing
    r"(?:commit|push|merge|go on|go ahead|continue|proceed|carry on|move on|finish|end|stop|"
    r"ship|release|deploy|publish|"
    r"submit|wrap up|do|save|check in|land|try|make the commit|open the (?:pr|pull request))"
)
_WORK = (
    r"(?:fix|change|edit|update|make|write|add|remove|rename|move|correct|finish|apply|revert|"
    r"amend|merge|bump|clean up|"
    r"put|use|take|work|answer|reply|undo|delete|create)"
)
_OTHERS = r"(?:to|can|could|may|might|that|which|who|whoever|how|what|where|when|nobody|people|everyone|anybody|users?)"
_WHOLE = (
    r"(?:(?:the|a|an|any|all|all of|those|these|that|this|our|your|my|more|every|whole|full|entire|complete|usual)\s+)*"
)
_NEXT = rf"(?:please|just|then|now|don't|do not|let|i'll|i will|{_GO_ON}|{_WORK})\b"
_TAIL = (  # what may follow the thing as a whole
    r"(?=\s*(?:(?:at all|this time|for now|for once|right now|just now|now|yet|today|tonight|here|again|either|"
    r"either way|please|pls|thanks|thank you|any ?more|any longer|first|beforehand|afterwards|later|ok|okay|"
    r"to (?:finish|pass|end|complete|be done|run through)|"
    r"(?:for|on|in|with|before) (?:this|that|the next|the) (?:one|commit|change|edit|fix|step|round|turn|time|push))"
    rf"\b[\s,]*)*(?:[.!?,;)\u2014\u2013]|\s-\s|$|\b(?:and|then)\s+{_NEXT}|\b(?:but|so|because|since|i'll|i will|"
    rf"we'll|it's|they're|that's|let's|just)\b|(?<=\s){_GO_ON}\b))"
)
_LATER = r"(?=\s*(?:for (?:now|later|me|ci|tomorrow|another time)|until later|to me|to ci)\b)"


def waives(commands: list[str], text: str) -> bool:
    """Whether a person's words leave out, this time, what the commands do: "don't commit yet", "skip the tests"."""
    things = [_thing(command.split()) for command in commands if command.strip()]
    if not things:
        return False
    thing, act = ("|".join(dict.fromkeys(filter(None, words))) for words in zip(*things, strict=False))
    plain = _unquoted(text[:LONGEST], {command.strip() for command in commands})
    forms = _Forms(thing, act)
    before = ""
    for sentence in split_sentences(plain):
        short = len(sentence) <= LONGEST_SENTENCE
        if short and forms.may_hold(sentence, before) and forms.hold_in(sentence, before):
            return True
        before = sentence[-LONGEST_SENTENCE:]
    return False


def _thing(words: list[str]) -> tuple[str, str]:
    """How people name what a command does, as patterns: as a thing, and as an act."""
    own = " ".join(words[:2]) == OWN_RUN
    parts = [part for word in words[1:] or words for part in re.findall(r"[A-Za-z][A-Za-z0-9_]*", word)]
    parts = [part.lower() for part in parts if part.lower() not in _NAMELESS and not (own and part == "run")]
    whole = re.escape(" ".join(words))
    last = re.escape(parts[-1]) if parts else whole
    runner = len(words) == 1 and words[0] in SELECTING and words[0] not in SCRIPTED
    if not (own or runner or any("test" in part for part in parts)):
        noun = rf"{whole}|{last}(?:s|es)?(?:\s+(?:step|run|command))?"
        return f"{noun}|{_gerund(last)}" if last.isalpha() else noun, last if last.isalpha() else ""
    kinds = "|".join(sorted({re.escape(part) for part in parts if part not in ("test", "tests")}))
    kind = rf"(?:(?:{kinds})[\s-]+)?" if kinds else ""
    named = rf"|(?:{kinds})" if kinds else ""
    return rf"{whole}|(?:{kind}(?:tests?|testing){named})(?:[\s-]*(?:suites?|runs?))?", "test"


def _gerund(verb: str) -> str:
    return rf"{verb}{verb[-1]}?ing|{verb[:-1]}ing"


def _unquoted(text: str, commands: set[str]) -> str:
    """The text in plain signs and without quotations; a command that is quoted as such stays."""
    text = text.replace("\u2019", "'").replace("\u2018", "'")

    def one(found: re.Match[str]) -> str:
        inner = found[0][1:-1].strip()
        return inner if inner in commands or inner.isalpha() else _PLACE

    return re.sub(r"[ \t]+", " ", _QUOTED.sub(one, text))


class _Forms:
    """The forms of a sentence that leave out the thing."""

    def __init__(self, thing: str, act: str) -> None:
        whole = rf"{_WHOLE}(?:{thing})(?![\w/.-]*\w){_TAIL}"
        object_ = rf"(?:{whole}|(?P<it>it|them|that|those|these){_TAIL})"
        doing = rf"{_ING}\s+{object_}"
        acts = rf"(?:(?:{act})(?:\s+(?:it|this|that|these|them|anything|everything|any of (?:it|this|that)))?{_TAIL})"
        active = [rf"{_NOT}(?:{_DO}\s+)*{_DO}\s+{object_}", rf"{_NOT}{acts}" if act else ""]
        left = [
            rf"{_MAY}{_LEAVE}\s+(?:{whole}|{doing})",
            rf"{_MAY}leave\s+(?:{_WHOLE}(?:{thing})\s+(?:out|off|aside|away){_TAIL}|{_WHOLE}(?:{thing}){_LATER})",
            (
                rf"{_MAY}{_GO_ON}(?:\s+(?:it|this|that|them|these|everything|all|(?:the|this|your|"
                rf"my) \w+))?(?:\s+(?:now|anyway|"
                rf"right away|already))?,?\s+without\s+(?:(?:first|even)\s+)?(?:{whole}|{doing})"
            ),
            rf"{_MAY}{_WORK}(?:\s+(?!{_OTHERS}\b)[\w§/.-]+){{0,6}}?,?\s+without\s+(?:(?:first|even)\s+)?{doing}",
            rf"without\s+(?:(?:first|even)\s+)?(?:{whole}|{doing})",
        ]
        stated = [
            (
                rf"(?:there's |there is |(?:you|we) have |i see )?no (?:need|use|point|reason) (?:for|of|in|"
                rf"to)\s+(?:{whole}|{doing})"
            ),
            (
                rf"no\s+(?:more\s+)?(?:{thing})\s+(?:are |is )?(?:needed|required|necessary|yet|this time|"
                rf"for now|now|today|please|"
                rf"for this (?:one|commit|change|step|time))\b{_TAIL}"
            ),
            (
                rf"{_WHOLE}(?:{thing})\s+(?:(?:is|are) not|isn't|aren't|(?:is|are) un)\s*(?:needed|required|"
                rf"necessary){_TAIL}"
            ),
            (
                rf"{_WHOLE}(?:{thing})\s+(?:can|may|could)\s+(?:(?:all\s+)?(?:wait|be (?:skipped|omitted|"
                rf"left out|run later))){_TAIL}"
            ),
        ]
        self.negating, self.leaving = _compiled([*active, *stated]), _compiled(left)
        self.named = re.compile(rf"\b(?:{thing})\b", re.IGNORECASE)
        self.act = re.compile(rf"\b(?:{act})\b", re.IGNORECASE) if act else None

    def may_hold(self, sentence: str, before: str) -> bool:
        """Whether the thing is spoken of at all."""
        return bool(self.named.search(f"{before} {sentence}") or (self.act and self.act.search(sentence)))

    def hold_in(self, sentence: str, before: str) -> bool:
        """Whether a clause of the sentence has one of the forms, and nothing else of it takes that back.

        ``before`` is the sentence before it, which may name what "it" and "them" stand for.
        """
        plain = sentence.strip()
        if _CONDITION.search(plain) or (plain.endswith("?") and not _ASKED.match(plain)):
            return False
        return any(self._holds(plain, start, before) for start in itertools.islice(_clause_starts(plain), MOST_CLAUSES))

    def _holds(self, sentence: str, start: int, before: str) -> bool:
        """Whether the clause that begins there has one of the forms."""
        found = self.negating.match(sentence, start)
        if not found:
            # "don't be lazy and skip them": a negation reaches over "and"
            joined = sentence[max(sentence.rfind(sign, 0, start) for sign in ",;(\u2014\u2013") + 1 : start]
            turned = re.search(r"\b(?:but|then|so)\s*$", joined, re.IGNORECASE)
            if _NEGATED.search(joined) and not turned:
                return False
            found = self.leaving.match(sentence, start)
            if found and _bare_without(found[0]) and not _is_order(sentence[:start]):
                return False
        if not found:
            return False
        pronoun = any(value for name, value in found.groupdict().items() if name.startswith("it"))
        return not pronoun or bool(self.named.search(f"{before} {sentence[:start]}"))


def _compiled(forms: list[str]) -> re.Pattern[str]:
    numbers = itertools.count()
    joined = "|".join(f"(?:{form})" for form in forms if form)
    joined = re.sub(r"\(\?P<it>", lambda _: f"(?P<it{next(numbers)}>", joined)  # one name for each place of a group
    return re.compile(rf"\s*{_LEAD}(?:{joined})", re.IGNORECASE)


def _clause_starts(sentence: str) -> Iterator[int]:
    yield 0
    for sign in _CLAUSE.finditer(sentence):
        yield sign.end()


def _bare_without(clause: str) -> bool:
    """Whether the clause is nothing but what is left out: "…, without tests"."""
    return bool(re.match(rf"\s*{_LEAD}without\b", clause, re.IGNORECASE))


_ORDER = re.compile(rf"\s{{0,3}}{_LEAD}{_MAY}{_GO_ON}\b", re.IGNORECASE)


def _is_order(before: str) -> bool:
    """Whether the words before tell somebody to go on, and nothing in them is against it."""
    last = re.split(r"[;()\u2014\u2013]", before.rstrip(" ,"))[-1]
    starts = [0, *(sign.end() for sign in _CLAUSE.finditer(last))]
    return not _NEGATED.search(last) and any(_ORDER.match(last, start) for start in starts)

"""Whether a yes is about an object: what the agent's question named, and what the answer picks of it."""

from __future__ import annotations

import re

from rulec.domain.files.file_kinds import split_words
from rulec.guard.session import answer_choices
from rulec.guard.session.answer_words import answer_end, delays, is_limited, restricts
from rulec.guard.session.spoken_sentences import split_sentences, stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


LONGEST = 2_000  # characters before a question that it may be about
MOST_NAMED = 20  # times that one text names the object
_SENTENCE = re.compile(r"(?<=[.!?])[\"')*_]{0,3}(?=\s|$)|\n")
_STANDS_FOR = re.compile(
    r"\b(?:it|that|this|them|those|these|both|either|so|there|the (?:two |three |four |\d )?(?:above|changes?|"
    r"edits?|upgrade|update|files?|packages?|library|libraries|"
    r"dependency|dependencies|commands?))\b",
    re.IGNORECASE,
)
_ANY_NAME = re.compile(r"`[^`\n]+`|@?[A-Za-z][\w.-]*(?:[/\\][\w.@-]+)+|\b[A-Za-z]\w*(?:[.-]\w+)+\b")
_LIST_SIGN = re.compile(
    r"\s*(?:,\s*(?:and|or|plus)?|\band\b|\bor\b|&|\+|/|\bplus\b|"
    r"\bas well as\b)\s*",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"\s*,?\s*\bor\b\s*", re.IGNORECASE)
_PART = r"[`'\"]?(@?[\w][\w.@/-]*)[`'\"]?"
_AGAINST = re.compile(  # but not within a name: no-secrets, without-tests.md
    r"(?<![\w./-])(?:no|not|never|without|instead of|rather than|except|avoid|against|don'?t|won'?t|can'?t|isn'?t|"
    r"doesn'?t)\b(?!-\w)|n't\b",
    re.IGNORECASE,
)
_EMPTY_WORDS = frozenset(  # of a question that speaks of nothing but what was said before it: "Shall I go ahead?"
    split_words(
        "shall should may can could will would do does is are am i we you me us go going on ahead proceed continue "
        "start begin ok okay alright all right fine good sound sounds look looks agree agreed approve approved "
        "approval yes no with for to by now then here and or please like want wish sure a the your my any "
        "reasonable acceptable work works happy mind problem confirm allowed permitted "
        "objection objections thoughts everything correct have has get permission word green light"
    )
)


LONGEST_YES = 200  # characters; a longer answer says what it allows
_LEAD = r"\W*(?:(?:and|so|then|well|now|ok(?:ay)?|yes|please|just|you (?:can|may|should))\b[\s,:]*)*"
_DOES = re.compile(
    _LEAD + r"(?:do|fix|correct|change|edit|update|make|add|use|take|install|run|push|force|delete|remove|drop|"
    r"rename|"
    r"move|write|apply|put|replace|adjust|extend|patch|bump|create)\b",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\W*(?:no|nope|nah|don'?t|do not|not|stop|never|wait|hold|nein|non|nie)(?![^\W_])", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]{4,}")
FIRST_CLAUSES = 3  # of an answer, in which its yes stands
_INNER = re.compile(r",\s+|\s[-\u2013\u2014]+\s|:\s+|\.\.+\s*")
_STRONG = re.compile(
    r"\W*(?:yes|yep|yeah|yup|sure|go ahead|go for it|do it|do that|please do|approved|agreed|lgtm|ok|okay|proceed|"
    r"(?:that|it|this|all|both)(?: ones?)?(?:'s|s| is| are)? |fine\W*$|fine (?:by|with)|works for me|by all means|"
    r"[👍👌✅]|:\+1:)",
    re.IGNORECASE,
)
_SCOPED = re.compile(
    r"\W*(?:(?:just|only|but|please|do|add|use|take|change|edit)\b[\s,]*)*(?:to|for|with|on|in)?\s*((?:the\s+)?\S+)"
)
_MATTER = re.compile(r"\s+(?:to|for|with|on|in)\s+((?:[\w./-]+\s*){1,3})", re.IGNORECASE)
_ALONE = re.compile(
    r"\W*(?:(?:please|then|just|yes|ok)\b[\s,]*)*([a-z]{3,})(?:\s+(?:it|that|this|them|those|now|please|then|"
    r"there|all))*\W*$",
    re.IGNORECASE,
)
_GO_WITH = re.compile(
    r"\W*(?:(?:and|so|then|also)\b[\s,]*)*(?:go ahead|yes|ok|okay|approved|agreed|sure|fine)\s*,?\s+(?:with|to|"
    r"for|on)\s+([^,;:?!.]{3,60})",
    re.IGNORECASE,
)
_AS_FOR = re.compile(
    r"\W*(?:(?:and|oh)\b[\s,]*)*(?:as for|regarding|about|on|re)\s+([^,;:?!.]{3,60})[,:]\s*(?:yes|go ahead|ok|"
    r"okay|approved|agreed|sure|fine|do it)(?![\w-])",
    re.IGNORECASE,
)
_ALSO = re.compile(  # asks for more to be done
    r"\W*(?:(?:and|oh|also|but|please|so|then)\b[\s,]*)*(?:(?:can|could|would|will) you|please|let'?s|shall we|"
    r"should we also)\b",
    re.IGNORECASE,
)
_IS_WELL = re.compile(
    r"\W{0,5}(?:(?:hm|hmm|well|so|and|then|yes|ok|okay|also)\b[\s,]{0,3}){0,4}([^,;:?!]{2,80}?)\s{1,3}(?:is|are|sounds?|looks?|"
    r"would be)\s{1,3}"
    r"(?:(?:perfectly|totally|all|also|quite|just|absolutely)\s{1,3})?(?:fine|ok|okay|good|great|all right|alright|"
    r"approved|allowed|"
    r"acceptable|welcome|no problem|not a problem)(?:\s{1,3}(?:by|with|for) (?:me|us))?(?![\w-])",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\W*(?:but|however|only|wait|first|after|before|once|not)\b", re.IGNORECASE)
_ACT_ALONE = re.compile(
    r"\b(?:can|may|shall|should|could|want me to|ok(?:ay)? to|all right to)\s+(?:(?:i|"
    r"we)\s+)?[a-z]+(?:\s+(?:now|here|there|then|too))?\W*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[,;]|\b(?:and|so|because|since|as)\b", re.IGNORECASE)  # what follows an order
_REFERRING = frozenset(split_words("that this those these them once time today only here there then"))
_JOINED = re.compile(r"\W*(?:(?:so|and|then|well|alright)\b[\s,:]*)+(?=\w)", re.IGNORECASE)


def says_yes(words: str, asked: str, text: str, done: str = "") -> bool:
    """Whether the person's answer to the agent's question allows what the words speak of; ``done``: the act's text."""
    asked, text = asked.replace("\u2019", "'"), text.replace("\u2019", "'")
    options = answer_choices.options_of(words, asked)
    chosen = answer_choices.chosen_option(words, options, text)
    if chosen is not None:
        return chosen
    clauses = split_sentences(text)
    others = answer_choices.other_names(words, asked)

    def is_about_other(part: str) -> bool:
        return not re.search(words, part, re.IGNORECASE) and bool(answer_choices.named_in(part, others))

    def concerns(part: str) -> bool:
        return len(text) <= LONGEST_YES or bool(re.search(words, part, re.IGNORECASE))

    short = len(text) <= LONGEST_YES
    for at, clause in enumerate(clauses[:FIRST_CLAUSES]):
        end = _yes_in(clause)
        if end >= 0:
            rest = " ".join([clause[end:], *clauses[at + 1 :]])
            # a yes to a part, or to something else
            if _asks_back(clause, end, clauses[at + 1 :]) or is_limited(rest, done, is_about_other, concerns):
                return False
            return not _is_for_another(words, asked, rest, others) and yes_names(words, asked, rest)
        if delays(clause) or (short and _refuses(clause)):
            break  # what comes after that is about something else
    if any(_orders(words, asked, clause) for clause in clauses):
        return not any(delays(clause) and concerns(clause) for clause in clauses if _CONTRAST.match(clause))
    return _approves(words, asked, clauses, done, is_about_other)


def _refuses(clause: str) -> bool:
    return bool(_REFUSAL.match(clause) or (_AGAINST.search(clause) and not _DOES.match(clause)))


def _yes_in(clause: str) -> int:
    """Where the yes ends that a clause begins with, or that stands for itself between its commas; -1 without one."""
    joined = _JOINED.match(clause)
    for start in (joined.end() if joined else 0, 0):
        end = answer_end(clause[start:])
        if end >= 0:
            return start + end
    for mark in _INNER.finditer(clause):
        before, after = clause[: mark.start()], clause[mark.end() :]
        if restricts(before) or delays(before) or _REFUSAL.match(before):
            return -1
        end = answer_end(after)
        if end >= 0 and _STRONG.match(after):
            return mark.end() + end
    return -1


def _asks_back(clause: str, end: int, following: list[str]) -> bool:
    """Whether the yes itself is a question ("ok?", "sure you need it?"), or a nod before one ("right. what is it?")."""
    if clause.rstrip().endswith("?") and not clause[end:].lstrip().startswith((",", "!", "-", "\u2013", "\u2014")):
        return True
    asks = any(one.rstrip().endswith("?") and not _ALSO.match(one) for one in following)
    return asks and not _STRONG.match(clause)


def _is_for_another(words: str, asked: str, rest: str, others: list[str]) -> bool:
    """Whether the yes is said to be for another of the things that the agent named: "yes to lodash"."""
    if re.search(words, rest, re.IGNORECASE):
        return False
    matter = _MATTER.match(rest)
    if matter and (told := stems(matter[1])) and not told & stems(asked):
        return True
    scoped = _SCOPED.match(rest)
    return bool(scoped and answer_choices.named_in(scoped[1], others))


def _approves(words: str, asked: str, clauses: list[str], done: str, is_about_other: Callable[[str], bool]) -> bool:
    """Whether a sentence calls fine what the question asks for, in the question's own words: "bumping is fine"."""
    for at, clause in enumerate(clauses):
        found = next((one for one in (told.match(clause) for told in (_IS_WELL, _GO_WITH, _AS_FOR)) if one), None)
        if not found or clause.rstrip().endswith("?") or restricts(found[1]) or delays(found[1]):
            continue
        said = stems(found[1])
        following = " ".join([clause[found.end() :], *clauses[at + 1 :]])

        def concerns(part: str, said: set[str] = said) -> bool:
            return bool(re.search(words, part, re.IGNORECASE) or stems(part) & said)

        if is_limited(clause[found.end() :], done, is_about_other, lambda _: True):
            continue
        if is_limited(following, done, is_about_other, concerns):
            continue
        for question, before in _questions(asked):
            meant = question if re.search(words, question, re.IGNORECASE) else f"{_meant(question, before)} {question}"
            if said and said <= stems(meant) and any(True for _ in _places(words, meant)):
                return True
    return False


def _orders(words: str, asked: str, clause: str) -> bool:
    """Whether the clause orders what the question asks for, in the question's own words and in no others."""
    order = _ASIDE.split(clause, maxsplit=1)[0]
    alone = _ALONE.match(clause)
    if alone and _DOES.match(clause):  # "make it", where the question was: "Shall I make it?"
        return any(
            stems(alone[1]) & stems(question)
            and any(True for _ in _places(words, f"{_meant(question, before)} {question}"))
            for question, before in _questions(asked)
        )
    does = _DOES.match(order)
    if not does or clause.rstrip().endswith("?") or _AGAINST.search(order) or restricts(order) or delays(order):
        return False
    said = _content(order[does.end() :]) - _REFERRING
    return any(
        said and said <= _content(question) and re.search(words, question, re.IGNORECASE)
        for question, _ in _questions(asked)
    )


def _content(text: str) -> set[str]:
    return set(_WORD.findall(text.lower())) - _EMPTY_WORDS


def yes_names(words: str, asked: str, rest: str) -> bool:
    """Whether a yes to the agent's words is a yes to what the pattern speaks of; ``rest`` is what follows the yes.

    The question has to name it, or to stand for what was said right before it. Where it offers a choice, or the answer
    names other things of those that were asked about, the answer has to name it, too.
    """
    picked = re.search(words, rest, re.IGNORECASE)
    questions = list(_questions(asked))
    for question, before in questions:
        if not picked and any(_speaks_of(rest, other, question) for other, _ in questions if other != question):
            continue
        text = question if re.search(words, question, re.IGNORECASE) else _meant(question, before)
        for place in _places(words, text):
            others, choice = _beside(text, place)
            if picked or not (choice or _names_any(rest, others)):
                return True
    return False


def _speaks_of(rest: str, one: str, other: str) -> bool:
    """Whether the rest of an answer has words of one question, and none of the other's."""
    told = _content(rest)
    return bool(told & (_content(one) - _content(other))) and not told & (_content(other) - _content(one))


def _questions(asked: str) -> Iterator[tuple[str, str]]:
    """Each question, and what was said before it since the last one."""
    before = ""
    for part in _sentences(asked):
        if part.rstrip(" \"')*_").endswith("?"):
            yield part, before[-LONGEST:]
            before = ""
        else:
            before += f"{part}\n"


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part.strip()]


def _meant(question: str, before: str) -> str:
    """What a question speaks of that names nothing itself."""
    if _ANY_NAME.search(question):
        return ""
    plain = _EMPTY_WORDS.issuperset(re.findall(r"[a-z]+", question.lower()))
    return before if plain or _STANDS_FOR.search(question) or _ACT_ALONE.search(question) else ""


def _places(words: str, text: str) -> Iterator[re.Match[str]]:
    """Where the text speaks of it, and not against it."""
    start = 0
    for part in _sentences(text):
        start = text.find(part, start)
        for number, found in enumerate(re.compile(words, re.IGNORECASE).finditer(text, start, start + len(part))):
            if number >= MOST_NAMED:
                break
            if not _AGAINST.search(text[start : found.start()]):
                yield found
        start += len(part)


def _beside(text: str, place: re.Match[str]) -> tuple[list[str], bool]:
    """The names that stand in a row with this one, and whether they are a choice."""
    others: list[str] = []
    choice, at = False, place.end()
    following = re.compile(rf"[`'\"]?({_LIST_SIGN.pattern}){_PART}", re.IGNORECASE)
    while found := following.match(text, at):
        choice = choice or bool(_CHOICE.fullmatch(found[1]))
        others.append(found[2])
        at = found.end(2)
    preceding = re.compile(rf"{_PART}({_LIST_SIGN.pattern})[`'\"]?$", re.IGNORECASE)
    head = text[: place.start()]
    while found := preceding.search(head[-200:]):
        choice = choice or bool(_CHOICE.fullmatch(found[2]))
        others.append(found[1])
        head = head[: len(head) - len(found[0])]
    return others, choice


def _names_any(text: str, names: list[str]) -> bool:
    return any(re.search(rf"(?<![\w@/-]){re.escape(name)}(?![\w/-])", text, re.IGNORECASE) for name in names)

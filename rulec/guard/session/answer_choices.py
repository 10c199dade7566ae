"""Which of several things an answer is about: by number, by order, by name, and by the words that only one has."""

import re

from rulec.guard.session.answer_words import NO_LIMIT, answer_end, delays, parts_of, restricts, says_how
from rulec.guard.session.spoken_sentences import split_sentences, stems

SHORTEST_ALIAS = 3  # letters
MOST_NAMES = 40  # of one question that are told apart
_ORDINALS = {
    "first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "latter": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "5th": 4, "last": -1,
}  # fmt: skip
_OPTION = re.compile(r"(?:^|[\s(])(?:option |variant )?\(?(\d{1,2}|[a-e])[).:](?=\s)", re.IGNORECASE)
_COUNTED = re.compile(r"(?:^|(?<=[.:;?!]\s)|(?<=\n))(first|second|third|fourth|fifth)(?:ly)?(?=,|:)", re.IGNORECASE)
_NAME = re.compile(
    r"`[^`\n]+`|@?[A-Za-z.][\w.-]*(?:[/\\][\w.@-]+)+|\b[A-Za-z]\w*(?:[.-]\w+)+\b|(?<!\w)\.[a-z][\w.-]{2,}"
)
_ROW_BEGINS = re.compile(
    r"[`'\"]?(?<![\w@/.-])(@?\w[\w.@/-]*\w)[`'\"]?\s*(?:,\s*(?=[`'\"]?[\w@][\w.@/-]*[`'\"]?\s*(?:,|and\b|or\b))|"
    r"\bor\b|&|\band\b|\binstead of\b)",
    re.IGNORECASE,
)
_ROW_GOES_ON = re.compile(
    r"(?:,|\band\b|\bor\b|&|(?:^|\n)\s*[-*]|\binstead of\b)\s*[`'\"]?(@?\w[\w.@/-]*\w)(?=[`'\"]?\s*(?:,|\band\b|"
    r"\bor\b|&|\?|$|\n))",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[?])[\"')*_]{0,3}(?=\s|$)")
_ALL = re.compile(
    r"\b(?:both|all (?:of (?:them|it|those|these)|two|three|four|five|good)|everything|each|either)\b|"
    r"\ball(?= (?:are|ok|okay|fine))",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"\bthe ({'|'.join(_ORDINALS)})\b(?! (?:time|week|month|year|day))|"
    rf"\b({'|'.join(_ORDINALS)}) (?:one|file|option|question|package|thing|item|point|change|part)\b|"
    rf"^\W*(?:(?:yes|ok|only|just|not|to|but)\W+)*({'|'.join(_ORDINALS)})(?:\W*$|\W+(?:is|yes|ok|please|only)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?:^\W*|\b(?:to|for|on|with|option|number|nr|no\.?|do|take|only|just|not|delete|remove|and|also|skip|"
    r"leave|yes|ok|okay|"
    r"question|go|but|as|way|variant|about)[\s,:]+#?|#|\()(\d{1,2}|[a-e])(?=\s*(?:$|[,.;:)!&+]|[-\u2013\u2014]|"
    r"\b(?:is|are|was|please|pls|only|too|as well|"
    r"and|can|should|may|ok|okay|fine|yes|no|not|looks|sounds|needs|stays|for now|has|have|first|i|we|you|let|"
    r"would|i'd|i'll|could|must|will)\b))",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?<=[a-z])\s+(?=\(?\d{1,2}[).:]\s)", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:the|that) (?:other|rest)(?:s| ones?| two| files?| questions?| packages?| things?| part)?\b", re.IGNORECASE
)
_AGAINST = re.compile(
    r"\b(?:no|nope|leave|keep|hands off|off limits|untouched|alone|don'?t|skip|later|stays?)\b|n't\b", re.IGNORECASE
)
_APPROVAL = re.compile(
    r"\b(?:is|are|'s|sounds|looks|seems)\s+(?:\w+\s+){0,2}(?:fine|ok|okay|good|great|approved|allowed|right)\b|"
    r"'s (?:fine|ok|okay|good)\b|"
    r"\bgo ahead\b|\b(?:yes|yep|sure|approved|please|agreed)\b|[👍👌✅]|\b(?:ok|okay|fine)\W*$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\W*(?:(?:and|so|then|well|now|ok(?:ay)?|yes|please|just|only|you (?:can|may|should)|let'?s|"
    r"go (?:ahead )?(?:with|for)|i'?d (?:take|say|go with)|i prefer)\b[\s,:]*)*"
    r"(?:(?:do|fix|change|edit|update|make|add|use|take|install|run|delete|remove|drop|rename|move|write|apply|"
    r"replace|adjust|"
    r"patch|bump|create|option|number|variant|way|go with|only|just|with|#|the)\b|#)",
    re.IGNORECASE,
)


def options_of(words: str, asked: str) -> "dict[str, str]":
    """What the agent lets choose between, by numbers, letters or order; empty where it is a single thing."""
    for marks in (list(_OPTION.finditer(asked)), list(_COUNTED.finditer(asked))):
        ends = [*(mark.start() for mark in marks[1:]), len(asked)]
        found = {mark[1].lower(): asked[mark.end() : end] for mark, end in zip(marks, ends, strict=False)}
        if len(found) > 1:
            return found
    parts = [part for part in _SENTENCE_END.split(asked) if part.strip().rstrip("\"')*_").endswith("?")]
    if len(parts) > 1:
        return {str(at + 1): part for at, part in enumerate(parts)}
    names = _named_together(words, asked)
    own = [name for name in names if re.search(words, name, re.IGNORECASE)]
    return {str(at + 1): name for at, name in enumerate(names)} if own and len(names) > 1 else {}


def _names(text: str) -> "list[str]":
    return [one[0].strip("`").rstrip(".") for one in _NAME.finditer(text)][:MOST_NAMES]


def other_names(words: str, asked: str) -> "list[str]":
    """The names in the agent's words that the pattern does not speak of."""
    return [name for name in _named_together(words, asked) if not re.search(words, name, re.IGNORECASE)]


def _named_together(words: str, asked: str) -> "list[str]":
    """The names in the agent's words in their order, and where the thing is a plain word, the words in a row."""
    found = [(one.start(), one[0].strip("`").rstrip(".")) for one in _NAME.finditer(asked)]
    if any(re.search(words, name, re.IGNORECASE) for _, name in found):
        return [name for name in dict.fromkeys(name for _, name in found) if len(name) >= SHORTEST_ALIAS][:MOST_NAMES]
    found += [(one.start(1), one[1]) for pattern in (_ROW_BEGINS, _ROW_GOES_ON) for one in pattern.finditer(asked)]
    names = list(dict.fromkeys(name for _, name in sorted(found)))[:MOST_NAMES]
    return [name for name in names if len(name) >= SHORTEST_ALIAS]


def named_in(text: str, names: "list[str]") -> "list[str]":
    """Those of the names that a text has, in full, without their folders or without their endings."""
    return [name for name in names if any(_has(text, alias) for alias in _aliases(name))]


def _aliases(name: str) -> "list[str]":
    last = re.split(r"[/\\]", name)[-1]
    stem = last.lstrip(".").partition(".")[0]
    return [one for one in dict.fromkeys((name, last, stem)) if len(one) >= SHORTEST_ALIAS]


def _has(text: str, alias: str) -> bool:
    return bool(re.search(rf"(?<![\w@/-]){re.escape(alias)}(?![\w/-])", text, re.IGNORECASE))


def chosen_option(words: str, options: "dict[str, str]", text: str) -> "bool | None":
    """Whether the answer chooses what the pattern speaks of; None where it points at no one of the options."""
    own = {key for key in options if re.search(words, options[key], re.IGNORECASE)}
    if not own or own == set(options):
        return None
    read = _Choice(words, options)
    for sentence in split_sentences(_BULLET.sub("\n", text)):
        for clause in parts_of(sentence):
            read.take(clause, asks=sentence.rstrip().endswith("?"))
    return read.verdict(own)


class _Choice:
    """What the clauses of an answer say of each option, one after the other."""

    def __init__(self, words: str, options: "dict[str, str]") -> None:
        self.words, self.options = words, options
        self.good: set[str] = set()
        self.bad: set[str] = set()
        self.last: set[str] = set()  # what the clause before pointed at
        self.yes = False  # it began with a yes that points at none

    def take(self, clause: str, *, asks: bool) -> None:
        """Read one clause."""
        keys = _pointed_at(self.words, clause, self.options, self.last)
        against = (restricts_here(clause) or delays(clause)) and not says_how(clause)
        is_yes = answer_end(clause) >= 0
        if not keys:
            self._take_pointless(clause, against=against, is_yes=is_yes, asks=asks)
            return
        self.last = keys
        if against and not _only_these(clause):
            self.bad |= keys
        elif not asks and (is_yes or self.yes or _approves(clause) or _is_bare(clause, keys, self.options)):
            self.good |= keys

    def _take_pointless(self, clause: str, *, against: bool, is_yes: bool, asks: bool) -> None:
        if against:
            self.bad |= self.last
        elif is_yes and not self.last and not asks:
            self.yes = True
        elif is_yes or _APPROVAL.search(clause):
            self.good |= self.last

    def verdict(self, own: "set[str]") -> "bool | None":
        """Whether all of these are chosen; None where the answer points at nothing."""
        if not self.last:
            return None
        if self.bad & own or self.good & own:
            return not self.bad & own and own <= self.good
        return self.yes and not self.good and bool(self.bad)


def _approves(clause: str) -> bool:
    return bool(_APPROVAL.search(clause) or _ORDER.match(clause))


def restricts_here(clause: str) -> bool:
    """Whether a clause is against what it points at."""
    return restricts(clause) or bool(_AGAINST.search(NO_LIMIT.sub("", clause)))


def _only_these(clause: str) -> bool:
    """Whether the clause is limited to what it points at: "only the first one"."""
    plain = re.sub(r"\b(?:but|only|just)\b", "", clause, flags=re.IGNORECASE)
    return not (restricts_here(plain) or delays(plain))


def _is_bare(clause: str, keys: "set[str]", options: "dict[str, str]") -> bool:
    """Whether the clause is nothing but what it points at."""
    left = _ORDINAL.sub("", _NUMBER.sub("", _ALL.sub("", clause)))
    for key in keys:
        for name in (options[key], *_names(options[key])):
            for alias in _aliases(name.strip()):
                left = re.sub(re.escape(alias), "", left, flags=re.IGNORECASE)
    return not stems(left)


def _pointed_at(words: str, clause: str, options: "dict[str, str]", last: "set[str]") -> "set[str]":
    """The options that a clause points at."""
    keys = list(options)
    named = {
        key
        for key in keys
        if named_in(clause, _names(options[key]) or [options[key].strip()])
        and not all(named_in(clause, _names(options[one]) or [options[one].strip()]) for one in keys)
    }
    if any(re.search(words, options[key], re.IGNORECASE) for key in keys) and re.search(words, clause, re.IGNORECASE):
        named |= {key for key in keys if re.search(words, options[key], re.IGNORECASE)}
    if named:
        return named
    if _ALL.search(clause):
        return set(keys)
    found = set()
    for one in _ORDINAL.finditer(clause):
        at = _ORDINALS[next(filter(None, one.groups())).lower()]
        if at < len(keys):
            found.add(keys[at])
    found |= {one[1].lower() for one in _NUMBER.finditer(clause) if one[1].lower() in options}
    if found:
        return found
    if _OTHER.search(clause):
        return set(keys) - last if last and len(last) < len(keys) else set()
    told = stems(clause)
    by_words = {
        key
        for key in keys
        if told & (stems(options[key]) - set().union(*(stems(options[one]) for one in keys if one != key)))
    }
    return by_words if len(by_words) == 1 else set()

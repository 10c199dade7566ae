"""What a statement names in so many words, and what of that no check of it sees.

A rule says more than its check sees more often than anybody notices: "Use pnpm, and write the changelog in German"
with a check of `npm`. Whatever a sentence names literally (a code span, a path, a flag, a number, an identifier) and
each further clause of it must stand in a check's parameters, patterns, places or examples, or be listed under
``not_checked``. Nothing here understands a sentence: it only finds what is missing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulec.model.rule import Check, Example, Rule, Scope
from rulec.runtime import globs

Kind = Literal["code", "quoted", "path", "flag", "number", "name", "extension", "clause"]

LONGEST_TOLD = 80  # characters of one gap
MOST_PATTERN = 2_000  # characters of a parameter that is tried as a regular expression
_SIGNS, _PARTS = 2, 24  # of a text that may be known again by its form
_STEM = 4  # letters of a word by which it is known again


@dataclass(frozen=True, slots=True)
class Named:
    """One concrete thing that a statement names, or one of its clauses."""

    kind: Kind
    text: str


_MARKUP = re.compile(r"(?<![\w/*.])(\*\*|__|\*)([^*_\s/.](?:[^*\n]*[^*\s/])?)\1(?![\w/*.])")
_FORMS: tuple[tuple[Kind, "re.Pattern[str]"], ...] = (  # what one takes, the later ones do not see
    ("code", re.compile(r"``([^`\n]+)``|`([^`\n]+)`")),
    ("quoted", re.compile(r"[\"“„]([^\"“”„\n]{1,80})[\"”“]|(?<!\w)['\u2018]([^'\u2018\u2019\n]{1,80})['\u2019](?!\w)")),
    ("path", re.compile(r"(?<![\w:/])((?:https?://\S+)|(?:[~.@]?[\w.*{}@$-]*/)+[\w.*{}@-]*|[\w./-]*\*[\w./*-]+)")),
    ("flag", re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*(?:=[^\s,;)]+)?)")),
    ("number", re.compile(r"(?<![\w.-])(\d+(?:\.\d+)*)(?![\w-])")),
    ("name", re.compile(r"(?<![\w.])([\w-]+(?:\.[\w-]+)+(?:\(\))?)(?!\w)")),
    ("extension", re.compile(r"(?<![\w./])(\.[A-Za-z][\w-]{0,15})\b")),
    ("name", re.compile(r"(?<![\w@$])([@$][A-Za-z_]\w*|\w+\(\)|_*[A-Za-z][A-Za-z0-9]*_\w+|__?[A-Za-z]\w*)")),
    ("name", re.compile(r"\b([a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b")),
)
_NO_PATH = re.compile(r"(?i)(?:and/or|he/she|his/her|s/he|yes/no|n/a|w/o|[A-Z]{2,3}/[A-Z]{2,3}|/|\d+/\d+)\Z")
_NO_NAME = re.compile(r"(?i)(?:e\.g|i\.e|etc|a\.k\.a|vs|p\.s|[a-z]\.[a-z])\.?\Z")
_PLACEHOLDER = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|\.{3}|…|\b[A-Z]{2,}\b(?![./])")

# Where one wish ends and the next begins, and behind which words only a reason stands.
_NEXT = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z`*])|\s*;\s+|\s*\n\s*|,?\s+(?:and then|and also|then|as well as|but also)\s+"
    r"|,?\s+(?:and|but)\s+(?=(?:[^\s;.!?]+\s+){2})|,?\s+(?=(?:unless|except)\b)|\s+[\u2014\u2013]\s+"
)
_REASON = re.compile(
    r"(?i)[,;:]?\s*(?:\b(?:because|since it|since they|since we|so that|otherwise|or else|which is why|as it|as they|"
    r"as that|as this)\b|\((?:see|e\.g|it|they|this|that)\b).*"
)
# A clause that goes on about what was said, and asks for nothing.
_ABOUT = re.compile(
    r"(?i)(?:it|they|this|that|these|those|which)\b(?!.*\b(?:must|should|shall|has to|have to|needs? to)\b)"
)
_WEIGHTLESS = """
    a about above after again against all already also always an and another any anything are around as at
    avoid be because been before being below between both but by can cannot could did do does doing don't done
    down during each either else every everything except first for from further get go going had has have
    having here how if in instead into is it its just keep later let like made make makes may me might more
    most much must my need needs never new no nor not nothing now of off on once one only or other others our
    out over own people please prefer put rather same should since so some something stay still such sure than
    that the their them then there these they thing things this those through time to too under unless until
    up use used uses using very via want was way we well were what when where whether which while who why will
    with within without would you your yours
"""
_EMPTY = frozenset(_WEIGHTLESS.split())  # words that say nothing of what a sentence is about


def literals_of(statement: str) -> tuple[Named, ...]:
    """Every concrete thing that a statement names, once, in its order: code, quotes, paths, flags, numbers, names."""
    text = _MARKUP.sub(r"\2", statement)
    found: dict[tuple[int, str], Named] = {}
    for kind, pattern in _FORMS:
        for one in pattern.finditer(text):
            word = next(group for group in one.groups() if group is not None)
            word = word.strip() if kind in ("code", "quoted") else word.rstrip(".,:;!?" + ")" * ("(" not in word))
            if word and _is_one(kind, word, text, one.start()):
                found[one.start(), word] = Named(kind, word)
                text = text[: one.start()] + " " * (one.end() - one.start()) + text[one.end() :]
    return tuple(dict.fromkeys(found[key] for key in sorted(found)))


def _is_one(kind: Kind, word: str, text: str, start: int) -> bool:
    """Whether what looks like a concrete thing is one: not "and/or", "e.g." or the number of a list's entry."""
    if kind == "path":
        return not _NO_PATH.match(word) and bool(re.search(r"\w", word))
    if kind == "name":
        return not _NO_NAME.match(word)
    if kind == "number":
        line = text[text.rfind("\n", 0, start) + 1 : start]
        return bool(line.strip()) or not re.match(r"\d+[.)]\s", text[start:])
    return True


def clauses_of(statement: str) -> tuple[str, ...]:
    """The clauses of a statement that may each be a wish; what only gives a reason is left away."""
    text = _REASON.sub("", _MARKUP.sub(r"\2", statement))
    parts = (part.strip(" ,.;:!?") for part in _NEXT.split(text) if part)
    return tuple(part for at, part in enumerate(parts) if any(_words(part)) and not (at and _ABOUT.match(part)))


def unexplained(rule: Rule, also: Iterable[str] = ()) -> tuple[str, ...]:
    """What a rule's statement names that neither its checks see nor ``not_checked`` lists; () for a mere reminder.

    ``also`` are further texts that its checks look at, such as the compiled ones.
    """
    return gaps(
        rule.statement,
        rule.checks,
        scope=rule.scope,
        examples=(*rule.invalid, *rule.valid),
        not_checked=rule.not_checked,
        also=(*also, *rule.scope.tags),
    )


def gaps(
    statement: str,
    checks: Sequence[Check],
    *,
    scope: Scope = Scope(),  # noqa: B008 - frozen
    examples: Iterable[Example] = (),
    not_checked: Iterable[str] = (),
    also: Iterable[str] = (),
) -> tuple[str, ...]:
    """The concrete things and clauses of a statement that nothing of a draft sees or lists, each in its own words.

    A judge reads the statement itself, so that beside one nothing goes unseen.
    """
    if not checks or any(check.kind == "judge" for check in checks):
        return ()
    told = [text for check in checks for text in (check.template.replace("-", " "), *_texts(check.parameters))]
    looked = _Looked(
        (*told, *also, *(text for example in examples for text in _of_example(example))),
        (*told, *(text for text in (*scope.include, *scope.exclude) if text.strip("*/"))),
    )
    listed = [text.lower() for text in not_checked]
    open_: list[str] = []
    clauses = clauses_of(statement)
    for one in literals_of(statement):
        around = next((clause for clause in clauses if one.text in clause), "")
        if not (looked.sees(one) or _listed(one.text, around, listed)):
            open_.append(one.text)
    known: set[str] = set()
    alone = len({(check.template, repr(check.parameters)) for check in checks}) >= len(clauses)
    for number, clause in enumerate(clauses):
        own = [word for word in _words(clause) if word not in known]
        known.update(own)
        if not number or alone or not own or looked.words(own):
            continue
        if not (any(text in clause for text in open_) or _listed(clause, clause, listed)):
            open_.append(clause)
    return tuple(dict.fromkeys(text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}…" for text in open_))


def _listed(text: str, around: str, listed: Sequence[str]) -> bool:
    """Whether not_checked names it, or at least half of what the clause around it speaks of."""
    words = list(_words(around))
    for entry in listed:
        if text.lower() in entry or (words and 2 * sum(word in entry for word in words) >= len(words)):
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """The words of a text that carry its meaning, by their stems."""
    for word in re.findall(r"[a-z][a-z0-9'\u2019-]{2,}", text.lower()):
        if word not in _EMPTY:
            yield stem(word)


def stem(word: str) -> str:
    """The part of an English word that its forms share, as far as its ending tells: commit of committing."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _STEM - (ending in ("s", "e")):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _STEM and word[-1] == word[-2] else word


@dataclass(frozen=True, slots=True)
class _Looked:
    """What the checks of a draft look at: all texts, and those of them that may be patterns or globs."""

    texts: tuple[str, ...]
    patterns: tuple[str, ...]

    def words(self, stems: Iterable[str]) -> bool:
        """Whether one of the words stands in any text."""
        all_ = "\n".join((*self.texts, *self.patterns)).lower()
        return any(word in all_ for word in stems)

    def sees(self, one: Named) -> bool:
        """Whether a text, a pattern, a glob or the words of a command cover what is named."""
        if one.kind == "number":
            return self._number(one.text)
        if one.kind in ("code", "quoted") and _PLACEHOLDER.search(one.text):
            pieces = [_bare(piece.strip(" -_/.:,()")) for piece in _PLACEHOLDER.split(one.text)]
            return all(map(self._covers, filter(None, pieces))) or self._shaped(one.text)
        plain = _bare(one.text)
        return not plain or self._covers(plain) or (one.kind in ("code", "quoted") and self._shaped(one.text))

    def _covers(self, plain: str) -> bool:
        return self._stands(plain) or self._command(plain) or self._matched(plain) or self._placed(plain)

    def _shaped(self, text: str) -> bool:
        """Whether a text has its form, with other words: feat(api): add x for type(scope): summary."""
        parts = re.findall(r"\w+|\s+|[^\w\s]", _PLACEHOLDER.sub("x", text).strip())
        signs = [part for part in parts if not (part[0].isalnum() or part[0] == "_" or part.isspace())]
        if len(signs) < _SIGNS or len(parts) > _PARTS:
            return False
        form = "".join(
            r"\w+" if part[0].isalnum() or part[0] == "_" else r"\s+" if part.isspace() else re.escape(part)
            for part in parts
        )
        return any(re.search(form, known[:MOST_PATTERN]) for known in self.texts)

    def _number(self, text: str) -> bool:
        whole = int(text) if text.isdigit() and len(text) < 9 else None
        near = {text} if whole is None else {str(whole + by) for by in (-1, 0, 1)}
        return any(near & set(re.findall(r"\d+(?:\.\d+)*", known)) for known in (*self.texts, *self.patterns))

    def _stands(self, plain: str) -> bool:
        """The very text, between signs that are no part of a word; backslashes of a pattern do not count."""
        whole = re.compile(
            rf"(?<![a-z0-9_]){re.escape(plain)}(?![a-z0-9_])" if plain[-1:].isalnum() else re.escape(plain)
        )
        return any(whole.search(_bare(known.replace("\\", ""))) for known in (*self.texts, *self.patterns))

    def _command(self, plain: str) -> bool:
        """Each word in one of the texts, or the pattern of a command with which it begins."""
        words = plain.split()
        for known in self.patterns:
            ways = [set(_bare(word).split("|")) for word in known.split()]
            if ways and len(ways) <= len(words) and all(word in way for word, way in zip(words, ways, strict=False)):
                return True
        if len(words) < 2:
            return False
        flat = [set(re.split(r"[\s|,;()'\"=]+", known.lower())) for known in (*self.texts, *self.patterns)]
        return any(set(words) <= some for some in flat)

    def _matched(self, plain: str) -> bool:
        """A pattern finds it, and does not find whatever stands there."""
        for pattern in self.patterns:
            if len(pattern) > MOST_PATTERN:
                continue
            try:
                made = re.compile(pattern, re.IGNORECASE)
                if made.search(plain) and not any(map(made.search, ("", "zqxj", "zqxj zqxj"))):
                    return True
            except (re.error, RecursionError, OverflowError):
                continue
        return False

    def _placed(self, plain: str) -> bool:
        """A glob holds it: the file, a file in the folder, a file of that ending."""
        made = plain.replace("**", "x").replace("*", "x")
        ways = (made, f"{made.rstrip('/')}/x", f"x{made}") if made.startswith(".") else (made, f"{made.rstrip('/')}/x")
        bounds = [pattern for pattern in self.patterns if pattern.strip("*/") and " " not in pattern]
        return any(globs.match([bound], way.lstrip("/")) for bound in bounds for way in ways)


def _bare(text: str) -> str:
    """A text without what makes no difference to what it names."""
    text = " ".join(text.lower().split()).strip("`'\"“”")
    text = text.removeprefix("./").removesuffix("()")
    return text.rstrip("/") or text


def _texts(value: Any) -> Iterator[str]:
    """Every text and number among a check's parameters, with the names of those that are given."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, str | int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if item not in (None, "", [], (), {}, False):
                yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def _of_example(example: Example) -> Iterator[str]:
    yield from filter(None, (example.text, example.path, example.old))
    for path, text in example.files:
        yield from (path, text)
    for step in example.steps:
        yield from _of_example(step)

"""What leads to a rule: its words and kinds of work with their weight, and what it wants to be done first."""

import re
from functools import lru_cache

from rulec.domain.files import file_kinds, languages
from rulec.reminders.words import task_words, word_pieces
from rulec.reminders.work_kinds import ACTIVITIES, MAKING, MARK, kinds_of_work
from rulec.steps.scope_and_paths import EVERYTHING, sample_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


# Evidence of a word that a step and one rule alone share, by its place in the rule.
NAMING, CONDITION, SAYING, PLACE = 1.6, 2.2, 1.0, 0.7
PASSING = 0.4  # in what has to come before that which the rule is about: the tests in "run the tests before a commit"
IN_PLACE = "/"  # before a term of the scope alone: it leads from steps that name no path, others have the scope itself
OWN_ACTIVITY = 1.2  # more, where the rule's category is about that activity
FULL = 3.0  # the most that one word gives

_KIND_OF_FILES = {
    "@tests": "test",
    "@docs": "document",
    "@changelog": "document",
    "@migrations": "migrate",
    "@manifest": "install",
    "@lockfile": "install",
    "@translations": "wording",
}
_OF_CATEGORY = {
    "testing": ("test",),
    "docs": ("document",),
    "git": ("commit", "push", "pull-request", "branch", "release"),
    "tooling": ("install", "upgrade"),
}
_WHOLE_CATEGORY = {"testing": "test", "docs": "document"}  # that is about one activity, named or not
_LINK = r"when(?:ever)?|if|after|once|while"
_LEADING = re.compile(rf"(?i)^\W*(?:{_LINK}|for|on|in)\s+([^,.;]{{3,80}}),")
_TRAILING = re.compile(rf"(?i)\b(?:{_LINK})\s+([^,.;]{{3,80}})")
_STEERS = re.compile(rf"(?i)\b(?:{_LINK}|for|on|in|before|only|until|unless|without)\b")
_VERBS = (
    "is are was has have use uses must should shall do does never always can may cannot need needs follow follows go"
    " goes stay stays get gets hold holds live lives come comes carry carries start starts begin begins end ends set"
    " sets wait waits state states run runs stand stands give gives say says take takes return returns keep keeps fit"
)
_SUBJECT = re.compile(
    r"(?i)^\W*(?:(?:every|each|all|any|an?|the|new|no|our|only)\s+)*"
    r"((?:[^\s,.;:]+\s+){0,4}?[^\s,.;:]+)\s+"
    rf"(?:{'|'.join(_VERBS.split())})\b"
)
_SPAN = re.compile(r"`([^`]+)`")
_ASIDE = re.compile(r"\s(?:When|Except): .*")  # of a record's text: it is in a field of its own, or spared
_SENTENCES = re.compile(r"(?<=[.;])\s+")
_POLITE = r"(?:(?:always|please|first) )*"  # statements are in one line, with one space between words
_ORDER = re.compile(rf"(?i)^{_POLITE}(\S.{{2,120}}?) before (\S.{{2,}})$")
_ORDERED = re.compile(rf"(?i)^before ([^,]{{3,80}}), {_POLITE}(\S.{{2,}})$")
_ONLY = re.compile(rf"(?i)^only (\S.{{2,80}}?) (?:{_LINK}) (\S.{{2,}})$")
_ONLY_BEHIND = re.compile(rf"(?i)^(\S.{{2,80}}?) only (?:{_LINK}) (\S.{{2,}})$")
_NOT_UNTIL = re.compile(
    r"(?i)^(?:never|do not|don't|no|nothing) (\S.{2,80}?) (?:before|until|unless|without) (\S.{2,})$"
)
_FIRST = re.compile(r"(?i)^(.{3,120}?),?\s+first$")
_WITHOUT = re.compile(r"(?i)^(?:never|do not|don't)\s+(.{3,80}?)\s+without\s+(?:first\s+)?(?:ask|approval|permission)")
_NEGATED = re.compile(r"(?i)\b(?:never|no|not|nothing|none|don't|cannot|without)\b")
_ASKING = re.compile(r"(?i)^ask\b")
_LANGUAGES = frozenset(languages.SUFFIXES) | frozenset(languages.SPOKEN_NAMES)
_LONG_NAME = 4  # letters of a language's name; a shorter one in small letters is a word like any other


def telling_terms(text: str) -> "set[str]":
    """The words and the kinds of work of a text."""
    return kinds_of_work(text) | task_words(text) if text.strip() else set()


def terms_of_path(path: str) -> "set[str]":
    """The words and things of a path: what is done is not said by where."""
    return telling_terms(" ".join(word_pieces(path))) - ACTIVITIES


def is_bound(rule: "Mapping[str, Any]") -> bool:
    """Whether the statement itself says when it holds."""
    said = statement_of(rule)
    return any(form.search(said) for form in (_LEADING, _TRAILING))


@lru_cache(maxsize=4096)
def kinds_of_file(path: str) -> "tuple[str, ...]":
    """The kinds of work that a path or glob is a matter of."""
    sample = sample_of(path)
    return tuple(MARK + kind for files, kind in _KIND_OF_FILES.items() if file_kinds.is_among([files], sample))


def statement_of(rule: "Mapping[str, Any]") -> str:
    """The statement in a record's text."""
    return _ASIDE.sub("", str(rule.get("says", "")))


def terms_of(rule: "Mapping[str, Any]") -> "dict[str, float]":
    """The words and kinds that lead to a rule, each with its evidence."""
    scope, said, when = rule.get("scope") or {}, statement_of(rule), str(rule.get("when", ""))
    narrow = [glob for glob in scope.get("include") or () if glob != EVERYTHING]
    topics, aside = _topics(said)
    topics = " ".join([when, *(scope.get("tags") or ()), topics])
    fields = (
        (NAMING, str(rule["slug"])),
        (NAMING, " ".join([*(rule.get("names") or ()), *_SPAN.findall(said)])),
        (CONDITION, topics),
        (SAYING, said),
        (PLACE, str(rule.get("do", ""))),
    )
    found: "dict[str, float]" = {}
    for weight, text in fields:
        for term in telling_terms(text):
            found[term] = found.get(term, 0.0) + weight
    about = telling_terms(topics)
    if about:
        found.update(dict.fromkeys(telling_terms(aside) - about, PASSING))
    for term, weight in _of_files_and_category(narrow, str(rule.get("category")), found):
        found[term] = found.get(term, 0.0) + weight
    for term in telling_terms(" ".join(narrow)) - found.keys():
        found[IN_PLACE + term] = PLACE
    found.pop(MAKING, None)
    return {term: min(FULL, weight) for term, weight in found.items()}


def _topics(said: str) -> "tuple[str, str]":
    """What a statement is about, and what it only wants to come before that.

    "X before Y" is about Y, as is "Only Y when X"; "When Y, X" is about Y; any other sentence about its subject.
    """
    topics, aside = [], []
    for sentence in _SENTENCES.split(said):
        plain = sentence.strip().rstrip(".;")
        steered = _STEERS.search(plain)  # most sentences are plain: this alone is read of them
        ordered = _order_of(plain) if steered else None
        if ordered:
            topics.append(ordered[0])
            aside.append(ordered[1])
            continue
        bounds = [found[1] for form in (_LEADING, _TRAILING) for found in form.finditer(plain)] if steered else []
        subject = _SUBJECT.match(plain)
        topics += bounds or ([subject[1]] if subject else [])
    return " ".join(topics), " ".join(aside)


def _order_of(sentence: str) -> "tuple[str, str] | None":
    """What a sentence lets happen, and what has to be there first; None where it asks for no order."""
    for form in (_ONLY, _ONLY_BEHIND, _NOT_UNTIL, _ORDERED):
        found = form.match(sentence)
        if found:
            return found[1], found[2]
    found = _ORDER.match(sentence)
    return (found[2], found[1]) if found else None


def _of_files_and_category(
    narrow: "list[str]", category: str, known: "Mapping[str, float]"
) -> "Iterator[tuple[str, float]]":
    """The kinds of work that follow from the scope and the category of a rule."""
    for kind in dict.fromkeys(kind for glob in narrow for kind in kinds_of_file(glob)):
        yield kind, CONDITION
    for name in _OF_CATEGORY.get(category, ()):
        if MARK + name in known:
            yield MARK + name, OWN_ACTIVITY
        elif _WHOLE_CATEGORY.get(category) == name:
            yield MARK + name, CONDITION


def about_commits(rule: "Mapping[str, Any]") -> bool:
    """Whether a rule is about commits."""
    return rule.get("category") == "git" and f"{MARK}commit" in kinds_of_work(f"{rule['slug']} {rule.get('says', '')}")


def languages_of(rule: "Mapping[str, Any]") -> "frozenset[str]":
    """The programming languages that a rule names."""
    said = re.findall(r"[\w+#]+", statement_of(rule))
    named = (word for word in said if word.lower() in _LANGUAGES and (len(word) >= _LONG_NAME or not word.islower()))
    return frozenset(languages.language_of(word) for word in named)


def first_of(rule: "Mapping[str, Any]") -> "list[str]":
    """What a rule wants to be done first, as its checks say or else its statement.

    Statements of these forms: "X before Y", "Before Y, X", "X first", "Never Y without asking".
    """
    known = rule.get("first")
    if isinstance(known, list) and known:
        return [str(one) for one in known]
    found = []
    for sentence in _SENTENCES.split(statement_of(rule)):
        plain = sentence.strip().rstrip(".;")
        ask, before, order, first = (form.match(plain) for form in (_WITHOUT, _ORDERED, _ORDER, _FIRST))
        if ask:
            found.append(f"ask before you {ask[1]}")
        elif before and not _NEGATED.search(before[2]):
            found.append(before[2])
        elif order and not _NEGATED.search(order[1]):
            found.append(plain if _ASKING.match(order[1]) else order[1])
        elif first and not _NEGATED.search(first[1]):
            found.append(first[1])
    return [text[:1].upper() + text[1:] for text in found]

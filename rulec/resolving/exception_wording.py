"""Two sentences as one: an exception added to a statement, or what both say; and the places that an exception names."""

import re
from difflib import SequenceMatcher

from rulec.domain.files import languages
from rulec.language.clause import LONGEST_STATEMENT
from rulec.language.terms import terms
from rulec.language.words import EXCEPTING, FORBIDDING, REPLACING, any_of, word_table

_EXCEPTION_WORDS = re.compile(rf"(?:{any_of(EXCEPTING)}|but)\b,?\s*", re.IGNORECASE)
_FOLDER = re.compile(
    r"(?:\w+ )?(?:the |our )?`?(?P<name>[\w.-]+)/?`? (?:folder|director(?:y|ies)|dir|folders)", re.IGNORECASE
)
_KIND = re.compile(r"(?:\w+ )?(?:the |our |any |all )?(?P<kind>[\w#]+)(?: files?| code)", re.IGNORECASE)


def add_exception_clause(statement: str, words: str) -> str:
    """The sentence with its exception."""
    body, said = statement.rstrip().rstrip("."), words.strip().rstrip(".")
    if not said or said.casefold() in body.casefold():
        return statement
    return f"{body}, {said if _EXCEPTION_WORDS.match(said) else f'except {said}'}."


def bare_exception(words: str) -> str:
    """The place or the case alone, without the word that makes an exception of it."""
    return _EXCEPTION_WORDS.sub("", words.strip().rstrip("."), count=1)


def globs_of_places(words: str) -> tuple[str, ...]:
    """Globs of what the words name, () where no path shows it."""
    said = bare_exception(words)
    kind, folder = _KIND.fullmatch(said), _FOLDER.fullmatch(said)
    language = languages.language_of(kind["kind"]) if kind else ""
    if language:
        return (languages.suffix_glob(languages.SUFFIXES[language]),)
    if folder:
        return (f"{folder['name']}/",)
    paths = tuple(term.text for term in terms(said) if term.kind == "path")
    word = re.fullmatch(r"(?:(?:in|inside|under|below|within|from|for) )?(?:the |our )?`?([\w.-]+)/?`?", said)
    return paths or ((f"{word[1]}/",) if word and word[1].casefold() in _FOLDERS else ())


# Folders that are called so nearly everywhere.
_FOLDERS = word_table(
    "src lib app tests test docs web frontend backend server client api scripts packages examples tools vendor"
)

_WORD = re.compile(r"[^\W_]+(?:[.'/-][^\W_]+)*")
_SMALL = frozenset(("a", "an", "the", "any", "or", "please"))
_FORBIDS = re.compile(rf"\b(?:{any_of(FORBIDDING, REPLACING)}|don't|without)\b", re.IGNORECASE)
_MOST = 3  # words that stand in the one place where two sentences differ


def says_all_of(sentence: str, other: str) -> bool:
    """Whether every word of the other stands in the sentence, in the same order."""
    left = iter(_words(sentence))
    return all(word in left for word in _words(other))


def join_statements(one: str, other: str) -> str:
    """Both in one sentence where they differ in one place, else one after the other; the first alone if too long."""
    if says_all_of(one, other):
        return one
    if says_all_of(other, one):
        return other
    if max(len(one), len(other)) > LONGEST_STATEMENT:
        return one
    text = _splice(one, other) or f"{one.rstrip()} {other.lstrip()}"
    return text if len(text) <= LONGEST_STATEMENT else one


def _splice(one: str, other: str) -> str:
    """One sentence of two, such as "not npm or yarn" of "not npm" and "not yarn", or ""."""
    mine, theirs = one.rstrip(". ").split(), other.rstrip(". ").split()
    a, b = ([word.casefold() for word in words] for words in (mine, theirs))
    changes = [one for one in SequenceMatcher[str](a=a, b=b, autojunk=False).get_opcodes() if one[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return ""
    _, start, end, begin, stop = changes[0]
    few = max(end - start, stop - begin) <= _MOST and start >= 1
    if not few or len(mine) - (end - start) < end - start:
        return ""
    comma = mine[end - 1].endswith(",")
    link = "or" if _FORBIDS.search(" ".join(mine[:start])) else "and"
    first, second = " ".join(mine[start:end]).rstrip(","), " ".join(theirs[begin:stop]).rstrip(",")
    return " ".join([*mine[:start], f"{first} {link} {second}{',' * comma}", *mine[end:]]) + "."


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _SMALL]

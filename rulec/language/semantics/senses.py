"""Text into tokens: what steers a sentence becomes a mark, everything else the sense of its words."""

import re
from collections.abc import Iterator
from functools import cache

from rulec.language.semantics.steering import MARKS, mark_joints, mark_words
from rulec.language.semantics.synonyms import NAMES, SENSES
from rulec.language.words import base_form, word_table

LONGEST_READ = 400  # characters of a statement that are read
_TOKEN = re.compile(r"--?[a-zA-Z][\w-]*|[@.~]?[\w*]+(?:[./:'*+#-]+[\w*]+)*/?|[^\w\s]+")
# Passed over within a phrase; what is empty tells nothing where it is no part of one.
_PASSED = word_table(
    "a an the is are be been being was were my our your their its you we i that which what does do did and's"
)
_EMPTY = word_table(
    "a an the my our your their its it they them this that these those there here we you i me us he she is are be "
    "been being was were am do does did will would shall should must may can could to need ever every each any all "
    "some such mine yours ours btw own both either very so too only always like thing stuff way something anything "
    "everything with via by "
    "through using which who what keep kept where how then now than not's straight directly direct another other one "
    "more most already exactly strictly come comes work done-by git get's we're it's you're people everyone nobody "
    "sure even still good proper properly whole myself ourselves entirely itself themselves yourself up out back own "
    "else"
)


def sense_tokens(text: str) -> tuple[str, ...]:
    """Marks and senses in the order of the text."""
    text = text[:LONGEST_READ].replace("\u2019", "'").replace("\u2018", "'")
    said = _CAMEL.sub(_keep_code_name, _QUOTED.sub(_literal, text))
    return tuple(_longest_phrases(_TOKEN.findall(mark_words(said.lower()))))


_QUOTED = re.compile(r"[\"`\u201c]([A-Za-z' ]{1,30})[\"`\u201d]")
_CAMEL = re.compile(r"\b[a-z]+[A-Z][A-Za-z]*s\b")


def _literal(found: re.Match[str]) -> str:
    """Words in quotes that would tell nothing or steer the sentence are what the sentence is about."""
    words = found[1].lower().split()
    steers = words and all(word in _EMPTY or mark_words(word).strip() != word for word in words)
    return f" quoted_{'_'.join(words)} " if steers else found[0]


def _keep_code_name(found: re.Match[str]) -> str:
    """A name of code that ends like a plural, so that it is not taken for one."""
    return found[0] if without_ending(found[0].lower()) in _phrases() else f"{found[0]}_"


def _longest_phrases(words: list[str]) -> Iterator[str]:
    """The longest phrase at each place; the words of a phrase may have empty ones between them."""
    plain = [(word, word if word in MARKS else without_ending(word)) for word in words]
    kept = [one for word, one in plain if word not in _PASSED]
    at = 0
    while at < len(kept):
        length, sense = _longest(kept, at)
        if sense and sense not in _EMPTY:
            yield sense
        at += length


def _longest(kept: list[str], at: int) -> tuple[int, str]:
    for phrase, sense in _phrases().get(kept[at], ()):
        if tuple(kept[at : at + len(phrase)]) == phrase:
            return len(phrase), sense
    folder = _phrases().get(without_ending(kept[at].rstrip("/")), ()) if kept[at].endswith("/") else ()
    if folder and folder[-1][0] == (without_ending(kept[at].rstrip("/")),):
        return 1, folder[-1][1]  # "docs/" is where the docs are
    bare = kept[at].rstrip("/")
    named = kept[at] if bare in _EMPTY else bare  # "out/" and "up/" are folders
    return 1, named if kept[at] in MARKS or re.search(r"\w|[^\s.,'\"!?*-]", kept[at]) else ""


def _phrase_senses() -> Iterator[tuple[tuple[str, ...], str]]:
    """Every phrase of the table and every name of a sense, word by word, with the sense."""
    for line in (*filter(None, SENSES.splitlines()), *NAMES.split()):
        sense, _, said = line.partition(" = ")
        for phrase in (sense, sense.replace("-", " "), *filter(None, said.split(" | "))):
            words = [word for word in _TOKEN.findall(mark_joints(phrase)) if word not in _PASSED]
            yield tuple(word if word in MARKS else without_ending(word) for word in words), sense


def ambiguous_phrases() -> tuple[str, ...]:
    """Phrases to which the table gives two senses, or of which nothing is left."""
    senses: dict[tuple[str, ...], set[str]] = {}
    for words, sense in _phrase_senses():
        senses.setdefault(words, set()).add(sense)
    return tuple(" ".join(words) for words, found in senses.items() if not words or len(found) > 1)


@cache
def compounds() -> frozenset[str]:
    """The senses whose name ends with what they are a kind of: "unit-test" is a test."""
    return frozenset(sense for _, sense in _phrase_senses() if "-" in sense)


@cache
def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """What begins with a word, the longest first."""
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for words, sense in _phrase_senses():
        found.setdefault(words[0], {})[words] = sense
    return {first: tuple(sorted(phrases.items(), key=lambda item: -len(item[0]))) for first, phrases in found.items()}


_ISE = re.compile(r"^(.{3,})is(e|es|ed|ing|ation)$")  # parametrise
_PLAIN = re.compile(r"[a-z]+(?:'s)?")
_LEAST = 4  # letters of a word that has an ending to lose
_IRREGULAR = {
    "aliases": "alias",
    "broken": "break",
    "built": "build",
    "given": "give",
    "has": "have",
    "kept": "keep",
    "made": "make",
    "mrs": "mr",
    "panicking": "panic",
    "prs": "pr",
    "ran": "run",
    "said": "say",
    "sent": "send",
    "spelt": "spell",
    "taken": "take",
    "told": "tell",
    "written": "write",
    "wrote": "write",
}
_WHOLE = word_table(
    "alias anything something everything nothing sibling process string bring thing during axios always access class "
    "css js ts redux kubernetes this"
)


def without_ending(word: str) -> str:
    """The word without the ending of a plural or a verb's form; names of code stay as they are."""
    if not _PLAIN.fullmatch(word):
        return word.rstrip(".,:'")
    word = _IRREGULAR.get(word, word).removesuffix("'s")
    if len(word) < _LEAST or word in _WHOLE:
        return word
    word = _ISE.sub(r"\1iz\2", word)
    if word.endswith("ing"):
        return base_form(word)
    if word.endswith("ed") and not word.endswith("eed"):
        return base_form(f"{word[:-2]}ing") if len(word) > _LEAST else word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|x|ch|sh|zz)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not re.search(r"(?:ss|us|is)$", word) else word

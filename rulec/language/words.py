"""Words: tables of them, verbs in their plain form, stems, and which words carry a text's meaning."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache


def word_table(words: str) -> frozenset[str]:
    """A table of words, written as a line of them."""
    return frozenset(words.split())


# Closed classes of words that many patterns are made of. What bounds a wish:
EXCEPTING = ("unless", "except", "except for", "excepting", "apart from", "other than", "outside", "outside of")
CONDITIONAL = ("if", "when", "whenever", "as long as", "as soon as", "provided")
ORDERING = ("before", "after", "until", "once")
TIMING = (*ORDERING, "while", "during")
PLACING = ("in", "on", "inside", "within", "under", "from")
# What forbids:
FORBIDDING = ("never", "no", "not", "avoid", "stop")
FORBIDDEN = ("forbidden", "banned", "prohibited")
REPLACING = ("instead of", "rather than", "in place of")
# With a full stop that ends no sentence:
ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp")


def any_of(*classes: Iterable[str]) -> str:
    """The words of some classes as alternatives of a regular expression, the longest first."""
    words = dict.fromkeys(word for words in classes for word in words)
    return "|".join(re.escape(word).replace(r"\ ", " ") for word in sorted(words, key=len, reverse=True))


def base_form(verb: str) -> str:
    """A phrase like "committing" -> "commit", "using" -> "use"."""
    verb = verb.lower().strip("'").replace("-", " ")
    if verb.endswith("ing") and len(verb) > 4:
        stem = verb[:-3]
        if stem[-1] == stem[-2] and stem not in _DOUBLE and stem[-1] not in "lseo":
            return stem[:-1]
        if not re.search("[aeiouy]", stem):  # "bring", "string": no verb with an ending
            return verb
        return stem + "e" if _SILENT.search(stem) else stem
    return _PAST.get(verb, verb)


_DOUBLE = frozenset({"add", "odd", "buzz"})
# Endings of a verb that lost its last e: "mak", "creat", "ignor", "enabl".
_SILENT = re.compile(
    r"[uvcz]$|^[^aeiou]*[aeiou][ktdmlrnpsg]$|(?:[rv]it|mov|delet|creat|[^aeio]at|rang|hang|"
    r"merg|us|as|los|pos|ach|ignor|stor|plor|clar|sum|[^aeiou]id|lud|[bdpt]l|nam|cod|tak|mak|quir|fin|bin|cit|past|"
    r"g[el]n?er|pil|rid)$"
)
_PAST = dict(
    pair.split("=")
    for pair in [
        "killed=kill",
        "wiped=wipe",
        "nuked=nuke",
        "clobbered=clobber",
        "edited=edit",
        "touched=touch",
        "changed=change",
        "committed=commit",
        "pushed=push",
        "modified=modify",
        "deleted=delete",
        "removed=remove",
        "used=use",
        "created=create",
        "written=write",
        "called=call",
    ]
)

_WEIGHTLESS = """
    a about above accidentally across add added adding after again against ahead all alone along already also
    although always among an and another any anyone anything are around as at avoid base be because been before
    behind being below beside besides between both but by can cannot case change changed changes changing code
    codebase could create created creating did directly do does doing don't done down during each edit editing
    either else even ever every everyone everything everywhere except explicitly favor favour file files first for
    from front fully further general get getting go going had hand has have having here how if in instead into is it
    its itself just keep kind later let like machine made make makes making manually may me mere might more most
    much must my near need needed needs never next no nor not nothing now of off on once one ones only onto or order
    other others our out over own part people place places please prefer project projects purpose put putting rather
    really repo repos repository same say should simply since so some something stay still such sure sync than that
    the their them then there these they thing things this those through time times to together too top touch
    touching under unless until up use used uses using very via want was way we well were what when whenever where
    whether which while who whole why will with within without work working would write writes writing written yet
    you your yours yourself
"""
WEIGHTLESS = frozenset(_WEIGHTLESS.split())  # words that say nothing of what a sentence is about
STEM_LETTERS = 4  # letters of a word by which it is known again
SHORT_NAME = 3  # of a name that stands for a longer word: src, lib, dev


def telling_stems(text: str) -> list[str]:
    """The words of a text that say what it is about, by their stems."""
    return [
        word_stem(word) for word in re.findall(r"[^\W\d_][\w'\u2019-]+", text.lower()) if len(word) > 2 and word not in WEIGHTLESS
    ]  # fmt: skip


@lru_cache(4096)
def word_stem(word: str) -> str:
    """The part of an English word that its forms share, as far as its ending tells: commit of committing."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= STEM_LETTERS - (ending in ("s", "e")):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > STEM_LETTERS and word[-1] == word[-2] else word


def words_in_code(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts that may be code, a path or a pattern, those within a name apart, too."""
    found: set[str] = set()
    for text in texts:
        plain = re.sub(r"\\[bsSdDwWnt]", " ", text)
        found.update(word.lower() for word in re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)))
        found.update(re.findall(r"[^\W\d_][\w-]+", plain.lower()))
    return frozenset(found)


def holds_stem(words: frozenset[str], word: str, short: int = STEM_LETTERS) -> bool:
    """Whether one of the words is this stem, or is short for it: tests for test, prod for production."""
    return word in words or any(
        word_stem(one) == word or one.startswith(word)
        if len(one) >= len(word)
        else len(one) >= short and word.startswith(one)
        for one in words
    )


def holds_most(words: frozenset[str], stems: Sequence[str], short: int = STEM_LETTERS) -> bool:
    """Whether at least half of a text's telling words are among the words."""
    return bool(stems) and 2 * sum(holds_stem(words, word, short) for word in stems) >= len(stems)

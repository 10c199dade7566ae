"""What a clause names, in a form that can be compared with the words of an action."""

import re

from rulec.language import Clause
from rulec.language.terms import table
from rulec.runtime.stems import pieces, stem

__all__ = [
    "CONDITIONAL",
    "LANGUAGES",
    "SPOKEN",
    "VAGUE",
    "conditional",
    "globs_of",
    "kin",
    "language_of",
    "languages_said",
    "pieces",
    "stem",
    "stems",
    "telling",
    "things",
]

_WORD = re.compile(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*")
_NOW = re.compile(r"\b(?:yet|for now|right now|this time|at the moment|today)\b", re.IGNORECASE)
# "if we can help it" puts no condition.
_SOFT = re.compile(
    r"(?:if|when(?:ever)?|where(?:ver)?) (?:at all |humanly )?"
    r"(?:possible|feasible|(?:we|you|i) can(?: help| avoid)(?: it)?)\W*$",
    re.IGNORECASE,
)
VAGUE = table(
    "anything everything something thing things stuff it that this them those these one ones "
    "code work here there now way file files folder folders"
    " directory command commands change changes commit commits the a an any my our your all "
    "more such like for of to in on with and or"
)
CONDITIONAL = (
    "before",
    "after",
    "when",
    "while",
    "if",
    "unless",
    "until",
    "once",
    "during",
    "without",
    "first",
    "each time",
    "every time",
    "at the end",
)
LANGUAGES = {
    "python": ("py", "pyi"),
    "javascript": ("js", "jsx", "mjs", "cjs"),
    "typescript": ("ts", "tsx"),
    "go": ("go",),
    "java": ("java",),
    "ruby": ("rb",),
    "php": ("php",),
    "rust": ("rs",),
    "c": ("c", "h"),
    "cpp": ("cpp", "cc", "hpp"),
    "bash": ("sh", "bash"),
}
SPOKEN = {"js": "javascript", "ts": "typescript", "py": "python", "golang": "go", "shell": "bash", "c++": "cpp"}


def stems(text: str) -> frozenset[str]:
    """The stems of all words in a text, compound ones whole and in pieces."""
    words = [word for whole in _WORD.findall(text) for word in (whole, *pieces(whole))]
    return frozenset(stem(word) for word in words)


def things(clause: Clause) -> tuple[str, ...]:
    """What is not wanted or what the verb acts on: each is one thing the person may have meant."""
    return clause.forbidden or (clause.objects if clause.polarity == "forbid" else ())


def telling(text: str) -> tuple[str, ...]:
    """The stems of a thing that tell it from others, in their order."""
    return tuple(dict.fromkeys(stem(word) for word in _WORD.findall(text) if word.lower() not in VAGUE))


def conditional(clause: Clause) -> bool:
    """Whether the wish depends on something a single action does not show."""
    depends = clause.when.lower().startswith(CONDITIONAL) and not _SOFT.match(clause.when)
    return depends or bool(_NOW.search(clause.text))


def language_of(path: str) -> str:
    """The language of a file by its ending, or ""."""
    ending = path.rpartition(".")[2].lower()
    return next((language for language, endings in LANGUAGES.items() if ending in endings), "")


def languages_said(text: str) -> tuple[str, ...]:
    """Languages that a person names."""
    words = [SPOKEN.get(word, word) for word in re.findall(r"[a-z+]+", text.lower())]
    return tuple(dict.fromkeys(word for word in words if word in LANGUAGES and word not in ("c", "go")))


def kin(language: str) -> tuple[str, ...]:
    """The languages a rule about this one holds for: JavaScript and TypeScript share their libraries and habits."""
    return ("javascript", "typescript") if language in ("javascript", "typescript") else (language,)


def globs_of(language: str) -> list[str]:
    """The files of a language and its kin."""
    return [f"*.{ending}" for one in kin(language) for ending in LANGUAGES[one]]

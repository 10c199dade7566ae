"""What a step names in its text: files, and rules by the lines that rulec writes at it."""

import re

MOST_PATHS = 40
LONGEST = 300  # characters of one path
_SPAN = re.compile(r"`([^`\s]{1,300})`")
_LINK = re.compile(r"\[[^\[\]\n]{0,300}\]\(([^()\s]{1,300})\)")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+", re.IGNORECASE)
_PLACE = re.compile(r"(?:::[\w:.\[\]-]+|:\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$")  # a test, lines
_SEGMENTS = re.compile(r"[\w.@+*?{}()\[\],~-]+(?:/[\w.@+*?{}()\[\],~-]+)*/?")
_SUFFIX = re.compile(r"[^./]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_HOST = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|io|dev|co|app|ai|gov|edu)/")
_HIDDEN = re.compile(r"\.[A-Za-z][\w-]+(?:\.[\w-]+)*$")
_AROUND = "\"'\u201c\u201d\u2018\u2019<>!?,;:"
_WHOLE_NAMES = {
    "Makefile",
    "Dockerfile",
    "Justfile",
    "Procfile",
    "Gemfile",
    "Rakefile",
    "LICENSE",
    "CODEOWNERS",
    ".env",
}
# Suffixes of files that no language is written in.
_DATA = {"lock", "mod", "sum", "csv", "tsv", "snap", "example", "sample", "tmpl", "tpl", "j2", "png", "ico", "pdf"}


def paths_named(text: str) -> "list[str]":
    """Repository paths and globs in a text: words with a folder or a known suffix, and code of that form.

    Addresses, packages ("@scope/name"), commands and pairs of words ("and/or") are none. A single name in backticks
    with a slash is taken for a path, since whether it is one only the disk could tell.
    """
    plain = _URL.sub(" ", text)
    marked = set(_SPAN.findall(plain))
    words = [*_LINK.findall(plain), *_LINK.sub(" ", plain).replace("`", " ").split()]
    found = (_path_in(word, marked=word in marked) for word in words)
    return list(dict.fromkeys(filter(None, found)))[:MOST_PATHS]


def _path_in(word: str, *, marked: bool) -> str:
    """The path that a word is, without what stands around it; "" where it is none."""
    bold = not marked and word.startswith("**") and word.endswith("**")
    word = _unbracketed((word.strip("*") if bold else word[:LONGEST]).strip(_AROUND).rstrip("."))
    word = _PLACE.sub("", word.rstrip(_AROUND)).removeprefix("./")
    if word.startswith("/"):
        word = word[1:] if _SUFFIX.search(word) or word.endswith("*") else ""
    odd = not _SEGMENTS.fullmatch(word) or ".." in word or word[0] in "~@" or _HOST.match(word)
    if odd or not re.search(r"\w", word):
        return ""
    name = word.rstrip("/").rpartition("/")[2]
    if "/" not in word:
        return word if _is_file_name(name) else ""
    sure = _SUFFIX.search(name) or _HIDDEN.match(name) or "*" in word or name in _WHOLE_NAMES
    return word if sure or word.endswith("/") or marked else ""


def _unbracketed(word: str) -> str:
    """The word without brackets that have no fellow in it: "(src/a.py)" and "src/a.py)", but "app/(group)/page.tsx"."""
    for first, last in ("()", "[]", "{}"):
        if (
            word.startswith(first)
            and word.count(first) >= word.count(last)
            and (word.endswith(last) or word.count(first) > word.count(last))
        ):
            word = word[1:].removesuffix(last)
        elif word.endswith(last) and word.count(last) > word.count(first):
            word = word[:-1]
    return word.strip(_AROUND)


def _is_file_name(name: str) -> bool:
    """Whether a word without a folder is a file's name: by a known suffix, or as hidden files and a few others are."""
    from rulec.domain.files.languages import language_of_file  # noqa: PLC0415 (only a call with a plan needs its tables)

    if name in _WHOLE_NAMES:
        return True
    suffix = name.rpartition(".")[2]
    known = bool(language_of_file(name)) or suffix in _DATA
    return known and bool(_SUFFIX.search(name)) if not name.startswith(".") else len(name) > len(".html")


MOST_NAMED = 50  # words of one step that may be names of rules
_SLUG = re.compile(r"(?<![\w./-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w/-]|\.\w)|(?<=\brule )[a-z0-9]+\b")
_LINE = re.compile(r"\s*(?:[-*+]\s+)?rule [a-z0-9][a-z0-9._-]{0,99} \((?:remind|strict|testable)\)(?::? .*)?\s*")


def rule_line(slug: str, level: str, words: str = "") -> str:
    """The line of a rule at a step; ``words`` is what it asks for, in one line."""
    words = " ".join(words.split())
    return f"rule {slug} ({level})" + (f": {words}" if words else "")


def words_like_rules(text: str) -> "list[str]":
    """The words of a text that may be names of rules: those with a hyphen, and one that stands behind "rule"."""
    return list(dict.fromkeys(_SLUG.findall(text)))[:MOST_NAMED]


def is_rule_line(line: str) -> bool:
    """Whether a line of a plan is one that ``rule_line`` made."""
    return _LINE.fullmatch(line) is not None


def without_rules(text: str) -> str:
    """A text of several lines, such as a field of JSON, without the lines of rules."""
    return "\n".join(line for line in text.split("\n") if not is_rule_line(line)) if "rule " in text else text

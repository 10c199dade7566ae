"""The files that a step names in its text."""

import re

MOST_PATHS = 40
LONGEST = 300  # characters of one path
_LONGEST_SUFFIX = 4  # characters of a suffix with its dot
_SPAN = re.compile(r"`([^`\n]{1,400})`")
_LINK = re.compile(r"\[[^\[\]\n]{0,300}\]\(([^()\s]{1,300})\)")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://\S+", re.IGNORECASE)
_PLACE = re.compile(r"(?:::[\w:.\[\]-]+|:\d+(?:[-:]\d+)*|#L\d+(?:-L?\d+)?)$")  # a test, lines
_SEGMENTS = re.compile(r"[\w.@+*?{}()\[\],~-]+(?:/[\w.@+*?{}()\[\],~-]+)*/?")
_SUFFIX = re.compile(r"[^./]\.[A-Za-z][A-Za-z0-9]{0,9}$")
_HOST = re.compile(r"(?:[\w-]+\.)+(?:com|org|net|io|dev|co|app|ai|gov|edu)/")
_HIDDEN = re.compile(r"\.[A-Za-z][\w-]+(?:\.[\w-]+)*$")
_AROUND = "\"'\u201c\u201d\u2018\u2019<>!?,;:"
_WHOLE_NAMES = {
    "Makefile", "Dockerfile", "Justfile", "Procfile", "Gemfile", "Rakefile", "Jenkinsfile", "Vagrantfile", "Brewfile",
    "LICENSE", "CODEOWNERS",
}  # fmt: skip
# Suffixes of files that no language is written in.
_DATA = {"lock", "mod", "sum", "csv", "tsv", "snap", "example", "sample", "tmpl", "tpl", "j2", "png", "ico", "pdf"}


def paths_named(text: str) -> "list[str]":
    """Repository paths and globs in a text, in its order: words with a folder or a known suffix, and code of that form.

    Addresses, packages ("@scope/name"), commands and pairs of words ("and/or") are none. A single name in backticks
    with a slash is taken for a path, since whether it is one only the disk could tell.
    """
    found: "dict[str, None]" = {}
    plain = _URL.sub(" ", text)
    for linked in _LINK.findall(plain):
        _add(found, linked, marked=False)
    plain = _LINK.sub(" ", plain)
    pieces = _SPAN.split(plain)  # every second one is code
    for number, piece in enumerate(pieces):
        words = piece.split()
        if number % 2 and len(words) == 1:
            _add(found, words[0], marked=True)
        elif not number % 2:
            for word in words:
                if "." in word or "/" in word or word[:1].isupper():  # a path has one of them, or is a whole name
                    _add(found, word, marked=False)
        if len(found) >= MOST_PATHS:
            break
    return list(found)[:MOST_PATHS]


def _add(found: "dict[str, None]", word: str, *, marked: bool) -> None:
    path = _path_in(word, marked=marked)
    if path:
        found[path] = None


def _path_in(word: str, *, marked: bool) -> str:
    """The path that a word is, without what stands around it; "" where it is none."""
    if len(word) > LONGEST:
        return ""
    word = word.strip(_AROUND)
    while not marked and len(word) > 2 and word[0] == word[-1] == "*":  # in bold
        word = word[1:-1]
    word = _unbracketed(word.rstrip("."))
    word = _PLACE.sub("", word.rstrip(_AROUND))
    word = word.removeprefix("./")
    if word.startswith(("/", "@")):
        word = word[1:] if _SUFFIX.search(word) or word.endswith("*") else ""
    if (
        not _SEGMENTS.fullmatch(word)
        or ".." in word
        or word[0] == "~"
        or _HOST.match(word)
        or not re.search(r"\w", word)
    ):
        return ""
    name = word.rstrip("/").rpartition("/")[2]
    if "/" in word:
        sure = bool(_SUFFIX.search(name) or _HIDDEN.match(name) or "*" in word or name in _WHOLE_NAMES)
        return word if sure or (word.endswith("/")) or marked else ""
    return word if _is_file_name(name) else ""


def _unbracketed(word: str) -> str:
    """The word without brackets that have no fellow in it: "(src/a.py)" and "src/a.py)", but "app/(group)/page.tsx"."""
    for first, last in ("()", "[]", "{}"):
        while word.startswith(first) and word.endswith(last):
            word = word[1:-1]
        if word.startswith(first) and word.count(first) > word.count(last):
            word = word[1:]
        if word.endswith(last) and word.count(last) > word.count(first):
            word = word[:-1]
    return word.strip(_AROUND)


def _is_file_name(name: str) -> bool:
    """Whether a word without a folder is a file's name: by a known suffix, or as hidden files and a few others are."""
    from rulec.domain.files.languages import language_of_file  # noqa: PLC0415 (only a call with a plan needs its tables)

    if name in _WHOLE_NAMES:
        return True
    if _HIDDEN.match(name) and "." not in name[1:]:  # ".md" speaks of a kind of files
        language = language_of_file(name)
        return language == "ini" if language else len(name) > _LONGEST_SUFFIX
    known = language_of_file(name) or name.rpartition(".")[2] in _DATA
    return bool(_HIDDEN.match(name)) or (bool(_SUFFIX.search(name)) and bool(known))

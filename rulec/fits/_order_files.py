"""Which files a phrase speaks of: by path, by ending, by language, or by a word of an edited file's name."""

import re

from rulec.fits._asked_files import bare
from rulec.fits._order_pair import Pair
from rulec.fits._order_tools import globs_of
from rulec.fits._words import languages_said, pieces, stem, telling
from rulec.language.terms import EXTENSIONS, table, terms

EDIT = re.compile(
    r"\b(?:edit|chang|modif|touch|cod|implement|impl|fix|refactor|writ|rewrit|updat|start|begin|work|mak|"
    r"develop|patch|bearbeit|"
    r"änder|modifi|edit|ander|add|creat|build|jump|div|judg|overwrit|replac)\w*\b|\bdo(?:ing)? (?:any|some|"
    r"the)?thing\b|"
    r"\b(?:feature|bug|any ?thing|the code|code|fix|refactor|prod(?:uction)? code|logic)\b|改|写|編集|修改|实现",
    re.IGNORECASE,
)
_ENDING = re.compile(rf"\b(?P<ending>{EXTENSIONS})(?: source)? files?\b", re.IGNORECASE)
_THE_WORD = re.compile(r"\b(?:the|our|an?|any) (?P<word>[a-z]{4,})s?\b(?! (?:and|or)\b)", re.IGNORECASE)
_ANYWHERE = {
    stem(word)
    for word in table(
        "you we i me new next first more make making again ever even please always each every this that file "
        "files code "
        "coding edit change changes thing things task work something project repo repository codebase is be to "
        "do on in "
        "ui app application feature done finish session turn step it them any anything source right after then"
    )
}


def spoken_files(phrase: str, pair: Pair) -> list[str]:
    """Globs of the files that the phrase speaks of; none where it speaks of all, or of what no path shows."""
    found = places(phrase) or [f"*.{match['ending'].lower()}" for match in _ENDING.finditer(phrase)]
    if found:
        return found
    if languages := languages_said(phrase):
        return globs_of(languages)
    return _edited(phrase, pair) if pair.before else _called(phrase)


def places(phrase: str) -> list[str]:
    """The paths in the phrase that lie in the repository."""
    paths = [term.text for term in terms(phrase) if term.kind == "path"]
    paths += [path for path in bare(phrase) if "/" in path and not any(path.rstrip("/") in other for other in paths)]
    paths += [f"{folder.lower()}/" for folder in _FOLDER.findall(phrase)]
    kinds = [
        f"*{path}" if re.search(rf"{re.escape(path)} files?\b", phrase) and path[0] == "." else path for path in paths
    ]
    return [path.removeprefix("./").lstrip("@") for path in kinds if not path.startswith(("/", "~", ".."))]


_FOLDER = re.compile(
    r"\b(?:in|under|inside|within|below) (?:the )?(src|lib|libs|app|apps|pkg|internal|cmd|packages|"
    r"scripts|config|infra)\b"
    r"(?![/\w-]|\.\w)",
    re.IGNORECASE,
)


def particular(phrase: str) -> set[str]:
    """The words that say of which part of the work the phrase speaks."""
    return set(telling(EDIT.sub(" ", phrase))) - _ANYWHERE


def _edited(phrase: str, pair: Pair) -> list[str]:
    """The edited folder or file that the phrase calls by a word of its name."""
    said = particular(phrase)
    for path in pair.edited:
        *folders, name = path.split("/")
        for index, folder in enumerate(folders):
            if any(_alike(stem(folder), word) for word in said):
                return ["/".join((*folders[: index + 1], "**"))]
        if said & {stem(piece) for piece in pieces(name.rpartition(".")[0])}:
            return [path]
    return []


def _alike(one: str, other: str) -> bool:
    """Whether two stems are of one word: "migrat" of a folder and "migration"."""
    return one == other or (min(len(one), len(other)) >= _LONG_STEM and one[:_LONG_STEM] == other[:_LONG_STEM])


_LONG_STEM = 6


def _called(phrase: str) -> list[str]:
    """Files whose path has the one word by which the phrase calls a part of the code: "the schema"."""
    found = _THE_WORD.search(EDIT.sub(" ", phrase))
    word = found["word"].lower() if found else ""
    return [f"*{word}*", f"**/*{word}*/**"] if len(particular(phrase)) == 1 and stem(word) in particular(phrase) else []

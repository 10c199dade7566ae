"""The words for files -> globs: by their kind, by their name, by what the change that was accepted touched."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._words import stem
from rulec.language.terms import table, terms
from rulec.runtime import filekinds

_KINDS: tuple[tuple[str, str], ...] = (
    (r"change ?logs?\b|release[ -]notes?\b|changesets?\b|change history\b", "@changelog"),
    (r"read ?me\b", "README*"),
    (r"lock ?files?\b", "@lockfile"),
    (r"requirements?\b|manifests?\b|dependenc\w+ (?:file|list)\b", "@manifest"),
    (r"tests?(?![\w-])|specs\b|coverage\b", "@tests"),
    (r"(?:docs?|documentation|guides?|manual)\b", "@docs"),
    (r"(?:translations?|locali[sz]ations?|locales?|i18n|language files?)\b", "@translations"),
    (r"migrations?\b", "@migrations"),
    (r"stor(?:ybook|y|ies)\b", "*.stories.*"),
    (r"version(?: number)?\W*$", "{@manifest,VERSION,version.*,Chart.yaml,__init__.py}"),
)
# What may stand before such a word: "a changelog entry" and "our api docs", but not "code that tests can inject".
_BEFORE = (
    r"(?:in |into |to |on |by |of )?(?:(?!(?:to|in|into|of|for|from|that|this|those|by|with|about|as|it|so|we|you|can|"
    r"if|via|each|first)\b)[\w'-]+ ){0,4}?"
)
_KIND_RE = tuple((re.compile(f"{_BEFORE}(?:{pattern})", re.IGNORECASE), kind) for pattern, kind in _KINDS)
_ABOUT_CODE = re.compile(
    r"\b(?:code|features?|functions?|functionality|methods?|changes?|fix(?:es)?|bugs?|bugfix(?:es)?|commits?|prs?|"
    r"behaviou?rs?|implementations?|logic|anything|everything|something|implement\w*|tasks?|"
    r"modules?|components?|class(?:es)?|packages?|endpoints?|commands?|pages?|hooks?)\b",
    re.IGNORECASE,
)
GENERIC = table(
    "code feature features functionality function functions method methods change changes fix fixes bug bugs "
    "bugfix bugfixes behavior behaviour implementation implementations logic commit commits pr prs anything "
    "everything something it this that these those work task tasks step steps production source new added adding "
    "add create created creating change changed changing update updated updating modify modified modifying touch "
    "touched edit edited support make makes made you we i the a an any all every each our your my its and or "
    "other another of for to in on with is are be been being gets get got file files some kind sort thing things "
    "so part parts piece pieces done finished complete completed implement implemented implementing write writing "
    "written commit committing public user users facing starts start use uses using bump bumps bumped introduce "
    "introduces introduced ship shipped merge merging merged one ones way about there also always please existing "
    "non trivial significant user-facing user-visible visible notable behavioural behavioral must "
    "should capability capabilities remove removed delete deleted rename renamed "
    "alter altered happens has have does do did will would can could needs need"
)
UNITS = table(
    "module modules component components class classes package packages endpoint endpoints command commands page hook"
)
_EMPTY = GENERIC | table(
    "corresponding relevant related matching respective appropriate accordingly same too well together needed "
    "necessary places place where following definition definitions section sections page pages entry entries line "
    "proper properly exactly example examples latest current both either as them here necessary update updates "
    "values value commented out also list rest everywhere else"
)
_VERB = re.compile(
    r"^(?:then |also |to )?(?:commit|push|run|deploy|release|tell|ask|show|let|make|check|verify|test|call|keep|see|"
    r"use|with|if|when) ",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"(?:the |these |those |all |other |following |needed |necessary |same |places?|files?|spots?|updates?|them|rest|"
    r"everywhere|accordingly|also|\d+ |three |two |four |\W)*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w-]+")
SHORT = 4  # letters of a word that stands within many others
LEAST = 3  # letters of a word that may stand in a path
MOST = 6  # things that one sentence calls for


def named(phrase: str) -> list[str]:
    """The paths that a phrase spells out, as globs."""
    paths = [_whole(term.text, phrase) for term in terms(phrase) if term.kind == "path"]
    paths += [path for path in bare(phrase) if not any(path.rstrip("/") in other for other in paths)]
    return list(dict.fromkeys(re.sub(r"^(?:@|\.{1,2}/)+", "", path) for path in paths))


def bare(phrase: str) -> Iterator[str]:
    """Paths without an ending, and files that everybody knows: "src/ui", proto/VERSION, the Dockerfile."""
    for found in _BARE.finditer(phrase):
        first, _, last = found["path"].partition("/")
        file = "." in last or last.isupper()
        if file or found["at"] or (first in ROOTS and last not in ROOTS):
            yield found["path"] if file else f"{found['path']}/"
    yield from _KNOWN.findall(phrase)


_BARE = re.compile(
    r"(?:(?<!\w)(?P<at>in|under|into|inside|within|below|from|to) (?:the )?)?(?<![\w./*-])"
    r"(?P<path>[A-Za-z][\w-]*(?:/[A-Za-z][\w.-]*[\w])+)(?![\w/*])"
)
ROOTS = table(
    "src lib libs app apps pkg packages internal cmd docs doc test tests spec scripts config configs db api proto web "
    "server client frontend backend services infra deploy charts helm k8s terraform locales public static assets "
    "templates migrations tools bin ui core"
)
_KNOWN = re.compile(
    r"(?<![\w./*-])(?:Dockerfile|Makefile|VERSION|LICENSE|Procfile|Jenkinsfile|CODEOWNERS|Gemfile|Rakefile|Justfile|"
    r"Containerfile|Vagrantfile|Brewfile)(?![\w./*-])"
)


def _whole(path: str, phrase: str) -> str:
    """An ending that stands for all files of its kind, ".proto files", as a glob."""
    kind = re.fullmatch(r"(?:\.\w+)+", path) and not path.startswith(".env") and f"{path} file" in phrase
    return f"*{path}" if kind else path


def settings(phrase: str) -> bool:
    """Whether a phrase means what a program is told from outside."""
    return bool(re.search(r"\b(?:settings?|config\w* (?:keys?|values?|options?)|variables?)\b", phrase, re.IGNORECASE))


def pronoun(phrase: str) -> bool:
    """Whether a phrase only points back at something that was named before."""
    return phrase.strip().lower() in ("it", "them", "they", "that", "this", "these", "those", "one")


def general(phrase: str) -> bool:
    """Whether a phrase means code in general."""
    return not words_of(phrase, GENERIC | UNITS) and not named(phrase) and bool(_ABOUT_CODE.search(phrase))


def points(phrase: str) -> bool:
    """Whether a phrase names nothing and only points: "the other places", or what follows a colon."""
    return bool(_POINTING.fullmatch(phrase + " "))


def pieces_of(phrase: str) -> list[str]:
    """A phrase like "the glossary, b.rst and our man pages" in its pieces."""
    parts = re.split(r"\s*[,;]\s*(?:and |or )?|\s+(?:and|&|as well as|plus)\s+|\s+/\s+", phrase)
    return [part for part in parts if part.strip() and not _VERB.match(part.strip())][:MOST]


def needed(phrase: str, fixed: Sequence[str]) -> list[str]:
    """What must come along: a glob for each piece; a piece without a name must show in what was fixed."""
    found: list[str] = []
    for piece in pieces_of(phrase):
        globs = named(piece)
        kinds = [kind for pattern, kind in _KIND_RE if pattern.match(piece.strip())]
        if globs:
            found += globs
        elif kinds:
            found += _shown(kinds[0], fixed)
        elif not any(re.search(rf"\b(?:{pattern})", piece, re.IGNORECASE) for pattern, _ in _KINDS):
            found += _by_words(piece, fixed)
    return list(dict.fromkeys(found))[:MOST]


def _shown(kind: str, fixed: Sequence[str]) -> list[str]:
    """The kind, unless the fix shows that something else of that name was meant: docs that lie in no docs folder."""
    return [kind] if not fixed or any(filekinds.among([kind], path) for path in fixed) else []


def words_of(phrase: str, without: frozenset[str] = _EMPTY) -> list[str]:
    """The words of a phrase that may name files."""
    plain = [word.lower() for word in _WORD.findall(phrase)]
    return list(dict.fromkeys(word for word in plain if word not in without and len(word) >= LEAST))


def _by_words(piece: str, fixed: Sequence[str]) -> list[str]:
    words = words_of(piece)
    if not words:
        return []
    wanted = by_name(words)
    hits = [path for path in fixed if filekinds.among([wanted], path)]
    if fixed:
        return [wanted] if hits else []
    return [wanted]


def by_name(words: Sequence[str]) -> str:
    """Files and folders in whose name one of the words stands."""
    roots = dict.fromkeys(_root(word) for word in words)
    return "{" + ",".join(option for root in roots for option in _spellings(root)) + "}"


def _spellings(root: str) -> list[str]:
    """Globs for a word in a name; a short one must be a part of its own."""
    if len(root) > SHORT:
        return [f"*{root}*", f"**/*{root}*/**"]
    return [f"{root}.*", f"{root}s.*", f"*[-_.]{root}.*", f"{root}[-_]*", f"{root}/", f"{root}s/"]


def _root(word: str) -> str:
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > LEAST + 1 else word


def same_word(word: str, path: str) -> bool:
    """Whether a part of the path is the word, in whatever form."""
    return any(stem(part) == stem(word) for part in re.split(r"[\W_]+", path) if part)

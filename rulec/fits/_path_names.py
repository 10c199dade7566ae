"""What people call files by, where they spell no path out -> globs: folders by name, kinds of files, the root."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits import _asked_files as files
from rulec.fits._file_kinds import endings
from rulec.fits._words import things
from rulec.language import Clause
from rulec.language.terms import table

_FOLDER = re.compile(r"(?:^|\b(?:the|our|any) )(?P<name>[\w.-]*\w)/? (?:folder|director(?:y|ies)|dir)\b", re.IGNORECASE)
# An ending, and no file that is called so: "use .yaml, not .yml".
ENDING = re.compile(
    r"\.(?:ya?ml|json5?|toml|ini|md|mdx|rst|txt|csv|pyi?|[cm]?[jt]s|[jt]sx|go|rs|java|kts?|rb|php|sh|s?css|html?|sql)"
)
_NO_FOLDER = table(
    "root repository repo project top-level same separate new work working current home parent other this that whole "
    "right wrong own single shared common temp temporary"
)
_ANY = (
    r"^(?:(?:any|the|our|all|new|extra|more|additional|separate|existing|old|plain|other|such|committed|applied|"
    r"merged) )*"
)
# What stands at a place that most repositories have, when it is not to be touched.
_KEPT: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"(?:database |db |sql |schema )?migrations?(?: files?| scripts?)?", ("migrations/", "migrate/")),
    (r"lock ?files?", ("*.lock", "*-lock.json", "*-lock.yaml", "go.sum")),
    (r"snapshots?(?: files?)?", ("__snapshots__/", "*.snap")),
    (
        r"(?:github |ci |actions )*workflows?(?: files?)?|ci (?:config\w*|files?|pipelines?)",
        (".github/workflows/", ".gitlab-ci.yml"),
    ),
    (r"vendored (?:code|files|libraries|dependencies)", ("vendor/", "third_party/")),
    (r"(?:test )?fixtures?(?: files?)?", ("fixtures/", "testdata/")),
)
_BUILT: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"build (?:artifacts?|artefacts?|outputs?|results?|products?)|built files?",
        ("dist/", "build/", "out/", "target/"),
    ),
    (
        r"(?:compiled )?binar(?:y|ies)(?: files?)?|executables?",
        ("*.exe", "*.dll", "*.so", "*.dylib", "*.o", "*.class", "*.jar"),
    ),
    (r"log(?:s| files?)", ("*.log",)),
    (r"secrets?(?: files?)?|credentials?(?: files?)?", (".env", "*.pem", "*.key", "credentials.json")),
    (r"database dumps?|dumps?|sqlite files?", ("*.dump", "*.sqlite", "*.sqlite3", "*.db")),
)
_TELLING = r"summary|report|status|progress|analysis|checklist|overview|walkthrough|completion"
_TOLD = re.compile(
    rf"{_ANY}(?:(?:(?P<one>{_TELLING})(?: (?:or|and) \w+)?) )(?:(?:markdown|md|doc|documentation) "
    rf")*(?:files?|documents?|docs?|markdown)\b"
    rf"|(?:markdown|md|documentation|docs?)(?: files?| documents?)? (?:for|about|with|as) (?P<other>{_TELLING}|summar)",
    re.IGNORECASE,
)
_ROOT = re.compile(
    r"\b(?:in|at|to|into|on|under) (?:the )?(?:(?:repo(?:sitory)?|project|git)(?:'s)? )?(?:root|top[ -]level)\b",
    re.IGNORECASE,
)
_USUAL = ("/.*", "/README*", "/LICENSE*", "/CHANGELOG*")
_SCRIPTS = ("/*.sh", "/*.py", "/*.js", "/*.mjs", "/*.rb", "/*.ps1")


def called(clause: Clause, kind: str) -> list[str]:
    """Globs for what the clause calls by another name than a path; ``kind`` is touch, make or commit."""
    if "outside" in clause.text or "except" in clause.text:
        return []
    placed = kind == "make" and bool(clause.when) and _anything(clause)
    found = list(_in_folders(clause)) if placed or kind in ("touch", "commit") else []
    swapped = clause.polarity == "prefer" and re.search(
        r"\b(?:files?|scripts?|modules?|components?)\b", " ".join(clause.preferred)
    )
    if kind == "make" and swapped:
        found += [one for thing in things(clause) for one in _of_kind(f"{thing} files", kind)]
    for thing in things(clause):
        found += _of_kind(thing, kind)
    return list(dict.fromkeys(found))


def _in_folders(clause: Clause) -> Iterator[str]:
    phrases = (*things(clause), clause.when if _anything(clause) else "")
    for phrase in phrases:
        for match in _FOLDER.finditer(phrase):
            if match["name"].lower() not in _NO_FOLDER:
                yield f"{match['name']}/**"
        yield from (f"{path}**" if path.endswith("/") else path for path in files.named(phrase))


def _anything(clause: Clause) -> bool:
    return all(
        re.fullmatch(
            r"any ?thing|(?:(?:any|the|new|more|generated|compiled|vendored) )*(?:files?|code|changes?|things?|stuff)",
            one,
        )
        for one in things(clause)
    )


def _of_kind(thing: str, kind: str) -> Iterator[str]:
    if kind == "make":
        yield from _made(thing)
        return
    for said, globs in _KEPT if kind == "touch" else _BUILT:
        if re.search(rf"{_ANY}(?:{said})$", thing, re.IGNORECASE):
            yield from globs


def _made(thing: str) -> Iterator[str]:
    told = _TOLD.search(thing)
    if told:
        word = (told["one"] or told["other"]).lower()
        yield from (f"*{spelled}*.md" for spelled in (word.upper(), word, word.capitalize()))
    elif re.search(rf"{_ANY}readmes?(?: files?)?$", thing, re.IGNORECASE):
        yield "README*"
    elif re.search(rf"{_ANY}(?:index )?barrel(?: files?| exports?)?s?$", thing, re.IGNORECASE):
        yield "index.{ts,tsx,js,jsx}"
    elif ending := re.search(r"^\.(?P<ending>\w+)(?: files?)?$", thing):
        yield f"*.{ending['ending']}"
    elif re.search(r" (?:files?|scripts?)$", thing) and (known := endings(thing)):
        yield f"*.{{{known.replace('|', ',')}}}" if "|" in known else f"*.{known}"


def at_root(clause: Clause) -> tuple[list[str], list[str]]:
    """Globs of files that are not to be made in the root, and of those that may; none where it is not spoken of."""
    if not _ROOT.search(clause.text):
        return [], []
    text = " ".join((*things(clause), clause.when))
    if re.search(r"\btests?\b", text, re.IGNORECASE):
        return ["/{test,check,debug,verify}*.*", "/*{_test,.test,.spec}.*"], []
    if re.search(r"\bscripts?\b", text, re.IGNORECASE):
        return list(_SCRIPTS), ["/setup.py", "/conftest.py", "/*.config.*", "/manage.py"]
    if re.search(r"\b(?:markdown|md|docs?|documentation)\b", text, re.IGNORECASE):
        return ["/*.md"], [*_USUAL, "/CONTRIBUTING*", "/SECURITY*", "/AGENTS*", "/CLAUDE*"]
    if re.search(r"^(?:any |new |more |the )*(?:files?|any ?thing|stuff)\b", text, re.IGNORECASE):
        return ["/*"], list(_USUAL)
    return [], []


_SUCH = re.compile(r"\b(?:such as|like|e\.g\.|for example|for instance)[,:]? ", re.IGNORECASE)


def in_general(clause: Clause, path: str) -> str:
    """A phrase like "summary files such as FIX_SUMMARY.md": the word of the kind as it stands in the name, or ""."""
    parts = _SUCH.split(clause.text, maxsplit=1)
    base, dot, ending = path.rpartition("/")[2].rpartition(".")
    if len(parts) == 1 or not dot:
        return ""
    kinds = {word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]{4,}", parts[0])}
    words = [piece for piece in re.findall(r"[A-Za-z]+", base) if piece.lower().rstrip("s") in kinds]
    return f"*{words[0]}*.{ending}" if words and len(re.findall(r"[A-Za-z]+", base)) > 1 else ""


def family(named: Sequence[str]) -> list[str]:
    """What several names have in common: date_helpers.py and name_helpers.py are both *_helpers.py."""
    found = [re.fullmatch(r"(?P<folder>(?:[\w.-]+/)*)[A-Za-z]+(?P<rest>[-_]\w+\.\w+)", name) for name in named]
    ends = [f"{match['folder']}*{match['rest']}" for match in found if match]
    return [end for end in dict.fromkeys(ends) if ends.count(end) > 1]


def sample(pattern: str) -> str:
    """A path that the glob matches."""
    if pattern == "/*":
        return "sample.txt"
    path = pattern.strip("/").replace("**/", "").replace("**", "sample.txt")
    path = (
        re.sub(r"\[(.).*?\]", r"\1", re.sub(r"\{([^,}]*)[^}]*\}", r"\1", path)).replace("*", "sample").replace("?", "s")
    )
    return path if "." in path.rpartition("/")[2] else f"{path}/sample.txt"

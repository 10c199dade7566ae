"""What a change adds to a file: lines, functions, and imports of packages that no manifest lists."""

from __future__ import annotations

import re
import sys

from rulec.domain.files import file_kinds
from rulec.domain.files.languages import COMMENT_STYLES, LINE_COMMENTS, SUFFIXES, SUFFIXES_BY_KIND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.shell.action_events import FileOfChange, Tree


LONGEST_LINE = 2_000
_HASH = ("python", "hash")
_MARKS = {look: (mark,) for look, mark in LINE_COMMENTS.items() if mark != "//"}  # with which a line is a comment
_PROSE = frozenset(one for kind in ("prose", "data", "markup") for one in SUFFIXES_BY_KIND[kind])
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_QUIET = re.compile(
    r"(?:import|from|use|using|require|include|package|module|export \*|export \{|#include|__all__|__version__)\b.*"
    r"|(?:const|let|var) [\w{}, ]+ = require\(.*|(?!return\b)[\w.]*\s*\"\"|[\])}(\[{;,:]*|pass"
)
_DEFINES = re.compile(
    r"\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|override|async|suspend|open|virtual|"
    r"inline|unsafe|pub(?:\([a-z]*\))?) +)*(?:def|class|func|fn|fun|function\*?|impl|object|defp|sub)\b"
    r"|\s*(?:export +)?(?:const|let) +\w+ *(?::[^=]*)?= *(?:async *)?(?:\(|function\b|\w+ *=>)"
    r"|\s+(?:public|private|protected|internal|static)\b[\w<>\[\], ]*\("
)
_DOC = ('"""', "'''")


def new_lines(file: FileOfChange) -> list[str]:
    """The lines of the file that are new."""
    old = set(file.old.splitlines())
    return [line[:LONGEST_LINE] for line in file.new.splitlines() if line not in old]


def new_lines_with_new_words(file: FileOfChange) -> list[str]:
    """The added lines with a word or number that the file did not have: other quotes or spaces bring nothing new."""
    old = set(re.findall(r"\w+", file.old))
    return [line for line in new_lines(file) if not old.issuperset(re.findall(r"\w+", line))]


def defines_function(file: FileOfChange) -> bool:
    """Whether a function, a method or a class is new."""
    return any(_DEFINES.match(line) for line in new_lines(file))


def changes_code(file: FileOfChange) -> bool:
    """Whether more changed than spacing, comments, imports and the words in strings, where the file is code."""
    if file.path.rpartition(".")[2].lower() in _PROSE:
        return file.old.split() != file.new.split() or not file.new
    before, after = set(_lines(file.path, file.old)), _lines(file.path, file.new)
    return any(line not in before for line in after)


def _lines(path: str, text: str) -> list[str]:
    """The lines of code without their indentation, the text of strings and what says nothing."""
    ending = path.rpartition(".")[2]
    found, closing = [], ""
    for raw in text.splitlines():
        line = raw[:LONGEST_LINE].strip()
        if closing:
            closing = "" if closing in line else closing
            continue
        closing = _opened(line, ending)
        if closing or line.startswith(_marks(ending)):
            closing = "" if closing and closing in line[len(closing) :] else closing
            continue
        plain = _STRING.sub('""', line)
        if plain and not _QUIET.fullmatch(plain):
            found.append("".join(plain.split()))
    return found


def _opened(line: str, ending: str) -> str:
    """What ends the comment that begins with this line, or ""."""
    if _comments(ending) in _HASH:
        start = line.lstrip("rRuU")[:3]
        return start if start in _DOC else ""
    return "*/" if line.startswith("/*") else "-->" if line.startswith("<!--") else ""


def _marks(ending: str) -> tuple[str, ...]:
    return _MARKS.get(_comments(ending), ("//", "* ", "*/", "<!--"))


def _comments(ending: str) -> str:
    return COMMENT_STYLES.get(ending.lower(), "")


MOST_NAMES = 50
MOST_MANIFESTS = 20
_PYTHON = re.compile(r"\A\s*(?:from\s+(?P<one>[\w.]+)\s+import\b|import\s+(?P<many>[\w., ]+))")
_SCRIPT = re.compile(
    r"(?:^\s*(?:import|export)\b(?!\s+type\b).*?\bfrom\s*|^\s*import\s*|\brequire\(\s*|\bimport\(\s*)['\"](?P<one>[^'\"]+)['\"]"
)
_GO = re.compile(r"\s*(?:import\s+)?(?:[\w.]+\s+)?\"(?P<one>[\w-]+\.[\w.-]+/[^\"\s]+)\"\s*$")
_RUST = re.compile(r"\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|extern crate)\s+(?P<one>[a-z]\w*)\s*(?:::|;)")
_READS = {
    suffix: pattern
    for pattern, names in (
        (_PYTHON, ("python",)),
        (_SCRIPT, ("javascript", "typescript", "vue", "svelte")),
        (_GO, ("go",)),
        (_RUST, ("rust",)),
    )
    for name in names
    for suffix in SUFFIXES[name]
}
_NODE = frozenset(
    file_kinds.split_words(
        "assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain "
        "events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl "
        "stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib"
    )
)
_RUST_OWN = frozenset(file_kinds.split_words("crate self super std core alloc proc_macro test"))
_PYTHON_OWN = frozenset(getattr(sys, "stdlib_module_names", ())) | {"__future__", "_typeshed", "distutils"}
_SOLD_AS = {  # module -> what its package is called, where no part of the name says it
    "cv2": "opencv", "PIL": "pillow", "sklearn": "scikit-learn", "skimage": "scikit-image", "bs4": "beautifulsoup",
    "Crypto": "pycryptodome", "OpenSSL": "pyopenssl", "fitz": "pymupdf", "pkg_resources": "setuptools",
    "win32api": "pywin32", "jwt": "pyjwt", "dateutil": "python-dateutil", "serial": "pyserial", "wx": "wxpython",
    "gi": "pygobject", "MySQLdb": "mysqlclient", "ruamel": "ruamel",
}  # fmt: skip


def undeclared_packages(
    file: FileOfChange, manifests: tuple[str, ...], change: Sequence[FileOfChange], tree: Tree | None = None
) -> list[str]:
    """The packages that the file's new lines import and that are neither of this project nor in a manifest."""
    reads = _READS.get(file.path.rpartition(".")[2])
    if reads is None:
        return []
    names = dict.fromkeys(name for line in new_lines(file) for name in _named(reads, line))
    foreign = [name for name in list(names)[:MOST_NAMES] if not _standard(reads, name)]
    if not foreign:
        return []
    paths = [other.path for other in change] + (sorted(tree.paths()) if tree else [])
    ours = (path for path in paths if not path.startswith(".rules/"))  # what rulec keeps there is no package
    own = {part.partition(".")[0] for path in ours for part in path.split("/")}
    foreign = [name for name in foreign if _root(reads, name) not in own]
    if not foreign or tree is None:
        return foreign
    listing = [path for path in paths if file_kinds.is_among([*manifests, "@manifest"], path)][:MOST_MANIFESTS]
    text = "\n".join(tree.read(path) or "" for path in dict.fromkeys(listing))
    return [name for name in foreign if not _listed(name, text)]


def _named(reads: re.Pattern[str], line: str) -> list[str]:
    match = reads.match(line) if reads is not _SCRIPT else reads.search(line)
    if not match:
        return []
    parts = match.groupdict()
    if parts.get("one"):
        return [str(parts["one"])]
    return [part.split()[0] for part in (parts.get("many") or "").split(",") if part.split()]


def _root(reads: re.Pattern[str], name: str) -> str:
    """The name that a module of this project would have as a file or folder."""
    return name.partition("/" if reads is _SCRIPT else ".")[0]


def _standard(reads: re.Pattern[str], name: str) -> bool:
    if reads is _PYTHON:
        return name.startswith(".") or _root(reads, name) in _PYTHON_OWN
    if reads is _SCRIPT:
        relative = name.startswith((".", "/", "#", "~", "@/", "$", "node:", "virtual:", "bun:")) or not name
        return relative or _root(reads, name) in _NODE
    return reads is _RUST and name in _RUST_OWN


def _listed(name: str, text: str) -> bool:
    """Whether a manifest may mean the package: names of modules and packages often differ a little."""
    plain = _plain(text)
    parts = name.split("/") if "/" in name else name.split(".")
    said = {
        parts[0],
        "/".join(parts[:2]),
        "/".join(parts[:3]),
        *([parts[1]] if len(parts) > 1 and "/" not in name else []),
    }
    if parts[0].startswith("@") or "." in parts[0]:  # a scope or a host is no package
        said -= {parts[0]}
    return any(_plain(one) in plain for one in (*said, _SOLD_AS.get(parts[0], name)))


def _plain(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign not in "-_.")

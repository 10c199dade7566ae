"""What ``find`` selects: whether its tests let it come to a file, and what it then does."""

from __future__ import annotations

import itertools
import re

from rulec.shell.parsing.runs import FINDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


PRINTS = ("-print", "-print0", "-printf", "-ls")
NAMES = ("-name", "-iname")
PATHS = ("-path", "-ipath", "-wholename", "-iwholename")
PATTERNS = ("-regex", "-iregex")
BARE = (  # tests and options without an argument; every other one has one
    "-delete", "-prune", "-quit", "-print", "-print0", "-ls", "-empty", "-executable", "-readable", "-writable",
    "-true", "-false", "-depth", "-d", "-xdev", "-mount", "-follow", "-nouser", "-nogroup", "-daystart", "-noleaf",
    "-warn", "-nowarn", "-ignore_readdir_race", "-noignore_readdir_race",
)  # fmt: skip
MOST_TESTS = 100


class FindExpression:
    """The tests and actions of one ``find``, as a tree of ``or``, ``and`` and ``not``."""

    def __init__(self, argv: list[str]) -> None:
        at = 1
        while at < len(argv) and argv[at] in ("-H", "-L", "-P"):
            at += 1
        first = at
        while at < len(argv) and not argv[at].startswith(("-", "(", "!", "\\(")):
            at += 1
        self.starts = argv[first:at] or ["."]
        self._left = [word.removeprefix("\\") if word in ("\\(", "\\)", "\\!") else word for word in argv[at:]]
        pairs = itertools.pairwise(argv)
        self._depths = {name: int(value) for name, value in pairs if _is_depth(name, value)}
        self._acts = "-delete" in argv or any(word in argv for word in (*FINDERS, *PRINTS))
        tree: list[object] = self._any() if self._left and len(self._left) <= MOST_TESTS else ["test", "-true", ""]
        self._tree = tree

    def actions_on(self, start: str, below: str) -> set[str]:
        """The actions (-exec, -print …) that may come to the file or ``folder/`` at the path below the start."""
        parts, kind = below.rstrip("/").split("/"), "d" if below.endswith("/") else "f"
        done: set[str] = set()
        for depth in range(len(parts) + 1):
            here, last = "/".join([start.rstrip("/"), *parts[:depth]]), depth == len(parts)
            done = set()
            if depth < self._depths.get("-mindepth", 0):
                continue
            if depth > self._depths.get("-maxdepth", depth):
                return set()
            passed = self._passes(self._tree, here, kind if last else "d", done)
            if "-prune" in done and not last:
                return set()
            if passed is not False and not self._acts:
                done.add("-print")
        return done - {"-prune"}

    def _any(self) -> list[object]:
        found = self._all()
        while self._left[:1] in (["-o"], ["-or"], [","]):
            kind = "or" if self._left.pop(0) != "," else "then"
            found = [kind, found, self._all()]
        return found

    def _all(self) -> list[object]:
        found = self._one()
        while self._left and self._left[0] not in ("-o", "-or", ",", ")"):
            if self._left[0] in ("-a", "-and"):
                self._left.pop(0)
            found = ["and", found, self._one()]
        return found

    def _one(self) -> list[object]:
        name = self._left.pop(0) if self._left else "-true"
        if name in ("!", "-not"):
            return ["not", self._one()]
        if name == "(":
            inner = self._any()
            self._left = self._left[1:]
            return inner
        if name in FINDERS:
            ends = [at for at, word in enumerate(self._left) if word in (";", "\\;", "+")]
            self._left = self._left[ends[0] + 1 :] if ends else []
            return ["test", name, ""]
        value = "" if name in BARE or not self._left else self._left.pop(0)
        return ["test", name, value]

    def _passes(self, node: list[object], path: str, kind: str, done: set[str]) -> bool | None:
        """Whether the expression holds for the path: None where that is not known. What it does is added to done."""
        if node[0] == "test":
            return _test(str(node[1]), str(node[2]), path, kind, done)
        first = self._passes(node[1], path, kind, done)  # type: ignore[arg-type]  # an expression holds expressions
        if node[0] == "not":
            return None if first is None else not first
        if (node[0] == "and" and first is False) or (node[0] == "or" and first is True):
            return first
        tried: set[str] = set()
        second = self._passes(node[2], path, kind, tried)  # type: ignore[arg-type]  # as above
        done |= tried - ({"-prune"} if first is None else set())
        if node[0] == "then" or first is (node[0] == "and"):
            return second
        return second if second is (node[0] == "or") else None


def _is_depth(name: str, value: str) -> bool:
    return name in ("-maxdepth", "-mindepth") and value.isdigit()


def _test(name: str, value: str, path: str, kind: str, done: set[str]) -> bool | None:
    if name in (*FINDERS, *PRINTS, "-delete", "-prune"):
        done.add(name)
        return True
    loose = name.startswith("-i")
    seen, wanted = (path.lower(), value.lower()) if loose else (path, value)
    if name in NAMES:
        return _fits(wanted, seen.rstrip("/").rpartition("/")[2])
    if name in PATHS:
        return _fits(wanted, seen)
    if name in PATTERNS:
        try:
            return bool(re.fullmatch(wanted.replace("\\(", "(").replace("\\)", ")").replace("\\|", "|"), seen))
        except re.error:
            return None
    if name in ("-type", "-xtype"):
        return kind in value.split(",")
    if name == "-empty" or (name == "-size" and value.rstrip("bckwMG") == "0"):
        return False if kind == "f" else None
    if name == "-false":
        return False
    return True if name in BARE or name in ("-maxdepth", "-mindepth", "-regextype") else None


def _fits(pattern: str, text: str) -> bool | None:
    """Whether find's pattern fits, in which * and ? stand for / as well."""
    if "$" in pattern:
        return None
    return bool(re.fullmatch("".join(_pieces(pattern)), text, re.DOTALL))


def _pieces(pattern: str) -> Iterator[str]:
    for piece in re.findall(r"\[[!^]?\]?[^\]]*\]|\\?.", pattern, re.DOTALL):
        if piece in "*?":
            yield ".*" if piece == "*" else "."
        elif piece[0] == "[" and len(piece) > 1:
            yield "[" + ("^" if piece[1] in "!^" else "") + piece[1:-1].lstrip("!^").replace("\\", r"\\") + "]"
        else:
            yield re.escape(piece[-1])

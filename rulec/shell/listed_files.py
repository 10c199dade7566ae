"""The files that find, or xargs with what lists them, gives a command that changes files; and what find selects."""

from __future__ import annotations

import fnmatch
import itertools
import re

from rulec.shell.command_matching import git_subcommand
from rulec.shell.parsing.call import join_path, operands, option_values
from rulec.shell.parsing.runs import FINDERS
from rulec.shell.programs import WORDS, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulec.checkout.worktree import Worktree
    from rulec.shell.parsing.call import Call

    NameOf = Callable[[str], str]
    Listing = Iterator[tuple[str, bool]]  # paths as rules name them, and whether it is certain that they are listed

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
_SUBSTITUTES = re.compile(r"s([/|,#])((?:[\w\s.:'\"=-]|\\b)+)\1.*\1[gI]*", re.DOTALL)
_HOW_TO_CLEAN = re.compile(r"-[dfxX]+")
_WOULD_REMOVE = "Would remove "  # git's words, which the C locale keeps
MOST_CLEANED = 5_000
_EXTENDED = re.compile(r"[+?(){}|]")  # signs that mean something else in basic expressions
_PLAIN = re.compile(r"[\w \-/:=,@<>#%]+")  # a pattern that is the text it finds


def given_files(world: Worktree | None, call: Call, name_of: NameOf) -> list[tuple[str, bool]]:
    """The files that the command is given; [] where that is not known, or it is given none.

    ``name_of`` says how rules name a path that a command names.
    """
    source, filters = (call, []) if call.program in ("find", "git") else source_of(call)
    reader = READERS.get(source.program) if source else None
    if source is None or reader is None or world is None:
        return []
    found = {}
    for path, sure in reader(name_of, world, source, call):
        let = [lets_through(one, path) for one in filters]
        if False not in let and not replaces_nothing(call, world.read(path)):
            found[path] = sure and None not in let
    return list(found.items())


def replaces_nothing(call: Call, text: str | None) -> bool:
    """Whether the command is a sed that replaces only plain words, none of which stands in the text."""
    if call.program not in ("sed", "gsed") or text is None:
        return False
    scripts = option_values(call.argv, ("-e", "--expression")) or operands(call.argv, "")[:1]
    words = [found[2] if (found := _SUBSTITUTES.fullmatch(script)) else "" for script in scripts]
    return bool(words) and all(word and word.replace("\\b", "") not in text for word in words)


def source_of(call: Call) -> tuple[Call | None, list[Call]]:
    """The command that lists the files, and the filters between the two."""
    source, filters = next(iter(call.feeds), None), []
    while source and source.program in WORDS["filters"] and source.feeds and not _lists_matches(source):
        filters.append(source)
        source = source.feeds[0]
    return source, filters


def _below(name_of: NameOf, world: Worktree, source: Call, root: str) -> Iterator[tuple[str, str]]:
    """The files that the source names, or below a folder that it does: as rules name them, and as seen from there."""
    place = name_of(join_path(source.cwd, root)).rstrip("/")
    if not world.is_folder(place):
        yield from ((path, path.rpartition("/")[2]) for path in world.paths_of(place) or [place])
        return
    for below in world.files_below(place):
        yield f"{place}/{below}" if place else below, below


def _of_find(name_of: NameOf, world: Worktree, source: Call, call: Call) -> Listing:
    expression = FindExpression(source.argv)
    acts = ("-delete",) if call is source else FINDERS
    acts = acts if "find" in call.via or call is source else PRINTS
    for root in expression.starts:
        for path, below in _below(name_of, world, source, root):
            if not expression.actions_on(root, below).isdisjoint(acts):
                yield path, True


def _lists_matches(source: Call) -> bool:
    letters = "".join(word[1:] for word in source.argv[1:] if word[:1] == "-" and word[1:2] != "-")
    return source.program in WORDS["searchers"] and ("l" in letters or "--files-with-matches" in source.argv)


def _of_search(name_of: NameOf, world: Worktree, source: Call, _: Call) -> Listing:
    """``grep -rl PATTERN FOLDER``: the files whose text holds a plain pattern; of another nobody knows."""
    if not _lists_matches(source):
        return
    words = operands(source.argv, " ".join(valued_options(source.program)))
    patterns = option_values(source.argv, ("-e", "--regexp")) or words[:1]
    roots = words if option_values(source.argv, ("-e", "--regexp")) else words[1:]
    only = option_values(source.argv, ("--include", "-g", "--glob"))
    spared = [*option_values(source.argv, ("--exclude", "--exclude-dir"))]
    for root in roots or ["."]:
        for path, below in _below(name_of, world, source, root):
            parts = below.split("/")
            named = not only or any(fnmatch.fnmatch(parts[-1], one.rpartition("/")[2]) for one in only)
            if not named or any(fnmatch.fnmatch(part, one.strip("/")) for part in parts for one in spared):
                continue
            text = (world.read(path) or "").lower()
            plain = all(map(_PLAIN.fullmatch, patterns))
            if not plain or any(one.lower() in text for one in patterns):
                yield path, plain


def _of_git(name_of: NameOf, world: Worktree, source: Call, call: Call) -> Listing:
    """``git ls-files PATHSPEC`` and ``git grep -l PATTERN``; and what ``git clean`` removes, as git itself says."""
    if call is source:
        yield from _cleaned(name_of, world, call)
        return
    if source.argv[1:2] == ["grep"]:
        yield from _of_search(name_of, world, source.as_words(["grep", *source.argv[2:]]), call)
    elif source.argv[1:2] == ["ls-files"]:
        specs = operands(source.argv[1:], "")
        for path, below in _below(name_of, world, source, "."):
            if not specs or any(
                below.startswith(f"{one.rstrip('/')}/") or fnmatch.fnmatch(below, one) for one in specs
            ):
                yield path, True


def _cleaned(name_of: NameOf, world: Worktree, call: Call) -> Listing:
    from rulec.checkout import git_call  # noqa: PLC0415 (it needs subprocess)

    at, verb = git_subcommand(call.argv)
    if verb != "clean":
        return
    flags = [word for word in call.argv[at + 1 :] if _HOW_TO_CLEAN.fullmatch(word)]
    flags += [f"--exclude={one}" for one in option_values(call.argv[at:], ("-e", "--exclude"))]
    paths = operands(call.argv[at:], "-e --exclude")
    folder = world.absolute(name_of(call.cwd) if call.cwd else "")
    told = git_call.git_text(folder, ["clean", "-n", *flags, "--", *paths])
    for line in told.split("\n")[:MOST_CLEANED]:
        if line.startswith(_WOULD_REMOVE):
            yield name_of(join_path(call.cwd, line.removeprefix(_WOULD_REMOVE))), True


def _of_names(name_of: NameOf, world: Worktree, source: Call, _: Call) -> Listing:
    """``ls NAMES``."""
    for word in operands(source.argv, ""):
        path = name_of(join_path(source.cwd, word))
        yield from ((one, True) for one in world.paths_of(path) or [path])


READERS: dict[str, Callable[[NameOf, Worktree, Call, Call], Listing]] = {
    "find": _of_find,
    "git": _of_git,
    "ls": _of_names,
    **dict.fromkeys(WORDS["searchers"], _of_search),
}


def lets_through(call: Call, path: str) -> bool | None:
    """Whether a filter of lines lets the path through; None where that is not known."""
    flags = "".join(word[1:] for word in call.argv[1:] if word.startswith("-"))
    words = operands(call.argv, "")
    if call.program in ("sort", "uniq"):
        return True
    if call.program not in WORDS["searchers"] or not set(flags) <= set("vEiF") or len(words) != 1:
        return None
    pattern = re.escape(words[0]) if "F" in flags or call.program == "fgrep" else words[0]
    if _EXTENDED.search(pattern) and not ("E" in flags or call.program == "egrep"):
        return None
    try:
        found = re.search(pattern, f"./{path}", re.IGNORECASE if "i" in flags else 0)
    except re.error:
        return None
    return bool(found) != ("v" in flags)


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
    plain = re.sub(r"\\(.)", r"[\1]", pattern).replace("[^", "[!")  # as Python writes them
    return fnmatch.fnmatchcase(text, plain)

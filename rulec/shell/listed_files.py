"""The files that find, or xargs with what lists them, gives a command that changes files."""

from __future__ import annotations

import fnmatch
import re

from rulec.shell import find_expression
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
    expression = find_expression.FindExpression(source.argv)
    acts = ("-delete",) if call is source else FINDERS
    acts = acts if "find" in call.via or call is source else find_expression.PRINTS
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

"""Whether a file of tests has to do with a changed file: by what it imports, or by the names it holds."""

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from rulec.infra.test_runs.python_tests import ReadFile, imports_module

_OF_FOLDER = frozenset(["index", "__init__", "__main__", "mod", "lib", "main"])  # such a file is called by its folder
_ONE_PACKAGE = frozenset([".go"])  # files of one folder see each other without an import
_MOST_STEPS = 200  # files that a test names and that are looked into
_WORD = re.compile(r"[A-Za-z0-9_$.-]*[A-Za-z0-9_$]")


def is_related(test: str, changed: str, read: ReadFile, paths: Collection[str]) -> bool:
    """Whether the file of tests imports or names the changed one, itself or through one file that it names."""
    if test.endswith(".py") and changed.endswith(".py"):
        return imports_module(test, changed, read, paths)
    one, other = PurePosixPath(test), PurePosixPath(changed)
    if one.suffix in _ONE_PACKAGE and one.parent == other.parent:
        return True
    words = _words(read(test) or "")
    if names_of_file(changed) & words:
        return True
    between = [path for path in paths if path not in (test, changed) and names_of_file(path) & words]
    return any(names_of_file(changed) & _words(read(path) or "") for path in sorted(between)[:_MOST_STEPS])


def names_of_file(path: str) -> frozenset[str]:
    """What a text calls a file: its name, with and without its ending."""
    place = PurePosixPath(path)
    stem = place.name.partition(".")[0]
    names = {place.name, place.stem, stem}
    if stem in _OF_FOLDER:
        names = {place.parent.name} if place.parent.name else names
    return frozenset(name for name in names if len(name) > 1)


def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for word in _WORD.findall(text):
        found |= {word, *word.split("."), *word.rsplit(".", 1)[:1]}
    return frozenset(found)

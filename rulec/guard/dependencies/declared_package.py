"""One thing that a project declares to need: its family, name and version as written."""

import re

MOST_LINES = 50_000
LONGEST_LINE = 2_000
_PYTHON = re.compile(
    r"^\s*(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?P<spec>\(?\s*(?:[<>=!~]=?=?|@)[^;#]*)?"
)


class DeclaredPackage:
    """A package, an image or an action; ``pinned`` is False where a version is not asked to be one alone."""

    __slots__ = ("family", "line", "name", "pinned", "spec")

    def __init__(self, family: str, name: str, spec: str, line: int = 0, *, pinned: bool = True) -> None:
        self.family, self.line, self.pinned = family, line, pinned
        self.name, self.spec = name.strip(), spec.strip()

    def __repr__(self) -> str:
        return f"Declared({self.family!r}, {self.name!r}, {self.spec!r}, {self.line!r})"


def parse_requirement(text: str, line: int, *, pinned: bool = True) -> "list[DeclaredPackage]":
    """A requirement as Python's packagers write it."""
    match = _PYTHON.match(text)
    if not match:
        return []
    return [DeclaredPackage("python", match["name"], (match["spec"] or "").strip("() "), line, pinned=pinned)]


def normalised_name(family: str, name: str) -> str:
    """The name as its registry compares it."""
    lowered = name.lower()
    return re.sub(r"[-_.]+", "-", lowered) if family == "python" else lowered


def covers(wanted: str, family: str, name: str) -> bool:
    """Whether a name in a rule means the package: itself, what begins like it before *, or a part of a path."""
    if wanted.endswith("*"):
        return normalised_name(family, name).startswith(normalised_name(family, wanted[:-1]))
    rule, own = normalised_name(family, wanted), normalised_name(family, name)
    if rule == own:
        return True
    if family == "go":
        return own.startswith(rule + "/")
    return family in ("maven", "gradle") and ":" in own and rule in (own.partition(":")[0], own.rpartition(":")[2])

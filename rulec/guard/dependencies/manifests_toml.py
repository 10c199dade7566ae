"""Declarations in TOML, read line by line: enough for the forms in which packages are named."""

import re

from rulec.domain.file_kinds import split_words
from rulec.guard.dependencies.declared_package import DeclaredPackage, parse_requirement

READS = ("pyproject", "pipfile", "cargo", "catalog")
_HEAD = re.compile(r"^\s*\[\[?(?P<name>[^\[\]]+)\]")
_ENTRY = re.compile(r"^\s*(?P<key>[\w.-]+|\"[^\"\n]+\"|'[^'\n]+')\s*=\s*(?P<value>.*)$")
_TEXT = re.compile(r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"?|'(?P<single>[^'\n]*)'?|(?P<sign>[\[\]{}#])")
_VERSION = re.compile(r"\bversion\s*=\s*[\"'](?P<spec>[^\"'\n]*)[\"']")
_ALIAS = re.compile(r"[^=]*=\s*(?:\{[^\"']*\bmodule\s*=\s*)?[\"']([\w.-]+:[\w.-]+)(?::([^\"']*))?[\"']")
_ELSEWHERE = re.compile(r"\b(?:path|git|url|file|workspace|version\.ref|version\.workspace)\s*=|=\s*true\b")
_SETTINGS = frozenset(
    split_words("version name edition rust-version python requires-python license readme description target-version")
)
_SPEC = re.compile(r"[\^~<>=!v]*\d|\*")


def declared_in_toml(kind: str, lines: "list[str]") -> "list[DeclaredPackage]":
    """What the lines of such a file declare."""
    if kind == "catalog":
        return _catalog(lines)
    reader = _TomlLines(kind)
    for number, line in enumerate(lines, 1):
        reader.read(line, number)
    return [one for one in reader.found if one.name.lower() != reader.own.lower()]


class _TomlLines:
    """What is known while one goes down the lines."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.family = "cargo" if kind == "cargo" else "python"
        self.found: "list[DeclaredPackage]" = []
        self.own = ""  # the project's own name, whose extras it may ask for
        self.section = ""
        self.depth = 0  # of brackets that are open
        self.braces = 0
        self.wanted = self.pinned = False

    def read(self, line: str, number: int) -> None:
        head = _HEAD.match(line) if not self.depth else None
        entry = _ENTRY.match(line) if not self.depth and not head else None
        if head and not _ENTRY.match(line) and not line.lstrip().startswith(('["', "['")):
            self.section = head["name"].replace('"', "").replace("'", "").strip()
            if self.family == "cargo" and "dependencies." in self.section:
                self.found.append(DeclaredPackage("cargo", self.section.rpartition(".")[2], "workspace", number))
            return
        if entry:
            self._entry(entry["key"].strip("\"'"), entry["value"], number)
        elif self.depth or (not self.section and re.search(r"[<>=~]=", line)):
            self.wanted, self.pinned = (self.wanted, self.pinned) if self.depth else (True, True)
            self._array(line, number)

    def _entry(self, key: str, value: str, number: int) -> None:
        if key == "name" and self.section in ("project", "package", "tool.poetry"):
            self.own = value.strip().strip("\"'")
        if value.startswith("["):
            self.wanted, self.pinned = self._holds(key)
            self._array(value, number)
        elif self._table() or (not self.section and key not in _SETTINGS and _SPEC.match(value.strip("\"'"))):
            self._named(key, value, number)
        elif self.family == "cargo" and "dependencies." in self.section and key == "version" and self.found:
            self.found[-1].spec, self.found[-1].line = value.strip().strip("\"'"), number

    def _holds(self, key: str) -> "tuple[bool, bool]":
        """Whether an array of this name lists requirements, and whether those are to be one version."""
        section = self.section
        if self.kind != "pyproject":
            return False, False
        if key == "requires" and section in ("", "build-system"):
            return True, False
        if section.startswith("tool.hatch.envs"):
            return key in ("dependencies", "extra-dependencies"), True
        groups = section.endswith(("optional-dependencies", "dependency-groups", "dev-dependencies"))
        return groups or (section in ("", "project", "tool.uv") and key in ("dependencies", "dev-dependencies")), True

    def _table(self) -> bool:
        """Whether each key of this section is a package."""
        section = self.section
        if self.kind == "pipfile":
            return section in ("packages", "dev-packages")
        if self.kind == "cargo":
            return section.endswith("dependencies")
        return section.startswith("tool.poetry") and section.endswith("dependencies")

    def _named(self, key: str, value: str, number: int) -> None:
        if self.family == "python" and key == "python":
            return
        name, dotted, field = key.partition(".")
        version = _VERSION.search(value)
        spec = version["spec"] if version else ""
        if not version and (_ELSEWHERE.search(value) or (dotted and field != "version")):
            spec = "workspace"
        elif not version and value[:1] in "\"'":
            spec = value[1:].partition(value[0])[0]
        family = "poetry" if self.kind == "pyproject" else "cargo" if self.kind == "cargo" else "python"
        self.found.append(DeclaredPackage(family, name, spec, number))

    def _array(self, line: str, number: int) -> None:
        for match in _TEXT.finditer(line):
            sign = match["sign"]
            if sign == "#":
                break
            if sign in ("[", "]"):
                self.depth = max(0, self.depth + (1 if sign == "[" else -1))
            elif sign:
                self.braces = max(0, self.braces + (1 if sign == "{" else -1))
            elif self.wanted and not self.braces:
                self.found += parse_requirement(match["double"] or match["single"] or "", number, pinned=self.pinned)


def _catalog(lines: "list[str]") -> "list[DeclaredPackage]":
    """A version catalogue of Gradle: module = "group:name", or "group:name:version"."""
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0]
        match = _ALIAS.match(text)
        if match:
            version = _VERSION.search(text)
            found.append(
                DeclaredPackage("gradle", match[1], match[2] or (version["spec"] if version else "managed"), number)
            )
    return found

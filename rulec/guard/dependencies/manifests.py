"""The lists in which projects declare what they need -> its names and versions, line by line, also of a fragment."""

import re

from rulec.domain import file_kinds
from rulec.domain.patterns import globs
from rulec.guard.dependencies import manifests_code, manifests_toml
from rulec.guard.dependencies.declared_package import LONGEST_LINE, MOST_LINES, DeclaredPackage, parse_requirement

_KINDS = {  # family -> the files in which it is declared
    "npm": ["package.json"],
    "composer": ["composer.json"],
    "pyproject": ["pyproject.toml"],
    "pipfile": ["Pipfile"],
    "cargo": ["Cargo.toml"],
    "catalog": ["*.versions.toml"],
    "requirements": file_kinds.split_words("*requirements*.txt *requirements*.in requirements/*.txt requirements/*.in"),
    "setup": ["setup.cfg"],
    "go": ["go.mod"],
    "gem": ["Gemfile", "*.gemspec"],
    "maven": ["pom.xml"],
    "gradle": ["*.gradle", "*.gradle.kts"],
    "docker": file_kinds.split_words("Dockerfile Dockerfile.* *.dockerfile Containerfile"),
    "compose": ["{docker-,}compose*.{yml,yaml}"],
    "actions": [".github/workflows/*.{yml,yaml}", "action.{yml,yaml}"],
}
FILES = [glob for kind in _KINDS.values() for glob in kind]
_TOKEN = re.compile(r"\"(?P<text>(?:[^\"\\\n]|\\.)*)\"?|(?P<sign>[{}\[\]:,])|(?P<line>\n)")
_SECTIONS = {
    "npm": file_kinds.split_words("dependencies devDependencies optionalDependencies peerDependencies"),
    "composer": file_kinds.split_words("require require-dev"),
}
# Settings that look like a name and its version, where a fragment does not show what they stand in.
_SETTINGS = frozenset(
    file_kinds.split_words("version name main type license node npm yarn pnpm engines private php types packageManager")
)
_REQUIREMENT = re.compile(r"^\s*(?P<what>[A-Za-z0-9][\w.-]*\s*(?:\[|[<>=!~@;#]|$).*)$")
_BARE = re.compile(r"^\s+(?P<what>[A-Za-z0-9][\w.-]*\s*(?:\[|[<>=!~@;#]|$).*)$")
_SECTION = re.compile(r"^\[(?P<name>[^\]]*)\]")
_KEY = re.compile(r"^(?P<key>[\w.-]+)\s*[:=](?P<rest>.*)$")


def kind_of(path: str) -> str:
    """The family of declarations that a file holds, "" where it is no such file."""
    return next((kind for kind, wanted in _KINDS.items() if globs.match(wanted, path)), "")


def declared_packages(path: str, text: str) -> "list[DeclaredPackage]":
    """What a manifest, or a piece of one, declares."""
    lines = text.replace("\r\n", "\n").split("\n")[:MOST_LINES]
    kind = kind_of(path)
    if kind in _SECTIONS:
        return _json(kind, "\n".join(lines))
    lines = [line[:LONGEST_LINE] for line in lines]
    if kind == "requirements":
        return _requirements(lines, pinned=not path.endswith(".in"))
    if kind == "setup":
        return _setup(lines)
    if kind in manifests_toml.READS:
        return manifests_toml.declared_in_toml(kind, lines)
    return manifests_code.READS[kind](lines) if kind in manifests_code.READS else []


def _json(kind: str, text: str) -> "list[DeclaredPackage]":
    """Pairs of name and version; what a fragment leaves open is told by what they look like."""
    found: "list[DeclaredPackage]" = []
    stack: "list[str | None]" = []
    key, value, line, colon = "", "", 1, False
    for match in _TOKEN.finditer(text):
        sign = match["sign"]
        if match["line"]:
            line += 1
        elif sign in ("{", "["):
            stack.append(key if colon and sign == "{" else None)
            key, colon = "", False
        elif sign in ("}", "]"):
            stack = stack[:-1]
            key, colon = "", False
        elif sign == ":":
            key, colon = value, True
        elif sign == ",":
            key, colon = "", False
        elif colon:
            found += _pair(kind, stack, key, match["text"], line)
            key, colon = "", False
        else:
            value = match["text"]
    return found


def _pair(kind: str, stack: "list[str | None]", key: str, spec: str, line: int) -> "list[DeclaredPackage]":
    section = stack[-1] if stack else ""
    likely = not stack and key not in _SETTINGS and bool(re.match(r"[\^~<>=v]*\d|\*|latest|workspace:|npm:", spec))
    if not (section in _SECTIONS[kind] or likely) or (kind == "composer" and "/" not in key):
        return []
    return [DeclaredPackage(kind, key, spec, line, pinned=section != "peerDependencies")]


def _requirements(lines: "list[str]", *, pinned: bool) -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match = _REQUIREMENT.match(line)
        if match:
            found += parse_requirement(match["what"].partition(" --")[0].rstrip("\\ "), number, pinned=pinned)
    return found


def _setup(lines: "list[str]") -> "list[DeclaredPackage]":
    """The requirements of setup.cfg: values of some keys, and all keys of one section."""
    found: "list[DeclaredPackage]" = []
    section, wanted = "", False
    for number, line in enumerate(lines, 1):
        head, entry = _SECTION.match(line), _KEY.match(line)
        text = ""
        if head:
            section, wanted = head["name"], False
        elif entry:
            wanted = "extras_require" in section or entry["key"] in ("install_requires", "setup_requires")
            text = "  " + entry["rest"].strip() if wanted else ""
        elif wanted or not section:
            text = line if wanted or re.search(r"[<>=~]=", line) else ""
        match = _BARE.match(text) if text.strip() else None
        found += parse_requirement(match["what"], number) if match else []
    return found

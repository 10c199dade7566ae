"""A dependency as a manifest or a command declares it, and whether its version is pinned."""

from __future__ import annotations

import itertools
import re

from rulec.shell.command_matching import matches
from rulec.shell.parsing.call import Call, takes_value
from rulec.shell.programs import facts_of, names_with, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


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


def parse_requirement(text: str, line: int, *, pinned: bool = True) -> list[DeclaredPackage]:
    """A requirement as Python's packagers write it."""
    match = _PYTHON.match(text)
    if not match:
        return []
    return [DeclaredPackage("python", match["name"], (match["spec"] or "").strip("() "), line, pinned=pinned)]


_REPOSITORY = re.compile(
    r"^(?:git\+|hg\+|svn\+|bzr\+)?(?:\w+://(?:[^/@\s]+@)?[\w.-]+(?::\d+)?/|git@[\w.-]+[:/]|git(?:hub|lab):|bitbucket:)?"
    r"(?:[\w.-]+/)+?(?P<name>[\w.-]+?)(?:\.git)?(?:/(?:archive|releases|tree|tarball|zipball|-)/.*|/)?(?:[@#?].*)?$"
)


def repository_name(address: str) -> str:
    """The name of the package that stands at the address of a repository, "" where the address does not tell it."""
    egg = re.search(r"#(?:.*&)?egg=([\w.-]+)", address)
    match = egg or _REPOSITORY.match(address)
    return match[1] if match and not address.startswith(("file:", ".", "/", "~")) else ""


def normalised_name(family: str, name: str) -> str:
    """The name as its registry compares it."""
    lowered = name.lower()
    return re.sub(r"[-_.]+", "-", lowered) if family == "python" else lowered


def names_package(wanted: str, family: str, name: str) -> bool:
    """Whether a name in a rule means the package: itself, what begins like it before *, or a part of a path."""
    if wanted.endswith("*"):
        return normalised_name(family, name).startswith(normalised_name(family, wanted[:-1]))
    rule, own = normalised_name(family, wanted), normalised_name(family, name)
    if rule == own:
        return True
    if family == "go":
        return own.startswith(rule + "/")
    return family in ("maven", "gradle") and ":" in own and rule in (own.partition(":")[0], own.rpartition(":")[2])


_NUMBERED = re.compile(r"[=v]*\s*\d+\.\d+\.\d+(?:[-+.][\w.+-]+)?$")
_LOCAL = ("workspace", "file:", "link:", "portal:", "catalog:", "patch:", "http:", "https:", "./", "../", "/", "~/")
_MOVING = (
    "latest",
    "main",
    "master",
    "head",
    "develop",
    "dev",
    "edge",
    "nightly",
    "stable",
    "trunk",
    "rolling",
    "next",
)
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?$")
_JVM = re.compile(r"^[\[(]|^(?:LATEST|RELEASE)$|\+$|^latest\.|-SNAPSHOT$")
_SHARED = re.compile(r"[\^~<>!*|]|^\s*$|^latest$|^[v=]?\d+(?:\.\d+)?$|\.x\b", re.IGNORECASE)


def is_unpinned(one: DeclaredPackage, *, digest: bool = False) -> bool:
    """Whether it may; ``digest``: images and actions count as fixed by their digest or commit alone."""
    if not one.pinned or "$" in one.spec or "{{" in one.spec or "$" in one.name:
        return False
    return _image(one, digest=digest) if one.family in ("image", "action") else _FLOATS[one.family](one.spec)


def _image(one: DeclaredPackage, *, digest: bool) -> bool:
    if one.spec.startswith("@sha256:") or _COMMIT.match(one.spec):
        return False
    return digest or not one.spec or one.spec.lower().removeprefix("@") in _MOVING


def _npm(spec: str) -> bool:
    if spec.startswith("npm:"):
        spec = spec[4:].rpartition("@")[2]
    if spec.startswith(_LOCAL):
        return False
    if "#" in spec:
        return "#semver:" in spec
    return not _NUMBERED.match(spec)


def _python(spec: str) -> bool:
    if spec.startswith("@") or spec == "workspace":
        return False
    exact = [part for part in spec.split(",") if part.strip().startswith("==") and "*" not in part]
    return not exact


def _poetry(spec: str) -> bool:
    return spec != "workspace" and bool(_SHARED.search(spec.removeprefix("=="))) and not _fixed(spec)


def _fixed(spec: str) -> bool:
    return bool(re.match(r"==\s*[\w.+-]+$", spec)) and "*" not in spec


def _cargo(spec: str) -> bool:
    return spec != "workspace" and not _NUMBERED.match(spec)


def _gem(spec: str) -> bool:
    return spec != "elsewhere" and not re.match(r"=?\s*\d[\w.]*$", spec)


def _composer(spec: str) -> bool:
    if spec.startswith("dev-") and "#" in spec:
        return False
    return not re.match(r"v?\d+(?:\.\d+){1,3}(?:-\w+)?$", spec)


def _jvm(spec: str) -> bool:
    return bool(_JVM.search(spec))


_FLOATS: dict[str, Callable[[str], bool]] = {
    "npm": _npm,
    "python": _python,
    "poetry": _poetry,
    "cargo": _cargo,
    "gem": _gem,
    "composer": _composer,
    "maven": _jvm,
    "gradle": _jvm,
    "go": lambda _: False,  # go.mod holds one version alone
}


COMMANDS = names_with("brings")  # they install the packages that they name
WITH = names_with("fetches")  # they run something with packages that are fetched for it
PATTERNS = [*COMMANDS, *WITH]
_GLOBAL = ("-g", "--global", "--location=global")
_EXACT = ("-E", "--save-exact", "--exact")
_ELSEWHERE = re.compile(r"^(?:[./~]|\w+\+?\w*://|git\+|file:|git@|git(?:hub|lab):|bitbucket:|[\w.-]+/[\w.-]+(?:#.*)?$)")
_BUILT = (".whl", ".tgz", ".tar.gz", ".zip", ".gem")
_INSTALLERS = ("pip", "setuptools", "wheel")  # upgraded before anything is installed, and no part of a project
_SCOPED = re.compile(r"^(?P<name>(?:npm:|jsr:)?@?[^@\s]+)(?:@(?P<spec>.+))?$")


def installed_packages(call: Call) -> list[DeclaredPackage]:
    """What a command brings along; nothing where it only restores, or installs for the whole machine."""
    for pattern in COMMANDS:
        if matches(pattern, call):
            facts = facts_of(pattern)
            family, writes = facts["brings"], "manifest" in facts
            if any(word in _GLOBAL for word in call.argv) and family == "npm":
                return []
            exact = any(word in _EXACT for word in call.argv)
            names = _operands(call.argv, pattern, valued_options(pattern))
            found = [one for name in names for one in _named(family, name, pinned=writes and not exact)]
            return [one for one in found if writes or one.name not in _INSTALLERS]
    for pattern in WITH:
        if matches(pattern, call):
            facts = facts_of(pattern)
            names = [name for value in _values(call.argv, facts["packages"].split()) for name in value.split(",")]
            return [one for name in names for one in _named(facts["fetches"], name, pinned=False)]
    return []


def _values(argv: list[str], options: list[str]) -> list[str]:
    """What the options are given, as the next word or behind ``=``."""
    found = [word.partition("=")[2] for word in argv if word.partition("=")[0] in options and "=" in word]
    return found + [after for word, after in itertools.pairwise(argv) if word in options]


def _operands(argv: list[str], pattern: str, valued: list[str]) -> list[str]:
    """The words behind the subcommand that are no options and no values of options."""
    known = pattern.split()[1:]
    last = next((at for at in range(len(argv) - 1, -1, -1) if argv[at] in known), -1)
    if last < 0:  # an alias such as npm i
        last = next((at for at, word in enumerate(argv) if at and not word.startswith("-")), len(argv))
    found, skip = [], False
    for word in argv[last + 1 :]:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = takes_value(word, valued)
        elif (
            word != "."
            and not word.startswith(("./", "../", "/"))
            and (not word.endswith(_BUILT) or "://" in word)
            and "$" not in word
        ):
            found.append(word)
    return found


def _named(family: str, word: str, *, pinned: bool) -> list[DeclaredPackage]:
    if family == "python":
        if _ELSEWHERE.match(word):
            return _fetched(family, word)
        name, _, spec = word.partition("@")
        if name and spec and "/" not in spec and not name.endswith(" "):  # poetry add name@^1
            return [DeclaredPackage("poetry", name, spec, pinned=pinned)]
        return [_asked(one) for one in parse_requirement(word, 0, pinned=pinned)]
    if family == "composer":
        name, _, spec = word.replace("=", ":").partition(":")
        return [_asked(DeclaredPackage(family, name, spec, pinned=pinned))] if "/" in name else []
    if family == "go":
        name, _, spec = word.partition("@")
        return [DeclaredPackage(family, name, spec, pinned=False)] if "." in name.partition("/")[0] else []
    _, alias, target = word.rpartition("@npm:")
    word = target if alias else word
    if family == "npm" and not word.startswith(("@", "npm:")) and _ELSEWHERE.match(word):
        return _fetched(family, word)
    match = _SCOPED.match(word)
    if not match:
        return []
    name = match["name"].removeprefix("npm:").removeprefix("jsr:")
    return [_asked(DeclaredPackage(family, name, match["spec"] or "", pinned=pinned))]


def _fetched(family: str, address: str) -> list[DeclaredPackage]:
    """The package that is fetched from an address, as far as that tells its name."""
    name = repository_name(address)
    return [DeclaredPackage(family, name, f"@ {address}", pinned=False)] if name else []


def _asked(one: DeclaredPackage) -> DeclaredPackage:
    """Without a version the command itself chooses one, and what it then writes is judged in the manifest."""
    one.pinned = one.pinned and bool(one.spec)
    return one

"""A dependency as a manifest or a command declares it, and whether its version is pinned."""

from __future__ import annotations

import re

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

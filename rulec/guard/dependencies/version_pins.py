"""Whether a version as it is declared may turn into another one by itself."""

import re

from rulec.guard.dependencies.declared_package import DeclaredPackage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


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


def floats(one: DeclaredPackage, *, digest: bool = False) -> bool:
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


_FLOATS: "dict[str, Callable[[str], bool]]" = {
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

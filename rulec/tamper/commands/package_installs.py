"""Installers that would put something else in the place of what the gate runs on."""

import re

from rulec.shell.command_matching import program_names
from rulec.shell.parsing.call import join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


INSTALLERS = frozenset(["pip", "pipx", "uv", "conda", "mamba", "brew", "poetry", "pdm"])
INSTALLING = frozenset(["install", "add", "inject", "reinstall"])
PACKAGES = frozenset(["rulec", "semgrep", "pre-commit", "prek"])
JUDGING = frozenset(["rulec", "semgrep"])  # an older one of these may see less than the rules were proved with
ASIDE_OPTIONS = ("--target", "-t", "--prefix", "--root", "--dry-run")  # nothing of it is where the gate looks
_ARCHIVE = (".whl", ".zip", ".git", ".tar.gz", ".tgz", ".tar.bz2")
_NAMED = re.compile(r"([A-Za-z][\w.-]*?)\s*(?:\[[^\]]*\])?\s*(==?=?|~=|<=?|@|$)\s*(.*)", re.DOTALL)
_OF_PROJECT = re.compile(r"^\s*name\s*=\s*[\"']?([\w.-]+)|\bname\s*=\s*[\"']([\w.-]+)", re.MULTILINE)
_VERSION = re.compile(r"[-_]v?\d.*$")
MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py")
LONGEST = 300


def replaces_package(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether a package of the gate's own comes from a path or an address, or is put back to an old version."""
    if INSTALLERS.isdisjoint(program_names(call)):
        return False
    at = next((at for at, word in enumerate(call.argv) if at and word in INSTALLING), 0)
    if not at or any(word.partition("=")[0] in ASIDE_OPTIONS for word in call.argv[at:]):
        return False
    return any(_takes_place(event, call, word) for word in call.argv[at + 1 :]) and not _is_rulec_repository(event)


def _takes_place(event: "dict[str, Any]", call: "Call", word: str) -> bool:
    found = _NAMED.fullmatch(word[:LONGEST])
    if found and "/" not in found[1]:
        name, sign, rest = _normal_name(found[1]), found[2], found[3]
        if name in PACKAGES and "://" in rest:
            return True
        if sign and name in JUDGING:
            return rest != "latest"
    word = word.partition("=")[2] if word.startswith("--editable=") else word
    if word.startswith("-") or not ("/" in word or word.endswith(_ARCHIVE) or word in (".", "..")):
        return False
    return (_package_of_folder(event, call, word) or _package_of_address(word)) in PACKAGES


def _package_of_address(place: str) -> str:
    """The name of the package at a path or an address, as far as its own name says it."""
    egg = re.search(r"[#&]egg=([\w.-]+)", place)
    last = egg[1] if egg else re.split(r"[@#?]", place.rstrip("/"))[0].rstrip("/").rpartition("/")[2]
    for ending in _ARCHIVE:
        last = last.removesuffix(ending)
    name = _normal_name(_VERSION.sub("", last))
    return next((ours for ours in PACKAGES if name.endswith("-" + ours)), name)


def _package_of_folder(event: "dict[str, Any]", call: "Call", place: str) -> str:
    """The name that the project in that folder gives itself."""
    world = event.get("world")
    if not world or "://" in place:
        return ""
    folder = join_path(join_path(str(event.get("cwd") or ""), call.cwd), place.partition("[")[0])
    return _named_in(world, folder)


def _named_in(world: "Any", folder: str) -> str:
    for name in MANIFESTS:
        found = _OF_PROJECT.search(world.read(f"{folder}/{name}" if folder else name) or "")
        if found:
            return _normal_name(found[1] or found[2])
    return ""


def _is_rulec_repository(event: "dict[str, Any]") -> bool:
    """Whether the repository is rulec's own, where it is installed from its folder at every turn."""
    world = event.get("world")
    return bool(world) and _named_in(world, "") == "rulec"


def _normal_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

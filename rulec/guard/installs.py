"""Packages that a command brings into a project: which commands do, and the packages that they name."""

import itertools
import re

from rulec.guard.declared_package import DeclaredPackage, parse_requirement, repository_name
from rulec.shell.command_matching import matches
from rulec.shell.parsing.call import Call, takes_value
from rulec.shell.programs import facts_of, names_with, valued_options

COMMANDS = names_with("brings")  # they install the packages that they name
WITH = names_with("fetches")  # they run something with packages that are fetched for it
PATTERNS = [*COMMANDS, *WITH]
_GLOBAL = ("-g", "--global", "--location=global")
_EXACT = ("-E", "--save-exact", "--exact")
_ELSEWHERE = re.compile(r"^(?:[./~]|\w+\+?\w*://|git\+|file:|git@|git(?:hub|lab):|bitbucket:|[\w.-]+/[\w.-]+(?:#.*)?$)")
_BUILT = (".whl", ".tgz", ".tar.gz", ".zip", ".gem")
_INSTALLERS = ("pip", "setuptools", "wheel")  # upgraded before anything is installed, and no part of a project
_SCOPED = re.compile(r"^(?P<name>(?:npm:|jsr:)?@?[^@\s]+)(?:@(?P<spec>.+))?$")


def installed_packages(call: Call) -> "list[DeclaredPackage]":
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


def _values(argv: "list[str]", options: "list[str]") -> "list[str]":
    """What the options are given, as the next word or behind ``=``."""
    found = [word.partition("=")[2] for word in argv if word.partition("=")[0] in options and "=" in word]
    return found + [after for word, after in itertools.pairwise(argv) if word in options]


def _operands(argv: "list[str]", pattern: str, valued: "list[str]") -> "list[str]":
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


def _named(family: str, word: str, *, pinned: bool) -> "list[DeclaredPackage]":
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


def _fetched(family: str, address: str) -> "list[DeclaredPackage]":
    """The package that is fetched from an address, as far as that tells its name."""
    name = repository_name(address)
    return [DeclaredPackage(family, name, f"@ {address}", pinned=False)] if name else []


def _asked(one: DeclaredPackage) -> DeclaredPackage:
    """Without a version the command itself chooses one, and what it then writes is judged in the manifest."""
    one.pinned = one.pinned and bool(one.spec)
    return one

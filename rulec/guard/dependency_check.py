"""Dependencies: whether a rule forbids a package that a command installs or a manifest declares."""

import re

from rulec.guard import declared_package, manifests, scopes
from rulec.guard.declared_package import DeclaredPackage, names_package, normalised_name, parse_requirement
from rulec.shell import action_events
from rulec.shell.command_matching import matches
from rulec.shell.parsing.call import Call, takes_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_PYTHON = "-r --requirement -c --constraint -e --editable -i --index-url --extra-index-url -t --target -f --find-links"
# pattern of the command -> family, options with a value, whether it writes what it brings into a manifest
COMMANDS: "tuple[tuple[str, str, str, bool], ...]" = (
    ("npm install", "npm", "--registry --prefix -w --workspace --tag -C --cache", True),
    ("pnpm add|install", "npm", "--registry --filter -F -C --dir", True),
    ("yarn add", "npm", "--cwd --registry", True),
    ("yarn workspace add", "npm", "--cwd --registry", True),
    ("bun add|install", "npm", "--cwd --registry", True),
    ("deno add|install", "npm", "", True),
    ("uv add", "python", f"{_PYTHON} --group --extra --optional --index --tag --rev --branch --package", True),
    ("poetry add", "python", "-G --group --source -E --extras -C --directory --python --platform", True),
    ("pdm add", "python", "-G --group -p --project", True),
    ("pipenv install", "python", _PYTHON, True),
    ("pip install", "python", _PYTHON, False),
    ("uv pip install", "python", _PYTHON, False),
    ("conda install", "python", "-n --name -p --prefix -c --channel", False),
    ("go get", "go", "-C", True),
    (
        "cargo add",
        "cargo",
        "--features -F -p --package --path --git --branch --tag --rev --rename --manifest-path",
        True,
    ),
    ("bundle add", "gem", "--version -v --group -g --source -s --git --path --branch --ref", True),
    ("gem install", "gem", "-v --version --source -s", False),
    ("composer require", "composer", "-d --working-dir", True),
)
PATTERNS = [pattern for pattern, _, _, _ in COMMANDS]
_GLOBAL = ("-g", "--global", "--location=global")
_EXACT = ("-E", "--save-exact", "--exact")
_ELSEWHERE = re.compile(r"^(?:[./~]|\w+\+?\w*://|git\+|file:|git@|[\w.-]+/[\w.-]+(?:#.*)?$)")
_BUILT = (".whl", ".tgz", ".tar.gz", ".zip", ".gem")
_INSTALLERS = ("pip", "setuptools", "wheel")  # upgraded before anything is installed, and no part of a project
_SCOPED = re.compile(r"^(?P<name>(?:npm:|jsr:)?@?[^@\s]+)(?:@(?P<spec>.+))?$")


def installed_packages(call: Call) -> "list[DeclaredPackage]":
    """What a command brings along; nothing where it only restores, or installs for the whole machine."""
    for pattern, family, valued, writes in COMMANDS:
        if matches(pattern, call):
            if any(word in _GLOBAL for word in call.argv) and family == "npm":
                return []
            exact = any(word in _EXACT for word in call.argv)
            names = _operands(call.argv, pattern, valued.split())
            found = [one for name in names for one in _named(family, name, pinned=writes and not exact)]
            return [one for one in found if writes or one.name not in _INSTALLERS]
    return []


def _operands(argv: "list[str]", pattern: str, valued: "list[str]") -> "list[str]":
    """The words behind the subcommand that are no options and no values of options."""
    known = {word for part in pattern.split()[1:] for word in part.split("|")}
    last = next((at for at in range(len(argv) - 1, -1, -1) if argv[at] in known), -1)
    if last < 0:  # an alias such as npm i
        last = next((at for at, word in enumerate(argv) if at and not word.startswith("-")), len(argv))
    found, skip = [], False
    for word in argv[last + 1 :]:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = takes_value(word, valued)
        elif word != "." and not word.startswith(("./", "../", "/")) and not word.endswith(_BUILT) and "$" not in word:
            found.append(word)
    return found


def _named(family: str, word: str, *, pinned: bool) -> "list[DeclaredPackage]":
    if family == "python":
        name, _, spec = word.partition("@")
        if name and spec and "/" not in spec and not name.endswith(" "):  # poetry add name@^1
            return [DeclaredPackage("poetry", name, spec, pinned=pinned)]
        found = parse_requirement(word, 0, pinned=pinned) if not _ELSEWHERE.match(word) else []
        return [_asked(one) for one in found]
    if family == "composer":
        name, _, spec = word.replace("=", ":").partition(":")
        return [_asked(DeclaredPackage(family, name, spec, pinned=pinned))] if "/" in name else []
    if family == "go":
        name, _, spec = word.partition("@")
        return [DeclaredPackage(family, name, spec, pinned=False)] if "." in name.partition("/")[0] else []
    match = _SCOPED.match(word)
    if not match or (family == "npm" and not word.startswith("@") and _ELSEWHERE.match(word)):
        return []
    name = match["name"].removeprefix("npm:").removeprefix("jsr:")
    return [_asked(DeclaredPackage(family, name, match["spec"] or "", pinned=pinned))]


def _asked(one: DeclaredPackage) -> DeclaredPackage:
    """Without a version the command itself chooses one, and what it then writes is judged in the manifest."""
    one.pinned = one.pinned and bool(one.spec)
    return one


_OF = {"image": "images", "action": "actions"}
MOST_FOUND = 20


def check_install(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on the packages that a command brings along."""
    found = []
    for call in action_events.parsed_command(event).calls:
        wrong = [one for one in installed_packages(call) if _wrong(rule["check"], one)]
        if wrong and scopes.holds_folder(rule["facts"].get("scope", {}), event, call):
            cure = _cure(rule["check"], wrong[0])
            text = action_events.command_line(call.argv)
            found.append(action_events.finding_of(rule["facts"]["slug"], text=text, program=call.program, cure=cure))
    return found


def check_manifest(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what a manifest declares now and did not before."""
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    scope, check = rule["facts"].get("scope", {}), rule["check"]
    for path in (event["path"], *event.get("also", ())):
        if manifests.kind_of(path) and scopes.holds_path(scope, path):
            wrong = [one for one in _added(check, path, event) if _wrong(check, one)]
            return [
                action_events.finding_of(
                    rule["facts"]["slug"], path=path, line=one.line, text=_describe(one), cure=_cure(check, one)
                )
                for one in wrong[:MOST_FOUND]
            ]
    return []


def brought_names(event: "dict[str, Any]") -> "list[str]":
    """The names of all packages that an action brings into a project."""
    return [one.name for one in _brought_by_command({"forbid": ["*"]}, event) if one.family not in _OF]


def concerns(check: "dict[str, Any]", event: "dict[str, Any]") -> bool:
    """Whether the check finds anything in an action."""
    return any(_wrong(check, one) for one in _brought_by_command(check, event))


def _brought_by_command(check: "dict[str, Any]", event: "dict[str, Any]") -> "list[DeclaredPackage]":
    if event["kind"] == "command":
        return [one for call in action_events.parsed_command(event).calls for one in installed_packages(call)]
    return _added(check, event["path"], event) if manifests.kind_of(event["path"]) else []


def _added(check: "dict[str, Any]", path: str, event: "dict[str, Any]") -> "list[DeclaredPackage]":
    """What is new: a name for rules on names, a name with its version for rules on versions."""
    content = event.get("content")
    whole = isinstance(content, str)
    before = event.get("disk") if whole and event["kind"] == "edit" and "disk" in event else event.get("old")
    new = manifests.declared_packages(path, content if isinstance(content, str) else event.get("new") or "")
    old = {_key(check, one) for one in manifests.declared_packages(path, before or "")}
    return [one for one in new if _key(check, one) not in old]


def _key(check: "dict[str, Any]", one: DeclaredPackage) -> "tuple[str, ...]":
    name = normalised_name(one.family, one.name)
    return (name, one.spec) if check.get("pin") else (name,)


def _wrong(check: "dict[str, Any]", one: DeclaredPackage) -> bool:
    if any(names_package(name, one.family, one.name) for name in check.get("except", [])):
        return False
    if check.get("pin"):
        return _OF.get(one.family, "packages") in check["pin"] and declared_package.is_unpinned(
            one, digest=bool(check.get("digest"))
        )
    return one.family not in _OF and any(names_package(name, one.family, one.name) for name in check["forbid"])


def _describe(one: DeclaredPackage) -> str:
    shown = f"{one.name} {one.spec}".strip()
    return " ".join(shown.split())[: action_events.LONGEST_SHOWN]


def _cure(check: "dict[str, Any]", one: DeclaredPackage) -> str:
    if check.get("pin"):
        fixed = {"image": "a tag of one version, or its digest", "action": "the commit of one version"}
        return f"give {one.name} {fixed.get(one.family, 'one exact version')}"
    instead = check.get("instead", "")
    return f"use {instead} instead of {one.name}" if instead else f"do without {one.name}"

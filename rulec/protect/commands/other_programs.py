"""Programs beside git that would disarm the gate: installers, other hook managers, killers, forges, other agents."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables
from rulec.protect import installed_package
from rulec.protect.guarded_files import is_protected
from rulec.shell.command_matching import matches, program_names
from rulec.shell.git import branches
from rulec.shell.parsing.call import join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


INSTALLING_PROGRAMS = frozenset(["pip", "pipx", "uv", "conda", "mamba", "brew", "poetry", "pdm"])
INSTALLING = frozenset(["install", "add", "inject", "reinstall"])
GATE_PACKAGES = frozenset(["rulec", "semgrep", "pre-commit", "prek"])
JUDGING = frozenset(["rulec", "semgrep"])  # an older one of these may see less than the rules were proved with
ASIDE_OPTIONS = ("--target", "-t", "--prefix", "--root", "--dry-run")  # nothing of it is where the gate looks
_ARCHIVE = (".whl", ".zip", ".git", ".tar.gz", ".tgz", ".tar.bz2")
_NAMED = re.compile(r"([A-Za-z][\w.-]*?)\s*(?:\[[^\]]*\])?\s*(==?=?|~=|<=?|@|$)\s*(.*)", re.DOTALL)
_OF_PROJECT = re.compile(r"^\s*name\s*=\s*[\"']?([\w.-]+)|\bname\s*=\s*[\"']([\w.-]+)", re.MULTILINE)
_VERSION = re.compile(r"[-_]v?\d.*$")
MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py")
LARGEST_PROJECT_FILE = 300


def replaces_package(event: dict[str, Any], call: Call) -> bool:
    """Whether a package of the gate is installed from a path or a URL, or in an old version."""
    if INSTALLING_PROGRAMS.isdisjoint(program_names(call)):
        return False
    at = next((at for at, word in enumerate(call.argv) if at and word in INSTALLING), 0)
    if not at or any(word.partition("=")[0] in ASIDE_OPTIONS for word in call.argv[at:]):
        return False
    return any(_takes_place(event, call, word) for word in call.argv[at + 1 :]) and not _is_rulec_repository(event)


def _takes_place(event: dict[str, Any], call: Call, word: str) -> bool:
    found = _NAMED.fullmatch(word[:LARGEST_PROJECT_FILE])
    if found and "/" not in found[1]:
        name, sign, rest = _normal_name(found[1]), found[2], found[3]
        if name in GATE_PACKAGES and "://" in rest:
            return True
        if sign and name in JUDGING:
            return rest != "latest"
    word = word.partition("=")[2] if word.startswith("--editable=") else word
    if word.startswith("-") or not ("/" in word or word.endswith(_ARCHIVE) or word in (".", "..")):
        return False
    return (_package_of_folder(event, call, word) or _package_of_address(word)) in GATE_PACKAGES


def _package_of_address(place: str) -> str:
    """The name of the package at a path or a URL, taken from its last part."""
    egg = re.search(r"[#&]egg=([\w.-]+)", place)
    last = egg[1] if egg else re.split(r"[@#?]", place.rstrip("/"))[0].rstrip("/").rpartition("/")[2]
    for ending in _ARCHIVE:
        last = last.removesuffix(ending)
    name = _normal_name(_VERSION.sub("", last))
    return next((package for package in GATE_PACKAGES if name.endswith("-" + package)), name)


def _package_of_folder(event: dict[str, Any], call: Call, place: str) -> str:
    """The project name that the folder's pyproject.toml, setup.cfg or setup.py declares."""
    world = event.get("world")
    if not world or "://" in place:
        return ""
    folder = join_path(join_path(str(event.get("cwd") or ""), call.cwd), place.partition("[")[0])
    return _named_in(world, folder)


def _named_in(world: Any, folder: str) -> str:
    for name in MANIFESTS:
        found = _OF_PROJECT.search(world.read(f"{folder}/{name}" if folder else name) or "")
        if found:
            return _normal_name(found[1] or found[2])
    return ""


def _is_rulec_repository(event: dict[str, Any]) -> bool:
    """Whether this is rulec's repository, whose developers install it from its folder."""
    world = event.get("world")
    return bool(world) and _named_in(world, "") == "rulec"


def _normal_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


INSTALLERS = frozenset(
    ["pip", "pipx", "uv", "conda", "mamba", "brew", "apt", "apt-get", "poetry", "pdm", "npm", "pnpm", "yarn", "cargo"]
)
PACKAGES = frozenset(["rulec", "semgrep", "pre-commit", "prek", "@j178/prek"])
REMOVING = frozenset(["uninstall", "remove", "rm", "purge", "un", "reinstall"])
KILLERS = ("kill", "pkill", "killall", "skill", "fuser")
LOOKERS = ("pgrep", "pidof", "ps")
GATE_PROCESSES = r"\b(?:rulec|pre[-_]commit|semgrep|prek)\b"
OTHER_HOOKS: list[tuple[str, list[str]]] = [  # pattern, unless
    ("husky init|install|uninstall", []),
    ("lefthook install --force|-f", []),
    ("lefthook uninstall", []),
    ("overcommit --install|-i|--uninstall|-u", []),
    ("git-lfs install --force|-f", []),
    ("jj git init", ["jj git init --no-colocate"]),
    ("gt --no-verify", []),
    ("isogit commit", []),
    ("dulwich commit", []),
]
FORGES: list[tuple[str, list[str]]] = [
    ("gh pr merge --admin", []),
    ("gh workflow disable", []),
    ("glab mr merge --skip-ci", []),
]
SENDS = ("-f", "-F", "--field", "--raw-field", "--input")
WRITES_TO = (  # places of a forge's API through which a branch or its protection changes
    r"(?:^|/)(?:contents/|git/(?:refs|commits|trees|blobs)\b|merges$|branches/[^/\s]+/protection|rulesets(?:/|$)|"
    r"actions/workflows/[^/\s]+/disable|protected_branches|repository/(?:files|commits)\b)"
)
NEW_REF = r"\bref[\"']?\s*[=:]\s*[\"']?refs/heads/([\w./-]+)"  # of a branch that a request makes
MUTATES = r"\b(?:createCommitOnBranch|updateRef|createRef|mergeBranch|(?:delete|update)BranchProtectionRule)\b"
FORGE_HOSTS = ("api.github.com", "/api/v3/", "/api/v4/")
HOOKS_OFF = "|".join(
    re.escape(key) if value else rf"\b{re.escape(key)}\s*=\s*false" for key, value in agent_tables.OFF.items()
)


def other_program_disarms(event: dict[str, Any], call: Call) -> bool:
    """Whether the command removes what the gate runs on, or bypasses it by another program."""
    return any(
        check(event, call)
        for check in (_uninstalls, _installs, _clears, _kills, _other_hooks, _by_forge, _by_agent, _mounts)
    )


def _uninstalls(_: dict[str, Any], call: Call) -> bool:
    """``pip uninstall`` and the like of the gate's packages."""
    if INSTALLERS.isdisjoint(program_names(call)):
        return False
    words = [word.lower().replace("_", "-") for word in call.argv[1:]]
    return not PACKAGES.isdisjoint(words) and not REMOVING.isdisjoint(words)


def _installs(event: dict[str, Any], call: Call) -> bool:
    """``pip install`` and the like of another package under the name of one of the gate's."""
    if INSTALLERS.isdisjoint(program_names(call)):
        return False

    return replaces_package(event, call)


def _clears(event: dict[str, Any], call: Call) -> bool:
    """``python -m venv --clear`` and the like of the environment that the gate runs from."""
    made = [word for word in call.argv[1:] if not word.startswith("-")]
    return (
        "--clear" in call.argv
        and "venv" in " ".join(call.argv)
        and any(installed_package.lies_within(event, join_path(call.cwd, word)) for word in made)
    )


def _kills(_: dict[str, Any], call: Call) -> bool:
    """``kill`` and the like of a running hook."""
    if call.program not in KILLERS or "-0" in call.argv[1:2] or "-l" in call.argv[1:2]:
        return False
    words = [word for word in call.argv[1:] if not word.startswith("$")]
    looked = [word for source in call.feeds if source.program in (*LOOKERS, "grep", "awk") for word in source.argv[1:]]
    return any(re.search(GATE_PROCESSES, word) for word in [*words, *looked])


def _other_hooks(event: dict[str, Any], call: Call) -> bool:
    """Other hook managers, which would replace the gate's hooks."""
    if call.program == "husky" and len(call.argv) == 1:
        return True
    if matches("jj git init", call):
        world = event.get("world")
        return world.exists(".git") and not matches("jj git init --no-colocate", call) if world else False
    return any(matches(row, call) and not any(matches(other, call) for other in unless) for row, unless in OTHER_HOOKS)


def _by_forge(_: dict[str, Any], call: Call) -> bool:
    """A change made on the server through its API, or a branch protection lifted."""
    if any(matches(row, call) for row, _ in FORGES):
        return True
    text = " ".join([*call.argv[1:], call.stdin])
    if call.program in ("gh", "glab") and "api" in call.argv[1:3]:
        return _writes(call, text)
    if call.program in ("curl", "wget", "http", "https", "xh") and any(host in text for host in FORGE_HOSTS):
        return _writes(call, text)
    return False


def _writes(call: Call, text: str) -> bool:
    """Whether a request changes a branch or its protection; a new branch beside the main ones changes none."""
    if re.search(MUTATES, text):
        return True
    found = [word for word in _places(call.argv) if re.search(WRITES_TO, word)] if _sends(call.argv) else []
    made = re.findall(NEW_REF, text)
    new = made and _method(call.argv) in ("", "POST") and not set(branches.TRUNKS).intersection(made)
    return any(not (new and word.endswith("/git/refs")) for word in found)


def _places(argv: list[str]) -> list[str]:
    """The words that may be an API path: no options, and no ``key=value``."""
    return [
        word.partition("?")[0] for word in argv[1:] if not word.startswith("-") and "=" not in word.partition("?")[0]
    ]


def _method(argv: list[str]) -> str:
    """The method that the request names, or ""."""
    for at, word in enumerate(argv):
        name, equals, value = word.partition("=")
        given = value if equals else argv[at + 1] if at + 1 < len(argv) else ""
        if name in ("-X", "--method", "--request") or (word[:2] == "-X" and len(word) > 2):
            return (word[2:] if word[:2] == "-X" and len(word) > 2 else given).upper()
    return ""


def _sends(argv: list[str]) -> bool:
    """Whether the request changes something."""
    method = _method(argv)
    if method:
        return method not in ("GET", "HEAD")
    if any(word.upper() in ("PUT", "POST", "PATCH", "DELETE") for word in argv[1:]):
        return True
    sends = (*SENDS, "-d", "--data", "--data-raw", "--data-binary", "--json", "-T", "--upload-file")
    return any(word.partition("=")[0] in sends for word in argv[1:])


def _by_agent(_: dict[str, Any], call: Call) -> bool:
    """An agent started with its hooks off, or with a message that only a person may send."""
    if call.program not in agent_tables.PROGRAMS:
        return False
    if any(re.match(r"\s*allow\s+\S", word, re.IGNORECASE) for word in [*call.argv[1:], call.stdin]):
        return True
    if any(re.search(HOOKS_OFF, word) for word in call.argv[1:]):
        return True
    pairs = list(zip(call.argv[1:], [*call.argv[2:], ""], strict=False))
    return (
        "--bare" in call.argv or any(pair == ("--disable", "hooks") for pair in pairs) or "--disable=hooks" in call.argv
    )


def _mounts(event: dict[str, Any], call: Call) -> bool:
    """A mount over the gate's files."""
    if call.program not in ("mount", "umount", "bindfs", "fuse-overlayfs"):
        return False
    return any(is_protected(event, join_path(call.cwd, word)) for word in call.argv[1:] if not word.startswith("-"))

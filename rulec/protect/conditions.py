"""What a command that a built-in rule names must meet besides: conditions that are no pattern of its words."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout
from rulec.checkout.worktree import Worktree
from rulec.guard.command_check import operands
from rulec.protect import file_rules
from rulec.protect.file_rules import is_protected
from rulec.shell import action_events, listed_files
from rulec.shell.action_events import relative_path
from rulec.shell.command_matching import is_variable, words_for_program
from rulec.shell.git import branches
from rulec.shell.parsing.call import Call, join_path
from rulec.shell.parsing.runs import FINDERS
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.shell.action_events import Event


def _names_own_files(event: Event, call: Call, pattern: str) -> bool:
    """Whether an operand, or a word on standard input, is one of the gate's files or a folder that holds one."""
    words = [*operands(pattern, call), *call.stdin.split()]
    return any(is_protected(event, join_path(call.cwd, word.rpartition(",")[2].lstrip("!"))) for word in words)


def _links(event: Event, call: Call, _: str) -> bool:
    """A link to the gate's files, through which they could be changed unseen."""
    last = call.argv[-1]
    folders = [call.cwd, join_path(call.cwd, last), join_path(call.cwd, last.rpartition("/")[0])]  # its own, too
    named = [word for word in call.argv[1:-1] if not word.startswith("-")]
    return any(is_protected(event, join_path(folder, word)) for word in named for folder in dict.fromkeys(folders))


def _gives_value(_: Event, call: Call, pattern: str) -> bool:
    return len(operands(pattern, call)) > 1


def _is_unknown_verb(event: Event, call: Call, _: str) -> bool:
    """Whether the verb given to rulec is unknown; what a script is given its caller knows."""
    words = [word for word in words_for_program("rulec", call) or () if word != "--personal"]
    return bool(words) and is_variable(words[0]) and words[0][1] not in "@*" and event.carried_left is None


# Packages

GATE_PACKAGES = frozenset(["rulec", "semgrep", "pre-commit", "prek"])
JUDGING = frozenset(["rulec", "semgrep"])  # an older one of these may see less than the rules were proved with
ASIDE_OPTIONS = ("--target", "-t", "--prefix", "--root", "--dry-run")  # nothing of it is where the gate looks
INSTALLING = frozenset(["install", "add", "inject", "reinstall"])
_ARCHIVE = (".whl", ".zip", ".git", ".tar.gz", ".tgz", ".tar.bz2")
_NAMED = re.compile(r"([A-Za-z][\w.-]*?)\s*(?:\[[^\]]*\])?\s*(==?=?|~=|<=?|@|$)\s*(.*)", re.DOTALL)
_OF_PROJECT = re.compile(r"^\s*name\s*=\s*[\"']?([\w.-]+)|\bname\s*=\s*[\"']([\w.-]+)", re.MULTILINE)
_VERSION = re.compile(r"[-_]v?\d.*$")
MANIFESTS = ("pyproject.toml", "setup.cfg", "setup.py")
LARGEST_PROJECT_FILE = 300


def _installs_other_package(event: Event, call: Call, _: str) -> bool:
    """Whether a package of the gate is installed from a path or a URL, or in an old version."""
    at = next((at for at, word in enumerate(call.argv) if at and word in INSTALLING), 0)
    if not at or any(word.partition("=")[0] in ASIDE_OPTIONS for word in call.argv[at:]):
        return False
    return any(_takes_place(event, call, word) for word in call.argv[at + 1 :]) and not _is_rulec_repository(event)


def _takes_place(event: Event, call: Call, word: str) -> bool:
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


def _package_of_folder(event: Event, call: Call, place: str) -> str:
    """The project name that the folder's pyproject.toml, setup.cfg or setup.py declares."""
    world = event.world
    if not world or "://" in place:
        return ""
    folder = join_path(join_path(event.cwd, call.cwd), place.partition("[")[0])
    return _named_in(world, folder)


def _named_in(world: Worktree, folder: str) -> str:
    for name in MANIFESTS:
        found = _OF_PROJECT.search(world.read(f"{folder}/{name}" if folder else name) or "")
        if found:
            return _normal_name(found[1] or found[2])
    return ""


def _is_rulec_repository(event: Event) -> bool:
    """Whether this is rulec's repository, whose developers install it from its folder."""
    return event.world is not None and _named_in(event.world, "") == "rulec"


def _normal_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _clears_environment(event: Event, call: Call, _: str) -> bool:
    """Whether a word names the environment that the gate runs from, or a folder in it."""
    made = [word for word in call.argv[1:] if not word.startswith("-")]
    return any(file_rules.lies_within(event, join_path(call.cwd, word)) for word in made)


# Forges

SENDS = (
    "-f", "-F", "--field", "--raw-field", "--input", "-d", "--data", "--data-raw", "--data-binary", "--json", "-T",
    "--upload-file",
)  # fmt: skip
WRITES_TO = (  # places of a forge's API through which a branch or its protection changes
    r"(?:^|/)(?:contents/|git/(?:refs|commits|trees|blobs)\b|merges$|branches/[^/\s]+/protection|rulesets(?:/|$)|"
    r"actions/workflows/[^/\s]+/disable|protected_branches|repository/(?:files|commits)\b)"
)
NEW_REF = r"\bref[\"']?\s*[=:]\s*[\"']?refs/heads/([\w./-]+)"  # of a branch that a request makes
MUTATES = r"\b(?:createCommitOnBranch|updateRef|createRef|mergeBranch|(?:delete|update)BranchProtectionRule)\b"


def _changes_branch(_: Event, call: Call, __: str) -> bool:
    """Whether a request changes a branch or its protection; a new branch beside the main ones changes none."""
    text = " ".join([*call.argv[1:], call.stdin])
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
    return any(word.partition("=")[0] in SENDS for word in argv[1:])


# What stands in for a program, and who judges

AT_COMMIT = r"\bjudges[\"']?\s*:[^:]*\bcommit\b"  # in the settings: judges are asked at a commit
PATHS = r"(?:^|[\s;&|(\"'])PATH=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|)]*))"
SHARED = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 (named, not used)
STAND_INS = ("git", "sh", "bash", "env", "rulec", "pre-commit", "python3")


def _judges_are_asked(event: Event, _: Call, __: str, when: str = "") -> bool:
    """Whether the settings here, or the person's own, ask judges."""
    world = event.world
    tops = ("", rules_layout.personal_rulebook_path())
    if not world or not any(world.exists(os.path.join(top, rules_layout.COMPILED, "judge")) for top in tops):
        return False
    return any(re.search(when, world.read(os.path.join(top, rules_layout.CONFIG)) or "") for top in tops)


def _judges_are_asked_at_commits(event: Event, call: Call, pattern: str) -> bool:
    return _judges_are_asked(event, call, pattern, AT_COMMIT)


def _path_stands_in(event: Event, _: Call, __: str) -> bool:
    """Whether PATH leads to a folder that holds a substitute for a program of the gate."""
    text = event.command
    if "PATH=" not in text:
        return False
    return any(_misleads(event, folder) for found in re.findall(PATHS, text) for folder in "".join(found).split(":"))


def _misleads(event: Event, folder: str) -> bool:
    folder = folder.replace("${", "$").replace("}", "").removeprefix("$PWD/").rstrip("/")
    if not folder or folder.startswith("$") or folder.endswith("node_modules/.bin"):
        return False
    if folder == ".":
        return True
    world = event.world
    place = relative_path(event, folder)
    near = not place.startswith(("/", "~")) or place.startswith(SHARED)
    if any(
        join in (place, folder)
        for join in (effect.path.rpartition("/")[0] for effect in action_events.touched_paths(event))
    ):
        return True
    above = place.rpartition("/")[0]
    if not world or not near or any(world.exists(above + name) for name in ("/pyvenv.cfg", "/conda-meta")):
        return False
    return any(world.exists(place + "/" + name) for name in STAND_INS)


INTERPRETED = frozenset(["sh", "bash", "perl", "python", "python3", "kill"])  # what they do to it stands elsewhere
MOST_FILES = 500  # of the gate's that a search is tried on
HARMLESS_MODES = ("u+", "+w", "+r", "+x", "a+r")
LISTERS = WORDS["filters"] | {"find", "fd", "ls", "git", "rg"}
GATE_FILES = (  # one of each kind, and the folders that hold them
    ".rules/config.yaml", ".rules/rule.yaml", ".rules/hook", ".rules/compiled/guard/rule.json",
    ".git/rulec/guards", ".git/config", ".git/HEAD",
    ".git/hooks/pre-commit", ".git/hooks/commit-msg", ".git/hooks/pre-push", ".pre-commit-config.yaml",
    ".rules/", ".rules/compiled/", ".git/", ".git/hooks/",
)  # fmt: skip
AGENT_FILES = tuple(
    path for paths in agent_tables.SETTINGS.values() for path in paths if re.fullmatch(r"[\w./]+\w", path)
)


def deletes_found_files(event: Event, call: Call, _: str) -> bool:
    """``find -delete`` that comes to the gate's files."""
    if "-delete" not in call.argv:
        return False
    starts = [join_path(call.cwd, start) for start in listed_files.FindExpression(call.argv).starts]
    if any(file_rules.lies_within(event, start) for start in starts):
        return True
    return any("-delete" in actions and not name.endswith("/") for name, actions in _reached(event, call))


def changes_listed_files(event: Event, call: Call, _: str) -> bool:
    """``find -exec rm`` and ``... | xargs rm`` where the gate's files are among what is found or listed."""
    if call.stdin and "xargs" in call.via:
        return any(is_protected(event, join_path(call.cwd, word)) for word in call.stdin.split())
    source, filters = listed_files.source_of(call)
    if source is None or not (source.program in LISTERS or source.program == "find"):
        return False
    if source.program == "find":
        acts = FINDERS if "find" in call.via else listed_files.PRINTS
        return (not _is_interpreter(call) or _names_place(event, source)) and any(
            not actions.isdisjoint(acts) and _changes_found(event, call, name)
            for name, actions in _reached(event, source)
            if all(listed_files.lets_through(one, name) is not False for one in filters)
        )
    paths = [word for word in source.argv[1:] if not word.startswith("-")]
    if source.program not in ("fd", "ls", "git"):
        paths = paths[1:]  # the pattern
    locks = any(word.endswith(".lock") for word in source.argv)
    return not locks and any(is_protected(event, join_path(source.cwd, path)) for path in paths or ["."])


def _reached(event: Event, call: Call) -> list[tuple[str, set[str]]]:
    """The gate's files and folders that ``find`` comes to, each with what it does there."""
    expression, names = listed_files.FindExpression(call.argv), _gate_files(event)
    found: list[tuple[str, set[str]]] = []
    for start in expression.starts:
        place = relative_path(event, join_path(call.cwd, start)).rstrip("/")
        known = not place.startswith(("$", "~"))
        if not known and not _tests_paths(call.argv):
            continue
        for name in names:
            below = _below(event, place if known and place != "." else "", name)
            actions = expression.actions_on(start, below) if below else set()
            found += [(name, actions)] if actions else []
    return found


def _gate_files(event: Event) -> list[str]:
    """The gate's files and folders that are there; where nobody can know, one of each kind."""
    world = event.world
    if not world:
        return [*GATE_FILES]
    found = [name for name in (*GATE_FILES, *AGENT_FILES) if world.exists(name)]
    for folder, _, files in os.walk(os.path.join(world.root, ".rules")):
        found += [os.path.relpath(os.path.join(folder, name), world.root) for name in sorted(files)]
        if len(found) > MOST_FILES:
            break
    return list(dict.fromkeys(found))[:MOST_FILES]


def _below(event: Event, place: str, name: str) -> str:
    """The name as seen from the place, which may be a folder above the repository; "" where it lies elsewhere."""
    whole = name
    if place.startswith(("/", "..")):
        root = str(event.root or "/repository")
        place, whole = os.path.normpath(os.path.join(root, place)), f"{root}/{name}"
    folder = place.rstrip("/") + "/" if place else ""
    return whole[len(folder) :] if whole.startswith(folder) and whole != folder else ""


def _names_place(event: Event, call: Call) -> bool:
    """Whether ``find`` looks for the gate's files by their place or their own names, not among all others."""
    starts = listed_files.FindExpression(call.argv).starts
    if _tests_paths(call.argv) or any(is_protected(event, join_path(call.cwd, start)) for start in starts):
        return True
    return any(word in listed_files.NAMES for word in call.argv)


def _tests_paths(argv: list[str]) -> bool:
    return any(word in (*listed_files.PATHS, *listed_files.PATTERNS) for word in argv)


def _changes_found(event: Event, call: Call, name: str) -> bool:
    """Whether a command that changes what it is given changes this file or ``folder/``."""
    if name.endswith("/"):
        return call.program == "mv" or (call.program == "rm" and any(re.match("-[a-zA-Z]*[rR]", w) for w in call.argv))
    if call.program in ("cp", "ln", "install"):
        return call.argv[-1:] == ["{}"]
    if call.program == "chmod":
        return not any(word.startswith(HARMLESS_MODES) for word in call.argv[1:])
    world = event.world
    return not (world and listed_files.replaces_nothing(call, world.read(name)))


def _is_interpreter(call: Call) -> bool:
    return call.program in INTERPRETED


MEETS: dict[str, Callable[[Event, Call, str], bool]] = {  # by "meets" of a rule
    "own files": _names_own_files,
    "links": _links,
    "found files": deletes_found_files,
    "listed files": changes_listed_files,
    "value given": _gives_value,
    "verb unknown": _is_unknown_verb,
    "other package": _installs_other_package,
    "own environment": _clears_environment,
    "request that changes a branch": _changes_branch,
    "path stands in": _path_stands_in,
    "judges": _judges_are_asked,
    "judges at commits": _judges_are_asked_at_commits,
}

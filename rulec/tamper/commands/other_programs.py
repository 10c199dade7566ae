"""Programs beside git that would disarm the gate: uninstallers, other hook managers, killers, forges, other agents."""

import re

from rulec.shell.command_matching import matches, program_names
from rulec.shell.parsing.call import join_path
from rulec.tamper.guarded_files import is_protected

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


INSTALLERS = frozenset(
    ["pip", "pipx", "uv", "conda", "mamba", "brew", "apt", "apt-get", "poetry", "pdm", "npm", "pnpm", "yarn", "cargo"]
)
PACKAGES = frozenset(["rulec", "semgrep", "pre-commit", "prek", "@j178/prek"])
KILLERS = ("kill", "pkill", "killall", "skill", "fuser")
LOOKERS = ("pgrep", "pidof", "ps")
GATE_PROCESSES = r"\b(?:rulec|pre[-_]commit|hook\.py|semgrep|prek)\b"
OTHER_HOOKS: "list[tuple[str, list[str]]]" = [  # pattern, unless
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
FORGES: "list[tuple[str, list[str]]]" = [
    ("gh pr merge --admin", []),
    ("gh workflow disable", []),
    ("glab mr merge --skip-ci", []),
]
SENDS = ("-f", "-F", "--field", "--raw-field", "--input")
WRITES_TO = (  # places of a forge's API through which a branch or its protection changes
    r"(?:^|/)(?:contents/|git/(?:refs|commits|trees|blobs)\b|merges$|branches/[^/\s]+/protection|rulesets(?:/|$)|"
    r"actions/workflows/[^/\s]+/disable|protected_branches|repository/(?:files|commits)\b)"
)
MUTATES = r"\b(?:createCommitOnBranch|updateRef|createRef|mergeBranch|(?:delete|update)BranchProtectionRule)\b"
FORGE_HOSTS = ("api.github.com", "/api/v3/", "/api/v4/")
HOOKS_OFF = r"disableAllHooks|\bfeatures\.hooks\s*=\s*false|\ballowManagedHooksOnly"
AGENTS = ("claude", "codex", "gemini", "cursor-agent", "copilot", "opencode")


def other_program_disarms(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether the command takes away what the gate runs on, or goes round it by another program."""
    return any(
        check(event, call) for check in (_uninstalls, _installs, _kills, _other_hooks, _by_forge, _by_agent, _mounts)
    )


def _uninstalls(_: "dict[str, Any]", call: "Call") -> bool:
    """``pip uninstall`` and its kin, of what the gate runs on."""
    if INSTALLERS.isdisjoint(program_names(call)):
        return False
    words = [word.lower().replace("_", "-") for word in call.argv[1:]]
    return not PACKAGES.isdisjoint(words) and not {"uninstall", "remove", "rm", "purge", "un"}.isdisjoint(words)


def _installs(event: "dict[str, Any]", call: "Call") -> bool:
    """``pip install`` and its kin, of something else under the name of what the gate runs on."""
    if INSTALLERS.isdisjoint(program_names(call)):
        return False
    from rulec.tamper.commands import package_installs  # noqa: PLC0415 (few commands install)

    return package_installs.replaces_package(event, call)


def _kills(_: "dict[str, Any]", call: "Call") -> bool:
    """A running hook that is stopped before it answers."""
    if call.program not in KILLERS or "-0" in call.argv[1:2] or "-l" in call.argv[1:2]:
        return False
    words = [word for word in call.argv[1:] if not word.startswith("$")]
    looked = [word for source in call.feeds if source.program in (*LOOKERS, "grep", "awk") for word in source.argv[1:]]
    return any(re.search(GATE_PROCESSES, word) for word in [*words, *looked])


def _other_hooks(event: "dict[str, Any]", call: "Call") -> bool:
    """Other programs that keep git's hooks, where they would put their own in the place of the gate's."""
    if call.program == "husky" and len(call.argv) == 1:
        return True
    if matches("jj git init", call):
        world = event.get("world")
        return world.exists(".git") and not matches("jj git init --no-colocate", call) if world else False
    return any(matches(row, call) and not any(matches(other, call) for other in unless) for row, unless in OTHER_HOOKS)


def _by_forge(_: "dict[str, Any]", call: "Call") -> bool:
    """A change made on the server, past every hook, or a gate of the server's opened by force."""
    if any(matches(row, call) for row, _ in FORGES):
        return True
    text = " ".join([*call.argv[1:], call.stdin])
    if call.program in ("gh", "glab") and "api" in call.argv[1:3]:
        return bool(re.search(MUTATES, text)) or (
            _sends(call.argv) and any(re.search(WRITES_TO, word) for word in _places(call.argv))
        )
    if call.program in ("curl", "wget", "http", "https", "xh") and any(host in text for host in FORGE_HOSTS):
        return bool(re.search(MUTATES, text)) or (
            _sends(call.argv) and any(re.search(WRITES_TO, word) for word in _places(call.argv))
        )
    return False


def _places(argv: "list[str]") -> "list[str]":
    """The words that may be a place on the server: no options, and no ``key=value``."""
    return [
        word.partition("?")[0] for word in argv[1:] if not word.startswith("-") and "=" not in word.partition("?")[0]
    ]


def _sends(argv: "list[str]") -> bool:
    """Whether the request changes something."""
    for at, word in enumerate(argv):
        name, equals, value = word.partition("=")
        given = value if equals else argv[at + 1] if at + 1 < len(argv) else ""
        if name in ("-X", "--method", "--request") or (word[:2] == "-X" and len(word) > 2):
            return (word[2:] if word[:2] == "-X" and len(word) > 2 else given).upper() not in ("GET", "HEAD")
    if any(word.upper() in ("PUT", "POST", "PATCH", "DELETE") for word in argv[1:]):
        return True
    sends = (*SENDS, "-d", "--data", "--data-raw", "--data-binary", "--json", "-T", "--upload-file")
    return any(word.partition("=")[0] in sends for word in argv[1:])


def _by_agent(_: "dict[str, Any]", call: "Call") -> bool:
    """Another run of an agent, told to ask no hooks."""
    if call.program not in AGENTS:
        return False
    if any(re.search(HOOKS_OFF, word) for word in call.argv[1:]):
        return True
    pairs = list(zip(call.argv[1:], [*call.argv[2:], ""]))  # noqa: B905 (Python 3.9; both are as long)
    return (
        "--bare" in call.argv or any(pair == ("--disable", "hooks") for pair in pairs) or "--disable=hooks" in call.argv
    )


def _mounts(event: "dict[str, Any]", call: "Call") -> bool:
    """Something else laid over the gate's own files."""
    if call.program not in ("mount", "umount", "bindfs", "fuse-overlayfs"):
        return False
    return any(is_protected(event, join_path(call.cwd, word)) for word in call.argv[1:] if not word.startswith("-"))

"""Commands that would disarm the gate: a table of patterns, and the few that need a closer look."""

from . import disarms_git, events
from .call import join
from .effects import DELETES, LONGEST_PATH, code
from .kept import holds
from .launchers import INTERPRETERS
from .match import matches, plain, programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

ASK = events.THEIRS
ROWS: "list[tuple[str, list[str], str]]" = [  # pattern, unless, cure
    ("pre-commit|pre_commit uninstall", ["pre-commit|pre_commit --help|-h"], ""),
    ("pre-commit|pre_commit install --config|-c|--allow-missing-config", ["pre-commit|pre_commit --help|-h"], ""),
    ("rulec init --remove", ["rulec --help|-h"], ASK),
    ("rulec rollback|retire|promote|demote|supersede|exception|edit|extend", ["rulec --help|-h"], ASK),
    ("rulec add|ingest|import --yes", ["rulec --help|-h", "rulec ingest|import --dry-run"], ASK),
    ("rulec review --accept|--new|--reject", ["rulec --help|-h"], ASK),
]
ANSWERED = ("script", "unbuffer", "tmux", "screen")  # they give a command the terminal that it asks a person on
INSTALLERS = frozenset(["pip", "pipx", "uv", "conda", "mamba", "brew", "apt", "apt-get", "poetry", "pdm"])
PACKAGES = frozenset(["rulec", "semgrep", "pre-commit"])
ARCHIVERS = {  # program -> options that name the folder
    "tar": "-C --directory --cd",
    "gtar": "-C --directory --cd",
    "bsdtar": "-C --directory --cd",
    "unzip": "-d",
    "cpio": "-D --directory",
    "7z": "-o",
    "7za": "-o",
}
LISTS = {"unzip": "ltpvZz", "cpio": "ot"}  # letters of those that only look
CHANGERS = frozenset(
    [
        *DELETES,
        *[
            "mv",
            "chmod",
            "chown",
            "truncate",
            "tee",
            "cp",
            "ln",
            "dd",
            "install",
            "sh",
            "bash",
            "perl",
            "python",
            "python3",
        ],
    ]
)
FILTERS = frozenset(["grep", "egrep", "head", "tail", "sort", "uniq", "sed", "awk", "tr", "cut"])
LISTERS = FILTERS | {"find", "fd", "ls", "git", "rg"}
RUNS = ("subprocess", "system", "popen", "Popen", "exec", "spawn", "shell", "`", "%x", "pty.")
WRITES = (
    "write", "unlink", "remove", "rename", "rmtree", "rmSync", "rm(", "chmod", "symlink", "copy", "move(",
    "os.replace(", "truncate", ".delete", "put_contents", "'w'", '"w"', "'wb'", '"wb"', "'a'", '"a"', "'>", '">',
    "rm -", "mv ",
)  # fmt: skip
NO_VERIFY = ("--no-verify", "core.hookspath")
OWN_FILES = (
    ".git/hooks",
    ".git/config",
    ".rules/compiled",
    "'.rules'",
    '".rules"',
    ".pre-commit-config.yaml",
    ".config/rulec",
)


def seen(event: "dict[str, Any]", calls: "list[Call]") -> "list[tuple[str, str, str]]":
    """What would disarm the gate, as text, program and cure."""
    found = [(events.shown(call.argv), call.program, cure) for call in calls for cure in _cures(event, call)]
    given = set(events.parsed(event).assigned)
    for call in calls:
        if call.program in ("export", "declare", "typeset", "readonly"):
            named = {word.partition("=")[0] for word in call.argv[1:]}
            given |= named
            if not named.isdisjoint(disarms_git.ALWAYS):
                found.append((events.shown(call.argv), call.program, ""))
    for call in calls:
        names = disarms_git.variables(call, given | set(call.env))
        found += [(f"{name}={call.env.get(name, '')} {events.shown(call.argv)}", call.program, "") for name in names]
    return found


def _cures(event: "dict[str, Any]", call: "Call") -> "list[str]":
    """The cure for a command that would disarm the gate, [] for one that would not."""
    for pattern, unless, cure in ROWS:
        if matches(pattern, call) and not any(matches(other, call) for other in unless):
            return [cure]
    if not set(call.via).isdisjoint(ANSWERED) and matches("rulec add|ingest|import|init|review", call):
        return [ASK]
    return [""] if any(check(event, call) for check in CLOSER) else []


def _git(event: "dict[str, Any]", call: "Call") -> bool:
    return call.program == "git" and disarms_git.disarms(event, call)


def _uninstalls(_: "dict[str, Any]", call: "Call") -> bool:
    """``pip uninstall`` and its kin, of what the gate runs on."""
    if INSTALLERS.isdisjoint(programs(call)):
        return False
    words = [word.lower().replace("_", "-") for word in call.argv[1:]]
    return not PACKAGES.isdisjoint(words) and not {"uninstall", "remove", "rm", "purge"}.isdisjoint(words)


def _unpacks(event: "dict[str, Any]", call: "Call") -> bool:
    """An archive unpacked over the gate's own files."""
    names = ARCHIVERS.get(call.program, "").split()
    if not names:
        return False
    words = call.argv[1:]
    flags = [word for word in words if word.startswith("-") and not word.startswith(("--", *names))]
    letters = "".join(flags)
    letters += words[0] if words and "tar" in call.program else ""
    if "tar" in call.program and "x" not in letters and not {"--extract", "--get"} & set(words):
        return False
    if any(letter in letters for letter in LISTS.get(call.program, "")):
        return False
    folder = ""
    for word, following in zip(words, [*words[1:], ""]):  # noqa: B905 (Python 3.9; both are as long)
        name = next((name for name in names if word.startswith(name)), "")
        if name and len(folder) < LONGEST_PATH:
            folder = join(folder, word[len(name) :].removeprefix("=") or following)
    return holds(event, join(call.cwd, folder))


def _finds(event: "dict[str, Any]", call: "Call") -> bool:
    """``find`` that deletes or changes what it finds among the gate's own files."""
    if call.program != "find" or not _acts(call.argv):
        return False
    at = _first_flag(call.argv)
    locks = any(word.endswith(".lock") for word in call.argv)
    if any(holds(event, join(call.cwd, path)) for path in call.argv[1:at]) and not locks:
        return True
    for index, word in enumerate(call.argv[:-1]):
        before, after = call.argv[index - 1], call.argv[index + 2 : index + 3]
        spared = before in ("!", "-not") or after == ["-prune"]
        if word in ("-path", "-wholename", "-ipath", "-regex") and not spared:
            named = call.argv[index + 1].replace("\\", "").lower()
            if ".git/hooks" in named or ".rules/" in named or named.endswith(".rules"):
                return True
    return False


def _acts(argv: "list[str]") -> bool:
    runs = [argv[at + 1] for at, word in enumerate(argv[:-1]) if word in ("-exec", "-execdir", "-ok", "-okdir")]
    if "-delete" in argv or any(plain(name.rpartition("/")[2]) in CHANGERS for name in runs):
        return True
    return "sed" in runs and any(word.startswith(("-i", "--in-place")) for word in argv)


def _piped(event: "dict[str, Any]", call: "Call") -> bool:
    """``... | xargs rm``: what is listed before the pipe."""
    if "xargs" not in call.via or not _changes(call):
        return False
    if call.stdin:
        return any(holds(event, join(call.cwd, word)) for word in call.stdin.split())
    calls = events.parsed(event).calls
    at = calls.index(call) - 2  # before it stands xargs itself
    sources: "list[Call]" = []
    while at >= 0 and calls[at].program in LISTERS and (not sources or sources[-1].program in FILTERS):
        sources.append(calls[at])
        at -= 1
    return any(_lists(event, source) for source in sources)


def _lists(event: "dict[str, Any]", call: "Call") -> bool:
    """Whether a command before the pipe names the gate's own files as a place to look at."""
    paths = [word for word in call.argv[1:] if not word.startswith("-")]
    if call.program == "find":
        paths = call.argv[1 : _first_flag(call.argv)]
    elif call.program not in ("fd", "ls", "git"):
        paths = paths[1:]  # the pattern
    locks = any(word.endswith(".lock") for word in call.argv)
    return not locks and any(holds(event, join(call.cwd, path)) for path in paths or ["."])


def _first_flag(argv: "list[str]") -> int:
    return next((at for at, word in enumerate(argv) if at and word.startswith(("-", "(", "!"))), len(argv))


def _changes(call: "Call") -> bool:
    if call.program == "git":
        return call.argv[1:2] in (["rm"], ["mv"])
    if call.program in ("sed", "gsed"):
        return any(word.startswith(("-i", "--in-place")) for word in call.argv)
    return call.program in CHANGERS


def _scripts(_: "dict[str, Any]", call: "Call") -> bool:
    """An interpreter's text that runs git without its hooks, or writes to them."""
    name = plain(call.program)
    if name not in INTERPRETERS and name not in ("awk", "gawk"):
        return False
    text = code(call) if name in INTERPRETERS else "\n".join(call.argv[1:])
    small = text.lower()
    if "git" in small and any(mark in small for mark in NO_VERIFY) and any(sign in text for sign in RUNS):
        return True
    return any(path in small for path in OWN_FILES) and any(sign in text.replace("stdout.write", "") for sign in WRITES)


CLOSER = (_git, _uninstalls, _unpacks, _finds, _piped, _scripts)

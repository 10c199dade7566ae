"""Texts that reach a shell by roads that only the gate looks down: git's own programs, editors, boxes, other hosts."""

import re

from rulec.runtime.carriers import options
from rulec.runtime.events import shown
from rulec.runtime.manuals import GLOBALS
from rulec.runtime.scripts import Script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulec.runtime.call import Call

GIT_KEYS = (
    "core.editor", "sequence.editor", "core.pager", "core.sshcommand", "diff.external", "gpg.program", "core.askpass",
)  # fmt: skip
GIT_VARIABLES = (
    "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "GIT_PAGER", "PAGER", "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF", "GIT_ASKPASS",
)  # fmt: skip
FILTERS = frozenset(
    ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--parent-filter", "--commit-filter", "--setup"]
)
BOXES = frozenset(["docker", "podman", "nerdctl", "kubectl", "ssh"])
MOUNTS = ("-v", "--volume", "--mount")
RUN = {
    "run": "-e -v -p -w -u -h -l -m -a --env --volume --publish --workdir --user --name --network --entrypoint --mount "
    "--hostname --label --memory --platform --env-file --add-host --cpus --gpus --ipc --pid --pull --restart "
    "--shm-size --ulimit --device --cap-add --tmpfs --userns --log-driver",
    "exec": "-e -w -u --env --workdir --user --env-file -n -c --container --namespace",
}
HERE = ("localhost", "127.0.0.1", "::1", "[::1]")
SSH = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
SYSTEM = r"system\s*\(\s*\"([^\"]*)\""
OTHERS = ("lua", "luajit", "tclsh", "Rscript", "osascript", "julia", "groovy", "deno", "swift", "scala", "jshell")
GIT_TOLD = r"(?:[\"'`]|\bexec )(git [^\"'`\n]{1,300})"
LONGEST = 20_000
TERMINAL = "script -qc "  # what gives a command a terminal of its own


def run_by(call: "Call") -> "Iterator[Script]":
    """The texts that the command runs in this repository, or on it."""
    reader = READERS.get(call.program)
    for text in reader(call) if reader else ():
        if text:
            yield Script(text, call.cwd, "box" if call.program in BOXES else "sh")


def _of_git(call: "Call") -> "Iterator[str]":
    yield from (call.env[key] for key in GIT_VARIABLES if key in call.env)
    for at, word in enumerate(call.argv[:-1]):
        following = call.argv[at + 1]
        key, _, value = following.partition("=")
        if word == "-c" and (key.lower() in GIT_KEYS or key.lower().startswith("pager.")):
            yield value
        elif (word in FILTERS and "filter-branch" in call.argv) or (
            word in ("-x", "--extcmd") and "difftool" in call.argv
        ):
            yield following


def _of_editor(call: "Call") -> "Iterator[str]":
    """``vim -c '!COMMAND'``."""
    for at, word in enumerate(call.argv[1:], 1):
        text = word[1:] if word[:1] == "+" else word if call.argv[at - 1] in ("-c", "--cmd") else ""
        if text.lstrip(":").startswith("!"):
            yield text.lstrip(":")[1:]


def _of_box(call: "Call") -> "Iterator[str]":
    """``docker run IMAGE COMMAND`` with a folder of this machine's, ``docker exec BOX COMMAND``."""
    argv = call.argv
    at = options(argv, 1, GLOBALS["docker"].split())
    at += argv[at : at + 1] in (["compose"], ["container"])
    at = options(argv, at, ["-f", "-p", "--file", "--project-name"])
    verb = argv[at] if at < len(argv) else ""
    if verb not in RUN:
        return
    end = options(argv, at + 1, RUN[verb].split())
    given, image, rest = argv[at + 1 : end], "".join(argv[end : end + 1]), argv[end + 1 :]
    if not rest or (verb == "run" and not any(word.startswith(MOUNTS) for word in given)):
        return
    entry = given[given.index("--entrypoint") + 1 :][:1] if "--entrypoint" in given else []
    entry = entry or (["git"] if image.rpartition("/")[2].partition(":")[0].endswith("git") else [])
    yield shown([*entry, *rest])


def _of_host(call: "Call") -> "Iterator[str]":
    at = options(call.argv, 1, SSH.split())
    if at < len(call.argv) and call.argv[at].rpartition("@")[2] in HERE:
        yield " ".join(call.argv[at + 1 :])


def _of_terminal(call: "Call") -> "Iterator[str]":
    """What ``expect``, ``socat`` and ``xterm`` run, where a person is asked on the terminal that they make."""
    if "-e" in call.argv and call.program == "xterm":
        yield TERMINAL + shown([" ".join(call.argv[call.argv.index("-e") + 1 :])])
    for word in call.argv[1:]:
        for line in word.split(";") if call.program == "expect" else ():
            if line.strip().startswith("spawn "):
                yield TERMINAL + shown([line.strip()[len("spawn ") :]])
        if call.program == "socat" and word.upper().startswith(("EXEC:", "SYSTEM:")):
            yield TERMINAL + shown([word.partition(":")[2].partition(",")[0]])


def _of_awk(call: "Call") -> "list[str]":
    return [found for word in call.argv[1:] for found in re.findall(SYSTEM, word)]


def _of_others(call: "Call") -> "Iterator[str]":
    """The strings and lines of a program in a language that is not read, where they begin as a command of git's."""
    for text in [*call.argv[1:], call.stdin]:
        yield from re.findall(GIT_TOLD, text[:LONGEST])


def _of_table(call: "Call") -> "Iterator[str]":
    """``... | crontab -``: what stands behind the five fields of a line."""
    for line in call.stdin.splitlines():
        fields = line.split(None, 5)
        yield fields[5] if len(fields) > len("* * *") and not line.startswith("@") else line.partition(" ")[2]


def _of_forge(call: "Call") -> "Iterator[str]":
    """``gh alias set NAME '!COMMAND'``."""
    if call.argv[1:3] in (["alias", "set"], ["config", "set"]):
        yield from (word[1:] for word in call.argv[3:] if word.startswith("!"))


READERS: "dict[str, Callable[[Call], Iterator[str] | list[str]]]" = {
    "git": _of_git,
    **dict.fromkeys(["vim", "vi", "nvim", "ex", "view", "gvim"], _of_editor),
    **dict.fromkeys(BOXES, _of_box),
    "ssh": _of_host,
    **dict.fromkeys(["expect", "socat", "xterm"], _of_terminal),
    **dict.fromkeys(["awk", "gawk", "mawk"], _of_awk),
    **dict.fromkeys(OTHERS, _of_others),
    "crontab": _of_table,
    **dict.fromkeys(["gh", "glab"], _of_forge),
    **dict.fromkeys(["at", "batch"], lambda call: [call.stdin]),
    "faketime": lambda call: [shown(call.argv[2:])],
}

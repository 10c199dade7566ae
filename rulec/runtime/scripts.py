"""The files that a command runs, and what of them it runs: read before they are, for the gate's sake alone."""

from rulec.runtime import events
from rulec.runtime.call import join, said
from rulec.runtime.carriers import inner, options, reads_commands
from rulec.runtime.launchers import INTERPRETERS, SHELLS, family
from rulec.runtime.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.runtime.call import Call

LARGEST = 1_000_000  # characters of a file that is looked at
MOST_READ = 40_000  # characters that are read as commands; of a longer text, only the lines that speak of the gate
MOST_WORDS = 100  # that xargs is given by a file
MOST = 20  # files that one command is read through
TOLD = ("git", "rulec", "pre-commit", "pre_commit", "prek", ".rules", ".claude", "SKIP", "hook")
FURTHER = (
    "./",
    ".sh",
    "source ",
    "make ",
    "npm ",
    "pnpm ",
    "yarn ",
    "bun ",
    "just ",
    "eval ",
    "base64",
)  # it runs others
CARRYING = frozenset(  # see carried.py
    [
        "vim", "vi", "nvim", "ex", "view", "gvim", "docker", "podman", "nerdctl", "kubectl", "ssh", "at", "batch",
        "expect", "socat", "xterm", "faketime", "awk", "gawk", "mawk", "crontab", "gh", "glab", "lua", "luajit",
        "tclsh", "Rscript", "osascript", "julia", "groovy", "deno", "swift", "scala", "jshell",
    ]
)  # fmt: skip
SOURCING = (".", "source")
EVALUATING = ("eval", *SHELLS)
RECIPES = ("make", "gmake", "just", "task", "go-task", "npm", "pnpm", "yarn", "bun")
INSTALLED = ("/usr/", "/bin/", "/sbin/", "/opt/", "/snap/", "/nix/", "/System/", "/Library/")
STREAM = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-")
SHELL_OPTIONS = ["-o", "-O", "+o", "+O", "--rcfile", "--init-file"]
BY_ENDING = {"py": "python", "js": "node", "mjs": "node", "cjs": "node", "rb": "ruby", "pl": "perl", "php": "php"}


class Script:
    """A text that a command runs."""

    __slots__ = ("cwd", "program", "text")

    def __init__(self, text: str, cwd: str, program: str = "sh") -> None:
        self.text, self.cwd, self.program = text, cwd, program


def runs_files(call: "Call") -> bool:
    """Whether the command may run a file: most do not, and pay for no more than this."""
    name = call.program
    if name in SOURCING or name in RECIPES or name in ("patch", "xargs"):
        return True
    if name == "git":
        return "apply" in call.argv
    if name in EVALUATING or family(name):
        return len(call.argv) > 1 or bool(call.redirects or call.feeds)
    return "/" in call.argv[0] and not call.argv[0].startswith(INSTALLED) if call.argv else False


def run_by(event: "dict[str, Any]", call: "Call") -> "list[Script]":
    """The texts that the command runs and that speak of the gate at all."""
    found = [script for script in _run_by(event, call) if any(word in script.text for word in (*TOLD, *FURTHER))]
    for script in found:
        if len(script.text) > MOST_READ:
            lines = [line for line in script.text.split("\n") if any(word in line for word in TOLD)]
            script.text = "\n".join(lines)[:MOST_READ]
    return found


def _run_by(event: "dict[str, Any]", call: "Call") -> "Iterator[Script]":
    name = call.program
    if name in RECIPES:
        from rulec.runtime import recipes  # noqa: PLC0415 (few commands run a recipe)

        for text in recipes.run_by(call, lambda path: read(event, join(call.cwd, path))):
            yield Script(text, call.cwd)
        return
    if name == "patch" or (name == "git" and "apply" in call.argv):
        named = [read(event, join(call.cwd, word)) for word in call.argv[1:] if not word.startswith("-")]
        for text in [call.stdin, *named, *_fed(event, call)]:
            yield Script(text, call.cwd, "diff")
    elif name == "xargs":
        yield from _listed(event, call)
    elif name in SOURCING:
        yield from _sourced(event, call)
    elif name in EVALUATING:
        yield from _of_shell(event, call)
    elif family(name):
        yield from _of_interpreter(event, call)
    elif "/" in call.argv[0] and not call.argv[0].startswith(INSTALLED):
        yield from _executed(event, call, call.argv[0])


def _sourced(event: "dict[str, Any]", call: "Call") -> "Iterator[Script]":
    """``. FILE``: what the file defines is known to the commands behind it."""
    path = call.argv[1] if len(call.argv) > 1 else ""
    text = call.stdin if path in STREAM else "\n".join(_fed(event, call)) or read(event, join(call.cwd, path))
    if text:
        yield Script(text, call.cwd)
        if "(" in text or "alias" in text:
            yield Script(f"{text}\n{event.get('command') or ''}", "")


def _of_shell(event: "dict[str, Any]", call: "Call") -> "Iterator[Script]":
    if any(word.startswith("-") and not word.startswith("--") and "n" in word for word in call.argv[1:2]):
        return  # it is only read for faults
    if call.program != "eval":
        at = options(call.argv, 1, SHELL_OPTIONS)
        asked = any(word.startswith("-") and not word.startswith("--") and "c" in word for word in call.argv[1:at])
        if at < len(call.argv) and not asked and call.argv[at] not in STREAM:
            path = _found(event, call, call.argv[at])
            text = read(event, join(call.cwd, path))
            if text:
                yield Script(text, call.cwd, _language(path, text))
    for text in _fed(event, call) if call.dynamic or reads_commands(call.program, call.argv) else ():
        yield Script(text, call.cwd)


def _of_interpreter(event: "dict[str, Any]", call: "Call") -> "Iterator[Script]":
    program = family(call.program)
    valued = [*INTERPRETERS[program].split(), "-W", "-X", "-r", "--require"]
    at = options(call.argv, 1, valued)
    if "-m" in call.argv[1:at] and program == "python":
        name = call.argv[call.argv.index("-m") + 1 : call.argv.index("-m") + 2] or [""]
        places = [name[0].replace(".", "/") + end for end in (".py", "/__main__.py")]
    else:
        places = call.argv[at : at + 1]
    given = any(word in valued and word not in ("-W", "-X") for word in call.argv[1:at])
    texts = [] if given and "-m" not in call.argv[1:at] else [read(event, join(call.cwd, path)) for path in places]
    texts += _fed(event, call) if at >= len(call.argv) or call.argv[at] in STREAM else []
    for text in texts:
        if text:
            yield Script(text, call.cwd, program)


def _executed(event: "dict[str, Any]", call: "Call", path: str) -> "Iterator[Script]":
    text = read(event, join(call.cwd, path))
    if text:
        yield Script(text, call.cwd, _language(path, text))


def _listed(event: "dict[str, Any]", call: "Call") -> "Iterator[Script]":
    """``xargs -a FILE COMMAND``: the command with the words that a file gives it."""
    words = ["".join(call.argv[at + 1 : at + 2]) for at, word in enumerate(call.argv) if word in ("-a", "--arg-file")]
    words += [word.partition("=")[2] for word in call.argv if word.startswith("--arg-file=")]
    texts = [*(read(event, join(call.cwd, path)) for path in words), *_fed(event, call)]
    run = inner("xargs", call.argv)
    for text in texts if run else ():
        yield Script(events.shown([*run[0].argv, *text.split()[:MOST_WORDS]]), call.cwd)


def _language(path: str, text: str) -> str:
    """The program that runs the file: what its first line says, else its ending, else a shell."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        name = first[2:].split()[-1].rpartition("/")[2] if first[2:].split() else ""
        return family(name) or "sh"
    return BY_ENDING.get(path.rpartition(".")[2], "sh")


def _found(event: "dict[str, Any]", call: "Call", word: str) -> str:
    """The file that a word of ``find -exec`` or ``xargs`` stands for, where the text says it."""
    if word != "{}" or "find" not in call.via:
        return word
    for other in events.parsed(event).calls:
        if other.program == "find" and "-name" in other.argv[:-1]:
            return join(other.argv[1], other.argv[other.argv.index("-name") + 1])
    return word


def _fed(event: "dict[str, Any]", call: "Call") -> "list[str]":
    """The files, and the words, that other commands or a redirection give it to read."""
    found = [read(event, join(call.cwd, target)) for sign, target in call.redirects if sign == "<"]
    for source in dict.fromkeys(call.feeds):
        if source.program == "cat":
            found += [read(event, join(source.cwd, path)) for path in source.argv[1:] if not path.startswith("-")]
        elif not source.argv:
            found += [read(event, join(source.cwd, target)) for sign, target in source.redirects if sign == "<"]
        elif call.program in SOURCING or any(word.startswith("<(") for word in call.argv[1:]):
            found.append(said([source]) or "")
    return [text for text in found if text]


def read(event: "dict[str, Any]", path: str) -> str:
    """The file's text as this very command writes it, or as it is on the disk; "" where it is large, or no text."""
    place = relative(event, path)
    for effect in events.touched(event) if event["kind"] == "command" else ():
        if effect.content and relative(event, effect.path) == place:
            return effect.content
    known: "dict[str, str]" = event.setdefault("_read", {})
    if place not in known:
        world = event.get("world")
        text = world.read(place) if world and place and len(known) < MOST and not place.startswith(INSTALLED) else None
        known[place] = text.replace("\r\n", "\n") if text and len(text) <= LARGEST and "\0" not in text else ""
    return known[place]

"""Programs that run the command or the shell text they are given: which of their words that is."""

from rulec.runtime.launchers import CONSOLES, EVALUATORS, NESTED, PREFIXES, SHELLS, options, takes_next

__all__ = ["Inner", "completed", "inner", "options", "reads_commands", "takes_next"]

TEXT_OF_GIT = ("-x", "--exec")  # git rebase, git submodule foreach
WORDY = {  # evaluators of all their words -> their options with a value
    "watch": "-n --interval",
    "concurrently": "-n -c -l --names --prefix-colors",
    "hyperfine": "-w -r -m -M -n -p --warmup --runs --min-runs --max-runs --export-json --export-markdown",
}
AFTER_DASHES = ("mise exec", "mise x", "op run", "doppler run", "dotenvx run")
MOST_READ = 100  # words that xargs is given
FINDERS = ("-exec", "-execdir", "-ok", "-okdir")


class Inner:
    """What a carrier runs: words (argv), or shell text where there are no words."""

    __slots__ = ("args", "argv", "cwd", "dynamic", "env", "text", "via")

    def __init__(self, via: str, argv: "list[str] | None" = None, text: str = "") -> None:
        self.via, self.argv, self.text = via, argv or [], text
        self.args: "list[str]" = []  # what $0, $1 ... are in the text
        self.cwd, self.dynamic = "", False
        self.env: "dict[str, str]" = {}


def inner(program: str, argv: "list[str]") -> "list[Inner]":
    """The commands that this command itself runs."""
    if program in SHELLS:
        return _of_shell(program, argv)
    if program == "find":
        return _find(argv)
    if program == "git":
        return _git(argv)
    if program == "trap":
        return [Inner(program, text=argv[1])] if argv[2:] and argv[1] not in ("", "-") else []
    if program in CONSOLES:
        from rulec.runtime import consoles  # noqa: PLC0415 (few commands open one)

        return [Inner(program, argv=words, text=text) for words, text in consoles.opened(program, argv)]
    if program in EVALUATORS:
        found = _evaluated(program, argv)
        if found:
            return found
    return _launched(program, argv)


def _launched(program: str, argv: "list[str]") -> "list[Inner]":
    if program in PREFIXES:
        return _prefixed(program, argv, 1)
    if program not in NESTED:
        return []
    valued = NESTED[program].split()
    key, at = program, 0
    for _ in (1, 2):
        at = options(argv, at + 1, valued)
        if at >= len(argv):
            return []
        key += " " + argv[at]
        if key in PREFIXES:
            return _prefixed(key, argv, at + 1)
    return []


def _of_shell(program: str, argv: "list[str]") -> "list[Inner]":
    at = _text_place(argv)
    if not at:
        return []
    found = Inner(program, text=argv[at])
    found.args = argv[at + 1 :]
    return [found]


def _text_place(argv: "list[str]") -> int:
    """Where the text of ``bash -c TEXT`` stands, 0 where there is none."""
    asked = False
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in ("-o", "-O", "+o", "+O", "--rcfile", "--init-file"):
            index += 1
        elif word.startswith("-") and len(word) > 1:
            asked = asked or word == "--command" or (not word.startswith("--") and "c" in word)
        elif not word.startswith("+"):
            return index if asked else 0
        index += 1
    return 0


def reads_commands(program: str, argv: "list[str]") -> bool:
    """Whether a shell takes its commands from standard input."""
    if program not in SHELLS or _text_place(argv):
        return False
    words = [word for word in argv[1:] if not word.startswith(("-", "+"))]
    return not words or "-s" in argv or words[0] in ("-", "/dev/stdin")


def completed(argv: "list[str]", run: "list[str]", given: str) -> "list[str]":
    """The words that ``xargs`` runs, with those that it reads."""
    words = given.split()[:MOST_READ]
    own = argv[: len(argv) - len(run)]
    sign = next((after for word, after in zip(own, [*own[1:], ""]) if word == "-I"), "")  # noqa: B905 (Python 3.9)
    sign = sign or next((word[2:] for word in own if word.startswith("-I") and word[2:]), "")
    sign = sign or ("{}" if "-i" in own else "")
    return [word.replace(sign, " ".join(words)) for word in run] if sign else [*run, *words]


def _prefixed(key: str, argv: "list[str]", start: int) -> "list[Inner]":
    flags, operands = PREFIXES[key]
    valued = flags.split()
    if key == "command" and any(word in ("-v", "-V") for word in argv[1:2]):
        return []
    found = Inner(key)
    index = options(argv, start, valued)
    _folder_and_text(key, argv[start:index], found)
    if found.text:
        return [found]
    index += operands + (key == "env" and argv[index : index + 1] == ["-"])
    if key in AFTER_DASHES and "--" in argv[index:]:
        index = argv.index("--", index)
    while index < len(argv) and (key in ("env", "sudo", "cross-env", "dotenv", "doas") or argv[index] == "--"):
        name, equals, value = argv[index].partition("=")
        if argv[index] == "--":
            index += 1
            break
        if not equals or not name.isidentifier():
            break
        found.env[name] = value
        index += 1
    found.argv = argv[index:]
    found.dynamic = key in ("xargs", "parallel", "entr")
    if key in ("npx", "pnpm dlx", "npm exec", "npm x", "yarn dlx", "bunx", "uvx", "pipx run") and found.argv:
        name, at, _ = found.argv[0].rpartition("@")
        found.argv = [name if at and name else found.argv[0], *found.argv[1:]]
    return [found] if found.argv else []


def _folder_and_text(key: str, flags: "list[str]", found: Inner) -> None:
    """``env -C DIR``, ``sudo -D DIR`` and ``env -S TEXT``."""
    for index, word in enumerate(flags):
        name, equals, value = word.partition("=")
        value = value if equals else flags[index + 1] if index + 1 < len(flags) else ""
        if (key, name) in (
            ("env", "-C"),
            ("env", "--chdir"),
            ("sudo", "-D"),
            ("sudo", "--chdir"),
            ("conda run", "--cwd"),
        ):
            found.cwd = value
        elif (key, name) in (("env", "-S"), ("env", "--split-string")):
            found.text = value
        elif key == "env" and word.startswith("-S"):
            found.text = word[2:]


def _evaluated(program: str, argv: "list[str]") -> "list[Inner]":
    names = EVALUATORS[program].split()
    if names in ([], ["*"]):
        start = options(argv, 1, WORDY.get(program, "").split())
        text = ("\n" if names else " ").join(argv[start:])
        return [Inner(program, text=text)] if text else []
    for index, word in enumerate(argv):
        name, equals, value = word.partition("=")
        bundled = word.startswith("-") and not word.startswith("--") and takes_next(word, names)
        if name in names or bundled:
            text = value if equals else argv[index + 1] if index + 1 < len(argv) else ""
            return [Inner(program, text=text)] if text else []
    return []


def _find(argv: "list[str]") -> "list[Inner]":
    found = []
    index = 0
    while index < len(argv):
        if argv[index] in FINDERS:
            end = index + 1
            while end < len(argv) and argv[end] not in (";", "+"):
                end += 1
            run = Inner("find", argv[index + 1 : end])
            run.dynamic = True
            found.append(run)
            index = end
        index += 1
    return [run for run in found if run.argv]


def _git(argv: "list[str]") -> "list[Inner]":
    found = []
    rebase = argv.index("rebase") if "rebase" in argv else -1
    verb = options(argv, 1, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
    for index, word in enumerate(argv[:-1]):
        following = argv[index + 1]
        if word == "-c" and following.startswith("alias."):
            name, _, value = following[len("alias.") :].partition("=")
            if value.startswith("!"):
                found.append(Inner("git alias", text=value[1:]))
            elif argv[verb : verb + 1] == [name] and value:
                found.append(Inner("git alias", ["git", *value.split(), *argv[verb + 1 :]]))
        elif word in TEXT_OF_GIT and 0 <= rebase < index:
            found.append(Inner("git rebase", text=following))
        elif word == "foreach" and argv[index - 1] == "submodule":
            found.append(Inner("git submodule", text=" ".join(w for w in argv[index + 1 :] if w != "--recursive")))
        elif word == "run" and argv[max(0, index - 1)] == "bisect":
            found.append(Inner("git bisect", argv[index + 1 :]))
    return found

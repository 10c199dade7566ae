"""Programs that run the command or the shell text they are given: which of their words that is."""

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "fish"])
EVALUATORS = {  # program -> the option whose value is shell text; "" where all words together are
    "eval": "",
    "watch": "",
    "concurrently": "",
    "su": "-c --command",
    "runuser": "-c --command",
    "script": "-c --command",
    "flock": "-c --command",
    "npx": "-c --call",
    "nix-shell": "--run --command",
    "nodemon": "-x --exec",
}
# program, and subcommand where there is one -> options with a value, number of operands before the command
PREFIXES = {
    "sudo": ("-u -g -h -p -C -r -t -U -D -T -R --user --group --host --prompt --chdir --close-from --role --type", 0),
    "doas": ("-u -C -a", 0),
    "env": ("-u -C -S --unset --chdir --split-string", 0),
    "nohup": ("", 0),
    "time": ("-f -o --format --output", 0),
    "timeout": ("-s -k --signal --kill-after", 1),
    "gtimeout": ("-s -k --signal --kill-after", 1),
    "nice": ("-n --adjustment", 0),
    "ionice": ("-c -n -p --class --classdata", 0),
    "stdbuf": ("-i -o -e --input --output --error", 0),
    "setsid": ("", 0),
    "exec": ("-a", 0),
    "command": ("", 0),
    "builtin": ("", 0),
    "noglob": ("", 0),
    "nocorrect": ("", 0),
    "chroot": ("--userspec --groups", 1),
    "flock": ("-w -E --timeout --conflict-exit-code", 1),
    "xargs": ("-I -n -P -L -d -E -s -a --max-args --max-procs --max-lines --delimiter --arg-file --replace", 0),
    "parallel": ("-j -a --jobs --arg-file --colsep", 0),
    "strace": ("-e -o -p -s -u", 0),
    "busybox": ("", 0),
    "chronic": ("", 0),
    "unbuffer": ("", 0),
    "caffeinate": ("-t -w", 0),
    "xvfb-run": ("-n -s -e -f --server-num --server-args", 0),
    "dotenv": ("-f --file -e", 0),
    "cross-env": ("", 0),
    "entr": ("", 0),
    "watch": ("-n -d --interval", 0),
    "corepack": ("", 0),
    "npx": ("-p --package -w --workspace", 0),
    "bunx": ("", 0),
    "uvx": ("--from --with -p --python", 0),
    "direnv exec": ("", 1),
    "npm exec": ("-p --package -w --workspace", 0),
    "npm x": ("-p --package -w --workspace", 0),
    "pnpm dlx": ("--package", 0),
    "pnpm exec": ("", 0),
    "yarn dlx": ("-p --package", 0),
    "yarn exec": ("", 0),
    "bun x": ("", 0),
    "pipx run": ("--spec --python", 0),
    "uv run": ("--with --with-editable -p --python --project --directory --extra --group --env-file --package", 0),
    "poetry run": ("", 0),
    "pipenv run": ("", 0),
    "pdm run": ("-p --project", 0),
    "rye run": ("", 0),
    "hatch run": ("", 0),
    "bundle exec": ("", 0),
    "mise exec": ("", 0),
    "mise x": ("", 0),
    "asdf exec": ("", 0),
    "pyenv exec": ("", 0),
    "rbenv exec": ("", 0),
    "conda run": ("-n -p --name --prefix --cwd", 0),
    "git bisect run": ("", 0),
}
TEXT_OF_GIT = ("-x", "--exec")  # git rebase, git submodule foreach
FINDERS = ("-exec", "-execdir", "-ok", "-okdir")


class Inner:
    """What a carrier runs: words (argv), or shell text where there are no words."""

    __slots__ = ("argv", "cwd", "dynamic", "env", "text", "via")

    def __init__(self, via: str, argv: "list[str] | None" = None, text: str = "") -> None:
        self.via, self.argv, self.text = via, argv or [], text
        self.cwd, self.dynamic = "", False
        self.env: "dict[str, str]" = {}


def inner(program: str, argv: "list[str]") -> "list[Inner]":
    """The commands that this command itself runs."""
    if program in SHELLS:
        text = shell_text(argv)
        return [] if text is None else [Inner(program, text=text)]
    if program == "find":
        return _find(argv)
    if program == "git":
        return _git(argv)
    if program == "trap":
        return [Inner(program, text=argv[1])] if argv[2:] and argv[1] not in ("", "-") else []
    if program in EVALUATORS:
        found = _evaluated(program, argv)
        if found:
            return found
    key = program
    for count in (1, 2):
        if key in PREFIXES:
            return _prefixed(key, argv, count)
        key = " ".join([program, *argv[1 : count + 1]])
    return _prefixed(key, argv, 3) if key in PREFIXES else []


def shell_text(argv: "list[str]") -> "str | None":
    """The text of ``bash -c TEXT``."""
    asked = False
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in ("-o", "-O", "+o", "+O", "--rcfile", "--init-file"):
            index += 1
        elif word.startswith("-") and len(word) > 1:
            asked = asked or word == "--command" or (not word.startswith("--") and "c" in word)
        elif not word.startswith("+"):
            return word if asked else None
        index += 1
    return None


def reads_commands(program: str, argv: "list[str]") -> bool:
    """Whether a shell takes its commands from standard input."""
    if program not in SHELLS or shell_text(argv) is not None:
        return False
    words = [word for word in argv[1:] if not word.startswith(("-", "+"))]
    return not words or "-s" in argv or words[0] in ("-", "/dev/stdin")


def options(argv: "list[str]", start: int, valued: "list[str]") -> int:
    """The position of the first word that is no option and no option's value."""
    index = start
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return index + 1
        if not word.startswith("-") or word == "-":
            return index
        index += 2 if takes_next(word, valued) else 1
    return index


def takes_next(word: str, valued: "list[str]") -> bool:
    """Whether the next word is this option's value."""
    if word.startswith("--") or word in valued:
        return word in valued
    for position, letter in enumerate(word[1:], 2):
        if "-" + letter in valued:
            return position == len(word)
    return False


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
    index += operands
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
    if not names:
        start = options(argv, 1, ["-n", "--interval"] if program == "watch" else [])
        joint = "\n" if program == "concurrently" else " "
        text = joint.join(argv[start:])
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
    for index, word in enumerate(argv[:-1]):
        following = argv[index + 1]
        if word == "-c" and following.startswith("alias.") and "=!" in following:
            found.append(Inner("git alias", text=following.partition("=!")[2]))
        elif word in TEXT_OF_GIT and 0 <= rebase < index:
            found.append(Inner("git rebase", text=following))
        elif word == "foreach" and argv[index - 1] == "submodule":
            found.append(Inner("git submodule", text=" ".join(w for w in argv[index + 1 :] if w != "--recursive")))
        elif word == "run" and argv[max(0, index - 1)] == "bisect":
            found.append(Inner("git bisect", argv[index + 1 :]))
    return found

"""Commands that run others: sudo, env, xargs, bash -c, npx, uv run; and which of their words that command is."""

import re
from itertools import pairwise

from rulec.shell.parsing.call import first_operand, option_values, takes_value
from rulec.shell.parsing.carriers import CARRIERS, carried_texts
from rulec.shell.program_options import GLOBALS

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "fish"])
LATER = ("at", "batch")  # they run what standard input gives them at another time
EVALUATORS = {  # program -> the option whose value is shell text; "" where all words together are, "*" where each is
    "eval": "",
    "watch": "",
    "concurrently": "*",
    "hyperfine": "*",
    "su": "-c --command",
    "runuser": "-c --command",
    "script": "-c --command",
    "flock": "-c --command",
    "npx": "-c --call",
    "nix-shell": "--run --command",
    "nodemon": "-x --exec",
    "sg": "-c",
    "watchexec": "",
}
# A service of this project sees its files, as a command here does; a container that runs already is another machine,
# whose files are none of the repository's.
_COMPOSE = (
    "-c -H -l --context --host --log-level --config -f -p --file --project-name --profile --env-file "
    "--project-directory --ansi --parallel --progress"
)
# The options with a value of docker exec, and of docker run.
ENTERING = "-e -u -w --env --env-file --user --workdir --detach-keys"
STARTING = (
    f"{ENTERING} -a -c -h -l -m -p -v --add-host --cap-add --cap-drop --cidfile --cpus --device --dns --entrypoint "
    "--env-from-file --expose --gpus --group-add --hostname --index --ip --ipc --label --link --log-driver --log-opt "
    "--memory --mount --name --net --network --pid --platform --publish --pull --restart --runtime --security-opt "
    "--shm-size --stop-signal --sysctl --tmpfs --ulimit --userns --volume --volumes-from"
)
_ENGINES = ("docker", "podman", "nerdctl")
COMPOSED = {
    f"{tool} {verb}": (STARTING, 1)
    for tool in (*(f"{engine} compose" for engine in _ENGINES), "docker-compose", "podman-compose")
    for verb in ("run", "exec")
}
# A new container: what runs in it is known where the command or the name of the image tells.
STARTED = {f"{engine} {verb}": (STARTING, 1) for engine in _ENGINES for verb in ("run", "container run")}
# What is there already: a container, a pod, and another machine that runs all its words as shell text.
PODS = ("kubectl", "oc")
ENTERED = {
    **{f"{engine} {verb}": (ENTERING, 1) for engine in _ENGINES for verb in ("exec", "container exec")},
    **{f"{program} exec": ("-c --container -n --namespace -f --filename --pod-running-timeout", 1) for program in PODS},
}
SSH_VALUED = "-b -B -c -D -e -E -F -i -I -J -l -L -m -o -O -p -P -Q -R -S -w -W"
ELSEWHERE = COMPOSED.keys() | STARTED.keys() | ENTERED.keys() | {"ssh"}
_RLWRAP = (
    "-b -C -D -f -g -H -l -p -P -q -s -S -t -w -z --break-chars --command-name --file --history-filename --logfile "
    "--filter --histsize --substitute-prompt --set-term-name --wait-before-prompt --pre-given --quote-characters "
    "--forget-matching --history-no-dupes"
)
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
    "call": ("", 0),
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
    "bun run": ("--cwd --filter --env-file --preload -r --config -c", 0),
    "faketime": ("-p --date-prog", 1),
    "rlwrap": (_RLWRAP, 0),
    "prlimit": ("-p -o --pid --output", 0),
    "unshare": ("-S -G -R -w -l --setuid --setgid --root --wd --propagation --setgroups --map-user --map-group", 0),
    "fakeroot": ("-l -s -i -b --lib --faked", 0),
    "eatmydata": ("", 0),
    "valgrind": ("", 0),
    "ltrace": ("-e -o -p -s -u", 0),
    "taskset": ("", 1),
    "chrt": ("", 1),
    "perf stat": ("-e -o -r", 0),
    "pkexec": ("--user", 0),
    "gosu": ("", 1),
    "su-exec": ("", 1),
    "tini": ("-p", 0),
    "dumb-init": ("", 0),
    "systemd-run": ("-p -u --property --unit --slice --uid --gid", 0),
    "torsocks": ("", 0),
    "proxychains": ("-f", 0),
    "dotenvx run": ("-f --env-file -e --env", 0),
    "doppler run": ("-p -c --project --config --token", 0),
    "op run": ("--env-file --account", 0),
    "aws-vault exec": ("-d --duration --region", 1),
    "lerna exec": ("--scope --ignore", 0),
    "pyenv exec": ("", 0),
    "rbenv exec": ("", 0),
    "pixi run": ("-e --environment --manifest-path", 0),
    "pixi exec": ("-c -s --channel --spec", 0),
    "infisical run": ("--env --path --projectId --token", 0),
    **dict.fromkeys(("mamba run", "micromamba run"), ("-n -p --name --prefix --cwd", 0)),
    "conda run": ("-n -p --name --prefix --cwd", 0),
    "nvm exec": ("", 0),
    "fnm exec": ("--using --fnm-dir --log-level", 0),
    "volta run": ("--node --npm --pnpm --yarn --env", 0),
    "n exec": ("", 1),
    "nodenv exec": ("", 0),
    "devbox run": ("-c --config -e --env --env-file", 0),
    "devcontainer exec": (
        "--workspace-folder --config --container-id --id-label --remote-env --docker-path --user-data-folder",
        0,
    ),
    "ddev exec": ("-s -d --service --dir", 0),
    "sail": ("", 0),
    "toolbox run": ("-c -d -r --container --distro --release", 0),
    "distrobox enter": ("-n --name", 1),
    "heroku run": ("-a -r -s --app --remote --size --type --env", 0),
    "wsl": ("-d -u --distribution --user --cd --shell-type", 0),
    **COMPOSED,
    **STARTED,
    **ENTERED,
}
# programs with such subcommands -> their own options with a value, which may stand before the subcommand
NESTED = {
    **dict.fromkeys([key.partition(" ")[0] for key in PREFIXES if " " in key], ""),
    "pnpm": "-C --dir --filter -F",
    "npm": "--prefix -C -w --workspace",
    "yarn": "--cwd",
    "uv": "--directory --project --config-file",
    "poetry": "-C -P --directory --project",
    "mise": "-C -E --cd --env",
    "doppler": "-p -c -t --project --config --token",
    **dict.fromkeys(("docker", "docker-compose", "podman", "podman-compose", "nerdctl"), _COMPOSE),
    **dict.fromkeys(PODS, GLOBALS["kubectl"]),
}
CONSOLES = frozenset(["tmux", "screen", "cmd", "powershell", "pwsh", "nix"])  # see consoles.py
INTERPRETERS = {  # program -> the options whose value is program text
    "python": "-c",
    "node": "-e -p --eval --print",
    "ruby": "-e",
    "perl": "-e -E",
    "php": "-r",
    "deno": "",
    "bun": "-e --eval",
    "lua": "-e",
    "luajit": "-e",
    "Rscript": "-e",
    "julia": "-e -E --eval --print",
}


def interpreter_of(program: str) -> str:
    """The interpreter without its version: python for python3.12; "" where it is none."""
    name = program.rstrip("0123456789.")
    return name if name in INTERPRETERS else ""


GIT_KEYS = (  # settings of git whose value it runs as shell text, beside those that begin with "pager."
    "core.editor", "sequence.editor", "core.pager", "core.sshcommand", "diff.external", "gpg.program", "core.askpass",
)  # fmt: skip
GIT_VARIABLES = (
    "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL", "GIT_PAGER", "PAGER", "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF", "GIT_ASKPASS",
)  # fmt: skip
GIT_FILTERS = frozenset(
    ["--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--parent-filter", "--commit-filter", "--setup"]
)
TEXT_OF_GIT = ("-x", "--exec")  # git rebase, git submodule foreach
WORDY = {  # evaluators of all their words -> their options with a value
    "watch": "-n --interval",
    "concurrently": "-n -c -l --names --prefix-colors",
    "watchexec": "-w -W -e -f -i -d -s -o -E -j --watch --exts --filter --ignore --debounce --signal --on-busy-update "
    "--stop-signal --stop-timeout --delay-run --shell --env --workdir --project-origin --poll --ignore-file",
    "hyperfine": "-w -r -m -M -n -p --warmup --runs --min-runs --max-runs --export-json --export-markdown",
}
_NODE_VERSION = re.compile(r"v?\d|(?:lts/.*|node|stable|system|default|current|iojs)$")
AFTER_DASHES = ("distrobox enter", "mise exec", "mise x", "op run", "doppler run", "dotenvx run", "infisical run")
HERE = (".", "/", "~", "$", "`")  # how the source of a mount begins that is a folder, and no volume
GIVEN = "{}"  # stands in a command's words for the files that another one lists
MOST_READ = 100  # words that xargs is given
FINDERS = ("-exec", "-execdir", "-ok", "-okdir")


class WrappedCommand:
    """What a wrapper runs: words (argv), or shell text where there are no words."""

    __slots__ = ("args", "argv", "cwd", "dynamic", "env", "text", "via")

    def __init__(self, via: str, argv: "list[str] | None" = None, text: str = "", cwd: str = "") -> None:
        self.via, self.argv, self.text, self.cwd = via, argv or [], text, cwd
        self.args: list[str] = []  # what $0, $1 ... are in the text
        self.dynamic = False
        self.env: dict[str, str] = {}


def wrapped_commands(program: str, argv: "list[str]") -> "list[WrappedCommand]":
    """The commands that this command runs."""
    if program in SHELLS:
        return _wrapped_by_shell(program, argv)
    if program == "find":
        return _wrapped_by_find(argv)
    if program == "git":
        return _wrapped_by_git(argv)
    if program in CARRIERS:
        return [WrappedCommand(program, text=text) for text in carried_texts(program, argv) if text.strip()]
    if program == "trap":
        return [WrappedCommand(program, text=argv[1])] if argv[2:] and argv[1] not in ("", "-") else []
    if program in CONSOLES:
        from rulec.shell.parsing import terminals  # noqa: PLC0415 (few commands open one)

        return [
            WrappedCommand(program, argv=words, text=text) for words, text in terminals.terminal_commands(program, argv)
        ]
    if program == "ssh":
        text = " ".join(argv[first_operand(argv, 1, SSH_VALUED.split()) + 1 :])
        return [WrappedCommand(program, text=text, cwd="/")] if text else []
    if program in EVALUATORS:
        found = _evaluated_text(program, argv)
        if found:
            return found
    return _wrapped_by_name(program, argv)


def _wrapped_by_name(program: str, argv: "list[str]") -> "list[WrappedCommand]":
    if program in PREFIXES:
        return _wrapped_by_prefix(program, argv, 1)
    if program not in NESTED:
        return []
    valued = NESTED[program].split()
    key, at = program, 0
    for _ in (1, 2):
        at = first_operand(argv, at + 1, valued)
        if at >= len(argv):
            return []
        key += " " + argv[at]
        if key in ELSEWHERE:
            return _wrapped_by_container(key, argv, at + 1)
        if key in PREFIXES:
            return _wrapped_by_prefix(key, argv, at + 1)
    return []


def _wrapped_by_container(key: str, argv: "list[str]", start: int) -> "list[WrappedCommand]":
    """What runs in a container: the words behind the image or service, or its entry point with them.

    An image is often named after its entry point; one of an interpreter runs the words themselves, if they are no
    options. A container that mounts no folder of this machine has other files, and a top of its own.
    """
    at = first_operand(argv, start, PREFIXES[key][0].split())
    given, image, rest = argv[start:at], "".join(argv[at : at + 1]), argv[at + 1 :]
    if key.startswith(PODS) and "--" in rest:
        rest = rest[rest.index("--") + 1 :]
    entry = option_values(given, ("--entrypoint",))[-1:]
    runs = [[*entry, *rest]]
    if key in STARTED and rest and not entry:
        program = image.partition("@")[0].rpartition("/")[2].partition(":")[0]
        options = rest[0].startswith("-")
        runs = [] if options else [rest]
        runs += [[program, *rest]] if options or not (interpreter_of(program) or program in SHELLS) else []
    sources = option_values(given, ("-v", "--volume"))
    parts = [part.partition("=") for one in option_values(given, ("--mount",)) for part in one.split(",")]
    sources += [value for name, _, value in parts if name in ("source", "src")]
    alone = key in ENTERED or (key in STARTED and not any(source.startswith(HERE) for source in sources))
    found = [WrappedCommand(key, words) for words in runs if words]
    for one in found:
        one.cwd = "/" * alone
    return found


def _wrapped_by_shell(program: str, argv: "list[str]") -> "list[WrappedCommand]":
    at = _text_place(argv)
    if not at:
        return []
    found = WrappedCommand(program, text=argv[at])
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


def reads_commands_from_stdin(program: str, argv: "list[str]") -> bool:
    """Whether a shell takes its commands from standard input."""
    if program in LATER:
        return True
    if program not in SHELLS or _text_place(argv):
        return False
    words = [word for word in argv[1:] if not word.startswith(("-", "+"))]
    return not words or "-s" in argv or words[0] in ("-", "/dev/stdin")


def with_xargs_words(argv: "list[str]", run: "list[str]", given: str) -> "list[str]":
    """The words that ``xargs`` runs, with those that it reads."""
    words = given.split()[:MOST_READ]
    own = argv[: len(argv) - len(run)]
    sign = next((after for word, after in zip(own, [*own[1:], ""], strict=False) if word == "-I"), "")
    sign = sign or next((word[2:] for word in own if word.startswith("-I") and word[2:]), "")
    sign = sign or ("{}" if "-i" in own else "")
    return [word.replace(sign, " ".join(words)) for word in run] if sign else [*run, *words]


def _wrapped_by_prefix(key: str, argv: "list[str]", start: int) -> "list[WrappedCommand]":
    flags, operands = PREFIXES[key]
    valued = flags.split()
    if key == "command" and any(word in ("-v", "-V") for word in argv[1:2]):
        return []
    found = WrappedCommand(key)
    index = first_operand(argv, start, valued)
    _folder_and_text(key, argv[start:index], found)
    if found.text:
        return [found]
    index += operands + (key == "env" and argv[index : index + 1] == ["-"])
    index += key == "nvm exec" and bool(_NODE_VERSION.match("".join(argv[index : index + 1])))
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


def _folder_and_text(key: str, flags: "list[str]", found: WrappedCommand) -> None:
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


def _evaluated_text(program: str, argv: "list[str]") -> "list[WrappedCommand]":
    names = EVALUATORS[program].split()
    if names in ([], ["*"]):
        start = first_operand(argv, 1, WORDY.get(program, "").split())
        text = ("\n" if names else " ").join(argv[start:])
        return [WrappedCommand(program, text=text)] if text else []
    for index, word in enumerate(argv):
        name, equals, value = word.partition("=")
        bundled = word.startswith("-") and not word.startswith("--") and takes_value(word, names)
        if name in names or bundled:
            text = value if equals else argv[index + 1] if index + 1 < len(argv) else ""
            return [WrappedCommand(program, text=text)] if text else []
    return []


def _wrapped_by_find(argv: "list[str]") -> "list[WrappedCommand]":
    found = []
    index = 0
    while index < len(argv):
        if argv[index] in FINDERS:
            end = index + 1
            while end < len(argv) and argv[end] not in (";", "+"):
                end += 1
            run = WrappedCommand("find", argv[index + 1 : end])
            run.dynamic = True
            found.append(run)
            index = end
        index += 1
    return [run for run in found if run.argv]


def _wrapped_by_git(argv: "list[str]") -> "list[WrappedCommand]":
    rebase = argv.index("rebase") if "rebase" in argv else -1
    verb = first_operand(argv, 1, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
    found = _run_by_aliases(argv, verb)
    for index, word in enumerate(argv[:-1]):
        following = argv[index + 1]
        if word == "-c" and index < verb and _runs_value(following):
            found.append(WrappedCommand("git -c", text=following.partition("=")[2]))
        elif (word in GIT_FILTERS and argv[verb] == "filter-branch") or (
            word in ("-x", "--extcmd") and argv[verb] == "difftool"
        ):
            found.append(WrappedCommand("git " + argv[verb], text=following))
        elif word in TEXT_OF_GIT and 0 <= rebase < index:
            found.append(WrappedCommand("git rebase", text=following))
        elif word == "foreach" and argv[index - 1] == "submodule":
            found.append(
                WrappedCommand("git submodule", text=" ".join(w for w in argv[index + 1 :] if w != "--recursive"))
            )
        elif word == "run" and argv[max(0, index - 1)] == "bisect":
            found.append(WrappedCommand("git bisect", argv[index + 1 :]))
    return found


def _run_by_aliases(argv: "list[str]", verb: int) -> "list[WrappedCommand]":
    """What the aliases stand for that the command sets: with -c for itself, with ``git config`` for later ones."""
    found = []
    for word, following in pairwise(argv):
        if word.lower().startswith("alias.") and argv[verb : verb + 1] == ["config"]:
            text = following[1:] if following.startswith("!") else f"git {following}"
            found.append(WrappedCommand("git alias", text=text))
        elif word == "-c" and following.startswith("alias."):
            name, _, value = following[len("alias.") :].partition("=")
            if value.startswith("!"):
                found.append(WrappedCommand("git alias", text=value[1:]))
            elif argv[verb : verb + 1] == [name] and value:
                found.append(WrappedCommand("git alias", ["git", *value.split(), *argv[verb + 1 :]]))
    return found


def _runs_value(setting: str) -> bool:
    key, _, value = setting.partition("=")
    return bool(value) and (key.lower() in GIT_KEYS or key.lower().startswith("pager."))


def run_by_variables(env: "dict[str, str]") -> "list[WrappedCommand]":
    """What git runs because a variable names it as the editor, the pager and the like."""
    return [WrappedCommand("git", text=env[key]) for key in GIT_VARIABLES if env.get(key)]

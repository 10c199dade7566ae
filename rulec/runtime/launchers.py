"""What is known of programs that run the command or the shell text they are given."""

SHELLS = frozenset(["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "fish"])
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
    "conda run": ("-n -p --name --prefix --cwd", 0),
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
}


def family(program: str) -> str:
    """The interpreter whose version this is: python for python3.12, "" for what is none."""
    name = program.rstrip("0123456789.")
    return name if name in INTERPRETERS else ""


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

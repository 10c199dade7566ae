"""Whether a command is what a pattern in a person's words names: "npm", "git push --force", "rm -rf"."""

from .carriers import SHELLS, options, takes_next
from .shell import Call

GLOBALS = {  # programs with subcommands -> their global options that take a value
    "git": "-C -c --git-dir --work-tree --namespace --super-prefix --config-env",
    "npm": "--prefix -C -w --workspace --registry --cache --loglevel --userconfig --tag",
    "pnpm": "-C --dir --filter -F --registry --loglevel --reporter --config-dir",
    "yarn": "--cwd --registry --cache-folder --modules-folder",
    "bun": "--cwd -c --config",
    "docker": "--context -c -H --host -l --log-level --config",
    "podman": "--url --connection --log-level --root",
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "pip": "--proxy --cache-dir --log --python --timeout",
    "uv": "--directory --project --config-file --cache-dir",
    "poetry": "-C -P --directory --project",
    "cargo": "-C -Z --manifest-path --config --color --target-dir",
    "go": "-C",
    "gh": "-R --repo",
    "terraform": "",
    "aws": "--profile --region --output --endpoint-url",
    "gcloud": "--project --account --configuration",
    "systemctl": "-H -M --host --machine",
    "apt": "-o -c -t",
    "apt-get": "-o -c -t",
    "brew": "",
    "deno": "",
    "dotnet": "",
    "bundle": "",
    "rails": "",
    "composer": "-d --working-dir",
    "conda": "",
    "pre-commit": "--color",
    "rulec": "",
}
VALUED = {  # options with a value after the subcommand: the value is neither flag nor subcommand
    "git commit": "-m -C -c -F -t --message --file --author --date --reuse-message --reedit-message --template "
    "--cleanup --trailer --fixup --squash --pathspec-from-file",
    "git push": "-o --push-option --repo --receive-pack --exec",
    "git merge": "-m -s -X -F --message --strategy --strategy-option --file",
    "git tag": "-m -F -u --message --file --local-user --sort --format",
    "git checkout": "-b -B --orphan --conflict",
    "git switch": "-c -C --create --force-create --orphan",
    "git rebase": "-x -s -X --exec --onto --strategy --strategy-option",
    "git stash": "-m --message",
    "git log": "-n --author --grep --since --until --format --pretty -S -G",
    "git clean": "-e --exclude",
    "git cherry-pick": "-m -s -X --mainline --strategy",
    "git revert": "-m --mainline",
    "docker compose": "-f -p --file --project-name --profile --env-file --project-directory --ansi",
    "docker run": "-e -v -p -w -u --env --volume --publish --workdir --user --name --network --entrypoint --mount",
    "docker exec": "-e -w -u --env --workdir --user",
    "gh pr": "-t -b -B -H -F -r -a -l --title --body --base --head --body-file --reviewer --assignee --label",
    "gh issue": "-t -b -F -a -l --title --body --body-file --assignee --label",
    "make": "-C -f -I -o -W --directory --file",
    "python": "-c -m -W -X",
    "pytest": "-k -m -p -n -c -o --maxfail --rootdir --timeout",
    "curl": "-X -H -d -o -u -F -A -e -b -c --request --header --data --output --user --form",
}
ALIASES = {
    "npm": {"i": "install", "add": "install", "in": "install", "ins": "install", "isntall": "install",
            "run-script": "run", "rum": "run", "urn": "run", "t": "test", "tst": "test", "un": "uninstall",
            "rm": "uninstall", "r": "uninstall", "remove": "uninstall", "unlink": "uninstall", "x": "exec",
            "up": "update", "upgrade": "update", "clean-install": "ci", "ic": "ci", "c": "config"},
    "pnpm": {"i": "install", "rm": "remove", "un": "remove", "uninstall": "remove", "up": "update",
             "upgrade": "update", "t": "test", "run-script": "run"},
    "yarn": {"upgrade-interactive": "upgrade"},
    "bun": {"i": "install", "a": "add", "rm": "remove"},
}  # fmt: skip
WHOLE_WORDS = frozenset(
    ["find", "go", "terraform", "java", "javac", "openssl", "ffmpeg", "gcc", "g++", "clang", "xcodebuild"]
)  # -one-option
FULL_LONGS = frozenset(
    [
        "--force",
        "--all",
        "--edit",
        "--sign",
        "--exec",
        "--keep",
        "--merge",
        "--name",
        "--diff",
        "--set-upstream",
        "--no-edit",
    ]
)
LAUNCHER = "rulec.sh"  # starts rulec, wherever it is installed
SHORTEST_LONG = 4


def programs(call: Call) -> "tuple[str, ...]":
    """The names under which rules may know the program of this call."""
    return tuple(name for name, _ in _views(call.argv, call.program))


def keys(pattern: str) -> "tuple[str, ...] | None":
    """The programs that a pattern speaks of; None where any program may be meant."""
    first = pattern.split()[:1]
    names = tuple(plain(name) for name in first[0].split("|")) if first else ()
    return None if any("*" in name for name in names) else names


def plain(name: str) -> str:
    """The program's name without a version: python3.11 and python are one, pip3 and pip too."""
    for family in ("python", "pip"):
        if name.startswith(family) and not name[len(family) :].strip("0123456789.w"):
            return family
    return "docker compose" if name == "docker-compose" else name


def matches(pattern: str, call: Call) -> bool:
    """Whether the call is what the pattern names; flags may stand in any order, words keep theirs."""
    words = pattern.split()
    if not words or not call.argv:
        return False
    return any(_fits(words, name, rest) for name, rest in _views(call.argv, call.program))


def without(pattern: str, call: Call) -> "list[str]":
    """The words of a matching call that are not the pattern's own."""
    words = pattern.split()
    program, rest = next(view for view in _views(call.argv, call.program) if _fits(words, *view))
    left = list(rest)
    for word in words[1:]:
        at = _place(word, program, left)
        if at >= 0:
            del left[at]
    return left


def _place(word: str, program: str, rest: "list[str]") -> int:
    valued = GLOBALS.get(program, VALUED.get(program, "")).split()
    names = ALIASES.get(program, {})
    skip = False
    for at, given in enumerate(rest):
        if not skip and _word(word, names.get(given, given), names):
            return at
        skip = not skip and given.startswith("-") and takes_next(given, valued)
    return -1


def _views(argv: "list[str]", program: str) -> "list[tuple[str, list[str]]]":
    """Program and words; ``python -m tool`` and our launcher are views of what they start, too."""
    name = plain(program)
    if name == "docker compose":
        return [("docker", ["compose", *argv[1:]]), ("docker-compose", argv[1:])]
    found = [(name, argv[1:])] if name else []
    if name in ("python", "py"):
        modules = (at for at, word in enumerate(argv) if word.startswith("-") and takes_next(word, ["-m"]))
        at = next(modules, 0)
        if 0 < at < len(argv) - 1 and all(word.startswith("-") for word in argv[1:at]):
            found.append((plain(argv[at + 1]), argv[at + 2 :]))
    at = options(argv, 1, ["-o", "-O"]) if name in SHELLS else 0
    if at < len(argv) and argv[at].rpartition("/")[2] == LAUNCHER:
        found.append(("rulec", argv[at + 1 :]))
    return found


def _fits(words: "list[str]", program: str, rest: "list[str]") -> bool:
    wanted = ["docker", "compose", *words[1:]] if words[0] == "docker-compose" and program == "docker" else words
    if not any(_same(option, program) for option in map(plain, wanted[0].split("|"))):
        return False
    bare, flags = operands(program, rest)
    asked, asked_flags = operands(program, wanted[1:])
    if not all(any(_flagged(option, program, flags) for option in word.split("|")) for word in asked_flags):
        return False
    return _in_order(program, asked, bare)


def _in_order(program: str, asked: "list[str]", bare: "list[str]") -> bool:
    names = ALIASES.get(program, {})
    if asked and program in GLOBALS and not (bare and _word(asked[0], names.get(bare[0], bare[0]), names)):
        return False
    at = 0
    for word in asked:
        while at < len(bare) and not _word(word, bare[at] if at else names.get(bare[0], bare[0]), names):
            at += 1
        if at == len(bare):
            return False
        at += 1
    return True


def _word(wanted: str, word: str, names: "dict[str, str]") -> bool:
    return any(_same(option, word) or _same(names.get(option, option), word) for option in wanted.split("|"))


def _same(wanted: str, word: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted


def operands(program: str, rest: "list[str]") -> "tuple[list[str], list[str]]":
    """Words that are no flags (global options and values left out), and flags, each with its value if it has one."""
    bare: "list[str]" = []
    flags: "list[str]" = []
    valued = GLOBALS.get(program, VALUED.get(program, "")).split()
    index = 0
    while index < len(rest):
        word = rest[index]
        index += 1
        if word == "--":
            bare += rest[index:]
            break
        if word.startswith("-") and len(word) > 1:
            if takes_next(word, valued):
                flags.append(word + "=" + (rest[index] if index < len(rest) else ""))
                index += 1
            else:
                flags.append(_without_value(word, valued))
        else:
            bare.append(word)
            if len(bare) == 1 and program in GLOBALS:
                valued = (
                    VALUED.get(program + " " + word, "") + (" " + GLOBALS[program] if program != "git" else "")
                ).split()
    return bare, flags


def _without_value(word: str, valued: "list[str]") -> str:
    """``-mtext`` is -m with a value: the letters after it are no flags."""
    if word.startswith("--") or "|" in word:  # spellings of one flag, as patterns have them
        return word
    for position, letter in enumerate(word[1:], 1):
        if "-" + letter in valued:
            return word[: position + 1] + "=" + word[position + 1 :]
    return word


def _flagged(wanted: str, program: str, flags: "list[str]") -> bool:
    wanted = wanted.removesuffix("=")
    for flag in flags:
        name = flag.partition("=")[0]
        if wanted in (flag, name) or (wanted.endswith("*") and flag.startswith(wanted[:-1])):
            return True
        shortened = program == "git" and len(name) >= SHORTEST_LONG and name.startswith("--") and name not in FULL_LONGS
        if shortened and wanted.startswith(name):
            return True
    if wanted.startswith("--") or "=" in wanted or program in WHOLE_WORDS:
        return False
    letters = {letter for flag in flags if not flag.startswith("--") for letter in flag.partition("=")[0][1:]}
    return all(letter in letters for letter in wanted[1:])

"""What the recipe that a command names runs: of a Makefile, a justfile, a Taskfile, or a package's scripts."""

from __future__ import annotations

import json
import re

from rulec.shell.parsing.call import first_operand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.shell.parsing.call import Call

    Read = Callable[[str], str]


FILES = {
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"),
    "go-task": ("Taskfile.yml", "Taskfile.yaml"),
}
VALUED = {
    "make": "-C -f -I -o -W -j -l --directory --file --makefile",
    "just": "-f --justfile -d --working-directory --set",
    "task": "-d --dir -t --taskfile",
    "npm": "--prefix -C -w --workspace",
    "pnpm": "-C --dir -F --filter",
    "yarn": "--cwd",
    "bun": "--cwd",
}
FOLDERS = ("-C", "--directory", "-d", "--dir", "--working-directory", "--prefix", "--cwd")
NAMES_FILE = ("-f", "--file", "--makefile", "--justfile", "-t", "--taskfile")
LOOKS = ("-n", "--dry-run", "--just-print", "--recon", "--list", "-l", "--help", "-h", "--version", "--summary")
OWN = frozenset(  # subcommands of a package manager that are no script's name
    [
        "add", "audit", "bin", "cache", "ci", "config", "create", "dedupe", "dlx", "exec", "fund", "help", "i",
        "import", "info", "init", "install", "link", "list", "login", "logout", "ls", "outdated", "pack", "patch",
        "prune", "publish", "rebuild", "remove", "rm", "root", "search", "set", "store", "unlink", "up", "update",
        "upgrade", "view", "version", "versions", "why", "x",
    ]
)  # fmt: skip
TESTS = {"t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart", "test": "test"}
MOST = 50  # recipes that one command runs
_SET = r"(?m)^(?:export[ \t]+|override[ \t]+)*([A-Za-z_]\w*)[ \t]*(?:\?|:{0,3})=[ \t]*(.*)$"
_VALUE = r"\$[({](\w+)[)}]|\{\{[ \t]*(\w+)[ \t]*\}\}"  # a variable's, as make and just write it
DEEPEST = 3  # values that hold variables
_RULE = r"^([A-Za-z0-9_./%-][^:=#\t\n]*)::?(?!=)([^=;\n]*)(?:;(.*))?$"  # needs; what follows them is its recipe too
_TASK = r"^ {2}(?P<name>[\w:.-]+):"


def recipe_texts(call: Call, read: Read) -> list[str]:
    """The shell texts of the recipes that the command runs."""
    program = "make" if call.program == "gmake" else "task" if call.program == "go-task" else call.program
    valued = VALUED.get(program, "").split()
    words, folder, file = _words(call.argv, valued)
    if any(word in LOOKS for word in call.argv[1:]):
        return []
    if program in ("npm", "pnpm", "yarn", "bun"):
        return _package_scripts(program, words, read(_under(folder, "package.json")))
    names = [file] if file else [_under(folder, name) for name in FILES[program]]
    text = call.stdin if file == "-" else next((text for text in map(read, names) if text), "")
    wanted = [word for word in words if "=" not in word]
    if program == "task":
        return _taskfile(text, wanted)
    given = dict(word.split("=", 1) for word in call.argv[1:] if "=" in word and not word.startswith("-"))
    values = {**{name: value.strip().strip("\"'") for name, value in re.findall(_SET, text)}, **given}
    recipes = _recipes_of_targets(text, wanted, just=program == "just")
    return [_with_values(recipe, values) for recipe in recipes]


def _with_values(recipe: str, values: dict[str, str]) -> str:
    """The recipe with the variables that the file or the command line sets."""
    for _ in range(DEEPEST):
        recipe = re.sub(_VALUE, lambda found: values.get(found[1] or found[2], found[0]), recipe)
    return recipe


def _words(argv: list[str], valued: list[str]) -> tuple[list[str], str, str]:
    """The operands, and the folder and the file that options name."""
    words: list[str] = []
    folder = file = ""
    at = 1
    while at < len(argv):
        word = argv[at]
        name, equals, value = word.partition("=")
        following = argv[at + 1] if at + 1 < len(argv) else ""
        after = first_operand(argv, at, valued) if word.startswith("-") and word != "-" else at + 1
        if name in FOLDERS and name in valued:
            folder = value if equals else following
        elif name in NAMES_FILE and name in valued:
            file = value if equals else following
        elif not word.startswith("-"):
            words.append(word)
        at = at + 2 if word in valued else max(at + 1, min(after, at + 1))
    return words, folder, file


def _under(folder: str, name: str) -> str:
    return folder.rstrip("/") + "/" + name if folder else name


def _recipes_of_targets(text: str, wanted: list[str], *, just: bool) -> list[str]:
    """The recipes of these targets and of those that they need; of the first one where none is named."""
    rules = _rules(text, just=just)
    first = [name for name in rules if just or not name.startswith(".") or "/" in name][:1]
    left, seen = list(wanted or first), dict.fromkeys(wanted or first)
    out: list[str] = []
    while left and len(seen) < MOST:
        needs, body = rules.get(left.pop(0), ([], []))
        out += ["\n".join(body)] if body else []
        new = [name for name in needs if name not in seen]
        seen.update(dict.fromkeys(new))
        left += new
    return out


def _rules(text: str, *, just: bool) -> dict[str, tuple[list[str], list[str]]]:
    """The targets, each with what it needs and the lines of its recipe."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    now: list[str] = []
    for line in text.split("\n"):
        if line[:1] in ("\t", " ") and now:
            for name in now:
                rules[name][1].append(_recipe(line))
        elif match := re.match(_RULE, line.rstrip()):
            now = match[1].split()[: 1 if just else None]
            needs = [word for word in match[2].split() if word != "|"]
            for name in now:
                own = rules.setdefault(name, ([], []))
                own[0].extend(needs)
                own[1].extend([_recipe(match[3])] if match[3] else [])
        elif line.strip():
            now = []
    return rules


def _recipe(line: str) -> str:
    text = line.strip().lstrip("@-+")
    ignored = "-" in line.strip()[: len(line.strip()) - len(text)]  # make goes on whatever comes of it
    return text.replace("$(MAKE)", "make").replace("$$", "$") + (" || true" if ignored and text else "")


def _taskfile(text: str, wanted: list[str]) -> list[str]:
    """The commands of these tasks."""
    found: dict[str, list[str]] = {}
    now = ""
    for line in text.split("\n"):
        match = re.match(_TASK, line)
        if match or (line.strip() and not line.startswith(" ")):
            now = match["name"] if match else ""
        elif now and line.strip().startswith(("- ", "cmd:")):
            found.setdefault(now, []).append(line.strip().removeprefix("- ").removeprefix("cmd:").strip().strip("\"'"))
    return ["\n".join(found[name]) for name in wanted or ["default"] if name in found]


def _package_scripts(program: str, words: list[str], text: str) -> list[str]:
    """The script of that name, and what runs before and after it."""
    verb = words[0] if words else "install" if program == "yarn" else ""
    if verb in ("run", "run-script", "rum", "urn"):
        name = words[1] if len(words) > 1 else ""
    elif verb in TESTS:
        name = TESTS[verb]
    else:
        name = "" if program == "npm" or verb in OWN else verb
    if not name or not text:
        return []
    try:
        data: Any = json.loads(text)
        scripts = data.get("scripts") or {}
        found = [scripts.get(before + name) for before in ("pre", "", "post")]
    except (ValueError, AttributeError, RecursionError):
        return []
    return [one for one in found if isinstance(one, str)]

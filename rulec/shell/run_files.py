"""The texts that a command runs from files and other commands: scripts, recipes of tasks, diffs, SQL.

How a program finds its files stands in rulec/programs.toml, and is read here.
"""

from __future__ import annotations

import json
import re

from rulec.checkout.rules_layout import LAUNCHER_COPY
from rulec.domain.files.languages import PROGRAMS, language_of_file
from rulec.shell import action_events
from rulec.shell.action_events import relative_path
from rulec.shell.command_matching import is_dry_run
from rulec.shell.parsing.call import (
    TREE_TOP,
    CarriedText,
    first_operand,
    join_path,
    known_output,
    operands,
    option_values,
    quote_word,
)
from rulec.shell.parsing.runs import reads_commands_from_stdin, shell_options, wrapped_commands
from rulec.shell.programs import (
    LAUNCHERS,
    SYSTEM_FOLDERS,
    WORDS,
    facts_of,
    global_options,
    interpreter_of,
    valued_options,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call
    from rulec.shell.programs import Facts

    Read = Callable[[str], str]


LARGEST = 1_000_000  # characters of a file that is looked at
MOST_WORDS = 100  # that xargs is given by a file
MOST = 20  # files that one command is read through
# What a client is told to read: psql's \\i, sqlite's .read, mysql's source.
INCLUDED = r"(?m)(?:^|;)\s*(?:\\ir?|\\include|\.read|source|\\\.)\s+[\"']?([^\s;\"']+)"
QUOTED_GIT = r"(?:[\"'`]|\bexec )(git [^\"'`\n]{1,300})"
LONGEST_QUOTING = 20_000
STREAM = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-")
BATCH = (".cmd", ".bat")  # scripts of cmd.exe, which starts them by their name alone
_SILENT = re.compile(r"(?m)^\s*@")  # before a line of such a script that is not shown
LOOKS = ("--list", "-l", "--help", "-h", "--version")
TESTS = {"t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart", "test": "test"}
RECIPES = ("make", "just", "task", "package", "keyed")  # what a file holds whose parts have names
MOST_RECIPES = 50  # recipes that one command runs
_SET = r"(?m)^(?:export[ \t]+|override[ \t]+)*([A-Za-z_]\w*)[ \t]*(?:\?|:{0,3})=[ \t]*(.*)$"
_VALUE = r"\$[({](\w+)[)}]|\{\{[ \t]*\.?(\w+)[ \t]*\}\}"  # a variable's, as make, just and task write it
_TASK_VARIABLES = r"(?m)^vars:[ \t]*\n((?:[ \t]+.*\n?|\n)*)"
MAKE_SIGNS = "@-+"
OF_MAKE = {"MAKE": "make", "RM": "rm -f"}  # variables that it sets itself
DEEPEST = 3  # values that hold variables
_RULE = r"^([A-Za-z0-9_./%-][^:=#\t\n]*)::?(?!=)([^=;\n]*)(?:;(.*))?$"  # needs; what follows them is its recipe too
_TASK = r"^ {2}(?P<name>[\w:.-]+):"

# In files of YAML or INI
BLOCK_SIGNS = "|>"  # a text of several lines follows
_LIST_SIGN = re.compile(r"^\s*(?:-\s+)?")
_QUOTED = re.compile(r"^([\"'])(.*)\1\s*$")


def runs_files(call: Call) -> bool:
    """Whether the command may run a file; a cheap test, for most do not."""
    name = call.program
    how = facts_of(name).get("from_files", "")
    if how == "shell" or interpreter_of(name):
        return len(call.argv) > 1 or bool(call.redirects or call.feeds)
    if how == "package":
        return bool(_script_name(name, operands(call.argv, " ".join(_options(name)))))
    if how == "source":
        return facts_of(name).get("ending_behind", "") in ("", *call.argv)
    if how or name == "git":
        return name != "git" or "apply" in call.argv
    if not call.argv:
        return False
    return call.argv[0].endswith(BATCH) or ("/" in call.argv[0] and not call.argv[0].startswith(SYSTEM_FOLDERS))


def texts_of_scripts(event: Event, call: Call) -> Iterator[CarriedText]:
    """The texts of the files that the command runs, as scripts or as recipes."""
    name = call.program
    how = facts_of(name).get("from_files", "")
    if how:
        yield from READERS[how](event, call)
    elif name == "git" and "apply" in call.argv:
        yield from _of_patch(event, call)
    elif interpreter_of(name):
        yield from _of_interpreter(event, call)
    elif call.argv[0].endswith(BATCH):
        text = text_of_file(event, join_path(call.cwd, call.argv[0].replace("\\", "/")))
        yield CarriedText(_SILENT.sub("", text), call.cwd)
    elif "/" in call.argv[0] and not call.argv[0].startswith(SYSTEM_FOLDERS):
        yield from _executed(event, call, call.argv[0])


def _of_recipe(event: Event, call: Call) -> Iterator[CarriedText]:
    for text in recipe_texts(call, lambda path: text_of_file(event, join_path(call.cwd, path))):
        yield CarriedText(text, call.cwd)


def _of_keyed(event: Event, call: Call) -> Iterator[CarriedText]:
    """What stands behind the keys of the parts that are asked for, in the files of a program that runs these."""
    facts, words = facts_of(call.program), operands(call.argv, " ".join(_options(call.program)))
    folder = _last_value(call.argv, facts.get("folder", ""))
    options = tuple(facts["part"].split())
    named = option_values(_own_words(call.argv), options) if options else words
    parts = [part for one in named for part in one.split(",")] or facts.get("default_part", "").split()
    starter = "" if parts or "starts_on" not in facts else "".join(words[:1]) or facts["starts_on"]
    if not (parts or starter) or _only_looks(call):
        return
    for pattern in [join_path(join_path(call.cwd, folder), name) for name in facts["files"]]:
        place = relative_path(event, pattern)
        there = event.world.paths_of(place) if event.world and "*" in place else [place]
        for path in there[:MOST]:
            text, keys = text_of_file(event, TREE_TOP + path), facts["keys"].split()
            texts = _texts_of_parts(text, parts, keys) if parts else _texts_of_started(text, starter, keys)
            yield from (CarriedText(text, call.cwd) for text in texts)


def _only_looks(call: Call) -> bool:
    """Whether the program only tells what it would run, or about itself."""
    return is_dry_run(call) or any(word in LOOKS for word in call.argv[1:])


def _of_patch(event: Event, call: Call) -> Iterator[CarriedText]:
    named = [text_of_file(event, join_path(call.cwd, word)) for word in call.argv[1:] if not word.startswith("-")]
    for text in [call.stdin, *named, *_texts_fed(event, call)]:
        yield CarriedText(text, call.cwd, "diff")


def _sourced(event: Event, call: Call) -> Iterator[CarriedText]:
    """``. FILE``: what the file defines holds for the commands behind it."""
    path = call.argv[1] if len(call.argv) > 1 else ""
    text = (
        call.stdin * _counts_typed(event)
        if path in STREAM
        else "\n".join(_texts_fed(event, call)) or text_of_file(event, join_path(call.cwd, path))
    )
    if text:
        yield CarriedText(text, call.cwd)
        if "(" in text or "alias" in text:
            yield CarriedText(f"{text}\n{event.command}", "")


def _of_shell(event: Event, call: Call) -> Iterator[CarriedText]:
    if any(word.startswith("-") and not word.startswith("--") and "n" in word for word in call.argv[1:2]):
        return  # it is only read for faults
    if call.program != "eval":
        letters, at = shell_options(call.argv)
        if at < len(call.argv) and "c" not in letters and call.argv[at] not in STREAM:
            path = _file_found(event, call, call.argv[at])
            text = text_of_file(event, join_path(call.cwd, path))
            if text:
                words = () if call.dynamic else (path, *call.argv[at + 1 :])
                yield CarriedText(text, call.cwd, _language(path, text), words)
    for text in _texts_fed(event, call) if call.dynamic or reads_commands_from_stdin(call.program, call.argv) else ():
        yield CarriedText(text, call.cwd)


def _of_interpreter(event: Event, call: Call) -> Iterator[CarriedText]:
    program = interpreter_of(call.program)
    valued = [*facts_of(program)["code"].split(), "-W", "-X", "-r", "--require"]
    at = first_operand(call.argv, 1, valued)
    if "-m" in call.argv[1:at] and program == "python":
        name = call.argv[call.argv.index("-m") + 1 : call.argv.index("-m") + 2] or [""]
        places = [name[0].replace(".", "/") + end for end in (".py", "/__main__.py")]
    else:
        places = call.argv[at : at + 1]
    given = any(word in valued and word not in ("-W", "-X") for word in call.argv[1:at])
    texts = (
        []
        if given and "-m" not in call.argv[1:at]
        else [text_of_file(event, join_path(call.cwd, path)) for path in places]
    )
    texts += _texts_fed(event, call) if at >= len(call.argv) or call.argv[at] in STREAM else []
    for text in texts:
        if text:
            yield CarriedText(text, call.cwd, program)


def _named_by_habit(event: Event, call: Call) -> Iterator[CarriedText]:
    facts = facts_of(call.program)
    path = join_path(call.cwd, _last_value(call.argv, facts["file"]) or facts["files"][0])
    yield CarriedText(text_of_file(event, path), call.cwd, facts["language"])


def _from_source(event: Event, call: Call) -> Iterator[CarriedText]:
    facts = facts_of(call.program)
    verb, ending = facts.get("ending_behind"), facts["ending"]
    words = call.argv[1:]
    if verb and words[:1] != [verb]:
        return
    named = [word for word in words if word.endswith(ending)] or _named_sources(call.argv, facts)
    if not named and "whole_folders" in facts:
        at = first_operand(call.argv, 2, _options(call.program))
        named = _files_in(event, join_path(call.cwd, call.argv[at]), ending) if at < len(call.argv) else []
    for path in named[:MOST]:
        text = text_of_file(event, join_path(call.cwd, path))
        if text:
            yield CarriedText(text, call.cwd, call.program)


def _named_sources(argv: list[str], facts: Facts) -> list[str]:
    """The files that lie where the program looks for what its options name."""
    places = facts.get("sources", {})
    own = _own_words(argv)
    named = [(option, value) for option in places if option for value in option_values(own, (option,))]
    return [
        place.replace("{}", value) for option, value in named or [("", "")] for place in places.get(option, "").split()
    ]


def _own_words(argv: list[str]) -> list[str]:
    """The words before a --, behind which those of what it runs stand."""
    return argv[: argv.index("--")] if "--" in argv else argv


def _files_in(event: Event, folder: str, ending: str) -> list[str]:
    """The files of that ending in a folder, as they lie there or as this command writes them."""
    place = relative_path(event, folder)
    written = [relative_path(event, effect.path) for effect in action_events.touched_paths(event) if effect.content]
    found = [path for path in written if path.rpartition("/")[0] == place and path.endswith(ending)]
    there = event.world.paths_of(f"{place}/*{ending}".removeprefix("/")) if event.world else []
    return [f"{TREE_TOP}{path}" for path in dict.fromkeys([*found, *there])]


def _quoted(event: Event, call: Call) -> Iterator[CarriedText]:
    """The strings and lines of a program in a language that nobody reads here, which begin like a git command."""
    for text in [*call.argv[1:], call.stdin] if _counts_typed(event) else ():
        for found in re.findall(QUOTED_GIT, text[:LONGEST_QUOTING]):
            yield CarriedText(found, call.cwd)


def _executed(event: Event, call: Call, path: str) -> Iterator[CarriedText]:
    text = text_of_file(event, join_path(call.cwd, path))
    if text:
        yield CarriedText(text, call.cwd, _language(path, text), () if call.dynamic else call.argv)


def _listed(event: Event, call: Call) -> Iterator[CarriedText]:
    """``xargs -a FILE COMMAND``: the command with the words of the file."""
    words = ["".join(call.argv[at + 1 : at + 2]) for at, word in enumerate(call.argv) if word in ("-a", "--arg-file")]
    words += [word.partition("=")[2] for word in call.argv if word.startswith("--arg-file=")]
    texts = [*(text_of_file(event, join_path(call.cwd, path)) for path in words), *_texts_fed(event, call)]
    run = wrapped_commands("xargs", call.argv)
    for text in texts if run else ():
        yield CarriedText(" ".join(map(quote_word, [*run[0].argv, *text.split()[:MOST_WORDS]])), call.cwd)


def _of_sql(event: Event, call: Call) -> Iterator[CarriedText]:
    """The SQL files that a database's client is given by an option, by what it is told, or on standard input."""
    named = option_values(call.argv, tuple(facts_of(call.program)["sql_files"].split()))
    named += [path for told in (*call.argv[1:], call.stdin) for path in re.findall(INCLUDED, told)]
    for text in [*(text_of_file(event, join_path(call.cwd, path)) for path in named), *_texts_fed(event, call)]:
        if text:
            yield CarriedText(text, call.cwd, call.program)


def _language(path: str, text: str) -> str:
    """The program that runs the file, by its first line, else by its suffix, else a shell."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        name = first[2:].split()[-1].rpartition("/")[2] if first[2:].split() else ""
        return interpreter_of(name) or "sh"
    language = language_of_file(path)
    return next((name for name, read in PROGRAMS.items() if read == language and interpreter_of(name)), "sh")


def _file_found(event: Event, call: Call, word: str) -> str:
    """The file that a word of ``find -exec`` or ``xargs`` stands for, where the text shows it."""
    if word != "{}" or "find" not in call.via:
        return word
    for other in action_events.parsed_command(event).calls:
        if other.program == "find" and "-name" in other.argv[:-1]:
            return join_path(other.argv[1], other.argv[other.argv.index("-name") + 1])
    return word


def _texts_fed(event: Event, call: Call) -> list[str]:
    """The texts of files and the words that other commands or a redirection give it to read."""
    found = [text_of_file(event, join_path(call.cwd, target)) for sign, target in call.redirects if sign == "<"]
    sources = facts_of(call.program).get("from_files") == "sourced"
    for source in dict.fromkeys(call.feeds):
        if source.program == "cat":
            found += [
                text_of_file(event, join_path(source.cwd, path)) for path in source.argv[1:] if not path.startswith("-")
            ]
        elif not source.argv:
            found += [
                text_of_file(event, join_path(source.cwd, target)) for sign, target in source.redirects if sign == "<"
            ]
        elif _counts_typed(event) and (sources or any(word.startswith("<(") for word in call.argv[1:])):
            found.append(known_output([source]) or "")
    return [text for text in found if text]


def _counts_typed(event: Event) -> bool:
    """Whether text that stands in the command itself is looked at, beside that of files."""
    return event.typed


def text_of_file(event: Event, path: str) -> str:
    """The file's text as this command writes it, else as it is on the disk; "" where it is too large or no text."""
    place = relative_path(event, path)
    for effect in action_events.touched_paths(event) if event.kind == "command" and _counts_typed(event) else ():
        if effect.content and relative_path(event, effect.path) == place:
            return effect.content
    if event.scripts_read is None:
        event.scripts_read = {}
    known, read = event.scripts_read, event.reader or (event.world and event.world.read)
    if place not in known:
        wanted = place and len(known) < MOST and not place.startswith(SYSTEM_FOLDERS)
        text = read(place) if read and wanted else None
        known[place] = text.replace("\r\n", "\n") if text and len(text) <= LARGEST and "\0" not in text else ""
        if f"/{place}".endswith(LAUNCHERS) and _is_own_launcher(event.root, known[place]):
            known[place] = ""  # what it is given is judged as rulec's words
    return known[place]


def _is_own_launcher(root: str, text: str) -> bool:
    """Whether the text is that of the launcher which ``rulec init`` put into the git directory."""
    from rulec.checkout import private_files, worktree  # noqa: PLC0415 (few commands start it)

    own = private_files.read_file(f"{worktree.shared_state_directory(root)}/{LAUNCHER_COPY}")
    return own is not None and own.decode("utf-8", "replace") == text


def recipe_texts(call: Call, read: Read) -> list[str]:
    """The shell texts of the recipes that the command runs."""
    facts = facts_of(call.program)
    kind = facts["from_files"]
    words = operands(call.argv, " ".join(_options(call.program)))
    folder, file = (_last_value(call.argv, names) for names in (facts.get("folder", ""), facts.get("file", "")))
    if _only_looks(call) and kind != "make":
        return []
    names = [file] if file else [_under(folder, name) for name in facts["files"]]
    if kind == "package":
        script = _script_name(call.program, words)
        return _package_scripts(script, read(names[0]), _handed_on(call, script)) if script else []
    text = call.stdin if file == "-" else next((text for text in map(read, names) if text), "")
    wanted = [word for word in words if "=" not in word]
    if kind == "task":
        return [_with_values(recipe, _task_values(text)) for recipe in _taskfile(text, wanted)]
    given = dict(word.split("=", 1) for word in call.argv[1:] if "=" in word and not word.startswith("-"))
    own = {name: value.strip().strip("\"'") for name, value in re.findall(_SET, text)}
    values = {**(OF_MAKE if kind == "make" else {}), **own, **given}
    recipes = _recipes_of_targets(text, wanted, just=kind == "just", always=_only_looks(call))
    return [_with_values(recipe, values) for recipe in recipes]


def _options(program: str) -> list[str]:
    return [*global_options(program), *valued_options(program)]


def _with_values(recipe: str, values: dict[str, str]) -> str:
    """The recipe with the variables that the file or the command line sets."""
    for _ in range(DEEPEST):
        recipe = re.sub(_VALUE, lambda found: values.get(found[1] or found[2], found[0]), recipe)
    return recipe


def _last_value(argv: list[str], names: str) -> str:
    """The value of the last of these options, "" where there is none."""
    return "".join(option_values(argv, tuple(names.split()))[-1:])


def _under(folder: str, name: str) -> str:
    return folder.rstrip("/") + "/" + name if folder else name


def _recipes_of_targets(text: str, wanted: list[str], *, just: bool, always: bool) -> list[str]:
    """The recipes of these targets and of those that they need; of the first one where none is named.

    With ``always`` only what make runs in a dry run, too: lines that begin with a plus.
    """
    rules = _rules(text, just=just, always=always)
    first = [name for name in rules if just or not name.startswith(".") or "/" in name][:1]
    left, seen = list(wanted or first), dict.fromkeys(wanted or first)
    out: list[str] = []
    while left and len(seen) < MOST_RECIPES:
        needs, body = rules.get(left.pop(0), ([], []))
        out += ["\n".join(body)] if body else []
        new = [name for name in needs if name not in seen]
        seen.update(dict.fromkeys(new))
        left += new
    return out


def _rules(text: str, *, just: bool, always: bool) -> dict[str, tuple[list[str], list[str]]]:
    """The targets, each with what it needs and the lines of its recipe."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    now: list[str] = []
    for line in text.split("\n"):
        if line[:1] in ("\t", " ") and now:
            for name in now if not always or "+" in _signs(line) else ():
                rules[name][1].append(_recipe(line))
        elif match := re.match(_RULE, line.rstrip()):
            now = match[1].split()[: 1 if just else None]
            needs = [word for word in match[2].split() if word != "|"]
            for name in now:
                own = rules.setdefault(name, ([], []))
                own[0].extend(needs)
                own[1].extend([_recipe(match[3])] if match[3] and not always else [])
        elif line.strip():
            now = []
    return rules


def _recipe(line: str) -> str:
    text = line.strip().lstrip(MAKE_SIGNS)
    ignored = "-" in _signs(line)  # make goes on whatever comes of it
    return text.replace("$$", "$") + (" || true" if ignored and text else "")


def _signs(line: str) -> str:
    """What tells make how to run a line: silently, whatever comes of it, in dry runs as well."""
    text = line.strip()
    return text[: len(text) - len(text.lstrip(MAKE_SIGNS))]


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


def _task_values(text: str) -> dict[str, str]:
    """The variables that a Taskfile sets for all of its tasks."""
    block = re.search(_TASK_VARIABLES, text)
    found = re.findall(r"(?m)^[ \t]+(\w+):[ \t]+(\S.*)$", block[1]) if block else []
    return {name: value.strip().strip("\"'") for name, value in found}


def _script_name(program: str, words: list[str]) -> str:
    """The script of a package.json that the program is told to run, "" where it is something else."""
    verb = words[0] if words else "install" if program == "yarn" else ""
    if verb in ("run", "run-script", "rum", "urn"):
        return words[1] if len(words) > 1 else ""
    if verb in TESTS:
        return TESTS[verb]
    return "" if "own_verbs" not in facts_of(program) or verb in WORDS["package_verbs"] else verb


def _handed_on(call: Call, script: str) -> list[str]:
    """The words that a script of package.json is given: those behind --, or behind its name where it needs no run."""
    words = call.argv
    if "--" in words:
        return words[words.index("--") + 1 :]
    return words[words.index(script) + 1 :] if "own_verbs" in facts_of(call.program) and script in words else []


def _package_scripts(name: str, text: str, handed_on: list[str]) -> list[str]:
    """The script of that name with the words that it is given, and what runs before and after it."""
    try:
        data: Any = json.loads(text)
        scripts = data.get("scripts") or {}
        before, own, after = (scripts.get(when + name) for when in ("pre", "", "post"))
    except (ValueError, AttributeError, RecursionError):
        return []
    if isinstance(own, str):
        own = " ".join([own, *map(quote_word, handed_on)])
    return [one for one in (before, own, after) if isinstance(one, str)]


def _texts_of_parts(text: str, parts: list[str], keys: list[str]) -> Iterator[str]:
    """The commands behind the keys in the parts of these names; those of one key together."""
    names, lines = "|".join(map(re.escape, parts)), text.split("\n")
    # [testenv:web], [testenv:{lint,web}]
    section = re.compile(rf"\[(?:[^\]]*[:.\s{{,])?(?:{names})(?:[,}}][^\]]*)?\]\s*")
    entry = re.compile(rf"\s*[\"']?(?:{names})[\"']?:\s*(?:#.*)?")
    for at, line in enumerate(lines):
        if section.fullmatch(line):
            yield from _texts_behind(keys, _section(lines[at + 1 :]))
        elif entry.fullmatch(line):
            yield from _texts_behind(keys, _below(lines, at))


def _texts_of_started(text: str, starter: str, keys: list[str]) -> Iterator[str]:
    """The commands behind the keys of a workflow that is started by the event of this name."""
    head, jobs, rest = text.partition("\njobs:")
    if jobs and re.search(rf"\b{re.escape(starter)}\b", head):
        yield from _texts_behind(keys, rest.split("\n"))


def _texts_behind(keys: list[str], lines: list[str]) -> Iterator[str]:
    key = re.compile(rf"\s*(?:-\s+)?(?:{'|'.join(map(re.escape, keys))})\s*[:=]\s*(.*)")
    for at, line in enumerate(lines):
        found = key.fullmatch(line)
        if found:
            value = found[1]
            rows = [value] if value and value[0] not in BLOCK_SIGNS else _below(lines, at)
            yield "\n".join(_QUOTED.sub(r"\2", _LIST_SIGN.sub("", row)) for row in rows)


def _section(lines: list[str]) -> list[str]:
    """The lines up to the next section."""
    end = next((at for at, line in enumerate(lines) if line.startswith("[")), len(lines))
    return lines[:end]


def _below(lines: list[str], at: int) -> list[str]:
    """The lines below this one that stand further in, or are items of its list."""
    head = lines[at].lstrip()
    begins = len(lines[at]) - len(head) + 2 * head.startswith("- ")
    found: list[str] = []
    for line in lines[at + 1 :]:
        inner = line.lstrip()
        depth = len(line) - len(inner)
        if inner and depth <= begins and not (inner.startswith("- ") and depth == begins):
            break
        found.append(line)
    return found


READERS: dict[str, Callable[[Event, Call], Iterator[CarriedText]]] = {
    "shell": _of_shell,
    "sourced": _sourced,
    "diff": _of_patch,
    "words": _listed,
    "sql": _of_sql,
    "source": _from_source,
    "quoted": _quoted,
    "program": _named_by_habit,
    **dict.fromkeys(RECIPES, _of_recipe),
    "keyed": _of_keyed,
}

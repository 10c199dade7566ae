"""The files that a command runs: scripts, recipes, SQL."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables
from rulec.checkout.rules_layout import LAUNCHER_COPY
from rulec.domain.files.languages import PROGRAMS, language_of_file
from rulec.shell import action_events
from rulec.shell.action_events import relative_path
from rulec.shell.parsing.call import first_operand, join_path, known_output, option_values, quote_word
from rulec.shell.parsing.sql_text import SQL_CLIENTS
from rulec.shell.parsing.wrappers import (
    INTERPRETERS,
    SHELLS,
    interpreter_of,
    reads_commands_from_stdin,
    wrapped_commands,
)
from rulec.shell.program_options import LAUNCHERS, SYSTEM_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from rulec.shell.parsing.call import Call


LARGEST = 1_000_000  # characters of a file that is looked at
MOST_READ = 40_000  # characters that are read as commands; of a longer text, only the lines that speak of the gate
MOST_WORDS = 100  # that xargs is given by a file
MOST = 20  # files that one command is read through
GATE_WORDS = ("git", "rulec", "pre-commit", "pre_commit", "prek", ".rules", "SKIP", "hook", *agent_tables.WORDS)
RUNNING_WORDS = (
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
SOURCING = (".", "source")
EVALUATING = ("eval", *SHELLS)
RECIPES = ("make", "gmake", "just", "task", "go-task", "npm", "pnpm", "yarn", "bun")
# What a client is told to read: psql's \\i, sqlite's .read, mysql's source.
INCLUDED = r"(?m)(?:^|;)\s*(?:\\ir?|\\include|\.read|source|\\\.)\s+[\"']?([^\s;\"']+)"
PROGRAM_FILES = {  # programs that run a file of the repository by its name -> that file, and its language
    "nox": ("noxfile.py", "python"),
    **dict.fromkeys(["invoke", "inv"], ("tasks.py", "python")),
    "fab": ("fabfile.py", "python"),
    "rake": ("Rakefile", "ruby"),
    "gulp": ("gulpfile.js", "node"),
    "grunt": ("Gruntfile.js", "node"),
}
RUN_FROM_SOURCE = {  # compilers that also run a file at once -> the subcommand, and how such a file ends
    "go": ("run", ".go"), "dart": ("run", ".dart"), "java": ("", ".java"), "swift": ("", ".swift"),
}  # fmt: skip
UNREAD_LANGUAGES = ("tclsh", "groovy", "scala", "jshell")  # of which only what is quoted as a command of git is read
QUOTED_GIT = r"(?:[\"'`]|\bexec )(git [^\"'`\n]{1,300})"
LONGEST_QUOTING = 20_000
STREAM = ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-")
BATCH = (".cmd", ".bat")  # scripts of cmd.exe, which starts them by their name alone
_SILENT = re.compile(r"(?m)^\s*@")  # before a line of such a script that is not shown
SHELL_OPTIONS = ["-o", "-O", "+o", "+O", "--rcfile", "--init-file"]


class CarriedText:
    """A text that a command runs."""

    __slots__ = ("cwd", "program", "text")

    def __init__(self, text: str, cwd: str, program: str = "sh") -> None:
        self.text, self.cwd, self.program = text, cwd, program


def runs_files(call: Call) -> bool:
    """Whether the command may run a file; a cheap test, for most do not."""
    name = call.program
    if name in EVALUATING or interpreter_of(name):
        return len(call.argv) > 1 or bool(call.redirects or call.feeds)
    if name in READERS:
        return True
    if name == "git":
        return "apply" in call.argv
    if call.argv and call.argv[0].endswith(BATCH):
        return True
    return "/" in call.argv[0] and not call.argv[0].startswith(SYSTEM_FOLDERS) if call.argv else False


def texts_run_by(event: dict[str, Any], call: Call) -> list[CarriedText]:
    """The texts that the command runs and that mention the gate, or the person's page."""
    from rulec.checkout import open_pages  # noqa: PLC0415 (this module is needed for every command, that one for few)

    pages = tuple(map(str, open_pages.running_pages(str(event.get("root") or ""))))
    found = [
        script
        for script in texts_of_scripts(event, call)
        if call.program not in SQL_CLIENTS
        and any(word in script.text for word in (*GATE_WORDS, *RUNNING_WORDS, *pages))
    ]
    for script in found:
        if len(script.text) > MOST_READ:
            lines = [line for line in script.text.split("\n") if any(word in line for word in (*GATE_WORDS, *pages))]
            script.text = "\n".join(lines)[:MOST_READ]
    return found


def texts_of_scripts(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    """The texts of the files that the command runs, as scripts or as recipes."""
    name = call.program
    if name in READERS:
        yield from READERS[name](event, call)
    elif name == "git" and "apply" in call.argv:
        yield from _of_patch(event, call)
    elif interpreter_of(name):
        yield from _of_interpreter(event, call)
    elif call.argv[0].endswith(BATCH):
        text = text_of_file(event, join_path(call.cwd, call.argv[0].replace("\\", "/")))
        yield CarriedText(_SILENT.sub("", text), call.cwd)
    elif "/" in call.argv[0] and not call.argv[0].startswith(SYSTEM_FOLDERS):
        yield from _executed(event, call, call.argv[0])


def _of_recipe(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    from rulec.shell import task_recipes  # noqa: PLC0415 (few commands run a recipe)

    for text in task_recipes.recipe_texts(call, lambda path: text_of_file(event, join_path(call.cwd, path))):
        yield CarriedText(text, call.cwd)


def _of_patch(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    named = [text_of_file(event, join_path(call.cwd, word)) for word in call.argv[1:] if not word.startswith("-")]
    for text in [call.stdin, *named, *_texts_fed(event, call)]:
        yield CarriedText(text, call.cwd, "diff")


def _sourced(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
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
            yield CarriedText(f"{text}\n{event.get('command') or ''}", "")


def _of_shell(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    if any(word.startswith("-") and not word.startswith("--") and "n" in word for word in call.argv[1:2]):
        return  # it is only read for faults
    if call.program != "eval":
        at = first_operand(call.argv, 1, SHELL_OPTIONS)
        asked = any(word.startswith("-") and not word.startswith("--") and "c" in word for word in call.argv[1:at])
        if at < len(call.argv) and not asked and call.argv[at] not in STREAM:
            path = _file_found(event, call, call.argv[at])
            text = text_of_file(event, join_path(call.cwd, path))
            if text:
                yield CarriedText(text, call.cwd, _language(path, text))
    for text in _texts_fed(event, call) if call.dynamic or reads_commands_from_stdin(call.program, call.argv) else ():
        yield CarriedText(text, call.cwd)


def _of_interpreter(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    program = interpreter_of(call.program)
    valued = [*INTERPRETERS[program].split(), "-W", "-X", "-r", "--require"]
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


def _named_by_habit(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    path, language = PROGRAM_FILES[call.program]
    named = option_values(call.argv, ("-f", "--noxfile", "--rakefile", "--gulpfile", "-c", "--collection"))
    yield CarriedText(text_of_file(event, join_path(call.cwd, named[0] if named else path)), call.cwd, language)


def _from_source(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    verb, ending = RUN_FROM_SOURCE[call.program]
    words = call.argv[1:]
    if verb and words[:1] != [verb]:
        return
    for path in [word for word in words if word.endswith(ending)][:MOST]:
        yield CarriedText(text_of_file(event, join_path(call.cwd, path)), call.cwd, call.program)


def _quoted(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    """The strings and lines of a program in a language that nobody reads here, which begin like a git command."""
    for text in [*call.argv[1:], call.stdin] if _counts_typed(event) else ():
        for found in re.findall(QUOTED_GIT, text[:LONGEST_QUOTING]):
            yield CarriedText(found, call.cwd)


def _executed(event: dict[str, Any], call: Call, path: str) -> Iterator[CarriedText]:
    text = text_of_file(event, join_path(call.cwd, path))
    if text:
        yield CarriedText(text, call.cwd, _language(path, text))


def _listed(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    """``xargs -a FILE COMMAND``: the command with the words of the file."""
    words = ["".join(call.argv[at + 1 : at + 2]) for at, word in enumerate(call.argv) if word in ("-a", "--arg-file")]
    words += [word.partition("=")[2] for word in call.argv if word.startswith("--arg-file=")]
    texts = [*(text_of_file(event, join_path(call.cwd, path)) for path in words), *_texts_fed(event, call)]
    run = wrapped_commands("xargs", call.argv)
    for text in texts if run else ():
        yield CarriedText(" ".join(map(quote_word, [*run[0].argv, *text.split()[:MOST_WORDS]])), call.cwd)


def _of_sql(event: dict[str, Any], call: Call) -> Iterator[CarriedText]:
    """The SQL files that a database's client is given by an option, by what it is told, or on standard input."""
    named = option_values(call.argv, SQL_CLIENTS[call.program])
    named += [path for told in (*call.argv[1:], call.stdin) for path in re.findall(INCLUDED, told)]
    for text in [*(text_of_file(event, join_path(call.cwd, path)) for path in named), *_texts_fed(event, call)]:
        if text:
            yield CarriedText(text, call.cwd, call.program)


READERS: dict[str, Callable[[dict[str, Any], Call], Iterator[CarriedText]]] = {
    "patch": _of_patch,
    "xargs": _listed,
    **dict.fromkeys(UNREAD_LANGUAGES, _quoted),
    **dict.fromkeys(PROGRAM_FILES, _named_by_habit),
    **dict.fromkeys(RUN_FROM_SOURCE, _from_source),
    **dict.fromkeys(RECIPES, _of_recipe),
    **dict.fromkeys(SQL_CLIENTS, _of_sql),
    **dict.fromkeys(SOURCING, _sourced),
    **dict.fromkeys(EVALUATING, _of_shell),
}


def _language(path: str, text: str) -> str:
    """The program that runs the file, by its first line, else by its suffix, else a shell."""
    first = text.partition("\n")[0]
    if first.startswith("#!"):
        name = first[2:].split()[-1].rpartition("/")[2] if first[2:].split() else ""
        return interpreter_of(name) or "sh"
    language = language_of_file(path)
    return next((name for name, read in PROGRAMS.items() if read == language and name in INTERPRETERS), "sh")


def _file_found(event: dict[str, Any], call: Call, word: str) -> str:
    """The file that a word of ``find -exec`` or ``xargs`` stands for, where the text shows it."""
    if word != "{}" or "find" not in call.via:
        return word
    for other in action_events.parsed_command(event).calls:
        if other.program == "find" and "-name" in other.argv[:-1]:
            return join_path(other.argv[1], other.argv[other.argv.index("-name") + 1])
    return word


def _texts_fed(event: dict[str, Any], call: Call) -> list[str]:
    """The texts of files and the words that other commands or a redirection give it to read."""
    found = [text_of_file(event, join_path(call.cwd, target)) for sign, target in call.redirects if sign == "<"]
    for source in dict.fromkeys(call.feeds):
        if source.program == "cat":
            found += [
                text_of_file(event, join_path(source.cwd, path)) for path in source.argv[1:] if not path.startswith("-")
            ]
        elif not source.argv:
            found += [
                text_of_file(event, join_path(source.cwd, target)) for sign, target in source.redirects if sign == "<"
            ]
        elif _counts_typed(event) and (
            call.program in SOURCING or any(word.startswith("<(") for word in call.argv[1:])
        ):
            found.append(known_output([source]) or "")
    return [text for text in found if text]


def _counts_typed(event: dict[str, Any]) -> bool:
    """Whether text that stands in the command itself is looked at, beside that of files."""
    return bool(event.get("typed", True))


def text_of_file(event: dict[str, Any], path: str) -> str:
    """The file's text as this command writes it, else as it is on the disk; "" where it is too large or no text."""
    place = relative_path(event, path)
    for effect in action_events.touched_paths(event) if event["kind"] == "command" and _counts_typed(event) else ():
        if effect.content and relative_path(event, effect.path) == place:
            return effect.content
    known: dict[str, str] = event.setdefault("_read", {})
    if place not in known:
        world = event.get("world")
        text = (
            world.read(place)
            if world and place and len(known) < MOST and not place.startswith(SYSTEM_FOLDERS)
            else None
        )
        known[place] = text.replace("\r\n", "\n") if text and len(text) <= LARGEST and "\0" not in text else ""
        if f"/{place}".endswith(LAUNCHERS) and _is_own_launcher(str(event.get("root") or ""), known[place]):
            known[place] = ""  # what it is given is judged as rulec's words
    return known[place]


def _is_own_launcher(root: str, text: str) -> bool:
    """Whether the text is that of the launcher which ``rulec init`` put into the git directory."""
    from rulec.checkout import private_files, worktree  # noqa: PLC0415 (few commands start it)

    own = private_files.read_file(f"{worktree.shared_state_directory(root)}/{LAUNCHER_COPY}")
    return own is not None and own.decode("utf-8", "replace") == text

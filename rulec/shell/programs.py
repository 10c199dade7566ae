"""What is known of programs, from rulec/programs.toml: their options, what they run and write, how they are alike."""

import os
from _frozen_importlib_external import SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, TypedDict

    class Facts(TypedDict, total=False):
        """The facts of one program or subcommand; the head of the file says what each means."""

        abbreviates: bool
        add: str
        adds: str
        after_dashes: bool
        aliases: dict[str, str]
        arguments: dict[str, int]
        before: int
        before_only: bool
        brings: str
        code: str
        commands: list[str]
        comment: str
        constructor: str
        copies: str
        default_part: str
        deletes: str
        dry_runs: list[str]
        ending: str
        ending_behind: str
        existing: bool
        fetches: str
        fills: str
        file: str
        files: list[str]
        folder: str
        formats: list[str]
        from_files: str
        hands_on: bool
        keys: str
        language: str
        libraries: str
        lists: str
        loads: str
        loads_modules: str
        locked: list[str]
        makes: dict[str, str]
        makes_first: str
        makes_second: str
        manifest: bool
        modules: str
        more_words: bool
        most: int
        moves: str
        of_paths: str
        on_terminal: bool
        one_dash: bool
        only_looks: str
        only_with: str
        opens: str
        options_variable: str
        output: str
        own_words: bool
        own_verbs: str
        packages: str
        part: str
        places: str
        pod: bool
        printed: str
        quotes: str
        remove: str
        run_package: str
        runs: str
        same: str
        selects: str
        sources: dict[str, str]
        sql: str
        sql_behind_file: bool
        sql_files: str
        starts: str
        starts_on: str
        subcommands: str
        takes_help: bool
        text: str
        text_at: str
        ticks: bool
        unpacks_to: str
        unpacks_with: str
        values: str
        variables: bool
        versions: bool
        whole_folders: bool
        writes: str


FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs.toml")
# Where the system's programs are installed, which are no files of a repository.
SYSTEM_FOLDERS = ("/usr/", "/bin/", "/sbin/", "/opt/", "/snap/", "/nix/", "/System/", "/Library/")
LAUNCHERS = ("/.rules/hook", "/rulec/hook")  # start rulec, wherever it is installed, with what stands behind "git"
SHORTEST_LONG = 3  # signs of a long option that is cut short: two dashes and a letter
ASKING = ("--help", "--version")  # they only ask the program about itself
ASKING_SHORT = ("-h", "-v", "-V")  # so do these, alone, of programs with subcommands and of interpreters


class _Programs(dict[str, "Facts"]):
    """What is known of each program; nothing of one that stands in no table."""

    def __missing__(self, name: str) -> "Facts":
        return {}


class _TableLoader(SourceFileLoader):
    """Compiles the file to a module, so that Python keeps it in ``__pycache__``: to read TOML anew costs 15 ms."""

    def source_to_code(self, data: "Any", path: str, *, _optimize: int = -1) -> "CodeType":  # type: ignore[override]
        """The file's tables as a Python literal, compiled; in their texts <name> stands for that word of [words]."""
        import tomllib  # noqa: PLC0415 (only where the file has changed)

        tables = tomllib.loads(bytes(data).decode())
        return compile(f"TABLES = {with_words(tables, tables['words'])!r}", path, "exec", dont_inherit=True)


def with_words(value: "Any", words: "dict[str, str]") -> "Any":
    """The tables with those words in the place of their names, which may hold names of earlier ones."""
    if isinstance(value, dict):
        return {key: with_words(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [with_words(one, words) for one in value]
    if isinstance(value, str) and "<" in value:
        for name in reversed(words):
            value = value.replace(f"<{name}>", words[name])
    return value


def read_tables(path: str) -> "dict[str, Any]":
    """The tables of a TOML file of ours."""
    found: dict[str, Any] = {}
    code = _TableLoader("tables", path).get_code("tables")
    exec(code, found)  # type: ignore[arg-type]  # noqa: S102 (a literal, from our own file)
    tables: dict[str, Any] = found["TABLES"]
    return tables


def _read() -> "tuple[_Programs, dict[str, frozenset[str]]]":
    tables = read_tables(FILE)
    words: dict[str, str] = tables.pop("words")
    every = _Programs((name, facts) for names, facts in tables.items() for name in names.split("|"))
    return every, {name: frozenset(text.split()) for name, text in words.items()}


PROGRAMS, WORDS = _read()
KNOWN = frozenset(name.partition(" ")[0] for name in PROGRAMS) | WORDS["plain"]


facts_of = PROGRAMS.__getitem__  # what is known of a program, or of ``program subcommand``


def spelled_out(argv: "list[str]", facts: "Facts") -> "list[str]":
    """The words with those long options in full that the program takes cut short, as far as they have a value."""
    if "abbreviates" not in facts or not any(word.startswith("--") for word in argv):
        return argv
    long = [one for one in f"{facts.get('values', '')} {facts.get('output', '')}".split() if one.startswith("--")]
    found = []
    for word in argv:
        name, equals, value = word.partition("=")
        cut = name.startswith("--") and len(name) >= SHORTEST_LONG and name not in long
        full = next((one for one in long if cut and one.startswith(name)), name)
        found.append(full + equals + value)
    return found


def runs_how(name: str) -> str:
    """How the program runs what it is given, "" where it does not."""
    return PROGRAMS[name].get("runs", "")


def valued_options(name: str) -> "list[str]":
    """The options with a value of a program or subcommand."""
    return PROGRAMS[name].get("values", "").split()


def global_options(program: str) -> "list[str]":
    """The options with a value that may stand before the program's subcommands."""
    return PROGRAMS[program].get("subcommands", "").split()


def has_subcommands(program: str) -> bool:
    """Whether the program's first word is a subcommand."""
    return "subcommands" in PROGRAMS[program]


def is_shell(program: str) -> bool:
    """Whether the program runs a shell's text as bash does."""
    return PROGRAMS[program].get("runs") == "shell"


def interpreter_of(program: str) -> str:
    """The interpreter without its version: python for python3.12; "" where it is none."""
    name = program.rstrip("0123456789.")
    return name if "code" in PROGRAMS[name] else ""


def names_with(fact: str) -> "list[str]":
    """The programs and subcommands of which this is known."""
    return [name for name, facts in PROGRAMS.items() if fact in facts]

"""What commands do to files: which paths they write or delete, and what they put there where the text shows it.

How a program does that stands in rulec/programs.toml, and is read here.
"""

from __future__ import annotations

from rulec.shell.command_matching import git_subcommand, is_dry_run, matches, option_folders, words_and_flags
from rulec.shell.parsing.call import (
    TREE_TOP,
    Call,
    FileEffect,
    ParsedText,
    first_operand,
    join_path,
    known_output,
    operands,
    option_values,
    takes_value,
)
from rulec.shell.parsing.runs import GIVEN
from rulec.shell.programs import (
    SHORTEST_LONG,
    WORDS,
    facts_of,
    global_options,
    interpreter_of,
    spelled_out,
    valued_options,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.programs import Facts

WRITES = {">": True, ">|": True, "&>": False, ">&": False, ">>": True, "&>>": False, "<>": False}
WRITING = (
    "open(", "write", "append", "unlink", "remove", "rename", "rmtree", "rmSync", "copyfile", "copyFile", "shutil",
    "truncate", "File.", "file_put_contents", "mkdir", "touch", "dump(", "save(",
)  # fmt: skip
CODE_WRITES = ("opens", "deletes", "moves", "copies", "makes_first", "makes_second", "of_paths")
MODELESS = ("-R", "-v", "-c", "-f", "-h", "-V")  # flags of chmod and chown; what else begins with "-" is a mode
MOST_LITERALS = 2_000  # looked at in one script
LONGEST_PATH = 500
HEADS = ("HEAD", "@")
BRANCH_FLAGS = ("-b", "-B", "--orphan", "-d", "--detach", "-t", "--track")  # then it is a branch that is checked out
LISTING_WORDS = ("list", "show", "--list", "-l", "--get", "-v", "-a", "-r", "--show-current", "--contains", "--merged")


def file_effects(parsed: ParsedText) -> list[FileEffect]:
    """All paths that the commands write or delete; relative ones are seen from where the text started."""
    return [effect for call in parsed.calls for effect in effects_of_call(call)]


def effects_of_call(call: Call) -> list[FileEffect]:
    """The paths that one command writes or deletes."""
    found: list[FileEffect] = []
    for effect in _raw_effects(call):
        if effect.path and not effect.path.startswith("/dev/"):
            relative = not effect.path.startswith(("/", "~", TREE_TOP))
            folder = effect.path.endswith("/")
            effect.sure = effect.sure and not (call.adrift and relative)
            effect.path = join_path(call.cwd, effect.path) + ("/" if folder else "")
            effect.folder = join_path(call.cwd, effect.folder) if effect.folder else ""
            effect.call = call
            found.append(effect)
    other = changed_checkout(call) if call.program == "git" else ""
    if other:
        found.append(FileEffect(other))
        found[-1].elsewhere = True
    return found


def _raw_effects(call: Call) -> list[FileEffect]:
    done = [_redirect_effect(call, sign, target) for sign, target in call.redirects if sign in WRITES]
    facts = facts_of(call.program)
    if "dry_runs" in facts and is_dry_run(call):
        return done
    words = spelled_out(call.argv, facts)
    call = call if words is call.argv else call.as_words(words)
    found = WRITERS[facts["writes"]](call, facts) if "writes" in facts else []
    found += _output_effects(call, facts) if "output" in facts or not facts else []
    found += _filled_effects(call, facts) if "fills" in facts else []
    found += _told_effects(call) if "sql" in facts else []
    found += _made_effects(call, facts["makes"]) if "makes" in facts else []
    found += _formatter_effects(call, facts) if "formats" in facts else []
    for effect in found if "existing" in facts or "formats" in facts else ():
        effect.existing = True
    patches = call.stdin and call.program in ("patch", "git")
    return done + found + (_patch_effects(call) if patches else _code_effects(call))


def _output_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """The files that options name for what the program brings or prints; of one nobody knows, by their usual names."""
    names = tuple(facts["output"].split()) if facts else tuple(WORDS["output_options"])
    named = [*option_values(call.argv, names), *_clustered_values(call.argv, names, facts.get("values", "").split())]
    return [FileEffect(path) for path in named if path != "-"]


def _filled_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """Any file of the folders that options name for what a generator makes.

    Nothing where that is the folder in which the text began, which holds all others, too.
    """
    folders = option_values(call.argv, tuple(facts["fills"].split()))
    return [_any_file(f"{folder.rstrip('/')}/") for folder in folders if folder.strip("./")]


def _begun_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """Any file whose path begins as the operand behind those before it."""
    return [_any_file(path) for path in operands(call.argv, facts.get("values", ""))[facts["before"] :][:1]]


def _any_file(begin: str) -> FileEffect:
    found = FileEffect(f"{begin}*")
    found.named_by_source = True
    return found


def _told_effects(call: Call) -> list[FileEffect]:
    """The files that a database's client is told to write: sqlite's .output, psql's "o"."""
    from rulec.shell.parsing import sql_text  # noqa: PLC0415 (few commands are of a database)

    return [FileEffect(path) for told in (*call.argv[1:], call.stdin) for path in sql_text.files_told(told)]


def _made_effects(call: Call, makes: dict[str, str]) -> list[FileEffect]:
    """The file behind a command that writes one, else those that it writes by itself."""
    pattern = next((one for one in makes if matches(one, call)), "")
    named = operands(call.argv, "")[len([word for word in pattern.split()[1:] if word[0] != "-"]) :]
    return [FileEffect(path) for path in named or makes[pattern].split()] if pattern else []


def _patch_effects(call: Call) -> list[FileEffect]:
    """The files of the diff that ``patch`` or ``git apply`` reads from standard input."""
    applies = call.program == "patch" or "apply" in call.argv
    levels = [value for value in option_values(call.argv, ("-p", "--strip")) if value.isdigit()]
    usual = 1 if call.program == "git" else None
    return patched_files(call.stdin, int(levels[-1]) if levels else usual) if applies else []


def _clustered_values(argv: list[str], names: tuple[str, ...], valued: list[str]) -> list[str]:
    """The values of options that stand behind others in one word."""
    found = []
    for word, after in zip(argv[1:], [*argv[2:], ""], strict=False):
        letters = word[1:] if word.startswith("-") and not word.startswith("--") else ""
        at = next((at for at, letter in enumerate(letters) if "-" + letter in valued), 0)
        if at and "-" + letters[at] in names:
            found.append(letters[at + 1 :] or after)
    return found


def _operand_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """Each operand is written, where the program is not only asked to show it."""
    only = facts.get("only_with", "").split()
    shows = "-R" in call.argv and call.program.endswith(("vi", "vim"))
    if shows or (only and not any(word in only for word in call.argv)):
        return []
    given = operands(call.argv, facts.get("values", ""))[facts.get("before", 0) :]
    found = [FileEffect(path) for path in given[: facts.get("most")]]
    for effect in found if call.program == "tee" else ():
        effect.appends = any(flag in call.argv for flag in ("-a", "--append"))
        effect.content = call.stdin
        effect.whole = bool(call.stdin) and not effect.appends
    return found


def _mode_effects(call: Call, _: Facts) -> list[FileEffect]:
    """The files behind a mode or an owner."""
    words = [word for word in call.argv[1:] if word not in MODELESS and not word.startswith("--")]
    return [FileEffect(path) for path in words[1:]]


def _deleted_effects(call: Call, facts: Facts) -> list[FileEffect]:
    found = [FileEffect(path, delete=True) for path in operands(call.argv, facts.get("values", ""))]
    for effect in found if call.program == "rm" and not any(map(_is_recursive, call.argv[1:])) else ():
        effect.no_folder = True
    return found


def _is_recursive(word: str) -> bool:
    long = word.startswith("--")
    if long:
        return "--recursive".startswith(word) or word == "--dir"
    return word.startswith("-") and any(sign in word for sign in "rRd")


def _formatter_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """The files that a formatter is given to write anew; those of a folder are not known."""
    pattern = next((one for one in facts["formats"] if matches(one, call)), "")
    if not pattern or any(word.partition("=")[0] in WORDS["formatter_asked"] for word in call.argv):
        return []
    words = operands(call.argv, " ".join(WORDS["formatter_values"]))
    verbs = [word for word in pattern.split()[1:] if not word.startswith("-")]
    found = [FileEffect(path) for path in words[len(verbs) :]]
    for effect in found:
        effect.formats = True
    return found


def _redirect_effect(call: Call, sign: str, target: str) -> FileEffect:
    effect = FileEffect(target)
    effect.appends = sign in (">>", "&>>")
    plain = Call(call.argv, call.cwd, call.env, call.via)
    plain.stdin, plain.dynamic = call.stdin, call.dynamic
    text = known_output([plain]) if WRITES[sign] else None
    if text is not None:
        effect.content, effect.whole = text + "\n", sign in (">", ">|")
    return effect


def _script_and_files(argv: list[str]) -> tuple[list[str], list[str]]:
    """The scripts on the command line of sed or perl, and the files that these work on."""
    valued = "-e -E" if argv[0].endswith("perl") else "-e -f -E --expression --file"
    named = operands(argv, valued)
    given = any(takes_value(word, valued.split()) for word in argv[1:] if word.startswith("-"))
    given = given or any(word.startswith(("--expression=", "--file=")) for word in argv)
    return (option_values(argv, ("-e", "-E", "--expression")), named) if given else (named[:1], named[1:])


def _in_place_effects(call: Call, _: Facts) -> list[FileEffect]:
    argv = call.argv
    if not any(edits_in_place(word, perl=argv[0].endswith(("perl", "ruby"))) for word in argv[1:]):
        return []
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (its patterns cost a fifth of the hook)

    scripts, files = _script_and_files(argv)
    found = [FileEffect(path) for path in files]
    for effect in found:
        effect.content, effect.existing = text_filters.inserted_text(scripts), True
    return found


def _sed_effects(call: Call, facts: Facts) -> list[FileEffect]:
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (as above)

    written = text_filters.written_by_sed(_script_and_files(call.argv)[0])
    return _in_place_effects(call, facts) + [FileEffect(path) for path in written]


def _awk_effects(call: Call, _: Facts) -> list[FileEffect]:
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (as above)

    return [FileEffect(path) for path in text_filters.written_by_awk(call.argv[1:])]


def edits_in_place(word: str, *, perl: bool = False) -> bool:
    """Whether an option of sed, or of perl and ruby, has it change the files that it is given."""
    name = word.partition("=")[0]
    letters = word[1:].partition("e")[0] if perl else word[1:]
    if word.startswith("--"):
        return len(name) >= SHORTEST_LONG and "--in-place".startswith(name)
    return word[:1] == "-" and "i" in letters


def _dd_effects(call: Call, _: Facts) -> list[FileEffect]:
    return [FileEffect(word[3:]) for word in call.argv if word.startswith("of=")]


_OF_ALL = frozenset(["-delete", "-depth", "-type", "f", "d", "-mount", "-xdev"])  # of find: what spares no file


def _find_effects(call: Call, _: Facts) -> list[FileEffect]:
    argv = call.argv
    if "-delete" not in argv:
        return []
    from rulec.shell.listed_files import FindExpression  # noqa: PLC0415 (few commands search for files)

    starts = FindExpression(argv).starts
    whole = _OF_ALL.issuperset(word for word in argv[1:] if word not in starts)
    found = [FileEffect(path, delete=True, sure=whole) for path in starts]
    names = [name for name in option_values(argv, ("-name",)) if not any(sign in name for sign in "*?[\\")]
    plain = not any(word in ("-o", "-or", "!", "-not", "-prune", "-path") for word in argv)
    return found + [FileEffect(f"{path}/{name}", delete=True) for path in starts for name in names if plain]


def _code_effects(call: Call) -> list[FileEffect]:
    """Paths that an interpreter's one-liner writes; those that merely stand in one which writes files are unsure."""
    program = interpreter_of(call.program)
    if not program:
        return []
    text, facts = program_code(call), facts_of(program)
    known_names = [word.rpartition(".")[2] for key in CODE_WRITES for word in str(facts.get(key, "")).split()]
    if not any(sign in text for sign in (*WRITING, *known_names)):
        return []
    from rulec.shell import written_by_code  # noqa: PLC0415 (few programs write files)
    from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)

    sure = [] if call.dynamic else written_by_code.certain_effects(program, _own_code(program, call))
    text = interpreters.without_reading(text)
    if not any(sign in text for sign in WRITING):
        return sure
    known = {effect.path for effect in sure}
    return sure + [FileEffect(path, sure=False) for path in string_literals(text) if path not in known]


def _own_code(program: str, call: Call) -> str:
    """The text that is surely a program: what stands on standard input may be its data."""
    from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)

    read = interpreters.reads_code_from_stdin(program, call.argv)
    return call.stdin if read else "\n".join(interpreters.code_on_command_line(program, call.argv))


def program_code(call: Call) -> str:
    """The program text that the command line or standard input gives to an interpreter."""
    from rulec.shell.parsing import interpreters  # noqa: PLC0415 (most commands start no interpreter)

    return "\n".join([*interpreters.code_on_command_line(interpreter_of(call.program), call.argv), call.stdin])


def string_literals(code: str) -> list[str]:
    """The strings of a program text that may be paths."""
    found: list[str] = []
    at, size = 0, len(code)
    while at < size and len(found) < MOST_LITERALS:
        quote = code[at]
        if quote in "\"'`":
            end = code.find(quote, at + 1)
            line = code.find("\n", at + 1)
            if end < 0 or (0 <= line < end):
                at += 1
                continue
            text = code[at + 1 : end]
            if text and len(text) < LONGEST_PATH and not any(sign in text for sign in " \t*<>"):
                found.append(text)
            at = end
        at += 1
    return found


def _copy_effects(call: Call, facts: Facts) -> list[FileEffect]:
    return copy_effects(call.program, call.argv, facts)


def copy_effects(name: str, argv: list[str], facts: Facts) -> list[FileEffect]:
    """The paths that cp and the like write, the last word being the file or folder that they write to."""
    given = operands(argv, facts.get("values", ""))
    folders = option_values(argv, ("-t", "--target-directory")) if name not in ("rsync", "scp") else []
    sources = given if folders else given[:-1]
    if name == "ln" and len(given) == 1 and not folders:
        sources, folders = given, ["."]
    elif not folders and len(given) > 1:
        folders = given[-1:]
    if not folders or (name == "scp" and ":" in folders[0].partition("/")[0]):  # a file of another machine
        return []
    within = len(given) > 2 or given[-1:] != folders or folders[0].rpartition("/")[2] in ("", ".", "..")
    found: list[FileEffect] = []
    for target in folders:
        found.append(FileEffect(target))
        found[-1].into = True
        found[-1].existing = within or target.endswith("/")
        names = [source.rstrip("/").rpartition("/")[2] for source in sources]
        inside = [target.rstrip("/") + "/" + ("*" if name == "." else name) for name in names]
        for path in inside:
            found.append(FileEffect(path))
            found[-1].named_by_source = True
            found[-1].folder = "" if within else target
    if name == "mv":
        found += [FileEffect(source, delete=True) for source in sources]
    return found


def patched_files(text: str, strip: int | None) -> list[FileEffect]:
    """The files that a diff changes, without the first ``strip`` folders of their names; None: with and without one."""
    found: list[FileEffect] = []
    old = ""
    for line in text.split("\n"):
        name = line[4:].partition("\t")[0].strip()
        if line.startswith("--- "):
            old = name
        elif line.startswith("+++ "):
            gone = name == "/dev/null"
            for less in (0, 1) if strip is None else (strip,):
                path = "/".join((old if gone else name).split("/")[less:])
                found += [FileEffect(path, delete=gone)] if path else []
    return found


def _unpacked_effects(call: Call, facts: Facts) -> list[FileEffect]:
    """Any file of the folder that an archive is unpacked to.

    Nothing where that is the folder in which the text began, which holds all others, too.
    """
    names, words = facts["unpacks_to"].split(), call.argv[1:]
    asked = facts.get("unpacks_with", "").split()
    letters = "".join(word for word in words if word[:1] == "-" and not word.startswith(("--", *names)))
    letters += words[0] if asked and words and words[0][:1] != "-" else ""
    if asked and not any(one in (words if one[1:] else letters) for one in asked):
        return []
    folder = ""
    for word, after in zip(words, [*words[1:], ""], strict=False):
        name = next((name for name in names if word.startswith(name)), "")
        bundled = not name and word[:1] == "-" and word[1:2] != "-" and takes_value(word, names)
        if (name or bundled) and len(folder) < LONGEST_PATH:
            folder = join_path(folder, word[len(name) :].removeprefix("=") * bool(name) or after)
    if not f"{call.cwd}{folder}".strip("./") or any(letter in letters for letter in facts.get("only_looks", "")):
        return []
    return [_any_file(f"{folder.rstrip('/')}/" if folder else "")]


def _git_effects(call: Call, _: Facts) -> list[FileEffect]:
    """The paths that one git command writes or deletes."""
    argv = call.argv
    at = first_operand(argv, 1, global_options("git"))
    verb, rest = "".join(argv[at : at + 1]), argv[at:]
    folder = "".join(option_values(argv[:at], ("-C",))[:1])
    found: list[FileEffect] = []
    if verb == "rm":
        found = [FileEffect(path, delete=True) for path in operands(rest, "")]
    elif verb == "mv":
        found = copy_effects("mv", rest, facts_of("mv"))
    elif verb == "checkout":
        found = _checked_out(rest)
    elif verb == "restore":
        found = _restored(rest)
    elif verb == "clone":
        named = operands(rest, " ".join(valued_options("git clone")))
        found = [FileEffect(path) for path in named[1:2] if path.strip("./")]  # its files are another repository's
    elif verb == "clean":
        found = [FileEffect(GIVEN, delete=True)] if removes_untracked(rest) else []
    elif verb in ("diff", "log", "show", "archive"):
        found = [
            FileEffect(path) for path in option_values(rest, ("--output", "-o") if verb == "archive" else ("--output",))
        ]
    for effect in found:
        effect.path = join_path(folder, effect.path) if folder else effect.path
        effect.folder = join_path(folder, effect.folder) if folder and effect.folder else effect.folder
    return found


def _checked_out(rest: list[str]) -> list[FileEffect]:
    words, flags = words_and_flags("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    if not names.isdisjoint(BRANCH_FLAGS):
        return []
    if "--" in rest:
        paths = rest[rest.index("--") + 1 :]
        source = "".join(words[1 : len(words) - len(paths)][:1])
        return _restore_effects(paths, source)
    paths = words[1:]
    if len(paths) > 1:  # only the disk tells whether the first is a commit or one file more
        return _restore_effects(paths[1:], paths[0])
    return _restore_effects(paths, "")  # of a merge under way a side, which the merge brings by itself


def _restored(rest: list[str]) -> list[FileEffect]:
    words, flags = words_and_flags("git", rest)
    names = {flag.partition("=")[0] for flag in flags}
    letters = "".join(name for name in names if not name.startswith("--"))
    staged, worktree = "--staged" in names or "S" in letters, "--worktree" in names or "W" in letters
    if staged and not worktree:
        return []
    sources = [flag.partition("=")[2] for flag in flags if _gives_source(flag.partition("=")[0])]
    return _restore_effects(words[1:], "".join(sources[-1:]))


def removes_untracked(rest: list[str]) -> bool:
    """Whether ``git clean`` removes anything: with -f, and not where it only says what it would do."""
    letters = "".join(word[1:] for word in rest if word[:1] == "-" and word[1:2] != "-")
    forced = "f" in letters or "--force" in rest
    return forced and not ("n" in letters or "i" in letters or "--dry-run" in rest or "--interactive" in rest)


def _gives_source(name: str) -> bool:
    return name == "--source" or (not name.startswith("--") and name.endswith("s"))


def _restore_effects(paths: list[str], source: str) -> list[FileEffect]:
    """The files that are overwritten from a commit, or from the index where no commit is named."""
    found = [FileEffect(path) for path in paths]
    for effect in found:
        effect.below, effect.undoes = True, source in ("", *HEADS)
        effect.source = "" if effect.undoes else source
    return found


def changed_checkout(call: Call) -> str:
    """The other folder whose checkout the command changes, or ""."""
    at, verb = git_subcommand(call.argv)
    rest = call.argv[at + 1 :]
    if not (verb in WORDS["git_changing"] or (verb in WORDS["git_naming"] and rest)) or any(
        word in LISTING_WORDS for word in rest[:1]
    ):
        return ""
    folder = call.cwd
    for place in option_folders(call):
        folder = join_path(folder, place)
    return folder if folder.startswith(("/", "~", "../")) else ""


WRITERS = {  # "writes" of a program -> how its words are read
    "operands": _operand_effects,
    "modes": _mode_effects,
    "deleted": _deleted_effects,
    "last": _copy_effects,
    "begun": _begun_effects,
    "sed": _sed_effects,
    "awk": _awk_effects,
    "perl": _in_place_effects,
    "dd": _dd_effects,
    "find": _find_effects,
    "git": _git_effects,
    "unpacked": _unpacked_effects,
}

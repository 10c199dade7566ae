"""What commands do to files: which paths they write or delete, and what they put there where the text shows it."""

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell.parsing.call import (
    TREE_TOP,
    Call,
    ParsedText,
    join_path,
    known_output,
    operands,
    option_values,
    takes_value,
)
from rulec.shell.parsing.wrappers import INTERPRETERS
from rulec.shell.program_options import DRY_RUNS, FORMATTERS, FORMATTERS_ASKED, FORMATTERS_VALUED
from rulec.shell.written_paths import TARGET_LAST, FileEffect, copy_effects, patched_files, tar_effects, unzip_effects

WRITES = {">": True, ">|": True, "&>": False, ">&": False, ">>": True, "&>>": False, "<>": False}
EVERY_OPERAND = {  # every operand is written -> options with a value, operands that come first and are no file
    "tee": ("--output-error", 0),
    "touch": ("-d -r -t --date --reference", 0),
    "truncate": ("-s -r --size --reference", 0),
    "sponge": ("", 0),
    "chmod": ("--reference", 1),
    "chown": ("--reference", 1),
    "chattr": ("", 1),
    "patch": ("-p -i -d -o -D --input --strip --directory", 0),
    "ed": ("-p", 0),
    **dict.fromkeys(["ex", "vi", "vim", "nvim"], ("-c -S -u -i -T --cmd", 0)),
    **dict.fromkeys(["nano", "pico", "micro", "emacs"], ("--eval -f -l --funcall --load", 0)),
}
DELETES = {"rm": "", "unlink": "", "shred": "-n -s", "rmdir": "", "trash": "", "srm": ""}
OUTPUTS = {
    "curl": ("-o", "--output", "--output-dir"),
    "wget": ("-O", "--output-document", "-P", "--directory-prefix"),
    "sort": ("-o", "--output"),
}
SHORT_VALUED = {  # their short options with a value, which may stand last in a cluster: -sSLo FILE
    "curl": "-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -T -t -u -U -w -x -X -y -Y -z",
    "wget": "-a -A -B -D -e -i -I -l -o -O -P -Q -R -t -T -U -w -X",
    "sort": "-k -o -S -t -T",
}
WRITING = (
    "open(", "write", "append", "unlink", "remove", "rename", "rmtree", "rmSync", "copyfile", "copyFile", "shutil",
    "truncate", "File.", "file_put_contents", "mkdir", "touch", "dump(", "save(",
)  # fmt: skip
IN_PLACE = ("yq", "chmod", "chown", "chattr", "patch")  # they create no file
MODELESS = ("-R", "-v", "-c", "-f", "-h", "-V")  # flags of chmod and chown; what else begins with "-" is a mode
MOST_LITERALS = 2_000  # looked at in one script
LONGEST_PATH = 500


def file_effects(parsed: ParsedText) -> "list[FileEffect]":
    """All paths that the commands write or delete; relative ones are seen from where the text started."""
    return [effect for call in parsed.calls for effect in effects_of_call(call)]


def effects_of_call(call: Call) -> "list[FileEffect]":
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
    if call.program == "git":
        from rulec.shell import git_effects  # noqa: PLC0415 (most commands are none of git)

        other = git_effects.changed_checkout(call)
        if other:
            found.append(FileEffect(other))
            found[-1].elsewhere = True
    return found


def _raw_effects(call: Call) -> "list[FileEffect]":
    found = [_redirect_effect(call, sign, target) for sign, target in call.redirects if sign in WRITES]
    name, argv = call.program, call.argv
    if name in DRY_RUNS and _is_dry_run(call):
        return found
    if name in TARGET_LAST:
        found += copy_effects(name, argv)
    elif name in EVERY_OPERAND:
        found += _operand_effects(call)
    elif name in DELETES:
        deleted = [FileEffect(path, delete=True) for path in operands(argv, DELETES[name])]
        for effect in deleted if name == "rm" and not any(map(_is_recursive, argv[1:])) else ():
            effect.no_folder = True
        found += deleted
    elif name in OUTPUTS:
        named = [*option_values(argv, OUTPUTS[name]), *_clustered_values(argv, OUTPUTS[name], SHORT_VALUED[name])]
        found += [FileEffect(path) for path in named if path != "-"]
    elif name in EFFECTS_OF_PROGRAM:
        found += EFFECTS_OF_PROGRAM[name](argv)
    elif name in FORMATTERS:
        found += _formatter_effects(call)
    for effect in found[len(call.redirects) :] if name in IN_PLACE or name in FORMATTERS else ():
        effect.existing = True
    return found + (_patch_effects(call) if name in ("patch", "git") and call.stdin else _code_effects(name, call))


def _patch_effects(call: Call) -> "list[FileEffect]":
    """The files of the diff that ``patch`` or ``git apply`` reads from standard input."""
    applies = call.program == "patch" or "apply" in call.argv
    levels = [value for value in option_values(call.argv, ("-p", "--strip")) if value.isdigit()]
    usual = 1 if call.program == "git" else None
    return patched_files(call.stdin, int(levels[-1]) if levels else usual) if applies else []


def _clustered_values(argv: "list[str]", names: "tuple[str, ...]", valued: str) -> "list[str]":
    """The values of options that stand behind others in one word."""
    flags = valued.split()
    found = []
    for word, after in zip(argv[1:], [*argv[2:], ""], strict=False):
        letters = word[1:] if word.startswith("-") and not word.startswith("--") else ""
        at = next((at for at, letter in enumerate(letters) if "-" + letter in flags), 0)
        if at and "-" + letters[at] in names:
            found.append(letters[at + 1 :] or after)
    return found


def _is_recursive(word: str) -> bool:
    long = word.startswith("--")
    return word in ("--recursive", "--dir") if long else word.startswith("-") and any(sign in "rRd" for sign in word)


def _is_dry_run(call: Call) -> bool:
    from rulec.shell import command_matching  # noqa: PLC0415 (few commands are of these programs)

    return command_matching.is_dry_run(call)


def _operand_effects(call: Call) -> "list[FileEffect]":
    if call.program in ("chmod", "chown", "chattr"):
        words = [word for word in call.argv[1:] if word not in MODELESS and not word.startswith("--")]
        return [FileEffect(path) for path in words[1:]]
    valued, skipped = EVERY_OPERAND[call.program]
    if "-R" in call.argv and call.program.endswith(("vi", "vim")):
        return []  # it only shows them
    found = [FileEffect(path) for path in operands(call.argv, valued)[skipped:]]
    for effect in found if call.program == "tee" else ():
        effect.appends = any(flag in call.argv for flag in ("-a", "--append"))
        effect.content = call.stdin
        effect.whole = bool(call.stdin) and not effect.appends
    return found


def _formatter_effects(call: Call) -> "list[FileEffect]":
    """The files that a formatter is given to write anew; those of a folder are not known."""
    from rulec.shell import command_matching  # noqa: PLC0415 (few commands are of these programs)

    pattern = next((one for one in FORMATTERS[call.program] if command_matching.matches(one, call)), "")
    if not pattern or any(word.partition("=")[0] in FORMATTERS_ASKED for word in call.argv):
        return []
    words = operands(call.argv, FORMATTERS_VALUED)
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


def _script_and_files(argv: "list[str]") -> "tuple[list[str], list[str]]":
    """The scripts on the command line of sed or perl, and the files that these work on."""
    valued = "-e -E" if argv[0].endswith("perl") else "-e -f -E --expression --file"
    named = operands(argv, valued)
    given = any(takes_value(word, valued.split()) for word in argv[1:] if word.startswith("-"))
    given = given or any(word.startswith(("--expression=", "--file=")) for word in argv)
    return (option_values(argv, ("-e", "-E", "--expression")), named) if given else (named[:1], named[1:])


def _in_place_effects(argv: "list[str]") -> "list[FileEffect]":
    if not any(_edits_in_place(word, perl=argv[0].endswith(("perl", "ruby"))) for word in argv[1:]):
        return []
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (its patterns cost a fifth of the hook)

    scripts, files = _script_and_files(argv)
    found = [FileEffect(path) for path in files]
    for effect in found:
        effect.content, effect.existing = text_filters.inserted_text(scripts), True
    return found


def _sed_effects(argv: "list[str]") -> "list[FileEffect]":
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (as above)

    written = text_filters.written_by_sed(_script_and_files(argv)[0])
    return _in_place_effects(argv) + [FileEffect(path) for path in written]


def _awk_effects(argv: "list[str]") -> "list[FileEffect]":
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (as above)

    return [FileEffect(path) for path in text_filters.written_by_awk(argv[1:])]


def _edits_in_place(word: str, *, perl: bool) -> bool:
    letters = word[1:].partition("e")[0] if perl else word[1:]
    return word.startswith("--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in letters)


def _yq_effects(argv: "list[str]") -> "list[FileEffect]":
    inside = any(word in ("-i", "--inplace", "--in-place") for word in argv)
    return [FileEffect(path) for path in operands(argv, "")[1:]] if inside else []


def _dd_effects(argv: "list[str]") -> "list[FileEffect]":
    return [FileEffect(word[3:]) for word in argv if word.startswith("of=")]


_OF_ALL = frozenset(["-delete", "-depth", "-type", "f", "d", "-mount", "-xdev"])  # of find: what spares no file


def _find_effects(argv: "list[str]") -> "list[FileEffect]":
    if "-delete" not in argv:
        return []
    starts = _until_flag(argv)
    whole = _OF_ALL.issuperset(word for word in argv[1:] if word not in starts)
    found = [FileEffect(path, delete=True, sure=whole) for path in starts]
    names = [name for name in option_values(argv, ("-name",)) if not any(sign in name for sign in "*?[\\")]
    plain = not any(word in ("-o", "-or", "!", "-not", "-prune", "-path") for word in argv)
    return found + [FileEffect(f"{path}/{name}", delete=True) for path in starts for name in names if plain]


def _git_effects(argv: "list[str]") -> "list[FileEffect]":
    from rulec.shell import git_effects  # noqa: PLC0415 (most commands are none of git)

    return git_effects.effects_of_git(argv)


def _until_flag(argv: "list[str]") -> "list[str]":
    found: list[str] = []
    for word in argv[1:]:
        if word.startswith(("-", "(", "!")):
            break
        found.append(word)
    return found or ["."]


def _code_effects(name: str, call: Call) -> "list[FileEffect]":
    """Paths that an interpreter's one-liner writes; those that merely stand in one which writes files are unsure."""
    program = plain_program(name)
    if program not in INTERPRETERS:
        return []
    text = program_code(call)
    if not any(sign in text for sign in WRITING):
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

    return "\n".join([*interpreters.code_on_command_line(plain_program(call.program), call.argv), call.stdin])


def string_literals(code: str) -> "list[str]":
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


EFFECTS_OF_PROGRAM = {
    "sed": _sed_effects,
    "gsed": _sed_effects,
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], _awk_effects),
    "perl": _in_place_effects,
    "ruby": _in_place_effects,
    "dd": _dd_effects,
    "yq": _yq_effects,
    "git": _git_effects,
    "find": _find_effects,
    **dict.fromkeys(["tar", "gtar", "bsdtar"], tar_effects),
    "unzip": unzip_effects,
}

"""What commands do to files: which paths they write or delete, and what they put there where the text shows it."""

from rulec.runtime.call import TOP, Call, join, said
from rulec.runtime.carriers import takes_next
from rulec.runtime.effect import TARGET_LAST, Effect, copied, operands, values
from rulec.runtime.launchers import INTERPRETERS
from rulec.runtime.manuals import DRY_RUNS
from rulec.runtime.match import plain
from rulec.runtime.shell import Parse

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
WRITING = (
    "open(", "write", "unlink", "remove", "rename", "rmtree", "rmSync", "copyfile", "copyFile", "shutil", "truncate",
    "File.", "file_put_contents", "mkdir", "touch", "dump(", "save(",
)  # fmt: skip
IN_PLACE = ("sed", "gsed", "perl", "yq", "chmod", "chown", "chattr", "patch")  # they create no file
MODELESS = ("-R", "-v", "-c", "-f", "-h", "-V")  # flags of chmod and chown; what else begins with "-" is a mode
MOST_LITERALS = 2_000  # looked at in one script
LONGEST_PATH = 500


def effects(parsed: Parse) -> "list[Effect]":
    """All paths that the commands write or delete; relative ones are seen from where the text started."""
    return [effect for call in parsed.calls for effect in done_by(call)]


def done_by(call: Call) -> "list[Effect]":
    """The paths that one command writes or deletes."""
    found: "list[Effect]" = []
    for effect in _of_call(call):
        if effect.path and not effect.path.startswith("/dev/"):
            relative = not effect.path.startswith(("/", "~", TOP))
            folder = effect.path.endswith("/")
            effect.sure = effect.sure and not (call.adrift and relative)
            effect.path = join(call.cwd, effect.path) + ("/" if folder else "")
            effect.folder = join(call.cwd, effect.folder) if effect.folder else ""
            effect.call = call
            found.append(effect)
    if call.program == "git":
        from rulec.runtime import elsewhere  # noqa: PLC0415 (most commands are none of git)

        other = elsewhere.changed(call)
        if other:
            found.append(Effect(other))
            found[-1].elsewhere = True
    return found


def _of_call(call: Call) -> "list[Effect]":
    found = [_redirected(call, sign, target) for sign, target in call.redirects if sign in WRITES]
    name, argv = call.program, call.argv
    if name in DRY_RUNS and _tries(call):
        return found
    if name in TARGET_LAST:
        found += copied(name, argv)
    elif name in EVERY_OPERAND:
        found += _each_operand(call)
    elif name in DELETES:
        found += [Effect(path, delete=True) for path in operands(argv, 1, DELETES[name])]
    elif name in OUTPUTS:
        found += [Effect(path) for path in values(argv, OUTPUTS[name])]
    elif name in OWN:
        found += OWN[name](argv)
    for effect in found[len(call.redirects) :] if name in IN_PLACE else ():
        effect.existing = True
    return found + _scripted(name, call)


def _tries(call: Call) -> bool:
    from rulec.runtime import helps  # noqa: PLC0415 (few commands are of these programs)

    return helps.tries(call)


def _each_operand(call: Call) -> "list[Effect]":
    if call.program in ("chmod", "chown", "chattr"):
        words = [word for word in call.argv[1:] if word not in MODELESS and not word.startswith("--")]
        return [Effect(path) for path in words[1:]]
    valued, skipped = EVERY_OPERAND[call.program]
    if "-R" in call.argv and call.program.endswith(("vi", "vim")):
        return []  # it only shows them
    found = [Effect(path) for path in operands(call.argv, 1, valued)[skipped:]]
    for effect in found if call.program == "tee" else ():
        effect.appends = any(flag in call.argv for flag in ("-a", "--append"))
        effect.content = call.stdin
        effect.whole = bool(call.stdin) and not effect.appends
    return found


def _redirected(call: Call, sign: str, target: str) -> Effect:
    effect = Effect(target)
    effect.appends = sign in (">>", "&>>")
    plain = Call(call.argv, call.cwd, call.env, call.via)
    plain.stdin, plain.dynamic = call.stdin, call.dynamic
    text = said([plain]) if WRITES[sign] else None
    if text is not None:
        effect.content, effect.whole = text + "\n", sign in (">", ">|")
    return effect


def _in_place(argv: "list[str]") -> "list[Effect]":
    perl = argv[0].endswith("perl")
    if not any(_edits_in_place(word, perl=perl) for word in argv[1:]):
        return []
    valued = "-e -E" if perl else "-e -f -E --expression --file"
    named = operands(argv, 1, valued)
    given = any(takes_next(word, valued.split()) for word in argv[1:] if word.startswith("-"))
    given = given or any(word.startswith(("--expression=", "--file=")) for word in argv)
    scripts = values(argv, ("-e", "-E", "--expression")) if given else named[:1]
    from rulec.runtime import sed  # noqa: PLC0415 (its patterns cost a fifth of the hook)

    found = [Effect(path) for path in (named if given else named[1:])]
    for effect in found:
        effect.content = sed.puts(scripts)
    return found


def _edits_in_place(word: str, *, perl: bool) -> bool:
    letters = word[1:].partition("e")[0] if perl else word[1:]
    return word.startswith("--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in letters)


def _yq(argv: "list[str]") -> "list[Effect]":
    inside = any(word in ("-i", "--inplace", "--in-place") for word in argv)
    return [Effect(path) for path in operands(argv, 1, "")[1:]] if inside else []


def _dd(argv: "list[str]") -> "list[Effect]":
    return [Effect(word[3:]) for word in argv if word.startswith("of=")]


def _find(argv: "list[str]") -> "list[Effect]":
    return [Effect(path, delete=True, sure=False) for path in _until_flag(argv)] if "-delete" in argv else []


def _git(argv: "list[str]") -> "list[Effect]":
    from rulec.runtime import effects_git  # noqa: PLC0415 (most commands are none of git)

    return effects_git.done(argv)


def _until_flag(argv: "list[str]") -> "list[str]":
    found: "list[str]" = []
    for word in argv[1:]:
        if word.startswith(("-", "(", "!")):
            break
        found.append(word)
    return found or ["."]


def _scripted(name: str, call: Call) -> "list[Effect]":
    """Paths in the text of an interpreter's one-liner that writes files: not certain."""
    if plain(name) not in INTERPRETERS:
        return []
    text = code(call)
    if not any(sign in text for sign in WRITING):
        return []
    return [Effect(path, sure=False) for path in literals(text)]


def code(call: Call) -> str:
    """The program text that an interpreter gets with the command itself."""
    from rulec.runtime import spawns  # noqa: PLC0415 (most commands start no interpreter)

    return "\n".join([*spawns.given(plain(call.program), call.argv), call.stdin])


def literals(code: str) -> "list[str]":
    """The strings of a program text that may be paths."""
    found: "list[str]" = []
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


OWN = {"sed": _in_place, "gsed": _in_place, "perl": _in_place, "dd": _dd, "yq": _yq, "git": _git, "find": _find}

"""One command that a text runs: its words, options and operands, folder and variables, and what it prints."""

from rulec.domain.patterns.command_patterns import program_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def first_operand(argv: "list[str]", start: int, valued: "list[str]") -> int:
    """The position of the first word that is no option and no option's value."""
    index = start
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return index + 1
        if not word.startswith("-") or word == "-":
            return index
        index += 2 if takes_value(word, valued) else 1
    return index


def takes_value(word: str, valued: "list[str]") -> bool:
    """Whether the next word is this option's value."""
    if word.startswith("--") or word in valued:
        return word in valued
    for position, letter in enumerate(word[1:], 2):
        if "-" + letter in valued:
            return position == len(word)
    return False


def operands(argv: "list[str]", valued: str) -> "list[str]":
    """The words behind the program that are neither options nor their values."""
    found: list[str] = []
    index, flags = 1, valued.split()
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return [*found, *argv[index + 1 :]]
        if word.startswith("-") and len(word) > 1:
            index += takes_value(word, flags)
        else:
            found.append(word)
        index += 1
    return found


def option_values(argv: "list[str]", names: "tuple[str, ...]") -> "list[str]":
    """The values that the options of these names are given."""
    found = [argv[index + 1] for index, word in enumerate(argv[:-1]) if word in names]
    found += [word.partition("=")[2] for word in argv if word.partition("=")[0] in names and "=" in word]
    return found + [word[2:] for word in argv if word[:2] in names and len(word) > 2]


WHY_UNREAD = ("the text nests too deeply", "what it runs grows too long")  # why a text is not read to its end
DECODERS = ("base64", "xxd", "rev", "tr")
PIPE_STATUS = "${PIPESTATUS[0]}"  # how the first command of the last pipe went
TREE_TOP = ":/"  # git's word for the top of the work tree


Streams = dict[str, tuple[str, str]]  # by the number of a stream the sign and the target of its redirection
USUAL_STREAM = str.maketrans("<>", "01")  # that a sign without a number leads somewhere


class Call:
    """One command that the text runs."""

    __slots__ = (
        "adrift", "argv", "cwd", "dynamic", "env", "feeds", "program", "redirects", "sign", "status_in", "stdin",
        "streams", "via", "views",
    )  # fmt: skip

    def __init__(self, argv: "list[str]", cwd: str, env: "dict[str, str]", via: "tuple[str, ...]") -> None:
        self.argv, self.cwd, self.env, self.via = argv, cwd, env, via
        self.program = program_name(argv[0]) if argv else ""
        self.redirects: list[tuple[str, str]] = []
        self.streams: Streams = {}  # where its input comes from and its output goes, also by what it stands in
        self.feeds: list[Call] = []  # the commands whose output it reads, by a pipe or within its words
        self.stdin = ""  # what a heredoc, a here-string or the command before the pipe gives it
        self.sign = ""  # the operator behind it: && || ; | & or a line's end, "" where its text or group ends
        self.status_in: dict[str, str] = {}  # variables that keep how it went: $?, or that of the first of its pipe
        self.dynamic = False
        self.adrift = False  # the folder it runs in is not known
        self.views: list[tuple[str, list[str]]] | None = None  # what command_matching.program_views found

    def as_words(self, argv: "list[str]") -> "Call":
        """The same call with other words."""
        other = Call(argv, self.cwd, self.env, self.via)
        other.redirects, other.feeds, other.stdin, other.sign = self.redirects, self.feeds, self.stdin, self.sign
        other.dynamic, other.adrift, other.streams = self.dynamic, self.adrift, self.streams
        return other

    def __repr__(self) -> str:
        return f"Call({self.argv!r}, cwd={self.cwd!r}, via={self.via!r})"


def redirect_stream(streams: Streams, stream: str, sign: str, target: str) -> None:
    """Note where a redirection leads a stream; ``2>&1`` has the second go where the first goes."""
    copies = sign in (">&", "<&") and (target.isdigit() or target == "-")
    if copies and target in streams:
        streams[stream or sign[0].translate(USUAL_STREAM)] = streams[target]
    elif copies:
        streams[stream or sign[0].translate(USUAL_STREAM)] = (">&", target) if target != "-" else (">", "/dev/null")
    elif sign in (">&", "&>", "&>>"):
        streams["1"] = streams["2"] = (">>" if sign == "&>>" else ">", target)
    else:
        streams[stream or sign[0].translate(USUAL_STREAM)] = (sign.rstrip("|-") if sign != "<>" else ">", target)


class ParsedText:
    """All commands of a text; ``unsure`` says why they may not be all."""

    __slots__ = ("assigned", "budget", "calls", "given", "unsure")

    def __init__(self, budget: int = 0) -> None:
        self.budget = budget  # characters that functions, aliases and carried texts may still add
        self.calls: list[Call] = []
        self.unsure = ""
        self.given: list[str] = []  # what loops and groups are given to read
        self.assigned: set[str] = set()  # variables set by a command of their own


class CarriedText:
    """A text that a command runs, the program whose language it is in, and what $0, $1 ... are in it, if known."""

    __slots__ = ("cwd", "program", "text", "words")

    def __init__(self, text: str, cwd: str, program: str = "sh", words: "Iterable[str]" = ()) -> None:
        self.text, self.cwd, self.program, self.words = text, cwd, program, tuple(words)


class FileEffect:
    """A path that a command writes or deletes."""

    __slots__ = (
        "appends", "below", "call", "content", "delete", "elsewhere", "existing", "folder", "formats", "into",
        "named_by_source", "no_folder", "path", "source", "sure", "undoes", "whole",
    )  # fmt: skip

    def __init__(self, path: str, *, delete: bool = False, sure: bool = True) -> None:
        self.path, self.delete, self.sure = path, delete, sure
        self.content = ""  # what is put there, where the text shows it
        self.whole = False  # that content is the whole file
        self.appends = False  # what is there stays, and this comes behind it
        self.folder = ""  # it is written only where this is a folder
        self.into = False  # where it is a folder, something is put into it, and it stays what it is
        self.named_by_source = False  # its last name is a copied file's: a pattern there stands for files elsewhere
        self.no_folder = False  # where it is a folder, the command fails
        self.existing = False  # it is changed in place, so that it must be there
        self.formats = False  # a formatter does it: what the file says stays
        self.undoes = False  # it becomes again what git has of it
        self.source = ""  # the commit that git takes it from, or another file, where only the disk tells
        self.below = False  # what lies below it is changed as well
        self.call: Call | None = None
        self.elsewhere = False  # the path is a checkout that git changes, which counts outside the repository only


def join_path(cwd: str, path: str) -> str:
    """The folder after ``cd path`` in cwd, without dots; ":/" is the top of the repository."""
    if path.startswith(("/", "~", TREE_TOP)):
        cwd = ""
    head = (
        TREE_TOP
        if (cwd + path).startswith(TREE_TOP)
        else "/"
        if path.startswith("/") or (not path and cwd == "/")
        else ""
    )
    whole = cwd + "/" + path if cwd else path
    head = TREE_TOP if whole.startswith(TREE_TOP) else "/" if whole.startswith("/") else head
    kept: list[str] = []
    for part in whole[len(head) :].split("/"):
        if part == ".." and kept and kept[-1] != "..":
            kept.pop()
        elif part not in ("", ".") and not (part == ".." and head):
            kept.append(part)
    return head + "/".join(kept)


_SPECIAL = frozenset(" \t\n\"'\\$`;&|<>()*?[]{}#!~^")


def quote_word(text: str) -> str:
    """The text as one word of a POSIX shell, in quotes where it needs them."""
    plain = text.isprintable() and text and _SPECIAL.isdisjoint(text)
    return text if plain else "'" + text.replace("'", "'\\''") + "'"


def known_output(calls: "list[Call]") -> "str | None":
    """The output of the commands where the text itself shows it."""
    calls = [call for call in calls if not call.via] or calls
    if len(calls) > 1 and calls[-1].program == "pwd":
        within = [fed for call in calls[:-1] if call.program == "cd" for fed in call.feeds]
        if all(call.program == "cd" or call in within for call in calls[:-1]):
            calls = calls[-1:]  # cd says nothing, and where it leads is known of pwd
    if len(calls) > 1 and calls[-1].program in DECODERS and calls[-1].stdin:
        calls = calls[-1:]  # those before the pipe are in what it reads
    if len(calls) != 1 or calls[0].dynamic or calls[0].redirects:
        return None
    call = calls[0]
    words = call.argv[1:]
    if call.program == "echo":
        escapes = False
        while words and words[0] in ("-n", "-e", "-ne", "-en", "-E"):
            escapes = escapes or "e" in words[0]
            words = words[1:]
        return unescape(" ".join(words)) if escapes else " ".join(words)
    words = words[1:] if call.program == "printf" and words[:1] == ["--"] else words
    if call.program == "printf" and words:
        return _printed(words[0], words[1:])
    if call.program in DECODERS and call.stdin:
        from rulec.shell.parsing import text_filters  # noqa: PLC0415 (few commands decode anything)

        return text_filters.decoder_output(call.program, words, call.stdin)
    if call.program == "cat" and not words and call.stdin:
        return call.stdin.rstrip("\n")
    return _answer_about_disk(call, words)


def _answer_about_disk(call: Call, words: "list[str]") -> "str | None":
    """The output of commands that print paths: pwd, realpath, git rev-parse."""
    if call.program == "mktemp" and all(word in ("-d", "-q", "-dq", "-qd") for word in words):
        return "/tmp/tmp"  # noqa: S108 (a name for the folder that mktemp makes)
    if call.program == "pwd":
        return None if call.adrift else call.cwd or "."
    words = words[1:] if words[:1] == ["--"] else words
    if call.program in ("dirname", "basename") and len(words) == 1 and words[0].strip("/"):
        folder, _, name = words[0].rstrip("/").rpartition("/")
        return name if call.program == "basename" else folder or ("/" if words[0][0] == "/" else ".")
    if (call.program, len(words)) in (("which", 1), ("command", 2), ("type", 2)) and words[:-1] in ([], ["-v"], ["-P"]):
        return words[-1]
    return _answer_of_rev_parse(words[1:]) if call.program == "git" and words[:1] == ["rev-parse"] else None


def _printed(form: str, given: "list[str]") -> str:
    if form in ("%s", "%s\\n", "%s\n"):
        return " ".join(given)
    for word in given[: form.count("%s")]:
        form = form.replace("%s", word, 1)
    return unescape(form)


def unescape(text: str) -> str:
    """The text with its backslash escapes replaced."""
    if "\\" not in text:
        return text
    from rulec.shell.parsing.lexer import read_escape  # noqa: PLC0415 (most texts have none)

    out, at = "", 0
    while at < len(text):
        piece, at = read_escape(text, at + 1) if text[at] == "\\" else (text[at], at + 1)
        out += piece
    return out


def _answer_of_rev_parse(words: "list[str]") -> "str | None":
    if words == ["--show-toplevel"]:
        return TREE_TOP
    if words in (["--git-dir"], ["--absolute-git-dir"], ["--git-common-dir"]):
        return TREE_TOP + ".git"
    return TREE_TOP + ".git/" + words[1] if words[:1] == ["--git-path"] and len(words) == 2 else None

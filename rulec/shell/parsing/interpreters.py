"""The commands that a program text starts: subprocess.run, os.system, execSync and the like."""

import itertools
import re

from rulec.shell.parsing.call import first_operand, quote_word, takes_value
from rulec.shell.programs import KNOWN, WORDS, facts_of, names_with

QUOTES = "\"'`"
STRING_PREFIXES = "rbfuRBFU"  # letters before a string of Python's
STRING_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
# Calls that only read the file that they name; of open() those that give no mode but r.
_READING = re.compile(
    r"\b(?:io\.)?open\(\s*(?:[\w.]+|[rbuRBU]*(?:'[^'\n]*'|\"[^\"\n]*\"))\s*"
    r"(?:,\s*(?:mode\s*=\s*)?(?:'r[bt]*'|\"r[bt]*\"))?(?:,\s*(?:encoding|errors|newline)\s*=[^,()\n]*)*\)"
    r"|\bPath\([^()\n]*\)\.(?:read_\w+|exists|is_\w+|stat|iterdir)\("
    r"|\b(?:readFile(?:Sync)?|existsSync|readdirSync|createReadStream|File\.(?:read|exist\?|readlines)|"
    r"file_get_contents)\([^()\n]*\)"
)
OWN_PROGRAM = {
    "sys.executable": "python3", "process.execPath": "node", "RbConfig.ruby": "ruby", 'env!("CARGO")': "cargo",
}  # fmt: skip
_LIST = re.compile(
    r"(?<![\w.])(\w+)\s*(?::[^=\n]{1,80})?(\+?=)\s*[\[(](?!\])|(?<![\w.])(\w+)\.(?:extend|push|append)\(\s*\[?"
)
_TEXT = r"(?<![\w.])(\w+)\s*(?::\s*\w+\s*)?=(?![=>])\s*([^\n;]{1,200})"
_PLAIN_TEXT = r"'([^'\n]*)'|\"([^\"\n]*)\""
_PUT_TOGETHER = r"[+%\[{`]|\b[fF]['\"]|\.(?:format|join)\b"
_EACH = re.compile(r"\bfor\s*\(?(?:const\s+|let\s+|var\s+)?(\w+)\s+(?:in|of)\s+(\w+)")
_IMPORTED = re.compile(r"(?m)(?:^|;)\s*from\s+(\w+)[\w.]*\s+import\s+(\w*main)(?:\s+as\s+(\w+))?")
_NAMED_COMMAND = re.compile(r"(\w+)\s*=\s*(?:\w+::)*\w+$")  # of the code up to what starts a command
_OWN_MAIN = re.compile(r"\b(\w+)\.main$")
# Compiled where they are needed: a hook reads program text in few calls.
_WORD_LIST = r"(?:%[wW]|\bqw\s{0,2})[\[({<|/!]([^\])}>|/!\n]{0,400})[\])}>|/!]"
_BRACKETS = {"perl": ("(", ")"), "ruby": ("[", "]")}  # of lists
_TIED = r"(?<![\w.])(\w+)\s*=(?!=)\s*(?:await\s+|new\s+)*([A-Za-z_]\w*)"  # a name, and what its value begins with
_WITHIN = r"\bwith\s+([A-Za-z_]\w*)[^\n]*?\bas\s+(\w+)|\bfor\s+(\w+)\s+in\s+([A-Za-z_]\w*)"
_ARGUMENT = r"(?:(\w+)\s*[=:]\s*)?(?:\b([Tt]rue)\b|(['\"])([^'\"\n]*)\3)"
_COMMAND_ARGUMENT = r"(?:args|argv|cmd|command)\s*=(?!=)\s*"  # the name of a first argument that is a command
_IMPORTING = frozenset(["import", "from", "const", "let", "var", "as", "require", "default"])
UNKNOWN = "$_"  # stands for what is put together while the program runs
LONGEST_NAME = 80
DEEPEST_NAME = 3  # names that are made of names
LONGEST, MOST = 200_000, 200  # characters that are read, commands that are found


def _code_options(program: str) -> "list[str]":
    return facts_of(program)["code"].split()


def code_on_command_line(program: str, argv: "list[str]") -> "list[str]":
    """The program texts that the command line gives: -c, -e and the like."""
    names = _code_options(program)
    if not names:
        return argv[2:]
    found = [word.partition("=")[2] for word in argv if word.startswith("--") and word.partition("=")[0] in names]
    short = [name for name in names if not name.startswith("--")]
    for word, following in itertools.pairwise(argv):
        if word in names or (word.startswith("-") and not word.startswith("--") and takes_value(word, short)):
            found.append(following)
    return found + [word[2:] for word in argv if word[:2] in short and len(word) > 2]


def without_reading(code: str) -> str:
    """The program text without the calls that only read a file, so that the paths left may be written."""
    return _READING.sub("READ", code)


def code_option(program: str) -> str:
    """The option or subcommand behind which the interpreter takes program text."""
    return (_code_options(program) or ["eval"])[0]


def reads_code_from_stdin(program: str, argv: "list[str]") -> bool:
    """Whether the interpreter takes its text from standard input."""
    at = first_operand(argv, 1, _code_options(program))
    return not code_on_command_line(program, argv) and (at >= len(argv) or argv[at] in ("-", "/dev/stdin"))


def started_commands(program: str, code: str) -> "list[list[str] | str]":
    """The commands that the text starts, as words or as shell text; what is not known stands as a variable."""
    reader = _CodeReader(program, _with_plain_lists(program, code[:LONGEST]))
    reader.note_lists()
    reader.note_texts()
    found: list[list[str] | str] = []
    given = reader.given_words()
    ticks = "ticks" in facts_of(program)
    names = _names_that_start(program, code)
    libraries = _library_names(code) if "code" in facts_of(program) else {}
    mains = {alias or name: package for package, name, alias in _IMPORTED.findall(code)} if program == "python" else {}
    while reader.at < reader.size and len(found) < MOST:
        char = reader.code[reader.at]
        if char.isalpha() or char == "_":
            name = reader.name()
            if name in libraries:
                found += reader.methods(name, libraries[name])
            elif name in names:
                found += _started_by(reader, name, names[name], given)
            elif program == "python" and (package := _package_run(reader, name, mains)):
                runs = [run for run in reader.called(name) if isinstance(run, list)]
                found += [[package, *run] for run in runs or [given] if run]
            elif reader.prefixed(name):
                reader.string(raw="f" not in name.lower())
        elif char in reader.quotes:
            text = reader.string()
            found += [text] if char == "`" and ticks else []
        elif reader.code.startswith(reader.comment, reader.at):
            reader.line()
        else:
            reader.at += 1
    return found


def _names_that_start(program: str, code: str) -> "dict[str, list[str]]":
    """The functions that start what they are given, each with the words before a file or module that it loads."""
    facts = facts_of(program)
    common = WORDS["may_start"] if "ticks" in facts or _may_start(code) else ()
    found: dict[str, list[str]] = {name: [] for name in (*WORDS["starting"], *facts.get("starts", "").split(), *common)}
    found |= {name: [program] for name in facts.get("loads", "").split()}
    return found | {name: [program, "-m"] for name in facts.get("loads_modules", "").split()}


def _started_by(reader: "_CodeReader", name: str, before: "list[str]", given: "list[str]") -> "list[list[str] | str]":
    """The commands that a call of the function starts; what it loads has the words that the program sets for it."""
    runs = reader.called(name)
    if not before:
        return runs
    # What is loaded by a name without a dot or folder may be a module, and no file.
    files = [run for run in runs if isinstance(run, str) and ("." in run or run.startswith("/") or before[1:])]
    return [[*before, run, *given] for run in files]


def _may_start(code: str) -> bool:
    """Whether functions of common names may start commands in the text."""
    if any(module in code for module in WORDS["starting_modules"]):
        return True
    return any(re.search(rf"\b(?:import|from)\s+{name}\b", code) for name in WORDS["starting_imports"])


def _library_names(code: str) -> "dict[str, str]":
    """The names in the text that lead to a library whose methods are the subcommands of a program, each with that.

    They are what a line that imports it names, and what is made of these.
    """
    found: dict[str, str] = {}
    for program in names_with("libraries"):
        for library in facts_of(program)["libraries"].split():
            for line in re.findall(rf"[^\n;]*(?<![\w./-]){library}(?![\w./-])[^\n;]*", code) if library in code else ():
                names = re.findall(r"[A-Za-z_]\w*", line.partition("(")[0])
                imports = not _IMPORTING.isdisjoint(names)
                found |= dict.fromkeys(set(names) - _IMPORTING if imports else (), program)
                found |= {"require": program} if re.search(rf"\brequire\(\s*.{library}.\)\s*[.(]", line) else {}
                found |= {library.capitalize(): program} if line.split()[:1] == ["require"] else {}
    pairs = re.findall(_TIED, code) if found else []
    pairs += [(one or each, of or whole) for of, one, each, whole in (re.findall(_WITHIN, code) if found else ())]
    for _ in range(DEEPEST_NAME):
        found |= {name: found[of] for name, of in pairs if of in found}
    return found


def _with_plain_lists(program: str, code: str) -> str:
    """The text with the lists of bare words that Perl and Ruby have, ``qw(a b)`` and ``%w[a b]``, as lists of texts."""
    if program not in _BRACKETS:
        return code
    opened, closed = _BRACKETS[program]
    return re.sub(
        _WORD_LIST,
        lambda found: opened + ", ".join(f'"{word}"' for word in found[1].replace('"', "").split()) + closed,
        code,
    )


def _package_run(reader: "_CodeReader", name: str, mains: "dict[str, str]") -> str:
    """The program whose ``main([...])`` is called here as its command line would: of pip, of pytest; else ""."""
    found = _OWN_MAIN.search(reader.code, max(0, reader.at - LONGEST_NAME), reader.at) if name == "main" else None
    package = found[1] if found else mains.get(name, "")
    return package if package in KNOWN else ""


def _words_of_arguments(text: str) -> "list[str]":
    """The texts among a method's arguments, and its named ones as options: ``force=True`` is --force."""
    found: list[str] = []
    for name, flag, _, value in re.findall(_ARGUMENT, text):
        option = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}" if name else ""
        found += [option] if option and flag else [f"{option}={value}"] if name[1:] else [option, value][not name :]
    return found


def started_as_text(program: str, code: str) -> str:
    """The commands that the text starts, as lines of a shell."""
    runs = started_commands(program, code)
    return "\n".join(run if isinstance(run, str) else " ".join(map(quote_word, run)) for run in runs)


class _CodeReader:
    """A position in program text."""

    def __init__(self, program: str, code: str) -> None:
        self.program, self.code, self.size, self.at = program, code, len(code), 0
        facts = facts_of(program)
        self.comment = facts.get("comment", "#")
        self.quotes = facts.get("quotes", QUOTES)
        self.constructor, self.adds = facts.get("constructor", ""), facts.get("adds", "").split()
        self.lists: dict[str, list[list[str]]] = {}  # the words that a name stands for; several of a list of lists
        self.texts: dict[str, str] = {}  # the one text that a name stands for, whatever way the program takes

    def note_lists(self) -> None:
        """Note the lists of texts that the program gives names to, and what it adds to them."""
        for found in _LIST.finditer(self.code):
            name, added = found[1] or found[3], found[1] is None or found[2] == "+="
            self.at = found.end()
            rows = self._rows()
            if added and name in self.lists:
                self.lists[name] = [[*self.lists[name][0], *row] for row in rows[:1]] or self.lists[name]
            elif not added:
                self.lists[name] = rows
        for each, whole in _EACH.findall(self.code):
            self.lists.setdefault(each, self.lists.get(whole, []))
        self.at = 0

    def given_words(self) -> "list[str]":
        """The words that the program sets as those of its command line, where it does so once."""
        for name, before in facts_of(self.program).get("arguments", {}).items():
            found = list(re.finditer(rf"(?<![\w.]){re.escape(name)}\s*(\[1:\]\s*)?=\s*[\[(]", self.code))
            if len(found) == 1:
                self.at = found[0].end()
                words = self.items()
                self.at = 0
                return words if found[0][1] else words[before:]
        return []

    def note_texts(self) -> None:
        """Note the texts that the program gives names to, where all that it may give a name is the same text."""
        found: dict[str, set[str]] = {}
        for name, value in re.findall(_TEXT, self.code):
            known = {one or other for one, other in re.findall(_PLAIN_TEXT, value)}
            found.setdefault(name, set()).update({UNKNOWN} if re.search(_PUT_TOGETHER, value) or not known else known)
        self.texts = {name: min(texts) for name, texts in found.items() if len(texts) == 1 and texts != {UNKNOWN}}

    def _rows(self) -> "list[list[str]]":
        """The lists in a list, or the one list that it is."""
        self.blank()
        rows: list[list[str]] = []
        while self.code[self.at : self.at + 1] in ("[", "(") and len(rows) < MOST:
            self.at += 1
            rows.append(self.items())
            while self.code[self.at : self.at + 1] in (",", " ", "\n", "\t"):
                self.at += 1
        return rows or [self.items()]

    def _named(self) -> "list[list[str]]":
        """The lists that the name at this place stands for, where it is a whole argument."""
        begin = self.at
        while self.code[self.at : self.at + 1] in ("*", ".", "@"):
            self.at += 1
        found = self.lists.get(self.name(), [])
        self.blank()
        ends = self.code[self.at : self.at + 1] in (",", ")", "]", "")
        self.at = self.at if found and ends else begin
        return found if ends else []

    def name(self) -> str:
        start = self.at
        while self.at < self.size and (self.code[self.at].isalnum() or self.code[self.at] == "_"):
            self.at += 1
        return self.code[start : self.at]

    def prefixed(self, name: str) -> bool:
        """Whether the letters are a string prefix, as f in f"..."."""
        return len(name) < 3 and not name.strip(STRING_PREFIXES) and self.code[self.at : self.at + 1] in ("'", '"')

    def line(self) -> None:
        end = self.code.find("\n", self.at)
        self.at = self.size if end < 0 else end

    def blank(self) -> None:
        while self.at < self.size and self.code[self.at] in " \t\r\n":
            self.at += 1

    def called(self, name: str) -> "list[list[str] | str]":
        """The command in a call's first arguments, [] where no arguments follow."""
        begin = at = self.at
        while at < self.size and self.code[at] in " \t":
            at += 1
        at += len(self.constructor) if self.constructor and self.code.startswith(self.constructor, at) else 0
        opened = self.code[at : at + 1] == "("
        facts = facts_of(self.program)
        bare = name in WORDS["starting_bare"] or name in facts.get("loads", "").split()
        if not opened and not (bare and "ticks" in facts and self.code[at : at + 1] in ("'", '"')):
            return []
        if not opened:
            return self._bare_words(at)
        self.at = at + 1
        self.blank()
        named_first = re.compile(_COMMAND_ARGUMENT).match(self.code, self.at)
        self.at = named_first.end() if named_first else self.at
        self.at += self.code.startswith("*[", self.at)
        if self.code[self.at : self.at + 1] in ("[", "("):
            self.at += 1
            return [self.items()]
        named = self._named()
        if named:
            return [*named]
        first = self.item()
        if self.code[self.at : self.at + 1] != ",":
            more = self._added(begin) if self.adds else []
            return [[first, *more]] if more else [first] if first else []
        self.at += 1
        self.blank()
        if self.code[self.at : self.at + 1] == "[":
            self.at += 1
            rest = self.items()
            return [[first, *(rest[1:] if name in ("execv", "execvp", "execve", "spawnvp") else rest)]]
        named = self._named()
        if named:
            return [[first, *rest] for rest in named]
        if self.code[self.at : self.at + 1] not in ("'", '"'):
            return [first]  # an option: shell=True, {stdio: ...}
        rest = self.items()
        return [[first, *(rest[1:] if name in ("execl", "execlp", "spawnlp") else rest)]]

    def _added(self, begin: int) -> "list[str]":
        """The words that methods add, called on the command: on ``Command::new("a")`` itself, or on its name."""
        self.at += self.code[self.at : self.at + 1] == ")"
        found = self._added_by_chain()
        named = _NAMED_COMMAND.search(self.code, max(0, begin - LONGEST_NAME), begin)
        if named:
            end = self.at
            again = re.compile(rf"(?<![\w.]){named[1]}\s*=(?!=)").search(self.code, end)
            for use in re.finditer(
                rf"(?<![\w.]){named[1]}\s*(?=\.)", self.code[: again.start() if again else self.size]
            ):
                self.at = use.end()
                found += self._added_by_chain() if use.start() >= end else []
            self.at = end
        return found

    def _added_by_chain(self) -> "list[str]":
        found: list[str] = []
        while True:
            self.blank()
            if self.code[self.at : self.at + 1] not in (".", "?"):
                return found
            self.at += 1
            name = self.name()
            if name and self.code[self.at : self.at + 1] == "(":
                start = self.at
                self.bracketed()
                end, self.at = self.at, start + 1
                found += self._arguments() if name in self.adds else []
                self.at = end

    def _arguments(self) -> "list[str]":
        """The words of a call's arguments, or of the list that is its first one."""
        self.blank()
        self.at += self.code.startswith("&", self.at)
        self.at += self.code[self.at : self.at + 1] == "["
        return self.items()

    def methods(self, name: str, program: str) -> "list[list[str] | str]":
        """The commands of a program that the methods called behind a name of its library are, up to the chain's end."""
        places, verbs = facts_of(program).get("places", "").split(), WORDS[f"{program}_verbs"]
        found: list[list[str] | str] = []
        names = [name]
        given: list[str] = []
        while self.at < self.size:
            self.blank()
            char = self.code[self.at : self.at + 1]
            if char in (".", "?", "!"):
                self.at += 1
                names.append(self.name())
                given = names[-1:] if names[-2] in places else given
            elif char in ("(", "["):
                words = _words_of_arguments(self.bracketed())
                last = names[-1].replace("_", "-")
                if char == "(" and len(names) > 1 and last in verbs:
                    found.append([program, last, *given, *words])
                elif char == "(" and names == [program] and words[:1] and words[0] in verbs:
                    found.append([program, *words])
                given = words[:1] if names[-1] in places else given
                names.append("")
            else:
                break
        return found

    def bracketed(self) -> str:
        """Read what stands in the brackets that open here."""
        start, depth = self.at + 1, 0
        while self.at < self.size:
            char = self.code[self.at]
            if char in self.quotes:
                self.string()
                continue
            depth += (char in "([{") - (char in ")]}")
            self.at += 1
            if not depth:
                break
        return self.code[start : self.at - 1]

    def _bare_words(self, start: int) -> "list[list[str] | str]":
        """The command in the arguments of a call without parentheses, each but the last with a comma behind it."""
        self.at = start
        words: list[str] = []
        while self.code[self.at : self.at + 1] in ("'", '"'):
            words.append(self.string())
            self.gap()
            if self.code[self.at : self.at + 1] != ",":
                break
            self.at += 1
            self.blank()
        return [words] if words[1:] else [*words]

    def gap(self) -> None:
        """Skip what parts words on one line."""
        while self.code[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1

    def items(self) -> "list[str]":
        """The words up to the bracket that closes the list, or up to another one where the text is broken."""
        found: list[str] = []
        while self.at < self.size:
            self.blank()
            if self.code[self.at : self.at + 1] in ("]", ")", "}", ";"):
                self.at += 1
                break
            if self.code[self.at : self.at + 1] == ",":
                self.at += 1
                continue
            if self.code.startswith(self.comment, self.at):
                self.line()
                continue
            found.append(self.item())
        return found

    def item(self) -> str:
        """One argument: a string, or the sign for what is not known."""
        begin = self.at
        letters = self.name()
        if letters and not self.prefixed(letters):
            self.at = begin
        quoted = self.code[self.at : self.at + 1]
        own = next((name for name in OWN_PROGRAM if self.code.startswith(name, self.at)), "")
        self.at += len(own)
        text = OWN_PROGRAM.get(own, UNKNOWN)
        if quoted and quoted in self.quotes:
            text = self.string(raw="f" not in letters.lower())
        self.blank()
        depth, start = 0, self.at
        while self.at < self.size:
            char = self.code[self.at]
            if char in self.quotes:
                self.string()
                continue
            if depth == 0 and char in ",])};\n":
                break
            depth += (char in "([{") - (char in ")]}")
            self.at += 1
        more = self.code[start : self.at].strip()
        if text == UNKNOWN and more.lstrip("$") in self.texts:
            return self.texts[more.lstrip("$")]
        return text if not more or text == UNKNOWN or more.startswith(".split(") else text + UNKNOWN

    def string(self, *, raw: bool = True) -> str:
        """Read the string that begins here; values put into it stand as a variable."""
        quote = self.code[self.at]
        quote *= 3 if self.program == "python" and self.code.startswith(quote * 3, self.at) else 1
        self.at += len(quote)
        out: list[str] = []
        while self.at < self.size and not self.code.startswith(quote, self.at):
            char = self.code[self.at]
            if char == "\\":
                after = self.code[self.at + 1 : self.at + 2]
                out.append(STRING_ESCAPES.get(after, after))
                self.at += 2
            elif self._inserts(quote, raw=raw):
                out.append(UNKNOWN)
                end = self.code.find("}", self.at) if "{" in self.code[self.at : self.at + 2] else self.at
                self.at = self.size if end < 0 else end + 1
            else:
                out.append(char)
                self.at += 1
        self.at += len(quote)
        return "".join(out)

    def _inserts(self, quote: str, *, raw: bool) -> bool:
        """Whether a value is put into the string here."""
        two = self.code[self.at : self.at + 2]
        if self.program == "python":
            return not raw and two[0] == "{" and two != "{{"
        if self.comment == "//":
            return quote == "`" and two == "${"
        return self.program == "ruby" and quote != "'" and two == "#{"

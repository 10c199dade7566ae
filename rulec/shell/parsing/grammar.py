"""The grammar of shell lists: pipes, groups, loops, functions, redirections; read in place."""

import re

from rulec.shell.parsing.call import PIPE_STATUS, WHY_UNREAD, Call, Streams, redirect_stream
from rulec.shell.parsing.lexer import ALL_ITEMS, BLANK, BREAK, SPLIT, Lexer, ShellWord

SKIPPED = frozenset(["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!", "coproc"])
REDIRECTS = ("&>>", "<<<", "<<-", "&>", "<<", ">>", ">|", ">&", "<&", "<>", ">", "<")
OPERATORS = (";;&", ";;", ";&", "&&", "||", "|&", ";", "&", "|")
CASE_ENDS = (";;&", ";;", ";&")
OPENING = ("{", "(", "while", "until", "for", "if", "case", "select")  # what a compound command begins with
LONGEST_NAME = 200
LONGEST_VALUE = 4_000
MOST_NAMES = 1_000
_DEFAULT = r"\$\{\w+:?[-=]"


class SimpleCommand:
    """One command while it is being read."""

    __slots__ = ("begins", "bodies", "call", "env", "gives", "mode", "next", "piped", "redirects", "streams", "words")

    def __init__(self, piped: "SimpleCommand | None" = None) -> None:
        self.words: list[ShellWord] = []
        self.env: dict[str, str] = {}
        self.redirects: list[tuple[str, str]] = []
        self.streams: Streams = {}
        self.begins = -1  # of the group that it ends: how many commands were noted before
        self.bodies: list[str] = []
        self.piped = piped  # the command whose output it reads
        self.next: Call | None = None  # the command that reads its output
        self.call: Call | None = None
        self.gives: list[Call] = []  # the commands whose output it is
        self.mode = ""  # "for" and "case": words that are no command

    def empty(self) -> bool:
        return not (self.words or self.env or self.redirects)


def _is_default(raw: str, value: str) -> bool:
    """Whether all that is not known of a value is what the environment may have in place of a default."""
    return bool(re.search(_DEFAULT, raw)) and "$" not in value and "`" not in value


class Grammar(Lexer):
    """Commands as they are read; parser.py says what becomes of a complete one."""

    def __init__(self, text: str, names: "dict[str, str]", depth: int) -> None:
        super().__init__(text, names, depth)
        self.pending: list[tuple[SimpleCommand, str, bool, bool]] = []  # heredocs announced on this line
        self.braces = 0  # groups in braces that are open
        self.loops = 0  # loops whose body is being read
        self.choices = 0  # if and case that are open
        self.begun: list[int] = []  # of each open group, loop and if: how many commands were noted before
        self.sources: dict[str, list[Call]] = {}  # by variable the commands whose output it holds
        self.fed: list[Call] = []  # commands whose output the words of the command being read hold

    def end(self, simple: SimpleCommand, sign: str) -> SimpleCommand:
        """Take a complete command, and return the one that begins after the sign."""
        raise NotImplementedError

    def noted(self) -> int:
        """How many commands were noted so far."""
        raise NotImplementedError

    def keep_status(self, name: str, status: str) -> None:
        """Note that a variable keeps how the last command went."""
        raise NotImplementedError

    def heredocs(self) -> None:
        """Read the bodies of the heredocs announced on the line that has just ended."""
        raise NotImplementedError

    def defined(self, name: str) -> None:
        """Take the body of a function whose name was just read."""
        raise NotImplementedError

    def group(self) -> bool:
        """Read a group in braces behind its opening brace; whether it is closed."""
        before, self.braces = self.braces, 1
        self.commands("}")
        closed = self.braces == 0
        self.braces = before
        return closed

    def round(self) -> None:
        """Read the body of a loop behind its ``do``, with the ``done`` that closes it."""
        before, self.loops = self.loops, 1
        self.commands("done")
        self.loops = before

    def commands(self, closer: str) -> None:
        """Read commands up to the closer, which is read too, or to the end or an unmatched parenthesis."""
        self.deeper()
        simple = SimpleCommand()
        cases: list[str] = []
        text = self.text
        while self.at < self.size and (closer != "}" or self.braces) and (closer != "done" or self.loops):
            char = text[self.at]
            if cases and cases[-1] == "pattern":
                self._pattern(char, cases)
            elif char in BLANK:
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "#":
                self.comment()
            elif char == ")":
                break
            elif char in BREAK:
                simple = self._sign(char, simple, cases)
            else:
                simple = self._take(simple, cases)
        self.end(simple, "")
        if closer == ")" and self.at >= self.size:
            self.doubt("a parenthesis is not closed")
        self.at += closer == ")"
        if self.at >= self.size:
            self.heredocs()
        self.depth -= 1

    def _sign(self, char: str, simple: SimpleCommand, cases: "list[str]") -> SimpleCommand:
        if char == "\n":
            self.at += 1
            following = self.end(simple, char)
            self.heredocs()
            return following
        if char == "(":
            return self._open(simple)
        if char in "<>" or self.text.startswith("&>", self.at):
            self._redirect(simple)
            return simple
        return self._operator(simple, cases)

    def _pattern(self, char: str, cases: "list[str]") -> None:
        """What stands between ``in`` or ``;;`` and the parenthesis that opens a body of ``case``."""
        if char == "#":
            self.comment()
        elif char in BREAK:
            self.at += 1
            if char == ")":
                cases[-1] = "body"
        elif self.word().raw == "esac":
            cases.pop()
            self.choices -= 1

    def _operator(self, simple: SimpleCommand, cases: "list[str]") -> SimpleCommand:
        sign = next(sign for sign in OPERATORS if self.text.startswith(sign, self.at))
        self.at += len(sign)
        if sign in CASE_ENDS and cases:
            cases[-1] = "pattern"
        return self.end(simple, sign)

    def _open(self, simple: SimpleCommand) -> SimpleCommand:
        """An opening parenthesis: arithmetic, a function's name before it, or a subshell."""
        self.at += 1
        if not simple.words and self.arithmetic():
            return simple
        if simple.words:
            after = self.at
            while after < self.size and self.text[after] in BLANK:
                after += 1
            if self.text[after : after + 1] == ")":
                self.at = after + 1
                self.defined(simple.words[0].text)
                return SimpleCommand()
            if simple.mode != "for":
                self.doubt("a parenthesis where no command begins")
        simple.begins = self.noted()
        self.substitution()
        return simple

    def _take(self, simple: SimpleCommand, cases: "list[str]") -> SimpleCommand:
        word = self.word()
        raw = word.raw
        if self.text[self.at : self.at + 1] in ("<", ">") and (raw.isdigit() or (raw[0] == "{" and raw[-1] == "}")):
            self._redirect(simple, raw)
            return simple
        if simple.mode:
            return self._compound(simple, word, cases)
        if not simple.words:
            if raw in SKIPPED:
                self._bound(raw, simple)
                return simple
            if raw == "esac" and cases:
                cases.pop()
                self.choices -= 1
                return simple
            if raw in ("for", "select", "case"):
                simple.mode = raw
                return simple
            if raw == "[[":
                self._test()
                return simple
            if raw == "function":
                self._function()
                return simple
            name = assigned_name(raw)
            if name:
                self._assign(simple.env, name, word)
                self.sources[name], self.fed = self.fed, []
                return simple
        simple.words.append(word)
        return simple

    def _bound(self, raw: str, simple: SimpleCommand) -> None:
        """A word that opens, parts or closes a group, a loop or a choice."""
        self.braces += (raw == "{") - (raw == "}")
        self.loops += (raw == "do") - (raw == "done")
        self.choices += (raw == "if") - (raw == "fi")
        if raw in ("{", "do", "if"):
            self.begun.append(self.noted())
        elif raw in ("}", "done", "fi") and self.begun:
            simple.begins = self.begun.pop()
        elif raw == "coproc":
            self.at = self._behind_name()

    def _compound(self, simple: SimpleCommand, word: ShellWord, cases: "list[str]") -> SimpleCommand:
        """The words between ``for`` or ``case`` and the body."""
        simple.words.append(word)
        if simple.mode == "case":
            if word.raw == "in" and len(simple.words) > 1:
                cases.append("pattern")
                self.choices += 1
                return SimpleCommand()
        elif len(simple.words) == 1:
            self.names.pop(word.text, None)
        elif len(simple.words) == 3 and not word.dynamic and len(word.fields) == 1:
            self.names[simple.words[0].text] = word.text[:LONGEST_VALUE]
        elif len(simple.words) == 4:
            self.names.pop(simple.words[0].text, None)
        elif len(simple.words) == 2 and word.raw == "do":
            return SimpleCommand()
        return simple

    def _behind_name(self) -> int:
        """The position behind the name of a ``coproc``, which stands only before a group or a loop."""
        words = self.text[self.at : self.at + LONGEST_NAME].split(None, 2)
        if len(words) > 1 and words[0].isidentifier() and words[0] not in OPENING and words[1].startswith(OPENING):
            return self.text.index(words[0], self.at) + len(words[0])
        return self.at

    def _function(self) -> None:
        while self.at < self.size and self.text[self.at] in BLANK:
            self.at += 1
        name = self.word().text if self.at < self.size and self.text[self.at] not in BREAK else ""
        after = self.at
        while after < self.size and self.text[after] in BLANK:
            after += 1
        if self.text.startswith("()", after):
            self.at = after + 2
        self.defined(name)

    def _test(self) -> None:
        """Skip ``[[ ... ]]``, in which < > ( ) && || are no operators of the shell."""
        while self.at < self.size:
            if self.text[self.at] in BREAK:
                self.at += 1
            elif self.word().raw == "]]":
                return
        self.doubt("[[ is not closed")

    def _assign(self, into: "dict[str, str]", name: str, word: ShellWord) -> None:
        value = word.text.partition("=")[2]
        if word.items is not None:
            self.assign_array(name, word)
        elif (
            (word.dynamic and not _is_default(word.raw, value))
            or word.raw[len(name) : len(name) + 1] == "+"
            or len(value) > LONGEST_VALUE
        ):
            self.names.pop(name, None)
            if value in ("$?", PIPE_STATUS):
                self.keep_status(name, value)
        elif len(self.names) < MOST_NAMES or name in self.names:
            into[name] = value
        else:
            self.doubt(WHY_UNREAD[1])

    def assign_array(self, name: str, word: ShellWord) -> None:
        """Note the words of an array, and the first of them as what its bare name stands for."""
        whole, items = name + ALL_ITEMS[0], word.items or []
        if word.raw.startswith(f"{name}+="):
            if whole not in self.names:
                return
            items = [*filter(None, self.names[whole].split(SPLIT)), *items]
        if sum(map(len, items)) > LONGEST_VALUE or len(self.names) >= MOST_NAMES:
            self.names.pop(whole, None)
            self.names.pop(name, None)
        else:
            self.names[whole], self.names[name] = SPLIT.join(items), "".join(items[:1])

    def _redirect(self, simple: SimpleCommand, stream: str = "") -> None:
        sign = next(sign for sign in REDIRECTS if self.text.startswith(sign, self.at))
        self.at += len(sign)
        if sign in "<>" and self.text[self.at : self.at + 1] == "(":
            self.at += 1
            start = self.at
            self.substitution()
            word = ShellWord("", sign + "(" + self.text[start : self.at], [], dynamic=True)
            word.fields = [word.text]
            simple.words.append(word)
            return
        while self.at < self.size and (self.text[self.at] in BLANK or self.text.startswith("\\\n", self.at)):
            self.at += 1 + (self.text[self.at] == "\\")
        if self.at >= self.size or self.text[self.at] in BREAK:
            self.doubt("a redirection without its target")
            return
        word = self.word()
        redirect_stream(simple.streams, stream, sign, word.text)
        if sign in ("<<", "<<-"):
            plain = not any(quote in word.raw for quote in "'\"\\")
            self.pending.append((simple, word.text, sign == "<<-", plain))
        elif sign == "<<<":
            simple.bodies.append(word.text + "\n")
        elif not (sign in (">&", "<&") and (word.text.isdigit() or word.text == "-")):
            simple.redirects.append((sign, word.text))


def assigned_name(raw: str) -> str:
    """The name in ``NAME=value`` as written, or ""."""
    name, equals, _ = raw.partition("=")
    name = name.removesuffix("+")
    name = name.partition("[")[0] if name.endswith("]") else name
    return name if equals and name.isidentifier() else ""

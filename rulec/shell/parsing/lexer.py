"""Shell words: quotes, escapes, expansions and braces, read in place and in linear time."""

from rulec.domain.files.globs import CLOSE, COMMA, LITERAL, MOST_FIELDS, OPEN, expand

ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\033", "E": "\033", "f": "\f", "v": "\v"}
HEX = {"x": 2, "u": 4, "U": 8}
SURROGATES, LAST = (0xD800, 0xE000), 0x110000


def read_escape(text: str, at: int) -> "tuple[str, int]":
    """The character that the escape at this place stands for, and where it ends."""
    char = text[at : at + 1]
    if char in HEX:
        return _read_number(text, at + 1, HEX[char], 16)
    if char and char in "01234567":
        return _read_number(text, at, 3, 8)
    return ESCAPES.get(char, char), at + 1


def _read_number(text: str, at: int, most: int, base: int) -> "tuple[str, int]":
    digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
    end = at
    while end < len(text) and end - at < most and text[end] in digits:
        end += 1
    value = int(text[at:end] or "0", base)
    return (chr(value) if 0 < value < SURROGATES[0] or SURROGATES[1] <= value < LAST else ""), end


BLANK = " \t\r"
BREAK = " \t\r\n;&|<>()"
SPLIT = "\0"  # an unquoted space while a word is being read
CLEAN = {0: None, 1: " ", 2: " ", 3: " "}
SPECIAL = "@*#?$!-0123456789"
ALL_ITEMS = ("[@]", "[*]")  # of an array, whose words stand under its name with the first of these
LONGEST_BRACES = 2_000
ENVIRONMENT = {"TMPDIR": "/tmp"}  # noqa: S108 (POSIX: where temporary files are; it may be unset)
DEEPEST = 24  # text within text within text


class TooDeep(Exception):  # noqa: N818 (no error: a reason to stop reading)
    """The text nests deeper than anyone writes."""


class ShellWord:
    """One word as written (raw) and as the program gets it: no, one or several fields."""

    __slots__ = ("dynamic", "fields", "items", "raw", "text")

    def __init__(self, raw: str, text: str, fields: "list[str]", *, dynamic: bool) -> None:
        self.raw, self.text, self.fields, self.dynamic = raw, text, fields, dynamic
        self.items: list[str] | None = None  # the words of an array that is assigned, where they are known


class Lexer:
    """A position in a text and the words that may stand there; grammar.py reads commands with it."""

    def __init__(self, text: str, names: "dict[str, str]", depth: int) -> None:
        self.depth = depth
        self.text = text.translate(CLEAN)
        self.size = len(self.text)
        self.at = 0
        self.names = names  # variables whose value the text itself gives
        self.allowance = [20_000 + 2 * self.size]  # characters that known variables may add, here and in texts within
        self.args: list[str] | None = None  # $0, $1 ... where the text that calls this one gives them
        self.args_known = True
        self.unknown = False  # the word being read holds an expansion that is not known

    def substitution(self) -> "str | None":
        """Read commands up to the closing parenthesis; returns their output where the text shows it."""
        raise NotImplementedError

    def quoted_commands(self, text: str) -> "str | None":
        """Read the text between backticks as commands; returns their output where the text shows it."""
        raise NotImplementedError

    def doubt(self, why: str) -> None:
        """Note why the parse is not certain."""
        raise NotImplementedError

    def deeper(self) -> None:
        """Go one level deeper; the caller goes back by ``self.depth -= 1``."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooDeep

    def word(self) -> ShellWord:
        """Read one word; the position must be at its first character."""
        start, outer = self.at, self.unknown
        items: list[str] | None = None
        out: list[str] = []
        self.unknown = False
        text, size = self.text, self.size
        while self.at < size:
            char = text[self.at]
            if char in BREAK:
                if char == "(" and self.at > start and text[self.at - 1] in "?*+@!=":
                    self.at += 1
                    if text[self.at - 2] == "=":
                        items = self._array(out)
                    else:
                        self._group(out)
                    continue
                break
            self._piece(char, out)
        dynamic, self.unknown = self.unknown, outer
        made = "".join(out)
        raw = text[start : self.at]
        fields = [field for part in made.split(SPLIT) for field in _brace_fields(part)] if made or raw else []
        if SPLIT in made:
            fields = [field for field in fields if field]
        many = made.count(COMMA) >= MOST_FIELDS
        found = ShellWord(raw, made.replace(SPLIT, " ").translate(LITERAL), fields, dynamic=dynamic or many)
        found.items = items
        return found

    def _piece(self, char: str, out: "list[str]") -> None:
        text = self.text
        self.at += 1
        if char == "'":
            self._single(out)
        elif char == '"':
            self._double(out, '"')
        elif char == "\\":
            out.append(text[self.at : self.at + 1].strip("\n"))  # a line that goes on leaves nothing
            self.at += 1
        elif char == "$":
            self._dollar(out, quoted=False)
        elif char == "`":
            self._backtick(out)
        elif char in "{,}":
            out.append(OPEN if char == "{" else COMMA if char == "," else CLOSE)
        else:
            start = self.at - 1
            while self.at < self.size and text[self.at] not in BREAK and text[self.at] not in "'\"\\$`{,}":
                self.at += 1
            out.append(text[start : self.at])

    def _array(self, out: "list[str]") -> "list[str] | None":
        """Read the words of an array, None where one is not known; in its place it is one word of unknown text."""
        self.unknown = True
        found: list[str] | None = []
        begin = self.at
        while self.at < self.size and self.text[self.at] != ")":
            if self.text[self.at] in BREAK:
                self.at += 1
                continue
            if self.text[self.at] == "#":
                self.comment()
                continue
            word = self.word()
            found = None if word.dynamic or found is None else [*found, *word.fields]
        out.append("(" + self.text[begin : self.at] + ")")
        self.at += 1
        return found

    def comment(self) -> None:
        """Skip a comment up to the end of its line."""
        end = self.text.find("\n", self.at)
        self.at = self.size if end < 0 else end

    def _group(self, out: "list[str]") -> None:
        """Skip an extended glob; it counts as one word of unknown text."""
        self.unknown = True
        begin = self.at
        while self.at < self.size and self.text[self.at] != ")":
            char = self.text[self.at]
            if char in BREAK:
                self.at += 1
                if char == "(":
                    self.doubt("parentheses within parentheses of a word")
            else:
                self._piece(char, [])
        out.append("(" + self.text[begin : self.at] + ")")
        self.at += 1

    def _single(self, out: "list[str]") -> None:
        end = self.text.find("'", self.at)
        if end < 0:
            self.doubt("a quote is not closed")
            end = self.size
        out.append(self.text[self.at : end])
        self.at = end + 1

    def _double(self, out: "list[str]", closer: str, *, single: bool = True) -> None:
        """Text in double quotes, also a heredoc's body (closer "") and what stands in ${...} (closer "}").

        Single quotes in ${...} are quotes, but for a default value that itself stands in double quotes.
        """
        text = self.text
        while self.at < self.size:
            char = text[self.at]
            self.at += 1
            if char == closer:
                return
            if char == "\\":
                after = text[self.at : self.at + 1]
                out.append("" if after == "\n" else after if after in '$`"\\' or closer == "}" else "\\" + after)
                self.at += 1
            elif char == "$":
                self._dollar(out, quoted=True)
            elif char == "`":
                self._backtick(out)
            elif char == "'" and closer == "}" and single:
                self._single(out)
            elif char == '"' and closer == "}":
                self._double(out, '"')
            else:
                start = self.at - 1
                while self.at < self.size and text[self.at] not in "\"\\$`'}":
                    self.at += 1
                out.append(text[start : self.at])
        if closer:
            self.doubt("a quote is not closed")

    def _backtick(self, out: "list[str]") -> None:
        start, inner = self.at, []
        while self.at < self.size and self.text[self.at] != "`":
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in ("`", "\\", "$"):
                self.at += 1
            inner.append(self.text[self.at : self.at + 1])
            self.at += 1
        if self.at >= self.size:
            self.doubt("a backtick is not closed")
        output = self.quoted_commands("".join(inner))
        self.at += 1
        self._put(out, output, self.text[start - 1 : self.at], quoted=False)

    def _put(self, out: "list[str]", value: "str | None", raw: str, *, quoted: bool) -> None:
        """Add an expansion's value, or the expansion as written where the value is not known."""
        if value is not None:
            self.allowance[0] -= len(value)
        if value is None or self.allowance[0] < 0:
            self.unknown = True
            out.append(raw)
        elif quoted:
            out.append(value)
        else:
            parts = value.split()
            if not parts:
                out.append(SPLIT)
                return
            gap = SPLIT if value[:1].isspace() else ""
            end = SPLIT if value[-1:].isspace() else ""
            out.append(gap + SPLIT.join(parts) + end)

    def _dollar(self, out: "list[str]", *, quoted: bool) -> None:
        text, start = self.text, self.at - 1
        char = text[self.at : self.at + 1]
        if char == "(":
            self.at += 1
            if self.arithmetic():
                self._put(out, None, text[start : self.at], quoted=quoted)
            else:
                output = self.substitution()
                self._put(out, output, text[start : self.at], quoted=quoted)
        elif char == "{":
            self.at += 1
            self._parameter(out, start, quoted=quoted)
        elif char == "'" and not quoted:
            self.at += 1
            self._ansi(out)
        elif char == '"' and not quoted:
            self.at += 1
            self._double(out, '"')
        elif char and char in SPECIAL:
            self.at += 1
            if self.args is None or char in "#?$!-":
                self._put(out, None, text[start : self.at], quoted=quoted)
            else:
                self._argument(char, out, quoted=quoted)
        elif char.isalpha() or char == "_":
            self._put(out, self.names.get(self._name()), text[start : self.at], quoted=quoted)
        else:
            out.append("$")

    def _argument(self, char: str, out: "list[str]", *, quoted: bool) -> None:
        """Add $1 or "$@" of a function or of ``bash -c``, where the caller's words are known."""
        args, one = self.args or [], int(char) if char.isdigit() else -1
        self.unknown = self.unknown or not self.args_known
        if one >= 0:
            self._put(out, args[one] if one < len(args) else "", "", quoted=quoted)
        elif self.allowance[0] < 0:
            self.unknown = True
        elif char == "@" and quoted:
            self.allowance[0] -= sum(map(len, args)) + len(args)
            out.append(SPLIT.join(args[1:]) or SPLIT)
        else:
            self._put(out, " ".join(args[1:]), "", quoted=quoted)

    def _name(self) -> str:
        start = self.at
        while self.at < self.size and (self.text[self.at].isalnum() or self.text[self.at] == "_"):
            self.at += 1
        return self.text[start : self.at]

    def _parameter(self, out: "list[str]", start: int, *, quoted: bool) -> None:
        """Read ${NAME}, ${NAME[@]}, ${NAME:-default}, ${NAME:+other} and, as not known, all the other forms."""
        name = self._name()
        if name and self.text.startswith(ALL_ITEMS, self.at):
            name += ALL_ITEMS[0]
            self.at += len(ALL_ITEMS[0])
        known = self.names.get(name)
        known = SPLIT if known == "" and name.endswith(ALL_ITEMS) else known  # no word at all
        rest = self.text[self.at : self.at + 2]
        if rest[:1] == "}":
            self.at += 1
            self._put(out, known, self.text[start : self.at], quoted=quoted)
            return
        sign = rest[rest[:1] == ":" :][:1]
        self.at += len(rest[: rest.find(sign) + 1]) if sign and sign in "-=+" else 0
        inner: list[str] = []
        self.deeper()
        self._double(inner, "}", single=not quoted or rest[:1] in ("%", "#", "/"))
        self.depth -= 1
        if sign and sign in "-=" and name:
            known = None if known == ENVIRONMENT.get(name) else known
            self.unknown = self.unknown or known is None
            self._put(out, "".join(inner) if known is None else known, "", quoted=quoted)
        elif sign == "+" and known is not None:
            self._put(out, "".join(inner) if known.strip(SPLIT) else "", "", quoted=quoted)
        else:
            self._put(out, None, self.text[start : self.at], quoted=quoted)

    def _ansi(self, out: "list[str]") -> None:

        text = self.text
        while self.at < self.size:
            char = text[self.at]
            self.at += 1
            if char == "'":
                return
            if char == "\\":
                char, self.at = read_escape(text, self.at)
            out.append(char)
        self.doubt("a quote is not closed")

    def arithmetic(self) -> bool:
        """Skip ``(...))`` after ``(`` or ``$(`` where it is arithmetic, as bash decides it."""
        if self.text[self.at : self.at + 1] != "(":
            return False
        depth, at = 1, self.at + 1
        limit = min(self.size, at + 4000)
        while at < limit and depth:
            char = self.text[at]
            depth += (char == "(") - (char == ")")
            at += 1
        body = self.text[self.at + 1 : at - 1]
        if depth or self.text[at : at + 1] != ")":
            return False
        self.at = at + 1
        if "$(" in body or "`" in body:
            self.quoted_commands('"' + body.replace('"', "") + '"')
        return True


def _brace_fields(part: str) -> "list[str]":
    if CLOSE in part and len(part) <= LONGEST_BRACES:
        return [field.translate(LITERAL) for field in expand(part)]
    return [part.translate(LITERAL)]

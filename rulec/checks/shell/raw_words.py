"""The words of a raw script, read strictly: what two shells could read differently is refused."""

import re
from dataclasses import dataclass, field
from typing import Literal


class ScriptRefusedError(Exception):
    """Why a script may not run, where, and what to write instead."""

    def __init__(self, what: str, hint: str, at: int = -1) -> None:
        super().__init__(what)
        self.what, self.hint, self.at = what, hint, at


@dataclass(frozen=True, slots=True, kw_only=True)
class WordPart:
    """A piece of a word: text, a variable, the output of commands, or arithmetic."""

    kind: Literal["text", "name", "commands", "math"]
    text: str = ""  # the text itself, the variable's name, or the arithmetic
    quoted: bool = False
    sign: str = ""  # of ${name%...} and the like
    within: tuple["WordPart", ...] = ()  # what stands behind the sign
    commands: tuple["RawCommand", ...] = ()  # the last pipeline of a substitution


@dataclass(frozen=True, slots=True, kw_only=True)
class RawWord:
    """One word as it is written."""

    parts: tuple[WordPart, ...]
    at: int

    @property
    def literal(self) -> str | None:
        """The word's text, None where it is known only when the script runs."""
        return "".join(part.text for part in self.parts) if all(part.kind == "text" for part in self.parts) else None

    @property
    def bare(self) -> str:
        """The text of a word without quotes, as a program's name must be; "" of any other word."""
        plain = len(self.parts) == 1 and self.parts[0].kind == "text" and not self.parts[0].quoted
        return self.parts[0].text if plain else ""

    @property
    def globs(self) -> bool:
        """Whether the shell may expand the word to file names."""
        return any(part.kind == "text" and not part.quoted and set("*?[") & set(part.text) for part in self.parts)

    @property
    def one(self) -> bool:
        """Whether the shell keeps it one word, whatever its variables hold."""
        return not self.globs and all(part.kind == "text" or part.quoted for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawRedirect:
    """``2>/dev/null``: number, sign and target."""

    number: str
    sign: str
    target: RawWord


@dataclass(slots=True, kw_only=True)
class RawCommand:
    """A simple command with what stands before it."""

    at: int
    words: list[RawWord] = field(default_factory=list)
    given: list[tuple[str, RawWord]] = field(default_factory=list)  # NAME=VALUE before it
    redirects: list[RawRedirect] = field(default_factory=list)


@dataclass(slots=True)
class RawScript:
    """All of a script."""

    commands: list[RawCommand] = field(default_factory=list)
    loops: list[tuple[str, list[RawWord] | None]] = field(default_factory=list)  # for NAME [in WORDS]
    redirects: list[RawRedirect] = field(default_factory=list)  # of loops and groups
    words: list[RawWord] = field(default_factory=list)  # those of case and of loops


BREAK = " \t\n;&|<>()"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIGNS = re.compile(r"%%|%|##|#|:-|-|:\+|\+")
_MATH = re.compile(r"[A-Za-z0-9_ $#+*/%<>=!?:-]*")
_ESCAPED = '$`"\\'
_OF_PATTERNS = ("*", "?", "[", "]", "#", "%", "/", '"', ".", "-", ":")
_PLAIN = "write a simpler word, or quote it with '...'"


class WordReader:
    """A position in a text; the grammar of commands is built on it."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.inside = text, 0, 0  # inside: how many $( are open

    def refuse(self, what: str, hint: str, at: int = -1) -> ScriptRefusedError:
        """The error to raise, at this place of the script."""
        return ScriptRefusedError(what, hint, self.at if at < 0 else at)

    def substitution(self) -> tuple[RawCommand, ...]:
        """Read commands up to their closing parenthesis; returns the last pipeline."""
        raise NotImplementedError

    def next(self, length: int = 1) -> str:
        """The text at the current position."""
        return self.text[self.at : self.at + length]

    def word(self) -> RawWord:
        """One word; the position is at its first character."""
        start, parts = self.at, list[WordPart]()
        while self.at < len(self.text) and (char := self.next()) not in BREAK:
            if char == "'":
                parts.append(self._single())
            elif char == '"':
                parts += self._double()
            elif char == "\\":
                parts.append(WordPart(kind="text", text=self._escape(), quoted=True))
            elif char == "$":
                parts.append(self._dollar(quoted=False))
            else:
                parts.append(self._text(start))
        return RawWord(parts=tuple(parts), at=start)

    def _text(self, start: int) -> WordPart:
        begin = self.at
        while self.at < len(self.text) and (char := self.next()) not in BREAK and char not in "'\"\\$":
            before = self.text[self.at - 1] if self.at > start else "="
            if char == "`":
                raise self.refuse("has a backtick", "write $(...)")
            if char == "~" and before in "=:":
                raise self.refuse("names a home with ~", "a check reads the files it is given and nothing else")
            if char in "{}":
                raise self.refuse("has a brace that is not quoted", _PLAIN)
            if not char.isascii():
                raise self.refuse("has a sign outside ASCII that is not quoted", _PLAIN)
            self.at += 1
        return WordPart(kind="text", text=self.text[begin : self.at])

    def _single(self) -> WordPart:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise self.refuse("has a quote that is not closed", "close it")
        found, self.at = self.text[self.at + 1 : end], end + 1
        return WordPart(kind="text", text=found, quoted=True)

    def _escape(self) -> str:
        found = self.text[self.at + 1 : self.at + 2]
        if not found or found == "\n" or not found.isascii():
            raise self.refuse("has a backslash before nothing, a line's end or a sign outside ASCII", _PLAIN)
        self.at += 2
        return found

    def _double(self) -> list[WordPart]:
        begin, found, text = self.at, list[WordPart](), ""
        self.at += 1
        while (char := self.next()) != '"':
            if not char:
                raise self.refuse("has a quote that is not closed", "close it", begin)
            if char == "`":
                raise self.refuse("has a backtick", "write $(...)")
            if char == "$":
                found += [WordPart(kind="text", text=text, quoted=True)] if text else []
                text = ""
                found.append(self._dollar(quoted=True))
            elif char == "\\":
                after = self.text[self.at + 1 : self.at + 2]
                if after == "\n":
                    raise self.refuse("has a backslash at a line's end", _PLAIN)
                text += after if after and after in _ESCAPED else char + after
                self.at += 2
            else:
                text += char
                self.at += 1
        self.at += 1
        return [*found, WordPart(kind="text", text=text, quoted=True)] if text or not found else found

    def _dollar(self, *, quoted: bool) -> WordPart:
        start = self.at
        self.at += 1
        if self.next(2) == "((":
            return self._math(quoted=quoted)
        if self.next() == "(":
            self.at += 1
            return WordPart(kind="commands", commands=self.substitution(), quoted=quoted)
        if self.next() == "{":
            self.at += 1
            return self._parameter(quoted=quoted)
        if found := NAME.match(self.text, self.at):
            self.at = found.end()
            return WordPart(kind="name", text=found[0], quoted=quoted)
        if self.next() and self.next() in "@*#?123456789":
            self.at += 1
            return WordPart(kind="name", text=self.text[self.at - 1], quoted=quoted)
        if (self.next() and self.next() in "'\"`0$!-[") and not (quoted and self.next() == '"'):
            raise self.refuse("has a $ that is no variable", "quote it with '...'", start)
        return WordPart(kind="text", text="$", quoted=True)

    def _math(self, *, quoted: bool) -> WordPart:
        found = _MATH.match(self.text, self.at + 2)
        if found is None or not self.text.startswith("))", found.end()):
            raise self.refuse("has arithmetic that is not plain", "write $((name + 1)) with numbers and names alone")
        self.at = found.end() + 2
        return WordPart(kind="math", text=found[0], quoted=quoted)

    def _parameter(self, *, quoted: bool) -> WordPart:
        length = self.next() == "#" and self.text[self.at + 1 : self.at + 2] != "}"
        self.at += length
        found = NAME.match(self.text, self.at) or re.compile("[@*#?1-9]").match(self.text, self.at)
        if found is None:
            raise self.refuse("has a ${...} that names no variable", "write ${name}, ${name%end} or ${name:-text}")
        self.at = found.end()
        sign = None if length else _SIGNS.match(self.text, self.at)
        self.at = sign.end() if sign else self.at
        within = self._within(sign[0]) if sign else ()
        if self.next() != "}":
            raise self.refuse("has a ${...} of a form that is not read", "write ${name}, ${name%end} or ${name:-text}")
        self.at += 1
        return WordPart(kind="name", text=found[0], quoted=quoted, sign="length" if length else sign[0] if sign else "",
                    within=within)  # fmt: skip

    def _within(self, sign: str) -> tuple[WordPart, ...]:
        """What stands in ${name%HERE}, where shells differ on quotes within quotes."""
        start, found = self.at, list[WordPart]()
        while self.next() not in ("}", ""):
            char = self.next()
            if char == "'" and sign[0] in "%#":
                found.append(self._single())
            elif char == '"':
                found += self._double()
            elif char == "\\" and self.text[self.at + 1 : self.at + 2] in _OF_PATTERNS:
                found.append(WordPart(kind="text", text=self._escape(), quoted=True))
            elif char == "$":
                found.append(self._dollar(quoted=False))
            elif char in "'\\`~{()<>&|;" or not char.isascii():
                raise self.refuse("has a ${...} of a form that is not read", _PLAIN)
            else:
                found.append(WordPart(kind="text", text=char))
                self.at += 1
        if any(set(part.text) & set("$`'\\{}") for part in found if part.kind == "text"):
            raise self.refuse("has a ${...} of a form that is not read", _PLAIN, start)
        return tuple(found)

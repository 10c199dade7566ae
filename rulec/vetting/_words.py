"""Words of a raw script, read strictly: what any two shells could read differently is refused."""

import re

from rulec.vetting._tree import Command, Part, Refused, Word

BREAK = " \t\n;&|<>()"
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SIGNS = re.compile(r"%%|%|##|#|:-|-|:\+|\+")
_MATH = re.compile(r"[A-Za-z0-9_ $#+*/%<>=!?:-]*")
_ESCAPED = '$`"\\'
_OF_PATTERNS = ("*", "?", "[", "]", "#", "%", "/", '"', ".", "-", ":")
_PLAIN = "write a simpler word, or quote it with '...'"


class Words:
    """A position in a text; the grammar of commands is built on it."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.inside = text, 0, 0  # inside: how many $( are open

    def refuse(self, what: str, hint: str, at: int = -1) -> Refused:
        """The reason as something to raise."""
        return Refused(what, hint, self.at if at < 0 else at)

    def substitution(self) -> tuple[Command, ...]:
        """Read commands up to their closing parenthesis; the last pipeline."""
        raise NotImplementedError

    def next(self, length: int = 1) -> str:
        """What stands here."""
        return self.text[self.at : self.at + length]

    def word(self) -> Word:
        """One word; the position is at its first character."""
        start, parts = self.at, list[Part]()
        while self.at < len(self.text) and (char := self.next()) not in BREAK:
            if char == "'":
                parts.append(self._single())
            elif char == '"':
                parts += self._double()
            elif char == "\\":
                parts.append(Part(kind="text", text=self._escape(), quoted=True))
            elif char == "$":
                parts.append(self._dollar(quoted=False))
            else:
                parts.append(self._text(start))
        return Word(parts=tuple(parts), at=start)

    def _text(self, start: int) -> Part:
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
        return Part(kind="text", text=self.text[begin : self.at])

    def _single(self) -> Part:
        end = self.text.find("'", self.at + 1)
        if end < 0:
            raise self.refuse("has a quote that is not closed", "close it")
        found, self.at = self.text[self.at + 1 : end], end + 1
        return Part(kind="text", text=found, quoted=True)

    def _escape(self) -> str:
        found = self.text[self.at + 1 : self.at + 2]
        if not found or found == "\n" or not found.isascii():
            raise self.refuse("has a backslash before nothing, a line's end or a sign outside ASCII", _PLAIN)
        self.at += 2
        return found

    def _double(self) -> list[Part]:
        begin, found, text = self.at, list[Part](), ""
        self.at += 1
        while (char := self.next()) != '"':
            if not char:
                raise self.refuse("has a quote that is not closed", "close it", begin)
            if char == "`":
                raise self.refuse("has a backtick", "write $(...)")
            if char == "$":
                found += [Part(kind="text", text=text, quoted=True)] if text else []
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
        return [*found, Part(kind="text", text=text, quoted=True)] if text or not found else found

    def _dollar(self, *, quoted: bool) -> Part:
        start = self.at
        self.at += 1
        if self.next(2) == "((":
            return self._math(quoted=quoted)
        if self.next() == "(":
            self.at += 1
            return Part(kind="commands", commands=self.substitution(), quoted=quoted)
        if self.next() == "{":
            self.at += 1
            return self._parameter(quoted=quoted)
        if found := NAME.match(self.text, self.at):
            self.at = found.end()
            return Part(kind="name", text=found[0], quoted=quoted)
        if self.next() and self.next() in "@*#?123456789":
            self.at += 1
            return Part(kind="name", text=self.text[self.at - 1], quoted=quoted)
        if (self.next() and self.next() in "'\"`0$!-[") and not (quoted and self.next() == '"'):
            raise self.refuse("has a $ that is no variable", "quote it with '...'", start)
        return Part(kind="text", text="$", quoted=True)

    def _math(self, *, quoted: bool) -> Part:
        found = _MATH.match(self.text, self.at + 2)
        if found is None or not self.text.startswith("))", found.end()):
            raise self.refuse("has arithmetic that is not plain", "write $((name + 1)) with numbers and names alone")
        self.at = found.end() + 2
        return Part(kind="math", text=found[0], quoted=quoted)

    def _parameter(self, *, quoted: bool) -> Part:
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
        return Part(kind="name", text=found[0], quoted=quoted, sign="length" if length else sign[0] if sign else "",
                    within=within)  # fmt: skip

    def _within(self, sign: str) -> tuple[Part, ...]:
        """What stands in ${name%HERE}, where shells differ on quotes within quotes."""
        start, found = self.at, list[Part]()
        while self.next() not in ("}", ""):
            char = self.next()
            if char == "'" and sign[0] in "%#":
                found.append(self._single())
            elif char == '"':
                found += self._double()
            elif char == "\\" and self.text[self.at + 1 : self.at + 2] in _OF_PATTERNS:
                found.append(Part(kind="text", text=self._escape(), quoted=True))
            elif char == "$":
                found.append(self._dollar(quoted=False))
            elif char in "'\\`~{()<>&|;" or not char.isascii():
                raise self.refuse("has a ${...} of a form that is not read", _PLAIN)
            else:
                found.append(Part(kind="text", text=char))
                self.at += 1
        if any(set(part.text) & set("$`'\\{}") for part in found if part.kind == "text"):
            raise self.refuse("has a ${...} of a form that is not read", _PLAIN, start)
        return tuple(found)

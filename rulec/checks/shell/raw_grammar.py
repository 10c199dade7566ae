"""The grammar of a raw script: lists, pipes, if, for, while, case and groups; anything else is refused."""

import re
from collections.abc import Collection

from rulec.checks.shell.raw_words import NAME, RawCommand, RawRedirect, RawScript, RawWord, WordReader

DEEPEST = 12
MOST_STAGES = 8  # of one pipe; each may take the memory that a check may take
MOST_GROWING = 2  # stages beside each other that set variables, which may grow without end
_OPENERS = ("if", "for", "while", "until", "case", "{", "!")
_CLOSERS = ("then", "elif", "else", "fi", "do", "done", "esac", "}", "in")
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=")
_REDIRECT = re.compile(r"([0-9]?)(<<-?|<<<|<>|<&|<|>>|>\||>&|>)")
_ENDS = ("", ")")
_SETTERS = ("read", "set")
_QUIET = ([["true"]], [[":"]])


def parse_script(text: str) -> RawScript:
    """The parsed script; ScriptRefusedError where it uses anything outside this small language."""
    reader = _ScriptParser(text)
    reader.commands(())
    if reader.at < len(text):
        raise reader.refuse("has a parenthesis too many", "take it away")
    return reader.script


class _ScriptParser(WordReader):
    """Reads a script and notes its commands, redirections and words in ``script``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.script, self.depth = RawScript(), 0
        self.growing = 0  # the most such stages that run beside each other in what was read last

    def substitution(self) -> tuple[RawCommand, ...]:
        self.inside += 1
        last = self.commands(())
        self.inside -= 1
        self._close(")")
        return last

    def commands(self, ends: Collection[str]) -> tuple[RawCommand, ...]:
        """Read commands up to one of the words, which is not consumed, a closing sign or the end.

        Returns the pipeline that prints all their output; () where there are several.
        """
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.refuse(f"nests deeper than {DEEPEST} levels", "write it flatter")
        found: list[tuple[RawCommand, ...]] = []
        self._gap()
        while self.next() not in _ENDS and self.next(2) != ";;" and self._reserved() not in ends:
            found += self._list()
            self._gap()
        self.depth -= 1
        loud = [one for one in found if [[word.literal for word in command.words] for command in one] not in _QUIET]
        return loud[0] if len(loud) == 1 else ()

    def _list(self) -> list[tuple[RawCommand, ...]]:
        found = [self._pipeline()]
        self._blank()
        while self.next(2) in ("&&", "||"):
            self.at += 2
            self._gap()
            found.append(self._pipeline())
            self._blank()
        if self.next(2) != ";;" and self.next() == ";":
            self.at += 1
        elif self.next() == "&":
            raise self.refuse("runs something in the background", "end the command with a line's end")
        elif self.next() not in ("\n", *_ENDS) and self.next(2) != ";;":
            raise self.refuse(f"has {self.next()!r} where a command ends", "write one command a line")
        return found

    def _pipeline(self) -> tuple[RawCommand, ...]:
        start, before, growing = self.at, self.growing, 0
        found = list[RawCommand]()
        while True:
            self.growing = 0
            found += self._command()
            growing += self.growing
            self._blank()
            if self.next() != "|" or self.next(2) == "||":
                break
            if self.next(2) == "|&":
                raise self.refuse("has |&", "write 2>&1 |")
            self.at += 1
            self._gap()
        if len(found) > MOST_STAGES or growing > MOST_GROWING:
            hint = f"{MOST_STAGES} at most, {MOST_GROWING} of them with variables"
            raise self.refuse("has a pipe of too many stages", hint, start)
        self.growing = max(before, growing)
        return tuple(found)

    def _command(self) -> list[RawCommand]:
        """One command; a loop, a group or a case is returned as one without words."""
        start, word = self.at, self._reserved()
        if word in _CLOSERS:
            raise self.refuse(f"has {word!r} where a command begins", "close what is open first")
        if self.next(2) == "((":
            raise self.refuse("has (( where a command begins", "write $((...)) or a blank between the parentheses")
        if self.next() == "(":
            self.at += 1
            self.commands(())
            self._close(")")
        elif word in _OPENERS:
            self.at += len(word)
            if word == "!":
                self._blank()
                if self._reserved() == "!":
                    raise self.refuse("has ! twice", "write it once or not at all")
                return self._command()
            self._compound(word)
        else:
            found = self._simple()
            if not (found.words or found.given or found.redirects):
                raise self.refuse(f"has {self.next()!r} where a command begins", "write a command there", start)
            self.script.commands.append(found)
            grows = not found.words or found.words[0].bare in _SETTERS
            self.growing = max(self.growing, int(grows))
            return [found]
        self._blank()
        while redirect := self._redirect():
            self.script.redirects.append(redirect)
            self._blank()
        return [RawCommand(at=start)]

    def _compound(self, word: str) -> None:
        if word == "{":
            self._block("}")
        elif word == "if":
            self._block("then")
            while (end := self._block("elif", "else", "fi")) == "elif":
                self._block("then")
            if end == "else":
                self._block("fi")
        elif word in ("while", "until"):
            self._block("do")
            self._block("done")
        elif word == "for":
            self._for()
        else:
            self._case()

    def _block(self, *ends: str) -> str:
        """Commands and the word that ends them."""
        self.commands(ends)
        found = self._reserved()
        if found not in ends:
            raise self.refuse(f"lacks {' or '.join(ends)}", "close what is open")
        self.at += len(found)
        return found

    def _for(self) -> None:
        self._blank()
        name = NAME.match(self.text, self.at)
        if name is None:
            raise self.refuse("has a for without a name", "write: for path do")
        self.at = name.end()
        words: list[RawWord] | None = None
        self._gap()
        if self._reserved() == "in":
            self.at += 2
            words = []
            self._blank()
            while self.next() not in (";", "\n", ""):
                words.append(self._argument())
        self._blank()
        self.at += self.next() == ";" and self.next(2) != ";;"
        self._gap()
        self.script.loops.append((name[0], words))
        self.script.words += words or []
        if any(
            part.kind == "commands" or part.text not in "@*"
            for word in words or ()
            for part in word.parts
            if part.kind != "text"
        ):
            self.growing = 1
        if self._reserved() != "do":
            raise self.refuse("has a for without do", "write: for path do")
        self._block("do")
        self._block("done")

    def _case(self) -> None:
        self._blank()
        self.script.words.append(self._argument())
        self._gap()
        if self._reserved() != "in":
            raise self.refuse("has a case without in", 'write: case "$path" in')
        self.at += 2
        self._gap()
        while self._reserved() != "esac":
            opened = self.next() == "("
            if self.inside and not opened:
                raise self.refuse("has a case within $(...) whose patterns lack (", "write: (pattern) command ;;")
            self.at += opened
            self._blank()
            self.script.words.append(self._argument())
            self._blank()
            while self.next() == "|":
                self.at += 1
                self._blank()
                self.script.words.append(self._argument())
                self._blank()
            self._close(")")
            self.commands(("esac",))
            if self.next(2) == ";;" and self.next(3) != ";;&":
                self.at += 2
            elif self._reserved() != "esac":
                raise self.refuse("has a case that is not closed", "end its branches with ;; and itself with esac")
            self._gap()
        self.at += len("esac")

    def _simple(self) -> RawCommand:
        found = RawCommand(at=self.at)
        while True:
            self._blank()
            if redirect := self._redirect():
                found.redirects.append(redirect)
                continue
            if self.next() == "" or self.next() in "\n;&|)":
                return found
            if self.next() == "(":
                raise self.refuse("defines a function, or has a parenthesis within a command", "write it out in place")
            name = None if found.words else _ASSIGNED.match(self.text, self.at)
            if name:
                self.at = name.end()
                empty = self.next() == "" or self.next() in " \t\n;&|)"
                found.given.append((name[1], RawWord(parts=(), at=self.at) if empty else self._argument()))
            else:
                found.words.append(self._argument())

    def _argument(self) -> RawWord:
        found = self.word()
        if not found.parts:
            raise self.refuse(f"has {self.next()!r} where a word is due", "quote it")
        self._blank()
        return found

    def _redirect(self) -> RawRedirect | None:
        found = _REDIRECT.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        if "<<" in found[2]:
            raise self.refuse("has a heredoc", "give the text to printf '%s\\n' and pipe it")
        if self.next() == "(":
            raise self.refuse("has <(...) or >(...)", "write a pipe")
        self._blank()
        return RawRedirect(number=found[1], sign=found[2], target=self._argument())

    def _reserved(self) -> str:
        """The word of the grammar that stands here, or ""."""
        found = re.compile(r"(?:[a-z]+|[{}!])(?=[ \t\n;&|<>()]|\Z)").match(self.text, self.at)
        return found[0] if found and found[0] in (*_OPENERS, *_CLOSERS) else ""

    def _close(self, sign: str) -> None:
        if self.next() != sign:
            raise self.refuse(f"lacks {sign!r}", "close what is open")
        self.at += 1

    def _blank(self) -> None:
        """Blanks, lines that go on, and a comment: no word has begun here."""
        while self.next() in (" ", "\t") or self.next(2) == "\\\n":
            self.at += 2 if self.next() == "\\" else 1
        if self.next() == "#":
            if self.inside:
                raise self.refuse("has a comment within $(...)", "put it on a line of its own before")
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def _gap(self) -> None:
        """Blanks and empty lines."""
        self._blank()
        while self.next() == "\n":
            self.at += 1
            self._blank()

"""Shell text as the commands it runs and those that they run in turn, with words, folders and redirections."""

from __future__ import annotations

import re

from rulec.shell.parsing import runs as runs_of
from rulec.shell.parsing.call import (
    TREE_TOP,
    WHY_UNREAD,
    Call,
    ParsedText,
    Streams,
    join_path,
    known_output,
    quote_word,
)
from rulec.shell.parsing.grammar import Grammar, SimpleCommand, assigned_name
from rulec.shell.parsing.lexer import ENVIRONMENT, SPLIT, ShellWord, TooDeep
from rulec.shell.programs import interpreter_of, runs_how

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self


MOST_CALLS = 5_000
MOST_ALIASES = 200  # aliases that are kept
PASS_THROUGH = ("cat", "tee")  # their output is their input
LONGEST_PIPED = 100_000
MOST_FEEDS = 50
MOST_ROUNDS = 20  # of one loop that are read, each with its word
MOST_VALUES = 5  # that a variable may have, by which way the text takes
PIPES = ("|", "|&")
_VARIABLE = r"\$\{?(\w+)"
VARIABLE_SETTERS = ("export", "declare", "typeset", "readonly")
READING_WORDS = ("xargs", "parallel")  # they take what they read as words
COPIERS = ("ln", "cp", "install")  # behind them one program has two names
SETTERS = (*VARIABLE_SETTERS, "local", "unset", "read", "alias", "set", "shift")


def parse_shell(text: str, words: Sequence[str] = ()) -> ParsedText:
    """Read a shell command, in which $0, $1 ... are the words, if any; never raises."""
    found = ParsedText(budget=4 * len(text) + 20_000)
    reader = CommandReader(text, found, cwd="", via=(), names={"PWD": ".", "IFS": " ", **ENVIRONMENT}, depth=0)
    reader.args = list(words) or None
    try:
        reader.read_all()
        reader.read_uncalled()
    except (TooDeep, RecursionError):
        found.unsure = WHY_UNREAD[0]
    return found


class Definitions:
    """What names stand for from here on; shared by all readers of one shell."""

    __slots__ = ("active", "aliases", "called", "functions")

    def __init__(self) -> None:
        self.functions: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.called: set[str] = set()
        self.active: frozenset[str] = frozenset()  # names that are being read: none calls itself

    def within(self, name: str) -> Definitions:
        """The definitions as seen from within the function or alias, which does not call itself again."""
        inner = Definitions()
        inner.functions, inner.aliases, inner.called = self.functions, self.aliases, self.called
        inner.active = self.active | {name}
        return inner

    def define(self, name: str, body: str) -> None:
        """Note what the name runs from here on."""
        self.functions[name] = body
        self.active = self.active - {name}

    def body(self, name: str) -> str:
        """The body of the function that is called, "" where the name is no function."""
        if not self.functions or name not in self.functions:
            return ""
        self.called.add(name)
        return "" if name in self.active else self.functions[name]

    def alias(self, words: list[str]) -> None:
        """Note the aliases of ``alias NAME=VALUE ...``."""
        for word in words:
            name, equals, value = word.partition("=")
            if equals and len(self.aliases) < MOST_ALIASES:
                self.aliases[name] = value

    def aliased(self, argv: list[str]) -> str:
        """The command with its alias expanded, "" where it has none."""
        value = self.aliases.get(argv[0], "")
        if not value or argv[0] in self.active:
            return ""
        return " ".join([value, *map(quote_word, argv[1:])])

    def uncalled(self, text: str) -> Iterator[tuple[str, str]]:
        """The functions that no command calls but something names, and their bodies."""
        left = {name: body for name, body in self.functions.items() if name not in self.called}
        if left:
            words = _count_words(text)
            for name, body in left.items():
                if words.get(name, 0) - _count_words(body).get(name, 0) > 1:
                    yield name, body


def _count_words(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in "".join(char if char.isalnum() or char in "_-.:" else " " for char in text).split():
        found[word] = found.get(word, 0) + 1
    return found


def _within_pipe(streams: Streams, sign: str) -> Streams:
    """What of the streams holds for a command within: its output goes elsewhere where a pipe takes it."""
    return {name: one for name, one in streams.items() if name != "1" or sign not in PIPES}


class CommandReader(Grammar):
    """Notes commands, follows what they change (folders, variables, functions), and reads the texts that they run."""

    def __init__(
        self, text: str, found: ParsedText, *, cwd: str, via: tuple[str, ...], names: dict[str, str], depth: int
    ) -> None:
        super().__init__(text, names, depth)
        self.found, self.cwd, self.via = found, cwd, via
        self.adrift = False
        self.env: dict[str, str] = {}  # what the carrier of this text sets for it
        self.streams: Streams = {}  # where it leads the input and output of this text
        self.own: Definitions | None = None  # the functions and aliases of this text
        self.skips = False  # a function's body is read to find its end
        self.joined = ""  # the operator before the command being read
        self.others: dict[str, list[str]] = {}  # what a variable may be instead, by which way the text takes

    def read_all(self) -> None:
        """Read the whole text as commands."""
        while self.at < self.size:
            self.commands("")
            if self.at < self.size:
                self.doubt("a parenthesis too many")
                self.at += 1

    def noted(self) -> int:
        return len(self.found.calls)

    def doubt(self, why: str) -> None:
        self.found.unsure = self.found.unsure or why

    def _child(self, text: str, via: tuple[str, ...]) -> Self:
        """A reader for a text within this one; the caller lowers ``depth`` again."""
        self.deeper()
        child = type(self)(text, self.found, cwd=self.cwd, via=via, names=dict(self.names), depth=self.depth)
        child.adrift, child.env, child.skips, child.allowance = self.adrift, self.env, self.skips, self.allowance
        child.own, child.args, child.args_known = self.own, self.args, self.args_known
        child.streams = self.streams
        child.sources = dict(self.sources)
        return child

    def afford(self, text: str) -> bool:
        """Whether a nested text may still be read: all together are bounded by the size of the whole."""
        self.found.budget -= len(text)
        if self.found.budget < 0:
            self.found.unsure = WHY_UNREAD[1]
        return self.found.budget >= 0

    def heredocs(self) -> None:
        """Read the bodies of the heredocs announced on the line that has just ended."""
        waiting, self.pending = self.pending, []
        for simple, delimiter, strip, plain in waiting:
            lines = []
            while self.at < self.size:
                end = self.text.find("\n", self.at)
                end = self.size if end < 0 else end
                line = self.text[self.at : end].rstrip("\r")
                self.at = end + 1
                line = line.lstrip("\t") if strip else line
                if line == delimiter:
                    break
                lines.append(line + "\n")
            else:
                self.doubt("a heredoc is not closed")
            self._body(simple, "".join(lines), plain=plain)
        self.at = min(self.at, self.size)

    def _body(self, simple: SimpleCommand, body: str, *, plain: bool) -> None:
        unknown = False
        if plain and ("$" in body or "`" in body):
            child = self._child(body, self.via)
            out: list[str] = []
            child._double(out, "")  # noqa: SLF001 (another object of this class)
            self.depth -= 1
            body, unknown = "".join(out).replace(SPLIT, " "), child.unknown
        simple.bodies.append(body)
        if simple.call:
            simple.call.dynamic = simple.call.dynamic or unknown
            simple.call.stdin += body
            self._fed(simple.call)
            if simple.next and simple.call.program in PASS_THROUGH:
                simple.next.stdin = simple.call.stdin
                self._fed(simple.next)

    def _fed(self, call: Call) -> None:
        """Read what a shell or an interpreter gets on standard input as commands."""
        if not call.stdin:
            return
        if runs_of.reads_commands_from_stdin(call.program, call.argv):
            child = self._child(call.stdin, (*call.via, call.program))
            child.cwd = call.cwd
            child.read_all()
            self.depth -= 1
        elif runs_how(call.program) == "table":
            for text in runs_of.commands_of_table(call.stdin):
                self._carry_text(call, runs_of.WrappedCommand(call.program, text=text))
        elif interpreter_of(call.program):
            from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as below)

            if interpreters.reads_code_from_stdin(interpreter_of(call.program), call.argv):
                self._spawn(call, [call.stdin])
        elif call.program not in READING_WORDS:
            self._fed_within(call)

    def _fed_within(self, call: Call) -> None:
        """Read what a wrapper's standard input gives the shell or the interpreter that it runs."""
        runs = runs_of.wrapped_commands(call.program, call.argv)
        if call.program == "ssh" and not runs:
            runs = [runs_of.WrappedCommand("ssh", ["sh"], cwd="/")]
        for run in runs:
            inner = Call(run.argv or run.text.split(), join_path(call.cwd, run.cwd), call.env, (*call.via, run.via))
            inner.stdin, inner.dynamic, inner.adrift = call.stdin, call.dynamic, call.adrift
            self.deeper()
            self._fed(inner)
            self.depth -= 1

    def _emit(self, call: Call) -> None:
        """Note a command and the commands that it runs itself."""
        self.found.calls.append(call)
        if len(self.found.calls) > MOST_CALLS:
            raise TooDeep
        runs = runs_of.wrapped_commands(call.program, call.argv)
        for run in runs + runs_of.run_by_variables(call.env) if call.program == "git" and call.env else runs:
            if run.text:
                self._carry_text(call, run)
                continue
            cwd = join_path(call.cwd, run.cwd) if run.cwd else call.cwd
            deeper = Call(run.argv, cwd, {**call.env, **run.env}, (*call.via, run.via))
            deeper.dynamic, deeper.adrift = call.dynamic or run.dynamic, call.adrift
            deeper.stdin, deeper.sign, deeper.feeds, deeper.streams = call.stdin, call.sign, call.feeds, call.streams
            if run.via != "xargs":  # which reads its words there
                deeper.redirects = [one for one in call.redirects if one[0] == "<"]
            if run.via == "xargs" and (call.stdin or call.feeds):
                deeper.argv = runs_of.with_xargs_words(call.argv, run.argv, call.stdin or runs_of.GIVEN)
            if run.via == "find":
                deeper.feeds = [call]
            self.deeper()
            self._emit(deeper)
            self.depth -= 1
        if interpreter_of(call.program):
            from rulec.shell.parsing import interpreters  # noqa: PLC0415 (most commands start no interpreter)

            self._spawn(call, interpreters.code_on_command_line(interpreter_of(call.program), call.argv))

    def _carry_text(self, call: Call, run: runs_of.WrappedCommand) -> None:
        """Read the text that a wrapper runs as commands."""
        if not self.afford(run.text):
            return
        child = self._child(run.text, (*call.via, run.via))
        child.cwd = join_path(call.cwd, run.cwd) if run.cwd else call.cwd
        child.names.update(call.env)
        child.env, child.streams = {**call.env, **run.env}, call.streams
        if run.args:
            child.args, child.args_known = run.args, not call.dynamic
        if run.via not in ("eval", "trap"):
            child.own = None
        child.read_all()
        self.depth -= 1
        self._sign_last(call.sign)
        if run.via == "eval":
            self.cwd, self.adrift, self.names, self.own = child.cwd, child.adrift, child.names, child.own

    def _spawn(self, call: Call, codes: list[str]) -> None:
        """Note the commands that an interpreter's text starts."""
        from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)

        for code in codes:
            for run in interpreters.started_commands(interpreter_of(call.program), code):
                inner = runs_of.WrappedCommand(call.program, text=run) if isinstance(run, str) else None
                if inner:
                    self._carry_text(call, inner)
                    continue
                deeper = Call(list(run), call.cwd, call.env, (*call.via, call.program))
                deeper.adrift, deeper.dynamic = call.adrift, any(interpreters.UNKNOWN in word for word in run)
                deeper.streams = call.streams
                self.deeper()
                self._emit(deeper)
                self.depth -= 1

    def _sign_last(self, sign: str) -> None:
        """Give the operator behind a group or a nested text to its last command."""
        if self.found.calls and not self.found.calls[-1].sign:
            self.found.calls[-1].sign = sign

    def read_uncalled(self) -> None:
        """Read the functions that no command calls but something names: a trap, or another shell."""
        for name, body in self.own.uncalled(self.text) if self.own else ():
            self._enter(Call([name], self.cwd, self.env, self.via), name, body, known=False)

    def substitution(self) -> str | None:
        before, folder, drift, names, env = len(self.found.calls), self.cwd, self.adrift, dict(self.names), self.env
        fed, self.fed, braces, streams, begun = self.fed, [], self.braces, self.streams, self.begun
        self.streams, self.begun = {name: one for name, one in streams.items() if name != "1"}, []
        self.commands(")")
        self.cwd, self.adrift, self.names, self.braces, self.env = folder, drift, names, braces, env
        self.streams, self.begun = streams, begun
        return self._say(before, fed)

    def quoted_commands(self, text: str) -> str | None:
        before = len(self.found.calls)
        self._child(text, self.via).read_all()
        self.depth -= 1
        return self._say(before, self.fed)

    def _say(self, before: int, fed: list[Call]) -> str | None:
        """The known output of the commands read since ``before``, which become part of the word."""
        self.fed = [*fed, *self.found.calls[before:]][:MOST_FEEDS]
        return known_output(self.found.calls[before:])

    def keep_status(self, name: str, status: str) -> None:
        if self.found.calls:
            self.found.calls[-1].status_in[name] = status

    def defined(self, name: str) -> None:
        """Note the body of a function, which is read where it is called."""
        while self.at < self.size and self.text[self.at] in " \t\r\n":
            self.at += 1
        if self.skips or self.text[self.at : self.at + 1] not in ("{", "("):
            return
        start, found, state = self.at, self.found, (self.cwd, self.adrift, dict(self.names), self.env)
        self.found, self.skips, self.at = ParsedText(budget=self.found.budget), True, self.at + 1
        if self.text[start] == "(":
            self.commands(")")
        elif not self.group():
            self.doubt("a function's body is not closed")
        found.unsure, found.budget = found.unsure or self.found.unsure, self.found.budget
        self.found, self.skips = found, False
        self.cwd, self.adrift, self.names, self.env = state
        self._names().define(name, self.text[start : self.at])

    def _names(self) -> Definitions:
        self.own = self.own or Definitions()
        return self.own

    def end(self, simple: SimpleCommand, sign: str) -> SimpleCommand:
        """A command is complete: note it, and what it changes for those after it."""
        if sign == "\n" and (simple.mode == "case" or (simple.empty() and simple.piped)):
            return simple
        if simple.mode or simple.empty():
            return self._end_of_group(simple, sign)
        if simple.begins >= 0:
            self._lead_group(simple)
        argv = [field for word in simple.words for field in word.fields]
        if not argv:
            self._may_stay(simple.env)
            self._remember(simple.env)
            self.found.assigned.update(simple.env)
            simple.env = {}
        fed, self.fed = [*self.fed, *self._held(argv)][:MOST_FEEDS], []
        if argv and argv[0] in SETTERS:
            self.sources.update({name: fed for word in simple.words if (name := assigned_name(word.raw))})
        if argv or simple.redirects:
            self._note(simple, argv, fed, sign)
        self.joined = sign
        return SimpleCommand(simple) if sign in PIPES else SimpleCommand()

    def _end_of_group(self, simple: SimpleCommand, sign: str) -> SimpleCommand:
        """What stood here was no command: the head of a loop, or the end of a group, which may feed a pipe."""
        following = SimpleCommand(simple) if sign in PIPES and not simple.mode else SimpleCommand()
        if simple.mode == "for":
            before = self.noted()
            self._loop(simple.words)
            following.begins = before if self.noted() > before else -1
            self.sources.update({word.text: self.fed for word in simple.words[:1]})
        self.found.given += simple.bodies
        self._sign_last(sign)
        simple.gives = self.found.calls[-1:]  # the last one of a group
        simple.call = simple.gives[0] if simple.gives else None
        return following

    def _lead_group(self, simple: SimpleCommand) -> None:
        """Lead the input and output of a group's commands where its redirections do."""
        for one in self.found.calls[simple.begins :]:
            one.streams = {**_within_pipe(simple.streams, one.sign), **one.streams}
        simple.streams = {}

    def _note(self, simple: SimpleCommand, argv: list[str], fed: list[Call], sign: str) -> None:
        """Note a command, and follow what it changes for those after it."""
        call = Call(argv, self.cwd, {**self.env, **simple.env}, self.via)
        call.adrift, call.redirects, call.feeds = self.adrift, simple.redirects, fed
        call.dynamic = any(word.dynamic for word in simple.words)
        call.stdin, call.sign = "".join(simple.bodies), sign
        call.streams = {**_within_pipe(self.streams, sign), **simple.streams} if self.streams else simple.streams
        simple.call = call
        self._pipe(simple, call)
        stays = not simple.piped and sign not in (*PIPES, "&")
        before = len(self.found.calls)
        self._run(call, plain=bool(argv) and simple.words[0].raw == argv[0], stays=stays)
        for word in simple.words[1:] if call.program in SETTERS and stays else ():
            if word.items is not None:
                self.assign_array(assigned_name(word.raw), word)
        for other in self._other_words(simple.words) if self.others else ():
            self._emit(call.as_words(other))
        simple.gives = [call, *self.found.calls[before:]][:MOST_FEEDS]

    def _loop(self, words: list[ShellWord]) -> None:
        """Read the body of a loop once with each of its words, where they are known."""
        values = [field for word in words[2:] for field in word.fields]
        while self.at < self.size and self.text[self.at] in " \t\r\n":
            self.at += 1
        known = len(values) > 1 and not any(word.dynamic for word in words)
        if self.skips or not known or not self.text.startswith(("do ", "do\n", "do\t"), self.at):
            return
        name, start = words[0].text, self.at + len("do")
        for value in values[:MOST_ROUNDS]:
            self.names[name], self.at = value, start
            self.round()
            body = self.text[start : self.at]
            if name not in body or not self.afford(body):
                return
        if values[MOST_ROUNDS:]:
            self.names.pop(name, None)
            self.at = start
            self.round()

    def _may_stay(self, values: dict[str, str]) -> None:
        """Note the values that variables keep where the command that sets them is not reached."""
        for name, value in values.items() if self.choices or self.joined in ("&&", "||") else ():
            before = self.names.get(name, value)
            if before != value:
                self.others[name] = [*dict.fromkeys([*self.others.get(name, ()), before])][:MOST_VALUES]

    def _held(self, argv: list[str]) -> list[Call]:
        """The commands whose output the variables in these words hold."""
        names = {name for word in argv if self.sources and "$" in word for name in re.findall(_VARIABLE, word)}
        return [call for name in sorted(names) for call in self.sources.get(name, ())]

    def _other_words(self, words: list[ShellWord]) -> Iterator[list[str]]:
        """The words of a command with each other value that one of its variables may have."""
        for at, word in enumerate(words):
            name = word.raw.strip('"').removeprefix("$").strip("{}")
            for value in self.others.get(name, ()) if "$" in word.raw else ():
                filled = [value] if word.raw.startswith('"') else value.split()
                yield [
                    *(f for one in words[:at] for f in one.fields),
                    *filled,
                    *(f for one in words[at + 1 :] for f in one.fields),
                ]

    def _run(self, call: Call, *, plain: bool, stays: bool) -> None:
        """Note the command, or what the function or the alias of its name does."""
        name = call.argv[0] if call.argv else ""
        body = self.own.body(name) if self.own else ""
        if body:
            before = len(self.found.calls)
            if call.redirects:
                self.found.calls.append(Call([], call.cwd, {}, call.via))
                self.found.calls[-1].redirects = call.redirects
            child = self._enter(call, name, body, known=not call.dynamic)
            call.feeds = [*call.feeds, *self.found.calls[before:]][:MOST_FEEDS]
            if child and stays:
                self.cwd, self.adrift, self.names = child.cwd, child.adrift, child.names
            return
        self._emit(call)
        self._fed(call)
        text = self.own.aliased(call.argv) if plain and self.own else ""
        if text:  # beside the command itself: a script has no aliases, a terminal has
            self._enter(call, name, text, known=not call.dynamic)
        if stays:
            self._effects(call.argv, dynamic=call.dynamic)

    def _enter(self, call: Call, name: str, text: str, *, known: bool) -> Self | None:
        """Read what a function or an alias runs where it is called."""
        if not self.afford(text):
            return None
        child = self._child(text, self.via)
        child.own, child.env, child.streams = self._names().within(name), call.env, call.streams
        child.args, child.args_known = call.argv if known else None, known
        child.read_all()
        self.depth -= 1
        self._sign_last(call.sign)
        return child

    def _pipe(self, simple: SimpleCommand, call: Call) -> None:
        """Give this command the known output of the one before the pipe as input."""
        source = simple.piped
        if not source or not source.call:
            return
        call.feeds = [*source.gives, *call.feeds]
        if call.stdin:
            return
        source.next = call
        text = known_output([source.call])
        if text is not None:
            call.stdin = text[:LONGEST_PIPED]
        elif runs_of.reads_commands_from_stdin(call.program, call.argv) and source.call.program not in PASS_THROUGH:
            call.stdin = runs_of.printed_form(source.call.program, source.call.argv)[:LONGEST_PIPED]
            self.doubt("a shell runs what a pipe gives it")

    def _remember(self, values: dict[str, str]) -> None:
        self.names.update(values)

    def _effects(self, argv: list[str], *, dynamic: bool) -> None:
        """Follow ``cd``, and variables that are set by a command."""
        while argv and argv[0] in ("command", "builtin"):
            argv = argv[1:]
        name = argv[0] if argv else ""
        words = [word for word in argv[1:] if word == "-" or not word.startswith("-")]
        if name in ("cd", "pushd", "chdir"):
            self.adrift = dynamic or words[:1] == ["-"] or (self.adrift and words[:1] != [TREE_TOP])
            self.cwd = self.cwd if self.adrift else join_path(self.cwd, words[0] if words else "~")
        elif name == "popd":
            self.adrift = True
        elif name in SETTERS:
            self._set(name, argv, words, dynamic=dynamic)
        elif name in COPIERS and len(words) == 2:
            self._names().alias([f"{words[1]}={words[0]}"])

    def _set(self, name: str, argv: list[str], words: list[str], *, dynamic: bool) -> None:
        """Follow what a builtin does to names: variables, aliases, functions and the words $1, $2 ..."""
        if name in ("export", "declare", "typeset", "local", "readonly") and not dynamic:
            values = {w.partition("=")[0]: w.partition("=")[2] for w in words if "=" in w}
            self._remember(values)
            if name == "export":
                self.env = {**self.env, **values}
        elif name in ("unset", "read", "export", "declare", "typeset", "local", "readonly"):
            for word in words:
                self.names.pop(word.partition("=")[0], None)
                if self.own and name == "unset":
                    self.own.functions.pop(word, None)
        elif name == "alias" and not dynamic:
            self._names().alias(words)
        elif name == "set" and "--" in argv:
            self.args, self.args_known = argv[argv.index("--") :], not dynamic
        elif name == "shift" and self.args:
            self.args = [self.args[0], *self.args[2:]]

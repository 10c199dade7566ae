"""The commands that commands run: the texts of wrappers, interpreters, heredocs and pipes."""

from rulec.shell.parsing import wrappers
from rulec.shell.parsing.call import WHY_UNREAD, Call, ParsedText, join_path
from rulec.shell.parsing.grammar import Grammar, SimpleCommand
from rulec.shell.parsing.lexer import SPLIT, TooDeep
from rulec.shell.parsing.wrappers import interpreter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from rulec.shell.parsing.functions import Definitions


MOST_CALLS = 5_000
PASS_THROUGH = ("cat", "tee")  # their output is their input


class NestedReader(Grammar):
    """Notes commands, and reads the texts that they are given to run."""

    def __init__(
        self, text: str, found: ParsedText, *, cwd: str, via: "tuple[str, ...]", names: "dict[str, str]", depth: int
    ) -> None:
        super().__init__(text, names, depth)
        self.found, self.cwd, self.via = found, cwd, via
        self.adrift = False
        self.env: "dict[str, str]" = {}  # what the carrier of this text sets for it
        self.own: "Definitions | None" = None  # the functions and aliases of this text
        self.skips = False  # a function's body is read to find its end

    def read_all(self) -> None:
        """Read the whole text as commands."""
        while self.at < self.size:
            self.commands("")
            if self.at < self.size:
                self.doubt("a parenthesis too many")
                self.at += 1

    def doubt(self, why: str) -> None:
        self.found.unsure = self.found.unsure or why

    def _child(self, text: str, via: "tuple[str, ...]") -> "Self":
        """A reader for a text within this one; whoever calls it takes ``depth`` back."""
        self.deeper()
        child = type(self)(text, self.found, cwd=self.cwd, via=via, names=dict(self.names), depth=self.depth)
        child.adrift, child.env, child.skips, child.purse = self.adrift, self.env, self.skips, self.purse
        child.own, child.args, child.args_known = self.own, self.args, self.args_known
        return child

    def afford(self, text: str) -> bool:
        """Whether a text that commands run may still be read: all of them together cost no more than the whole."""
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
            out: "list[str]" = []
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
        """Read what a shell or an interpreter gets on standard input as the commands it is."""
        if not call.stdin:
            return
        if wrappers.reads_commands_from_stdin(call.program, call.argv):
            child = self._child(call.stdin, (*call.via, call.program))
            child.cwd = call.cwd
            child.read_all()
            self.depth -= 1
        elif interpreter_of(call.program):
            from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as below)

            if interpreters.reads_code_from_stdin(interpreter_of(call.program), call.argv):
                self._spawn(call, [call.stdin])

    def _emit(self, call: Call) -> None:
        """Note a command and the commands that it runs itself."""
        self.found.calls.append(call)
        if len(self.found.calls) > MOST_CALLS:
            raise TooDeep
        for run in wrappers.wrapped_commands(call.program, call.argv):
            if run.text:
                self._carry_text(call, run)
                continue
            cwd = join_path(call.cwd, run.cwd) if run.cwd else call.cwd
            deeper = Call(run.argv, cwd, {**call.env, **run.env}, (*call.via, run.via))
            deeper.dynamic, deeper.adrift = call.dynamic or run.dynamic, call.adrift
            deeper.stdin, deeper.sign, deeper.feeds = call.stdin, call.sign, call.feeds
            if run.via == "xargs" and call.stdin:
                deeper.argv = wrappers.with_xargs_words(call.argv, run.argv, call.stdin)
            self.deeper()
            self._emit(deeper)
            self.depth -= 1
        if interpreter_of(call.program):
            from rulec.shell.parsing import interpreters  # noqa: PLC0415 (most commands start no interpreter)

            self._spawn(call, interpreters.code_on_command_line(interpreter_of(call.program), call.argv))

    def _carry_text(self, call: Call, run: wrappers.WrappedCommand) -> None:
        """Read the text that a carrier runs as the commands it is."""
        if not self.afford(run.text):
            return
        child = self._child(run.text, (*call.via, run.via))
        child.cwd = join_path(call.cwd, run.cwd) if run.cwd else call.cwd
        child.names.update(call.env)
        child.env = {**call.env, **run.env}
        if run.args:
            child.args, child.args_known = run.args, not call.dynamic
        if run.via not in ("eval", "trap"):
            child.own = None
        child.read_all()
        self.depth -= 1
        self._sign_last(call.sign)
        if run.via == "eval":
            self.cwd, self.adrift, self.names, self.own = child.cwd, child.adrift, child.names, child.own

    def _spawn(self, call: Call, codes: "list[str]") -> None:
        """Note the commands that an interpreter's text starts."""
        from rulec.shell.parsing import interpreters  # noqa: PLC0415 (as above)

        for code in codes:
            for run in interpreters.started_commands(interpreter_of(call.program), code):
                inner = wrappers.WrappedCommand(call.program, text=run) if isinstance(run, str) else None
                if inner:
                    self._carry_text(call, inner)
                    continue
                deeper = Call(list(run), call.cwd, call.env, (*call.via, call.program))
                deeper.adrift, deeper.dynamic = call.adrift, any(interpreters.UNKNOWN in word for word in run)
                self.deeper()
                self._emit(deeper)
                self.depth -= 1

    def _sign_last(self, sign: str) -> None:
        """What stands behind a group or a carried text stands behind its last command."""
        if self.found.calls and not self.found.calls[-1].sign:
            self.found.calls[-1].sign = sign

"""Shell text -> the commands it runs, with their words, folders and redirections; parsed, never grepped."""

from . import carriers
from .call import TOP, Call, Parse, base, join, said
from .grammar import Grammar, Simple
from .words import TooDeep

__all__ = ["TOP", "Call", "Parse", "base", "join", "parse"]

MOST_CALLS = 5_000
LONGEST_PIPED = 100_000
PASSING = ("cat", "tee")  # their output is their input


def parse(text: str) -> Parse:
    """Read a shell command; never raises."""
    found = Parse()
    reader = _Reader(text, found, cwd="", via=(), names={"PWD": "."}, depth=0)
    try:
        reader.read_all()
    except (TooDeep, RecursionError):
        found.unsure = "the text nests too deeply"
    return found


class _Reader(Grammar):
    """Notes complete commands and follows what they change: folders, variables, pipes, carried commands."""

    def __init__(
        self, text: str, found: Parse, *, cwd: str, via: "tuple[str, ...]", names: "dict[str, str]", depth: int
    ) -> None:
        super().__init__(text, names, depth)
        self.found, self.cwd, self.via = found, cwd, via
        self.adrift = False
        self.env: "dict[str, str]" = {}  # what the carrier of this text sets for it

    def read_all(self) -> None:
        """Read the whole text as commands."""
        while self.at < self.size:
            self.commands("")
            if self.at < self.size:
                self.doubt("a parenthesis too many")
                self.at += 1

    def doubt(self, why: str) -> None:
        self.found.unsure = self.found.unsure or why

    def substitution(self) -> "str | None":
        before, folder, drift, names = len(self.found.calls), self.cwd, self.adrift, dict(self.names)
        self.commands(")")
        self.cwd, self.adrift, self.names = folder, drift, names
        return said(self.found.calls[before:])

    def quoted_commands(self, text: str) -> "str | None":
        before = len(self.found.calls)
        self._child(text, self.via).read_all()
        self.depth -= 1
        return said(self.found.calls[before:])

    def _child(self, text: str, via: "tuple[str, ...]") -> "_Reader":
        """A reader for a text within this one; whoever calls it takes ``depth`` back."""
        self.deeper()
        child = _Reader(text, self.found, cwd=self.cwd, via=via, names=dict(self.names), depth=self.depth)
        child.adrift, child.env = self.adrift, self.env
        return child

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

    def _body(self, simple: Simple, body: str, *, plain: bool) -> None:
        unknown = False
        if plain and ("$" in body or "`" in body):
            child = self._child(body, self.via)
            out: "list[str]" = []
            child._double(out, "")  # noqa: SLF001 (another object of this class)
            self.depth -= 1
            body, unknown = "".join(out), child.unknown
        simple.bodies.append(body)
        if simple.call:
            simple.call.dynamic = simple.call.dynamic or unknown
            simple.call.stdin += body
            self._fed(simple.call)
            if simple.next and simple.call.program in PASSING:
                simple.next.stdin = simple.call.stdin
                self._fed(simple.next)

    def _fed(self, call: Call) -> None:
        """Read what a shell gets on standard input as the commands it is."""
        if carriers.reads_commands(call.program, call.argv) and call.stdin:
            child = self._child(call.stdin, (*call.via, call.program))
            child.cwd = call.cwd
            child.read_all()
            self.depth -= 1

    def end(self, simple: Simple, sign: str) -> Simple:
        """A command is complete: note it, and what it changes for those after it."""
        if sign == "\n" and (simple.mode == "case" or (simple.empty() and simple.piped)):
            return simple
        if simple.mode or simple.empty():
            self._sign_last(sign)
            return Simple()
        argv = [field for word in simple.words for field in word.fields]
        if not argv:
            self._remember(simple.env)
            self.found.assigned.update(simple.env)
            simple.env = {}
        if argv or simple.redirects:
            call = Call(argv, self.cwd, {**self.env, **simple.env}, self.via)
            call.adrift, call.redirects = self.adrift, simple.redirects
            call.dynamic = any(word.dynamic for word in simple.words)
            call.stdin, call.sign = "".join(simple.bodies), sign
            simple.call = call
            self._pipe(simple, call)
            self._emit(call)
            self._fed(call)
            if not simple.piped and sign not in ("|", "|&", "&"):
                self._effects(argv, dynamic=call.dynamic)
        return Simple(simple) if sign in ("|", "|&") else Simple()

    def _pipe(self, simple: Simple, call: Call) -> None:
        """What the command before the pipe plainly says is this command's input."""
        source = simple.piped
        if not source or not source.call or call.stdin:
            return
        source.next = call
        text = said([source.call])
        if text is not None:
            call.stdin = text[:LONGEST_PIPED]
        elif carriers.reads_commands(call.program, call.argv) and source.call.program not in PASSING:
            self.doubt("a shell runs what a pipe gives it")

    def _emit(self, call: Call) -> None:
        """Note a command and the commands that it runs itself."""
        self.found.calls.append(call)
        if len(self.found.calls) > MOST_CALLS:
            raise TooDeep
        for run in carriers.inner(call.program, call.argv):
            via = (*call.via, run.via)
            cwd = join(call.cwd, run.cwd) if run.cwd else call.cwd
            if run.text:
                child = self._child(run.text, via)
                child.cwd = cwd
                child.names.update(call.env)
                child.env = {**call.env, **run.env}
                child.read_all()
                self.depth -= 1
                self._sign_last(call.sign)
                if run.via == "eval":
                    self.cwd, self.adrift, self.names = child.cwd, child.adrift, child.names
                continue
            deeper = Call(run.argv, cwd, {**call.env, **run.env}, via)
            deeper.dynamic, deeper.adrift = call.dynamic or run.dynamic, call.adrift
            deeper.stdin, deeper.sign = call.stdin, call.sign
            self.deeper()
            self._emit(deeper)
            self.depth -= 1

    def _sign_last(self, sign: str) -> None:
        """What stands behind a group or a carried text stands behind its last command."""
        if self.found.calls and not self.found.calls[-1].sign:
            self.found.calls[-1].sign = sign

    def _remember(self, values: "dict[str, str]") -> None:
        self.names.update(values)

    def _effects(self, argv: "list[str]", *, dynamic: bool) -> None:
        """Follow ``cd``, and variables that are set by a command."""
        while argv and argv[0] in ("command", "builtin"):
            argv = argv[1:]
        name = argv[0] if argv else ""
        words = [word for word in argv[1:] if word == "-" or not word.startswith("-")]
        if name in ("cd", "pushd", "chdir"):
            self.adrift = dynamic or words[:1] == ["-"] or (self.adrift and words[:1] != [TOP])
            self.cwd = self.cwd if self.adrift else join(self.cwd, words[0] if words else "~")
        elif name == "popd":
            self.adrift = True
        elif name in ("export", "declare", "typeset", "local", "readonly") and not dynamic:
            self._remember({w.partition("=")[0]: w.partition("=")[2] for w in words if "=" in w})
        elif name in ("unset", "read"):
            for word in words:
                self.names.pop(word, None)

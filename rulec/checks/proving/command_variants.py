"""Variants of commands and sessions: other ways to run the same, and places where it stands without being run."""

import re
from collections.abc import Iterator
from dataclasses import replace
from shlex import quote

from rulec.checks.proving.check_reach import CheckReach
from rulec.domain.files import globs
from rulec.domain.rule import Example
from rulec.shell.program_options import GLOBALS, VALUED

Named = Iterator[tuple[str, str]]  # how it was made, and the command
_SIMPLE = re.compile(r"[\w./:=@,+~%-]+(?: [\w./:=@,+~%-]+)*")
_SEVERAL = re.compile(r"\n|<<")
_OPEN = re.compile(r"[;&\\|]\s*\Z|#")  # text behind it would read as another command, or not at all
_INSIDE = (  # only a shell can do them
    "cd", "export", "source", ".", "alias", "set", "eval", "exec", "unset", "command", "builtin", "pushd", "trap",
)  # fmt: skip
_TAKES_FLAGS_ANYWHERE = {
    "git": "commit push merge rebase pull fetch add tag", "npm": "install i ci add", "pnpm": "install i add",
    "yarn": "install add", "pip": "install", "gh": "pr issue",
}  # fmt: skip
_CARRIERS = ("env CI=1", "sudo", "time", "timeout 60", "nohup", "command", "nice")
_ADDED = {  # how it was made -> the program that is run besides
    **{f"carrier: {carrier.split(' ')[0]}": carrier.split(" ")[0] for carrier in _CARRIERS},
    "list: before": "true", "list: after": "true", "condition": "true", "carrier: bash -c": "bash",
    "carrier: heredoc": "bash", "carrier: eval": "eval", "carrier: xargs": "xargs", "carrier: find": "find",
    "substitution": "echo", "pipe": "cat", "cd before": "cd",
}  # fmt: skip
_WORDS = (  # of checks for which one word more would count
    "arguments", "files", "flags", "value", "each", "must", "new_branch", "pushes", "says",
)  # fmt: skip
_QUIET = {"git": "--no-pager", "npm": "--silent", "pnpm": "--silent", "docker": "--debug", "cargo": "--quiet"}


def vary_command(command: str, reach: CheckReach) -> Named:
    """The same command, run another way; nothing is added that some check speaks of."""
    for name, text in _ways(command, reach):
        if name not in _ADDED or reach.free(_ADDED[name]):
            yield name, text


def _ways(command: str, reach: CheckReach) -> Named:
    if _SEVERAL.search(command):
        yield from _around_lines(command)
        return
    if not _OPEN.search(command):
        yield from _around(command, reach)
    if _SIMPLE.fullmatch(command):
        words = command.split(" ")
        yield from _otherwise_written(words)
        yield from _flags(words)
        if words[0] not in _INSIDE and "=" not in words[0]:
            yield from _carried(words)
            if all(check["on"] == "command" and not any(map(check.get, _WORDS)) for check in reach.guards):
                yield "carrier: xargs", f"ls | xargs {command}"
                yield "carrier: find", f"find . -name x -exec {command} ';'"


def _around_lines(command: str) -> Named:
    yield "list: before", f"true\n{command}"
    yield "list: after", f"{command}\ntrue"
    yield "subshell", f"(\n{command}\n)"
    yield "carrier: bash -c", f"bash -c {quote(command)}"


def _around(command: str, reach: CheckReach) -> Named:
    yield "list: before", f"true && {command}"
    yield "list: after", f"{command}; true"
    yield "subshell", f"( {command} )"
    yield "carrier: bash -c", f"bash -c {quote(command)}"
    yield "carrier: eval", f"eval {quote(command)}"
    yield "substitution", f"echo $( {command} )"
    yield "condition", f"if true; then {command}; fi"
    yield "loop", f"for one in a b; do {command}; done"
    yield "function", f"go() {{ {command}; }}; go"
    yield "carrier: heredoc", f"bash <<'EOF'\n{command}\nEOF"
    yield "comment behind", f"{command}  # as asked"
    if not reach.on("session"):  # what stands before a pipe has no exit code that counts
        yield "pipe", f"{command} | cat"
    if not reach.on("path") and not any(check.get("files") for check in reach.guards):
        yield "cd before", f"cd sub && {command}"


def _otherwise_written(words: list[str]) -> Named:
    program, *rest = words
    if "=" in program:
        return
    yield "quoted program", " ".join([f'"{program}"', *rest])
    yield "escaped program", " ".join([f"\\{program}", *rest])
    if len(program) > 1 and "/" not in program and program not in _INSIDE:
        yield "half quoted program", " ".join([f"{program[0]}'{program[1:]}'", *rest])
        yield "program in a variable", f"tool={program}; $tool {' '.join(rest)}".rstrip()
    if "/" not in program and program not in _INSIDE:
        yield "absolute path", " ".join([f"/usr/bin/{program}", *rest])
    if rest:
        yield "quoted words", " ".join([program, *(f"'{word}'" for word in rest)])
        yield "continued line", f"{program} \\\n  {' '.join(rest)}"
        yield "wide blanks", "  ".join(words)


def _carried(words: list[str]) -> Named:
    command = " ".join(words)
    yield "assignment", f"LC_ALL=C {command}"
    for carrier in _CARRIERS:
        yield f"carrier: {carrier.split(' ')[0]}", f"{carrier} {command}"


def _flags(words: list[str]) -> Named:
    """Flags elsewhere and values joined otherwise, for programs of which it is known where they may stand."""
    program, sub = words[0], words[1] if len(words) > 1 else ""
    if program in _QUIET and sub and not sub.startswith("-"):
        yield "global option", " ".join([program, _QUIET[program], *words[1:]])
    if sub not in _TAKES_FLAGS_ANYWHERE.get(program, "").split() or "--" in words:
        return
    valued = [*VALUED.get(f"{program} {sub}", "").split(), *GLOBALS.get(program, "").split()]
    start = 3 if program == "gh" else 2
    for at in range(start, len(words)):
        flag, after = words[at], words[at + 1] if at + 1 < len(words) else "-"
        if not flag.startswith("--") or "=" in flag:
            continue
        if flag in valued:
            if after != "-":
                yield "joined value", " ".join([*words[:at], f"{flag}={after}", *words[at + 2 :]])
        elif after.startswith("-") and words[at - 1] not in valued:
            rest = words[:at] + words[at + 1 :]
            moved = [*rest[:start], flag, *rest[start:]] if at > start else [*rest, flag]
            if moved != words and rest[-1] not in valued:
                yield "flag order", " ".join(moved)
            return


def mention_command(command: str, reach: CheckReach) -> Named:
    """The command as a text that nobody runs."""
    known = {
        "echo": f"echo {quote(command)}",
        "printf": f"printf '%s\\n' {quote(command)}",
        "grep": f"grep -rn -e {quote(command)} docs",
        "rg": f"rg -F -- {quote(command)}",
    }
    for program, text in known.items():
        if reach.free(program):
            yield f"only named: {program}", text
    if reach.free("git") and not reach.scripts:
        yield "only named: commit message", f"git commit -m {quote(f'Say why {command} is wrong')}"
    if reach.free("cat") and "\nEOF" not in command:
        where = "" if reach.on("path", "session", "text") else " > docs/notes.md"
        yield "only named: heredoc", f"cat{where} <<'EOF'\n{command}\nEOF"
    if reach.free("ls") and "\n" not in command:
        yield "only named: comment", f"ls  # {command}"
    if reach.programs() is not None:
        yield "only named: variable", f"note={quote(command)}"


Made = Iterator[tuple[str, Example]]
_LOOKS = ("ls -la", "pwd", "date", "whoami")
_NOTES = ("notes/today.md", "assets/pixel.svg")


def vary_session(example: Example, reach: CheckReach) -> Made:
    """The same session in other words."""
    *before, last = example.steps
    for name, step in _innocent(reach):
        yield f"{name} first", replace(example, steps=(step, *example.steps))
        yield f"{name} between", replace(example, steps=(*before, step, last))
    if last.kind == "command":
        for name, command in vary_command(last.text, reach):
            yield f"last: {name}", replace(example, steps=(*before, replace(last, text=command)))
    yield from _earlier_carried(example)


def _innocent(reach: CheckReach) -> Iterator[tuple[str, Example]]:
    look = next((command for command in _LOOKS if reach.free(command.split(" ")[0])), None)
    if look:
        yield "a look", Example(kind="command", text=look)
        yield "a failed look", Example(kind="command", text=look, failed=True)
    note = next((path for path in _NOTES if not _counts(path, reach)), None)
    if note:
        yield "a read", Example(kind="read", path=note, text="")
    yield "a word", Example(kind="says", text="thanks")


def _counts(path: str, reach: CheckReach) -> bool:
    """Whether a read of the path may be what must come first."""
    reads = [glob for check in reach.on("session") for glob in check.get("first_reads") or ()]
    return globs.match(reads, path)


def _earlier_carried(example: Example) -> Made:
    """Each command before the last one with a variable set for it: it succeeds or fails as before."""
    steps = list(example.steps)
    for at, step in enumerate(steps[:-1]):
        plain = step.kind == "command" and not set(step.text) & set("\n;&|<>()`$'\"#=")
        if plain and not step.text.startswith(("cd ", ".")):
            steps[at] = replace(step, text=f"env CI=1 {step.text}")
    if steps != list(example.steps):
        yield "earlier: env", replace(example, steps=tuple(steps))


def mention_session(example: Example, reach: CheckReach) -> Made:
    """The session with its last command only named."""
    *before, last = example.steps
    if last.kind == "command" and not any(check.get("before_stop") for check in reach.guards):
        for name, command in mention_command(last.text, reach):
            yield name, replace(example, steps=(*before, replace(last, text=command)))

"""Sessions: the same one with innocent steps between, and with its last command run another way."""

from collections.abc import Iterator
from dataclasses import replace

from rulec.checks.proving.check_reach import CheckReach
from rulec.checks.proving.mutants import command_variants
from rulec.domain.patterns import globs
from rulec.domain.rule import Example

Made = Iterator[tuple[str, Example]]
_LOOKS = ("ls -la", "pwd", "date", "whoami")
_NOTES = ("notes/today.md", "assets/pixel.svg")


def vary_session(example: Example, reach: CheckReach) -> Made:
    """The same session, told otherwise."""
    *before, last = example.steps
    for name, step in _innocent(reach):
        yield f"{name} first", replace(example, steps=(step, *example.steps))
        yield f"{name} between", replace(example, steps=(*before, step, last))
    if last.kind == "command":
        for name, command in command_variants.vary_command(last.text, reach):
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
    if not any(check.get("first_said") for check in reach.guards):
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
        for name, command in command_variants.mention_command(last.text, reach):
            yield name, replace(example, steps=(*before, replace(last, text=command)))

"""What a first step usually comes before where the words leave it to the pair."""

from rulec.fits._order_named import pattern_of, reads_only
from rulec.fits._order_pair import Pair
from rulec.fits._order_then import ACTS, Then, after_commands, before_edits, the_end
from rulec.language.terms import table
from rulec.runtime.match import matches
from rulec.runtime.shell import Call


def usual(first: str, commands: list[str], pair: Pair) -> Then | None:
    """What such a first step usually comes before, as far as the pair shows it."""
    if first in ("read", "write-tests", "branch", "note"):
        return before_edits(["**"])
    if first in ("commit", "push"):
        return _outward(pair) if pair.before else None
    if first == "command" and (other := _same_program(commands, pair)):
        return after_commands("command", [other])
    latest = next((name for call in pair.ran if (name := _name_of(call))), "")
    if first == "pull":
        return after_commands("push", ["git push"]) if latest == "push" or not pair.before else _at_work(pair)
    if latest in ("push", "commit", "pr"):
        return after_commands(latest, list(next(own for name, _, own in ACTS if name == latest)))
    return the_end() if pair.edited or (first != "command" and not pair.before) else None


def _same_program(commands: list[str], pair: Pair) -> str:
    """Another command of the same program, that does more than look: "kubectl diff" is for "kubectl apply"."""
    program = commands[0].split()[0]
    others = (call for call in pair.ran if call.program == program and not reads_only(call))
    found = next((call for call in others if not any(matches(command, call) for command in commands)), None)
    return pattern_of(found) if found and len(pattern_of(found).split()) > 1 and program not in _WORK | {"git"} else ""


def _name_of(call: Call) -> str:
    return next((name for name, _, own in ACTS[1:] if any(matches(command, call) for command in own)), "")


def _at_work(pair: Pair) -> Then | None:
    return before_edits(["**"]) if pair.edited else None


def _outward(pair: Pair) -> Then | None:
    """The last command that was more than a look, was no part of the work itself, and was not run again afterwards."""
    for call in pair.ran:
        pattern = _speaking(call.argv) if call.program == "gh" and call.argv[1:2] == ["api"] else pattern_of(call)
        if pattern and not reads_only(call) and call.program not in _WORK and pattern not in ("git add", "git commit"):
            return after_commands("command", [pattern])
    return None


def _speaking(argv: list[str]) -> str:
    writes = any(word.startswith(("-f", "-F", "--field", "--raw-field", "--input")) for word in argv)
    return ACTS[0][2][-1] if writes else ""


_WORK = table(
    "go pytest npm pnpm yarn bun cargo make just mise task jest vitest ruff eslint prettier gofmt tsc mypy "
    "gradle gradlew mvn "
    "dotnet bundle rspec mkdir touch cp mv rm bash sh timeout env npx uv poetry golangci-lint node python"
)

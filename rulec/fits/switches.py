"""One command in place of another: what the words name of the two, whatever the form in which they say it."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check, drafts
from rulec.fits._pair import calls_of, offences
from rulec.fits._programs import EVERYDAY
from rulec.fits._readings import words_of
from rulec.fits._swaps import akin
from rulec.fits._words import conditional, pieces
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.manuals import GLOBALS
from rulec.runtime.match import plain
from rulec.runtime.shell import Call

_NEAR = 6  # actions before the person spoke
_CARRIERS = table("sudo doas npx bunx pipx uvx nohup")
_SAID = re.compile(r"[\w.@/:=-]*\w")
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
_VALUE = re.compile(r"[A-Za-z][\w./:@-]{2,40}|\d{2,6}")
_ALL = ("-A", "--all", ".")  # of git add: three ways to say all of it
_ENDS = table("stop go end leave disappear die")  # "that flag has to go"
_EXACT = re.compile(r"(?=.*[\W\d_])[\w./:@-]{6,}")  # a word that no sentence has by chance
_SHORTEST = 3  # letters of a piece of a path by which it is called


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-command and require-prefix from a command and the one that took its place."""
    if not (before and after) or conditional(clause):
        return
    accepted = [call for action in after for call in calls_of(action) if _has_words(call)]
    said = {word.lower() for word in _SAID.findall(clause.text)}
    for action in offences(before)[:_NEAR]:
        for call in filter(_has_words, calls_of(action)):
            for other in accepted:
                for demand in _demands(clause, said, call, other):
                    yield from drafts(demand, before, after, "the command that took its place differs in what is named")


def _has_words(call: Call) -> bool:
    """Whether a program is called at all: a line like "> notes.txt" only makes a file."""
    return bool(call.argv)


def _demands(clause: Clause, said: set[str], call: Call, other: Call) -> Iterator[Demand]:
    program, subcommands, _, rest = words_of(call)
    theirs, their_subcommands, _, their_rest = words_of(other)
    same = subcommands[:1] == their_subcommands[:1] or not (subcommands and their_subcommands)
    if program == theirs and same and program not in _CARRIERS:
        if "/" in other.argv[0] and "/" not in call.argv[0]:
            yield from _from_path(said, program, other.argv[0])
            return
        if clause.polarity != "require" or clause.verb in _ENDS:
            yield from _dropped(clause, call, other)
        yield from _changed(said, call, other)
    elif call.program in _CARRIERS and call.argv[1:2] == [other.argv[0]] and call.program in said:
        command = f"{call.program} {theirs}"
        yield _forbidden([command], f"{command} {' '.join(other.argv[1:2])}".strip(), theirs)
    elif "/" in other.argv[0] and _kin(program, theirs) and set(call.argv[1:]) & set(other.argv[1:]):
        yield from _from_path(said, program, other.argv[0])
    elif (
        theirs.lower() in said
        and program not in EVERYDAY
        and clause.polarity != "forbid"
        and (akin(program, theirs) or set(rest) & set(their_rest))
    ):
        good = (" ".join(other.argv), f"grep -rn '{program}' docs")
        yield Demand((check("prefer-command", **{"from": [program], "to": theirs}),), (program,), good)


def _kin(one: str, other: str) -> bool:
    """Whether two names are versions of one program: python and python3."""
    return one.rstrip("0123456789.") == other.rstrip("0123456789.")


def _from_path(said: set[str], program: str, path: str) -> Iterator[Demand]:
    """A phrase like "use the venv": the same program, from a folder that the words name."""
    folder = path.rpartition("/")[0].removeprefix("./")
    named = {piece for word in said for piece in pieces(word)} & {
        piece for piece in pieces(folder) if len(piece) >= _SHORTEST
    }
    if named and not path.startswith(("/", "~")):
        base = program.rstrip("0123456789.")
        commands = list(dict.fromkeys((program, base, f"{base}3") if base == "python" else (program,)))
        asked = check("require-prefix", commands=commands, prefixes=[f"{folder}/{base}"])
        yield Demand((asked,), (f"{program} sample.py",), (f"{path} sample.py", f"which {program}"), f"run {path}")


def _dropped(clause: Clause, call: Call, other: Call) -> Iterator[Demand]:
    """A flag that the words name as it is written, and that the same command was run without."""
    wanted = " ".join(clause.preferred)
    kept = {word.partition("=")[0] for word in other.argv[1:]}
    program, subcommands, _, _ = words_of(call)
    told = " ".join([program, *(subcommands[:1] if program in GLOBALS else ())])
    for flag in dict.fromkeys(_FLAG.findall(clause.text)):
        held = any(word.partition("=")[0] == flag for word in call.argv[1:])
        if held and flag not in kept and flag not in wanted:
            every = _ALL if told == "git add" and flag in _ALL else (flag,)
            yield _forbidden([f"{told} {one}" for one in every], f"{told} {flag}", told)


def _changed(said: set[str], call: Call, other: Call) -> Iterator[Demand]:
    """The same command but for one word, which the words name, as they name what took its place."""
    if len(call.argv) != len(other.argv):
        return
    pairs = [(one, two) for one, two in zip(call.argv[1:], other.argv[1:], strict=True) if one != two]
    if len(pairs) != 1 or pairs[0][0].startswith("-"):
        return
    was, now = (word.partition("=")[2] or word for word in pairs[0])
    program, subcommands, _, _ = words_of(call)
    named = [word for word in subcommands if word != was]
    told = now.lower() in said and (was.lower() in said or _EXACT.fullmatch(now))
    if not (_VALUE.fullmatch(was) and told) or was == call.argv[1] or not named:
        return
    command = " ".join([program, *named])
    asked = check("forbid-command", commands=[command], arguments=rf"^(?:--?[\w-]+=)?{re.escape(was)}$")
    yield Demand((asked,), (f"{command} {was}",), (f"{command} {now}",), f"say {now}")


def _forbidden(commands: list[str], bad: str, good: str) -> Demand:
    near = (f"{good} a.txt", f"grep -rn '{commands[0]}' docs", f"echo '{commands[0]}'")
    return Demand((check("forbid-command", commands=commands),), (bad,), near, f"run {plain(good)}")


PLUG = Fit(name="switches", fit=fit, any_clause=True)

"""Clause and labelled pair -> command patterns: what the quote names, the offence had and the accepted had not."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import calls_of, offences
from rulec.fits._patterns import Pattern, own_act, place_is_checkable
from rulec.fits._programs import EVERYDAY, SUBCOMMANDS, TWINS
from rulec.fits._readings import words_of
from rulec.fits._swaps import akin, is_noun, of_everything, swapped
from rulec.fits._words import conditional, pieces, stem, stems, telling, things
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.transcript import Action
from rulec.runtime.manuals import GLOBALS
from rulec.runtime.shell import Call

_WHOLE = re.compile(r"\b(?:whole|entire|all|everything|full|separately|single|individual|one by one)\b", re.IGNORECASE)
BARE = (
    "git",
    "git commit",
    "git add",
    "git push",
)  # the agent's daily work: no one means them all by "don't commit that"
SHORTEST_VERB = 4  # that says what a program does: "lint" is in "eslint"


def from_pair(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Pattern]:
    """Patterns for the likeliest offences, from the most to the least telling."""
    if conditional(clause) and not own_act(clause):
        return
    accepted = [call for action in after for call in calls_of(action)]
    checkable = place_is_checkable(clause)
    for action in offences(before):
        for call in calls_of(action):
            yield from of_everything(clause, call, accepted)
            if checkable:
                yield from _of_call(clause, call, accepted)
    if checkable and clause.polarity == "forbid":
        yield from _dropped_flag(clause, offences(before)[:1], after[:1])


def _of_call(clause: Clause, call: Call, accepted: list[Call]) -> Iterator[Pattern]:
    if clause.polarity == "forbid":
        yield from _named(clause, call)
        yield from _acted(clause, call)
    if clause.polarity == "prefer" and clause.preferred:
        yield from _replaced(clause, call, accepted)
    yield from _valued(clause, call, accepted)
    yield from swapped(clause, call, accepted)
    yield from _narrowed(clause, call, accepted)


def _named(clause: Clause, call: Call) -> Iterator[Pattern]:
    """The call's own words that the clause forbids by name."""
    program, subcommands, flags, rest = words_of(call)
    said = stems(f"{clause.verb} {' '.join(things(clause))}") - _EVERYDAY
    hits = [index for index, word in enumerate(subcommands) if _is_said(word, said)]
    long = TWINS.get(" ".join([program, *subcommands[:1]]), TWINS.get(program, {}))
    flagged = [flag for flag in flags if _all_said(flag if flag.startswith("--") else long.get(flag, ""), said)] + [
        flag for flag in flags if any(term.text == flag for term in clause.terms)
    ]
    pointing = bool(things(clause)) and all(thing.lower() in _POINTING for thing in things(clause))
    if not (flagged or (not pointing and (hits or stem(program) in said))):
        return
    kept = (
        subcommands[: max(hits) + 1]
        if hits
        else subcommands[:1]
        if flagged and (program in GLOBALS or " " in program)
        else []
    )
    command = " ".join([program, *kept, *dict.fromkeys(flagged)])
    covered = stems(" ".join([program, *kept, *flagged, *(long.get(flag, "") for flag in flagged)])) | {
        stem(clause.verb)
    }
    for thing in things(clause) or ("",):
        words = telling(thing)
        if not words or _covers(covered, words[0]) or (hits and is_noun(program, thing)):
            own = stem(program) in stems(thing) or (not words and stem(program) == stem(clause.verb))
            if command not in BARE and (hits or flagged or own):  # "the e2e tests": the first word tells which
                yield Pattern((command,))
            continue
        meant = [word for word in rest if words[0] in telling(word)]
        if meant:
            yield Pattern((command,), (), f"(?:^|[/@:=]){re.escape(meant[0].rpartition('/')[2])}$")


_POINTING = table("that this it them those these one ones")  # this one spot, not its kind
_EVERYDAY = frozenset(map(stem, ("run", "use", "do", "make", "get", "add", "start", "call", "just", "file", "code")))


_ACTS = {"kill": ("pkill", "killall", "kill", "taskkill", "fuser")}


def _acted(clause: Clause, call: Call) -> Iterator[Pattern]:
    """A phrase like "you killed my server": the program is called by what it does, and its operand tells to what."""
    programs = _ACTS.get(stem(clause.verb), ())
    program = words_of(call)[0]
    operands = (word for word in call.argv[1:] if not word.startswith("-"))
    named = [name for word in operands for name in re.findall(r"[A-Za-z][\w-]{2,}", word)]
    if program in programs and named and things(clause):
        yield Pattern(programs, (), rf"(?:^|[/ ]){re.escape(named[0])}\b", operand=named[0])


def _valued(clause: Clause, call: Call, accepted: list[Call]) -> Iterator[Pattern]:
    """A phrase like "against develop, not main": one word of a command is wrong, and another stands there later."""
    program, subcommands, _, _ = words_of(call)
    if not subcommands or not things(clause):
        return
    wanted = {word.strip("`'\".,") for thing in clause.preferred for word in thing.split()}
    for thing in things(clause):
        value = thing.strip("`'\"")
        holds = [word for word in call.argv[2:] if value in (word, word.partition("=")[2])]
        if not _VALUE.fullmatch(value) or not holds or value in subcommands:
            continue
        theirs = [other for other in accepted if words_of(other)[0] == program]
        if any(wanted & _values(other) for other in theirs) and not any(value in _values(other) for other in theirs):
            yield Pattern(
                (" ".join([program, *subcommands]),), (), rf"^(?:--?[\w-]+=)?{re.escape(value)}$", operand=value
            )


_VALUE = re.compile(r"[\w.:/@-]{2,40}")


def _values(call: Call) -> set[str]:
    return {part for word in call.argv[1:] for part in (word, word.partition("=")[2]) if part}


def _is_said(word: str, said: frozenset[str]) -> bool:
    parts = [stem(piece) for piece in pieces(word)]
    return stem(word) in said or "re" + stem(word) in said or any(len(part) > 1 and part in said for part in parts)


def _all_said(flag: str, said: frozenset[str]) -> bool:
    parts = pieces(flag)
    return bool(parts) and all(stem(part) in said for part in parts)


def _covers(covered: frozenset[str] | set[str], word: str) -> bool:
    return word in covered or (word.startswith("re") and word[2:] in covered)


def _dropped_flag(clause: Clause, last: Sequence[Action], first: Sequence[Action]) -> Iterator[Pattern]:
    """A phrase like "rather not that way": right afterwards the same command was run without a single flag."""
    was = [call for action in last for call in calls_of(action)]
    now = [call for action in first for call in calls_of(action)]
    if len(was) != 1 or len(now) != 1 or any(term.kind != "flag" for term in clause.terms):
        return
    program, subcommands, flags, _ = words_of(was[0])
    same, theirs, kept, _ = words_of(now[0])
    known = program in GLOBALS
    gone = [flag for flag in flags if flag not in kept and flag.startswith("--")]
    if same == program and len(gone) == 1 and (not known or theirs[:1] == subcommands[:1]):
        yield Pattern((" ".join([program, *(subcommands[:1] if known else ()), gone[0]]),))


def _replaced(clause: Clause, call: Call, accepted: list[Call]) -> Iterator[Pattern]:
    """The accepted call is what the clause prefers, and does the same work as this one."""
    program, subcommands, _, rest = words_of(call)
    wanted, unwanted = stems(" ".join(clause.preferred)), stems(" ".join(clause.forbidden))
    for other in accepted:
        theirs, their_subcommands, _, their_rest = words_of(other)
        shared = {*subcommands, *rest} & {*their_subcommands, *their_rest}
        if theirs == program or stem(theirs) not in wanted:
            continue
        served = program not in EVERYDAY and any(
            len(word) >= SHORTEST_VERB and word in program for word in (*their_subcommands, *their_rest)
        )  # "make test" for "pytest"
        alike = stem(program) in unwanted or served or (program not in EVERYDAY and shared - SUBCOMMANDS)
        if akin(program, theirs) or alike:
            yield Pattern((program,))
        elif shared & set(subcommands):
            yield Pattern((" ".join([program, *subcommands[:1]]),))


def _narrowed(clause: Clause, call: Call, accepted: list[Call]) -> Iterator[Pattern]:
    """A phrase like "check types everywhere, the full tree": the accepted command is the same one without a file."""
    if len(clause.verb) < SHORTEST_VERB or not _WHOLE.search(clause.text):
        return
    program, subcommands, _, rest = words_of(call)
    files = [word for word in rest if re.search(r"\.\w{1,5}$", word) and not word.startswith(".")]
    doing = any(stem(clause.verb) in word for word in (program, *subcommands))
    if not files or not doing:
        return
    ending = files[0].rpartition(".")[2]
    for other in accepted:
        same, theirs, _, their_rest = words_of(other)
        if (same, theirs) == (program, subcommands) and not any(word.endswith("." + ending) for word in their_rest):
            yield Pattern((" ".join([program, *subcommands]),), (), rf"\.{re.escape(ending)}$")

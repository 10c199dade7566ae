"""Commands that are not to be run, and those to run instead."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.fits._calls import from_pair
from rulec.fits._pair import calls_of, draft_from_pair
from rulec.fits._patterns import Pattern, said, trimmed
from rulec.fits._programs import FAMILIES, PROGRAMS, SUBCOMMANDS
from rulec.fits._swaps import reworded
from rulec.fits._words import stem
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import match, narrow
from rulec.runtime.shell import Call, parse


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-command and prefer-command."""
    clause = reworded(clause)
    if clause.polarity == "none" and not before:
        return
    instead = preferred_command(clause)
    spelled = _spelled(clause, instead)
    if not before:
        for pattern in spelled:
            if (
                not any(caught_by(pattern, call) for thing in clause.preferred for call in parse(thing).calls)
                or instead
            ):
                yield from (_stated(free, instead) for free in _freed(pattern, instead))
        return
    for pattern in (*spelled, *from_pair(clause, before, after)):
        for free in _freed(_carrying(clause, pattern), instead):
            yield from _proved(free, instead, before, after)


def _carrying(clause: Clause, pattern: Pattern) -> Pattern:
    """A phrase like "no sudo for docker": a program that runs others, with the one that is named."""
    found = re.match(r"(?:for|with|on) (?:the )?(?P<program>[\w-]+)", clause.when)
    if pattern.commands == ("sudo",) and found and found["program"] in PROGRAMS:
        return replace(pattern, commands=(f"sudo {found['program']}",))
    return pattern


def preferred_command(clause: Clause) -> str:
    """The command that the clause wants, whole, or ""."""
    for thing in trimmed(clause.preferred):
        inner = re.search(r"(?:\b(?:with|via|through|using|by running) |`)(?P<command>[^`]+)", thing)
        for text in (thing.strip("`"), inner["command"].strip("` ") if inner else ""):
            words = text.split()
            if words and words[0] in PROGRAMS and all(map(_is_command_word, words[1:], words)):
                return " ".join(words)
    return ""


def _is_command_word(word: str, previous: str) -> bool:
    known = word.startswith("-") or word in SUBCOMMANDS or word in PROGRAMS
    return known or previous.startswith("-") or previous in ("run", "make", "just")


def _freed(pattern: Pattern, instead: str) -> Iterator[Pattern]:
    """The pattern in a form that leaves free what is to be run instead; none where there is no such form."""
    commands = pattern.commands
    if not commands:
        return
    if instead.startswith("docker compose") and commands == ("docker-compose",):
        commands = ("docker-compose*",)  # the bare name means the subcommand as well
    if instead.startswith("git switch") and commands == ("git checkout",):
        commands = ("git checkout -b|-B|--orphan",)  # without them it may restore files
    found = replace(pattern, commands=commands)
    if instead.startswith("git restore") and commands == ("git checkout",):  # with files: else it changes branches
        found = replace(found, arguments=r"^(?:--|\.|[\w./-]+\.\w{1,5})$", operand="a.py")
    wanted = parse(instead).calls if instead else []
    if any(caught_by(found, call) for call in wanted):
        free = " ".join(match.plain(word) for word in instead.split())
        found = replace(found, unless=(*found.unless, free))
        if len(instead.split()) == 1 or any(caught_by(found, call) for call in wanted):
            return
    yield found


def _spelled(clause: Clause, instead: str) -> list[Pattern]:
    if clause.forbidden:
        return said(clause, clause.forbidden)
    if clause.polarity == "forbid":
        return said(clause, clause.objects)
    family = next((family for family in FAMILIES if instead in family), None)
    if not family or not said(clause, clause.preferred):
        return []
    if instead == "uv":
        return [Pattern(("pip",))]  # the others keep projects of their own
    return [Pattern(tuple(sorted(family - {instead, "uv"})))]


def caught_by(pattern: Pattern, call: Call, instead: str = "") -> bool:
    """Whether the guard would catch the call."""
    check = {
        "patterns": pattern.commands,
        "unless": pattern.unless,
        "arguments": pattern.arguments,
        "instead": instead,
    }
    return narrow.named(check, call) is not None


def _proved(pattern: Pattern, instead: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    def caught(action: Action) -> bool:
        return any(caught_by(pattern, call, instead) for call in calls_of(action))

    yield from draft_from_pair(
        (_check(pattern, instead),),
        caught,
        before,
        after,
        kinds=("command",),
        near=_near(pattern),
        do=f"run {_to(pattern, instead)}" if instead else "",
        because=f"{pattern.sample!r} was run before the person spoke and not afterwards",
    )


def _stated(pattern: Pattern, instead: str) -> Draft:
    invalid = [Example(kind="command", text=_with_argument(command, pattern)) for command in pattern.commands]
    valid = list(_near(pattern))
    if instead:
        valid.insert(0, Example(kind="command", text=_counterpart(pattern, instead)))
        valid += [
            Example(kind="command", text=text)
            for text in ("git checkout -- a.py",)
            if "git checkout" in invalid[0].text and not pattern.arguments
        ]
    free = [Example(kind="command", text=Pattern((pattern_free,)).sample) for pattern_free in pattern.unless]
    return Draft(
        checks=(_check(pattern, instead),),
        invalid=tuple(invalid),
        valid=tuple(dict.fromkeys((*valid, *free))),
        do=f"run {_to(pattern, instead)}" if instead else "",
        because="the statement names the command",
    )


def _check(pattern: Pattern, instead: str) -> Check:
    to = _to(pattern, instead)
    same_words = all(" -" not in command for command in pattern.commands)
    if instead and not pattern.unless and not pattern.arguments and same_words:
        return Check(kind="guard", template="prefer-command", parameters={"from": list(pattern.commands), "to": to})
    given = {
        "commands": list(pattern.commands),
        "unless": list(pattern.unless),
        "arguments": pattern.arguments,
        "instead": to,
    }
    return Check(
        kind="guard", template="forbid-command", parameters={key: value for key, value in given.items() if value}
    )


def _to(pattern: Pattern, instead: str) -> str:
    """What stands in the place of the pattern's words: "yarn add" for "npm install"."""
    program, *subcommands = pattern.commands[0].split()
    if instead == "uv" and program == "pip":
        return " ".join(["uv pip", *subcommands])
    family = any({program, instead} <= one for one in FAMILIES) or {program, instead} <= {"npm", "pnpm", "yarn", "bun"}
    if family and len(pattern.commands) == 1 and subcommands and program in ("npm", "pnpm", "yarn", "bun"):
        return " ".join([instead, *("add" if word == "install" else word for word in subcommands)])
    return instead


def _near(pattern: Pattern) -> tuple[Example, ...]:
    """Looking for the words of a command, or writing about it, is not running it."""
    near = (f"grep -rn '{pattern.sample}' docs", f"echo 'we do not use {pattern.sample} here'")
    return tuple(
        Example(kind="command", text=text)
        for text in near
        if not any(caught_by(pattern, call) for call in parse(text).calls)
    )


def _with_argument(command: str, pattern: Pattern) -> str:
    sample = Pattern((command,)).sample
    branch = re.search(r"\)\?(\w+)\$$", pattern.arguments)
    if pattern.operand:
        return f"{sample} {pattern.operand}"
    words = sample + (f" origin {branch[1]}" if branch else "")
    return (
        f"{words} install left-pad"
        if words in ("npm", "pnpm", "yarn", "bun")
        else f"{words} install requests"
        if stem(words) in ("pip", "pip3")
        else words
    )


def _counterpart(pattern: Pattern, instead: str) -> str:
    rest = _with_argument(pattern.commands[0], pattern).split()[1:]
    to = _to(pattern, instead)
    return " ".join([to, *rest]) if len(to.split()) == 1 else to


PLUG = Fit(name="commands", fit=fit, any_clause=True)

"""What the exceptions of a rule leave alone: places, forms of a command, their arguments, agents, environments."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import RuleException
from rulec.domain.files import globs
from rulec.domain.record import Record
from rulec.shell import action_events, writes
from rulec.shell.command_matching import matches, option_folders, words_beside_pattern
from rulec.shell.parsing.call import join_path
from rulec.shell.programs import facts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulec.domain.compiled_rule import CompiledRule
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


def narrow_rule(rule: CompiledRule, event: Event) -> CompiledRule | None:
    """The rule with what its exceptions spare in its scope; None where one of them spares the whole event."""
    spared = []
    for one in rule.facts.exceptions:
        if not (_bound_holds(one.agents, event.agent) and _bound_holds(one.environments, event.environment)):
            continue
        if not (one.include or one.exclude or one.commands or one.arguments):
            return None
        spared.append(one)
    return _with(rule, spared)


def _bound_holds(wanted: tuple[str, ...], known: str) -> bool:
    """Whether the condition of an exception holds; one on agents or environments never does where these are unknown."""
    return not wanted or known in wanted


def _with(rule: CompiledRule, spared: Iterable[RuleException]) -> CompiledRule:
    facts = rule.facts
    return rule.but(facts=facts.but(scope=facts.scope.but(spared=tuple(spared))))


def spares_path(spared: tuple[RuleException, ...], path: str) -> bool:
    """Whether an exception for places leaves the path alone."""
    return any(not is_of_commands(one) and one.holds(path) for one in spared)


def is_of_commands(one: RuleException) -> bool:
    """Whether an exception is for commands alone, by their form or by what they are given."""
    return bool(one.commands or one.arguments)


def spares_call(spared: tuple[RuleException, ...], event: Event, call: Call) -> bool:
    """Whether an exception leaves the command alone: for what it is, for where it runs, or for both."""
    return any(names_call(one, event, call) and _runs_in(one, event, call) for one in spared)


def files_by_rule(rule: CompiledRule, event: Event) -> list[tuple[CompiledRule, Event]]:
    """The files that a command touches, each with the rule as it holds for the very call that does it."""
    found = []
    for call in action_events.parsed_command(event).calls:
        bounds = [
            RuleException(include=one.include, exclude=one.exclude)
            for one in rule.facts.scope.spared
            if names_call(one, event, call)
        ]
        if all(one.include or one.exclude for one in bounds):
            own = _with(rule, bounds)
            found += [(own, file) for file in action_events.file_events(event, writes.effects_of_call(call))]
    return found


def names_call(one: RuleException, event: Event, call: Call) -> bool:
    """Whether an exception is for such a command: for its form, and for all the paths that it is given or changes."""
    wanted = [pattern for pattern in one.commands if matches(pattern, call)]
    if one.commands and not wanted:
        return False
    return not one.arguments or _is_given_only(one.arguments, wanted, event, call)


def _is_given_only(allowed: tuple[str, ...], forms: list[str], event: Event, call: Call) -> bool:
    """Whether each path that the command is given or changes is one of these, and there is one; all must be known."""
    paths = argument_paths(call, forms)
    if not paths:
        return False
    world = event.world
    for given in paths:
        path = action_events.relative_path(event, given).replace("*", "**")  # a star is no single sign
        names = (path, *(world.also(path) if world else ()))
        if any(name.startswith(globs.OUTSIDE_PREFIXES) or not globs.match(allowed, name) for name in names):
            return False
    return True


def argument_paths(call: Call, forms: list[str]) -> list[str]:
    """The paths that a command is given or changes, seen from where its text started; [] where one is not known.

    Where it is known what the program does to files these are meant, else all its words but those of the forms.
    """
    if call.adrift or call.dynamic or any(option_folders(call)):
        return []
    effects = writes.effects_of_call(call)
    if not all(effect.sure and not effect.elsewhere for effect in effects):
        return []
    found = [effect.path for effect in effects]
    if not effects or facts_of(call.program).get("writes") == "last":
        words = min((words_beside_pattern(form, call) for form in forms), key=len, default=call.argv[1:])
        values = [value for word in words if word[:1] == "-" and "/" in (value := word.partition("=")[2])]
        found += [join_path(call.cwd, word) for word in (*words, *values) if word[:1] != "-"]
    return [] if any(sign in path for path in found for sign in "$`{") else found


def _runs_in(one: RuleException, event: Event, call: Call) -> bool:
    """Whether a command runs where the exception holds; where it runs must be known."""
    if not (one.include or one.exclude):
        return True
    folder, places = action_events.relative_path(event, call.cwd), list(option_folders(call))
    if call.adrift or any("$" in place or "`" in place for place in places):
        return False
    return _stands(one, event, folder) and all(
        _inside(one, action_events.relative_path(event, join_path(call.cwd, place))) for place in places
    )


def _stands(one: RuleException, event: Event, folder: str) -> bool:
    """Whether the folder, and where links lead from it, lies within; where there is none a cd changes nothing."""
    world = event.world
    if world and not world.is_folder(folder) and not _made(event, folder):
        starts = [globs.literal_folder(glob) for glob in one.include]
        if any(start and world.is_folder(start) for start in starts):  # else nothing of it is here
            return False
    return all(_inside(one, place) for place in (folder, *(world.also(folder) if world else ())))


def _made(event: Event, folder: str) -> bool:
    """Whether the text names the folder otherwise than to go there, and so may make it."""

    def below(place: str) -> bool:
        return f"{action_events.relative_path(event, place)}/".startswith(f"{folder}/")

    calls = [call for call in action_events.parsed_command(event).calls if call.program not in ("cd", "pushd")]
    return any(below(join_path(call.cwd, word)) for call in calls if not below(call.cwd) for word in call.argv[1:])


def _inside(one: RuleException, folder: str) -> bool:
    return not folder.startswith(("/", "~", "..")) and one.holds(f"{folder}/." if folder else ".")


MARK = "rulec:"  # a text without it holds none
TOP = 5  # lines at the beginning of a file that may speak of all of it
LONGEST = 1_000  # characters of a line that are looked at
_FORM = re.compile(r"rulec:[ \t]{0,3}ignore\b[ \t]{0,3}(?:\[([^\]]{0,300})\])?")
_UNTIL = re.compile(r"(?<!\w)until[ \t]{0,3}[=:]?[ \t]{0,3}(\d[\w./-]{0,20})")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_CLOSE = re.compile(r"(?:\*/|-->|--%?>|%>|#\}|\*\)|\|#|\]\]|\"\"\"|''')[\s\S]*$")
_ALONE = re.compile(r"\W*(?:(?:REM|rem|dnl)\W+)?")  # what opens a comment in any language: no word but those
_WORD = re.compile(r"[^\W\d_]{2,}")


class InPlaceException(Record):
    """What a line says: the rules that it excepts, until when and why, and what is wrong with it."""

    slugs: list[str]
    until: str
    reason: str
    wrong: str
    alone: bool  # nothing but the comment stands in the line


def parse_line(line: str) -> InPlaceException | None:
    """What a line says of exceptions; None where it says nothing."""
    found = _FORM.search(line, 0, LONGEST) if MARK in line else None
    if found is None:
        return None
    slugs = [name for name in re.split(r"[\s,]+", found[1] or "") if name]
    rest = _CLOSE.sub("", line[found.end() : LONGEST])
    until = _UNTIL.search(rest)
    reason = (rest[: until.start()] + " " + rest[until.end() :] if until else rest).strip(" \t,;:-")
    reason = " ".join(reason.split())
    day = until[1].rstrip(".,;:") if until else ""
    wrong = ""
    if not slugs:
        wrong = "it names no rule: ignore[SLUG]"
    elif not day:
        wrong = "it has no end: until=YYYY-MM-DD"
    elif not _DAY.fullmatch(day):
        wrong = f"until={day} is no day: until=YYYY-MM-DD"
    elif not _WORD.search(reason):
        wrong = "it gives no reason"
    alone = _ALONE.fullmatch(line, 0, found.start()) is not None
    return InPlaceException(slugs=slugs, until=day, reason=reason, wrong=wrong, alone=alone)


def newly_excepted(lines: list[str], before: list[str], added: set[int] | None = None) -> set[tuple[int, str]]:
    """The lines, each with a slug, that except what none did before: one that moved, or whose code changed, is old.

    Without the lines that were ``added`` all may be; a copy is one more than there were.
    """
    stood: dict[tuple[str, str, str], int] = {}
    for _, one in _kept(before):
        stood[one] = stood.get(one, 0) + 1
    here = sorted(_kept(lines), key=lambda said: added is not None and said[0] in added)
    found = set()
    for number, one in here:
        left = stood.get(one, 0)
        stood[one] = left - 1
        if left < 1 and (added is None or number in added):
            found.add((number, one[0]))
    return found


def _kept(lines: list[str]) -> list[tuple[int, tuple[str, str, str]]]:
    """What each line says of each rule, with the line's number."""
    told = [(number, parse_line(line)) for number, line in enumerate(lines, 1)]
    return [(number, (slug, one.until, one.reason)) for number, one in told if one for slug in one.slugs]


def exceptions_at(lines: list[str], slug: str, first: int, last: int = 0) -> list[tuple[int, InPlaceException]]:
    """What is said of a rule's finding on those lines, each with its line number; first 0 is the whole file."""
    if first:
        places = [(first, False), (last if last > first else 0, False), (first - 1, True)]
    else:
        places = [(number, True) for number in range(1, TOP + 1)]
    found = []
    for number, apart in places:
        if 0 < number <= len(lines):
            one = parse_line(lines[number - 1])
            # one that names no rule is of whatever is found there
            if one and (one.alone or not apart) and (slug in one.slugs or not one.slugs):
                found.append((number, one))
    return found

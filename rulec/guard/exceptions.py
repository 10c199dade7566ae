"""What the exceptions of a rule leave alone: places, forms of a command, their arguments, agents, environments."""

from __future__ import annotations

from rulec.domain.compiled_rule import RuleException
from rulec.domain.files import globs
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

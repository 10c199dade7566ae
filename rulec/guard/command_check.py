"""The check on commands: whether an action runs what a rule names, and what to run instead."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import EventFinding
from rulec.domain.patterns.command_patterns import pattern_programs, pattern_words, plain_program
from rulec.guard import scopes
from rulec.shell import action_events
from rulec.shell.command_matching import (
    doubtful_calls,
    fits_words,
    matches,
    program_views,
    shown_redirections,
    words_and_flags,
    words_beside_pattern,
)
from rulec.shell.git import branches, folders
from rulec.shell.parsing import sql_text
from rulec.shell.parsing.call import WHY_UNREAD, Call, join_path
from rulec.shell.programs import ASKING, ASKING_SHORT, facts_of, interpreter_of, runs_how

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import CommandCheck, Facts
    from rulec.shell.action_events import Event


ELSEWHERE = frozenset(["service", "container", "inside", "remote"])  # how what runs on another machine is run
PUSHING = frozenset(["push", "send-pack"])  # git subtree push as well
UNKNOWN_BRANCH = "which branch is checked out then is not known; do it in two steps"


def pattern_naming(check: CommandCheck, call: Call, branch: str = "") -> str | None:
    """The pattern of the check that matches the call; None where no pattern does.

    ``branch`` is the one that is checked out, "" where that is not known.
    """
    call = with_alias_expanded(check, call)
    pattern = next((pattern for pattern in check.patterns if matches(pattern, call)), None)
    if pattern is None or _only_asks(" ".join([pattern, *check.flags]), call):
        return None
    return pattern if not _is_left_alone(check, call) and _meets_conditions(check, call, branch, pattern) else None


def _only_asks(asked: str, call: Call) -> bool:
    """Whether all that is asked is about the program, or what it would do, and the rule does not speak of that."""
    words = asked.split()[1:]
    if "dry_runs" in facts_of(call.program) and words and not re.search(r"(?<![\w-])(?:-n|--dry-run)(?![\w-])", asked):
        from rulec.shell.command_matching import is_dry_run  # noqa: PLC0415 (few commands of these programs are judged)

        if is_dry_run(call):  # of a rule on the whole program the dry run is no exception
            return True
    if not {"help", *ASKING, *ASKING_SHORT} & set(call.argv) or re.search(
        r"(?<![\w-])(?:help|--help|--version)(?![\w-])", asked
    ):
        return False
    from rulec.shell.command_matching import asks_for_help  # noqa: PLC0415 (few commands ask for help)

    return asks_for_help(call)


def why_possibly_named(check: CommandCheck, call: Call, text: str) -> str:
    """Why the check may speak of a call that it does not name for certain, or ""."""
    from rulec.shell import possible_matches  # noqa: PLC0415 (most commands leave none)

    call = with_alias_expanded(check, call)
    spared = any(possible_matches.spares_unknown_program(other, call) for other in check.unless)
    if spared or _is_left_alone(check, call) or not _meets_conditions(check, call, ""):
        return ""
    return possible_matches.why_possible(check.patterns, call, text)


def _is_left_alone(check: CommandCheck, call: Call) -> bool:
    """Whether the check leaves the call alone: by name, or since an allowed command runs it, as uv run does python."""
    free = check.unless
    if check.under and _is_under(check, call):
        return True
    wanted = _wanted_commands(check)
    carried = any(name in free or name in wanted for name in call.via)
    if carried or any(matches(other, call) for other in free):
        return True
    if not wanted:
        return False
    from rulec.shell.package_managers import installs_wanted_program  # noqa: PLC0415 (most commands are named by no rule)

    return installs_wanted_program(wanted, call)


def _may_run(check: CommandCheck, call: Call) -> bool:
    """Whether the rule allows the call, or asks for it, so that what its recipe or script runs is as it should be."""
    wanted = map(_without_settings, _wanted_commands(check))
    allowed = [*check.unless, *wanted, *check.under]
    return any(matches(pattern, call) for pattern in allowed if pattern)


def _without_settings(command: str) -> str:
    """The command without the variables that it sets: in `make test PKG=./...` they stand for any value.

    One that names a program alone beside them stays as it is: the program with anything is more than was asked for.
    """
    words = command.split()
    kept = [word for at, word in enumerate(words) if not at or "=" not in word or word.startswith("-")]
    return " ".join(kept) if len(kept) > 1 else command


def _is_under(check: CommandCheck, call: Call) -> bool:
    """Whether the call is run as it must be: by one of the commands, or from a path where that is left alone."""
    if any(word in ASKING for word in call.argv[1:]) or ("/" in call.argv[0] and not check.by_path):
        return True
    if any(runs_how(via) in ELSEWHERE for via in call.via):  # in which service it has to run is looked at by itself
        return True
    wanted = [" ".join(prefix.split()) + " " for prefix in check.under]
    return any(prefix.startswith(via + " ") for via in call.via for prefix in wanted)


def with_alias_expanded(check: CommandCheck, call: Call) -> Call:
    """The call with the command in place of its alias, where the rule gives one."""
    for name, command in check.aliases.items():
        own = name.split()
        if own and [call.program, *call.argv[1 : len(own)]] == own:
            return call.as_words([*command.split(), *call.argv[len(own) :]])
    return call


def _wanted_commands(check: CommandCheck) -> list[str]:
    return [one for one in (check.instead, *check.rewrite.values()) if one]


def _meets_conditions(check: CommandCheck, call: Call, branch: str, pattern: str = "") -> bool:
    """Whether the call is as the check says; the words that the pattern names are none of its arguments."""
    words = words_beside_pattern(pattern, call) if pattern else call.argv[1:]
    if not _is_given(check, call, words, pattern):
        return False
    if check.code and not _hands_over(check.code, call):
        return False
    if check.flags and (any(word in ASKING for word in words) or _has_flag(check, call)):
        return False
    if check.each and not any(_lacks(check, call, word) for word in words):
        return False
    if check.files and not any(_is_file(check.files, call, word) for word in words):
        return False
    if check.on_branch and not (branch and branches.is_one_of_branches(check.on_branch, branch)):
        return False
    if check.new_branch and not branches.misnames_branch(check.new_branch, call):
        return False
    if not check.pushes:
        return True
    from rulec.shell.git import pushes  # noqa: PLC0415 (few commands push)

    return pushes.pushes_to(check.pushes, call, branch)


def _is_given(check: CommandCheck, call: Call, words: list[str], pattern: str) -> bool:
    """Whether the call is given what the check asks for, among its words or on standard input."""
    asked = [*([check.arguments] if check.arguments else []), *check.also]
    if any(not any(sql_text.finds(one, word, call) for word in words) for one in asked):
        return False
    wanted, said = check.operands, check.says
    if wanted and not any(re.search(wanted, word) for word in operands(pattern, call)):
        return False
    return not said or any(re.search(said, text) for text in (*words, call.stdin))


def operands(pattern: str, call: Call) -> list[str]:
    """What the call is given beside the pattern's words: no option, and no value of one whose options are known."""
    asked, beside = pattern_words(pattern), words_beside_pattern(pattern, call)
    views = program_views(call)
    program, rest = next(
        (view for view in views if asked and fits_words(asked, *view)), views[0] if views else ("", [])
    )
    return [word for word in words_and_flags(program, rest)[0] if word in beside]


def _has_flag(check: CommandCheck, call: Call) -> bool:
    """Whether the call has one of the flags, with a matching value where the check asks for one."""
    value = check.value
    if not value:
        program = plain_program(call.program)
        return any(matches(program + " " + flag, call) for flag in check.flags)
    names = [name for flag in check.flags for name in flag.split("|")]
    letters = [name.strip("-")[:1].lower() for name in names]  # --project may have the short form -p or -P
    for at, word in enumerate(call.argv):
        name, _, own = word.partition("=")
        if name in names or (len(name) == 2 and name[0] == "-" and name[1].lower() in letters):
            following = call.argv[at + 1] if at + 1 < len(call.argv) else ""
            given = own or following
            if "$" in given or re.search(value, given):
                return True
    return False


def _hands_over(wanted: str, call: Call) -> bool:
    """Whether the code that the command is given to run, on its line or on standard input, matches."""
    from rulec.shell.writes import program_code  # noqa: PLC0415 (few checks look at code)

    text = program_code(call) if interpreter_of(call.program) else sql_text.handed_statements(call)
    return sql_text.finds(wanted, text, call, re.MULTILINE)


def _lacks(check: CommandCheck, call: Call, word: str) -> bool:
    """Whether the word is one that is judged and has not what it must have."""
    unknown = call.dynamic and "$" in word
    return not unknown and bool(re.search(check.each, word)) and not re.search(check.must, word)


def _is_file(wanted: str, call: Call, word: str) -> bool:
    return bool(word) and not word.startswith("-") and bool(re.search(wanted, join_path(call.cwd, word)))


def check_command(facts: Facts, check: CommandCheck, event: Event) -> list[EventFinding]:
    """Findings on the commands that an action runs; where none is certain, on what may be one."""
    if any(_may_run(check, call) for call in event.run_by):
        return []
    found = []
    for call in scopes.judged_calls(event):
        pattern, branch_known = _pattern_on_branch(check, event, call)
        if pattern is None or _has_branch(check, event, call) or not _is_accompanied(check, event, call):
            continue
        there = scopes.runs_there(check, event, call)
        if there is not False and scopes.holds_folder(facts.scope, event, call):
            lacks = _lacking(check, call) or ("" if there else "where it runs is not known")
            one = _finding(facts, call, _cure(check, with_alias_expanded(check, call), pattern), lacks, pattern)
            found.append(one if branch_known else one.but(unsure=UNKNOWN_BRANCH, held=True))
    found += _in_other_container(facts, check, event) if check.under else []
    return found if any(not one.unsure for one in found) else [*found, *_doubts(facts, check, event)]


def _is_accompanied(check: CommandCheck, event: Event, call: Call) -> bool:
    """Whether another command of the same text is one beside which the check forbids the call."""
    wanted = check.beside
    calls = action_events.parsed_command(event).calls if wanted else ()
    return not wanted or any(one is not call and any(matches(pattern, one) for pattern in wanted) for one in calls)


def _pattern_on_branch(check: CommandCheck, event: Event, call: Call) -> tuple[str | None, bool]:
    """The pattern that matches the call on the branch where it runs, and whether that branch is known."""
    wanted = [*check.on_branch, *check.pushes]
    pushing = call.program == "git" and not PUSHING.isdisjoint(call.argv)
    if not (wanted and call.program == "git") and not pushing:
        return pattern_naming(check, call), True
    calls = action_events.parsed_command(event).calls
    branch = branches.assumed_branch(check.on_branch, event, calls, call)
    found = [_pattern_if_on(check, event, call, one) for one in ([branch] if branch is not None else ["", *wanted[:1]])]
    return found[-1], found[0] == found[-1]


def _pattern_if_on(check: CommandCheck, event: Event, call: Call, branch: str) -> str | None:
    if not PUSHING.isdisjoint(call.argv):
        from rulec.shell.git import pushes  # noqa: PLC0415 (few commands push)

        call = pushes.explicit_push(event, action_events.parsed_command(event).calls, call, branch)
    return pattern_naming(check, call, branch)


def _in_other_container(facts: Facts, check: CommandCheck, event: Event) -> list[EventFinding]:
    """Findings on what is run in a container other than the one that it must be run in."""
    from rulec.shell import containers  # noqa: PLC0415 (few rules say in what a command is run)

    found = []
    for call in scopes.judged_calls(event):
        for inner in containers.run_in_other_container(check.under, call):
            pattern = pattern_naming(check, inner)
            if pattern and scopes.runs_there(check, event, call) is not False:
                found.append(_finding(facts, call, _cure(check, inner, pattern), ""))
                break
    return found


def _has_branch(check: CommandCheck, event: Event, call: Call) -> bool:
    """Whether the repository where git works knows a branch that a check of new names takes for one."""
    wanted = check.new_branch
    if not wanted:
        return False
    world = folders.world_of_git(event, call)
    return bool(world and not branches.misnames_branch(wanted, call, world))


def _finding(facts: Facts, call: Call, cure: str, unsure: str, pattern: str = "") -> EventFinding:
    text = action_events.command_line(call.argv) + shown_redirections(pattern, call)
    return EventFinding(facts=facts, text=text, program=call.program, cure=cure, unsure=unsure or False)


def _lacking(check: CommandCheck, call: Call) -> str:
    """Why a call without the flag that it must have may have it after all."""
    if not check.flags or not doubtful_calls([call]):
        return ""
    from rulec.shell import possible_matches  # noqa: PLC0415 (few commands leave any)

    word = possible_matches.hiding_word(call)
    return f"{word} may hold {check.flags[0]}" if word else ""


def _doubts(facts: Facts, check: CommandCheck, event: Event) -> list[EventFinding]:
    """Findings that are not certain: on the first command that may be what the rule names."""
    reading, text = action_events.parsed_command(event), event.command
    for call in doubtful_calls(scopes.judged_calls(event)):
        why = why_possibly_named(check, call, text)
        there = bool(why) and scopes.runs_there(check, event, call) is not False
        if there and scopes.holds_folder(facts.scope, event, call):
            return [_finding(facts, call, "", why)]
    if reading.unsure in WHY_UNREAD:
        words = set(re.findall(r"[\w.-]+", text))
        if any(name in words for pattern in check.patterns for name in pattern_programs(pattern) or ()):
            return [action_events.unread_finding(facts, event)]
    return []


def _cure(check: CommandCheck, call: Call, pattern: str) -> str:
    """What to run instead, computed from the very command where the rule says how."""
    for old, new in check.rewrite.items():
        if matches(old, call):
            from rulec.shell import package_managers  # noqa: PLC0415 (only where something was found)

            words = package_managers.rewrite_command(old, new, words_beside_pattern(old, call))
            return f"run `{action_events.command_line(words)}`" if words else f"use `{new}` instead of `{old}`"
    if check.under:
        return f"run `{action_events.command_line([*check.under[0].split(), *call.argv])}`"
    instead = check.instead
    return f"use `{instead}` instead of `{pattern}`" if instead else ""

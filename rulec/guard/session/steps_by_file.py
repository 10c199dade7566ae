"""What each changed file asks for by its own name: this test for that file, this suite for that package."""

import re

from rulec.domain.patterns import globs
from rulec.guard.session import earlier_steps
from rulec.guard.session.acts import Act
from rulec.guard.session.command_coverage import GROUP, fill_numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


MOST_FILES = 60  # that are judged, the last ones that were changed
SPECIAL = re.compile(r"([\\*?\[\]{},])")
FILLED = ("first_commands", "first_reads", "first_edits", "first")


def bind_path(check: "dict[str, Any]", path: str) -> "list[str] | None":
    """What the pattern binds in the path: the whole, then its groups; None where the pattern does not fit."""
    match = re.fullmatch(check["pattern"], path)
    return [path, *(group or "" for group in match.groups()), *[""] * 9] if match else None


def check_for_file(check: "dict[str, Any]", groups: "list[str]") -> "dict[str, Any]":
    """The check of one file: with what its path binds in place of the group numbers, and without the pattern."""
    own = {key: value for key, value in check.items() if key not in ("pattern", "since")}
    escaped = [SPECIAL.sub(r"\\\1", group) for group in groups]
    for key in FILLED:
        parts = escaped if key in ("first_reads", "first_edits") else groups
        value = check.get(key)
        if isinstance(value, str):
            own[key] = fill_numbers(value, parts)
        elif value:
            own[key] = [fill_numbers(one, parts) for one in value]
    own["first_of"] = [[form, *groups] for form in earlier_steps.first_commands(check) if GROUP.search(form)]
    return own


def search_by_file(
    check: "dict[str, Any]", scope: "dict[str, Any]", judged: Act, before: "Iterator[Act]"
) -> "earlier_steps.StepSearch":
    """The search of the first file that surely lacks what belongs to it; of one that perhaps does, where none does."""
    if judged.kind in ("edit", "delete"):
        own = check_for_file(check, bind_path(check, judged.path) or [])
        return _walked(own, scope, judged, before)
    found = earlier_steps.StepSearch(check, scope, judged)
    later: "list[Act]" = []
    known: "set[str]" = set()
    for act in before:
        if act.kind == "edit" and act.path not in known and len(known) < MOST_FILES and _counts(check, scope, act):
            known.add(act.path)
            groups = bind_path(check, act.path)
            own = check_for_file(check, groups) if groups else {}
            if groups and _there(own, judged):
                one = _walked(own, scope, judged, iter(later))
                one.since = act.path
                one.lacks = None if one.lacks and not act.sure else one.lacks
                if one.lacks:
                    return one
                found = one if one.lacks is None else found
        later.append(act)
    return found


def _walked(
    check: "dict[str, Any]", scope: "dict[str, Any]", judged: Act, before: "Iterator[Act]"
) -> "earlier_steps.StepSearch":
    found = earlier_steps.StepSearch(check, scope, judged)
    for act in before:
        if found.take(act):
            return found
    found.end()
    return found


def _counts(check: "dict[str, Any]", scope: "dict[str, Any]", act: Act) -> bool:
    wanted = check.get("since")
    return (not wanted or globs.match(wanted, act.path)) and earlier_steps.concerns_path(
        check.get("since_except"), scope, act.path
    )


def _there(own: "dict[str, Any]", judged: Act) -> bool:
    """Whether what the file asks for can be done at all: a test that is not there yet cannot be run."""
    world = judged.event.get("world")
    if not world:
        return True
    named = [word for form in own.get("first_of", ()) for word in form[0].split() if GROUP.search(word)]
    groups = own["first_of"][0][1:] if own.get("first_of") else []
    paths = [path for word in named if "/" in (path := fill_numbers(word, groups)) and not path.endswith("...")]
    asked = any(own.get(key) for key in earlier_steps.STEPS if key != "first_commands")
    plain = len(own.get("first_commands", ())) > len(own.get("first_of", ()))
    return asked or plain or len(paths) < len(named) or any(world.exists(path.partition("::")[0]) for path in paths)

"""What a session shows of a draft: the action that it catches, and the accepted ones, which it must let pass."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Draft
from rulec.domain.files import globs
from rulec.domain.files.languages import globs_with_covered
from rulec.domain.rule import Check, Example
from rulec.domain.transcript import Action
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

BY_SESSION = "the sentence names it, and the session shows it"
LONGEST = 4_000  # characters of an action's text that an example keeps
_MOST = 4  # accepted actions that become examples
_CHANGES = ("write", "edit", "delete")


def draft_with_session(draft: Draft, before: Sequence[Action], after: Sequence[Action], *, shown: bool) -> Draft | None:
    """The draft with the session's actions as examples; None where it catches what was accepted.

    With ``shown`` the session must show an action that it catches.
    """
    if any(_catches(draft, action) for action in after if not action.rejected):
        return None
    bad = [action for action in before if _catches(draft, action)]
    if shown and not bad:
        return None
    invalid = tuple(one for action in bad[-2:] for one in _examples(action))
    valid = tuple(one for action in after[:_MOST] for one in _examples(action))
    sides = tuple(dict.fromkeys((*invalid, *draft.invalid))), tuple(dict.fromkeys((*valid, *draft.valid)))
    return replace(draft, invalid=sides[0], valid=sides[1], because=BY_SESSION if bad else draft.because)


def _catches(draft: Draft, action: Action) -> bool:
    """Whether an action does what a draft refuses, as far as its parameters tell without running the check."""
    return any(_does(check, draft, action) for check in draft.checks)


def _does(check: Check, draft: Draft, action: Action) -> bool:
    given = check.parameters
    if action.kind == "command" and len(action.command) <= LONGEST:
        return _runs(check, action.command)
    if not action.path or action.kind not in _CHANGES or check.template == "require-before":
        return False
    if check.template in ("protect-path", "forbid-path"):
        spared = _items(given.get("except"))
        held = globs.match(_items(given.get("globs")), action.path) and not globs.match(spared, action.path)
        return held and (action.kind == "delete" or given.get("how") != ["delete"])
    if not globs.match(list(draft.scope.include), action.path) or globs.match(list(draft.scope.exclude), action.path):
        return False
    language = str(given.get("language", ""))
    if language and not globs.match(globs_with_covered(language), action.path):
        return False
    if "globs" in given and not globs.match(_items(given["globs"]), action.path):
        return False
    ways = [
        rf"(?<![\w.]){re.escape(name)}(?!\w)" for key in ("functions", "modules") for name in _items(given.get(key))
    ]
    ways += _items(given.get("patterns"))
    return any(len(re.findall(way, action.new)) > len(re.findall(way, action.old)) for way in ways)


def _runs(check: Check, command: str) -> bool:
    given = check.parameters
    if "push_to" in given:
        wanted, calls = set(_items(given["push_to"])), parse_shell(command).calls
        return any(matches("git push", call) and wanted & {w.rpartition(":")[2] for w in call.argv} for call in calls)
    if check.template not in ("forbid-command", "require-command") or "on_branch" in given:
        return False
    commands, unless = _items(given.get("commands")), _items(given.get("unless"))
    if any(str(prefix) in command for prefix in _items(given.get("prefixes"))):
        return False
    if given.get("inside") or given.get("outside"):
        return False  # where it ran is for the check itself to see
    calls = parse_shell(command).calls if commands else []
    return any(
        matches(one, call) for one in commands for call in calls if not any(matches(other, call) for other in unless)
    )


def _items(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else [str(value)] if value else []


def _examples(action: Action) -> Iterator[Example]:
    """An action as an example, where it can be one."""
    if action.kind == "command" and len(action.command) <= LONGEST:
        yield Example(kind="command", text=action.command, source="transcript")
    elif action.kind in ("write", "edit") and action.path and not action.path.startswith(("/", "~", "..")):
        if len(action.new) + len(action.old) > 4 * LONGEST:
            return
        if action.kind == "write" or not action.old:
            yield Example(kind="file", path=action.path, text=action.new, source="transcript")
        else:
            yield Example(kind="edit", path=action.path, old=action.old, text=action.new, source="transcript")

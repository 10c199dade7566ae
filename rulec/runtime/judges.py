"""The three kinds of guard check: on commands, on paths, on the text that is put into files."""

import re

from rulec.runtime import branches, events, globs, places, texts
from rulec.runtime.call import TOO_MUCH, Call
from rulec.runtime.match import doubtful, keys, matches, without
from rulec.runtime.narrow import doubted, named, renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def on_command(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on the commands that an action runs; where none is certain, on what may be one."""
    check = rule["check"]
    reading = events.parsed(event)
    found = []
    for call in reading.calls:
        asked = "pushes" in check or "on_branch" in check
        pattern = named(check, call, branches.supposed(check, event, reading.calls, call) if asked else "")
        if pattern is None or _has_branch(check, event, call) or _is_foreign(check, event, call):
            continue
        there = places.runs_there(check, event, call)
        if there is not False and places.in_folders(rule["facts"].get("scope", {}), event, call):
            lacks = _lacking(check, call) or ("" if there else "where it runs is not known")
            found.append(_finding(rule, call, _cure(check, renamed(check, call), pattern), lacks))
    found += _astray(rule, event) if check.get("under") else []
    return found if any(not one["unsure"] for one in found) else [*found, *_doubts(rule, event)]


def _astray(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what is run in a container other than the one that it must be run in."""
    from rulec.runtime import containers  # noqa: PLC0415 (few rules say in what a command is run)

    check, found = rule["check"], []
    for call in events.parsed(event).calls:
        for inner in containers.astray(check["under"], call):
            pattern = named(check, inner)
            if pattern and places.runs_there(check, event, call) is not False:
                found.append(_finding(rule, call, _cure(check, inner, pattern), ""))
                break
    return found


def _has_branch(check: "dict[str, Any]", event: "dict[str, Any]", call: Call) -> bool:
    """Whether this repository knows a branch that a check of new names takes for one."""
    wanted, world = check.get("new_branch"), event.get("world")
    return bool(wanted and world and not branches.misnamed(wanted, call, world))


def _is_foreign(check: "dict[str, Any]", event: "dict[str, Any]", call: Call) -> bool:
    """Whether git works in another repository, of which a check without places does not speak."""
    if call.program != "git" or check.get("inside") or check.get("outside"):
        return False
    from rulec.runtime import strangers  # noqa: PLC0415 (most commands are none of git)

    return strangers.foreign(event, call)


def _finding(rule: "dict[str, Any]", call: Call, cure: str, unsure: str) -> "dict[str, Any]":
    text = events.shown(call.argv)
    return events.finding_of(rule["facts"]["slug"], text=text, program=call.program, cure=cure, unsure=unsure or False)


def _lacking(check: "dict[str, Any]", call: Call) -> str:
    """Why a call without the flag that it must have may have it after all."""
    if not check.get("flags") or not doubtful([call]):
        return ""
    from rulec.runtime import doubts  # noqa: PLC0415 (few commands leave any)

    word = doubts.hides(call)
    return f"{word} may hold {check['flags'][0]}" if word else ""


def _doubts(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings that are not certain: on the first command that may be what the rule names."""
    check, reading, text = rule["check"], events.parsed(event), str(event.get("command") or "")
    for call in doubtful(reading.calls):
        why = doubted(check, call, text)
        there = bool(why) and places.runs_there(check, event, call) is not False
        if there and places.in_folders(rule["facts"].get("scope", {}), event, call):
            return [_finding(rule, call, "", why)]
    if reading.unsure in TOO_MUCH:
        words = set(re.findall(r"[\w.-]+", text))
        if any(name in words for pattern in check["patterns"] for name in keys(pattern) or ()):
            shown = text[: events.LONGEST_TEXT]
            return [events.finding_of(rule["facts"]["slug"], text=shown, unsure=reading.unsure)]
    return []


def _cure(check: "dict[str, Any]", call: Call, pattern: str) -> str:
    """What to run instead, computed from the very command where the rule says how."""
    for old, new in check.get("rewrite", {}).items():
        if matches(old, call):
            from rulec.runtime import cures  # noqa: PLC0415 (only where something was found)

            words = cures.rewritten(old, new, without(old, call))
            return f"run `{events.shown(words)}`" if words else f"use `{new}` instead of `{old}`"
    if check.get("under"):
        return f"run `{events.shown([*check['under'][0].split(), *call.argv])}`"
    instead = check.get("instead", "")
    return f"use `{instead}` instead of `{pattern}`" if instead else ""


def on_path(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on the file that an action creates, changes or deletes."""
    check = rule["check"]
    if check.get("left") and not event.get("left"):
        return []
    scope = rule["facts"].get("scope", {})
    how = check.get("how") or ["create", "change", "delete"]
    deletes = event["kind"] == "delete"
    exists = True if event["kind"] == "edit" else event.get("exists")
    acts = ["delete"] if deletes else ["change"] if exists else ["create"] if exists is False else ["create", "change"]
    meant = [act for act in acts if act in how]
    if not meant:
        return []
    names = (event["path"], *event.get("also", ()))
    outside = all(path.startswith(places.OUTSIDE) for path in names)  # else another work tree of this repository has it
    for path in names:
        named = places.spoken_of(check["globs"], path, all_files=outside)
        sure = places.protects(named, path, deletes=deletes)
        if sure is None and event.get("below") and places.protects(named, path, deletes=True):
            sure = False  # whether that file differs nobody knows
        if sure is None or globs.match(check.get("except", []), path) or not places.in_scope(scope, path):
            continue
        if event.get("into") and globs.match(check.get("except", []), path + "/."):
            continue
        if _innocent(check, event, path):
            continue
        why = "it is not plain that it does this" if event.get("unsure") else "" if sure else "it may be another file"
        why = why or ("" if len(meant) == len(acts) else "whether the file is there is not known")
        text = f"{' or '.join(meant)} {path}"
        return [events.finding_of(rule["facts"]["slug"], path=path, text=text, unsure=why or False)]
    return []


def _innocent(check: "dict[str, Any]", event: "dict[str, Any]", path: str) -> bool:
    from rulec.runtime import origin  # noqa: PLC0415 (only where a rule on paths would have a finding)

    return origin.innocent(check, event, path)


def on_text(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what an action puts into a file."""
    check = rule["check"]
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    if check.get("fresh") and (event["kind"] == "edit" or event.get("exists")):
        return []
    scope = rule["facts"].get("scope", {})
    for path in (event["path"], *event.get("also", ())):
        named = check.get("globs") or scope.get("include") or ["**"]
        wanted = globs.match(places.spoken_of(named, path, all_files=False), path)
        if wanted and not globs.match(check.get("except", []), path) and places.in_scope(scope, path):
            return [
                events.finding_of(rule["facts"]["slug"], path=path, line=line, text=text)
                for line, text in texts.seen(check, event)
            ]
    return []

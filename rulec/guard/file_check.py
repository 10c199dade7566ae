"""Files: whether a rule forbids to write, change or delete this path, or what is written into it."""

from __future__ import annotations

from rulec.domain.files import globs
from rulec.guard import generated_files, scopes
from rulec.guard.content import forbidden_text
from rulec.shell import action_events
from rulec.shell.action_events import parsed_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def is_innocent(check: dict[str, Any], event: dict[str, Any], path: str) -> bool:
    """Whether the act is none that the rule means: it takes back, or touches what the last commit does not hold."""
    if event.get("undoes") or _from_head(event):
        return True
    if check.get("existing") and at_head(event, path) is False:
        return True
    if check.get("ignored") is False and _is_ignored(event, path):
        return True
    may_create = "create" not in (check.get("how") or ("create",))  # then what the session made is its own to change
    if (event["kind"] == "delete" or may_create) and made_in_session(event, path):
        return True
    return event["kind"] != "delete" and _reverts(event, path)


def _from_head(event: dict[str, Any]) -> bool:
    """Whether git takes the file from the commit that is checked out: its source is HEAD's branch, or one file more."""
    if not event.get("taken"):
        return False
    from rulec.shell.git import branches  # noqa: PLC0415 (few commands take files from a commit)

    source, call, command = event["taken"]
    return branches.is_checked_out(source, command, parsed_command(command).calls, call)


def _is_ignored(event: dict[str, Any], path: str) -> bool:
    """Whether git ignores the file, so that no commit takes it along."""
    world = event.get("world")
    if not world:
        return False
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess)

    return pending_change.is_ignored(world.root, path)


def at_head(event: dict[str, Any], path: str) -> bool | None:
    """Whether the last commit holds the path, or something below it; None where that is not known."""
    world = event.get("world")
    if world:
        from rulec.checkout import git_call, pending_change  # noqa: PLC0415 (they need subprocess)

        known = pending_change.is_at_head(world.root, path)
        return True if known else None if git_call.refusal_by_owner(world.root) else False
    if event.get("past") is None:  # a change as git tells it: what is deleted stood there
        return True if event["kind"] == "delete" else event.get("exists")
    return not made_in_session(event, path) and (event["kind"] != "write" or event.get("exists") is not False)


def made_in_session(event: dict[str, Any], path: str) -> bool:
    """Whether the session plainly created the file."""
    past = _past(event)
    if not past or past[0]["kind"] == "gap":
        return False
    for earlier in past:
        for touched, created in _touched(earlier):
            if globs.match([touched], path) or touched.startswith(path + "/"):
                world = event.get("world")
                return created and (world is None or at_head(event, path) is False)
    return False


def _past(event: dict[str, Any]) -> list[dict[str, Any]]:
    """What the session did before; read only now, where the hook gives the means and not the events."""
    past = event.get("past")
    found = past() if callable(past) else past
    event["past"] = found or []
    return event["past"] if isinstance(event["past"], list) else []


def _touched(event: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Paths that an act of the past looked at or changed, and whether it may have created them."""
    if event["kind"] == "command":
        from rulec.shell import writes  # noqa: PLC0415 (only of a command)

        for effect in writes.file_effects(parsed_command(event)):
            there = effect.delete or effect.existing or effect.appends
            yield action_events.relative_path(event, effect.path), effect.sure and not there
        for path in action_events.new_folders(event):
            yield path, True
    elif event.get("path"):
        yield event["path"], event["kind"] == "write" and event.get("exists") is not True


def _reverts(event: dict[str, Any], path: str) -> bool:
    """Whether the edit restores the file of the last commit, or the text before this session's last edit."""
    if event["kind"] not in ("edit", "write"):
        return False
    content, world = event.get("content"), event.get("world")
    if isinstance(content, str) and content and world:
        from rulec.checkout import pending_change  # noqa: PLC0415 (as above)

        return pending_change.texts_at_head(world.root, [path]).get(path) == content
    if event["kind"] != "edit" or not (event.get("old") or event.get("new")):
        return False
    mine = [one for one in _past(event) if one["kind"] == "edit" and one.get("path") == path]
    return any((one.get("old"), one.get("new")) == (event.get("new"), event.get("old")) for one in mine)


def _is_in_checkout(check: dict[str, Any], event: dict[str, Any]) -> bool:
    """Whether the file lies in a work tree of the kind that the check speaks of; of a commit nobody knows."""
    if not check.get("checkout"):
        return True
    world = event.get("world")
    root = world.root if world else str(event.get("tree") or "")
    return scopes.is_in_checkout(check, root) and not generated_files.is_of_commit(event)


def check_path(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on the file that an action creates, changes or deletes."""
    check = rule["check"]
    unfinished = check.get("left") and not (event.get("left") or generated_files.is_of_commit(event))
    if unfinished or not _is_in_checkout(check, event):
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
    outside = all(
        path.startswith(globs.OUTSIDE_PREFIXES) for path in names
    )  # else another work tree of this repository has it
    for path in names:
        named = scopes.applicable_globs(check["globs"], path, all_files=outside)
        sure = globs.names_path(named, path, deletes=deletes)
        if sure is None and event.get("below") and globs.names_path(named, path, deletes=True):
            sure = False  # whether that file differs nobody knows
        if sure is None or scopes.is_excepted(check, path) or not scopes.holds_path(scope, path):
            continue
        if event.get("into") and globs.match(check.get("except", []), path + "/."):
            continue
        if is_innocent(check, event, path):
            continue
        if generated_files.is_written_by_generator(check, event):
            continue
        why = "it is not plain that it does this" if event.get("unsure") else ""
        why = why or ("" if sure else "it may be another file")
        why = why or ("" if len(meant) == len(acts) else "whether the file is there is not known")
        text = f"{' or '.join(meant)} {path}"
        if generated_files.is_of_unknown_hand(check, event):
            return [generated_files.told_finding(rule["facts"]["slug"], path, text)]
        found = action_events.finding_of(rule["facts"]["slug"], path=path, text=text, unsure=why or False)
        return [{**found, "by_hand": True} if check.get("generated_by") else found]
    return []


def check_text(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on what an action puts into a file."""
    check = rule["check"]
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    if check.get("fresh") and (event["kind"] == "edit" or event.get("exists")):
        return []
    event = _with_source(rule, event)
    for path in (event["path"], *event.get("also", ())):
        if _looks_at(rule, path):
            found = [
                action_events.finding_of(rule["facts"]["slug"], path=path, line=line, last=last, text=text)
                for line, last, text in forbidden_text.find_text(check, event)
            ]
            if found and check.get("ignored") is False and _is_ignored(event, path):
                continue
            why = "" if found else forbidden_text.why_unread(check, event)
            unread = action_events.finding_of(
                rule["facts"]["slug"], path=path, text=f"write {path}", unsure=why, held=True
            )
            return [{**unread, "cure": "write it in smaller pieces"}] if why else found
    return []


def _looks_at(rule: dict[str, Any], path: str) -> bool:
    """Whether a rule on text speaks of the file."""
    check, scope = rule["check"], rule["facts"].get("scope", {})
    named = check.get("globs") or scope.get("include") or ["**"]
    wanted = globs.match(scopes.applicable_globs(named, path, all_files=False), path)
    return bool(wanted) and not globs.match(check.get("except", []), path) and bool(scopes.holds_path(scope, path))


def _with_source(rule: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """The event of a file that was moved as a change of the old one, if the rule spoke of it where it stood."""
    source = event.get("source")
    if not source or not _looks_at(rule, source["path"]):
        return event
    return {**event, "old": source["text"], "was": source["path"]}

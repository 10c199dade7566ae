"""Where a file comes from: the last commit, or this very session; and whether an act only takes back what it did."""

from rulec.domain.patterns import globs
from rulec.shell.action_events import parsed_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def is_innocent(check: "dict[str, Any]", event: "dict[str, Any]", path: str) -> bool:
    """Whether the act is none that the rule means: it takes back, or touches what the last commit does not hold."""
    if event.get("undoes") or _from_head(event):
        return True
    if check.get("existing") and at_head(event, path) is False:
        return True
    return made_in_session(event, path) if event["kind"] == "delete" else _reverts(event, path)


def _from_head(event: "dict[str, Any]") -> bool:
    """Whether git takes the file from the commit that is checked out: its source is HEAD's branch, or one file more."""
    if not event.get("taken"):
        return False
    from rulec.shell import git_branches  # noqa: PLC0415 (few commands take files from a commit)

    source, call, command = event["taken"]
    return git_branches.is_checked_out(source, command, parsed_command(command).calls, call)


def at_head(event: "dict[str, Any]", path: str) -> "bool | None":
    """Whether the last commit holds the path, or something below it; None where that is not known."""
    world = event.get("world")
    if world:
        from rulec.checkout import head  # noqa: PLC0415 (it needs subprocess)

        return head.is_at_head(world.root, path)
    if event.get("past") is None:  # a change as git tells it: what is deleted stood there
        return True if event["kind"] == "delete" else event.get("exists")
    return not made_in_session(event, path) and (event["kind"] != "write" or event.get("exists") is not False)


def made_in_session(event: "dict[str, Any]", path: str) -> bool:
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


def _past(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """What the session did before; read only now, where the hook gives the means and not the events."""
    past = event.get("past")
    found = past() if callable(past) else past
    event["past"] = found or []
    return event["past"] if isinstance(event["past"], list) else []


def _touched(event: "dict[str, Any]") -> "Iterator[tuple[str, bool]]":
    """Paths that an act of the past looked at or changed, and whether it may have created them."""
    if event["kind"] == "command":
        from rulec.shell import action_events  # noqa: PLC0415 (as above)
        from rulec.shell.effects import command_effects  # noqa: PLC0415 (as above)

        for effect in command_effects.file_effects(parsed_command(event)):
            there = effect.delete or effect.existing or effect.appends
            yield action_events.relative_path(event, effect.path), effect.sure and not there
        for path in action_events.new_folders(event):
            yield path, True
    elif event.get("path"):
        yield event["path"], event["kind"] == "write" and event.get("exists") is not True


def _reverts(event: "dict[str, Any]", path: str) -> bool:
    """Whether the file will be again what the last commit holds, or what it was before this session's own edit."""
    if event["kind"] not in ("edit", "write"):
        return False
    content, world = event.get("content"), event.get("world")
    if isinstance(content, str) and content and world:
        from rulec.checkout import head  # noqa: PLC0415 (as above)

        return head.texts_at_head(world.root, [path]).get(path) == content
    if event["kind"] != "edit" or not (event.get("old") or event.get("new")):
        return False
    mine = [one for one in _past(event) if one["kind"] == "edit" and one.get("path") == path]
    return any((one.get("old"), one.get("new")) == (event.get("new"), event.get("old")) for one in mine)

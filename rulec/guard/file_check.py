"""Files: whether a rule forbids to write, change or delete this path, or what is written into it."""

from __future__ import annotations

from rulec.domain.compiled_rule import EVERYWHERE, EventFinding
from rulec.domain.files import globs
from rulec.guard import forbidden_text, scopes
from rulec.shell import action_events
from rulec.shell.action_events import parsed_command
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulec.domain.compiled_rule import Facts, PathCheck, TextCheck
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


HOW = ("create", "change", "delete")


def is_innocent(check: PathCheck, event: Event, path: str) -> bool:
    """Whether the act is none that the rule means: it takes back, or touches what the last commit does not hold."""
    if event.undoes or _from_head(event):
        return True
    if check.existing and at_head(event, path) is False:
        return True
    if not check.ignored and _is_ignored(event, path):
        return True
    may_create = "create" not in (check.how or ("create",))  # then what the session made is its own to change
    if (event.kind == "delete" or may_create) and made_in_session(event, path):
        return True
    return event.kind != "delete" and _reverts(event, path)


def _from_head(event: Event) -> bool:
    """Whether git takes the file from the commit that is checked out: its source is HEAD's branch, or one file more."""
    taken = event.taken
    if not taken or taken.call is None:
        return False
    from rulec.shell.git import branches  # noqa: PLC0415 (few commands take files from a commit)

    return branches.is_checked_out(taken.source, taken.event, parsed_command(taken.event).calls, taken.call)


def _is_ignored(event: Event, path: str) -> bool:
    """Whether git ignores the file, so that no commit takes it along."""
    world = event.world
    if not world:
        return False
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess)

    return pending_change.is_ignored(world.root, path)


def at_head(event: Event, path: str) -> bool | None:
    """Whether the last commit holds the path, or something below it; None where that is not known."""
    world = event.world
    if world:
        from rulec.checkout import git_call, pending_change  # noqa: PLC0415 (they need subprocess)

        known = pending_change.is_at_head(world.root, path)
        return True if known else None if git_call.refusal_by_owner(world.root) else False
    if event.past is None:  # a change as git tells it: what is deleted stood there
        return True if event.kind == "delete" else event.exists
    return not made_in_session(event, path) and (event.kind != "write" or event.exists is not False)


def made_in_session(event: Event, path: str) -> bool:
    """Whether the session plainly created the file."""
    past = _past(event)
    if not past or past[0].kind == "gap":
        return False
    for earlier in past:
        for touched, created in _touched(earlier):
            if globs.match([touched], path) or touched.startswith(path + "/"):
                world = event.world
                return created and (world is None or at_head(event, path) is False)
    return False


def _past(event: Event) -> Sequence[Event]:
    """What the session did before; read only now, where the hook gives the means and not the events."""
    if callable(event.past):
        event.past = event.past()
    return event.past or ()


def _touched(event: Event) -> Iterator[tuple[str, bool]]:
    """Paths that an act of the past looked at or changed, and whether it may have created them."""
    if event.kind == "command":
        from rulec.shell import writes  # noqa: PLC0415 (only of a command)

        for effect in writes.file_effects(parsed_command(event)):
            there = effect.delete or effect.existing or effect.appends
            yield action_events.relative_path(event, effect.path), effect.sure and not there
        for path in action_events.new_folders(event):
            yield path, True
    elif event.path:
        yield event.path, event.kind == "write" and event.exists is not True


def _reverts(event: Event, path: str) -> bool:
    """Whether the edit restores the file of the last commit, or the text before this session's last edit."""
    if event.kind not in ("edit", "write"):
        return False
    if event.content and event.world:
        from rulec.checkout import pending_change  # noqa: PLC0415 (as above)

        return pending_change.texts_at_head(event.world.root, [path]).get(path) == event.content
    if event.kind != "edit" or not (event.old or event.new):
        return False
    mine = [one for one in _past(event) if one.kind == "edit" and one.path == path]
    return any((one.old, one.new) == (event.new, event.old) for one in mine)


def _is_in_checkout(wanted: str, event: Event) -> bool:
    """Whether the file lies in a work tree of the kind that is wanted; of a commit nobody knows."""
    if not wanted:
        return True
    root = event.world.root if event.world else event.tree_root
    return scopes.is_in_checkout(wanted, root) and not is_of_commit(event)


def check_path(facts: Facts, check: PathCheck, event: Event) -> list[EventFinding]:
    """Findings on the file that an action creates, changes or deletes."""
    unfinished = check.left and not (event.left or is_of_commit(event))
    if unfinished or not _is_in_checkout(check.checkout, event):
        return []
    deletes = event.kind == "delete"
    exists = True if event.kind == "edit" else event.exists
    acts = ["delete"] if deletes else ["change"] if exists else ["create"] if exists is False else ["create", "change"]
    meant = [act for act in acts if act in (check.how or HOW)]
    # else another work tree of this repository has it
    outside = all(path.startswith(globs.OUTSIDE_PREFIXES) for path in event.names)
    for path in event.names if meant else ():
        named = scopes.applicable_globs(check.globs, path, all_files=outside)
        sure = globs.names_path(named, path, deletes=deletes)
        if sure is None and event.below and globs.names_path(named, path, deletes=True):
            sure = False  # whether that file differs nobody knows
        if sure is None or scopes.is_excepted(check.except_, path) or not scopes.holds_path(facts.scope, path):
            continue
        if event.into and globs.match(check.except_, path + "/."):
            continue
        if is_innocent(check, event, path) or is_written_by_generator(check, event):
            continue
        why = "it is not plain that it does this" if event.unsure else ""
        why = why or ("" if sure else "it may be another file")
        why = why or ("" if len(meant) == len(acts) else "whether the file is there is not known")
        text = f"{' or '.join(meant)} {path}"
        if is_of_unknown_hand(check, event):
            return [told_finding(facts, path, text)]
        by_hand = bool(check.generated_by)
        return [EventFinding(facts=facts, path=path, text=text, unsure=why or False, by_hand=by_hand)]
    return []


def check_text(facts: Facts, check: TextCheck, event: Event) -> list[EventFinding]:
    """Findings on what an action puts into a file."""
    if event.kind == "delete" or event.unsure or (check.fresh and (event.kind == "edit" or event.exists)):
        return []
    event = _with_source(facts, check, event)
    path = next((path for path in event.names if looks_at(facts, check, path)), "")
    if not path:
        return []
    found = [
        EventFinding(facts=facts, path=path, line=line, last=last, text=text)
        for line, last, text in forbidden_text.find_text(check, event)
    ]
    if found and not check.ignored and _is_ignored(event, path):
        return []
    why = "" if found else forbidden_text.why_unread(check, event)
    cure = "write it in smaller pieces"
    unread = EventFinding(facts=facts, path=path, text=f"write {path}", unsure=why, held=True, cure=cure)
    return [unread] if why else found


def looks_at(facts: Facts, check: TextCheck, path: str) -> bool:
    """Whether a rule on text speaks of the file."""
    named = check.globs or facts.scope.include or EVERYWHERE
    wanted = globs.match(scopes.applicable_globs(named, path, all_files=False), path)
    return wanted and not globs.match(check.except_, path) and scopes.holds_path(facts.scope, path)


def _with_source(facts: Facts, check: TextCheck, event: Event) -> Event:
    """The event of a file that was moved as a change of the old one, if the rule spoke of it where it stood."""
    source = event.source
    if not source or not looks_at(facts, check, source.path):
        return event
    return event.but(old=source.text, was=source.path)


UNKNOWN_HAND = "whether its generator wrote it is not known here"


def runs_generator(check: PathCheck, call: Call | None) -> bool:
    """Whether the command is one by which the files of the check may be written."""
    return call is not None and any(matches(one, call) for one in check.generated_by)


def is_written_by_generator(check: PathCheck, event: Event) -> bool:
    """Whether the file is written by a command that may: by its own words, or as the session's record shows it."""
    if not check.generated_by:
        return False
    by_session = event.written_by
    return runs_generator(check, event.call) or bool(by_session and by_session(check))


def is_of_unknown_hand(check: PathCheck, event: Event) -> bool:
    """Whether the file may be written by a generator, and the event is the change of a commit, which has no session."""
    return bool(check.generated_by) and is_of_commit(event)


def is_of_commit(event: Event) -> bool:
    """Whether the event is a file of a commit, of which nobody knows where and by what it was written."""
    return event.past is None and event.world is None and not event.left


def told_finding(facts: Facts, path: str, text: str) -> EventFinding:
    """A finding that is told, and refuses nothing."""
    return EventFinding(
        facts=facts, path=path, text=text, unsure=UNKNOWN_HAND, told=True, cure="write it by its generator"
    )

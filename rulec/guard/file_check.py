"""The checks on paths and on the text that is put into files."""

from rulec.domain.patterns import globs
from rulec.guard import scopes
from rulec.guard.content import forbidden_text
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def check_path(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
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
    outside = all(
        path.startswith(globs.OUTSIDE_PREFIXES) for path in names
    )  # else another work tree of this repository has it
    for path in names:
        named = scopes.applicable_globs(check["globs"], path, all_files=outside)
        sure = globs.names_path(named, path, deletes=deletes)
        if sure is None and event.get("below") and globs.names_path(named, path, deletes=True):
            sure = False  # whether that file differs nobody knows
        if sure is None or globs.match(check.get("except", []), path) or not scopes.holds_path(scope, path):
            continue
        if event.get("into") and globs.match(check.get("except", []), path + "/."):
            continue
        if _innocent(check, event, path):
            continue
        why = "it is not plain that it does this" if event.get("unsure") else "" if sure else "it may be another file"
        why = why or ("" if len(meant) == len(acts) else "whether the file is there is not known")
        text = f"{' or '.join(meant)} {path}"
        return [action_events.finding_of(rule["facts"]["slug"], path=path, text=text, unsure=why or False)]
    return []


def _innocent(check: "dict[str, Any]", event: "dict[str, Any]", path: str) -> bool:
    from rulec.guard import file_origin  # noqa: PLC0415 (only where a rule on paths would have a finding)

    return file_origin.is_innocent(check, event, path)


def check_text(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what an action puts into a file."""
    check = rule["check"]
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    if check.get("fresh") and (event["kind"] == "edit" or event.get("exists")):
        return []
    scope = rule["facts"].get("scope", {})
    for path in (event["path"], *event.get("also", ())):
        named = check.get("globs") or scope.get("include") or ["**"]
        wanted = globs.match(scopes.applicable_globs(named, path, all_files=False), path)
        if wanted and not globs.match(check.get("except", []), path) and scopes.holds_path(scope, path):
            return [
                action_events.finding_of(rule["facts"]["slug"], path=path, line=line, text=text)
                for line, text in forbidden_text.find_text(check, event)
            ]
    return []

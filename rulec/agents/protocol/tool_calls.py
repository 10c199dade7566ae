"""Tool calls as actions, by the names that agents have for the same arguments."""

from rulec.agents.protocol.agent_spec import as_mapping, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


COMMAND = ("command", "cmd", "script")
FOLDER = ("workdir", "working_directory", "workingDirectory", "dir_path", "directory", "cwd")
PLACE = (
    "file_path", "filePath", "path", "absolute_path", "target_file", "relative_workspace_path", "notebook_path",
    "target_notebook", "filename",
)  # fmt: skip
OLD = ("old_string", "oldString", "old_str", "oldText")
NEW = ("new_string", "newString", "new_str", "newText", "insert_text", "new_source")
WHOLE = ("content", "contents", "file_text", "fileText", "code_edit", "text")
EVERY = ("replace_all", "replaceAll", "allow_multiple")
PATCH = ("patchText", "patch", "input", "command")
RUNNERS = ("sh", "bash", "zsh", "dash", "ksh")


def tool_actions(kind: str, given: object) -> "list[dict[str, Any]]":
    """What a call of a tool of that kind (command, write, edit, file, delete or patch) does."""
    if kind == "patch":
        from rulec.agents.protocol import patches  # noqa: PLC0415 (few calls are patches)

        return patches.patch_actions(as_text(given) or first_argument(as_mapping(given), PATCH))
    call = as_mapping(given)
    if kind == "command":
        return command_actions(call)
    if kind == "file":  # one tool for all that an editor does
        if call.get("command") == "view":
            return []
        kind = "write" if any(key in call for key in WHOLE) and not first_argument(call, OLD) else "edit"
    path = first_argument(call, PLACE)
    if kind == "delete":
        return [{"kind": "delete", "path": path}]
    if kind == "write":
        content = first_argument(call, WHOLE) or first_argument(call, NEW)
        return [{"kind": "write", "path": path, "new": content, "content": content}]
    listed = call.get("edits")
    edits = [_edit(as_mapping(one)) for one in listed] if isinstance(listed, list) else [_edit(call)]
    edits = [edit for edit in edits if edit[0] or edit[1]]
    more = {} if edits or not first_argument(call, WHOLE) else {"new": first_argument(call, WHOLE)}
    return [{"kind": "edit", "path": path, "edits": edits, **more}]


def command_actions(call: "dict[str, Any]") -> "list[dict[str, Any]]":
    """A command, and the files of a patch that it may carry."""
    value = next((call[key] for key in COMMAND if call.get(key)), "")
    line = _script(value) if isinstance(value, list) else as_text(value)
    folder = first_argument(call, FOLDER)
    found: "list[dict[str, Any]]" = [{"kind": "command", "command": line, **({"cwd": folder} if folder else {})}]
    if "*** Begin Patch" in line and "patch" in line.partition("*** Begin Patch")[0]:
        from rulec.agents.protocol import patches  # noqa: PLC0415 (as above)

        found += [{**one, **({"cwd": folder} if folder else {})} for one in patches.patch_actions(line)]
    return found


def first_argument(given: "dict[str, Any]", keys: "tuple[str, ...]") -> str:
    """The first of these arguments that is there."""
    return next((value for key in keys if (value := as_text(given.get(key)))), "")


def _edit(given: "dict[str, Any]") -> "tuple[str, str, bool]":
    return first_argument(given, OLD), first_argument(given, NEW), any(given.get(key) is True for key in EVERY)


def _script(words: "list[Any]") -> str:
    """The words of a command as one line; what a shell is given to run, as that."""
    said = [as_text(word) for word in words]
    if len(said) > 2 and said[0].rpartition("/")[2] in RUNNERS and said[-2] in ("-c", "-lc", "-ic", "-lic"):
        return said[-1]
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in said)

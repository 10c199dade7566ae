"""Tool calls as actions, by the names that agents have for the same arguments."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import ToolAction, as_mapping, as_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


# The names under which agents give the same argument, the first that is there counts; hooks and transcripts share them.
COMMAND = ("command", "cmd", "script", "CommandLine", "commandLine", "bash_command")
TYPED = ("chars", "input", "data", "keys", "text")  # what is typed into a shell that runs already
FOLDER = ("workdir", "working_directory", "workingDirectory", "dir_path", "directory", "cwd")
PLACE = (
    "file_path", "filePath", "absolute_path", "absolutePath", "path", "filepath", "target_file", "TargetFile",
    "relative_workspace_path", "notebook_path", "target_notebook", "file_name", "filename", "file",
)  # fmt: skip
OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "search", "old")
NEW = ("new_string", "newString", "new_str", "newText", "new_text", "replace", "new", "insert_text", "new_source")
WHOLE = ("content", "contents", "file_text", "fileText", "code_edit", "CodeContent", "text", "code", "newCode")
EVERY = ("replace_all", "replaceAll", "allow_multiple")
PATCH = ("patchText", "patch", "input", "diff", "command")
RUNNERS = ("sh", "bash", "zsh", "dash", "ksh", "fish", "powershell", "pwsh", "cmd")
SCRIPT = ("-c", "-lc", "-ic", "-lic", "-command", "/c")  # behind a shell's name: what it is to run comes next


def tool_actions(kind: str, given: object) -> list[ToolAction]:
    """What a call of a tool does, by its kind: command, task, typed, write, edit, edits, file, delete or patch."""
    if kind == "patch":
        from rulec.agents.protocol import patches  # noqa: PLC0415 (few calls are patches)

        return patches.patch_actions(as_text(given) or first_argument(as_mapping(given), PATCH))
    call = as_mapping(given)
    if kind == "command":
        return command_actions(call)
    if kind == "task":
        return _task(as_mapping(call.get("task")))
    if kind == "edits":
        listed = call.get("replacements")
        return [one for each in listed for one in tool_actions("edit", each)] if isinstance(listed, list) else []
    if kind == "typed":
        line = typed_line(first_argument(call, TYPED))
        return [ToolAction(kind="command", command=line)] if line else []
    if kind == "file":  # one tool for all that an editor does
        if call.get("command") == "view":
            return []
        kind = "write" if any(key in call for key in WHOLE) and not first_argument(call, OLD) else "edit"
    path = first_argument(call, PLACE)
    if kind == "delete":
        return [ToolAction(kind="delete", path=path)]
    if kind == "write":
        content = whole_text(call) or first_argument(call, NEW)
        return [ToolAction(kind="write", path=path, new=content, content=content)]
    listed = call.get("edits")
    edits = [_edit(as_mapping(one)) for one in listed] if isinstance(listed, list) else [_edit(call)]
    edits = [edit for edit in edits if edit[0] or edit[1]]
    whole = "" if edits else whole_text(call)
    return [ToolAction(kind="edit", path=path, edits=edits, new=whole or None)]


def command_actions(call: Mapping[str, object]) -> list[ToolAction]:
    """A command, and the files of a patch that it may carry."""
    value = next((call[key] for key in COMMAND if call.get(key)), "")
    line = _script([as_text(word) for word in value]) if isinstance(value, list) else as_text(value)
    folder = first_argument(call, FOLDER)
    found = [ToolAction(kind="command", command=line)]
    before, begins, _ = line.partition("*** Begin Patch")
    if begins and "patch" in before:
        from rulec.agents.protocol import patches  # noqa: PLC0415 (as above)

        alone = isinstance(value, list) and before == "apply_patch '"  # that program does nothing else
        found = [*([] if alone else found), *patches.patch_actions(line)]
    return [one.but(cwd=folder) for one in found] if folder else found


def _task(task: Mapping[str, object]) -> list[ToolAction]:
    """The command of a task of an editor, whose words behind the first stand apart."""
    from rulec.shell.parsing.call import quote_word  # noqa: PLC0415 (few agents run tasks)

    listed = task.get("args")
    words = [quote_word(word) for one in (listed if isinstance(listed, list) else ()) if (word := _word(one))]
    folder = as_text(as_mapping(task.get("options")).get("cwd"))
    line = " ".join([as_text(task.get("command")), *words])
    return [ToolAction(kind="command", command=line, cwd=folder)]


def _word(given: object) -> str:
    """A word of a task, which may say how it is quoted."""
    return as_text(given) or as_text(as_mapping(given).get("value"))


def typed_line(text: str) -> str:
    """What is typed into a running shell, as command lines; names of keys and control signs are left out."""
    import re  # noqa: PLC0415 (few calls type into a shell)

    text = re.sub(r"\r\n?|\{enter\}", "\n", text, flags=re.IGNORECASE)
    return re.sub(r"\x1b\[[\d;]*[A-Za-z~]|[\x00-\x08\x0b-\x1f\x7f]|\{\w+\}", "", text).strip()


def first_argument(given: Mapping[str, object], keys: tuple[str, ...]) -> str:
    """The first of these arguments that is there."""
    return next((value for key in keys if (value := as_text(given.get(key)))), "")


def whole_text(given: Mapping[str, object]) -> str:
    """The new text that a call gives, which may be a list of its lines."""
    value = next((given[key] for key in WHOLE if given.get(key)), "")
    return "\n".join(map(as_text, value)) if isinstance(value, list) else as_text(value)


def _edit(given: Mapping[str, object]) -> tuple[str, str, bool]:
    return first_argument(given, OLD), first_argument(given, NEW), any(given.get(key) is True for key in EVERY)


def _script(words: list[str]) -> str:
    """The words of a command as one line; what a shell is given to run, as that."""
    from rulec.shell.parsing.call import quote_word  # noqa: PLC0415 (few agents send words)

    program = words[0].replace("\\", "/").rpartition("/")[2].lower() if words else ""
    if len(words) > 2 and program.removesuffix(".exe") in RUNNERS and words[-2].lower() in SCRIPT:
        return words[-1]
    return " ".join(map(quote_word, words))

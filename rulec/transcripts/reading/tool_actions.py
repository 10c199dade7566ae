"""Tool calls of any agent as actions: by a table of its tools, by the names of their arguments, or out of a patch."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulec.domain.transcript import Action, ActionKind
from rulec.transcripts.reading.json_records import Record, arguments_json, as_object, as_string, summary

_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_HEADS: dict[str, ActionKind] = {"*** Add File: ": "write", "*** Update File: ": "edit", "*** Delete File: ": "delete"}
_MOVE = "*** Move to: "


@dataclass(slots=True)
class _PatchedFile:
    kind: ActionKind
    path: str
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


def patch_in(text: str) -> str:
    """The patch inside a text, such as a shell script with a here-document; "" where there is none."""
    start = text.find(_BEGIN)
    if start < 0:
        return ""
    end = text.find(_END, start)
    return text[start:end] if end >= 0 else text[start:]


def patch_actions(patch: str, call: str, tool: str, path: Callable[[str], str]) -> list[Action]:
    """One action per file: what is added, the old and new text of the hunks, or a deletion."""
    return [
        Action(kind=f.kind, id=call, tool=tool, path=path(f.path), old="\n".join(f.old), new=_new_text(f))
        for f in _files(patch)
    ]


def _new_text(file: _PatchedFile) -> str:
    ending = "\n" if file.kind == "write" and file.new else ""
    return "\n".join(file.new) + ending


def _files(patch: str) -> Iterator[_PatchedFile]:
    file: _PatchedFile | None = None
    for line in patch.split("\n"):
        head = next((head for head in _HEADS if line.startswith(head)), "") if line.startswith("***") else ""
        if head:
            if file:
                yield file
            file = _PatchedFile(_HEADS[head], line.removeprefix(head).strip())
        elif file and line.startswith(_MOVE):
            yield _PatchedFile("delete", file.path)
            file.path = line.removeprefix(_MOVE).strip()
        elif file:
            _add(file, line)
    if file:
        yield file


def _add(file: _PatchedFile, line: str) -> None:
    if line.startswith(("***", "@@")):
        return
    if line.startswith("+"):
        file.new.append(line[1:])
    elif line.startswith("-"):
        file.old.append(line[1:])
    elif file.kind == "edit":
        file.old.append(line[1:])
        file.new.append(line[1:])


MakePath = Callable[[str], str]

_SCRIPT = ("command", "cmd", "script", "CommandLine", "commandLine", "bash_command")
_PLACE = (
    "file_path", "filePath", "absolute_path", "absolutePath", "path", "filepath", "relative_workspace_path",
    "target_file", "TargetFile", "dir_path", "notebook_path", "file_name", "filename", "file",
)  # fmt: skip
_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text", "search", "old")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "replace", "new", "new_source", "insert_text")
_WHOLE = ("content", "contents", "file_text", "code_edit", "CodeContent", "text")
_PATCH_KEYS = ("patchText", "patch", "input", "diff")
_SEARCHES = ("read", "view", "grep", "glob", "search", "list", "find", "fetch", "open", "cat", "ls")
_EDITOR = ("create", "write", "str_replace", "insert")  # what an editor tool calls its command
_RUNNERS = ("bash", "sh", "zsh", "powershell", "pwsh")
_WORDS = 3  # program, -c, script


def tool_actions(
    call: str, tool: str, given: Record, path: MakePath, kinds: Mapping[str, ActionKind] | None = None
) -> list[Action]:
    """The actions of one call; ``kinds`` names all tools that act, without it the arguments show what a tool does."""
    place = path(_first(given, _PLACE))
    patches = tool in ("apply_patch", "patch") if kinds is not None else True
    if patches and (patch := next((text for key in _PATCH_KEYS if (text := patch_in(_text(given, key)))), "")):
        return patch_actions(patch, call, tool, path)
    kind = _kind_of_unknown_tool(tool, given, place) if kinds is None else kinds.get(tool, "other")

    def action(old: str = "", new: str = "", command: str = "", told: str = "") -> Action:
        return Action(kind=kind, id=call, tool=tool, command=command, path=place, old=old, new=new, output=told)

    if kind == "command":
        return [action(command=_script(given))]
    if kind == "edit" and isinstance(given.get("edits"), list) and given["edits"]:
        return [action(_first(edit, _OLD), _first(edit, (*_NEW, *_WHOLE))) for edit in map(as_object, given["edits"])]
    if kind == "edit":
        return [action(_first(given, _OLD), _first(given, (*_NEW, *_WHOLE)))]
    if kind == "write":
        return [action(new=_first(given, (*_WHOLE, *_NEW)))]
    done = action(told=summary(given) if given and kind != "delete" else "")
    return [replace(done, args=arguments_json(given)) if kind == "other" else done]


def _kind_of_unknown_tool(tool: str, given: Record, place: str) -> ActionKind:
    """The kind of a call of an unknown tool."""
    name, script = tool.rpartition("__")[2].casefold(), _script(given)
    views = bool(place) and script == "view"
    if script and not views and not (place and script in _EDITOR):
        return "command"
    if place and name.startswith(("delete", "remove")):
        return "delete"
    if place and not views and (given.get("edits") or any(key in given for key in (*_OLD, *_NEW))):
        return "edit"
    if place and not views and any(key in given for key in _WHOLE):
        return "write"
    return "read" if views or any(word in name for word in _SEARCHES) else "other"


def _text(given: Record, key: str) -> str:
    return as_string(given.get(key))


def _first(given: Record, keys: tuple[str, ...]) -> str:
    return next((text for key in keys if (text := _text(given, key))), "")


def _script(given: Record) -> str:
    value = next((given[key] for key in _SCRIPT if given.get(key)), "")
    if not isinstance(value, list):
        return as_string(value)
    words = [as_string(word) for word in value]
    if len(words) == _WORDS and words[0].rpartition("/")[2] in _RUNNERS and words[1].startswith("-"):
        return words[2]
    return shlex.join(words)

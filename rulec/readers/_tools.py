"""Tool calls whose arguments are called alike in several agents."""

from collections.abc import Callable, Mapping

from rulec.model.transcript import Action, ActionKind
from rulec.readers import _patch
from rulec.readers._jsonl import Record, mapping, string, summary

Path = Callable[[str], str]

_COMMAND = ("command", "cmd")
_PATH = (
    "file_path", "filePath", "absolute_path", "absolutePath", "path", "target_file", "dir_path", "notebook_path",
)  # fmt: skip
_OLD = ("old_string", "oldString", "old_str", "search")
_NEW = ("new_string", "newString", "new_str", "content", "file_text", "insert_text", "replace")
_PATCH = ("patchText", "patch", "input", "diff")


def actions(call: str, tool: str, given: Record, kinds: Mapping[str, ActionKind], path: Path) -> list[Action]:
    """The actions of one call; ``kinds`` names the tools that are known."""
    kind = kinds.get(tool, "other")
    place = path(_first(given, _PATH))
    if tool in ("apply_patch", "patch"):
        changes = _patch.actions(_patch.patch_in(_first(given, _PATCH)), call, tool, path)
        if changes:
            return changes
    if kind == "command":
        return [Action(kind=kind, id=call, tool=tool, command=_first(given, _COMMAND))]
    if kind == "edit" and isinstance(given.get("edits"), list):
        edits = [mapping(edit) for edit in given["edits"]]
        return [
            Action(kind=kind, id=call, tool=tool, path=place, old=_first(edit, _OLD), new=_first(edit, _NEW))
            for edit in edits
        ]
    if kind in ("write", "edit"):
        old = _first(given, _OLD) if kind == "edit" else ""
        return [Action(kind=kind, id=call, tool=tool, path=place, old=old, new=_first(given, _NEW))]
    told = summary(given) if given and kind != "delete" else ""
    return [Action(kind=kind, id=call, tool=tool, path=place, output=told)]


def _first(given: Record, names: tuple[str, ...]) -> str:
    return next((string(given[name]) for name in names if given.get(name)), "")

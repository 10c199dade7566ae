"""Codex's tool calls and what came of them."""

import json
import posixpath
import re
import shlex
from collections.abc import Callable
from typing import Any

from rulec.model.transcript import Action
from rulec.readers import _patch
from rulec.readers._jsonl import Record, mapping, string, summary, text_of

_SHELLS = ("shell", "shell_command", "exec_command", "local_shell", "container.exec", "unified_exec")
_READ = ("read_file", "list_dir", "grep_files", "view_image")
_RUNNERS = ("bash", "sh", "zsh", "dash", "fish", "powershell", "pwsh", "cmd")
_SCRIPT = re.compile(r"-l?i?c|-command|/c", re.IGNORECASE)
_CODE = re.compile(
    r"(?:^Exit code: |^Process exited with code |^failed in sandbox .{0,200}exit code: )(-?\d+)", re.MULTILINE
)
_HEADER = 1_000  # the exit code stands before the output, which could say anything
_SUMMARY = 500


def actions(payload: Record, path: Callable[[str], str]) -> list[Action]:
    """The actions of one call."""
    tool = string(payload.get("name")) or string(payload.get("type")).removesuffix("_call")
    given = _arguments(payload)
    call = string(payload.get("call_id")) or string(payload.get("id"))
    command, patch = "", ""
    if tool in _SHELLS:
        command, patch = _command(given.get("command", given.get("cmd")))
    elif tool == "apply_patch":
        patch = _patch.patch_in(
            string(payload.get("input")) or string(given.get("input")) or string(given.get("patch"))
        )
    folder = string(given.get("workdir")) or string(given.get("working_directory"))
    done = [Action(kind="command", id=call, tool=tool, command=command)] if command else []
    done += _patch.actions(patch, call, tool, lambda name: path(posixpath.join(folder, name.replace("\\", "/"))))
    if done:
        return done
    told = string(payload.get("input"))[:_SUMMARY] or summary(given)
    return [Action(kind="read" if tool in _READ else "other", id=call, tool=tool, output=told)]


def _arguments(payload: Record) -> Record:
    given: Any = payload.get("arguments", payload.get("action"))
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"arguments": given}
    return mapping(given)


def _command(given: object) -> tuple[str, str]:
    """The script that was run, and the patch it applies."""
    if not isinstance(given, list):
        script = string(given)
        return script, _applied(script)
    words = [string(word) for word in given]
    program = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe").casefold() if words else ""
    if program == "apply_patch" and len(words) > 1:
        return "", _patch.patch_in(words[1])
    if program in _RUNNERS and len(words) > 2 and _SCRIPT.fullmatch(words[-2]):
        return words[-1], _applied(words[-1])
    return shlex.join(words), ""


def _applied(script: str) -> str:
    return _patch.patch_in(script) if "apply_patch" in script or "applypatch" in script else ""


def outcome(payload: Record) -> tuple[str, bool | None, bool]:
    """What a call printed, whether it went well, and whether the person refused it."""
    output = payload.get("output")
    inner = _inner(output)
    text = text_of(inner.get("output", inner.get("content"))) if inner else text_of(output)
    code = mapping(inner.get("metadata")).get("exit_code")
    refused = text.startswith(("exec command rejected by user", "rejected by user", "patch rejected by user"))
    if isinstance(code, int):
        return text, code == 0, refused
    if isinstance(inner.get("success"), bool):
        return text, inner["success"], refused
    return text, False if refused else _went_well(text), refused


def _inner(output: object) -> Record:
    if isinstance(output, str) and output.startswith('{"'):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return {}
    found = mapping(output)
    return found if {"output", "content"} & found.keys() else {}


def _went_well(text: str) -> bool | None:
    header = text[:_HEADER].partition("Output:\n")[0]
    if code := _CODE.search(header):
        return int(code[1]) == 0
    if text.startswith(
        ("error: ", "failed in sandbox", "execution error", "aborted by user", "apply_patch verification")
    ):
        return False
    return None

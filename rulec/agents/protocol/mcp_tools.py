"""Calls of MCP servers' tools as actions: which of their arguments are commands, paths and texts."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables, tool_calls
from rulec.agents.protocol.agent_spec import ToolAction, as_mapping, as_text
from rulec.shell.parsing.call import quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


LOOKING = frozenset(
    [
        "read", "get", "list", "search", "view", "find", "show", "stat", "tree", "info", "describe", "query", "fetch",
        "grep", "glob", "ls", "cat", "head", "tail", "diff", "status", "log", "blame", "count", "check", "validate",
        "inspect", "compare", "explain", "analyze", "open", "load", "preview", "exists",
    ]
)  # fmt: skip
REMOTE = ("repo", "repository", "owner", "project_id", "url")  # a file on some server, not on this disk
RUNNING = ("run", "exec", "shell", "command", "terminal", "process", "bash")
STARTING = frozenset(["run", "exec", "execute", "shell", "bash", "terminal"])
TYPED = ("input", "stdin", "line", "keys", "commands")  # what is typed into a running shell
CHANGING = (
    "write", "edit", "create", "save", "append", "patch", "replace", "insert", "update", "move", "rename", "copy",
    "delete", "remove", "unlink", "rm", "put",
)  # fmt: skip
REMOVING = ("delete", "remove", "unlink", "rm")
MOVING = (
    ("source", "destination"),
    ("from", "to"),
    ("old_path", "new_path"),
    ("src", "dst"),
    ("previous_path", "file_path"),
)
PLACE = (*tool_calls.PLACE, "relative_path", "uri", "destination", "target")
WHOLE = (*tool_calls.WHOLE, "data")
NAMES = frozenset(["path", "file", "filename", "filepath"])  # words in the name of a file's argument
FOLDERS = frozenset(["directory", "dir", "folder"])
# The last word of an argument that says how, where or why, and the first word of one that says what stood there: every
# other text that a tool is given which changes a file, it writes into the file.
ASIDE = frozenset(
    [
        *NAMES, *FOLDERS, "name", "title", "message", "description", "query", "pattern", "regex", "prompt", "note",
        "comment", "comments", "label", "reason", "sha", "branch", "ref", "mode", "encoding", "type", "language",
        "format", "action", "command", "uri", "cwd", "owner", "repo", "id",
    ]
)  # fmt: skip
BEFORE = frozenset(["old", "search", "find", "previous", "before", "expected"])
PARTLY = ("insert", "replace")  # what they are given is not the whole file
WORDS = ("args", "arguments", "argv")
RECORDING = frozenset(["commit", "push", "merge", "rebase", "pull"])
GIT_ARGUMENTS = {  # git's verbs -> the arguments whose values are its words, in their order
    "push": ("remote", "branch"),
    "commit": (),
    "checkout": ("branch", "branch_name", "ref"),
    "switch": ("branch", "branch_name"),
    "merge": ("branch", "source_branch"),
    "reset": ("ref", "commit", "target"),
}
CHECKOUT = ("repo_path", "repository_path", "working_directory", "cwd", "path")
BRANCH = ("branch", "branch_name", "ref", "target_branch")
PUSHED = frozenset(["push", "file", "files", "contents", "tree", "ref", "commit", "branch"])
STORED = frozenset(["file", "files", "contents", "tree"])
REMOVED = frozenset(["delete", "remove"])
ORIGIN = "origin"  # the remote, where a tool names none
STAGING = frozenset(["add", "stage", "commit", "push", "fetch", "branch"])  # git's own verbs that write no file's text
UNHOOKED = re.compile(r"(?:no|skip|bypass|disable|without)(?:verify|hooks?|precommit|checks)|verify$|hooks?$")
PROSE = re.compile(r"title|body|message|description|query|pattern|text|content|data|prompt|note|comment|label|old|new")
PLACED = re.compile(r"path|file|uri|target|dest|folder|dir(?:ectory)?$|^to$|^from$|^src$|^dst$|source")
OURS = re.compile(
    r"(?i)(?:^|[/\\])(?:\.git|\.rules|\.husky|\.pre-commit-config\.yaml|\.?lefthook\.ya?ml|\.gitlab-ci\.yml|codeowners|"
    rf"rulec|{'|'.join(map(re.escape, agent_tables.FOLDERS))})(?:[/\\]|$)"
)
MOST = 200  # values of one call that are looked at
DEEPEST = 6
LONGEST_PLACE = 4_000
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def mcp_actions(tool: str, given: object) -> list[ToolAction]:
    """What the call does: runs a command, or writes, moves or deletes files; [] where it only looks or is not known."""
    call = as_mapping(given)
    name = tool.rpartition("__")[2]
    tokens = _tokens(name)
    of_git = "git" in _tokens(tool)
    changes = any(word in name.lower() for word in CHANGING)
    if changes and "*** Begin Patch" in tool_calls.first_argument(call, tool_calls.PATCH):
        return tool_calls.tool_actions("patch", call)
    pushed = _remote_push(tokens, call) if changes or "push" in tokens else ""
    line = (_line_of_git(tokens, call) if of_git and not pushed else pushed) or _line(tool.lower(), tokens, call)
    if line:
        runs = [one.but(command=line) for one in tool_calls.command_actions({**call, "command": line})]
        place = tool_calls.first_argument(call, CHECKOUT) if of_git and not pushed else ""
        return [one.but(cwd=place) for one in runs] if place else runs + _done(name.lower(), call) * bool(pushed)
    acting = tokens[1:] if of_git and tokens[:1] == ["git"] else tokens
    if not acting or (acting[0] in LOOKING and not changes) or (of_git and acting[0] in STAGING):
        return []
    if any(call.get(key) for key in REMOTE) and STORED.isdisjoint(tokens):
        return []
    found = _done(name.lower(), call) if changes else []
    known = {path for one in found for path in (one.path, one.source)}
    places = [path for path in dict.fromkeys(_places(call, wide=changes)) if path not in known]
    return found + [ToolAction(kind="write", path=path, new="") for path in places]


def _line(tool: str, tokens: list[str], call: Mapping[str, object]) -> str:
    """The command that a tool runs which is there to run some."""
    looks = bool(tokens) and tokens[0] in LOOKING and STARTING.isdisjoint(tokens)
    if looks or not any(word in tool for word in RUNNING):
        return ""
    line = ""
    if any(call.get(key) for key in tool_calls.COMMAND):
        line = tool_calls.command_actions(call)[0].command
    elif any(word in RUNNING for word in tokens):
        line = tool_calls.first_argument(call, TYPED)
    return " ".join([line, *_words(call)]) if line else ""


def _line_of_git(tokens: list[str], call: Mapping[str, object]) -> str:
    """The git command that a tool of an MCP server for git runs."""
    verb = next((token for token in tokens if token in RECORDING), "")
    if verb and any(_unhooked(key, value) for key, value in call.items()):
        return f"git {verb} --no-verify"
    words = _words(call)
    if any(call.get(key) for key in tool_calls.COMMAND):
        return ""
    if not words:
        return _git_line(tokens, call)
    return " ".join(["git", *([verb] if verb and quote_word(verb) not in words else []), *words])


def _git_line(tokens: list[str], call: Mapping[str, object]) -> str:
    """The git command of a tool with an argument for each of the command's words; "" for a verb that is not known."""
    verb = next((token for token in tokens if token in GIT_ARGUMENTS), "")
    words = [as_text(call.get(key)) for key in GIT_ARGUMENTS.get(verb, ())]
    flags = [f"--{key}" for key, value in call.items() if value is True and key.replace("_", "").isalpha()]
    flags += ["-m " + quote_word(as_text(call["message"]))] if verb == "commit" and as_text(call.get("message")) else []
    flags += [f"--{call['mode']}"] if verb == "reset" and as_text(call.get("mode")).isalpha() else []
    if verb == "push" and words[1] and not words[0]:
        words[0] = ORIGIN
    return " ".join(
        ["git", verb, *(flag.replace("_", "-") for flag in flags), *map(quote_word, filter(None, words))]
    ) * bool(verb)


def _remote_push(tokens: list[str], call: Mapping[str, object]) -> str:
    """The push that a tool makes which changes files or a branch of a repository on a server."""
    if not any(call.get(key) for key in REMOTE) or not PUSHED.intersection(tokens):
        return ""
    branch = tool_calls.first_argument(call, BRANCH).removeprefix("refs/").removeprefix("heads/")
    force = ["--force"] if call.get("force") is True else []
    deletes = REMOVED.issuperset(tokens[:1]) and "branch" in tokens
    ref = f":{branch}" if deletes else f"HEAD:{branch}"
    return " ".join(["git push", *force, ORIGIN, quote_word(ref)]) if branch else ""


def _unhooked(key: str, value: object) -> bool:
    """Whether an argument says that hooks are left out."""
    found = UNHOOKED.fullmatch(re.sub(r"[^a-z]", "", key.lower()))
    wanted = ("false", "0", "none") if found and found[0] in ("verify", "hook", "hooks") else ("true", "1")
    return bool(found) and str(value).lower() in wanted


def _words(call: Mapping[str, object]) -> list[str]:
    given = next((call[key] for key in WORDS if call.get(key)), None)
    return (
        [quote_word(as_text(word)) for word in given]
        if isinstance(given, list)
        else [as_text(given)]
        if as_text(given)
        else []
    )


def _done(name: str, call: Mapping[str, object]) -> list[ToolAction]:
    """What a tool that changes files does to those that it names as such tools do."""
    for start, end in MOVING:
        if as_text(call.get(start)) and as_text(call.get(end)):
            source = _path(as_text(call[start]))
            target = ToolAction(kind="write", path=_path(as_text(call[end])), new="", source=source)
            return [target] if "copy" in name else [ToolAction(kind="delete", path=source), target]
    inner = [
        one
        for key, value in call.items()
        for file in _listed(key, value)
        for one in _done(as_text(file.get("action")).lower() or name, file)
    ]
    if inner:
        return inner
    path = _path(tool_calls.first_argument(call, PLACE) or _place(name, call))
    if not path:
        return []
    if any(word in name for word in REMOVING):
        return [ToolAction(kind="delete", path=path)]
    part = isinstance(call.get("edits"), list) or tool_calls.first_argument(call, tool_calls.OLD)
    kind = "edit" if part or any(word in name for word in PARTLY) else "write"
    whole = next((as_text(call[key]) for key in WHOLE if isinstance(call.get(key), str)), None)
    done = tool_calls.tool_actions(kind, {**call, "file_path": path, **({"content": whole} if whole else {})})
    if whole is not None or done[0].edits:
        return done
    text = "\n".join(_texts("", call, 0))
    return [ToolAction(kind=kind, path=path, new=text)] if text or kind == "edit" else []


def _listed(key: str, value: object) -> list[Mapping[str, object]]:
    """The files that an argument lists, one mapping each, or maps to their texts."""
    if isinstance(value, dict) and key in STORED:
        return [{"path": path, "content": text} for path, text in value.items() if isinstance(text, str)]
    listed = isinstance(value, list) and ASIDE.isdisjoint(_tokens(key))
    return [file for file in value[:MOST] if isinstance(file, dict)] if listed and isinstance(value, list) else []


def _place(name: str, call: Mapping[str, object]) -> str:
    """The path in an argument that is named after files in other words: pathInProject; "" for a tool on folders."""
    verb = _tokens(name)
    if not FOLDERS.isdisjoint(verb):
        return ""
    names = NAMES if STORED.isdisjoint(verb) else NAMES | {"name"}
    places = [as_text(value) for key, value in call.items() if not names.isdisjoint(_tokens(key))]
    looks = (one for one in places if ("." in one or "/" in one) and "\n" not in one and len(one) < LONGEST_PLACE)
    return next(looks, "")


def _texts(key: str, given: object, depth: int) -> Iterator[str]:
    """What a tool is given that is no place, no setting and no explanation."""
    tokens = _tokens(key) or [""]
    if tokens[-1] in ASIDE or tokens[0] in BEFORE or depth > DEEPEST:
        return
    if isinstance(given, str):
        yield given
    for name, one in given.items() if isinstance(given, dict) else ():
        yield from _texts(str(name), one, depth + 1)
    for one in given[:MOST] if isinstance(given, list) else ():
        yield from _texts(key, one, depth + 1)


def _tokens(name: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(name)]


def _path(place: str) -> str:
    """A place as a path of this disk."""
    if not place.startswith("file:"):
        return place
    path = re.sub(r"^file:(?://[^/]*)?", "", place)
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), path)


def _places(given: object, *, wide: bool) -> Iterator[str]:
    """The arguments that may be paths of the gate or of agents' settings."""
    left: list[tuple[str, object, int]] = [("", given, 0)]
    for _ in range(MOST):
        if not left:
            return
        key, value, depth = left.pop()
        if isinstance(value, dict) and depth < DEEPEST:
            left += [(str(name).lower(), one, depth + 1) for name, one in value.items()]
        elif isinstance(value, list) and depth < DEEPEST:
            left += [(key, one, depth + 1) for one in value]
        elif isinstance(value, str) and key not in tool_calls.FOLDER:
            path = _path(value)
            named = PLACED.search(key) if not wide else not PROSE.search(key) or PLACED.search(key)
            if named and len(path) < LONGEST_PLACE and "\n" not in path and "://" not in path and OURS.search(path):
                yield path

"""Calls of MCP servers' tools as actions: which of their arguments are commands, paths and texts."""

import re

from rulec.agents.protocol import agent_tables, tool_calls
from rulec.agents.protocol.agent_spec import as_mapping, as_text
from rulec.shell.parsing.call import quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


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
MOVING = (("source", "destination"), ("from", "to"), ("old_path", "new_path"), ("src", "dst"))
PLACE = (*tool_calls.PLACE, "relative_path", "uri", "destination", "target")
WHOLE = (*tool_calls.WHOLE, "data")
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


def mcp_actions(tool: str, given: object) -> "list[dict[str, Any]]":
    """What the call does: runs a command, or writes, moves or deletes files; [] where it only looks or is not known."""
    call = as_mapping(given)
    name = tool.rpartition("__")[2]
    tokens = [token.lower() for token in _TOKEN.findall(name)]
    of_git = "git" in [token.lower() for token in _TOKEN.findall(tool)]
    changes = any(word in name.lower() for word in CHANGING)
    pushed = _remote_push(tokens, call) if changes or "push" in tokens else ""
    line = (_line_of_git(tokens, call) if of_git and not pushed else pushed) or _line(tool.lower(), tokens, call)
    if line:
        runs = [{**one, "command": line} for one in tool_calls.command_actions({**call, "command": line})]
        place = tool_calls.first_argument(call, CHECKOUT) if of_git and not pushed else ""
        return [{**one, "cwd": place} for one in runs] if place else runs + _done(name.lower(), call) * bool(pushed)
    acting = tokens[1:] if of_git and tokens[:1] == ["git"] else tokens
    if not acting or (acting[0] in LOOKING and not changes) or (of_git and acting[0] in STAGING):
        return []
    remote = any(call.get(key) for key in REMOTE)
    found = [] if remote or not changes else _done(name.lower(), call)
    if remote and not {"file", "files", "contents", "tree"}.intersection(tokens):
        return found
    known = {path for one in found for path in (one["path"], one.get("source"))}
    places = [path for path in dict.fromkeys(_places(call, wide=changes)) if path not in known]
    return [{key: one[key] for key in one if key != "source"} for one in found] + [
        {"kind": "write", "path": path, "new": ""} for path in places
    ]


def _line(tool: str, tokens: "list[str]", call: "dict[str, Any]") -> str:
    """The command that a tool runs which is there to run some."""
    looks = bool(tokens) and tokens[0] in LOOKING and STARTING.isdisjoint(tokens)
    if looks or not any(word in tool for word in RUNNING):
        return ""
    line = ""
    if any(call.get(key) for key in tool_calls.COMMAND):
        line = as_text(tool_calls.command_actions(call)[0]["command"])
    elif any(word in RUNNING for word in tokens):
        line = tool_calls.first_argument(call, TYPED)
    return " ".join([line, *_words(call)]) if line else ""


def _line_of_git(tokens: "list[str]", call: "dict[str, Any]") -> str:
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


def _git_line(tokens: "list[str]", call: "dict[str, Any]") -> str:
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


def _remote_push(tokens: "list[str]", call: "dict[str, Any]") -> str:
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


def _words(call: "dict[str, Any]") -> "list[str]":
    given = next((call[key] for key in WORDS if call.get(key)), None)
    return (
        [quote_word(as_text(word)) for word in given]
        if isinstance(given, list)
        else [as_text(given)]
        if as_text(given)
        else []
    )


def _done(name: str, call: "dict[str, Any]") -> "list[dict[str, Any]]":
    """What a tool that changes files does to those that it names as such tools do."""
    for start, end in MOVING:
        if as_text(call.get(start)) and as_text(call.get(end)):
            target = {
                "kind": "write",
                "path": _path(as_text(call[end])),
                "new": "",
                "source": _path(as_text(call[start])),
            }
            return [target] if "copy" in name else [{"kind": "delete", "path": _path(as_text(call[start]))}, target]
    listed = call.get("files")
    if isinstance(listed, list):
        return [one for file in listed[:MOST] for one in _done(name, as_mapping(file))]
    path = _path(tool_calls.first_argument(call, PLACE))
    if not path:
        return []
    if any(word in name for word in REMOVING):
        return [{"kind": "delete", "path": path}]
    part = isinstance(call.get("edits"), list) or tool_calls.first_argument(call, tool_calls.OLD)
    kind = "edit" if part or any(word in name for word in PARTLY) else "write"
    whole = next((as_text(call[key]) for key in WHOLE if isinstance(call.get(key), str)), None)
    if kind == "write" and whole is None:
        return []
    return tool_calls.tool_actions(kind, {**call, "file_path": path, **({"content": whole} if whole else {})})


def _path(place: str) -> str:
    """A place as a path of this disk."""
    if not place.startswith("file:"):
        return place
    path = re.sub(r"^file:(?://[^/]*)?", "", place)
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), path)


def _places(given: object, *, wide: bool) -> "Iterator[str]":
    """The arguments that may be paths of the gate or of agents' settings."""
    left: "list[tuple[str, object, int]]" = [("", given, 0)]
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

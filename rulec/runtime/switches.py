"""What in settings decides whether the gate is asked: two texts of a file are alike in it, or they are not."""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SWITCHES = ("hooks", "disableAllHooks", "allowManagedHooksOnly", "hooksConfig", "tools", "plugin", "version")
LED = (  # variables that lead the hook's or git's programs elsewhere
    "PATH", "HOME", "SKIP", "BASH_ENV", "ENV", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "CLAUDE_ENV_FILE",
    "CODEX_HOME", "XDG_CONFIG_HOME",
)  # fmt: skip
LED_BEGIN = ("GIT_", "PRE_COMMIT", "PYTHON", "LD_", "DYLD_")
FREE = (
    "GIT_AUTHOR",
    "GIT_COMMITTER",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_TERMINAL",
    "GIT_TRACE",
    "PYTHONDONT",
    "PYTHONUNBUF",
)
TOML = ("hook", "trust", "notify")  # lines of Codex's settings that speak of hooks
OURS = ("rulec", ".rules/")  # lines of shared files that call the gate
UNREADABLE = "unreadable"


def leads(name: str) -> bool:
    """Whether a variable of this name, kept in an agent's settings, leads its hooks or git elsewhere."""
    return name in LED or (name.startswith(LED_BEGIN) and not name.startswith(FREE))


def of_json(text: str) -> str:
    """The switches of settings in JSON."""
    try:
        data = json.loads(text or "{}")
        found: "dict[str, Any]" = {key: data.get(key) for key in SWITCHES if key in data}
        env = data.get("env")
        found["env"] = {key: env[key] for key in sorted(env) if leads(key)} if isinstance(env, dict) else {}
        return json.dumps(found, sort_keys=True)
    except (ValueError, AttributeError, RecursionError):
        return UNREADABLE


def of_toml(text: str) -> str:
    """The lines of settings in TOML that speak of hooks, or stand in a section that does."""
    kept: "list[str]" = []
    ours = False
    for line in map(str.strip, text.lower().splitlines()):
        if line.startswith("["):
            ours = any(word in line for word in TOML)
        if line and not line.startswith("#") and (ours or any(word in line for word in TOML)):
            kept.append(line)
    return "\n".join(kept)


def of_lines(text: str) -> str:
    """The lines of a file of the team's that call the gate, and what would end its script before them."""
    lines = [line.strip() for line in text.splitlines()]
    at = [index for index, line in enumerate(lines) if any(word in line for word in OURS) and not line.startswith("#")]
    before = lines[: at[0]] if at else []
    ends = [
        line for line in before if line.split(" ")[0].rstrip(";") in ("exit", "return", "exec", "trap", "if", "case")
    ]
    return "\n".join([*ends, *(lines[index] for index in at)])


READERS = {"json": of_json, "toml": of_toml, "lines": of_lines}


def kept(how: str, event: "dict[str, Any]") -> bool:
    """Whether an edit of such a file leaves its switches as they are."""
    before, after = event.get("disk"), event.get("content")
    if event["kind"] == "delete":
        return how == "lines" and isinstance(before, str) and not of_lines(before)
    if "disk" not in event or not isinstance(after, str):
        return False
    if how == "additions":
        from rulec.runtime import additions  # noqa: PLC0415 (few edits are of that file)

        return additions.only_adds(before or "", after)
    read = READERS[how]
    return read(before or "") == read(after) != UNREADABLE

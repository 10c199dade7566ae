"""Whether an edit of a settings file leaves the calls of the gate as they are."""

from __future__ import annotations

import json
import re

from rulec.agents.protocol import agent_tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.action_events import Event


BEGIN, END = "# rulec:begin", "# rulec:end"
PINNED_REV = re.compile(r"\s*rev: *[\w.+\"'-]+ *(?:#.*)?")
HARMLESS_KEYS = (  # none that says what is run
    "repo", "rev", "hooks", "id", "alias", "name", "language_version", "args", "files", "exclude",
    "types", "types_or", "exclude_types", "additional_dependencies", "pass_filenames", "always_run", "require_serial",
    "stages", "verbose", "description", "log_file",
)  # fmt: skip
PLAIN_LINE = re.compile(r" {2,}(?:- +)?(?:(?P<key>[a-z_]+):(?: +[^\s&*|>!%@`].*)?|[\w./@\[\]=<>~^+\"'-]+)")
MOST_LINES = 5_000  # lines of a file that is looked at


def only_adds(before: str, after: str) -> bool:
    """Whether the edit only adds lines, and none that changes what the gate's part means."""
    old, new = before.splitlines(), after.splitlines()
    starts, ends = _lines_with_mark(old, BEGIN), _lines_with_mark(old, END)
    if len(starts) != 1 or len(ends) != 1 or max(len(old), len(new)) > MOST_LINES:
        return False
    block = old[starts[0] : ends[0] + 1]
    if _lines_with_mark(new, BEGIN) != [_block_place(new, block)] or len(_lines_with_mark(new, END)) != 1:
        return False
    added = _added_lines(old, new)
    return (
        added is not None
        and all(_is_harmless_line(line) for _, line in added)
        and _block_stays_closed(new, block, added)
    )


def _lines_with_mark(lines: list[str], mark: str) -> list[int]:
    return [at for at, line in enumerate(lines) if line.strip().startswith(mark)]


def _block_place(lines: list[str], block: list[str]) -> int:
    """The line at which the whole block begins, -1 where it is missing."""
    size = len(block)
    return next((at for at in range(len(lines) - size + 1) if lines[at : at + size] == block), -1)


def _added_lines(old: list[str], new: list[str]) -> list[tuple[int, str]] | None:
    """The new lines with their numbers; None where an old one was removed or changed beyond a version."""
    at, found = 0, []
    for place, line in enumerate(new):
        both = at < len(old) and PINNED_REV.fullmatch(old[at]) and PINNED_REV.fullmatch(line)
        if at < len(old) and (old[at] == line or both):
            at += 1
        else:
            found.append((place, line))
    return found if at == len(old) else None


def _is_harmless_line(line: str) -> bool:
    if not line.strip() or (line.lstrip().startswith("#") and "rulec:" not in line):
        return True
    match = PLAIN_LINE.fullmatch(line.rstrip())
    even = all(line.count(quote) % 2 == 0 for quote in "\"'")
    closed = line.count("[") == line.count("]") and line.count("{") == line.count("}")
    return bool(
        match and even and closed and "rulec" not in line and (not match["key"] or match["key"] in HARMLESS_KEYS)
    )


def _block_stays_closed(new: list[str], block: list[str], added: list[tuple[int, str]]) -> bool:
    """Whether no new line follows the block directly, where it would belong to the block's last hook."""
    after = _block_place(new, block) + len(block)
    places = {place for place, _ in added}
    while after < len(new) and (not new[after].strip() or new[after].lstrip().startswith("#")):
        after += 1
    return after not in places or new[after].lstrip(" ").startswith("- repo:")


LEADING_NAMES = (  # variables that lead the hook's or git's programs elsewhere
    "PATH", "HOME", "SKIP", "BASH_ENV", "ENV", "XDG_CONFIG_HOME", *agent_tables.VARIABLES,
)  # fmt: skip
LEADING_STARTS = ("GIT_", "PRE_COMMIT", "PYTHON", "LD_", "DYLD_")
HARMLESS_STARTS = (
    "GIT_AUTHOR",
    "GIT_COMMITTER",
    "GIT_EDITOR",
    "GIT_PAGER",
    "GIT_TERMINAL",
    "GIT_TRACE",
    "PYTHONDONT",
    "PYTHONUNBUF",
)
GATE_CALLS = ("rulec", ".rules/")  # lines of shared files that call the gate
UNREADABLE = "unreadable"


def leads_elsewhere(name: str) -> bool:
    """Whether a variable of this name in an agent's settings would redirect its hooks or git."""
    return name in LEADING_NAMES or (name.startswith(LEADING_STARTS) and not name.startswith(HARMLESS_STARTS))


def switches_of_json(text: str) -> str:
    """The switches of settings in JSON."""
    try:
        data = json.loads(text or "{}")
        found: dict[str, Any] = {key: data.get(key) for key in agent_tables.SWITCHES if key in data}
        env = data.get("env")
        found["env"] = {key: env[key] for key in sorted(env) if leads_elsewhere(key)} if isinstance(env, dict) else {}
        return json.dumps(found, sort_keys=True)
    except (ValueError, AttributeError, RecursionError):
        return UNREADABLE


def switches_of_toml(text: str) -> str:
    """The lines of TOML settings that mention hooks, or stand in a section that does."""
    kept: list[str] = []
    in_section = False
    for line in map(str.strip, text.lower().splitlines()):
        if line.startswith("["):
            in_section = any(word in line for word in agent_tables.TOML_WORDS)
        if line and not line.startswith("#") and (in_section or any(word in line for word in agent_tables.TOML_WORDS)):
            kept.append(line)
    return "\n".join(kept)


def switches_of_lines(text: str) -> str:
    """The lines of a shared file that call the gate, and those that would end its script before them."""
    lines = [line.strip() for line in text.splitlines()]
    at = [
        index
        for index, line in enumerate(lines)
        if any(word in line for word in GATE_CALLS) and not line.startswith("#")
    ]
    before = lines[: at[0]] if at else []
    ends = [
        line for line in before if line.split(" ")[0].rstrip(";") in ("exit", "return", "exec", "trap", "if", "case")
    ]
    return "\n".join([*ends, *(lines[index] for index in at)])


READERS = {"json": switches_of_json, "toml": switches_of_toml, "lines": switches_of_lines}


def keeps_switches(how: str, event: Event) -> bool:
    """Whether an edit of such a file leaves its switches as they are."""
    before, after = event.disk, event.content
    if event.kind == "delete":
        return how == "lines" and before is not None and not switches_of_lines(before)
    if after is None or (before is None and event.world is None):
        return False
    if how == "additions":
        return only_adds(before or "", after)
    read = READERS[how]
    return read(before or "") == read(after) != UNREADABLE

"""What guards the gate itself: always on where there are guard artifacts, no rule needed."""

import json

from . import events
from .match import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

SLUG = "protect-the-gate"
WRITTEN = [".rules/compiled/", ".rules/.cache/", ".git/hooks/", ".git/config", "/.pre-commit-config.yaml"]
SETTINGS = [".claude/settings.json", ".claude/settings.local.json"]
SWITCHES = ("hooks", "disableAllHooks", "allowManagedHooksOnly")  # what in the settings decides whether hooks run
COMMANDS = [
    "git commit --no-verify|-n",
    "git merge --no-verify",
    "git -c core.hookspath*",
    "git --config-env=core.hookspath*",
    "git config core.hookspath*",
    "git config --unset|--unset-all|--add|--replace-all core.hookspath",
    "git config set|unset core.hookspath",
    "pre-commit uninstall",
    "rulec init --remove",
]
READING = ["git config --get|--get-all|--get-regexp|--list|-l", "git config get|list"]
ENVIRONMENT = ("SKIP", "PRE_COMMIT_ALLOW_NO_CONFIG", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS")
CURE = "leave the gate as it is; if a rule is wrong, ask the person to change the rule"
RULE: "dict[str, Any]" = {
    "facts": {
        "slug": SLUG,
        "statement": "The gate is not the agent's to disarm.",
        "do": CURE,
        "enforcement": "block",
        "on_error": "block",
        "scope": {},
    },
    "check": {"on": "path", "globs": WRITTEN},
}


def decide(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what would disarm the gate."""
    found: "list[dict[str, Any]]" = []
    if event["kind"] in events.FILES or events.touched(event):
        found = _on_files(event)
    if event["kind"] == "command":
        found += [_finding(text) for call in events.parsed(event).calls for text in _disarms(call)]
    return [{**finding, "cure": CURE} for finding in found]


def _on_files(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    kept = event["kind"] != "command" and _keeps_hooks(event)
    from . import guard  # noqa: PLC0415 (most actions touch no file)

    return guard.decide([RULE] if kept else [RULE, _on(SETTINGS)], event)


def _on(globs: "list[str]") -> "dict[str, Any]":
    return {**RULE, "check": {"on": "path", "globs": globs}}


def _finding(text: str) -> "dict[str, Any]":
    return events.finding_of(SLUG, text=text)


def _disarms(call: "Call") -> "list[str]":
    found = []
    lowered = _lowered(call)
    reads = any(matches(pattern, lowered) for pattern in READING)
    if not reads and any(matches(pattern, lowered) for pattern in COMMANDS):
        found.append(events.shown(call.argv))
    if call.program in ("git", "pre-commit", "gt"):
        found += [f"{name}={call.env[name]} {events.shown(call.argv)}" for name in ENVIRONMENT if name in call.env]
    if call.program in ("export", "declare", "typeset"):
        given = {word.partition("=")[0] for word in call.argv[1:]}
        found += [events.shown(call.argv) for name in ENVIRONMENT if name in given]
    return found


def _lowered(call: "Call") -> "Call":
    """Git's configuration keys do not mind case."""
    if call.program != "git" or not any("hookspath" in word.lower() for word in call.argv):
        return call
    argv = [word.lower() if "hookspath" in word.lower() else word for word in call.argv]
    return type(call)(argv, call.cwd, call.env, call.via)


def _keeps_hooks(event: "dict[str, Any]") -> bool:
    """Whether an edit of an agent's settings leaves the hooks in them alone."""
    before, after = event.get("disk"), event.get("content")
    if event["kind"] == "delete" or not isinstance(after, str):
        return False
    return _switches(before or "{}") == _switches(after) != "unreadable"


def _switches(text: str) -> str:
    try:
        data = json.loads(text)
        return json.dumps([data.get(key) for key in SWITCHES], sort_keys=True)
    except (ValueError, AttributeError, RecursionError):
        return "unreadable"

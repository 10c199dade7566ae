"""The gate's own files: what of them an agent's action would write, delete or move."""

import json
import re

from . import globs, index, judges, places
from .paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

RULES_CURE = "propose the change to the person: rule files are theirs, and so is `rulec add` that writes them"
OWN = [  # nobody writes these by hand while an agent is at work
    ".rules/compiled/",
    ".rules/.cache/",
    ".rules/config.yaml",
    ".rules/templates/",
    ".rules/archive/",
    ".rules/evidence/",
    ".rules/extends/",
    ".rules/.gitignore",
    ".rules/.gitattributes",
    "/.pre-commit-config.yaml",
    ".github/workflows/rules.yml",
    "/.gi[t]",  # in a linked work tree a file; the brackets keep the folder's content out of it
    ".git/hooks/",
    ".git/config",
    ".git/config.worktree",
    ".git/info/",
    ".git/rulec/",
    ".git/refs/",
    ".git/packed-refs",
    ".git/HEAD",
    ".git/objects/",
]
PASSING = [".git/**/*.lock"]  # what a dead git left behind
RULES = [".rules/*.yaml", ".rules/*.yml"]
SETTINGS = [
    ".claude/settings.json",
    ".claude/settings.local.json",
    "~/.claude/settings.json",
    "~/.claude/settings.local.json",
]
PERSONAL = [  # the person's own rules, whatever repository the agent works in
    "~/.config/rulec/",
    re.sub(r"([\\*?\[{},])", r"\\\1", index.settled()) + "/",
]
RECORDS = ["~/.claude/projects/**/*.jsonl"]  # what a person said there may allow what a rule asks about
SWITCHES = ("hooks", "disableAllHooks", "allowManagedHooksOnly")  # what in the settings decides whether hooks run
SOURCES = "py|pyi|js|jsx|mjs|cjs|ts|tsx|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|scala|sh|sql|yaml|yml|vue"
UNSEEN = [
    rf"^\s*(?:\*\*/)?\*{{1,2}}(?:\.(?:{SOURCES}))?\s(?:.*\s)?(?:-diff|binary)(?:\s|$)"
]  # git shows no lines of it
PLACES: "list[tuple[dict[str, Any], str]]" = [  # check, cure
    ({"on": "path", "globs": OWN, "except": PASSING}, ""),
    ({"on": "path", "globs": RULES, "except": [".rules/config.yaml"]}, RULES_CURE),
    ({"on": "path", "globs": SETTINGS}, ""),
    ({"on": "path", "globs": RECORDS}, ""),
    ({"on": "path", "globs": PERSONAL}, RULES_CURE),
    ({"on": "text", "globs": [".gitattributes"], "forbid": UNSEEN}, ""),
]
CHECKS = {"path": judges.on_path, "text": judges.on_text}


def seen(rule: "dict[str, Any]", file: "dict[str, Any]") -> "list[tuple[dict[str, Any], str]]":
    """Findings on one file's event, each with its cure."""
    found = []
    names = (file["path"], *file.get("also", ()))
    event = {**file, "also": (*names[1:], *(path.lower() for path in names))}  # some disks do not mind case
    for check, cure in PLACES:
        if check["globs"] is SETTINGS and _keeps_hooks(event):
            continue
        for finding in CHECKS[check["on"]]({**rule, "check": check}, event):
            hidden = finding["path"].startswith((".", "~"))
            if finding["unsure"] and not event.get("unsure") and not hidden:
                continue  # a shell's wildcard stands for hidden names only where it begins with the dot
            found.append(({**finding, "unsure": bool(event.get("unsure"))}, cure))
    return found[:1]


def holds(event: "dict[str, Any]", path: str, *, within: bool = True) -> bool:
    """Whether the path is the gate's own or, within, a folder on the way to it that is not the whole repository."""
    place = relative(event, path).lower()
    own = [*OWN, *RULES]
    if not place or globs.match(PASSING, place):
        return False
    return places.protects(own, place, deletes=within) is True


def _keeps_hooks(event: "dict[str, Any]") -> bool:
    """Whether an edit of an agent's settings leaves the hooks in them alone."""
    before, after = event.get("disk"), event.get("content")
    if event["kind"] == "delete" or "disk" not in event or not isinstance(after, str):
        return False
    return _switches(before or "{}") == _switches(after) != "unreadable"


def _switches(text: str) -> str:
    try:
        data = json.loads(text)
        return json.dumps([data.get(key) for key in SWITCHES], sort_keys=True)
    except (ValueError, AttributeError, RecursionError):
        return "unreadable"

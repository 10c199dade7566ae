"""The gate's own files: what of them an agent's action would write, delete or move."""

import os
import re

from rulec.runtime import events, globs, judges, layout, paths, places, switches
from rulec.runtime.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

RULES_CURE = "propose the change to the person: rule files are theirs, and so is `rulec add` that writes them"
OWN = [  # nobody writes these by hand while an agent is at work
    ".rules/compiled/",
    ".rules/.cache/",
    "*/**/.rules/compiled/**",  # a second rulebook further down, which an agent might take for this one
    ".rules/config.yaml",
    ".rules/templates/",
    ".rules/archive/",
    ".rules/evidence/",
    ".rules/extends/",
    ".rules/suppressions/",
    ".rules/.gitignore",
    ".rules/.gitattributes",
    ".github/workflows/rules.yml",
    ".gitlab/rules.yml",
    ".github/hooks/rulec.json",
    ".opencode/plugins/rulec.ts",
    "/.rule[s]",
    "/.gi[t]",  # in a linked work tree a file; the brackets keep the folder's content out of it
    ".git/hooks/",
    ".git/config",
    ".git/config.worktree",
    ".git/info/",
    ".git/rulec/",
    ".git/worktrees/*/rulec/",
    ".git/refs/",
    ".git/packed-refs",
    ".git/HEAD",
    ".git/objects/",
]
PASSING = [".git/**/*.lock"]  # what a dead git left behind
RULES = [".rules/*.yaml", ".rules/*.yml"]
SETTINGS = {  # what stands in the path -> glob -> how its switches are read
    ".claude": {
        ".claude/settings.json": "json",
        ".claude/settings.local.json": "json",
        "~/.claude/settings.json": "json",
        "~/.claude/settings.local.json": "json",
    },
    ".codex": {
        ".codex/hooks.json": "json",
        ".codex/config.toml": "toml",
        "~/.codex/hooks.json": "json",
        "~/.codex/config.toml": "toml",
    },
    ".cursor": {".cursor/hooks.json": "json", "~/.cursor/hooks.json": "json"},
    ".gemini": {".gemini/settings.json": "json", "~/.gemini/settings.json": "json"},
    ".github": {
        ".github/hooks/": "json",
        ".github/copilot/settings.json": "json",
        ".github/copilot/settings.local.json": "json",
        ".github/CODEOWNERS": "lines",
    },
    ".copilot": {
        "~/.copilot/hooks/": "json",
        "~/.copilot/config.json": "json",
        "~/.copilot/settings.json": "json",
    },
    "opencode": {"~/.config/opencode/opencode.json": "json", "/opencode.json": "json"},
    ".pre-commit": {"/.pre-commit-config.yaml": "additions"},
    ".husky": {"/.husky/": "lines"},
    "lefthook": {"/lefthook.{yml,yaml}": "lines", "/.lefthook.{yml,yaml}": "lines"},
    ".gitlab": {"/.gitlab-ci.yml": "lines", ".gitlab/CODEOWNERS": "lines"},
    "CODEOWNERS": {"/CODEOWNERS": "lines", "docs/CODEOWNERS": "lines"},
}
PLUGINS = ["{,~/.config/,.}opencode/plugin{,s}/rulec*"]
PERSONAL = [  # the person's own rules, whatever repository the agent works in
    "~/.config/rulec/",
    re.sub(r"([\\*?\[{},])", r"\\\1", layout.settled()) + "/",
]
RECORDS = ["~/.claude/projects/**/*.jsonl"]  # what a person said there may allow what a rule asks about
PROFILES = [  # what shells and git read before anything else
    "~/.gitconfig", "~/.config/git/config", "/etc/gitconfig", "~/.bash{rc,_profile,_login,_aliases}", "~/.profile",
    "~/.zsh{rc,env}", "~/.zprofile", "~/.config/fish/", "/etc/profile", "/etc/profile.d/", "/etc/environment",
    "$CLAUDE_ENV_FILE", "${CLAUDE_ENV_FILE}",
]  # fmt: skip
LED = (  # the variables that lead git past the gate, set for good
    r"\b(?:SKIP|PRE_COMMIT_\w+|PREK_SKIP|PREK_ALLOW_NO_CONFIG|LEFTHOOK_(?:EXCLUDE|BIN|CONFIG)|LD_PRELOAD|"
    r"GIT_(?:CONFIG|DIR|WORK_TREE|INDEX_FILE|EXEC_PATH|TEMPLATE_DIR)\w*)\s*=|"
    r"\b(?:HUSKY|LEFTHOOK)\s*=\s*[\"']?(?:0|false)\b|\b(?:HUSKY_SKIP_HOOKS|OVERCOMMIT_DISABLE)\s*=\s*[\"']?1"
)
LEADING = [
    r"(?i)hookspath|attributesfile|no-verify|^\s*\[\s*(?:alias|include(?:if)?|hook)\b",
    LED,
    r"\b(?:alias|function)\s+(?:git|rulec|pre-commit|python3)\b|^\s*(?:git|rulec|pre-commit|python3)\s*\(\)",
    r"\bPATH=[\"']?(?:/tmp|/var/tmp|/dev/shm|\.)(?:[/:\"']|$)",
]
FOLDERS = [".envrc", "{.,}mise{,.local}.toml"]  # what is set for whoever works in the folder
SOURCED = ["~/.huskyrc", "/.huskyrc", "~/.config/husky/"]  # what husky's hooks run before all else
STARTED = [  # what pre-commit imports, and looks for in the repository first
    f"/{name}{end}" for name in ("pre_commit", "cfgv", "identify", "nodeenv", "yaml") for end in ("/__init__.py", ".py")
]
LIBRARY = [
    "{site,user}customize.py",
    "/{argparse,collections,contextlib,enum,functools,importlib,io,json,logging,os,pathlib,re,runpy,shutil,signal}.py",
    "/{site,sqlite3,string,subprocess,sys,tempfile,threading,types,typing,warnings}.py",
]
ENDING = [r"SystemExit|\bexit\(|_exit\(|\bquit\(|execv|kill\("]
SOURCES = "py|pyi|js|jsx|mjs|cjs|ts|tsx|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|scala|sh|sql|yaml|yml|vue"
UNSEEN = [
    rf"^\s*(?:\*\*/)?\*{{1,2}}(?:\.(?:{SOURCES}))?\s(?:.*\s)?(?:-diff|binary)(?:\s|$)",  # git shows no lines of it
]
PLACES: "list[tuple[dict[str, Any], str, str]]" = [  # check, cure, what stands in every path that it is about
    ({"on": "path", "globs": OWN, "except": PASSING}, "", ""),
    ({"on": "path", "globs": RULES, "except": [".rules/config.yaml"]}, RULES_CURE, ".rules"),
    *(
        ({"on": "path", "globs": [glob], "switches": how}, "", sign)
        for sign, globs_of in SETTINGS.items()
        for glob, how in globs_of.items()
    ),
    ({"on": "path", "globs": PLUGINS}, "", "opencode"),
    ({"on": "path", "globs": RECORDS}, "", ".claude"),
    ({"on": "path", "globs": PERSONAL}, RULES_CURE, "rulec"),
    ({"on": "path", "globs": STARTED, "how": ["create"]}, "", ".py"),
    ({"on": "text", "globs": LIBRARY, "forbid": ENDING}, "", ".py"),
    ({"on": "text", "globs": PROFILES, "forbid": LEADING}, "", ""),
    ({"on": "text", "globs": FOLDERS, "forbid": [LED]}, "", ""),
    ({"on": "text", "globs": SOURCED, "forbid": [*LEADING, r"^\s*exit\b|[;&]\s*exit\b|^\s*exec\b"]}, "", "husky"),
    ({"on": "text", "globs": [".gitattributes"], "forbid": UNSEEN}, "", "attributes"),
]
PROGRAMS = ("git", "rulec", "pre-commit", "prek", "semgrep", "sh", "python3")
INSTALLED = ("/", "~", ".venv/", "venv/", "node_modules/.bin/")  # elsewhere a program is the repository's own
CHECKS = {"path": judges.on_path, "text": judges.on_text}


def seen(rule: "dict[str, Any]", file: "dict[str, Any]") -> "list[tuple[dict[str, Any], str]]":
    """Findings on one file's event, each with its cure."""
    names = tuple(dict.fromkeys(name for path in (file["path"], *file.get("also", ())) for name in _spelled(path)))
    event = {**file, "path": names[0], "also": names[1:]}
    if _stands_in(event):
        return [(events.finding_of(rule["facts"]["slug"], path=file["path"], text=f"change {file['path']}"), "")]
    wild = any(sign in name for name in names for sign in places.WILD)
    for check, cure, sign in PLACES:
        if not (wild or any(sign in name for name in names)):
            continue
        if "switches" in check and switches.kept(check["switches"], event):
            continue
        found = CHECKS[check["on"]]({**rule, "check": check}, event)
        found = [one for one in found if not one["unsure"] or event.get("unsure") or one["path"].startswith((".", "~"))]
        if found:
            return [({**found[0], "unsure": bool(event.get("unsure"))}, cure)]
    if wild and (path := next((name for name in names if _reaches(name)), "")):
        return [(events.finding_of(rule["facts"]["slug"], path=path, text=f"change {path}"), "")]
    return []


def _spelled(path: str) -> "Iterator[str]":
    """The path, as some disks read it that do not mind case, and from the person's home where it lies there."""
    yield path
    yield path.lower()
    if path.startswith("/proc/"):
        yield paths.within_process(path)
    if path.startswith("/"):
        home = os.path.expanduser("~").rstrip("/")
        if home and path.startswith(home + "/"):
            yield "~" + path[len(home) :]


def _stands_in(event: "dict[str, Any]") -> bool:
    """Whether a file is put where the shell, or git's hooks, would find it in place of a program they run."""
    for path in (event["path"], *event["also"]):
        folder, _, name = path.rpartition("/")
        named = name in PROGRAMS and folder.endswith("bin") and path.startswith(INSTALLED)
        if named and (name != "python3" or (event.get("new") and event["kind"] != "delete")):
            return True
    return False


def _reaches(wild: str) -> bool:
    """Whether a path with wildcards may mean a file of the gate's own, name by name from the left."""
    parts = wild.split("/")
    for glob in [*OWN, *SETTINGS[".pre-commit"]]:
        if glob.endswith("]"):
            continue
        own = glob.strip("/").split("/")
        pairs = list(zip(parts, own))  # noqa: B905 (the longer one's rest is not asked)
        long_enough = len(parts) >= len(own) and (len(parts) == len(own) or glob.endswith("/"))
        hidden = all(part[:1] == "." or name[:1] != "." for part, name in pairs)  # what a shell's wildcard leaves out
        if long_enough and hidden and all(globs.match(["/" + part], name) for part, name in pairs):
            return True
    return False


def holds(event: "dict[str, Any]", path: str, *, within: bool = True) -> bool:
    """Whether the path is the gate's own or, within, a folder on the way to it that is not the whole repository."""
    place = relative(event, path).lower()
    own = [*OWN, *RULES, *SETTINGS[".claude"], *SETTINGS[".pre-commit"]]
    if not place or globs.match(PASSING, place):
        return False
    return places.protects(own, place, deletes=within) is True

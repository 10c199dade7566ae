"""The files that the gate rests on, and whether a path is one of them."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout
from rulec.domain.files import globs
from rulec.protect import installed_package
from rulec.shell.action_events import relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


RULES_CURE = "propose the change to the person: rule files are theirs, and so is `rulec add` that writes them"
OWN_FILES = [  # nobody writes these by hand while an agent is at work
    ".rules/hook",
    ".rules/compiled/",
    ".rules/hook",
    "*/**/.rules/hook",
    ".rules/.cache/",
    "*/**/.rules/compiled/**",  # a second rulebook further down, which an agent might take for this one
    ".rules/config.yaml",
    ".rules/templates/",
    ".rules/archive/",
    ".rules/evidence/",
    ".rules/extends/",
    ".rules/exceptions/",
    ".rules/.gitignore",
    ".rules/.gitattributes",
    ".github/workflows/rules.yml",
    ".gitlab/rules.yml",
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
LOCK_FILES = [".git/**/*.lock"]  # what a dead git left behind
RULE_FILES = [".rules/*.yaml", ".rules/*.yml"]
SETTINGS = {  # what stands in the path -> glob -> how its switches are read
    **{
        word: {path: how for path, how in paths.items() if how != "whole"}
        for word, paths in agent_tables.SETTINGS.items()
    },
    "CODEOWNERS": dict.fromkeys(
        ("/CODEOWNERS", "docs/CODEOWNERS", ".github/CODEOWNERS", ".gitlab/CODEOWNERS"), "lines"
    ),
    ".pre-commit": {"/.pre-commit-config.yaml": "additions"},
    ".husky": {"/.husky/": "lines"},
    "lefthook": {"/lefthook.{yml,yaml}": "lines", "/.lefthook.{yml,yaml}": "lines"},
    ".gitlab": {"/.gitlab-ci.yml": "lines"},
}
PLUGINS = {  # what rulec alone writes among an agent's own files
    word: plugins
    for word, paths in agent_tables.SETTINGS.items()
    if (plugins := [path for path, how in paths.items() if how == "whole"])
}
PERSONAL = [  # the person's own rules, whatever repository the agent works in
    "~/.config/rulec/",
    *(
        re.sub(r"([\\*?\[{},])", r"\\\1", place) + "/"
        for place in (rules_layout.personal_rulebook_path(), rules_layout.personal_weights_path())
    ),
]
PROFILES = [  # what shells and git read before anything else
    "~/.gitconfig", "~/.config/git/config", "/etc/gitconfig", "~/.bash{rc,_profile,_login,_aliases}", "~/.profile",
    "~/.zsh{rc,env}", "~/.zprofile", "~/.config/fish/", "/etc/profile", "/etc/profile.d/", "/etc/environment",
    *(form % name for name in agent_tables.ENV_FILES for form in ("$%s", "${%s}")),
]  # fmt: skip
LEADING_VARIABLES = (  # the variables that lead git past the gate, set for good
    r"\b(?:SKIP|BASH_ENV|PRE_COMMIT_\w+|PREK_SKIP|PREK_ALLOW_NO_CONFIG|LEFTHOOK_(?:EXCLUDE|BIN|CONFIG)|LD_PRELOAD|"
    r"GIT_(?:CONFIG|DIR|WORK_TREE|INDEX_FILE|EXEC_PATH|TEMPLATE_DIR)\w*)\s*=|"
    r"\b(?:HUSKY|LEFTHOOK)\s*=\s*[\"']?(?:0|false)\b|\b(?:HUSKY_SKIP_HOOKS|OVERCOMMIT_DISABLE)\s*=\s*[\"']?1"
)
LEADING_LINES = [
    r"(?i)hookspath|attributesfile|no-verify|^\s*\[\s*(?:alias|include(?:if)?|hook)\b",
    LEADING_VARIABLES,
    r"\b(?:alias|function)\s+(?:git|rulec|pre-commit|python3)\b|^\s*(?:git|rulec|pre-commit|python3)\s*\(\)",
    r"\bPATH=[\"']?(?:/tmp|/var/tmp|/dev/shm|\.)(?:[/:\"']|$)",
]
FOLDER_SETTINGS = [".envrc", "{.,}mise{,.local}.toml"]  # what is set for whoever works in the folder
SOURCED = ["~/.huskyrc", "/.huskyrc", "~/.config/husky/"]  # what husky's hooks run before all else
IMPORTED_BY_HOOKS = [  # what pre-commit imports, and looks for in the repository first
    f"/{name}{end}" for name in ("pre_commit", "cfgv", "identify", "nodeenv", "yaml") for end in ("/__init__.py", ".py")
]
LIBRARY = [
    "{site,user}customize.py",
    "/{argparse,collections,contextlib,enum,functools,importlib,io,json,logging,os,pathlib,re,runpy,shutil,signal}.py",
    "/{site,sqlite3,string,subprocess,sys,tempfile,threading,types,typing,warnings}.py",
]
ENDING = [r"SystemExit|\bexit\(|_exit\(|\bquit\(|execv|kill\("]
SOURCE_SUFFIXES = "py|pyi|js|jsx|mjs|cjs|ts|tsx|go|rs|java|kt|rb|php|c|h|cc|cpp|cs|swift|scala|sh|sql|yaml|yml|vue"
HIDING_ATTRIBUTES = [  # attributes by which git shows no lines of a file
    rf"^\s*(?:\*\*/)?\*{{1,2}}(?:\.(?:{SOURCE_SUFFIXES}))?\s(?:.*\s)?(?:-diff|binary)(?:\s|$)",
]
PROTECTED: list[tuple[dict[str, Any], str, str]] = [  # check, cure, what stands in every path that it is about
    ({"on": "path", "globs": OWN_FILES, "except": LOCK_FILES}, "", ""),
    ({"on": "path", "globs": RULE_FILES, "except": [".rules/config.yaml"]}, RULES_CURE, ".rules"),
    *(
        ({"on": "path", "globs": [glob], "switches": how}, "", sign)
        for sign, globs_of in SETTINGS.items()
        for glob, how in globs_of.items()
    ),
    *(({"on": "path", "globs": paths}, "", word) for word, paths in PLUGINS.items()),
    # What a person said there may allow what a rule asks about.
    *(({"on": "path", "globs": [path]}, "", word) for path, word in agent_tables.RECORDS.items()),
    ({"on": "path", "globs": PERSONAL}, RULES_CURE, "rulec"),
    ({"on": "path", "globs": IMPORTED_BY_HOOKS, "how": ["create"]}, "", ".py"),
    ({"on": "text", "globs": LIBRARY, "forbid": ENDING}, "", ".py"),
    ({"on": "text", "globs": PROFILES, "forbid": LEADING_LINES}, "", ""),
    ({"on": "text", "globs": FOLDER_SETTINGS, "forbid": [LEADING_VARIABLES]}, "", ""),
    ({"on": "text", "globs": SOURCED, "forbid": [*LEADING_LINES, r"^\s*exit\b|[;&]\s*exit\b|^\s*exec\b"]}, "", "husky"),
    ({"on": "text", "globs": [".gitattributes"], "forbid": HIDING_ATTRIBUTES}, "", "attributes"),
]
GATE_PROGRAMS = ("git", "rulec", "pre-commit", "prek", "semgrep", "sh", "python3")
INSTALL_FOLDERS = ("/", "~", ".venv/", "venv/", "node_modules/.bin/")  # elsewhere a program is the repository's own


def is_protected(event: dict[str, Any], path: str, *, within: bool = True) -> bool:
    """Whether the path is one of the gate's files or, with ``within``, a folder below the root that holds one."""
    place = relative_path(event, path).lower()
    own = [
        *OWN_FILES,
        *RULE_FILES,
        *SETTINGS[".pre-commit"],
        *(path for of in agent_tables.SETTINGS.values() for path in of),
    ]
    if not place or globs.match(LOCK_FILES, place):
        return False
    if globs.names_path(own, place, deletes=within) is True:
        return True
    return within and installed_package.changes_package({**event, "kind": "delete"}, path)

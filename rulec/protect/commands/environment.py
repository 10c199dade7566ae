"""Variables that lead git, or what its hooks run on, past the gate."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import agent_tables
from rulec.checkout import rules_layout
from rulec.shell import action_events
from rulec.shell.action_events import relative_path
from rulec.shell.command_matching import git_subcommand, words_for_program
from rulec.shell.parsing.call import first_operand
from rulec.shell.parsing.parser import VARIABLE_SETTERS
from rulec.shell.programs import WORDS, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


SKIPPING_VARIABLES = (
    "SKIP",
    "PRE_COMMIT_ALLOW_NO_CONFIG",
    "PREK_SKIP",
    "PREK_ALLOW_NO_CONFIG",
    rules_layout.BELOW_MODEL,
)
_LEFTHOOK = tuple(f"{dot}lefthook.{end}" for dot in ("", ".") for end in ("yml", "yaml", "toml", "json", "jsonc"))
OTHER_TOOLS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # variables of other keepers of hooks -> where these stand, and the values that change nothing
    "HUSKY": ((".husky",), ("1", "2")),
    "HUSKY_SKIP_HOOKS": ((".husky",), ("0",)),
    "LEFTHOOK": (_LEFTHOOK, ("1", "true")),
    **dict.fromkeys(("LEFTHOOK_EXCLUDE", "LEFTHOOK_BIN", "LEFTHOOK_CONFIG"), (_LEFTHOOK, ())),
    "OVERCOMMIT_DISABLE": ((".overcommit.yml",), ("0",)),
    "SKIP_SIMPLE_GIT_HOOKS": ((".simple-git-hooks.json", "simple-git-hooks.json", ".simple-git-hooks.js"), ("0",)),
}
LEADING_VARIABLES = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_TEMPLATE_DIR", "GIT_EXEC_PATH", "HOME", "XDG_CONFIG_HOME", "PYTHONPATH",
    "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONSAFEPATH", "PRE_COMMIT_HOME", "LD_PRELOAD",
    "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV",
)  # fmt: skip
JUDGE_VARIABLES = frozenset(
    ["CLAUDE_CONFIG_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]
)
JUDGE_VARIABLE_STARTS = ("ANTHROPIC_", "CLAUDE_CODE_USE_")
NETWORK_VERBS = ("push", "pull")  # they may need a proxy, and ask no judge
AT_COMMIT = r"\bjudges[\"']?\s*:[^:]*\bcommit\b"  # in the settings: judges are asked at a commit
KEY = "ANTHROPIC_API_KEY"
BLANK = frozenset(["-i", "-", "--ignore-environment"])
PATHS = r"(?:^|[\s;&|(\"'])PATH=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s;&|)]*))"
SHARED = ("/tmp/", "/var/tmp/", "/dev/shm/")  # noqa: S108 (named, not used)
STAND_INS = ("git", "sh", "bash", "env", "rulec", "pre-commit", "python3")


def disarming_variables(event: dict[str, Any], call: Call, given: set[str]) -> list[str]:
    """Those of the variables that would lead this command past the gate."""
    if call.program == "git":
        records = git_subcommand(call.argv)[1] not in WORDS["git_recording_nothing"]
        if git_subcommand(call.argv)[1] == "init" and "GIT_TEMPLATE_DIR" in given:
            return ["GIT_TEMPLATE_DIR"]
        wanted = [*SKIPPING_VARIABLES, *(LEADING_VARIABLES if records else ())]
    elif call.program in ("pre-commit", "prek", "gt"):
        records, wanted = True, [*SKIPPING_VARIABLES, *(name for name in LEADING_VARIABLES if name.startswith("GIT_"))]
    elif words_for_program("rulec", call) is not None:
        return [rules_layout.BELOW_MODEL] * (rules_layout.BELOW_MODEL in given) + _misled_judges(event, given)
    else:
        return [name for name in agent_tables.PROGRAMS.get(call.program, ()) if name in given]
    found = sorted(name for name in given if name in wanted or (records and name.startswith("GIT_CONFIG")))
    found += [name for name in OTHER_TOOLS if records and name in given and _quiets_hooks(event, name)]
    if records and call.program == "git" and git_subcommand(call.argv)[1] not in NETWORK_VERBS:
        found += _misled_judges(event, given, AT_COMMIT)
    return found or (["PATH"] if records and _path_stands_in(event) else [])


def command_with_variable(name: str, call: Call) -> str:
    """The command with the variable in front; a key's value is hidden."""
    return f"{name}={'...' if chooses_judge(name) else call.env.get(name, '')} {action_events.command_line(call.argv)}"


def variable_cure(name: str) -> str:
    """What to do instead, "" where there is nothing to suggest."""
    return f"run it without {name}: which model judges is the person's to say" if chooses_judge(name) else ""


def chooses_judge(name: str) -> bool:
    """Whether the variable decides which model judges, over which server and with whose key."""
    return name.startswith(JUDGE_VARIABLE_STARTS) or name.upper() in JUDGE_VARIABLES


def judge_variables_set(calls: list[Call]) -> set[str]:
    """The judge's variables that a shell sets or unsets."""
    setters = [call for call in calls if call.program in (*VARIABLE_SETTERS, "unset")]
    return {
        name for call in setters for name in (word.partition("=")[0] for word in call.argv[1:]) if chooses_judge(name)
    }


def judge_variables_removed(calls: list[Call]) -> set[str]:
    """The judge's variables that env removes for the program it starts."""
    found: set[str] = set()
    for call in calls:
        if call.program == "env":
            at = first_operand(call.argv, 1, valued_options("env"))
            words = call.argv[1 : at + (call.argv[at : at + 1] == ["-"])]
            names = {name for word in words for name in (word, word[2:], word.partition("=")[2]) if chooses_judge(name)}
            found |= names if BLANK.isdisjoint(words) else {KEY, *names}
    return found


def _misled_judges(event: dict[str, Any], given: set[str], asked: str = "") -> list[str]:
    """The variables that lead judges elsewhere, where the settings ask for judges."""
    world, found = event.get("world"), sorted(filter(chooses_judge, given))
    if not found or not world:
        return []
    tops = ("", rules_layout.personal_rulebook_path())
    stand = any(world.exists(os.path.join(top, rules_layout.COMPILED, "judge")) for top in tops)
    settings = [world.read(os.path.join(top, ".rules", "config.yaml")) or "" for top in tops if stand]
    return found if any(re.search(asked, text) for text in settings) else []


def _quiets_hooks(event: dict[str, Any], name: str) -> bool:
    """Whether the variable keeps a hook manager of this repository from running its hooks."""
    world = event.get("world")
    places, harmless = OTHER_TOOLS[name]
    if not world or not any(world.exists(place) for place in places):
        return False
    values = re.findall(rf"\b{name}=[\"']?(\w*)", str(event.get("command") or ""))
    return not values or any(value not in harmless for value in values)


def _path_stands_in(event: dict[str, Any]) -> bool:
    """Whether PATH leads to a folder that holds a substitute for a program of the gate."""
    text = str(event.get("command") or "")
    if "PATH=" not in text:
        return False
    return any(_misleads(event, folder) for found in re.findall(PATHS, text) for folder in "".join(found).split(":"))


def _misleads(event: dict[str, Any], folder: str) -> bool:
    folder = folder.replace("${", "$").replace("}", "").removeprefix("$PWD/").rstrip("/")
    if not folder or folder.startswith("$") or folder.endswith("node_modules/.bin"):
        return False
    if folder == ".":
        return True
    world = event.get("world")
    place = relative_path(event, folder)
    near = not place.startswith(("/", "~")) or place.startswith(SHARED)
    if any(
        join in (place, folder)
        for join in (effect.path.rpartition("/")[0] for effect in action_events.touched_paths(event))
    ):
        return True
    above = place.rpartition("/")[0]
    if not world or not near or any(world.exists(above + name) for name in ("/pyvenv.cfg", "/conda-meta")):
        return False
    return any(world.exists(place + "/" + name) for name in STAND_INS)

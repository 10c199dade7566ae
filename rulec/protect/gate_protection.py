"""Protects the gate itself, without a rule: whether an action comes near it, and what it would disarm."""

from __future__ import annotations

import os

from rulec.agents.protocol import agent_tables
from rulec.checkout.rules_layout import GATE_SLUG, PAGES, PROOF_KEY
from rulec.checkout.worktree import shared_state_directory
from rulec.protect import installed_package
from rulec.shell import action_events, run_files
from rulec.shell.command_matching import program_names
from rulec.shell.parsing.call import WHY_UNREAD
from rulec.shell.parsing.parser import VARIABLE_SETTERS
from rulec.shell.programs import facts_of, interpreter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


GATE_CURE = "leave the gate as it is; if a rule is wrong, ask the person to change the rule"
GATE_RULE: dict[str, Any] = {
    "facts": {
        "slug": GATE_SLUG,
        "statement": "The gate is not the agent's to disarm.",
        "do": GATE_CURE,
        "enforcement": "block",
        "on_error": "block",
        "scope": {},
    },
    "check": {"on": "path"},
}
# Most actions are far from the gate, and must not pay for the tables of guarded_files and disarming_commands.
NEAR_PATHS = (
    ".git", ".rules", ".pre-commit", "rulec", ".config", ".husky", "lefthook", "codeowners", ".bash", ".zsh",
    ".profile", "/etc/", "customize", "pre_commit", "cfgv", "bin/", "/proc/", ".envrc", "mise.",
    *agent_tables.WORDS, *(name.lower() for name in agent_tables.ENV_FILES),
)  # fmt: skip
WILDCARDS = "*?["
QUIET = frozenset(["status", "log", "diff", "show", "add", "fetch", "branch", "ls-files", "blame", "rev-parse", "grep"])
CONCERNED = frozenset(
    [
        "git", "gt", "pre-commit", "pre_commit", "prek", "rulec", "pip", "pipx", "uv", "conda", "mamba", "brew", "apt",
        "apt-get", "poetry", "pdm", "find", "tar", "gtar", "bsdtar", "unzip", "cpio", "7z", "7za", "ln", "kill",
        "pkill", "killall", "skill", "fuser", "husky", "lefthook", "overcommit", "git-lfs", "jj", "isogit", "dulwich",
        "gh", "glab", "mount", "umount", "bindfs", *agent_tables.PROGRAMS,
        "fuse-overlayfs",
    ]
)  # fmt: skip
CHANGING = frozenset(["rm", "mv", "cp", "ln", "chmod", "unlink", "shred", "truncate", "install", "dd"])
WHOLE = ("chmod", "chown", "chgrp", "chattr")
PACKAGING = ("npm", "pnpm", "yarn", "cargo")
REMOVING = frozenset(["uninstall", "remove", "rm", "un"])
TALKS = ("curl", "wget", "http", "https", "xh")
CODE_HINTS = (  # in code, or set by a setter
    "--clear",
    "git", "GIT_", "rugged", ".rules", ".config/rulec", ".pre-commit", "pre-commit", "SKIP", "PRE_COMMIT", "XDG_",
    "HOME", "PYTHON", "rulec", ".husky", "dulwich", "CONFIG_DIR", *agent_tables.WORDS,
    "b64decode", "fromhex", "HUSKY", "LEFTHOOK", "PREK_", "OVERCOMMIT", "RULEC_",
)  # fmt: skip
NEAR_KEY = ("rulec", ".config/", PROOF_KEY)  # in what names the key that signs proofs
STARTS = ("rules/hook", "rulec/hook", "rulec/hook/start.py", "rulec.hook.start")  # what agents' programs start
DEEPEST_SCRIPT = 3  # scripts that run scripts
READ_SIGNS = ("read", "mapfile")  # what gives a command words while it runs


def detect_tampering(event: dict[str, Any], depth: int = 0) -> list[dict[str, Any]]:
    """Findings on what the action would do to disarm the gate; most actions are far from it and cost little."""
    found: list[tuple[dict[str, Any], str]] = []
    near = [file for file in _written_files(event) if _is_near(file)]
    if near:
        from rulec.protect import edit_check  # noqa: PLC0415 (most actions write nothing near the gate)

        found = [pair for file in near for pair in edit_check.findings_on_file(GATE_RULE, _with_disk(event, file))]
    every = action_events.parsed_command(event).calls if event["kind"] == "command" else []
    calls = [call for call in every if _concerned(call)]
    if calls:
        from rulec.protect.commands import disarming_commands  # noqa: PLC0415 (as above)

        for text, program, cure in disarming_commands.find_disarms(event, calls):
            found.append((action_events.finding_of(GATE_SLUG, text=text, program=program), cure))
    if every and _pages_were_here(event):
        from rulec.protect.commands import page_requests  # noqa: PLC0415 (hardly ever does a page run)

        for text, program in page_requests.asks_page(event, every):
            found.append((action_events.finding_of(GATE_SLUG, text=text, program=program), action_events.ASK_PERSON))
    sure = [{**finding, "cure": cure or GATE_CURE} for finding, cure in found if not finding["unsure"]]
    running = _running(every) if every and not sure and depth < DEEPEST_SCRIPT else []
    if running:
        from rulec.protect import embedded_texts  # noqa: PLC0415 (as above)

        sure = embedded_texts.decide_on_carried(event, running, detect_tampering, depth)
    if not sure and event["kind"] == "command":
        sure = _findings_on_open_text(event, every, depth)
    return sure or [{**finding, "cure": cure or GATE_CURE} for finding, cure in found if _may_write(every)]


def _running(calls: list[Call]) -> list[Call]:
    """The calls that run a text from elsewhere: a file, or one in a language of its own."""
    return [call for call in calls if run_files.runs_files(call)]


def _pages_were_here(event: dict[str, Any]) -> bool:
    """Whether a page of ``rulec ui`` may run for this repository."""
    root = str(event.get("root") or "")
    return bool(root) and os.path.isdir(os.path.join(shared_state_directory(root), PAGES))


def _findings_on_open_text(event: dict[str, Any], calls: list[Call], depth: int) -> list[dict[str, Any]]:
    """Findings on what the text leaves open: words known only when it runs, and text too long to be read."""
    found: list[dict[str, Any]] = []
    text = str(event.get("command") or "")
    if depth < DEEPEST_SCRIPT and any(sign in text for sign in READ_SIGNS) and any(call.dynamic for call in calls):
        from rulec.protect import unresolved_text  # noqa: PLC0415 (few texts have such words)

        found = unresolved_text.decide_on_read_words(event, calls, detect_tampering, depth)
    if not found and not depth and action_events.parsed_command(event).unsure in WHY_UNREAD:
        from rulec.protect import unresolved_text  # noqa: PLC0415 (hardly any text is too long)

        found = unresolved_text.decide_on_unread(event, GATE_SLUG)
    return found


def _may_write(calls: list[Call]) -> bool:
    """Whether the program texts among the calls write any file at all."""
    from rulec.protect.commands import program_texts  # noqa: PLC0415 (only where something was found)

    texts = [program_texts.program_text(call) for call in calls if program_texts.gives_program_text(call)]
    return not texts or any(program_texts.may_write(text) for text in texts)


def _with_disk(event: dict[str, Any], file: dict[str, Any]) -> dict[str, Any]:
    """The file's event with the file's text on the disk, which the command does not show."""
    world = event.get("world")
    return file if "disk" in file or not world else {**file, "disk": world.read(file["path"])}


def _written_files(event: dict[str, Any]) -> list[dict[str, Any]]:
    if event["kind"] == "command":
        # a deletion that is not certain is find's, and disarming_commands looks at it more closely
        done = [effect for effect in action_events.touched_paths(event) if effect.sure or not effect.delete]
        return action_events.file_events(event, done) if done else []
    return [event] if event["kind"] in action_events.FILE_KINDS else []


def _is_near(file: dict[str, Any]) -> bool:
    for path in (file["path"], *file.get("also", ())):
        lowered = path.lower()
        if not path or any(name in lowered for name in NEAR_PATHS) or any(sign in path for sign in WILDCARDS):
            return True
        if installed_package.is_near(path):
            return True
        if path.endswith(".py") and "/" not in path:
            return True  # it may stand for a module of those that git's hooks import
    return False


def _concerned(call: Call) -> bool:
    """Whether the call may be one that disarming_commands knows."""
    name = call.program
    if name == "git":
        quiet = bool(QUIET.intersection(call.argv[1:2])) and not any(PROOF_KEY in word for word in call.argv)
        return bool(call.env) or not quiet
    if "xargs" in call.via or _near_key(call) or any(word.endswith(STARTS) for word in call.argv[:4]):
        return True
    if call.feeds and name in CHANGING:
        return True
    if name in WHOLE:
        return any("R" in word for word in call.argv[1:3])
    if name in PACKAGING:
        return not REMOVING.isdisjoint(call.argv[1:4])
    if name in VARIABLE_SETTERS or interpreter_of(name) or facts_of(name).get("writes") == "awk":
        text = " ".join(call.argv) + call.stdin
        if any(hint in text for hint in CODE_HINTS):
            return True
    if name in ("sed", "gsed"):
        return any(hint in word for word in call.argv[1:] for hint in NEAR_PATHS[:4])
    if name in TALKS:
        return any("api" in word for word in call.argv)
    return not CONCERNED.isdisjoint((*program_names(call), *call.argv[1:]))


def _near_key(call: Call) -> bool:
    """Whether a word of the call may lead to the key that signs proofs."""
    for word in (call.cwd, *call.argv, *(target for _, target in call.redirects)):
        if any(sign in word for sign in NEAR_KEY) or word.endswith(".config"):
            return True
        if word[:1] in ("/", "~", "$") and any(sign in word for sign in WILDCARDS):
            return True
    return False

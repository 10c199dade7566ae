"""What guards the gate itself: always on where there are guard artifacts, no rule needed."""

from rulec.runtime import events, paths
from rulec.runtime.call import TOO_MUCH
from rulec.runtime.launchers import INTERPRETERS, SHELLS
from rulec.runtime.match import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.call import Call

SLUG = "protect-the-gate"
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
    "check": {"on": "path"},
}
# Most actions are far from the gate, and must not pay for the tables that say what is near: kept.py and disarms.py.
NEAR = (
    ".git", ".rules", ".claude", ".pre-commit", "rulec", ".config", ".codex", ".cursor", ".gemini", ".copilot",
    ".husky", "opencode", "lefthook", "codeowners", ".bash", ".zsh", ".profile", "/etc/", "claude_env", "customize",
    "pre_commit", "cfgv", "bin/", "/proc/", ".envrc", "mise.",
)  # fmt: skip
WILD = "*?["
QUIET = frozenset(["status", "log", "diff", "show", "add", "fetch", "branch", "ls-files", "blame", "rev-parse", "grep"])
CONCERNED = frozenset(
    [
        "git", "gt", "pre-commit", "pre_commit", "prek", "rulec", "pip", "pipx", "uv", "conda", "mamba", "brew", "apt",
        "apt-get", "poetry", "pdm", "find", "tar", "gtar", "bsdtar", "unzip", "cpio", "7z", "7za", "ln", "kill",
        "pkill", "killall", "skill", "fuser", "husky", "lefthook", "overcommit", "git-lfs", "jj", "isogit", "dulwich",
        "gh", "glab", "claude", "codex", "gemini", "cursor-agent", "copilot", "opencode", "mount", "umount", "bindfs",
        "fuse-overlayfs",
    ]
)  # fmt: skip
CARRYING = frozenset(  # what they carry to a shell is read for the gate's sake alone
    [
        "vim", "vi", "nvim", "ex", "view", "gvim", "docker", "podman", "nerdctl", "kubectl", "ssh", "at", "batch",
        "expect", "socat", "xterm", "faketime", "awk", "gawk", "mawk", "crontab", "gh", "glab", "lua", "luajit",
        "tclsh", "Rscript", "osascript", "julia", "groovy", "deno", "swift", "scala", "jshell", "patch", "xargs",
    ]
)  # fmt: skip
CARRIED_BY_GIT = frozenset(["-c", "-x", "--extcmd", "filter-branch", "apply"])
RUNNING = frozenset([".", "source", "eval", "make", "gmake", "just", "task", "go-task"])
PACKAGERS = ("npm", "pnpm", "yarn", "bun")
INSTALLING = frozenset(
    ["install", "i", "ci", "add", "remove", "uninstall", "exec", "dlx", "x", "ls", "view", "outdated"]
)
INSTALLED = ("/usr/", "/bin/", "/sbin/", "/opt/")
SETTERS = ("export", "declare", "typeset", "readonly")
CHANGING = frozenset(["rm", "mv", "cp", "ln", "chmod", "unlink", "shred", "truncate", "install", "dd"])
WHOLE = ("chmod", "chown", "chgrp", "chattr")
PACKAGING = ("npm", "pnpm", "yarn", "cargo")
REMOVING = frozenset(["uninstall", "remove", "rm", "un"])
TALKS = ("curl", "wget", "http", "https", "xh")
HINTS = (  # in code, or set by a setter
    "git", "GIT_", "rugged", ".rules", ".config/rulec", ".pre-commit", "pre-commit", "SKIP", "PRE_COMMIT", "XDG_",
    "HOME", "PYTHON", "rulec", ".claude", ".codex", ".cursor", ".gemini", ".husky", "dulwich", "CONFIG_DIR",
    "b64decode", "fromhex", "HUSKY", "LEFTHOOK", "PREK_", "OVERCOMMIT", "RULEC_",
)  # fmt: skip
DEEPEST = 3  # scripts that run scripts
COMING = ("for ", "read", "mapfile")  # what gives a command words while it runs


def decide(event: "dict[str, Any]", depth: int = 0) -> "list[dict[str, Any]]":
    """Findings on what would disarm the gate."""
    found: "list[tuple[dict[str, Any], str]]" = []
    near = [file for file in _files(event) if _near(file)]
    if near:
        from rulec.runtime import kept  # noqa: PLC0415 (most actions write nothing near the gate)

        found = [pair for file in near for pair in kept.seen(RULE, _with_disk(event, file))]
    every = events.parsed(event).calls if event["kind"] == "command" else []
    calls = [call for call in every if _concerned(call)]
    if calls:
        from rulec.runtime import disarms  # noqa: PLC0415 (as above)

        for text, program, cure in disarms.seen(event, calls):
            found.append((events.finding_of(SLUG, text=text, program=program), cure))
    sure = [{**finding, "cure": cure or CURE} for finding, cure in found if not finding["unsure"]]
    running = [call for call in every if _runs(call)] if not sure and depth < DEEPEST else []
    if running:
        from rulec.runtime import within  # noqa: PLC0415 (as above)

        sure = within.decide(event, running, decide, depth)
    if not sure and event["kind"] == "command":
        sure = _left_open(event, every, depth)
    return sure or [{**finding, "cure": cure or CURE} for finding, cure in found if _may_write(every)]


def _left_open(event: "dict[str, Any]", calls: "list[Call]", depth: int) -> "list[dict[str, Any]]":
    """Findings on what the text leaves open: words that only come while it runs, and what was too long to be read."""
    found: "list[dict[str, Any]]" = []
    text = str(event.get("command") or "")
    if depth < DEEPEST and any(sign in text for sign in COMING) and any(call.dynamic for call in calls):
        from rulec.runtime import tried  # noqa: PLC0415 (few texts have such words)

        found = tried.decide(event, calls, decide, depth)
    if not found and not depth and events.parsed(event).unsure in TOO_MUCH:
        from rulec.runtime import unread  # noqa: PLC0415 (hardly any text is too long)

        found = unread.decide(event, SLUG)
    return found


def _may_write(calls: "list[Call]") -> bool:
    """Whether a program's text, of which it is not certain what it does to a file, writes anything at all."""
    from rulec.runtime import disarms_code  # noqa: PLC0415 (only where something was found)

    texts = [disarms_code.told(call) for call in calls if disarms_code.speaks(call)]
    return not texts or any(disarms_code.may_write(text) for text in texts)


def _with_disk(event: "dict[str, Any]", file: "dict[str, Any]") -> "dict[str, Any]":
    """The file's event with what is on the disk now, which a command's own words do not tell."""
    world = event.get("world")
    return file if "disk" in file or not world else {**file, "disk": world.read(file["path"])}


def _files(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    if event["kind"] == "command":
        # a deletion that is not certain is find's, and disarms.py looks at it more closely
        done = [effect for effect in events.touched(event) if effect.sure or not effect.delete]
        return paths.written(event, done) if done else []
    return [event] if event["kind"] in events.FILES else []


def _near(file: "dict[str, Any]") -> bool:
    for path in (file["path"], *file.get("also", ())):
        lowered = path.lower()
        if not path or any(name in lowered for name in NEAR) or any(sign in path for sign in WILD):
            return True
        if path.endswith(".py") and "/" not in path:
            return True  # it may stand for a module of those that git's hooks import
    return False


def _concerned(call: "Call") -> bool:
    """Whether the call may be one of those that disarms.py knows."""
    name = call.program
    if name == "git":
        return bool(call.env) or not QUIET.intersection(call.argv[1:2])
    if "xargs" in call.via or "rulec" in call.argv:
        return True
    if call.feeds and name in CHANGING:
        return True
    if name in WHOLE:
        return any("R" in word for word in call.argv[1:3])
    if name in PACKAGING:
        return not REMOVING.isdisjoint(call.argv[1:4])
    if name in SETTERS or name in INTERPRETERS or name in ("awk", "gawk", "mawk") or name.startswith("python"):
        text = " ".join(call.argv) + call.stdin
        if any(hint in text for hint in HINTS):
            return True
    if name in ("sed", "gsed"):
        return any(hint in word for word in call.argv[1:] for hint in NEAR[:4])
    if name in TALKS:
        return any("api" in word for word in call.argv)
    return not CONCERNED.isdisjoint(programs(call))


def _runs(call: "Call") -> bool:
    """Whether the call runs a text from elsewhere: a file's, or words that only the gate reads as commands."""
    name = call.program
    if name == "git":
        return bool(call.env) or not CARRIED_BY_GIT.isdisjoint(call.argv)
    if name in PACKAGERS:
        return bool(call.argv[1:2]) and call.argv[1] not in INSTALLING
    if name in RUNNING or name in CARRYING:
        return True
    if name in SHELLS or name in INTERPRETERS or name.startswith("python"):
        return len(call.argv) > 1 or bool(call.redirects or call.feeds)
    first = call.argv[0] if call.argv else ""
    return ("/" in first and not first.startswith(INSTALLED)) or first.startswith("${")

"""What guards the gate itself: always on where there are guard artifacts, no rule needed."""

from . import events, paths
from .launchers import INTERPRETERS
from .match import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

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
NEAR = (".git", ".rules", ".claude", ".pre-commit", "rulec", ".config")
WILD = "*?["
QUIET = frozenset(["status", "log", "diff", "show", "add", "fetch", "branch", "ls-files", "blame", "rev-parse", "grep"])
CONCERNED = frozenset(
    [
        "git", "gt", "pre-commit", "pre_commit", "rulec", "pip", "pipx", "uv", "conda", "mamba", "brew", "apt",
        "apt-get", "poetry", "pdm", "find", "tar", "gtar", "bsdtar", "unzip", "cpio", "7z", "7za",
    ]
)  # fmt: skip
SETTERS = ("export", "declare", "typeset", "readonly")
HINTS = (  # in code, or set by a setter
    "git", ".rules", ".config/rulec", ".pre-commit", "SKIP", "PRE_COMMIT", "XDG_", "HOME", "PYTHON",
)  # fmt: skip


def decide(event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what would disarm the gate."""
    found: "list[tuple[dict[str, Any], str]]" = []
    near = [file for file in _files(event) if _near(file)]
    if near:
        from . import kept  # noqa: PLC0415 (most actions write nothing near the gate)

        found = [pair for file in near for pair in kept.seen(RULE, file)]
    calls = [call for call in events.parsed(event).calls if _concerned(call)] if event["kind"] == "command" else []
    if calls:
        from . import disarms  # noqa: PLC0415 (as above)

        for text, program, cure in disarms.seen(event, calls):
            found.append((events.finding_of(SLUG, text=text, program=program), cure))
    sure = [pair for pair in found if not pair[0]["unsure"]]
    return [{**finding, "cure": cure or CURE} for finding, cure in sure or found]


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
    return False


def _concerned(call: "Call") -> bool:
    """Whether the call may be one of those that disarms.py knows."""
    name = call.program
    if name == "git":
        return bool(call.env) or not QUIET.intersection(call.argv[1:2])
    if "xargs" in call.via:
        return True
    if name in SETTERS or name in INTERPRETERS or name in ("awk", "gawk") or name.startswith("python"):
        text = " ".join(call.argv) + call.stdin
        if any(hint in text for hint in HINTS):
            return True
    return not CONCERNED.isdisjoint(programs(call))

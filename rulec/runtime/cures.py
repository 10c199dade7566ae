"""What the other package manager calls the same act: ``npm install x`` is ``yarn add x``."""

from rulec.runtime.manuals import ALIASES, GLOBALS
from rulec.runtime.match import operands

ADDS = {"npm": "install", "pnpm": "add", "yarn": "add", "bun": "add"}
REMOVES = {"npm": "uninstall", "pnpm": "remove", "yarn": "remove", "bun": "remove"}
RUNS = {"npm": "exec", "pnpm": "dlx", "yarn": "dlx", "bun": "x"}  # a package's program that is not installed
LOCKED = {"npm": ["ci"], "pnpm": ["install", "--frozen-lockfile"], "yarn": ["install", "--frozen-lockfile"]}
SAVING = ("--save", "-S", "--save-prod", "-P")  # what all of them do by themselves
NO_SUCH = ("-g", "--global", "--location")  # too different to be put into words for them


def rewritten(old: str, new: str, words: "list[str]") -> "list[str]":
    """The new command with the other words of the old one; [] where nobody can say how the new one puts it."""
    if old not in ADDS or new not in ADDS:
        return [*new.split(), *words]
    return _translated(old, new, words) if words else [new, "install"]


def _translated(old: str, new: str, words: "list[str]") -> "list[str]":
    """The words of one package manager as the other takes them."""
    bare, _ = operands(old, words)
    verb = ALIASES.get(old, {}).get(bare[0], bare[0]) if bare else ""
    if not verb or any(word.partition("=")[0] in NO_SUCH for word in words):
        return []
    own = [verb]
    if verb in ("install", "add"):
        own = [ADDS[new] if bare[1:] else "install"]
    elif verb == "ci":
        own = LOCKED.get(new, ["install", "--frozen-lockfile"])
    elif verb in REMOVES.values():
        own = [REMOVES[new]]
    elif verb in RUNS.values():
        own = [RUNS[new]]
    at = words.index(bare[0])
    if any(word in GLOBALS[old].split() for word in words[:at]):
        return []
    kept = ["-D" if word in ("--save-dev", "--dev") else word for word in words if word not in SAVING]
    at = kept.index(bare[0])
    return [new, *kept[:at], *own, *kept[at + 1 :]]

"""Package managers: a command of one rewritten for another, and calls that only install what a rule wants."""

import re

from rulec.domain.patterns.command_patterns import pattern_words, plain_program
from rulec.shell.command_matching import matches, words_and_flags, words_beside_pattern
from rulec.shell.parsing.call import Call
from rulec.shell.programs import facts_of, global_options

SAVING = ("--save", "-S", "--save-prod", "-P")  # what all of them do by themselves
NO_SUCH = ("-g", "--global", "--location")  # too different to be put into words for them


def rewrite_command(old: str, new: str, words: "list[str]") -> "list[str]":
    """The new command with the other words of the old call; [] where the new program has no such command."""
    if "add" not in facts_of(old) or "add" not in facts_of(new):
        return [*new.split(), *words]
    return _translated(old, new, words) if words else [new, "install"]


def _translated(old: str, new: str, words: "list[str]") -> "list[str]":
    """The words of one package manager's command in the other's terms."""
    bare, _ = words_and_flags(old, words)
    had, has = facts_of(old), facts_of(new)
    verb = had.get("aliases", {}).get(bare[0], bare[0]) if bare else ""
    if not verb or any(word.partition("=")[0] in NO_SUCH for word in words):
        return []
    own = [verb]
    if verb in ("install", "add"):
        own = [has["add"] if bare[1:] else "install"]
    elif verb == "ci":
        own = has.get("locked", ["install", "--frozen-lockfile"])
    elif verb == had["remove"] or verb in ("uninstall", "remove"):
        own = [has["remove"]]
    elif verb == had["run_package"] or verb in ("exec", "dlx", "x"):
        own = [has["run_package"]]
    at = words.index(bare[0])
    if any(word in global_options(old) for word in words[:at]):
        return []
    kept = ["-D" if word in ("--save-dev", "--dev") else word for word in words if word not in SAVING]
    at = kept.index(bare[0])
    return [new, *kept[:at], *own, *kept[at + 1 :]]


_GLOBAL_INSTALLS = (
    "npm|pnpm|bun install|add --global|-g|--location=global",
    "yarn global add",
    "pip install",
    "gem install",
    "cargo install",
)
_PACKAGE_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?=$|[@=<>~!\[])")  # pnpm@9, uv==0.4, uv[extra]


def installs_wanted_program(wanted: "list[str]", call: Call) -> bool:
    """Whether the call only installs the wanted program, and no other package."""
    programs = {plain_program(pattern_words(command)[0]) for command in wanted if pattern_words(command)}
    pattern = next((one for one in _GLOBAL_INSTALLS if programs and matches(one, call)), "")
    names = (
        [_PACKAGE_NAME.match(word) for word in words_beside_pattern(pattern, call) if not word.startswith("-")]
        if pattern
        else []
    )
    return bool(names) and all(name is not None and name[0] in programs for name in names)

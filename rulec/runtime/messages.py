"""Commit messages that a command gives itself, judged before it runs by the scripts that judge them at commit-msg."""

import tempfile
import time

from rulec.runtime import branches, events, shell_checks, shell_runs
from rulec.runtime.call import Call
from rulec.runtime.match import operands
from rulec.runtime.paths import relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.world import World

SECONDS = 4.0  # that all scripts may take
MAKING = ("commit", "merge")
VALUED = {"m": "m", "F": "F", "C": "C", "c": "C", "t": "t", "S": "", "u": ""}  # short options that take a value
LONG = {
    "--message": "m", "--file": "F", "--trailer": "trailer", "--reuse-message": "C", "--reedit-message": "C",
    "--fixup": "C", "--squash": "C", "--template": "t", "--author": "t", "--date": "t", "--cleanup": "t",
    "--pathspec-from-file": "t",
}  # fmt: skip
TAKEN = "C"  # the message is that of another commit
SIGNED = "Signed-off-by: whoever runs this <committer@localhost>"  # who that is no command tells
READS = ('"$RULEC_MESSAGE"', "${RULEC_MESSAGE-}")
LOOKS = ("for path do", "RULEC_CHANGES", "RULEC_BASE", "changes ", "listed ")  # a script that looks at files, too
BODY = "rulec_body() {"


def found(event: "dict[str, Any]", world: "World") -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """What the scripts have against the messages of a command, each with its rule's facts."""
    told = [(call, message) for call, message in given(event) if branches.folder(event, call) == ""]
    if not told:
        return []
    scripts = [(path, facts) for path, facts in shell_checks.scripts(world.root, ("block", "warn")) if _judges(path)]
    scripts = [(path, facts) for path, facts in scripts if _speaks(facts, str(event.get("agent") or ""))]
    seen: "list[tuple[dict[str, Any], dict[str, Any]]]" = []
    if not scripts:
        return seen
    until = time.monotonic() + SECONDS
    with tempfile.TemporaryDirectory(prefix="rulec-") as scratch:
        for path, facts in scripts:
            for call, message in told:
                left = until - time.monotonic()
                lines = shell_runs.of_message(path, message, scratch, left) if left > 0 else []
                seen += [(_finding(facts, call, line, text), facts) for line, text in lines]
    return seen


def _finding(facts: "dict[str, Any]", call: Call, line: int, text: str) -> "dict[str, Any]":
    seen = f"line {line} of the commit message: {text}" if line else f"the commit message {text}"
    return events.finding_of(facts["slug"], text=seen[: 2 * events.LONGEST_TEXT], program=call.program)


def _judges(path: str) -> bool:
    """Whether a script reads the message and nothing else, so that it can tell before there is a commit."""
    try:
        with open(path, encoding="utf-8") as file:
            body = file.read(200_000).partition(BODY)[2]
    except (OSError, ValueError):
        return False
    return any(mark in body for mark in READS) and not any(mark in body for mark in LOOKS)


def _speaks(facts: "dict[str, Any]", agent: str) -> bool:
    scope = facts.get("scope") or {}
    if facts.get("exceptions"):
        return False  # what they leave alone the commit tells
    agents, places = scope.get("agents"), scope.get("environments")
    return not ((agents and agent not in agents) or (places and "local" not in places))


def given(event: "dict[str, Any]") -> "list[tuple[Call, str]]":
    """Each commit of the command that gives a whole message itself, with the message as git would store it."""
    text = str(event.get("command") or "")
    if not any(word in text for word in MAKING):
        return []
    told = []
    for call in events.parsed(event).calls:
        message = _message(call, event) if call.program == "git" else None
        if message is not None:
            told.append((call, message))
    return told


def _message(call: Call, event: "dict[str, Any]") -> "str | None":
    """The message that a git command gives; None where it gives none, or not all of it is known."""
    bare, flags = operands("git", call.argv[1:])
    if bare[:1] == [] or bare[0] not in MAKING or any(flag in ("--dry-run", "--abort", "--continue") for flag in flags):
        return None
    parts: "list[str | None]" = []
    trailers: "list[str]" = []
    signs = False
    for name, value in _options(call.argv[call.argv.index(bare[0]) + 1 :]):
        if name == TAKEN:
            return None
        if name == "m":
            parts.append(value)
        elif name == "F":
            parts.append(_content(call, value, event))
        elif name == "trailer":
            trailers.append(value)
        signs = signs or name == "s"
    known = [part for part in parts if part is not None]
    if not parts or len(known) < len(parts):
        return None
    unknown = call.dynamic and any("$" in one or "`" in one for one in (*known, *trailers))
    return None if unknown else trailed("\n\n".join(known), [*trailers, *([SIGNED] if signs else [])])


def _options(words: "list[str]") -> "list[tuple[str, str]]":
    """The options that have to do with the message, each with its value."""
    found: "list[tuple[str, str]]" = []
    at = 0
    while at < len(words) and words[at] != "--":
        word = words[at]
        at += 1
        if word.startswith("--"):
            name, equals, value = word.partition("=")
            kind = LONG.get(name) or next((LONG[one] for one in LONG if len(name) > 4 and one.startswith(name)), "")
            if kind and not equals:
                value = words[at] if at < len(words) else ""
                at += 1
            found.append((kind or ("s" if name == "--signoff" else ""), value))
        elif word.startswith("-") and len(word) > 1:
            for place, letter in enumerate(word[1:], 1):
                if letter in VALUED:
                    value = word[place + 1 :]
                    if not value and VALUED[letter]:
                        value = words[at] if at < len(words) else ""
                        at += 1
                    found.append((VALUED[letter], value))
                    break
                found.append((letter, ""))
    return found


def _content(call: Call, path: str, event: "dict[str, Any]") -> "str | None":
    """What stands in the file that holds a message; - is what the command is given to read."""
    if path in ("-", "/dev/stdin"):
        return call.stdin.rstrip("\n") if call.stdin else _piped(call, event)
    written = [done for done in events.touched(event) if done.path == path and done.whole and done.content]
    if written:
        return written[-1].content.rstrip("\n")
    world = event.get("world")
    text: "str | None" = world.read(relative(event, path if not call.cwd else f"{call.cwd}/{path}")) if world else None
    return None if text is None else text.rstrip("\n")


def _piped(call: Call, event: "dict[str, Any]") -> "str | None":
    """What ``git interpret-trailers`` makes of a message before it comes here."""
    for one in call.feeds:
        bare, _ = operands("git", one.argv[1:])
        if one.program != "git" or bare[:1] != ["interpret-trailers"]:
            continue
        files = bare[1:] or [target for sign, target in one.redirects if sign == "<"]
        base = one.stdin.rstrip("\n") or (_content(one, files[0], event) if files else None)
        trailers = [value for name, value in _options(one.argv) if name == "trailer"]
        return None if base is None else trailed(base, [value.replace("=", ": ", 1) for value in trailers]).rstrip("\n")
    return None


def trailed(message: str, trailers: "list[str]") -> str:
    """The message with trailers behind it, as git puts them there."""
    if not trailers:
        return message + "\n"
    lines = [one if ":" in one.partition("=")[0] else one.replace("=", ": ", 1) for one in trailers]
    last = message.rpartition("\n\n")[2] if "\n\n" in message else ""
    block = bool(last) and all(": " in line for line in last.split("\n"))
    return message + ("\n" if block else "\n\n") + "\n".join(lines) + "\n"


def of_command(command: str) -> "str | None":
    """The first message that a command gives, where no repository can be asked."""
    told = given({"kind": "command", "command": command})
    return told[0][1] if told else None

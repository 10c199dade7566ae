"""The commit message that a git command gives, as git would store it."""

from __future__ import annotations

from rulec.shell import action_events
from rulec.shell.action_events import Event, relative_path
from rulec.shell.command_matching import words_and_flags
from rulec.shell.parsing.call import Call
from rulec.shell.programs import facts_of, spelled_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


COMMITTING_VERBS = ("commit", "merge")
KINDS = {  # of options, long and short: what they give
    "--message": "m", "--file": "F", "--trailer": "trailer", "--signoff": "s", "--reuse-message": "C", "--fixup": "C",
    "--reedit-message": "C", "--squash": "C", "-m": "m", "-F": "F", "-s": "s", "-C": "C", "-c": "C",
}  # fmt: skip
TAKEN = "C"  # the message is that of another commit
SIGNED = "Signed-off-by: whoever runs this <committer@localhost>"  # who that is no command tells


def given_messages(event: Event) -> list[tuple[Call, str]]:
    """Each commit call whose whole message the command gives, with the message as git would store it."""
    text = event.command
    if not any(word in text for word in COMMITTING_VERBS):
        return []
    messages = []
    for call in action_events.parsed_command(event).calls:
        message = _message(call, event) if call.program == "git" else None
        if message is not None:
            messages.append((call, message))
    return messages


def _message(call: Call, event: Event) -> str | None:
    """The message that a git call gives; None where it gives none or a part is unknown."""
    bare, flags = words_and_flags("git", call.argv[1:])
    if (
        bare[:1] == []
        or bare[0] not in COMMITTING_VERBS
        or any(flag in ("--dry-run", "--abort", "--continue") for flag in flags)
    ):
        return None
    parts: list[str | None] = []
    trailers: list[str] = []
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
    return None if unknown else with_trailers("\n\n".join(known), [*trailers, *([SIGNED] if signs else [])])


def _options(words: list[str]) -> list[tuple[str, str]]:
    """The options that concern the message, each with its value."""
    _, flags = words_and_flags("git", ["commit", *spelled_out(words, {**facts_of("git commit"), "abbreviates": True})])
    found: list[tuple[str, str]] = []
    for flag in flags:
        name, _, value = flag.partition("=")
        names = [name] if name.startswith("--") else [f"-{letter}" for letter in name[1:]]
        found += [(KINDS.get(one, ""), value) for one in names]
    return found


def _content(call: Call, path: str, event: Event) -> str | None:
    """The content of the file that holds a message; - is the call's standard input."""
    if path in ("-", "/dev/stdin"):
        return call.stdin.rstrip("\n") if call.stdin else _piped(call, event)
    written = [done for done in action_events.touched_paths(event) if done.path == path and done.whole and done.content]
    if written:
        return written[-1].content.rstrip("\n")
    world = event.world
    text: str | None = (
        world.read(relative_path(event, path if not call.cwd else f"{call.cwd}/{path}")) if world else None
    )
    return None if text is None else text.rstrip("\n")


def _piped(call: Call, event: Event) -> str | None:
    """The message that ``git interpret-trailers`` pipes into this call."""
    for one in call.feeds:
        bare, _ = words_and_flags("git", one.argv[1:])
        if one.program != "git" or bare[:1] != ["interpret-trailers"]:
            continue
        files = bare[1:] or [target for sign, target in one.redirects if sign == "<"]
        base = one.stdin.rstrip("\n") or (_content(one, files[0], event) if files else None)
        trailers = [value for name, value in _options(one.argv) if name == "trailer"]
        return (
            None
            if base is None
            else with_trailers(base, [value.replace("=", ": ", 1) for value in trailers]).rstrip("\n")
        )
    return None


def with_trailers(message: str, trailers: list[str]) -> str:
    """The message with the trailers that git would append."""
    if not trailers:
        return message + "\n"
    lines = [one if ":" in one.partition("=")[0] else one.replace("=", ": ", 1) for one in trailers]
    last = message.rpartition("\n\n")[2] if "\n\n" in message else ""
    block = bool(last) and all(": " in line for line in last.split("\n"))
    return message + ("\n" if block else "\n\n") + "\n".join(lines) + "\n"


def message_of_command(command: str) -> str | None:
    """The first message that a command gives; for examples, which have no repository."""
    messages = given_messages(Event(kind="command", command=command))
    return messages[0][1] if messages else None

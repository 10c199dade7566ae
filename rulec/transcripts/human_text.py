"""A person's words in a message: what they typed, without what the agent's program put around it."""

import re

PREFIXES = (
    "<command-name>", "<command-message>", "<command-args>", "<local-command-", "Caveat: The messages below",
    "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<bash-notification", "<task-notification", "<system-reminder>",
    "<user-prompt-submit-hook>", "<teammate-message", "<cross-session-message", "<tick>", "<tool_use_error>",
    "[Request interrupted by user", "This session is being continued from a previous", "Implement the following plan:",
    "Base directory for this skill", "Unknown slash command", "Unknown skill:", "Stop hook feedback",
    "Operation stopped by hook", "Continue from where you left off.", "[Image: original", "[Image: source",
    "The user doesn't want to proceed with this tool use", "The user doesn't want to take this action right now",
)  # fmt: skip
_WRAPPERS = (
    "system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "user-prompt-submit-hook",
    "new-diagnostics",
)  # fmt: skip
_WRAPPED = re.compile(rf"<({'|'.join(_WRAPPERS)})>")
_MEMORY = "<user-memory-input>", "</user-memory-input>"
_ARGS = "<command-args>", "</command-args>"
_COMMAND = "<command-name>", "<command-message>"
_NAME = re.compile(r"<command-name>\s*/?([\w:-]+)")
_SETTINGS = frozenset(
    ("model", "add-dir", "resume", "export", "rename", "effort", "config", "mcp", "plugin", "agents", "theme", "color")
)  # slash commands whose arguments are values, not words
_REASON = "the user said:\n"
_NOTE = "\n\nNote: The user's next message may contain a correction"


def typed_text(text: str) -> str:
    """The words a person typed into this text, or ""."""
    text = _unwrapped(text.strip())
    if text.startswith(_MEMORY[0]):
        text = text.removeprefix(_MEMORY[0]).partition(_MEMORY[1])[0].strip()
    return "" if text.startswith(PREFIXES) else text


def is_interrupt(text: str) -> bool:
    """Whether the program noted here that the person stopped the agent."""
    return text.lstrip().startswith("[Request interrupted by user")


def is_command(text: str) -> bool:
    """Whether this is the record of a slash command."""
    return text.lstrip().startswith(_COMMAND)


def command_arguments(text: str) -> str:
    """What a person typed behind a slash command."""
    name = _NAME.search(text)
    if name and name[1] in _SETTINGS:
        return ""
    _, found, rest = text.partition(_ARGS[0])
    return rest.rpartition(_ARGS[1])[0].strip() if found else ""


def is_rejection(result: str) -> bool:
    """Whether this tool result says that the person refused the call."""
    return result.startswith("The user doesn't want to ")


def rejection_reason(result: str) -> str:
    """Why the person refused a call, in their words; "" where they gave no reason."""
    return typed_text(result.partition(_REASON)[2].partition(_NOTE)[0])


def _unwrapped(text: str) -> str:
    """The text without the wrappers that programs put before, between or behind a person's words."""
    kept, at = [], 0
    while wrapper := _WRAPPED.search(text, at):
        end = text.find(f"</{wrapper[1]}>", wrapper.end())
        if end < 0:
            break
        kept.append(text[at : wrapper.start()])
        at = end + len(wrapper[1]) + 3
    return "".join([*kept, text[at:]]).strip()


_INTERRUPTS = re.compile(r"\s*(?:\[Request interrupted by user[^\]\n]{0,40}\]\s*)+")
_SLASH_COMMAND = re.compile(r"/[A-Za-z][\w:-]*\s+(\S.*)", re.DOTALL)
_SENTENCE = 3  # words; fewer behind a command are its values


def after_interrupt(text: str) -> str:
    """The text without the note that the person stopped the agent."""
    if not is_interrupt(text):
        return text
    found = _INTERRUPTS.match(text)
    return text[found.end() :] if found else ""


def behind_command(text: str) -> str:
    """The words behind a slash command that was typed as text; "" where they are a value."""
    found = _SLASH_COMMAND.fullmatch(text.strip())
    return found[1] if found and len(found[1].split()) >= _SENTENCE else ""

"""What a person typed into Codex, without what its programs put around it."""

import re

_MACHINE = (
    "# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<permissions instructions>",
    "<turn_aborted>", "<skill>", "<user_shell_command>", "<subagent_notification>", "<INSTRUCTIONS>", "<user_action>",
    "<collaboration_mode>", "<personality_spec>", "<model_switch>", "<apps_instructions>", "<skills_instructions>",
    "<plugins_instructions>", "<hook_prompt", "<codex_internal_context", "<goal_context>", "<realtime_conversation>",
    "Another language model started to solve this problem", "You are performing a CONTEXT CHECKPOINT COMPACTION",
    "You must fully embody this agent's persona",
)  # fmt: skip
_PREAMBLES = ("# Context from my IDE setup", "# Files mentioned by the user", "# Selected text:")
_REQUEST = re.compile(r"^## My request for Codex:?[ \t]*$", re.MULTILINE)
_INPUT = re.compile(r"^## User Input[ \t]*\n+```text\n", re.MULTILINE)
_AFTER_INPUT = "\n```\n\nYou **MUST** consider"
_OLD_INPUT = re.compile(r"^User input:[ \t]*\n\n", re.MULTILINE)
_OLD_TEMPLATE = "as a command argument - you **MUST** consider it before proceeding"


def typed(message: str, *, terminal: bool = False) -> str:
    """The words a person typed into this message, or ""; ``terminal``: it came from a program that trims them.

    A prompt file's text starts with the empty line behind its front matter, which nobody can type there.
    """
    text = message.strip()
    if text.startswith(_PREAMBLES):
        parts = list(_REQUEST.finditer(text))  # the last one: a selected file may hold such a line too
        return typed(text[parts[-1].end() :]) if parts else ""
    if text.startswith(_MACHINE):
        return ""
    if found := _INPUT.search(text, 0, 2_000):
        return _until(text[found.end() - 1 :], _AFTER_INPUT, "\n```")
    if _OLD_TEMPLATE in text[:2_000]:
        asked = _OLD_INPUT.search(text)
        return _until(text[asked.end() - 1 :], "\n\n") if asked else ""
    return "" if terminal and message.startswith("\n") else text


def _until(text: str, *ends: str) -> str:
    for end in ends:
        before, found, _ = text.partition(end)
        if found:
            return before.strip()
    return ""

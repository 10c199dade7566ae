"""Claude Code's records, as mining and the hook read them: their blocks, who wrote them, and a person's words."""

from __future__ import annotations

import re

from rulec.agents.claude_code import TOOLS
from rulec.agents.protocol.agent_spec import ToolAction, as_mapping, as_text
from rulec.transcripts.human_text import after_interrupt, typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any


READS = ("Read", "Grep", "Glob", "LS", "NotebookRead")
ASKS = "AskUserQuestion"  # its result holds a person's answer
MOST_QUESTIONS = 20  # of one form
_ASKED = re.compile(r'"([^"\n]{1,2000})"="')
_PATHS = ("file_path", "notebook_path", "path")
_MACHINE = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "planContent")
_NOT_TYPED = ('{"task_id"', "!")  # how queued notices of programs and shell lines begin


def message_blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    """The content blocks of a record's message; a plain string is one text block."""
    content = as_mapping(record.get("message")).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def tool_action(tool: str, given: dict[str, Any]) -> ToolAction | None:
    """What a call of one of the program's own tools runs or writes; None of other tools."""
    reader = TOOLS.get("Bash" if tool == "PowerShell" else tool)
    return reader(given) if reader else None


def path_argument(given: Mapping[str, object]) -> str:
    """The path that a tool is called with."""
    return next((as_text(given[key]) for key in _PATHS if given.get(key)), "")


def is_machine(record: dict[str, Any]) -> bool:
    """Whether the program wrote the record where a person's words would be."""
    return any(record.get(mark) for mark in _MACHINE) or is_foreign(record)


def is_foreign(record: dict[str, Any]) -> bool:
    """Whether the record names an origin, and it is not a person."""
    origin = as_mapping(record.get("origin")).get("kind")
    return origin is not None and origin != "human"


def typed_words(texts: Iterable[str]) -> str:
    """What a person typed into the texts of a record, without the note that they stopped the agent."""
    return "\n".join(filter(None, (typed_text(after_interrupt(text)) for text in texts)))


def queued_words(content: str) -> str:
    """What a person typed while the agent worked; shell lines and notices of programs are none of it."""
    return "" if content.lstrip().startswith(_NOT_TYPED) else typed_text(content)


def questions_of(given: dict[str, Any]) -> list[str]:
    """The questions of a form that the agent puts before the person."""
    asked = given.get("questions")
    texts = [as_text(as_mapping(one).get("question")) for one in (asked if isinstance(asked, list) else [])]
    return [text for text in texts if text][:MOST_QUESTIONS]


def form_answers(questions: list[str], result: object, output: str) -> list[tuple[str, str]]:
    """Each question of a form with the person's answer to it, as the program recorded them.

    The program keeps them in the record (``toolUseResult.answers``); older records have nothing but its sentence,
    ``"question"="answer", …``, in which the known questions are looked for: what they or answers hold may look like it.
    """
    answers = as_mapping(as_mapping(result).get("answers"))
    found = [(question, as_text(answers.get(question))) for question in questions or answers]
    if not any(answer for _, answer in found):
        found = _answers_in(questions or list(dict.fromkeys(_ASKED.findall(output))), output)
    return [(_as_question(question), answer) for question, answer in found if answer][:MOST_QUESTIONS]


def _answers_in(questions: list[str], output: str) -> list[tuple[str, str]]:
    """Each question that the program's sentence holds, in their order, with the answer up to the next one."""
    places, at = [], 0
    for question in questions:
        sign = f'"{question}"="'
        start = output.find(sign, at)
        if start >= 0:
            at = start + len(sign)
            places.append((question, start, at))
    found = []
    for number, (question, _, begin) in enumerate(places):
        last = number + 1 == len(places)
        until = output if last else output[: places[number + 1][1]]
        ends = [until.rfind('". ', begin), until.rfind('"', begin)] if last else [until.rfind('"', begin)]
        found.append((question, until[begin : next((end for end in ends if end >= 0), len(until))]))
    return found


def _as_question(text: str) -> str:
    """The question with its sign, which an agent's program does not ask for."""
    return text if text.rstrip().endswith("?") else f"{text.rstrip().rstrip('.:')}?"

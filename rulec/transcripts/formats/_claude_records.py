"""Claude Code's records as far as turns are made of them, its tool calls as actions, and the prompts that it queued."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import Action
from rulec.transcripts import claude_records
from rulec.transcripts.human_text import behind_command
from rulec.transcripts.reading.json_records import Odd, Scalar, arguments_json, as_string, summary
from rulec.transcripts.reading.tool_actions import actions_of


class ClaudeBlock(Struct):
    """One block of a message's content."""

    type: Any = None
    text: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    content: Any = None
    is_error: Any = None


class ClaudeMessage(Struct):
    """What a record says."""

    id: Any = None
    content: list[ClaudeBlock | Odd] | dict[str, Any] | Scalar = None

    @property
    def blocks(self) -> list[ClaudeBlock]:
        """The content blocks; a plain string is one text block."""
        if isinstance(self.content, str):
            return [ClaudeBlock(type="text", text=self.content)]
        return [one for one in self.content if isinstance(one, ClaudeBlock)] if isinstance(self.content, list) else []


class ClaudeRecord(Struct):
    """One line of a session; the copy of a result beside it, snapshots and the like are not among its fields."""

    type: Any = None
    isSidechain: Any = None
    entrypoint: Any = None
    sessionId: Any = None
    cwd: Any = None
    timestamp: Any = None
    message: ClaudeMessage | Odd = None
    attachment: Any = None
    operation: Any = None
    content: Any = None
    origin: Any = None
    isApiErrorMessage: Any = None
    isMeta: Any = None
    isCompactSummary: Any = None
    isVisibleInTranscriptOnly: Any = None
    planContent: Any = None

    @property
    def said(self) -> ClaudeMessage:
        """The message, an empty one where there is none."""
        return self.message if isinstance(self.message, ClaudeMessage) else ClaudeMessage()


def block_actions(block: ClaudeBlock, path: Callable[[str], str]) -> list[Action]:
    """The actions of one tool_use block; ``path`` makes paths relative to the session's folder."""
    tool, given, call = as_string(block.name), as_mapping(block.input), as_string(block.id)
    if done := claude_records.tool_action(tool, given):
        return actions_of([done], call, tool, path)
    place = path(as_string(claude_records.path_argument(given)))
    told = summary(given) if given else ""
    if tool in claude_records.READS:
        return [Action(kind="read", id=call, tool=tool, path=place, output=told)]
    return [Action(kind="other", id=call, tool=tool, path=place, output=told, args=arguments_json(given))]


_LONGEST_PROMPT = 200  # entries and texts remembered: a file that never empties its queue costs no memory


@dataclass(slots=True)
class QueuedPrompt:
    """One entry of the queue; ``text`` is "" where a program put it there."""

    key: str
    text: str
    line: int
    at: str
    told: bool = False  # its text has come by another way


class PromptQueue:
    """Entries that wait, that were taken out to be sent as a prompt, and that have just been delivered."""

    def __init__(self) -> None:
        self._entries: deque[QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._taken: deque[QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._delivered: deque[str] = deque(maxlen=_LONGEST_PROMPT)

    def operate(self, operation: str, content: str, line: int, at: str) -> QueuedPrompt | None:
        """Follow one queue operation; gives the entry that the agent gets to hear in the middle of its work."""
        if operation == "enqueue":
            self._entries.append(QueuedPrompt(folded(content), _words(content), line, at))
        elif operation == "popAll":
            self._entries.clear()
        elif operation in ("dequeue", "remove") and (entry := self._pop(folded(content))):
            if operation == "dequeue":
                self._taken.append(entry)
            elif entry.text and not entry.told:
                self._delivered.append(entry.key)
                return entry
        return None

    def tell(self, text: str) -> bool:
        """Note that a record repeats this text; False where the queue has delivered it already."""
        told = folded(text)
        for entry in self._entries:
            if entry.key == told and not entry.told:
                entry.told = True
                return True
        if any(entry.key in told for entry in self._taken):  # several may have been sent as one prompt
            self._taken = deque((entry for entry in self._taken if entry.key not in told), maxlen=_LONGEST_PROMPT)
            return True
        if told in self._delivered:
            self._delivered.remove(told)
            return False
        return True

    def settle(self) -> None:
        """The agent goes on: what was delivered before is not repeated."""
        self._delivered.clear()

    def rest(self) -> list[QueuedPrompt]:
        """A person's words that never came by another way, at the end of the file."""
        left = [entry for entry in (*self._taken, *self._entries) if entry.text and not entry.told]
        return sorted(left, key=lambda entry: entry.line)

    def _pop(self, wanted: str) -> QueuedPrompt | None:
        if wanted and (entry := next((entry for entry in self._entries if entry.key == wanted), None)):
            self._entries.remove(entry)
            return entry
        while self._entries and self._entries[0].told:
            self._entries.popleft()
        return self._entries.popleft() if self._entries else None


def folded(text: str) -> str:
    """The text with white space folded."""
    return " ".join(text.split())


def _words(content: str) -> str:
    """A person's words in a queued prompt; bare commands, shell lines and notices of programs are none."""
    if content.lstrip().startswith("/"):
        return behind_command(content)
    return claude_records.queued_words(content)

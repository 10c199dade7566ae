"""Claude Code's queue of prompts typed while the agent works, which are told twice, once or never again."""

from collections import deque
from dataclasses import dataclass

from rulec.transcripts.human_text import behind_command, typed_text

_LONGEST = 200  # entries and texts remembered: a file that never empties its queue costs no memory


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
        self._entries: deque[QueuedPrompt] = deque(maxlen=_LONGEST)
        self._taken: deque[QueuedPrompt] = deque(maxlen=_LONGEST)
        self._delivered: deque[str] = deque(maxlen=_LONGEST)

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
        """Note that this text stands in a record of its own; False where it was delivered from the queue already."""
        told = folded(text)
        for entry in self._entries:
            if entry.key == told and not entry.told:
                entry.told = True
                return True
        if any(entry.key in told for entry in self._taken):  # several may have been sent as one prompt
            self._taken = deque((entry for entry in self._taken if entry.key not in told), maxlen=_LONGEST)
            return True
        if told in self._delivered:
            self._delivered.remove(told)
            return False
        return True

    def settle(self) -> None:
        """The agent goes on: what was delivered before will not be told once more."""
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
    return "" if content.lstrip().startswith(('{"task_id"', "!")) else typed_text(content)

"""Lines of a Markdown transcript: fences, elements, and who speaks."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def text_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """Number and text of every line, without its end; bytes that are no UTF-8 become replacement characters."""
    for number, line in enumerate(lines, 1):
        text = line.decode("utf-8", "replace").rstrip("\r\n").replace("\0", "")
        yield number, text.removeprefix("\ufeff") if number == 1 else text


def without_elements(text: str, tag: re.Pattern[str]) -> str:
    """The text without the elements of that tag, whose name is the pattern's first group; linear in its length."""
    kept, at = [], 0
    while found := tag.search(text, at):
        end = text.find(f"</{found[1]}>", found.end())
        if end < 0:
            break
        kept.append(text[at : found.start()])
        at = end + len(found[1]) + 3
    return "".join([*kept, text[at:]])


class OpenFence:
    """Follows the code fences: text in one is quoted, whatever it looks like."""

    def __init__(self) -> None:
        self.mark = ""  # the mark that opened the fence we are in
        self.info = ""

    def take(self, line: str) -> bool:
        """Follow one line; gives whether it opens or closes a fence."""
        found = _FENCE.fullmatch(line)
        if not found:
            return False
        mark, info = found[1], found[2].strip()
        if not self.mark:
            self.mark, self.info = mark, info
            return True
        if info or not mark.startswith(self.mark):
            return False
        self.mark = ""
        return True


Speaker = Literal["user", "agent", "unknown"]

_PERSON = frozenset(("user", "human", "you", "me"))
_AGENT = frozenset(
    ("agent", "assistant", "ai", "bot", "model", "cursor", "claude", "chatgpt", "copilot", "codex", "gemini", "")
)


def speaker_of(name: str) -> Speaker:
    """Whether the name is a person's or an agent's; that of most people, and of a new product, says neither."""
    name = name.strip().casefold()
    return "user" if name in _PERSON else "agent" if name in _AGENT else "unknown"


def opposite(speaker: Speaker) -> Speaker:
    """Who the other one of two is."""
    return "user" if speaker == "agent" else "agent" if speaker == "user" else "unknown"

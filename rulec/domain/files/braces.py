"""Brace expansion: {a,b} stands for a and b, bounded."""

OPEN, COMMA, CLOSE = "\1", "\2", "\3"  # unquoted braces and commas while a word is being read
LITERAL = {ord(OPEN): "{", ord(COMMA): ",", ord(CLOSE): "}"}
MOST_FIELDS = 64  # a word with more alternatives in braces than this is not known


def expand(part: str, most: int = MOST_FIELDS) -> "list[str]":
    """The words that a word with marked braces stands for, bounded; braces without a comma are plain text."""
    ready: list[str] = []
    waiting = [part]
    while waiting and len(ready) + len(waiting) <= most:
        text = waiting.pop(0)
        options = _innermost(text)
        if options:
            waiting[:0] = options
        else:
            ready.append(text)
    return ready + waiting


def _innermost(text: str) -> "list[str]":
    """The texts that the first innermost {a,b} stands for, or none."""
    start = 0
    while True:
        close = text.find(CLOSE, start)
        if close < 0:
            return []
        opened = text.rfind(OPEN, 0, close)
        if opened >= 0 and COMMA in text[opened:close]:
            return [text[:opened] + x + text[close + 1 :] for x in text[opened + 1 : close].split(COMMA)]
        if opened >= 0:
            text = text[:opened] + "{" + text[opened + 1 : close] + "}" + text[close + 1 :]
        start = close + 1
